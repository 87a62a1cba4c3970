"""Films of Strategic War and Air Raid Pearl Harbor: a winter in the Atlantic, and the attack on the battleships."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Visit
from tests.browser.films import SCREENS, Frame, film, find_entries
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


def in_order(frames: list[Frame], words: tuple[str, ...], folder: Path) -> None:
    """Check that captions with these words are shown in this order."""
    captions = list(dict.fromkeys(frame.caption.lower() for frame in frames))
    order = [next((at for at, text in enumerate(captions) if word.lower() in text), -1) for word in words]
    assert order == sorted(order), f"{captions}, pictures in {folder}"
    assert order[0] >= 0, f"{captions}, pictures in {folder}"
    assert len({frame.path.read_bytes() for frame in frames}) > len(frames) / 4


def is_short(frames: list[Frame], screen: str, folder: Path) -> None:
    """Check that a turn is not too long; without motion its steps are not slowed down."""
    if screen != "still":
        cards = len({frame.moment for frame in frames if frame.moment})
        assert frames[-1].at / 1000 - CARD * cards < 2 * LONGEST, f"pictures in {folder}"


@pytest.mark.torture(100)
@pytest.mark.parametrize("screen", SCREENS)
def test_winter_in_the_atlantic_tells_what_happens_in_order(
    visit: Visit, server: Server, tmp_path: Path, screen: str
) -> None:
    match = war()
    first, _ = find_entries(match, "allies", lambda event: event.line.text == "Winter 1942 begins.")
    _, last = find_entries(match, "allies", lambda event: event.line.turn == WINTER and event.line.rule == "SW.8")
    watcher = visit("", speed="normal", **SCREENS[screen])
    frames = film(watcher, server, match, (first, last), "allies", tmp_path)
    in_order(frames, ("planning. germany builds", "Axis submarines", "End of turn.", "Intelligence"), tmp_path)
    is_short(frames, screen, tmp_path)


@pytest.mark.torture(100)
@pytest.mark.parametrize("screen", SCREENS)
def test_bombing_tells_what_happens_in_order(visit: Visit, server: Server, tmp_path: Path, screen: str) -> None:
    match = offensive()
    entries = find_entries(match, "axis", lambda event: event.line.rule == "SW.11")
    frames = film(visit("", speed="normal", **SCREENS[screen]), server, match, entries, "axis", tmp_path)
    in_order(frames, ("bombing", "End of turn."), tmp_path)
    is_short(frames, screen, tmp_path)


@pytest.mark.torture(450)
@pytest.mark.parametrize("screen", ["desk"])
def test_whole_air_raid_tells_what_happens_in_order(visit: Visit, server: Server, tmp_path: Path, screen: str) -> None:
    match = raid()
    frames = film(visit("", speed="normal", **SCREENS[screen]), server, match, (0, match.revision), "japan", tmp_path)
    in_order(frames, ("Japan declares war", "Attack on Nevada", "Interception", "Japan scores"), tmp_path)
    assert any(frame.moment.endswith(" sunk") for frame in frames)
