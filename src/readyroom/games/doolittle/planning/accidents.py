"""[13.4.9, 13.5.2, 13.5.3] Bombers that are damaged or wrecked before they go aboard."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.bombers import DESTROYED, clear_hazards, hit_outcome
from readyroom.games.doolittle.names import pilot_name
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage.ships import bombers_on_deck

WRECKED, DAMAGED, TURRET = "wrecked", "damaged", "turret"
"""What befalls a bomber, as the keys of the options and the story have it."""


def remaining_bombers(state: Doolittle) -> list[Bomber]:
    """[13.1.2, 12.2.2] Return the bombers of the squadron that are still there; at sea those on the deck."""
    return bombers_on_deck(state)


def damage_bombers(table: T, number: int, rule: str, by: str, *, separate: bool = False) -> Steps:
    """[13.4.9, 13.5.3, DR83] Hit bombers of the captain's choice; `separate`: each hit on another one."""
    question = f"{_bombers_text(number)} damaged in {by}. Which?"
    chosen = yield from choose_hits(table, number, rule, question, DAMAGED, separate=separate)
    for bomber in chosen:
        hit_on_ground(table, bomber, rule, by)


def wreck_bombers(table: T, number: int, rule: str, by: str) -> Steps:
    """[13.4.9] Wreck a number of bombers of the captain's choice."""
    chosen = yield from choose_hits(
        table, number, rule, f"{_bombers_text(number)} wrecked in {by}: which?", WRECKED, separate=True
    )
    for bomber in chosen:
        _lose_bomber(table, bomber, rule, by)


def _bombers_text(number: int) -> str:
    return "A bomber is" if number == 1 else f"{number} bombers are"


def choose_hits(table: T, number: int, rule: str, question: str, what: str, *, separate: bool) -> Choice[list[Bomber]]:
    """[13.4.9, 13.5.2, 13.5.3] Choose bombers to be hit; each may be named once for every hit that it can take."""
    able = bombers_on_deck(table.state)
    room = {bomber.key: 1 if separate else _hits_left(table, bomber) for bomber in able}
    number = min(number, sum(room.values()))
    options = [
        Option(f"{what}-{bomber.key}", pilot_name(table.data, bomber.key), bomber, _condition_text(table, bomber, what))
        for bomber in able
    ]
    chosen: Sequence[Option] = yield from table.choose_some(
        table.state.captain,
        rule,
        question,
        options,
        at_least=number,
        at_most=number,
        limit=lambda option: room[option.value.key],
    )
    return [option.value for option in chosen]


def _hits_left(table: T, bomber: Bomber) -> int:
    """[2.1.3] Return how many hits a bomber can take, the last one included."""
    steps: list[str] = getattr(table.data.bombers.armour, table.state.armour)
    return max(1, len(steps) - bomber.hits)


def _condition_text(table: T, bomber: Bomber, what: str) -> OptionInfo | None:
    """Return the state of a bomber, and the effect of a hit."""
    texts = ["damaged"] if bomber.hits else []
    if what == DAMAGED:
        texts.append("a hit would wreck it" if hit_outcome(table, bomber) == DESTROYED else "a hit would damage it")
    return OptionInfo("; ".join(texts)) if texts else None


def hit_on_ground(table: T, bomber: Bomber, rule: str, by: str) -> None:
    """[2.1.3, 13.4.9, DR83] Damage a bomber that is not aboard yet; it is wrecked if its armor is gone or used up."""
    if hit_outcome(table, bomber) == DESTROYED:
        _lose_bomber(table, bomber, rule, by)
        return
    bomber.hits += 1
    table.log_line(rule, "{}'s bomber is damaged in {}.", pilot_name(table.data, bomber.key), by)
    table.state.add_to_story(DAMAGED, bomber.key, by)


def _lose_bomber(table: T, bomber: Bomber, rule: str, by: str) -> None:
    """[13.4.9] Take a wrecked bomber out of the squadron; its crew is unhurt."""
    bomber.fate, bomber.where = "ashore", WRECKED
    table.log_line(rule, "{}'s bomber is wrecked in {}.", pilot_name(table.data, bomber.key), by)
    table.state.add_to_story(WRECKED, bomber.key, by)
    clear_hazards(table, bomber)
