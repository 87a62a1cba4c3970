"""Panels next to the charts: both sides, with their plans or losses, and the American calendar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from readyroom.engine.game import MatchView
from readyroom.engine.text import count_noun
from readyroom.games.tora.board_data import LOADS, count_by_type
from readyroom.games.tora.figures import CATEGORIES, JAPAN, SIDE_TITLES, USA, SideName, builtin_data
from readyroom.games.tora.plans.data import AmericanPlan, JapanesePlan, WaveOrder
from readyroom.games.tora.view import AmericaView, JapanView, ToraView

ALERTS = {"airfield": "Airfields", "ship": "Ships", "aaa": "Batteries"}
CALENDAR = [*ALERTS.values(), "Radar", "Patrol", "In port"]
"""The rows of the American calendar."""


class Day(NamedTuple):
    """A column of the calendar: day, cells from the top, and the alert level of each (0: none)."""

    day: int
    cells: Sequence[str]
    levels: Sequence[int]


class Panel(NamedTuple):
    """A side's panel next to the chart: lines, alert levels, and the calendar with its row titles."""

    side: SideName
    heading: str
    lines: Sequence[str]
    alerts: Sequence[tuple[str, int]] = ()
    days: Sequence[Day] = ()

    @property
    def rows(self) -> Sequence[str]:
        """The titles of the calendar's rows."""
        return CALENDAR if self.days else ()

    @property
    def title(self) -> str:
        """All lines in one."""
        return " ".join([f"{self.heading}.", *self.lines])


def side_panels(view: MatchView[ToraView]) -> list[Panel]:
    """Return both sides' panels."""
    return [_japan(view), _usa(view)]


def _japan(view: MatchView[ToraView]) -> Panel:
    """Return Japan's panel: the plan before the day, then aircraft, losses and further waves."""
    table, japan, heading = view.table, view.table.japan, _heading(view, JAPAN)
    if not table.day:
        return Panel(JAPAN, heading, list(_describe_attack(japan.plan)) if japan.plan else [_sealed(table, japan)])
    aloft = count_by_type(unit for over in table.zones.values() for unit in over.japan)
    waves = "no wave has entered" if not japan.entered else f"{count_noun(japan.entered, 'wave')} so far"
    lines = [f"Over Oahu: {aloft}; {waves}.", f"Aircraft lost: {japan.aircraft_lost}."]
    if japan.carriers is None:
        lines.append("Aircraft aboard and further waves are hidden.")
    else:
        lines.append(f"On the carriers: {count_by_type(japan.carriers)}.")
        lines += _describe_attack(japan.plan, since=japan.entered) if japan.plan else []
    return Panel(JAPAN, heading, lines)


def _describe_attack(plan: JapanesePlan, since: int = 0) -> Iterator[str]:
    """Yield the day of the attack unless it has begun, and a line for each planned wave still to come."""
    if not since:
        yield f"The attack is on {builtin_data().planning.calendar.month} {plan.day}."
    for number, wave in enumerate(plan.wave, start=1):
        if number > since:
            yield f"Wave {number}, turn {wave.turn}: {_describe_wave(wave)}."


def _describe_wave(wave: WaveOrder) -> str:
    """Return the units of a planned wave by sector."""
    types, sectors = builtin_data().air.types, dict[str, list[str]]()
    for group in wave.group:
        units = f"{count_noun(group.units, types[group.type].title)} {LOADS[group.ordnance]}".rstrip()
        sectors.setdefault(group.sector, []).append(units)
    return "; ".join(f"{sector} {', '.join(groups)}" for sector, groups in sectors.items())


def _sealed(table: ToraView, side: AmericaView | JapanView) -> str:
    if side.sealed:
        return "The plan is locked."
    return "No plan is locked yet." if side.own or table.sees_all else "The plan is hidden."


def _heading(view: MatchView[ToraView], name: SideName) -> str:
    """Return a side's name; for its own seats marked as theirs, with the quadrants of a seat that shares the side."""
    side = view.table.side(name)
    if not (side.own and view.is_own):
        return SIDE_TITLES[name]
    mine = [quadrant for quadrant, seat in side.commands.items() if seat == view.seat]
    return f"{SIDE_TITLES[name]} (you{': ' + ', '.join(mine) if len(side.seats) > 1 else ''})"


def capital_ships(usa: AmericaView) -> tuple[int, int, int]:
    """[14.2] Count undamaged, damaged and sunk capital ships; one at sea is undamaged (T16)."""
    ships = [ship for ship in usa.ships if ship.capital]
    sunk = sum(ship.sunk for ship in ships)
    damaged = sum(ship.damaged and not ship.sunk for ship in ships)
    return len(ships) - damaged - sunk, damaged, sunk


def describe_yard(usa: AmericaView) -> str:
    """[17.2] Describe the hits on the yard and the band of damage."""
    bands = builtin_data().places.yard.bands
    hits, most = sum(token.hits for token in usa.yard), sum(token.capacity for token in usa.yard)
    band = next((at for at, top in enumerate(bands) if hits <= top), len(bands) - 1)
    share = 100 // len(bands)
    return f"Navy Yard: {hits} of {most} hits ({band * share + (1 if band else 0)}–{(band + 1) * share} %)"


def _usa(view: MatchView[ToraView]) -> Panel:
    """Return the American panel: the calendar before the day, then ships, yard, fighters and alerts."""
    table, usa, heading = view.table, view.table.usa, _heading(view, USA)
    if not table.day:
        if usa.plan is None:
            return Panel(USA, heading, [_sealed(table, usa)])
        return Panel(USA, heading, [], days=list(_calendar(usa.plan)))
    undamaged, damaged, sunk = capital_ships(usa)
    hit = sum(ship.hits > 0 and not ship.damaged and not ship.sunk for ship in usa.ships if ship.capital)
    some = f" ({hit} hit)" if hit else ""
    aloft = sum(len(over.usa) for over in table.zones.values())
    lines = [
        f"Capital ships: {undamaged} undamaged{some}, {damaged} damaged, {sunk} sunk.",
        f"{describe_yard(usa)}.",
        f"Fighters: {aloft} units in the air, {sum(len(field.units) for field in usa.fields)} on the ground.",
        f"Aircraft lost: {usa.aircraft_lost}.",
    ]
    if usa.levels is None:
        return Panel(USA, heading, [*lines, "The alert levels are hidden."])
    return Panel(USA, heading, lines, [(ALERTS[key], usa.levels.of(key)) for key in CATEGORIES])


def _calendar(plan: AmericanPlan) -> Iterator[Day]:
    """Yield the American plan day by day."""
    rows = zip(*(plan.levels(key) for key in CATEGORIES), plan.radar, plan.patrol, strict=True)
    for day, (*levels, radar, patrol) in enumerate(rows, start=1):
        in_port = "+".join(key[0].upper() for key, when in plan.in_port.items() if when == day)
        yield Day(day, [*map(str, levels), radar, patrol, in_port], [*levels, 0, 0, 0])
