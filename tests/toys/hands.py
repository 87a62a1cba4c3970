"""Rock, paper, scissors with a die: a planning game with a known solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
import pytest
from tests.toys.tiny import NoData, T, Tiny, tiny

from readyroom.engine.game import Bot, Game, GameAnalysis, GamePlanning, NamedPlan, PolicySpace, ViewFn
from readyroom.engine.rules.decisions import Decision, Option
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import Choice, Steps

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
HANDS = [Option(hand, hand) for hand in BEATS]
SLIP = 1
"""On this die the better hand loses."""


def _hand(table: T, seat: str) -> Choice[str]:
    return (yield from table.choose(seat, "1", "Which hand?", HANDS)).key


def show(table: T) -> Steps:
    """Both choose at once; the die may reverse the result."""
    hands = yield from table.choose_in_secret({seat: _hand(table, seat) for seat in ("red", "blue")})
    red, blue = hands["red"], hands["blue"]
    die = table.roll_dice("1", "slip", 1)[0]
    table.state.notes.append(str(die))
    if red == blue:
        table.end_match(Outcome(None, "even", "Both show the same."))
        return
    winner = "red" if (BEATS[red] == blue) is (die != SLIP) else "blue"
    table.end_match(Outcome(winner, f"{winner} wins", "One hand beats the other."))


def _shows(hand: str, seat: str, random: Random) -> Bot:
    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        return [hand]

    return decide


def _plans() -> dict[str, dict[str, NamedPlan]]:
    return {
        side: {hand: NamedPlan(hand.title(), f"Always {hand} <&>.", partial(_shows, hand)) for hand in BEATS}
        for side in ("red", "blue")
    }


class Habit(msgspec.Struct, frozen=True):
    """A policy: always the same hand."""

    hand: Literal["rock", "paper", "scissors"]


def _play(policy: Habit, seat: str, random: Random) -> Bot:
    return _shows(policy.hand, seat, random)


ROCK = {side: {"rock": Habit("rock")} for side in ("red", "blue")}
PAPER = {"red": {"sheet": Habit("paper")}}


def _counts(state: Tiny, data: NoData) -> dict[str, float]:
    return {"Die": int(state.notes[-1])}


GAME: Game[Tiny, NoData] = replace(
    tiny(show),
    key="hands",
    title="Hands & Dice",
    planning=GamePlanning(plans=_plans),
    analysis=GameAnalysis(
        match_stats=_counts, policies=PolicySpace(bot=_play, styles=ROCK, challengers=PAPER, lead=1.0)
    ),
)


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Install the game, and the toy `dial`, for this process and its children; return its name."""
    installed = folder / "site" / "hands-1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Name: hands\nVersion: 1\n")
    (installed / "entry_points.txt").write_text(
        "[readyroom.games]\nhands = tests.toys.hands:GAME\ndial = tests.toys.dial:GAME\n"
    )
    monkeypatch.syspath_prepend(str(installed.parent))
    return "hands"
