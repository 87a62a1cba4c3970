"""[9.5] The task force layout: the ships' spaces, within the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.naval import LayoutSpace, ShipType
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.ships import CARRIER, card_of, is_distressed, is_slow, ship_name, ship_options
from readyroom.games.doolittle.voyage.state import Ship

KEEP, USUAL, OWN = "keep", "usual", "own"
Places = dict[str, str]
"""Spaces by ship."""


def largest_first(data: Data, ships: Sequence[Ship]) -> list[Ship]:
    """[DR70] Return ships by size, so that large ones find room; those in the center come first."""
    center = data.ships.layout.center

    def order(ship: Ship) -> tuple[bool, int]:
        card = card_of(data, ship)
        return data.ships.layout.usual[card.type] != [center], -card.size

    return sorted(ships, key=order)


def room_left(data: Data, places: Mapping[str, str], space: LayoutSpace) -> int | None:
    """[9.5.1, DR70] Return how much room is left in a space; None where it is endless."""
    if not space.room:
        return None
    return space.room - sum(data.ships.cards[key].size for key, where in places.items() if where == space.key)


def central_types(data: Data, ships: Sequence[Ship]) -> Sequence[ShipType]:
    """[9.5.1, 11.0.2] Return the types in the center: carriers and oilers; in a group without them cruisers, or any."""
    types = {card_of(data, ship).type for ship in ships}
    only = data.ships.layout.spaces[data.ships.layout.center].only
    cruisers: list[ShipType] = ["CA", "CL"]
    return next((some for some in (only, cruisers) if types & set(some)), sorted(types))


def fitting_spaces(data: Data, ship: Ship, places: Mapping[str, str], fleet: Sequence[Ship]) -> list[str]:
    """[9.5.1] Return the spaces in which a ship may lie next to those that have their places already.

    Carriers stay in the center, and ships in mechanical distress far astern (12.6.6.F).
    """
    layout = data.ships.layout
    if card_of(data, ship).type == CARRIER:
        return [layout.center]
    if is_distressed(ship):
        return [layout.distress]
    return [space.key for space in layout.space if _space_takes(data, ship, space, places, fleet)]


def _space_takes(data: Data, ship: Ship, space: LayoutSpace, places: Mapping[str, str], fleet: Sequence[Ship]) -> bool:
    """[9.5.1] Return whether a space takes a ship, by its note and by its size."""
    card = card_of(data, ship)
    only = central_types(data, fleet) if space.key == data.ships.layout.center else space.only
    if (only and card.type not in only) or card.type in space.no or (space.only_slow and not is_slow(data, ship)):
        return False
    left = room_left(data, places, space)
    return left is None or left >= card.size


def usual_layout(data: Data, ships: Sequence[Ship]) -> Places:
    """[9.5] Return the usual layout of these ships: each type spread over its own spaces, where there is room."""
    layout, places = data.ships.layout, Places()
    for ship in largest_first(data, ships):
        able = fitting_spaces(data, ship, places, ships)
        wanted = [space for space in layout.usual[card_of(data, ship).type] if space in able] or able
        if not places and layout.center in able:
            wanted = [layout.center]
        taken = list(places.values())
        places[ship.key] = min(wanted, key=taken.count)
    return places


def place_ships(ships: Sequence[Ship], places: Mapping[str, str]) -> None:
    """[9.5] Place the ships as ordered."""
    for ship in ships:
        ship.space = places[ship.key]


def arrange_ships(table: T, ships: Sequence[Ship], rule: str, *, keeping: bool = False) -> Steps:
    """[9.5, 9.5.1, 12.1, 12.5.3] Choose the layout of ships: by default, one by one, or unchanged (`keeping`)."""
    seat = table.state.captain
    options = [Option(USUAL, "default formation"), Option(OWN, "place each ship")]
    if keeping:
        options.insert(0, Option(KEEP, "keep the formation"))
    chosen = yield from table.choose(seat, rule, "How are the ships arranged?", options)
    if chosen.key == USUAL:
        place_ships(ships, usual_layout(table.data, ships))
    elif chosen.key == OWN:
        yield from _arrange_one_by_one(table, ships, rule)


def _arrange_one_by_one(table: T, ships: Sequence[Ship], rule: str) -> Steps:
    """[9.5.1] Choose the space of each ship, large ones first; before them the ship in the center, if in doubt."""
    places, waiting = Places(), largest_first(table.data, ships)
    first = yield from _choose_center(table, ships, rule)
    if first is not None:
        places[first.key] = table.data.ships.layout.center
        waiting.remove(first)
    for ship in waiting:
        places[ship.key] = yield from choose_space(table, ship, places, ships, rule)
    place_ships(ships, places)


def _choose_center(table: T, ships: Sequence[Ship], rule: str) -> Choice[Ship | None]:
    """[11.0.2] Choose the ship in the center of a group that has neither carrier nor oiler."""
    layout, types = table.data.ships.layout, central_types(table.data, ships)
    if types == layout.spaces[layout.center].only:
        return None
    able = [ship for ship in ships if card_of(table.data, ship).type in types]
    options = ship_options(table, "center", able, lambda table, ship: None)
    chosen = yield from table.choose(table.state.captain, rule, "Which ship is placed in the center?", options)
    return chosen.value  # type: ignore[no-any-return]


def choose_space(table: T, ship: Ship, places: Mapping[str, str], fleet: Sequence[Ship], rule: str) -> Choice[str]:
    """[9.5.1] Choose the space of a ship, if more than one is left."""
    able = fitting_spaces(table.data, ship, places, fleet)
    if len(able) == 1:
        return able[0]
    own = table.data.ships.layout.usual[card_of(table.data, ship).type]
    able.sort(key=lambda space: own.index(space) if space in own else len(own))
    spaces = table.data.ships.layout.spaces
    options = []
    for key in able:
        left = room_left(table.data, places, spaces[key])
        note = "room for any number" if left is None else f"room left: {left}"
        options.append(Option(f"space-{key}", spaces[key].name, key, OptionInfo(note)))
    question = f"Where do you place the {ship_name(table, ship)}?"
    chosen = yield from table.choose(table.state.captain, rule, question, options, piece_key=ship.key)
    return str(chosen.value)
