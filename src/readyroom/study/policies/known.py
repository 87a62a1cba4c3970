"""The policies that each side of a scenario is known to play, and what a solved mix of them looks like."""

from __future__ import annotations

from typing import Any

import msgspec

from readyroom.bots.mixes import Member, mix_for
from readyroom.bots.parameters import settings_of
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, Scenario, sides

MOST_POLICIES = 6
"""The most policies of a side between which a study solves the game."""


class NoPolicies(ReadyRoomError):
    """The game declares no policies for the sides of a scenario."""

    def __init__(self, game: str, scenario: str) -> None:
        super().__init__(f"{game} has no parametrised policies for {scenario}, so no mix of them can be found.")


class SolvedPolicy(msgspec.Struct, frozen=True):
    """A policy, its share of the published mix (None: no mix is published), and that of the solved one."""

    name: str
    published: float | None
    share: float


class SolvedSide(msgspec.Struct, frozen=True):
    """The policies of a side."""

    side: str
    name: str
    policies: list[SolvedPolicy]


class SolvedMixes(msgspec.Struct, frozen=True):
    """The mixes of a case, solved from this many matches of each pair of policies."""

    case: str
    pair_matches: int
    sides: list[SolvedSide]


def has_policies(game: Game[Any, Any], scenario: Scenario, options: dict[str, str]) -> bool:
    """Return whether the game declares policies for all sides of a scenario."""
    space = game.analysis.policies
    return space is not None and {seat.side for seat in game.rules.seats(scenario, options)} <= space.styles.keys()


def known_policies(game: Game[Any, Any], scenario: Scenario, options: dict[str, str]) -> dict[str, list[Member]]:
    """Return the policies of each side: those of the published mix, the most frequent first, or the game's styles.

    Raises `NoPolicies` if the game has none for a side.
    """
    space, seats = game.analysis.policies, game.rules.seats(scenario, options)
    if space is None or not has_policies(game, scenario, options):
        raise NoPolicies(game.title, scenario.key)
    mix = mix_for(game, scenario.key, options)
    published = {} if mix is None else {each.side: each.members for each in mix.sides}
    known = {}
    for side in sides(seats):
        styles = [Member(name=name, share=0.0, settings=settings_of(each)) for name, each in space.styles[side].items()]
        members = sorted(published.get(side) or styles, key=lambda each: -each.share)
        known[side] = members[:MOST_POLICIES]
    return known
