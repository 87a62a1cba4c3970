"""[9.0, 10.0, 12.1.1] Ships, recon, submarines and sea areas: who is afloat, slow or hit, and where patrols are.

`hit_ship`, `sink_ship` and `lose_submarine` also update the facts that the debriefing counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.bombers import clear_hazards
from readyroom.games.doolittle.figures.common import Weather
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.naval import ReconCard, ShipCard, ShipType
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage.state import AWAY, GONE, Recon, Ship

CARRIER: ShipType = "CV"
CRUISER: ShipType = "CA"
OILER: ShipType = "AO"
DESTROYER: ShipType = "DD"
HANGAR, LOCAL, LOW_CAP, HIGH_CAP, FORCE = "hangar", "local", "low-cap", "high-cap", "force"
"""[9.5.2, 12.1.1] The boxes of recon on the layout, and the force's own sea area."""


def card_of(data: Data, ship: Ship) -> ShipCard:
    """[10.1] Return the figures of a ship."""
    return data.ships.cards[ship.key]


def recon_card(data: Data, recon: Recon) -> ReconCard:
    """[10.2] Return the figures of a recon marker."""
    return next(one for one in data.ships.recon.marker if one.key == recon.key)


def ships_afloat(state: Doolittle, group: str = "", *, space: str = "") -> list[Ship]:
    """[10.1] Return the ships of the force that are afloat, or those of a detached group; all, or those in a space."""
    return [
        ship
        for ship in state.sea.ships.values()
        if ship.group == group and not ship.sunk and (not space or ship.space == space)
    ]


def of_type(table: T, *types: ShipType, group: str = "") -> list[Ship]:
    """[10.1] Return the ships of these types in the force, or in a detached group."""
    return [ship for ship in ships_afloat(table.state, group) if card_of(table.data, ship).type in types]


def undamaged(ships: Sequence[Ship]) -> list[Ship]:
    """[10.1.1] Return those of these ships that are not damaged."""
    return [ship for ship in ships if not ship.hits]


def ship_name(table: T, ship: Ship) -> str:
    """Return a ship by her name."""
    return card_of(table.data, ship).name


def named(table: T, ship: Ship) -> KeyedText:
    """Return a ship by her name for the log, with her key."""
    return KeyedText(ship_name(table, ship), ship.key)


def condition_info(table: T, ship: Ship) -> OptionInfo:
    """[10.1] Return a ship's type, and whether she is damaged, as option info."""
    return OptionInfo(f"{card_of(table.data, ship).type}{', damaged' if ship.hits else ''}")


def ship_options(
    table: T, prefix: str, ships: Sequence[Ship], info: Callable[[T, Ship], OptionInfo | None] = condition_info
) -> list[Option]:
    """[10.1] Return an option for each ship by her name; the key is the ship's, after the prefix."""
    return [Option(f"{prefix}-{ship.key}", ship_name(table, ship), ship, info(table, ship)) for ship in ships]


def is_distressed(ship: Ship) -> bool:
    """[12.6.6.F] Return whether a ship is in mechanical distress."""
    return bool(ship.markers)


def is_slow(data: Data, ship: Ship) -> bool:
    """[10.1.2] Return whether a ship is slow: by her type, by damage, or in mechanical distress."""
    return card_of(data, ship).type in data.ships.fleet.slow or bool(ship.hits) or is_distressed(ship)


def slow_ships(table: T, group: str = "") -> list[Ship]:
    """[10.1.2] Return the slow ships of the force, or of a group."""
    return [ship for ship in ships_afloat(table.state, group) if is_slow(table.data, ship)]


def space_key(space: str) -> str:
    """Return the key of a space of the layout on the board."""
    return f"space-{space}"


def flak_dice(table: T, ship: Ship) -> int:
    """[11.4.2] Return the dice of a ship's flak, whole or damaged."""
    card = card_of(table.data, ship)
    return card.flak_damaged if ship.hits else card.flak


# -- what the Hornet can do ------------------------------------------------------------------------------------------


def hornet(table: T) -> Ship:
    """[10.0] Return the carrier with the bombers."""
    return table.state.sea.ships[table.data.ships.fleet.launches]


