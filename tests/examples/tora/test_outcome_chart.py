"""Tests of the outcome chart: the historical result, and edge cases."""

from __future__ import annotations

import pytest
from tests.games.tora.battle import DATA, Battle

from readyroom.games.tora.battle.outcome import FinalCounts, chart_result


def judged(ok: int, damaged: int, sunk: int, yard: int, lost: int) -> str:
    return chart_result(DATA, FinalCounts(ok, damaged, sunk, yard, lost, 0), 3, 1)


@pytest.mark.rule("tora", "17.1", "14.4")
def test_history_is_tactical_victory_and_strategic_defeat() -> None:
    """Carriers at sea, three battleships damaged, five sunk, yard intact, 29 aircraft lost."""
    assert judged(2, 3, 5, 0, 29) == "T"


@pytest.mark.rule("tora", "14.5")
def test_150_aircraft_lost_prevent_strategic_victory() -> None:
    assert judged(0, 10, 0, 0, 151) == "T"
    assert judged(0, 10, 0, 0, 150) == "J"


@pytest.mark.rule("tora", "14.2", "14.3")
@pytest.mark.parametrize(("damaged", "sunk"), [(0, 5), (5, 0), (3, 2)])
def test_american_victory_needs_five_capital_ships(damaged: int, sunk: int) -> None:
    assert {judged(5, damaged, sunk, yard, lost) for yard in (0, 60) for lost in (0, 300)} == {"U"}


@pytest.mark.rule("tora", "16.5")
def test_hits_on_unit_on_owners_table_are_aircraft_lost() -> None:
    """A unit of Kates returns with two of its four strength points."""
    battle = Battle(6).put("3NW", "kate-1", strength=2)
    battle.play("japan-move-3", {"move:3NW": ["carriers"]})
    battle.play("end")
    assert battle.outcome is not None
    assert battle.outcome.text.endswith("Aircraft lost: 2 Japanese, 0 American.")


@pytest.mark.rule("tora", "13.2", "13.4")
@pytest.mark.parametrize(("in_port", "cards"), [(False, 22), (True, 21)])
def test_deck_of_luck_always_ends_battle_by_turn_thirty_one(in_port: bool, cards: int) -> None:
    battle = Battle(11, in_port=in_port).put("3NW", "zero-1")
    assert len(battle.state.luck.contents) == cards
    reds = sum(not card.black for card in battle.state.luck.contents)
    assert 11 + reds == 31
