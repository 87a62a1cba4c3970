"""Ships at sea upon which planes are on their way, where each lies, and what is on the carriers' decks."""

from __future__ import annotations

from typing import Literal, cast

from tests.games.doolittle.helpers import raiders

from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.ships import HANGAR
from readyroom.games.doolittle.voyage.state import HOME, Recon, Strike

Spotted = Literal["recon", "task-force", "submarine", "group"]


def struck(
    phase: str = "strike-navy", spotted: str = "task-force", area: str = "defense-east", **spaces: str
) -> Doolittle:
    """An airstrike upon these ships in their spaces (`salt_lake_city="ahead"`), at sea with all bombers on deck."""
    state = raiders("carrier", phase, turn=5, ending="told")
    state.segment = "naval"
    sea = state.sea
    sea.area, sea.begun, sea.met = area, True, True
    sea.weather = dict.fromkeys(("defense", "influence", "midway", "japan"), "calm")
    for ship in sea.ships.values():
        ship.group = HOME
    for name, space in spaces.items():
        ship = sea.ships[name.replace("_", "-")]
        ship.group, ship.space = "", space
    state.strike = Strike(cast(Spotted, spotted))
    return state


def hangar(state: Doolittle, *squadrons: str, **places: str) -> list[Recon]:
    """These squadrons in the hangar of the Enterprise, or elsewhere (`vf6="high-cap"`)."""
    for key in squadrons:
        state.sea.recon[key].place = HANGAR
    for key, place in places.items():
        state.sea.recon[key].place = place
    return [state.sea.recon[key] for key in (*squadrons, *places)]


def hits(state: Doolittle) -> dict[str, str]:
    """The ships that are not whole any more."""
    ships = state.sea.ships.values()
    return {ship.key: "sunk" if ship.sunk else "damaged" for ship in ships if ship.sunk or ship.hits}
