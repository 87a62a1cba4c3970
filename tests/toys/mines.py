"""Two channels, one of them mined, and a port: a game of one decision with a known best answer.

The mine is on the left with probability 1/3, so the left channel wins 2/3, the right 1/3 and the port 1/2 of the
matches. Red does not know where the mine is. The doctrine stays in port.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.toys.tiny import NoData, T, Tiny, tiny

from readyroom.engine.books import Rulebook
from readyroom.engine.game import Bot, Game, GameAnalysis, View, ViewFn
from readyroom.engine.rules.decisions import Decision, Option
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import Steps

WAYS = [Option("left", "the left channel"), Option("right", "the right channel"), Option("port", "stay in port")]
CHANCES = {"left": 2 / 3, "right": 1 / 3, "port": 1 / 2}


def lay(table: T) -> Steps:
    """Place the mine in secret."""
    table.state.notes.append("left" if table.roll_dice("1", "mine", 1)[0] <= 2 else "right")
    return
    yield


def sail(table: T) -> Steps:
    """Red chooses a way, which may be mined."""
    way = (yield from table.choose("red", "2", "Which way?", WAYS)).key
    mine = table.state.notes[0]
    wins = table.roll_dice("2", "raid", 1)[0] > 3 if way == "port" else way != mine
    table.end_match(Outcome("red" if wins else "blue", "over", "It is over."))


def says(key: str) -> Callable[[str, Random], Bot]:
    """Return a policy that always gives the same answer."""

    def maker(seat: str, random: Random) -> Bot:
        return lambda decision, look: [key]

    return maker


def _doubt(seat: str, random: Random) -> Bot:
    """A policy that raises an error."""

    def decide(decision: Decision, look: ViewFn) -> list[str]:
        return [look().table["nothing of this name"]]

    return decide


def _unknown(state: Tiny, data: NoData, seat: str | None) -> View:
    return {"notes": []}


def _elsewhere(state: Tiny, data: NoData, seat: str, random: Random) -> Tiny:
    if seat == "red":
        state.notes[0] = "left" if random.random() < 1 / 3 else "right"
    return state


def _counts(state: Tiny, data: NoData) -> dict[str, float]:
    return {"Mines": 1}


def ruled(game: Game[Tiny, NoData]) -> Game[Tiny, NoData]:
    """Return the game with an empty rulebook."""
    game.__dict__["rulebook"] = Rulebook(rule=[])
    return game


TINY = tiny(lay, sail)
BOTS = {"doctrine": says("port"), "bold": says("right"), "outlaw": says("up"), "doubt": _doubt}
GAME: Game[Tiny, NoData] = ruled(
    replace(
        TINY,
        key="mines",
        title="Mines",
        rules=replace(TINY.rules, view=_unknown, resample=_elsewhere),
        analysis=GameAnalysis(bots=BOTS, match_stats=_counts),
    )
)
