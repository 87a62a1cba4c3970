"""The size of a match page's first load, what moves while pages load, and the content policy."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ViewportSize, expect
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, join_seat
from tests.browser.visitors import MOVING, PHONE, Visitor
from tests.server.running import Server

from readyroom import games

pytestmark = pytest.mark.slow

MAX_ANSWERS = 200_000
"""Limits in transferred bytes."""
DEEPEST = 3
"""The depth of requests: page, its resources, and their resources."""
STRICT = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
SHIFTS = """
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shift += entry.value;
  }).observe({type: 'layout-shift', buffered: true});
"""
"""Sums the layout shifts of a page."""
MAX_SHIFT = 0.05
LOADED = """() => document.readyState === 'complete' && !document.querySelector('.opening, .is-playing')
  && (!document.querySelector('#card') || document.querySelector('.scripted #answer'))"""
"""Whether a page is loaded and, if it is a match, its beginning has played."""
SCREENS: dict[str, dict[str, Any]] = {"laptop": {"viewport": {"width": 1366, "height": 768}}, "phone": PHONE}
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", re.IGNORECASE)


class Wire:
    """The transfers of one page: the bytes and the initiator of each request."""

    def __init__(self, visitor: Visitor) -> None:
        self.bytes: dict[str, int] = defaultdict(int)
        self.depths: dict[str, int] = {}
        self._urls: dict[str, str] = {}
        self._browser = visitor.context.new_cdp_session(visitor.page)
        self._browser.on("Network.requestWillBeSent", self._sent)
        self._browser.on("Network.loadingFinished", self._finished)
        self._browser.send("Network.enable")
        self._browser.send("Network.clearBrowserCache")

    def _sent(self, event: dict[str, Any]) -> None:
        url, initiator = event["request"]["url"], event["initiator"]
        self._urls[event["requestId"]] = url
        frames = initiator.get("stack", {}).get("callFrames", [])
        asked_by = initiator.get("url") or (frames[0]["url"] if frames else "")
        self.depths[url] = self.depths.get(asked_by, 0) + 1

    def _finished(self, event: dict[str, Any]) -> None:
        url = self._urls.get(event["requestId"])
        if url is not None:  # else the request of an earlier page
            self.bytes[url] += int(event["encodedDataLength"])


def test_first_load_is_small_and_local(visit: Visit, server: Server) -> None:
    anna = visit()
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.wait_for_decision()
    wire = Wire(anna)
    anna.page.reload(wait_until="networkidle")
    text = "\n".join(f"{size:8} {url}" for url, size in sorted(wire.bytes.items(), key=lambda pair: -pair[1]))
    print(text)
    assert len(wire.bytes) > 5
    assert sum(wire.bytes.values()) < MAX_ANSWERS, text
    assert max(wire.depths.values()) <= DEEPEST, wire.depths
    assert {urlsplit(url).netloc for url in wire.depths} == {urlsplit(server.url).netloc}


@pytest.mark.sample(2)
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", ["midway", "doolittle"])
def test_tutorial_does_not_move_while_it_loads(visit: Visit, game: str, screen: str) -> None:
    _check_shift(visit(speed="normal", **MOVING, **SCREENS[screen]), "/tutorial", game=game)


@pytest.mark.sample(2)
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", games.game_names())
def test_match_does_not_move_while_it_loads(visit: Visit, game: str, screen: str) -> None:
    _check_shift(visit(speed="normal", **MOVING, **SCREENS[screen]), "/play", game=game)


@pytest.mark.torture(3)
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("path", ["/", "/new"])
def test_page_does_not_move_while_it_loads(visit: Visit, path: str, screen: str) -> None:
    _check_shift(visit(**SCREENS[screen]), path)


def _check_shift(visitor: Visitor, path: str, **fields: str) -> None:
    """Open a page, or the match that a form starts, and check that what it shows stays in its place."""
    address = visitor.send_form(path, **fields).url if fields else path
    visitor.page.add_init_script(SHIFTS)
    visitor.page.goto(address, wait_until="networkidle")
    visitor.page.wait_for_function(LOADED)
    assert visitor.page.evaluate("shift") < MAX_SHIFT


def test_content_policy_is_strict_and_kept(visit: Visit, server: Server) -> None:
    anna = visit()
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"]
    join_seat(anna, place)
    for path in ("/", "/new", "/me", "/tutorial", "/games/midway/odds", f"/m/{place.match}/replay"):
        answer = anna.page.goto(path)
        assert answer is not None
        directives = [line.strip().partition(" ") for line in answer.headers["content-security-policy"].split(";")]
        policy = {name: value for name, _, value in directives}
        assert policy.items() >= STRICT.items(), path
        assert "unsafe" not in str(policy), path
        assert INLINE.findall(answer.text()) == [], path


@pytest.mark.torture(4)
def test_answer_sends_only_the_fitting_chart(visit: Visit, server: Server) -> None:
    anna = visit()
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.wait_for_decision()
    wide, narrow = anna.page.locator("#board .board-wide"), anna.page.locator("#board .board-narrow")
    expect(wide).to_be_visible()
    expect(narrow).to_be_hidden()
    table.answer()
    expect(narrow).to_have_count(0)
    expect(wide).to_be_visible()
    anna.page.set_viewport_size(ViewportSize(width=390, height=844))
    expect(narrow).to_be_visible()
    expect(wide).to_have_count(0)
    table.answer()
    anna.page.set_viewport_size(ViewportSize(width=1280, height=800))
    expect(wide).to_be_visible()
    expect(narrow).to_have_count(0)


@pytest.mark.torture(3)
def test_replay_step_sends_only_the_fitting_chart(visit: Visit, server: Server) -> None:
    anna = visit()
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"]
    join_seat(anna, place).wait_for_decision()
    anna.page.goto(f"/m/{place.match}/replay?at=0")
    where, messages = anna.page.locator(".step-now .strip-turn"), anna.page.locator("#announcer")
    wide, narrow = anna.page.locator("#board .board-wide"), anna.page.locator("#board .board-narrow")
    expect(wide).to_be_visible()
    expect(narrow).to_be_hidden()
    anna.page.evaluate("htmx.config.defaultSettleDelay = 1000")  # the URL changes before the step has settled
    anna.page.locator("#step-on").click()
    expect(where).to_contain_text("1 of ")
    expect(narrow).to_have_count(0)
    expect(messages).to_contain_text("1 of ")
    anna.page.set_viewport_size(ViewportSize(width=390, height=844))
    expect(narrow).to_be_visible()
    expect(wide).to_have_count(0)
    expect(where).to_contain_text("1 of ")
