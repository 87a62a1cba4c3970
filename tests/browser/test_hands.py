"""The same battle on a phone, and by keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.matches import at_a_vote
from tests.browser.tables import Finger, Keys, Mouse, Table
from tests.browser.visitors import PHONE
from tests.server.running import Server

pytestmark = pytest.mark.slow


def fits(page: Page) -> bool:
    """Whether nothing of a page lies beyond its right edge."""
    found: bool = page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    return found


def test_two_turns_are_played_on_a_phone(visit: Visit) -> None:
    anna = visit(**PHONE)
    finger = Finger()
    anna.go("/")
    finger.open(anna.page, anna.button("As United States").first)
    table = Table(anna.page, finger)
    table.waits_for_question()
    for pulled in (True, False):
        finger.open(anna.page, anna.page.locator(".handle"))
        expect(anna.page.locator("#pulled")).to_be_checked(checked=pulled)
    while table.look()["turn"] < 3:
        assert fits(anna.page)
        table.answer()
        table.waits_for_question()
    assert finger.on_board > 10


def test_a_turn_is_played_by_keys_alone(visit: Visit) -> None:
    anna = visit()
    keys = Keys()
    anna.go("/")
    keys.open(anna.page, anna.button("As United States").first)
    table = Table(anna.page, keys)
    table.waits_for_question()
    _choose_on_the_board(table)
    while table.look()["turn"] < 3:
        table.answer()
        seen = table.waits_for_question()
        expect(anna.page.locator("#aloud")).to_contain_text(seen["question"])
    _use_the_letters(table)


def _choose_on_the_board(table: Table) -> None:
    """To the board, along its pieces, and one of them chosen and left again."""
    page, keyboard = table.page, table.page.keyboard
    focused = "document.activeElement.dataset.key || ''"
    keyboard.press("b")
    first = page.evaluate(focused)
    assert first in table.look()["options"]
    expect(page.locator("#tip")).to_be_visible()
    keyboard.press("Space")
    assert table.chosen() == [first]
    expect(table.piece(first)).to_have_attribute("aria-pressed", "true")
    keyboard.press("Space")
    assert table.chosen() == []
    keyboard.press("ArrowUp")
    assert page.evaluate(focused) not in ("", first)
    keyboard.press("Escape")
    expect(page.locator("#tip")).to_be_hidden()


def _use_the_letters(table: Table) -> None:
    """All, clear, the staff, undo, the log, and the list of keys."""
    page, keyboard = table.page, table.page.keyboard
    keyboard.press("a")
    assert table.chosen()
    keyboard.press("c")
    assert not table.chosen()
    keyboard.press("s")
    expect(page.locator("#card .noted")).to_contain_text("nothing is decided yet")
    assert sorted(table.chosen()) == sorted(table.advice())
    keyboard.press("l")
    expect(page.locator("#log")).to_be_focused()
    keyboard.press("d")
    expect(page.locator("#question")).to_be_focused()
    keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    before = table.look()["revision"]
    table.hand.confirm(table)
    table.goes_beyond(before)
    table.waits_for_question()
    before = table.look()["revision"]
    keyboard.press("u")
    table.goes_beyond(before)


def test_one_of_several_is_chosen_by_keys_and_by_mouse(visit: Visit, server: Server) -> None:
    table = at_a_vote(server, visit("Anna"))
    for hand in (Keys(), Mouse()):
        table.hand = hand
        seen = table.waits_for_question()
        assert seen["kind"] == "one"
        table.answer(seen["options"][-1:])
        assert table.look()["revision"] == seen["revision"] + 1
