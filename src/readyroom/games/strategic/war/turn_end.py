"""[SW.6, SW.12, SW.13] The end of a turn: research, repairs, income and victory."""

from __future__ import annotations

from readyroom.engine.rules.checks import Check
from readyroom.engine.rules.state import Outcome
from readyroom.engine.text import agree, capitalize_first, count_noun
from readyroom.games.strategic.tables.named import Named
from readyroom.games.strategic.tables.war_opening import Victory, by_name
from readyroom.games.strategic.war.pieces import counter, hand_place, money_place, track_place
from readyroom.games.strategic.war.places import CAMPAIGNS, COUNTRIES, ENEMY, POWERS, SIDE, THEATERS, quarter, year
from readyroom.games.strategic.war.planning.building import PROJECTS, STUDIES
from readyroom.games.strategic.war.state import NATIONS, Losses, Mark, Orders, Stack, T, War
from readyroom.games.strategic.war.submarines import factors

PERCENT = 100


def end_turn(table: T) -> None:
    """[SW.12] Roll for research, repair, collect income, and check for victory."""
    _roll_research(table)
    _repair(table)
    _collect_income(table)
    _record_history(table)
    _check_victory(table)


def _roll_research(table: T) -> None:
    """[SW.6] Add free points, and roll for each project with points."""
    war = table.state.war
    research = table.data.war.research
    for free in war.free:
        power = war.powers[free.nation]
        if power.levels.get(free.project, 0) < min(free.until, research.most):
            before = power.points.get(free.project, 0)
            power.points[free.project] = min(before + free.points, research.at_least - 1)
            gained = power.points[free.project] - before
            if gained:  # the enemy sees the total of points
                whose = "The Allies gain" if free.nation == "allies" else f"{POWERS[free.nation]} gains"
                table.log_line(
                    "SW.6",
                    "{} {} of research for free.",
                    whose,
                    count_noun(gained, "point"),
                    target=money_place(free.nation),
                )
    for nation, power in war.powers.items():
        for project in PROJECTS:
            points = power.points.get(project, 0)
            if points:
                _roll_project(table, nation, project, points)


def _roll_project(table: T, nation: str, project: str, points: int) -> None:
    power, name = table.state.war.powers[nation], STUDIES[project]
    at_least = table.data.war.research.at_least
    check = Check("SW.6", f"research, {name}", at_least=at_least, modifiers=[("research points", points)])
    roll = table.roll(check, f"{nation} {project}")
    whose = "The Allies'" if nation == "allies" else f"{POWERS[nation]}'s"
    sure = f": {points} research points are enough without a roll" if check.odds() == 1 else ""
    kept = f"its {count_noun(points, 'point')} {agree(points, 'is', 'are')} kept"
    template = f"{{}} research on {{}} succeeds{sure}." if roll else f"{{}} research on {{}} fails; {kept}."
    target = track_place(nation, project)
    if roll:
        power.levels[project] = power.levels.get(project, 0) + 1
        power.points[project] = 0
    table.log_line("SW.6", template, whose, name, roll, audience=(SIDE[nation],), target=target)
    if roll:
        who = "The Allies reach" if nation == "allies" else f"{POWERS[nation]} reaches"
        table.reveal("SW.6", "{} level {} of {}.", who, power.levels[project], name, target=target)


def _repair(table: T) -> None:
    """[SW.11, SW.12, W2, W5] Repair targets, ready resting factors, and discard cards and orders."""
    war = table.state.war
    for aim in war.targets:
        steps, aim.out = aim.out, 0
        if steps:
            table.log_line("SW.12", "{} is repaired.", capitalize_first(aim.name), target=aim.key)
    for fleet, stack in war.submarines.items():
        _end_rest(table, stack, fleet, f"{CAMPAIGNS[fleet].title}: {factors(stack.resting, 'submarine')}")
    for area, stack in war.bombers.items():
        text = f"{factors(stack.resting, 'bomber')} against {COUNTRIES[area].title}"
        _end_rest(table, stack, counter("bomber", area), text)
    war.escorting = {}
    for side in war.orders:
        war.orders[side] = Orders()
        _discard(table, side)


def _discard(table: T, side: str) -> None:
    """[SW.12] Discard the cards that a side has not played."""
    hands, who = table.state.war.hands[side], "The Axis discards" if side == "axis" else "The Allies discard"
    for each in THEATERS:
        held = hands.get(each)
        if held:
            hands[each] = []
            cards = f"{count_noun(len(held), 'card')} for {THEATERS[each]}"
            table.log_line("SW.12", "{} {}: unplayed cards are not kept.", who, cards, target=hand_place(side, each))


