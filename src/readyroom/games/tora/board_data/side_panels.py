"""Panels next to the charts: both sides, the American calendar, the turn track, and the luck deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from readyroom.engine.game import MatchView, View
from readyroom.engine.text import count_noun
from readyroom.games.tora.board_data.pieces import Day, Luck, Panel, Turn, on_the_sheets, printed
from readyroom.games.tora.figures import JAPAN, SIDE_TITLES, USA, SideName
from readyroom.games.tora.luck import last_turn

LOADS = {"gp": "GP", "ap": "AP", "torpedo": "T"}
"""Ordnance in letters."""


def in_the_air(table: View, side: SideName) -> list[View]:
    """Return a side's units over the twelve zones."""
    return [unit for over in table["zones"].values() for unit in over[side]]


def on_the_ground(table: View) -> list[View]:
    """Return the parked units."""
    return [unit for each in table["usa"]["fields"] for stack in each["stacks"] for unit in stack]


def by_type(units: Iterable[View]) -> str:
    """How many units of each type: "8 Kates, 11 Vals"."""
    counts = Counter(unit["type"] for unit in units)
    types = printed().air.types
    return ", ".join(count_noun(counts[key], each.title) for key, each in types.items() if counts[key]) or "none"


def japan_panel(view: MatchView[Any], day: int) -> Panel:
    """Return Japan's panel: the plan before the day, then aircraft, losses and further waves."""
    table: View = view.table
    japan, over, heading = table["japan"], in_the_air(table, JAPAN), _heading(view, JAPAN)
    aboard = japan["carriers"]
    if not day:
        return Panel(JAPAN, heading, _describe_attack(view) or [_sealed(japan)])
    waves = "no wave has entered" if not japan["entered"] else f"{count_noun(japan['entered'], 'wave')} so far"
    lines = [f"Over Oahu: {by_type(over)}; {waves}.", f"Aircraft lost: {japan['aircraft_lost']}."]
    if aboard is None:
        lines.append("Aircraft aboard and further waves are hidden.")
    else:
        lines.append(f"On the carriers: {by_type(aboard)}.")
        lines += _describe_attack(view, since=japan["entered"])
    return Panel(JAPAN, heading, lines)


def _describe_attack(view: MatchView[Any], since: int = 0) -> list[str]:
    """Return a line for each planned wave still to come."""
    plan = on_the_sheets(view, JAPAN)
    if plan is None:
        return []
    named = not since and plan["day"]
    day = [f"The attack is on {printed().planning.calendar.month} {plan['day']}."] if named else []
    return day + [describe_wave(number, wave) for number, wave in enumerate(plan["wave"], start=1) if number > since]


def describe_wave(number: int, wave: View) -> str:
    """Describe a planned wave: entry turn and units by sector."""
    types, sectors = printed().air.types, dict[str, list[str]]()
    for group in wave.get("group", ()):
        arms = LOADS.get(group.get("ordnance", "none"), "")
        title = count_noun(group["units"], types[group["type"]].title) + (f" {arms}" if arms else "")
        sectors.setdefault(group["sector"], []).append(title)
    flown = "; ".join(f"{sector} {', '.join(groups)}" for sector, groups in sectors.items())
    return f"Wave {number}, turn {wave['turn']}: {flown}."


def _sealed(side: View) -> str:
    if side["sealed"]:
        return f"The plan is locked; its fingerprint is {side['sealed'][-1][:16]}."
    return "No plan is locked yet." if side["own"] else "The plan is hidden."


def _heading(view: MatchView[Any], name: SideName) -> str:
    """A side's name; to its own seats also that it is theirs, and which quadrants a seat of several commands."""
    side = view.table[name]
    if not side["own"]:
        return SIDE_TITLES[name]
    mine = [quadrant for quadrant, seat in side["commands"].items() if seat == view.seat]
    return f"{SIDE_TITLES[name]} (you{': ' + ', '.join(mine) if len(side['seats']) > 1 else ''})"


