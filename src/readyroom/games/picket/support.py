"""[6.5] Air support from carriers and from land."""

from __future__ import annotations

from readyroom.engine.checks import signed
from readyroom.engine.text import count_noun
from readyroom.games.picket.figures import date
from readyroom.games.picket.rolls import roll_on_table
from readyroom.games.picket.state import Picket, T
from readyroom.games.picket.station import chits

ARRIVALS = {
    "none": "No air support",
    "carrier": "Air support from carriers",
    "land": "Air support from land",
    "both": "Air support from carriers and land",
}
TYPES = {"none": (), "carrier": ("carrier",), "land": ("land",), "both": ("carrier", "land")}


def kikusui(table: T) -> bool:
    """[6.7.A, 6.7.B, P58] Return whether a great raid comes in this phase: on its date, or by the scenario."""
    state = table.state
    if not state.plan.advanced:
        return False
    raid = state.planned()
    by_date = state.plan.campaign and raid != "none" and table.data.calendar.raid_on(state.day) is not None
    return by_date or raid == "kikusui"


def air_support(table: T) -> None:
    """[6.2.E, 6.2.F, 6.5.A, 6.5.I, 6.7.D] Determine the air support markers of a phase, and their shift (P55)."""
    state = table.state
    state.sea.air, state.sea.air_shift, state.sea.markers = {}, 0, 0
    if not state.sea.station or state.sea.weather == "storm" or state.sea.away:
        return
    if kikusui(table):
        roll = roll_on_table(table, table.data.tables.kikusui_markers, "markers")
        state.sea.markers = int(roll.cell)
        table.log_line(
            "6.5.I", "Air support against the great raid has {}.", count_noun(state.sea.markers, "marker"), roll
        )
    else:
        _by_type(table)
    if not state.ship.works("radio") and state.sea.markers:
        lost = min(state.sea.markers, table.data.damage.losses.radio_markers)
        state.sea.markers -= lost
        table.log_line(
            "7.8.2.G",
            "The radio room is damaged: {} of air support can be called.",
            count_noun(state.sea.markers, "marker"),
        )


def _by_type(table: T) -> None:
    """[6.5.B, 6.5.C, 6.5.D, 6.5.H, 6.5.J] Roll the types of support, a chit for each, and its markers (P9)."""
    state, tables = table.state, table.data.tables
    roll = roll_on_table(table, tables.air, "air", _column(state, tables.air.columns))
    types = TYPES[roll.cell]
    table.log_line("6.5", "{} arrives.", ARRIVALS[roll.cell], roll)
    if not types:
        state.sea.air_shift = table.data.duty.shifts.no_air
        return
    for kind, value in zip(types, chits(table, "6.5", list(types)), strict=True):
        markers_roll = roll_on_table(table, tables.markers, kind, str(value))
        state.sea.air[kind] = value
        state.sea.air_shift += value
        state.sea.markers += int(markers_roll.cell)
        markers = count_noun(int(markers_roll.cell), "marker")
        table.log_line(
            "6.5", "Planes from {} have value {} and bring {}.", _home(kind), signed(value), markers, markers_roll
        )


def _home(kind: str) -> str:
    return "the carriers" if kind == "carrier" else "land"


def _column(state: Picket, columns: list[str]) -> str:
    """Return the column of the date; the first one before it, the last one after all."""
    for column in columns:
        if state.day <= date(column.partition(" to ")[2]):
            return column
    return columns[-1]