def can_launch(table: T) -> bool:
    """[10.1.1, 11.2, 12.3.2] Return whether bombers can still take off from the Hornet."""
    ship = hornet(table)
    return not ship.sunk and not ship.hits and not table.state.sea.wrecked


def may_launch(table: T) -> bool:
    """[12.3, 12.3.2, DR52, DR53, DR113] Return whether bombers can take off: at sea, from a sound deck."""
    sea = table.state.sea
    return bool(sea.area and can_launch(table) and bombers_on_deck(table.state)) and sea.burned != sea.turn


def bombers_on_deck(state: Doolittle) -> list[Bomber]:
    """[12.3] Return the bombers that are still on the Hornet's deck."""
    gone = {key for off in state.deck.gone for key in off.members} if state.deck else set[str]()
    return [
        bomber
        for bomber in state.squad.values()
        if bomber.flies and bomber.key not in gone and state.find_flight(bomber.key) is None
    ]


# -- hits ------------------------------------------------------------------------------------------------------------


def hit_ship(table: T, ship: Ship, rule: str, by: str) -> None:
    """[10.1.1] Damage a ship; the last hit that she can take sinks her."""
    if ship.sunk:
        return
    if ship.hits + 1 >= table.data.ships.fleet.hits:
        sink_ship(table, ship, rule, by)
        return
    ship.hits += 1
    table.state.add_to_story("ship-damaged", ship.key, by)
    _ground_recon(table, ship)
    recount_losses(table)
    moment = f"{ship_name(table, ship)} is hit"
    table.reveal(rule, "{} is damaged by {}.", named(table, ship), by, target=ship, moment=moment)


def sink_ship(table: T, ship: Ship, rule: str, by: str) -> None:
    """[10.1.1, 12.0.1] Sink a ship; her markers go back, and bombers on the Hornet's deck are lost."""
    if ship.sunk:
        return
    where, ship.sunk, ship.space = ship.space, True, ""
    table.state.put_back(*ship.markers)
    ship.markers = []
    table.state.add_to_story("ship-sunk", ship.key, by)
    if ship.key == table.data.ships.fleet.launches:
        for bomber in bombers_on_deck(table.state):
            lose_bomber(table, bomber)
    _ground_recon(table, ship)
    recount_losses(table)
    moment = f"{ship_name(table, ship)} is sunk"
    table.reveal(rule, "{} is sunk by {}.", named(table, ship), by, target=space_key(where), moment=moment)


def lose_bomber(table: T, bomber: Bomber) -> None:
    """[12.3.2] Lose a bomber at the ship; its crew is saved, and its markers go back."""
    bomber.fate = "overboard"
    table.state.add_to_story("overboard", bomber.key)
    clear_hazards(table, bomber)


def _ground_recon(table: T, ship: Ship) -> None:
    """[10.1.1, 10.2.1, DR132] Move recon that cannot be launched any more to its hangar, or remove it with its ship."""
    for recon in recon_in_use(table.state):
        if recon_card(table.data, recon).ship == ship.key:
            recon.place = HANGAR
            if ship.sunk:
                remove_recon(table, recon)
    without_cruisers(table)


def without_cruisers(table: T) -> None:
    """[10.2.1, 12.1.4] Remove the cruisers' recon without a heavy cruiser; ground it while all are damaged."""
    for recon in recon_in_use(table.state):
        kind = recon_card(table.data, recon).type
        if kind and not undamaged(of_type(table, kind)):
            recon.place = HANGAR
            if not of_type(table, kind):
                remove_recon(table, recon)


def remove_recon(table: T, recon: Recon) -> None:
    """[12.1.4] Remove a recon marker from the game; its hazards go back."""
    recon.place = GONE
    table.state.put_back(*recon.markers)
    recon.markers = []


def lose_submarine(table: T, key: str, rule: str) -> None:
    """[11.0.1] Destroy a submarine; hazards assigned to her go back unresolved."""
    sea = table.state.sea
    boat = sea.submarines[key]
    boat.lost, boat.contact = True, False
    table.state.put_back(*sea.assigned.pop(key, []))
    name = next(one.name for one in table.data.ships.submarines.submarine if one.key == key)
    moment = f"{name} is lost"
    table.reveal(rule, "The {} no longer answers and is lost.", KeyedText(name, key), target=boat, moment=moment)
    table.state.add_to_story("submarine-lost", key, boat.area)


