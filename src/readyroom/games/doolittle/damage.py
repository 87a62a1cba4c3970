"""[2.1] What happens to bombers: they are hit, lost, or come down in the sea."""

from __future__ import annotations

from collections.abc import Iterable

from readyroom.engine.decisions import Option
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.rerolls import back, benefit, pilot_of, use
from readyroom.games.doolittle.state import Doolittle, Happening, T, ask

DAMAGED, DESTROYED = "damaged", "destroyed"


def tell(state: Doolittle, what: str, who: str = "", where: str = "") -> None:
    """[1.9] Something for the story at the end."""
    state.story.append(Happening(state.segment, state.at.turn, what, who, where, _when(state)))


def _when(state: Doolittle) -> str:
    """[1.9, 9.2, 5.2] The time by which the story goes: a month, a naval turn, an hour of the flight."""
    if state.segment == "planning":
        return state.notes.month
    if state.segment == "naval" and state.voyage is not None:
        return str(state.voyage.turn)
    return str(state.air.hour) if state.segment in ("flight", "attack") and state.air is not None else ""


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
    tell(table.state, "damaged", bomber.key, by)


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
        back(table.state, marker)


def finish_repair(table: T, rule: str, bomber: Bomber, marker: Marker | None) -> None:
    """[2.3.2] Repair a bomber, and log it."""
    repair_bomber(table, bomber, marker)
    table.log_line(rule, "{}'s bomber is repaired.", pilot_of(table, bomber))


def destroy(table: T, bomber: Bomber, rule: str, by: str) -> None:
    """[2.1, 4.6.2] A bomber is lost with all its men; hazards on it go back to their cups, those with the S stay."""
    flight = table.state.flight_of(bomber.key)
    bomber.fate, bomber.where = "destroyed", bomber.area or (flight.zone if flight else "")
    table.reveal(rule, "{} is destroyed by {}. None of the crew is left.", pilot_of(table, bomber), by)
    tell(table.state, "destroyed", bomber.key, by)
    clear(table, bomber)


def ditch(table: T, bomber: Bomber, rule: str, why: str, zone: str) -> None:
    """[2.1, 7.2.4] A bomber comes down; its crew lives. Over a target it is captured (4.0.1)."""
    over = bool(table.state.raid and bomber.area)
    bomber.fate, bomber.where = ("captured" if over else "ditched"), zone
    text = "comes down over the target, and its crew is captured" if over else "comes down, and its crew gets out"
    table.reveal(rule, "{} {}: {}.", pilot_of(table, bomber), text, why)
    tell(table.state, bomber.fate, bomber.key, zone)
    clear(table, bomber)


def clear(table: T, bomber: Bomber) -> None:
    """[4.6.2] Hazards of a lost bomber return to their cup, or, with the S and seen, to the area."""
    state = table.state
    for marker in (*bomber.markers, *bomber.assigned):
        card = table.data.hazards.markers.get(marker.key)
        if card is not None and card.stay and marker.shown and bomber.area:
            state.city.areas[bomber.area].markers.append(marker)
        elif marker.cup in state.cups:
            back(state, marker)
        else:
            state.out.append(marker)
    bomber.markers, bomber.assigned = [], []
    bomber.area = bomber.box = ""
    bomber.enters = 0
