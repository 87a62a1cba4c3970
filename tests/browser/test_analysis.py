"""Analysis on the match page: requested, read, selected and confirmed, by mouse and by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import create_match, join_seat
from tests.browser.visitors import PHONE, Visitor
from tests.server.running import Server

pytestmark = pytest.mark.slow(5)


def first_answer(table: Table) -> list[str]:
    """Return the keys of the answer that the first button selects."""
    text = table.page.locator("#analysis [data-select]").first.get_attribute("data-select")
    assert text is not None
    return text.split()


def check_analysis_is_selected_and_confirmed(visitor: Visitor, table: Table) -> None:
    """Request an analysis and a hint, select the first answer of the analysis, and confirm it."""
    page, before = visitor.page, table.wait_for_decision()
    scrolled = page.evaluate("scrollY")
    visitor.press("Analyze")
    expect(page.locator("#stop-analysis")).to_be_in_viewport(ratio=1)
    section = page.locator("#analysis .analysis")
    section.wait_for(timeout=60_000)
    expect(page.locator("#analysis-title")).to_be_focused()
    expect(page.locator("#announcer")).to_contain_text(re.compile(r"%|Only \d+ rollouts?"), timeout=60_000)
    for bar in page.locator("#analysis .analysis-bar").all()[:1]:
        assert bar.bounding_box()["width"] > 40  # type: ignore[index]
    assert not page.locator("#log").is_visible(), "the analysis takes the place of the log"
    assert page.evaluate("scrollY") == scrolled, "the page stays where it is"
    expect(section.locator("[data-select]").first).to_be_in_viewport()
    expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
    visitor.press("Hint")
    page.locator("#card .noted").wait_for()
    assert section.count() == 1, "the analysis stays while the decision is pending"
    wanted = first_answer(table)
    section.locator("[data-select]").first.click()
    assert sorted(table.chosen()) == sorted(wanted)
    assert table.look()["revision"] == before["revision"]
    table.confirm()
    assert table.look()["revision"] > before["revision"]
    assert section.count() == 0


@pytest.mark.torture(8)
def test_analysis_answer_is_selected_by_mouse_and_keyboard(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    check_analysis_is_selected_and_confirmed(anna, table)
    table.wait_for_decision()
    anna.page.locator("#question").focus()
    anna.page.keyboard.press("o")
    expect(anna.page.locator("#analysis-title")).to_be_focused()
    anna.page.keyboard.press("Tab")
    expect(anna.page.locator("#close-analysis")).to_be_focused()
    anna.page.keyboard.press("Tab")
    expect(anna.page.locator("#analysis [data-select]").first).to_be_focused()
    wanted = first_answer(table)
    anna.page.keyboard.press("Enter")
    expect(anna.page.locator("#confirm")).to_be_focused()
    assert sorted(table.chosen()) == sorted(wanted)


@pytest.mark.torture(5)
def test_analysis_answer_is_selected_on_phone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    check_analysis_is_selected_and_confirmed(anna, table)


@pytest.mark.torture(20)
def test_running_analysis_shows_progress_and_blocks_nothing(visit: Visit, server: Server) -> None:
    anna = visit("Anna", viewport={"width": 1366, "height": 768})
    table = join_seat(anna, create_match(server, {"axis": "me", "allies": "bot:doctrine"}, game="war")["axis"])
    page, before = anna.page, table.wait_for_decision()
    progress = page.locator("#analyzing")
    anna.press("Analyze")
    expect(progress.locator("label")).to_have_text(re.compile(r"^\d+ %$"), timeout=30_000)
    expect(page.locator("#log")).to_be_visible()
    anna.press("Cancel")
    expect(progress).to_be_hidden()
    anna.press("Analyze")
    expect(progress).to_be_visible()
    table.choose(table.hint_keys())
    expect(progress).to_be_visible()
    table.confirm()
    assert table.wait_for_decision()["revision"] > before["revision"]
    expect(progress).to_be_hidden()
    anna.press("Analyze")
    page.locator(".analysis").wait_for(timeout=60_000)
    box = page.locator(".analysis").bounding_box()
    assert box is not None
    assert box["height"] > 250
    anna.press("Close")
    expect(page.locator("#log")).to_be_visible()
    expect(page.locator("#ask-analysis")).to_be_focused()
