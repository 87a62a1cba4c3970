"""[2, 8.2, 16.4] The sequence of play: planning, the day, and the turns of the attack."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

from readyroom.engine.game import Phase, PhaseGroup
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import Steps
from readyroom.games.tora.battle.bombing import bomb, take_aim
from readyroom.games.tora.battle.day import set_day
from readyroom.games.tora.battle.dogfight import fight, pair_off
from readyroom.games.tora.battle.flying import arrive, launch, move
from readyroom.games.tora.battle.guns import assign_targets, shoot
from readyroom.games.tora.battle.outcome import end_of_turn
from readyroom.games.tora.battle.reach import areas, flying
from readyroom.games.tora.battle.reaction import begin_turn, hides_reaction, may_react
from readyroom.games.tora.battle.ships import sail
from readyroom.games.tora.figures import JAPAN, SIDE_ADJECTIVES, SIDE_TITLES, USA, Data, SideName
from readyroom.games.tora.plans.phase import plan, revise
from readyroom.games.tora.setup import BEFORE
from readyroom.games.tora.state import T, Tora

RINGS = (1, 2, 3)
"""[16.4] The order in which the rings are played: from the inside out."""
Rule = Callable[..., Steps]


def japan_attacks(table: T, ring: int) -> Steps:
    """[8.3, 10.2, 11] In each zone declare all Japanese attacks, air combat first; then roll the dice."""
    for area in areas(table, ring):
        if flying(table.state, JAPAN, area):
            pairs, strafing = yield from pair_off(table, JAPAN, area)
            bombs = yield from take_aim(table, area, strafing)
            fight(table, JAPAN, area, pairs)
            bomb(table, area, [*strafing, *bombs])


def america_attacks(table: T, ring: int) -> Steps:
    """[8.2, 10.2, 12.1] In each zone choose the targets of fighters and guns; then roll the dice (T32)."""
    for area in areas(table, ring):
        if flying(table.state, JAPAN, area):
            pairs = (yield from pair_off(table, USA, area))[0] if may_react(table, "airfield") else []
            shots = yield from assign_targets(table, area)
            fight(table, USA, area, pairs)
            shoot(table, area, shots)


def america_moves(table: T, ring: int) -> Steps:
    """[8.3, 8.4, 8.5] American fighters of a ring move, fields launch, ships get under way."""
    yield from move(table, USA, ring)
    yield from launch(table, ring)
    yield from sail(table, ring)
    if ring == RINGS[-1] and hides_reaction(table):
        yield from table.ask_to_continue(table.state.usa.commander, "8.2", "Your half turn ends.")


HALVES: list[tuple[SideName, str, str, str, Rule]] = [
    (JAPAN, "attack", "attacks {}", "10", japan_attacks),
    (JAPAN, "move", "movement {}", "8.3", lambda table, ring: move(table, JAPAN, ring)),
    (USA, "attack", "defense {}", "12", america_attacks),
    (USA, "move", "movement {}", "8.3", america_moves),
]
"""[8.2] What each side does in each ring; Japan does all of its half first."""
OVER = {1: "over the harbor", 2: "over land", 3: "over the sea"}
"""Where each ring is."""


HALF_TURNS = {side: PhaseGroup(f"{side}-half", f"{SIDE_ADJECTIVES[side]} half turn") for side in (JAPAN, USA)}
"""[8.2] What the enemy sees of a half turn: the next ring would show what may not act."""


def _half(side: SideName) -> list[Phase[Tora, Data]]:
    """[16.4] Combat, then movement, ring by ring."""
    return [
        Phase(
            f"{side}-{name}-{ring}",
            f"{SIDE_TITLES[side]}: {title.format(OVER[ring])}",
            number,
            partial(rule, ring=ring),
            HALF_TURNS[side],
        )
        for ring in RINGS
        for whose, name, title, number, rule in HALVES
        if whose == side
    ]


PLAN: Phase[Tora, Data] = Phase("plan", "secret planning", "5", plan)
REVISE: Phase[Tora, Data] = Phase("revise", "final plan change", "15.1", revise)
DAY: Phase[Tora, Data] = Phase("day", "the day of the attack", "8.1", set_day)
ALERT: Phase[Tora, Data] = Phase("alert", "the alert", "5.4", begin_turn)
ARRIVE: Phase[Tora, Data] = Phase("arrive", "waves enter", "7.3", arrive, HALF_TURNS[JAPAN])
END: Phase[Tora, Data] = Phase("end", "end of the turn", "13.3", end_of_turn)
TURN = [ALERT, *_half(JAPAN), ARRIVE, *_half(USA), END]
"""[8.2] A turn of the attack; aircraft that return make room for the next wave (T6)."""
PHASES = [PLAN, REVISE, DAY, *TURN]
"""[2] All phases; the planning is turn 0."""

_AFTER = {before.name: after.name for before, after in pairwise(TURN)}


def next_phase(state: Tora) -> At | Outcome:
    """[2, 8.1, 8.2] Return the following phase; plans given by the scenario are not made again."""
    turn, phase = state.at.turn, state.at.phase
    if phase == BEFORE:
        return At(0, DAY.name if state.planned() else PLAN.name)
    if phase == PLAN.name:
        return At(0, REVISE.name if state.rulings.revise != "no" else DAY.name)
    if phase == REVISE.name:
        return At(0, DAY.name)
    after = _AFTER.get(phase)
    return At(turn + 1, ALERT.name) if after is None else At(turn, after)
