"""All figures of The Doolittle Raid: a typed struct for each file of its data folder."""

from __future__ import annotations

import msgspec

from readyroom.games.doolittle.figures.attack import Attack, Bombers, Hazards, Targets
from readyroom.games.doolittle.figures.ending import Debriefing, Denouement, Past, Scenario
from readyroom.games.doolittle.figures.flight import FlightHazards, FlightMap, Flying, Security
from readyroom.games.doolittle.figures.naval import Airstrike, Naval, Sea, SeaHazards, Ships
from readyroom.games.doolittle.figures.planning import (
    Embarkation,
    Incidents,
    ModificationFigures,
    Planning,
    TrainingFigures,
)


class Data(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True, dict=True):
    """All figures of the game; what is worked out of them is kept by which they are, for they never change."""

    bombers: Bombers
    security: Security
    targets: Targets
    hazards: Hazards
    attack: Attack
    flight: FlightMap
    flying: Flying
    flight_hazards: FlightHazards
    sea: Sea
    ships: Ships
    sea_hazards: SeaHazards
    naval: Naval
    airstrike: Airstrike
    planning: Planning
    modifications: ModificationFigures
    training: TrainingFigures
    embarkation: Embarkation
    incidents: Incidents
    denouement: Denouement
    debriefing: Debriefing
    history: Past
    scenarios: dict[str, Scenario]
