"""The layout of the war's chart: a wide one with continents, a narrow one for small screens.

Lengths are SVG units, about pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Generic, NamedTuple, TypeVar

from readyroom.engine.game import MatchView
from readyroom.games.strategic.war.board_data import Aimed, Box, Curve, Quarter, Scene, Sheet, Stack, Track, scene
from readyroom.games.strategic.war.views import WarView

P = TypeVar("P")
TOKEN, SMALL, TALL, GAP = 58.0, 52.0, 34.0, 6.0
"""A stack's width, its width on a small screen, its height, and the gap between stacks."""
HEAD, LINE, TARGET, PAD = 24.0, 15.0, 21.0, 9.0
"""Heights of a box's heading, a note and a target; the margin inside a box."""


class Placed(NamedTuple, Generic[P]):
    """A stack, a target, or a research track with three pips and the points under way; and its position."""

    piece: P
    x: float
    y: float
    width: float


class Panel(NamedTuple):
    """A box with its position and contents."""

    box: Box
    x: float
    y: float
    width: float
    height: float
    stacks: Sequence[Placed[Stack]]
    spots: Sequence[Placed[Aimed]]
    notes: Sequence[tuple[float, str]]


class Label(NamedTuple):
    """A text on a sheet."""

    kind: str
    x: float
    y: float
    text: str
    end: bool = False


class PlacedSheet(NamedTuple):
    """A side's sheet with its position; of each card the letter and its position."""

    sheet: Sheet
    x: float
    y: float
    width: float
    height: float
    labels: Sequence[Label]
    rows: Sequence[Placed[Track]]
    cards: Sequence[tuple[str, float, float]]


class Line(NamedTuple):
    """A line of the graph."""

    curve: Curve
    path: str
    end: tuple[float, float]
    last: int


class Graph(NamedTuple):
    """The graph with its position, a scale of values and a mark for each turn."""

    x: float
    y: float
    width: float
    height: float
    scale: Sequence[tuple[float, int]]
    marks: Sequence[float]
    lines: Sequence[Line]
    news: Sequence[tuple[float, str]]
    bottom: float


class Cell(NamedTuple):
    """A box of the turn track with its position."""

    quarter: Quarter
    x: float
    y: float
    width: float
    first: bool


WIDE, NARROW = 1040.0, 400.0
PLACES = {
    "atlantic": (58, 168, 216),
    "land-britain": (296, 84, 206),
    "land-germany": (318, 234, 206),
    "indian": (546, 348, 212),
    "land-japan": (612, 84, 206),
    "japan": (612, 198, 206),
    "pacific": (822, 168, 206),
}
"""Position and width of each box of the wide chart; the narrow one has them in two columns."""
LEGEND = (
    "Counters: ready factors. Net: added to the submarines' dice, subtracted from the escorts'. "
    "Targets: steps, strength and the bombers' net. Cards: S submarine, T tactical, B bombing."
)
HALF, STRETCH = 548.0, 1.2
"""The width of half of the map, and its vertical scale."""
MAP = (58.0, 484.0)
"""Top and bottom of the map on the wide chart."""
LANDS = (
    "M6 58H70Q92 74 64 92T52 132Q66 150 46 176T28 232Q44 250 34 276T20 330Q36 346 44 372T30 420L52 452 40 484H6Z",
    "M292 70Q320 58 352 74T382 112Q398 140 376 168T340 196Q306 204 300 176T276 140Q270 96 292 70Z",
    "M398 58H700Q716 84 690 110T640 150Q628 184 600 196T560 236Q580 268 570 300T548 330Q530 316 522 288L500 270"
    "Q470 262 452 284T404 306Q372 322 344 306T318 256Q318 226 346 214T392 190Q412 168 404 136T398 58Z",
    "M300 356Q340 330 396 340T488 348Q528 372 520 412T494 484H352Q330 452 316 420T300 356Z",
    "M742 66Q764 58 770 80T748 126Q738 148 724 160T690 178Q684 166 704 148T730 110Q730 82 742 66Z",
    "M1034 58H1000Q1008 80 1018 96T1024 140Q1016 160 1026 190L1034 214Z",
    "M836 420Q872 398 918 410T968 446Q960 474 930 484H850Q822 452 836 420Z",
)
"""Decorative outlines of continents and islands, not to scale."""


