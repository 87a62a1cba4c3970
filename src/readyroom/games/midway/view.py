"""What each seat sees, from an allow-list; and other states that look the same to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Literal

import msgspec

from readyroom.engine.rules.checks import Fire
from readyroom.games.midway.damage import score
from readyroom.games.midway.state import Carrier, Data, Kind, Midway, Rulings, Side, SideName, Squadron, total


class SquadronView(msgspec.Struct, frozen=True):
    """[5] A counter, with the key of its home carrier and the seat that commands it."""

    key: str
    name: str
    kind: Kind
    home: str
    strength: int
    seat: str
    returning: bool


class CarrierView(msgspec.Struct, frozen=True):
    """[6] A carrier; her deck and hangar are None if they are hidden."""

    key: str
    name: str
    antiaircraft: int
    repair: int
    seat: str
    damage: int
    status: Literal["working", "crippled", "sunk"]
    deck: list[SquadronView] | None
    hangar: list[SquadronView] | None


class BoxesView(msgspec.Struct, frozen=True):
    """[7] The boxes of a side's circuit, in the order in which aircraft pass through them [10.1]; None: hidden.

    `attacking` has a list for each enemy carrier under attack. The text also calls the last two boxes Returning Home
    and Ready to Land (M16).
    """

    moving: list[SquadronView] | None
    ready: list[SquadronView]
    attacking: dict[str, list[SquadronView]]
    home: list[SquadronView] | None
    waiting: list[SquadronView] | None


class SideView(msgspec.Struct, frozen=True):
    """One fleet; `own` marks the viewer's. `cap` has the rings from the centre outwards; None: hidden."""

    title: str
    own: bool
    seats: tuple[str, ...]
    carriers: list[CarrierView]
    boxes: BoxesView
    cap: list[list[SquadronView]] | None
    lost: list[SquadronView] | None


class FiguresView(msgspec.Struct, frozen=True):
    """Figures: damage that cripples and sinks, deck and squadron strength, fire, and the lead that wins."""

    cripple: int
    sink: int
    deck: int
    squadron: int
    antiaircraft: Fire
    dive: Fire
    lead: int


class MidwayView(msgspec.Struct, frozen=True):
    """What a seat sees; `found` is None for a seat that may not know whether the search is over."""

    rulings: Rulings
    figures: FiguresView
    score: dict[SideName, int]
    found: bool | None
    sides: dict[SideName, SideView]


def view(state: Midway, data: Data, seat: str | None) -> MidwayView:
    """[M19] Return a seat's view: its own fleet, and the enemy's carriers and aircraft over either fleet.

    Enemy decks, hangars and aircraft in transit are hidden. A spectator sees what both sides see.
    """
    return _view(state, data, seat, is_open=state.rulings.sight == "open")


def open_view(state: Midway, data: Data, seat: str | None) -> MidwayView:
    """Return a seat's view with all that is hidden during the battle."""
    return _view(state, data, seat, is_open=True)


def _view(state: Midway, data: Data, seat: str | None, *, is_open: bool) -> MidwayView:
    combat, sides = data.combat, (state.japan, state.usa)
    return MidwayView(
        rulings=state.rulings,
        figures=FiguresView(
            cripple=state.cripple,
            sink=state.sink,
            deck=combat.deck.points,
            squadron=combat.squadron.strength,
            antiaircraft=combat.antiaircraft.fire,
            dive=combat.dive.fire,
            lead=combat.victory.lead,
        ),
        score={side.name: score(state, data, side) for side in sides},
        found=state.found if is_open or seat in state.usa.seats else None,
        sides={side.name: _side(state, side, seat, is_open=is_open) for side in sides},
    )


def sees_cap(state: Midway, side: Side, seat: str | None) -> bool:
    """[M19] Return whether a seat sees a CAP: the enemy and spectators do with enemy aircraft over the fleet."""
    enemy = state.enemy(side)
    over_fleet = enemy.ready or any(enemy.attacking.values())
    return state.rulings.sight == "open" or seat in side.seats or bool(over_fleet)


