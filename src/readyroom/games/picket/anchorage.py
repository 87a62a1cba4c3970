"""[9.0] Back at the anchorage: repairs, replenishment, or a new ship."""

from __future__ import annotations

from readyroom.games.picket.rolls import look
from readyroom.games.picket.setup import commission, refit
from readyroom.games.picket.state import WITHDRAWALS, Picket, T, last_turn
from readyroom.games.picket.victory import outcome

FULL = 10
"""[9.0 I] The tracks of a ship that is whole."""


def anchorage(table: T) -> None:
    """[9.0, 10] A ship that has left is mended and comes back; and the end, if it was the last turn."""
    state = table.state
    gone = bool(state.ship.lost or state.ship.leaves)
    if gone:
        _comes_in(table)
    last = state.at.turn + state.sea.days_lost >= last_turn(state)
    if last or (gone and not state.plan.campaign):
        table.finish(outcome(state, table.data))


def _comes_in(table: T) -> None:
    """[9.0] The tour is over; in a campaign the ship is mended, or another takes her place."""
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
    days = _days(table)
    state.sea.days_lost += days
    table.say("9.0", "{} days are marked off.", days)


def hurt(state: Picket) -> bool:
    """[9.0 B] Whether a ship that comes back has any damage."""
    ship = state.ship
    return (
        any(room.hits or room.destroyed or room.flooded for room in ship.rooms.values())
        or any(space.boxes for space in ship.spaces.values())
        or any(mount.hits for mount in ship.mounts.values())
        or any(gear.hits for gear in ship.gear.values())
        or ship.hull < FULL
        or ship.flood < FULL
        or bool(ship.water_lines)
    )


def _days(table: T) -> int:
    """[9.0 A, B] The days until a ship is back, mended, or until another comes."""
    state, ship, tables = table.state, table.state.ship, table.data.tables
    if ship.lost:
        commission(table)
        return 0
    if ship.leaves == "storm":
        roll = look(table, tables.storm_repairs, "storm-repairs")
    elif not hurt(state):
        roll = look(table, tables.replenishment, "replenishment")
    else:
        roll = look(table, tables.repairs, "repairs", _column(state))
    table.say("9.0", "At the anchorage: {}.", roll)
    if roll.cell == "out":
        table.say("9.0", "{} is out of the campaign.", ship.name)
        commission(table)
        return table.data.repair.leaving.new_ship_after
    refit(table)
    return int(roll.cell)


def _column(state: Picket) -> str:
    """[9.0] The column of the repair table by the hull, or the last one for a ship that is disabled."""
    ship = state.ship
    if not ship.hull or ship.leaves == "disabled":
        return "hull 0 or disabled"
    return "hull 1-3" if ship.hull <= 3 else "hull 4-6" if ship.hull <= 6 else "hull 7-10"
