"""Intervals, differences and sentences, checked against independent calculations."""

from __future__ import annotations

import msgspec
import numpy as np
import polars as pl
import pytest

from readyroom.engine.game import load_game
from readyroom.study.measures import (
    BINS,
    Measure,
    build_result,
    difference,
    histogram_edges,
    mean_limits,
    sentence,
    variance_ratio,
)
from readyroom.study.studies import check_study
from readyroom.study.study_page import change
from readyroom.study.studyfile import NamedTable, StudyFile, UnknownMeasure

WINS = Measure("won by usa", "Won by United States", "share")
SCORE = Measure("score of usa", "Score of United States", "figure")


def test_mean_without_negative_values_has_no_negative_interval() -> None:
    low, high = mean_limits(np.array([0.0] * 99 + [1.0]))
    assert low == 0
    assert 0.01 < high < 0.05
    assert mean_limits(np.array([0.0] * 99 + [-1.0]))[0] < -0.02


def test_intervals_cover_true_value_in_95_percent_of_studies() -> None:
    random = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        first = random.normal(0, 1, 60)
        result = difference(SCORE, "x", first, first + random.normal(0.5, 0.3, 60), paired=True)
        held += result.low <= 0.5 <= result.high
    assert 365 <= held <= 393


def test_paired_gain_follows_from_variances() -> None:
    random = np.random.default_rng(2)
    luck = random.normal(0, 2, 4000)
    first, other = luck + random.normal(0, 1, 4000), luck + random.normal(0, 1, 4000)
    assert variance_ratio(first, other) == pytest.approx(5, rel=0.1), "(4 + 1) * 2 against 1 * 2"
    paired, separate = (difference(SCORE, "x", first, other, paired=pairs) for pairs in (True, False))
    widths = [result.high - result.low for result in (separate, paired)]
    assert (widths[0] / widths[1]) ** 2 == pytest.approx(variance_ratio(first, other), rel=0.01)
    assert separate.gain is separate.identical is None


def test_without_differences_upper_limit_is_reported() -> None:
    same = np.ones(300)
    result = difference(WINS, "paint", same, same, paired=True)
    assert (result.mean, result.identical, result.gain) == (0, 1, None)
    assert result.sentence == (
        "With paint, none of 300 matches differs in who wins, United States or not; "
        "an effect on less than one match in 100 cannot be excluded (95 % CI)."
    )


def test_measure_sentences() -> None:
    first = np.array([0.0, 1.0] * 200)
    more = np.maximum(first, np.array([1.0, 0.0, 0.0, 0.0, 0.0] * 80))
    assert difference(WINS, "radar", first, more, paired=True).sentence == (
        "With radar, United States wins 10.0 points more often (95 % CI: 7.0 to 13.0)."
    )
    less = difference(WINS, "fog", more, first, paired=True).sentence
    assert less == "With fog, United States wins 10.0 points less often (95 % CI: 7.0 to 13.0)."
    drawn = Measure("drawn", "Drawn", "share")
    assert "matches are drawn 10.0 points more often" in difference(drawn, "radar", first, more, paired=True).sentence
    noise = difference(WINS, "luck", first, first[::-1], paired=True).sentence
    assert noise == (
        "With luck, it is open whether United States wins more or less often: between 9.7 points less often and "
        "10.0 points more often (95 % CI); 1,156 more matches of each case would give ±5.0 points."
    )
    few = np.where(np.arange(400) % 100 == 7, 1 - first, first)
    assert difference(WINS, "paint", first, few, paired=True).sentence.startswith(
        "With paint, United States wins about as often: between 2."
    )
    assert difference(WINS, "paint", first, few, paired=True).sentence.endswith("within the margin of 5.0 points.")
    assert "the score of United States is 0.10 higher on average (95 % CI: 0.07 to 0.13)" in (
        difference(SCORE, "radar", first, more, paired=True).sentence
    )
    turn = Measure("turn", "Last turn", "figure")
    assert "the last turn is 0.10 later" in difference(turn, "radar", first, more, paired=True).sentence
    counted = Measure("Ships", "Ships sunk", "figure")
    assert "“Ships sunk” is 0.10 lower" in difference(counted, "fog", more, first, paired=True).sentence


