"""Ready Room: the place to play and to study the Pacific War on a table."""

from readyroom import games
from readyroom.engine.game import Game
from readyroom.engine.match import Match

__all__ = ["Game", "Match", "games"]
__version__ = "1.1.0"
