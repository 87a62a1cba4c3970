"""A match played by clicking the board, its replay and its report."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.match_page import Mouse, Table
from tests.browser.matches import create_match, join_seat, play_until, set_up
from tests.browser.visitors import Visitor
from tests.server.running import Server

pytestmark = pytest.mark.slow


@pytest.mark.torture(15)
def test_match_begun_on_the_board_is_replayed_and_reported(visit: Visit, server: Server) -> None:
    """A visitor's clicks answer the first decisions, a program the rest."""
    anna, mouse = visit("Anna"), Mouse()
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"}, {"turn_limit": "8"})["usa"]
    table = join_seat(anna, place, mouse)
    table.play(lambda _: mouse.on_board > 8)
    assert mouse.on_board > mouse.in_card
    last = play_until([place], lambda *_: False)
    _check_ended_match(anna, table, last["turn"])


@pytest.mark.torture(60)
def test_full_match_is_played_on_the_board(visit: Visit) -> None:
    anna, mouse = visit("Anna"), Mouse()
    set_up(anna, {"usa": "me", "japan": "bot:doctrine"}, {"turn_limit": "8"})
    table = Table(anna.page, mouse)
    last = table.play(lambda seen: seen["over"])
    assert last["over"]
    assert mouse.on_board > 50
    assert mouse.on_board > mouse.in_card
    _check_ended_match(anna, table, last["turn"])


def _check_ended_match(anna: Visitor, table: Table, turns: int) -> None:
    expect(anna.button("Report").first).to_be_visible()
    expect(anna.page.locator(".strip-turn")).to_contain_text("over")
    _walk_the_replay(anna)
    _read_the_report(anna, table.match, turns)


def _walk_the_replay(anna: Visitor) -> None:
    page = anna.page
    anna.press("Replay")
    where = page.locator(".step-now .strip-turn")
    expect(where).to_contain_text(re.compile(r"^\s*0 of "))
    page.locator("#step-on").click()
    expect(where).to_contain_text(re.compile(r"^\s*1 of "))
    page.locator("#step-last").click()
    expect(page.locator("#step-on")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".proof .pass")).to_contain_text("✓")
    page.locator("#step-back").click()
    expect(page.locator("#step-on")).to_have_attribute("href", re.compile("at="))
    position = _position(page)
    expect(page.locator("#moves [aria-current]")).to_be_in_viewport()
    _show_all_sides(page)
    assert _position(page) == position, "another view keeps the position"
    page.locator("#step-first").click()
    expect(where).to_contain_text(re.compile(r"^\s*0 of "))
    assert page.locator(".replay-boards [data-key]").count() > 100, "all ships are afloat before the first decision"
    page.locator("#step-first").evaluate("element => element.blur()")
    page.keyboard.press("Space")
    expect(where).to_contain_text(re.compile(r"^\s*[2-9] of "))
    page.locator("#play").click()
    _use_the_timeline(page)


def _use_the_timeline(page: Page) -> None:
    """Go to places of the match by its slider, a mark and the phases; titles show on hover and focus."""
    where, slider, title = (
        page.locator(".step-now .strip-turn"),
        page.locator("#position"),
        page.locator("#timeline-title"),
    )
    slider.focus()
    page.keyboard.press("Home")
    expect(where).to_contain_text(re.compile(r"^\s*0 of "))
    page.keyboard.press("ArrowRight")
    expect(where).to_contain_text(re.compile(r"^\s*1 of "))
    expect(slider).to_be_focused()
    mark = page.locator(".timeline-marks .turning").first
    at = mark.get_attribute("data-at")
    mark.focus()
    expect(title).to_have_text(mark.get_attribute("aria-label") or "")
    page.keyboard.press("Enter")
    expect(where).to_contain_text(re.compile(rf"^\s*{at} of "))
    expect(page.locator("#play")).to_have_text("Play")
    move = page.locator("#moves .move").nth(1)
    move.click()
    expect(where).to_contain_text(re.compile(rf"^\s*{move.get_attribute('data-at')} of "))
    expect(move).to_have_attribute("aria-current", "step")
    page.keyboard.press("Home")
    expect(where).to_contain_text(re.compile(r"^\s*0 of "))
    expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    page.locator("#turn-on").click()
    expect(where).to_contain_text("Turn 2, ")
    expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    page.keyboard.press("[")
    expect(where).to_contain_text(re.compile(r"^\s*0 of "))
    expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(where).to_contain_text(re.compile(r"^\s*1 of "))
    expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("#step-on")).to_have_attribute("aria-disabled", "true")
    assert not violations(page)


def _position(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["at"][0]


def _show_all_sides(page: Page) -> None:
    """Show one board with all that each side saw."""
    choices = page.locator(".replay-tools select[name='seat']")
    choices.select_option(label="All sides")
    expect(page).to_have_url(re.compile("seat=all"))
    expect(page.locator(".replay-boards > section")).to_have_count(1)


def _read_the_report(anna: Visitor, match: str, turns: int) -> None:
    anna.press("Report")
    for turn in (1, turns):
        expect(anna.page.get_by_role("heading", name=f"Turn {turn}", exact=True)).to_be_visible()
    with anna.page.expect_download() as coming:
        anna.press("Download Markdown")
    assert coming.value.path().read_text(encoding="utf-8").startswith("# ")
    with anna.page.expect_download() as coming:
        anna.press("Download record")
    assert coming.value.path().read_text(encoding="utf-8").count("\n") > 10
    anna.page.get_by_role("link", name="Back to the match", exact=True).click()
    assert Table(anna.page).match == match
