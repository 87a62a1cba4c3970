"""[8.0, 9.F, 9.G] The end of a phase and of a turn: hull, morale, ammunition, fuel, and leaving."""

from __future__ import annotations

from readyroom.engine.rules.checks import signed
from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import count_noun
from readyroom.games.picket.combat import guns
from readyroom.games.picket.rolls import roll_on_table
from readyroom.games.picket.ship.damage import ENGINES, FIRE_ROOMS, FUEL, SHAFTS, lose, sinks, track_key
from readyroom.games.picket.ship.fires import fight_deck_fires
from readyroom.games.picket.ship.repair import spread_damage
from readyroom.games.picket.state import CAPTAIN, DESTROYED, T

COLUMNS = ("1 plane", "2 planes", "3 planes", "4 planes or more")
BERTHS = ("crew-quarters-1", "crew-quarters-2", "crew-quarters-3")


def phase_ends(table: T) -> Steps:
    """[7.3.Q, 7.8.1.C, 7.8.2.H, 9.G] Resolve fires, hull loss, spreading damage, and leaving (P29)."""
    state, ship = table.state, table.state.ship
    if not state.sea.station:
        return
    if state.raid.waves:
        fight_deck_fires(table)
    if state.raid.struck and not ship.lost:
        column = COLUMNS[min(state.raid.struck, len(COLUMNS)) - 1]
        roll = roll_on_table(table, table.data.tables.hull, "hull", column)
        strikes, points = count_noun(state.raid.struck, "strike"), count_noun(int(roll.cell), "point")
        text = "{} on the ship cost {} of hull."
        lose(
            table,
            "hull",
            int(roll.cell),
            lambda: table.log_line("7.3.Q", text, strikes, points, roll, target=track_key("hull")),
        )
    yield from spread_damage(table)
    if not ship.lost:
        must_leave(table)
    if not (ship.lost or ship.leaves):
        yield from _may_leave(table)


def must_leave(table: T) -> None:
    """[5.3.1.F, 7.3.Q, 7.3.R, 7.8.2.I, 7.8.2.J, 8.4.A, 9.F, 9.G] Send a disabled ship to the anchorage (P26, P27).

    She may sink on the way.
    """
    ship, rooms = table.state.ship, table.state.ship.rooms
    for track, cause, why in (
        (ship.hull, "hull", "her hull gave way"),
        (ship.maneuver, "maneuver", "on the way to the anchorage"),
    ):
        if not track and sinks(table, cause, why):
            return
    if not (ship.hull and ship.maneuver):
        ship.leaves = "disabled"
    lost = {
        "both engine rooms": ENGINES,
        "both fire rooms": FIRE_ROOMS,
        "both fuel tanks": FUEL,
        "the rudder": ("rudder",),
    }
    for reason, keys in lost.items():
        if all(rooms[key].destroyed for key in keys):
            _leaves(table, "disabled", reason)
    if ship.shafts_hit or not any(rooms[shaft].whole for shaft in SHAFTS):
        _leaves(table, "disabled", "both shafts")
    if all(ship.gear[radar].hits >= DESTROYED for radar in table.data.radars):
        _leaves(table, "radar", "both radars")
    _out_of_supplies(table)


def _out_of_supplies(table: T) -> None:
    """[8.2.D, 8.3.B] Send a ship without fuel or ammunition to the anchorage."""
    if not table.state.ship.fuel:
        _leaves(table, "fuel", "the fuel")
    if not table.state.ship.ammunition:
        _leaves(table, "ammunition", "the ammunition")


def _leaves(table: T, why: str, cause: str) -> None:
    ship = table.state.ship
    if not ship.leaves:
        ship.leaves = why
        text, moment = "The ship has lost {} and must leave the station.", f"{ship.name} must leave her station"
        table.log_line("9.G", text, cause, target="ship", moment=moment)


