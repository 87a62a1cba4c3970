"""Launching and planning: sections 13 and 14."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from readyroom.engine.rules.decisions import BudgetGroup, Unavailable, UnavailableOptions
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import agree
from readyroom.games.midway.orders import Order, give_orders, to_place
from readyroom.games.midway.state import (
    FIGHTER,
    STRENGTH_INFO,
    Carrier,
    CarrierLoads,
    Side,
    Squadron,
    SquadronCount,
    T,
    by_seat,
    parted,
    place_key,
    points,
    within,
    without,
)

FIRST_LAUNCH = 2
"""[M26] All decks are clear in the first turn."""


def launch(table: T, side: Side) -> Steps:
    """[13] Working carriers may launch the squadrons on their decks."""
    working, steps = table.state.working(side), _launch(table, side)
    if table.state.asks(side, FIRST_LAUNCH, working):
        steps = table.always_asks(working[0].seat, "13.1", "No squadron can launch.", steps)
    yield from steps


def _launch(table: T, side: Side) -> Steps:
    """[13.1] Ask each seat which squadrons launch."""
    for seat, carriers in by_seat(side, table.state.working(side)):
        on_deck = list(chain.from_iterable([carrier.deck for carrier in carriers]))
        if table.state.orders_together:
            yield from _launch_together(table, side, seat, carriers, on_deck)
            continue
        launched = yield from table.choose_some(
            seat,
            "13.1",
            "Which squadrons launch?",
            on_deck,
            text=partial(_on_deck, carriers),
            select_all_default=True,
            unavailable=partial(_below, carriers),
            assigns=to_place(place_key(side.name, "moving")),
        )
        if launched:
            patrol = yield from _who_flies_cap(table, seat, launched)
            _take_off(table, side, carriers, launched, patrol)


def _launch_together(
    table: T, side: Side, seat: str, carriers: Sequence[Carrier], on_deck: Sequence[Squadron]
) -> Steps:
    """[13.1, 13.2, M27] Ask once which squadrons launch, and which of the fighters fly CAP."""
    moving, over = place_key(side.name, "moving"), place_key(side.name, "cap")
    orders = [
        Order(squadron, place, name)
        for squadron in on_deck
        for place, name in ((moving, "Moving"), (over, "CAP"))
        if place == moving or squadron.kind == FIGHTER
    ]
    sent = yield from give_orders(
        table,
        seat,
        "13.1",
        "Which squadrons launch? Fighters escort the bombers or fly CAP.",
        orders,
        unavailable=partial(_below, carriers),
        select_all_default=True,
    )
    patrol = sent.get(over, [])
    launched = [*sent.get(moving, ()), *patrol]
    if launched:
        _take_off(table, side, carriers, launched, patrol)


def _on_deck(carriers: Sequence[Carrier], squadron: Squadron) -> str:
    """Return a squadron's text, with the carrier if it is not its own."""
    carrier = next(carrier for carrier in carriers if squadron in carrier.deck)
    return str(squadron) if carrier.key == squadron.home else f"{squadron} on {carrier.name}"


def _below(carriers: Sequence[Carrier]) -> Iterator[Unavailable]:
    for carrier in carriers:
        for squadron in carrier.hangar:
            reason = f"{squadron} is in the hangar; only squadrons that were spotted on deck can launch."
            yield Unavailable(squadron.key, str(squadron), "13.1", reason)


def _who_flies_cap(table: T, seat: str, launched: Sequence[Squadron]) -> Choice[list[Squadron]]:
    return table.choose_some(
        seat,
        "13.2",
        "Which of the launched fighters fly CAP? The others escort the bombers.",
        [squadron for squadron in launched if squadron.kind == FIGHTER],
    )


def _take_off(
    table: T, side: Side, carriers: Sequence[Carrier], launched: Sequence[Squadron], patrol: Sequence[Squadron]
) -> None:
    """[13.2] Bombers go to the Moving to Attack box, and fighters with them or to the center of the CAP."""
    gone, bombing = set(launched), without(launched, patrol)
    taking_off = [carrier for carrier in carriers if not gone.isdisjoint(carrier.deck)]
    away = CarrierLoads(("launches", "launch"), [(carrier.named, within(carrier.deck, gone)) for carrier in taking_off])
    for carrier in taking_off:
        carrier.deck = without(carrier.deck, gone)
    side.cap = [[*side.cap[0], *patrol], *side.cap[1:]]
    side.moving = [*side.moving, *bombing]
    table.log_line("13.1", "{}.", away, audience=side.seats, target=taking_off[0])
    if patrol:
        fly, over = agree(len(patrol), "flies", "fly"), place_key(side.name, "cap")
        table.log_line("13.2", "{} {} CAP.", SquadronCount(patrol), fly, audience=side.seats, target=over)


