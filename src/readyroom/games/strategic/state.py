"""The state of a match: one of the three parts of the game, and the rulings that it is played by."""

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
    """How the open questions of the text are answered; each is an option, and its words stand there."""

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
    """What is played, and by which rulings."""

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
        """The staff's table."""
        assert isinstance(self.played, Staff)
        return self.played


T: TypeAlias = Table[Strategic, Data]
