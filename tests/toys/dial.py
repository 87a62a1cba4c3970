"""A dial to turn: a solitaire game whose best setting is known."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Annotated

import msgspec
from tests.toys.tiny import NoData, T, Tiny, tiny

from readyroom.engine.game import Bot, Game, GameAnalysis, PolicySpace, score_to_utility
from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import Steps

BEST = 13
MARKS = [Option(str(number), str(number)) for number in range(21)]


class Turn(msgspec.Struct, frozen=True):
    """A policy: the mark, and a parameter without effect."""

    mark: Annotated[int, msgspec.Meta(ge=0, le=20)]
    force: Annotated[float, msgspec.Meta(ge=0.1, le=10, extra={"log": True})] = 1.0


def turn(table: T) -> Steps:
    """The nearer to the best mark, the better; a die adds to the score."""
    mark = int((yield from table.choose("red", "1", "Which mark?", MARKS)).key)
    score = table.roll_dice("1", "luck", 1)[0] - 2 * abs(mark - BEST)
    table.end_match(Outcome(None, "done", "It is done.", {"red": score}))


def _play(policy: Turn, seat: str, random: Random) -> Bot:
    return lambda decision, view: [str(policy.mark)]


GAME: Game[Tiny, NoData] = replace(
    tiny(turn, seats=("red",)),
    key="dial",
    title="Dial",
    analysis=GameAnalysis(
        utility=lambda outcome, side: score_to_utility(outcome.scores[side], 10),
        policies=PolicySpace(bot=_play, styles={"red": {"low": Turn(2), "high": Turn(20)}}),
    ),
)
