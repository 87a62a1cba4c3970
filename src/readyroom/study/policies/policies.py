"""Mixes of policies by iterated best response, also called policy-space response oracles (PSRO).

Each round solves the game between the known policies of both sides, searches the best reply to each side's mix, and
adds it if it gains anything in new matches. After the last round a longer search measures how much the mixes can still
be exploited. Everything follows from the game, the settings and the seed alone, whatever the number of processes; a
limit in minutes decides only after how many rounds it ends, and the command in the result names that number.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from readyroom import __version__
from readyroom.bots.mixes import Challenge, Measured, Member, Mix, Round, SideMix
from readyroom.bots.parameters import Settings, settings_of
from readyroom.bots.statistics import GAIN, Interval, mean_of, mean_utility
from readyroom.engine.figures import Figure
from readyroom.engine.files import save
from readyroom.engine.game import Game, PolicySpace, load_game, sides
from readyroom.study.folder import lock_folder
from readyroom.study.matches import MatchSetup, match_setup, shared_workers
from readyroom.study.matrix_games import solve
from readyroom.study.policies.best_response import GENERATION, Mixed, Search, for_side, paired
from readyroom.study.policies.known import NoPolicies, has_policies
from readyroom.study.policies.policy_matches import SILVER, Arena, Bout, stratify

RESULT = "mix.json"
LAST_STARTS = 3
"""Starts of the last search, each as long as a search of a round."""


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How many matches a study plays: of each search, each payoff, each gain in a round, and each figure at the end."""

    search: int = 8000
    cell: int = 120
    gain: int = 300
    last: int = 1000


class PolicyStudy(NamedTuple):
    """What determines the matches of a study of policies."""

    setup: MatchSetup
    version: str
    fingerprint: str
    seed: str
    effort: Effort

    def identity(self) -> dict[str, Any]:
        """Return everything that determines the matches as plain data; it must be the same to continue a study."""
        return {
            "game": self.setup.game,
            "version": self.version,
            "house": __version__,
            "fingerprint": self.fingerprint,
            "scenario": Path(self.setup.scenario).name,
            "text": self.setup.text,
            "options": self.setup.options,
            **({"figures": self.setup.figures} if self.setup.figures else {}),
            "seed": self.seed,
            "effort": msgspec.to_builtins(self.effort),
        }


