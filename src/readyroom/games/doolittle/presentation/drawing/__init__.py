"""Positions on the drawn board: the city that is attacked or the way there, and the bombers next to it.

A view gives two boards, a wide one and a narrow, upright one. Lengths are SVG units, about pixels on a screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readyroom.engine.checks import signed
from readyroom.engine.drawing import Frame
from readyroom.engine.game import MatchView
from readyroom.games.doolittle.aftermath.view import EndingView
from readyroom.games.doolittle.attack.view import TargetView
from readyroom.games.doolittle.flight.view import AirView
from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.planning.view import BlotterView
from readyroom.games.doolittle.presentation.drawing import blotter as desk
from readyroom.games.doolittle.presentation.drawing import force, ocean, roads
from readyroom.games.doolittle.presentation.drawing.cells import Panel, moved, stacked
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
    turns,
)
from readyroom.games.doolittle.presentation.drawing.roads import Roads
from readyroom.games.doolittle.presentation.drawing.shapes import NARROW, WIDE, Shape, wrap
from readyroom.games.doolittle.presentation.drawing.target import Target, target
from readyroom.games.doolittle.presentation.drawing.timeline import MONTHS, timeline
from readyroom.games.doolittle.presentation.drawing.way import Chart as FlightChart
from readyroom.games.doolittle.presentation.drawing.way import Hour, clock, way
from readyroom.games.doolittle.presentation.scene import Scene, scene
from readyroom.games.doolittle.view import DoolittleView
from readyroom.games.doolittle.voyage.view import VoyageView

SHEET, SECRECY = 128.0, 20.0
"""The height of the sheet with detonations and ratings, and what secrecy adds to it."""
FEW = 6
"""The number of bombers below each other on the wide board, with all their details."""
LEGEND = 152.0
"""The height that an explanation of the hazards needs."""
FLEET, CHINA = 0.62, 0.66
"""How much of a wide board's width the layout of the ships, and China, take."""
LINE = 15.0
"""A line of what has been met."""


@dataclass(frozen=True, slots=True)
class Chart:
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
    key: Frame | None = None
    met: Frame | None = None
    found: Sequence[str] = ()
    panels: Sequence[Panel] = ()
    ocean: Ocean | None = None
    force: Force | None = None
    roads: Roads | None = None


def layout(view: MatchView[DoolittleView]) -> Mapping[str, Any]:
    """The board of a raid, as a captain sees it."""
    text = scene(view)
    parts = [f"{plane.pilot}: {plane.status}" for plane in text.squad if not plane.fate]
    lost = sum(plane.lost for plane in text.squad)
    return {
        "label": f"{', '.join(text.lines)}. {'; '.join(parts) or 'No bomber is in the air'}. Lost: {lost}.",
        "scene": text,
        "signed": signed,
        "count": count,
        "months": MONTHS,
        "ahead": text.table.air.ahead if text.table.air else {},
        "charts": [_chart(text, shape) for shape in (WIDE, NARROW)],
    }


def _chart(scene: Scene, shape: Shape) -> Chart:
    """What is on the table now: the blotter, the city that is attacked, or the way there."""
    if scene.table.segment == "planning" and scene.table.blotter is not None:
        return _desk(scene, scene.table.blotter, shape)
    if scene.at_sea is not None:
        return _sea(scene, scene.at_sea, shape)
    if scene.table.ending is not None:
        return _home(scene, scene.table.ending, shape)
    if scene.city is not None:
        return _over(scene, scene.city, shape)
    assert scene.table.air is not None
    return _under_way(scene, scene.table.air, shape)


