"""The layout of the drawn board: the ship among her attackers, her compartments, her tracks.

A view gives two boards, a wide one with the bow to the right and a narrow one with the bow up. Lengths are SVG units,
which are about pixels on a screen.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from readyroom.engine.drawing import Frame
from readyroom.engine.rules.checks import signed
from readyroom.games.picket.presentation.board_data import current_watch, date_text, top_lines, whereabouts
from readyroom.games.picket.presentation.drawing.battle import Battle, battle
from readyroom.games.picket.presentation.drawing.panels import (
    Calendar,
    Panels,
    calendar,
    calendar_rows,
    count_lines,
    panels,
)
from readyroom.games.picket.presentation.drawing.plate import Plate, plate
from readyroom.games.picket.presentation.drawing.shapes import NARROW, PACKED, POINTED, WIDE, Shape
from readyroom.games.picket.presentation.drawing.struck import NARROW as MAP_NARROW
from readyroom.games.picket.presentation.drawing.struck import WIDE as MAP_WIDE
from readyroom.games.picket.presentation.drawing.struck import struck
from readyroom.games.picket.presentation.hit_map import marks
from readyroom.games.picket.ship.view import ShipView
from readyroom.games.picket.view import CaptainView, CruiseView


@dataclass(frozen=True, slots=True)
class Chart:
    """One board."""

    shape: str
    width: float
    height: float
    battle: Battle
    panels: Panels
    plate: Plate
    calendar: Calendar | None
    packed: bool
    answers: Sequence[Frame]
    label_height: float = POINTED


MOST = 4096
"""The maximum number of cached fragments."""


class Fragments:
    """A cache of drawn parts: most of them stay the same from one question to the next."""

    def __init__(self) -> None:
        self.kept: dict[tuple[Any, ...], Any] = {}

    def __call__(self, macro: Any, *parts: Any) -> Any:
        """Return what a macro of the template draws for these arguments; it must not depend on anything else."""
        asked = (macro.name, *parts)
        drawn = self.kept.get(asked)
        if drawn is None:
            if len(self.kept) >= MOST:
                self.kept.clear()
            drawn = self.kept[asked] = macro(*parts)
        return drawn


FRAGMENTS = Fragments()


def offered(key: str, ways: Sequence[str], can: Container[str]) -> str:
    """Return the key of the option that selects a piece, such as `at-galley` for the galley; else its own key."""
    return next((option for way in ways if (option := f"{way}-{key}") in can), key)


def moves(officer: str, ship: ShipView, can: Container[str]) -> str:
    """[2.0.D] Return the keys of the compartments that an officer may move to."""
    return " ".join(key for room in ship.rooms if (key := f"{officer}-{room.key}") in can)


BEARING = 27.0
"""The height of the name of a bearing, with room below it."""
LINES = "lines"


def room(view: CaptainView, least: Mapping[str, float]) -> dict[str, float]:
    """Return the room that a view needs, at least as much as given: the lines of text under the tracks."""
    return {LINES: max(count_lines(view.table), least.get(LINES, 0))}


def layout(view: CaptainView, least: Mapping[str, float] | None = None) -> Mapping[str, Any]:
    """Return the values that the templates of the board need, with at least this room."""
    now = view.table.raid.now
    titles = [plane.title for plane in now.everything]
    sight = f"In sight: {'; '.join(titles)}." if titles else "No planes in sight."
    log, lines = marks(view.table), room(view, least or {})[LINES]
    return {
        "label": f"{', '.join(top_lines(view))}. {sight}",
        "table": view.table,
        "whereabouts": whereabouts(view.table),
        "turn": max(1, view.turn),
        "watch": current_watch(view),
        "date": date_text(date.fromisoformat(view.table.date)),
        "log": log,
        "signed": signed,
        "once": FRAGMENTS,
        "offered": offered,
        "moves": moves,
        "charts": [_chart(view, shape, lines) for shape in (PACKED if view.table.ship.spaces else WIDE, NARROW)],
        "maps": [struck(view.table, log, shape) for shape in (MAP_WIDE, MAP_NARROW)],
    }


def _chart(view: CaptainView, shape: Shape, lines: float) -> Chart:
    fight = battle(view, shape)
    sides = panels(view, shape, fight, lines)
    hull = plate(view.table.ship, shape, sides.bottom + shape.gap)
    record = _record(view.table, shape, hull) if view.table.campaign else None
    height = max(record.bottom if record else 0, hull.bottom) + (shape.margin if shape.upright else 3)
    return Chart(
        shape.name,
        shape.width,
        height,
        battle=fight,
        panels=sides,
        plate=hull,
        calendar=record,
        packed=shape.packed,
        answers=list(_answers(shape, fight)),
    )


def _record(table: CruiseView, shape: Shape, hull: Plate) -> Calendar:
    """[1.6] Return the days of a campaign: below the compartments, or on a wide board above her stern."""
    if shape.upright:
        return calendar(table, shape, hull.bottom + shape.gap)
    return calendar_rows(table, Frame(16, hull.top, 256, 41))


def _answers(shape: Shape, fight: Battle) -> Iterator[Frame]:
    """Yield where answers without a piece may lie: where no planes are, under the ship; else anywhere on the sea."""
    x, y = shape.sea.middle
    quiet = [area for area in fight.areas if not area.cards]
    if shape.upright:
        yield from (area.frame.inset(9) for area in quiet if area.bearing in (180, 0))
    else:
        below = (area.frame for bearing in (90, 45, 135, 270, 315, 225) for area in quiet if area.bearing == bearing)
        yield from (frame._replace(y=frame.y + BEARING, height=frame.height - BEARING) for frame in below)
        yield Frame(x - shape.length / 2, y + shape.beam / 2 - 1, shape.length, POINTED)
    yield shape.sea.inset(12 if shape.upright else 24)
