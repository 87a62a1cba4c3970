"""Targets in order: the order of selection is kept, by touch and by keyboard (T31)."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.matches import import_match, played_by_bots
from tests.browser.visitors import PHONE
from tests.server.running import Server

from readyroom import Match, games
from readyroom.store import Store
from readyroom.store.database import FILE

pytestmark = pytest.mark.slow


def uneven_raid() -> Match[Any, Any]:
    """Return a raid in which torpedo bombers of unequal strength look for targets."""
    match: Match[Any, Any] = Match(games.load("tora"), "sunday", seed="look")
    text = "The strongest takes the first target"
    return played_by_bots(match, lambda match: text in getattr(match.pending.get("japan"), "question", ""))


def last_answer(server: Server, match: str) -> str:
    """Return the record's line of the last decision."""
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        return [line for line in store.records.text(match).splitlines() if '"chose"' in line][-1]


@pytest.mark.parametrize("by", [pytest.param("finger", marks=pytest.mark.torture(3)), "keys"])
def test_targets_keep_the_order_of_selection(visit: Visit, server: Server, by: str) -> None:
    visitor = visit("", **(PHONE if by == "finger" else {}))
    match, page = import_match(server, visitor, uneven_raid()), visitor.page
    visitor.go(f"/m/{match}?seat=japan")
    for key in ("neosho", "california", "neosho", "oklahoma"):
        more = page.locator(f"#answer [data-key='{key}'] [data-step='1']")
        if by == "finger":
            more.tap()
        else:
            more.focus()
            page.keyboard.press("Enter")
    page.locator("#answer [data-key='neosho'] [data-step='-1']").click()
    expect(page.locator("#tally")).to_contain_text("3 selected, in order: 1. Neosho, 2. California, 3. Oklahoma")
    expect(page.locator("#confirm")).to_have_text("Confirm: 3 selected")
    expect(page.locator("#answer [data-key='california']")).to_have_attribute("data-turn", "2")
    page.locator("#confirm").click()
    page.wait_for_function(
        "() => !document.querySelector('#answer [data-key=neosho] [data-step]')"
        " || document.querySelector('#question').textContent.includes('Which')"
    )
    assert '"chose":["neosho","california","oklahoma"]' in last_answer(server, match)
