"""[4.0, 5, 6.5] Duty station, direction team, gunboats, radars, and air support."""

from __future__ import annotations

from readyroom.engine.rules.checks import signed
from readyroom.engine.text import agree, capitalize_first, count_noun, count_or_no
from readyroom.games.picket.figures.data import Data, date
from readyroom.games.picket.rolls import choose_alternative, draw_chits, roll_on_table
from readyroom.games.picket.state import DESTROYED, Picket, T, Tour

NONE = "none"


def assign(table: T) -> None:
    """[4.0, 5.2.H, 6.6.O] Assign a station, and with it a direction team and gunboats (P52)."""
    state = table.state
    if not state.sea.station:
        state.sea.weather = "clear"  # 6.2.C: days at the anchorage have passed
    state.sea.days_lost = 0
    state.tally.fired = state.tally.sprayed = False
    if state.sea.station:
        return
    state.sea.station = state.plan.station if state.at.turn == 1 and state.plan.station else _station(table)
    if not state.sea.station:
        table.log_line("4.0", "No station is manned today; the ship waits at the anchorage.", target="station")
        return
    _team(table)
    _surface(table)
    state.pool.cup.contents += state.pool.ends
    state.pool.ends.clear()
    state.tally.tours.append(Tour(state.ship.name, state.sea.station, state.at.turn))
    name, station = state.ship.name, state.sea.station
    moment = f"Radar picket station {station}"
    table.log_line("4.0", "{} takes over radar picket station {}.", name, station, target="station", moment=moment)


def _station(table: T) -> int:
    """[4.0] Return a station by the table of the date (P47), or of the basic game."""
    state, tables = table.state, table.data.tables
    if not state.plan.advanced:
        roll = roll_on_table(table, tables.stations, "station")
        table.log_line("4.0", "The roll assigns station {}.", roll.cell, roll, target="station")
        return int(choose_alternative(table, roll.cell, "4.0", "station", target="station"))
    # the calendar line of the day (P47); the last one beyond the sheet
    *lines, last = table.data.calendar.stations
    line = next((one for one in lines if date(one.since) <= state.day <= date(one.to)), last)
    if line.table == NONE:
        return 0
    if not line.table.startswith("2-"):
        return int(choose_alternative(table, line.table, "4.0", "station", target="station"))
    while True:
        roll = roll_on_table(table, tables.all[line.table], "station")
        again = int(roll.cell) == line.not_station
        action = "names unmanned" if again else "assigns"
        table.log_line("4.0", "The roll {} station {}.", action, roll.cell, roll, target="station")
        if not again:
            return int(roll.cell)


def _team(table: T) -> None:
    """[5.1.A, 5.1.C] Determine whether a fighter direction team comes on board."""
    state = table.state
    team, rolls = state.plan.fixed_team if state.at.turn == 1 else None, []
    if team is None:
        rolls = [roll_on_table(table, table.data.tables.team, "team")]
        team = rolls[0].cell == "team"
    state.ship.team = team
    table.log_line("5.1", "{} fighter direction team is on board.", "A" if team else "No", *rolls, target="team")


def _surface(table: T) -> None:
    """[5.2.A, 5.2.E] Determine the number of gunboats."""
    state = table.state
    number, rolls = state.plan.fixed_surface if state.at.turn == 1 else None, []
    if number is None:
        rolls = [roll_on_table(table, table.data.tables.surface, "surface")]
        number = int(rolls[0].cell)
    state.ship.surface, state.ship.surface_lost = number, 0
    gunboats = capitalize_first(count_or_no(number, "gunboat"))
    table.log_line("5.2", "{} {} in support.", gunboats, agree(number, "is", "are"), *rolls, target="gunboats")


