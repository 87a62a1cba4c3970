"""[SW.8] A submarine round: both sides roll simultaneously, with one net modifier."""

from __future__ import annotations

from readyroom.engine.text import agree, count_noun
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import Grid, TableRoll
from readyroom.games.strategic.tables.modifiers import total
from readyroom.games.strategic.war.intelligence import advantage
from readyroom.games.strategic.war.net import submarine_lines, turned
from readyroom.games.strategic.war.places import CAMPAIGNS, Campaign
from readyroom.games.strategic.war.results import Stopped, Sunk, stopped, sunk
from readyroom.games.strategic.war.state import Report, T, WarState

ALL = "all"


def campaign(table: T, fleet: str) -> None:
    """[SW.8, 24.62.1] Play the round of a fleet: codebreaking, net modifier, both rolls, losses."""
    each, war = CAMPAIGNS[fleet], table.state.war
    boats, ocean = war.submarines[fleet].ready, war.oceans[each.sea]
    if fleet not in war.rounds or not boats:
        return
    escorts = ocean.escorts
    lines = submarine_lines(table.state, table.data, each, advantage(table, fleet))
    grid = heavy(table.state, table.data)
    attack = table.roll(TableRoll("24.62", f"submarines, {each.title}", grid, boats, lines), f"{fleet} submarines")
    guard = TableRoll("24.62", f"escorts, {each.title}", grid, escorts, turned(lines))
    defence = table.roll(guard, f"{fleet} escorts")
    reading, cost = table.state.rulings.submarine_results, table.data.war.excess.cost
    hit = sunk(attack.result, escorts, ocean.merchants, reading, limit(table.state), cost)
    hurt = stopped(defence.result, boats)
    attackers, template = factors(boats, "submarine"), "{}: {} {} (result {})."
    table.log_line("SW.8", template, each.title, attackers, _describe_sunk(hit, boats), attack)
    if escorts:
        defenders = factors(escorts, "escort")
        table.log_line("SW.8", template, each.title, defenders, _describe_stopped(hurt, escorts), defence)
    else:
        table.log_line("SW.8", "{}: no escorts oppose the submarines.", each.title, defence)
    _apply(table, each, hit, hurt)
    counts = {"merchants": hit.merchants, "escorts": hit.escorts, "points": hit.brp}
    counts |= {"submarines": hurt.lost, "turned": hurt.aborted}
    lost = {what: count for what, count in counts.items() if count}
    war.reports.append(Report(fleet, total(lines), boats, escorts, cards=war.played, lines=lines, lost=lost))


def heavy(state: WarState, data: Data) -> Grid:
    """[24.62.2, A4] Return the table as the option reads it for many factors."""
    return data.strategic if state.rulings.heavy == "repeat" else data.strategic_twice


def limit(state: WarState) -> int | None:
    """[A21] Return the most resource points that excess hits cost in a round, or None."""
    return None if state.rulings.excess == ALL else int(state.rulings.excess)


def _apply(table: T, each: Campaign, hit: Sunk, hurt: Stopped) -> None:
    war = table.state.war
    boats, ocean = war.submarines[each.fleet], war.oceans[each.sea]
    ocean.escorts -= hit.escorts
    ocean.merchants -= hit.merchants
    boats.ready -= hurt.lost + hurt.aborted
    boats.turned += hurt.aborted
    war.powers[each.nation].losses.submarines += hurt.lost
    victim = war.powers[each.defender]
    victim.losses.escorts += hit.escorts
    victim.losses.merchants += hit.merchants
    victim.losses.excess += hit.brp
    victim.owes += hit.brp


def factors(count: int, kind: str) -> str:
    """Return a number of factors of a kind.

    >>> factors(1, "submarine"), factors(3, "escort")
    ('1 submarine factor', '3 escort factors')
    """
    return count_noun(count, f"{kind} factor")


def join_kinds(**counts: int) -> str:
    """Return factors of several kinds, without the kinds of which there are none.

    >>> join_kinds(merchant=7, escort=2), join_kinds(merchant=0, escort=1), join_kinds(merchant=0)
    ('7 merchant and 2 escort factors', '1 escort factor', '')
    """
    present = {kind: count for kind, count in counts.items() if count}
    parts = [f"{count} {kind}" for kind, count in present.items()]
    return f"{' and '.join(parts)} {'factor' if present[list(present)[-1]] == 1 else 'factors'}" if parts else ""


def _describe_sunk(hit: Sunk, boats: int) -> str:
    ships = join_kinds(merchant=hit.merchants, escort=hit.escorts)
    parts = [f"{agree(boats, 'sinks', 'sink')} {ships}"] if ships else []
    parts += [f"{agree(boats, 'costs', 'cost')} {count_noun(hit.brp, 'resource point')}"] if hit.brp else []
    return " and ".join(parts) or f"{agree(boats, 'has', 'have')} no effect"


def _describe_stopped(hurt: Stopped, escorts: int) -> str:
    parts = [f"{agree(escorts, 'sinks', 'sink')} {factors(hurt.lost, 'submarine')}"] if hurt.lost else []
    if hurt.aborted:
        turned_back = hurt.aborted if hurt.lost else factors(hurt.aborted, "submarine")
        parts.append(f"{agree(escorts, 'sends', 'send')} {turned_back} back to port for a turn")
    return " and ".join(parts) or f"{agree(escorts, 'has', 'have')} no effect"
