"""Tests of the bots: legal answers, balance, and the historical course of the Atlantic war."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

import pytest

from readyroom import Match
from readyroom.games.strategic.war import GAME
from readyroom.games.strategic.war.bots.policy import STYLES
from readyroom.games.strategic.war.state import War

from .helpers import DOCTRINES, SCENARIOS, play, winner

SAMPLE = 24


@pytest.fixture(scope="module")
def wars() -> list[Match[Any, Any]]:
    """Return a small sample of the main scenario, doctrine against doctrine."""
    return [play("strategic-war", "doctrine", "doctrine", f"shape {number}") for number in range(SAMPLE)]


def test_doctrines_have_both_sides() -> None:
    assert set(DOCTRINES) == set(STYLES) <= set(GAME.analysis.bots)
    assert all(set(styles) == {"axis", "allies"} for styles in STYLES.values())


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("axis", DOCTRINES)
@pytest.mark.parametrize("allies", DOCTRINES)
def test_every_pair_finishes(axis: str, allies: str) -> None:
    for scenario in SCENARIOS:
        assert play(scenario, axis, allies, f"{axis} {allies}").outcome is not None


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", DOCTRINES)
@pytest.mark.parametrize("codebreaking", ["commit", "count"])
def test_bots_finish_against_random_with_rulings(name: str, codebreaking: str) -> None:
    assert play("strategic-war", name, "random", name, codebreaking=codebreaking, heavy="twice").outcome is not None
    assert play("strategic-war", "random", name, name, codebreaking=codebreaking, excess="all").outcome is not None


def test_doctrine_beats_random() -> None:
    seeds = [
        (scenario, f"{scenario} {number}") for scenario in ("strategic-war", "bomber-offensive") for number in range(5)
    ]
    wins = Counter(winner(scenario, "doctrine", "random", seed) for scenario, seed in seeds)
    assert wins["axis"] >= 9
    wins = Counter(winner(scenario, "random", "doctrine", seed) for scenario, seed in seeds)
    assert wins["allies"] >= 8


@pytest.mark.torture(2)
@pytest.mark.rule("war", "SW.8", "SW.13")
def test_atlantic_has_historical_shape(wars: list[Match[Any, Any]]) -> None:
    """Losses peak in the first year; later merchant ships recover and submarines decline."""
    states: list[War] = [match.state.war for match in wars]

    def medians(what: str, key: str) -> list[float]:
        turns = range(max(len(each.history) for each in states))
        series = [
            [getattr(each.history[t], what).get(key, 0) for each in states if len(each.history) > t] for t in turns
        ]
        return [median(values) for values in series]

    merchants, boats = medians("merchants", "atlantic"), medians("submarines", "german-atlantic")
    sunk = medians("sunk", "atlantic")
    assert max(sunk[1:4]) > sunk[0]
    assert sunk.index(max(sunk)) <= 4
    trough = merchants.index(min(merchants))
    assert 3 <= trough <= 6
    assert merchants[trough] < 0.5 * merchants[0]
    assert merchants[-1] > 1.5 * merchants[trough]
    peak = boats.index(max(boats))
    assert 1 <= peak <= 4
    assert boats[-1] < 0.5 * boats[peak]
    assert sunk[-1] < 0.5 * max(sunk)


@pytest.mark.torture(2)
@pytest.mark.rule("war", "SW.13")
def test_both_sides_win_sometimes(wars: list[Match[Any, Any]]) -> None:
    wins = Counter(match.outcome.winner for match in wars if match.outcome is not None)
    assert wins["axis"] >= SAMPLE // 6
    assert wins["allies"] >= SAMPLE // 6


def test_match_stats_and_epilogue_report_losses(wars: list[Match[Any, Any]]) -> None:
    state = wars[0].state
    counts = GAME.analysis.match_stats(state, GAME.data)
    assert (
        counts["Allied merchant factors sunk (more is better for the Axis)"]
        == state.war.powers["allies"].losses.merchants
        > 20
    )
    assert counts["Axis submarine factors lost (more is better for the Allies)"] > 10
    text = " ".join(GAME.presentation.epilogue(state, GAME.data))
    assert "The Allies lost " in text
    assert "The worst quarter in the Atlantic was " in text
