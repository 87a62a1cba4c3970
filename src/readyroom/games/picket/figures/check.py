"""Validation of the figures, including an owner's own charts.

A table has to have the columns that the rules read, a row for every result that its dice and all modifiers can bring,
and nothing in its cells that the rules do not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from readyroom.engine.errors import InvalidData
from readyroom.engine.rules.charts import Chart, row_range
from readyroom.games.picket.combat.attack import COMMAND, EVENT, NONE, RANDOM
from readyroom.games.picket.combat.guns import MK37, PLOT
from readyroom.games.picket.ending.upkeep import BERTHS
from readyroom.games.picket.ending.upkeep import COLUMNS as BY_PLANES
from readyroom.games.picket.figures.common import BEARINGS, HEIGHTS, KINDS, SECTIONS
from readyroom.games.picket.figures.damage import Effect, TrackLoss, storm_result
from readyroom.games.picket.figures.data import LETTERS, Data, date
from readyroom.games.picket.ship.crew import CASUALTIES
from readyroom.games.picket.ship.damage import ENGINES, FIRE_ROOMS, FUEL, NEAR_MISSES, SHAFTS, STACKS
from readyroom.games.picket.ship.damage import RANDOM as RANDOM_DAMAGE
from readyroom.games.picket.ship.repair_checks import LOCKERS
from readyroom.games.picket.state import MOST_WAVES, NAMES, START
from readyroom.games.picket.station.support import TYPES
from readyroom.games.picket.station.weather import CLEAR, EDGE, RAIN, SQUALLS, STORM, TYPHOON

TABLES = "tables.toml"
ROOMS = (*COMMAND, *ENGINES, *FIRE_ROOMS, *FUEL, *SHAFTS, *STACKS, "rudder", "steering-room", *START.values())
"""[6.10.A, 7.8.2.J] Primary compartments that a rule names."""
SPACES = (PLOT, *LOCKERS.values(), *BERTHS, "chiefs-quarters", "galley", "machine-shop", "radar-shop", "sick-bay")
"""[7.3.K] Secondary compartments that a rule names."""
RADARS = ("radar-sg", "radar-sc")
FACES = [str(face) for face in range(1, 7)]


class Cells(NamedTuple):
    """A description of valid cells, and a test for them."""

    expected: str
    fits: Callable[[str], bool]


Sheet = Mapping[str, Cells]
"""The columns of a table, in order."""


def _one_of(known: Iterable[str], expected: str = "") -> Cells:
    named = list(dict.fromkeys(known))
    return Cells(expected or f"one of {', '.join(map(repr, named))}", lambda cell: cell in named)


def _or(single: Cells) -> Cells:
    """Accept one valid cell, or two of them between which a die decides."""
    expected = f"{single.expected}, or two with ' or ' between"
    return Cells(expected, lambda cell: all(map(single.fits, cell.split(" or "))))


def _signed(cell: str) -> bool:
    return cell.removeprefix("-").isdecimal()


NUMBER = Cells("a number", str.isdecimal)
SIGNED = Cells("a number such as 1 or -1", _signed)
DAYS = Cells("a number of days", str.isdecimal)


def check(data: Data) -> None:
    """Check everything.

    Raises:
        InvalidData: with file, key, what was expected and what was found.
    """
    for part in (_check_ship, _check_guns, _check_fire, _check_tilt, _check_planes, _check_calendar, _check_repair):
        part(data)
    sheets = {**_sea(data), **_attacks(data), **_harm(data), **_upkeep(data)}
    for number, chart in data.tables.all.items():
        _check_table(data, number, chart, sheets[number])
    _check_waves(data)
    _check_set_aside(data)


def _reject(file: str, key: str, expected: str, value: object) -> None:
    raise InvalidData(file, key, expected, str(value))


# -- the tables ------------------------------------------------------------------------------------------------------


def _check_table(data: Data, number: str, chart: Chart, sheet: Sheet) -> None:
    """[1.0] Check the number, columns, rows and cells of a table."""
    if chart.id != number:
        _reject(TABLES, f"{number}.id", repr(number), repr(chart.id))
    columns = _columns(number, chart) or list(sheet)
    if chart.columns != columns:
        _reject(TABLES, f"{number}.columns", ", ".join(columns), ", ".join(chart.columns) or "none")
    if wanted := _entered_with(data, number):
        for row in chart.rows:
            if not _signed(row):
                _reject(TABLES, f"{number}.rows.{row}", "a row for one number", repr(row))
        for value in wanted:
            if str(value) not in chart.rows:
                _reject(TABLES, f"{number}.rows", f"a row for {value}", "none")
    else:
        _check_results(number, chart, _modifiers(data, number))
    for row, column, cell in chart.cells():
        cells = sheet.get(column) or next(iter(sheet.values()))
        if not cells.fits(cell):
            _reject(TABLES, f"{number}.rows.{row}, column {column}", cells.expected, repr(cell))


def _columns(number: str, chart: Chart) -> list[str]:
    """[6.5.B, 8.1.A, 9.B] Return the columns of tables that an owner may divide differently."""
    if number == "7-1":
        bounds = [column.split(" to ") for column in chart.columns]
        if all(len(both) == 2 and _dated(*both) for both in bounds):
            return chart.columns
    elif number == "18":
        *spans, disabled = [row_range(column.removeprefix("hull ")) for column in chart.columns] or [None]
        if spans and all(spans) and not disabled:
            return chart.columns
    elif number == "23" and chart.columns and all(map(_signed, chart.columns)):
        low = int(chart.columns[0])
        return [str(low + at) for at in range(len(chart.columns))]
    return []


def _dated(*texts: str) -> bool:
    with suppress(ValueError):
        days = [date(text) for text in texts]
        return days == sorted(days)
    return False


def _entered_with(data: Data, number: str) -> list[int]:
    """Return the row values of a table read without dice (P1)."""
    chits = [int(value) for value in data.ship.chits.count]
    if number == "17":
        return list(range(min(chits), max(chits) + 1))
    if number == "19":
        return list(range(2 * min(chits), 2 * max(chits) + 1))
    if number == "20":
        column = data.repair.primary.equipment_column
        rows = [int(row) for row in data.tables.control.rows if _signed(row)]
        return list(range(min([*rows, column]), max([*rows, column]) + 1))
    return list(range(1, max(_raids(data), default=1) + 1)) if number == "8-3" else []


def _check_results(number: str, chart: Chart, modifiers: tuple[int, int]) -> None:
    """Check that a table with dice has one row for each possible result."""
    if not chart.dice:
        _reject(TABLES, f"{number}.dice", "dice such as 2d6", "none")
    count, sides = chart.dice_pool()
    if number.startswith("11-") and number != "11-1" and count != 1:
        _reject(TABLES, f"{number}.dice", "one die such as 1d10", repr(chart.dice))
    spans = [(row, span) for row in chart.rows if (span := row_range(row)) is not None]
    for result in range(count + modifiers[0], count * sides + modifiers[1] + 1):
        rows = [row for row, (low, high) in spans if low <= result <= high]
        if len(rows) != 1:
            _reject(TABLES, f"{number}.rows", f"one row for a result of {result}", " and ".join(rows) or "none")


def _modifiers(data: Data, number: str) -> tuple[int, int]:
    """Return the least and greatest modifier of a table in play."""
    dice, stations = data.duty.dice, data.duty.dice.stations.values()
    known = {
        "6-1": (data.duty.weather.wet, 0),
        "8-1": (min(stations) + len(COMMAND) * dice.command, max(stations) + dice.rain),
        "9-2": _fire_modifiers(data),
        "23": (data.repair.morale.berthing, data.repair.morale.galley),
    }
    strike = data.duty.maneuvers.strike
    return known.get(number, (strike, 0) if number in ("10", "12-1", "12-2", "12-3") else (0, 0))


def _fire_modifiers(data: Data) -> tuple[int, int]:
    """[6.8.N, 11] Return the least and greatest modifier of gunfire."""
    fire, figures, morale = data.duty.fire, data.guns.fire, data.ship.tracks.morale
    chits = [int(value) for value in data.ship.chits.count]
    heights = [value for kind in figures.height.values() for value in kind.values()]
    fits = [0, *(value for fit in data.guns.armaments.values() for value in fit.bonus.values())]
    least = min(chits) + min(heights) + fire.magazine - morale + fire.willow
    return least, max(chits) + max(heights) + max(figures.director.values()) + max(fits) + fire.ace + morale


# -- what stands in them ---------------------------------------------------------------------------------------------


def _storms(cell: str) -> bool:
    with suppress(ValueError):
        return bool(storm_result(cell))
    return False


def _sea(data: Data) -> Mapping[str, Sheet]:
    """[4.0, 5, 6.3, 6.5] Return the tables of stations, support, radar and weather."""
    station = _or(_one_of(data.duty.dice.stations, "a station that the modifiers of Table 8-1 name"))
    storm = Cells("founder, radar-sg, none, or such as hull-2, hull-2 and return", _storms)
    return {
        **{number: {"station": station} for number in data.tables.all if number == "1-1" or number.startswith("2-")},
        "3-1": {"result": _one_of(("none", "team"))},
        "4-1": {"markers": NUMBER},
        "5-1": {"result": _one_of(("inactive", "active"))},
        "6-1": {"result": _one_of((CLEAR, RAIN, STORM))},
        "6-2": {"result": _one_of((SQUALLS, EDGE, TYPHOON))},
        "6-3": {"days": DAYS},
        "6-4": {"result": storm},
        "6-5": {"days": DAYS},
        "7-1": {"such as 04-07 to 04-30": _one_of(TYPES)},
        "7-2": dict.fromkeys(sorted(data.ship.chits.count, key=int), NUMBER),
        "7-3": {"markers": NUMBER},
    }


def _attacks(data: Data) -> Mapping[str, Sheet]:
    """[6.6, 6.7, 6.8, 7.1] Return the tables of attacks, fire and strikes."""
    shifts, letters = data.duty.shifts, _one_of((*LETTERS, NONE, RANDOM))
    places = {f"{bearing}{height}" for bearing in BEARINGS for height in HEIGHTS}
    planes = Cells("bearings and heights such as 45L", lambda cell: bool(cell) and places.issuperset(cell.split()))
    return {
        "8-1": {str(column): letters for column in range(shifts.least, shifts.most + 1)},
        **{f"8-1{letter}": {"planes": planes} for letter in LETTERS},
        "8-2": {
            "plane": _one_of((*data.cards, EVENT), "a type of plane, or event"),
            "weapon": Cells("a weapon, or what the event is", bool),
        },
        "8-3": {"waves": Cells("numbers such as 3 2", lambda cell: all(map(str.isdecimal, cell.split())))},
        "22": {"planes": _or(NUMBER)},
        "22-1": {"bearing": _one_of(map(str, BEARINGS))},
        "22-1-height": {"height": _one_of(HEIGHTS)},
        "9-2": dict.fromkeys(KINDS, _one_of(("miss", "hit", "flamed", "destroyed"))),
        "10": dict.fromkeys(("undamaged", "damaged", "flamed"), _one_of(("miss", "near miss", "hit"))),
    }


def _harm(data: Data) -> Mapping[str, Sheet]:
    """[7.2, 7.3] Return the damage tables."""
    special = {*NEAR_MISSES, *RANDOM_DAMAGE, Effect.ROOM_OPENED}
    anywhere = [cell for cell, result in data.damage_results.items() if result not in special]
    loose = [cell for cell in anywhere if isinstance(data.damage_results[cell], (Effect, TrackLoss))]
    near, random = (sorted(result.code for result in results) for results in (NEAR_MISSES, RANDOM_DAMAGE))
    expected = "a compartment, a gun, a director, a radar or a code such as deck-fire"
    also = _one_of([*loose, Effect.ROOM_OPENED.code, ""], "nothing, flood-1, or a code such as keel or deck-fire")
    hits = Cells("miss, near miss, or a number", lambda cell: cell in ("miss", "near miss") or cell.isdecimal())
    return {
        **{f"11-{section}": dict.fromkeys(FACES, _one_of(anywhere, expected)) for section in SECTIONS},
        "11-1": {"result": _one_of({*anywhere, *near} - {Effect.NEAR_MISS.code}, f"{expected} or {near}")},
        "12-1": {"hits": hits, "hull": NUMBER, "also": also},
        "12-2": {"flooded": hits, "hull": NUMBER, "also": also},
        "12-3": {"hits": hits, "hull": NUMBER, "also": also},
        "13": {"result": _one_of(CASUALTIES)},
        "15": {"result": _one_of({*anywhere, *random} - {Effect.RANDOM.code}, f"{expected} or {random}")},
    }


def _upkeep(data: Data) -> Mapping[str, Sheet]:
    """[7.3, 7.7, 7.8, 8, 9] Return the tables of hull, repairs, explosions, upkeep and the anchorage."""
    leaves = Cells("a number of days, or out", lambda cell: cell == "out" or cell.isdecimal())
    reach = {"at least": NUMBER}
    bursts = _one_of(("sinks", "major", "contained"))
    return {
        "14-1": dict.fromkeys(BY_PLANES, NUMBER),
        "16": dict.fromkeys(("hull", "keel", "maneuver", "flood"), _one_of(("sinks", "afloat"))),
        "17": reach,
        "18": {"such as hull 7-10, and one for a ship that is disabled": leaves},
        "18-1": {"days": DAYS},
        "19": reach,
        "20": reach,
        "21": {"result": _one_of(("fails", "floods"))},
        "21-1": dict.fromkeys(("magazine", "machinery", "fuel"), bursts),
        "23": {"numbers one after the other such as -4, -3": SIGNED},
        "24": {"ammunition": NUMBER, "fuel": NUMBER},
    }


def _raids(data: Data) -> Iterator[int]:
    """Yield the possible numbers of attacking planes."""
    for letter in LETTERS:
        yield from (len(cell.split()) for _, _, cell in data.tables.letter(letter).cells())
    for _, _, cell in data.tables.kikusui.cells():
        yield from (int(number) for number in cell.split(" or ") if number.isdecimal())
    for cruise in data.scenarios.values():
        yield from (int(raid) for day in cruise.raids for raid in day if raid.isdecimal())


def _check_waves(data: Data) -> None:
    """[6.6.G] Check that the waves of a raid add up and fit into a phase."""
    for row, cells in data.tables.waves.rows.items():
        waves = [int(size) for size in cells[0].split()]
        if sum(waves) != int(row) or 0 in waves:
            _reject(TABLES, f"8-3.rows.{row}", f"waves of {row} planes together", repr(cells[0]))
        if len(waves) > MOST_WAVES:
            _reject(TABLES, f"8-3.rows.{row}", f"at most {MOST_WAVES} waves", repr(cells[0]))


def _check_set_aside(data: Data) -> None:
    """[2.0.E, 6.6.D] Check that random attacks use special attackers that were set aside."""
    for row, (plane, weapon) in data.tables.random_attack.rows.items():
        if plane == EVENT:
            continue
        card = data.cards[plane]
        carried = [kind for kind, count in card.special.items() for _ in range(count)][: card.aside]
        if weapon not in carried:
            expected = f"a weapon of a {plane} that planes.toml sets aside ({', '.join(carried) or 'none is'})"
            _reject(TABLES, f"8-2.rows.{row}, column weapon", expected, repr(weapon))


# -- the other files -------------------------------------------------------------------------------------------------


def _unique(file: str, key: str, names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            _reject(file, key, "each key once", f"{name!r} twice")


def _has(file: str, key: str, known: Container[str], needed: Iterable[str]) -> None:
    for name in needed:
        if name not in known:
            _reject(file, key, f"one with the key {name!r}, as the rules name it", "none")


def _check_ship(data: Data) -> None:
    """[1.1.1, 1.3, 1.7, 2.0.A] Check compartments that the rules name, men of all sections, and chits for everyone."""
    rooms, spaces = data.ship.primary.room, data.ship.secondary.room
    _unique("ship.toml", "primary.room and secondary.room", (card.key for card in (*rooms, *spaces)))
    _has("ship.toml", "primary.room", data.rooms, ROOMS)
    _has("ship.toml", "secondary.room", data.secondary, SPACES)
    for section in SECTIONS:
        if section not in data.ship.crew.men:
            _reject("ship.toml", "crew.men", f"the men of the {section} section", "none")
    for value in data.ship.chits.count:
        if not _signed(value):
            _reject("ship.toml", f"chits.count.{value}", "a value such as -1", repr(value))
    chits = sum(data.ship.chits.count.values())
    if chits < len(NAMES):
        _reject("ship.toml", "chits.count", f"at least {len(NAMES)} chits", chits)


def _check_guns(data: Data) -> None:
    """[6.8] Check magazines, directors and armaments."""
    _unique("guns.toml", "mounts.gun", (gun.key for gun in data.guns.mounts.gun))
    _has("guns.toml", "directors.director", data.directors, [MK37])
    _has("guns.toml", "radars.radar", data.radars, RADARS)
    for gun in data.mounts.values():
        if not gun.feeds or any(room not in data.rooms for room in gun.feeds):
            _reject("guns.toml", f"mounts.gun {gun.key}.feeds", "primary compartments", gun.feeds)
    for director in data.directors.values():
        for served in director.serves:
            if served not in data.mounts:
                _reject("guns.toml", f"directors.director {director.key}.serves", "a gun", repr(served))
    for name, fit in data.guns.armaments.items():
        for key in (*fit.removes, *fit.bonus):
            if key not in data.mounts:
                _reject("guns.toml", f"armaments.{name}", "guns in removes and bonus", repr(key))


def _check_fire(data: Data) -> None:
    """[6.8.D, 6.8.N] Check director and height modifiers for each kind of gun."""
    figures = data.guns.fire
    for kind in KINDS:
        if kind not in figures.director:
            _reject("guns.toml", "fire.director", f"a number for {kind}", "none")
        for height in HEIGHTS:
            if height not in figures.height.get(kind, {}):
                _reject("guns.toml", f"fire.height.{kind}", f"a number for {height}", "none")


def _check_tilt(data: Data) -> None:
    """[7.4.C] Check the heights and directions that list and trim mask."""
    tilt = data.guns.tilt
    for side, bearings in tilt.bearings.items():
        for bearing in bearings:
            if bearing not in BEARINGS:
                _reject("guns.toml", f"tilt.bearings.{side}", f"one of {', '.join(map(str, BEARINGS))}", bearing)
    for limit in tilt.limit:
        where = f"tilt.limit to {limit.to} at {limit.at}, bars"
        for side, heights in limit.bars.items():
            if side not in tilt.bearings:
                _reject("guns.toml", where, f"one of {', '.join(tilt.bearings)}", repr(side))
            if not set(heights) <= set(HEIGHTS):
                _reject("guns.toml", where, "heights such as HM", repr(heights))


def _check_planes(data: Data) -> None:
    """[2.0.E] Check that types are unique, and that none sets aside more than it has."""
    _unique("planes.toml", "plane", (plane.key for plane in data.planes.plane))
    for plane in data.planes.plane:
        specials = sum(plane.special.values())
        if plane.aside > specials:
            expected = f"at most {specials}, its special attackers"
            _reject("planes.toml", f"plane {plane.key}.aside", expected, plane.aside)


def _check_calendar(data: Data) -> None:
    """[1.6, 4.0, 6.7] Check that days are consecutive and name a table of stations, a station, or none."""
    calendar = data.calendar
    if not data.duty.dice.stations:
        _reject("duty.toml", "dice.stations", "what each of the stations adds", "none")
    spans = [("stations", line.since, line.to) for line in calendar.stations]
    spans += [("kikusui", raid.since, raid.to) for raid in calendar.kikusui]
    for kind, since, to in spans:
        if date(to) < date(since):
            _reject("calendar.toml", f"{kind} since {since}", "a day that is not before it in `to`", repr(to))
    for one, next_one in pairwise(calendar.stations):
        if (date(next_one.since) - date(one.to)).days != 1:
            _reject("calendar.toml", f"stations since {next_one.since}", f"the day after {one.to}", next_one.since)
    stations = data.duty.dice.stations
    for line in calendar.stations:
        parts = line.table.split(" or ")
        if line.table not in ("none", *data.tables.all) and not all(part in stations for part in parts):
            expected = "a table such as 2-2A, a station, two with ' or ' between, or none"
            _reject("calendar.toml", f"stations since {line.since}, table", expected, repr(line.table))


def _check_repair(data: Data) -> None:
    """[2.0.K, 7.8.2.B, 7.8.2.E] Check repair die faces and penalties, and that a second ship exists."""
    for face in FACES:
        if face not in data.repair.primary.removes:
            _reject("repair.toml", "primary.removes", f"the markers for a {face}", "none")
    boxes = [*(room.boxes for room in data.rooms.values()), *(gun.boxes for gun in data.mounts.values())]
    for hits in range(1, max(boxes)):
        if str(hits) not in data.repair.primary.penalty:
            _reject("repair.toml", "primary.penalty", f"the penalty for {hits} markers", "none")
    if len(set(data.names.ship)) < 2:
        _reject("names.toml", "ship", "at least two ships", len(set(data.names.ship)))
