"""The layout of the war's chart: a wide one, and a narrow one for small screens.

The counters of a sea are on its map, with the convoy route; those of a country on the map of the air war. Targets,
sheets, the turn track and the graph are next to the maps. Nothing changes its size or place during a match. Lengths are
SVG units, about pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any, Generic, NamedTuple, TypeVar

from readyroom.engine.drawing import Frame
from readyroom.engine.game import MatchView
from readyroom.engine.maps import Coast, Map, Region, fit_map, load_coasts
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import count_noun
from readyroom.games.strategic.tables.figures import figures
from readyroom.games.strategic.tables.grids import Grid
from readyroom.games.strategic.war.pieces import city_place, lane_place, money_place
from readyroom.games.strategic.war.places import ENEMY, SEAS
from readyroom.games.strategic.war.presentation import maps
from readyroom.games.strategic.war.presentation.board_data import (
    Aimed,
    Box,
    Card,
    Curve,
    Hand,
    Quarter,
    Scene,
    Sheet,
    Stack,
    Track,
    scene,
)
from readyroom.games.strategic.war.views import WarView

P = TypeVar("P")
LETTER = 6.3
"""The width of a letter of a line."""
TOKEN, TALL, GAP = 50.0, 46.0, 4.0
"""A counter's width and height, and the gap between counters."""
NAMED, SHORT = 1.2, {"merchant": "ships", "escort": "escorts", "carrier": "carriers"}
"""The scale of counters above which the kinds of ships are named below them, and their names."""
ABREAST = 3
"""The counters in a row of a sea."""
NAME, NOTE = 18.0, 15.0
"""Heights of a sea's name above its counters, and of the note below them."""
TILE, SPACE = 46.0, 3.0
"""The height and least width of targets, research projects and cities, which a pointer must meet; the gap between."""
HEAD, LINE, PAD = 24.0, 15.0, 8.0
"""Heights of a panel's heading and of a line; the margin inside a panel."""
MONEY, ORDERS, NEWS = 3, 2, 6
"""The lines of a nation's points, a side's orders and the latest results."""
HAND, THEATER = 60.0, 14.0
"""Heights of a hand of cards with its title, and of the title."""
CARD, COVERED = 46.0, 22.0
"""The width of a card with its gap, and of what is seen of a tactical one below another."""
TAG = 16.0
"""The height of a tag with what is ordered."""
CARDS = 116.0
"""The width of a hand of cards."""
STAY = {"wide": Frame(300, 0.5, 112, 43.4), "narrow": Frame(280, 10, 112, TILE)}
"""Where the choice is that nothing moves: next to the title."""


class Placed(NamedTuple, Generic[P]):
    """A counter, a target, or a research project; and its position.

    `within` is the place that a counter is in.
    """

    piece: P
    x: float
    y: float
    width: float
    scale: float = 1.0
    within: str = ""


class Tag(NamedTuple):
    """A tag with a number that is ordered, not yet carried out: its left and upper edges, its width and its text."""

    x: float
    y: float
    width: float
    text: str


class Panel(NamedTuple):
    """A box with its frame and contents: a sea's counters on the map, a country's targets next to it."""

    box: Box
    frame: Frame
    on_map: bool
    spots: Sequence[Placed[Aimed]]
    notes: Sequence[tuple[float, float, str]]


class City(NamedTuple):
    """A target on the map: its place, its side, its name, how many of its steps are out, and the keys of options.

    `frame` is what a pointer meets.
    """

    place: str
    side: str
    name: str
    x: float
    y: float
    frame: Frame
    label: tuple[float, float, str]
    steps: int
    out: int
    keys: Sequence[str]
    raid: Tag | None


class Lane(NamedTuple):
    """The route of a sea's merchant ships: its place, its line and its name."""

    place: str
    path: str
    title: str


class Label(NamedTuple):
    """A text on a sheet; some are places."""

    kind: str
    x: float
    y: float
    text: str
    end: bool = False
    place: str = ""


