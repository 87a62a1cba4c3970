"""Values and beliefs fitted to many matches between many policies, and checked in others.

A match for values begins with random policies. From a random decision on the game's reference bots play, the veteran or
the default bot, so that a value is what a position is worth if they play on; positions count from there. A match for
beliefs is played by random policies to its end, because it is the opponent's policy that a seat does not know. Checks
play new matches, with policies drawn like those of the fit (*known*) and with the challengers (*unseen*).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np

from readyroom.bots import make_bot, reference_bot
from readyroom.bots.beliefs import (
    BELIEF,
    Library,
    library_arrays,
    library_of,
    quantities_of,
)
from readyroom.bots.features import scenario_numbers, seat_numbers, state_numbers
from readyroom.bots.fitted import About, Array, Band, BeliefCheck, Fitted, ValueCheck, net_arrays
from readyroom.bots.mixes import mixes_of
from readyroom.bots.parameters import parameters_of, random_settings
from readyroom.bots.values import SEAT, STATE
from readyroom.engine.errors import IllegalChoice, ReadyRoomError
from readyroom.engine.game import Bot, Game, PolicySpace, load_game, sides
from readyroom.engine.match import Match
from readyroom.study.matches import MatchSetup, chunk, map_parallel, match_setup
from readyroom.study.nets import fit_net

Kind: TypeAlias = Literal["values", "beliefs"]
Policies: TypeAlias = Literal["known", "unseen"]
CHUNK = 10
"""Matches that a worker plays before it reports."""
STYLED, MIXED = 0.25, 0.25
"""How often a side plays a named style, and a policy of its mix; otherwise its policy is random."""
FIRST_SCENARIO = 0.6
"""How often the first scenario is played; otherwise any."""
KEPT = 40
"""About how many positions of a match count; for values of those of a whole match twice as many."""
PILOTS = 4
"""Matches that show how many decisions a match has."""
ROWS = 6000
"""The most positions in a library."""
HELD_OUT = 0.2
"""The share of matches by which a library's intervals are adjusted."""
COVERED = 0.95
"""How often an interval is to have the true quantity."""
BANDS = 10
"""Bands of values in a calibration table."""
TURNS = ((1, 3), (4, 6), (7, 10), (11, 99))
"""Turns that are checked separately."""
HIDDEN_UNITS, BELIEF_UNITS = 48, 64
"""Units in the hidden layer of a net."""


class NoPositions(ReadyRoomError):
    """The game declares no policies, so that there are no matches to learn from."""

    def __init__(self, game: str) -> None:
        super().__init__(f"{game} has no parametrised policies, so no values can be fitted to their matches.")


class Task(NamedTuple):
    """Matches to play: their set-up and scenarios, what for, by which policies, and their numbers.

    `span` is about how many decisions a match has; for values, the reference bots take over at one of them.
    """

    setup: MatchSetup
    scenarios: tuple[str, ...]
    kind: Kind
    who: Policies
    seed: str
    numbers: range
    span: int
    imagines: bool = False


class Rows(NamedTuple):
    """Positions seen in one way.

    Attributes:
        numbers, targets: what is known, and what is to be predicted.
        turns, phases, matches: when it was, and in which match.
        imagined: for a check of beliefs, the counts of a random position that looks the same.
        hides: for beliefs, whether each quantity is hidden.
    """

    numbers: Array
    targets: Array
    turns: Array
    phases: Array
    matches: Array
    imagined: Array
    hides: Array

    def pick(self, where: Array) -> Rows:
        """Return some of the positions."""
        return Rows(*(each[where] for each in self))


Gathered: TypeAlias = dict[str, Rows]
"""Positions by the name of what they are for: `STATE`, `SEAT` or `BELIEF` with a side."""


