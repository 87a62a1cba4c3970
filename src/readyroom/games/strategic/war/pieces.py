"""The keys of counters and places on the chart, for events and the drawing."""

from __future__ import annotations


def counter(item: str, where: str) -> str:
    """Return the key of a counter: a kind of ships in a sea, or of aircraft by the country they raid or defend.

    The counter of a fleet of submarines has the fleet's key.
    """
    return f"{item}s-{where}"


def land_place(area: str) -> str:
    """Return the place of a country's panel."""
    return f"land-{area}"


def city_place(target: str) -> str:
    """Return the place of a target on the map."""
    return f"city-{target}"


def lane_place(sea: str) -> str:
    """Return the place of the route of a sea's merchant ships."""
    return f"lane-{sea}"


def track_place(nation: str, project: str) -> str:
    """Return the place of a research track."""
    return f"track-{nation}-{project}"


def hand_place(side: str, theater: str) -> str:
    """Return the place of a side's cards for a theater."""
    return f"hand-{side}-{theater}"


def money_place(nation: str) -> str:
    """Return the place of a nation's resources."""
    return f"points-{nation}"


def turn_place(turn: int) -> str:
    """Return the place of a turn on the turn track."""
    return f"turn-{turn}"
