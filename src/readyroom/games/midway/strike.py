"""Carrier attacks: section 12."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import chain

from readyroom.engine.rules.checks import Salvo, Volley, percent
from readyroom.engine.rules.decisions import Decision, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import agree, capitalize_first, join_list
from readyroom.games.midway.damage import hit
from readyroom.games.midway.losses import lose
from readyroom.games.midway.odds import by_number, chances, waves
from readyroom.games.midway.orders import Order, each_to_each, give_orders, to_place
from readyroom.games.midway.state import (
    DIVE,
    FIGHTER,
    Carrier,
    Points,
    Side,
    Squadron,
    T,
    by_seat,
    parted,
    place_key,
    total,
    without,
)

GREAT_RAID = 30
"""A raid on one ship with at least as many strength points is a moment at which the board pauses once it is over."""


def attack_carriers(table: T, side: Side) -> Steps:
    """[12, 12.1] Bombers choose their carriers; each carrier's wave is then resolved as one."""
    if not side.ready and not side.attacking:
        return
    state = table.state
    enemy = state.enemy(side)
    if side.ready and state.rulings.attack == "same-turn":
        yield from take_aim(table, side, [s for s in side.ready if s.kind != FIGHTER])
    # 12.1: fighters return without attacking (M20); so do all if no target is afloat
    leaving = [*side.ready] if state.gone(enemy) else [squadron for squadron in side.ready if squadron.kind == FIGHTER]
    if leaving:
        side.ready = without(side.ready, leaving)
        side.home = [*side.home, *leaving]
        template = agree(len(leaving), "{} returns to the carriers without attacking.", "{} return without attacking.")
        table.log_line("12.1", template, leaving, target=place_key(side.name, "home"))
    for carrier in enemy.carriers:
        wave = side.attacking.get(carrier.key)
        if wave:
            yield from _resolve_wave(table, side, enemy, carrier, wave)


def take_aim(table: T, side: Side, bombers: Sequence[Squadron]) -> Steps:
    """[12.1] Each bomber squadron chooses the carrier that it attacks, or stays ready.

    A side without a carrier afloat may not hold back: the rest attack the last target (M15).
    """
    state = table.state
    targets = state.afloat(state.enemy(side))
    for seat, squadrons in by_seat(side, bombers):
        if state.orders_together and len(targets) > 1:
            yield from _aim_together(table, side, seat, squadrons, targets)
        else:
            yield from _aim_one_by_one(table, side, seat, squadrons, targets)


def _aim_together(table: T, side: Side, seat: str, bombers: Sequence[Squadron], targets: Sequence[Carrier]) -> Steps:
    """[12.1, M27] Ask once which squadrons attack which carrier."""
    must = table.state.gone(side)
    rest = f"the rest attack {targets[-1].name}" if must else "the rest stay Ready"
    hints = {target.key: _shared(partial(_hint, table, target, bombers, "", ())) for target in targets}
    orders = each_to_each(bombers, {target.key: target.name for target in targets})
    question = f"Which carriers do the bombers attack? {capitalize_first(rest)}."
    aimed = yield from give_orders(table, seat, "12.1", question, orders, info=lambda order: hints[order.place](order))
    if must:
        aimed[targets[-1].key] += without(bombers, {*chain.from_iterable(aimed.values())})
    for target in targets:
        _send(side, target, aimed[target.key])


def _aim_one_by_one(table: T, side: Side, seat: str, bombers: Sequence[Squadron], targets: Sequence[Carrier]) -> Steps:
    """[12.1] Ask for each carrier which squadrons attack her; a side without a carrier must attack the last one."""
    must, left = table.state.gone(side), bombers
    for at, target in enumerate(targets):
        if not left:
            break
        later = targets[at + 1 :]
        forced = must and not later
        rest = "all must attack" if must else "the rest stay Ready"
        hint = _shared(partial(_hint, table, target, left, rest, later))
        aimed = yield from table.choose_some(
            seat,
            "12.1",
            f"Which bombers attack {target.name}?",
            left,
            at_least=len(left) if forced else 0,
            piece_key=target.key,
            info=hint,
            assigns=None if forced else to_place(target.key),
        )
        left = without(left, aimed)
        _send(side, target, aimed)


def _send(side: Side, target: Carrier, aimed: Sequence[Squadron]) -> None:
    if aimed:
        side.ready = without(side.ready, aimed)
        side.attacking[target.key] = [*side.attacking.get(target.key, ()), *aimed]


def _shared(hint: Callable[[], OptionInfo]) -> Callable[[object], OptionInfo]:
    """Return a hint that is the same for all options, and computed once."""
    once = cache(hint)
    return lambda _: once()


