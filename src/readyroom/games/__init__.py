"""Load games by name, built in or offered by an installed package."""

from readyroom.engine.game import game_names
from readyroom.engine.game import load_game as load

__all__ = ["game_names", "load"]
