"""The games of the house, and the way to any other that an installed package offers."""

from readyroom.engine.game import game_names
from readyroom.engine.game import load_game as load

__all__ = ["game_names", "load"]
