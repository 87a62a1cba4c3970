"""Two people at one table, each at a screen of his own, and others who watch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import (
    create_match,
    duel,
    everywhere,
    in_turns,
    join,
    known_to_all,
    link_to,
    set_up,
    shares,
    visible_keys,
    visited,
)
from tests.browser.visitors import MOVING, Visitor
from tests.server.running import Server

from readyroom.web.client import RemoteSeat

pytestmark = pytest.mark.slow


def test_players_see_own_sides_and_spectator_neither(visit: Visit, server: Server) -> None:
    anna, ben, carl = visit("Anna", **MOVING), visit("Ben", **MOVING), visit(**MOVING)
    set_up(anna, {"usa": "me", "japan": "friend"})
    link = link_to(anna.page, "japan")
    join(ben, link)
    anna.page.locator(".strip").wait_for()
    usa, japan, watched = Table(anna.page), Table(ben.page), Table(carl.page)
    carl.go(urlsplit(anna.page.url).path)
    for page in (anna.page, ben.page, carl.page):
        page.evaluate("window.same = true")
    by_program = shares(ben, RemoteSeat(server.url, usa.match), "japan")
    movers = set()
    for mover in in_turns([usa, japan]):
        movers.add(mover)
        now = mover.look()
        for table in (usa, japan, watched):
            table.wait_past(now["revision"] - 1)
        if now["turn"] == 2:
            break
    assert movers == {usa, japan}
    assert watched.look() | {"asks": False} == watched.look()
    public = known_to_all(server, usa.match)
    hers, his = usa.pieces() - public, japan.pieces() - public
    assert len(hers) > 20
    assert len(his) > 20
    assert his <= everywhere(by_program.fetch(view=True)["view"])
    assert visible_keys(anna.page, his) == visible_keys(ben.page, hers) == visible_keys(carl.page, his | hers) == set()
    for page in (anna.page, ben.page, carl.page):
        assert page.evaluate("window.same"), "moves come without the page being loaded again"


@pytest.mark.torture(6)
def test_undo_works_until_the_opponent_answers(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    hers, his = duel(server, anna, ben)
    undo = anna.button(re.compile("Undo"))
    asked = _play_until(hers, his, lambda: undo.count() > 0)
    before = hers.look()["revision"]
    undo.click()
    hers.wait_past(before)
    again = hers.waits_for_question()
    assert (again["question"], again["options"]) == (asked["question"], asked["options"])
    his.wait_past(before)
    assert not his.look()["asks"]


def test_bot_accepts_takeback_at_once(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table = visited(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    back, asked = anna.button("Take back last decision"), list[str]()
    while not back.count():
        asked.append(table.waits_for_question()["question"])
        table.answer()
        before = table.waits_for_question()["revision"]
    back.click()
    table.wait_past(before)
    assert table.waits_for_question()["question"] == asked[-1]


@pytest.mark.torture(8)
def test_opponent_accepts_or_declines_takeback(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    hers, his = duel(server, anna, ben)
    ask = anna.button("Request takeback")
    asked = _play_until(hers, his, lambda: ask.count() > 0)
    before = his.look()["revision"]
    _asks_back(anna, ben, "Decline")
    expect(ask).to_be_visible()
    assert his.look()["revision"] == before
    _asks_back(anna, ben, "Accept")
    for table in (hers, his):
        table.wait_past(before)
    assert hers.waits_for_question()["question"] == asked["question"]


def _asks_back(anna: Visitor, ben: Visitor, answer: str) -> None:
    """She asks to take back, he answers, and the question is off the table."""
    anna.press("Request takeback")
    hers, his = (visitor.page.locator(".takeback") for visitor in (anna, ben))
    expect(hers).to_contain_text("Waiting for the other players.")
    expect(his).to_contain_text("requests a takeback to before its decision")
    ben.press(answer)
    expect(hers).to_have_count(0)
    expect(his).to_have_count(0)


def _play_until(hers: Table, his: Table, come: Callable[[], bool]) -> dict[str, Any]:
    """Let both answer until she waits and a moment has come; what she was asked last."""
    asked = dict[str, Any]()
    for mover in in_turns([hers, his]):
        seen = mover.look()
        for table in (hers, his):
            table.wait_past(seen["revision"] - 1)
        if asked and not hers.look()["asks"] and come():
            return asked
        if hers.look()["asks"]:
            asked = hers.look()
    raise AssertionError("that never comes")


@pytest.mark.torture(6)
def test_chat_audience_and_private_notes(visit: Visit, server: Server) -> None:
    anna, ben, bea, carl = visit("Anna"), visit("Ben"), visit("Bea"), visit()
    places = create_match(server, {"usa": "friend", "japan": "friend"})
    for visitor, seat in ((anna, "usa"), (ben, "japan")):
        visited(visitor, places[seat])
    visited(bea, shares(ben, places["japan"], "japan"))
    carl.go(urlsplit(anna.page.url).path)
    messages = {who: visitor.page.locator("#said") for who, visitor in zip("abec", (anna, ben, bea, carl), strict=True)}
    _say(anna.page, "Good hunting", "all")
    for events in messages.values():
        expect(events).to_contain_text("Good hunting")
    _say(ben.page, "Their decks are full", "side")
    expect(messages["e"]).to_contain_text("Their decks are full")
    _say(ben.page, "Thank you", "all")
    for who in "ac":
        expect(messages[who]).to_contain_text("Thank you")
        expect(messages[who]).not_to_contain_text("Their decks are full")
    assert not carl.page.locator("#say-text").count()
    anna.page.locator("#notes > summary").click()
    anna.page.get_by_label("Private notes").fill("Strike the Akagi first")
    anna.press("Save")
    anna.page.reload()
    expect(anna.page.locator("#note-text")).to_have_value("Strike the Akagi first")
    for visitor in (ben, bea, carl):
        visitor.page.reload()
        assert "Strike the Akagi first" not in visitor.page.content()


def _say(page: Page, text: str, to: str) -> None:
    page.get_by_label("Message", exact=True).fill(text)
    page.locator("#say-to").select_option(to)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#said")).to_contain_text(text)
    expect(page.get_by_label("Message", exact=True)).to_have_value("")


@pytest.mark.torture(4)
def test_recovery_link_shows_matches_on_another_device(visit: Visit, server: Server) -> None:
    anna, tablet = visit("Anna"), visit()
    table = visited(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.play(lambda seen: seen["revision"] > 0)
    where = urlsplit(anna.page.url).path
    anna.go("/me")
    anna.press("Create recovery link")
    tablet.go(anna.page.locator("#recovery").input_value())
    tablet.press("Sign in")
    tablet.page.locator(f"a[href='{where}']").click()
    there = Table(tablet.page)
    there.waits_for_question()
    there.answer()
    assert there.look()["revision"] > 0


@pytest.mark.torture(4)
def test_open_seat_is_joined_from_the_home_page(visit: Visit) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    set_up(anna, {"usa": "me", "japan": "anyone"}, listed=True)
    ben.go("/")
    match = ben.page.locator(".match", has=ben.page.locator(f"a[href='{urlsplit(anna.page.url).path}']"))
    match.get_by_role("link", name="Join as Japan").click()
    ben.press("Join as Japan")
    anna.page.locator(".strip").wait_for()
    for table in in_turns([Table(anna.page), Table(ben.page)]):
        if table.page is ben.page:
            break


def test_invalid_link_and_foreign_seat_say_what_to_do(visit: Visit) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    set_up(anna, {"usa": "me", "japan": "friend"})
    old = link_to(anna.page, "japan")
    anna.press("New invite link")
    ben.expects("404")
    ben.go(old)
    expect(ben.page.get_by_role("link", name="Home")).to_be_visible()
    join(ben, link_to(anna.page, "japan"))
    ben.go(f"{urlsplit(anna.page.url).path}?seat=usa")
    expect(ben.page.locator(".note")).to_contain_text("is not yours")
