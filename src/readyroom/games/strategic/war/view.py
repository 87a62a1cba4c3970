"""[SW.14] What each seat sees of a war, and states it cannot distinguish."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from readyroom.engine.game import View
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.state import Strategic
from readyroom.games.strategic.war import net
from readyroom.games.strategic.war.expected import Mean, mean
from readyroom.games.strategic.war.intelligence import kind, matching, serving
from readyroom.games.strategic.war.places import (
    CAMPAIGNS,
    COUNTRIES,
    ENEMY,
    POWERS,
    SIDE,
    nations,
    projects,
    quarter,
    theater,
)
from readyroom.games.strategic.war.state import NATIONS, SEATS, Power, Raid, Stack, War
from readyroom.games.strategic.war.turn_end import bombing_score, income, scores

FACES = 6


def view(state: Strategic, data: Data, seat: str | None) -> View:
    """[SW.14, W1] Return the boxes, losses and levels, which are public, and the seat's own cards, plans and points.

    Of the enemy's hand the number of cards is public, of the enemy's research the total of points.
    """
    war, turn = state.war, max(1, state.at.turn)
    return {
        "rulings": msgspec.to_builtins(state.rulings),
        "date": quarter(war, turn),
        "dates": [quarter(war, each) for each in range(1, war.turns + 1)],
        "turns": war.turns,
        "rounds": list(war.rounds),
        "scores": scores(war),
        "victory": msgspec.to_builtins(war.victory),
        "bombing": bombing_score(war),
        "thin": war.thin,
        "oceans": msgspec.to_builtins({sea: msgspec.structs.asdict(ocean) for sea, ocean in war.oceans.items()}),
        "fleets": {fleet: _fleet(state, data, fleet) for fleet in CAMPAIGNS if fleet in war.rounds},
        "countries": {area: _country(state, data, area) for area in COUNTRIES if area in war.rounds},
        "interceptors": dict(war.interceptors),
        "powers": {nation: _power(war, data, nation, turn, seat) for side in NATIONS for nation in nations(war, side)},
        "hands": {side: _hand(war, side, seat) for side in SEATS},
        "orders": msgspec.to_builtins(war.orders[seat]) if seat in war.orders else None,
        "raids": [_raid(war, each) for each in war.raids],
        "reports": [_report(each) for each in war.reports],
        "last": [_report(each) for each in war.last],
        "history": [msgspec.structs.asdict(mark) for mark in war.history],
        "figures": {
            "prices": {name: getattr(data.war.prices, name) for name in _PRICED},
            "level": data.war.research.at_least,
            "levels": data.war.research.most,
            "moves": data.war.moving.factors,
        },
    }


_PRICED = ("submarine", "escort", "carrier", "merchant", "bomber", "interceptor", "research")


def _fleet(state: Strategic, data: Data, fleet: str) -> View:
    """Return a campaign: its submarines, the net modifier line by line, and a round's expected results."""
    war, campaign = state.war, CAMPAIGNS[fleet]
    lines = net.submarine_lines(state, data, campaign)
    means = mean(state, data, campaign) if war.submarines[campaign.fleet].ready else Mean(0, 0, 0, 0, 0)
    return {
        "title": campaign.title,
        "nation": campaign.nation,
        "sea": campaign.sea,
        **_stack(war.submarines[campaign.fleet]),
        "net": net.total(lines),
        "lines": [list(line) for line in lines],
        "expected": {name: round(value, 2) for name, value in means._asdict().items()},
    }


def _stack(stack: Stack) -> View:
    return {"ready": stack.ready, "turned": stack.turned, "resting": stack.resting}


def _country(state: Strategic, data: Data, area: str) -> View:
    war, country = state.war, COUNTRIES[area]
    return {
        "title": country.title,
        "attacker": country.attacker,
        "defender": country.defender,
        "bombers": _stack(war.bombers[country.area]),
        "interceptors": war.interceptors[country.area],
        "escorts": country.escorts,
        "reach": net.reach(state, data, country),
        "escort_reach": net.escort_reach(state, data, country),
        "interception": net.total(net.interception_lines(state, data, country)),
        "targets": [
            {
                "key": aim.key,
                "name": aim.name,
                "distance": aim.distance,
                "steps": aim.steps,
                "out": aim.out,
                "strength": aim.strength,
                "parts": dict(aim.parts),
                "net": net.total(net.target_lines(state, data, country, aim)),
            }
            for aim in war.targets
            if aim.area == country.area
        ],
    }


