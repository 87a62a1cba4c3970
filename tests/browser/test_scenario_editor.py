"""A player's scenario in the page: made from one of the game's, seen on the board, tried by bots, shared and played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.axe import check_readable
from tests.browser.conftest import Visit
from tests.browser.visitors import PHONE

from readyroom.study import trial

pytestmark = pytest.mark.slow


def start(page: Page, game: str, scenario: str) -> None:
    """Start a scenario from one of the game's."""
    page.locator(f"#from-{game}").select_option(scenario)
    page.locator("form", has=page.locator(f"#from-{game}")).get_by_role("button", name="New scenario").click()
    expect(page.locator("#opening .board").first).to_be_visible(timeout=60_000)  # the first starts the workers


@pytest.mark.slow(25)
@pytest.mark.torture(17)
def test_scenario_is_made_tried_shared_and_played(visit: Visit) -> None:
    maker = visit("Ann")
    page = maker.go("/scenarios?game=midway")
    check_readable(page)
    start(page, "midway", "duel")
    message, board, text = page.locator("#message"), page.locator("#opening"), page.locator("#text")
    check_readable(page)

    page.get_by_label("Title").fill("Two against one")
    expect(board).to_contain_text("Two against one")
    carriers = page.locator("#group-carrier")
    carriers.get_by_role("button", name="Add Carriers").click()
    added = page.locator("#group-carrier > details").last
    expect(added.locator("summary").first).to_be_focused()
    name = added.get_by_label("Name", exact=True)
    name.fill("Zuiho")
    expect(message).to_have_text("This scenario can be played.")
    expect(board).to_contain_text("Zuiho")

    guns = added.get_by_label("Anti-aircraft dice")
    guns.fill("99")
    expect(added.get_by_text("Enter a whole number from 0 to 60.")).to_be_visible()
    expect(guns).to_have_attribute("aria-invalid", "true")
    expect(message).to_contain_text("antiaircraft")
    maker.ignore_problems("422")  # a scenario that cannot be played is not saved
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Title")).to_have_value("Two against one")  # nothing is lost
    expect(page.get_by_text("Enter a whole number from 0 to 60.")).to_be_visible()
    check_readable(page)

    page.get_by_role("tab", name="Text (TOML)").click()
    whole = text.input_value()
    assert "antiaircraft = 99" in whole
    text.fill(whole.replace("antiaircraft = 99", "antiaircraft = 9\nspeed = 3"))
    expect(message).to_contain_text("unknown field `speed`")
    expect(message).to_contain_text("Line ")
    text.fill(whole.replace("antiaircraft = 99", "antiaircraft = 9"))
    expect(message).to_have_text("This scenario can be played.")
    page.get_by_role("tab", name="Form").press("Enter")
    expect(page.locator("#group-carrier > details").last.locator("input[type=number]").first).to_have_value("9")

    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_role("table", name="Winner").or_(page.get_by_role("region", name="Winner"))).to_be_visible(
        timeout=60_000
    )
    expect(page.locator("#trial")).to_contain_text(f"{trial.MATCHES} matches between bots")
    check_readable(page)

    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label("Link to this scenario").input_value()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_label("or paste its text")).to_contain_text("Zuiho")
    page.get_by_role("button", name="Create match").click()
    expect(page.locator("#board")).to_contain_text("Zuiho")

    friend = visit("Bo", **PHONE)
    other = friend.go("/" + link.split("/", 3)[3])
    expect(other.get_by_role("heading", name="Two against one")).to_be_visible()
    check_readable(other)
    other.get_by_role("button", name="Copy to mine").click()
    expect(other.locator("#opening .board").first).to_be_visible()
    expect(other.locator("#message")).to_have_text("This scenario can be played.")
    check_readable(other)
    other.get_by_label("Last turn").fill("3")
    expect(other.locator("#opening")).to_contain_text("Turn 1 of 3")
