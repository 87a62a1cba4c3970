"""[2.1, 2.3, 12.6.6.G] Bombers: elite crewmen and their benefits, markers aboard, hits, repairs and losses."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.figures.attack import BenefitName
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.names import pilot, pilot_name
from readyroom.games.doolittle.pieces import Bomber, EliteMan, Marker
from readyroom.games.doolittle.state import T, ask

DAMAGED, DESTROYED = "damaged", "destroyed"
MEDALS = "medals"


def bomber_options(
    data: Data,
    prefix: str,
    bombers: Iterable[Bomber],
    info: Callable[[Bomber], OptionInfo | None] = lambda _: None,
) -> list[Option]:
    """[2.1] Return an option for each bomber by its pilot's name; the key is the bomber's, after the prefix."""
    return [Option(f"{prefix}-{one.key}", pilot_name(data, one.key), one, info(one)) for one in bombers]


def is_pilot(table: T, bomber: Bomber) -> bool:
    """[2.3, 2.3.7] Return whether an elite pilot is aboard, even if the pilot's benefit is used up."""
    return bomber.elite is not None and table.data.bombers.crewmen[bomber.elite.key].role == "pilot"


def has_benefit(data: Data, man: EliteMan | None, name: BenefitName) -> bool:
    """[2.3, 2.3.3] Return whether an elite crewman has this benefit and can still use it."""
    return man is not None and not man.used and data.bombers.crewmen[man.key].benefit == name


def use_benefit(table: T, bomber: Bomber) -> None:
    """[2.3] Use the benefit of a bomber's elite crewman and log it."""
    assert bomber.elite is not None
    use_crewman(table, bomber.elite, f" of {pilot_name(table.data, bomber.key)}", target=bomber.key)


def use_crewman(table: T, man: EliteMan, whose: str = "", target: str = "") -> None:
    """[2.3] Use an elite crewman's benefit and log it."""
    card = table.data.bombers.crewmen[man.key]
    figures = table.data.bombers.benefits[card.benefit]
    man.used = figures.once
    own = "" if card.role == "pilot" else whose  # a bomber is named after its pilot
    text = "{}, {}{}, uses an elite ability: {}."
    table.log_line(figures.rule, text, card.name, card.role, own, figures.title.lower(), target=target)


def hazard_kinds(table: T, bomber: Bomber) -> list[str]:
    """[8.3.5] Return the kinds of the flight hazards attached to a bomber."""
    known = table.data.flight_hazards.markers
    return [known[marker.key].kind for marker in bomber.markers if marker.key in known]


def hazards_of_kind(table: T, bomber: Bomber, kind: str) -> list[Marker]:
    """[8.3.5] Return the flight hazards of a kind attached to a bomber."""
    known = table.data.flight_hazards.markers
    return [marker for marker in bomber.markers if marker.key in known and known[marker.key].kind == kind]


def tied_medals(table: T, bomber: Bomber) -> list[Marker]:
    """[12.6.6.G] Return the medals tied to a bomber's bombs."""
    known = table.data.sea_hazards.markers
    return [marker for marker in bomber.markers if marker.key in known and known[marker.key].kind == MEDALS]


def unload(table: T, bomber: Bomber) -> None:
    """[4.9, 8.1.4, 12.6.6.G] Release a bomber's bombs; medals tied to them go back into their cup."""
    bomber.loaded = False
    for marker in tied_medals(table, bomber):
        bomber.markers.remove(marker)
        table.state.put_back(marker)


def hit_bomber(table: T, bomber: Bomber, rule: str, by: str) -> Steps:
    """[2.1.3, 2.3.7] Hit a bomber: it is damaged or destroyed, unless an elite pilot ignores the hit (DR15)."""
    if not bomber.flies or (yield from choose_to_ignore(table, bomber, by)):
        return
    if hit_outcome(table, bomber) == DESTROYED:
        destroy(table, bomber, rule, by)
        return
    bomber.hits += 1
    table.log_line(rule, "{} is damaged by {}.", pilot(table.data, bomber.key), by, target=bomber)
    table.state.add_to_story("damaged", bomber.key, by)


