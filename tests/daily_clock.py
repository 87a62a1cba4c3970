"""The clock of the challenge of the day in tests, and days with a certain game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from readyroom.study.daily import keys
from readyroom.study.daily.challenge import slot_of
from readyroom.study.daily.keys import EPOCH, midnight


def day_of(game: str) -> date:
    """Return the first day, after another, with this game."""
    return next(day for n in range(1, 99) if slot_of(day := EPOCH + timedelta(days=n)).game == game)


DAY = day_of("doolittle")
"""A day on which one plays alone."""
Move = Callable[[datetime], None]


@pytest.fixture(autouse=True)
def move(monkeypatch: pytest.MonkeyPatch) -> Move:
    """Set the clock of the challenges; it begins at noon of `DAY`, also in tests that do not move it."""

    def moved(to: datetime) -> None:
        monkeypatch.setattr(keys, "clock", lambda: to)

    moved(midnight(DAY) + timedelta(hours=12))
    return moved
