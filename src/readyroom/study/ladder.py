"""The ladder: every bot of a game against every other on both sides, with the same dice, and how strong each is.

Strength is given in Elo points, by the Bradley–Terry model: a lead of 400 points means ten wins to one. A draw
is half a win. In a game for one, two bots meet by playing the same dice each for itself, and the one with the better
more has won. The intervals of ratings come from drawing the matches again, with repetition, and two more that either
bot may have won: a bot that has won every match may lose the next one.

The strongest of many bots has often been lucky, so it is chosen on one half of the matches and measured on the other.
The p-values of all pairs are adjusted together (Holm).

Luck can be taken out of the results of a game with fitted values: fewer matches then give the same intervals, but each
takes longer. That pays for bots that think.

A ladder is a study, so it can be stopped at any time and continues where it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from readyroom.bots import bot_names
from readyroom.bots.statistics import (
    CONFIDENCE,
    SIGNIFICANT,
    Interval,
    Limits,
    holm,
    is_choosing,
    is_equivalent,
    mean_of,
    mean_utility,
    p_value,
    utility_limits,
)
from readyroom.engine.errors import InvalidData
from readyroom.engine.game import Game, load_game, sides
from readyroom.engine.rules.state import Outcome
from readyroom.study.measures import SCORE
from readyroom.study.results import StudyResult
from readyroom.study.review.luck import values_for
from readyroom.study.studies import LUCK, Done, Progress, check_study, play_in
from readyroom.study.studyfile import NamedTable, Study, StudyFile

Array = NDArray[np.float64]
DRAWS = 400
"""How many times the matches are drawn again for the intervals."""
ROUNDS = 200
"""Steps by which strengths come close enough to where they no longer change."""
AGAINST = " against "
"""Between the bots of a case in its name."""
MIDDLE, DECADE = 1000.0, 400.0
"""The mean strength, and the lead that means ten wins to one."""
PSEUDO = 2
"""How many matches of unknown result are added when matches are drawn again."""
EDGE = (50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE))
"""The percentiles at both ends of the confidence interval."""


class PairResult(msgspec.Struct, frozen=True, kw_only=True):
    """Two bots: in how many matches they met, and the first one's share of the points with its 95 % interval.

    `sides` is that share where the first one played each side; `counts` what it changed in the game's own figures, each
    with the half-width of the interval: first, second, difference, error. Only a game for one has these. `p` is the
    p-value of a share other than one half, adjusted for all pairs.
    """

    first: str
    second: str
    matches: int
    share: float
    low: float
    high: float
    sides: dict[str, float]
    counts: dict[str, tuple[float, float, float, float]]
    p: float

    @property
    def is_significant(self) -> bool:
        """Whether one bot is better than the other beyond chance."""
        return self.p < SIGNIFICANT

    @property
    def is_equivalent(self) -> bool:
        """Whether the bots are about equally strong: the whole interval is within the margin of one half."""
        return is_equivalent(self.low - 0.5, self.high - 0.5)


class BotRating(msgspec.Struct, frozen=True):
    """A bot's strength in Elo points, with its 95 % interval, and what its endings were worth on average."""

    bot: str
    elo: float
    low: float
    high: float
    utility: float = msgspec.field(name="worth")


class Leader(msgspec.Struct, frozen=True):
    """The strongest bot in one half of the matches, and its share of the points in the other half."""

    bot: str
    share: Interval


class Ladder(StudyResult, frozen=True, kw_only=True):
    """All bots, the strongest first, and every pair."""

    game: str
    scenario: str
    options: dict[str, str]
    matches: int
    seed: str
    version: str
    rungs: list[BotRating]
    met: list[PairResult]
    leader: Leader


class _Utilities(NamedTuple):
    """What every match was worth to its first side, by the bots that sat on both sides (or the one), match by match."""

    sides: Sequence[str]
    of: Mapping[tuple[str, ...], Array]


