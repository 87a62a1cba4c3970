"""What a seat cannot see of the enemy, as counts of strength points by place and type (M19)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from operator import attrgetter
from random import Random

from readyroom.engine.game import MatchView
from readyroom.games.midway.state import (
    DIVE,
    FIGHTER,
    KINDS,
    TORPEDO,
    Data,
    Kind,
    Midway,
    Side,
    Squadron,
    total,
)
from readyroom.games.midway.view import MidwayView, sees_cap

MOVING, CENTER, OUTER, DECK, BELOW, HOME, WAITING, LOST = range(8)
"""Places; the CAP has a center and outer rings, and `LOST` is what went down where the enemy did not see it."""
FLYING = (MOVING, CENTER, OUTER, HOME, WAITING)
FIRST_FLIGHT = 2
"""No squadron that was aboard can have flown before this turn."""
Dealt = dict[int, list[Squadron]]


def _sum_of(places: Iterable[int], kinds: Iterable[Kind]) -> list[int]:
    """Return the indices of these places and types among the counts."""
    return [place * len(KINDS) + KINDS.index(kind) for place, kind in product(places, kinds)]


BOMBERS = (TORPEDO, DIVE)
CAP = "Fighters in the CAP"
QUANTITIES: Mapping[str, Sequence[int]] = {
    "Bombers moving to attack": _sum_of([MOVING], BOMBERS),
    "Escorts moving to attack": _sum_of([MOVING], [FIGHTER]),
    CAP: _sum_of([CENTER, OUTER], [FIGHTER]),
    "Bombers on deck": _sum_of([DECK], BOMBERS),
    "Fighters on deck": _sum_of([DECK], [FIGHTER]),
    "Aircraft returning home": _sum_of([HOME], KINDS),
    "Aircraft waiting to land": _sum_of([WAITING], KINDS),
    "Bombers in hangars": _sum_of([BELOW], BOMBERS),
    "Fighters in hangars": _sum_of([BELOW], [FIGHTER]),
}
"""What a player gets to know of the enemy, in strength points; the first wave [7] does not count."""


def seen(view: MatchView[MidwayView]) -> Collection[str]:
    """[M19] Return the quantities that a view shows: the CAP with own aircraft over the enemy, in open play all."""
    enemy = next(side for side in view.table.sides.values() if not side.own)
    if enemy.boxes.moving is not None:
        return QUANTITIES.keys()
    return () if enemy.cap is None else (CAP,)


def count(state: Midway, data: Data, seat: str) -> list[int]:
    """Return the strength points of the enemy by place and type."""
    counts = [0] * (len(KINDS) * (LOST + 1))
    for place, box in _boxes(_enemy(state, seat)).items():
        for squadron in box:
            if not squadron.returning:
                counts[place * len(KINDS) + KINDS.index(squadron.kind)] += squadron.strength
    return counts


def _enemy(state: Midway, seat: str) -> Side:
    return state.usa if seat in state.japan.seats else state.japan


def _boxes(side: Side) -> Dealt:
    """Return the squadrons in each place; squadrons that were shot down have no strength left."""
    carriers = side.carriers
    return {
        MOVING: [*side.moving],
        CENTER: [*side.cap[0]] if len(side.cap) > 1 else [],
        OUTER: [one for ring in side.cap[min(1, len(side.cap) - 1) :] for one in ring],
        DECK: [one for carrier in carriers for one in carrier.deck],
        BELOW: [one for carrier in carriers for one in carrier.hangar],
        HOME: [*side.home],
        WAITING: [*side.waiting],
        LOST: [one for one in side.lost if one.strength],
    }


def deal(state: Midway, data: Data, seat: str, counts: Sequence[int], random: Random) -> bool:
    """[M19] Deal the enemy's hidden squadrons into places, so that the points there are about these counts.

    Which of them were lost aboard a carrier, or ditched, is hidden as well. The first wave stays where it is known to
    be, and no squadron can have flown before the second turn.
    """
    if state.rulings.sight == "open":
        return False
    side, seen = _enemy(state, seat), sees_cap(state, _enemy(state, seat), seat)
    hidden = {place: box for place, box in _boxes(side).items() if not (seen and place in (CENTER, OUTER))}
    pool = sorted((one for box in hidden.values() for one in box if not one.returning), key=attrgetter("key"))
    stays = {place: [one for one in box if one.returning] for place, box in hidden.items()}
    afloat = state.afloat(side)
    may_lose = len(afloat) < len(side.carriers) or bool(state.rulings.ditch_after)
    dealt = _shares(pool, _wanted(state, hidden, counts, afloat=bool(afloat), may_lose=may_lose), random)
    rest = dealt.pop(-1)
    dealt[BELOW if afloat else LOST] += rest
    for place, box in stays.items():
        dealt[place] = [*box, *dealt.get(place, [])]
    _place(state, data, side, dealt, random, with_cap=not seen)
    return True


def _wanted(
    state: Midway, hidden: Iterable[int], counts: Sequence[int], *, afloat: bool, may_lose: bool
) -> dict[int, list[int]]:
    """Return the points by place and type; what is not possible there is wanted elsewhere, or nowhere."""
    wanted = {place: [*counts[place * len(KINDS) : (place + 1) * len(KINDS)]] for place in hidden}
    for place in (DECK, BELOW):
        if not afloat:
            wanted[LOST] = [sum(pair) for pair in zip(wanted[LOST], wanted.pop(place), strict=True)]
    for place in FLYING:
        if place in wanted and state.at.turn < FIRST_FLIGHT:
            del wanted[place]
    if not may_lose:
        del wanted[LOST]
    return wanted


def _shares(pool: Sequence[Squadron], wanted: Mapping[int, Sequence[int]], random: Random) -> Dealt:
    """Return the squadrons of each place, and under -1 those that are left over."""
    dealt: Dealt = {place: [] for place in (*range(LOST + 1), -1)}
    for at, kind in enumerate(KINDS):
        squadrons = [one for one in pool if one.kind == kind]
        random.shuffle(squadrons)
        for place, points in wanted.items():
            need = points[at]
            while squadrons and 2 * need >= squadrons[-1].strength and need:
                squadron = squadrons.pop()
                dealt[place].append(squadron)
                need -= squadron.strength
        dealt[-1] += squadrons
    return dealt


def _place(state: Midway, data: Data, side: Side, dealt: Dealt, random: Random, *, with_cap: bool) -> None:
    """Put the squadrons of each place there."""
    side.moving, side.home, side.waiting = dealt[MOVING], dealt[HOME], dealt[WAITING]
    if with_cap:
        outer = min(1, len(side.cap) - 1)
        rings: list[list[Squadron]] = [[] for _ in side.cap]
        rings[0] += dealt[CENTER]
        rings[outer] += dealt[OUTER]
        side.cap = rings
    side.lost = [*(one for one in side.lost if not one.strength), *dealt[LOST]]
    _stow(state, side, dealt[DECK], dealt[BELOW], data.combat.deck.points, random)


def _stow(
    state: Midway, side: Side, spotted: Sequence[Squadron], below: Sequence[Squadron], room: int, random: Random
) -> None:
    """Fill one deck after the other, each squadron's own carrier first in the hangars."""
    afloat = {carrier.key: carrier for carrier in state.afloat(side)}
    decks: dict[str, list[Squadron]] = {key: [] for key in afloat}
    hangars: dict[str, list[Squadron]] = {key: [] for key in afloat}
    held_up = {one.home for one in side.waiting if one.returning}
    able = [carrier.key for carrier in state.working(side) if carrier.key not in held_up]
    crippled = [key for key, carrier in afloat.items() if state.crippled(carrier)]
    random.shuffle(able)
    order = [*able, *crippled]  # what was on deck when a carrier was crippled stays there
    waits: list[Squadron] = []
    for squadron in spotted:
        deck = next((key for key in order if total(decks[key]) + squadron.strength <= room), None)
        (waits if deck is None else decks[deck]).append(squadron)
    for squadron in (*waits, *below):
        home = squadron.home if squadron.home in afloat else random.choice([*afloat])
        hangars[home].append(squadron)
    for key, carrier in afloat.items():
        carrier.deck, carrier.hangar = decks[key], hangars[key]
