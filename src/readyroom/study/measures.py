"""The measures of a study's matches: their value in each case, and the difference of each case from the first.

Intervals are 95 % CI: Wilson's for shares, Student's for means and differences. With the same dice in both cases,
matches are compared in pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, sqrt
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from readyroom import __version__
from readyroom.bots.analysis import CONFIDENCE
from readyroom.engine.game import Game, Seat, sides
from readyroom.study.matches import MatchSetup, play, shared_stream
from readyroom.study.results import StudyResult
from readyroom.study.studyfile import Study, UnknownMeasure

Array = NDArray[np.float64]
Kind = Literal["share", "figure"]
UNSEEN = 3
"""If an event happens in none of this many matches, the upper limit of its chance is 3/n (95 % CI)."""
BINS = 24
"""The maximum number of histogram bins."""
SCORE = "score of "
WON = "won by "
DRAWN = "drawn"
GENERAL = ("decisions", "turn")
"""Columns of every match that are measured."""
WAYS = {"turn": ("earlier", "later")}
"""The words for a difference, if not lower and higher."""
FIXED = ("case", "name", "match", "winner", "title", *GENERAL)
"""Columns of every match; scores and counts come after them."""


class Measure(msgspec.Struct, frozen=True):
    """Something that is measured in every match: its key, its title, and whether it is a share of the matches."""

    key: str
    title: str
    kind: Kind


class Figure(msgspec.Struct, frozen=True):
    """A measure in one case: mean (or share) with its interval, median, minimum, maximum and histogram."""

    mean: float
    low: float
    high: float
    median: float
    least: float
    most: float
    histogram: list[int]


class Difference(msgspec.Struct, frozen=True):
    """A case against the first one.

    `alike` is the share of matches in which both gave the same. `gain` is how many times as many matches would
    have been needed for this interval if each case had had dice of its own: None where the cases had, or where no
    match differed at all.
    """

    mean: float
    low: float
    high: float
    identical: float | None = msgspec.field(name="alike")
    gain: float | None
    sentence: str


class Measured(msgspec.Struct, frozen=True):
    """A measure in all cases: the edges of its histograms, a figure for each case, and the differences from the first.

    A case in which it was never counted has no figure.
    """

    measure: Measure
    edges: list[float]
    figures: list[Figure | None]
    differences: list[Difference | None]


class MeasureResult(StudyResult, frozen=True, kw_only=True):
    """The result of a study. It is the same for the same study, however and wherever it was computed."""

    title: str
    summary: str
    game: str
    game_title: str
    version: str
    app_version: str = msgspec.field(name="house")
    fingerprint: str
    matches: int
    seed: str
    dice: str
    cases: list[dict[str, Any]]
    endings: list[dict[str, int]]
    measures: list[Measured]

    def measured(self, key: str) -> Measured:
        """Return the result of a measure; raise `UnknownMeasure` if there is none."""
        for measured in self.measures:
            if measured.measure.key == key:
                return measured
        raise UnknownMeasure(key, [measured.measure.key for measured in self.measures])


# -- which measures there are ----------------------------------------------------------------------------------------


def check_measures(game: Game[Any, Any], study: Study) -> None:
    """Raise `UnknownMeasure` for measures that the game's matches do not have.

    Only a finished match has scores and statistics, so one random match of each scenario is played to learn them.
    """
    general = [measure.key for measure in _general(game, study)]
    if set(study.measures) <= set(general):
        return
    tried = {case.table.scenario: case.table for case in reversed(study.cases)}
    known = dict.fromkeys([*general, *(name for table in tried.values() for name in _counted(game, table))])
    for key in study.measures:
        if key not in known:
            raise UnknownMeasure(key, known, where=game.key)


def _counted(game: Game[Any, Any], table: MatchSetup) -> list[str]:
    """Return the scores and statistics of a random match."""
    trial = table._replace(bots={}, plans={})
    played = play(game, trial.scenario_of(game), trial, "a trial", shared_stream)
    return [*(f"{SCORE}{side}" for side in played.scores), *played.counts]


def _general(game: Game[Any, Any], study: Study) -> list[Measure]:
    """Return the measures of every game: winner and length."""
    seats = _seats(game, study)
    won = [Measure(f"{WON}{side}", f"Won by {game.side_name(side, seats)}", "share") for side in sides(seats)]
    rest = [Measure("turn", "Last turn", "figure"), Measure("decisions", "Decisions", "figure")]
    return [*won, Measure(DRAWN, "Drawn", "share"), *rest]


def _seats(game: Game[Any, Any], study: Study) -> list[Seat]:
    tables = [case.table for case in study.cases]
    seats = [seat for table in tables for seat in game.rules.seats(table.scenario_of(game), table.options)]
    return list({seat.key: seat for seat in seats}.values())


def measures(game: Game[Any, Any], study: Study, matches: pl.DataFrame) -> list[Measure]:
    """Return the measures of the report: those that the study asks for, in its order, or all."""
    seats, general = _seats(game, study), _general(game, study)
    scored, counted = list[Measure](), list[Measure]()
    for name in matches.columns:
        side = name.removeprefix(SCORE)
        if name.startswith(SCORE):
            title = f"Score of {game.side_name(side, seats)}" if side in sides(seats) else name.capitalize()
            scored.append(Measure(name, title, "figure"))
        elif name not in FIXED:
            counted.append(Measure(name, name, "figure"))
    known = {each.key: each for each in (*general[:-2], *scored, *counted, *general[-2:])}
    return [known[key] for key in study.measures if key in known] if study.measures else list(known.values())


# -- results ---------------------------------------------------------------------------------------------------------


def build_result(game: Game[Any, Any], study: Study, matches: pl.DataFrame) -> MeasureResult:
    """Return all results of a study from its matches."""
    by_case = [matches.filter(pl.col("case") == number) for number in range(len(study.cases))]
    facts = study.identity()
    return MeasureResult(
        title=study.title,
        summary=study.summary,
        game=game.key,
        game_title=game.title,
        version=game.version,
        app_version=__version__,
        fingerprint=study.fingerprint,
        matches=study.matches,
        seed=study.seed,
        dice=study.dice,
        cases=facts["cases"],
        endings=[
            dict(case["title"].value_counts().sort(["count", "title"], descending=[True, False]).iter_rows())
            for case in by_case
        ],
        measures=[_measured(study, measure, by_case) for measure in measures(game, study, matches)],
    )


def values(case: pl.DataFrame, measure: Measure) -> Array:
    """Return the measure in each match of a case, in order; NaN where it was not counted."""
    if measure.key == DRAWN:
        column = case["winner"].is_null()
    elif measure.kind == "share":
        column = (case["winner"] == measure.key.removeprefix(WON)).fill_null(False)
    elif measure.key in case.columns:
        column = case[measure.key]
    else:
        return np.full(len(case), np.nan)
    return column.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _measured(study: Study, measure: Measure, by_case: Sequence[pl.DataFrame]) -> Measured:
    data = [values(case, measure) for case in by_case]
    edges = histogram_edges(data) if measure.kind == "figure" else [0.0, 1.0]
    figures = [_figure(measure, each, edges) for each in data]
    first, names = data[0], [case.name for case in study.cases]
    differences: list[Difference | None] = [None]
    for name, each in zip(names[1:], data[1:], strict=True):
        both = not (np.isnan(first).any() or np.isnan(each).any())
        differences.append(difference(measure, name, first, each, paired=study.dice == "shared") if both else None)
    return Measured(measure, edges, figures, differences)


def _figure(measure: Measure, values: Array, edges: Sequence[float]) -> Figure | None:
    counted = values[~np.isnan(values)]
    if not len(counted):
        return None
    mean = float(counted.mean())
    low, high = wilson_interval(int(counted.sum()), len(counted)) if measure.kind == "share" else t_interval(counted)
    histogram = np.histogram(counted, bins=np.asarray(edges))[0].tolist() if measure.kind == "figure" else []
    return Figure(mean, low, high, float(np.median(counted)), float(counted.min()), float(counted.max()), histogram)


def wilson_interval(times: int, of: int) -> tuple[float, float]:
    """Return Wilson's interval of a share; it is valid also for shares of 0 and 1.

    >>> low, high = wilson_interval(0, 100)
    >>> round(low, 3), round(high, 3)
    (0.0, 0.037)
    """
    interval = stats.binomtest(times, of).proportion_ci(CONFIDENCE, "wilson")
    return float(interval.low), float(interval.high)


def t_interval(values: Array) -> tuple[float, float]:
    """Return Student's interval of a mean."""
    if len(values) < 2:
        return float(values[0]), float(values[0])
    mean, error = float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values))
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1)) * error
    return mean - reach, mean + reach


