"""Names and titles of everything that the state stores by key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from readyroom.engine.rules.state import KeyedText
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.state import Flight

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SEA = "the sea"
"""Where no one can say more."""
SEAS = ("mediterranean",)
"""Places that have an article in a sentence."""


def number_word(value: int) -> str:
    """Return a small number in words.

    >>> number_word(3), number_word(16)
    ('three', '16')
    """
    return NUMBERS[value] if 0 <= value < len(NUMBERS) else str(value)


def count_in_words(value: int, thing: str) -> str:
    """Return the given number of things, in words.

    >>> count_in_words(1, "bomber"), count_in_words(4, "bomber")
    ('one bomber', 'four bombers')
    """
    return f"{number_word(value)} {thing}{'' if value == 1 else 's'}"


def count_text(value: int, thing: str, sign: str = "") -> str:
    """Return the given number of things, in figures; with "+" as what is added.

    >>> count_text(17, "hit"), count_text(-1, "point"), count_text(3, "point", "+")
    ('17 hits', '−1 point', '+3 points')
    """
    return f"{value:{sign}d} {thing}{'' if abs(value) == 1 else 's'}".replace("-", "−", 1)


def icon_text(data: Data, key: str) -> str:
    """[6.3.1] Return a secrecy icon, with the alert from which a failed test at sea brings an airstrike."""
    if key not in data.security.icons.icon:
        return ""
    card, most = data.security.icons.icon[key], data.security.track.alert_max
    if card.airstrike_from > most:
        return f"{card.title}: no airstrike"
    return f"{card.title}: airstrike" + (f" from alert {card.airstrike_from}" if card.airstrike_from else "")


def expand_icons(data: Data, text: str) -> str:
    """[6.3.1] Return a hazard's name, with the threshold of the icon that it has in brackets."""
    for key in data.security.icons.icon:
        text = text.replace(f"({key})", f"({icon_text(data, key)})")
    return text


@lru_cache(maxsize=4)
def place_names(data: Data) -> Mapping[str, str]:
    """Return the names of boxes, areas, cities, zones, landing sites and sea areas, by key."""
    places = {area.key: area.name for area in data.sea.areas.area}
    places |= {zone.key: zone.name for zone in data.flight.zones.zone}
    for key, maps in data.targets.maps.items():
        places[key] = maps.title
        places |= {area.key: area.name for area in maps.area}
        places |= {box: card.name for box, card in maps.boxes.items()}
    places |= {site.key: site.name for site in data.flight.sites.site}
    places |= {base.key: base.name for base in data.naval.ashore.base}
    away = {data.denouement.routes.goal, *(getattr(data.denouement.farewell, face) for face in ("even", "odd"))}
    places |= {key: key.title() for key in sorted(away)}
    return places | {data.denouement.routes.on_foot: "the hills"}


def place_name(data: Data, key: str) -> str:
    """Return the name of a place, "the sea" if it is unknown."""
    return place_names(data).get(key, SEA)


def destination_name(data: Data, key: str) -> str:
    """Return a place as a destination in a sentence, with its article."""
    return f"the {place_name(data, key)}" if key in SEAS else place_name(data, key)


def city_name(data: Data, key: str) -> str:
    """Return the name of a city; two that share a map have one name."""
    return place_name(data, key).replace(" and ", "-")


def pilot_name(data: Data, bomber: str) -> str:
    """Return the name of a bomber's pilot."""
    return data.bombers.cards[bomber].pilot


def pilot(data: Data, bomber: str) -> KeyedText:
    """Return the name of a bomber's pilot for the log, with the bomber's key."""
    return KeyedText(pilot_name(data, bomber), bomber)


def flight_name(key: str) -> str:
    """Return the name of a flight.

    >>> flight_name("flight-2"), flight_name("flight-2-b03")
    ('Flight 2', 'The lone bomber of flight 2')
    """
    number, _, sole = key.removeprefix("flight-").partition("-")
    return f"The lone bomber of flight {number}" if sole else f"Flight {number}"


def flight_title(data: Data, flight: Flight) -> str:
    """Return the name of a flight, or of a lone bomber by its pilot."""
    if flight.alone:
        return f"{pilot_name(data, flight.members[0])}'s lone bomber"
    return flight_name(flight.key)


def titled(data: Data, flight: Flight) -> KeyedText:
    """Return the name of a flight for the log, with its key and those of its bombers."""
    return KeyedText(flight_title(data, flight), flight.key, *flight.members)


def name_of(data: Data, key: str) -> str:
    """Return the name of a bomber, flight, ship, submarine or crewman by key; an unknown key unchanged."""
    if key in data.bombers.cards:
        return pilot_name(data, key)
    if key.startswith("flight-"):
        parts = key.split("-")
        return pilot_name(data, parts[2]) if len(parts) > 2 and parts[2] in data.bombers.cards else flight_name(key)
    if key in data.bombers.crewmen:
        return data.bombers.crewmen[key].name
    return _other_names(data).get(key, key)


@lru_cache(maxsize=4)
def _other_names(data: Data) -> Mapping[str, str]:
    """Return the names of ships, submarines, diplomats, training fields and incidents by key."""
    others = {card.key: card.name for card in data.ships.fleet.ship}
    others |= {card.key: card.name for card in data.ships.submarines.submarine}
    others |= {key: row.name for key, row in data.planning.calendar.row.items()}
    others |= {key: site.title for key, site in data.training.sites.site.items()}
    return others | {key: kind.title for key, kind in data.incidents.chits.kind.items()}