def test_end_of_interval_that_excludes_zero_is_not_shown_as_zero() -> None:
    few = msgspec.structs.replace(
        difference(SCORE, "fog", np.zeros(9), np.ones(9), paired=True), mean=-9.0, low=-23.3, high=-0.04, p=0.01
    )
    assert sentence(SCORE, "fog", few, 9).endswith("is 9.0 lower on average (95 % CI: 0.04 to 23.3).")
    assert (change(-0.0004, True), change(-0.004), change(0.0)) == ("−0.04", "−0.004", "0.00")


def test_win_chance_counts_draws_as_half() -> None:
    cases = [NamedTable(name="a"), NamedTable(name="b")]
    file = StudyFile(title="t", game="midway", matches=4, case=cases)
    winners = [["japan", None, "usa", None], ["japan", None, "japan", None]]
    rows = [
        {"case": case, "name": "ab"[case], "match": n, "winner": winner, "title": ""}
        for case, some in enumerate(winners)
        for n, winner in enumerate(some)
    ]
    game, matches = load_game("midway"), pl.DataFrame(rows)
    result = build_result(game, check_study(file), matches)
    measured = result.measured("win chance of japan")
    assert [one and one.mean for one in measured.figures] == [0.5, 0.75]
    assert measured.differences[1] is not None
    assert "the win chance of Japan is higher or lower" in measured.differences[1].sentence
    with pytest.raises(UnknownMeasure):
        result.measured("win chance of usa")  # it is the rest
    named = msgspec.structs.replace(file, measures=["win chance of usa"])
    assert build_result(game, check_study(named), matches).measures[0].measure.title == "Win chance of United States"


def test_histogram_has_integer_bins_if_they_fit() -> None:
    assert histogram_edges([np.array([1.0, 2.0, 5.0])]) == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    wide = histogram_edges([np.arange(0.0, 1000.0)])
    assert len(wide) - 1 <= BINS
    assert wide[0] <= 0
    assert wide[-1] >= 999
    assert len(histogram_edges([np.array([0.1, 0.75])])) == BINS + 1
    assert histogram_edges([np.array([np.nan])]) == [0, 1]


def test_wide_interval_is_not_called_equal() -> None:
    """An effect of −10 (−20 to +0.3) points is open."""
    random = np.random.default_rng(3)
    first, other = (random.random(200) < 0.5).astype(float), (random.random(200) < 0.42).astype(float)
    result = difference(WINS, "fog", first, other, paired=False)
    assert result.low < 0 < result.high
    assert not result.is_equivalent
    assert "it is open whether" in result.sentence


@pytest.mark.parametrize("paired", [True, False])
def test_intervals_have_some_width_if_nothing_differs(paired: bool) -> None:
    same = np.ones(30)
    for measure in (WINS, SCORE):
        result = difference(measure, "paint", same, same, paired=paired)
        assert result.low < 0 < result.high
        assert result.p == pytest.approx(1)


def test_difference_of_many_comparisons_may_be_chance() -> None:
    result = difference(WINS, "radar", np.zeros(200), np.array([1.0] * 8 + [0.0] * 192), paired=True)
    assert result.is_significant
    adjusted = msgspec.structs.replace(result, p=0.2, mean=0.09, low=0.01, high=0.17)
    assert sentence(WINS, "radar", adjusted, 200).endswith(
        "; among all comparisons of this study that may be chance, 257 more matches of each case "
        "would give ±2.0 points."
    )


def test_all_comparisons_of_a_study_are_adjusted_together() -> None:
    """One in twenty of forty p-values is below 0.05, which is no surprise."""
    cases = [NamedTable(name=f"{n}") for n in range(11)]
    study = check_study(StudyFile(title="t", game="midway", matches=50, case=cases))
    random = np.random.default_rng(4)
    rows = [
        {"case": case, "name": f"{case}", "match": n, "winner": ("usa", "japan")[random.integers(2)], "title": ""}
        for case in range(11)
        for n in range(50)
    ]
    frame = pl.DataFrame(rows).with_columns(decisions=pl.lit(1), turn=pl.Series([n % 7 for n in range(550)]))
    result = build_result(load_game("midway"), study, frame)
    differences = [one for each in result.measures for one in each.differences if one is not None]
    assert any(not one.low <= 0 <= one.high for one in differences)
    assert not any(one.is_significant for one in differences)
