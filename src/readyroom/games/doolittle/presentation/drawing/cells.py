"""[13.0.1] Papers on a desk: panels of cells, each with a few words, and its option."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from readyroom.engine.drawing import Frame, text_width
from readyroom.games.doolittle.presentation.drawing.shapes import POINTED, Room

HEAD = 22.0
"""The height of a panel's heading."""
SIZE = 12.6
"""The size of type: 11 pixels on a screen of 1366."""
CLOSED = 48.0
"""The height of a closed panel."""
PAD = 6.0
GAP = 4.0


class Text(NamedTuple):
    """Words in a cell, from its corner at the top left."""

    words: str
    x: float
    y: float
    style: str = "dl-note"


class Sign(NamedTuple):
    """A symbol in a cell, from its corner at the top left."""

    symbol: str
    x: float
    y: float
    scale: float = 1.0


class Cell(NamedTuple):
    """A box: its position, its option, its text, and its look."""

    frame: Frame
    keys: Sequence[str]
    title: str
    texts: Sequence[Text] = ()
    signs: Sequence[Sign] = ()
    style: str = ""
    key: str = ""
    """Its key on the board where that is not the first of its options; "-": it has none."""
    place: str = ""


class Panel(NamedTuple):
    """A paper with its heading and its cells; `note` is next to the heading, `summary` is what it says when closed."""

    title: str
    frame: Frame
    cells: Sequence[Cell]
    note: str = ""
    summary: str = ""

    @property
    def place(self) -> str:
        """Its key on the board."""
        return self.title.lower().removeprefix("the ").replace(" ", "-")


def fit_text(text: str, width: float, size: float = SIZE) -> str:
    """Return a text, cut where there is no more room.

    >>> fit_text("a long sentence", 40, 12)
    'a long…'
    """
    if text_width(text, size) <= width:
        return text
    most = max(1, int(width / (size * 0.47)) - 1)
    return f"{text[:most].rstrip()}…"


def fold_text(text: str, width: float, size: float = SIZE, most: int = 9) -> list[str]:
    """Return a sentence in lines of this width, the last of them cut if there are too many.

    >>> fold_text("a long sentence", 40, 12)
    ['a long', 'sentence']
    """
    names: list[str] = []
    for word in text.split():
        if names and text_width(f"{names[-1]} {word}", size) <= width:
            names[-1] += f" {word}"
        else:
            names.append(word)
    if len(names) > most:
        names = [*names[: most - 1], fit_text(" ".join(names[most - 1 :]), width, size)]
    return names


def row(top: Frame, count: int, height: float, across: int | None = None, gap: float = GAP) -> list[Frame]:
    """Return this many frames of one height, `across` in a row, from the top of `top` downwards."""
    across = across or count
    width = (top.width - gap * (across - 1)) / across
    return [
        Frame(top.x + at % across * (width + gap), top.y + at // across * (height + gap), width, height)
        for at in range(count)
    ]


def pointed(height: float, *, narrow: bool) -> float:
    """Return the height of a box that can be pointed at: on a wide board at least `POINTED`."""
    return height if narrow else max(height, POINTED)


def two_lines(frame: Frame, first: str, second: str, y: float, *, room: float) -> list[Text]:
    """Return a text, with this much room left at its right, over another in small letters."""
    below = y + (12 if y < 14 else 13)
    return [
        Text(fit_text(first, frame.width - room), 5, y),
        Text(fit_text(second, frame.width - 8), 5, below, "dl-where"),
    ]


def stage(at: int, now: int) -> str:
    """Return the style of a box on a track: the present one, or one that has been passed."""
    return "dl-now" if at == now else "dl-past" if at < now else ""


def room_under(width: float) -> Frame:
    """Return the room under the heading of a panel that has its corner at the origin."""
    return Frame(PAD, HEAD, width - 2 * PAD, 0)


def size_panel(title: str, width: float, cells: Sequence[Cell], note: str = "", summary: str = "") -> Panel:
    """Return a panel with its corner at the origin, as high as its cells need."""
    bottom = max([HEAD, *(cell.frame.bottom for cell in cells)]) + PAD
    return Panel(title, Frame(0, 0, width, bottom), cells, note, summary or note)


def close_panels(panels: Sequence[Panel], width: float) -> Panel:
    """Return one row that has a cell for each of these panels, with its title and its summary."""
    top, cells = Frame(PAD, PAD, width - 2 * PAD, 0), list[Cell]()
    for frame, panel in zip(row(top, len(panels), CLOSED), panels, strict=True):
        lines = fold_text(panel.summary or "nothing yet", frame.width - 10, SIZE, 2)
        texts = [Text(fit_text(panel.title, frame.width - 10, 13), 5, 15, "dl-goalname")]
        texts += [Text(line, 5, 29 + at * 12.5, "dl-where") for at, line in enumerate(lines)]
        cells.append(Cell(frame, [], f"{panel.title}: {panel.summary}", texts, place=panel.place))
    return size_panel("", width, cells)


def move_panel(panel: Panel, x: float, y: float) -> Panel:
    """Return the panel with its corner moved here."""
    dx, dy = x - panel.frame.x, y - panel.frame.y
    cells = [one._replace(frame=one.frame._replace(x=one.frame.x + dx, y=one.frame.y + dy)) for one in panel.cells]
    return panel._replace(frame=panel.frame._replace(x=x, y=y), cells=cells)


def stack_panels(panels: Sequence[Panel], x: float, y: float, gap: float, room: Room) -> tuple[list[Panel], float]:
    """Return the panels that have cells, one under the other, and where the last one ends."""
    result: list[Panel] = []
    low = y
    for panel in panels:
        high = room(panel.title, panel.frame.height if panel.cells else 0)
        if panel.cells:
            moved = move_panel(panel, x, y)
            result.append(moved._replace(frame=moved.frame._replace(height=high)))
        if high:
            low = y + high
            y = low + gap
    return result, low
