"""[9.0, 10.0] The task force and the ocean around it."""

from __future__ import annotations

from typing import Literal

import msgspec

from readyroom.engine.state import Piece
from readyroom.games.doolittle.figures_common import Weather
from readyroom.games.doolittle.pieces import Marker


class Ship(Piece):
    """[10.1, 9.5.1] A ship: her space of the layout, her hits, what hangs on her; `group` where she was detached."""

    space: str = ""
    hits: int = 0
    markers: list[Marker] = []
    group: str = ""


class Recon(Piece):
    """[10.2, 12.1.1, 12.1.2] A recon marker: in the hangar, near the force, on CAP, or ahead in a sea area."""

    place: str = "hangar"


class Submarine(Piece):
    """[12.1.3] A submarine: her sea area, whether she is in contact, and whether she is still on patrol."""

    area: str
    contact: bool = False
    lost: bool = False


class Voyage(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[9.2, 12.0] The naval map: the turn, where the force is, its ships, recon and submarines, weather and signals.

    `turn` counts the boxes of the track, `area` is empty in port. `met` says that the rendezvous was made;
    `groups` tells in which sea area each detached group left.
    """

    turn: int = 1
    area: str = ""
    fueled: bool = True
    met: bool = False
    ships: dict[str, Ship] = {}
    recon: dict[str, Recon] = {}
    submarines: dict[str, Submarine] = {}
    weather: dict[str, Weather] = {}
    signals: dict[str, list[Marker]] = {}
    flags: list[Marker] = []
    groups: dict[str, str] = {}


class Deck(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[12.3, 12.4] A launch that is going on: as planned or not, the flights, and which is next.

    `most` bombers in `flights_most` flights may go before an airstrike (11.2.1); `resume` is the phase after it.
    """

    planned: bool
    flights: list[list[str]] = []
    following: int = 0
    most: int | None = None
    flights_most: int | None = None
    resume: str = ""


class Launch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[12.0.1] What the voyage leaves behind: where and how the bombers were launched, when, and the alert then."""

    area: str
    how: Literal["planned", "emergency", "airstrike", "none"]
    turn: int
    alert: int


class Plan(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[13.5.1] The naval plan: where and when to meet, where to launch, where submarines wait."""

    rendezvous_area: str = ""
    rendezvous_turn: str = ""
    launch_area: str = ""
    submarines: dict[str, str] = {}
    enterprise: bool = False
    delayed: bool = False
