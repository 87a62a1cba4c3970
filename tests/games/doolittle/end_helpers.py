"""Helpers for the denouement: bombers and crews on the ground, ships heading home, fixed dice."""

from __future__ import annotations

from typing import Any

from tests.games.doolittle.helpers import raiders

from readyroom.engine.rules.cups import Cup
from readyroom.games.doolittle.denouement.state import DenouementState
from readyroom.games.doolittle.pieces import Bomber, Crew, EliteMan
from readyroom.games.doolittle.planning.state import Blotter
from readyroom.games.doolittle.state import Doolittle

DOOLITTLE, DOCTOR, COPILOT, ENGINEER = "re-roll", "medic", "repair", "fuel-conservation"


def over(phase: str = "landing", *, alert: int = 0, **options: Any) -> Doolittle:
    """Return scenario 7 after its last flight, in this phase."""
    state = raiders("early", phase, ending="told", **options)
    state.sky.flights.clear()
    state.squad.clear()
    state.security.alert = alert
    state.ending, state.segment, state.agenda = DenouementState(), "denouement", []
    return state


def planned(*chits: str) -> Blotter:
    """Return the blotter of a campaign with these incidents drawn."""
    return Blotter({}, Cup([]), chits=list(chits))


def standing(state: Doolittle, key: str, site: str, **fields: Any) -> Bomber:
    """Return a bomber that has landed at a site; place its crew with `crew`."""
    state.squad[key] = Bomber(key=key, fate="landed", where=site, loaded=False, **fields)
    return state.squad[key]


def crew(state: Doolittle, key: str, where: str, *elites: str, fit: bool = True) -> Crew:
    """Return a crew on the ground, with elite crewmen by key."""
    crew = Crew(key, where, fit, [EliteMan(key=one) for one in elites])
    state.crews.append(crew)
    state.squad.setdefault(key, Bomber(key=key, fate="crashed", where=where))
    return crew


def fates(state: Doolittle) -> dict[str, str]:
    """Return the fate of each crew."""
    return {one.key: one.fate for one in state.crews}
