"""[8.0] The flight turn."""

from __future__ import annotations

from readyroom.games.doolittle.state import T


def wind(table: T) -> None:
    """[8.0] Still to be written."""
