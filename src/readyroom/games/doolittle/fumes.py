"""[7.2.3, 7.2.4] Fuel is consumed, and bombers fly on fumes."""

from __future__ import annotations

from readyroom.engine.table import Steps
from readyroom.games.doolittle.state import Flight, T


def consume(table: T, flight: Flight) -> Steps:
    """[7.2.3] A flight pays a fuel, or its bombers check on fumes."""
    yield from ()
    flight.fuel = max(0, flight.fuel - 1)
