"""[13.0] The planner's blotter."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.rules.cups import Cup
from readyroom.games.doolittle.figures.common import Month
from readyroom.games.doolittle.pieces import Bomber, EliteMan

Turn: TypeAlias = Literal[
    "macarthur-escaped",
    "macarthur-captured",
    "rabaul-battle",
    "wake-after-blast",
    "wake-won",
    "wake-lost",
    "navy-busy",
    "ceylon-won",
    "joint-chiefs-asked",
]
"""[15.1.2] How the dice of an incident fell, where it matters later."""


class Talks(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[13.2] The results of the talks: who agreed, who refused, who was briefed, and urgent markers.

    `granted` and `denied` are diplomats, and no one is in both: an overturned refusal is removed, and
    for Nimitz a failure is no refusal. `briefed` are diplomats and, in the same way, `stalin` and `chiang`; `leaders`
    are those whose marker is on the calendar, briefed or not. `submarines` is the Navy's number after its last
    talk (none: it has not been asked).
    """

    granted: list[str] = []
    denied: list[str] = []
    briefed: list[str] = []
    urgent: dict[str, int] = {}
    leaders: list[str] = []
    submarines: int = 0


class Blotter(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[13.0.1] The blotter: month, calendar, Doolittle, modifications, training, security, chits.

    `hangar` are bombers that no one chose, and from the crane on all that are not aboard; `selected` were chosen.
    `men` are elite crewmen who wait in their cup, `aside` those who were drawn and fly with no one yet. `doolittle` is
    the month of his box, or the telephone. `points` are training points that are left, `deck` is the space on the track
    of the short take-off (0: untrained). `carburetors` is what a mechanic added to the guzzle number. `fuel_kept` says
    that an attack in China has found no fuel to take. `chits` are the kinds of incidents in the order in which they
    were drawn, of which `earlier` had been drawn when the month began; `turns` says how they went. `supplied` is
    the last month in which landing sites in China were prepared and stocked.
    """

    hangar: dict[str, Bomber]
    men: Cup[EliteMan]
    aside: list[EliteMan] = []
    selected: int = 0
    month: Month = "january"
    calendar: dict[str, Month] = {}
    doolittle: Literal["", "january", "february", "march", "april", "telephone"] = ""
    modifications: list[str] = []
    site: str = ""
    liberty: bool = False
    measures: list[str] = []
    squadron_briefed: bool = msgspec.field(default=False, name="told")
    points: int = 0
    training: dict[str, int] = {}
    extra: list[str] = []
    deck: int = 0
    diligence: int = 0
    repairs: int = 0
    carburetors: int = 0
    fuel_kept: bool = True
    chits: list[str] = []
    earlier: int = 0
    turns: list[Turn] = []
    supplied: Month | Literal[""] = ""
