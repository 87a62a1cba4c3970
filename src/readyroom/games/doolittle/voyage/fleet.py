"""[9.0, 10.0, 12.1.1] Ships, recon and submarines as they are put up; where patrols are; the turns of April."""

from __future__ import annotations

from readyroom.games.doolittle.figures.common import Weather
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.names import sentence
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage.formation import settle, usual
from readyroom.games.doolittle.voyage.ships import FORCE, HANGAR, aboard, afloat, card_of, recon_card
from readyroom.games.doolittle.voyage.state import AWAY, GONE, Recon, Ship, Submarine, Voyage

TASK_FORCE = "task-force"
PORT = "port"
"""[DR52] The weather of the port, which is no sea area."""
FIRST_FORCE = "TF-18"


def put_up(data: Data) -> Voyage:
    """[10.0] The empty naval map."""
    return Voyage(
        ships={card.key: Ship(key=card.key) for card in data.ships.fleet.ship},
        recon={card.key: Recon(key=card.key) for card in data.ships.recon.marker},
        submarines={card.key: Submarine(key=card.key) for card in data.ships.submarines.submarine},
        signals={area: [] for area in data.sea.order},
    )


def homeward(data: Data, area: str) -> Voyage:
    """[DR110] Both forces as they sail home from a launch that no one has played: fueled, and unhurt."""
    sea = put_up(data)
    sea.area, sea.met, sea.begun, sea.over = area, True, True, True
    ships = list(sea.ships.values())
    for ship in ships:
        ship.group = ""
    settle(ships, usual(data, ships))
    for recon in sea.recon.values():
        recon.place = HANGAR
    return sea


def sail(table: T) -> None:
    """[9.2, 12.1, 13.5.1] The force is in San Francisco as planned, fueled; submarines wait outside."""
    state, sea = table.state, table.state.sea
    sea.begun = True
    for ship in sea.ships.values():
        if card_of(table.data, ship).force == FIRST_FORCE:
            ship.group = ""
    for recon in sea.recon.values():
        if not recon_card(table.data, recon).after_rendezvous:
            recon.place = HANGAR
    for key, area in state.orders.submarines.items():
        sea.submarines[key].area = area
    settle(afloat(state), usual(table.data, afloat(state)))
    table.log_line("12.0", "The Hornet is in San Francisco with bombers on her deck: {}.", len(aboard(state)))


def area_name(data: Data, area: str) -> str:
    """A sea area by its name."""
    return data.sea.area[area].name if area else "San Francisco"


def turn_name(data: Data, turn: int) -> str:
    """[9.2] The days of a naval turn."""
    return data.sea.turns.turn[turn - 1]


def last_turn(data: Data) -> int:
    """[9.2] The last naval turn."""
    return len(data.sea.turns.turn)


def box_of(data: Data, area: str) -> str:
    """[9.3] The weather box of an area, or the port's."""
    return data.sea.area[area].box if area else PORT


def weather_at(state: Doolittle, data: Data, area: str) -> Weather | None:
    """[9.3] The weather of an area, if it is known."""
    return state.sea.weather.get(box_of(data, area))


def weather_here(table: T) -> Weather:
    """[9.3, 12.2] The weather over the force, which is known from the weather phase on."""
    result = weather_at(table.state, table.data, table.state.sea.area)
    assert result is not None
    return result


def following_area(data: Data, area: str) -> str:
    """[9.1] The area one nearer to Japan; none beyond the last."""
    order = data.sea.order
    at = order.index(area) + 1 if area else 0
    return order[at] if at < len(order) else ""


def recon_area(state: Doolittle, recon: Recon) -> str:
    """[12.1.1, DR50] The sea area in which a recon is; none on the layout."""
    sea = state.sea
    if recon.place == FORCE:
        return sea.area
    return recon.place if recon.place in sea.signals else ""


def patrols(state: Doolittle, area: str) -> list[str]:
    """[12.6.2] The patrols of an area: the force, recon out there, and submarines in contact."""
    sea = state.sea
    patrols = [TASK_FORCE] if sea.area == area else []
    patrols += [recon.key for recon in sea.recon.values() if recon_area(state, recon) == area]
    return patrols + [boat.key for boat in sea.submarines.values() if in_contact(state, boat.key) and boat.area == area]


def in_contact(state: Doolittle, key: str) -> bool:
    """[12.1.3] Whether a submarine is there, and in contact."""
    boat = state.sea.submarines[key]
    return boat.contact and not boat.lost


def recon_in_use(state: Doolittle) -> list[Recon]:
    """[10.2] The recon markers that have joined and have not left the game."""
    return [recon for recon in state.sea.recon.values() if recon.place not in (AWAY, GONE)]


def patrol_name(data: Data, key: str) -> str:
    """A patrol in words."""
    recon = {card.key: card.name for card in data.ships.recon.marker}
    boats = {card.key: f"the {card.name}" for card in data.ships.submarines.submarine}
    return recon.get(key) or boats.get(key) or "the task force"


def opening(data: Data, key: str) -> str:
    """A patrol in words at the head of a sentence."""
    return sentence(patrol_name(data, key))
