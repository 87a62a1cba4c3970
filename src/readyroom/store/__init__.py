"""Matches kept in a database."""

from readyroom.store.cards import (
    Asked,
    Enrolled,
    MatchCard,
    Message,
    Opened,
    Pace,
    Player,
    SeatCard,
    Who,
)
from readyroom.store.store import Store

__all__ = [
    "Asked",
    "Enrolled",
    "MatchCard",
    "Message",
    "Opened",
    "Pace",
    "Player",
    "SeatCard",
    "Store",
    "Who",
]
