"""How often each side of a scenario wins between strong bots.

It is in the `balance.json` of a game's package, made by `python -m readyroom.study.book GAME --balance MATCHES`.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from readyroom.bots.statistics import wilson_interval
from readyroom.engine.game import Game

FILE = "balance.json"


class Share(msgspec.Struct, frozen=True):
    """How often a side has won, with the 95 % CI; None for draws."""

    side: str | None
    mean: float
    low: float
    high: float


class Balance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The results of matches of a scenario with its default options.

    `version` is that of the game's rules, `bot` played all seats, and `wins` has the matches that each side has won.
    The others were drawn; in a solitaire game they were lost.
    """

    game: str
    version: str
    scenario: str
    bot: str
    matches: int
    wins: dict[str, int]

    @property
    def shares(self) -> list[Share]:
        """Return how often each side has won, and between two sides the share of draws, in the order of a bar."""
        counts: list[tuple[str | None, int]] = [*self.wins.items()]
        if len(self.wins) > 1:
            counts.insert(1, (None, self.matches - sum(self.wins.values())))
        return [Share(side, count / self.matches, *wilson_interval(count, self.matches)) for side, count in counts]


@lru_cache(maxsize=64)
def balances(package: str) -> list[Balance]:
    """Return what the file of a game's package has; empty if there is none."""
    file = files(package).joinpath(FILE)
    return msgspec.json.decode(file.read_bytes(), type=list[Balance]) if file.is_file() else []


def balance_of(game: Game[Any, Any], scenario: str) -> Balance | None:
    """Return the balance of a scenario by the game's present rules; None if it is not known."""
    about = (game.key, game.version, scenario)
    return next((one for one in balances(game.package) if (one.game, one.version, one.scenario) == about), None)
