"""Moving planes: section 10."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import agree
from readyroom.games.midway.search import search
from readyroom.games.midway.state import USA, Midway, Side, Squadron, T, by_seat, place_key, within, without
from readyroom.games.midway.strike import take_aim

FIRST_MOVE = 3
"""[M26] Squadrons launch in turn 2 at the earliest."""


def move(table: T, side: Side) -> Steps:
    """[10, 11.5] Aircraft on the circuit stay or advance one box; fighters in the last CAP ring land."""
    spent = side.cap[-1]
    if spent:  # 11.5: they land to refuel and rearm
        side.waiting = [*side.waiting, *spent]
        side.cap = [*side.cap[:-1], []]
        template = agree(len(spent), "{} leaves the CAP and waits to land.", "{} leave the CAP and wait to land.")
        table.log_line("11.5", template, spent, audience=side.seats, target=place_key(side.name, "waiting"))
    steps, afloat = _who_advances(table, side), table.state.afloat(side)
    if table.state.asks(side, FIRST_MOVE, afloat):
        steps = table.always_asks(afloat[0].seat, "10.2", "No squadron can advance.", steps)
    advancing = set((yield from steps))
    if not advancing:
        return
    home = within(side.home, advancing)
    forward = within(side.moving, advancing)
    aiming = within(side.ready, advancing)
    if aiming:
        yield from take_aim(table, side, aiming)
    if forward:
        yield from _go_forward(table, side, forward)
    if home:
        side.home = without(side.home, set(home))  # others may just have turned back into it
        side.waiting = [*side.waiting, *home]
        template = agree(
            len(home), "{} returns to the fleet and waits to land.", "{} return to the fleet and wait to land."
        )
        table.log_line("10.1", template, home, audience=side.seats, target=place_key(side.name, "waiting"))


def _who_advances(table: T, side: Side) -> Choice[list[Squadron]]:
    """[10.2, M2] Ask which squadrons advance; a side without a carrier afloat must advance all (M15).

    Under the slower reading (M2) bombers attack by a separate move; their escorts are gone (M20).
    """
    state = table.state
    aiming = [] if state.rulings.attack == "same-turn" else side.ready
    if state.gone(side):
        table.undo_blocked = True  # no question is asked, but the enemy sees what advances
        return [*aiming, *side.moving, *side.home]
    advancing: list[Squadron] = []
    for seat, squadrons in by_seat(side, [*aiming, *side.moving, *side.home]):
        advancing += yield from table.choose_some(
            seat,
            "10.2",
            "Which squadrons advance to the next box?",
            squadrons,
            select_all_default=True,
            text=partial(_with_next, state, side),
            assigns=partial(_next_place, side),
        )
    return advancing


def _with_next(state: Midway, side: Side, squadron: Squadron) -> str:
    if squadron in side.home:
        return f"{squadron} → Waiting"
    if squadron not in side.moving:
        return f"{squadron} → Attacking"
    return f"{squadron} → {'Ready' if state.found or side.name != USA else 'search'}"


def _next_place(side: Side, squadron: Squadron) -> tuple[str, str]:
    """Return the keys of a squadron and of its next box; those that are ready have yet to get their targets."""
    if squadron in side.ready:
        return squadron.key, ""
    return squadron.key, place_key(side.name, "waiting" if squadron in side.home else "ready")


def _go_forward(table: T, side: Side, forward: Sequence[Squadron]) -> Steps:
    """[10.1] From Moving to Ready to Attack; the Americans have to find the enemy first [17]."""
    if side.name == USA and not table.state.found:
        forward = yield from search(table, side, forward)
    if forward:
        side.moving = without(side.moving, set(forward))
        side.ready = [*side.ready, *forward]
        reach, enemy = agree(len(forward), "reaches", "reach"), table.state.enemy(side).adjective
        over = place_key(side.name, "ready")
        table.reveal("10.1", "{} {} the {} fleet, ready to attack.", forward, reach, enemy, target=over)
