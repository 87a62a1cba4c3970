"""Puzzles on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.visitors import PHONE

from readyroom.study.puzzles.puzzle import Puzzle, puzzles_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", ["midway", pytest.param("war", marks=pytest.mark.torture(6))])
def test_puzzle_is_solved_on_a_phone(visit: Visit, game: str) -> None:
    phone = visit("Ann", **PHONE)
    page = phone.go(f"/puzzles/{next(iter(puzzles_of(game)))}")
    sheet = page.locator("#card")
    assert sheet.bounding_box()["height"] < 844 * 0.4  # type: ignore[index]
    page.locator(".handle").tap()
    assert sheet.evaluate("(card) => card.scrollHeight - card.clientHeight") == 0
    page.locator(".handle").tap()
    page.locator("#options label").nth(1).tap()
    expect(page.locator("#answer input:checked")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not violations(page)
    page.locator("#confirm").tap()
    expect(page.locator(".strip-turn").first).to_contain_text("solution")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not violations(page)


def picked(game: str, rule: str) -> Puzzle:
    """Return a puzzle in which one of several answers to a question is chosen."""
    return next(puzzle for puzzle in puzzles_of(game).values() if puzzle.spec.rule == rule)


@pytest.mark.sample(1)
@pytest.mark.parametrize("device", [{"viewport": {"width": 1366, "height": 768}}, PHONE], ids=["desktop", "phone"])
def test_answers_are_shown_and_chosen_on_the_board(visit: Visit, device: dict[str, Any]) -> None:
    page = visit("Ann", **device).go(f"/puzzles/{picked('midway', '9.2').id}")
    rows, copies = page.locator("#options label"), page.locator("#board .bd-copy")
    expect(page.locator("#board .bd-heap.can").locator("visible=true").first).to_be_in_viewport()
    expect(copies).to_have_count(0)
    last = rows.count() - 1
    rows.nth(last).click()
    sent = len({key.partition("@")[2] for key in str(rows.nth(last).get_attribute("data-means")).split()})
    expect(copies).to_have_count(sent)
    if device is not PHONE:
        rows.nth(0).hover()
        expect(copies).to_have_count(0)
        page.locator("#question").hover()
        expect(copies).to_have_count(sent)
    page.locator("#board .bd-heap.can").locator("visible=true").first.click()
    expect(page.locator("#answer input:checked")).to_have_count(1)
    expect(rows.nth(last).locator("input")).not_to_be_checked()
    page.locator("#confirm").click()
    expect(page.locator(".strip-turn").first).to_contain_text("solution")
    expect(copies.first).to_be_in_viewport()
    assert page.title().startswith("A Terrible Resolve"), "the solution is no turn"
    page.locator("#card label").last.click()
    expect(page.locator("#card label").last.locator("input")).to_be_checked()
    assert not violations(page)
