"""[T36] A side that may not show whether it has a choice is asked in any case."""

from __future__ import annotations

import pytest
from tests.games.tora.battle import Battle

CONTINUE = ["continue"]


def asked(battle: Battle) -> list[tuple[str, str, bool]]:
    """Return seat, rule and whether there was no choice, for each question of the last phase."""
    return [(one.seat, one.rule, one.only_continues) for one in battle.asked]


@pytest.mark.rule("tora", "T36", "13.1")
def test_japan_is_asked_when_no_wave_enters() -> None:
    battle = Battle(6, questions="always")
    battle.play("arrive", {"": CONTINUE})
    assert asked(battle) == [("japan", "13.1", True)]


@pytest.mark.rule("tora", "T36", "13.1")
@pytest.mark.parametrize("skipped", [0, 1])
def test_japan_is_not_asked_once_the_last_wave_has_entered(skipped: int) -> None:
    battle = Battle(6, questions="always", waves_max="3")
    battle.state.japan.entered, battle.state.japan.skipped = 3, skipped
    battle.play("arrive")
    assert battle.asked == []


@pytest.mark.rule("tora", "T36", "5.2")
@pytest.mark.parametrize(("turn", "hidden"), [(3, True), (4, False)])
def test_american_half_turn_ends_by_hand_while_reaction_is_hidden(turn: int, hidden: bool) -> None:
    battle = Battle(turn, questions="always")
    battle.play("usa-move-3", {"": CONTINUE} if hidden else {})
    assert [one.only_continues for one in battle.asked if one.rule == "8.2"] == ([True] if hidden else [])
