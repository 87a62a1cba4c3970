"""[2.1] What happens to bombers: they are hit, lost, or come down in the sea."""

from __future__ import annotations

from collections.abc import Iterable

from readyroom.engine.decisions import Option
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.figures.attack import BenefitName
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.state import (
    T,
    ask,
)

DAMAGED, DESTROYED = "damaged", "destroyed"


def is_pilot(table: T, bomber: Bomber) -> bool:
    """[2.3, 2.3.7] Whether an elite pilot is aboard; one whose benefit is used up is still a pilot."""
    return bomber.elite is not None and table.data.bombers.crewmen[bomber.elite.key].role == "pilot"


def hurt(table: T, bomber: Bomber, rule: str, by: str) -> Steps:
    """[2.1.3, 2.3.7] A bomber is hit: damaged, or destroyed; an elite pilot may ignore it once (DR15)."""
    if not bomber.flies:
        return
    if (yield from ignored(table, bomber, by)):
        return
    if outcome(table, bomber) == DESTROYED:
        destroy(table, bomber, rule, by)
        return
    bomber.hits += 1
    table.log_line(rule, "{} is damaged by {}.", pilot_of(table, bomber), by)
    table.state.add_to_story("damaged", bomber.key, by)


def ignored(table: T, bomber: Bomber, by: str) -> Choice[bool]:
    """[2.3.7, DR15] Whether an elite pilot ignores a hit, this once."""
    if not benefit(table.data, bomber, "ignore-damage"):
        return False
    worse = " That would be the end of it." if outcome(table, bomber) == DESTROYED else ""
    question = f"{pilot_of(table, bomber)} is hit by {by}.{worse} Is it ignored?"
    options = [Option("ignore", "ignore it, this once"), Option("take", "take it")]
    chosen = yield from ask(table, bomber, "2.3.7", question, options)
    if chosen.key == "ignore":
        use(table, bomber)
    return bool(chosen.key == "ignore")


def outcome(table: T, bomber: Bomber) -> str:
    """[2.1.3, 13.3.3.E] What the next hit makes of a bomber, by its armor."""
    steps: list[str] = getattr(table.data.bombers.armour, table.state.armour)
    return steps[min(bomber.hits, len(steps) - 1)]


def repairable(table: T, bomber: Bomber, hanging: Iterable[tuple[Marker, str]]) -> list[Option]:
    """[2.3.2] What may be repaired of a bomber: its damage and its hazards, each with its name."""
    name = pilot_of(table, bomber)
    options = [Option(f"{bomber.key}-damage", f"{name}: the damage", (bomber, None))] if bomber.hits else []
    return options + [
        Option(f"{bomber.key}-{marker.key}", f"{name}: {text.lower()}", (bomber, marker)) for marker, text in hanging
    ]


def repair_bomber(table: T, bomber: Bomber, marker: Marker | None) -> None:
    """[2.3.2] Damage of any kind is gone, or a hazard goes back into its cup."""
    if marker is None:
        bomber.hits = 0
    else:
        bomber.markers.remove(marker)
        table.state.put_back(marker)


def finish_repair(table: T, rule: str, bomber: Bomber, marker: Marker | None) -> None:
    """[2.3.2] Repair a bomber, and log it."""
    repair_bomber(table, bomber, marker)
    table.log_line(rule, "{}'s bomber is repaired.", pilot_of(table, bomber))


def destroy(table: T, bomber: Bomber, rule: str, by: str) -> None:
    """[2.1, 4.6.2] A bomber is lost with all its men; hazards on it go back to their cups, those with the S stay."""
    flight = table.state.flight_of(bomber.key)
    bomber.fate, bomber.where = "destroyed", bomber.area or (flight.zone if flight else "")
    table.reveal(rule, "{} is destroyed by {}. None of the crew is left.", pilot_of(table, bomber), by)
    table.state.add_to_story("destroyed", bomber.key, by)
    clear(table, bomber)


def ditch(table: T, bomber: Bomber, rule: str, why: str, zone: str) -> None:
    """[2.1, 7.2.4] A bomber comes down; its crew lives. Over a target it is captured (4.0.1)."""
    over = bool(table.state.raid and bomber.area)
    bomber.fate, bomber.where = ("captured" if over else "ditched"), zone
    text = "comes down over the target, and its crew is captured" if over else "comes down, and its crew gets out"
    table.reveal(rule, "{} {}: {}.", pilot_of(table, bomber), text, why)
    table.state.add_to_story(bomber.fate, bomber.key, zone)
    clear(table, bomber)


def clear(table: T, bomber: Bomber) -> None:
    """[4.6.2] Hazards of a lost bomber return to their cup, or, with the S and seen, to the area."""
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


MEDALS = "medals"


def benefit(data: Data, bomber: Bomber, name: BenefitName) -> bool:
    """[2.3, 2.3.3] Whether a bomber's elite crewman has this benefit, and has it still."""
    man = bomber.elite
    if man is None or data.bombers.crewmen[man.key].benefit != name:
        return False
    return not (man.used and data.bombers.benefits[name].once)


def use(table: T, bomber: Bomber) -> None:
    """[2.3] Use a benefit, and log it."""
    assert bomber.elite is not None
    card = table.data.bombers.crewmen[bomber.elite.key]
    figures = table.data.bombers.benefits[card.benefit]
    bomber.elite.used = figures.once
    table.log_line(
        figures.rule, "{}, {} of {}: {}.", card.name, card.role, pilot_of(table, bomber), figures.title.lower()
    )


def pilot_of(table: T, bomber: Bomber) -> str:
    """A bomber by the name of its pilot."""
    return table.data.bombers.cards[bomber.key].pilot


def medals(table: T, bomber: Bomber) -> list[Marker]:
    """[12.6.6.G] The medals of a bomber."""
    known = table.data.sea_hazards.markers
    return [marker for marker in bomber.markers if marker.key in known and known[marker.key].kind == MEDALS]


def released(table: T, bomber: Bomber) -> None:
    """[12.6.6.G] Medals that were not used go with the bombs."""
    for marker in medals(table, bomber):
        bomber.markers.remove(marker)
        table.state.put_back(marker)


def kinds(table: T, bomber: Bomber) -> list[str]:
    """The hazards attached to a bomber, by kind."""
    known = table.data.flight_hazards.markers
    return [known[marker.key].kind for marker in bomber.markers if marker.key in known]


def carried(table: T, bomber: Bomber, kind: str) -> list[Marker]:
    """The hazards of the flight of one kind that are attached to a bomber."""
    known = table.data.flight_hazards.markers
    return [marker for marker in bomber.markers if marker.key in known and known[marker.key].kind == kind]
