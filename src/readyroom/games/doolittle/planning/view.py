"""[13.0.1] What is seen of the planner's blotter: everything but the cups."""

from __future__ import annotations

from readyroom.engine.game import View
from readyroom.games.doolittle.figures.common import MONTHS
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import Diplomat, Level, Track
from readyroom.games.doolittle.pieces import EliteMan
from readyroom.games.doolittle.planning import blotter as notes_of
from readyroom.games.doolittle.planning.blotter import liberty_words
from readyroom.games.doolittle.planning.state import Blotter
from readyroom.games.doolittle.planning.training import level_words
from readyroom.games.doolittle.presentation.plan_catalogue import catalogue
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.state import Plan


def blotter(state: Doolittle, data: Data) -> View | None:
    """[13.0.1] The blotter with all its markers; only in the campaign."""
    notes = state.blotter
    if notes is None:
        return None
    return {
        "month": notes.month,
        "calendar": [_row(state, data, diplomat) for diplomat in data.planning.calendar.row],
        "month_risk": dict(data.planning.calendar.risk),
        "doolittle": notes.doolittle,
        "boxes": {month: card.text for month, card in data.planning.doolittle.box.items()},
        "selected": notes.selected,
        "modifications": [_modification(data, key) for key in notes.modifications],
        "track": _track(state, data),
        "site": data.training.sites.site[notes.site].title if notes.site else "",
        "liberty": notes.liberty,
        "measures": [data.training.measures.measure[key].title for key in notes.measures],
        "morale": _morale(state, data),
        "told": notes.squadron_briefed,
        "points": notes.points,
        "training": [_category(notes, key, track) for key, track in data.training.training.track.items()],
        "deck": _deck(state, data),
        "elites": {"aside": [_man(data, man) for man in notes.aside], "cup": len(notes.men.contents)},
        "secrecy": notes_of.secrecy_dice(state, data),
        "risk": [[name, value] for name, value in notes_of.sure_risk(state, data)],
        "open_risk": _open_risk(state, data),
        "diligence": notes.diligence,
        "repairs": notes.repairs,
        "china": _china(state, data),
        "plan": _plan(state.plan),
        "incidents": _incidents(state, data),
        **catalogue(state, data),
    }


def _row(state: Doolittle, data: Data, diplomat: Diplomat) -> View:
    """[13.1.1, 13.2.1] A row of the calendar: its sums, its diplomat, and the markers on it."""
    row, talks = data.planning.calendar.row[diplomat], state.talks
    leader = row.leader.lower()
    return {
        "key": diplomat,
        "name": row.name,
        "asks": row.asks,
        "needs": {month: row.needs[month] for month in MONTHS if month in row.needs},
        "placed": state.notes.calendar.get(diplomat, ""),
        "briefed": diplomat in talks.briefed,
        "leader": row.leader,
        "leader_placed": leader in talks.leaders,
        "leader_briefed": leader in talks.briefed,
        "risk": _row_risk(state, data, diplomat),
        "urgent": talks.urgent.get(diplomat, 0),
        "granted": diplomat in talks.granted,
        "denied": diplomat in talks.denied,
        "submarines": talks.submarines if not row.leader else 0,
    }


def _row_risk(state: Doolittle, data: Data, diplomat: Diplomat) -> int:
    """[13.5.6] What a row adds to the risk: its diplomat's month, and each urgent, briefed and leader marker."""
    talks, placed = state.talks, state.notes.calendar.get(diplomat)
    leader = data.planning.calendar.row[diplomat].leader.lower()
    number = sum(one in talks.briefed for one in (diplomat, leader)) + (leader in talks.leaders)
    number += talks.urgent.get(diplomat, 0)
    month = data.planning.calendar.risk[placed] if placed else 0
    return month + data.embarkation.risk.marker * number


def _modification(data: Data, key: str) -> View:
    card = data.modifications.cards[key]
    return {"key": key, "box": card.box, "title": card.title}


def _track(state: Doolittle, data: Data) -> View:
    """[13.3.1] The modifications track."""
    return {
        "modifications": len(state.notes.modifications),
        "weight": notes_of.weight(state, data),
        "heavy": notes_of.heavy(state, data),
        "guzzle": state.ratings.guzzle,
        "guns": state.ratings.gunnery,
        "fuel": state.ratings.fuel,
        "armour": state.armour,
    }