class HandRow(NamedTuple):
    """A hand of cards with its frame, and the position of each kind of card."""

    hand: Hand
    frame: Frame
    cards: Sequence[tuple[Card, float, float]]


class PlacedSheet(NamedTuple):
    """A side's sheet with its position."""

    sheet: Sheet
    x: float
    y: float
    width: float
    height: float
    labels: Sequence[Label]
    rows: Sequence[Placed[Track]]
    hands: Sequence[HandRow]


class Line(NamedTuple):
    """A line of the graph."""

    curve: Curve
    path: str
    end: tuple[float, float]
    last: int


class Graph(NamedTuple):
    """The graph with its position, a scale of values and a mark for each turn, some with a year; the latest results.

    `broad` is the left edge of the results if they are next to the curves, else 0.
    """

    x: float
    y: float
    width: float
    height: float
    right: float
    scale: Sequence[tuple[float, int]]
    marks: Sequence[tuple[float, str]]
    lines: Sequence[Line]
    news: Sequence[tuple[float, float, str]]
    bottom: float
    broad: float


class Cell(NamedTuple):
    """A box of the turn track with its position."""

    quarter: Quarter
    x: float
    y: float
    width: float
    first: bool


WIDE, NARROW, EDGE = 1000.0, 400.0, 6.0
"""The widths of both charts, and the margin."""
TOP = 44.0
"""Where the maps begin on the wide chart."""
COLUMN = 604.0
"""The width of the maps where the sheets are next to them."""
LEGEND = (
    "Counters: ready factors, white if none; “2 out”: 2 miss a turn. "
    "Risk: what is sunk in a turn on average. "
    "Dice +2: added to the submarines' dice, subtracted from the escorts'. "
    "Targets: steps, strength, and what is added to the bombers' dice. "
    "Research: levels, of three; +2: points for the next. "
    "Cards: sub is submarine; bombing is strategic in the log."
)
AREAS: Mapping[str, tuple[float, float, float, float, float, str]] = {
    "ruhr": (-6, 18, 46, -6, 17, "middle"),
    "hamburg": (-7, -19, 57, -6, -10, "middle"),
    "berlin": (22.5, 10, 46, 7, 4, "start"),
    "ploesti": (0, -10, 54, 0, -9, "middle"),
    "tokyo": (-7, 4, 46, -7, 18, "middle"),
    "london": (-5, 19, 46, -5, 17, "middle"),
    "midlands": (-3, -13, 58, -3, -9, "middle"),
}
"""From the dot of a city: the middle and width of its area, and its name, which is inside. Areas do not overlap."""


@dataclass(slots=True)
class Chart:
    """One of the two charts."""

    shape: str
    width: float
    height: float = 0
    title: tuple[float, float] = (14, 24)
    under: tuple[float, float] = (14, 40)
    maps: list[Map] = field(default_factory=list)
    lanes: list[Lane] = field(default_factory=list)
    cities: list[City] = field(default_factory=list)
    rose: tuple[float, float, float] | None = None
    legend: list[tuple[float, float, str]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    stacks: list[Placed[Stack]] = field(default_factory=list)
    sheets: list[PlacedSheet] = field(default_factory=list)
    graph: Graph | None = None

    @property
    def stay(self) -> Frame:
        """Where to choose that nothing moves."""
        return STAY[self.shape]

    def step_width(self, width: float, steps: int) -> float:
        """Return the width of a target's step in a tile of this width."""
        return max(4.0, min(16.0, (width - 2 * PAD) / steps))


def layout(view: MatchView[WarView]) -> Mapping[str, Any]:
    """Return what `board.svg.j2` draws."""
    data = scene(view)
    return {
        "scene": data,
        "charts": [wide(data), narrow(data)],
        "legend": LEGEND,
        "label": f"Chart of the war, {view.table.date}",
        "roles": {"axis": "japan", "allies": "usa"},
        "tile": TILE,
        "tag": tag,
        "tag_height": TAG,
        "signed": signed,
        "enemies": ENEMY,
        "points": " ".join(str(getattr(view.table.victory, kind)) for kind in ("merchant", "escort", "submarine")),
        "tables": _tables(),
    }


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, str]:
    """Return the combat tables, in which a page shows what was rolled."""
    return {"strategic": _rows(figures().strategic), "air": _rows(figures().air)}


