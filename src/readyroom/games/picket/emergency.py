"""[7.7.L to 7.7.O] All hands to damage control: no gun fires, and everyone repairs."""

from __future__ import annotations

from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Steps
from readyroom.games.picket.damage import sink
from readyroom.games.picket.rolls import reach
from readyroom.games.picket.state import CAPTAIN, T


def damaged_share(table: T) -> tuple[int, int]:
    """[7.7.L] Return the number of damaged or destroyed compartments, and of all in this game (P37)."""
    ship = table.state.ship
    rooms = [not room.whole for room in ship.rooms.values()]
    if table.state.plan.advanced:
        rooms += [not space.whole for space in ship.spaces.values()]
    return sum(rooms), len(rooms)


def half_hurt(table: T) -> bool:
    """[7.7.L] Return whether half of all compartments are damaged or destroyed."""
    hurt, count = damaged_share(table)
    return table.data.repair.all_hands.share * hurt >= count


def all_hands(table: T) -> Steps:
    """[7.7.L] Let the captain call all hands once a phase while half the ship is damaged."""
    ship, raid = table.state.ship, table.state.raid
    if ship.all_hands:
        yield from call_off(table)
        return
    if raid.declared or not half_hurt(table):
        return
    check = reach("7.7.L", "all hands", table.data.tables.all_hands, ship.value("captain"))
    hint = OptionInfo("succeeds", float(check.odds()))
    options = [
        Option("all-hands", "call all hands: no gun fires", None, hint),
        Option("go-on", "carry on as before"),
    ]
    chosen = yield from table.choose(
        CAPTAIN, "7.7.L", "Half of the ship is damaged. Call all hands to damage control?", options
    )
    if chosen.key == "go-on":
        return
    raid.declared = True
    roll = table.roll(check, "all-hands")
    ship.all_hands, ship.attacked = bool(roll), False
    table.log_line("7.7.L", "The call for all hands {}.", "succeeds" if roll else "fails", roll)
    if not roll:
        yield from _abandon(table)


def _abandon(table: T) -> Steps:
    """[7.7.N] Ask whether to fight on or abandon ship after a failed call."""
    options = [Option("fight-on", "fight on"), Option("abandon", "abandon ship: the Japanese win")]
    chosen = yield from table.choose(CAPTAIN, "7.7.N", "The call has failed. Fight on, or abandon ship?", options)
    if chosen.key == "abandon":
        sink(table, "7.7.N", "abandoned")


def call_off(table: T) -> Steps:
    """[7.7.O] Let the guns be manned again after the next wave, or with less damage."""
    ship = table.state.ship
    if half_hurt(table) and not ship.attacked:
        return
    options = [
        Option("go-on", "keep all hands at damage control: no gun fires"),
        Option("call-off", "send them back: the guns are manned again"),
    ]
    chosen = yield from table.choose(
        CAPTAIN, "7.7.O", "All hands are at damage control. Send them back to the guns?", options
    )
    ship.all_hands = chosen.key == "go-on"
