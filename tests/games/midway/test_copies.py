"""Tests that copies of a battle are independent."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from readyroom import Match
from readyroom.engine.rules.state import iter_pieces
from readyroom.games.midway import GAME
from readyroom.games.midway.state import Midway, Squadron


@pytest.mark.parametrize("number", range(6))
def test_checkpoint_is_unchanged_by_later_play(number: int) -> None:
    random = Random(number)
    options = [{}, {"seats": "groups"}, {"ditch_after": "1"}, {"returning": "choose"}, {"attack": "next-move"}, {}]
    match, kept = Match(GAME, "midway", options[number], f"copies/{number}"), list[tuple[Midway, bytes]]()
    while match.outcome is None:
        for seat, decision in match.pending.items():
            kept.append((GAME.restore_state(GAME.checkpoint_state(match.state)), GAME.encode(match.state)))
            match.decide(seat, decision.sample(random))
    assert len(kept) > 50
    assert all(GAME.encode(copy) == state for copy, state in kept)


def test_copied_state_shares_only_squadrons() -> None:
    match = Match(GAME, seed="copies")
    copy = GAME.restore_state(GAME.checkpoint_state(match.state))
    first, other = list(iter_pieces(match.state)), list(iter_pieces(copy))
    assert [piece.key for piece in first] == [piece.key for piece in other]
    assert all((one is two) == isinstance(one, Squadron) for one, two in zip(first, other, strict=True))
    for one, two in ((match.state.japan, copy.japan), (match.state.usa, copy.usa)):
        assert one.attacking is not two.attacking
        assert one.carriers is not two.carriers


def test_squadron_never_changes() -> None:
    squadron = Squadron("hiryu-tb-1", "TB", 5)
    with pytest.raises(AttributeError):
        squadron.strength = 4  # type: ignore[misc]
    assert replace(squadron, strength=4).strength == 4
    assert squadron.strength == 5


def test_positions_of_same_match_do_not_disturb_each_other() -> None:
    match, random = Match(GAME, seed="apart"), Random(1)
    for _ in range(80):
        for seat, decision in match.pending.items():
            match.decide(seat, decision.sample(random))
    before = match.digest()
    forks = [match.fork(bytes([number]) * 32) for number in range(3)]
    imagined = [match.imagine(seat, Random(2)) for seat in match.pending]
    for other in (*forks, *imagined):
        for _ in range(40):
            for seat, decision in other.pending.items():
                other.decide(seat, decision.sample(random))
    assert match.digest() == before
    assert len({other.digest() for other in forks}) == 3
    assert {other.digest() for other in (match.fork(), match.fork())} == {before}