def _rows(grid: Grid) -> str:
    """Return a combat table as text for the page: the first column, then each row's results."""
    rows = (",".join(map(grid.format, results)) for results in grid.rows.values())
    return f"{grid.least};{';'.join(rows)}"


def wide(data: Scene) -> Chart:
    """Return the wide chart: maps, with the sheets and the graph next to them or below."""
    chart = Chart("wide", WIDE)
    chart.cells = list(_track(data.quarters, 420, 10, WIDE - 428))
    seas, lands = _seas(data), _lands(data)
    if seas and lands:
        _full(chart, data, seas)
    elif len(seas) > 1:
        _oceans(chart, data, seas)
    else:
        _column(chart, data, seas)
    return chart


def _seas(data: Scene) -> list[str]:
    return [sea for sea in SEAS if sea in data.boxes]


def _lands(data: Scene) -> list[Box]:
    return [box for key, box in data.boxes.items() if key not in SEAS]


def _full(chart: Chart, data: Scene, seas: Sequence[str]) -> None:
    """Lay out a war at sea and in the air: the seas across the chart, below them the air war and the sheets."""
    _sea_map(chart, data, seas, Frame(EDGE, TOP, WIDE - 2 * EDGE, 266))
    chart.rose = (300, 270, 0.62)
    top, left, right = TOP + 272, 446.0, EDGE + 452
    bottom = _air(chart, data, Frame(EDGE, top, left, 238))
    chart.height = _graph_and_sheets(chart, data, Frame(right, top, WIDE - EDGE - right, bottom - top), 71) + EDGE


def _oceans(chart: Chart, data: Scene, seas: Sequence[str]) -> None:
    """Lay out a war in several seas: the map across the chart, below it the sheets and the graph in a row."""
    _sea_map(chart, data, seas, Frame(EDGE, TOP, WIDE - 2 * EDGE, 360), 1.12)
    chart.rose = (60, 370, 0.62)
    top, width = TOP + 366, 440.0
    bottom = _sheets(chart, data, EDGE, top, width)
    chart.graph = _graph(data, Frame(2 * EDGE + width, top, WIDE - 3 * EDGE - width, bottom - top))
    chart.height = bottom + EDGE


def _column(chart: Chart, data: Scene, seas: Sequence[str]) -> None:
    """Lay out a war in one sea or in the air alone: a large map, next to it the sheets and the graph."""
    if seas:
        _sea_map(chart, data, seas, Frame(EDGE, TOP, COLUMN, 470), 1.3)
        chart.rose = (EDGE + COLUMN - 60, TOP + 400, 0.8)
        bottom = TOP + 470
    else:
        bottom = _air(chart, data, Frame(EDGE, TOP, COLUMN, 392), 1.3)
    left, inner = 2 * EDGE + COLUMN, WIDE - 3 * EDGE - COLUMN
    chart.height = _graph_and_sheets(chart, data, Frame(left, TOP, inner, bottom - TOP), 84) + EDGE


def _graph_and_sheets(chart: Chart, data: Scene, frame: Frame, least: float) -> float:
    """Place the graph at the top of a frame next to a map, and below it the sheets; return the bottom.

    The graph takes what the sheets leave, or its least height: then the bottom is below the frame's.
    """
    high = _sheets(chart, data, frame.x, frame.y, frame.width) - frame.y
    top = max(least, frame.height - high - EDGE)
    chart.graph = _graph(data, frame._replace(height=top))
    return _sheets(chart, data, frame.x, frame.y + top + EDGE, frame.width)


