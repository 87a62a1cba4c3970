"""Positions on the drawn board: the city that is attacked or the way there, and the bombers next to it.

A view gives two boards, a wide one and a narrow, upright one. Lengths are SVG units, about pixels on a screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from readyroom.engine.drawing import Frame
from readyroom.engine.game import MatchView
from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle.attack.view import TargetView
from readyroom.games.doolittle.denouement.view import DenouementView
from readyroom.games.doolittle.ending.timeline import MONTHS
from readyroom.games.doolittle.flight.view import AirView
from readyroom.games.doolittle.names import count_text
from readyroom.games.doolittle.planning.view import BlotterView
from readyroom.games.doolittle.presentation.drawing import force, ocean, roads
from readyroom.games.doolittle.presentation.drawing.blotter import OPEN, papers
from readyroom.games.doolittle.presentation.drawing.cells import Panel, close_panels, move_panel, stack_panels
from readyroom.games.doolittle.presentation.drawing.force import Force
from readyroom.games.doolittle.presentation.drawing.ocean import Ocean
from readyroom.games.doolittle.presentation.drawing.panels import (
    HEADER,
    TRACK,
    Card,
    Column,
    Step,
    cards,
    columns,
    detonations,
    secrecy,
    secrecy_column,
    turns,
)
from readyroom.games.doolittle.presentation.drawing.roads import Roads
from readyroom.games.doolittle.presentation.drawing.shapes import FULL, NARROW, POINTED, WIDE, Room, Shape, wrap
from readyroom.games.doolittle.presentation.drawing.target import Target, target
from readyroom.games.doolittle.presentation.drawing.timeline import timeline
from readyroom.games.doolittle.presentation.drawing.way import Chart as FlightChart
from readyroom.games.doolittle.presentation.drawing.way import Hour, clock, way
from readyroom.games.doolittle.presentation.scene import Scene, scene
from readyroom.games.doolittle.view import DoolittleView
from readyroom.games.doolittle.voyage.view import VoyageView

SHEET, SECRECY = 128.0, 20.0
"""The height of the sheet with detonations and ratings, and what secrecy adds to it in a raid of flights."""
LABELS = 8.0
"""How far papers are below the head of a wide board, for the labels of answers."""
FEW = 6
"""The number of bombers below each other on the wide board, with all their details."""
LEGEND = (
    "? is a face-down hazard, with a plane a possible interceptor, in a red box one that waits at a target. 5–6: two "
    "dice from 5 to 6 hit. 4–5 with a plane: a fighter hits; lower, it stays. A+1 or D+1: added to approach or "
    "detonation. Bombs under a bomber: they are aboard. A fire with a number: a blast, which helps the next approach."
)
"""How to read the map of a target."""
SPARE = 60.0
"""The height from which room under the papers is enough for answers."""
TURNS = 470.0
"""The width of the naval turns in the head of a wide board."""
FLEET, CHINA = 0.62, 0.66
"""How much of a wide board's width the layout of the ships, and China, take."""
LINE = 15.0
"""A line of what has been met."""


class Chart(NamedTuple):
    """One board: its parts depend on what is played."""

    shape: str
    width: float
    height: float
    sheet: Frame | None = None
    target: Target | None = None
    way: FlightChart | None = None
    turns: Sequence[Step] = ()
    detonations: Sequence[Step] = ()
    clock: Sequence[Hour] = ()
    bombers: Frame | None = None
    cards: Sequence[Card] = ()
    columns: Sequence[Column] = ()
    spare: Frame | None = None
    """Room for answers under the papers."""
    met: Frame | None = None
    found: Sequence[str] = ()
    panels: Sequence[Panel] = ()
    ocean: Ocean | None = None
    force: Force | None = None
    roads: Roads | None = None
    answers: Sequence[Frame] = ()
    label_height: float = POINTED


def room(view: MatchView[DoolittleView], least: Mapping[str, float]) -> dict[str, float]:
    """Return the room that the parts of a view's boards need, and the boards with at least this room for the parts."""
    needed = Room(least)
    _charts(scene(view), needed)
    return needed.needs


def layout(view: MatchView[DoolittleView], least: Mapping[str, float] | None = None) -> Mapping[str, Any]:
    """Return the board of a raid, as a captain sees it, with at least this room for its parts."""
    text = scene(view)
    parts = [f"{plane.pilot}: {plane.status}" for plane in text.squad if not plane.fate]
    lost = sum(plane.lost for plane in text.squad)
    return {
        "label": f"{', '.join(text.lines)}. {'; '.join(parts) or 'No bomber is in the air'}. Lost: {lost}.",
        "scene": text,
        "signed": signed,
        "count": count_text,
        "months": MONTHS,
        "legend": LEGEND,
        "ahead": text.table.air.ahead if text.table.air else {},
        "charts": _charts(text, Room(least)),
    }


