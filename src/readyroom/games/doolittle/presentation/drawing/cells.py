"""[13.0.1] Papers on a desk: panels of cells, each with a few words, and its option."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from readyroom.engine.drawing import Frame, text_width

HEAD = 22.0
"""The height of a panel's heading."""
PAD = 6.0
GAP = 4.0
LINE = 14.0


class Text(NamedTuple):
    """Words in a cell, from its corner at the top left."""

    words: str
    x: float
    y: float
    style: str = "dl-note"


class Sign(NamedTuple):
    """A symbol in a cell, from its corner at the top left, with a title of its own if it has one."""

    symbol: str
    x: float
    y: float
    scale: float = 1.0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A box: its position, its option, its text, and its look."""

    frame: Frame
    keys: Sequence[str]
    title: str
    texts: Sequence[Text] = ()
    signs: Sequence[Sign] = ()
    style: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A paper with its heading and its cells; `note` is next to the heading."""

    title: str
    frame: Frame
    cells: Sequence[Cell]
    note: str = ""
    texts: Sequence[Text] = field(default=())


def fit(text: str, width: float, size: float = 12) -> str:
    """Some words, cut where there is no more room.

    >>> fit("a long sentence", 40, 12)
    'a long…'
    """
    if text_width(text, size) <= width:
        return text
    most = max(1, int(width / (size * 0.47)) - 1)
    return f"{text[:most].rstrip()}…"


def folded(text: str, width: float, size: float = 12, most: int = 9) -> list[str]:
    """A sentence in lines of this width, the last of them cut if there are too many.

    >>> folded("a long sentence", 40, 12)
    ['a long', 'sentence']
    """
    names: list[str] = []
    for word in text.split():
        if names and text_width(f"{names[-1]} {word}", size) <= width:
            names[-1] += f" {word}"
        else:
            names.append(word)
    if len(names) > most:
        names = [*names[: most - 1], fit(" ".join(names[most - 1 :]), width, size)]
    return names


def plain(lines: Iterable[str], width: float, style: str = "dl-note") -> list[Text]:
    """Lines from the top of a cell downwards."""
    kept = [line for line in lines if line]
    return [Text(fit(line, width - 8), 5, 14 + at * LINE, style) for at, line in enumerate(kept)]


def row(top: Frame, count: int, height: float, across: int | None = None, gap: float = GAP) -> list[Frame]:
    """The given number of frames of one height in a panel, `across` in a row, from the top of `top` downwards."""
    across = across or count
    width = (top.width - gap * (across - 1)) / across
    return [
        Frame(top.x + at % across * (width + gap), top.y + at // across * (height + gap), width, height)
        for at in range(count)
    ]


def inner(frame: Frame) -> Frame:
    """What a panel has room for under its heading."""
    return Frame(frame.x + PAD, frame.y + HEAD, frame.width - 2 * PAD, frame.height - HEAD - PAD)


def papered(title: str, x: float, y: float, width: float, cells: Sequence[Cell], note: str = "") -> Panel:
    """A panel that is as high as its cells need."""
    bottom = max([y + HEAD, *(cell.frame.bottom for cell in cells)]) + PAD
    return Panel(title, Frame(x, y, width, bottom - y), cells, note)


def moved(panel: Panel, x: float, y: float) -> Panel:
    """The same panel with its corner elsewhere."""
    dx, dy = x - panel.frame.x, y - panel.frame.y

    def shifted(frame: Frame) -> Frame:
        return frame._replace(x=frame.x + dx, y=frame.y + dy)

    cells = [Cell(shifted(c.frame), c.keys, c.title, c.texts, c.signs, c.style) for c in panel.cells]
    return Panel(panel.title, shifted(panel.frame), cells, panel.note, panel.texts)


def stacked(panels: Sequence[Panel], x: float, y: float, gap: float) -> tuple[list[Panel], float]:
    """Panels one under the other, and where the last one ends."""
    result = []
    for panel in panels:
        result.append(moved(panel, x, y))
        y = result[-1].frame.bottom + gap
    return result, y - gap if result else y