def narrow(data: Scene) -> Chart:
    """Return the chart for a small screen: a map for each sea and each air war, then the sheets, then the graph."""
    chart = Chart("narrow", NARROW, title=(14, 30), under=(14, 50))
    rows = -(-len(data.quarters) // 6)
    for at in range(rows):
        some = data.quarters[at * 6 : at * 6 + 6]
        chart.cells += _track(some, 14, 62 + at * 42, (NARROW - 28) * len(some) / 6)
    y, width = 62.0 + rows * 42, NARROW - 2 * EDGE
    for sea in _seas(data):
        _sea_map(chart, data, [sea], Frame(EDGE, y, width, 176))
        y += 182
    if _lands(data):
        y = _air(chart, data, Frame(EDGE, y, width, 250), stacked=True) + EDGE
    y = _legend(chart, 14, y + 6, width - 8)
    for sheet in data.sheets:
        placed = _sheet(sheet, EDGE, y, width)
        chart.sheets.append(placed)
        y += placed.height + EDGE
    chart.graph = _graph(data, Frame(EDGE, y, width, 270))
    chart.height = y + 270 + EDGE
    return chart


def _track(quarters: Sequence[Quarter], x: float, y: float, width: float) -> Iterator[Cell]:
    """Return the turn track; the year is above its first quarter."""
    each = width / max(1, len(quarters))
    years = ["", *(quarter.year for quarter in quarters)]
    for at, (quarter, before) in enumerate(zip(quarters, years, strict=False)):
        yield Cell(quarter, x + at * each, y + 10, each - 3, quarter.year != before)


def _legend(chart: Chart, x: float, y: float, width: float) -> float:
    lines = list(_wrap([LEGEND], width))
    chart.legend = [(x, y + 10 + LINE * at, text) for at, text in enumerate(lines)]
    return y + LINE * len(lines) + 2


# -- maps ------------------------------------------------------------------------------------------------------------


def _coast(name: str) -> Coast:
    return load_coasts(__package__)[name]


def _sea_map(chart: Chart, data: Scene, seas: Sequence[str], frame: Frame, scale: float = 1.0) -> None:
    """Place a map of seas with their routes and counters."""
    shown = fit_map(_coast("world"), maps.seas_region(seas), frame)
    chart.maps.append(shown)
    for sea in seas:
        box = data.boxes[sea]
        chart.lanes.append(Lane(lane_place(sea), shown.path(maps.SEAS[sea].route), f"Route of convoys, {box.title}"))
        width = scale * (ABREAST * (TOKEN + GAP) - GAP)
        lines = 3 if scale > NAMED else 1
        height = NAME + scale * (2 * TALL + GAP) + lines * NOTE + 4 * (lines - 1)
        zone = _within(Frame(*_corner(shown.place(maps.SEAS[sea].middle), width, height), width, height), frame)
        texts = [text.removesuffix(" sunk a turn") for text in box.notes[:1]]
        if scale > NAMED and texts[0].startswith("risk"):
            texts = [each for text in texts for each in ("sunk a turn on average:", text.removeprefix("risk: "))]
        notes = [(zone.x, zone.bottom - 3 - NOTE * at, text) for at, text in enumerate(reversed(texts))]
        notes += _names(box, zone, scale) if scale > NAMED else []
        chart.panels.append(Panel(box, zone, True, [], notes))
        _rows_of_stacks(chart, box.rows, zone.x, zone.y + NAME, scale, sea)


def _names(box: Box, zone: Frame, scale: float) -> Iterator[tuple[float, float, str]]:
    """Yield the names of what counters show, where there is room: next to submarines, and below ships."""
    boats, ships = box.rows
    across, top = scale * (TOKEN + GAP), zone.y + NAME
    if len(boats) == 1:
        yield zone.x + across, top + 14, "submarines"
        if boats[0].out:
            yield zone.x + across, top + scale * TALL - 6, "out: miss a turn"
    for at, stack in enumerate(ships):
        yield zone.x + at * across, top + scale * (2 * TALL + GAP) + 12, SHORT[stack.kind]


def _corner(middle: tuple[float, float], width: float, height: float) -> tuple[float, float]:
    return middle[0] - width / 2, middle[1] - height / 2


def _within(frame: Frame, outer: Frame) -> Frame:
    """Return a frame moved so that it is inside another."""
    edge = 8
    x = min(max(frame.x, outer.x + edge), outer.right - edge - frame.width)
    y = min(max(frame.y, outer.y + edge), outer.bottom - edge - frame.height)
    return frame._replace(x=x, y=y)


def _rows_of_stacks(
    chart: Chart, rows: Sequence[Sequence[Stack]], x: float, y: float, scale: float, within: str
) -> None:
    for down, row in enumerate(rows):
        for across, stack in enumerate(row):
            left, top = x + across * scale * (TOKEN + GAP), y + down * scale * (TALL + GAP)
            chart.stacks.append(Placed(stack, left, top, TOKEN * scale, scale, within))


AIR: Mapping[str, tuple[Region, Sequence[str], float]] = {
    "europe": (maps.EUROPE, ("land-britain", "land-germany"), 0.69),
    "japan": (maps.JAPAN, ("land-japan",), 0.31),
}
"""The maps of the air war: what they show, the panels below them, and their share of the width."""


def _air(chart: Chart, data: Scene, frame: Frame, scale: float = 1.0, *, stacked: bool = False) -> float:
    """Place the maps of the air war, side by side or one below the other, with the targets below; return the bottom."""
    here = {name: [key for key in keys if key in data.boxes] for name, (_, keys, _) in AIR.items()}
    here = {name: keys for name, keys in here.items() if keys}
    total = sum(AIR[name][2] for name in here)
    x, y, bottom = frame.x, frame.y, frame.bottom
    for name, keys in here.items():
        aligned = keys if stacked else [key for some in here.values() for key in some]
        most = max(_panel_height(data.boxes[key]) for key in aligned)
        width = frame.width if stacked else (frame.width - EDGE * (len(here) - 1)) * AIR[name][2] / total
        place = Frame(x, y, width, frame.height)
        _air_map(chart, data, name, keys, place, scale)
        each = (width - EDGE * (len(keys) - 1)) / len(keys)
        for at, key in enumerate(keys):
            chart.panels.append(_panel(data.boxes[key], Frame(x + at * (each + EDGE), place.bottom + EDGE, each, most)))
        bottom = place.bottom + EDGE + most
        x, y = (x, bottom + EDGE) if stacked else (x + width + EDGE, y)
    return bottom


def _air_map(chart: Chart, data: Scene, name: str, keys: Sequence[str], frame: Frame, scale: float) -> None:
    """Place a map of the air war with its cities and counters."""
    shown = fit_map(_coast(name), AIR[name][0], frame)
    chart.maps.append(shown)
    for key in keys:
        box, area = data.boxes[key], key.removeprefix("land-")
        chart.cities += [
            _city(aim, box.side, *shown.place(maps.CITIES[aim.key])) for aim in box.targets if aim.key in maps.CITIES
        ]
        bases: dict[str, list[Stack]] = {}
        for stack in box.rows[0]:
            bases.setdefault("pacific" if area == "japan" and stack.kind == "bomber" else area, []).append(stack)
        for base, stacks in bases.items():
            width, height = scale * TOKEN, scale * (len(stacks) * (TALL + GAP) - GAP)
            place = _within(Frame(*_corner(shown.place(maps.BASES[base]), width, height), width, height), frame)
            _rows_of_stacks(chart, [[stack] for stack in stacks], place.x, place.y, scale, key)


def _city(aim: Aimed, side: str, x: float, y: float) -> City:
    dx, dy, width, right, down, anchor = AREAS[aim.key]
    frame = Frame(x + dx - width / 2, y + dy - TILE / 2, width, TILE)
    label = (x + right, y + down, anchor)
    raid = tag(aim.raid, label[0], label[1] + (4 if down > 0 else -12 - TAG)) if aim.raid else None
    return City(city_place(aim.key), side, aim.short, x, y, frame, label, aim.steps, aim.out, aim.keys, raid)


def tag(text: str, middle: float, y: float) -> Tag:
    """Return a tag with its middle and its upper edge at these places."""
    width = 8 + 7.5 * len(text)
    return Tag(middle - width / 2, y, width, text)


def _tiles(pieces: Sequence[P], x: float, y: float, width: float) -> list[Placed[P]]:
    """Return pieces as tiles in two columns, or in one if there is only one piece or no room."""
    columns = 2 if len(pieces) > 1 and width >= 2 * TILE + SPACE else 1
    each = (width - (columns - 1) * SPACE) / columns
    return [
        Placed(piece, x + at % columns * (each + SPACE), y + at // columns * (TILE + SPACE), each)
        for at, piece in enumerate(pieces)
    ]


def _panel_height(box: Box) -> float:
    return HEAD + -(-len(box.targets) // 2) * (TILE + SPACE) + LINE + 2


def _panel(box: Box, frame: Frame) -> Panel:
    """Return a country's panel: its targets, and a line for the raid of the moment."""
    spots = _tiles(box.targets, frame.x + PAD, frame.y + HEAD, frame.width - 2 * PAD)
    notes = [(frame.x + PAD, frame.bottom - 5, text) for text in [*box.notes, "strength · dice"][:1]]
    return Panel(box, frame, False, spots, notes)


def _wrap(notes: Sequence[str], width: float, size: float = LETTER) -> Iterator[str]:
    """Wrap notes to a width, for letters of a size."""
    letters = int(width / size)
    for note in notes:
        while len(note) > letters and " " in note[:letters]:
            cut = note.rindex(" ", 0, letters)
            yield note[:cut]
            note = note[cut + 1 :]
        yield note


def _lines(notes: Sequence[str], width: float, most: int) -> list[str]:
    """Return wrapped notes, cut to a number of lines."""
    lines = list(_wrap(notes, width))
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1][: int(width / LETTER) - 2]} …"]


# -- sheets ----------------------------------------------------------------------------------------------------------


def _sheets(chart: Chart, data: Scene, x: float, y: float, width: float) -> float:
    """Place both sides' sheets side by side, equally high; return the bottom.

    The hands of the Allies are in a row if that leaves room for the research of the Axis.
    """
    axis, allies = data.sheets
    nations, whole = max(1, len(axis.nations)), width - EDGE
    row, least = CARDS * len(allies.hands) + 2 * PAD, nations * 2 * (TILE + 2 * SPACE) + 2 * PAD
    part = max(row if row + least <= whole else CARDS + 2 * PAD, whole / (1 + nations))
    sheets = [_sheet(axis, x, y, whole - part), _sheet(allies, x + width - part, y, part)]
    height = max(sheet.height for sheet in sheets)
    chart.sheets = [sheet._replace(height=height) for sheet in sheets]
    return y + height


def _sheet(sheet: Sheet, x: float, y: float, width: float) -> PlacedSheet:
    """Return a side's sheet: score, nations side by side, cards and orders; its height is always the same."""
    down = 20 if width > 200 else 40
    score = Label("score", x + width - PAD, y + down, sheet.score, end=True, place=f"score-{sheet.side}")
    labels = [Label("side", x + PAD, y + 20, sheet.title), score]
    rows, each = list[Placed[Track]](), (width - 2 * PAD) / max(1, len(sheet.nations))
    most = y + 37
    for column, nation in enumerate(sheet.nations):
        left, at = x + PAD + column * each, y + 37
        labels.append(Label("nation", left, at, nation.title))
        money = nation.money.replace(" a ", "\N{NO-BREAK SPACE}a\N{NO-BREAK SPACE}")
        texts = _lines([money], each - PAD, MONEY)
        if len(texts) < MONEY:
            labels.append(Label("small", left, at + LINE * MONEY + 2, "Research levels"))
        for number, text in enumerate(texts):
            place = "" if number else money_place(nation.nation)
            labels.append(Label("small", left, at + LINE * (number + 1), text, place=place))
        last = column == len(sheet.nations) - 1
        tiles = _tiles(nation.tracks, left, at + LINE * MONEY + 6, each - (0 if last else PAD))
        rows += tiles
        most = max([most, *(tile.y + TILE for tile in tiles)])
    at, hands = most + 5, list[HandRow]()
    left = x + PAD
    for hand in sheet.hands:
        if left + CARDS > x + width and left > x + PAD:
            left, at = x + PAD, at + HAND
        frame = Frame(left, at, CARDS - 4, HAND - 3)
        hands.append(HandRow(hand, frame, list(_cards(hand, left, at + THEATER))))
        left += CARDS
    at += HAND if sheet.hands else 0
    orders = f"Orders: {sheet.orders}." if sheet.orders else ""
    for number, text in enumerate(_lines([orders], width - 2 * PAD, ORDERS)):
        labels.append(Label("small", x + PAD, at + 10 + LINE * number, text))
    return PlacedSheet(sheet, x, y, width, at + LINE * ORDERS + 4 - y, labels, rows, hands)


def _cards(hand: Hand, x: float, y: float) -> Iterator[tuple[Card, float, float]]:
    """Place a card for each kind that is held; those without effect are partly below the others."""
    for card in hand.cards:
        yield card, x, y
        x += COVERED if card.kind == "tactical" else CARD


# -- the graph -------------------------------------------------------------------------------------------------------


def _graph(data: Scene, frame: Frame) -> Graph:
    """Return the graph of merchant ships, submarines and sinkings by turn, with the latest results next to or below it.

    Their place is the same however many there are.
    """
    is_broad = frame.width > 2 * frame.height
    aside = 256.0
    most_news = min(NEWS, int((frame.height - 38) / LINE) + 1) if is_broad else NEWS
    news = _few(data.news, aside - 4 if is_broad else frame.width - 24, most_news)
    if is_broad:
        plot = frame._replace(width=frame.width - aside)
        news_lines = [(plot.right - 6, frame.y + 38 + LINE * at, text) for at, text in enumerate(news)]
    else:
        plot = frame._replace(height=frame.height - LINE * NEWS - 8)
        news_lines = [(frame.x + 12, plot.bottom + 10 + LINE * at, text) for at, text in enumerate(news)]
    bottom, top = plot.bottom - 17, plot.y + 28
    left, right = plot.x + 30, plot.right - 110
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
    steps = max(1, min(4, int((bottom - top) / LINE)))
    step = next(step for step in (10, 20, 50, 100, 200, 500, 1000) if most <= steps * step or step == 1000)
    scale = [(spot(0, value)[1], value) for value in range(0, most + 1, step)]
    years = ["", *(quarter.year for quarter in data.quarters)]
    marks = [
        (spot(at, 0)[0], quarter.year if quarter.year != years[at] else "") for at, quarter in enumerate(data.quarters)
    ]
    broad = plot.right - 6 if is_broad else 0.0
    return Graph(*frame, right, scale, marks, _separate(lines, right, bottom), news_lines, bottom, broad)


def _few(news: Sequence[str], width: float, most: int) -> list[str]:
    """Return as many results as fit in a number of lines, and how many rounds are left out."""
    for left in range(len(news) + 1):
        more = [f"and {count_noun(left, 'more round')}"] if left else []
        lines = list(_wrap([*news[: len(news) - left], *more], width))
        if len(lines) <= most:
            return lines
    return []


def _separate(lines: Sequence[Line], right: float, bottom: float) -> list[Line]:
    """Return the lines with their labels at the right of the plot, so that none overlap and none is below it."""
    ordered = sorted(lines, key=lambda line: line.end[1])
    down = list(accumulate((line.end[1] for line in ordered), lambda above, y: max(y, above + LINE)))
    up = accumulate(reversed(down), lambda below, y: min(y, below - LINE), initial=bottom + LINE)
    heights = list(up)[:0:-1]
    return [line._replace(end=(right, y)) for line, y in zip(ordered, heights, strict=True)]
