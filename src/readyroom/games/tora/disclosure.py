"""[2] Both plans, revealed after the battle in sentences (T27); `plans.reading.prove` verifies them.

>>> spans([1, 3, 4, 5, 9])
'1, 3 to 5 and 9'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from readyroom.engine.text import count_noun, join_list
from readyroom.games.tora.cipher import CIPHERS
from readyroom.games.tora.deployment import mooring_title
from readyroom.games.tora.figures import CATEGORIES, CATEGORY_TITLES, SIDE_ADJECTIVES, SIDES, Data
from readyroom.games.tora.harbor import ShipAtBerth, inner_of, mooring_of
from readyroom.games.tora.plans.data import (
    ORDNANCE_TITLES,
    AmericanPlan,
    Group,
    JapanesePlan,
    Ordnance,
    Parked,
    WaveOrder,
)
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.validation import completed, day_name
from readyroom.games.tora.state import T


class Sentence(NamedTuple):
    """What a plan has under one rule."""

    rule: str
    text: str


def reveal_plans(table: T) -> None:
    """[2] Reveal both plans after the battle, with their published fingerprints (T27)."""
    for name in SIDES:
        side = table.state.side(name)
        if side.sealed:
            assert side.plan is not None
            template = "The {} plan is revealed; its fingerprint is {}."
            table.log_line("T27", template, SIDE_ADJECTIVES[name], side.sealed[-1].fingerprint)
            for sentence in describe_plan(side.plan, table.data):
                table.log_line(sentence.rule, "{}", sentence.text)


def describe_plan(plan: Plan, data: Data) -> Iterator[Sentence]:
    """Describe a plan in sentences, each under its rule."""
    return _defence(completed(plan, data), data) if isinstance(plan, AmericanPlan) else _attack(plan, data)


# -- the American plan -------------------------------------------------------------------------------------------------


def _defence(plan: AmericanPlan, data: Data) -> Iterator[Sentence]:
    for category in CATEGORIES:
        yield Sentence("5.1", f"Alert levels for {CATEGORY_TITLES[category]}: {_levels(plan.levels(category), data)}.")
    yield Sentence("5.8", f"The radar searches {_sectors(plan.radar, data)}.")
    yield Sentence("5.9", f"Patrol planes search {_sectors(plan.patrol, data)}.")
    ports = [f"{key.title()} on {day_name(data, day)}" for key, day in plan.in_port.items()]
    yield Sentence("5.13", f"In port: {join_list(ports)}.")
    for field in data.places.field:
        here = [entry for entry in plan.parked if entry.field == field.key]
        yield Sentence("5.10", f"At {field.name}: {', '.join(_parked(here, data)) or 'nothing'}.")
    yield Sentence("5.14", _anchorage(plan, data))


def _levels(levels: Sequence[int], data: Data) -> str:
    """[5.1] Describe the days with a raised alert, level by level."""
    base = data.planning.alert.base
    raised = {level: _days(levels, level, data) for level in sorted(set(levels) - {base})}
    parts = [f"{level} on {days}" for level, days in raised.items()]
    return f"{', '.join(parts)}; otherwise {base}" if parts else f"{base} on every day"


def _sectors(sectors: Sequence[str], data: Data) -> str:
    """[5.8, 5.9] Describe which sectors are searched on which days."""
    named = [f"{sector} on {_days(sectors, sector, data)}" for sector in dict.fromkeys(filter(None, sectors))]
    return ", ".join(named) or "nothing"


def _days(entries: Sequence[object], wanted: object, data: Data) -> str:
    days = [day for day, entry in enumerate(entries, start=1) if entry == wanted]
    return f"{data.planning.calendar.month} {spans(days)}"


def spans(numbers: Iterable[int]) -> str:
    """Describe rising numbers, with runs of three or more as a range."""
    parts: list[str] = []
    for _, run in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        row = [number for _, number in run]
        parts += [f"{row[0]} to {row[-1]}"] if len(row) > 2 else map(str, row)
    return join_list(parts)


def _parked(entries: Iterable[Parked], data: Data) -> Iterator[str]:
    """[5.10, 5.11] Describe the units of a field by type, stacks by both types."""
    types = data.air.types
    for entry in entries:
        stacked_on = f" on {count_noun(entry.places, types[entry.under].title)}" if entry.under else ""
        yield count_noun(entry.places, types[entry.top].title) + stacked_on


def _anchorage(plan: AmericanPlan, data: Data) -> str:
    """[5.14] Describe the anchorage place by place, a nest by its outer ship."""
    if plan.berths == data.places.anchorage.berths:
        return "The ships use the default anchorage: Battleship Row and the dry dock."
    cards = {card.key: card for card in data.ships.ship}
    ships = [ShipAtBerth(cards[key], berth) for key, berth in plan.berths.items()]
    places: dict[str, list[str]] = {}
    for ship in ships:
        inner = inner_of(data.places.harbor, ship, ships)
        name = mooring_of(data.places, ship, [inner] if inner else [])
        places.setdefault(mooring_title(data, name), []).append(ship.hull.name)
    return f"The ships anchor: {'; '.join(f'{place}, {join_list(names)}' for place, names in places.items())}."


# -- the Japanese plan -------------------------------------------------------------------------------------------------


def _attack(plan: JapanesePlan, data: Data) -> Iterator[Sentence]:
    yield Sentence("7.1", f"The attack is on {day_name(data, plan.day)}.")
    for number, wave in enumerate(plan.wave, start=1):
        yield Sentence("7.3", f"Wave {number} enters on turn {wave.turn}: {_wave(wave, data)}.")
    if plan.message:
        key = f" with the key {plan.key}" if plan.key else ""
        yield Sentence("15.2", f"The message is {plan.message}, in the {CIPHERS[plan.cipher].title} cipher{key}.")


def _wave(wave: WaveOrder, data: Data) -> str:
    """[7.2] Describe a wave sector by sector."""
    sectors: dict[str, list[str]] = {}
    for group in wave.group:
        sectors.setdefault(group.sector, []).append(_group(group, data))
    return "; ".join(f"in {sector} {join_list(groups)}" for sector, groups in sectors.items())


def _group(group: Group, data: Data) -> str:
    """[7.4] Describe units of a wave with their ordnance."""
    load = "" if group.ordnance is Ordnance.NONE else f" with {ORDNANCE_TITLES[group.ordnance]}"
    return f"{count_noun(group.units, data.air.types[group.type].title)}{load}"
