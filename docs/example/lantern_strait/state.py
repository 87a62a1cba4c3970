"""The pieces of Lantern Strait, where they lie, and the figures that the rules read."""

from __future__ import annotations

import msgspec

from readyroom.engine.cups import Cup
from readyroom.engine.state import Piece, State
from readyroom.engine.table import Table

RUNNER, GUARD = "runner", "guard"


class Boat(Piece):
    """[2.1] A boat and the drums that she carries."""

    name: str
    drums: int

    def __str__(self) -> str:
        return self.name


class Sky(Piece):
    """[2.3] A counter of the cup: what the night looks like, and what it does to the guard's die."""

    name: str
    modifier: int


class Strait(State):
    """All there is: each boat lies in one of four places, each sky in the cup or among those past."""

    nights: int
    harbour: list[Boat]
    sailing: list[Boat]
    landed: list[Boat]
    caught: list[Boat]
    cup: Cup[Sky]
    past: list[Sky]


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`data/figures.toml`."""

    catch_at: int
    drums_a_night: int
    source: str
    origin: str
    channels: dict[str, str]
    boat: list[Boat]
    sky: list[Sky]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field for each file of the folder `data`."""

    figures: Figures


T = Table[Strait, Data]
