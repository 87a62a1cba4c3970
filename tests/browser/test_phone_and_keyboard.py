"""Whole battles on a phone, by tapping the board, and by keys alone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import Arrows, Finger, Hand, Keys, Mouse, Table, Witness
from tests.browser.matches import at_a_vote, verified_outcome
from tests.browser.visitors import PHONE, Visitor
from tests.server.running import Server

pytestmark = pytest.mark.slow

TWO_ROWS = 72
"""How high the head of a table's page may be on a phone, in pixels."""


def fits(page: Page) -> bool:
    """Whether nothing of a page lies beyond its right edge."""
    assert page.viewport_size is not None
    found: bool = page.evaluate(
        "(width) => document.scrollingElement.scrollWidth <= innerWidth && innerWidth === width",
        page.viewport_size["width"],
    )
    return found


def begun(visitor: Visitor, hand: Hand) -> Table:
    """A battle against the staff, begun with the button of the first page."""
    hand.open(visitor.go("/"), visitor.button("As United States").first)
    table = Table(visitor.page, hand)
    table.waits_for_question()
    return table


def ends_well(table: Table, server: Server) -> None:
    """The match is over, the page says so and how, and the record that the store keeps proves just that."""
    page = table.page
    title, bots = verified_outcome(server, table.match)
    assert bots == {"guarded"}
    expect(page.locator(".strip-turn")).to_contain_text("Match over")
    expect(page.locator("#question")).to_have_text(title)
    expect(page.locator("#card .scores tbody tr")).to_have_count(2)
    table.hand.open(page, page.get_by_role("link", name="Replay", exact=True))
    expect(page.locator(".proof .pass")).to_contain_text("Verified")


@pytest.mark.torture(41)
def test_full_match_is_played_on_phone(visit: Visit, server: Server) -> None:
    anna, finger = visit("Lieutenant Commander Wade McClusky", **PHONE), Finger()
    witness = Witness(anna.page)
    table = begun(anna, finger)
    for pulled in (True, False):
        finger.open(anna.page, anna.page.locator(".handle"))
        expect(anna.page.locator("#expanded")).to_be_checked(checked=pulled)

    def still_fits(seen: dict[str, Any]) -> bool:
        assert fits(anna.page), f"too wide at: {seen['question']}"
        assert anna.page.locator(".top").evaluate("(head) => head.offsetHeight") < TWO_ROWS
        return False

    last = table.play(still_fits)
    assert last["over"]
    still_fits(last)
    assert last["turn"] > 2
    assert finger.on_board > 50
    assert finger.on_board > finger.in_card
    ends_well(table, server)
    assert fits(anna.page)
    assert set(witness.noted) == {"a pointer: touch"}


@pytest.mark.torture(28)
def test_full_match_is_played_by_keyboard(visit: Visit, server: Server) -> None:
    anna, keys, arrows = visit(), Keys(), Arrows()
    witness = Witness(anna.page)
    table = begun(anna, keys)
    _choose_on_the_board(table)

    def knows_where_he_is(seen: dict[str, Any]) -> bool:
        assert anna.page.evaluate("document.activeElement.id") == "question"
        expect(anna.page.locator("#announcer")).to_contain_text(seen["question"])
        return False

    table.answer()
    table.play(lambda seen: knows_where_he_is(seen) or seen["turn"] > 2)
    _use_the_letters(table)
    table.hand = arrows
    table.answer()
    last = table.play(knows_where_he_is)
    assert last["over"]
    assert anna.page.evaluate("document.activeElement.id") == "question"
    assert arrows.on_board > 50
    assert arrows.on_board > arrows.in_card
    ends_well(table, server)
    assert witness.noted == []


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
    _hold_enter(table)


def _hold_enter(table: Table) -> None:
    """Where nothing is chosen the Enter key goes to the button, and presses it only when it is pressed once more."""
    keyboard, before = table.page.keyboard, table.look()["revision"]
    for _ in range(3):
        keyboard.down("Enter")
    keyboard.up("Enter")
    expect(table.confirmation).to_be_focused()
    expect(table.page.locator("#announcer")).to_contain_text("Nothing selected")
    table.page.wait_for_timeout(200)
    assert table.look()["revision"] == before


def _use_the_letters(table: Table) -> None:
    """All, clear, the staff, undo, the log, and the list of keys."""
    page, keyboard = table.page, table.page.keyboard
    keyboard.press("a")
    assert table.chosen()
    keyboard.press("c")
    assert not table.chosen()
    keyboard.press("s")
    expect(page.locator("#card .noted")).to_contain_text("It is selected")
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
    table.wait_past(before)
    table.waits_for_question()
    before = table.look()["revision"]
    keyboard.press("u")
    table.wait_past(before)


def test_single_choice_by_keyboard_and_mouse(visit: Visit, server: Server) -> None:
    table = at_a_vote(server, visit("Anna"))
    for hand in (Keys(), Mouse()):
        table.hand = hand
        seen = table.waits_for_question()
        assert seen["kind"] == "one"
        table.answer(seen["options"][-1:])
        assert table.look()["revision"] == seen["revision"] + 1