def histogram_edges(values: Iterable[Array]) -> list[float]:
    """Return the edges of the histogram shared by all cases: a bin for each whole number, or for several.

    >>> histogram_edges([np.array([1.0, 3.0])])
    [0.5, 1.5, 2.5, 3.5]
    """
    together = np.concatenate(list(values))
    together = together[~np.isnan(together)]
    if not len(together):
        return [0.0, 1.0]
    least, most = float(together.min()), float(together.max())
    if (together == together.round()).all():
        step = max(1, -(-int(most - least + 1) // BINS))
        count = -(-int(most - least + 1) // step)
        return [least - 0.5 + step * number for number in range(count + 1)]
    return [float(edge) for edge in np.linspace(least, most, BINS + 1)]


# -- differences -----------------------------------------------------------------------------------------------------


class MeanDifference(NamedTuple):
    """A difference of means with its interval."""

    mean: float
    low: float
    high: float


def difference(measure: Measure, name: str, first: Array, other: Array, *, paired: bool) -> Difference:
    """Return the difference of a case from the first one."""
    distance = other - first
    if paired:
        reach = MeanDifference(float(distance.mean()), *t_interval(distance))
    else:
        reach = MeanDifference(float(other.mean() - first.mean()), *welch_interval(first, other))
    if measure.kind == "share":
        reach = MeanDifference(reach.mean, max(-1.0, reach.low), min(1.0, reach.high))
    similarity = float((first == other).mean()) if paired else None
    text = sentence(measure, name, reach, len(first), same=similarity == 1.0)
    return Difference(*reach, similarity, variance_ratio(first, other) if paired else None, text)


def welch_interval(first: Array, other: Array) -> tuple[float, float]:
    """Return Welch's interval of the difference of two independent means."""
    if not (first.var() or other.var()):
        mean = float(other.mean() - first.mean())
        return mean, mean
    interval = stats.ttest_ind(other, first, equal_var=False).confidence_interval(CONFIDENCE)
    return float(interval.low), float(interval.high)


def variance_ratio(first: Array, other: Array) -> float | None:
    """Return how many times as many matches independent dice would need: the ratio of the variances."""
    distance = float((other - first).var(ddof=1))
    own = float(first.var(ddof=1) + other.var(ddof=1))
    return own / distance if distance and isfinite(own) else None


def sentence(measure: Measure, name: str, reach: MeanDifference, count: int, *, same: bool) -> str:
    """Describe the difference; `same` says that every one of this many pairs of matches was identical."""
    if same:
        unseen = f"an effect on less than one match in {max(2, round(count / UNSEEN))} cannot be excluded (95 % CI)"
        return f"With {name}, none of {count:,} matches differs in {_subject(measure)}; {unseen}."
    text = _share_says if measure.kind == "share" else _figure_says
    return f"With {name}, {text(measure, reach)}"


def _share_says(measure: Measure, reach: MeanDifference) -> str:
    what = "matches are drawn" if measure.key == DRAWN else f"{measure.title.removeprefix('Won by ')} wins"
    points = MeanDifference(*(100 * figure for figure in reach))
    if points.low <= 0 <= points.high:
        return f"{what} about as often: {_between(points, 'points less often', 'points more often')} (95 % CI)."
    way = "more" if points.mean > 0 else "less"
    return f"{what} {abs(points.mean):.1f} points {way} often (95 % CI: {_span(points, 1)})."


def _figure_says(measure: Measure, reach: MeanDifference) -> str:
    what, (down, up) = _subject(measure), WAYS.get(measure.key, ("lower", "higher"))
    if reach.low <= 0 <= reach.high:
        return f"{what} is about the same: {_between(reach, down, up)} on average (95 % CI)."
    way = up if reach.mean > 0 else down
    return f"{what} is {_size(abs(reach.mean), reach)} {way} on average (95 % CI: {_span(reach)})."


def _subject(measure: Measure) -> str:
    if measure.kind == "share":
        return "draws" if measure.key == DRAWN else f"who wins, {measure.title.removeprefix('Won by ')} or not"
    known = {"turn": "the last turn", "decisions": "the number of decisions"}
    if measure.key.startswith(SCORE):
        return f"the {measure.title[0].lower()}{measure.title[1:]}"
    return known.get(measure.key, f"“{measure.title}”")


def _between(reach: MeanDifference, less: str, more: str) -> str:
    return f"between {_size(abs(reach.low), reach)} {less} and {_size(reach.high, reach)} {more}"


def _span(reach: MeanDifference, digits: int | None = None) -> str:
    ends = sorted((abs(reach.low), abs(reach.high)))
    return " to ".join(f"{end:.{digits}f}" if digits is not None else _size(end, reach) for end in ends)


def _size(figure: float, reach: MeanDifference) -> str:
    """Format a figure with as many digits as its interval justifies."""
    width = reach.high - reach.low
    return f"{figure:.1f}" if width >= 0.5 else f"{figure:.2f}" if width >= 0.05 else f"{figure:.3f}"


def count_endings(result: MeasureResult) -> Mapping[str, list[int]]:
    """Return how often each ending came up in each case, the most frequent first."""
    names = dict.fromkeys(title for case in result.endings for title in case)
    counts = {name: [case.get(name, 0) for case in result.endings] for name in names}
    return dict(sorted(counts.items(), key=lambda ending: -sum(ending[1])))