def plan(table: T, side: Side) -> Steps:
    """[14, 14.2] Each working carrier spots up to twenty strength points on deck, or keeps a clear deck to land planes.

    As an option crippled carriers load as well (M24). The whole load is decided again each turn, so squadrons on deck
    may stay, change or go below (M12); fighters for the CAP count like all others (M13).
    """
    state = table.state
    able = state.afloat(side) if state.rulings.crippled_load == "yes" else state.working(side)
    steps = _plan(table, side, able)
    if state.asks(side, 1, able):
        steps = table.always_asks(able[0].seat, "14.1", "No squadron can be spotted on deck.", steps)
    yield from steps


def _plan(table: T, side: Side, able: Sequence[Carrier]) -> Steps:
    """[14.1, 14.2] Ask each seat for the load of its carriers that are not held up."""
    state = table.state
    planning = [carrier for carrier in able if carrier.deck or carrier.hangar]
    # 14.2: each carrier's own first wave (as an option: all of it) must have landed or be lost (M4)
    returning = [squadron.home for squadron in side.waiting if squadron.returning]
    fleet = state.rulings.first_wave == "fleet"
    held_up = [carrier for carrier in planning if fleet or carrier.key in returning] if returning else []
    if held_up:
        template = "{} cannot spot planes until the first wave has landed."
        table.log_line("14.2", template, held_up, audience=side.seats)
        planning = [carrier for carrier in planning if carrier not in held_up]
    for seat, carriers in by_seat(side, planning):
        yield from _load(table, side, seat, carriers, partial(_not_loading, table, side, planning))


def _not_loading(table: T, side: Side, planning: list[Carrier]) -> Iterator[Unavailable]:
    """Yield squadrons aboard carriers that cannot load: crippled [16.1] or waiting for the first wave [14.2]."""
    for carrier in side.carriers:
        if carrier in planning:
            continue
        may = table.state.rulings.crippled_load == "yes" or not table.state.crippled(carrier)
        rule, why = ("14.2", "her first wave has not landed") if may else ("16.1", "she is crippled")
        for squadron in (*carrier.deck, *carrier.hangar):
            yield Unavailable(squadron.key, str(squadron), rule, f"{carrier.name} cannot spot planes: {why}.")


def _load(table: T, side: Side, seat: str, carriers: Sequence[Carrier], unavailable: UnavailableOptions) -> Steps:
    """[14.1] Ask one question for all decks of a seat; chosen squadrons go to the deck of their carrier."""
    budget_groups = [BudgetGroup(one.key, one.name, [*one.deck, *one.hangar]) for one in carriers]
    load = yield from table.choose_some(
        seat,
        "14.1",
        "Which squadrons are spotted on deck for next turn? Only a clear deck can land planes.",
        list(chain.from_iterable([group.options for group in budget_groups])),
        cost=points,
        budget=table.data.combat.deck.points,
        budget_groups=budget_groups,
        info=lambda _: STRENGTH_INFO,
        unavailable=unavailable,
        assigns=partial(_to_own_deck, carriers),
    )
    loaded = set(load)
    for carrier, budget_group in zip(carriers, budget_groups, strict=True):
        carrier.deck, carrier.hangar = parted(budget_group.options, loaded)
    if load:
        loading = [carrier for carrier in carriers if carrier.deck]
        decks = CarrierLoads(("spots", "spot"), [(one.named, one.deck) for one in loading], " on deck")
        table.log_line("14.1", "{}.", decks, audience=side.seats, target=loading[0])


def _to_own_deck(carriers: Sequence[Carrier], squadron: Squadron) -> tuple[str, str]:
    """Return the keys of a squadron and of the carrier that it is aboard."""
    return squadron.key, next(one.key for one in carriers if squadron in one.deck or squadron in one.hangar)
