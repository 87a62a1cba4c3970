"""[7.2, 7.3, 16.3] Waves: units that may fly, arming, and detection of the first wave."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from readyroom.engine.rules.cups import Cup
from readyroom.games.tora.plans.data import THIRD, AmericanPlan, Group, WaveOrder
from readyroom.games.tora.state import AirUnit, Nippon, T, Tora, Wave, quadrant


def may_fly(unit: AirUnit, number: int, turn: int, rearm: int) -> bool:
    """[7.3, 16.3] Return whether a unit may fly in a wave: unflown, or from wave 1 for wave 3.

    Recovered aircraft need turns to rearm (T6).
    """
    rearmed = number == THIRD and unit.wave == 1 and unit.recovered > 0 and turn - unit.recovered >= rearm
    return unit.wave == 0 or rearmed


def ready_for(state: Tora, number: int) -> list[AirUnit]:
    """[7.3] Return the units that may fly in a wave now, unflown ones first, then the strongest."""
    rearm, turn = state.rulings.rearm, state.at.turn
    able = [unit for unit in state.japan.carriers if may_fly(unit, number, turn, rearm)]
    return sorted(able, key=lambda unit: (unit.wave, -unit.strength))


def drawn_up(state: Tora, number: int) -> list[tuple[Group, list[AirUnit]]]:
    """[7.3] Return the units that would fly in each group of a wave; fewer where units lack."""
    able, groups = ready_for(state, number), []
    for group in order_of(state.japan, number).group:
        taken = [unit for unit in able if unit.type == group.type][: group.units]
        able = [unit for unit in able if unit not in taken]
        groups.append((group, taken))
    return groups


def form_wave(state: Tora, number: int, flying: Collection[AirUnit] | None = None) -> Wave:
    """[7.3, 7.4] Take a wave's units off the carriers and arm them as planned: all, or those given.

    The wave joins the end of those ready to enter.
    """
    japan = state.japan
    wave = Wave(number, order_of(japan, number).turn)
    for group, taken in drawn_up(state, number):
        units = [unit for unit in taken if flying is None or unit in flying]
        for unit in units:
            unit.ordnance, unit.wave = group.ordnance, number
        if units:
            wave.sectors.setdefault(group.sector, []).extend(units)
    gone = set(wave.units())
    japan.carriers = [unit for unit in japan.carriers if unit not in gone]
    japan.waves.append(wave)
    return wave


def deal_loads(table: T, wave: Wave) -> None:
    """[7.4] Draw which units of a type and sector carry which ordnance, so that unit numbers reveal nothing."""
    for sector, units in wave.sectors.items():
        for type_ in dict.fromkeys(unit.type for unit in units):
            same_type = [unit for unit in units if unit.type == type_]
            loads = [unit.ordnance for unit in same_type]
            if len(set(loads)) > 1:
                hidden = Cup(same_type)
                for load in loads:
                    table.draw(hidden, "7.4", f"wave-{wave.number}-{sector}-{type_}").ordnance = load


def order_of(japan: Nippon, number: int) -> WaveOrder:
    """[7.3] Return the planned order of a wave, counted from 1."""
    assert japan.plan is not None
    return japan.plan.wave[number - 1]


def detected_quadrants(plan: AmericanPlan, day: int, radar_works: bool, sectors: Iterable[str]) -> set[str]:
    """[5.3, 5.8, 5.9] Return the quadrants searched that day in which the first wave comes (T3)."""
    searched = {plan.patrol[day - 1]} | ({plan.radar[day - 1]} if radar_works else set())
    return searched & {quadrant(sector) for sector in sectors}
