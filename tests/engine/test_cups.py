"""Draws from cups without replacement."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.toys.tiny import T, Token, tiny

from readyroom import Match
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.dice import KeyedDice, fixed_dice
from readyroom.engine.rules.table import Steps


def cup(count: int) -> Cup[Token]:
    return Cup([Token(f"c{n}", n) for n in range(count)])


def test_draw_removes_picked_counter() -> None:
    bag = cup(4)
    drawn = bag.draw(lambda keys: keys[2])
    assert drawn.key == "c2"
    assert [token.key for token in bag.contents] == ["c0", "c1", "c3"]


def test_draw_from_empty_cup_raises() -> None:
    with pytest.raises(IndexError, match="the cup is empty"):
        cup(0).draw(lambda keys: keys[0])


def test_drawing_all_returns_each_counter_once() -> None:
    dice, bag = KeyedDice(b"c" * 32), cup(10)
    drawn = [bag.draw(lambda keys, n=n: dice.pick(f"1|cup|1|x|{n}", keys)).key for n in range(10)]  # type: ignore[misc]
    assert sorted(drawn) == [f"c{n}" for n in range(10)]
    assert not bag.contents


def test_draw_does_not_depend_on_insertion_order() -> None:
    dice = KeyedDice(b"c" * 32)
    one, other = cup(6), cup(6)
    other.contents.reverse()
    for number in range(6):
        event = f"1|cup|1|x|{number}"
        assert one.draw(lambda keys, event=event: dice.pick(event, keys)).key == (  # type: ignore[misc]
            other.draw(lambda keys, event=event: dice.pick(event, keys)).key  # type: ignore[misc]
        )


def test_table_draws_with_its_dice() -> None:
    def play(table: T) -> Steps:
        for _ in range(5):
            token = table.draw(table.state.cup, "3", "bag")
            table.state.notes.append(token.key)
            table.state.tokens.append(token)
        yield from table.choose("red", "1", "Continue?", table.state.tokens)

    orders = Counter(tuple(Match(tiny(play), seed=str(n)).state.notes) for n in range(60))
    assert len(orders) > 30
    assert all(sorted(order) == ["c1", "c2", "c3", "c4", "c5"] for order in orders)
    match = Match(tiny(play), dice=fixed_dice(draws=["c3", "c1", "c5", "c4", "c2"]))
    assert match.state.notes == ["c3", "c1", "c5", "c4", "c2"]


def test_counter_key_with_separator_is_rejected() -> None:
    """With a separator, two draws, or a draw and a block of dice, could have the same event name."""

    def play(table: T) -> Steps:
        table.state.cup.contents[0].key = "c|1"
        table.draw(table.state.cup, "3", "bag")
        return
        yield

    with pytest.raises(ValueError, match="is not allowed in"):
        Match(tiny(play), seed="x")
