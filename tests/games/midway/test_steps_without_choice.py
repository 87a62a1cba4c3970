"""[M26] A side without a choice is asked to continue, unless the enemy knows that it has none."""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, reply

RULES = {"land": "9.2", "move": "10.2", "launch": "13.1", "plan": "14.1"}
FIRST = {"land": 5, "move": 3, "launch": 2}
"""The first turn in which the enemy cannot know that there is nothing to land, advance or launch."""


def battle(turn: int = 5, **options: str) -> Battle:
    """Return a battle in which nothing is in the air, on deck or below."""
    emptied = Battle("midway", turn, questions="always", **options).settle()
    for side in emptied.sides:
        side.lands_early = False
        for carrier in side.carriers:
            carrier.deck = carrier.hangar = []
    return emptied


@pytest.mark.rule("midway", "M26")
@pytest.mark.parametrize("side", ["japan", "usa"])
@pytest.mark.parametrize("step", RULES)
def test_side_without_choice_is_asked_to_continue(step: str, side: str) -> None:
    played = battle().play(step, side, reply(RULES[step], "No squadron", "continue", seat=side))  # type: ignore[arg-type]
    assert [decision.only_continues for decision in played.asked] == [True]
    assert played.lines == []


@pytest.mark.rule("midway", "M26")
@pytest.mark.parametrize(("step", "first"), FIRST.items())
def test_side_is_not_asked_before_anything_can_have_launched(step: str, first: int) -> None:
    assert battle(first - 1).play(step, "usa").asked == []
    assert battle(first).play(step, "usa", reply(RULES[step], "No squadron", "continue")).asked


@pytest.mark.rule("midway", "M26", "16.1")
@pytest.mark.parametrize("step", ["land", "launch", "plan"])
def test_side_without_working_carrier_is_not_asked(step: str) -> None:
    crippled = battle().damage(enterprise=7, hornet=8, yorktown=10)
    assert (crippled or battle()).play(step, "usa").asked == []


@pytest.mark.rule("midway", "M26", "M19")
@pytest.mark.parametrize("step", RULES)
def test_side_is_not_asked_in_open_play(step: str) -> None:
    assert battle(sight="open").play(step, "japan").asked == []


@pytest.mark.rule("midway", "M26", "M18")
def test_one_seat_answers_for_its_side() -> None:
    played = battle(seats="groups").play("launch", "usa", reply("13.1", "No squadron", "continue"))
    assert [decision.seat for decision in played.asked] == ["enterprise"]
