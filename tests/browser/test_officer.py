"""The staff officer on the page: asked, read, selected by a button, answered; on a screen, on a phone, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, visited
from tests.browser.tables import Table
from tests.server.running import Server

pytestmark = pytest.mark.slow(12)

PHONE: Mapping[str, Any] = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}


def ticks(table: Table) -> list[str]:
    """The keys of the answer that the first button selects."""
    text = table.page.locator("#analysis [data-select]").first.get_attribute("data-select")
    assert text is not None
    return text.split()


@pytest.mark.sample(1)
@pytest.mark.parametrize("how", [{}, PHONE], ids=["screen", "phone"])
def test_analysis_answer_is_selected_and_confirmed(visit: Visit, server: Server, how: Any) -> None:
    anna = visit("Anna", **how)
    table = visited(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    before = table.waits_for_question()
    anna.press("Analyze")
    section = anna.page.locator("#analysis .analysis")
    section.wait_for()
    expect(anna.page.locator("#analysis-title")).to_be_focused()
    expect(anna.page.locator("#aloud")).to_contain_text(re.compile(r"%|Only \d+ rollouts"))
    assert anna.page.locator("#analysis .analysis-bar").first.bounding_box()["width"] > 40  # type: ignore[index]
    wanted = ticks(table)
    section.locator("[data-select]").first.click()
    assert sorted(table.chosen()) == sorted(wanted)
    assert table.look()["revision"] == before["revision"]
    table.confirm()
    assert table.look()["revision"] > before["revision"]
    assert anna.page.locator("#analysis .analysis").count() == 0


def test_analysis_works_by_keyboard(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table = visited(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.waits_for_question()
    anna.page.locator("#question").focus()
    anna.page.keyboard.press("o")
    expect(anna.page.locator("#analysis-title")).to_be_focused()
    anna.page.keyboard.press("Tab")
    expect(anna.page.locator("#analysis [data-select]").first).to_be_focused()
    wanted = ticks(table)
    anna.page.keyboard.press("Enter")
    expect(anna.page.locator("#confirm")).to_be_focused()
    assert sorted(table.chosen()) == sorted(wanted)


def test_analysis_stays_while_decision_is_pending(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table = visited(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.waits_for_question()
    anna.press("Analyze")
    anna.page.locator("#analysis .analysis").wait_for()
    anna.press("Hint")
    anna.page.locator("#card .noted").wait_for()
    assert anna.page.locator("#analysis .analysis").count() == 1
