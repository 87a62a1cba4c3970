"""Campaigns in the browser: whole wars of two people and of one on a phone, with a server that stops in between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.match_page import HintedMouse, HintedTouch, Table
from tests.browser.matches import in_turns, link_to
from tests.browser.visitors import PHONE, Visitor
from tests.server.running import Server

pytestmark = pytest.mark.slow

BROKEN = r"ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|/htmx\.min\.js"
"""Console messages of the browser without a server."""


def heading(page: Page) -> str:
    """Return what the war room says is to be done now."""
    return page.locator(".war-action").inner_text()


def is_phone(page: Page) -> bool:
    touches: bool = page.evaluate("navigator.maxTouchPoints > 0")
    return touches


def open_chapter(visitor: Visitor) -> bool:
    """Open the match of the chapter; return whether the player has a seat in it."""
    has_seat = visitor.button(re.compile("Play: your turn|Open the match")).count() > 0
    visitor.press(re.compile("Play: your turn|Open the match|Watch the match"))
    visitor.page.wait_for_url("**/m/*")
    return has_seat


def play_chapter(room: str, visitors: Sequence[Visitor], answers: int = 0) -> None:
    """Play a chapter by the bots' hints: to its end, or after this many answers bots play on by agreement."""
    players = [visitor for visitor in visitors if open_chapter(visitor)]
    tables = [Table(one.page, HintedTouch() if is_phone(one.page) else HintedMouse()) for one in players]
    assert tables
    for number, _ in enumerate(in_turns(tables, most=400), start=1):
        if number == answers:
            break
    is_over = any(table.look()["over"] for table in tables)
    for visitor in visitors:
        visitor.go(room)
    if is_over:
        return
    host, *others = visitors
    host.page.locator(".war-offers > summary").click()
    host.page.locator("[name=kind][value=bots]").click()
    for other in others:
        other.go(room)
        other.press("Accept")


def decide_risk(visitors: Sequence[Visitor], room: str) -> None:
    """Let the side that is behind decide not to call calculated risk, if it may."""
    for visitor in visitors:
        visitor.go(room)
        if visitor.button("Not now").count():
            visitor.press("Not now")


@pytest.mark.torture(90)
def test_two_people_play_the_short_war_with_a_restart_between_chapters(visit: Visit, tmp_path: Path) -> None:
    with Server(tmp_path / "home") as server:
        anna, ben, carl = visit("Anna", to=server), visit("Ben", to=server), visit(to=server)
        anna.go("/campaigns")
        anna.page.get_by_role("link", name="With a friend, or a variant").first.click()
        anna.page.locator("#side-usa").select_option("me")
        anna.page.locator("#side-japan").select_option("friend")
        anna.page.get_by_label("Pearl Harbor in half an hour").check()
        anna.press("Start campaign")
        room = urlsplit(anna.page.url).path
        ben.go(link_to(anna.page, "japan"))
        ben.press("Join as Japan")
        expect(anna.page.locator(".war-action")).to_contain_text("Chapter 1 of 3")  # by itself
        carl.go(room)
        play_chapter(room, [anna, ben])
        expect(carl.page.locator(".war-action")).to_contain_text("Chapter 2 of 3", timeout=60_000)
        for visitor in (anna, ben, carl):
            visitor.ignore_problems(BROKEN)
        server.kill()
        server.start()
        decide_risk([anna, ben], room)
        play_chapter(room, [anna, ben], answers=40)
        expect(carl.go(room).locator(".war-action")).to_contain_text("Chapter 3 of 3", timeout=60_000)
        expect(carl.page.locator(".changes a[href*='/replay?at=']").first).to_be_visible(timeout=60_000)
        assert not violations(carl.page)
        carl.page.locator(".changes a[href*='/replay?at=']").first.click()
        carl.page.wait_for_url("**/replay?at=*")
        server.stop()
        server.start()
        decide_risk([anna, ben], room)
        play_chapter(room, [anna, ben], answers=3)
        expect(carl.go(room).locator(".war-action")).to_contain_text("The war is over", timeout=60_000)
        carl.press("Chronicle")
        assert carl.page.locator(".front-page").count() == 3
        assert not violations(carl.page)
        carl.go(f"{room}/verify")
        expect(carl.page.locator("#job")).to_contain_text("Verified:", timeout=60_000)


@pytest.mark.torture(60)
def test_one_plays_the_solitaire_war_on_a_phone(visit: Visit, server: Server) -> None:
    phone = visit("Ann", **PHONE)
    phone.go("/")
    phone.page.get_by_role("link", name="Campaigns").tap()
    phone.page.get_by_role("link", name="With a friend, or a variant").first.tap()
    phone.page.locator("#side-japan").select_option("bot:doctrine")
    phone.page.locator("#side-usa").select_option("me")
    phone.page.get_by_label("Pearl Harbor in half an hour").check()
    phone.press("Start campaign")
    phone.page.wait_for_url("**/campaigns/*")
    room = urlsplit(phone.page.url).path
    for chapter in (1, 2, 3):
        expect(phone.page.locator(".war-action")).to_contain_text(f"Chapter {chapter} of 3", timeout=60_000)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
        decide_risk([phone], room)
        play_chapter(room, [phone], answers=12)
        action = phone.page.locator(".war-action")
        expect(action).to_contain_text(re.compile(f"Chapter {chapter + 1} of 3|The war is over"), timeout=60_000)
    expect(phone.page.locator(".war-action")).to_contain_text("The war is over")
    assert not violations(phone.page)
    phone.page.get_by_role("link", name="Chronicle").first.tap()
    phone.page.wait_for_url("**/chronicle")
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
