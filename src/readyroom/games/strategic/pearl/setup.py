"""[PH] Setup from a scenario."""

from __future__ import annotations

from collections.abc import Mapping

from readyroom.engine.game import Scenario
from readyroom.games.strategic.pearl.state import Aircraft, Force, Raid, RaidState, Ship, Squadron
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.raid_opening import RaidOpening
from readyroom.games.strategic.tables.setup import BEFORE, rulings


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> RaidState:
    """[PH] Return the state before war is declared."""
    opening: RaidOpening = scenario.content
    striking, size = opening.striking, opening.carriers.size
    raid = Raid(
        opening=opening,
        ships=[Ship(ship.key, ship.name, ship.size) for ship in opening.harbor.ship],
        forces=[
            Force(
                force.key, force.name, [Ship(one.key, one.name, size, True) for one in force.carrier], force.squadrons
            )
            for force in opening.force
        ],
        carriers=[Ship(one.key, one.name, size, True) for one in striking.carrier],
        army=Aircraft(opening.airfields.army),
        naval=Aircraft(opening.airfields.naval),
        light=opening.harbor.light,
        aboard=[
            Squadron(f"{one.key}-{number}", one.key)
            for one in striking.carrier
            for number in range(1, striking.squadrons + 1)
        ],
    )
    return RaidState(at=BEFORE, rulings=rulings(options), played=raid)
