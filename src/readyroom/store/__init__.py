"""Matches kept in a database."""

from readyroom.store.cards import (
    CreatedMatch,
    Device,
    Enrolled,
    Experience,
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
    "Device",
    "Enrolled",
    "Experience",
    "MatchSummary",
    "Message",
    "Pace",
    "Player",
    "SeatAssignment",
    "SeatSummary",
    "Store",
    "TakebackRequest",
]
