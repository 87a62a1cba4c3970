"""What a match is worth at its end."""

from __future__ import annotations

from random import Random

import pytest

from readyroom import Match, games
from readyroom.engine.game import sides
from readyroom.engine.state import Outcome
from readyroom.env.rewards import rewards
from readyroom.testing.playouts import playout


def ended(game: str, outcome: Outcome, scenario: str | None = None, **options: str) -> dict[str, float]:
    match = Match(games.load(game), scenario, options, seed="worth")
    match.outcome = outcome
    return rewards(match)


def test_nothing_is_won_before_the_end() -> None:
    assert rewards(Match(games.load("midway"), seed="worth")) == {"japan": 0, "usa": 0}


def test_one_side_wins_what_the_other_loses() -> None:
    assert ended("midway", Outcome("usa", "", "")) == {"japan": -1, "usa": 1}
    assert ended("midway", Outcome(None, "", "")) == {"japan": 0, "usa": 0}


def test_an_umpire_plays_for_nothing() -> None:
    assert ended("tora", Outcome("usa", "", ""), umpire="yes") == {"japan": -1, "usa": 1, "umpire": 0}


@pytest.mark.parametrize(
    ("title", "worth"),
    [
        ("American decisive victory", 1),
        ("American marginal victory", 0.5),
        ("draw", 0),
        ("Japanese marginal victory", -0.5),
        ("Japanese decisive victory", -1),
    ],
)
def test_the_endings_of_a_cruise_are_graded(title: str, worth: float) -> None:
    assert ended("picket", Outcome(None, title, "")) == {"captain": worth}


def test_those_who_share_a_side_share_its_ending() -> None:
    found = ended("doolittle", Outcome("usa", "Strong", ""), players="3")
    assert len(found) == 3
    assert set(found.values()) == {0.5}


def test_the_staffs_table_is_worth_nothing() -> None:
    assert ended("strategic", Outcome(None, "closed", "", {}), "staff") == {"staff": 0}


@pytest.mark.parametrize("name", games.names())
def test_every_ending_of_a_game_that_is_played_alone_is_among_its_grades(name: str) -> None:
    game = games.load(name)
    for scenario in game.scenarios(game.data):
        alone = len(sides(game.seats(scenario, game.resolve({})))) == 1
        if not alone or scenario.key == "staff":
            continue
        match = playout(game, scenario.key, seed=f"graded {Random(1).random()}")
        assert match.outcome is not None
        grades = game.grades(match.state, game.data)
        assert match.outcome.title in [*grades, "Called off"]
        assert len(grades) == len(set(grades)) > 1
