"""[5, 7] The planning chart: what its script draws, and the check of a draft."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from random import Random
from typing import Any

import msgspec

from readyroom.engine.game import PlanEditor, Planner
from readyroom.games.tora.bots import doctrine
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.outlines import line, polygon, smooth
from readyroom.games.tora.figures import CATEGORIES, CATEGORY_TITLES, JAPAN, SIDE_TITLES, USA, Data
from readyroom.games.tora.harbor import LIES, ShipAtBerth, moorings
from readyroom.games.tora.plans import attack_sheets, builtin, cipher
from readyroom.games.tora.plans.data import ORDNANCE_TITLES, QUADRANTS, AmericanPlan, JapanesePlan, Ordnance
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.reading import PLANS, BadPlan, read_unchecked, write_csv, write_toml
from readyroom.games.tora.plans.sheets import answers_so_far, plan_in_progress
from readyroom.games.tora.plans.validation import Fault, check, completed, day_name, days

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""1 December 1941 was a Monday."""
CELL = 10
"""The units of a harbor cell on the planning chart."""


# -- what the script draws -------------------------------------------------------------------------------------------


def _sheet(planner: Planner) -> dict[str, Any]:
    """Return the sheet of a side: its plan so far, what it may plan with, and its charts."""
    data: Data = planner.data
    calendar = data.planning.calendar
    plan = _begun(planner)
    return {
        "side": planner.side,
        "month": calendar.month,
        "days": [[day, WEEKDAYS[(day - 1) % len(WEEKDAYS)]] for day in days(data)],
        "quadrants": QUADRANTS,
        "oahu": _oahu(),
        "plan": _whole(plan),
        "samples": [
            {"key": key, "title": named.title, "summary": named.summary, "plan": _whole(builtin.named(key))}
            for key, named in builtin.plans()[planner.side].items()
        ],
        **(_defence(data) if planner.side == USA else _attack(planner)),
    }


def _begun(planner: Planner) -> Plan:
    """Return the plan that a seat has begun or locked, else an empty one with the usual deployment."""
    view = planner.view
    if planner.side == USA:
        made = plan_in_progress(view, USA, AmericanPlan) or view.table.usa.plan or AmericanPlan()
        return completed(made, planner.data)
    return plan_in_progress(view, JAPAN, JapanesePlan) or view.table.japan.plan or JapanesePlan(0, ())


def _suggest(planner: Planner, random: Random) -> dict[str, Any]:
    """Draw a plan as the default bot does, but keep a day and a message that have been sent [T28]."""
    _, plan = doctrine.plan_of(doctrine.DEFAULT, USA if planner.side == USA else JAPAN, random)
    if isinstance(plan, AmericanPlan):
        plan = completed(plan, planner.data)
    elif _is_sent(planner):
        sent = _begun(planner)
        assert isinstance(sent, JapanesePlan)
        kept = {name: getattr(sent, name) for name in ("day", "message", "cipher", "key")}
        plan = msgspec.structs.replace(plan, **kept)
    suggested: dict[str, Any] = _whole(plan)
    return suggested


def _defence(data: Data) -> dict[str, Any]:
    alert, harbor = data.planning.alert, data.places.harbor
    return {
        "alert": {"base": alert.base, "top": alert.top, "points": alert.points},
        "reaction": [data.planning.reaction.sum, data.planning.reaction.detected_sum],
        "categories": [[key, CATEGORY_TITLES[key], alert.titles[key]] for key in CATEGORIES],
        "carriers": [[key, key.title(), mission] for key, mission in data.planning.carriers.missions.items()],
        "types": [[each.key, each.title, each.name, each.units, each.fields] for each in data.air.of(USA)],
        "fields": [[each.key, each.name, each.zone, each.places] for each in data.places.field],
        "ships": [
            {"key": card.key, "name": card.name, "kind": card.kind, "length": card.length} for card in data.ships.ship
        ],
        "harbor": {
            "width": harbor.width,
            "height": harbor.height,
            "island": [*harbor.island.x, *harbor.island.y],
            "middle": [harbor.west_to + 1, harbor.north_to + 1],
            "dock": _whole(next((berth for berth in data.places.anchorage.berths.values() if berth.dock), None)),
            "usual": _whole(data.places.anchorage.berths),
            "water": smooth([(x * CELL, y * CELL) for x, y in drawn().harbor.shore]),
            "cell": CELL,
        },
    }


def _attack(planner: Planner) -> dict[str, Any]:
    data: Data = planner.data
    rulings, figures = planner.view.table.rulings, data.planning.waves
    sheet: dict[str, Any] = {
        "types": [
            {
                "key": each.key,
                "title": each.title,
                "units": each.units,
                "strength": each.strength,
                "loads": [[load, ORDNANCE_TITLES[Ordnance(load)]] for load in each.ordnance or [Ordnance.NONE.value]],
            }
            for each in data.air.of(JAPAN)
        ],
        "sectors": data.places.sectors,
        "most": data.air.limits.wave_units,
        "waves": min(rulings.waves_max, data.air.limits.waves),
        "turns": {"first": figures.first_turn, "later": figures.later_turns, "last": figures.last_turn},
        "rises": data.planning.reaction.rises,
        "luck": rulings.luck_from,
        "sent": _is_sent(planner),
    }
    if rulings.cipher == "yes":
        sheet["messages"] = {day: cipher.plaintexts(day) for day in days(data)}
        sheet["ciphers"] = [[key, each.title, each.text, cipher.KEYS[key]] for key, each in cipher.CIPHERS.items()]
    return sheet


