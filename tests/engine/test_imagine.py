"""Positions that a seat cannot distinguish from the true one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.toys.tiny import ask, both, roll_dice, tiny

from readyroom import bots, games
from readyroom.engine.errors import MatchOver, NotYourDecision, UnknownSeat
from readyroom.engine.match import Match

AnyMatch = Match[Any, Any]
SCENARIOS = [
    ("midway", None),
    ("tora", "sunday"),
    ("war", "silent-service"),
    ("pearl", "air-raid"),
    ("picket", "first-watch"),
    ("doolittle", "bay"),
]


def decision_points(game: str, scenario: str | None, often: float) -> Iterator[tuple[AnyMatch, str, Random]]:
    """Yield random decision points of a random match: the match, a deciding seat, and a generator."""
    random = Random(f"moments of {game}")
    match = Match[Any, Any](games.load(game), scenario, seed=f"imagined {game}")
    while match.outcome is None:
        for seat, decision in match.pending.items():
            if random.random() < often:
                yield match, seat, random
            match.decide(seat, decision.sample(random))


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_imagined_position_has_same_view_and_decision(game: str, scenario: str | None) -> None:
    for match, seat, random in decision_points(game, scenario, 0.1):
        imagined = match.imagine(seat, random)
        assert imagined.view(seat) == match.view(seat)
        assert imagined.pending[seat].options == match.pending[seat].options


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_imagined_match_is_playable_and_independent(game: str, scenario: str | None) -> None:
    for match, seat, random in decision_points(game, scenario, 0.03):
        before = match.digest(), match.revision, match.record()
        imagined = match.imagine(seat, random)
        bots.play_to_end(imagined, {each.key: bots.random_bot(random) for each in imagined.seats})
        assert imagined.outcome is not None
        assert imagined.full_log == [], "an imagined match has no log"
        assert (match.digest(), match.revision, match.record()) == before


def test_same_generator_imagines_same_position() -> None:
    for match, seat, random in decision_points("midway", None, 0.02):
        seed = random.random()
        ends = []
        for _ in range(2):
            imagined = match.imagine(seat, Random(seed))
            bots.play_to_end(imagined, {each.key: bots.random_bot(Random(3)) for each in imagined.seats})
            ends.append(imagined.digest())
        assert ends[0] == ends[1]


def test_imagined_dice_and_hidden_squadrons_differ() -> None:
    names = set()
    for match, seat, _ in decision_points("midway", None, 0.02):
        if match.state.at.turn > 2:
            names |= {match.imagine(seat, Random(number)).digest() for number in range(4)} - {match.digest()}
    assert len(names) > 4


def test_imagined_match_does_not_disclose_dice() -> None:
    match: AnyMatch = Match(tiny(both(ask("red"), roll_dice(30)), ask("blue")), seed="imagined")
    tables = [match.imagine("red", Random(number)) for number in (1, 2, 1)]
    for table in (*tables, match):
        table.decide("red", "a")
    one, other, again, true = (table.state.notes[-1] for table in (*tables, match))
    assert one == again
    assert len({one, other, true}) == 3


def test_imagine_does_not_know_secret_plans() -> None:
    match = Match[Any, Any](games.load("tora"), seed="secret plans")
    random = Random(5)
    while len(match.pending) == 2 and match.decision_count < 30:
        match.decide("japan", match.pending["japan"].sample(random))
    imagined = match.imagine("usa", random)
    untouched = Match[Any, Any](games.load("tora"), seed="secret plans")
    assert imagined.pending["japan"].keys == untouched.pending["japan"].keys
    assert imagined.decision_count == 0


def test_imagine_needs_known_seat_with_decision() -> None:
    match = Match[Any, Any](games.load("midway"), seed="x")
    with pytest.raises(UnknownSeat):
        match.imagine("nobody", Random(1))
    [deciding] = match.pending
    [other] = {seat.key for seat in match.seats} - {deciding}
    with pytest.raises(NotYourDecision):
        match.imagine(other, Random(1))
    bots.play_to_end(match, {seat.key: bots.random_bot(Random(1)) for seat in match.seats})
    with pytest.raises(MatchOver):
        match.imagine(deciding, Random(1))


@pytest.mark.parametrize(("game", "scenario"), SCENARIOS)
def test_imagined_match_survives_fork_and_undo(game: str, scenario: str | None) -> None:
    undone = 0
    for match, seat, random in decision_points(game, scenario, 0.03):
        imagined = match.imagine(seat, random)
        assert imagined.fork(b"other dice").digest() == imagined.digest()
        before = imagined.digest(), imagined.view(None)
        imagined.decide(seat, imagined.pending[seat].sample(random))
        if imagined.can_undo(seat):
            undone += 1
            imagined.undo(seat)
            assert (imagined.digest(), imagined.view(None)) == before
    assert undone or game != "midway", "the next dice are the opponents' here"


def test_imagine_within_imagined_match() -> None:
    """Its decisions name squadrons that are elsewhere in the true state; they must stay there after an undo."""
    count = 0
    for match, seat, random in decision_points("midway", None, 0.05):
        imagined = match.imagine(seat, random)
        for _ in range(3):
            for each, decision in imagined.pending.items():
                imagined.decide(each, decision.sample(random))
        for each in imagined.pending:
            deeper = imagined.imagine(each, Random(count))
            assert deeper.decision_count == imagined.decision_count
            assert deeper.view(each) == imagined.view(each)
            assert deeper.fork(b"other dice").digest() == deeper.digest()
            bots.play_to_end(deeper, {one.key: bots.random_bot(random) for one in deeper.seats})
            count += 1
    assert count > 5


def test_bot_view_returns_view_and_imagines() -> None:
    match = Match[Any, Any](games.load("midway"), seed="sight")
    seat = next(iter(match.pending))
    sight = match.bot_view(seat)
    assert sight() == match.view(seat)
    assert sight.imagine(Random(1)).pending[seat].keys == match.pending[seat].keys
