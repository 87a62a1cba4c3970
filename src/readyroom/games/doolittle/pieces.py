"""[1.10, 2.0] The pieces: markers, elite crewmen, bombers, crews."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.rules.state import Piece

Down: TypeAlias = Literal["", "home", "ashore", "overboard", "destroyed", "ditched", "captured", "landed", "crashed"]
Fate: TypeAlias = Down | Literal["saved", "wrecked", "seized", "interned"]
"""What became of a bomber: it sailed `home` on the deck, flew `ashore` to a base of ours, went `overboard` (lost at the
ship, and its crew saved), and so on. After the landing it is `saved` in Chungking or for another theater, `wrecked` by
its own crew, `seized` by the Japanese or `interned` by the Soviet Union.
"""


class Marker(Piece):
    """[4.2.1, 8.3.1] A hazard of any cup; its key says which, and only its front is seen until it is turned over."""

    shown: bool = False

    @property
    def cup(self) -> str:
        """The cup that it comes from."""
        return self.key.rpartition("-")[0]


class EliteMan(Piece):
    """[2.3] An elite crewman, and whether his benefit has been used."""

    used: bool = False


class Bomber(Piece):
    """[2.0, 2.1, 2.1.1, 2.1.2, 2.2] A bomber: its load, its hazards, and its place over a target.

    `markers` are attached, `assigned` only for a turn. `area` and `box` are where it flies, `enters` the attack turn in
    which it comes in (none: not at all), and `delayed` says that it may then choose its own area. `fuel` is its own
    only once it has landed (14.1.2), and `well` says that the landing was good.
    """

    loaded: bool = True
    hits: int = 0
    elite: EliteMan | None = None
    markers: list[Marker] = []
    assigned: list[Marker] = []
    fumes: int = 0
    area: str = ""
    box: str = ""
    enters: int = 0
    delayed: bool = False
    fate: Fate = ""
    where: str = ""
    fuel: int = 0
    well: bool = False

    @property
    def flies(self) -> bool:
        """Whether it is still in the air, or will be."""
        return not self.fate

    @property
    def over(self) -> bool:
        """Whether it is on a target map."""
        return bool(self.area) and self.flies


class Crew(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[2.2, 14.0.1] The crew of a bomber that came down: where, fit or wounded, with which elite crewmen.

    It is no counter of its own: it comes into being when its bomber is down, and has the bomber's key. `fate` is empty
    while it is still on its way; at `home` is also who landed at an own base or flew on to another theater.
    """

    key: str
    where: str
    fit: bool = True
    elites: list[EliteMan] = []
    fate: Literal["", "chungking", "captured", "missing", "killed", "rescued", "interned", "released", "home"] = ""
