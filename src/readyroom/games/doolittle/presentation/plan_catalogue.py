"""[13.0.1] What the blotter is printed with: everything that could be chosen, whether it was or not."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.game import View
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import ModificationCard
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.planning.blotter import liberty_risk
from readyroom.games.doolittle.presentation.squadron import signed
from readyroom.games.doolittle.state import Doolittle


def catalogue(state: Doolittle, data: Data) -> View:
    """[13.1.2, 13.3.3, 13.4.1, 13.4.2, 13.5.1] Modifications, fields, measures, sea areas, turns and all bombers."""
    cards = data.modifications.modifications.modification
    return {
        "catalogue": [
            {"key": one.key, "box": one.box, "title": one.title, "text": one.text, "effects": effects(one)}
            for one in cards
        ],
        "liberty_effects": f"morale {signed(data.training.sites.liberty_morale)}, risk {liberty_risk(data)}",
        "told_effects": f"morale {signed(data.training.morale.briefed)}, "
        f"risk {signed(data.embarkation.risk.squadron_briefed)}",
        "sites": [
            {"key": key, "title": one.title, "secrecy": one.secrecy, "training": one.training}
            for key, one in data.training.sites.site.items()
        ],
        "all_measures": [
            {"key": key, "title": one.title, "secrecy": one.secrecy, "morale": one.morale}
            for key, one in data.training.measures.measure.items()
        ],
        "areas": [[area.key, area.name] for area in data.sea.areas.area],
        "turns": list(data.sea.turns.turn),
        "diligence_most": data.embarkation.crane.diligence_most,
        "bombers": list(_bombers(state, data)),
    }


def effects(card: ModificationCard) -> str:
    """[13.3.3] The figures of a modification's marker."""
    named = (("weight", card.weight), ("guns", card.gunnery), ("training", card.training), ("morale", card.morale))
    parts = [f"{name} {signed(value)}" for name, value in named if value]
    parts += [f"{card.fuel} fuel"] if card.fuel else []
    return ", ".join([*parts, *([f"blast {card.box_blast}"] if card.box_blast else [])])


def _bombers(state: Doolittle, data: Data) -> Iterator[View]:
    """[13.1.2] All bombers in the order of the roster: chosen, still in their hangar, or lost."""
    hangar = state.blotter.hangar if state.blotter is not None else {}
    for card in data.bombers.roster.bomber:
        bomber = state.squad.get(card.key) or hangar.get(card.key)
        if bomber is None:
            continue
        chosen = card.key in state.squad
        lost = bool(bomber.fate)
        text = "wrecked" if lost else _words(data, bomber) if chosen else "in the hangar"
        kind = "lost" if lost else "chosen" if chosen else "hangar"
        yield {"key": card.key, "pilot": card.pilot, "state": kind, "hits": bomber.hits, "words": text}


def _words(data: Data, bomber: Bomber) -> str:
    """The state of a bomber: its elite crewman, damage, hazards."""
    parts = [f"★ {data.bombers.crewmen[bomber.elite.key].name}"] if bomber.elite else []
    parts += ["damaged"] if bomber.hits else []
    parts += [data.embarkation.cup.markers[one.key].title.lower() for one in bomber.markers if _transit(data, one.key)]
    return ", ".join(parts) or "ready"


def _transit(data: Data, key: str) -> bool:
    return key in data.embarkation.cup.markers
