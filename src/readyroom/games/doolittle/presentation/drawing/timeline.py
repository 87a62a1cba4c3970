"""[1.9] The time line from January to June 1942 along the foot of the board."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.drawing import Frame
from readyroom.games.doolittle.ending.timeline import MONTHS
from readyroom.games.doolittle.presentation.drawing.cells import (
    GAP,
    HEAD,
    PAD,
    Cell,
    Panel,
    Text,
    fold_text,
    size_panel,
    stage,
)
from readyroom.games.doolittle.presentation.drawing.shapes import Shape
from readyroom.games.doolittle.view import Line

SHARES = (1.0, 1.0, 1.0, 1.5, 1.1, 0.9)
"""How wide a month is next to the others."""
LINES = 7
"""The number of lines of a month; the latest are shown."""
SIZE = 11.8


def timeline(line: Sequence[Line], now: str, shape: Shape) -> Panel:
    """Return the events so far, month by month; a narrow board has the months one under the other."""
    data = {month: [f"{day} {text}".strip() for m, day, text in line if m == month] for month in MONTHS}
    cells = _rows(data, now, shape) if shape.upright else _columns(data, now, shape)
    return size_panel("January to June 1942", shape.inner, cells, summary=data[now][-1] if data.get(now) else "")


def _columns(data: dict[str, list[str]], now: str, shape: Shape) -> list[Cell]:
    whole = shape.inner - 2 * PAD - GAP * (len(MONTHS) - 1)
    x, cells = PAD, list[Cell]()
    widths = [whole * share / sum(SHARES) for share in SHARES]
    columns = [_lines(data[month], width, LINES) for month, width in zip(MONTHS, widths, strict=True)]
    high = max(24 + 12.5 * len(lines) for lines in columns)
    for month, width, lines in zip(MONTHS, widths, columns, strict=True):
        cells.append(_cell(month, Frame(x, HEAD, width, high), data[month], lines, now))
        x += width + GAP
    return cells


def _rows(data: dict[str, list[str]], now: str, shape: Shape) -> list[Cell]:
    y, cells, width = HEAD, list[Cell](), shape.inner - 2 * PAD
    for month in MONTHS:
        lines = _lines(data[month], width, 6 if month == now else 3)
        height = 22 + 12.5 * len(lines)
        cells.append(_cell(month, Frame(PAD, y, width, height), data[month], lines, now))
        y += height + GAP
    return cells


def _lines(parts: Sequence[str], width: float, most: int) -> list[str]:
    """Return the latest events, in as many lines as there are."""
    result: list[str] = []
    for at, text in enumerate(reversed(parts)):
        lines = fold_text(text, width - 12, SIZE, 3)
        if len(result) + len(lines) > most - bool(at < len(parts) - 1):
            return [f"… {len(parts) - at} before", *result]
        result = [*lines, *result]
    return result


def _cell(month: str, frame: Frame, parts: Sequence[str], lines: Sequence[str], now: str) -> Cell:
    style = f"dl-month {stage(MONTHS.index(month), MONTHS.index(now))}".strip()
    texts = [Text(month, 6, 15, "dl-goalname")]
    texts += [Text(text, 6, 30 + at * 12.5, "dl-where") for at, text in enumerate(lines)]
    return Cell(frame, [], f"{month} 1942: {' '.join(parts) or 'nothing yet'}", texts, style=style)
