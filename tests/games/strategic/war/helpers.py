"""Helpers for wars: a state at any turn, a table with fixed dice, rules run with given answers."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.games.helpers import Answer, by_about, fixed_table

from readyroom import bots, testing
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Table
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.war import GAME
from readyroom.games.strategic.war.state import WarState

DATA: Data = GAME.data
SCENARIOS = ("strategic-war", "atlantic", "silent-service", "bomber-offensive")
DOCTRINES = ("doctrine", "wolfpack", "fortress", "convoy", "bomber")


def war(turn: int = 1, scenario: str = "strategic-war", phase: str = "war-planning", **options: object) -> WarState:
    """Return a scenario's initial state, set to a turn."""
    state = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve(options))
    state.at = At(turn, phase)
    for side in state.war.hands:
        state.war.hands[side] = {"ultra": [], "magic": []}
    return state


def table(state: WarState, *dice: int) -> Table[WarState, Data]:
    """Return a table with fixed dice, followed by keyed ones."""
    return fixed_table(GAME, state, *dice, keyed=True)


def run(rules: Any, answers: Mapping[str, Answer] | None = None, asked: list[Decision] | None = None) -> Any:
    """Run a rule with answers by `piece_key`; without an answer choose nothing."""
    return testing.run(rules, by_about(answers or {}, _choose_nothing), asked)


def _choose_nothing(decision: Decision) -> list[str]:
    return ["stay"] if decision.piece_key == "to" else []


def log_text(at: Table[WarState, Data], seat: str | None = None) -> str:
    """Return the log as a seat may read it."""
    return "\n".join(line.text for line in at.log or [] if line.seen_by(seat))


def play(scenario: str, axis: str, allies: str, seed: str, **options: object) -> Match[Any, Any]:
    """Play a match between two bots."""
    match = Match(GAME, scenario, options, seed=seed, log=False, checkpoints=False)
    random = Random(seed)
    players = {
        "axis": bots.make_bot(GAME, axis, "axis", random),
        "allies": bots.make_bot(GAME, allies, "allies", random),
    }
    bots.play_to_end(match, players)
    return match


def winner(scenario: str, axis: str, allies: str, seed: str) -> str | None:
    """Return the winner of a match between two bots."""
    outcome = play(scenario, axis, allies, seed).outcome
    assert outcome is not None
    return outcome.winner


def at_random(scenario: str, seed: str, **options: Any) -> Match[Any, Any]:
    """Play a match at random, with its log."""
    return testing.playout(GAME, scenario, options, seed)
