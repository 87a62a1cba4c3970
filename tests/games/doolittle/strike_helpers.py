"""Helpers for airstrikes: ships at sea under attack, their positions, and the planes on the carriers."""

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
    """Return an airstrike on these ships (`salt_lake_city="ahead"`), at sea with all bombers on deck."""
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
    """Place these squadrons in the Enterprise's hangar or elsewhere (`vf6="high-cap"`)."""
    for key in squadrons:
        state.sea.recon[key].place = HANGAR
    for key, place in places.items():
        state.sea.recon[key].place = place
    return [state.sea.recon[key] for key in (*squadrons, *places)]


def hits(state: Doolittle) -> dict[str, str]:
    """Return the damaged ships."""
    ships = state.sea.ships.values()
    return {ship.key: "sunk" if ship.sunk else "damaged" for ship in ships if ship.sunk or ship.hits}
