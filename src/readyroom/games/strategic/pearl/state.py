"""The state of an air raid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import chain
from typing import TypeAlias

import msgspec

from readyroom.engine.rules.state import KeyedText, Piece, State
from readyroom.engine.rules.table import Table
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import PEARL
from readyroom.games.strategic.tables.raid_opening import RaidOpening
from readyroom.games.strategic.tables.state import Rulings, Staff

JAPAN, USA = "japan", "usa"
SEATS = (JAPAN, USA)
NAMES = {JAPAN: "Japan", USA: "United States"}
FIRST, SECOND = 1, 2
"""The turns: first and second strike."""


class Condition(Enum):
    """A ship's condition."""

    AFLOAT = "afloat"
    DAMAGED = "damaged"
    SUNK = "sunk"


class Ship(Piece):
    """A named ship; carriers score differently from battleships."""

    name: str
    size: int
    carrier: bool = False
    condition: Condition = Condition.AFLOAT

    def __str__(self) -> str:
        return self.name

    @property
    def hit(self) -> bool:
        """Whether she is damaged or sunk."""
        return self.condition is not Condition.AFLOAT

    @property
    def sunk(self) -> bool:
        """Whether she is sunk."""
        return self.condition is Condition.SUNK

    @property
    def sinks_at(self) -> int:
        """[PH.8, P6] The effects that sink her: her size, one less if damaged, at least 1."""
        return max(1, self.size - (self.condition is Condition.DAMAGED))

    @property
    def hurt_at(self) -> int:
        """[PH.8] The effects that damage her: one less than her size, at least 1."""
        return max(1, self.size - 1)

    def after(self, effects: int) -> Condition:
        """[PH.8] Return her condition after this many effects."""
        if effects >= self.sinks_at:
            return Condition.SUNK
        return Condition.DAMAGED if effects >= self.hurt_at else self.condition


class Squadron(Piece):
    """A Japanese naval air squadron and its carrier."""

    home: str


class Force(Piece):
    """[51.31.2] An American carrier force; `place` is the table's cell, `seen` whether Japan knows it."""

    name: str
    carriers: list[Ship]
    squadrons: int
    place: str = ""
    seen: bool = False
    lost: int = 0

    def __str__(self) -> str:
        return self.name

    @property
    def in_port(self) -> bool:
        """Whether it is in Pearl Harbor."""
        return self.place == PEARL

    @property
    def left(self) -> int:
        """Its squadrons not lost."""
        return self.squadrons - self.lost

    @property
    def named(self) -> KeyedText:
        """The force's name with its carriers."""
        names = ", ".join(ship.name for ship in self.carriers)
        return KeyedText(f"{self.name} ({names})", *(ship.key for ship in self.carriers))


class Aircraft(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """American aircraft of one kind on the island: ready, in the air, surprised on the ground, and lost."""

    ready: int = 0
    up: int = 0
    grounded: int = 0
    lost: int = 0

    def settle(self) -> None:
        """Make all that are left ready again."""
        self.ready, self.up, self.grounded = self.ready + self.up + self.grounded, 0, 0


class Raid(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", tag="raid"):
    """An air raid. `final` is the final tension die and what it adds, `die` the surprise die; 0 before the roll.

    Japanese squadrons are aboard or in the air: escorts and attackers, the patrol over the carriers, and those `away`
    against American carriers; `back` are those that turned back in this strike.
    """

    opening: RaidOpening
    ships: list[Ship]
    forces: list[Force]
    carriers: list[Ship]
    army: Aircraft
    naval: Aircraft
    light: int
    aboard: list[Squadron]
    escorts: list[Squadron] = []
    attackers: list[Squadron] = []
    patrol: list[Squadron] = []
    away: list[Squadron] = []
    back: list[Squadron] = []
    lost: list[Squadron] = []
    final: tuple[int, int] = (0, 0)
    magic: dict[str, int] = {}
    die: int = 0
    stays: bool | None = None
    searched: bool = False
    over: bool = False

    @property
    def tension(self) -> int:
        """[51.31.1] Tension after the final die; public."""
        return self.opening.tension.level + self.final[1]

    @property
    def placed(self) -> bool:
        """Whether the American forces have been placed."""
        return any(force.place for force in self.forces)

    @property
    def american_losses(self) -> int:
        """American aircraft lost, in factors and squadrons."""
        return self.army.lost + self.naval.lost + sum(force.lost for force in self.forces)

    def american_ships(self) -> list[Ship]:
        """Return all named American ships, carriers last."""
        return [*self.ships, *(ship for force in self.forces for ship in force.carriers)]

    def in_port(self) -> list[Ship]:
        """[A16] Return all named ships in the harbor, carriers last."""
        return [*self.ships, *(ship for force in self.forces if force.in_port for ship in force.carriers)]

    def squadrons(self) -> Iterator[Squadron]:
        """Iterate over the Japanese squadrons not lost."""
        return chain(self.aboard, self.escorts, self.attackers, self.patrol, self.away, self.back)

    def hidden(self) -> list[Force]:
        """[51.31.2] Return the forces Japan has not seen."""
        return [force for force in self.forces if not force.seen]

    def at_sea(self) -> list[Force]:
        """[51.31.3] Return the forces that have intercepted."""
        return [force for force in self.forces if force.seen and not force.in_port]

    def recover(self) -> None:
        """[PH.12, P9] Land all aircraft of both sides after a strike; those that turned back can fly again."""
        for place in (self.escorts, self.attackers, self.patrol, self.away, self.back):
            self.aboard += place
            place.clear()
        self.aboard.sort(key=lambda squadron: squadron.key)
        for aircraft in (self.army, self.naval):
            aircraft.settle()

    def keep(self, squadrons: int) -> None:
        """[PH.10] Put this many squadrons, from each carrier in turn, on patrol over the carriers."""
        ready = spread(self.aboard)
        self.patrol, self.aboard = ready[:squadrons], ready[squadrons:]


def spread(squadrons: Sequence[Squadron]) -> list[Squadron]:
    """Return squadrons ordered so that each carrier gives one in turn."""
    counts = Counter[str]()

    def rank(squadron: Squadron) -> int:
        counts[squadron.home] += 1
        return counts[squadron.home]

    return sorted(squadrons, key=rank)


class RaidState(State):
    """The state of a match: the raid or the calculator's rolls, and the rulings."""

    rulings: Rulings
    played: Raid | Staff

    @property
    def raid(self) -> Raid:
        """The air raid."""
        assert isinstance(self.played, Raid)
        return self.played


T: TypeAlias = Table[RaidState, Data]
