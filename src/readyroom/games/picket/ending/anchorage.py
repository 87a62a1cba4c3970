"""[9] At the anchorage: repairs, replenishment, or a new ship."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart, row_range
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import count_noun
from readyroom.games.picket.ending.victory import outcome
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.rolls import roll_on_table
from readyroom.games.picket.setup import commission, posts, refit
from readyroom.games.picket.state import WITHDRAWALS, Picket, T, last_turn


def anchorage(table: T) -> Steps:
    """[7.8.2.L, 9.D, 9.E, 10.A] Bring a ship that has left back after repairs; end the match on its last turn."""
    state = table.state
    gone, name = bool(state.ship.lost or state.ship.leaves), state.ship.name
    if gone:
        yield from _comes_in(table)
    last = state.at.turn + state.sea.days_lost >= last_turn(state)
    if last or (gone and not state.plan.campaign):
        table.end_match(outcome(state, table.data))
    if state.ship.name != name:
        yield from posts(table)


def _comes_in(table: T) -> Steps:
    """[7.8.2.M, 9.A] End the tour; in a campaign repair the ship or replace her."""
    state, ship = table.state, table.state.ship
    tour = state.tally.tours[-1]
    tour.last, tour.end = state.at.turn, "sunk" if ship.lost else ship.leaves
    state.tally.withdrawals += ship.leaves in WITHDRAWALS and not ship.lost
    state.sea.station = 0
    state.tally.left = ship.leaves
    if ship.lost:
        state.tally.lost.append(f"{ship.name}: {ship.lost}")
    if not state.plan.campaign:
        return
    days = yield from _days(table)
    state.sea.days_lost += days
    table.log_line("9", "{} is ready for duty after {}.", state.ship.name, count_noun(days, "day"), target="ship")


def hurt(state: Picket, data: Data) -> bool:
    """[9.B] Return whether the returning ship has any damage (P40)."""
    ship, full = state.ship, data.ship.tracks.full
    return (
        any(not room.whole for room in ship.rooms.values())
        or any(space.boxes for space in ship.spaces.values())
        or any(mount.hits for mount in ship.mounts.values())
        or any(gear.hits for gear in ship.gear.values())
        or min(ship.hull, ship.maneuver, ship.flood) < full
        or bool(ship.water_lines)
        or any(ship.fires.values())
    )


def _days(table: T) -> Choice[int]:
    """[6.3.B.3, 6.3.B.4, 9.A, 9.B] Return the days until the ship is back or a new one arrives."""
    state, ship, tables = table.state, table.state.ship, table.data.tables
    if ship.lost:
        yield from commission(table, 0)
        return 0
    if ship.leaves == "storm":
        roll = roll_on_table(table, tables.storm_repairs, "storm-repairs")
    elif not hurt(state, table.data):
        roll = roll_on_table(table, tables.replenishment, "replenishment")
    else:
        roll = roll_on_table(table, tables.repairs, "repairs", _column(state, tables.repairs))
    if roll.cell == "out":
        table.log_line("9", "{} is beyond repair and leaves the campaign.", ship.name, roll, target="ship")
        days = table.data.repair.leaving.new_ship_after
        yield from commission(table, days)
        return days
    table.log_line("9", "Repairs and supplies take {}.", count_noun(int(roll.cell), "day"), roll, target="ship")
    refit(table)
    return int(roll.cell)


def _column(state: Picket, chart: Chart) -> str:
    """[9.B] Return the column of the repair table for the hull, or the last one for a disabled ship."""
    *by_hull, disabled = chart.columns
    if state.ship.leaves != "disabled":
        for column in by_hull:
            span = row_range(column.partition(" ")[2])
            if span is not None and span[0] <= state.ship.hull <= span[1]:
                return column
    return disabled