def _charts(scene: Scene, room: Room) -> list[Chart]:
    """Return the boards in all shapes."""
    charts = []
    for shape in (WIDE, NARROW):
        room.prefix = shape.name
        chart = _chart(scene, shape, room)
        charts.append(chart._replace(answers=_answers(chart, shape)))
    return charts


def _answers(chart: Chart, shape: Shape) -> list[Frame]:
    """Return where answers without a piece may lie: next to the title, or over a map, or next to the talks."""
    if shape.upright:
        return [Frame(200, 7, shape.width - 207, POINTED), Frame(14, shape.head + 10, shape.width - 28, 700)]
    is_map = chart.target or chart.way or chart.ocean or chart.roads
    left = 20.0 if is_map else shape.width / 2 + 8
    free = [chart.spare.inset(6)] if chart.spare else []
    if chart.roads:  # under the crews
        china = chart.roads.frame
        low = max([china.y, *(panel.frame.bottom for panel in chart.panels if panel.frame.x > china.right)])
        free.append(Frame(china.right + 12, low + 12, shape.width - china.right - 24, china.bottom - low - 18))
    sea = Frame(250, 3, shape.width - shape.margin - TURNS - 256, POINTED)
    head = sea if chart.ocean else Frame(340, 3, 460, POINTED)
    return [
        *(head, *free),
        Frame(left, shape.head + 10, 600 if is_map else shape.width / 2 - 24, 500),
    ]


def _chart(scene: Scene, shape: Shape, room: Room) -> Chart:
    """Return what is on the table now: the blotter, the city that is attacked, or the way there."""
    if scene.table.segment == "planning" and scene.table.blotter is not None:
        return _planning_board(scene, scene.table.blotter, shape, room)
    if scene.at_sea is not None:
        return _sea_board(scene, scene.at_sea, shape, room)
    if scene.table.ending is not None:
        return _roads_board(scene, scene.table.ending, shape, room)
    if scene.city is not None:
        return _target_board(scene, scene.city, shape, room)
    assert scene.table.air is not None
    return _flight_board(scene, scene.table.air, shape, room)


def _sea_board(scene: Scene, voyage: VoyageView, shape: Shape, room: Room) -> Chart:
    """[9.0] Return the naval map over the layout, with its surroundings: turns, recon, planes, the deck, secrecy."""
    if not shape.upright:
        return _wide_sea_board(scene, voyage, shape, room)
    strike, cities = scene.table.strike, scene.table.air.cities if scene.table.air else ()
    sea = ocean.ocean(voyage, cities, shape, shape.head)
    turns = move_panel(ocean.track(voyage, shape.inner, narrow=True), shape.margin, sea.frame.bottom + shape.gap)
    ships = force.force(voyage, strike, Frame(shape.margin, turns.frame.bottom + shape.gap + 20, shape.inner, 400))
    parts = [secrecy(scene, shape.inner)]
    parts += [force.planes(strike, shape.inner, narrow=True)] if strike else []
    parts += [panel(voyage, shape.inner, narrow=True) for panel in (ocean.recon, ocean.met)]
    parts.append(force.deck(voyage, scene.squad, shape.inner, narrow=True))
    panels, low = stack_panels(parts, shape.margin, ships.frame.bottom + shape.gap, shape.gap, room)
    return _over_timeline(scene, shape, [turns, *panels], low, room)._replace(ocean=sea, force=ships)


def _wide_sea_board(scene: Scene, voyage: VoyageView, shape: Shape, room: Room) -> Chart:
    """[9.0] Return the naval map under the turns of April; and under it the layout, and the papers next to it."""
    strike, cities = scene.table.strike, scene.table.air.cities if scene.table.air else ()
    sea = ocean.ocean(voyage, cities, shape, shape.head)
    turns = move_panel(ocean.track(voyage, TURNS, narrow=False), shape.width - shape.margin - TURNS, 4)
    top, wide = sea.frame.bottom + shape.gap, shape.inner * FLEET
    ships = force.force(voyage, strike, Frame(shape.margin, top + 16, wide, FULL - shape.margin - top - 16))
    free = min(space.frame.x for space in ships.spaces if space.key == "starboard") - shape.margin - force.GAP
    corner = move_panel(secrecy_column(scene, free), shape.margin, top + 16)
    side = shape.inner - wide - shape.gap
    corner_of = (shape.margin + wide + shape.gap, top)
    papers = [ocean.recon(voyage, side, narrow=False), force.deck(voyage, scene.squad, side, narrow=False)]
    first = [force.planes(strike, side, narrow=False)] if strike else []
    papers = [*first, *papers, ocean.met(voyage, side, narrow=False)]
    column, _ = stack_panels(_fitting(papers, FULL - shape.margin - top, shape.gap), *corner_of, shape.gap, Room())
    return _wide_board(shape, [turns, corner, *column], room)._replace(ocean=sea, force=ships)