def _side(state: Midway, side: Side, seat: str | None, *, is_open: bool) -> SideView:
    whole = is_open or seat in side.seats
    return SideView(
        title=side.title,
        own=seat in side.seats,
        seats=side.seats,
        carriers=[_carrier(state, side, carrier, whole) for carrier in side.carriers],
        boxes=BoxesView(
            moving=_squadrons(side, side.moving) if whole else None,
            ready=_squadrons(side, side.ready),
            attacking={key: _squadrons(side, wave) for key, wave in side.attacking.items() if wave},
            home=_squadrons(side, side.home) if whole else None,
            waiting=_squadrons(side, side.waiting) if whole else None,
        ),
        cap=[_squadrons(side, ring) for ring in side.cap] if whole or sees_cap(state, side, seat) else None,
        lost=_squadrons(side, side.lost) if whole else None,
    )


def _carrier(state: Midway, side: Side, carrier: Carrier, whole: bool) -> CarrierView:
    sunk = carrier.damage >= state.sink
    return CarrierView(
        key=carrier.key,
        name=carrier.name,
        antiaircraft=carrier.antiaircraft,
        repair=carrier.repair,
        seat=carrier.seat,
        damage=carrier.damage,
        status="sunk" if sunk else "crippled" if state.crippled(carrier) else "working",
        deck=_squadrons(side, carrier.deck) if whole else None,
        hangar=_squadrons(side, carrier.hangar) if whole else None,
    )


def _squadrons(side: Side, squadrons: Sequence[Squadron]) -> list[SquadronView]:
    only = side.seats[0] if len(side.seats) == 1 else ""
    return [_squadron(squadron, only or squadron.seat) for squadron in squadrons]


@lru_cache(maxsize=4096)
def _squadron(squadron: Squadron, seat: str) -> SquadronView:
    """Return a counter as shown; cached, because few counters change between two views."""
    return SquadronView(
        key=squadron.key,
        name=squadron.name,
        kind=squadron.kind,
        home=squadron.home,
        strength=squadron.strength,
        seat=seat,
        returning=squadron.returning,
    )


def resample(state: Midway, data: Data, seat: str, random: Random) -> Midway:
    """[M19] Redistribute the enemy's hidden squadrons over their possible places. Changes the state given.

    The first wave stays where it is known to be; no squadron can have flown before the second turn.
    """
    if state.rulings.sight == "open":
        return state
    side = state.usa if seat in state.japan.seats else state.japan
    hidden: list[Squadron] = []
    carriers = state.afloat(side)
    places = [_clear(carrier.hangar, hidden) for carrier in carriers]
    below = len(places)
    for carrier, hangar in zip(carriers, places, strict=True):
        carrier.hangar = hangar
    if state.at.turn > 1:
        places += (_clear(box, hidden) for box in (side.moving, side.home, side.waiting))
        side.moving, side.home, side.waiting = places[below:]
        if not sees_cap(state, side, seat):
            rings = [_clear(ring, hidden) for ring in side.cap]
            side.cap = rings
            places += rings
    decks = [_clear(carrier.deck, hidden) for carrier in carriers]
    for carrier, deck in zip(carriers, decks, strict=True):
        carrier.deck = deck
    random.shuffle(hidden)
    for squadron in hidden:  # below, in the air, or on a deck with room for it
        open_decks = [deck for deck in decks if total(deck) + squadron.strength <= data.combat.deck.points]
        choices = [*places, *open_decks]
        choices[int(random.random() * len(choices))].append(squadron)
    return state


def _clear(box: Sequence[Squadron], hidden: list[Squadron]) -> list[Squadron]:
    """Return a box with only the first wave in it; the rest is added to `hidden`."""
    hidden += (squadron for squadron in box if not squadron.returning)
    return [squadron for squadron in box if squadron.returning]
