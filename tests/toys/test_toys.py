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

from readyroom.engine.rules.decisions import BudgetGroup
from readyroom.engine.rules.table import Steps
from readyroom.testing import CheckReport, Invariant, check_game, check_playout, playout

ROOT = Path(__file__).resolve().parents[2]


def test_correct_toy_has_no_violations() -> None:
    findings = check_game(GAME, playouts=24, closely=1)
    assert findings.ok, str(findings)
    assert findings.playouts == 24 or findings.playouts > 24
    idle = [promise.name for promise in Invariant if not findings.checks[promise]]
    assert not idle, f"never checked: {', '.join(idle)}"


def test_toy_with_copy_state_has_no_violations() -> None:
    findings = check_game(replace(GAME, rules=replace(GAME.rules, copy_state=deepcopy)), playouts=12, closely=1)
    assert findings.ok, str(findings)


def test_toy_with_immutable_facts_has_no_violations() -> None:
    findings = check_game(replace(GAME, rules=replace(GAME.rules, immutable_facts=True)), playouts=12, closely=1)
    assert findings.ok, str(findings)


@pytest.mark.sample(6)
@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_planted_fault_is_found(name: str) -> None:
    promise, make = BROKEN[name]
    random.seed(name)  # some of them have luck of their own
    game = make()
    findings = check_game(game, playouts=12, closely=1, cap=400)
    assert promise in findings.kinds, str(findings)
    fault = next(fault for fault in findings.violations if fault.kind is promise)
    again = check_playout(game, fault.scenario, fault.options, fault.seed, points=fault.points, cap=400)
    assert promise in again.kinds, f"{fault}\n\nis not there again: {again}"


def test_violation_is_reproducible() -> None:
    game = leaks_in_the_log()
    findings = check_game(game, playouts=12, closely=1)
    fault = next(fault for fault in findings.violations if fault.kind is Invariant.SECRETS)
    assert fault.game == "straits"
    assert repr(fault.seed) in fault.reproduce
    assert fault.kind.name in str(fault)
    assert Invariant.SECRETS in check_playout(game, fault.scenario, fault.options, fault.seed).kinds
    match = playout(game, fault.scenario, fault.options, fault.seed, upto=fault.decision)
    assert match.decision_count == fault.decision


def test_rule_error_names_place() -> None:
    _, make = BROKEN["offers_what_a_rule_cannot_do"]
    fault = check_game(make(), playouts=2).violations[0]
    assert fault.kind is Invariant.PLAYS
    assert re.search(r" \(tests\.toys\.\w+:\d+\)$", fault.text), fault.text


def test_repeatable_options_have_no_violations() -> None:
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


def test_report_counts_checks() -> None:
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


def test_transcript_is_equal_across_hash_seeds() -> None:
    assert _transcript("CORRECT", "1") == _transcript("CORRECT", "2")


def test_set_order_is_detected_across_processes() -> None:
    assert len({_transcript("UNSTEADY", seed) for seed in ("1", "2", "3")}) > 1
