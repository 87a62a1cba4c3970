"""Random streams keyed by event: the same decision has the same random numbers."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise

from readyroom import Match, games
from readyroom.study.matches import match_setup, per_event_streams, play
from readyroom.study.random_streams import EventRandom


def drawn(chances: EventRandom, *event: object) -> list[float]:
    chances.seek(*event)
    return [chances.random(), chances.randrange(1000), chances.gauss(), *chances.sample(range(50), 20)]


def test_event_stream_is_independent_of_earlier_draws() -> None:
    one, other = EventRandom("words"), EventRandom("words")
    drawn(other, 1, "launch", "7", "", 1)
    assert drawn(one, 2, "strike", "12", "akagi", 1) == drawn(other, 2, "strike", "12", "akagi", 1)
    assert drawn(one, 2, "strike", "12", "akagi", 2) != drawn(one, 2, "strike", "12", "akagi", 1)
    assert drawn(EventRandom("other words"), 1) != drawn(one, 1)


def test_streams_are_uniform() -> None:
    chances = EventRandom("fair")
    faces = Counter(chances.randrange(6) for _ in range(6000))
    assert all(850 < faces[face] < 1150 for face in range(6))
    numbers = [chances.random() for _ in range(4000)]
    assert all(0 <= number < 1 for number in numbers)
    assert 0.48 < sum(numbers) / len(numbers) < 0.52
    together = sum((a - 0.5) * (b - 0.5) for a, b in pairwise(numbers)) / len(numbers)
    assert abs(together) < 0.005


def test_streams_cannot_be_reseeded() -> None:
    chances = EventRandom("words")
    before = drawn(chances, 1)
    chances.seed(7)
    assert drawn(chances, 1) == before


def first_turn(usa: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the random Japanese answers of the first turn against this bot."""
    game = games.load("midway")
    match = Match(game, seed="step")
    bots = per_event_streams(match, match_setup(game, bots={"usa": usa}), "step")
    lines = []
    while match.state.at.turn < 2:
        for seat, decision in match.pending.items():
            answer = tuple(bots[seat](decision, partial(match.view, seat)))
            lines += [(decision.rule, answer)] if seat == "japan" else []
            match.decide(seat, answer)
    return lines


def test_extra_decision_does_not_change_other_streams() -> None:
    """Another American bot does not change the first Japanese moves."""
    assert first_turn("random") == first_turn("doctrine") != []


def test_match_is_determined_by_seed_text() -> None:
    game = games.load("midway")
    table = match_setup(game)
    one, again, other = (
        play(game, table.scenario_of(game), table, text, per_event_streams) for text in ("a", "a", "b")
    )
    assert one == again != other