def _fitting(panels: Sequence[Panel], height: float, gap: float) -> list[Panel]:
    """Return the panels that have cells; where they are too high together, without Recon, which the map shows, too."""
    shown = [panel for panel in panels if panel.cells]
    if sum(panel.frame.height + gap for panel in shown) - gap > height:
        shown = [panel for panel in shown if panel.title != "Recon"]
    return shown


def _roads_board(scene: Scene, ending: DenouementView, shape: Shape, room: Room) -> Chart:
    """[14.4] Return China with its roads, and the crews next to it."""
    wide = shape.inner if shape.upright else shape.inner * CHINA
    frame = Frame(shape.margin, shape.head, wide, roads.TALL[1] if shape.upright else roads.SHEET[1])
    china = roads.roads(ending, scene.squad, shape, frame, room)
    side = shape.inner if shape.upright else shape.inner - wide - shape.gap
    parts = [roads.crews(ending, scene.squad, side, 2, narrow=shape.upright), roads.elsewhere(ending, side)]
    neighbors, low = stack_panels(parts, *_next_to(frame, shape), shape.gap, room)
    return _over_timeline(scene, shape, neighbors, max(low, frame.bottom), room)._replace(roads=china)


def _planning_board(scene: Scene, blotter: BlotterView, shape: Shape, room: Room) -> Chart:
    """[13.0.1] Return the blotter in one column of papers; on a wide board in two, over those that are closed."""
    if shape.upright:
        panels, low = stack_panels(papers(blotter, shape.inner, narrow=True), shape.margin, shape.head, shape.gap, room)
        return _over_timeline(scene, shape, panels, low, room)
    width = (shape.inner - shape.gap) / 2
    panes = {panel.title: panel for panel in papers(blotter, width, narrow=False)}
    line = timeline(scene.table.line, scene.month, shape)
    closed = [panel for title, panel in panes.items() if panel.cells and title not in sum(OPEN[blotter.month], ())]
    foot = close_panels([*closed, line], shape.inner)
    panels, low = list[Panel](), FULL - shape.margin - foot.frame.height - shape.gap
    room.prefix = f"{shape.name} {blotter.month}"  # papers of other months take no room
    for at, titles in enumerate(OPEN[blotter.month]):
        x = shape.margin + at * (width + shape.gap)
        column, bottom = stack_panels([panes[title] for title in titles], x, shape.head + LABELS, shape.gap, room)
        panels, low = [*panels, *column], max(low, bottom)
    room.prefix = shape.name
    panels.append(move_panel(foot, shape.margin, low + shape.gap))
    return _wide_board(shape, panels, room)


def _wide_board(shape: Shape, panels: Sequence[Panel], room: Room) -> Chart:
    """Return a wide board of panels that fills a screen, or is higher where they need it."""
    bottom = max(panel.frame.bottom for panel in panels)
    return Chart(shape.name, shape.width, _height(room, max(FULL, bottom + shape.margin)), panels=panels)


def _next_to(frame: Frame, shape: Shape) -> tuple[float, float]:
    """Return the corner of what is to the right of a frame, or under it."""
    return (frame.x, frame.bottom + shape.gap) if shape.upright else (frame.right + shape.gap, frame.y)


def _over_timeline(scene: Scene, shape: Shape, panels: Sequence[Panel], low: float, room: Room) -> Chart:
    """[1.9] Return a board of panels with the time line under all that reaches down to `low`."""
    feet, bottom = stack_panels(
        [timeline(scene.table.line, scene.month, shape)], shape.margin, low + shape.gap, 0, room
    )
    return Chart(shape.name, shape.width, _height(room, bottom + shape.margin), panels=[*panels, *feet])


def _height(room: Room, needs: float) -> float:
    """Return the height of a board."""
    return room("height", needs)