@dataclass
class _Columns:
    """Positions that are being gathered."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)

    def to_rows(self) -> Rows:
        numbers, targets, turns, phases, matches, imagined, hides = zip(*self.rows, strict=True)
        return Rows(
            np.asarray(numbers, np.float32),
            np.asarray(targets, np.float32),
            np.asarray(turns, np.int16),
            np.asarray(phases),
            np.asarray(matches, np.int32),
            np.asarray(imagined, np.float32),
            np.asarray(hides, bool),
        )


# -- playing ---------------------------------------------------------------------------------------------------------


def gather(task: Task) -> Gathered:
    """Play some matches and return their positions; they follow from the task alone."""
    game = load_game(task.setup.game, task.setup.data)
    columns: dict[str, _Columns] = {}
    for number in task.numbers:
        _Recorded(game, task, number, columns).play()
    return {name: each.to_rows() for name, each in columns.items()}


class _Recorded:
    """A match whose positions are recorded."""

    def __init__(self, game: Game[Any, Any], task: Task, number: int, columns: dict[str, _Columns]) -> None:
        self.game, self.task, self.number, self.columns = game, task, number, columns
        self.text = f"{task.seed}/{task.kind}/{task.who}/{number}"
        self.random = Random(self.text)
        scenario = task.scenarios[0]
        if self.random.random() >= FIRST_SCENARIO:
            scenario = self.random.choice(task.scenarios)
        self.match: Match[Any, Any] = Match(game, scenario, task.setup.options, seed=self.text, log=False)
        self.bots = self._policies()
        self.features = game.analysis.features
        self.memories = {seat.key: self._remember(seat.key, None) for seat in self.match.seats}
        for_values = task.kind == "values"
        # more often early than late, because no position before it counts
        self.switch = int(self.random.random() ** 2 * task.span) if for_values else 0
        self.kept = min(1.0, (2 * KEPT if for_values else KEPT) / task.span)
        self.pending: list[tuple[str, list[float], int, str, str]] = []

    def _policies(self) -> dict[str, Bot]:
        space = self.game.analysis.policies
        assert space is not None
        policies = {side: self._policy(space, side) for side in sides(self.match.seats)}
        return {
            seat.key: space.bot(policies[seat.side], seat.key, Random(f"{self.text}/{seat.key}"))
            for seat in self.match.seats
        }

    def _policy(self, space: PolicySpace, side: str) -> msgspec.Struct:
        """Draw a policy: a style, one of the mix, or any; or a challenger."""
        if self.task.who == "unseen":
            named = space.challengers.get(side) or space.styles[side]
            return self.random.choice(list(named.values()))
        draw = self.random.random()
        mixed = [each.settings for mix in mixes_of(self.game) for each in mix.of(side).members if each.share]
        if draw < STYLED:
            return self.random.choice(list(space.styles[side].values()))
        kind = space.type_of(side)
        if draw < STYLED + MIXED and mixed:
            return msgspec.convert(self.random.choice(mixed), kind)
        return msgspec.convert(random_settings(parameters_of(kind), self.random), kind)

    def _remember(self, seat: str, memory: Any) -> Any:
        return None if self.features is None else self.features.remember(memory, self.match.view(seat))

    def play(self) -> None:
        """Play the match to its end, and add its positions."""
        match, count = self.match, 0
        waits = self.task.kind == "values"
        while match.outcome is None:
            if waits and count >= self.switch:
                waits = False
                self.bots = {seat.key: _reference(self.game, seat.key, self.text) for seat in match.seats}
            for seat, decision in match.pending.items():
                if not waits and self.random.random() < self.kept:
                    self._record(seat)
                self._answer(seat, decision)
                count += 1
            for seat in self.memories:
                self.memories[seat] = self._remember(seat, self.memories[seat])
        self._value_all()

    def _answer(self, seat: str, decision: Any) -> None:
        """Let the bot of a seat answer; one that took over may not know earlier plans."""
        try:
            self.match.decide(seat, self.bots[seat](decision, self.match.bot_view(seat)))
        except (IllegalChoice, LookupError):
            self.match.decide(seat, decision.sample(self.random))

    def _record(self, seat: str) -> None:
        """Record the position before a seat's answer."""
        match, side = self.match, self.match.seat(seat).side
        view = match.view(seat)
        numbers = seat_numbers(self.game, view, self.memories[seat])
        if self.task.kind == "values":
            at = match.state.at
            self.pending.append((STATE, state_numbers(self.game, match.state), at.turn, at.phase, ""))
            self.pending.append((f"{SEAT}{side}", numbers, view.turn, view.phase, side))
            return
        hidden = self.game.analysis.hidden
        if hidden is not None:
            counts = hidden.count(match.state, self.game.data, seat)
            imagined: Sequence[float] = ()
            if self.task.imagines:
                imagined = hidden.count(match.imagine(seat, self.random).state, self.game.data, seat)
            seen = hidden.seen(view)
            hides = [title not in seen for title in hidden.quantities]
            self._add(f"{BELIEF}{side}", numbers, counts, view.turn, view.phase, imagined, hides)

    def _value_all(self) -> None:
        """Add the positions that waited for the outcome."""
        outcome, utility = self.match.outcome, self.game.analysis.utility
        assert outcome is not None
        of_all = [utility(outcome, side) for side in sides(self.match.seats)]
        for name, numbers, turn, phase, side in self.pending:
            self._add(name, numbers, [utility(outcome, side)] if side else of_all, turn, phase)

    def _add(
        self,
        name: str,
        numbers: Sequence[float],
        targets: Sequence[float],
        turn: int,
        phase: str,
        imagined: Sequence[float] = (),
        hides: Sequence[bool] = (),
    ) -> None:
        rows = self.columns.setdefault(name, _Columns()).rows
        where = scenario_numbers(self.task.scenarios, self.match.scenario.key)
        rows.append(([*numbers, *where], targets, turn, phase, self.number, imagined, hides))


