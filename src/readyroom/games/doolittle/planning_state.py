"""[13.0] The planner's blotter."""

from __future__ import annotations

import msgspec

from readyroom.games.doolittle.figures_common import Month


class Talks(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[13.2] How the talks went: who agreed, who refused, who was briefed, by diplomat; and markers that press on."""

    granted: list[str] = []
    denied: list[str] = []
    briefed: list[str] = []
    urgent: dict[str, int] = {}


class Blotter(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[13.0.1] The blotter: month, calendar, Doolittle, modifications, training, security, chits."""

    month: Month = "january"
    calendar: dict[str, Month] = {}
    doolittle: str = ""
    modifications: list[str] = []
    site: str = ""
    liberty: bool = False
    measures: list[str] = []
    morale: int = 0
    told: bool = False
    training: dict[str, int] = {}
    extra: list[str] = []
    deck: int = 0
    diligence: int = 0
    repairs: int = 0
    chits: list[str] = []
