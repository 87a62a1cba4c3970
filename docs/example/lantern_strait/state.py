"""The pieces, the state and the figures of Lantern Strait."""

from __future__ import annotations

import msgspec

from readyroom.authoring import Cup, Piece, State, Table

RUNNER, GUARD = "runner", "guard"


class Boat(Piece):
    """[2.1] A boat and her number of drums."""

    name: str
    drums: int

    def __str__(self) -> str:
        return self.name


class Sky(Piece):
    """[2.3] A counter of the cup: a sky and its die-roll modifier."""

    name: str
    modifier: int


class Strait(State):
    """The state: each boat is in one of four places, each sky in the cup or among the past ones."""

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
