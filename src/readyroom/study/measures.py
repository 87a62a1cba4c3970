"""The measures of a study's matches: their value in each case, and the difference of each case from the first.

Intervals are 95 % CI, see `readyroom.bots.statistics`. With the same dice in both cases, matches are compared in pairs.
All comparisons of a study are adjusted together (Holm), and "about as often" is the result of an equivalence test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray

from readyroom import __version__
from readyroom.bots.statistics import (
    ANY,
    CONFIDENCE,
    GAIN,
    MARGIN,
    SIGNIFICANT,
    SMALL_EFFECT,
    Limits,
    difference_limits,
    estimate_mean,
    holm,
    is_equivalent,
    more_samples,
    next_precision,
    p_value,
    utility_limits,
    wilson_interval,
)
from readyroom.engine.game import Game, Seat, sides
from readyroom.study.changes import Change, changes_between
from readyroom.study.matches import MatchSetup, play, shared_stream
from readyroom.study.policies.known import SolvedMixes
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
WIN_CHANCE = "win chance of "
"""Before a side's key: a victory counts 1, a draw 1/2."""
DRAWN = "drawn"
GENERAL = ("decisions", "turn")
"""Columns of every match that are measured."""
WAYS = {"turn": ("earlier", "later")}
"""The words for a difference, if not lower and higher."""
JSON_SETTINGS = ("options", "bots", "plans", "figures")
SETTINGS = ("seed", "scenario", *JSON_SETTINGS)
"""Columns of every match that say how it was set up."""
FIXED = ("case", "name", "match", *SETTINGS, "winner", "title", *GENERAL)
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
    match differed at all. `p` is the p-value, adjusted for all comparisons of the study; the case is equivalent to the
    first if the whole interval is within `margin`. `more` matches of each case narrow the interval to ± `precision`.
    """

    mean: float
    low: float
    high: float
    identical: float | None = msgspec.field(name="alike")
    gain: float | None
    sentence: str
    p: float
    margin: float
    precision: float
    more: int

    @property
    def is_significant(self) -> bool:
        """Whether the difference is significant among all comparisons of the study."""
        return self.p < SIGNIFICANT

    @property
    def is_equivalent(self) -> bool:
        """Whether the whole interval is within the margin."""
        return is_equivalent(self.low, self.high, self.margin)


class Measured(msgspec.Struct, frozen=True):
    """A measure in all cases: the edges of its histograms, a figure for each case, and the differences from the first.

    A case in which it was never counted has no figure.
    """

    measure: Measure
    edges: list[float]
    figures: list[Figure | None]
    differences: list[Difference | None]


class MeasureResult(StudyResult, frozen=True, kw_only=True):
    """The result of a study. It is the same for the same study, however and wherever it was computed.

    `changes` has, for each case, the options and figures that differ from those of the first.
    """

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
    mixes: list[SolvedMixes] = []
    changes: list[list[Change]] = []

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
    known = dict.fromkeys([*general, *(name for table in tried.values() for name in _counted(table))])
    for key in study.measures:
        if key not in known:
            raise UnknownMeasure(key, known, where=game.key)


def _counted(table: MatchSetup) -> list[str]:
    """Return the scores and statistics of a random match."""
    trial = table._replace(bots={}, plans={})
    game = trial.load_game()
    played = play(game, trial.scenario_of(game), trial, "a trial", shared_stream)
    return [*(f"{SCORE}{side}" for side in played.scores), *played.counts]


def _general(game: Game[Any, Any], study: Study) -> list[Measure]:
    """Return the measures of every game: winner and length."""
    seats = _seats(game, study)
    names = {side: game.side_name(side, seats) for side in sides(seats)}
    won = [Measure(f"{WON}{side}", f"Won by {name}", "share") for side, name in names.items()]
    rest = [Measure("turn", "Last turn", "figure"), Measure("decisions", "Decisions", "figure")]
    chance = [Measure(f"{WIN_CHANCE}{side}", f"Win chance of {name}", "share") for side, name in names.items()]
    return [*won, Measure(DRAWN, "Drawn", "share"), *(chance if len(names) > 1 else []), *rest]


def _seats(game: Game[Any, Any], study: Study) -> list[Seat]:
    tables = [case.table for case in study.cases]
    seats = [seat for table in tables for seat in game.rules.seats(table.scenario_of(game), table.options)]
    return list({seat.key: seat for seat in seats}.values())


def measures(game: Game[Any, Any], study: Study, matches: pl.DataFrame) -> list[Measure]:
    """Return the measures of the report: those that the study asks for, in its order, or all.

    Of the win chances only the first side's is among all: with two sides, the other's is the rest.
    """
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
    if study.measures:
        return [known[key] for key in study.measures if key in known]
    spare = [key for key in known if key.startswith(WIN_CHANCE)][1:]
    return [measure for key, measure in known.items() if key not in spare]


# -- results ---------------------------------------------------------------------------------------------------------


def build_result(
    game: Game[Any, Any], study: Study, matches: pl.DataFrame, mixes: Sequence[SolvedMixes] = ()
) -> MeasureResult:
    """Return all results of a study from its matches, with the mixes that it has solved."""
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
        measures=_adjusted(study, [_measured(study, measure, by_case) for measure in measures(game, study, matches)]),
        mixes=list(mixes),
        changes=[changes_between(game, study.cases[0].table, case.table) for case in study.cases],
    )


def values(case: pl.DataFrame, measure: Measure) -> Array:
    """Return the measure in each match of a case, in order; NaN where it was not counted."""
    if measure.key == DRAWN:
        column = case["winner"].is_null()
    elif measure.key.startswith(WIN_CHANCE):
        column = (case["winner"] == measure.key.removeprefix(WIN_CHANCE)).cast(pl.Float64).fill_null(0.5)
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


def _adjusted(study: Study, measured: Sequence[Measured]) -> list[Measured]:
    """Adjust the p-values of all comparisons together, and describe them."""
    adjusted = iter(holm([one.p for each in measured for one in each.differences if one is not None]))
    names = [case.name for case in study.cases]

    def describe(measure: Measure, name: str, one: Difference | None) -> Difference | None:
        if one is None:
            return None
        one = msgspec.structs.replace(one, p=next(adjusted))
        return msgspec.structs.replace(one, sentence=sentence(measure, name, one, study.matches))

    def describe_all(each: Measured) -> list[Difference | None]:
        return [describe(each.measure, name, one) for name, one in zip(names, each.differences, strict=True)]

    return [msgspec.structs.replace(each, differences=describe_all(each)) for each in measured]


def _figure(measure: Measure, values: Array, edges: Sequence[float]) -> Figure | None:
    counted = values[~np.isnan(values)]
    if not len(counted):
        return None
    mean = float(counted.mean())
    low, high = _limits(measure, counted)
    histogram = np.histogram(counted, bins=np.asarray(edges))[0].tolist() if measure.kind == "figure" else []
    return Figure(mean, low, high, float(np.median(counted)), float(counted.min()), float(counted.max()), histogram)


def _limits(measure: Measure, values: Array, level: float = CONFIDENCE) -> Limits:
    """Return the interval of a measure in one case."""
    if measure.key.startswith(WIN_CHANCE):
        return utility_limits(values.tolist(), level)
    if measure.kind == "share":
        return wilson_interval(int(values.sum()), len(values), level)
    return mean_limits(values, level)


def mean_limits(values: Array, level: float = CONFIDENCE) -> Limits:
    """Return the interval of a mean; that of figures without a negative one ends at zero."""
    bounds = (0.0, float("inf")) if values.min() >= 0 else ANY
    return estimate_mean(values.tolist(), bounds).interval(level)


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


def difference(measure: Measure, name: str, first: Array, other: Array, *, paired: bool) -> Difference:
    """Return the difference of a case from the first one, as the only comparison."""
    estimate = estimate_mean((other - first).tolist(), GAIN if measure.kind == "share" else ANY) if paired else None

    def limits(level: float) -> Limits:
        if estimate is not None:
            return estimate.interval(level)
        old, new = ((float(each.mean()), _limits(measure, each, level)) for each in (first, other))
        return difference_limits(old, new)

    low, high = limits(CONFIDENCE)
    precision = next_precision((high - low) / 2)
    result = Difference(
        mean=float(other.mean() - first.mean()),
        low=low,
        high=high,
        identical=float((first == other).mean()) if paired else None,
        gain=variance_ratio(first, other) if paired else None,
        sentence="",
        p=p_value(limits),
        margin=MARGIN if measure.kind == "share" else SMALL_EFFECT * float(first.std(ddof=1)),
        precision=precision,
        more=more_samples(len(first), (high - low) / 2, precision),
    )
    return msgspec.structs.replace(result, sentence=sentence(measure, name, result, len(first)))


def variance_ratio(first: Array, other: Array) -> float | None:
    """Return how many times as many matches independent dice would need: the ratio of the variances."""
    distance = float((other - first).var(ddof=1))
    own = float(first.var(ddof=1) + other.var(ddof=1))
    return own / distance if distance and isfinite(own) else None


class _Words(NamedTuple):
    """The words for a measure and its differences; `either` follows "whether"."""

    what: str
    less: str
    more: str
    same: str
    either: str
    unit: str = ""
    verb: str = ""
    tail: str = ""


def sentence(measure: Measure, name: str, one: Difference, count: int) -> str:
    """Describe a difference between two cases of this many matches."""
    if one.identical == 1.0:
        unseen = f"an effect on less than one match in {max(2, round(count / UNSEEN))} cannot be excluded (95 % CI)"
        return f"With {name}, none of {count:,} matches differs in {_subject(measure)}; {unseen}."
    words = _share_words(measure) if measure.kind == "share" else _figure_words(measure)
    scaled = _in_points(one) if measure.kind == "share" else one
    narrower = f"{one.more:,} more matches of each case would give ±{_size(scaled.precision, scaled)}{words.unit}"
    if one.is_significant or not (one.is_equivalent or one.low <= 0 <= one.high):
        size = f"{_size(abs(scaled.mean), scaled)} {words.more if one.mean > 0 else words.less}{words.tail}"
        chance = "" if one.is_significant else f"; among all comparisons of this study that may be chance, {narrower}"
        return f"With {name}, {words.what} {words.verb}{size} (95 % CI: {_span(scaled)}){chance}."
    between = f"{_between(scaled, words)}{words.tail} (95 % CI)"
    if one.is_equivalent:
        margin = f"within the margin of {_size(scaled.margin, scaled)}{words.unit}"
        return f"With {name}, {words.what} {words.same}: {between}, {margin}."
    return f"With {name}, it is open whether {words.what} {words.either}: {between}; {narrower}."


def _share_words(measure: Measure) -> _Words:
    if measure.key.startswith(WIN_CHANCE):
        either = "is higher or lower"
        return _Words(_subject(measure), "points lower", "points higher", "is about the same", either, " points", "is ")
    what = "matches are drawn" if measure.key == DRAWN else f"{measure.title.removeprefix('Won by ')} wins"
    words = ("points less often", "points more often", "about as often", "more or less often", " points")
    return _Words(what, *words)


def _figure_words(measure: Measure) -> _Words:
    down, up = WAYS.get(measure.key, ("lower", "higher"))
    same, either = "is about the same", f"is {up} or {down}"
    return _Words(_subject(measure), down, up, same, either, verb="is ", tail=" on average")


def _in_points(one: Difference) -> Difference:
    """Return the difference of a share in percentage points."""
    figures = {name: 100 * getattr(one, name) for name in ("mean", "low", "high", "margin", "precision")}
    return msgspec.structs.replace(one, **figures)


def _subject(measure: Measure) -> str:
    if measure.key.startswith((SCORE, WIN_CHANCE)):
        return f"the {measure.title[0].lower()}{measure.title[1:]}"
    if measure.kind == "share":
        return "draws" if measure.key == DRAWN else f"who wins, {measure.title.removeprefix('Won by ')} or not"
    known = {"turn": "the last turn", "decisions": "the number of decisions"}
    return known.get(measure.key, f"“{measure.title}”")


def _between(one: Difference, words: _Words) -> str:
    ends = (f"{_size(abs(end), one)} {words.less if end < 0 else words.more}" for end in (one.low, one.high))
    return f"between {' and '.join(ends)}"


def _span(one: Difference) -> str:
    return " to ".join(_size(end, one) for end in sorted((abs(one.low), abs(one.high))))


def _size(figure: float, one: Difference) -> str:
    """Format a figure with as many digits as its interval justifies; one more for a small one."""
    width = one.high - one.low
    return f"{figure:.{digits_for(figure, 1 if width >= 0.5 else 2 if width >= 0.05 else 3)}f}"


def digits_for(value: float, least: int) -> int:
    """Return this number of digits, or one more if a figure other than zero would read as zero."""
    return least + (value != 0 and not float(f"{value:.{least}f}"))


def count_endings(result: MeasureResult) -> Mapping[str, list[int]]:
    """Return how often each ending came up in each case, the most frequent first."""
    names = dict.fromkeys(title for case in result.endings for title in case)
    counts = {name: [case.get(name, 0) for case in result.endings] for name in names}
    return dict(sorted(counts.items(), key=lambda ending: -sum(ending[1])))
