"""Numbers that describe a battle: of the whole state, and of what a seat sees and remembers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from readyroom.engine.game import MatchView
from readyroom.games.midway.damage import score
from readyroom.games.midway.sequence import STEPS
from readyroom.games.midway.state import FIGHTER, JAPAN, Data, Midway, Side, Squadron
from readyroom.games.midway.view import MidwayView, SideView, SquadronView

KEYS = tuple(key for key, *_ in STEPS)
FEW, LONG = 6, 10
"""A lead in points, and a number of turns, beyond which more makes no difference."""


class Wave(msgspec.Struct, frozen=True):
    """A raid on the own fleet: its turn (0: none yet), its points, and the bombers that were left after the CAP."""

    turn: int = 0
    bombers: int = 0
    escorts: int = 0
    left: int = 0
    aiming: bool = True


class Memory(msgspec.Struct, frozen=True):
    """What a seat remembers: raids on its fleet, and the enemy CAP when it was last seen, in points.

    Attributes:
        waves: the last two raids, the latest first.
        over: the enemy bombers over each own carrier, and under an empty key the bombers that are ready.
        escorts: the enemy fighters that are ready.
        cap_turn, cap, spent, most: when the CAP was last seen; what could attack, and what could only land; the
            strongest that was seen.
        bombers_lost, escorts_lost, cap_lost: what was seen to be shot down.
    """

    waves: tuple[Wave, Wave] = (Wave(), Wave())
    over: Mapping[str, int] = {}
    escorts: int = 0
    cap_turn: int = 0
    cap: int = 0
    spent: int = 0
    most: int = 0
    bombers_lost: int = 0
    escorts_lost: int = 0
    cap_lost: int = 0


def remember(memory: Memory | None, view: MatchView[MidwayView]) -> Memory:
    """Return a seat's memory after a view."""
    memory, enemy = memory or Memory(), enemy_of(view)
    if enemy.boxes.ready or enemy.boxes.attacking or memory.over:
        memory = _with_raid(memory, view.turn, enemy)
    if enemy.cap is not None:
        memory = _with_cap(memory, view.turn, enemy.cap)
    return memory


def _with_raid(memory: Memory, turn: int, enemy: SideView) -> Memory:
    """Return the memory with what is over the own fleet now, and what was shot down since."""
    escorts, ready = split(enemy.boxes.ready)
    over = {target: split(wave)[1] for target, wave in enemy.boxes.attacking.items()}
    if ready:
        over[""] = ready
    bombers_lost, escorts_lost = memory.bombers_lost, memory.escorts_lost
    before = {target: points for target, points in memory.over.items() if target}
    if memory.waves[0].turn == turn and before.keys() <= over.keys():
        bombers_lost += max(0, sum(memory.over.values()) - sum(over.values()))
        escorts_lost += max(0, memory.escorts - escorts) if not over.keys() - {""} else 0
    else:  # survivors of an attack have left
        bombers_lost += sum(max(0, points - over[target]) for target, points in before.items() if target in over)
    waves = _seen(memory.waves, turn, enemy) if over or escorts else memory.waves
    return msgspec.structs.replace(
        memory, waves=waves, over=over, escorts=escorts, bombers_lost=bombers_lost, escorts_lost=escorts_lost
    )


def _with_cap(memory: Memory, turn: int, rings: Sequence[Sequence[SquadronView]]) -> Memory:
    """Return the memory with the enemy CAP as it is now, and what was shot down since; spent fighters may land."""
    able, spent = sum(map(points, rings[:-1])), points(rings[-1])
    lost = max(0, memory.cap + min(memory.spent, spent) - able - spent) if memory.cap_turn == turn else 0
    return msgspec.structs.replace(
        memory,
        cap_turn=turn,
        cap=able,
        spent=spent,
        most=max(memory.most, able + spent),
        cap_lost=memory.cap_lost + lost,
    )


def _seen(waves: tuple[Wave, Wave], turn: int, enemy: SideView) -> tuple[Wave, Wave]:
    """Return the last two raids, the latest first, with what is over the own fleet now."""
    over = [*enemy.boxes.ready, *(one for wave in enemy.boxes.attacking.values() for one in wave)]
    escorts, bombers = split(over)
    last, before = waves if waves[0].turn == turn else (Wave(turn), waves[0])
    aiming = last.aiming and not enemy.boxes.attacking
    left = bombers if last.aiming else last.left
    return Wave(turn, max(last.bombers, bombers), max(last.escorts, escorts), left, aiming), before


def own_of(view: MatchView[MidwayView]) -> SideView:
    """Return the side of the viewer."""
    return next(side for side in view.table.sides.values() if side.own)


def enemy_of(view: MatchView[MidwayView]) -> SideView:
    """Return the other side."""
    return next(side for side in view.table.sides.values() if not side.own)


def points(squadrons: Iterable[SquadronView | Squadron]) -> int:
    """Return the total strength."""
    return sum(one.strength for one in squadrons)


