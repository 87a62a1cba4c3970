"""Validation of plans by sections 5 and 7, and defaults for what a plan leaves open.

Both the planning sheets and plans from files are checked here, with the same messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from readyroom.engine.text import count_noun, join_list
from readyroom.games.tora.figures import CATEGORIES, CATEGORY_TITLES, JAPAN, USA, AirType, Data
from readyroom.games.tora.harbor import ShipAtBerth, why_not
from readyroom.games.tora.plans import cipher
from readyroom.games.tora.plans.data import (
    ORDNANCE_TITLES,
    QUADRANTS,
    THIRD,
    AmericanPlan,
    Berth,
    Group,
    JapanesePlan,
    Ordnance,
    Parked,
)

Where = tuple[str | int, ...]


class Fault(NamedTuple):
    """What is wrong with a plan: the path to the entry, the rule, and the reason."""

    where: Where
    rule: str
    reason: str


Faults = Iterator[Fault]


def days(data: Data) -> range:
    """[1.1] Return the days of the calendar."""
    return range(1, data.planning.calendar.days + 1)


def day_name(data: Data, day: int) -> str:
    """Return a day as text: December 7."""
    return f"{data.planning.calendar.month} {day}"


def check(plan: AmericanPlan | JapanesePlan, data: Data, waves_max: int | None = None) -> list[Fault]:
    """Return everything that is wrong with a plan, empty if it is legal."""
    if isinstance(plan, AmericanPlan):
        return list(check_american(plan, data))
    return list(check_japanese(plan, data, waves_max or data.air.limits.waves))


# -- the American plan -----------------------------------------------------------------------------------------------


def completed(plan: AmericanPlan, data: Data) -> AmericanPlan:
    """[5.10, 5.14] Fill in the default deployment and anchorage where a plan has none."""
    parked = plan.parked or tuple(data.planning.deployment.parked)
    return msgspec.structs.replace(plan, parked=parked, berths=plan.berths or dict(data.places.anchorage.berths))


def check_american(plan: AmericanPlan, data: Data) -> Faults:
    """[5] Yield what is wrong with an American plan."""
    for category in CATEGORIES:
        yield from check_levels(category, plan.levels(category), data)
    yield from _check_sectors("radar", "5.8", plan.radar, data)
    yield from _check_sectors("patrol", "5.9", plan.patrol, data)
    yield from _check_carriers(plan.in_port, data)
    whole = completed(plan, data)
    yield from _check_fields(whole.parked, data)
    yield from _check_berths(whole.berths, data)


def cost(levels: Iterable[int], data: Data) -> int:
    """[5.1] Return the points that these alert levels cost: one per level and day."""
    return sum(level - data.planning.alert.base for level in levels)


def check_levels(category: str, levels: tuple[int, ...], data: Data) -> Faults:
    """[5.1] Ten days, levels 1 to 3, and six points for each category."""
    alert, days = data.planning.alert, data.planning.calendar.days
    title = CATEGORY_TITLES[category]
    if len(levels) != days:
        yield Fault((category,), "5.1", f"The alert row for {title} has {len(levels)} days; the calendar has {days}.")
    for at, level in enumerate(levels):
        if not alert.base <= level <= alert.top:
            span = f"levels go from {alert.base} to {alert.top}"
            yield Fault((category, at), "5.1", f"Alert level {level} for {title} on {day_name(data, at + 1)}: {span}.")
    spent = 0
    for at, level in enumerate(levels):
        spent += level - alert.base
        if spent > alert.points:
            total = cost(levels, data)
            reason = f"The alert levels for {title} cost {total} points; the limit is {alert.points}."
            yield Fault((category, at), "5.1", reason)
            return


def _check_sectors(kind: str, rule: str, sectors: tuple[str, ...], data: Data) -> Faults:
    days, name = data.planning.calendar.days, "radar" if kind == "radar" else "patrol planes"
    if len(sectors) != days:
        yield Fault((kind,), rule, f"The row for {name} has {len(sectors)} days; the calendar has {days}.")
    for at, sector in enumerate(sectors):
        if sector and sector not in QUADRANTS:
            known = ", ".join(QUADRANTS)
            reason = f"{sector!r} is not a sector for {name} on {day_name(data, at + 1)}. Use one of {known}, or none."
            yield Fault((kind, at), rule, reason)


def _check_carriers(in_port: dict[str, int], data: Data) -> Faults:
    """[5.13] Each carrier has one day in port."""
    missions, days = data.planning.carriers.missions, data.planning.calendar.days
    for key in in_port:
        if key not in missions:
            yield Fault(("in_port", key), "5.13", f"No carrier {key!r}. Carriers: {', '.join(missions)}.")
    for key in missions:
        name = key.title()
        if key not in in_port:
            yield Fault(("in_port", key), "5.13", f"{name} needs one day in port; the plan names none.")
        elif not 1 <= in_port[key] <= days:
            reason = f"{name} cannot be in port on day {in_port[key]}: days go from 1 to {days}."
            yield Fault(("in_port", key), "5.13", reason)


def _check_fields(parked: tuple[Parked, ...], data: Data) -> Faults:
    """[5.10, 5.11, 4.2] Every squadron at a field of its service, stacked only where the field is full (T35)."""
    for at, entry in enumerate(parked):
        yield from _check_parked(("parked", at), entry, data)
    stationed = Counter[str]()
    for entry in parked:
        stationed[entry.top] += entry.places
        stationed[entry.under] += entry.places
    for each in data.air.of(USA):
        if stationed[each.key] != each.units:
            last = max((at for at, entry in enumerate(parked) if each.key in (entry.top, entry.under)), default=0)
            reason = f"{stationed[each.key]} {each.title} units are stationed; there are {each.units}."
            yield Fault(("parked", last), "3.1", reason)
    yield from _check_room(parked, data)


def _check_parked(where: Where, entry: Parked, data: Data) -> Faults:
    field = data.places.fields.get(entry.field)
    if field is None:
        yield Fault(where, "4.2", f"No field {entry.field!r}. Fields: {', '.join(data.places.fields)}.")
        return
    if entry.places < 1:
        yield Fault(where, "4.2", f"{entry.places} places at {field.name}: enter at least 1.")
    for key in filter(None, (entry.top, entry.under)):
        each = data.air.types.get(key)
        if each is None or each.side != USA:
            known = ", ".join(each.key for each in data.air.of(USA))
            yield Fault(where, "3.1", f"No American aircraft type {key!r}. Types: {known}.")
        elif entry.field not in each.fields:
            yield Fault(where, "5.10", field_error(each, field.name, data))


def field_error(each: AirType, field: str, data: Data) -> str:
    """[5.10] Return why a type cannot be stationed at a field."""
    names = " or ".join(data.places.fields[key].name for key in each.fields)
    return f"{each.title} units cannot be stationed at {field}, only at {names}."


def _check_room(parked: tuple[Parked, ...], data: Data) -> Faults:
    for field in data.places.field:
        entries = [(at, entry) for at, entry in enumerate(parked) if entry.field == field.key]
        used = sum(entry.places for _, entry in entries)
        stacked = next((at for at, entry in entries if entry.under), None)
        if used > field.places:
            where = ("parked", entries[-1][0])
            yield Fault(where, "4.2", f"{field.name} has {field.places} places; the plan fills {used}.")
        elif used < field.places and stacked is not None:
            reason = f"Units are stacked at {field.name} although {field.places - used} of its places are free."
            yield Fault(("parked", stacked), "T35", reason)


def _check_berths(berths: dict[str, Berth], data: Data) -> Faults:
    """[5.14, 5.15] Every ship in a legal berth, both carriers as on their day in port."""
    cards = {card.key: card for card in data.ships.ship}
    for key in berths:
        if key not in cards:
            yield Fault(("berths", key), "3.2", f"No ship {key!r}. Ships: {', '.join(cards)}.")
    ships = {key: ShipAtBerth(cards[key], berth) for key, berth in berths.items() if key in cards}
    for key, card in cards.items():
        if key not in ships:
            yield Fault(("berths", key), "5.14", f"{card.name} has no berth.")
            continue
        no = why_not(data.places, ships[key], [other for name, other in ships.items() if name != key])
        if no is not None:
            yield Fault(("berths", key), no.rule, no.reason)


# -- the Japanese plan -----------------------------------------------------------------------------------------------


def check_japanese(plan: JapanesePlan, data: Data, waves_max: int) -> Faults:
    """[7] Yield what is wrong with a Japanese plan."""
    days = data.planning.calendar.days
    if not 1 <= plan.day <= days:
        yield Fault(("day",), "7.1", f"The attack cannot be on day {plan.day}: days go from 1 to {days}.")
    if not 1 <= len(plan.wave) <= waves_max:
        where: Where = ("wave", waves_max) if plan.wave else ("wave",)
        yield Fault(where, "7.3", f"The plan has {count_noun(len(plan.wave), 'wave')}; the limit is {waves_max}.")
    yield from _check_turns(plan, data)
    most = data.air.limits.wave_units
    for number, wave in enumerate(plan.wave):
        if wave.units > most:
            yield Fault(("wave", number), "7.3", f"Wave {number + 1} has {wave.units} units; the limit is {most}.")
        if wave.units < 1:
            yield Fault(("wave", number), "7.3", f"Wave {number + 1} has no units.")
        for at, group in enumerate(wave.group):
            yield from _check_group(("wave", number, "group", at), group, data)
    yield from _check_totals(plan, data)
    yield from _check_message(plan, data)


def _check_turns(plan: JapanesePlan, data: Data) -> Faults:
    before, figures = 0, data.planning.waves
    for at, wave in enumerate(plan.wave):
        if at == 0 and wave.turn != figures.first_turn:
            yield Fault(
                ("wave", at), "8.1", f"Wave 1 must enter on turn {figures.first_turn}, not on turn {wave.turn}."
            )
        elif wave.turn <= before:
            yield Fault(("wave", at), "7.3", f"Wave {at + 1} must enter after wave {at}, later than turn {before}.")
        elif wave.turn > figures.last_turn:
            reason = f"Wave {at + 1} enters on turn {wave.turn}; the last possible turn is {figures.last_turn}."
            yield Fault(("wave", at), "7.3", reason)
        before = max(before, wave.turn)


def _check_group(where: Where, group: Group, data: Data) -> Faults:
    """[7.2, 7.3, 7.4] Check the sector, type and ordnance of a group."""
    sectors = data.places.sectors
    if group.sector not in sectors:
        yield Fault(where, "7.2", f"No sector of approach {group.sector!r}. Sectors: {', '.join(sectors)}.")
    if group.units < 1:
        yield Fault(where, "7.3", f"A group has {group.units} units: enter at least 1.")
    each = data.air.types.get(group.type)
    if each is None or each.side != JAPAN:
        known = ", ".join(each.key for each in data.air.of(JAPAN))
        yield Fault(where, "6", f"No Japanese aircraft type {group.type!r}. Types: {known}.")
    elif group.ordnance.value not in (each.ordnance or [Ordnance.NONE.value]):
        yield Fault(where, "7.4", ordnance_error(each, group.ordnance))


def ordnance_error(each: AirType, ordnance: Ordnance) -> str:
    """[7.4] Return why a type does not carry some ordnance."""
    listed = join_list([ORDNANCE_TITLES[Ordnance(name)] for name in each.ordnance], "or") or "only their guns"
    if ordnance is Ordnance.NONE:
        return f"{each.title}s must carry {listed}."
    return f"{each.title}s cannot carry {ORDNANCE_TITLES[ordnance]}; they carry {listed}."


def _check_totals(plan: JapanesePlan, data: Data) -> Faults:
    """[6, 7.3] Check units per type: waves 1 and 2 share them, and units of wave 2 cannot fly in wave 3."""
    for each in data.air.of(JAPAN):
        flown = [wave.of(each.key) for wave in plan.wave]
        for at in range(len(flown)):
            left = available(each, flown[:at])
            if flown[at] > max(left, 0):
                last = max(index for index, group in enumerate(plan.wave[at].group) if group.type == each.key)
                yield Fault(("wave", at, "group", last), "7.3" if at else "6", _too_many(each, flown, at))


def available(each: AirType, flown: list[int]) -> int:
    """[7.3] Return how many units of a type the next wave may have after earlier waves.

    Wave 3 may use those of wave 1 again, but none of wave 2.
    """
    return each.units - (flown[1] if len(flown) >= THIRD - 1 else sum(flown))


def _too_many(each: AirType, flown: list[int], at: int) -> str:
    reason = f"Wave {at + 1} has {flown[at]} {each.title} units; there are {each.units}"
    if at == 0:
        return f"{reason}."
    if at == 1:
        return f"{reason}, and {flown[0]} fly in wave 1."
    return f"{reason}, and the {flown[1]} of wave 2 cannot fly in wave 3."


def _check_message(plan: JapanesePlan, data: Data) -> Faults:
    """[15.2] Check that a message names month and day in words, with a known cipher and key."""
    if not plan.message:
        return
    no_date, no_key = cipher.why_not(plan.message, plan.day), cipher.why_not_key(plan.cipher, plan.key)
    if no_date:
        yield Fault(("message",), "15.2", no_date)
    if no_key:
        yield Fault(("key",), "15.2", no_key)
    if no_date or no_key:
        return
    reason = cipher.why_not_offered(plan.message, plan.day, plan.cipher, plan.key)
    if reason:
        yield Fault(("message",), "T28", reason)
