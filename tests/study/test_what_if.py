"""What-if analysis: a changed decision is compared with the original on the same dice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.study.comparing import agree, without_times

from readyroom.bots.statistics import GAIN, mean_of, mean_utility, share_of
from readyroom.engine.errors import IllegalChoice, InvalidRecord, UnknownBot
from readyroom.study.review.pages import percentile_rows, what_if_page
from readyroom.study.review.what_if import NoSuchDecision, changed, choices, load_decision_point, what_if

RECORDS = Path(__file__).parents[1] / "records"


def record(name: str) -> str:
    return (RECORDS / f"{name}.jsonl").read_text()


def test_same_answer_changes_nothing() -> None:
    """Both continuations have the same dice and bots, so every pair has the same outcome."""
    text = record("drawn-on-points")
    result = what_if(text, 10, [load_decision_point(text, 10).entry.chose], matches=8)
    assert result.branches[0] == result.branches[1]
    assert result.changes[0].worth == mean_of([0.0] * 8, GAIN)


@pytest.mark.torture(2)
def test_worker_count_does_not_change_result() -> None:
    text = record("blown-up")
    at = next(choice.n for choice in choices(text) if choice.free)
    other = _another(text, at)
    one, two = (without_times(what_if(text, at, [other], matches=24, workers=workers)) for workers in (1, 2))
    assert one == two


def _another(text: str, at: int) -> list[str]:
    point = load_decision_point(text, at)
    return [next(key for key in point.decision.keys if (key,) != point.entry.chose)]


@pytest.mark.torture(2)
@pytest.mark.parametrize(
    ("name", "at"), [("drawn-on-points", 10), ("as-it-came-on-a-sunday-morning", 20), ("blown-up", 2)]
)
def test_another_seed_agrees_within_the_errors(name: str, at: int) -> None:
    text = record(name)
    other = [] if name == "drawn-on-points" else _another(text, at)
    one, two = (what_if(text, at, [other], matches=24, seed=seed) for seed in ("one", "two"))
    for first, second in zip(one.branches, two.branches, strict=True):
        agree(first.utility, second.utility)
    agree(one.changes[0].worth, two.changes[0].worth)


def test_american_launch_of_nothing_is_costly() -> None:
    result = what_if(record("drawn-on-points"), 10, [[]], matches=40)
    assert result.name == "United States"
    assert result.changes[0].worth.high < 0
    assert result.happened == "draw"
    assert sum(share.mean for share in result.branches[0].winners.values()) == pytest.approx(1, abs=0.01)
    page = what_if_page(result, "readyroom what-if …")
    assert "is worse: it costs United States" in page
    assert "<script" not in page
    assert len(re.findall("<rect x=.0", page)) == 2 * len(result.order)


def test_hidden_or_missing_decision_is_rejected() -> None:
    text = record("drawn-on-points")
    with pytest.raises(NoSuchDecision, match="not over"):
        load_decision_point("".join(text.splitlines(keepends=True)[:-1]), 3)
    with pytest.raises(NoSuchDecision, match="Number 999"):
        load_decision_point(text, 999)
    with pytest.raises(IllegalChoice):
        what_if(text, 10, [["nobody"]], matches=2)
    with pytest.raises(UnknownBot):
        what_if(text, 10, [[]], matches=2, bots={"usa": "nobody"})
    with pytest.raises(InvalidRecord):
        load_decision_point(text.replace("hiryu", "soryu", 1), 10)


def test_undo_is_not_a_decision() -> None:
    text = record("decisions-taken-back")
    undone = next(int(line.split('"n":')[1].split(",")[0]) for line in text.splitlines() if '"undo":' in line)
    with pytest.raises(NoSuchDecision, match="is not a decision"):
        load_decision_point(text, undone)


def test_changed_match_keeps_its_dice() -> None:
    text = record("drawn-on-points")
    match = changed(text, 10, [])
    assert match.outcome is None
    assert match.record_entries()[-1].n == 10
    assert match.record().splitlines()[:10] == text.splitlines()[:10]
    with pytest.raises(NoSuchDecision, match="follow from one key"):
        changed(
            record("real-dice-entered-by-hand"),
            3,
            load_decision_point(record("real-dice-entered-by-hand"), 3).entry.chose,
        )


def test_stopped_what_if_reports_results_so_far() -> None:
    result = what_if(record("blown-up"), 2, [], matches=50, progress=lambda done: done >= 3)
    assert result.matches == 3
    assert result.changes == []


def test_intervals_are_valid_at_0_and_100_percent() -> None:
    assert share_of(20, 20).high == 1
    assert mean_utility([0.0] * 20).high > 0.1
    assert 0.9 < mean_utility([1.0, 0.0, 1.0]).high < 1
    assert not mean_of([1, -1, 1, -1]).excludes_zero
    assert mean_of([1, 1.1, 0.9]).excludes_zero


def test_figure_shows_most_frequent_endings() -> None:
    text = record("blown-up")
    result = what_if(text, 2, [_another(text, 2)], matches=6)
    figure = percentile_rows(result)
    assert len(figure["rows"]) == len(result.order)  # type: ignore[arg-type]
