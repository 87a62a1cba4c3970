"""[12.1] A custom cruise: date, station, ship, armament and attackers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.picket.figures.data import LETTERS, Data, date
from readyroom.games.picket.state import CAPTAIN, HOURS, WATCHES, T, Watch

RULE = "12.1"
BY_TABLE = "tables"
"""The key of the option that leaves the choice to tables or dice."""


def design(table: T) -> Steps:
    """[12.1] Ask the captain for everything that the scenario leaves open."""
    data = table.data
    first = yield from _ask(table, "On which day does the cruise start?", _days(data))
    days = yield from _ask(table, "How many days does the cruise last?", _lengths(data))
    station = yield from _ask(table, "Which station does the ship patrol?", _stations(data))
    name = yield from _ask(table, "Which ship do you command?", ships(data))
    armament = yield from _ask(table, "Which armament does the ship carry?", _fits(data))
    state = table.state
    morning, midday, night = [_raids(data, watch) for watch in WATCHES]
    early = yield from _ask(table, f"What attacks each day {_watch_text('morning')}?", morning)
    later = yield from _ask(table, f"What attacks each day {_watch_text('midday')}?", midday)
    late = yield from _ask(table, f"What attacks each day {_watch_text('night')}?", night)
    raids = [_of_the_date(table, first, day, (early, later, late)) for day in range(days)]
    state.plan = replace(state.plan, first=first, station=station, named=name, armament=armament, raids=raids)


def _of_the_date(table: T, first: str, day: int, raids: tuple[str, str, str]) -> tuple[str, str, str]:
    """[6.7.A, 12.1] Use the tables of the great raids on the dates of great raids."""
    on_date = table.data.calendar.raid_on(date(first) + timedelta(days=day)) is not None
    early, later, late = ("kikusui" if on_date and raid == "roll" else raid for raid in raids)
    return early, later, late


def _ask(table: T, question: str, options: Iterator[Option]) -> Choice[Any]:
    chosen = yield from table.choose(CAPTAIN, RULE, question, list(options))
    return chosen.value


def _watch_text(watch: Watch) -> str:
    return f"in the {watch} watch ({HOURS[watch]})"


def _days(data: Data) -> Iterator[Option]:
    """[1.6, 12.1] Yield the days of the time record; great raids are marked."""
    calendar = data.calendar
    day = date(calendar.first)
    while day <= date(calendar.sheet_last):
        raid = calendar.raid_on(day)
        key = f"{day:%m-%d}"
        yield Option(
            f"day-{key}", f"{day.day} {day:%B}", key, OptionInfo(f"great raid {raid.number}") if raid else None
        )
        day += timedelta(days=1)


def _lengths(data: Data) -> Iterator[Option]:
    for days in range(1, data.calendar.own_days + 1):
        yield Option(f"days-{days}", "one day" if days == 1 else f"{days} days", days)


def _stations(data: Data) -> Iterator[Option]:
    """[4.0] Yield the table of the day, and each station."""
    yield Option(f"station-{BY_TABLE}", "rolled on the day's table", 0)
    for number in sorted(map(int, data.duty.dice.stations)):
        modifier = data.duty.dice.stations[str(number)]
        yield Option(f"station-{number}", f"station {number}", number, OptionInfo(f"{modifier:+d} on the attack roll"))


def ships(data: Data, but: str = "") -> Iterator[Option]:
    """[2.0.K] Yield a random name and each listed one, except that of a lost ship."""
    yield Option(f"ship-{BY_TABLE}", "random ship", "")
    for name in (one for one in data.names.ship if one != but):
        key = name.partition(" (")[0].lower().replace(" ", "-").replace(".", "")
        yield Option(f"ship-{key}", name, name)


def _fits(data: Data) -> Iterator[Option]:
    """[12.1] Yield the standard armament and each other one."""
    yield Option("guns-usual", "five 5-inch guns, five twin 40mm, seven 20mm: standard in spring 1945", "")
    for key, fit in data.guns.armaments.items():
        yield Option(f"guns-{key}", fit.title, key)


def _raids(data: Data, watch: Watch) -> Iterator[Option]:
    """[6.6, 6.7] Yield what may attack: the tables, a great raid, a lettered table, or a number of planes."""
    yield Option(f"{watch}-{BY_TABLE}", "rolled on the day's tables", "roll")
    yield Option(f"{watch}-none", "nothing", "none")
    yield Option(f"{watch}-kikusui", "part of a great raid", "kikusui")
    for letter in reversed(LETTERS):
        yield Option(f"{watch}-{letter}", f"an attack from table {letter}{_size(data, letter)}", letter)
    for planes in data.calendar.own_planes:
        yield Option(f"{watch}-{planes}", f"{planes} planes", str(planes))


def _size(data: Data, letter: str) -> str:
    """[6.6.E] Return the range of planes of a lettered table."""
    sizes: Sequence[int] = [len(cell.split()) for _, _, cell in data.tables.letter(letter).cells()]
    return f": {min(sizes)} to {max(sizes)} planes" if min(sizes) < max(sizes) else f": {max(sizes)} planes"
