"""Measure how often the intervals of each tool cover the truth: `python -m docs.coverage --write`.

The truth is exact: odds that the games calculate, from which samples are drawn, or the win chances at the first
decision of the example game Lantern Strait, see `win_chance`. A 95 % confidence interval should cover it in 95 of 100
runs. This takes about ten minutes. The table goes to `coverage.txt`; without `--write` it is only printed. `--runs N`
sets the number of runs, and `--decisions N` how many decisions of Midway are analyzed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import inf
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from readyroom.bots.analysis import FEWEST, RatedAnswer, analyze
from readyroom.bots.rollouts import Candidate, Rollouts, answer_of, baseline_policy, believe, policies_for
from readyroom.bots.search import Limit
from readyroom.bots.statistics import CONFIDENCE, GAIN, MARGIN, SIGNIFICANT, mean_of, wilson_interval
from readyroom.engine.game import Game, load_game
from readyroom.engine.match import Match
from readyroom.engine.rules.checks import signed
from readyroom.study import ladder
from readyroom.study.matches import map_parallel
from readyroom.study.measures import Measure, build_result, difference, mean_limits
from readyroom.study.review.what_if import what_if
from readyroom.study.studies import Done, check_study
from readyroom.study.studyfile import NamedTable, Study, StudyFile

DOCS = Path(__file__).parent
PAGE = DOCS / "coverage.txt"
RUNS = 2000
DECISIONS = 70
ROUNDS = 8 * FEWEST
"""The rounds of an analysis of Midway. With a quarter of them, the first answer is nearly always the default bot's."""
SLOW, SLOWEST = 10, 20
"""A tool that plays matches, and a ladder, have this many times fewer runs."""
OWN_LUCK = 0.3
"""The share of matches in which the cases have luck of their own, although their dice are shared."""
ELO = {"doctrine": 1100.0, "guarded": 1050.0, "massed": 950.0, "eager": 900.0}
COLUMNS = ("tool", "figure", "n", "intervals", "cover the truth (95 % CI)", "half-width")
WON = Measure("won by usa", "Won by United States", "share")
HITS = Measure("Hits", "Hits", "figure")
Array = NDArray[np.float64]
Odds = Mapping[int, Fraction]
Checked = tuple[float, float, float]
"""The ends of an interval, and the truth."""


class Row(NamedTuple):
    """How often the intervals of a figure covered the truth."""

    tool: str
    figure: str
    samples: int
    intervals: int
    coverage: float
    width: float


def row(tool: str, figure: str, samples: int, intervals: Iterable[Checked]) -> Row:
    """Return the row of these intervals."""
    checked = list(intervals)
    coverage = fmean(low - 1e-9 <= truth <= high + 1e-9 for low, high, truth in checked)
    return Row(tool, figure, samples, len(checked), coverage, fmean((high - low) / 2 for low, high, _ in checked))


# -- exact odds as the truth -----------------------------------------------------------------------------------------


@cache
def dogfight(strength: int) -> Odds:
    """Return the exact odds of the hits in a dogfight of Midway."""
    rows = load_game("midway").question("dogfight").evaluate({"dice": str(strength)}, "coverage").rows
    return {int(text.split()[0]): chance for text, chance in rows}


@cache
def chance(game: str, query: str, text: str) -> float:
    """Return an exact chance."""
    return float(dict(load_game(game).question(query).evaluate({}, "coverage").rows)[text])


def mean_hits(odds: Odds) -> float:
    """Return the exact mean."""
    return float(sum(hits * chance for hits, chance in odds.items()))


def hits_of(odds: Odds, luck: Array) -> Array:
    """Return the hits of matches with this luck from 0 to 1."""
    ends = np.cumsum([float(chance) for chance in odds.values()])
    return np.array(list(odds))[np.searchsorted(ends[:-1], luck)].astype(float)


def lucks(random: np.random.Generator, count: int) -> tuple[Array, Array]:
    """Return the luck of matches in two cases: mostly the same."""
    first, other = random.random(count), random.random(count)
    return first, np.where(random.random(count) < OWN_LUCK, other, first)


