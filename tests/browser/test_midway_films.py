"""A film of Midway: a strike that cripples a carrier."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from tests.browser.conftest import Visit
from tests.browser.films import SCREENS, film, find_entries
from tests.browser.matches import played_by_bots
from tests.server.running import Server

from readyroom import Match, games

pytestmark = pytest.mark.slow


@cache
def battle() -> Match[Any, Any]:
    """Return a battle in which the first American strike cripples a carrier."""
    match: Match[Any, Any] = Match(games.load("midway"), "midway", {"turn_limit": "8"}, seed="a strike that cripples 1")
    return played_by_bots(match, lambda _: False)


@pytest.mark.torture(60)
@pytest.mark.parametrize("screen", SCREENS)
def test_strike_that_cripples_shows_what_happens_in_order(visit: Visit, server: Server, screen: str) -> None:
    match = battle()
    entries = find_entries(match, "usa", lambda event: event.moment.endswith(" crippled"), before=3)
    shown = film(visit("", speed="normal", **SCREENS[screen]), server, match, entries, "usa", f"strike-{screen}")
    shown.check_captions(
        "search groups? None chosen. The rest are spread evenly.",
        "Search group 1",
        "finds the Japanese fleet",
        "none are on guard",
        "Torpedo bombers of Hornet and Yorktown (2 squadrons) attack Soryu",
        "anti-aircraft (a die per AA point)",
        "flak scores",
        "Torpedo attack (a die per strength point)",
        "is crippled",
        "The United States scores 4 points",
    )
    assert shown.cards[-1].endswith(" crippled"), f"{shown.cards}, pictures in {shown.folder}"
    shown.check_motion()
