"""[8.0] The flight turn."""

from __future__ import annotations

from readyroom.games.doolittle.state import T


def launch(table: T) -> None:
    """[8.0] Still to be written."""


def move(table: T) -> None:
    """[8.0] Still to be written."""


def fuel(table: T) -> None:
    """[8.0] Still to be written."""
