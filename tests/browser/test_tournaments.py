"""A tournament in a browser and on a phone: no page breaks, is cut off, or violates the rules of accessibility."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect
from tests.browser.axe import check_readable
from tests.browser.conftest import Visit
from tests.browser.visitors import PHONE
from tests.server.running import Server

pytestmark = pytest.mark.slow


@pytest.mark.torture(10)
@pytest.mark.parametrize("kind", ["Round robin", "Knockout"])
def test_tournament_is_organised_and_played_to_its_end(visit: Visit, server: Server, kind: str) -> None:
    anna, ben, carl = visit("Anna", **PHONE), visit("Ben"), visit("Carl")
    anna.go("/community")
    anna.page.get_by_role("link", name="Tournaments", exact=True).tap()
    check_readable(anna.page)
    anna.page.get_by_role("link", name="New tournament").tap()
    check_readable(anna.page)
    anna.page.get_by_label("Name", exact=True).fill("Club evening")
    anna.page.get_by_label(kind).check()
    anna.page.get_by_label("Number of players").fill("5")
    anna.press("Create tournament")
    anna.page.wait_for_url("**/tournaments/*")
    room = urlsplit(anna.page.url).path
    for visitor in (ben, carl):
        visitor.go(room)
        check_readable(visitor.page)
        visitor.press("Join")
        expect(visitor.page.get_by_text("You have joined.")).to_be_visible()
    expect(anna.page.get_by_role("heading", name="Players: 3 of 5")).to_be_visible()
    check_readable(anna.page)
    anna.press("Start now")
    expect(ben.page.get_by_role("heading", name="Standings")).to_be_visible()
    expect(anna.page.get_by_role("heading", name="Standings")).to_be_visible()
    for _ in range(4):
        for visitor in (anna, ben, carl):
            if visitor.go(room).get_by_role("heading", name="Your matches").count():
                check_readable(visitor.page)
                visitor.page.get_by_text("Concede as").click()
                visitor.press("Concede")
                expect(visitor.page.get_by_text("conceded").first).to_be_attached()
    expect(anna.go(room).get_by_text("The tournament is over.")).to_be_visible()
    check_readable(anna.page)
    anna.press("Play again with the same players")
    expect(anna.page.get_by_role("heading", name="Players: 1 of 3")).to_be_visible()


@pytest.mark.torture(15)
def test_standings_of_five_fit_a_phone(visit: Visit, server: Server) -> None:
    anna = visit("Quartermaster Sanderling", **PHONE)
    anna.go("/tournaments/new")
    anna.page.get_by_label("Name", exact=True).fill("Long names")
    anna.page.get_by_label("Number of players").fill("5")
    anna.press("Create tournament")
    anna.page.wait_for_url("**/tournaments/*")
    room = urlsplit(anna.page.url).path
    for name in ("Quartermaster Shearwater", "Signalman Kittiwake", "Helmsman Albatross", "Yeoman Turnstone"):
        other = visit(name)
        other.go(room)
        other.press("Join")
    expect(anna.page.get_by_role("heading", name="Standings")).to_be_visible()
    table = anna.page.locator(".crosstable")
    assert table.evaluate("e => e.parentElement.scrollWidth <= e.parentElement.clientWidth")
    count_lines = (
        "e => { const r = document.createRange(); r.selectNodeContents(e); return r.getClientRects().length; }"
    )
    assert all(name.evaluate(count_lines) <= 2 for name in table.locator("tbody th").all()), "no word breaks"
