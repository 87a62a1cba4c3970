"""The conformance kit accepts a correct game and finds every planted defect."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest
from tests.toys import straits
from tests.toys.broken import BROKEN, leak_in_log, with_phase
from tests.toys.straits import GAME, T

from readyroom.engine.rules.decisions import BudgetGroup
from readyroom.engine.rules.table import Steps
from readyroom.testing import CheckReport, Invariant, check_game, check_playout, playout
from readyroom.testing.conform import ENDLESS

ROOT = Path(__file__).resolve().parents[2]


def test_correct_toy_has_no_violations() -> None:
    report = check_game(GAME, playouts=24, closely=1)
    assert report.ok, str(report)
    assert report.playouts == 24 or report.playouts > 24
    idle = [invariant.name for invariant in Invariant if not report.checks[invariant]]
    assert not idle, f"never checked: {', '.join(idle)}"


@pytest.mark.torture(2)
def test_toy_with_copy_state_has_no_violations() -> None:
    report = check_game(replace(GAME, rules=replace(GAME.rules, copy_state=deepcopy)), playouts=12, closely=1)
    assert report.ok, str(report)


@pytest.mark.torture(2)
def test_toy_with_immutable_facts_has_no_violations() -> None:
    report = check_game(replace(GAME, rules=replace(GAME.rules, immutable_facts=True)), playouts=12, closely=1)
    assert report.ok, str(report)


def test_report_counts_what_resampling_changed() -> None:
    report = check_game(GAME, scenarios=["even"], options=[{}], playouts=1, closely=1)
    assert 0 < report.redistributed < report.resampled
    assert f"resampling changed {report.redistributed} of {report.resampled} states" in str(report)
    unchanged = replace(GAME, rules=replace(GAME.rules, resample=lambda state, *_: state))
    assert check_game(unchanged, scenarios=["even"], options=[{}], playouts=1, closely=1).redistributed == 0


PLAYOUTS = {"question_only_if_secret": 48}
"""How many matches it takes to meet a defect, if more than usual."""


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_planted_defect_is_found(name: str) -> None:
    invariant, make = BROKEN[name]
    random.seed(name)  # some have foreign randomness
    game = make()
    report = check_game(game, playouts=PLAYOUTS.get(name, 12), closely=1, cap=400)
    assert invariant in report.kinds, str(report)
    violation = next(violation for violation in report.violations if violation.kind is invariant)
    repeated = check_playout(
        game, violation.scenario, violation.options, violation.seed, points=violation.points, cap=400
    )
    assert invariant in repeated.kinds, f"{violation}\n\nis not reproducible: {repeated}"


@pytest.mark.torture(2)
def test_violation_is_reproducible() -> None:
    game = leak_in_log()
    report = check_game(game, playouts=12, closely=1)
    violation = next(violation for violation in report.violations if violation.kind is Invariant.SECRETS)
    assert violation.game == "straits"
    assert repr(violation.seed) in violation.reproduce
    assert violation.kind.name in str(violation)
    assert Invariant.SECRETS in check_playout(game, violation.scenario, violation.options, violation.seed).kinds
    match = playout(game, violation.scenario, violation.options, violation.seed, upto=violation.decision)
    assert match.decision_count == violation.decision


def test_errors_of_options_and_log_lines_name_their_rule() -> None:
    def keyless(table: T) -> Steps:
        yield from table.choose("red", "3", "Where?", ["north", "south"])  # type: ignore[type-var]

    def short(table: T) -> Steps:
        yield from table.choose("red", "3", "Where?", straits.LANES)
        table.log_line("3", "{} sails {}.", "Red")

    text = str(check_game(with_phase("weather", keyless), playouts=1).violations[0])
    assert "'Where?' [3] offers 'north', which has no key; use Option(key, text)" in text
    text = str(check_game(with_phase("weather", short), playouts=2, closely=1))
    assert "the log line '{} sails {}.' of rule 3 has 1 fact" in text


def test_endless_game_is_given_up_soon() -> None:
    def never(table: T) -> Steps:
        while True:
            yield from table.choose("red", "3", "Where?", straits.LANES)

    assert check_game(with_phase("weather", never), playouts=50, cap=20).playouts == ENDLESS


def test_rule_error_names_place() -> None:
    _, make = BROKEN["option_raises_in_rule"]
    violation = check_game(make(), playouts=2).violations[0]
    assert violation.kind is Invariant.PLAYS
    assert re.search(r" \(tests\.toys\.\w+:\d+\)$", violation.text), violation.text


def test_repeatable_options_have_no_violations() -> None:
    """Each lane up to twice with a budget group, and at least two of another kind without a price."""

    def ask(table: T) -> Steps:
        north, *others = lanes = straits.LANES
        purses = [BudgetGroup("north", "the north", [north]), BudgetGroup("rest", "the rest", others)]
        yield from table.choose_some(
            "red", "3", "Flares?", lanes, cost=lambda lane: 1, budget=2, budget_groups=purses, limit=lambda lane: 2
        )
        yield from table.choose_some("red", "3", "Buoys?", lanes, at_least=2, at_most=3, limit=lambda lane: 2)

    report = check_game(with_phase("weather", ask), scenarios=["even"], playouts=6, closely=1)
    assert report.ok, str(report)


def test_report_counts_checks() -> None:
    report = check_game(GAME, scenarios=["even"], options=[{}], playouts=3, closely=1)
    text = str(report)
    assert text.startswith(f"straits: 3 playouts, {report.decisions} decisions")
    assert all(invariant.name in text for invariant in Invariant)
    assert isinstance(report, CheckReport)


def _transcript(game: str, hash_seed: str) -> str:
    code = f"from readyroom.testing import transcript\nfrom tests.toys.hashed import {game}\nprint(transcript({game}))"
    env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def test_transcript_is_equal_across_hash_seeds() -> None:
    assert _transcript("CORRECT", "1") == _transcript("CORRECT", "2")


def test_set_order_is_detected_across_processes() -> None:
    assert len({_transcript("UNSTEADY", seed) for seed in ("1", "2", "3")}) > 1
