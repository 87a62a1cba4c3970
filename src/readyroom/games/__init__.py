"""The games of the house, and the way to any other that an installed package offers."""

from readyroom.engine.game import load_game as load
from readyroom.engine.game import names

__all__ = ["load", "names"]