def run_ladder(
    game: str,
    bots: Sequence[str] = (),
    *,
    folder: Path,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    matches: int = 100,
    seed: str = "ladder",
    luck: bool = True,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """Play every pair of bots, or continue a stopped ladder, and rate them.

    Args:
        game: the game's key.
        bots: their names; without any, all of the game.
        folder: where the matches are kept.
        scenario: the scenario (default: the game's `ladder_scenario`, or its first).
        options: choices of its options.
        matches: how many matches each pair plays on each side.
        seed: words that fix the dice.
        luck: whether luck is part of the results; without it the game needs two sides and fitted values.
        workers: how many processes share the work.
        progress: called with the number of matches finished and the number of all.

    Raises:
        UnknownBot and its family, InvalidData: what does not exist, or fewer than two bots.
        NoValues: luck cannot be measured in this game.
        OtherStudy: the folder holds something else.
    """
    playing = load_game(game, fits=lambda each: each.scenario(scenario))
    names = list(bots) or bot_names(playing)
    study = ladder_study(game, names, scenario=scenario, options=options, matches=matches, seed=seed, luck=luck)
    return build_result(playing, study, names, play_in(study, folder, workers=workers, progress=progress))


def ladder_study(
    game: str,
    bots: Sequence[str] = (),
    *,
    scenario: str | None = None,
    options: Mapping[str, str] | None = None,
    matches: int = 100,
    seed: str = "ladder",
    luck: bool = True,
) -> Study:
    """Return the study of a ladder; the arguments are those of `run_ladder`."""
    playing = load_game(game, fits=lambda each: each.scenario(scenario))
    names = list(bots) or bot_names(playing)
    if len(set(names)) < 2:
        raise InvalidData("ladder", "bots", "at least two different bots", ", ".join(names) or "none")
    scenario = playing.analysis.ladder_scenario if scenario is None else scenario
    study = check_study(_study(playing, names, scenario, dict(options or {}), matches, seed), by_clock=True)
    if not luck:
        if len(_sides(playing, scenario, options or {})) == 1:
            raise InvalidData("ladder", "luck", "a game of two sides", playing.title)
        values_for(playing)
    return study._replace(luck=not luck)


def build_result(game: Game[Any, Any], study: Study, names: Sequence[str], done: Done) -> Ladder:
    """Return the ratings and pairs from the matches of a ladder."""
    table = study.cases[0].table
    playing = _sides(game, table.scenario, table.options)
    values: dict[tuple[str, ...], Array] = {}
    for (name,), rows in done.matches.sort("match").group_by("name", maintain_order=True):
        lucky = f"{LUCK}{playing[0]}"
        first = [
            game.analysis.utility(_outcome(row), playing[0]) - row.get(lucky, 0.0) for row in rows.iter_rows(named=True)
        ]
        values[tuple(str(name).split(AGAINST))] = np.array(first)
    utilities = _Utilities(playing, values)
    return Ladder(
        game=game.key,
        scenario=table.scenario,
        options=table.options,
        matches=study.matches,
        seed=study.seed,
        version=game.version,
        rungs=_rungs(names, utilities),
        met=_adjusted([_met(first, second, utilities, done.matches) for first, second in combinations(names, 2)]),
        leader=_leader(names, utilities),
    )


def _sides(game: Game[Any, Any], scenario: str | None, options: Mapping[str, str]) -> list[str]:
    return sides(game.rules.seats(game.scenario(scenario), game.resolve(options)))


def _study(
    game: Game[Any, Any], names: Sequence[str], scenario: str | None, options: dict[str, Any], matches: int, seed: str
) -> StudyFile:
    """Yield every pair both ways round; in a solitaire game, every bot by itself."""
    playing = _sides(game, scenario, options)
    seated = permutations(names, 2) if len(playing) > 1 else ((name,) for name in names)
    cases = [NamedTable(name=AGAINST.join(pair), bots=dict(zip(playing, pair, strict=True))) for pair in seated]
    return StudyFile(
        title=f"Ladder of {game.title}",
        game=game.key,
        scenario=scenario,
        options=options,
        matches=matches,
        seed=seed,
        case=cases,
    )


def _outcome(row: Mapping[str, Any]) -> Outcome:
    """Return how a match ended, as far as its row says."""
    scores = {name.removeprefix(SCORE): row[name] for name in row if name.startswith(SCORE) and row[name] is not None}
    return Outcome(row["winner"], row["title"], "", scores)


# -- pairs -----------------------------------------------------------------------------------------------------------


def _points(first: str, second: str, utilities: _Utilities) -> Array:
    """Return the first bot's points match by match: the mean of both sides, or who of the two did better alone."""
    if len(utilities.sides) > 1:
        return (utilities.of[first, second] + 1.0 - utilities.of[second, first]) / 2.0
    mine, theirs = utilities.of[(first,)], utilities.of[(second,)]
    return (np.sign(mine - theirs) + 1.0) / 2.0


def _met(first: str, second: str, utilities: _Utilities, matches: pl.DataFrame) -> PairResult:
    points = _points(first, second, utilities)

    def limits(level: float) -> Limits:
        low, high = utility_limits(points.tolist(), level)
        return low - 0.5, high - 0.5

    low, high = utility_limits(points.tolist())
    by_side = dict[str, float]()
    if len(utilities.sides) > 1:
        one, other = utilities.sides
        by_side = {
            one: float(utilities.of[first, second].mean()),
            other: float(1.0 - utilities.of[second, first].mean()),
        }
    return PairResult(
        first=first,
        second=second,
        matches=len(points) * 2,
        share=float(points.mean()),
        low=low,
        high=high,
        sides=by_side,
        counts={} if by_side else _counts(first, second, matches),
        p=p_value(limits),
    )


def _adjusted(met: Sequence[PairResult]) -> list[PairResult]:
    """Adjust the p-values of all pairs together."""
    adjusted = holm([each.p for each in met])
    return [msgspec.structs.replace(each, p=p) for each, p in zip(met, adjusted, strict=True)]


def _counts(first: str, second: str, matches: pl.DataFrame) -> dict[str, tuple[float, float, float, float]]:
    """Return the statistics of both bots with the same dice."""
    data = {}
    for title in [name for name, kind in matches.schema.items() if kind == pl.Float64]:
        mine, theirs = (
            matches.filter(pl.col("name") == name).sort("match")[title].fill_null(0.0).to_numpy()
            for name in (first, second)
        )
        change = mean_of((mine - theirs).tolist())
        data[title] = (float(mine.mean()), float(theirs.mean()), change.mean, change.reach)
    return data


# -- strengths -------------------------------------------------------------------------------------------------------


def _rungs(names: Sequence[str], utilities: _Utilities) -> list[BotRating]:
    """Return the ratings of all matches with bootstrap intervals."""
    pairs = {pair: _points(*pair, utilities) for pair in combinations(names, 2)}
    count = len(next(iter(pairs.values())))
    random = np.random.default_rng(0)

    def drawn_again() -> Array:
        numbers = random.integers(0, count + PSEUDO, count)
        known = numbers[numbers < count]
        unknown = {pair: random.integers(0, 2, count - len(known)).sum() for pair in pairs}
        return strengths(names, {pair: float(each[known].sum() + unknown[pair]) for pair, each in pairs.items()}, count)

    best = strengths(names, {pair: float(points.sum()) for pair, points in pairs.items()}, count)
    low, high = np.percentile([drawn_again() for _ in range(DRAWS)], EDGE, axis=0)
    rungs = [
        BotRating(name, round(best[at]), round(low[at]), round(high[at]), _mean_worth(name, utilities))
        for at, name in enumerate(names)
    ]
    return sorted(rungs, key=lambda rung: -rung.elo)


def _leader(names: Sequence[str], utilities: _Utilities) -> Leader:
    """Choose the strongest bot on one half of the matches, and measure it on the other."""
    pairs = {pair: _points(*pair, utilities) for pair in combinations(names, 2)}
    count = len(next(iter(pairs.values())))
    choosing = np.array([is_choosing(number) for number in range(count)])
    ratings = strengths(names, {pair: float(each[choosing].sum()) for pair, each in pairs.items()}, int(choosing.sum()))
    best = names[int(ratings.argmax())]
    shares = [points if pair[0] == best else 1.0 - points for pair, points in pairs.items() if best in pair]
    return Leader(best, mean_utility(np.mean(shares, axis=0)[~choosing].tolist()))


def _mean_worth(name: str, utilities: _Utilities) -> float:
    values = [array if seated[0] == name else 1.0 - array for seated, array in utilities.of.items() if name in seated]
    return float(np.concatenate(values).mean())


def strengths(names: Sequence[str], points: Mapping[tuple[str, str], float], count: int) -> Array:
    """Return the Elo points of these bots, from the points of the first of each pair in this many matches.

    Half a point is given to either of every pair beforehand, so that a bot that won everything still has a rating.

    >>> [round(elo) for elo in strengths(["a", "b"], {("a", "b"): 1000.0}, 1100)]
    [1200, 800]
    """
    size = len(names)
    won, met = np.zeros((size, size)), np.zeros((size, size))
    for (first, second), own in points.items():
        at, other = names.index(first), names.index(second)
        own = min(max(0.0, own), count)  # without luck, results may be beyond those of a match
        won[at, other], won[other, at] = own + 0.5, count - own + 0.5
        met[at, other] = met[other, at] = count + 1.0
    power = np.ones(size)
    for _ in range(ROUNDS):
        power = won.sum(axis=1) / (met / (power[:, None] + power[None, :])).sum(axis=1)
        power /= np.exp(np.log(power).mean())
    return np.array([MIDDLE + DECADE * log10(each) for each in power])