def _target_board(scene: Scene, city: TargetView, shape: Shape, room: Room) -> Chart:
    """Return the map of a target, the tracks, and the bombers of the mission."""
    chart = (_upright_board if shape.upright else _side_by_side)(scene, city, shape, room)
    others = [flight for flight in scene.flights if flight is not scene.raiders]
    below = columns(others, shape, chart.height + shape.gap, full=False)
    bottom = max([chart.height, *(column.frame.bottom for column in below)])
    seen = target(scene, shape, room)
    return chart._replace(height=_height(room, bottom + shape.margin), target=seen, columns=below)


def _side_by_side(scene: Scene, over: TargetView, shape: Shape, room: Room) -> Chart:
    """Return the bombers to the right of the map, and the turns under it."""
    city, x = shape.city, shape.city.right + shape.gap
    width = shape.width - shape.margin - x
    few = len(scene.mission) <= FEW
    held = cards(scene.mission, x + 5, city.y + HEADER + 2, width - 10, 1 if few else 2)
    bombers = Frame(x, city.y, width, room("bombers", max(card.frame.bottom for card in held) + 5 - city.y))
    sheet = Frame(x, bombers.bottom + shape.gap, width, SHEET + (SECRECY if scene.table.air else 0.0))
    floor = city.bottom + shape.gap + TRACK
    spare, met, names = _side_frames(over.turned_over, Frame(x, sheet.bottom + shape.gap, width, 0), floor, room)
    return Chart(
        *(shape.name, shape.width, max(floor, sheet.bottom), sheet),
        turns=turns(scene, shape, city.bottom + shape.gap) if scene.raid else [],
        detonations=detonations(over, x + 8, sheet.y + 22, width - 14),
        bombers=bombers,
        cards=held,
        spare=spare,
        met=met,
        found=names,
    )


def _side_frames(
    texts: Sequence[str], top: Frame, bottom: float, room: Room
) -> tuple[Frame | None, Frame | None, list[str]]:
    """[4.2] Return the frames under the sheet: first of what has been met over the city, then of spare room."""
    names = wrap(texts, top.width - 16, 13.5)[: max(0, int((bottom - top.y - HEADER - 6) // LINE))]
    high = room("met", HEADER + 6 + LINE * len(names) if names else 0)
    met = top._replace(height=high) if names else None
    y = top.y + high + 6 if high else top.y
    left = bottom - y
    spare = top._replace(y=y, height=left) if left > SPARE else None
    return spare, met, names


def _upright_board(scene: Scene, over: TargetView, shape: Shape, room: Room) -> Chart:
    """Return the turns, the sheet and the bombers under the map."""
    y = shape.city.bottom + shape.gap
    track = turns(scene, shape, y) if scene.raid else []
    y += TRACK + shape.gap if track else 0
    sheet = Frame(shape.margin, y, shape.inner, SHEET + (SECRECY if scene.table.air else 0.0))
    top = sheet.bottom + shape.gap
    held = cards(scene.mission, shape.margin + 5, top + HEADER + 2, shape.inner - 10, 2)
    bombers = Frame(shape.margin, top, shape.inner, room("bombers", max(card.frame.bottom for card in held) + 6 - top))
    names = wrap(over.turned_over, shape.inner - 16, 12.4)
    high = room("met", HEADER + 6 + LINE * len(names) if names else 0)
    under = bombers._replace(y=bombers.bottom + shape.gap, height=high)
    met = under if names else None
    return Chart(
        *(shape.name, shape.width, (under if high else bombers).bottom, sheet),
        turns=track,
        detonations=detonations(over, shape.margin + 8, y + 22, shape.inner - 14),
        bombers=bombers,
        cards=held,
        met=met,
        found=names,
    )


def _flight_board(scene: Scene, air: AirView, shape: Shape, room: Room) -> Chart:
    """Return the flight map, the clock, secrecy, and the flights with their bombers."""
    chart = way(air, scene.flights, shape, shape.head, room)
    hours = clock(air, shape, chart.frame.bottom + shape.gap + 14)
    sheet = Frame(shape.margin, hours[-1].frame.bottom + shape.gap, shape.inner, 66 if shape.upright else 26)
    below = columns(scene.flights, shape, sheet.bottom + shape.gap, full=True)
    bottom = max([sheet.bottom, *(column.frame.bottom for column in below)])
    height = _height(room, bottom + shape.margin)
    return Chart(shape.name, shape.width, height, sheet, way=chart, clock=hours, columns=below)
