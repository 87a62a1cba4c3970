"""[SW.8] A submarine round: both sides roll simultaneously, with one net modifier."""

from __future__ import annotations

from functools import partial

from readyroom.engine.text import agree, count_noun
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import Grid, Pair, TableRoll
from readyroom.games.strategic.tables.modifiers import total
from readyroom.games.strategic.tables.named import Named
from readyroom.games.strategic.war.intelligence import advantage
from readyroom.games.strategic.war.net import submarine_lines, turned
from readyroom.games.strategic.war.pieces import counter
from readyroom.games.strategic.war.places import CAMPAIGNS, Campaign, in_sea
from readyroom.games.strategic.war.results import Stopped, Sunk, stopped, sunk
from readyroom.games.strategic.war.state import Report, T, WarState

ALL = "all"
GREAT_BATTLE = 10
"""The merchant factors sunk in a round that make a great convoy battle."""
BROKEN, HEAVY = 6, 7
"""The submarine factors that a round must have for them to be broken, and the losses of any that are heavy."""


def campaign(table: T, fleet: str) -> None:
    """[SW.8, 24.62.1] Play the round of a fleet: codebreaking, net modifier, both rolls, losses."""
    each, war = CAMPAIGNS[fleet], table.state.war
    boats, ocean = war.submarines[fleet].ready, war.oceans[each.sea]
    if fleet not in war.rounds or not boats:
        return
    escorts = ocean.escorts
    lines = submarine_lines(table.state, table.data, each, advantage(table, fleet))
    grid = heavy(table.state, table.data)
    cost, reading = table.data.war.excess.cost, table.state.rulings.submarine_results
    ships = (escorts, ocean.merchants, reading, limit(table.state), cost)
    hunt = TableRoll("24.62", f"submarines, {each.title}", grid, boats, lines, partial(_sinks, ships))
    attack = table.roll(hunt, f"{fleet} submarines")
    guard = TableRoll("24.62", f"escorts, {each.title}", grid, escorts, turned(lines), partial(_stops, boats))
    defence = table.roll(guard, f"{fleet} escorts")
    hit, hurt = sunk(attack.result, *ships), stopped(defence.result, boats)
    _sink(table, each, hit)
    attackers, template = Named(fleet, factors(boats, "submarine")), "{}: {} {} (result {})."
    text, moment = Named(_victim(each, hit), _describe_sunk(hit, boats)), _convoy_moment(table, each, hit)
    table.log_line("SW.8", template, each.title, attackers, text, attack, target=each.sea, moment=moment)
    _stop(table, each, hurt)
    counts = {"merchants": hit.merchants, "escorts": hit.escorts, "points": hit.brp}
    counts |= {"submarines": hurt.lost, "turned": hurt.aborted}
    lost = {what: count for what, count in counts.items() if count}
    war.reports.append(Report(fleet, total(lines), boats, escorts, cards=war.played, lines=lines, lost=lost))
    if escorts:
        gone = " (both sides fire at once)" if hit.escorts else ""
        defenders = Named(counter("escort", each.sea), f"{factors(escorts, 'escort')}{gone}")
        text, moment = Named(fleet, _describe_stopped(hurt, escorts)), _boats_moment(table, each, hurt, boats)
        table.log_line("SW.8", template, each.title, defenders, text, defence, target=each.sea, moment=moment)
    else:
        table.log_line("SW.8", "{}: no escorts oppose the submarines.", each.title, defence, target=each.sea)


def heavy(state: WarState, data: Data) -> Grid:
    """[24.62.2, A4] Return the table as the option reads it for many factors."""
    return data.strategic if state.rulings.heavy == "repeat" else data.strategic_twice


def limit(state: WarState) -> int | None:
    """[A21] Return the most resources that excess hits cost in a round, or None."""
    return None if state.rulings.excess == ALL else int(state.rulings.excess)


def _sink(table: T, each: Campaign, hit: Sunk) -> None:
    """[SW.8] Remove the ships that the submarines sink."""
    war = table.state.war
    ocean, victim = war.oceans[each.sea], war.powers[each.defender]
    ocean.escorts -= hit.escorts
    ocean.merchants -= hit.merchants
    victim.losses.escorts += hit.escorts
    victim.losses.merchants += hit.merchants
    victim.losses.excess += hit.brp
    victim.owes += hit.brp


def _stop(table: T, each: Campaign, hurt: Stopped) -> None:
    """[SW.8] Remove the submarines that the escorts sink, and send back those that they damage."""
    war = table.state.war
    boats = war.submarines[each.fleet]
    boats.ready -= hurt.lost + hurt.aborted
    boats.turned += hurt.aborted
    war.powers[each.nation].losses.submarines += hurt.lost


def _victim(each: Campaign, hit: Sunk) -> str:
    """Return the counter of the ships that are sunk, merchant ships before escorts."""
    return counter("escort" if hit.escorts and not hit.merchants else "merchant", each.sea)


def _convoy_moment(table: T, each: Campaign, hit: Sunk) -> str:
    """Return the moment of a round in which very many merchant ships are sunk, or the last ones."""
    merchants = table.state.war.oceans[each.sea].merchants
    if hit.merchants and not merchants:
        return f"No merchant ships are left {in_sea(each.sea)}"
    return f"A great convoy battle {in_sea(each.sea)}" if hit.merchants >= GREAT_BATTLE else ""


def _boats_moment(table: T, each: Campaign, hurt: Stopped, boats: int) -> str:
    """Return the moment of a round in which the escorts break the submarines."""
    name = "U-boats" if each.by == "german" else "submarines"
    if hurt.lost and hurt.lost + hurt.aborted == boats and boats >= BROKEN:
        return f"The {name} are broken {in_sea(each.sea)}"
    return f"Heavy losses of {name} {in_sea(each.sea)}" if hurt.lost >= HEAVY else ""


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
    parts += [f"{agree(boats, 'costs', 'cost')} {count_noun(hit.brp, 'resource')}"] if hit.brp else []
    return " and ".join(parts) or f"{agree(boats, 'has', 'have')} no effect"


def _sinks(ships: tuple[int, int, str, int | None, int], result: Pair) -> str:
    """Return what a result of the submarines does, for the scale of their roll."""
    return _describe_sunk(sunk(result, *ships), 1)


def _stops(boats: int, result: Pair) -> str:
    """Return what a result of the escorts does, for the scale of their roll."""
    return _describe_stopped(stopped(result, boats), 1)


def _describe_stopped(hurt: Stopped, escorts: int) -> str:
    parts = [f"{agree(escorts, 'sinks', 'sink')} {factors(hurt.lost, 'submarine')}"] if hurt.lost else []
    if hurt.aborted:
        turned_back = hurt.aborted if hurt.lost else factors(hurt.aborted, "submarine")
        parts.append(f"{agree(escorts, 'sends', 'send')} {turned_back} back to port for a turn")
    return " and ".join(parts) or f"{agree(escorts, 'has', 'have')} no effect"
