"""Counters: over a zone or on a field, equal ones lie one upon the other as a pile, so that all are large enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil

from msgspec.structs import replace

from readyroom.engine.game import MatchView
from readyroom.engine.text import count_noun
from readyroom.games.tora.board_data import UNKNOWN, has_acted, tab_letters, unit_title
from readyroom.games.tora.drawing.chart import Art, Chart, Counter, Label, Pile
from readyroom.games.tora.drawing.outlines import Frame, Point, place
from readyroom.games.tora.figures import JAPAN, SIDES, USA, SideName, builtin_data
from readyroom.games.tora.plans.data import ORDNANCE_TITLES, Ordnance
from readyroom.games.tora.view import FieldView, ToraView, UnitView

SIZE = 1.66
"""The scale of counters of 26 by 28: 36 pixels on a board that fits on a screen of 1366 by 768."""
WIDE, HIGH = 29.6 * SIZE, 31.6 * SIZE
"""Room for a counter and its halo when it can be chosen."""
STEP, STEPS = 1.1, 3
"""How far a counter of a pile is from the one on top of it, up and to the right, and how many show; on a field half."""
LOWER = 1.8
"""How far the lower unit of a stack on a field is from the upper one, the other way."""


def fit(count: int, frames: Sequence[Frame]) -> float:
    """Return the largest scale, at most 1, at which piles fit into frames without covering each other.

    >>> fit(6, [(0, 0, 2.2 * WIDE, 3 * HIGH)])
    1.0
    >>> fit(9, [(0, 0, 2 * WIDE, HIGH), (0, HIGH, WIDE, 2 * HIGH)])
    0.5
    """
    if _room(frames, 1) >= count:
        return 1.0
    wide, high = {frame[2] - frame[0] for frame in frames}, {frame[3] - frame[1] for frame in frames}
    sizes = [*(width / WIDE for width in wide), *(height / HIGH for height in high)]
    scales = (size / pieces for size in sizes for pieces in range(1, count + 1))
    return max(scale for scale in scales if 0 < scale < 1 and _room(frames, scale) >= count)


def _room(frames: Sequence[Frame], scale: float) -> int:
    return sum(across * down for across, down in (_cells(frame, scale) for frame in frames))


def _cells(frame: Frame, scale: float) -> tuple[int, int]:
    """Return how many piles are in a row of a frame, and how many rows there are."""
    left, top, right, bottom = frame
    return int((right - left) / WIDE / scale + 1e-6), int((bottom - top) / HIGH / scale + 1e-6)


def spread(count: int, frames: Sequence[Frame], scale: float) -> Iterator[Point]:
    """Yield the middles of piles in rows around the middles of frames; the first frames are filled first."""
    for frame in frames:
        columns, most = _cells(frame, scale)
        here = min(count, columns * most)
        count -= here
        left, top, right, bottom = frame
        y = (top + bottom - (ceil(here / max(1, columns)) - 1) * HIGH * scale) / 2
        for first in range(0, here, max(1, columns)):
            across = min(columns, here - first)
            x = (left + right - (across - 1) * WIDE * scale) / 2
            yield from ((x + at * WIDE * scale, y) for at in range(across))
            y += HIGH * scale


def crowds(view: MatchView[ToraView]) -> dict[str, float]:
    """Return the number of piles over each zone and on each field, and that of piles of any strength."""
    table, found = view.table, dict[str, float]()
    for zone, over in table.zones.items():
        for fine in (True, False):
            kinds = {(side, *_kind(unit, view.turn, fine)) for side in SIDES for unit in over.of(side)}
            found[_room_key(zone, fine)] = len(kinds)
    for field in table.usa.fields:
        for fine in (True, False):
            found[_room_key(field.key, fine)] = len({_stack_kind(stack, view.turn, fine) for stack in field.stacks})
    return found


def _room_key(place: str, fine: bool) -> str:
    return place if fine else f"{place}-types"


def _kind(unit: UnitView, turn: int, fine: bool = True) -> tuple[object, ...]:
    """Return what units of a pile have in common; with `fine` their strength, too."""
    return (unit.type, tab_letters(unit), has_acted(unit, turn), unit.strength if fine else 0)


def _stack_kind(stack: Sequence[UnitView], turn: int, fine: bool = True) -> tuple[object, ...]:
    """Return what stacks of a pile on a field have in common; with `fine` their strength, too."""
    return tuple(_kind(unit, turn, fine) for unit in stack)


def unit_arts(table: ToraView) -> Iterator[Art]:
    """Yield the look of every unit on the board, and of those aboard that may enter [7.3]."""
    for over in table.zones.values():
        yield from (_art(side, unit) for side in SIDES for unit in over.of(side))
    for field in table.usa.fields:
        yield from (_art(USA, unit) for unit in field.units)
    japan = table.japan
    for group in [each for wave in japan.plan.wave[japan.entered :] for each in wave.group] if japan.plan else ():
        aboard = {unit.strength: unit for unit in japan.carriers or () if unit.type == group.type}
        yield from (_art(JAPAN, replace(unit, ordnance=group.ordnance)) for unit in aboard.values())


class Air:
    """Puts counters on a chart: those over a zone, and those of a field.

    There is room for as many piles as there are, or as `room` says by zone and field.
    """

    def __init__(self, chart: Chart, view: MatchView[ToraView], room: Mapping[str, float]) -> None:
        self.chart, self.view = chart, view
        self.room = {key: int(max(count, room.get(key, 0))) for key, count in crowds(view).items()}

    def cloud(self, zone: str, frames: Sequence[Frame]) -> None:
        """[8.3] Draw the aircraft over a zone in piles of equal units; in a crowd, of units of a type and ordnance."""
        fine = fit(self.room[zone], frames) == 1
        heaps: dict[tuple[object, ...], list[UnitView]] = {}
        for side in SIDES:
            for unit in sorted(self.view.table.zones[zone].of(side), key=self._order):
                heaps.setdefault((side, *_kind(unit, self.view.turn, fine)), []).append(unit)
        scale = fit(self.room[_room_key(zone, fine)], frames)
        for (kind, units), middle in zip(heaps.items(), spread(len(heaps), frames, scale), strict=True):
            whose: SideName = JAPAN if kind[0] == JAPAN else USA
            self._pile(whose, [(unit,) for unit in units], zone, f"over {zone}", middle, scale)

    def parked(self, field: FieldView, frame: Frame) -> None:
        """[4.2, 5.11] Draw the units on a field in piles of equal stacks; in a crowd, of any strength.

        The strongest lies on top, for a click takes the uppermost first.
        """
        fine = fit(self.room[field.key], [frame]) == 1
        heaps: dict[tuple[object, ...], list[Sequence[UnitView]]] = {}
        for stack in sorted(field.stacks, key=lambda stack: (self._order(stack[-1]), -stack[-1].strength)):
            heaps.setdefault(_stack_kind(stack, self.view.turn, fine), []).append(stack)
        scale = fit(self.room[_room_key(field.key, fine)], [frame])
        for stacks, middle in zip(heaps.values(), spread(len(heaps), [frame], scale), strict=True):
            self._pile(USA, stacks, field.key, f"parked at {field.name}", middle, scale)

    def _order(self, unit: UnitView) -> tuple[int, bool]:
        """Return the sort key of a unit: type, then whether it has acted, so that piles keep their order in a turn."""
        return [*builtin_data().air.types].index(unit.type), has_acted(unit, self.view.turn)

    def entering(self, frame: Frame, texts: Mapping[str, str]) -> Iterator[tuple[Pile, Label]]:
        """[7.3] Yield the units that may enter with a wave, in piles by sector and ordnance, with the names of sectors.

        Args:
            frame: where they lie.
            texts: the texts of the options, by the keys of the units.
        """
        aboard = {unit.key: unit for unit in self.view.table.japan.carriers or ()}
        heaps: dict[tuple[object, ...], list[UnitView]] = {}
        for key, text in texts.items():
            sector, _, load = text.rpartition(" to ")[2].partition(" ")
            loads = [each for each in Ordnance if each.phrase.strip() == load]
            unit = replace(aboard[key], ordnance=loads[0] if loads else Ordnance.NONE)
            heaps.setdefault((sector, *_kind(unit, self.view.turn)), []).append(unit)
        left, top, right, bottom = frame
        inner = [(left + 4, top + 16, right - 4, bottom - 2)]
        scale = fit(len(heaps), inner)
        for (kind, units), (x, y) in zip(heaps.items(), spread(len(heaps), inner, scale), strict=True):
            self._pile(JAPAN, [(unit,) for unit in units], "", f"enter over {kind[0]}", (x, y), scale)
            yield self.chart.piles.pop(), Label("entry", x, y - 13 * SIZE * scale - 5, str(kind[0]), "middle")

    def _pile(
        self, side: SideName, stacks: Sequence[Sequence[UnitView]], on: str, where: str, middle: Point, scale: float
    ) -> None:
        """Put a pile on the chart: the upper units of stacks, and the lower ones under them."""
        tops, lower = [stack[-1] for stack in stacks], [unit for stack in stacks for unit in stack[:-1]]
        step = STEP if on in self.view.table.zones else STEP / 2
        placed = [
            (self._counter(side, unit, on, f"{where}, on top of another" if lower else where), min(at, STEPS) * step)
            for at, unit in enumerate(tops)
        ]
        placed += [(self._counter(side, unit, on, f"{where}, under another"), -LOWER) for unit in lower]
        corners = [(counter, _corner(middle, scale, step)) for counter, step in placed]
        title, corner = _title(tops, lower, where), _corner(middle, scale)
        self.chart.piles.append(Pile(corners, title, corner, len(tops), middle, scale))

    def _counter(self, side: SideName, unit: UnitView, on: str, where: str) -> Counter:
        """Return a unit's counter."""
        load, turn = unit.ordnance.value if unit.ordnance else None, self.view.turn
        group = f"{on}:{unit.type}:{load}" if unit.key and on in self.view.table.zones else ""
        title = unit_title(unit, where, turn)
        return Counter(unit.key, side, _art(side, unit), title, has_acted(unit, turn), on, group)