def _power(war: War, data: Data, nation: str, turn: int, seat: str | None) -> View:
    power = war.powers[nation]
    return {
        "title": POWERS[nation],
        "side": SIDE[nation],
        "own": SIDE[nation] == seat,
        "money": power.money,
        "income": income(war, nation, turn),
        "owes": power.owes,
        "projects": projects(war, nation),
        "levels": {project: power.levels.get(project, 0) for project in projects(war, nation)},
        "points": {key: value for key, value in power.points.items() if value} if SIDE[nation] == seat else None,
        "under_way": sum(power.points.values()),
        "losses": msgspec.structs.asdict(power.losses),
    }


def _hand(war: War, side: str, seat: str | None) -> View:
    return {
        each: {"count": len(held), "kinds": list(held) if side == seat else None}
        for each, held in war.hands[side].items()
    }


def _raid(war: War, each: Raid) -> View:
    area = war.aim(each.target).area
    return {"target": each.target, "area": area, "bombers": each.bombers, "escorts": each.escorts, "met": each.met}


def _report(report: Any) -> View:
    data: View = msgspec.structs.asdict(report)
    return {**data, "lines": [list(line) for line in report.lines]}


# -- resampling -----------------------------------------------------------------------------------------------------


def resample(state: Strategic, data: Data, seat: str, random: Random) -> Strategic:
    """[SW.14] Resample the enemy's cards, plans and research points; change `state`."""
    enemy = ENEMY[seat]
    planned = state.at.phase not in ("war-intelligence", "war-reckon", "before")
    for each, held in state.war.hands[enemy].items():
        state.war.hands[enemy][each] = [kind(data, random.randint(1, FACES)) for _ in held]
    for nation in NATIONS[enemy]:
        _study(state.war.powers[nation], projects(state.war, nation), data, random)
    if planned:
        _plan(state, data, enemy, random)
    return state


def _study(power: Power, studied: Sequence[str], data: Data, random: Random) -> None:
    """Resample the points under way over the projects not complete."""
    total, most = sum(power.points.values()), data.war.research.at_least - 1
    power.points = {}
    for _ in range(total):
        free = [
            each for each in studied
            if power.points.get(each, 0) < most and power.levels.get(each, 0) < data.war.research.most
        ]  # fmt: skip
        if free:
            each = free[int(random.random() * len(free))]
            power.points[each] = power.points.get(each, 0) + 1


def _plan(state: Strategic, data: Data, side: str, random: Random) -> None:
    """Resample raids and cards for the rounds still to come."""
    war = state.war
    orders = war.orders[side]
    done = {report.round for report in war.reports}
    over = {"war-axis-bombing": ("germany", "japan")}.get(state.at.phase, ())
    orders.raids = {}
    for area, country in COUNTRIES.items():
        if SIDE[country.attacker] == side and area in war.rounds and area not in done and area not in over:
            raids = _raids(state, data, area, random)
            if raids:
                orders.raids[area] = raids
    cards: list[str] = []
    if state.rulings.codebreaking == "commit":
        for each in war.rounds:
            if (
                each not in done
                and matching(state, side, each) > _committed(state, side, each, cards)
                and random.random() < 0.5
            ):
                cards.append(each)
    orders.cards = cards


def _committed(state: Strategic, side: str, each: str, cards: Sequence[str]) -> int:
    return sum(theater(other) == theater(each) and serving(other) == serving(each) for other in cards)


def _raids(state: Strategic, data: Data, area: str, random: Random) -> list[Raid]:
    war, country = state.war, COUNTRIES[area]
    far, raids = net.reach(state, data, country), list[Raid]()
    aims = [aim for aim in war.targets if aim.area == area and aim.distance <= far]
    for _ in range(war.bombers[country.area].ready if aims else 0):
        aim = aims[int(random.random() * len(aims))]
        known = next((raid for raid in raids if raid.target == aim.key), None)
        if known is None:
            raids.append(Raid(aim.key, 1))
        elif random.random() < 0.9:
            known.bombers += 1
    return raids