def _reference(game: Game[Any, Any], seat: str, text: str) -> Bot:
    """Return the bot that plays on from a position whose value is asked."""
    return make_bot(game, reference_bot(game), seat, Random(f"{text}/reference/{seat}"))


def joined(parts: Iterable[Gathered]) -> Gathered:
    """Return the positions of several tasks together."""
    by_name: dict[str, list[Rows]] = {}
    for part in parts:
        for name, rows in part.items():
            by_name.setdefault(name, []).append(rows)
    return {name: Rows(*map(np.concatenate, zip(*rows, strict=True))) for name, rows in by_name.items()}


# -- a study ---------------------------------------------------------------------------------------------------------


Progress: TypeAlias = Callable[[int, int], None]


@dataclass
class ValueStudy:
    """Fits and checks the values and beliefs of a game.

    Args:
        game: the game, with the figures of an installed package.
        matches: how many matches to fit to.
        checks: how many new matches of each kind to check in.
        seed: any text that determines everything.
        workers: how many processes share the work; the result does not depend on it.
        progress: called with the number of finished matches and that of all.
    """

    game: Game[Any, Any]
    matches: int
    checks: int
    seed: str = "values"
    workers: int = 1
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.game.analysis.policies is None:
            raise NoPositions(self.game.title)
        self.setup = match_setup(self.game)
        self.scenarios = tuple(each.key for each in self.game.rules.scenarios(self.game.data) if self._fits(each))
        self.sides = sides(self.game.rules.seats(self.game.first_scenario, self.setup.options))
        self.hides = self.game.analysis.hidden is not None
        self.phases = [phase.name for phase in self.game.phases_of(self.game.first_scenario)]
        self._done, self._all = 0, 0

    def _fits(self, scenario: Any) -> bool:
        """Return whether a scenario has the sides and phases of the first one, and policies for its sides."""
        first, space = self.game.first_scenario, self.game.analysis.policies
        options = self.game.resolve({})
        own, others = (sides(self.game.rules.seats(each, options)) for each in (scenario, first))
        assert space is not None
        return own == others and set(own) <= space.styles.keys()

    # -- playing -----------------------------------------------------------------------------------------------------

    def _play(
        self, kind: Kind, who: Policies, label: str, count: int, *, span: int, imagines: bool = False
    ) -> Gathered:
        seed = f"{self.seed}/{label}"
        tasks = [
            Task(self.setup, self.scenarios, kind, who, seed, numbers, span, imagines)
            for numbers in chunk(count, CHUNK)
        ]
        return joined(self._counted(map_parallel(gather, tasks, self.workers), tasks))

    def _counted(self, parts: Iterable[Gathered], tasks: Sequence[Task]) -> Iterator[Gathered]:
        for part, task in zip(parts, tasks, strict=True):
            self._done += len(task.numbers)
            if self.progress is not None:
                self.progress(self._done, max(self._done, self._all))
            yield part

    def span(self) -> int:
        """Return about how many decisions a match has, from a few matches."""
        counts = []
        for number in range(PILOTS):
            text = f"{self.seed}/pilot/{number}"
            match: Match[Any, Any] = Match(self.game, seed=text, log=False, checkpoints=False)
            bots = {seat.key: _reference(self.game, seat.key, text) for seat in match.seats}
            while match.outcome is None:
                for seat, decision in match.pending.items():
                    match.decide(seat, bots[seat](decision, match.bot_view(seat)))
            counts.append(match.decision_count)
        return max(1, sum(counts) // PILOTS)

    # -- fitting -----------------------------------------------------------------------------------------------------

    def fit(self) -> Fitted:
        """Fit everything, and check it."""
        self._all = (self.matches + 2 * self.checks) * (2 if self.hides else 1)
        found = self._fit(self.span())
        return self.check(found)

    def _fit(self, span: int) -> Fitted:
        played = self._play("values", "known", "fit", self.matches, span=span)
        arrays: dict[str, Array] = {}
        for at, (name, rows) in enumerate(sorted(played.items())):
            net = fit_net(rows.numbers, rows.targets, units=HIDDEN_UNITS, chances=True, seed=at)
            arrays |= net_arrays(name, net)
        if self.hides:
            played = self._play("beliefs", "known", "fit", self.matches, span=span)
            for side in self.sides:
                arrays |= self._library(side, played[f"{BELIEF}{side}"])
        about = About(
            game=self.game.key,
            version=self.game.version,
            figures=self.game.data_fingerprint,
            command=self.command(),
            matches=self.matches,
            sides=list(self.sides),
            scenarios=list(self.scenarios),
            phases=self.phases,
        )
        return Fitted(about, arrays)

    def _library(self, side: str, rows: Rows) -> dict[str, Array]:
        """Fit the net of a side's beliefs to some matches, and keep others as the library."""
        hidden = self.game.analysis.hidden
        assert hidden is not None
        quantities = quantities_of(hidden, rows.targets)
        held_out = rows.matches >= (1 - HELD_OUT) * self.matches
        if held_out.all() or not held_out.any():
            held_out = np.arange(len(rows.matches)) % 5 == 0
        net = fit_net(rows.numbers[~held_out], quantities[~held_out], units=BELIEF_UNITS, chances=False, seed=0)
        test = rows.pick(held_out)
        errors = net(test.numbers, chances=False) - quantities[held_out]
        scale = np.sqrt((errors**2).mean(0)) + 1
        kept = rows.pick(~held_out)
        kept = kept.pick(np.sort(np.random.default_rng(0).permutation(len(kept.turns))[:ROWS]))
        library = Library(
            net,
            scale.astype(np.float32),
            (net(kept.numbers, chances=False) / scale).astype(np.float16),
            kept.targets.astype(np.uint16),
            kept.turns.astype(np.uint8),
            self._numbers(kept.phases).astype(np.int16),
            np.ones(len(scale), np.float32),
        )
        means, deviations = self._believed(library, test)
        off = np.abs(means - quantities[held_out]) / (deviations + 1)
        reach = [
            np.quantile(each[hides], COVERED) if hides.any() else 1.0
            for each, hides in zip(off.T, test.hides.T, strict=True)
        ]
        library = library._replace(reach=np.array(reach, np.float32))
        return net_arrays(f"{BELIEF}{side}", net) | library_arrays(side, library)

    def _numbers(self, phases: Array) -> Array:
        known = {name: at for at, name in enumerate(self.phases)}
        return np.array([known.get(str(name), -1) for name in phases])

    def _believed(self, library: Library, rows: Rows) -> tuple[Array, Array]:
        """Return the means and deviations of the neighbours of each position."""
        hidden = self.game.analysis.hidden
        assert hidden is not None
        phases = self._numbers(rows.phases)
        sums = [
            quantities_of(hidden, library.neighbours(numbers, int(turn), int(phase)))
            for numbers, turn, phase in zip(rows.numbers, rows.turns, phases, strict=True)
        ]
        return np.array([each.mean(0) for each in sums]), np.array([each.std(0) for each in sums])

    def command(self) -> str:
        """Return the command that makes the file again."""
        texts = ["readyroom", "values", self.game.key, "--fit", "--matches", str(self.matches)]
        return shlex.join([*texts, "--checks", str(self.checks), "--seed", self.seed])

    # -- checking ----------------------------------------------------------------------------------------------------

    def check(self, found: Fitted) -> Fitted:
        """Return a file with checks made in new matches."""
        self._all = self._all or 2 * self.checks * (2 if self.hides else 1)
        values: list[ValueCheck] = []
        bands: list[Band] = []
        beliefs: list[BeliefCheck] = []
        span = self.span()
        for who in _BOTH:
            played = self._play("values", who, "check", self.checks, span=span)
            values += chain.from_iterable(_value_checks(found, name, rows, who) for name, rows in played.items())
            if who == "known":
                bands += chain.from_iterable(_bands(found, name, rows) for name, rows in played.items())
            if self.hides:
                played = self._play("beliefs", who, "check", self.checks, span=span, imagines=True)
                for side in self.sides:
                    beliefs += self._belief_checks(found, side, played[f"{BELIEF}{side}"], who)
        about = msgspec.structs.replace(found.about, values=values, bands=bands, beliefs=beliefs)
        return found._replace(about=about)

    def _belief_checks(self, found: Fitted, side: str, rows: Rows, who: Policies) -> Iterator[BeliefCheck]:
        hidden, library = self.game.analysis.hidden, library_of(found, side)
        assert hidden is not None
        assert library is not None
        true = quantities_of(hidden, rows.targets)
        means, deviations = self._believed(library, rows)
        reach = library.reach * (deviations + 1)
        imagined, plain = quantities_of(hidden, rows.imagined), self._means(library, hidden, rows)
        for at, title in enumerate(hidden.quantities):
            where = rows.hides[:, at]
            if not where.any():
                continue
            errors = [(each - true)[where, at] for each in (imagined, plain, means)]
            yield BeliefCheck(
                side=side,
                policies=who,
                quantity=title,
                positions=int(where.sum()),
                resample=_rms(errors[0]),
                mean=_rms(errors[1]),
                belief=_rms(errors[2]),
                covered=round(float((np.abs(errors[2]) <= reach[where, at] + 1e-6).mean()), 4),
            )

    def _means(self, library: Library, hidden: Any, rows: Rows) -> Array:
        """Return the mean of the library's positions of the same turn and phase; else of the same turn, or of all."""
        quantities = quantities_of(hidden, library.counts)
        known: dict[tuple[int, int], Array] = {}
        phases = self._numbers(rows.phases)
        for turn, phase in {*zip(rows.turns.tolist(), phases.tolist(), strict=True)}:
            turns = library.turns == turn
            for where in (turns & (library.phases == phase), turns, np.ones(len(turns), bool)):
                if where.any():
                    known[turn, phase] = quantities[where].mean(0)
                    break
        return np.array([known[key] for key in zip(rows.turns.tolist(), phases.tolist(), strict=True)])


_BOTH: tuple[Policies, Policies] = ("known", "unseen")


def _rms(errors: Array) -> float:
    return round(float(np.sqrt((errors**2).mean())), 3)


def _value_checks(found: Fitted, name: str, rows: Rows, who: Policies) -> Iterator[ValueCheck]:
    """Yield how well a net predicts: in all turns, and in some."""
    net = found.net(name)
    assert net is not None
    values = net(rows.numbers, chances=True)[:, 0]
    utility = rows.targets[:, 0]
    every = np.ones(len(values), bool)
    parts = [(None, every), *((turns, (rows.turns >= turns[0]) & (rows.turns <= turns[1])) for turns in TURNS)]
    for turns, where in parts:
        if where.any():
            yield _value_check(name.removeprefix(SEAT), who, turns, values[where], utility[where], rows.matches[where])


def _value_check(
    view: str, who: Policies, turns: tuple[int, int] | None, values: Array, utility: Array, matches: Array
) -> ValueCheck:
    squares = (values - utility) ** 2
    _, groups = np.unique(matches, return_inverse=True)
    count = int(groups.max()) + 1
    sizes = np.bincount(groups)
    # positions of a match belong together: the error of a ratio of sums over matches
    excess = np.bincount(groups, squares) - squares.mean() * sizes
    error = 1.96 * float(np.sqrt((excess**2).sum() / max(1, count - 1) * count)) / len(values)
    near = np.clip(values, 1e-6, 1 - 1e-6)
    loss = -(utility * np.log(near) + (1 - utility) * np.log(1 - near))
    return ValueCheck(
        view="" if view == STATE else view,
        policies=who,
        turns=turns,
        positions=len(values),
        matches=count,
        brier=round(float(squares.mean()), 4),
        brier_error=round(error if isfinite(error) else 0.0, 4),
        constant=round(float(utility.var()), 4),
        log_loss=round(float(loss.mean()), 4),
        calibration=round(_calibration(values, utility), 4),
    )


def _in_bands(values: Array) -> Array:
    bands: Array = np.minimum((values * BANDS).astype(int), BANDS - 1)
    return bands


def _calibration(values: Array, utility: Array) -> float:
    """Return the mean distance of the utilities from the values, by bands and weighted by their size."""
    bands = _in_bands(values)
    off = np.bincount(bands, utility - values, minlength=BANDS)
    return float(np.abs(off).sum()) / len(values)


def _bands(found: Fitted, name: str, rows: Rows) -> Iterator[Band]:
    """Yield a calibration table."""
    net = found.net(name)
    assert net is not None
    values, utility = net(rows.numbers, chances=True)[:, 0], rows.targets[:, 0]
    bands, view = _in_bands(values), name.removeprefix(SEAT)
    for band in range(BANDS):
        where = bands == band
        if where.any():
            yield Band(
                view="" if view == STATE else view,
                low=band / BANDS,
                high=(band + 1) / BANDS,
                positions=int(where.sum()),
                value=round(float(values[where].mean()), 4),
                utility=round(float(utility[where].mean()), 4),
            )
