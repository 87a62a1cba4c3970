"""The conformance kit passes a correct game, and finds every fault that is planted in one."""

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
from tests.toys.broken import BROKEN, leaks_in_the_log, with_phase
from tests.toys.straits import GAME, T

from readyroom.engine.decisions import BudgetGroup
from readyroom.engine.table import Steps
from readyroom.testing import CheckReport, Invariant, check_game, check_playout, playout

ROOT = Path(__file__).resolve().parents[2]


def test_the_correct_toy_breaks_no_promise() -> None:
    findings = check_game(GAME, playouts=24, closely=1)
    assert findings.ok, str(findings)
    assert findings.playouts == 24 or findings.playouts > 24
    idle = [promise.name for promise in Invariant if not findings.checks[promise]]
    assert not idle, f"never checked: {', '.join(idle)}"


def test_a_toy_that_copies_its_state_for_checkpoints_breaks_no_promise() -> None:
    findings = check_game(replace(GAME, copy_state=deepcopy), playouts=12, closely=1)
    assert findings.ok, str(findings)


def test_a_toy_that_tells_its_log_of_nothing_that_changes_may_say_so() -> None:
    findings = check_game(replace(GAME, immutable_facts=True), playouts=12, closely=1)
    assert findings.ok, str(findings)


@pytest.mark.sample(20)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_planted_fault_is_found(name: str) -> None:
    promise, make = BROKEN[name]
    random.seed(name)  # some of them have luck of their own
    game = make()
    findings = check_game(game, playouts=12, closely=1, cap=400)
    assert promise in findings.kinds, str(findings)
    fault = next(fault for fault in findings.violations if fault.kind is promise)
    again = check_playout(game, fault.scenario, fault.options, fault.seed, points=fault.points, cap=400)
    assert promise in again.kinds, f"{fault}\n\nis not there again: {again}"


def test_a_fault_says_where_it_came_up_and_how_to_see_it_again() -> None:
    game = leaks_in_the_log()
    findings = check_game(game, playouts=12, closely=1)
    fault = next(fault for fault in findings.violations if fault.kind is Invariant.SECRETS)
    assert fault.game == "straits"
    assert repr(fault.seed) in fault.reproduce
    assert fault.kind.name in str(fault)
    assert Invariant.SECRETS in check_playout(game, fault.scenario, fault.options, fault.seed).kinds
    match = playout(game, fault.scenario, fault.options, fault.seed, upto=fault.decision)
    assert match.decision_count == fault.decision


def test_an_error_of_a_rule_is_told_with_its_place() -> None:
    _, make = BROKEN["offers_what_a_rule_cannot_do"]
    fault = check_game(make(), playouts=2).violations[0]
    assert fault.kind is Invariant.PLAYS
    assert re.search(r" \(tests\.toys\.\w+:\d+\)$", fault.text), fault.text


def test_a_question_whose_options_may_be_taken_again_breaks_no_promise() -> None:
    """Each lane up to twice, paid from a purse of its own; and at least two of something, which has no price."""

    def ask(table: T) -> Steps:
        north, *others = lanes = straits.LANES
        purses = [BudgetGroup("north", "the north", [north]), BudgetGroup("rest", "the rest", others)]
        yield from table.choose_some(
            "red", "3", "Flares?", lanes, cost=lambda lane: 1, budget=2, budget_groups=purses, limit=lambda lane: 2
        )
        yield from table.choose_some("red", "3", "Buoys?", lanes, at_least=2, at_most=3, limit=lambda lane: 2)

    findings = check_game(with_phase("weather", ask), scenarios=["even"], playouts=6, closely=1)
    assert findings.ok, str(findings)


def test_the_summary_counts_everything() -> None:
    findings = check_game(GAME, scenarios=["even"], options=[{}], playouts=3, closely=1)
    text = str(findings)
    assert text.startswith(f"straits: 3 playouts, {findings.decisions} decisions")
    assert all(promise.name in text for promise in Invariant)
    assert isinstance(findings, CheckReport)


def _transcript(game: str, hash_seed: str) -> str:
    code = f"from readyroom.testing import transcript\nfrom tests.toys.hashed import {game}\nprint(transcript({game}))"
    env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def test_another_process_with_other_hashes_plays_the_same() -> None:
    assert _transcript("CORRECT", "1") == _transcript("CORRECT", "2")


def test_an_order_that_depends_on_a_set_is_seen_from_another_process() -> None:
    assert len({_transcript("UNSTEADY", seed) for seed in ("1", "2", "3")}) > 1
