"""Accessibility of every page: light and dark, wide and narrow, and at 200 %."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ViewportSize
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import GAME, at_a_vote, by_hints, create_match, duel, go_on, in_turns, set_up, visited
from tests.browser.visitors import Visitor
from tests.server.running import Server

pytestmark = pytest.mark.slow

WIDE = ViewportSize(width=1280, height=800)
NARROW = ViewportSize(width=390, height=844)
ZOOMED = ViewportSize(width=640, height=400)
Ways = tuple[tuple[ViewportSize, tuple[axe.Scheme, ...]], ...]
SOME_WAYS: Ways = ((NARROW, ("dark",)),)
ALL_WAYS: Ways = ((WIDE, ("light", "dark")), (NARROW, ("light", "dark")))
BOOKS = [
    "/games",
    f"/games/{GAME}",
    f"/games/{GAME}/rules",
    f"/games/{GAME}/rules?q=deck",
    f"/games/{GAME}/charts",
    f"/games/{GAME}/odds",
    "/search",
    "/search?q=carrier",
    "/tutorial",
    "/studies",
]


class Reader:
    """Checks pages in several ways and collects their problems."""

    def __init__(self, visitor: Visitor, ways: Ways) -> None:
        self.visitor, self.page, self.ways = visitor, visitor.page, ways
        self._browser = visitor.context.new_cdp_session(visitor.page)
        self.faults: list[str] = []

    def reads(self, title: str, part: str | None = None) -> None:
        """Check the open page, or a part of it, in these ways and at 200 %."""
        for size, schemes in self.ways:
            self.page.set_viewport_size(size)
            for scheme in schemes:
                self.page.emulate_media(color_scheme=scheme)
                self._note(f"{title}, {size['width']} wide, {scheme}", axe.faults(self.page, part))
            self._note(f"{title}, {size['width']} wide", axe.cut_off(self.page))
        self._twice(title)
        self.page.set_viewport_size(WIDE)

    def _twice(self, title: str) -> None:
        """Zoom to 200 %, which makes 1280 pixels 640 wide, or enlarge the text alone."""
        self.page.set_viewport_size(ZOOMED)
        self._note(f"{title}, zoomed to 200 %", axe.cut_off(self.page))
        self.page.set_viewport_size(WIDE)
        self._text(2)
        self._note(f"{title}, text at 200 %", axe.cut_off(self.page))
        self._text(1)

    def _text(self, times: int) -> None:
        """Enlarge the text, as the browser's settings do."""
        sizes = {"standard": 16 * times, "fixed": 13 * times}
        self._browser.send("Page.setFontSizes", {"fontSizes": sizes})

    def _note(self, where: str, names: list[str]) -> None:
        self.faults.extend(f"{where}: {fault}" for fault in names)

    def opens(self, path: str) -> None:
        """Open and check a page."""
        self.visitor.go(path)
        self.reads(path)


@pytest.fixture(params=[SOME_WAYS, pytest.param(ALL_WAYS, marks=pytest.mark.torture)], ids=["some ways", "all ways"])
def reader(visit: Visit, request: pytest.FixtureRequest) -> Iterator[Reader]:
    """Return a page checker; fail at the end if it has found problems."""
    reader = Reader(visit("Anna"), request.param)
    yield reader
    assert not reader.faults, f"{len(reader.faults)} faults:\n" + "\n".join(reader.faults)


@pytest.mark.slow(10)
def test_game_pages(reader: Reader) -> None:
    for path in BOOKS:
        reader.opens(path)


def test_home_and_lobby(reader: Reader, visit: Visit) -> None:
    anna = reader.visitor
    reader.opens(f"/new?game={GAME}")
    anna.page.locator("details.options > summary").click()
    anna.page.get_by_label("Custom scenario").check()
    anna.press("Create match")
    anna.expects("status of 422")
    reader.reads("a new match that does not fit")
    set_up(anna, {"usa": "me", "japan": "friend"}, listed=True)
    reader.reads("a lobby")
    link = anna.page.locator("#link-japan").input_value()
    set_up(anna, {"usa": "me", "japan": "anyone"}, listed=True)
    reader.opens("/")
    ben = Reader(visit(), reader.ways)
    ben.opens("/")
    ben.visitor.press("Join as Japan")
    ben.reads("an open seat")
    ben.opens(link)
    ben.opens("/me")
    reader.faults += ben.faults


def test_profile_page(reader: Reader) -> None:
    anna = reader.visitor
    reader.opens("/me")
    anna.page.get_by_label("Webhook").fill("http://127.0.0.1/")
    anna.press("Save")
    anna.expects("status of 422")
    reader.reads("an address that cannot be")
    anna.press("Create recovery link")
    reader.reads("a recovery link")
    reader.opens(anna.page.locator("#recovery").input_value())


def test_error_pages(reader: Reader) -> None:
    anna = reader.visitor
    anna.expects(r"status of (403|404|405|409|422)")
    for path in ("/nowhere", "/m/unknown", "/s/unknown", f"/games/{GAME}/rules/99.9", f"/games/{GAME}/odds?question=x"):
        reader.opens(path)
    for fields, title in (({"seat": "usa"}, "not yours"), ({}, "not understood")):
        anna.go("/")
        _sends(anna, "/m/unknown/undo", **fields)
        reader.reads(title)
    set_up(anna, {"usa": "me", "japan": "bot:doctrine"})
    _sends(anna, f"{urlsplit(anna.page.url).path}/link", seat="japan")
    reader.reads("the link of a seat that a bot has")


