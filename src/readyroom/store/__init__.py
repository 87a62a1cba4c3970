"""Matches kept in a database."""

from readyroom.store.cards import (
    CreatedMatch,
    Enrolled,
    MatchSummary,
    Message,
    Pace,
    Player,
    SeatAssignment,
    SeatSummary,
    TakebackRequest,
)
from readyroom.store.store import Store

__all__ = [
    "CreatedMatch",
    "Enrolled",
    "MatchSummary",
    "Message",
    "Pace",
    "Player",
    "SeatAssignment",
    "SeatSummary",
    "Store",
    "TakebackRequest",
]
