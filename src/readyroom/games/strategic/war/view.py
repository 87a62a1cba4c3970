"""[SW.14] What each seat sees of a war, and states it cannot distinguish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.modifiers import total
from readyroom.games.strategic.tables.state import copy_as
from readyroom.games.strategic.war import net, views
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
from readyroom.games.strategic.war.planning.orders import Plan
from readyroom.games.strategic.war.state import NATIONS, SEATS, Power, Raid, War, WarState
from readyroom.games.strategic.war.turn_end import bombing_score, income, scores

FACES = 6


def view(state: WarState, data: Data, seat: str | None) -> views.WarView:
    """[SW.14, W1] Return the boxes, losses and levels, which are public, and the seat's own cards, plans and points.

    Of the enemy's hand the number of cards is public, of the enemy's research the total of points.
    """
    war, turn = state.war, max(1, state.at.turn)
    research = data.war.research
    prices = {name: getattr(data.war.prices, name) for name in _PRICED}
    return views.WarView(
        rulings=state.rulings,
        date=quarter(war, turn),
        dates=[quarter(war, each) for each in range(1, war.turns + 1)],
        turns=war.turns,
        rounds=list(war.rounds),
        scores=scores(war),
        victory=war.victory,
        bombing=bombing_score(war),
        thin=war.thin,
        oceans=copy_as(war.oceans, dict[str, views.OceanView]),
        fleets={fleet: _fleet(state, data, fleet) for fleet in CAMPAIGNS if fleet in war.rounds},
        countries={area: _country(state, data, area) for area in COUNTRIES if area in war.rounds},
        interceptors=dict(war.interceptors),
        powers={nation: _power(war, data, nation, turn, seat) for side in NATIONS for nation in nations(war, side)},
        hands={side: _hand(war, side, seat) for side in SEATS},
        orders=copy_as(war.orders[seat], views.OrdersView) if seat in war.orders else None,
        raids=[
            views.RaidView(each.target, war.aim(each.target).area, each.bombers, each.escorts, each.met)
            for each in war.raids
        ],
        reports=copy_as(war.reports, list[views.ReportView]),
        last=copy_as(war.last, list[views.ReportView]),
        history=copy_as(war.history, list[views.MarkView]),
        figures=views.FiguresView(
            prices, research.at_least, research.most, data.war.moving.factors, data.war.bombs.step
        ),
    )


_PRICED = ("submarine", "escort", "carrier", "merchant", "bomber", "interceptor", "research")


def _fleet(state: WarState, data: Data, fleet: str) -> views.FleetView:
    """Return a campaign: its submarines, the net modifier line by line, and a round's expected results."""
    campaign = CAMPAIGNS[fleet]
    stack, lines = state.war.submarines[fleet], net.submarine_lines(state, data, campaign)
    means = mean(state, data, campaign) if stack.ready else Mean(0, 0, 0, 0, 0)
    return views.FleetView(
        stack.ready,
        stack.turned,
        stack.resting,
        title=campaign.title,
        nation=campaign.nation,
        sea=campaign.sea,
        net=total(lines),
        lines=list(lines),
        expected=views.ExpectedView(*(round(value, 2) for value in means)),
    )


def _country(state: WarState, data: Data, area: str) -> views.CountryView:
    war, country = state.war, COUNTRIES[area]
    return views.CountryView(
        title=country.title,
        attacker=country.attacker,
        defender=country.defender,
        bombers=copy_as(war.bombers[area], views.StackView),
        interceptors=war.interceptors[area],
        escorts=country.escorts,
        reach=net.reach(state, data, country),
        escort_reach=net.escort_reach(state, data, country),
        interception=total(net.interception_lines(state, data, country)),
        targets=[
            views.TargetView(
                aim.key,
                aim.name,
                aim.distance,
                aim.steps,
                aim.out,
                aim.strength,
                dict(aim.parts),
                total(net.target_lines(state, data, country, aim)),
            )
            for aim in war.targets
            if aim.area == area
        ],
    )


def _power(war: War, data: Data, nation: str, turn: int, seat: str | None) -> views.PowerView:
    power, own = war.powers[nation], SIDE[nation] == seat
    return views.PowerView(
        title=POWERS[nation],
        side=SIDE[nation],
        own=own,
        money=power.money,
        income=income(war, nation, turn + 1) if turn < war.turns else 0,
        owes=power.owes,
        projects=list(projects(war, nation)),
        levels={project: power.levels.get(project, 0) for project in projects(war, nation)},
        points={key: value for key, value in power.points.items() if value} if own else None,
        under_way=sum(power.points.values()),
        losses=copy_as(power.losses, views.LossesView),
    )


def _hand(war: War, side: str, seat: str | None) -> dict[str, views.HandView]:
    return {
        each: views.HandView(len(held), list(held) if side == seat else None) for each, held in war.hands[side].items()
    }


def sheets(state: WarState, made: Mapping[str, Plan], seat: str | None) -> dict[str, Any]:
    """[SW.14] Return the seat's own plan while the sides plan, by seat; no other seat sees it."""
    if seat is None or seat not in made:
        return {}
    plan, added = made[seat], Counter[str]()
    for build, count in plan.builds.items():
        added[build.place] += count
    for move, count in plan.moves.items():
        added[move.counter(move.origin)] -= count
        added[move.counter(move.goal)] += count
    return {seat: msgspec.to_builtins(views.PlanView(dict(added), copy_as(plan.orders, views.OrdersView)))}


# -- resampling -----------------------------------------------------------------------------------------------------


def resample(state: WarState, data: Data, seat: str, random: Random) -> WarState:
    """[SW.14] Resample the enemy's cards, plans and research points; change `state`."""
    enemy = ENEMY[seat]
    for each, held in state.war.hands[enemy].items():
        state.war.hands[enemy][each] = [kind(data, random.randint(1, FACES)) for _ in held]
    for nation in NATIONS[enemy]:
        _study(state.war.powers[nation], projects(state.war, nation), data, random)
    if state.at.phase not in ("war-intelligence", "war-reckon", "before"):
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


def _plan(state: WarState, data: Data, side: str, random: Random) -> None:
    """Resample raids and cards for the rounds still to come."""
    war = state.war
    orders = war.orders[side]
    done = {report.round for report in war.reports}
    over = {"war-axis-bombing": ("germany", "japan")}.get(state.at.phase, ())
    orders.raids = {}
    for area, country in COUNTRIES.items():
        if SIDE[country.attacker] == side and area in war.rounds and area not in (*done, *over):
            raids = _raids(state, data, area, random)
            if raids:
                orders.raids[area] = raids
    orders.cards = []
    if state.rulings.codebreaking == "commit":
        for each in (each for each in war.rounds if each not in done):
            kind_ = (theater(each), serving(each))
            committed = sum((theater(other), serving(other)) == kind_ for other in orders.cards)
            if matching(state, side, each) > committed and random.random() < 0.5:
                orders.cards.append(each)


def _raids(state: WarState, data: Data, area: str, random: Random) -> list[Raid]:
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