def split(squadrons: Iterable[SquadronView | Squadron]) -> tuple[int, int]:
    """Return the points of fighters and of bombers."""
    fighters = bombers = 0
    for one in squadrons:
        if one.kind == FIGHTER:
            fighters += one.strength
        else:
            bombers += one.strength
    return fighters, bombers


def _phase(phase: str, turn: int, last: int) -> list[float]:
    """Return which step of the turn it is, whose, the turn, and how many are left."""
    name, _, key = phase.partition("-")
    return [*(float(key == each) for each in KEYS), float(name == JAPAN), min(turn, LONG), min(last - turn, LONG)]


def _lead(points: int, wins: int) -> list[float]:
    return [max(-FEW, min(FEW, points)), float(points >= wins) - float(points <= -wins)]


# -- the whole state -------------------------------------------------------------------------------------------------


def of_state(state: Midway, data: Data) -> list[float]:
    """Return the numbers of the whole state."""
    japan, usa = (_fleet(state, side) for side in (state.japan, state.usa))
    lead = score(state, data, state.japan) - score(state, data, state.usa)
    return [
        *_phase(state.at.phase, state.at.turn, state.rulings.turn_limit),
        *_lead(lead, data.combat.victory.lead),
        float(state.found),
        *japan,
        *usa,
        *_threats(japan, usa),
        *_threats(usa, japan),
    ]


def _fleet(state: Midway, side: Side) -> list[float]:
    """Return the carriers of a side, and its points in each place: fighters and bombers."""
    carriers = side.carriers
    working, afloat = state.working(side), state.afloat(side)
    decks = [one for carrier in carriers for one in carrier.deck]
    below = [one for carrier in carriers for one in carrier.hangar]
    over = [one for wave in side.attacking.values() for one in wave]
    places = (decks, below, side.moving, side.ready, over, side.home, side.waiting)
    return [
        len(working),
        len(afloat) - len(working),
        len(carriers) - len(afloat),
        sum(carrier.damage for carrier in afloat),
        sum(not carrier.deck for carrier in working),
        sum(map(points, side.cap[:-1])),
        points(side.cap[-1]),
        *(number for place in places for number in split(place)),
    ]


CAP, DECKS, OUT, READY, OVER = 5, 8, 12, 14, 16
"""Where in the numbers of a fleet those are: the CAP, and the bombers on deck, moving, ready and attacking."""


def _threats(own: Sequence[float], enemy: Sequence[float]) -> list[float]:
    """Return products: strikes that are under way, and what they meet."""
    moving, strike = own[OUT], own[READY] + own[OVER]
    decks, cap, loaded = own[DECKS], enemy[CAP], enemy[DECKS]
    return [
        moving * cap / 100,
        moving * loaded / 100,
        strike * enemy[0],
        own[READY] * cap / 100,
        own[OVER] * enemy[3] / 10,
        decks * cap / 100,
    ]


# -- what a seat knows -----------------------------------------------------------------------------------------------


def of_seat(view: MatchView[MidwayView], memory: Any) -> list[float]:
    """Return the numbers that a seat knows."""
    own, enemy, seen = own_of(view), enemy_of(view), memory or Memory()
    assert isinstance(seen, Memory)
    table = view.table
    mine, theirs = (
        sum(table.score[name] for name, side in table.sides.items() if side.own == is_own) for is_own in (True, False)
    )
    return [
        *_phase(view.phase, view.turn, table.rulings.turn_limit),
        *_lead(mine - theirs, table.figures.lead),
        float(bool(table.found)),
        *_carriers(own),
        *_own_places(own),
        *_carriers(enemy),
        *split(enemy.boxes.ready),
        *split(one for wave in enemy.boxes.attacking.values() for one in wave),
        *(number for wave in seen.waves for number in _wave(wave, view.turn)),
        float(enemy.cap is not None),
        _since(seen.cap_turn, view.turn),
        seen.cap,
        seen.spent,
        seen.most,
        seen.bombers_lost,
        seen.escorts_lost,
        seen.cap_lost,
    ]


def _carriers(side: SideView) -> list[float]:
    status = [carrier.status for carrier in side.carriers]
    damage = sum(carrier.damage for carrier in side.carriers if carrier.status != "sunk")
    return [status.count("working"), status.count("crippled"), status.count("sunk"), damage]


def _own_places(side: SideView) -> list[float]:
    boxes, cap = side.boxes, side.cap or [[]]
    decks = [one for carrier in side.carriers for one in carrier.deck or ()]
    below = [one for carrier in side.carriers for one in carrier.hangar or ()]
    over = [one for wave in boxes.attacking.values() for one in wave]
    places = (decks, below, boxes.moving or (), boxes.ready, over, boxes.home or (), boxes.waiting or ())
    return [sum(map(points, cap[:-1])), points(cap[-1]), *(number for place in places for number in split(place))]


def _wave(wave: Wave, turn: int) -> list[float]:
    return [_since(wave.turn, turn), wave.bombers, wave.escorts, wave.left]


def _since(turn: int, now: int) -> float:
    """Return how many turns ago something was, at most `LONG`, also if it has not been."""
    return min(now - turn, LONG) if turn else LONG