def _end_rest(table: T, stack: Stack, key: str, resting: str) -> None:
    """[SW.12] Ready what has rested; turned factors rest."""
    back = stack.resting
    stack.rest()
    if back:
        table.log_line("SW.12", "{} {} ready again.", Named(key, resting), agree(back, "is", "are"), target=key)


def _collect_income(table: T) -> None:
    """[SW.12] Add the next turn's income minus losses; unspent points are kept."""
    war, turn = table.state.war, table.state.at.turn
    if turn >= war.turns:
        return
    for nation, power in war.powers.items():
        due = income(war, nation, turn + 1)
        received = max(0, due - power.owes)
        lost = f" ({due - received} of {due} lost)" if power.owes else ""
        power.money += received
        power.owes = 0
        if due:
            who = "The Allies receive" if nation == "allies" else f"{POWERS[nation]} receives"
            points = count_noun(received, "resource")
            table.log_line("SW.12", "{} {}{}.", who, points, lost, target=money_place(nation))


def income(war: War, nation: str, turn: int) -> int:
    """Return a nation's income in a turn: one figure for each calendar year, the last for all later years."""
    years = war.powers[nation].income
    return years[min(year(war, turn) - war.year, len(years) - 1)] if years else 0


def _record_history(table: T) -> None:
    """Append the turn's totals for the graph."""
    war = table.state.war
    sunk: dict[str, int] = {}
    for report in war.reports:
        if report.round in CAMPAIGNS:
            sea = CAMPAIGNS[report.round].sea
            sunk[sea] = sunk.get(sea, 0) + report.lost.get("merchants", 0)
    merchants = {sea: ocean.merchants for sea, ocean in war.oceans.items()}
    boats = {fleet: stack.whole for fleet, stack in war.submarines.items()}
    war.history.append(Mark(merchants, boats, sunk, scores(war)))


def loss_points(victory: Victory, losses: Losses) -> int:
    """[SW.13] Return what a nation's losses score for its enemy."""
    return (
        victory.merchant * losses.merchants
        + victory.escort * losses.escorts
        + victory.submarine * losses.submarines
        + victory.point * (losses.excess + losses.points)
        + victory.step * losses.steps
    )


def scores(war: War) -> dict[str, int]:
    """[SW.13] Return each side's handicap and the points for its enemy's losses."""
    handicap = by_name(war.victory.handicap)
    points = {nation: loss_points(war.victory, power.losses) for nation, power in war.powers.items()}
    return {side: handicap.get(side, 0) + sum(points[each] for each in NATIONS[ENEMY[side]]) for side in NATIONS}


def bombing_score(war: War) -> int:
    """[SW.13] Return the score of bombing against Germany."""
    losses = war.powers["germany"].losses
    return war.victory.point * losses.points + war.victory.step * losses.steps


def _check_victory(table: T) -> None:
    """[SW.13] End the match if a side has won, or after the last turn."""
    war, turn = table.state.war, table.state.at.turn
    victory = war.victory
    if victory.starved is not None:
        war.thin = war.thin + 1 if war.oceans["atlantic"].merchants < victory.starved.below else 0
        if war.thin >= victory.starved.turns:
            text = f"The Atlantic is swept of merchant ships, and Britain starves by {quarter(war, turn)}."
            table.end_match(Outcome("axis", "Britain starves", text, scores(war)))
    if victory.ruin is not None:
        swept = war.oceans["japan"].merchants <= victory.ruin.merchants
        if swept and bombing_score(war) >= victory.ruin.bombing:
            text = f"Japan's merchant fleet is sunk and Germany's industry is in ruins by {quarter(war, turn)}."
            table.end_match(Outcome("allies", "The Axis is ruined", text, scores(war)))
    if turn >= war.turns:
        table.end_match(final(war))


def final(war: War) -> Outcome:
    """[SW.13] Return the outcome at the end: the higher score wins if its lead is large enough."""
    totals = scores(war)
    side = "axis" if totals["axis"] > totals["allies"] else "allies"
    most, least = totals[side], totals[ENEMY[side]]
    text = f"The Axis has {totals['axis']} points and the Allies have {totals['allies']}"
    if PERCENT * (most - least) <= war.victory.margin * most:
        return Outcome(None, "Even", f"{text}: neither side has clearly won.", totals)
    title = "The Axis wins the war of attrition" if side == "axis" else "The Allies win the war of attrition"
    return Outcome(side, title, f"{text}.", totals)
