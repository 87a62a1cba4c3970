"""A raid that is over: bombers and crews in China and elsewhere, ships on their way home, loaded dice."""

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
    """Scenario 7 played to the end, with no one in the air, in this phase."""
    state = raiders("early", phase, ending="told", **options)
    state.sky.flights.clear()
    state.squad.clear()
    state.security.alert = alert
    state.ending, state.segment, state.agenda = DenouementState(), "denouement", []
    return state


def planned(*chits: str) -> Blotter:
    """The blotter of a campaign, with these incidents drawn."""
    return Blotter({}, Cup([]), chits=list(chits))


def standing(state: Doolittle, key: str, site: str, **fields: Any) -> Bomber:
    """A bomber that has landed at a site; its crew has to be put there by `crew`."""
    state.squad[key] = Bomber(key=key, fate="landed", where=site, loaded=False, **fields)
    return state.squad[key]


def crew(state: Doolittle, key: str, where: str, *elites: str, fit: bool = True) -> Crew:
    """A crew on the ground, with elite crewmen by their keys."""
    crew = Crew(key, where, fit, [EliteMan(key=one) for one in elites])
    state.crews.append(crew)
    state.squad.setdefault(key, Bomber(key=key, fate="crashed", where=where))
    return crew


def fates(state: Doolittle) -> dict[str, str]:
    """What became of each crew."""
    return {one.key: one.fate for one in state.crews}
