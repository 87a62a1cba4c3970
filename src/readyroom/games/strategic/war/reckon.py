"""[SW.6, SW.12, SW.13] The end of a turn: research, repairs, incomes, and whether the war is decided."""

from __future__ import annotations

from readyroom.engine.checks import Check
from readyroom.engine.state import Outcome
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.state import T
from readyroom.games.strategic.war.building import PROJECTS, study
from readyroom.games.strategic.war.opening import Victory, by_name
from readyroom.games.strategic.war.places import CAMPAIGNS, ENEMY, POWERS, SIDE, quarter, year
from readyroom.games.strategic.war.state import NATIONS, Losses, Mark, Orders, War

WHOLE = 100


def reckon(table: T) -> None:
    """[SW.12] Research is thrown for, what was damaged is mended, incomes come in, and victory is looked at."""
    _study(table)
    _mend(table)
    _earn(table)
    _remember(table)
    _decide(table)


def _study(table: T) -> None:
    """[SW.6] Each project with points throws a die; free points were added before."""
    war = table.state.war
    told = table.data.war.research
    for free in war.free:
        power = war.powers[free.nation]
        if power.levels.get(free.project, 0) < min(free.until, told.most):
            points = power.points.get(free.project, 0) + free.points
            power.points[free.project] = min(points, told.at_least - 1)
    for nation, power in war.powers.items():
        for project in PROJECTS:
            points = power.points.get(project, 0)
            if points:
                _throw(table, nation, project, points)


def _throw(table: T, nation: str, project: str, points: int) -> None:
    power, name = table.state.war.powers[nation], study(project)
    check = Check(
        "SW.6", f"research, {name}", at_least=table.data.war.research.at_least, modifiers=[("points", points)]
    )
    roll = table.roll(check, f"{nation} {project}")
    table.log_line("SW.6", "Research on {}: {}.", name, roll, audience=(SIDE[nation],))
    if roll:
        power.levels[project] = power.levels.get(project, 0) + 1
        power.points[project] = 0
        who = capitalize_first(POWERS[nation])
        verb = "reach" if nation == "allies" else "reaches"
        table.reveal("SW.6", "{} {} level {} of {}.", who, verb, power.levels[project], name)


def _mend(table: T) -> None:
    """[SW.11, SW.12, W2, W5] Targets are repaired, what missed this turn is ready, cards that are left are lost."""
    war = table.state.war
    for stack in (*war.submarines.values(), *war.bombers.values()):
        stack.rest()
    for aim in war.targets:
        aim.out = 0
    war.escorting = {}
    for side in war.orders:
        war.orders[side] = Orders()
        war.hands[side] = {theater: [] for theater in war.hands[side]}


def _earn(table: T) -> None:
    """[SW.12] The income of the next turn, less what was lost; what is not spent is kept."""
    war, turn = table.state.war, table.state.at.turn
    if turn >= war.turns:
        return
    for nation, power in war.powers.items():
        due = income(war, nation, turn + 1)
        got = max(0, due - power.owes)
        if due:
            lost = f", {due - got} of {due} lost" if power.owes else ""
            table.log_line("SW.12", "{}: {} resource points{}.", capitalize_first(POWERS[nation]), got, lost)
        power.money += got
        power.owes = 0


def income(war: War, nation: str, turn: int) -> int:
    """What a nation gets in a turn: a figure for each calendar year, the last one for all that follow."""
    years = war.powers[nation].income
    return years[min(year(war, turn) - war.year, len(years) - 1)] if years else 0


def _remember(table: T) -> None:
    """How things stand at the end of the turn, for the graph."""
    war = table.state.war
    sunk: dict[str, int] = {}
    for report in war.reports:
        if report.round in CAMPAIGNS:
            sea = CAMPAIGNS[report.round].sea
            sunk[sea] = sunk.get(sea, 0) + report.lost.get("merchants", 0)
    merchants = {sea: ocean.merchants for sea, ocean in war.oceans.items()}
    boats = {fleet: stack.whole for fleet, stack in war.submarines.items()}
    war.history.append(Mark(merchants, boats, sunk, scores(war)))


# -- victory ---------------------------------------------------------------------------------------------------------


def worth(victory: Victory, losses: Losses) -> int:
    """[SW.13] What a nation's losses score for its enemy."""
    return (
        victory.merchant * losses.merchants
        + victory.escort * losses.escorts
        + victory.submarine * losses.submarines
        + victory.point * (losses.excess + losses.points)
        + victory.step * losses.steps
    )


def scores(war: War) -> dict[str, int]:
    """[SW.13] The points of both sides."""
    return {side: score(war, side) for side in NATIONS}


def score(war: War, side: str) -> int:
    """[SW.13] What a side has inflicted on the other, and what it was given besides."""
    given = by_name(war.victory.handicap).get(side, 0)
    return given + sum(worth(war.victory, war.powers[nation].losses) for nation in NATIONS[ENEMY[side]])


def bombing_score(war: War) -> int:
    """[SW.13] What bombing has scored against Germany."""
    losses = war.powers["germany"].losses
    return war.victory.point * losses.points + war.victory.step * losses.steps


def _decide(table: T) -> None:
    """[SW.13] Whether a side has won at once, or the war is over."""
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
    """[SW.13] At the end the side that has inflicted more has won, if its lead is large enough."""
    found = scores(war)
    side = "axis" if found["axis"] > found["allies"] else "allies"
    most, least = found[side], found[ENEMY[side]]
    told = f"The Axis has {found['axis']} points and the Allies have {found['allies']}"
    if WHOLE * (most - least) <= war.victory.margin * most:
        return Outcome(None, "Even", f"{told}: neither side has clearly won.", found)
    title = "The Axis wins the war of attrition" if side == "axis" else "The Allies win the war of attrition"
    return Outcome(side, title, f"{told}.", found)
