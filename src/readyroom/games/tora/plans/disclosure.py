"""[2] Both plans, revealed after the battle in sentences (T27); `plans.reading.prove` verifies them.

>>> spans([1, 3, 4, 5, 9])
'1, 3 to 5 and 9'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from readyroom.engine.text import count_noun, join_list
from readyroom.games.tora.figures import CATEGORIES, CATEGORY_TITLES, SIDE_ADJECTIVES, SIDES, Data
from readyroom.games.tora.harbor import ShipAtBerth, inner_of, mooring_of
from readyroom.games.tora.plans.cipher import CIPHERS
from readyroom.games.tora.plans.data import AmericanPlan, Group, JapanesePlan, Parked
from readyroom.games.tora.plans.deployment import mooring_title
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.validation import completed, day_name
from readyroom.games.tora.state import T, plan_key


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
            adjective, target = SIDE_ADJECTIVES[name], plan_key(name)
            table.log_line("T27", template, adjective, side.sealed[-1].fingerprint, target=target)
            for sentence in describe_plan(side.plan, table.data):
                table.log_line(sentence.rule, "{}", sentence.text)


def describe_plan(plan: Plan, data: Data) -> Iterator[Sentence]:
    """Describe a plan in sentences, each under its rule."""
    return _defence(completed(plan, data), data) if isinstance(plan, AmericanPlan) else _attack(plan, data)


def _defence(plan: AmericanPlan, data: Data) -> Iterator[Sentence]:
    for category in CATEGORIES:
        levels, base = plan.levels(category), data.planning.alert.base
        raised = [f"{level} on {_days(levels, level, data)}" for level in sorted(set(levels) - {base})]
        text = f"{', '.join(raised)}; otherwise {base}" if raised else f"{base} on every day"
        yield Sentence("5.1", f"Alert levels for {CATEGORY_TITLES[category]}: {text}.")
    yield Sentence("5.8", f"The radar searches {_sectors(plan.radar, data)}.")
    yield Sentence("5.9", f"Patrol planes search {_sectors(plan.patrol, data)}.")
    ports = [f"{key.title()} on {day_name(data, day)}" for key, day in plan.in_port.items()]
    yield Sentence("5.13", f"In port: {join_list(ports)}.")
    for field in data.places.field:
        here = [_describe_parked(entry, data) for entry in plan.parked if entry.field == field.key]
        yield Sentence("5.10", f"At {field.name}: {', '.join(here) or 'nothing'}.")
    yield Sentence("5.14", _anchorage(plan, data))


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


def _describe_parked(entry: Parked, data: Data) -> str:
    """[5.10, 5.11] Describe units of a field by type, stacks by both types."""
    return " on ".join(count_noun(entry.places, data.air.types[key].title) for key in (entry.top, entry.under) if key)


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


def _attack(plan: JapanesePlan, data: Data) -> Iterator[Sentence]:
    yield Sentence("7.1", f"The attack is on {day_name(data, plan.day)}.")
    for number, wave in enumerate(plan.wave, start=1):
        sectors: dict[str, list[str]] = {}
        for group in wave.group:
            sectors.setdefault(group.sector, []).append(_group(group, data))
        units = "; ".join(f"in {sector} {join_list(groups)}" for sector, groups in sectors.items())
        yield Sentence("7.3", f"Wave {number} enters on turn {wave.turn}: {units}.")
    if plan.message:
        key = f" with the key {plan.key}" if plan.key else ""
        yield Sentence("15.2", f"The message is {plan.message}, in the {CIPHERS[plan.cipher].title} cipher{key}.")


def _group(group: Group, data: Data) -> str:
    """[7.4] Describe units of a wave with their ordnance."""
    return count_noun(group.units, data.air.types[group.type].title) + group.ordnance.phrase
