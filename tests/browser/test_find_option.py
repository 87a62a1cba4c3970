"""The field above a long list of options."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, join_seat
from tests.server.running import Server

pytestmark = pytest.mark.slow


@pytest.mark.torture(4)
def test_destroyer_is_found_by_name(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    places = create_match(server, {"captain": "me"}, game="picket", scenario="first-watch")
    table = join_seat(anna, places["captain"])
    page = table.page
    expect(page.locator("#question")).to_contain_text("Which ship do you command?")
    rows, field = page.locator("#answer .option:visible"), page.locator("#find-option")
    all_rows = rows.count()
    name = rows.nth(30).locator(".text").inner_text()
    field.press_sequentially(name[:-1].upper())
    expect(rows).to_have_count(1)
    expect(page.locator("#found")).to_have_text(f"1 of {all_rows}")
    field.press("Escape")
    expect(rows).to_have_count(all_rows)
    field.fill(name)
    field.press("Enter")
    expect(field).to_have_value("")
    assert len(table.chosen()) == 1
    expect(page.locator("#answer .option.is-chosen")).to_contain_text(name)
    field.fill("no such ship")
    expect(rows).to_have_count(1)
    assert violations(page) == []
