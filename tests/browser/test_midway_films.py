"""A film of Midway: a strike that cripples a carrier."""

from __future__ import annotations

from functools import cache
from pathlib import Path
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
def test_strike_that_cripples_tells_what_happens_in_order(
    visit: Visit, server: Server, tmp_path: Path, screen: str
) -> None:
    match = battle()
    entries = find_entries(match, "usa", lambda event: event.moment.endswith(" crippled"), before=3)
    visitor = visit("", speed="normal", **SCREENS[screen])
    visitor.page.add_init_script(CAPTIONS)
    frames = film(visitor, server, match, entries, "usa", tmp_path)
    captions = visitor.page.evaluate("captions")  # the pictures of a busy machine may miss some
    places = [next(at for at, text in enumerate(captions) if words in text.lower()) for words in WORDS]
    assert places == sorted(places), f"{captions}, pictures in {tmp_path}"
    cards = list(dict.fromkeys(frame.moment for frame in frames if frame.moment))
    assert cards[-1].endswith(" crippled"), f"{cards}, pictures in {tmp_path}"
    assert len({frame.path.read_bytes() for frame in frames}) > len(frames) / 4


CAPTIONS = """addEventListener('DOMContentLoaded', () => {
  window.captions = [];
  const note = () => {
    const text = (document.querySelector('#caption') || {textContent: ''}).textContent.replace(/\\s+/g, ' ').trim();
    if (text && window.captions.at(-1) !== text) window.captions.push(text);
  };
  new MutationObserver(note).observe(document.body, {subtree: true, childList: true, characterData: true});
});"""
"""A script that keeps every caption that the page shows."""
WORDS = ("anti-aircraft", "flak scores", "is crippled")
"""Parts of captions in the order in which they are shown."""