def find_mix(
    game: str,
    *,
    folder: Path,
    scenario: str | None = None,
    options: Mapping[str, object] | None = None,
    figures: Mapping[str, Figure] | None = None,
    rounds: int = 6,
    minutes: float | None = None,
    effort: Effort | None = None,
    seed: str = "policies",
    data: Path | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Mix:
    """Find the mix of each side's policies, or continue where a stopped study was.

    Args:
        game: the game's key.
        folder: where the journal and the result are kept.
        scenario: its scenario (default: the first).
        options: choices of its options.
        figures: changes of its data, by address.
        rounds: how many rounds of replies.
        minutes: after this long no further round begins.
        effort: how many matches everything takes.
        seed: any text that fixes everything.
        data: a folder of an owner's own figures.
        workers: how many processes share the work (default: one for each core); the result does not depend on it.
        progress: called with the number of matches finished and the approximate number of all.

    Raises:
        NoPolicies: the game declares none for the scenario.
        UnknownScenario and its family, InvalidData: what does not exist or fit.
        OtherStudy: the folder holds something else.
    """
    playing = load_game(game, data, lambda each: each.scenario(scenario))
    setup = match_setup(playing, data, scenario, options, figures=figures)
    if not has_policies(playing, setup.scenario_of(playing), setup.options):
        raise NoPolicies(playing.title, setup.scenario)
    study = PolicyStudy(setup, playing.version, playing.data_fingerprint, seed, effort or Effort())
    lock_folder(study, folder)
    until = float("inf") if minutes is None else monotonic() + 60 * minutes
    with shared_workers(workers or os.cpu_count() or 1) as mapper:
        arena = Arena(setup, mapper, folder)
        mix = _Oracles(playing, study, arena, rounds, progress).run(until)
    save(folder / RESULT, msgspec.json.format(msgspec.json.encode(mix), indent=1).decode() + "\n")
    return mix


@dataclass
class _Known:
    """A policy that a side knows."""

    name: str
    settings: Settings


@dataclass
class _Oracles:
    """The rounds of a study."""

    game: Game[Any, Any]
    study: PolicyStudy
    arena: Arena
    rounds: int
    progress: Callable[[int, int], None] | None
    known: dict[str, list[_Known]] = field(default_factory=dict)
    payoffs: dict[tuple[int, int], list[float]] = field(default_factory=dict)
    done: list[Round] = field(default_factory=list)

    def __post_init__(self) -> None:
        assert self.game.analysis.policies is not None
        self.space: PolicySpace = self.game.analysis.policies
        setup, self.effort = self.study.setup, self.study.effort
        self.seats = self.game.rules.seats(setup.scenario_of(self.game), setup.options)
        self.sides = sides(self.seats)
        for side in self.sides:
            styles = self.space.styles[side]
            self.known[side] = [_Known(name, settings_of(policy)) for name, policy in styles.items()]
        self.arena.progress = self._report

    @property
    def first(self) -> str:
        """The side whose utility the payoffs are."""
        return self.sides[0]

    def run(self, until: float) -> Mix:
        """Play the rounds, and measure the mixes that they lead to."""
        self._fill("start")
        while len(self.done) < self.rounds and monotonic() < until:
            self._round(len(self.done) + 1)
        self.rounds = len(self.done)
        return self._result()

    # -- rounds ------------------------------------------------------------------------------------------------------

    def _round(self, number: int) -> None:
        """Add the best reply of each side to the other side's mix, if it gains anything."""
        mixes, gains, replies = self._mixes(), dict[str, Measured](), dict[str, Settings]()
        for side in self.sides:
            label = f"{self.study.seed}/round {number}/{side}"
            replies[side] = self._search(side, mixes, label, starts=1)
            (test,) = self._tests({"reply": replies[side]}, side, mixes, label, self.effort.gain)
            gains[side] = test.gain
        for side, reply in replies.items():
            if gains[side].mean > 0:
                self.known[side].append(_Known(f"round {number}", reply))
        self.done.append(Round(gains=gains))
        self._fill(f"round {number}")

    def _search(self, side: str, mixes: Mapping[str, Mixed], label: str, *, starts: int) -> Settings:
        own, other = mixes[side], self._other(side, mixes)
        search = Search(
            self.arena, self.space, self.sides, side, own, other, self.effort.search, starts, f"{label}/search"
        )
        return search.run()

    def _other(self, side: str, mixes: Mapping[str, Mixed]) -> Mixed:
        """Return the mix of the other side; a solitaire game has an empty one."""
        return next((mixes[each] for each in self.sides if each != side), Mixed([{}], [1.0]))

    def _fill(self, name: str) -> None:
        """Play the pairs of policies that have not met."""
        rows, columns = self._rows(), self._columns()
        pairs = product(range(len(rows)), range(len(columns)))
        missing = [pair for pair in pairs if pair not in self.payoffs]
        seeds = [f"{self.study.seed}/pairs/{number}" for number in range(self.effort.cell)]
        bouts = [
            Bout(paired(self.sides, self.first, rows[row], columns[column]), seed)
            for row, column in missing
            for seed in seeds
        ]
        utilities = [score.utility for score in self.arena.play(f"{self.study.seed}/pairs/{name}", bouts)]
        for at, pair in enumerate(missing):
            self.payoffs[pair] = utilities[at * len(seeds) : (at + 1) * len(seeds)]

    def _rows(self) -> list[Settings]:
        return [each.settings for each in self.known[self.first]]

    def _columns(self) -> list[Settings]:
        others = self.sides[1:]
        return [each.settings for each in self.known[others[0]]] if others else [{}]

    def _mixes(self) -> dict[str, Mixed]:
        """Return the solution of the game between all known policies."""
        rows, columns = self._rows(), self._columns()
        table = [[fmean(self.payoffs[row, column]) for column in range(len(columns))] for row in range(len(rows))]
        solution = solve(table)
        shares = dict(zip(self.sides, (solution.rows, solution.columns), strict=False))
        return {
            side: Mixed([known.settings for known in self.known[side]], [round(float(share), 4) for share in mix])
            for side, mix in shares.items()
        }

    # -- measuring ---------------------------------------------------------------------------------------------------

    def _tests(
        self, named: Mapping[str, Settings], side: str, mixes: Mapping[str, Mixed], label: str, matches: int
    ) -> list[Challenge]:
        """Measure policies and their side's mix against the other side's mix, in new matches with the same dice."""
        others = self._other(side, mixes).opponents(matches)
        own = [mixes[side].policies[at] for at in stratify(mixes[side].shares, matches, SILVER)]
        seeds = [f"{label}/test/{number}" for number in range(matches)]
        bouts = [
            Bout(paired(self.sides, side, mine, other), seed)
            for policies in (own, *([policy] * matches for policy in named.values()))
            for mine, other, seed in zip(policies, others, seeds, strict=True)
        ]
        scores = self.arena.play(f"{label}/test", bouts)
        values = [for_side(score, self.sides, side).utility for score in scores]
        base, *all_of = [values[at : at + matches] for at in range(0, len(values), matches)]
        return [
            Challenge(
                name=name,
                utility=_measured(mean_utility(mine)),
                gain=_measured(mean_of([each - mixed for each, mixed in zip(mine, base, strict=True)], GAIN)),
                matches=matches,
                settings=policy,
            )
            for (name, policy), mine in zip(named.items(), all_of, strict=True)
        ]

    def _value(self, mixes: Mapping[str, Mixed]) -> Measured:
        """Measure the utility to the first side where both play their mix."""
        matches, label = self.effort.last, f"{self.study.seed}/after {self.rounds}/value"
        mine = [mixes[self.first].policies[at] for at in stratify(mixes[self.first].shares, matches, SILVER)]
        others = self._other(self.first, mixes).opponents(matches)
        bouts = [
            Bout(paired(self.sides, self.first, own, other), f"{label}/{number}")
            for number, (own, other) in enumerate(zip(mine, others, strict=True))
        ]
        return _measured(mean_utility([score.utility for score in self.arena.play(label, bouts)]))

    def _result(self) -> Mix:
        """Search once more, measure everything in new matches, and return it."""
        mixes, setup = self._mixes(), self.study.setup
        value, sides = self._value(mixes), [self._side(side, mixes) for side in self.sides]
        return Mix(
            game=self.game.key,
            version=self.game.version,
            scenario=setup.scenario,
            options=self.game.non_default_options(setup.options),
            command=self._command(),
            value=value,
            value_matches=self.effort.last,
            sides=sides,
            payoffs=[
                [_measured(mean_utility(self.payoffs[row, column])) for column in range(len(self._columns()))]
                for row in range(len(self._rows()))
            ],
            cell_matches=self.effort.cell,
            rounds=self.done,
            search_matches=self.effort.search,
            matches=self.arena.played,
        )

    def _side(self, side: str, mixes: Mapping[str, Mixed]) -> SideMix:
        """Return the mix of a side, how much a last search gains against the other side's, and the tests."""
        label = f"{self.study.seed}/after {self.rounds}/{side}"
        reply = self._search(side, mixes, label, starts=LAST_STARTS)
        named = {**self.space.styles[side], **self.space.challengers.get(side, {})}
        policies = {"last search": reply, **{name: settings_of(policy) for name, policy in named.items()}}
        last, *tests = self._tests(policies, side, mixes, label, self.effort.last)
        return SideMix(
            side=side,
            name=self.game.side_name(side, self.seats),
            members=[
                Member(name=known.name, share=share, settings=known.settings)
                for known, share in zip(self.known[side], mixes[side].shares, strict=True)
            ],
            reply=last,
            search_matches=LAST_STARTS * self.effort.search,
            tests=tests,
        )

    def _command(self) -> str:
        """Return the command that makes the result again."""
        setup, effort = self.study.setup, self.effort
        texts = ["readyroom", "policies", self.game.key, "--scenario", setup.scenario]
        if setup.figures:
            texts = ["readyroom", "policies", self.game.key, "--study", "study.toml"]
        else:
            for key, choice in self.game.non_default_options(setup.options).items():
                texts += ["--option", f"{key}={choice}"]
        for name in effort.__struct_fields__:
            texts += [f"--{name}", str(getattr(effort, name))]
        return shlex.join([*texts, "--rounds", str(self.rounds), "--seed", self.study.seed])

    # -- progress ----------------------------------------------------------------------------------------------------

    def _report(self, played: int) -> None:
        if self.progress is not None:
            self.progress(played, max(played, self.expected_matches()))

    def expected_matches(self) -> int:
        """Return about how many matches the study takes, if every reply is added."""
        effort, rounds = self.effort, self.rounds
        rows, columns = (len(self.space.styles[side]) + rounds for side in (self.sides[0], self.sides[-1]))
        cells = (rows * columns if len(self.sides) > 1 else rows) * effort.cell
        searches = (rounds + LAST_STARTS) * max(effort.search, GENERATION)
        named = sum(len(self.space.styles[side]) + len(self.space.challengers.get(side, {})) for side in self.sides)
        tests = 2 * rounds * effort.gain * len(self.sides) + (named + 1 + 2 * len(self.sides)) * effort.last
        return cells + searches * len(self.sides) + tests


def _measured(interval: Interval) -> Measured:
    return Measured(interval.mean, interval.low, interval.high)
