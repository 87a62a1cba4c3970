"""The state of a match: one of the game's three parts, and the rulings."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.state import State
from readyroom.engine.table import Table
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.raid.state import Raid
from readyroom.games.strategic.staff.state import Staff
from readyroom.games.strategic.war.state import War


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rulings on open questions; each is an option."""

    submarine_results: Literal["escorts", "shipping"]
    bombing_results: Literal["steps", "points"]
    heavy: Literal["repeat", "twice"]
    codebreaking: Literal["commit", "count"]
    nationality: Literal["even", "suggested"]
    excess: Literal["0", "6", "12", "all"]
    guns: Literal["table", "none"]
    critical: Literal["4", "5", "6"]
    final_die: Literal["die", "none"]
    surprise_bonus: Literal["once", "twice"]
    disarray: Literal["grounded", "guns"]
    edition: Literal["current", "classic"]


class Strategic(State):
    """The played part, and its rulings."""

    rulings: Rulings
    played: Staff | War | Raid

    @property
    def war(self) -> War:
        """The strategic war."""
        assert isinstance(self.played, War)
        return self.played

    @property
    def raid(self) -> Raid:
        """The air raid."""
        assert isinstance(self.played, Raid)
        return self.played

    @property
    def staff(self) -> Staff:
        """The calculator's table."""
        assert isinstance(self.played, Staff)
        return self.played


T: TypeAlias = Table[Strategic, Data]