def _sea(scene: Scene, voyage: VoyageView, shape: Shape) -> Chart:
    """[9.0] The naval map over the layout, with its surroundings: turns, recon, planes, the deck, secrecy."""
    strike, cities = scene.table.strike, scene.table.air.cities if scene.table.air else ()
    sea = ocean.ocean(voyage, cities, shape, shape.head)
    turns = moved(ocean.track(voyage, shape.inner, narrow=shape.upright), shape.margin, sea.frame.bottom + shape.gap)
    top = turns.frame.bottom + shape.gap
    wide = shape.inner if shape.upright else shape.inner * FLEET
    ships = force.force(voyage, strike, shape, Frame(shape.margin, top + 20, wide, 400 if shape.upright else 340))
    side = shape.inner if shape.upright else shape.inner - wide - shape.gap
    parts = [force.planes(strike, side)] if strike else []
    parts += [ocean.recon(voyage, side), ocean.met(voyage, side), secrecy(scene, side)]
    parts.append(force.deck(voyage, scene.squad, side, 4))
    parts = [panel for panel in parts if panel.cells]
    if shape.upright:
        neighbors, low = stacked(parts, shape.margin, ships.frame.bottom + shape.gap, shape.gap)
    else:
        neighbors, low = stacked(parts, shape.margin + wide + shape.gap, top, shape.gap)
    below = max(low, ships.frame.bottom) + shape.gap
    foot = moved(timeline(scene.table.line, scene.month, shape), shape.margin, below)
    panels = [turns, *neighbors, foot]
    height = foot.frame.bottom + shape.margin
    return Chart(shape.name, shape.width, height, panels=panels, ocean=sea, force=ships)


def _home(scene: Scene, ending: EndingView, shape: Shape) -> Chart:
    """[14.4] China with its roads, the crews next to it, the time line under it."""
    wide = shape.inner if shape.upright else shape.inner * CHINA
    frame = Frame(shape.margin, shape.head, wide, 560 if shape.upright else 470)
    china = roads.roads(ending, scene.squad, shape, frame)
    side = shape.inner if shape.upright else shape.inner - wide - shape.gap
    parts = [roads.crews(ending, scene.squad, side, 2), roads.elsewhere(ending, side)]
    parts = [panel for panel in parts if panel.cells]
    x = shape.margin if shape.upright else shape.margin + wide + shape.gap
    y = frame.bottom + shape.gap if shape.upright else shape.head
    neighbors, low = stacked(parts, x, y, shape.gap)
    foot = moved(timeline(scene.table.line, scene.month, shape), shape.margin, max(low, frame.bottom) + shape.gap)
    return Chart(shape.name, shape.width, foot.frame.bottom + shape.margin, panels=[*neighbors, foot], roads=china)


def _desk(scene: Scene, blotter: BlotterView, shape: Shape) -> Chart:
    """[13.0.1] The blotter in two columns of papers, or in one; the time line under it."""
    if shape.upright:
        papers = desk.papers(blotter, shape.inner, narrow=True)
        panels, low = stacked(papers, shape.margin, shape.head, shape.gap)
    else:
        width = (shape.inner - shape.gap) / 2
        papers = desk.papers(blotter, width, narrow=False)
        left = [panel for panel in papers if panel.title in desk.LEFT]
        right = [panel for panel in papers if panel.title not in desk.LEFT]
        panels, low = stacked(left, shape.margin, shape.head, shape.gap)
        more, other = stacked(right, shape.margin + width + shape.gap, shape.head, shape.gap)
        panels, low = [*panels, *more], max(low, other)
    foot = moved(timeline(scene.table.line, scene.month, shape), shape.margin, low + shape.gap)
    return Chart(shape.name, shape.width, foot.frame.bottom + shape.margin, panels=[*panels, foot])


def _over(scene: Scene, city: TargetView, shape: Shape) -> Chart:
    """Over a target: the map, the tracks, and the bombers of the mission."""
    layout, low = (_upright if shape.upright else _side_by_side)(scene, city, shape)
    others = [flight for flight in scene.flights if flight is not scene.raiders]
    below = columns(others, shape, low + shape.gap, full=False)
    bottom = max([low, *(column.frame.bottom for column in below)])
    seen = target(scene, shape, runs=scene.view.phase == "approach")
    return Chart(shape.name, shape.width, bottom + shape.margin, target=seen, columns=below, **layout)


