"""Puzzles on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.visitors import PHONE

from readyroom.study.puzzles.puzzle import puzzles_of

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", ["midway", pytest.param("war", marks=pytest.mark.torture(6))])
def test_puzzle_is_solved_on_a_phone(visit: Visit, game: str) -> None:
    phone = visit("Ann", **PHONE)
    page = phone.go(f"/puzzles/{next(iter(puzzles_of(game)))}")
    page.locator("#options label").nth(1).tap()
    expect(page.locator("#answer input:checked")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not violations(page)
    page.locator("#confirm").tap()
    expect(page.locator(".strip-turn").first).to_contain_text("solution")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not violations(page)
