"""What is on the board: each piece with its look and text, before it has a place."""

from __future__ import annotations

from readyroom.games.tora.board_data.pieces import Art, Field, Panel, Scene, Ship, Target, Turn, Unit, Zone, printed
from readyroom.games.tora.board_data.reading import dock, scene

__all__ = ["Art", "Field", "Panel", "Scene", "Ship", "Target", "Turn", "Unit", "Zone", "dock", "printed", "scene"]