@dataclass(slots=True)
class Chart:
    """One of the two charts."""

    shape: str
    width: float
    height: float = 0
    title: tuple[float, float] = (0, 0)
    under: tuple[float, float] = (0, 0)
    lands: Sequence[str] = ()
    map: tuple[float, float] = (0, 0)
    sea: float = 0
    shift: float = 0
    stretch: float = 1
    rose: tuple[float, float, float] | None = None
    legend: list[tuple[float, float, str]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    sheets: list[PlacedSheet] = field(default_factory=list)
    graph: Graph | None = None


def layout(view: MatchView[WarView]) -> Mapping[str, Any]:
    """Return what `board.svg.j2` draws."""
    data = scene(view)
    return {
        "scene": data,
        "charts": [wide(data), narrow(data)],
        "label": f"Chart of the war, {view.table.date}",
        "roles": {"axis": "japan", "allies": "usa"},
    }


def wide(data: Scene) -> Chart:
    """Return the wide chart: the map with the sheets and the graph below, or half of it with them next to it."""
    chart = Chart("wide", WIDE, title=(16, 28), under=(16, 46), lands=LANDS, map=MAP)
    chart.cells = list(_track(data.quarters, 420, 14, WIDE - 434))
    places = [PLACES[key] for key in data.boxes]
    if all(x + width <= HALF for x, _, width in places):
        return _half(chart, data, 0)
    if all(x >= WIDE - HALF for x, *_ in places):
        return _half(chart, data, HALF - WIDE)
    chart.panels = [_panel(box, *PLACES[key]) for key, box in data.boxes.items()]
    bottom = max(MAP[1], *(panel.y + panel.height + 10 for panel in chart.panels))
    chart.map = (MAP[0], bottom)
    chart.rose = (170, bottom - 70, 0.85)
    chart.legend = [(16, bottom - 23 + 14 * at, text) for at, text in enumerate(_wrap([LEGEND], HALF))]
    top = bottom + 12
    axis = _sheet(data.sheets[0], 14, top, 372)
    allies = _sheet(data.sheets[1], 396, top, 262)
    high = max(axis.height, allies.height, 206)
    chart.sheets = [axis._replace(height=high), allies._replace(height=high)]
    chart.graph = _graph(data, 668, top, WIDE - 14 - 668, high)
    chart.height = top + high + 14
    return chart


def _half(chart: Chart, data: Scene, shift: float) -> Chart:
    """Lay out a war in the west or east alone: half of the map, next to it the sheets and the graph."""
    chart.sea, chart.shift = HALF - 6, shift
    left, width, y = HALF + 12, WIDE - HALF - 26, MAP[0]
    for sheet in data.sheets:
        placed = _sheet(sheet, left, y, width)
        chart.sheets.append(placed)
        y += placed.height + 8
    bottom = max(MAP[0] + STRETCH * (MAP[1] - MAP[0]), y + 170)
    chart.graph = _graph(data, left, y, width, bottom - y)
    for key, box in data.boxes.items():
        x, at, wide_ = PLACES[key]
        chart.panels.append(_panel(box, x + shift, MAP[0] + STRETCH * (at - MAP[0]), wide_))
    chart.map = (MAP[0], bottom)
    chart.stretch = (bottom - MAP[0]) / (MAP[1] - MAP[0])
    chart.rose = (HALF - 70 if shift else 170, bottom - 76, 0.85)
    chart.legend = [(16, bottom - 24 + 14 * at, text) for at, text in enumerate(_wrap([LEGEND], HALF))]
    chart.height = bottom + 14
    return chart


def narrow(data: Scene) -> Chart:
    """Return the chart for a small screen: boxes in two columns, then the sheets, then the graph."""
    chart = Chart("narrow", NARROW, title=(14, 30), under=(14, 50))
    rows = -(-len(data.quarters) // 6)
    for at in range(rows):
        some = data.quarters[at * 6 : at * 6 + 6]
        chart.cells += _track(some, 14, 62 + at * 42, (NARROW - 28) * len(some) / 6)
    y = [62.0 + rows * 42 + 6] * 2
    top = y[0]
    width = (NARROW - 36) / 2
    for box in data.boxes.values():
        column = 0 if y[0] <= y[1] else 1
        panel = _panel(box, 14 + column * (width + 8), y[column], width, SMALL)
        chart.panels.append(panel)
        y[column] += panel.height + 8
    chart.map = (top - 6, max(y) + 2)
    below = max(y) + 12
    chart.legend = [(14, below + 6 + 14 * at, text) for at, text in enumerate(_wrap([LEGEND], NARROW - 28))]
    below += 14 * len(chart.legend) + 4
    for sheet in data.sheets:
        placed = _sheet(sheet, 14, below, NARROW - 28)
        chart.sheets.append(placed)
        below += placed.height + 8
    chart.graph = _graph(data, 14, below, NARROW - 28, 250)
    chart.height = below + 264
    return chart


def _track(quarters: Sequence[Quarter], x: float, y: float, width: float) -> Iterator[Cell]:
    """Return the turn track; the year is above its first quarter."""
    each = width / max(1, len(quarters))
    years = ["", *(quarter.year for quarter in quarters)]
    for at, (quarter, before) in enumerate(zip(quarters, years, strict=False)):
        yield Cell(quarter, x + at * each, y + 12, each - 3, quarter.year != before)


def _panel(box: Box, x: float, y: float, width: float, token: float = TOKEN) -> Panel:
    """Return a box with its stacks in rows, its targets and its notes."""
    stacks, at = list[Placed[Stack]](), y + HEAD
    for row in box.rows:
        gap = min(GAP, width - 2 * PAD - len(row) * token)
        stacks += [Placed(stack, x + PAD + index * (token + gap), at, token) for index, stack in enumerate(row)]
        at += TALL + GAP
    spots = [Placed(aim, x + PAD, at + index * TARGET, width - 2 * PAD) for index, aim in enumerate(box.targets)]
    at += TARGET * len(spots)
    notes = [(at + 10 + index * LINE, text) for index, text in enumerate(_wrap(box.notes, width - 2 * PAD))]
    at += LINE * len(notes) + (2 if notes else 0)
    return Panel(box, x, y, width, at - y + 3, stacks, spots, notes)


def _wrap(notes: Sequence[str], width: float) -> Iterator[str]:
    """Wrap notes to a width."""
    letters = int(width / 5.4)
    for note in notes:
        while len(note) > letters and " " in note[:letters]:
            cut = note.rindex(" ", 0, letters)
            yield note[:cut]
            note = note[cut + 1 :]
        yield note


def _sheet(sheet: Sheet, x: float, y: float, width: float) -> PlacedSheet:
    """Return a side's sheet: score, nations side by side, cards and orders."""
    labels = [Label("side", x + 12, y + 20, sheet.title), Label("score", x + width - 12, y + 20, sheet.score, end=True)]
    rows, each, most = list[Placed[Track]](), (width - 24) / max(1, len(sheet.nations)), y + 20.0
    for column, nation in enumerate(sheet.nations):
        left, at = x + 12 + column * each, y + 40
        labels.append(Label("nation", left, at, nation.title))
        for text in _wrap([nation.money], each - 8):
            at += 14
            labels.append(Label("small", left, at, text))
        for track in nation.tracks:
            at += 18
            rows.append(Placed(track, left, at, each - 12))
        most = max(most, at)
    cards, at, left = list[tuple[str, float, float]](), most + 14, x + 12
    for hand in sheet.hands:
        labels.append(Label("small", left, at + 14, hand.title))
        left += 7 * len(hand.title) + 4
        for letter in hand.cards:
            cards.append((letter, left, at))
            left += 19
        if not hand.cards:
            labels.append(Label("small", left, at + 14, "none"))
            left += 28
        left += 14
    at += 28 if sheet.hands else 0
    for text in _wrap(sheet.orders, width - 24):
        labels.append(Label("small", x + 12, at + 8, text))
        at += 14
    return PlacedSheet(sheet, x, y, width, at - y + 4, labels, rows, cards)


def _graph(data: Scene, x: float, y: float, width: float, height: float) -> Graph:
    """Return the graph of merchant ships, submarines and sinkings by turn, with the latest results."""
    news = [(y + height - 8 - 14 * at, text) for at, text in enumerate(reversed(_few(data.news)))]
    bottom = y + height - 14 * len(news) - (26 if news else 16)
    top, left, right = y + 44, x + 30, x + width - 74
    most = max([10, *(value for curve in data.curves for value in curve.values)])
    most = -(-most // 10) * 10
    turns = max(1, len(data.quarters) - 1)

    def spot(at: int, value: int) -> tuple[float, float]:
        return left + (right - left) * at / turns, bottom - (bottom - top) * value / most

    lines = []
    for curve in data.curves:
        if curve.values:
            spots = [spot(at, value) for at, value in enumerate(curve.values)]
            path = "M" + "L".join(f"{u:.1f} {v:.1f}" for u, v in spots)
            lines.append(Line(curve, path, spots[-1], curve.values[-1]))
    step = next(step for step in (10, 20, 50, 100, 200, 500, 1000) if most <= 4 * step or step == 1000)
    scale = [(spot(0, value)[1], value) for value in range(0, most + 1, step)]
    marks = [spot(at, 0)[0] for at in range(len(data.quarters))]
    return Graph(x, y, width, height, scale, marks, _separate(lines), news, bottom)


def _few(news: Sequence[str], most: int = 5) -> Sequence[str]:
    return news if len(news) <= most else [*news[: most - 1], f"and {len(news) - most + 1} more rounds"]


def _separate(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with their labels moved so that none overlap."""
    ordered = sorted(lines, key=lambda line: line.end[1])
    heights = accumulate((line.end[1] for line in ordered), lambda above, y: max(y, above + 13))
    return [line._replace(end=(line.end[0], y)) for line, y in zip(ordered, heights, strict=True)]
