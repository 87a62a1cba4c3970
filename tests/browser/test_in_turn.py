"""Targets in order: the order of selection is kept, by touch and by keyboard (T31)."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from random import Random

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.visitors import PHONE, Visitor
from tests.server.running import Server

from readyroom import Match, bots, games
from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.web.profile import COOKIE

pytestmark = pytest.mark.slow


def uneven(server: Server, visitor: Visitor) -> str:
    """The page of a raid in which torpedo bombers that are not equally strong look for targets."""
    match = Match(games.load("tora"), "sunday", seed="look")
    staff = {seat.key: bots.make(match.game, "doctrine", seat.key, Random(5)) for seat in match.seats}
    while "The strongest takes the first target" not in getattr(match.pending.get("japan"), "question", ""):
        for seat, decision in match.pending.items():
            match.decide(seat, staff[seat](decision, partial(match.view, seat)))
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        player, session, _ = store.players.create("Umpire's friend")
        kept = store.records.import_match(match.record(), player)
    visitor.context.add_cookies([{"name": COOKIE, "value": session, "url": server.url}])
    return kept


def last_answer(server: Server, match: str) -> str:
    """The line of the record with the last decision."""
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        return [line for line in store.records.text(match).splitlines() if '"chose"' in line][-1]


@pytest.mark.parametrize("by", ["finger", "keys"])
def test_targets_keep_the_order_of_selection(visit: Visit, server: Server, by: str) -> None:
    visitor = visit("", **(PHONE if by == "finger" else {}))
    kept, page = uneven(server, visitor), visitor.page
    visitor.go(f"/m/{kept}?seat=japan")
    for key in ("neosho", "california", "neosho", "oklahoma"):
        more = page.locator(f"#answer [data-key='{key}'] [data-step='1']")
        if by == "finger":
            more.tap()
        else:
            more.focus()
            page.keyboard.press("Enter")
    page.locator("#answer [data-key='neosho'] [data-step='-1']").click()
    expect(page.locator("#tally")).to_contain_text("3 selected, in order: 1. Neosho, 2. California, 3. Oklahoma")
    expect(page.locator("#confirm")).to_have_text("Confirm: Neosho, then California, then Oklahoma")
    expect(page.locator("#answer [data-key='california']")).to_have_attribute("data-turn", "2")
    page.locator("#confirm").click()
    page.wait_for_function(
        "() => !document.querySelector('#answer [data-key=neosho] [data-step]')"
        " || document.querySelector('#question').textContent.includes('Which')"
    )
    assert '"chose":["neosho","california","oklahoma"]' in last_answer(server, kept)
