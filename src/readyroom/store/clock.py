"""The clocks of a match: how long each side has thought, and the limit after which its opponent may claim the win."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

CHOICES = (30, 60, 120)
"""The minutes per side among which players choose."""
LONGEST = 600
"""The most minutes per side."""


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The clocks of a match with `minutes` per side, as they were at the time `since`.

    `used` are the seconds that each side has thought, and `running` the sides of people that are to decide since then.
    """

    minutes: int
    used: Mapping[str, float] = {}
    since: float = 0.0
    running: tuple[str, ...] = ()

    def moved(self, at: float, running: Iterable[str]) -> Clock:
        """Return the clocks at a time from which these sides are to decide."""
        used = {side: self.seconds_used(side, at) for side in (*self.used, *self.running)}
        return Clock(self.minutes, used, at, tuple(dict.fromkeys(running)))

    def seconds_used(self, side: str, at: float) -> float:
        """Return how long a side has thought at a time."""
        return self.used.get(side, 0.0) + (max(0.0, at - self.since) if side in self.running else 0.0)

    def seconds_left(self, side: str, at: float) -> float:
        """Return how long a side may still think; below zero if its time is over."""
        return self.minutes * 60 - self.seconds_used(side, at)

    def encode(self) -> str:
        """Return the stored form."""
        return msgspec.json.encode(self).decode()


def read_clock(text: str) -> Clock | None:
    """Return the clocks of their stored form; None for a match without."""
    return _decode(text) if text else None


_decode = msgspec.json.Decoder(Clock).decode
