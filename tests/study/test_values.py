"""Fitting values and beliefs: reproducible, with checks in new matches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.toys.hands import GAME as HANDS

from readyroom import games
from readyroom.bots.fitted import from_bytes
from readyroom.engine.game import GameAnalysis
from readyroom.study import nets, values
from readyroom.study.nets import fit_net
from readyroom.study.values import NoPositions, ValueStudy, gather


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fits take few steps."""
    monkeypatch.setattr(nets, "LEAST_STEPS", 100)
    monkeypatch.setattr(nets, "EPOCHS", 2)
    monkeypatch.setattr(values, "PILOTS", 1)


def test_net_learns_chances() -> None:
    random = np.random.default_rng(1)
    rows = random.normal(size=(3000, 3))
    true = 1 / (1 + np.exp(-2 * rows[:, 0] * rows[:, 1]))
    targets = (random.random(3000) < true).astype(float)[:, None]
    net = fit_net(rows, targets, units=16, chances=True, seed=1)
    assert np.abs(net(rows, chances=True)[:, 0] - true).mean() < 0.06


def test_net_learns_numbers() -> None:
    rows = np.random.default_rng(2).normal(size=(2000, 2))
    targets = np.stack([100 * rows[:, 0], rows[:, 1] ** 2, 0 * rows[:, 0]], 1)
    net = fit_net(rows, targets, units=24, chances=False, seed=1)
    errors = net(rows, chances=False) - targets
    assert np.sqrt((errors**2).mean(0)) == pytest.approx([0, 0, 0], abs=4)


def test_fit_is_the_same_again(hands: str, quick: None) -> None:
    first, second = (ValueStudy(games.load(hands), 12, 4).fit() for _ in range(2))
    assert first.to_bytes() == second.to_bytes()
    assert first.about.command == "readyroom values hands --fit --matches 12 --checks 4 --seed values"


def test_checks_are_of_new_matches(hands: str, quick: None) -> None:
    about = ValueStudy(games.load(hands), 12, 8).fit().about
    assert {(each.view, each.policies) for each in about.values} == {
        (view, policies) for view in ("", "red", "blue") for policies in ("known", "unseen")
    }
    assert all(0 <= each.brier <= 1 and each.matches <= 8 for each in about.values)
    assert not about.beliefs


@pytest.mark.slow(2)
def test_result_does_not_depend_on_workers(hands: str, quick: None) -> None:
    one, two = (ValueStudy(games.load(hands), 24, 4, workers=workers).fit() for workers in (1, 2))
    assert one.to_bytes() == two.to_bytes()


def test_game_without_policies_has_nothing_to_fit() -> None:
    with pytest.raises(NoPositions, match="policies"):
        ValueStudy(replace(HANDS, analysis=GameAnalysis()), 10, 2)


@pytest.mark.slow(2)
def test_values_count_from_where_reference_bots_play() -> None:
    """Positions before the reference bots took over are not those of a value."""
    study = ValueStudy(games.load("midway"), 4, 2)
    span = study.span()
    task = values.Task(study.setup, study.scenarios, "values", "known", "late", range(4), span)
    early = gather(task)["value"]
    late = gather(task._replace(span=1))["value"]
    assert len(early.turns) < len(late.turns)


@pytest.mark.torture(120)
def test_midway_beliefs_and_values_hold_in_new_matches() -> None:
    """Estimates err less than the mean of the turn and a random state, and their ranges hold."""
    game = games.load("midway")
    about = ValueStudy(game, 400, 150, "torture", workers=2).fit().about
    for check in about.beliefs:
        if check.policies == "known":
            assert check.belief < min(check.mean, check.resample), check
            assert 0.9 <= check.covered <= 0.99, check
    whole = [check for check in about.values if check.turns is None]
    assert all(check.brier < 0.13 for check in whole if check.policies == "known")


@pytest.mark.torture(60)
@pytest.mark.parametrize("name", games.game_names())
def test_every_game_can_be_fitted(name: str, quick: None) -> None:
    game: Any = games.load(name)
    found = ValueStudy(game, 5, 2).fit()
    assert from_bytes(found.to_bytes()).about == found.about
