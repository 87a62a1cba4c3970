"""Picket Duty in the browser: watches by mouse and touch, gun aiming, and a resumed campaign."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser import axe
from tests.browser.board_only import BoardMouse
from tests.browser.conftest import Visit
from tests.browser.match_page import HintedMouse, HintedTouch, Table
from tests.browser.matches import (
    by_hints,
    create_match,
    import_match,
    join_seat,
    play_until,
    played_by_bots,
    set_up,
    verified_outcome,
)
from tests.browser.test_restart import BROKEN
from tests.browser.visitors import LARGE, PHONE
from tests.server.running import Server

from readyroom import Match, games

pytestmark = pytest.mark.slow

FIRE = "6.8"
OUTCOMES = re.compile(r"(American|Japanese) (decisive|marginal) victory|Draw")
WATCH = "24 March, morning watch, 0400 to 1200"
MAX_ANSWERS = 80
"""The limit of answers in a watch."""
MIN_SIZE = 22
"""The minimum size of a gun for touch, in pixels."""


def play_until_fire(table: Table) -> bool:
    """Play until guns can be aimed; return whether that happened."""
    return bool(table.play(lambda seen: seen["rule"] == FIRE, MAX_ANSWERS)["asks"])


def shots_of(table: Table, one: str) -> list[str]:
    """Return the shots of a gun on the board, in the order of the decision."""
    names = str(gun(table.page, one).get_attribute("data-among")).split()
    return [key for key in table.look()["options"] if key in names]


def gun(page: Page, one: str = "") -> Locator:
    """Return a gun that can be aimed on the visible board."""
    named = f'[data-key="{one}"]' if one else ""
    return page.locator(f"#board [data-among]{named}").locator("visible=true").first


def check_ending(table: Table, server: Server) -> None:
    """Check that the match is over: its outcome, map of hits, report by watches and verified dice."""
    page = table.page
    expect(page.locator("#question")).to_have_text(OUTCOMES)
    expect(page.locator(".summary-image .pk-map").locator("visible=true")).to_have_count(1)
    axe.check_readable(page)
    title, _ = verified_outcome(server, table.match)
    assert OUTCOMES.fullmatch(title[0].upper() + title[1:])
    page.get_by_role("link", name="Report", exact=True).click()
    expect(page.get_by_role("heading", name=WATCH)).to_be_visible()
    expect(page.locator("li", has_text="On the picket line of 1945")).to_have_count(1)
    expect(page.locator("li", has_text="simulated cruises of First Watch (doctrine bot)")).to_have_count(1)
    axe.check_readable(page)


@pytest.mark.torture(4)
def test_plane_shows_the_odds_of_all_guns_that_fire_at_it(visit: Visit, server: Server) -> None:
    match: Match[Any, Any] = Match(games.load("picket"), "pringle", seed="1")
    played_by_bots(match, lambda one: any(each.rule == FIRE for each in one.pending.values()))
    anna = visit("", **LARGE)
    table = Table(anna.go(f"/m/{import_match(server, anna, match)}?seat=captain"))
    table.wait_for_decision()
    small = table.page.locator(".layer-panel small")
    table.piece("sonia-1").click()
    assert len(table.chosen()) > 4
    expect(small).to_have_text(match.selection_odds("captain", table.chosen())["sonia-1"])
    expect(table.page.locator("#board .bd-copy")).to_have_count(len(table.chosen()))
    for _ in range(len(table.chosen()) - 2):
        table.page.locator(".layer-panel").get_by_text("−").click()
    expect(small).to_have_text(match.selection_odds("captain", table.chosen())["sonia-1"])
    expect(table.page.locator("#board .bd-copy")).to_have_count(2)
    axe.check_readable(table.page)


@pytest.mark.torture(20)
def test_first_watch_is_played_on_desktop(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **LARGE)
    set_up(anna, {"captain": "me"}, game="picket", scenario="first-watch")
    table = Table(anna.page, hand := BoardMouse())
    table.play(lambda seen: False, MAX_ANSWERS)
    assert hand.on_board
    check_ending(table, server)


@pytest.mark.torture(5)
def test_first_watch_is_played_on_phone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    set_up(anna, {"captain": "me"}, game="picket", scenario="first-watch")
    table = Table(anna.page, HintedTouch())
    while play_until_fire(table):
        _tap_each_plane(table)
        table.confirm()
    check_ending(table, server)


def _tap_each_plane(table: Table) -> None:
    """Tap each plane, which assigns all free guns that bear; check that no gun is left."""
    planes = table.page.locator("#board [data-sweep]").locator("visible=true")
    for at in range(planes.count()):
        before = len(table.chosen())
        box = gun(table.page).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= MIN_SIZE
        if before < table.page.locator("#answer .sheet tbody tr").count():
            planes.nth(at).tap()
            assert len(table.chosen()) >= before
    assert len(table.chosen()) == table.page.locator("#answer .sheet tbody tr").count()


@pytest.mark.torture(8)
def test_gun_is_aimed_by_click_key_and_drag(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **LARGE)
    place = create_match(server, {"captain": "me"}, game="picket", scenario="first-watch")["captain"]
    table, page = join_seat(anna, place), anna.page
    seen = play_until([place], lambda _, seen: seen["pending"]["rule"] == FIRE, by_hints(anna))
    assert seen["outcome"] is None
    table.wait_past(seen["revision"] - 1)
    assert table.wait_for_decision()["rule"] == FIRE
    axe.check_readable(page)
    one = str(gun(page).get_attribute("data-key"))
    shots = shots_of(table, one)
    target = page.locator(f'#board [data-sweep~="{shots[-1]}"]').locator("visible=true").first
    gun(page, one).click()
    if len(shots) > 1:
        assert table.chosen() == []
        expect(target).to_have_class(re.compile(r"\bgoal\b"))
        target.click()
    assert table.chosen() == shots[-1:]
    expect(page.locator("#board .goal")).to_have_count(0)
    page.locator("#clear").click()
    gun(page, one).focus()
    for _ in shots[:2]:
        page.keyboard.press("Space")
    assert table.chosen() == shots[:1]
    page.keyboard.press("Escape")
    page.locator("#clear").click()
    _drag(page, gun(page, one), target)
    assert table.chosen() == shots[-1:]
    expect(page.locator("#board .held, #board .goal")).to_have_count(0)
    expect(page.locator(f'#answer [data-key="{shots[-1]}"] .option-note')).to_have_text(
        re.compile(r"shot down \(hit \d+\s%\) \d+\s%")
    )


def _drag(page: Page, gun: Locator, plane: Locator) -> None:
    start, end = gun.bounding_box(), plane.locator("use").first.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()


@pytest.mark.torture(40)
def test_campaign_resumes_after_server_was_killed(visit: Visit, tmp_path: Path) -> None:
    with Server(tmp_path / "home") as server:
        anna = visit("Anna", to=server, **LARGE)
        set_up(anna, {"captain": "me"}, game="picket", scenario="okinawa")
        table = Table(anna.page, HintedMouse())
        for _ in range(4):
            table.wait_for_decision()
            table.answer()
        left = table.wait_for_decision()
        path, cookies = anna.page.url, anna.context.storage_state()
        anna.ignore_problems(BROKEN)
        anna.page.close()
        server.kill()
        server.start()
        again = visit(to=server, storage_state=cookies, **LARGE)
        resumed = Table(again.page, HintedMouse())
        again.go(path)
        seen = resumed.wait_for_decision()
        assert {name: seen[name] for name in ("question", "options", "turn")} == {
            name: left[name] for name in ("question", "options", "turn")
        }
        for _ in range(3):
            resumed.answer()
            resumed.wait_for_decision()
        assert resumed.look()["revision"] >= left["revision"] + 3
