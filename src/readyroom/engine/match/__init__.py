"""A match: its position, history, dice and snapshots."""

from readyroom.engine.match.match import BotView, Match, Start, seats_of

__all__ = ["BotView", "Match", "Start", "seats_of"]
