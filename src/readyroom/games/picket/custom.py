"""[12.1] A custom cruise: date, station, ship, armament and attackers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
    lengths = [
        Option(f"days-{n}", "one day" if n == 1 else f"{n} days", n) for n in range(1, data.calendar.own_days + 1)
    ]
    days = yield from _ask(table, "How many days does the cruise last?", lengths)
    station = yield from _ask(table, "Which station does the ship patrol?", _stations(data))
    name = yield from _ask(table, "Which ship do you command? Only their names differ.", ships(data))
    usual = "five 5-inch guns, five twin 40mm, seven 20mm: standard in spring 1945"
    fits = [Option(f"guns-{key}", fit.title, key) for key, fit in data.guns.armaments.items()]
    options = [Option("guns-usual", usual, ""), *fits]
    armament = yield from _ask(table, "Which armament does the ship carry?", options)
    attacks = []
    for watch in WATCHES:
        question = f"What attacks each day in the {watch} watch ({HOURS[watch]})?"
        attacks.append((yield from _ask(table, question, _raids(data, watch))))
    raids = []
    for day in range(days):  # 6.7.A: the tables of the great raids on the dates of great raids
        on_date = data.calendar.raid_on(date(first) + timedelta(days=day)) is not None
        early, later, late = ("kikusui" if on_date and raid == "roll" else raid for raid in attacks)
        raids.append((early, later, late))
    plan = table.state.plan
    table.state.plan = replace(plan, first=first, station=station, named=name, armament=armament, raids=raids)


def _ask(table: T, question: str, options: Iterable[Option]) -> Choice[Any]:
    chosen = yield from table.choose(CAPTAIN, RULE, question, list(options))
    return chosen.value


def _days(data: Data) -> Iterator[Option]:
    """[1.6, 12.1] Yield the days of the time record; great raids are marked."""
    calendar = data.calendar
    day = date(calendar.first)
    while day <= date(calendar.sheet_last):
        raid, key = calendar.raid_on(day), f"{day:%m-%d}"
        info = OptionInfo(f"great raid {raid.number}") if raid else None
        yield Option(f"day-{key}", f"{day.day} {day:%B}", key, info)
        day += timedelta(days=1)


def _stations(data: Data) -> Iterator[Option]:
    """[4.0] Yield the table of the day, and each station."""
    yield Option(f"station-{BY_TABLE}", "rolled on the day's table", 0)
    for number in sorted(map(int, data.duty.dice.stations)):
        modifier = data.duty.dice.stations[str(number)]
        yield Option(f"station-{number}", f"station {number}", number, OptionInfo(f"{modifier:+d} on the attack roll"))


def ships(data: Data, but: str = "") -> Iterator[Option]:
    """[2.0.K] Yield a random name and each listed one, except that of a lost ship."""
    yield Option(f"ship-{BY_TABLE}", "Random ship", "")
    for name in (one for one in data.names.ship if one != but):
        key = name.partition(" (")[0].lower().replace(" ", "-").replace(".", "")
        yield Option(f"ship-{key}", name, name)


def _raids(data: Data, watch: Watch) -> Iterator[Option]:
    """[6.6, 6.7] Yield what may attack: the tables, a great raid, a lettered table, or a number of planes."""
    yield Option(f"{watch}-{BY_TABLE}", "rolled on the day's tables", "roll")
    yield Option(f"{watch}-none", "nothing", "none")
    yield Option(f"{watch}-kikusui", "part of a great raid", "kikusui")
    for letter in reversed(LETTERS):
        sizes = [len(cell.split()) for _, _, cell in data.tables.letter(letter).cells()]
        size = f": {min(sizes)} to {max(sizes)} planes" if min(sizes) < max(sizes) else f": {max(sizes)} planes"
        yield Option(f"{watch}-{letter}", f"an attack from table {letter}{size}", letter)
    for planes in data.calendar.own_planes:
        yield Option(f"{watch}-{planes}", f"{planes} planes", str(planes))
