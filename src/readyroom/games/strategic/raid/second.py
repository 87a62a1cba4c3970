"""[PH.10 to PH.12, 51.31.3] Stay or leave; and, if Japan stays, whether American carriers find hers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from readyroom.engine.checks import Check, percent
from readyroom.engine.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.table import Choice, Steps
from readyroom.games.strategic.raid.declare import table_of
from readyroom.games.strategic.raid.knowledge import columns, place_told, risk
from readyroom.games.strategic.raid.odds import air_factors, in_factors, shown, worth_showing
from readyroom.games.strategic.raid.scoring import margin
from readyroom.games.strategic.raid.state import JAPAN, USA, Force, Ship, Squadron, spread
from readyroom.games.strategic.raid.strike import (
    air_net,
    attack_ship,
    guns_strength,
    net_modifiers,
    ship_hint,
)
from readyroom.games.strategic.raid.text import counted
from readyroom.games.strategic.state import T
from readyroom.games.strategic.tables import AUTO, TableRoll, intercepts

STAY, LEAVE = "second-strike", "withdraw"
QUIET = "quiet"
Strikes = list[Option]
"""The ships that squadrons are sent at, one entry for each squadron."""


# -- stay or leave -----------------------------------------------------------------------------------------------------


def decide(table: T) -> Steps:
    """[PH.10] The strike lands, and Japan stays for a second one or leaves, unseen."""
    raid = table.state.raid
    raid.recover()
    options = [Option(LEAVE, "Leave: turn for home, unseen"), Option(STAY, "Stay: fly a second strike")]
    if not raid.aboard:
        options = options[:1]
    chosen = yield from table.choose(
        JAPAN,
        "PH.10",
        f"{counted(len(raid.aboard), 'squadron')} can fly again. Do you stay for a second strike?",
        options,
        info=lambda option: _stay_hint(table) if option.key == STAY else _leave_hint(table),
        piece_key="stay",
    )
    raid.stays = chosen.key == STAY
    if not raid.stays:
        table.reveal("PH.10", "Japan leaves. The striking force has not been seen.")
        return
    kept = yield from _choose_patrol(table)
    raid.keep(kept)
    table.reveal("PH.10", "Japan stays for a second strike, with {} over its carriers.", counted(kept, "squadron"))


def _choose_patrol(table: T) -> Choice[int]:
    """[PH.10, P7] Before anybody knows whether it is needed, Japan says how many squadrons guard the carriers."""
    raid, each = table.state.raid, table.data.pearl.rows.squadrons_a_factor
    most = len(raid.aboard)
    chosen = yield from table.choose(
        JAPAN,
        "PH.10",
        "How many squadrons stay as a patrol over your carriers?",
        [Option(f"patrol-{count}", counted(count, "squadron"), count) for count in range(0, most + 1, each)],
        info=lambda option: _patrol_hint(table, option.value),
        unavailable=lambda: [
            Unavailable(
                f"patrol-{each + 1}",
                counted(each + 1, "squadron"),
                "PH.10",
                f"A patrol fights as air factors, and {each} squadrons make one: a part of one would be wasted.",
            )
        ],
        piece_key="patrol",
    )
    return int(chosen.value)


def _patrol_hint(table: T, squadrons: int) -> OptionInfo:
    """[19.2] How many squadrons of a force that comes with all of its own would reach the carriers."""
    data = table.data
    factors = in_factors(squadrons, data)
    coming = max((force.left for force in table.state.raid.hidden()), default=0)
    net = sum(value for _, value in air_net(table, JAPAN))
    through = Fraction(0)
    for result, chance in data.air.odds(factors, net).items():
        through += chance * max(0, coming - result.first - result.second)
    return OptionInfo(
        f"of {counted(coming, 'squadron')} that come, {shown(through)} get through to a carrier on average"
    )


def _leave_hint(table: T) -> OptionInfo:
    raid = table.state.raid
    now, win = margin(raid) + raid.opening.score.unseen, raid.opening.win
    return OptionInfo(
        f"the difference would be {now}, cards of Magic not counted; Japan wins from {win.japan}, "
        f"the United States to {win.usa}"
    )


def _stay_hint(table: T) -> OptionInfo:
    """[51.31.3] The exact chance that a force intercepts, for all that Japan can know of the column."""
    raid, charts = table.state.raid, table_of(table)
    found = columns(raid, table.data, charts, JAPAN)
    chance = risk(raid, table.data, charts, JAPAN)
    told = ", ".join(f"{charts.chart.columns[at]}: {percent(share)}" for at, share in found.items())
    defence = air_factors(raid.army.ready, raid.naval.ready, table.data)
    guns = "no guns" if table.state.rulings.guns == "none" else f"guns of strength {raid_guns(table)}"
    return OptionInfo(
        f"no surprise, {guns}, {counted(defence, 'air factor')} up; the chance is that American carriers intercept, "
        f"by the columns that are possible ({told})",
        float(chance),
    )


def raid_guns(table: T) -> int:
    """[PH.6] The row of the guns in a second strike, before it is decided."""
    raid = table.state.raid
    before, raid.stays = raid.stays, True
    found = guns_strength(table)
    raid.stays = before
    return found


# -- interception ------------------------------------------------------------------------------------------------------


def intercept(table: T) -> Steps:
    """[51.31.3] Forces that are Auto come by themselves; of the others at sea the United States say which try."""
    raid = table.state.raid
    hidden = raid.hidden()
    if hidden:
        trying = yield from _who_tries(table, [force for force in hidden if 0 < intercepts(force.place) < 1])
        for force in hidden:
            force.seen = force.place == AUTO or (force in trying and _finds(table, force))
        raid.searched = True
    found = raid.at_sea()
    for force in found:
        table.reveal("51.31.3", "{} intercepts: it was {}.", force.named, place_told(force.place))
    if not found:
        table.reveal("51.31.3", "No American carriers appear.")


def _who_tries(table: T, able: list[Force]) -> Choice[list[Force]]:
    """[A22] Asked always and in the same words, so that Japan does not learn from being kept waiting."""
    question = "Japan flies a second strike. Which carrier forces try to intercept?"
    if not able:
        alone = [Option(QUIET, "None can: go on")]
        yield from table.choose(
            USA, "51.31.3", question, alone, unavailable=lambda: _cannot_try(table), piece_key="intercept", always=True
        )
        return []
    chosen = yield from table.choose_some(
        USA,
        "51.31.3",
        question,
        able,
        text=lambda force: force.named,
        info=lambda force: OptionInfo(f"{place_told(force.place)}: one die", float(intercepts(force.place))),
        unavailable=lambda: _cannot_try(table),
        piece_key="intercept",
        select_all_default=True,
    )
    return list(chosen)


def _cannot_try(table: T) -> Iterator[Unavailable]:
    for force in table.state.raid.forces:
        if force.in_port or not intercepts(force.place):
            reason = f"{force.name} is {place_told(force.place)}: it cannot intercept."
            yield Unavailable(force.key, force.named, "51.31.3", reason)
        elif force.place == AUTO:
            yield Unavailable(
                force.key, force.named, "51.31.3", f"{force.name} intercepts by itself: nothing is thrown."
            )


def _finds(table: T, force: Force) -> bool:
    roll = table.roll(Check("51.31.3", f"{force.name} searches", at_least=int(force.place)), force.key)
    table.log_line("51.31.3", "{} tries to intercept: {}.", force.name, roll, audience=(USA,))
    return bool(roll)


# -- the carrier battle ------------------------------------------------------------------------------------------------


def carrier_battle(table: T) -> Steps:
    """[PH.11] Both sides tell their squadrons off in secret; then the strikes fly, at the same time."""
    raid = table.state.raid
    forces = raid.at_sea()
    if not forces:
        return
    plans = yield from table.choose_in_secret({JAPAN: _japan_plans(table, forces), USA: _usa_plans(table, forces)})
    _take_off(table, plans[JAPAN])
    for force in forces:
        aimed = [order for order in plans[USA] if order.key.startswith(f"{force.key}:")]
        table.reveal("PH.11", "{} sends {} of {}.", force.name, len(aimed), counted(force.left, "squadron"))
    caps = {
        force.key: force.left - sum(order.key.startswith(f"{force.key}:") for order in plans[USA]) for force in forces
    }
    to_japan = _past_patrol(table, plans[USA], len(raid.patrol), JAPAN, forces)
    to_usa = _past_patrol(table, plans[JAPAN], sum(caps.values()), USA, forces)
    _strike(table, to_japan, USA)
    _strike(table, to_usa, JAPAN)
    _decks_gone(table)


def _japan_plans(table: T, forces: list[Force]) -> Choice[Strikes]:
    raid = table.state.raid
    most = raid.opening.striking.most
    targets = [_ship_order(ship) for force in forces for ship in force.carriers]
    return table.choose_some(
        JAPAN,
        "PH.11",
        f"Of {counted(len(raid.aboard), 'squadron')}, how many attack the American carriers? "
        "The rest fly to Pearl Harbor.",
        targets,
        at_most=len(raid.aboard),
        limit=lambda order: min(most, len(raid.aboard)),
        info=lambda order: _order_hint(table, order, JAPAN, most),
        unavailable=lambda: _not_here(table),
        piece_key="carrier-battle",
    )


def _ship_order(ship: Ship, prefix: str = "") -> Option:
    return Option(f"{prefix}{ship.key}", f"Attack {ship.name}", ship)


def _not_here(table: T) -> Iterator[Unavailable]:
    for force in table.state.raid.forces:
        if not force.seen or force.in_port:
            for ship in force.carriers:
                where = "in Pearl Harbor, and a target for the strike there" if force.in_port else "nowhere to be seen"
                yield Unavailable(ship.key, ship.name, "PH.11", f"{force.name} is {where}.")


def _usa_plans(table: T, forces: list[Force]) -> Choice[Strikes]:
    """[PH.11] Each force sends its squadrons at Japanese carriers; those that it keeps are its patrol."""
    orders: Strikes = []
    for force in forces:
        orders += yield from _force_plans(table, force)
    return orders


def _force_plans(table: T, force: Force) -> Choice[Strikes]:
    return table.choose_some(
        USA,
        "PH.11",
        f"{force.name} has {counted(force.left, 'squadron')}. Which Japanese carriers do they attack? "
        "The rest are the patrol over your own.",
        [_ship_order(ship, f"{force.key}:") for ship in table.state.raid.carriers],
        at_most=force.left,
        limit=lambda order: force.left,
        info=lambda order: _order_hint(table, order, USA, force.left),
        piece_key=force.key,
    )


def _order_hint(table: T, order: Option, seat: str, most: int) -> OptionInfo:
    net = sum(value for _, value in net_modifiers(table, at_sea=True, seat=seat))
    return ship_hint(order.value, [*worth_showing(most)], net, table, None)


def _take_off(table: T, orders: Strikes) -> None:
    """[PH.11] The strike on the American carriers takes off, each carrier giving squadrons in turn."""
    raid = table.state.raid
    ready = spread(raid.aboard)
    raid.away, raid.aboard = ready[: len(orders)], ready[len(orders) :]
    table.reveal("PH.11", "Japan sends {} at the American carriers.", counted(len(orders), "squadron"))


def _past_patrol(table: T, orders: Strikes, patrol: int, over: str, forces: list[Force]) -> Strikes:
    """[PH.11, P7] The patrol over the carriers of a side throws at the strike; its result counts single squadrons."""
    data = table.data
    if not orders or not patrol:
        return orders
    name = "Japanese patrol" if over == JAPAN else "American patrol"
    rolled = table.roll(
        TableRoll("19.2", name, data.air, in_factors(patrol, data), air_net(table, over)), f"cap-{over}"
    )
    gone = min(len(orders), rolled.result.first)
    back = min(len(orders) - gone, rolled.result.second)
    table.log_line("19.2", "The {} meets the strike: {}. {} shot down, {} turned back.", name, rolled, gone, back)
    if over == USA:
        _lose(table.state.raid.away, table.state.raid.lost, gone)
    else:
        for order in orders[:gone]:
            next(force for force in forces if order.key.startswith(f"{force.key}:")).lost += 1
    return orders[gone + back :]


def _lose(squadrons: list[Squadron], lost: list[Squadron], gone: int) -> None:
    lost += squadrons[:gone]
    del squadrons[:gone]


def _strike(table: T, orders: Strikes, seat: str) -> None:
    """[PH.11, 20.51] Each ship is attacked by all that were sent at her and have come through."""
    modifiers = net_modifiers(table, at_sea=True, seat=seat)
    ships = list(dict.fromkeys(order.value.key for order in orders))
    for key in ships:
        aimed = [order.value for order in orders if order.value.key == key]
        attack_ship(table, aimed[0], len(aimed), modifiers, None)


def _decks_gone(table: T) -> None:
    """[PH.11, P8] Squadrons still aboard a carrier that is hit fly no more; aboard one that sinks they are lost."""
    raid = table.state.raid
    hit = {ship.key: ship for ship in raid.carriers if ship.hit}
    for squadron in [squadron for squadron in raid.aboard if squadron.home in hit]:
        raid.aboard.remove(squadron)
        (raid.lost if hit[squadron.home].sunk else raid.back).append(squadron)
    for ship in hit.values():
        table.log_line("PH.11", "{} is {}: what was still aboard does not fly.", ship.name, ship.condition.value)