def choose_to_ignore(table: T, bomber: Bomber, by: str) -> Choice[bool]:
    """[2.3.7, DR15] Choose whether an elite pilot ignores a hit, once; return whether the pilot does."""
    if not has_benefit(table.data, bomber.elite, "ignore-damage"):
        return False
    worse = " It would be destroyed." if hit_outcome(table, bomber) == DESTROYED else ""
    question = f"{pilot_name(table.data, bomber.key)} is hit by {by}.{worse} Ignore the hit?"
    options = [Option("ignore", "ignore it (once)"), Option("take", "take the hit")]
    chosen = yield from ask(table, bomber, "2.3.7", question, options)
    if chosen.key == "ignore":
        use_benefit(table, bomber)
    return bool(chosen.key == "ignore")


def hit_outcome(table: T, bomber: Bomber) -> str:
    """[2.1.3, 13.3.3.E] Return the effect of the next hit on a bomber, by its armor."""
    steps: list[str] = getattr(table.data.bombers.armour, table.state.armour)
    return steps[min(bomber.hits, len(steps) - 1)]


def repair_options(table: T, bomber: Bomber, hanging: Iterable[tuple[Marker, str]]) -> list[Option]:
    """[2.3.2] Return options to repair a bomber: all its damage, or one of these hazards, each given with its name."""
    name = pilot_name(table.data, bomber.key)
    options = [Option(f"{bomber.key}-damage", f"{name}: the damage", (bomber, None))] if bomber.hits else []
    return options + [
        Option(f"{bomber.key}-{marker.key}", f"{name}: {text.lower()}", (bomber, marker)) for marker, text in hanging
    ]


def repair_bomber(table: T, rule: str, bomber: Bomber, marker: Marker | None) -> None:
    """[2.3.2] Repair all damage of a bomber, or put a hazard back into its cup; log it."""
    if marker is None:
        bomber.hits = 0
    else:
        bomber.markers.remove(marker)
        table.state.put_back(marker)
    table.log_line(rule, "{}'s bomber is repaired.", pilot(table.data, bomber.key), target=bomber)


def destroy(table: T, bomber: Bomber, rule: str, by: str) -> None:
    """[2.1, 4.6.2] Destroy a bomber with its whole crew."""
    flight = table.state.find_flight(bomber.key)
    bomber.fate, bomber.where = "destroyed", bomber.area or (flight.zone if flight else "")
    clear_hazards(table, bomber)
    table.state.add_to_story("destroyed", bomber.key, by)
    name, moment = pilot(table.data, bomber.key), f"{pilot_name(table.data, bomber.key)}'s bomber is lost"
    table.reveal(rule, "{} is destroyed by {} with its whole crew.", name, by, target=bomber, moment=moment)


def ditch(table: T, bomber: Bomber, rule: str, why: str, zone: str) -> None:
    """[2.1, 7.2.4] Bring a bomber down; its crew survives, and over a target it is captured (4.0.1)."""
    over = bool(table.state.raid and bomber.area)
    bomber.fate, bomber.where = ("captured" if over else "ditched"), zone
    clear_hazards(table, bomber)
    table.state.add_to_story(bomber.fate, bomber.key, zone)
    text = "comes down over the target, and its crew is captured" if over else "comes down, and its crew gets out"
    name, moment = pilot(table.data, bomber.key), f"{pilot_name(table.data, bomber.key)} comes down"
    table.reveal(rule, "{} {}: {}.", name, text, why, target=bomber, moment=moment)


def clear_hazards(table: T, bomber: Bomber) -> None:
    """[4.6.2] Put a lost bomber's hazards back into their cups; seen ones with the S stay in the area."""
    state = table.state
    for marker in (*bomber.markers, *bomber.assigned):
        card = table.data.hazards.markers.get(marker.key)
        if card is not None and card.stay and marker.shown and bomber.area:
            state.city.areas[bomber.area].markers.append(marker)
        elif marker.cup in state.cups:
            state.put_back(marker)
        else:
            state.out.append(marker)
    bomber.markers, bomber.assigned = [], []
    bomber.area = bomber.box = ""
    bomber.enters = 0
