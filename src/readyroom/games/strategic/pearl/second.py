"""[PH.10 to PH.12, 51.31.3] Stay or withdraw, interception, and the carrier battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from readyroom.engine.rules.checks import Check, percent
from readyroom.engine.rules.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import count_or_no
from readyroom.games.strategic.pearl.declare import table_of
from readyroom.games.strategic.pearl.knowledge import columns, describe_place, risk
from readyroom.games.strategic.pearl.odds import air_factors, format_mean, hint_strengths, in_factors
from readyroom.games.strategic.pearl.pieces import AWAY, FLEET, PATROL, berth
from readyroom.games.strategic.pearl.scoring import margin
from readyroom.games.strategic.pearl.state import JAPAN, USA, Force, Ship, T, spread
from readyroom.games.strategic.pearl.strike import (
    air_net,
    attack_ship,
    describe_fire,
    guns_strength,
    net_modifiers,
    no_factor,
    ship_hint,
    squadron_options,
)
from readyroom.games.strategic.tables.grids import AUTO, TableRoll, intercepts, mean
from readyroom.games.strategic.tables.modifiers import total
from readyroom.games.strategic.tables.named import Named

STAY, LEAVE = "second-strike", "withdraw"
QUIET = "quiet"
Strikes = list[Option]
"""The target ships, one entry for each squadron."""


def decide(table: T) -> Steps:
    """[PH.10] Land the strike, and ask Japan to stay for a second one or to withdraw unseen."""
    raid = table.state.raid
    raid.recover()
    options = [Option(LEAVE, "Withdraw unseen"), Option(STAY, "Stay for a second strike")]
    if not raid.aboard:
        options = options[:1]
    now, win = margin(raid) + raid.opening.score.unseen, raid.opening.win
    leaving = (
        f"difference {now} before Magic cards; Japan wins at {win.japan} or more, "
        f"the United States at {win.usa} or less"
    )
    chosen = yield from table.choose(
        JAPAN,
        "PH.10",
        f"{count_or_no(len(raid.aboard), 'squadron')} can fly again. Do you launch a second strike?",
        options,
        info=lambda option: OptionInfo(leaving) if option.key == LEAVE else _stay_hint(table),
        piece_key="stay",
    )
    raid.stays = chosen.key == STAY
    if not raid.stays:
        fleet, moment = (
            KeyedText("The striking force", *(ship.key for ship in raid.carriers)),
            "The striking force withdraws",
        )
        table.reveal("PH.10", "Japan withdraws. {} was not seen.", fleet, target=FLEET, moment=moment)
        return
    patrol = yield from _choose_patrol(table)
    raid.keep(patrol)
    guard = Named(PATROL, count_or_no(patrol, "squadron"))
    table.reveal("PH.10", "Japan stays for a second strike, with {} on patrol.", guard, target=FLEET)


def _choose_patrol(table: T) -> Choice[int]:
    """[PH.10, P7] Ask Japan how many squadrons guard the carriers, before interception is known."""
    chosen = yield from table.choose(
        JAPAN,
        "PH.10",
        "How many squadrons patrol over your carriers?",
        squadron_options(table, "patrol", len(table.state.raid.aboard)),
        info=lambda option: _patrol_hint(table, option.value),
        unavailable=lambda: [no_factor(table, "patrol", "PH.10")],
        piece_key="patrol",
    )
    return int(chosen.value)


def _patrol_hint(table: T, squadrons: int) -> OptionInfo:
    """[19.2] Return how many squadrons of a full American strike would reach the carriers on average."""
    attacking = max((force.left for force in table.state.raid.hidden()), default=0)
    if not attacking:
        return OptionInfo("no American squadron can attack")
    odds = table.data.air.odds(in_factors(squadrons, table.data), total(air_net(table, JAPAN)))
    through = mean(odds, lambda result: max(0, attacking - result.first - result.second))
    return OptionInfo(
        f"of {count_or_no(attacking, 'squadron')} that attack, {format_mean(through)} get through on average"
    )


def _stay_hint(table: T) -> OptionInfo:
    """[PH.10, 51.31.3] Return what is at stake, and the exact probability of interception, as Japan knows it."""
    raid, charts = table.state.raid, table_of(table)
    possible = columns(raid, table.data, charts, JAPAN)
    chance = risk(raid, table.data, charts, JAPAN)
    odds = ", ".join(f"{charts.label(at)} ({percent(share)})" for at, share in possible.items())
    defence = air_factors(raid.army.ready, raid.naval.ready, table.data)
    strength = guns_strength(table, surprise=False)
    guns = "no guns" if table.state.rulings.guns == "none" else f"guns of strength {strength}"
    score, each = raid.opening.score, sorted(force.left for force in raid.hidden() if force.left)
    few, most = each[0] if each else 0, sum(each)
    coming = f"{few} to {count_or_no(most, 'squadron')}" if few < most else count_or_no(most, "squadron")
    return OptionInfo(
        f"without the {count_or_no(score.unseen, 'point')} for withdrawing unseen; no surprise: "
        f"{count_or_no(defence, 'air factor')} and {guns} meet the strike; "
        f"American carriers that intercept have {coming}, and each carrier of yours that is hit is "
        f"{count_or_no(score.carrier, 'point')} to the United States; "
        f"Surprise Table column: {odds}; American carriers intercept",
        float(chance),
    )


def intercept(table: T) -> Steps:
    """[51.31.3] Let automatic forces intercept, and ask which of the others at sea try."""
    raid = table.state.raid
    hidden = raid.hidden()
    if hidden:
        trying = yield from _who_tries(table, [force for force in hidden if 0 < intercepts(force.place) < 1])
        for force in hidden:
            force.seen = force.place == AUTO
            if force in trying:
                roll = table.roll(Check("51.31.3", f"{force.name} searches", at_least=int(force.place)), force.key)
                force.seen = roll.passed
                template = "{} finds the Japanese carriers." if roll else "{} fails to find the Japanese carriers."
                table.log_line("51.31.3", template, force, roll, audience=(USA,), target=berth(force))
        raid.searched = True
    intercepting = raid.at_sea()
    for force in intercepting:
        facts, moment = (force.named, describe_place(force.place)), f"{force.name} finds the carriers"
        table.reveal("51.31.3", "{} intercepts: it was {}.", *facts, target=berth(force), moment=moment)
    if not intercepting:
        table.reveal("51.31.3", "No American carriers intercept.", target=FLEET)


def _who_tries(table: T, able: list[Force]) -> Choice[list[Force]]:
    """[A22] Ask even if no force can try, so that Japan learns nothing from the wait."""
    launched = "Japan launches a second strike."
    if not able:
        notice, only = f"{launched} No carrier force can try to intercept.", [Option(QUIET, "Continue")]
        yield from table.choose(
            USA, "51.31.3", notice, only, unavailable=lambda: _cannot_try(table), piece_key="intercept", always=True
        )
        return []
    chosen = yield from table.choose_some(
        USA,
        "51.31.3",
        f"{launched} Which carrier forces try to intercept?",
        able,
        text=lambda force: str(force.named),
        info=lambda force: OptionInfo(f"{describe_place(force.place)}; intercepts", float(intercepts(force.place))),
        unavailable=lambda: _cannot_try(table),
        piece_key="intercept",
        select_all_default=True,
    )
    return list(chosen)


def _cannot_try(table: T) -> Iterator[Unavailable]:
    for force in table.state.raid.forces:
        if force.in_port or not intercepts(force.place):
            reason = f"{force.name} cannot intercept: it is {describe_place(force.place)}."
            yield Unavailable(force.key, str(force.named), "51.31.3", reason)
        elif force.place == AUTO:
            reason = f"{force.name} intercepts automatically, without a roll."
            yield Unavailable(force.key, str(force.named), "51.31.3", reason)


def carrier_battle(table: T) -> Steps:
    """[PH.11] Let both sides assign squadrons in secret, then resolve both strikes simultaneously."""
    raid = table.state.raid
    forces = raid.at_sea()
    if not forces:
        return
    plans = yield from table.choose_in_secret({JAPAN: _japan_plans(table, forces), USA: _usa_plans(table, forces)})
    ready, sent = spread(raid.aboard), len(plans[JAPAN])
    raid.away, raid.aboard = ready[:sent], ready[sent:]
    squadrons = Named(AWAY, count_or_no(sent, "squadron"))
    table.reveal("PH.11", "Japan sends {} against the American carriers.", squadrons, target=berth(forces[0]))
    for force in forces:
        aimed = [order for order in plans[USA] if order.key.startswith(f"{force.key}:")]
        left = count_or_no(force.left, "squadron")
        table.reveal("PH.11", "{} sends {} of its {}.", force, len(aimed), left, target=FLEET)
    american_patrol = sum(force.left for force in forces) - len(plans[USA])
    to_japan = _past_patrol(table, plans[USA], len(raid.patrol), JAPAN, forces)
    to_usa = _past_patrol(table, plans[JAPAN], american_patrol, USA, forces)
    _strike(table, to_japan, USA)
    _strike(table, to_usa, JAPAN)
    _lose_decks(table)


def _japan_plans(table: T, forces: list[Force]) -> Choice[Strikes]:
    raid = table.state.raid
    most = raid.opening.striking.most
    targets = [_ship_order(ship) for force in forces for ship in force.carriers]
    return table.choose_some(
        JAPAN,
        "PH.11",
        f"{count_or_no(len(raid.aboard), 'squadron')} can fly. How many attack each American carrier? "
        "The rest strike Pearl Harbor.",
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
                reason = "is in Pearl Harbor: strike it there" if force.in_port else "has not been found"
                yield Unavailable(ship.key, ship.name, "PH.11", f"{force.name} {reason}.")


def _usa_plans(table: T, forces: list[Force]) -> Choice[Strikes]:
    """[PH.11] Ask which Japanese carriers each force attacks; the squadrons it keeps are its patrol."""
    orders: Strikes = []
    for force in forces:
        orders += yield from table.choose_some(
            USA,
            "PH.11",
            f"{force.name} has {count_or_no(force.left, 'squadron')}. Which Japanese carriers do they attack? "
            "The rest patrol over your own.",
            [_ship_order(ship, f"{force.key}:") for ship in table.state.raid.carriers],
            at_most=force.left,
            limit=lambda order, most=force.left: most,  # type: ignore[misc]
            info=lambda order, most=force.left: _order_hint(table, order, USA, most),  # type: ignore[misc]
            piece_key=force.key,
        )
    return orders


def _order_hint(table: T, order: Option, seat: str, most: int) -> OptionInfo:
    net = total(net_modifiers(table, at_sea=True, seat=seat))
    return ship_hint(order.value, hint_strengths(most), net, table, None)


def _past_patrol(table: T, orders: Strikes, patrol: int, over: str, forces: list[Force]) -> Strikes:
    """[PH.11, P7] Roll for the patrol over a side's carriers; its result counts single squadrons."""
    data = table.data
    if not orders or not patrol:
        return orders
    name = "Japanese patrol" if over == JAPAN else "American patrol"
    roll = table.roll(TableRoll("19.2", name, data.air, in_factors(patrol, data), air_net(table, over)), f"cap-{over}")
    lost = min(len(orders), roll.result.first)
    back = min(len(orders) - lost, roll.result.second)
    if over == USA:
        raid = table.state.raid
        raid.lost += raid.away[:lost]
        del raid.away[:lost]
    else:
        for order in orders[:lost]:
            next(force for force in forces if order.key.startswith(f"{force.key}:")).lost += 1
    target, guard = (FLEET, PATROL) if over == JAPAN else (berth(forces[0]), AWAY)
    text = Named(guard, describe_fire(lost, back))
    table.log_line("19.2", "{} fighters {} (result {}).", name, text, roll, target=target)
    return orders[lost + back :]


def _strike(table: T, orders: Strikes, seat: str) -> None:
    """[PH.11, 20.51] Attack each ship with all squadrons sent at her that got through."""
    modifiers = net_modifiers(table, at_sea=True, seat=seat)
    ships = {order.value.key: order.value for order in orders}
    for key, count in Counter(order.value.key for order in orders).items():
        attack_ship(table, ships[key], count, modifiers, None, AWAY if seat == JAPAN else FLEET)


def _lose_decks(table: T) -> None:
    """[PH.11, P8] Ground the squadrons aboard a carrier that is hit; aboard a sunk one they are lost."""
    raid = table.state.raid
    hit = {ship.key: ship for ship in raid.carriers if ship.hit}
    for squadron in [squadron for squadron in raid.aboard if squadron.home in hit]:
        raid.aboard.remove(squadron)
        (raid.lost if hit[squadron.home].sunk else raid.back).append(squadron)
    for ship in hit.values():
        effect = "her squadrons aboard are lost" if ship.sunk else "her squadrons aboard cannot fly"
        table.log_line("PH.11", "{} is {}: {}.", ship, ship.condition.value, effect, target=ship)
