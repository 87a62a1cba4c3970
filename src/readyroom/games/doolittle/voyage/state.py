"""[9.0, 10.0] The task force and the ocean around it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.rules.state import Piece
from readyroom.games.doolittle.figures.common import Weather
from readyroom.games.doolittle.pieces import Marker

FIRST_FORCE = "TF-18"
"""[10.1] The task force that sails with the Hornet."""
AWAY, HOME = "away", "home"
"""Where ships and recon are that have not joined yet, or have stayed in port."""
How: TypeAlias = Literal["planned", "emergency", "airstrike", "none"]
GONE = "gone"
"""Where recon is that no one can launch any more."""


class Ship(Piece):
    """[10.1, 9.5.1, 10.1.1] A ship: her space of the layout, her hits, and her markers.

    `group` is empty where she sails with the force; it names the group with which she was detached, or says that she
    has not joined yet (AWAY), or has stayed in port (HOME).
    """

    space: str = ""
    hits: int = 0
    markers: list[Marker] = []
    group: str = AWAY
    sunk: bool = False


class Recon(Piece):
    """[10.2, 12.1.1, 12.1.2, DR50] A recon marker, and its hazards.

    Its place is a box of the layout (hangar, local, low or high CAP), with the force in her sea area (FORCE), the key
    of a sea area ahead of it, or AWAY before it joins and GONE once no one can launch it.
    """

    place: str = AWAY
    markers: list[Marker] = []


class Submarine(Piece):
    """[12.1.3] A submarine: her sea area (none: she does not take part), whether she is in contact, and still there."""

    area: str = ""
    contact: bool = False
    lost: bool = False


class Voyage(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[9.2, 12.0] The naval map: the turn, where the force is, its ships, recon and submarines, weather and signals.

    `turn` counts the boxes of the track, `area` is empty in port. `met` says that the rendezvous was made; `groups`
    says in which sea area each detached group left. `signals` are markers that stay in areas, and `muffled` the
    dice of secrecy that they take. `queue` are areas whose hazards are still to come this phase, the first of them
    the one that is looked into when hazards are `drawn`, lie there `undealt`, and are `assigned` to patrols;
    `resumed` says that an airstrike has interrupted it, in the middle of the hazard `unfinished` if one is named.
    `burned` is the turn of a fire on deck, `wrecked` says that no one can take off any more, and `over` that the
    segment has ended, or is interrupted by a flight; `begun` says that the ships lie where they belong, and
    `met_with` lists in order what has been turned over since the hazards phase began.
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
    muffled: int = 0
    flags: list[Marker] = []
    groups: dict[str, str] = {}
    queue: list[str] = []
    drawn: bool = False
    undealt: list[Marker] = []
    resumed: bool = False
    unfinished: str = ""
    assigned: dict[str, list[Marker]] = {}
    burned: int = 0
    wrecked: bool = False
    begun: bool = False
    over: bool = False
    met_with: list[str] = []


class TakeOff(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[12.3.1, 12.3.2] A flight that has left the deck: who is in it, fuel it lost, and turns by which it is late."""

    members: list[str]
    lost: int = 0
    waits: int = 0


class Deck(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[12.3, 12.4] A launch that is continuing: as planned or not, who is to go now, who has gone.

    `strike` says that planes are on their way (11.2), `waits` how late the next flights will be, and `held` that no
    more go before the planes have struck.
    """

    planned: bool
    strike: bool = False
    flights: list[list[str]] = []
    gone: list[TakeOff] = []
    waits: int = 0
    held: bool = False


class Launch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[12.0.1] What the voyage leaves behind: where and how the bombers were launched, when, and the alert then."""

    area: str
    how: How
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


class Strike(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[11.0] An airstrike: its target, who of ours was sent against it, which planes come.

    `found` is what was discovered; `group` the detached group or the submarine that is attacked (empty: the task
    force); `waves` are the planes that have still to attack.
    """

    found: Literal["recon", "task-force", "submarine", "group"]
    group: str = ""
    navy: list[str] = []
    waves: list[list[str]] = []