def _is_sent(planner: Planner) -> bool:
    """[15.2] Return whether day and message have been sent and are final (T28)."""
    if planner.view.table.rulings.cipher != "yes":
        return False
    begun = planner.view.sheets.get(JAPAN, {}).get("plan") or planner.view.table.japan.plan
    return bool(begun) and all(answered.about != attack_sheets.DAY for answered in answers_so_far(planner.view, JAPAN))


def _oahu() -> dict[str, Any]:
    oahu = drawn().oahu
    return {
        "size": [oahu.width, oahu.height],
        "at": oahu.at,
        "ring": oahu.ring,
        "lochs": oahu.lochs,
        "coast": polygon([oahu.place(spot) for spot in oahu.coast]),
        "ridges": [line([oahu.place(spot) for spot in ridge]) for ridge in oahu.ridges],
        "clouds": {zone: frames[0] for zone, frames in oahu.clouds.items() if zone.startswith("3")},
        "fields": {key: known.spot for key, known in oahu.fields.items()},
    }


def _whole(value: Any) -> Any:
    """Return a plan as JSON values, with the defaults that files leave out."""
    if isinstance(value, msgspec.Struct):
        return {key: _whole(each) for key, each in msgspec.structs.asdict(value).items()}
    if isinstance(value, Mapping):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, Enum):
        return value.value
    return [_whole(each) for each in value] if isinstance(value, (list, tuple)) else value


# -- a draft ---------------------------------------------------------------------------------------------------------


def _check(planner: Planner, text: bytes, file: str, about: str) -> dict[str, Any]:
    """Read a draft, and return it with its faults; and for a ship, the berths that are open to her."""
    data: Data = planner.data
    try:
        plan, _ = read_unchecked(text, file, data)
    except BadPlan as error:
        faults = [{"where": [], "rule": each.rule, "reason": str(each)} for each in error.complaints]
        return {"plan": None, "faults": faults}
    if not isinstance(plan, PLANS[planner.side]):
        reason = f"{file} is not a plan for {SIDE_TITLES[planner.side]}."  # type: ignore[index]
        return {"plan": None, "faults": [{"where": [], "rule": "", "reason": reason}]}
    result = {"plan": _whole(plan), "faults": [fault._asdict() for fault in _faults(plan, planner)]}
    if isinstance(plan, AmericanPlan):
        return result | {"places": _open_berths(completed(plan, data), about, data)}
    sound = plan.message and not cipher.why_not_key(plan.cipher, plan.key)
    return result | {"intercept": cipher.encipher(plan.cipher, plan.key, plan.message) if sound else ""}


def _faults(plan: Plan, planner: Planner) -> Iterator[Fault]:
    for fault in check(plan, planner.data, planner.view.table.rulings.waves_max):
        if fault.where == ("day",) and isinstance(plan, JapanesePlan) and not plan.day:
            yield fault._replace(reason="Choose the day of the attack.")
        else:
            yield fault
    if isinstance(plan, JapanesePlan) and _is_sent(planner):
        sent = _begun(planner)
        assert isinstance(sent, JapanesePlan)
        if plan.day != sent.day:
            reason = f"The message naming {day_name(planner.data, sent.day)} has been sent and cannot be changed."
            yield Fault(("day",), "T28", reason)


def _open_berths(plan: AmericanPlan, ship: str, data: Data) -> dict[str, Any] | None:
    """[5.14, 5.15] Return the berths open to a ship as numbers of cells, row by row, and whether the dock is."""
    cards = {card.key: card for card in data.ships.ship}
    if ship not in cards:
        return None
    others = [ShipAtBerth(cards[key], berth) for key, berth in plan.berths.items() if key != ship and key in cards]
    berths = [berth for berths in moorings(data.places, cards[ship], others).values() for berth in berths]
    afloat = [berth for berth in berths if not berth.dock]
    width = data.places.harbor.width
    cells: dict[str, list[int]] = {
        lie: sorted(berth.x + width * berth.y for berth in afloat if berth.lie == lie) for lie in LIES
    }
    return {**cells, "dock": len(afloat) < len(berths)}


def _write(planner: Planner, text: bytes, file: str, kind: str) -> str:
    """Return a draft as a file."""
    plan, _ = read_unchecked(text, file, planner.data)
    return write_csv(plan, planner.data) if kind == "csv" else write_toml(plan)


EDITOR = PlanEditor(sheet=_sheet, check=_check, write=_write, suggest=_suggest)
