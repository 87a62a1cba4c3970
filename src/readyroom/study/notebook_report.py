"""The report of a notebook's study."""

from __future__ import annotations

from readyroom.study.measures import Difference, Measured, MeasureResult
from readyroom.study.notebooks import Effect, EffectRow, NotebookReport
from readyroom.study.study_page import change, describe_result, figure, more, p_text, page


def notebook_report(text: str, result: MeasureResult, command: str) -> NotebookReport:
    """Return the report of a study whose file is `text`; `command` reproduces it."""
    return NotebookReport(
        text=text,
        cases=[case["name"] for case in result.cases],
        matches=result.matches,
        rows=[_row(measured) for measured in result.measures if measured.figures[0] is not None],
        sentences=describe_result(result)[0],
        changes=result.changes[1],
        mixes=result.mixes,
        page=page(result, command),
    )


def _row(measured: Measured) -> EffectRow:
    share, first = measured.measure.kind == "share", measured.figures[0]
    assert first is not None
    effects = [
        None if one is None or difference is None else _effect(figure(one.mean, share), difference, share=share)
        for one, difference in zip(measured.figures[1:], measured.differences[1:], strict=True)
    ]
    return EffectRow(measured.measure.title, figure(first.mean, share), effects)


def _effect(value: str, difference: Difference, *, share: bool) -> Effect:
    low, high = change(difference.low, share), change(difference.high, share)
    excludes_zero = difference.low > 0 or difference.high < 0
    uncertain = "chance" if excludes_zero and difference.identical != 1.0 else "open"
    reading = "differs" if difference.is_significant else "same" if difference.is_equivalent else uncertain
    return Effect(
        value=value,
        change=change(difference.mean, share),
        interval=f"{low} to {high}",
        p=p_text(difference.p),
        reading=reading,
        more=more(difference, share),
    )
