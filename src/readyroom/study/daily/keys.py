"""The dice secrets of the days: a hash chain whose end is derived from a text, handed out day by day.

The secret of a day is the hash of the secret of the next day. So the secrets of past days say nothing about coming
ones, and all of them were fixed when the first was: each leads, hash by hash, to the same `anchor`. Anyone who knows
the text of a chain can compute all of it: that of the shared chain is in this file, that of a server's own is secret.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from hashlib import blake2b

from readyroom.engine.errors import ReadyRoomError

EPOCH = date(2026, 1, 1)
"""The first day."""
DAYS = 36_525
"""The number of days: a century."""
SHARED = "Ready Room, challenge of the day"
"""The text of the chain that all servers and terminals have, unless a server has its own."""


class DaySealed(ReadyRoomError):
    """The day has not begun, so its dice are not computed."""

    def __init__(self, day: date) -> None:
        super().__init__(f"The challenge of {day} is sealed until {day} 0:00 UTC.")


class NoSuchDay(ReadyRoomError):
    """There is no challenge on this date."""

    def __init__(self, text: str) -> None:
        super().__init__(f"There is no challenge of {text}. Days are dates such as {EPOCH}, from then on.")


class DayKeys:
    """A chain of secrets.

    Args:
        text: determines it; empty for the shared chain.
    """

    def __init__(self, text: str = "") -> None:
        self.is_shared = not text
        self._end = blake2b((text or SHARED).encode(), digest_size=32, person=b"rr-day-end").digest()
        self._known: dict[date, bytes] = {}

    @cached_property
    def anchor(self) -> str:
        """What the secrets of all days lead to, in hexadecimal: it can be published before the first day."""
        return _walk(self._end, DAYS).hex()

    def secret(self, day: date, at: datetime) -> bytes:
        """Return the secret behind the dice of a day; raise `DaySealed` before its midnight (UTC), or `NoSuchDay`."""
        if at < midnight(day):
            raise DaySealed(day)
        if day not in self._known:
            self._known = {day: _walk(self._end, DAYS - 1 - day_index(day))}
        return self._known[day]


def clock() -> datetime:
    """Return the time (UTC)."""
    return datetime.now(UTC)


def anchor_of(day: date, secret: bytes) -> str:
    """Return the anchor of the chain in which a day has this secret; raise `NoSuchDay`."""
    return _walk(secret, 1 + day_index(day)).hex()


def day_index(day: date) -> int:
    """Return the number of days since the first one; raise `NoSuchDay`."""
    index = (day - EPOCH).days
    if not 0 <= index < DAYS:
        raise NoSuchDay(day.isoformat())
    return index


def midnight(day: date) -> datetime:
    """Return when a day begins (UTC)."""
    return datetime.combine(day, time(), UTC)


def ends(day: date) -> datetime:
    """Return when a day is over (UTC)."""
    return midnight(day) + timedelta(days=1)


def parse_day(text: str) -> date:
    """Return the day of an ISO date; raise `NoSuchDay`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NoSuchDay(repr(text[:20])) from None
    if day.isoformat() != text:
        raise NoSuchDay(repr(text[:20]))
    day_index(day)
    return day


def _walk(secret: bytes, steps: int) -> bytes:
    """Return the secret of this many days before."""
    for _ in range(steps):
        secret = blake2b(secret, digest_size=32, person=b"rr-day-chain").digest()
    return secret