def turn_begins(table: T) -> None:
    """[5.0, 5.2.G, 5.3.A, 5.3.B, 5.3.C, 5.3.D] Replace lost gunboats (P11).

    Roll for each land radar whose date has come until it is active.
    """
    state = table.state
    if not state.sea.station:
        return
    for value in draw_chits(table, "5.2.G", [f"surface-{lost}" for lost in range(state.ship.surface_lost)]):
        state.ship.surface += value > 0
        effect = "replaces" if value > 0 else "does not replace"
        table.log_line("5.2.G", "A chit of {} {} a lost gunboat.", signed(value), effect, target="gunboats")
    state.ship.surface_lost = 0
    for radar in table.data.calendar.land_radar if state.plan.advanced else ():
        if date(radar.since) > state.day or radar.name in state.sea.land_radars:
            continue
        roll = roll_on_table(table, table.data.tables.land_radar, radar.name)
        if roll.cell == "active":
            state.sea.land_radars.append(radar.name)
        effect = "comes on the air" if roll.cell == "active" else "is not active yet"
        table.log_line("5.3", "Radar station {} {}.", radar.name, effect, roll, target="land-radar")


def ship_radar(state: Picket, data: Data) -> int:
    """[5.3.1.A, 5.3.1.B, 5.3.1.C, 5.3.1.D] Return the shift for the ship's radars."""
    figures, gear = data.duty.ship_radar, state.ship.gear
    hits = [gear[radar].hits for radar in data.radars]
    if any(hit >= DESTROYED for hit in hits):
        return figures.destroyed
    return figures.damaged if any(hits) else figures.whole


ARRIVALS = {
    "none": "No air support",
    "carrier": "Air support from carriers",
    "land": "Air support from land",
    "both": "Air support from carriers and land",
}
TYPES = {"none": (), "carrier": ("carrier",), "land": ("land",), "both": ("carrier", "land")}


def kikusui(table: T) -> bool:
    """[6.7.A, 6.7.B, P58] Return whether a great raid comes in this phase: on its date, or by the scenario."""
    state, raid = table.state, table.state.planned()
    raids = state.plan.raids_of(table.data.calendar)
    on_date = any(date(one.since) <= state.day <= date(one.to) for one in raids)
    by_date = state.plan.campaign and raid != "none" and on_date
    return state.plan.advanced and (by_date or raid == "kikusui")


def air_support(table: T) -> None:
    """[6.2.E, 6.2.F, 6.5.A, 6.5.I, 6.7.D] Determine the air support markers of a phase, and their shift (P55)."""
    state = table.state
    state.sea.air, state.sea.air_shift, state.sea.markers = {}, 0, 0
    if not state.sea.station or state.sea.weather == "storm" or state.sea.away:
        return
    if kikusui(table):
        roll = roll_on_table(table, table.data.tables.kikusui_markers, "markers")
        state.sea.markers = int(roll.cell)
        markers = count_noun(state.sea.markers, "marker")
        table.log_line("6.5.I", "Air support against the great raid: {}.", markers, roll, target="air-support")
    else:
        _by_type(table)
    if not state.ship.works("radio") and state.sea.markers:
        state.sea.markers = max(0, state.sea.markers - table.data.damage.losses.radio_markers)
        markers = count_noun(state.sea.markers, "marker")
        text = "The radio room is damaged: only {} of air support can be called."
        table.log_line("7.8.2.G", text, markers, target="air-support")


def _by_type(table: T) -> None:
    """[6.5.B, 6.5.C, 6.5.D, 6.5.H, 6.5.J] Roll the types of support, a chit for each, and its markers (P9)."""
    state, tables = table.state, table.data.tables
    # the column of the date; the first one before it, the last one after all
    *columns, last = tables.air.columns
    column = next((one for one in columns if state.day <= date(one.partition(" to ")[2])), last)
    roll = roll_on_table(table, tables.air, "air", column)
    types = TYPES[roll.cell]
    if not types:
        state.sea.air_shift = table.data.duty.shifts.no_air
    table.log_line("6.5", "{} arrives.", ARRIVALS[roll.cell], roll, target="air-support")
    if not types:
        return
    for kind, value in zip(types, draw_chits(table, "6.5", list(types)), strict=True):
        markers_roll = roll_on_table(table, tables.markers, kind, str(value))
        state.sea.air[kind] = value
        state.sea.air_shift += value
        state.sea.markers += int(markers_roll.cell)
        markers, home = count_noun(int(markers_roll.cell), "marker"), "the carriers" if kind == "carrier" else "land"
        template = "Planes from {} have value {} and provide {}."
        table.log_line("6.5", template, home, signed(value), markers, markers_roll, target="air-support")
