"""Helpers for testing single rules: a table with fixed dice, its log, and answers to decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from readyroom.engine.game import Game
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import KeyedDice, fixed_dice
from readyroom.engine.rules.table import LogLine, Table

Policy = Callable[[Decision], Sequence[str]]
Answer = Sequence[str] | Policy


def fixed_table(
    game: Game[Any, Any], state: Any, *dice: int, draws: Sequence[str] = (), keyed: bool = False
) -> Table[Any, Any]:
    """Return a table with these dice and draws, followed by keyed ones or none."""
    fallback = KeyedDice(b"k" * 32) if keyed else None
    return Table(state, game.data, fixed_dice(*dice, draws=draws, fallback=fallback), list[LogLine]())


def log_text(table: Table[Any, Any], rule: str = "") -> str:
    """Return the log text, optionally for one rule only."""
    return " ".join(line.text for line in table.log or [] if not rule or line.rule == rule)


def by_about(answers: Mapping[str, Answer], otherwise: Policy) -> Policy:
    """Return a policy of answers by piece key, with another policy for the rest."""

    def policy(decision: Decision) -> Sequence[str]:
        answer = answers.get(decision.piece_key, otherwise)
        return answer(decision) if callable(answer) else answer

    return policy


def random_answer(decision: Decision) -> Sequence[str]:
    """Return a random legal answer; the same one on every call."""
    return decision.sample(Random(7))
