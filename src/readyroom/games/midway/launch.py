"""Launching and planning: sections 13 and 14."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.decisions import Refused
from readyroom.engine.table import Steps
from readyroom.games.midway.state import FIGHTER, Carrier, Side, T, points


def launch(table: T, side: Side) -> Steps:
    """[13] A working carrier may launch what the last planning phase put on her deck."""
    cripple = table.state.cripple
    for carrier in side.carriers:
        if not carrier.deck or carrier.damage >= cripple:
            continue
        launched = yield from table.choose_some(
            carrier.seat,
            "13.1",
            f"Which squadrons does the {carrier.name} launch?",
            carrier.deck,
            about=carrier.key,
            usual=True,
            refused=lambda carrier=carrier: _below(carrier),  # type: ignore[misc]
        )
        if not launched:
            continue
        patrol = yield from table.choose_some(
            carrier.seat,
            "13.2",
            f"Which fighters of the {carrier.name} fly CAP? The others escort the bombers.",
            [squadron for squadron in launched if squadron.kind is FIGHTER],
            about=carrier.key,
        )
        carrier.deck = [squadron for squadron in carrier.deck if squadron not in launched]
        if patrol:
            launched = [squadron for squadron in launched if squadron not in patrol]
            side.cap[0] += patrol
            table.say("13.2", "{} launches {} for the CAP.", carrier.name, patrol, to=side.seats)
        if launched:
            side.moving += launched
            table.say("13.2", "{} launches {} to attack.", carrier.name, launched, to=side.seats)


def _below(carrier: Carrier) -> Iterator[Refused]:
    for squadron in carrier.hangar:
        reason = f"{squadron} is below; only what the last planning phase put on deck may be launched."
        yield Refused(squadron.key, str(squadron), "13.1", reason)


def plan(table: T, side: Side) -> Steps:
    """[14] Each working carrier loads her deck with up to twenty strength points, or leaves it clear to land.

    The whole load is decided anew, so what stands on deck may stay, change or go below (M12); fighters
    for the CAP count like all others (M13). A carrier whose own
    first wave has not come down yet may not load (M4).
    """
    returning = [squadron.home for squadron in side.waiting if squadron.returning]
    cripple = table.state.cripple
    for carrier in side.carriers:
        if carrier.damage >= cripple or not (carrier.deck or carrier.hangar):
            continue
        if returning and _awaits_first_wave(table, carrier, returning):
            table.say("14.2", "{} must land the first wave before she may load her deck.", carrier.name, to=side.seats)
            continue
        aboard = [*carrier.deck, *carrier.hangar]
        load = yield from table.choose_some(
            carrier.seat,
            "14.1",
            f"What stands on the {carrier.name}'s deck next turn? A clear deck lands, a loaded one launches.",
            aboard,
            cost=points,
            budget=table.data.combat.deck.points,
            about=carrier.key,
        )
        carrier.deck = load
        carrier.hangar = [squadron for squadron in aboard if squadron not in load]
        if load:
            table.say("14.1", "{} has {} on deck.", carrier.name, load, to=side.seats)


def _awaits_first_wave(table: T, carrier: Carrier, returning: list[str]) -> bool:
    """[14.2] Whether starting squadrons of this carrier (as an option: of any carrier) have still to land (M4)."""
    return table.state.rulings.first_wave == "fleet" or carrier.key in returning
