"""Mixes of policies: how often a strong player would play each of them, found by long studies.

They are in the `mixes.json` of a game's package, made by `readyroom policies` and `python -m readyroom.study.book`. No
policy that the last search found gains much against a mix, see `Challenge`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from readyroom.engine.game import Game

FILE = "mixes.json"


class Measured(msgspec.Struct, frozen=True, array_like=True):
    """A mean with its 95 % CI."""

    mean: float
    low: float
    high: float


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A policy: its name, its share of the mix (0: it was tried and is not in it), and its parameters."""

    name: str
    share: float
    settings: dict[str, Any]


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """A policy against the other side's mix: its utility, and its gain over its own side's mix with the same dice."""

    name: str
    utility: Measured
    gain: Measured
    matches: int
    settings: dict[str, Any]


class SideMix(msgspec.Struct, frozen=True, kw_only=True):
    """The mix of a side.

    `reply` is the best reply that a last search of `search_matches` found, measured in new matches: how exploitable the
    other side's mix is known to be. `tests` are policies that the search did not choose.
    """

    side: str
    name: str
    members: list[Member]
    reply: Challenge
    search_matches: int
    tests: list[Challenge]


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """What the reply of each side gained in a round."""

    gains: dict[str, Measured]


class Mix(msgspec.Struct, frozen=True, kw_only=True):
    """The mixes of a scenario with these options, where they differ from the defaults.

    Attributes:
        game, version, scenario, options: where it applies.
        command: makes it again.
        value: the utility to the first side where both play their mix.
        value_matches: the matches of `value`.
        sides: the mixes; a solitaire game has one.
        payoffs: the utility to the first side of each of its members (rows) against each of the other side's.
        cell_matches: the matches of each payoff.
        rounds: what the replies gained, round by round.
        search_matches: the matches of each search in a round.
        matches: all matches played.
    """

    game: str
    version: str
    scenario: str
    options: dict[str, str]
    command: str
    value: Measured
    value_matches: int
    sides: list[SideMix]
    payoffs: list[list[Measured]]
    cell_matches: int
    rounds: list[Round]
    search_matches: int
    matches: int

    @property
    def about(self) -> tuple[str, str, Mapping[str, str]]:
        """Its subject: game, scenario and options."""
        return self.game, self.scenario, self.options

    def of(self, side: str) -> SideMix:
        """Return the mix of a side."""
        return next(each for each in self.sides if each.side == side)

    def fit(self, scenario: str, options: Mapping[str, str]) -> tuple[bool, int]:
        """Return how well the mix fits a match with these options that differ from the defaults: higher is better."""
        same = sum(options.get(key) == choice for key, choice in self.options.items())
        return self.scenario == scenario, 2 * same - len(self.options)


@lru_cache(maxsize=64)
def mixes(package: str) -> Sequence[Mix]:
    """Return the mixes of a game's package; empty if it has none."""
    file = files(package).joinpath(FILE)
    return msgspec.json.decode(file.read_bytes(), type=list[Mix]) if file.is_file() else []


def mixes_of(game: Game[Any, Any]) -> list[Mix]:
    """Return the mixes of a game."""
    return [] if game.analysis.policies is None else [mix for mix in mixes(game.package) if mix.game == game.key]


def mix_for(game: Game[Any, Any], scenario: str, options: Mapping[str, str]) -> Mix | None:
    """Return the mix that fits a match best, or None; `options` are all of the match."""
    chosen = game.non_default_options(options)
    return max(mixes_of(game), key=lambda mix: mix.fit(scenario, chosen), default=None)
