"""Many matches: how one is played between bots, and how processes share them.

Everything that plays matches to count them comes here: a study, `simulate`, the planning game. They differ only in
where the bots' own chances come from, which is the seating.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from readyroom.bots import RANDOM, assign_seats, check_bots, make_bot, needs_checkpoints, play_to_end
from readyroom.bots.levels import Veteran
from readyroom.bots.mixes import Member
from readyroom.engine.errors import UnknownPlan, UnknownSeat
from readyroom.engine.figures import Figure
from readyroom.engine.game import Bot, Game, Scenario, Seat, load_game
from readyroom.engine.match import Match
from readyroom.study.random_streams import EventRandom, per_event

X = TypeVar("X")
Y = TypeVar("Y")


class MatchSetup(NamedTuple):
    """A match setup and its players, in a form that can be sent to another process.

    `bots` has a bot's name for each seat and `plans` a named plan for each side that fights by one; `text` is that of
    a player's own scenario, so that a process far away need not find its file. `figures` are changes of the game's
    data, by address. With `mixes` each side plays one of these policies in each match, instead of bots and plans;
    `solved` says that they are still to be found.
    """

    game: str
    data: Path | None
    scenario: str
    options: dict[str, str]
    bots: dict[str, str]
    plans: dict[str, str] = {}
    text: str | None = None
    figures: dict[str, Figure] = {}
    solved: bool = False
    mixes: dict[str, list[Member]] = {}

    def load_game(self) -> Game[Any, Any]:
        """Return the game as it is played, with changed figures."""
        if self.data is None:
            return _changed_game(self.game, tuple(self.figures.items()))
        return load_game(self.game, self.data).with_figures(self.figures)

    def scenario_of(self, game: Game[Any, Any]) -> Scenario:
        """Return the scenario."""
        if self.text is None:
            return game.scenario(self.scenario)
        return game.own_scenario(self.text.encode(), self.scenario)


@lru_cache(maxsize=16)
def _changed_game(name: str, changes: tuple[tuple[str, Figure], ...]) -> Game[Any, Any]:
    """Return a game with these figures; cached, because every part of a study needs it."""
    return load_game(name).with_figures(dict(changes))


class PlayedMatch(NamedTuple):
    """One match: its winning side or None, the name of its ending, its decisions, its last turn, counts and scores."""

    winner: str | None
    title: str
    decisions: int
    turn: int
    counts: dict[str, float]
    scores: dict[str, int]


StreamFactory = Callable[[Match[Any, Any], MatchSetup, str], Mapping[str, Bot]]
"""Return the bots of a match with this seed text, and their random numbers."""


# -- what is to be played --------------------------------------------------------------------------------------------


def match_setup(
    game: Game[Any, Any],
    data: Path | None = None,
    scenario: str | Scenario | None = None,
    options: Mapping[str, object] | None = None,
    bots: Mapping[str, str] | None = None,
    plans: Mapping[str, str] | None = None,
    figures: Mapping[str, Figure] | None = None,
) -> MatchSetup:
    """Return a set-up with every name checked; seats without a bot play at random. A scenario may be a custom one.

    Raises:
        UnknownScenario, UnknownOption, UnknownSeat, UnknownBot, UnknownPlan, UnknownFigure, InvalidData: what does not
            exist or fit.
    """
    game = game.with_figures(figures or {})
    start = scenario if isinstance(scenario, Scenario) else game.scenario(scenario)
    chosen = game.resolve(options or {})
    named = assign_seats(game.rules.seats(start, chosen), bots or {}, RANDOM)
    check_bots(game, named.values())
    check_plans(game, {side: [key] for side, key in (plans or {}).items()})
    name = start.file or start.key if isinstance(scenario, Scenario) else scenario or start.key
    return MatchSetup(game.key, data, name, chosen, named, dict(plans or {}), start.text, dict(figures or {}))


def check_plans(game: Game[Any, Any], wanted: Mapping[str, Sequence[str]]) -> None:
    """Reject plans that the game does not have: `UnknownSeat` for the side, `UnknownPlan` for the plan."""
    known = game.planning.plans()
    for side, keys in wanted.items():
        if side not in known:
            raise UnknownSeat(side, known, where=f"the plans of {game.key}")
        for key in keys:
            if key not in known[side]:
                raise UnknownPlan(key, known[side], where=f"{game.key} for {side}")


# -- one match -------------------------------------------------------------------------------------------------------


def play(game: Game[Any, Any], scenario: Scenario, table: MatchSetup, text: str, seating: StreamFactory) -> PlayedMatch:
    """Play one match to its end, without a log; it follows from the setting, the words and the seating alone."""
    return describe_match(*play_match(game, scenario, table, text, seating))


def describe_match(match: Match[Any, Any], decisions: int) -> PlayedMatch:
    """Describe a finished match of this many decisions."""
    outcome, state, game = match.outcome, match.state, match.game
    assert outcome is not None
    counts = dict(game.analysis.match_stats(state, game.data))
    return PlayedMatch(outcome.winner, outcome.title, decisions, state.at.turn, counts, outcome.scores)


def play_match(
    game: Game[Any, Any], scenario: Scenario, table: MatchSetup, text: str, seating: StreamFactory
) -> tuple[Match[Any, Any], int]:
    """Play one match to its end, as `play` does; return it, for its record, and the number of its decisions."""
    ahead = needs_checkpoints(table.bots.values())
    match = Match(game, scenario, table.options, seed=text, log=False, checkpoints=ahead)
    return match, play_to_end(match, seating(match, table, text))


def shared_stream(match: Match[Any, Any], table: MatchSetup, text: str) -> dict[str, Bot]:
    """Return bots that share one random stream."""
    random = Random(text)
    return {seat.key: player(match.game, table, seat, random) for seat in match.seats}


def per_bot_streams(match: Match[Any, Any], table: MatchSetup, text: str) -> dict[str, Bot]:
    """Return bots with a random stream each."""
    return {seat.key: player(match.game, table, seat, Random(f"{text}/{seat.key}")) for seat in match.seats}


def per_event_streams(match: Match[Any, Any], table: MatchSetup, text: str) -> dict[str, Bot]:
    """Return bots whose random numbers belong to decisions, as dice belong to events.

    The same decision in two matches of the same seed has the same random numbers, whatever came before.
    """

    def seated(seat: Seat) -> Bot:
        chances = EventRandom(f"{text}/{seat.key}")
        return per_event(match, player(match.game, table, seat, chances), chances)

    return {seat.key: seated(seat) for seat in match.seats}


def player(game: Game[Any, Any], table: MatchSetup, seat: Seat, random: Random) -> Bot:
    """Return the seat's player: one that plays its side's mix or carries out its plan, otherwise the seat's bot."""
    if seat.side in table.mixes:
        return Veteran(game, seat.key, random, members=table.mixes[seat.side])
    if seat.side in table.plans:
        return game.planning.plans()[seat.side][table.plans[seat.side]].bot(seat.key, random)
    return make_bot(game, table.bots.get(seat.key, RANDOM), seat.key, random)


# -- many matches ----------------------------------------------------------------------------------------------------


def chunk(count: int, size: int) -> list[range]:
    """Split the numbers of this many matches into parts of this size, to share them out.

    >>> chunk(5, 2)
    [range(0, 2), range(2, 4), range(4, 5)]
    """
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


Mapper = Callable[[Callable[[X], Y], Sequence[X]], Iterator[Y]]
"""Yields the result of a function for each task, in order."""


def map_parallel(work: Callable[[X], Y], tasks: Sequence[X], workers: int) -> Generator[Y, None, None]:
    """Yield the result of each task in order, however many processes share them; closing it drops the rest."""
    with shared_workers(min(workers, len(tasks))) as mapper:
        yield from mapper(work, tasks)


@contextmanager
def shared_workers(workers: int) -> Iterator[Mapper[Any, Any]]:
    """Yield a function that maps over tasks in this many processes, the same for all calls."""
    if workers <= 1:
        yield map
        return
    pool = ProcessPoolExecutor(workers, initializer=_begin_to_work)
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_to_work() -> None:
    """Set up a worker process: ignore interrupts, and exit with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
