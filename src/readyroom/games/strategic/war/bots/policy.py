"""What can be varied in a bot's play: a policy for each side, and the named ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

Weight: TypeAlias = Annotated[int, Meta(ge=0, le=8)]
"""How much of what is left a kind of unit gets, in proportion to the others."""
Agenda = Literal["escorts", "radar", "bombers"]
"""The order in which projects are studied, see `AGENDAS`."""
AGENDAS: Mapping[Agenda, tuple[str, ...]] = {
    "escorts": ("asw", "torpedo", "bombers", "air-range", "radar"),
    "radar": ("asw", "radar", "torpedo", "bombers"),
    "bombers": ("bombers", "asw", "air-range"),
}
AXIS_AGENDA = ("torpedo", "air-range", "radar", "asw", "air-defense")


class _Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the policies of both sides have.

    Attributes:
        guard: escorts for each enemy submarine in an ocean.
        keep: merchant ships wanted in the main ocean.
        share: the fraction of that wanted in other oceans.
        cover: interceptors for each enemy bomber.
        points: research points a turn.
        mass: bombers that a raid needs.
        daring: bombers that a raid needs for each interceptor.
        cards: the share of cards that is played [SW.3].
    """

    guard: Annotated[float, Meta(ge=0, le=4)]
    keep: Annotated[int, Meta(ge=0, le=40)]
    share: Annotated[float, Meta(ge=0, le=1.5)]
    cover: Annotated[float, Meta(ge=0, le=2)] = 0.5
    points: Annotated[int, Meta(ge=0, le=4)]
    mass: Annotated[int, Meta(ge=1, le=20)]
    daring: Annotated[float, Meta(ge=0.3, le=9, extra={"log": True})]
    cards: Annotated[float, Meta(ge=0, le=1)] = 1.0


class AxisPolicy(_Policy, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the Axis play; the weights are those of what is left after the wants."""

    bombers: Weight = 0
    atlantic: Weight = 6
    pacific: Weight = 2
    indian: Weight = 1
    interceptors: Weight = 0
    escorts: Weight = 0

    @property
    def rest(self) -> dict[str, int]:
        """The weights by option."""
        weights = {
            "bomber-home": self.bombers,
            "submarine-atlantic": self.atlantic,
            "submarine-pacific": self.pacific,
            "submarine-indian": self.indian,
            "interceptor-home": self.interceptors,
            "escort-home": self.escorts,
        }
        return {key: weight for key, weight in weights.items() if weight}

    @property
    def studies(self) -> tuple[str, ...]:
        """The projects, the first first."""
        return AXIS_AGENDA


class AlliedPolicy(_Policy, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the Allies play; the weights are those of what is left after the wants.

    Attributes:
        agenda: what is studied first.
        boats: American submarines that are enough.
        calm: with at most this many enemy submarines in the Atlantic, merchant ships are built again.
        plenty: up to this many.
    """

    submarines: Weight = 3
    home_bombers: Weight = 3
    carriers: Weight = 1
    pacific_bombers: Weight = 1
    agenda: Agenda = "escorts"
    boats: Annotated[int, Meta(ge=0, le=30)] = 12
    calm: Annotated[int, Meta(ge=0, le=20)] = 6
    plenty: Annotated[int, Meta(ge=0, le=60)] = 32

    @property
    def rest(self) -> dict[str, int]:
        """The weights by option."""
        weights = {
            "submarine-pacific": self.submarines,
            "bomber-home": self.home_bombers,
            "carrier-atlantic": self.carriers,
            "bomber-pacific": self.pacific_bombers,
        }
        return {key: weight for key, weight in weights.items() if weight}

    @property
    def studies(self) -> tuple[str, ...]:
        """The projects, the first first."""
        return AGENDAS[self.agenda]


Policy: TypeAlias = AxisPolicy | AlliedPolicy

AXIS = AxisPolicy(guard=1.0, keep=18, share=1.0, points=0, mass=4, daring=9.0)
ALLIES = AlliedPolicy(guard=1.8, keep=14, share=0.4, points=2, mass=10, daring=1.3)

STYLES: Mapping[str, Mapping[str, Policy]] = {
    "doctrine": {"axis": AXIS, "allies": ALLIES},
    "wolfpack": {
        "axis": replace(AXIS, cover=0.0, keep=0, guard=0.5),
        "allies": replace(ALLIES, submarines=5, home_bombers=2, pacific_bombers=0, boats=18),
    },
    "fortress": {
        "axis": replace(AXIS, cover=0.8, guard=1.4, atlantic=5, pacific=1, indian=0, interceptors=1, escorts=1),
        "allies": replace(ALLIES, guard=2.1, agenda="radar"),
    },
    "convoy": {
        "axis": replace(AXIS, guard=1.3, keep=22, atlantic=5, indian=0, escorts=1),
        "allies": replace(ALLIES, keep=16, submarines=4, carriers=2, pacific_bombers=0),
    },
    "bomber": {
        "axis": replace(AXIS, bombers=1, atlantic=5, pacific=1, indian=0, daring=1.0, mass=6),
        "allies": replace(ALLIES, submarines=0, home_bombers=4, carriers=0, pacific_bombers=2, agenda="bombers"),
    },
}
"""The bots by name, with a policy for each side."""

CHALLENGERS: Mapping[str, Mapping[str, Policy]] = {
    "axis": {
        "all-boats": replace(AXIS, guard=0.0, keep=0, cover=0.0, atlantic=8, pacific=0, indian=0),
        "three-oceans": replace(AXIS, guard=0.5, keep=5, atlantic=4, pacific=4, indian=4),
        "home-first": replace(AXIS, guard=2.0, keep=30, share=1.5, cover=1.0),
        "scientists": replace(AXIS, points=2, guard=0.5, keep=5),
        "no-cards": replace(AXIS, cards=0.0),
    },
    "allies": {
        "all-escorts": replace(ALLIES, guard=3.5, keep=10, points=1),
        "bomb-all": replace(ALLIES, home_bombers=8, pacific_bombers=3, submarines=1, mass=6, daring=0.8),
        "starve-japan": replace(ALLIES, submarines=8, boats=30, home_bombers=1),
        "merchants": replace(ALLIES, keep=30, calm=15, plenty=50),
        "no-research": replace(ALLIES, points=0),
    },
}
"""Policies written to win, by which mixes are tested but from which no search starts."""
