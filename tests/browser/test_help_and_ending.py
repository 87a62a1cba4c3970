"""Rules in pop-overs, the bubbles of the tutorial, and the end of a match."""

from __future__ import annotations

import re
import struct
from contextlib import closing
from functools import partial
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import create_match, join_seat
from tests.browser.visitors import PHONE, Visitor
from tests.server.running import Server

from readyroom.bots import make_bot
from readyroom.store import SeatAssignment, Store
from readyroom.store.database import FILE
from readyroom.web.pages.players.profile import COOKIE

pytestmark = pytest.mark.slow

COVERED = """() => {
  const box = (element) => element.getBoundingClientRect(), tip = box(document.querySelector('#tip-of-the-lesson'));
  const shared = (one, two) => Math.max(0, Math.min(one.right, two.right) - Math.max(one.left, two.left)) *
    Math.max(0, Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top));
  const sum = (numbers) => numbers.reduce((one, two) => one + two, 0);
  const frames = [...document.querySelectorAll('.pointer')].map(box);
  const drawn = [...document.querySelectorAll('#board svg[viewBox]')].find((svg) => svg.getClientRects().length);
  const sheet = box(document.querySelector('#card')), board = box(drawn), isSheet = sheet.left < 50;
  return {
    frames: frames.length,
    covered: sum(frames.map((frame) => shared(tip, frame))) / sum(frames.map((frame) => shared(frame, frame))),
    isInView: tip.left >= 0 && tip.top >= 0 && tip.right <= innerWidth && tip.bottom <= innerHeight,
    board: Math.min(board.bottom, isSheet ? sheet.top : innerHeight) - Math.max(board.top, 0),
  };
}"""
"""The share of what is framed that the bubble covers, and the height of the board that is in view."""


def test_rule_opens_next_to_its_link(visit: Visit, server: Server) -> None:
    anna = visit()
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.wait_for_decision()
    anna.press("Select all")
    page, address = anna.page, anna.page.url
    link, box = page.locator("#card .wanted .rule"), page.locator("#help")
    chosen = table.chosen()
    link.focus()
    page.keyboard.press("Enter")
    expect(box).to_be_visible()
    expect(box).to_be_focused()
    expect(page.locator("#help-title")).to_contain_text(link.inner_text())
    assert not axe.violations(page)
    page.keyboard.press("c")  # a shortcut of the table does nothing while the rule is open
    assert chosen
    assert table.chosen() == chosen
    box.locator("#help-body a").first.click()
    expect(page.locator("#help-back")).to_be_visible()
    page.locator("#help-back").click()
    expect(page.locator("#help-title")).to_contain_text(link.inner_text())
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(link).to_be_focused()
    page.locator(".track > ol .now a").click()
    expect(box).to_be_visible()
    assert page.url == address
    page.evaluate("document.querySelector('#answer').requestSubmit()")
    expect(box).to_be_hidden()  # it was read for the last decision


@pytest.mark.torture(3)
def test_bubble_is_next_to_its_pieces(visit: Visit) -> None:
    for how, most in (({}, 0), (PHONE, 0.35)):  # on a phone there is no room for all of it
        learner = visit(**how)
        learner.go("/tutorial/midway")
        learner.press("Start tutorial")
        Table(learner.page).wait_for_decision()
        seen = _covered(learner.page)
        assert seen["covered"] <= most, seen
        assert seen["isInView"], seen
        assert seen["board"] > 250, seen


@pytest.mark.torture(3)
def test_bubble_is_read_with_the_keyboard(visit: Visit) -> None:
    learner = visit()
    page = learner.go("/tutorial/pearl")
    learner.press("Start tutorial")
    Table(page).wait_for_decision()
    tip, part = page.locator("#tip-of-the-lesson"), page.locator("#tip-part")
    expect(part).to_have_text("1 of 3")
    expect(page.locator("#tip-back")).to_be_hidden()
    page.keyboard.press("t")
    expect(tip.locator("summary").first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(part).to_have_text("2 of 3")
    expect(page.locator("[role=status]", has_text="What is Magic?").last).to_contain_text("Magic")
    page.keyboard.press("ArrowLeft")
    expect(part).to_have_text("1 of 3")
    page.keyboard.press("Escape")
    expect(tip).not_to_have_attribute("open", "")
    expect(page.locator("#question")).to_be_focused()


def _covered(page: Page) -> dict[str, Any]:
    """Return what the bubble covers once it is in place."""
    page.locator("#tip-of-the-lesson[data-side]").wait_for()
    page.wait_for_timeout(300)
    seen: dict[str, Any] = page.evaluate(COVERED)
    assert seen["frames"]
    return seen


def test_picture_of_the_end_is_saved_where_files_cannot_be_shared(visit: Visit) -> None:
    visitor = visit()
    match_id = visitor.go("/watch/pearl").url.split("/")[4]
    page = visitor.go(f"/m/{match_id}")
    with page.expect_download() as coming:
        visitor.press("Picture")
    assert coming.value.suggested_filename == f"{match_id}.png"
    assert struct.unpack(">II", coming.value.path().read_bytes()[16:24]) == (1200, 630)


@pytest.mark.torture(10)
def test_players_agree_on_a_rematch(visit: Visit, server: Server) -> None:
    anna, boris = visit(), visit()
    match_id = _finished(server, anna, boris)
    for visitor in (anna, boris):
        page = visitor.go(f"/m/{match_id}")
        expect(page.locator(".poster-title")).to_have_text(re.compile("win|draw", re.IGNORECASE))
        expect(page.locator(".turning-points a").first).to_be_visible()
    assert axe.violations(anna.page, "#card") == []
    anna.press("Swap sides")
    expect(anna.page.locator("#seat-japan")).to_contain_text("you")
    expect(anna.page.locator("#seat-usa")).to_contain_text("Boris has been asked")
    expect(boris.page).to_have_title(re.compile("● Rematch offered"))
    boris.press("Join rematch")
    expect(boris.page.locator(".match-sides")).to_be_visible()
    expect(anna.page.locator(".match-sides")).to_be_visible()
    boris.page.go_back()
    boris.page.locator(".turning-points a").first.click()
    expect(boris.page.locator(".replay .log li:target")).to_have_count(1)


def _finished(server: Server, *visitors: Visitor) -> str:
    """Return a finished match whose sides are two visitors, who become new players."""
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        host, guest = (store.players.create(name) for name in ("Anna", "Boris"))
        seats = {"usa": SeatAssignment("me"), "japan": SeatAssignment("friend")}
        opened = store.lobby.create(host.player, "pearl", None, {}, seats)
        store.seats.join_by_link(opened.links["japan"], guest.player.id)
        random = Random(1)
        while store.listings.summary(opened.id).outcome is None:
            with store.matches.open(opened.id) as match:
                seat, decision = next(iter(match.pending.items()))
                keys = list(make_bot(match.game, "doctrine", seat, random)(decision, partial(match.view, seat)))
            store.matches.answer(opened.id, seat, keys, None)
    for visitor, player in zip(visitors, (host, guest), strict=True):
        visitor.context.add_cookies([{"name": COOKIE, "value": player.session, "url": server.url}])
    return opened.id
