"""Landing planes: section 9, and ruling M11 on ditching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from readyroom.engine.rules.decisions import Unavailable
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import agree
from readyroom.games.midway.orders import Order, each_to_each, give_orders, to_place
from readyroom.games.midway.state import (
    STRENGTH_INFO,
    Carrier,
    CarrierLoads,
    Side,
    Squadron,
    T,
    by_seat,
    place_key,
    points,
    squadron_order,
    without,
)

FIRST_LANDING = 5
"""[M26] No squadron that launches in turn 2 can land before this turn."""


def land(table: T, side: Side) -> Steps:
    """[9] Land planes; then squadrons may ditch (M11)."""
    working, steps = table.state.working(side), _land(table, side)
    if table.state.asks(side, 1 if side.lands_early else FIRST_LANDING, working):
        steps = table.always_asks(working[0].seat, "9.2", "No squadron can land.", steps)
    yield from steps
    if table.state.rulings.ditch_after:
        _ditch(table, side)


def _land(table: T, side: Side) -> Steps:
    """[9] Each working carrier with a clear deck may land up to twenty strength points of any squadrons (M9)."""
    working = table.state.working(side) if side.waiting else []
    clear = [carrier for carrier in working if not carrier.deck]
    if working and not clear:
        none = "No squadron can land: no flight deck is clear."
        table.log_line("9.1", none, audience=side.seats, target=place_key(side.name, "waiting"))
    together = table.state.orders_together
    for seat, carriers in by_seat(side, clear) if together else [(carrier.seat, [carrier]) for carrier in clear]:
        if len(carriers) > 1:
            yield from _land_together(table, side, seat, carriers)
        else:
            yield from _land_on(table, side, carriers[0])


def _land_together(table: T, side: Side, seat: str, carriers: Sequence[Carrier]) -> Steps:
    """[9.2, M27] Ask once which squadrons land on which carrier."""
    landed = yield from give_orders(
        table,
        seat,
        "9.2",
        "Which squadrons land, and on which carrier?",
        _own_deck_first(side.waiting, carriers),
        capacity=table.data.combat.deck.points,
        unavailable=partial(_still_flying, side),
        info=lambda _: STRENGTH_INFO,
        select_all_default=True,
    )
    _come_down(table, side, [(carrier, landed.get(carrier.key, [])) for carrier in carriers])


def _own_deck_first(waiting: Sequence[Squadron], carriers: Sequence[Carrier]) -> list[Order]:
    """Return the orders to land: those of each squadron on its own carrier, then all others."""
    orders = each_to_each(waiting, {carrier.key: carrier.name for carrier in carriers})
    return sorted(orders, key=lambda order: order.place != order.squadron.home)


def _land_on(table: T, side: Side, carrier: Carrier) -> Steps:
    """[9.2] Ask which squadrons land on a carrier."""
    landed = yield from table.choose_some(
        carrier.seat,
        "9.2",
        f"Which squadrons land on {carrier.name}?",
        sorted(side.waiting, key=lambda squadron: squadron.home != carrier.key),
        cost=points,
        budget=table.data.combat.deck.points,
        unavailable=partial(_still_flying, side),
        info=lambda _: STRENGTH_INFO,
        piece_key=carrier.key,
        select_all_default=True,
        assigns=to_place(carrier.key),
    )
    _come_down(table, side, [(carrier, landed)])


def _come_down(table: T, side: Side, landings: Iterable[tuple[Carrier, Sequence[Squadron]]]) -> None:
    """Put squadrons that land into the hangars of their carriers."""
    landings = [(carrier, landed) for carrier, landed in landings if landed]
    for carrier, landed in landings:
        side.waiting = without(side.waiting, set(landed))
        at_rest = [replace(squadron, returning=False, waited=0) for squadron in landed]
        carrier.hangar = sorted([*carrier.hangar, *at_rest], key=lambda squadron: squadron_order(squadron.key))
    if landings:
        came = CarrierLoads(("lands", "land"), [(carrier.named, landed) for carrier, landed in landings])
        table.log_line("9.2", "{}.", came, audience=side.seats, target=landings[0][0])


def _ditch(table: T, side: Side) -> None:
    """[9.3] By option (M11), squadrons without a deck to land on ditch after some turns."""
    has_deck = bool(table.state.working(side))
    side.waiting, side.home = (
        [replace(squadron, waited=0 if has_deck else squadron.waited + 1) for squadron in box]
        for box in (side.waiting, side.home)
    )
    ditched = [one for one in (*side.waiting, *side.home) if one.waited >= table.state.rulings.ditch_after]
    if ditched:
        side.waiting, side.home = without(side.waiting, ditched), without(side.home, ditched)
        side.lost = [*side.lost, *ditched]
        ditches = agree(len(ditched), "ditches", "ditch")
        template = "{} {}: no flight deck is left and fuel is out."
        table.log_line("9.3", template, ditched, ditches, audience=side.seats)


def _still_flying(side: Side) -> Iterator[Unavailable]:
    for squadron in side.home:
        reason = f"{squadron} must reach the Waiting box before it can land."
        yield Unavailable(squadron.key, str(squadron), "10.1", reason)
    for ring in side.cap:
        for squadron in ring:
            reason = f"{squadron} flies CAP and can land only after the last ring."
            yield Unavailable(squadron.key, str(squadron), "11.5", reason)
