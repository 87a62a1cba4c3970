"""What can be varied in a bot's play: a `Policy` for each side, and the named ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from readyroom.games.midway.state import JAPAN, USA, SideName

BomberOrder = Literal["strongest", "dive", "torpedo"]
"""[14.1] The bombers that are spotted first: the strongest of all, or those of a type."""
SearchGroups = Literal["even", "spearhead"]
"""[17.1] How the search is divided: evenly, or with one squadron in each group but the last."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a side plays.

    Attributes:
        late: the first turn in which the late values apply.
        cap_early, cap_late: fighter squadrons wanted in the CAP [13.2, 14.1]; those beyond it fly escort.
        mass_early, mass_late: bomber points that go forward together [10.2].
        patient: whether bombers wait for that many while others are in the hangars or on the way home; they do not wait
            once it is too late to strike. Otherwise they wait only for bombers on deck.
        land_weight, land_soon: decks are cleared for this share of the points that wait to land, and of those that are
            on the way home [14.1].
        load_all: whether every squadron is spotted where all fit, before any deck is cleared.
        deck_fighters: fighter squadrons that each deck spots at least, before bombers.
        bombers: the bombers that are spotted first.
        ahead_cap: fighter squadrons by which the CAP grows once the side has a lead that wins.
        ahead_mass: the factor by which the mass then grows.
    """

    late: Annotated[int, Meta(ge=2, le=12)] = 2
    cap_early: Annotated[int, Meta(ge=0, le=20)]
    cap_late: Annotated[int, Meta(ge=0, le=20)]
    mass_early: Annotated[float, Meta(ge=5, le=120, extra={"log": True})]
    mass_late: Annotated[float, Meta(ge=5, le=120, extra={"log": True})]
    patient: bool = False
    land_weight: Annotated[float, Meta(ge=0, le=1.5)] = 1.0
    land_soon: Annotated[float, Meta(ge=0, le=1)] = 0.0
    load_all: bool = False
    deck_fighters: Annotated[int, Meta(ge=0, le=4)] = 1
    bombers: BomberOrder = "strongest"
    ahead_cap: Annotated[int, Meta(ge=0, le=15)] = 0
    ahead_mass: Annotated[float, Meta(ge=1, le=10, extra={"log": True})] = 1.0

    def cap(self, turn: int, *, ahead: bool) -> int:
        """Return the fighter squadrons wanted in the CAP."""
        return (self.cap_late if turn >= self.late else self.cap_early) + (self.ahead_cap if ahead else 0)

    def mass(self, turn: int, *, ahead: bool) -> float:
        """Return the bomber points that go forward together."""
        return (self.mass_late if turn >= self.late else self.mass_early) * (self.ahead_mass if ahead else 1.0)


class AmericanPolicy(Policy, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the United States play: `groups` is how they divide the search [17.1]."""

    groups: SearchGroups = "even"


Policies = Mapping[SideName, Policy]


def _steady(japan: tuple[int, int], usa: tuple[int, int]) -> Policies:
    """Return policies that want the same CAP and mass in all turns."""
    (cap, mass), (american_cap, american_mass) = japan, usa
    return {
        JAPAN: Policy(cap_early=cap, cap_late=cap, mass_early=mass, mass_late=mass),
        USA: AmericanPolicy(
            cap_early=american_cap, cap_late=american_cap, mass_early=american_mass, mass_late=american_mass
        ),
    }


STYLES: Mapping[str, Policies] = {
    "guarded": _steady((16, 40), (11, 35)),
    "doctrine": _steady((12, 40), (5, 20)),
    "massed": _steady((12, 60), (5, 50)),
    "eager": _steady((6, 15), (2, 8)),
}
"""The styles of play, the default first."""

CHALLENGERS: Mapping[str, Mapping[str, Policy]] = {
    JAPAN: {
        "all-out": Policy(cap_early=0, cap_late=0, mass_early=40, mass_late=40, load_all=True, deck_fighters=0),
        "first-blow": Policy(late=6, cap_early=4, cap_late=16, mass_early=5, mass_late=60, load_all=True),
        "fortress": Policy(cap_early=20, cap_late=20, mass_early=80, mass_late=80, patient=True, deck_fighters=0),
        "torpedo-wave": Policy(
            cap_early=8, cap_late=12, mass_early=30, mass_late=30, bombers="torpedo", deck_fighters=0, land_soon=0.5
        ),
        "hit-and-hold": Policy(
            late=5, cap_early=6, cap_late=14, mass_early=20, mass_late=50, ahead_cap=8, ahead_mass=3, deck_fighters=0
        ),
        "clear-decks": Policy(cap_early=12, cap_late=12, mass_early=25, mass_late=25, land_weight=1.4, land_soon=0.8),
    },
    USA: {
        "no-cap": AmericanPolicy(cap_early=0, cap_late=0, mass_early=20, mass_late=20, load_all=True),
        "first-blow": AmericanPolicy(
            late=5, cap_early=0, cap_late=8, mass_early=5, mass_late=30, load_all=True, bombers="dive", deck_fighters=0
        ),
        "fortress": AmericanPolicy(cap_early=15, cap_late=15, mass_early=70, mass_late=70, patient=True),
        "one-great-blow": AmericanPolicy(
            late=8, cap_early=2, cap_late=6, mass_early=90, mass_late=15, load_all=True, bombers="dive", deck_fighters=0
        ),
        "hit-and-hold": AmericanPolicy(
            late=4, cap_early=2, cap_late=8, mass_early=25, mass_late=12, load_all=True, ahead_cap=10, ahead_mass=2
        ),
        "spearhead": AmericanPolicy(
            cap_early=3, cap_late=3, mass_early=15, mass_late=15, load_all=True, land_weight=0.4, groups="spearhead"
        ),
    },
}
"""Policies written to win, by which mixes are tested but from which no search starts; `no-cap` is the doctrine with two
habits changed."""
