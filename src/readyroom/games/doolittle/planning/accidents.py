"""[13.4.9, 13.5.2, 13.5.3] Bombers that are damaged or wrecked before they go aboard."""

from __future__ import annotations

from readyroom.engine.rules.decisions import OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.bombers import DESTROYED, bomber_options, clear_hazards, hit_outcome
from readyroom.games.doolittle.names import pilot
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.ships import bombers_on_deck

WRECKED, DAMAGED, TURRET = "wrecked", "damaged", "turret"
"""What befalls a bomber, as the keys of the options and the story have it."""


def damage_bombers(table: T, number: int, rule: str, by: str, *, separate: bool = False) -> Steps:
    """[13.4.9, 13.5.3, DR83] Hit bombers of the captain's choice; `separate`: each hit on another one."""
    question = f"{_bombers_text(number)} damaged in {by}. Which?"
    for bomber in (yield from choose_hits(table, number, rule, question, DAMAGED, separate=separate)):
        hit_on_ground(table, bomber, rule, by)


def wreck_bombers(table: T, number: int, rule: str, by: str) -> Steps:
    """[13.4.9] Wreck a number of bombers of the captain's choice."""
    question = f"{_bombers_text(number)} wrecked in {by}. Which?"
    for bomber in (yield from choose_hits(table, number, rule, question, WRECKED, separate=True)):
        _lose_bomber(table, bomber, rule, by)


def _bombers_text(number: int) -> str:
    return "A bomber is" if number == 1 else f"{number} bombers are"


def choose_hits(table: T, number: int, rule: str, question: str, what: str, *, separate: bool) -> Choice[list[Bomber]]:
    """[2.1.3, 13.4.9, 13.5.2, 13.5.3] Choose bombers to be hit, each as often as it can take hits at most."""
    able = bombers_on_deck(table.state)
    steps: list[str] = getattr(table.data.bombers.armour, table.state.armour)
    room = {bomber.key: 1 if separate else max(1, len(steps) - bomber.hits) for bomber in able}
    number = min(number, sum(room.values()))

    def condition(bomber: Bomber) -> OptionInfo | None:
        texts = ["damaged"] if bomber.hits else []
        if what == DAMAGED:
            texts.append("a hit would wreck it" if hit_outcome(table, bomber) == DESTROYED else "a hit would damage it")
        return OptionInfo("; ".join(texts)) if texts else None

    options, seat = bomber_options(table.data, what, able, condition), table.state.captain
    chosen = yield from table.choose_some(
        seat, rule, question, options, at_least=number, at_most=number, limit=lambda option: room[option.value.key]
    )
    return [option.value for option in chosen]


def hit_on_ground(table: T, bomber: Bomber, rule: str, by: str) -> None:
    """[2.1.3, 13.4.9, DR83] Damage a bomber that is not aboard yet; it is wrecked if its armor is gone or used up."""
    if hit_outcome(table, bomber) == DESTROYED:
        _lose_bomber(table, bomber, rule, by)
        return
    bomber.hits += 1
    table.log_line(rule, "{}'s bomber is damaged in {}.", pilot(table.data, bomber.key), by, target=bomber)
    table.state.add_to_story(DAMAGED, bomber.key, by)


def _lose_bomber(table: T, bomber: Bomber, rule: str, by: str) -> None:
    """[13.4.9] Take a wrecked bomber out of the squadron; its crew is unhurt."""
    bomber.fate, bomber.where = "ashore", WRECKED
    table.log_line(rule, "{}'s bomber is wrecked in {}.", pilot(table.data, bomber.key), by, target=bomber)
    table.state.add_to_story(WRECKED, bomber.key, by)
    clear_hazards(table, bomber)
