"""[PH] What can be varied in a bot's play: a policy for each side, and the named ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from readyroom.games.strategic.pearl.state import JAPAN, USA

Weight: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
"""How often a number of Magic cards is played, in proportion to the others."""


class JapanesePolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How Japan plays.

    Attributes:
        stays: whether it strikes again [PH.10]: by the odds, always or never.
        stay_margin: by the odds, by how much a second strike must improve the chance of winning minus that of losing.
        spread: the standard deviation assumed for the gain of a second strike.
        wider: what the risk of interception adds to that, and what withdrawing has.
        parked: the weight of an aircraft on the ground in the first strike: it would fight in the second.
        own_losses: the weight of an own squadron shot down, when escorts are chosen [PH.4].
        patrol: squadrons kept over the carriers where interception is possible.
        magic_0, magic_1, magic_2: how often this number of cards is played [PH.2].
    """

    stays: Literal["odds", "always", "never"] = "odds"
    stay_margin: Annotated[float, Meta(ge=-0.6, le=0.6)] = 0.0
    spread: Annotated[float, Meta(ge=2, le=15)] = 7.0
    wider: Annotated[float, Meta(ge=0.5, le=10)] = 3.0
    parked: Annotated[float, Meta(ge=0, le=4)] = 1.7
    own_losses: Annotated[float, Meta(ge=0, le=3)] = 1.0
    patrol: Annotated[int, Meta(ge=0, le=6)] = 3
    magic_0: Weight = 0.3
    magic_1: Weight = 0.3
    magic_2: Weight = 0.4

    @property
    def magic(self) -> tuple[float, ...]:
        """The weights of playing 0, 1, 2 cards."""
        return self.magic_0, self.magic_1, self.magic_2


class AmericanPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the United States play.

    Attributes:
        tries: whether forces that may intercept try to [51.31.3].
        magic_0, magic_1, magic_2, magic_3: how often this number of cards is played [PH.2].
    """

    tries: bool = True
    magic_0: Weight = 0.1
    magic_1: Weight = 0.2
    magic_2: Weight = 0.3
    magic_3: Weight = 0.4

    @property
    def magic(self) -> tuple[float, ...]:
        """The weights of playing 0, 1, 2, 3 cards."""
        return self.magic_0, self.magic_1, self.magic_2, self.magic_3


Policy: TypeAlias = JapanesePolicy | AmericanPolicy
ALL_JAPANESE = JapanesePolicy(magic_0=0.0, magic_1=0.0, magic_2=1.0)
ALL_AMERICAN = AmericanPolicy(magic_0=0.0, magic_1=0.0, magic_2=0.0, magic_3=1.0)
"""Every card is played."""

STYLES: Mapping[str, Mapping[str, Policy]] = {
    "doctrine": {JAPAN: JapanesePolicy(), USA: AmericanPolicy()},
    "cautious": {
        JAPAN: replace(ALL_JAPANESE, stays="never", patrol=0),
        USA: replace(ALL_AMERICAN, tries=False),
    },
    "all-in": {JAPAN: replace(ALL_JAPANESE, stays="always", patrol=0), USA: ALL_AMERICAN},
}
"""The bots by name: "cautious" always withdraws and never intercepts, "all-in" always strikes again."""

CHALLENGERS: Mapping[str, Mapping[str, Policy]] = {
    JAPAN: {
        "no-magic": JapanesePolicy(magic_0=1.0, magic_1=0.0, magic_2=0.0),
        "airfields": replace(ALL_JAPANESE, parked=3.5),
        "battleships": replace(ALL_JAPANESE, parked=0.5),
        "bold": replace(ALL_JAPANESE, stay_margin=-0.2, patrol=0),
        "unescorted": JapanesePolicy(own_losses=0.0, parked=1.0),
    },
    USA: {
        "no-magic": AmericanPolicy(magic_0=1.0, magic_1=0.0, magic_2=0.0, magic_3=0.0),
        "one-card": AmericanPolicy(magic_0=0.0, magic_1=1.0, magic_2=0.0, magic_3=0.0),
        "two-cards": AmericanPolicy(magic_0=0.0, magic_1=0.0, magic_2=1.0, magic_3=0.0),
        "many-cards": AmericanPolicy(magic_0=0.0, magic_1=0.0, magic_2=0.5, magic_3=1.0),
        "hidden": AmericanPolicy(tries=False),
    },
}
"""Policies written to win, by which mixes are tested but from which no search starts."""