def recount_losses(table: T) -> None:
    """[1.2] Count ships sunk and damaged for the debriefing; carriers count separately."""
    facts, ships = table.state.facts, table.state.sea.ships.values()
    sunk = [ship for ship in ships if ship.sunk]
    for word, result in (("sunk", sunk), ("damaged", [ship for ship in ships if ship.hits and not ship.sunk])):
        carriers = sum(card_of(table.data, ship).type == CARRIER for ship in result)
        facts[f"carriers-{word}"], facts[f"ships-{word}"] = carriers, len(result) - carriers


# -- areas, patrols and turns ------------------------------------------------------------------------------------------


TASK_FORCE = "task-force"
PORT = "port"
"""[DR52] The weather of the port, which is no sea area."""


def area_key(area: str) -> str:
    """Return the key of a sea area on the board, or the port's."""
    return area or PORT


def area_name(data: Data, area: str) -> str:
    """Return a sea area by its name."""
    return data.sea.area[area].name if area else "San Francisco"


def turn_name(data: Data, turn: int) -> str:
    """[9.2] Return the days of a naval turn."""
    return data.sea.turns.turn[turn - 1]


def last_turn(data: Data) -> int:
    """[9.2] Return the last naval turn."""
    return len(data.sea.turns.turn)


def box_of(data: Data, area: str) -> str:
    """[9.3] Return the weather box of an area, or the port's."""
    return data.sea.area[area].box if area else PORT


def weather_at(state: Doolittle, data: Data, area: str) -> Weather | None:
    """[9.3] Return the weather of an area, if it is known."""
    return state.sea.weather.get(box_of(data, area))


def weather_here(table: T) -> Weather:
    """[9.3, 12.2] Return the weather over the force, which is known from the weather phase on."""
    result = weather_at(table.state, table.data, table.state.sea.area)
    assert result is not None
    return result


def following_area(data: Data, area: str) -> str:
    """[9.1] Return the area one nearer to Japan; none beyond the last."""
    order = data.sea.order
    at = order.index(area) + 1 if area else 0
    return order[at] if at < len(order) else ""


def recon_area(state: Doolittle, recon: Recon) -> str:
    """[12.1.1, DR50] Return the sea area in which a recon is; none on the layout."""
    sea = state.sea
    if recon.place == FORCE:
        return sea.area
    return recon.place if recon.place in sea.signals else ""


def patrols(state: Doolittle, area: str) -> list[str]:
    """[12.6.2] Return the patrols of an area: the force, recon out there, and submarines in contact."""
    sea = state.sea
    patrols = [TASK_FORCE] if sea.area == area else []
    patrols += [recon.key for recon in sea.recon.values() if recon_area(state, recon) == area]
    return patrols + [boat.key for boat in sea.submarines.values() if in_contact(state, boat.key) and boat.area == area]


def in_contact(state: Doolittle, key: str) -> bool:
    """[12.1.3] Return whether a submarine is there, and in contact."""
    boat = state.sea.submarines[key]
    return boat.contact and not boat.lost


def recon_in_use(state: Doolittle) -> list[Recon]:
    """[10.2] Return the recon markers that have joined and have not left the game."""
    return [recon for recon in state.sea.recon.values() if recon.place not in (AWAY, GONE)]


def patrol(data: Data, key: str, *, start: bool = False) -> KeyedText:
    """Return a patrol in words for the log, with its key; `start`: at the start of a sentence."""
    name = patrol_name(data, key)
    return KeyedText(capitalize_first(name) if start else name, key)


def patrol_name(data: Data, key: str) -> str:
    """Return a patrol in words."""
    recon = {card.key: card.name for card in data.ships.recon.marker}
    boats = {card.key: f"the {card.name}" for card in data.ships.submarines.submarine}
    return recon.get(key) or boats.get(key) or "the task force"