def _title(tops: Sequence[UnitView], lower: Sequence[UnitView], where: str) -> str:
    """Describe a pile: how many units of a type, where, their strength, and what they carry."""
    types, first = builtin_data().air.types, tops[0]
    least, most, full = min(unit.strength for unit in tops), max(unit.strength for unit in tops), types[first.type]
    span = f"{least}" if least == most else f"{least} to {most}"
    parts = [f"{count_noun(len(tops), full.title)} {where}", f"strength {span} of {full.strength}"]
    if full.ordnance:
        parts.append(ORDNANCE_TITLES[first.ordnance] if first.ordnance else "ordnance unknown")
    if lower:
        parts.append(f"on top of {count_noun(len(lower), types[lower[0].type].title)}")
    return ", ".join(parts)


def _corner(middle: Point, scale: float, step: float = 0) -> str:
    """Return where a counter of 26 by 28 begins whose middle is so far up and to the right of a point."""
    size = SIZE * scale
    return place(middle[0] + (step - 13) * size, middle[1] - (step + 14) * size, size)


@lru_cache(maxsize=1024)
def _art(side: SideName, unit: UnitView) -> Art:
    """Return the look of a unit."""
    letters, full = tab_letters(unit), builtin_data().air.types[unit.type].strength
    mark = "x" if letters == UNKNOWN else letters.lower()
    name = "-".join(part for part in ("pc", unit.type, str(unit.strength), mark) if part)
    return Art(name, side, unit.type, strength=unit.strength, full=max(full, unit.strength), letters=letters)
