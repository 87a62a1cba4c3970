"""[SW.8] A submarine round: both sides throw at once, with one net modifier."""

from __future__ import annotations

from readyroom.engine.text import count_noun
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.state import Strategic, T
from readyroom.games.strategic.tables import Grid, TableRoll
from readyroom.games.strategic.war.intelligence import advantage
from readyroom.games.strategic.war.net import submarine_lines, total, turned
from readyroom.games.strategic.war.places import CAMPAIGNS, Campaign
from readyroom.games.strategic.war.results import Stopped, Sunk, stopped, sunk
from readyroom.games.strategic.war.state import Report

ALL = "all"


def campaign(table: T, fleet: str) -> None:
    """[SW.8] The round of a fleet: codebreaking, the net modifier, both throws, and what they sink."""
    told = CAMPAIGNS[fleet]
    war = table.state.war
    if fleet not in war.rounds:
        return
    boats, ocean = war.submarines[fleet].ready, war.oceans[told.sea]
    if not boats:
        return
    side = advantage(table, fleet)
    guards = ocean.escorts
    lines = submarine_lines(table.state, table.data, told, side)
    grid = heavy(table.state, table.data)
    attack = table.roll(TableRoll("24.62", f"submarines, {told.title}", grid, boats, lines), f"{fleet} submarines")
    guard = TableRoll("24.62", f"escorts, {told.title}", grid, guards, turned(lines))
    defence = table.roll(guard, f"{fleet} escorts")
    reading, cost = table.state.rulings.submarine_results, table.data.war.excess.cost
    hit = sunk(attack.result, guards, ocean.merchants, reading, limit(table.state), cost)
    hurt = stopped(defence.result, boats)
    table.log_line("SW.8", "{}: {} of submarines {} {}.", told.title, factors(boats), attack, _sank(hit))
    table.log_line("SW.8", "{}: {} of escorts {} {}.", told.title, factors(guards), defence, _stopped(hurt))
    _apply(table, told, hit, hurt)
    lost = {"merchants": hit.merchants, "escorts": hit.escorts, "points": hit.brp}
    lost |= {"submarines": hurt.lost, "turned": hurt.aborted}
    sunk_or_turned = {what: count for what, count in lost.items() if count}
    war.reports.append(Report(fleet, total(lines), boats, guards, cards=war.played, lines=lines, lost=sunk_or_turned))


def heavy(state: Strategic, data: Data) -> Grid:
    """[24.62.2, A4] The table, as it is read for many factors."""
    return data.strategic if state.rulings.heavy == "repeat" else data.strategic_twice


def limit(state: Strategic) -> int | None:
    """[A21] The most resource points that hits beyond the last merchant ship cost in a round."""
    return None if state.rulings.excess == ALL else int(state.rulings.excess)


def _apply(table: T, told: Campaign, hit: Sunk, hurt: Stopped) -> None:
    war = table.state.war
    boats, ocean = war.submarines[told.fleet], war.oceans[told.sea]
    ocean.escorts -= hit.escorts
    ocean.merchants -= hit.merchants
    boats.ready -= hurt.lost + hurt.aborted
    boats.turned += hurt.aborted
    war.powers[told.nation].losses.submarines += hurt.lost
    victim = war.powers[told.defender]
    victim.losses.escorts += hit.escorts
    victim.losses.merchants += hit.merchants
    victim.losses.excess += hit.brp
    victim.owes += hit.brp


def factors(count: int) -> str:
    """So many factors, in words.

    >>> factors(1), factors(3)
    ('1 factor', '3 factors')
    """
    return count_noun(count, "factor")


def _sank(hit: Sunk) -> str:
    told = [f"{factors(hit.merchants)} of merchant ships"] if hit.merchants else []
    told += [f"{factors(hit.escorts)} of escorts"] if hit.escorts else []
    words = "sink " + " and ".join(told) if told else "sink nothing"
    return f"{words}; {hit.brp} resource points are lost besides" if hit.brp else words


def _stopped(hurt: Stopped) -> str:
    told = [f"sink {factors(hurt.lost)}"] if hurt.lost else []
    told += [f"turn {factors(hurt.aborted)} back, out of the next turn"] if hurt.aborted else []
    return " and ".join(told) or "stop nobody"