# -- studies ---------------------------------------------------------------------------------------------------------


def studies(runs: int) -> Iterator[Row]:
    """Yield the rows of studies: figures of one case, and differences with shared and independent dice."""
    one, two = chance("tora", "radar", "works"), chance("tora", "luck", "all red")
    for count in (30, 300):
        yield row("study", "share", count, _shares(chance("tora", "guns", "1 or more hit"), count, runs))
        yield row("study", "mean", count, _means(dogfight(10), count, runs))
        for paired, dice in ((True, "shared dice"), (False, "independent dice")):
            yield row("study", f"difference of shares, {dice}", count, _changes(one, two, count, runs, paired=paired))
            yield row("study", f"difference of means, {dice}", count, _mean_changes(count, runs, paired=paired))


def rare_events(runs: int) -> Iterator[Row]:
    """Yield the rows of events that many samples do not have at all."""
    for count in (30, 100, 1000):
        yield row("study", "share of 1 %", count, _shares(0.01, count, runs))
        yield row("study", "difference of 1 % and 3 %", count, _changes(0.01, 0.03, count, runs, paired=True))
        yield row("study", "mean of 0 (97 %), 1 (2 %) and 3 (1 %)", count, _means(RARE, count, runs))


RARE: Odds = {0: Fraction(97, 100), 1: Fraction(2, 100), 3: Fraction(1, 100)}


def _shares(truth: float, count: int, runs: int) -> Iterator[Checked]:
    random = _random(1)
    for _ in range(runs):
        yield *wilson_interval(int((random.random(count) < truth).sum()), count), truth


def _means(odds: Odds, count: int, runs: int) -> Iterator[Checked]:
    random = _random(2)
    for _ in range(runs):
        yield *mean_limits(hits_of(odds, random.random(count))), mean_hits(odds)


def _changes(one: float, two: float, count: int, runs: int, *, paired: bool) -> Iterator[Checked]:
    random = _random(3)
    for _ in range(runs):
        first, other = lucks(random, count) if paired else (random.random(count), random.random(count))
        result = difference(WON, "x", (first < one).astype(float), (other < two).astype(float), paired=paired)
        yield result.low, result.high, two - one


def _mean_changes(count: int, runs: int, *, paired: bool) -> Iterator[Checked]:
    random, (one, two) = _random(4), (dogfight(10), dogfight(11))
    truth = mean_hits(two) - mean_hits(one)
    for _ in range(runs):
        first, other = lucks(random, count) if paired else (random.random(count), random.random(count))
        result = difference(HITS, "x", hits_of(one, first), hits_of(two, other), paired=paired)
        yield result.low, result.high, truth


def false_findings(runs: int, matches: int = 100) -> float:
    """Return how many studies without any effect report one: four cases against the first, several measures."""
    game, study, random = load_game("midway"), _study({f"case {n}": {} for n in range(5)}, matches), _random(5)
    return fmean(_reports_one(game, study, random) for _ in range(runs))


def _reports_one(game: Game[Any, Any], study: Study, random: np.random.Generator) -> bool:
    shared, rows = random.random(study.matches), list[dict[str, Any]]()
    for number, case in enumerate(study.cases):
        own = np.where(random.random(study.matches) < OWN_LUCK, random.random(study.matches), shared)
        hits = hits_of(dogfight(10), own)
        rows += [
            _match(number, case.name, n, "usa" if luck < 0.5 else "japan" if luck < 0.9 else None) | {"Hits": hit}
            for n, (luck, hit) in enumerate(zip(own, hits, strict=True))
        ]
    result = build_result(game, study, pl.DataFrame(rows, infer_schema_length=None))
    return any(one is not None and one.p < SIGNIFICANT for each in result.measures for one in each.differences)


def false_equivalence(runs: int, matches: int = 2000) -> float:
    """Return how often two cases are called about equal whose difference is just the margin."""
    random = _random(6)

    def equal() -> bool:
        first, other = lucks(random, matches)
        cases = (first < 0.5).astype(float), (other < 0.5 + MARGIN).astype(float)
        return difference(WON, "x", *cases, paired=True).is_equivalent

    return fmean(equal() for _ in range(runs))