def _may_leave(table: T) -> Steps:
    """[9.G] Let the captain withdraw with half of the guns out of action (P51)."""
    ship, data = table.state.ship, table.data
    mounts = ship.mounts.items()
    hurt = sum(bool(mount.hits) or guns.silent(table.state, data, data.mounts[key]) for key, mount in mounts)
    if data.repair.leaving.armament_divisor * hurt < len(ship.mounts):
        return
    options = [Option("stay", "stay on station"), Option("withdraw", "withdraw: counts as a Japanese success")]
    question = f"{hurt} of {len(ship.mounts)} mounts are hit or silent. Withdraw?"
    chosen = yield from table.choose(CAPTAIN, "9.G", question, options)
    if chosen.key == "withdraw":
        ship.leaves = "armament"


def turn_ends(table: T) -> Steps:
    """[7.4.N, 7.12.D, 8.0, 8.2.D, 8.3.B] Resolve morale, supplies, flooding and water lines (P28, P39)."""
    state, ship = table.state, table.state.ship
    if not state.sea.station or ship.lost or ship.leaves or state.sea.days_lost:
        state.tally.fired = state.tally.sprayed = False
        return
    _morale(table)
    _supplies(table)
    state.tally.fired = state.tally.sprayed = False
    if not ship.flood and sinks(table, "flood", "full of water"):
        return
    _out_of_supplies(table)
    if ship.leaves or ship.water_lines < table.data.ship.tracks.water_lines:
        return
    # 7.12.D, P39: the captain may leave without water lines
    question = "The water lines are destroyed. Return to the anchorage?"
    options = [Option("stay", "stay on station"), Option("withdraw", "return to the anchorage")]
    chosen = yield from table.choose(CAPTAIN, "7.12.D", question, options)
    if chosen.key == "withdraw":
        ship.leaves = "water"


def _morale(table: T) -> None:
    """[8.1.A, 8.1.B] Roll for morale."""
    ship, figures = table.state.ship, table.data.repair.morale
    chief = ship.value("chief") if ship.works("chiefs-quarters") else min(0, ship.value("chief"))
    lost = sum(not ship.works(berth) for berth in BERTHS)
    added = [
        ("galley", figures.galley if ship.works("galley") else 0),
        ("no berths", figures.berthing if lost >= figures.berths_lost else 0),
    ]
    columns = [int(column) for column in table.data.tables.morale.columns]
    value = min(max(ship.value("captain") + chief, min(columns)), max(columns))
    roll = roll_on_table(table, table.data.tables.morale, "morale", str(value), added)
    most = table.data.ship.tracks.morale
    before, ship.morale = ship.morale, min(most, max(-most, ship.morale + int(roll.cell)))
    verb = "rises to" if ship.morale > before else "falls to" if ship.morale < before else "stays at"
    table.log_line("8.1", "Morale {} {}.", verb, signed(ship.morale), roll, target="morale")


def _supplies(table: T) -> None:
    """[8.2.A, 8.2.B, 8.2.C, 8.3.A] Roll for ammunition, if a gun has fired, and for fuel; a damaged tank leaks."""
    ship, supplies = table.state.ship, table.data.tables.supplies
    if table.state.tally.fired:
        roll = roll_on_table(table, supplies, "ammunition", "ammunition")
        used, cost = count_noun(int(roll.cell), "point"), roll
        lose(
            table,
            "ammunition",
            int(roll.cell),
            lambda: table.log_line("8.2", "The guns use {} of ammunition.", used, cost, target=track_key("ammunition")),
        )
    roll = roll_on_table(table, supplies, "fuel", "fuel")
    leaks = table.data.damage.losses.leak * sum(bool(ship.rooms[tank].hits) for tank in FUEL)
    lost = f" and loses {count_noun(leaks, 'point')} to leaks" if leaks else ""
    text, points = "The ship uses {} of fuel{}.", count_noun(int(roll.cell), "point")
    lose(
        table,
        "fuel",
        int(roll.cell) + leaks,
        lambda: table.log_line("8.3", text, points, lost, roll, target=track_key("fuel")),
    )