def _side_by_side(scene: Scene, over: TargetView, shape: Shape) -> tuple[dict[str, Any], float]:
    """The map with the bombers to its right, and the turns under it; how far down that goes."""
    city, x = shape.city, shape.city.right + shape.gap
    width = shape.width - shape.margin - x
    few = len(scene.mission) <= FEW
    held = cards(scene.mission, x + 5, city.y + HEADER + 2, width - 10, 1 if few else 2)
    bombers = Frame(x, city.y, width, max(card.frame.bottom for card in held) + 5 - city.y)
    sheet = Frame(x, bombers.bottom + shape.gap, width, _sheet(scene))
    floor = city.bottom + shape.gap + TRACK
    key, met, names = _rest(over.turned_over, Frame(x, sheet.bottom + shape.gap, width, 0), floor)
    track = turns(scene, shape, city.bottom + shape.gap) if scene.raid else []
    layout = {"sheet": sheet, "turns": track, "bombers": bombers, "cards": held, "key": key, "met": met, "found": names}
    steps = detonations(scene, x + 8, sheet.y + 22, width - 14)
    return {**layout, "detonations": steps}, max(floor, sheet.bottom)


def _rest(texts: Sequence[str], top: Frame, bottom: float) -> tuple[Frame | None, Frame | None, list[str]]:
    """[4.2] What is left under the sheet: first for what has been met over the city, then for how to read it."""
    room = bottom - top.y
    names = wrap(texts, top.width - 16, 12)[: max(0, int((room - HEADER - 6) // LINE))]
    met = top._replace(height=HEADER + 6 + LINE * len(names)) if names else None
    y = met.bottom + 6 if met else top.y
    left = bottom - y
    key = top._replace(y=y, height=left) if left > LEGEND else None
    return key, met, names


def _sheet(scene: Scene) -> float:
    """The height of the sheet with detonations and ratings; in a raid of flights secrecy has a line as well."""
    return SHEET + (SECRECY if scene.table.air else 0.0)


def _upright(scene: Scene, over: TargetView, shape: Shape) -> tuple[dict[str, Any], float]:
    """The map, under it the turns, the sheet and the bombers; how far down that goes."""
    y = shape.city.bottom + shape.gap
    track = turns(scene, shape, y) if scene.raid else []
    y += TRACK + shape.gap if track else 0
    sheet = Frame(shape.margin, y, shape.inner, _sheet(scene))
    steps = detonations(scene, shape.margin + 8, y + 22, shape.inner - 14)
    top = sheet.bottom + shape.gap
    held = cards(scene.mission, shape.margin + 5, top + HEADER + 2, shape.inner - 10, 2)
    low = max(card.frame.bottom for card in held) + 6
    bombers = Frame(shape.margin, top, shape.inner, low - top)
    names = wrap(over.turned_over, shape.inner - 16, 12)
    met = Frame(shape.margin, low + shape.gap, shape.inner, HEADER + 6 + LINE * len(names)) if names else None
    low = met.bottom if met else low
    layout = {"sheet": sheet, "turns": track, "bombers": bombers, "cards": held, "met": met, "found": names}
    return {**layout, "detonations": steps}, low


def _under_way(scene: Scene, air: AirView, shape: Shape) -> Chart:
    """On the way: the flight map, the clock, secrecy, and the flights with their bombers."""
    chart = way(air, scene.flights, shape, shape.head)
    hours = clock(air, shape, chart.frame.bottom + shape.gap + 14)
    sheet = Frame(shape.margin, hours[-1].frame.bottom + shape.gap, shape.inner, 66 if shape.upright else 30)
    below = columns(scene.flights, shape, sheet.bottom + shape.gap, full=True)
    bottom = max([sheet.bottom, *(column.frame.bottom for column in below)])
    height = bottom + shape.margin
    return Chart(shape.name, shape.width, height, sheet, way=chart, clock=hours, columns=below)


__all__ = ["Chart", "layout"]