def capital_ships(table: View) -> tuple[int, int, int]:
    """[14.2] Count undamaged, damaged and sunk capital ships; one at sea is undamaged (T16)."""
    ships = [ship for ship in table["usa"]["ships"] if ship["capital"]]
    sunk = sum(ship["sunk"] for ship in ships)
    damaged = sum(ship["damaged"] and not ship["sunk"] for ship in ships)
    return len(ships) - damaged - sunk, damaged, sunk


def describe_yard(table: View) -> str:
    """[17.2] Describe the hits on the yard and the band of damage."""
    yard, bands = table["usa"]["yard"], printed().places.yard.bands
    hits, most = sum(token["hits"] for token in yard), sum(token["capacity"] for token in yard)
    band = next((at for at, top in enumerate(bands) if hits <= top), len(bands) - 1)
    share = 100 // len(bands)
    return f"Navy Yard: {hits} of {most} hits ({band * share + (1 if band else 0)}–{(band + 1) * share} %)"


def usa_panel(view: MatchView[Any], day: int) -> Panel:
    """Return the American panel: the calendar before the day, then ships, yard, fighters and alerts."""
    table: View = view.table
    usa, heading = table["usa"], _heading(view, USA)
    if not day:
        plan = on_the_sheets(view, USA)
        if plan is None:
            return Panel(USA, heading, [_sealed(usa)])
        return Panel(USA, heading, [], rows=CALENDAR, days=list(calendar(plan, 0)))
    whole, damaged, sunk = capital_ships(table)
    over, parked = in_the_air(table, USA), on_the_ground(table)
    lines = [
        f"Capital ships: {whole} undamaged, {damaged} damaged, {sunk} sunk.",
        f"{describe_yard(table)}.",
        f"Fighters: {len(over)} units in the air, {len(parked)} on the ground.",
        f"Aircraft lost: {usa['aircraft_lost']}.",
    ]
    levels = usa["levels"]
    alerts = [(title, levels[key]) for key, title in ALERTS.items()] if levels else []
    if not levels:
        lines.append("The alert levels are hidden.")
    return Panel(USA, heading, lines, alerts)


ALERTS = {"airfield": "Airfields", "ship": "Ships", "aaa": "Batteries"}
CALENDAR = [*ALERTS.values(), "Radar", "Patrol", "In port"]
"""The rows of the American calendar."""


def calendar(plan: View, now: int) -> Iterator[Day]:
    """Yield the American plan day by day."""
    planning = printed().planning
    days = planning.calendar.days
    levels = [plan.get(key) or (planning.alert.base,) * days for key in ALERTS]
    searches = [plan.get(key) or ("",) * days for key in ("radar", "patrol")]
    ports: View = plan.get("in_port", {})
    for day in range(1, days + 1):
        in_port = "+".join(key[0].upper() for key, when in ports.items() if when == day)
        cells = [str(row[day - 1]) for row in levels] + [row[day - 1] for row in searches] + [in_port]
        yield Day(day, cells, [row[day - 1] for row in levels] + [0, 0, 0], day == now)


def turns(view: MatchView[Any]) -> Iterator[Turn]:
    """Yield the turn track up to the last possible turn; waves only where the plan is visible."""
    turn, luck = view.turn, view.table["rulings"]["luck_from"]
    rises, plan = printed().planning.reaction.rises, on_the_sheets(view, JAPAN)
    waves = {wave["turn"]: number for number, wave in enumerate(plan["wave"], start=1)} if plan else {}
    last = max(last_turn(printed(), luck), turn)
    for at in range(1, last + 1):
        yield Turn(at, at == turn, at < turn, at in rises, bool(luck) and at >= luck, waves.get(at, 0))


def luck_deck(luck: View) -> Luck:
    """[13.2] Return the luck deck and the last card drawn."""
    left, drawn = luck["left"], luck["drawn"]
    text = f"Luck deck: {count_noun(left, 'card')} left"
    if not drawn:
        return Luck(left, 0, title=f"{text}, none drawn")
    rank, _, suit = drawn[-1].partition("-of-")
    title = f"{text}, {len(drawn)} drawn, the last one the {rank} of {suit}"
    return Luck(left, len(drawn), "A" if rank == "ace" else rank, suit, title)
