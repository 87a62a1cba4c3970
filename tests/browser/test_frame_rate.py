"""Battles play smoothly, also on a slow computer; axe finds nothing while they play."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from itertools import groupby
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
CLOSE_CARDS = """() => setInterval(() => document.querySelector('dialog.pb-moment[open] button')?.click(), 200)"""
"""Closes the cards of moments."""
FRAMES = "PipelineReporter"
"""The browser's own record of each frame that was due: whether it was shown, and whether anything moved in it."""
PANELS = """() => {
  window.panels = [];
  const born = new Map();
  const sized = ({left, right, top, bottom}) => Math.max(0, right - left) * Math.max(0, bottom - top);
  const hidden = (panel, box) => {
    const [left, top] = [Math.max(panel.left, box.left), Math.max(panel.top, box.top)];
    return sized({left, top, right: Math.min(panel.right, box.right), bottom: Math.min(panel.bottom, box.bottom)});
  };
  const look = (time) => {
    for (const panel of document.querySelectorAll('.pb-panel')) {
      if (!born.has(panel)) born.set(panel, time);
      if (time - born.get(panel) < 400 || !born.get(panel)) continue;
      born.set(panel, 0);
      const box = panel.getBoundingClientRect(), chart = panel.closest('.board').querySelector(':scope > svg[viewBox]');
      const most = sized(chart.getBoundingClientRect()) * 0.02;
      const isShape = (part) => part.getBBox && part.tagName !== 'title';
      const bodies = [...chart.querySelectorAll('[data-key]:not([data-place])')].map((piece) =>
        ([...piece.children].find(isShape) || piece).getBoundingClientRect());
      const sum = bodies.filter((body) => sized(body) < most).reduce((all, body) => all + hidden(box, body), 0);
      const isOut = box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth;
      panels.push({share: sum / sized(box), isOut, dice: panel.querySelectorAll('.pb-die').length});
    }
    const card = document.querySelector('dialog.pb-moment button');
    if (card) card.click();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Notes for each panel of dice, once it stands, how many dice it has and how much of it is above counters."""


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
    "kamikaze": Scene(kamikaze, "", lambda event: " crashes into the ship" in event.moment, 1),
}

DICE = {
    "strike": SCENES["strike"],
    "row": Scene(test_tora_films.battle, "usa", lambda event: event.line.rule == "11.4" and bool(event.line.rolls)),
    "kamikaze": SCENES["kamikaze"],
}


def open_scene(visit: Visit, server: Server, scene: Scene, screen: str) -> tuple[Page, int]:
    """Open the replay of a scene; return its page and the decision at which it ends."""
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


class Frame(NamedTuple):
    """A frame that was due while something moved: its time in seconds, and whether it was shown."""

    time: float
    is_shown: bool


def frames_of(events: list[dict[str, Any]]) -> list[Frame]:
    """Return the frames of a trace that were due while something moved on the page, in order.

    The record has one or two entries for a frame. A frame is shown if one of them is, as animations run apart from the
    scripts of a page: a frame for which a script was late still shows them move.
    """
    reports = [event for event in events if event["name"] == FRAMES and event["ph"] == "b"]
    page, _ = Counter(event["pid"] for event in reports).most_common(1)[0]
    found: dict[int, Frame] = {}
    for event in reports:
        report = event["args"]["frame_reporter"]
        moves = report["has_compositor_animation"] or report["has_main_animation"]
        if event["pid"] == page and moves and report["state"] != "STATE_NO_UPDATE_DESIRED":
            number, is_shown = report["frame_sequence"], report["state"].startswith("STATE_PRESENTED")
            first = found.get(number, Frame(event["ts"] / 1e6, is_shown))
            found[number] = first._replace(is_shown=first.is_shown or is_shown)
    return sorted(found.values())


def rates(frames: list[Frame]) -> list[float]:
    """Return the frames per second of each second in which something moved for at least a quarter of it."""
    seconds = [[frame.is_shown for frame in own] for _, own in groupby(frames, lambda frame: int(frame.time))]
    return [60 * sum(shown) / len(shown) for shown in seconds if len(shown) >= 15]


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
    page, last = open_scene(visit, server, SCENES[name], "desk")
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    events: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda part: ended.append(part))
    page.evaluate(CLOSE_CARDS)
    kinds = {"includedCategories": ["cc", "benchmark"]}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": kinds})
    page.locator("#play").evaluate("(play) => play.click()")
    end = "(last) => Number(document.querySelector('#replay').dataset.at) >= last"
    page.wait_for_function(end, arg=last, polling=500)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    frames = frames_of(events)
    found = rates(frames)
    shown = sum(frame.is_shown for frame in frames) / len(frames)
    print(f"{name}: median {median(found):.1f}, {shown:.1%} of {len(frames)} frames shown; by second:")
    print(" ".join(f"{rate:.0f}" for rate in found))
    assert len(frames) > 300, "hardly anything moved"
    assert median(found) >= LEAST, found


@pytest.mark.torture(60)
@pytest.mark.parametrize("screen", ["desk", "phone"])
@pytest.mark.parametrize("name", DICE)
def test_dice_lie_next_to_the_counters(visit: Visit, server: Server, name: str, screen: str) -> None:
    page, last = open_scene(visit, server, DICE[name], screen)
    page.evaluate(PANELS)
    page.locator("#play").evaluate("(play) => play.click()")
    page.wait_for_function("(last) => Number(document.querySelector('#replay').dataset.at) >= last", arg=last)
    panels = page.evaluate("panels")
    assert panels
    assert all(panel["dice"] for panel in panels), panels
    assert not any(panel["isOut"] for panel in panels), panels
    assert median(panel["share"] for panel in panels) < 0.02, panels
    assert max(panel["share"] for panel in panels) < 0.2, panels


@pytest.mark.torture(20)
@pytest.mark.parametrize("screen", ["desk", "phone"])
def test_battle_and_its_cards_are_accessible(visit: Visit, server: Server, screen: str) -> None:
    page, _ = open_scene(visit, server, SCENES["strike"], screen)
    page.locator("#play").evaluate("(play) => play.click()")
    page.locator("#board.is-playing").wait_for()
    assert not violations(page)
    page.locator("dialog.pb-moment[open]").wait_for()
    assert not violations(page)