def _study(cases: Mapping[str, Mapping[str, str]], matches: int) -> Study:
    named = [NamedTable(name=name, bots=dict(bots)) for name, bots in cases.items()]
    return check_study(StudyFile(title="Coverage", game="midway", matches=matches, case=named))


def _match(case: int, name: str, number: int, winner: str | None) -> dict[str, Any]:
    facts = {"case": case, "name": name, "match": number, "winner": winner, "title": winner or "draw"}
    return {**facts, "decisions": 1, "turn": 1}


def _random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


# -- ladders ---------------------------------------------------------------------------------------------------------


def ladders(runs: int, matches: int = 50) -> Iterator[Row]:
    """Yield the rows of ladders between four bots of known strength."""
    shares, ratings, leaders, random = list[Checked](), list[Checked](), list[Checked](), _random(7)
    pairs = list(permutations(ELO, 2))
    study = _study(
        {ladder.AGAINST.join(pair): dict(zip(("japan", "usa"), pair, strict=True)) for pair in pairs}, matches
    )
    game = load_game("midway")
    for _ in range(runs):
        rows = [
            _match(case, study.cases[case].name, n, "japan" if random.random() < expected(*pair) else "usa")
            for case, pair in enumerate(pairs)
            for n in range(matches)
        ]
        done = Done(build_result(game, study, frame := pl.DataFrame(rows, infer_schema_length=None)), frame)
        result = ladder.build_result(game, study, list(ELO), done)
        shares += [(met.low, met.high, expected(met.first, met.second)) for met in result.met]
        ratings += [(rung.low, rung.high, ELO[rung.bot]) for rung in result.rungs]
        best = result.leader
        truth = fmean(expected(best.bot, other) for other in ELO if other != best.bot)
        leaders.append((best.share.low, best.share.high, truth))
    yield row("ladder", "share of a pair", matches, shares)
    yield row("ladder", "Elo", matches, ratings)
    yield row("ladder", "share of the best bot", matches // 2, leaders)


def expected(one: str, other: str) -> float:
    """Return the share of the points of one bot against another."""
    return 1 / (1 + 10 ** ((ELO[other] - ELO[one]) / 400))


# -- what-if and analysis --------------------------------------------------------------------------------------------


@cache
def strait() -> Game[Any, Any]:
    """Return the example game; its largest boat carries four drums, so that it matters which one sails first."""
    if str(DOCS / "example") not in sys.path:
        sys.path.insert(0, str(DOCS / "example"))
    from lantern_strait import GAME

    figures = GAME.data.figures
    boats = [msgspec.structs.replace(boat, drums=4 if boat.key == "crane" else boat.drums) for boat in figures.boat]
    data = msgspec.structs.replace(GAME.data, figures=msgspec.structs.replace(figures, boat=boats))
    return replace(GAME, data=data)


@cache
def win_chance(first: str) -> float:
    """Return the runner's exact win chance if this boat sails first, the fullest next, and channels are random."""
    figures = strait().data.figures
    boats = sorted(figures.boat, key=lambda boat: (boat.key == first, boat.drums, boat.key), reverse=True)[:3]
    orders = list(permutations(figures.sky, 3))
    return float(sum(_wins(boats, skies, figures) for skies in orders) / len(orders))


def _wins(boats: Sequence[Any], skies: Sequence[Any], figures: Any) -> Fraction:
    """Return the win chance under these skies, one for each night."""
    passes = [sum(die + sky.modifier >= figures.catch_at for die in range(1, 7)) for sky in skies]
    caught = [Fraction(count, 6 * len(figures.channels)) for count in passes]
    total = Fraction(0)
    for lost in product((False, True), repeat=len(boats)):
        chances = [each if gone else 1 - each for each, gone in zip(caught, lost, strict=True)]
        drums = sum(boat.drums for boat, gone in zip(boats, lost, strict=True) if not gone)
        if drums >= figures.drums_a_night * len(boats):
            total += chances[0] * chances[1] * chances[2]
    return total


def what_ifs(runs: int, matches: int = 60) -> Iterator[Row]:
    """Yield the rows of what-ifs about the first decision of a match."""
    game, boats = strait(), ("crane", "wren")
    match = Match(game, seed="coverage")
    match.decide("runner", [boats[0]])
    random = Random(8)
    while match.outcome is None:
        for seat, decision in match.pending.items():
            match.decide(seat, decision.sample(random))
    chances, changes = list[Checked](), list[Checked]()
    for run in range(runs):
        result = what_if(match.record(), 1, [[boats[1]]], matches=matches, seed=f"{run}", game=game)
        for boat, branch in zip(boats, result.branches, strict=True):
            chances.append((branch.utility.low, branch.utility.high, win_chance(boat)))
        change = result.changes[0].worth
        changes.append((change.low, change.high, win_chance(boats[1]) - win_chance(boats[0])))
    yield row("what-if", "win chance", matches, chances)
    yield row("what-if", "difference", matches, changes)


class AnalysisCheck(NamedTuple):
    """The rows of analyses, and by how much the advantage of the first answer, and the highest one, were too high."""

    rows: list[Row]
    first: list[float]
    highest: list[float]


def analyses(runs: int, rounds: int = 80) -> AnalysisCheck:
    """Analyze the first decision of the example game again and again."""
    game, chances, gains = strait(), list[Checked](), list[Checked]()
    first, highest = list[float](), list[float]()
    match = Match(game, seed="coverage")
    for run in range(runs):
        advice = analyze(match, "runner", Limit(inf, rounds), Random(run))
        ranked = [rated for rated in advice.rated if rated.is_ranked]
        base = win_chance("crane")
        for rated in ranked:
            truth = win_chance(rated.keys[0])
            chances.append((rated.utility - rated.error, rated.utility + rated.error, truth))
            if rated.keys[0] != "crane":
                low, high = rated.advantage - rated.advantage_error, rated.advantage + rated.advantage_error
                gains.append((low, high, truth - base))
        best = max(ranked, key=lambda rated: rated.advantage)
        first.append(ranked[0].advantage - win_chance(ranked[0].keys[0]) + base)
        highest.append(best.advantage - win_chance(best.keys[0]) + base)
    rows = [row("analysis", "win chance", rounds // 2, chances), row("analysis", "vs bot", rounds // 2, gains)]
    return AnalysisCheck(rows, first, highest)


# -- analysis of Midway ----------------------------------------------------------------------------------------------


def midway_decision(number: int) -> tuple[Match[Any, Any], str]:
    """Return a match of Midway at a random decision with several answers, and its seat."""
    game, random = load_game("midway"), Random(f"coverage {number}")
    while True:
        match = Match(game, seed=f"coverage {random.random()}", log=False)
        bots = {seat.key: baseline_policy(game)(seat.key, random) for seat in match.seats}
        for _ in range(random.randrange(20, 200)):
            for seat, decision in match.pending.items():
                match.decide(seat, bots[seat](decision, match.bot_view(seat)))
        for seat, decision in match.pending.items():
            if not decision.is_forced:
                return match, seat


class Excess(NamedTuple):
    """By how much an analysis reports more advantage than new rollouts: of the first answer, of that with most.

    `differs`: the first answer is not the baseline.
    """

    first: float
    highest: float
    differs: bool


def excess(number: int) -> Excess:
    """Analyze a decision of Midway, and measure its answers again."""
    match, seat = midway_decision(number)
    advice = analyze(match, seat, Limit(inf, ROUNDS), Random(number))
    ranked = [rated for rated in advice.rated if rated.is_ranked]
    highest = max(ranked, key=lambda rated: rated.advantage)
    first, best = (rated.advantage - new_advantage(match, seat, rated, number) for rated in (ranked[0], highest))
    return Excess(first, best, differs=ranked[0].advantage_error > 0)


def new_advantage(match: Match[Any, Any], seat: str, rated: RatedAnswer, number: int) -> float:
    """Return the advantage of an answer in rollouts of its own, from positions drawn as in the analysis."""
    if not rated.advantage_error:
        return 0.0  # the baseline
    side, view = match.seat(seat).side, match.bot_view(seat)
    if (beliefs := believe(match.game, view)) is not None:
        view = view.with_resample(beliefs.resample)
    base = baseline_policy(match.game)
    rollouts, random = Rollouts(match.game, seat, base, side), Random(f"new {number} {rated.keys}")
    answer = answer_of(match.pending[seat], base(seat, random), view) or ()
    maker = policies_for(match.game, side).get(rated.policy, base)
    tried = Candidate(rated.keys, maker), Candidate(answer, base)

    def gain(seed: float) -> float:
        mine, theirs = (rollouts.utility(candidate, view, seed, inf) or 0.0 for candidate in tried)
        return mine - theirs

    return fmean(gain(random.random()) for _ in range(2 * FEWEST))


# -- the page --------------------------------------------------------------------------------------------------------


def text(runs: int, decisions: int = 0, workers: int = 1) -> str:
    """Return the tables; `decisions` of Midway are analyzed and measured again, in this many processes."""
    analyzed = analyses(max(2, runs // SLOW))
    rows = [*studies(runs), *what_ifs(max(2, runs // SLOW)), *analyzed.rows, *ladders(max(2, runs // SLOWEST))]
    lines = ["% tools", "", *_table(rows), "% rare events", "", *_table(rare_events(runs)), "% errors", ""]
    findings, equal = false_findings(max(2, runs // 4)), false_equivalence(runs)
    if decisions:
        excesses = list(map_parallel(excess, range(decisions), workers))
        first, highest = _bias([each.first for each in excesses]), _bias([each.highest for each in excesses])
        differing = sum(each.differs for each in excesses)
        lines += [
            f"- In {decisions} decisions of Midway ({ROUNDS} rounds each), the reported advantage of the first answer "
            f"exceeded that in new rollouts by {first} on average; that of the answer with the highest figure, by "
            f"{highest}. The first answer was not the default bot's in {differing} of them; in the others its "
            "advantage is 0 by definition."
        ]
    lines += [
        f"- Of studies without any effect, {100 * findings:.1f} % report one (at most {100 * SIGNIFICANT:.0f} %).",
        f"- Cases that differ by exactly the margin are called about equal in {100 * equal:.1f} % "
        f"(at most {50 * (1 - CONFIDENCE):.1f} %).",
        f"- The advantage that an analysis reports of its first answer is too high by {_bias(analyzed.first)} "
        f"on average over {len(analyzed.first):,} analyses; the highest figure of each would be too high by "
        f"{_bias(analyzed.highest)}.",
        "",
        "% end",
        "",
    ]
    return "\n".join(lines)


def _table(rows: Iterable[Row]) -> list[str]:
    head = [f"| {' | '.join(COLUMNS)} |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    return [*head, *map(_line, rows), ""]


def _line(one: Row) -> str:
    low, high = wilson_interval(one.coverage * one.intervals, one.intervals)
    cells = [
        one.tool,
        one.figure,
        str(one.samples),
        f"{one.intervals:,}",
        f"{100 * one.coverage:.1f} % ({100 * low:.1f} to {100 * high:.1f})",
        f"{one.width:.3f}" if one.width < 10 else f"{one.width:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _bias(values: Sequence[float]) -> str:
    """Return the mean of differences in percentage points with its interval."""
    interval = mean_of(values, GAIN)
    low, mean, high = (signed(100 * figure, 1) for figure in (interval.low, interval.mean, interval.high))
    return f"{mean} points (95 % CI {low} to {high})"


def main() -> None:
    """Measure, and print or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--decisions", type=int, default=DECISIONS)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes for these decisions")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    result = text(args.runs, args.decisions, args.workers)
    print(result)
    if args.write:
        PAGE.write_text(result, encoding="utf-8")


if __name__ == "__main__":
    main()
