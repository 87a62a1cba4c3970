"""[5.1, 5.8, 5.9, 5.13] The American calendar: alert levels, searched sectors, and the carriers' days in port."""

from __future__ import annotations

from collections import Counter

from readyroom.engine.rules.decisions import BudgetGroup, Option
from readyroom.engine.rules.table import Choice
from readyroom.games.tora.figures import CATEGORIES, CATEGORY_TITLES, Data
from readyroom.games.tora.plans.data import QUADRANTS, AmericanPlan
from readyroom.games.tora.plans.sheets import Note, forget
from readyroom.games.tora.plans.validation import day_name, days
from readyroom.games.tora.state import T

ALERTS, RADAR, PATROL, IN_PORT = "alerts", "radar", "patrol", "in-port"
"""Piece keys of the questions; `in-port` is followed by a carrier's key."""
SHORT = {"airfield": "Airfields", "ship": "Ships", "aaa": "AAA"}


def alert_key(category: str, day: int) -> str:
    """Return the option key of a raised alert level."""
    return f"{category}-{day}"


def plan_alerts(table: T, seat: str) -> Choice[dict[str, tuple[int, ...]]]:
    """[5.1] Each category has six points; a day's alert rises one level a point, by at most two."""
    data, alert = table.data, table.data.planning.alert
    names = {day: day_name(data, day) for day in days(data)}
    options = {
        category: [
            Option(alert_key(category, day), f"{SHORT[category]} on {name}", cell=(name, SHORT[category]))
            for day, name in names.items()
        ]
        for category in CATEGORIES
    }
    raised = yield from table.choose_some(
        seat,
        "5.1",
        f"Which alert levels do you raise, and when? A level costs 1 point; each category has {alert.points} points.",
        [option for row in options.values() for option in row],
        cost=lambda option: 1,
        budget=alert.points,
        budget_groups=[BudgetGroup(category, CATEGORY_TITLES[category], options[category]) for category in CATEGORIES],
        limit=lambda option: alert.top - alert.base,
        piece_key=ALERTS,
    )
    bought = Counter(option.key for option in raised)
    return {
        category: tuple(alert.base + bought[alert_key(category, day)] for day in days(data)) for category in CATEGORIES
    }


def sector_key(kind: str, day: int, sector: str) -> str:
    """Return the option key of a search."""
    return f"{kind}-{day}-{sector}"


def plan_searches(table: T, seat: str, kind: str) -> Choice[tuple[str, ...]]:
    """[5.8, 5.9] Choose one sector a day, or none, for the radar or the patrol planes."""
    data = table.data
    rule, searcher = ("5.8", "does the radar") if kind == RADAR else ("5.9", "do the patrol planes")
    names = {day: day_name(data, day) for day in days(data)}
    options = {
        day: [
            Option(sector_key(kind, day, sector), f"{sector} on {name}", sector, cell=(name, sector))
            for sector in QUADRANTS
        ]
        for day, name in names.items()
    }
    chosen = yield from table.choose_some(
        seat,
        rule,
        f"Which sector {searcher} search each day? Days may be left empty.",
        [option for row in options.values() for option in row],
        cost=lambda option: 1,
        budget=data.planning.search.sectors,
        budget_groups=[BudgetGroup(f"{kind}-{day}", name, options[day]) for day, name in names.items()],
        piece_key=kind,
    )
    return tuple(next((option.value for option in chosen if option in options[day]), "") for day in days(data))


def plan_ports(table: T, seat: str, note: Note = forget) -> Choice[dict[str, int]]:
    """[5.13] Choose the one day on which each carrier is in port (T10)."""
    ports: dict[str, int] = {}
    for key, mission in table.data.planning.carriers.missions.items():
        day = yield from table.choose(
            seat,
            "5.13",
            f"On which day is {key.title()} in port before she leaves for {mission}?",
            [Option(f"day-{day}", day_name(table.data, day), day) for day in days(table.data)],
            piece_key=f"{IN_PORT}:{key}",
        )
        ports[key] = day.value
        note(in_port=dict(ports))
    return ports


def plan_calendar(table: T, seat: str, note: Note = forget) -> Choice[AmericanPlan]:
    """[5] Plan the calendar; deployment and anchorage stay those of the data files."""
    levels = yield from plan_alerts(table, seat)
    note(**levels)
    radar = yield from plan_searches(table, seat, RADAR)
    note(radar=radar)
    patrol = yield from plan_searches(table, seat, PATROL)
    note(patrol=patrol)
    ports = yield from plan_ports(table, seat, note)
    return AmericanPlan(**levels, radar=radar, patrol=patrol, in_port=ports)  # type: ignore[arg-type]


def calendar_answer(plan: AmericanPlan, data: Data, about: str) -> list[str] | None:
    """Return a plan's answer to a calendar question as keys, None for other questions."""
    if about == ALERTS:
        base = data.planning.alert.base
        return [
            alert_key(category, day)
            for category in CATEGORIES
            for day, level in enumerate(plan.levels(category), start=1)
            for _ in range(level - base)
        ]
    if about in (RADAR, PATROL):
        sectors = plan.radar if about == RADAR else plan.patrol
        return [sector_key(about, day, sector) for day, sector in enumerate(sectors, start=1) if sector]
    kind, _, key = about.partition(":")
    return [f"day-{plan.in_port[key]}"] if kind == IN_PORT else None
