"""The pieces of the board: each with its look and text, before it has a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from readyroom.engine.data import load
from readyroom.engine.game import MatchView, View
from readyroom.games.tora.figures import Data, SideName
from readyroom.games.tora.plan import Berth

UNKNOWN = "?"
TINTS = {"": 0, UNKNOWN: 3, "GP": 4, "AP": 6, "T": 2}
"""The colour of a unit's ordnance; that of American fighters is 0."""


@lru_cache(maxsize=1)
def printed() -> Data:
    """Return the package's figures, for what a view omits: names, full strengths, and the harbor's shape."""
    return load(Data, "readyroom.games.tora")


@dataclass(frozen=True, slots=True)
class Art:
    """The look of an air unit: side, type, strength, and the letters of its tab."""

    id: str
    side: SideName
    type: str
    strength: int
    full: int
    letters: str

    @property
    def tint(self) -> int:
        """The colour of its tab."""
        return TINTS.get(self.letters, 0)


@dataclass(frozen=True, slots=True)
class Unit:
    """An air unit: its look and description, and whether it has acted this turn.

    `group` names the units of a zone that share a question: zone, type and ordnance.
    """

    key: str
    art: str
    title: str
    acted: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """One of the twelve zones, and what flies over it, Japan's units first, type by type."""

    key: str
    title: str
    units: Mapping[SideName, Sequence[Unit]]

    @property
    def count(self) -> int:
        """All units over it."""
        return sum(map(len, self.units.values()))


@dataclass(frozen=True, slots=True)
class Field:
    """An airfield with its stacks, the lowest unit first; `planned` if they are only planned."""

    key: str
    name: str
    zone: str
    title: str
    places: int
    stacks: Sequence[Sequence[Unit]]
    planned: bool

    @property
    def count(self) -> int:
        """All units on it."""
        return sum(map(len, self.stacks))


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship: `state` is one of whole, hurt, damaged and sunk; `berth` is None if she has none.

    `zone` is that of her berth, `planned` marks a berth that is only planned, and `runs` are the patches of water from
    which torpedoes reach her.
    """

    key: str
    name: str
    kind: str
    length: int
    hits: int
    strength: int
    state: str
    title: str
    berth: Berth | None
    zone: str
    planned: bool
    runs: Sequence[Sequence[tuple[int, int]]] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A battery, or a token of the yard, and the hits on it."""

    key: str
    name: str
    title: str
    hits: int
    strength: int

    @property
    def gone(self) -> bool:
        """Whether it is destroyed."""
        return self.hits >= self.strength


@dataclass(frozen=True, slots=True)
class Day:
    """A column of the calendar: day, cells from the top, the level of each (0: none), and whether it is today."""

    day: int
    cells: Sequence[str]
    levels: Sequence[int]
    now: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """A side's panel next to the chart: lines, alert levels, and the calendar with its row titles."""

    side: SideName
    heading: str
    lines: Sequence[str]
    alerts: Sequence[tuple[str, int]] = ()
    rows: Sequence[str] = ()
    days: Sequence[Day] = ()

    @property
    def title(self) -> str:
        """All lines in one."""
        return " ".join([f"{self.heading}.", *self.lines])


@dataclass(frozen=True, slots=True)
class Turn:
    """A box of the turn track: the events of the turn that the viewer may know."""

    turn: int
    now: bool
    past: bool
    rise: bool
    luck: bool
    wave: int


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck deck: cards left, and rank and suit of the last card drawn."""

    left: int
    drawn: int
    rank: str = ""
    suit: str = ""
    title: str = ""


@dataclass(slots=True)
class Scene:
    """Everything on the board. `adrift` are ships without a berth, and `adrift_title` says why."""

    title: str
    lines: Sequence[str]
    zones: Mapping[str, Zone]
    fields: Sequence[Field]
    ships: Sequence[Ship]
    batteries: Sequence[Target]
    yard: Sequence[Target]
    panels: Sequence[Panel]
    turns: Sequence[Turn]
    luck: Luck
    adrift_title: str
    arts: Mapping[str, Art] = field(default_factory=dict)

    @property
    def adrift(self) -> Sequence[Ship]:
        """The ships without a berth."""
        return [ship for ship in self.ships if ship.berth is None]


def in_the_making(view: MatchView[Any], side: SideName) -> View:
    """Return a side's plan in progress; empty if it is not visible, not started, or locked."""
    plan: View = view.sheets.get(side, {}).get("plan", {})
    return plan


def on_the_sheets(view: MatchView[Any], side: SideName) -> View | None:
    """Return a side's plan before the battle as far as it is made; None if not visible or not started."""
    plan: View | None = in_the_making(view, side) or view.table[side]["plan"]
    return plan
