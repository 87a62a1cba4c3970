"""What the captain's answers share: their type, the chance of an option, and the plainest choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from readyroom.engine.rules.decisions import Decision, Option
from readyroom.games.doolittle.view import DoolittleView

Answer: TypeAlias = Callable[[Decision, DoolittleView], Sequence[str]]
"""Answers a decision from a captain's view."""


def chance_of(option: Option) -> float:
    """Return the chance shown with an option, 0 without one."""
    return (option.info.chance or 0.0) if option.info else 0.0


def choose_fewest(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """Choose the first options, as few as are allowed."""
    return decision.keys[: decision.at_least]


def choose_all(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """Choose as many options as are allowed."""
    return decision.keys[: decision.at_most]


def choose_first(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """Choose the first option."""
    return decision.keys[:1]


def choose_likeliest(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """Choose the option with the best chance."""
    return [max(decision.options, key=chance_of).key]


def spare(*kept: str) -> Answer:
    """Choose as few options as are allowed, and these only if there are no others."""
    return lambda decision, table: sorted(decision.keys, key=lambda key: key in kept)[: decision.at_least]


def choose_any_of(*wanted: str) -> Answer:
    """Choose all of these options that are offered."""
    return lambda decision, table: [key for key in decision.keys if key in wanted]


def prefer(*wanted: str) -> Answer:
    """Choose the first of these options that is offered, else the first of all."""
    return lambda decision, table: [next((key for key in wanted if key in decision.keys), decision.keys[0])]
