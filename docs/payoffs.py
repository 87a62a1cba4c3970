"""A Sphinx extension: a line `% payoffs: tora` in a page becomes the payoff table of that game's last planning study.

The figures are those of `planning/GAME.json`, which `readyroom planning` writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
from sphinx.application import Sphinx

from readyroom.engine.rules.checks import signed
from readyroom.study.planning.payoffs import Estimate, PayoffResult, Side

MARK = re.compile(r"^% payoffs: ([\w-]+)$", re.MULTILINE)
STUDIES = Path(__file__).parent / "planning"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", _fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _fill_in(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = MARK.sub(lambda mark: "\n".join(table_lines(read(mark[1]))), source[0])


def read(game: str) -> PayoffResult:
    """Return the stored result of a planning game."""
    return msgspec.json.decode((STUDIES / f"{game}.json").read_bytes(), type=PayoffResult)


def table_lines(result: PayoffResult) -> Iterator[str]:
    """Value, payoffs and mixes as Markdown."""
    first, second = result.rows, result.columns
    value = result.value
    yield (
        f"{result.games} matches of every pair: payoff to {first.name} with its standard error. A win counts +1, "
        f"a loss −1, a draw {result.draw:g}.\n"
    )
    yield f"| {first.name} ╲ {second.name} | {' | '.join(line.title for line in second.lines)} |"
    yield f"| --- {'| ---: ' * len(second.lines)}|"
    for row in first.lines:
        cells = [figure(result.cell(row.key, column.key).payoff) for column in second.lines]
        yield f"| **{row.title}** | {' | '.join(cells)} |"
    yield (
        f"\nThe game is worth **{value.mean:+.2f} ± {value.error:.2f}** to {first.name} if both sides choose "
        f"by the lots below (5th to 95th percentile of the resamplings: {value.low:+.2f} to {value.high:+.2f}).\n"
    )
    for side in (first, second):
        yield from _mix(side)


def _mix(side: Side) -> Iterator[str]:
    yield f"| {side.name} | how often | in the mix | against the other mix |\n| --- | ---: | ---: | ---: |"
    for line in side.lines:
        share = f"{100 * line.share.mean:.0f} % ±\u00a0{100 * line.share.error:.0f}"
        yield f"| {line.title} | {share} | {100 * line.chosen:.0f} % | {figure(line.gain)} |"
    yield ""


def figure(estimate: Estimate) -> str:
    """Return a payoff with its error."""
    return f"{signed(estimate.mean, 2)} ±\u00a0{estimate.error:.2f}"
