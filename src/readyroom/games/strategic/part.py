"""The interface of the game's three parts: the strategic war, the air raid and the calculator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from readyroom.engine.game import Bot, MatchView, Phase, Seat, View
from readyroom.engine.state import At, Outcome
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.state import Strategic

if TYPE_CHECKING:
    from rich.console import RenderableType


def _no_epilogue(state: Strategic, data: Data) -> Sequence[str]:
    return ()


def _no_counts(state: Strategic, data: Data) -> Mapping[str, float]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of the game.

    `start` makes the played state from a scenario's content; `view` and `resample` are a game's, without what all
    parts share; `drawing` is the template of `layout`.
    """

    seats: tuple[Seat, ...]
    first: str
    start: Callable[[Data, Any], Any]
    phases: Sequence[Phase[Strategic, Data]]
    next_phase: Callable[[Strategic], At | Outcome]
    view: Callable[[Strategic, Data, str | None], View]
    resample: Callable[[Strategic, Data, str, Random], Strategic]
    board: Callable[[MatchView[Any]], RenderableType]
    layout: Callable[[MatchView[Any]], Mapping[str, Any]]
    drawing: str
    bots: Mapping[str, Callable[[str, Random], Bot]] = field(default_factory=dict)
    epilogue: Callable[[Strategic, Data], Sequence[str]] = _no_epilogue
    counts: Callable[[Strategic, Data], Mapping[str, float]] = _no_counts
