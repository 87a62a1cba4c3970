"""Battles play smoothly, also on a slow computer; axe finds nothing while they play."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page
from tests.browser import test_midway_films, test_solo_films, test_tora_films
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.films import READY, SCREENS, find_entries
from tests.browser.matches import import_match
from tests.server.running import Server

from readyroom import Match
from readyroom.engine.record.playback import PlayedEvent

SLOWER = 4
"""How many times slower than this machine the browser is made."""
LEAST = 54
"""Frames per second: within 10 % of 60."""
PATIENCE = 180
"""Seconds to wait for other work to end."""
LONGEST = 120_000
"""Milliseconds after which what is played must have ended."""
WATCH = """() => {
  window.watched = [];
  const look = (time) => {
    const isPlaying = document.querySelector('#board.is-playing') && !document.querySelector('dialog[open]');
    watched.push([time, isPlaying ? document.querySelector('#caption').textContent : null]);
    const card = document.querySelector('dialog.pb-moment button');
    if (card) card.click();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Notes the time of each frame and the caption, or nothing where no battle plays; closes the cards of moments."""


class Scene(NamedTuple):
    """A part of a match: the match, whose view (by default the first seat's), and to which event it leads.

    `before` is the number of decisions before that event.
    """

    match: Callable[[], Match[Any, Any]]
    seat: str
    leads_to: Callable[[PlayedEvent[Any]], bool]
    before: int = 0


def kamikaze() -> Match[Any, Any]:
    film = test_solo_films.SCENES["kamikaze"]
    return test_solo_films.played(film.game, film.scenario, film.seed)


SCENES = {
    "strike": Scene(test_midway_films.battle, "usa", lambda event: event.moment.endswith(" crippled"), 3),
    "wave": Scene(test_tora_films.battle, "usa", lambda event: event.moment.startswith("The first wave")),
    "kamikaze": Scene(kamikaze, "", lambda event: " gets through" in event.moment, 1),
}


def open_scene(visit: Visit, server: Server, name: str, screen: str) -> tuple[Page, int]:
    """Open the replay of a scene; return its page and the decision at which it ends."""
    scene = SCENES[name]
    match = scene.match()
    seat = scene.seat or match.seats[0].key
    first, last = find_entries(match, seat, scene.leads_to, scene.before)
    visitor = visit("", speed="normal", **SCREENS[screen])
    visitor.context.set_default_timeout(LONGEST)  # a worker prepares a long replay first
    page = visitor.page
    page.goto(f"/m/{import_match(server, visitor, match)}/replay?at={first}&seat={seat}")
    page.wait_for_function(READY)
    page.locator("#board").evaluate("(board) => board.scrollIntoView()")
    return page, last


def rates(watched: list[tuple[float, str | None]]) -> Iterator[tuple[float, str]]:
    """Yield the frames per second of each second in which a battle played, and what it showed."""
    frames, length = 0, 0.0
    for (now, caption), (later, next_caption) in pairwise(watched):
        if caption is None or next_caption is None:
            continue
        frames, length = frames + 1, length + later - now
        if length >= 1000:
            yield frames * 1000 / length, caption
            frames, length = 0, 0.0


def is_quiet() -> bool:
    """Return whether the machine has nothing else to do, perhaps after a while: other tests may just have ended."""
    end = time.monotonic() + PATIENCE
    while (busy := os.getloadavg()[0] > (os.cpu_count() or 1)) and time.monotonic() < end:
        time.sleep(5)
    return not busy


@pytest.mark.alone
@pytest.mark.torture(30)
@pytest.mark.parametrize("name", SCENES)
def test_battle_plays_smoothly_on_a_slow_computer(visit: Visit, server: Server, name: str) -> None:
    if not is_quiet():
        pytest.skip("the machine is busy")
    page, last = open_scene(visit, server, name, "desk")
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(WATCH)
    page.locator("#play").evaluate("(play) => play.click()")
    page.wait_for_function("(last) => Number(document.querySelector('#replay').dataset.at) >= last", arg=last)
    watched = page.evaluate("watched")
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    found = list(rates(watched))
    slow = [f"{rate:.0f}: {caption}" for rate, caption in found if rate < LEAST]
    print(name, " ".join(f"{rate:.0f}" for rate, _ in found), *slow, sep="\n")
    assert median(rate for rate, _ in found) >= LEAST, slow


@pytest.mark.torture(20)
@pytest.mark.parametrize("screen", ["desk", "phone"])
def test_battle_and_its_cards_are_accessible(visit: Visit, server: Server, screen: str) -> None:
    page, _ = open_scene(visit, server, "strike", screen)
    page.locator("#play").evaluate("(play) => play.click()")
    page.locator("#board.is-playing").wait_for()
    assert not violations(page)
    page.locator("dialog.pb-moment[open]").wait_for()
    assert not violations(page)
