"""Tiny games for tests: each argument of `tiny` is a rule with its own phase, played turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import msgspec

from readyroom.engine.game import Game, GameRules, Phase, Scenario, Seat, View
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.state import At, Outcome, Piece, State
from readyroom.engine.rules.table import Choice, Steps, Table

ABC = [Option(key, key.upper()) for key in ("a", "b", "c")]


class Token(Piece):
    """A counter with a number."""

    points: int = 1

    def __str__(self) -> str:
        return self.key


class Tiny(State):
    """Notes of events, tokens on the table and in a cup, and the number of turns."""

    turns: int
    notes: list[str] = []
    tokens: list[Token] = []
    cup: Cup[Token] = msgspec.field(default_factory=lambda: Cup([]))


class NoData(msgspec.Struct, frozen=True):
    """A game without figures."""


T = Table[Tiny, NoData]
Play = Callable[[T], Steps]


def _setup(data: NoData, scenario: Scenario, options: Mapping[str, str]) -> Tiny:
    tokens = [Token(f"t{n}", n) for n in range(1, 4)]
    cup = Cup([Token(f"c{n}", n) for n in range(1, 6)])
    return Tiny(At(0, "set-up"), scenario.content, [], tokens, cup)


def _view(state: Tiny, data: NoData, seat: str | None) -> View:
    return {"notes": list(state.notes), "tokens": [token.key for token in state.tokens]}


def _resample(state: Tiny, data: NoData, seat: str, random: Random) -> Tiny:
    return state


def tiny(*plays: Play, turns: int = 1, seats: tuple[str, ...] = ("red", "blue")) -> Game[Tiny, NoData]:
    """Return a game with these rules that ends in a draw after `turns` turns."""
    phases = [Phase(f"phase-{n}", f"phase {n}", str(n), play) for n, play in enumerate(plays, start=1)]
    names = [phase.name for phase in phases]

    def next_phase(state: Tiny) -> At | Outcome:
        at = state.at
        after = names.index(at.phase) + 1 if at.phase in names else len(names)
        if after < len(names):
            return At(at.turn, names[after])
        return Outcome(None, "draw", "It is over.") if at.turn >= state.turns else At(at.turn + 1, names[0])

    return Game(
        key="tiny",
        title="Tiny",
        summary="",
        players="2",
        length="",
        version="1",
        package="tests.toys",
        data_type=NoData,
        data=NoData(),
        rules=GameRules(
            state=Tiny,
            scenario_type=int,
            scenarios=lambda data: [Scenario(key="only", title="Only", summary="", content=turns)],
            seats=lambda scenario, options: [Seat(seat, seat.title(), seat) for seat in seats],
            setup=_setup,
            phases=phases,
            next_phase=next_phase,
            view=_view,
            resample=_resample,
        ),
    )


def ask(seat: str, rule: str = "1") -> Play:
    """Return a rule that asks a seat for a letter and notes it."""

    def play(table: T) -> Steps:
        chosen = yield from table.choose(seat, rule, "Which letter?", ABC)
        table.state.notes.append(f"{seat}:{chosen.key}")
        table.log_line(rule, "{} chose {}.", seat, chosen.text)

    return play


def roll_dice(count: int = 3, subject: str = "dice") -> Play:
    """Return a rule that rolls dice and notes them."""

    def play(table: T) -> Steps:
        table.state.notes.append(f"{subject}:{list(table.roll_dice('2', subject, count))}")
        return
        yield

    return play


def both(*plays: Play) -> Play:
    """Return several rules as one phase."""

    def play(table: T) -> Steps:
        for each in plays:
            yield from each(table)

    return play


def letters_of(table: T, seat: str, letters: int = 2) -> Choice[str]:
    """Plan this many letters."""
    chosen = ""
    for number in range(letters):
        option = yield from table.choose(seat, "5", f"Letter {number + 1}?", ABC)
        chosen += option.key
    return chosen


def plans(letters: int = 2) -> Play:
    """Return a rule in which Red and Blue plan letters in secret."""

    def play(table: T) -> Steps:
        data = yield from table.choose_in_secret({seat: letters_of(table, seat, letters) for seat in ("red", "blue")})
        table.state.notes.append(f"{data['red']}/{data['blue']}")
        table.log_line("5", "Red planned {}, Blue {}.", data["red"], data["blue"])

    return play
