"""Films of Strategic War and Air Raid Pearl Harbor: a winter in the Atlantic, and the attack on the battleships."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from tests.browser.conftest import Visit
from tests.browser.films import SCREENS, Film, film, find_entries
from tests.browser.matches import played_by_bots
from tests.server.running import Server

from readyroom import Match, games

pytestmark = pytest.mark.slow

WINTER = 4
"""The turn of the first winter."""
CARD = 6
"""The seconds after which a card of a moment leaves in a replay."""
LONGEST = 32
"""The most seconds of a turn, without cards; a busy computer shows it more slowly."""


@cache
def war() -> Match[Any, Any]:
    """Return a war in the Atlantic."""
    return played_by_bots(Match(games.load("war"), "atlantic", seed="winter"), lambda _: False)


@cache
def offensive() -> Match[Any, Any]:
    """Return a bomber offensive."""
    return played_by_bots(Match(games.load("war"), "bomber-offensive", seed="bombs"), lambda _: False)


@cache
def raid() -> Match[Any, Any]:
    """Return an air raid."""
    return played_by_bots(Match(games.load("pearl"), "air-raid", seed="strike"), lambda _: False)


def is_short(shown: Film) -> None:
    """Check that a turn is not too long; without motion its steps are not slowed down."""
    assert shown.still or shown.frames[-1].at / 1000 - CARD * len(shown.cards) < 2 * LONGEST, shown.folder


@pytest.mark.torture(100)
@pytest.mark.parametrize("screen", SCREENS)
def test_winter_in_the_atlantic_shows_what_happens_in_order(visit: Visit, server: Server, screen: str) -> None:
    match = war()
    first, _ = find_entries(match, "allies", lambda event: event.line.text == "Winter 1942 begins.")
    _, last = find_entries(match, "allies", lambda event: event.line.turn == WINTER and event.line.rule == "SW.8")
    watcher = visit("", speed="normal", **SCREENS[screen])
    shown = film(watcher, server, match, (first, last), "allies", f"winter-{screen}")
    shown.check_captions(
        "Planning phase. Germany builds",
        "build 5 escort factors and 3 escort carrier factors",
        "Axis plays a submarine card",
        "sink 7 merchant",
        "sink 6 submarine",
        "end of turn",
    )
    shown.check_motion()
    is_short(shown)


@pytest.mark.torture(100)
@pytest.mark.parametrize("screen", SCREENS)
def test_bombing_shows_what_happens_in_order(visit: Visit, server: Server, screen: str) -> None:
    match = offensive()
    entries = find_entries(match, "axis", lambda event: event.line.rule == "SW.11")
    shown = film(visit("", speed="normal", **SCREENS[screen]), server, match, entries, "axis", f"bombing-{screen}")
    shown.check_captions("who is shot down?", "shoot down 2 bomber", "bomb Hamburg", "Flak shoots", "end of turn")
    shown.check_motion()
    is_short(shown)


@pytest.mark.torture(450)
@pytest.mark.parametrize("screen", ["desk"])
def test_whole_air_raid_shows_what_happens_in_order(visit: Visit, server: Server, screen: str) -> None:
    match = raid()
    shown = film(
        visit("", speed="normal", **SCREENS[screen]), server, match, (0, match.revision), "japan", f"air-raid-{screen}"
    )
    shown.check_captions("Japan declares war", "Attack on Nevada", "interception", "Japan scores")
    shown.check_motion()
    assert any(card.endswith(" sunk") for card in shown.cards)
