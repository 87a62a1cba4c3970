"""Launching and planning: sections 13 and 14."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.decisions import Refused
from readyroom.engine.table import Steps
from readyroom.games.midway.land import Names, strength_told
from readyroom.games.midway.state import Carrier, Kind, Side, T, points


def launch(table: T, side: Side) -> Steps:
    """[13] A working carrier may launch what the last planning phase put on her deck."""
    for carrier in table.state.working(side):
        if not carrier.deck:
            continue
        launched = yield from table.choose_some(
            carrier.seat,
            "13.1",
            f"Which squadrons does the {carrier.name} launch?",
            carrier.deck,
            text=strength_told,
            refused=lambda carrier=carrier: _below(carrier),  # type: ignore[misc]
        )
        if not launched:
            continue
        fighters = [squadron for squadron in launched if squadron.kind is Kind.FIGHTER]
        patrol = yield from table.choose_some(
            carrier.seat,
            "13.2",
            f"Which fighters of the {carrier.name} fly CAP? The others escort the bombers.",
            fighters,
            text=strength_told,
        )
        strike = [squadron for squadron in launched if squadron not in patrol]
        carrier.deck = [squadron for squadron in carrier.deck if squadron not in launched]
        side.cap[0] += patrol
        side.moving += strike
        if patrol:
            table.say("13.2", "{} launches {} for the CAP.", carrier, Names(patrol), to=side.seats)
        if strike:
            table.say("13.2", "{} launches {} to attack.", carrier, Names(strike), to=side.seats)


def _below(carrier: Carrier) -> Iterator[Refused]:
    for squadron in carrier.hangar:
        reason = f"{squadron} is below; only what the last planning phase put on deck may be launched."
        yield Refused(squadron.key, str(squadron), "13.1", reason)


def plan(table: T, side: Side) -> Steps:
    """[14] Each working carrier loads her deck with up to twenty strength points, or leaves it clear to land.

    The whole load is decided anew, so what stands on deck may stay, change or go below (M12). A carrier whose own
    first wave has not come down yet may not load (M4).
    """
    for carrier in table.state.working(side):
        if not carrier.deck and not carrier.hangar:
            continue
        if _awaits_first_wave(table, side, carrier):
            table.say("14.2", "{} must land the first wave before she may load her deck.", carrier, to=side.seats)
            continue
        load = yield from table.choose_some(
            carrier.seat,
            "14.1",
            f"What stands on the {carrier.name}'s deck next turn? A clear deck lands, a loaded one launches.",
            [*carrier.deck, *carrier.hangar],
            cost=points,
            budget=table.data.combat.deck.points,
            text=strength_told,
        )
        if load or carrier.deck:
            carrier.hangar = [s for s in (*carrier.deck, *carrier.hangar) if s not in load]
            carrier.deck = load
        if load:
            table.say("14.1", "{} has {} on deck.", carrier, Names(load), to=side.seats)


def _awaits_first_wave(table: T, side: Side, carrier: Carrier) -> bool:
    """[14.2] Whether starting squadrons of this carrier (as an option: of any carrier) have still to land (M4)."""
    every = table.state.rulings.first_wave == "fleet"
    return any(squadron.returning and (every or squadron.home == carrier.key) for squadron in side.waiting)
