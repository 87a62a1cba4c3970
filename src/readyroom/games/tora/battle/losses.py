"""[3.1, 16.5] Losses: each hit is an aircraft; a unit without strength is lost."""

from __future__ import annotations

from readyroom.engine.text import agree
from readyroom.games.tora.battle.reach import Area
from readyroom.games.tora.figures import USA, Data, SideName
from readyroom.games.tora.state import AirUnit, PieceText, T, Tora


def wound(unit: AirUnit, hits: int) -> bool:
    """[3.1] Remove a strength point for each hit, unless that destroys the unit; return whether it does.

    So the board shows losses with the attack that caused them, but what is destroyed with its own line of the log.
    """
    if hits and hits >= unit.strength:
        return True
    unit.strength -= hits
    return False


def destroy(table: T, rule: str, unit: AirUnit) -> None:
    """[3.1] A unit loses its last strength points and is destroyed."""
    unit.strength = 0
    table.log_line(rule, "{} is destroyed.", PieceText((unit,), unit.name), target=unit)


def bury(table: T, side: SideName, area: Area) -> None:
    """[3.1] Remove units without strength from the air over an area."""
    over, lost = table.state.zones, table.state.side(side).lost
    for zone in area:
        units = over[zone].of(side)
        fallen = [unit for unit in units if not unit.strength]
        if fallen:
            lost += fallen
            units[:] = [unit for unit in units if unit.strength]


def japanese_losses(state: Tora, data: Data) -> int:
    """[14.5, 16.5] Count all Japanese aircraft lost, including those missing from units that still fly."""
    waiting = (unit for wave in state.japan.waves for unit in wave.units())
    left = (*state.japanese_aloft(), *waiting, *state.japan.carriers)
    return data.air.limits.japan_planes - sum(unit.strength for unit in left)


def american_losses(state: Tora, data: Data) -> int:
    """[3.1] Count all American aircraft lost."""
    flying = (unit for zone in state.zones.values() for unit in zone.usa)
    parked = (unit for field in state.usa.fields for unit in field.units())
    left = (*flying, *parked, *state.usa.pool)
    return sum(each.planes for each in data.air.of(USA)) - sum(unit.strength for unit in left)


def all_lost(table: T, rule: str) -> None:
    """[13.4] Remove all Japanese aircraft on the map as lost."""
    lost = list(table.state.japanese_aloft())
    table.state.japan.lost += lost
    for zone in table.state.zones.values():
        zone.japan[:] = []
    if lost:
        template = agree(len(lost), "{} runs out of fuel and is lost.", "{} run out of fuel and are lost.")
        table.log_line(rule, template, lost)
    for unit in lost:
        unit.strength = 0