def _sends(visitor: Visitor, path: str, **fields: str) -> None:
    """Send a form without its page."""
    visitor.page.evaluate(
        """([path, fields]) => {
          const form = document.querySelector('.schemes');
          form.action = path;
          for (const [name, value] of Object.entries(fields)) {
            form.append(Object.assign(document.createElement('input'), {type: 'hidden', name, value}));
          }
          form.submit();
        }""",
        [path, fields],
    )
    visitor.page.wait_for_url(f"**{path}")


@pytest.mark.torture(21)
@pytest.mark.parametrize("reader", [ALL_WAYS], indirect=True, ids=["all ways"])
def test_every_kind_of_decision(reader: Reader, server: Server) -> None:
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"]
    table = visited(reader.visitor, place)
    met = set[str]()
    while len(met) < 12:
        seen = go_on([place], lambda _, data: _is_new(data, met), by_hints(reader.visitor))
        if seen["outcome"] is not None:
            break
        met.add(seen["pending"]["rule"])
        reader.page.reload()
        table.waits_for_question()
        reader.reads(f"the question of {seen['pending']['rule']}", "#card" if len(met) > 1 else None)
    assert len(met) > 9
    at_a_vote(server, reader.visitor)
    reader.reads("a vote", "#card")


def _is_new(seen: dict[str, Any], met: set[str]) -> bool:
    """Return whether the decision's rule is new."""
    return seen["pending"] is not None and seen["pending"]["rule"] not in met


@pytest.mark.slow(10)
def test_match_page_in_all_states(reader: Reader, visit: Visit, server: Server) -> None:
    anna, ben, carl = reader.visitor, visit("Ben"), Reader(visit(), reader.ways)
    hers, his = duel(server, anna, ben)
    where = urlsplit(anna.page.url).path
    for mover in in_turns([hers, his]):
        hers.wait_past(mover.look()["revision"] - 1)
        if not hers.look()["asks"]:
            break
    reader.reads("a table at which another decides")
    anna.page.locator("#notes > summary").click()
    anna.page.get_by_label("Message", exact=True).fill("Good hunting")
    anna.press("Send")
    anna.page.locator(".message").wait_for()
    reader.reads("talk and notes", "#talk")
    carl.opens(where)
    anna.go(f"{where}?seat=japan")
    reader.reads("a seat of someone else")
    anna.page.keyboard.press("?")
    reader.reads("the list of keys", "#keys")
    set_up(anna, {"usa": "me", "japan": "me"})
    reader.reads("a curtain")
    _sends(anna, f"{urlsplit(anna.page.url).path}/link", seat="japan")
    anna.page.get_by_label("Invite link for Japan").wait_for()
    reader.reads("a new link to a seat")
    reader.faults += carl.faults


@pytest.mark.torture(15)
@pytest.mark.parametrize("reader", [ALL_WAYS], indirect=True, ids=["all ways"])
def test_rejected_answers_tips_and_analysis(reader: Reader) -> None:
    anna = reader.visitor
    anna.go("/tutorial")
    anna.press("Start tutorial")
    table = Table(anna.page)
    table.waits_for_question()
    reader.reads("a table with a tip")
    anna.press("Hint")
    anna.page.locator("#card .noted").wait_for()
    reader.reads("advice", "#card")
    anna.press("Analyze")
    anna.page.locator("#analysis .analysis").wait_for()
    reader.reads("what the analysis says", "#card")
    for box in anna.page.locator("#answer input[type=checkbox]").all():
        box.check()
    reader.reads("too much is selected", "#card")
    anna.expects("status of 409")
    anna.page.evaluate("document.querySelector('#answer').submit()")
    anna.page.locator("#card .refused").wait_for()
    reader.reads("an answer that was refused", "#card")


@pytest.mark.slow(10)
def test_finished_match(reader: Reader, server: Server) -> None:
    place = create_match(server, {"usa": "me", "japan": "bot:random"}, {"turn_limit": "8"})["usa"]
    go_on([place], lambda *_: False)
    visited(reader.visitor, place)
    reader.reads("the match is over")
    here = f"/m/{place.match}"
    pages = ("report", "replay?at=30", "replay?at=40&seat=all", "what-if?at=4", "review")
    for path in (f"{here}/{page}" for page in pages):
        reader.opens(path)


def test_checks_find_faults(visit: Visit) -> None:
    reader = Reader(visit(), SOME_WAYS)
    reader.visitor.go("/nowhere")
    reader.visitor.expects("status of 404")
    reader.page.evaluate(
        """() => {
          document.querySelector('main').append(Object.assign(new Image(), {src: '/static/mark.svg', id: 'wide'}));
          document.querySelector('#wide').style.width = '2000px';
          document.querySelector('h1').style.width = '2000px';
        }"""
    )
    reader.reads("a bad page")
    name = "\n".join(reader.faults)
    assert "image-alt" in name
    assert "zoomed to 200 %: the page is" in name
    assert "beyond the edge: <h1>" in name
