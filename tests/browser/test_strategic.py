"""Strategic War and Air Raid Pearl Harbor in the browser: the calculator with a roll, and whole matches."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.match_page import HintedMouse, Table
from tests.browser.matches import in_turns, join, link_to, set_up, verified_outcome
from tests.browser.visitors import SMALL
from tests.server.running import Server

pytestmark = pytest.mark.slow

MAX_ANSWERS = 400
"""The limit of answers in either game."""


def test_tools_calculate_and_roll(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    page = anna.page
    anna.go("/games/war/odds?question=atlantic")
    expect(page.locator("#answer .net tfoot td")).to_have_text("0")
    page.locator("#blank-us-war").check()
    expect(page.locator("#answer .net tfoot td")).to_have_text("+1")
    page.locator("#blank-us-war-turn").select_option("first")
    expect(page.locator("#answer .net tfoot td")).to_have_text("+3")
    page.locator("#blank-us-war").uncheck()
    expect(page.locator("#answer [role=alert]")).to_contain_text("needs us-war")
    page.locator("#blank-us-war").check()
    page.locator("#blank-submarines").fill("40")
    expect(page.locator("#answer")).to_contain_text("row 30 and 10, net +3")
    page.locator(".roll button").click()
    table = Table(page, HintedMouse())
    table.wait_for_decision()
    expect(page.locator(".board-wide")).to_contain_text("No rolls yet")
    table.answer(["throw"])
    expect(page.locator(".board-wide")).to_contain_text("submarines ")
    table.answer(["close"])
    title, bots = verified_outcome(server, table.match)
    assert (title, bots) == ("closed", set())
    expect(page.locator("#table")).to_contain_text(re.compile("1 throw"))


@pytest.mark.torture(40)
@pytest.mark.parametrize(
    ("game", "scenario", "host", "guest"),
    [("war", "strategic-war", "allies", "axis"), ("pearl", "air-raid", "japan", "usa")],
)
def test_two_players_finish_a_match(
    visit: Visit, server: Server, game: str, scenario: str, host: str, guest: str
) -> None:
    anna, ben = visit("Anna", **SMALL), visit("Ben", **SMALL)
    set_up(anna, {host: "me", guest: "friend"}, game=game, scenario=scenario)
    join(ben, link_to(anna.page, guest))
    tables = [Table(anna.page, HintedMouse()), Table(ben.page, HintedMouse())]
    for table in tables:
        table.wait_for_decision()
    for _ in in_turns(tables, MAX_ANSWERS):
        pass
    title, bots = verified_outcome(server, tables[0].match)
    assert bots == set()
    for visitor in (anna, ben):
        expect(visitor.page.locator("#table")).to_contain_text(title, ignore_case=True)
