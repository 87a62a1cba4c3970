"""Mixes of policies that no search has found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readyroom.bots.mixes import Challenge, Measured, Member, Mix, SideMix

NOTHING = Measured(0.0, 0.0, 0.0)
CHALLENGE = Challenge(name="last search", utility=NOTHING, gain=NOTHING, matches=2, settings={})


def untested_mix(
    game: str, scenario: str, members: Mapping[str, Sequence[Member]], options: dict[str, str] | None = None
) -> Mix:
    """Return a mix with these members of each side."""
    sides = [
        SideMix(side=side, name=side, members=list(each), reply=CHALLENGE, search_matches=1, tests=[])
        for side, each in members.items()
    ]
    return Mix(
        game=game,
        version="1",
        scenario=scenario,
        options=options or {},
        command="",
        value=NOTHING,
        value_matches=2,
        sides=sides,
        payoffs=[],
        cell_matches=2,
        rounds=[],
        search_matches=1,
        matches=0,
    )
