"""Landing planes: sections 9 and, for those with nowhere to land, ruling M11."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.decisions import Refused
from readyroom.engine.table import Steps
from readyroom.games.midway.state import Side, Squadron, T, points


def land(table: T, side: Side) -> Steps:
    """[9] Each working carrier with a clear deck may land up to twenty strength points that wait."""
    for carrier in table.state.working(side):
        if not side.waiting:
            break
        if carrier.deck:
            table.say("9.1", "{} has aircraft on deck and lands nothing.", carrier, to=side.seats)
            continue
        landed = yield from table.choose_some(
            carrier.seat,
            "9.2",
            f"Which squadrons land on the {carrier.name}?",
            side.waiting,
            cost=points,
            budget=table.data.combat.deck.points,
            text=strength_told,
            refused=lambda: _still_flying(side),
        )
        for squadron in landed:
            side.waiting.remove(squadron)
            squadron.returning, squadron.waited = False, 0
            carrier.hangar.append(squadron)
        if landed:
            table.say("9.2", "{} lands {}.", carrier, Names(landed), to=side.seats)
    _ditch(table, side)


def _ditch(table: T, side: Side) -> None:
    """[9.3] With ruling M11 as an option, squadrons with nowhere to land ditch after some turns."""
    limit = table.state.rulings.ditch_after
    if not limit or not side.waiting or table.state.working(side):
        return
    for squadron in side.waiting:
        squadron.waited += 1
    ditched = [squadron for squadron in side.waiting if squadron.waited >= limit]
    for squadron in ditched:
        side.waiting.remove(squadron)
        side.lost.append(squadron)
        table.say("9.3", "{} has nowhere to land, runs out of fuel and ditches.", squadron, to=side.seats)


def _still_flying(side: Side) -> Iterator[Refused]:
    for squadron in side.home:
        yield Refused(
            squadron.key, str(squadron), "10.1", f"{squadron} is still heading home and must wait to land first."
        )
    for ring in side.cap:
        for squadron in ring:
            reason = f"{squadron} flies CAP; it comes down when it has passed the last ring."
            yield Refused(squadron.key, str(squadron), "11.5", reason)


def strength_told(squadron: Squadron) -> str:
    """A squadron with its type and strength."""
    return f"{squadron.name} ({squadron.strength})"


class Names:
    """Several pieces in a log line; put into words only if somebody keeps the log."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: list[Squadron]) -> None:
        self.pieces = pieces

    def __str__(self) -> str:
        return ", ".join([f"{squadron.name} ({squadron.strength})" for squadron in self.pieces])
