"""Rewards at the end of a match."""

from __future__ import annotations

import pytest

from readyroom import Match, games
from readyroom.engine.rules.state import Outcome
from readyroom.env.rewards import rewards
from readyroom.games.picket.ending.victory import LEVELS, WORST
from readyroom.testing.playouts import playout


def ended(game: str, outcome: Outcome, scenario: str | None = None, **options: str) -> dict[str, float]:
    match = Match(games.load(game), scenario, options, seed="worth")
    match._runner.outcome = outcome
    return rewards(match)


def test_rewards_are_zero_before_end() -> None:
    assert rewards(Match(games.load("midway"), seed="worth")) == {"japan": 0, "usa": 0}


def test_rewards_are_zero_sum() -> None:
    assert ended("midway", Outcome("usa", "", "")) == {"japan": -1, "usa": 1}
    assert ended("midway", Outcome(None, "", "")) == {"japan": 0, "usa": 0}


def test_umpire_reward_is_zero() -> None:
    assert ended("tora", Outcome("usa", "", ""), umpire="yes") == {"japan": -1, "usa": 1, "umpire": 0}


def test_cruise_endings_are_ordered() -> None:
    ladder = [*reversed(LEVELS)]
    values = [ended("picket", Outcome(None, title, "", {"usa": 5}))["captain"] for title in (WORST, *ladder)]
    assert values == sorted(values)
    assert -1 <= values[0] < -0.5 < 0.5 < values[-1] <= 1


def test_seats_of_a_side_share_reward() -> None:
    results = ended("doolittle", Outcome("usa", "Strong", "", {"usa": 12}), players="3")
    assert len(results) == 3
    assert len(set(results.values())) == 1


def test_staff_game_reward_is_zero() -> None:
    assert ended("war", Outcome(None, "closed", "", {}), "staff") == {"staff": 0}


@pytest.mark.parametrize("name", games.game_names())
def test_rewards_are_within_bounds(name: str) -> None:
    game = games.load(name)
    for scenario in game.rules.scenarios(game.data):
        results = rewards(playout(game, scenario.key, seed="graded"))
        assert all(-1 <= worth <= 1 for worth in results.values())
