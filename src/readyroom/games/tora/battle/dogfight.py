"""[10] Attacks in the air: all pairs of a zone first, then the dice of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from readyroom.engine.rules.checks import Volley
from readyroom.engine.rules.decisions import OptionInfo, Unavailable
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import agree
from readyroom.games.tora.battle.bombing import Attack, stack_hint, who_attacks
from readyroom.games.tora.battle.losses import bury, destroy, wound
from readyroom.games.tora.battle.reach import (
    Area,
    Formation,
    flying,
    formations,
    is_fighter,
    parked,
    titled,
    where_parked,
    without,
)
from readyroom.games.tora.figures import JAPAN, USA, SideName
from readyroom.games.tora.odds import chance, expected, in_the_air
from readyroom.games.tora.plans.data import Ordnance
from readyroom.games.tora.state import AirUnit, PieceText, T, seat_of


class Pair(NamedTuple):
    """[10.2] A fighter unit and the air unit that it attacks."""

    fighter: AirUnit
    target: AirUnit


def pair_off(table: T, side: SideName, area: Area) -> Choice[tuple[list[Pair], list[Attack]]]:
    """[10.2, 11.7] Choose the targets of fighters over an area: aircraft in the air and, for Zeros, parked ones.

    A unit or stack is attacked once in a half turn (T19, T12), so no two groups choose the same target.
    """
    state = table.state
    aloft = flying(state, USA if side == JAPAN else JAPAN, area)
    stacks = {stack[-1]: stack for stack in parked(state.usa, area)} if side == JAPAN else {}
    free, pairs, strafing = [*aloft, *stacks], list[Pair](), list[Attack]()
    for formation in (formation for zone in area for formation in formations(state, side, zone)):
        if free and is_fighter(table.data, formation.units[0]):
            chosen = yield from _targets(table, side, formation, free, without([*aloft, *stacks], free))
            units = yield from who_attacks(table, side, formation, len(chosen))
            free = without(free, chosen)
            for unit, target in zip(units, chosen, strict=True):
                if target in stacks:
                    strafing.append(Attack(unit, target, Ordnance.NONE))
                else:
                    pairs.append(Pair(unit, target))
    return pairs, strafing


def _targets(
    table: T, side: SideName, formation: Formation, free: list[AirUnit], taken: list[AirUnit]
) -> Choice[list[AirUnit]]:
    """[10.2] Ask one question for fighters of a type: each takes one target, the rest hold (T31)."""
    count = len(formation.units)
    asked = f"which {agree(count, 'unit does it', 'units do they')} attack?{formation.order}"
    chosen: list[AirUnit] = yield from table.choose_some(
        seat_of(table.state.side(side), formation.zone),
        "10.2",
        f"{formation} ({formation.strengths}): {asked}",
        free,
        at_most=count,
        text=lambda unit: titled(table.state.usa, unit),
        info=_hints(table, formation.units[0]),
        unavailable=lambda: [
            Unavailable(unit.key, str(unit), "10.2", f"{unit} is already a target this turn.") for unit in taken
        ],
        piece_key=f"attack:{formation.key}",
    )
    return chosen


def _hints(table: T, fighter: AirUnit) -> Callable[[AirUnit], OptionInfo]:
    """Return a function that describes the strongest fighter's odds and the return fire [10.3, 10.5]."""
    data, fire = table.data, in_the_air(table.data, fighter.type)

    def hint(target: AirUnit) -> OptionInfo:
        parking = where_parked(table.state.usa, target)
        if parking is not None:
            return stack_hint(table, fighter, parking[1])
        back = "no return fire"
        if is_fighter(data, target):
            answer = expected(target.strength, in_the_air(data, target.type))
            back = f"return fire: {target.strength} dice, {answer:.1f} expected hits"
        hits = expected(fighter.strength, fire)
        note = f"{fighter.strength} dice, {hits:.1f} expected hits; {back}; shot down"
        return OptionInfo(note, float(chance(fighter.strength, fire, target.strength)))

    return hint


def fight(table: T, side: SideName, area: Area, pairs: list[Pair]) -> None:
    """[10.3, 10.4, 10.5] Both fighters of a pair roll before either takes losses; bombers do not roll."""
    if not pairs:
        return
    data, turn = table.data, table.state.at.turn
    for fighter, target in pairs:
        fighter.acted = turn
        shots = table.roll(_volley(table, fighter), fighter.key)
        both = PieceText.of(fighter), PieceText.of(target)
        if not is_fighter(data, target):
            template = "{} attacks {}: {}." if shots.hits else "{} attacks {} and misses."
            destroyed = wound(target, shots.hits)
            table.log_line("10.5", template, *both, shots, target=target)
            if destroyed:
                destroy(table, "10.5", target)
            continue
        answer = table.roll(_volley(table, target), target.key)
        fallen = [unit for unit, hits in ((target, shots.hits), (fighter, answer.hits)) if wound(unit, hits)]
        table.log_line("10.3", "{} fights {}: {}, and {} in return.", *both, shots, answer, target=target)
        for unit in fallen:
            destroy(table, "10.3", unit)
    bury(table, JAPAN, area)
    bury(table, USA, area)


def _volley(table: T, unit: AirUnit) -> Volley:
    """[10.3] One die for each strength point."""
    return Volley("10.3", unit.name, unit.strength, in_the_air(table.data, unit.type))