def _morale(state: Doolittle, data: Data) -> View:
    """[13.4.3] Morale now, and its effect."""
    box = notes_of.morale(state, data)
    return {
        "at": data.training.morale.box.index(box),
        "boxes": [[one.title, one.elites, one.training] for one in data.training.morale.box],
        "title": box.title,
    }


def _open_risk(state: Doolittle, data: Data) -> list[str]:
    """[13.5.6] The risks that dice will add in April, as far as they are known to come."""
    notes, late = state.notes, state.plan is not None and state.plan.delayed
    liberty = liberty_words(state, data, notes.site, settled=True).removeprefix("risk ")
    names = [f"liberty {liberty}"] if notes.liberty else []
    names += ["the telephone"] if notes.doolittle == notes_of.TELEPHONE else []
    names += ["the attacks in China"] if state.sky.taken and "stilwell" in notes.calendar else []
    return [*names, *(["the delay"] if late else [])]


def _category(notes: Blotter, key: str, track: Track) -> View:
    """[13.4.4] A training track and the marker on it."""
    used = (not track.needs or track.needs in notes.modifications) and track.unless not in notes.modifications
    return {
        "key": key,
        "title": track.title,
        "used": used,
        "level": notes.training.get(key, 0),
        "levels": [level.cost for level in track.level],
        "effects": [level_words(track, level) for level in track.level],
        "short": [_short(track, level) for level in track.level],
        "extra": key in notes.extra,
    }


def _short(track: Track, level: Level) -> str:
    """[13.4.5 to 13.4.8] The ratings of a level, as the track prints them."""
    light = "night" if track.category == "night" else "day"
    named = [("guns +{}", level.gunnery), ("evasion {}", level.evasion), ("pilots +{}", level.elite_evasion)]
    named += [(f"{light} +{{}}", level.navigation), ("evasion +{}", level.night_evasion)]
    return ", ".join(text.format(value) for text, value in named if value)


def _deck(state: Doolittle, data: Data) -> View:
    """[13.4.9] The track of the short take-off."""
    return {
        "space": state.notes.deck,
        "capacity": notes_of.capacity(state, data),
        "extra": notes_of.DECK in state.notes.extra,
        "spaces": [[one.space, one.mishaps, one.capacity] for one in data.training.short_take_off.space],
    }


def _man(data: Data, man: EliteMan) -> View:
    """[2.3] An elite crewman who has been drawn, and flies with no one yet."""
    card = data.bombers.crewmen[man.key]
    benefit = data.bombers.benefits[card.benefit]
    return {"key": man.key, "name": card.name, "role": card.role, "benefit": benefit.title, "text": benefit.text}


def _china(state: Doolittle, data: Data) -> list[View]:
    """[13.2.3, 13.2.4] The landing sites in China as they are prepared."""
    sky = state.sky
    return [
        {
            "key": site.key,
            "name": site.name,
            "stockpile": site.stockpile,
            "beacon": site.key in sky.beacons,
            "fuel": sky.stock.get(site.key, 0),
            "groundcrew": sky.groundcrews.get(site.key, 0),
            "taken": site.key in sky.taken,
        }
        for site in data.flight.sites_in("china")
    ]


def _plan(plan: Plan | None) -> View | None:
    """[13.5.1] The naval plan."""
    if plan is None:
        return None
    return {
        "rendezvous_area": plan.rendezvous_area,
        "rendezvous_turn": plan.rendezvous_turn,
        "launch_area": plan.launch_area,
        "submarines": dict(plan.submarines),
        "enterprise": plan.enterprise,
        "delayed": plan.delayed,
    }


def _incidents(state: Doolittle, data: Data) -> View:
    """[15.1] The chits that were drawn, and how many are in the cup."""
    notes, cup = state.notes, state.cups.get(notes_of.CHITS)
    kinds = data.incidents.chits.kind
    return {
        "chits": [[kind, kinds[kind].title, kinds[kind].text] for kind in notes.chits],
        "turns": list(notes.turns),
        "cup": len(cup.contents) if cup else 0,
    }