def _hint(table: T, target: Carrier, bombers: Sequence[Squadron], rest: str, later: Sequence[Carrier]) -> OptionInfo:
    """Describe the later targets, what the remaining bombers do, the target, and the odds of these bombers."""
    hurt, sunk = chances(table.data, table.state, target, bombers)
    chance = sunk if target.damage >= table.state.cripple else hurt
    following = f"next: {join_list([carrier.name for carrier in later])}; " if later else ""
    odds = by_number(table.data, table.state, target, bombers)
    who = f"{target.name} has " if rest else ""
    target_state = f"{who}damage {target.damage} and {target.antiaircraft} anti-aircraft dice"
    return OptionInfo(f"{following}{rest}{'. ' if rest else ''}{target_state}; {odds}", float(chance))


def wave_odds(table: T, decision: Decision, chosen: Sequence[Squadron | Order]) -> Mapping[str, str]:
    """[11.3, 12.1, 16] Describe what the chosen bombers do to each carrier, or how often the chosen CAP hits."""
    if decision.rule == "11.1":
        enemy = next(side for side in (table.state.japan, table.state.usa) if decision.seat not in side.seats)
        volley = Volley("11.3", "dogfight", total(chosen), table.data.combat.dogfight.fire)  # type: ignore[arg-type]
        return {place_key(enemy.name, "ready"): f"{volley.dice} dice, {float(volley.mean()):.1f} expected hits"}
    result, sent = {}, waves(decision, chosen if decision.rule == "12.1" else ())
    for target in (*table.state.japan.carriers, *table.state.usa.carriers):
        if target.key in sent:
            hurt, sunk = chances(table.data, table.state, target, sent[target.key])
            first = f"crippled or sunk {percent(hurt)}, " if target.damage < table.state.cripple else ""
            result[target.key] = f"{first}sunk {percent(sunk)}"
    return result


def _resolve_wave(table: T, side: Side, enemy: Side, carrier: Carrier, wave: Sequence[Squadron]) -> Steps:
    """[12.2] The carrier fires once at the whole wave; [12.4, 12.5] survivors attack; [12.6] they head home."""
    combat, name = table.data.combat, carrier.name
    table.log_line("12.1", "{} {} {}.", wave, agree(len(wave), "attacks", "attack"), name, target=carrier)
    guns = Volley("12.2", f"{carrier.name} anti-aircraft", carrier.antiaircraft, combat.antiaircraft.fire)
    flak = table.roll(guns, carrier.key)
    template = "{}'s flak scores {} on {}." if flak.hits else "{}'s flak misses {}."
    raid = f"Great raid on {name}" if total(wave) >= GREAT_RAID else ""
    facts = (flak, wave) if flak.hits else (wave, flak)
    table.log_line("12.2", template, name, *facts, target=carrier)
    yield from lose(table, side, "12.3", wave, flak.hits)
    wave = side.attacking[carrier.key]
    divers, others = parted(wave, [squadron for squadron in wave if squadron.kind == DIVE])
    dive, torpedo = Points(divers), Points(others)
    hits = 0
    if divers:
        bombs = table.roll(Volley("12.4", "dive bombing", dive.total, combat.dive.fire), carrier.key)
        template = _attack_template("dive-bomber", dive, bombs)
        hits += bombs.hits
        missed = f"{raid} misses" if raid and not hits and not others else ""
        table.log_line("12.4", template, dive, name, bombs, target=carrier, moment=missed)
    if others:
        drops = table.roll(Volley("12.5", "torpedo attack", torpedo.total, combat.torpedo.fire), carrier.key)
        template = _attack_template("torpedo-bomber", torpedo, drops)
        hits += drops.hits
        missed = f"{raid} misses" if raid and not hits else ""
        table.log_line("12.5", template, torpedo, name, drops, target=carrier, moment=missed)
    if hits:
        hit(table, enemy, carrier, hits, moment=raid)
    side.home = [*side.home, *wave]
    del side.attacking[carrier.key]
    if wave:
        template = agree(len(wave), "{} turns for home.", "{} turn for home.")
        table.log_line("12.6", template, wave, target=place_key(side.name, "home"))


def _attack_template(kind: str, points: Points, volley: Salvo) -> str:
    """Return the log line of an attack by this many points: points, target and, if it hits, the hits."""
    if volley.hits:
        return f"{{}} {kind} {agree(points.total, 'point attacks', 'points attack')} {{}}: {{}}."
    return f"{{}} {kind} {agree(points.total, 'point misses', 'points miss')} {{}}."
