"""Whole matches of Tora! Tora! Tora! on the board alone, from the first day of planning to the end."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.board_only import BoardKeys, BoardMouse, BoardTouch
from tests.browser.conftest import Visit
from tests.browser.match_page import InputMethod, Table, spot_of
from tests.browser.matches import create_match, import_match, join_seat, played_by_bots, verified_outcome
from tests.browser.test_tora_planning import carry, day_of, drag, seal
from tests.browser.visitors import PHONE, Visitor
from tests.server.running import Server

from readyroom import Match, games
from readyroom.engine.match.planning import follow
from readyroom.games.tora.plans.builtin import named
from readyroom.games.tora.plans.reading import write_toml

pytestmark = pytest.mark.slow

LAPTOP = {"viewport": {"width": 1366, "height": 768}}
MOST = 500
"""The limit of answers in a battle."""
COUNT_CLICKS = """
  addEventListener('click', ({target}) => {
    if (target.closest && target.closest('#options, #fold')) noteListClick(target.outerHTML);
  }, true);
"""


def sit_down(visitor: Visitor, server: Server, seat: str, hand: InputMethod) -> tuple[Table, list[str]]:
    """Return a table against a bot that plans, and a list to which each click in a list of options is added."""
    clicks: list[str] = []

    def note(what: str) -> None:
        clicks.append(what)

    visitor.context.set_default_timeout(60_000)  # the bot has large waves to think of
    visitor.page.expose_function("noteListClick", note)
    visitor.page.add_init_script(COUNT_CLICKS)
    seats = {seat: "me", "japan" if seat == "usa" else "usa": "bot:doctrine"}
    place = create_match(server, seats, game="tora", scenario="december")[seat]
    table = join_seat(visitor, place, hand)
    expect(table.page.locator(".plan-state")).to_contain_text("Not legal yet")
    return table, clicks


def fight(table: Table, server: Server) -> int:
    """Play to the end by the bot's hints; return the number of answers."""
    answers = 0
    while not table.wait_for_decision()["over"]:
        assert answers < MOST
        table.answer()
        answers += 1
    assert verified_outcome(server, table.match)[0]
    return answers


@pytest.mark.torture(240)
def test_attack_is_planned_and_fought_with_the_mouse(visit: Visit, server: Server) -> None:
    hand = BoardMouse()
    table, clicks = sit_down(visit("Anna", **LAPTOP), server, "japan", hand)
    page = table.page
    page.get_by_role("radio", name="Sun 7 December").click()
    north = page.locator('.plan-sector[data-sector="3NW"]')
    for load in ("kate:torpedo", "kate:ap", "zero:none"):
        drag(page, carry(page, f"supply:{load}"), north, 0.3, 0.3)
    drag(page, carry(page, "supply:val:gp"), page.locator('.plan-sector[data-sector="3NE"]'), 0.6, 0.3)
    page.get_by_role("button", name="Add a wave").click()
    drag(page, carry(page, "supply:val:gp"), page.locator('.plan-sector[data-sector="3NE"]'), 0.6, 0.3)
    seal(page)
    assert fight(table, server) > 10
    assert hand.on_board > 10
    assert not hand.in_card
    assert clicks == []


@pytest.mark.torture(300)
def test_defense_is_planned_and_fought_by_keyboard(visit: Visit, server: Server) -> None:
    hand = BoardKeys()
    table, clicks = sit_down(visit("Anna", **LAPTOP), server, "usa", hand)
    page = table.page
    hand.go_to(page, page.locator('.plan-cell[tabindex="0"]'))
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    for key in ("3", "ArrowDown", "3", "ArrowDown", "3", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".plan-state")).to_contain_text("legal. Seal it")
    hand.open(page, page.get_by_role("button", name="Seal the plan"))
    expect(page.locator("#plan")).to_be_hidden()
    assert fight(table, server) > 10
    assert hand.on_board > 10
    assert clicks == []


@pytest.mark.torture(300)
@pytest.mark.parametrize("seat", ["japan", "usa"])
def test_match_is_planned_and_fought_on_a_phone(visit: Visit, server: Server, seat: str) -> None:
    how: dict[str, Any] = PHONE
    hand = BoardTouch()
    table, clicks = sit_down(visit("Anna", **how), server, seat, hand)
    page = table.page
    if seat == "japan":
        page.locator('[data-day="6"]').tap()
        for load in ("kate:torpedo", "zero:none"):
            carry(page, f"supply:{load}").tap()
            page.locator('.plan-sector[data-sector="3NE"]').tap(position={"x": 150, "y": 60})
            page.keyboard.press("Escape")
    else:
        page.locator('[data-sector="NE"]').tap(position={"x": 90, "y": 60})
        for ship, day in (("lexington", 2), ("enterprise", 8)):
            day_of(page, ship, day).tap()
    expect(page.locator(".plan-state")).to_contain_text("legal. Seal it")
    page.get_by_role("button", name="Seal the plan").tap()
    expect(page.locator("#plan")).to_be_hidden()
    assert fight(table, server) > 10
    assert hand.on_board > 10
    assert clicks == []


def planned_by(usa: str, japan: str, **options: str) -> Match[Any, Any]:
    """Return a match with two built-in plans."""
    match: Match[Any, Any] = Match(games.load("tora"), "december", options, seed="film")
    for seat, plan in (("usa", usa), ("japan", japan)):
        follow(match, seat, write_toml(named(plan)).encode(), "plan.toml")
    return match


# -- gestures ----------------------------------------------------------------------------------------------------------


def at_the_table(visit: Visit, server: Server, seat: str, about: str, **how: Any) -> tuple[Table, Match[Any, Any]]:
    """Return the table of a battle on Sunday that bots have played to a question."""
    match = played_by_bots(
        Match(games.load("tora"), "sunday", seed="gestures"),
        lambda match: seat in match.pending and match.pending[seat].piece_key.startswith(about),
    )
    visitor = visit("", **{**LAPTOP, **how})
    visitor.go(f"/m/{import_match(server, visitor, match)}?seat={seat}")
    return Table(visitor.page), match


def pull(page: Page, start: list[float] | None, end: list[float] | None) -> None:
    """Drag from one point of the window to another."""
    assert start is not None
    assert end is not None
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


SEAM = """() => {
  const pile = (x, y) => document.elementFromPoint(x, y)?.closest('#board .bd-pile.can')?.dataset.stack;
  for (const one of document.querySelectorAll('#board .bd-pile.can')) {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    for (let step = -3; step < 3; step += .1) {
      for (const [x, y] of [[right + step, (top + bottom) / 2], [(left + right) / 2, bottom + step]]) {
        const [drawn, met] = [pile(x, y), pile(Math.round(x), Math.round(y))];
        if (drawn && met && drawn !== met) return [x, y, drawn];
      }
    }
  }
}"""
"""A point of one pile that is in another one if it is rounded."""


def test_tap_selects_the_pile_that_is_drawn_where_the_finger_is(visit: Visit, server: Server) -> None:
    table, _ = at_the_table(visit, server, "usa", "launch:hickam", **PHONE)
    x, y, keys = table.page.evaluate(SEAM)
    table.page.touchscreen.tap(x, y)
    assert len(table.chosen()) == 1
    assert set(table.chosen()) <= set(keys.split())


@pytest.mark.torture(8)
def test_one_formation_of_a_zone_is_dragged_away_and_the_rest_is_asked_again(visit: Visit, server: Server) -> None:
    table, match = at_the_table(visit, server, "japan", "move:3NE")
    page = table.page
    zero = next(unit for unit in match.state.zones["3NE"].japan if unit.type == "zero")
    pull(page, spot_of(page, zero.key), spot_of(page, "2NE"))
    assert table.chosen() == ["zero:none:2NE"]
    table.confirm()
    expect(page.locator("#question")).to_have_text("Over 3NE: 13 Val units. Where do they fly?")
    pull(page, spot_of(page, "val-1"), spot_of(page, "3NW"))
    assert table.chosen() == ["3NW"]


@pytest.mark.torture(8)
def test_pile_of_targets_takes_one_more_with_each_click(visit: Visit, server: Server) -> None:
    table, _ = at_the_table(visit, server, "japan", "attack:2NE:zero")
    page = table.page
    pile = page.locator("#board .bd-pile.can").locator("visible=true").first
    keys = (pile.get_attribute("data-sweep") or "").split()
    for count in (1, 2):
        pile.click()
        assert len(table.chosen()) == count
        assert set(table.chosen()) <= set(keys)
    pile.click(modifiers=["Shift"])
    assert len(table.chosen()) == 1
    page.locator("[data-act='more']").click()
    assert len(table.chosen()) == 2


@pytest.mark.torture(8)
def test_pile_that_attacks_is_divided_with_the_wheel(visit: Visit, server: Server) -> None:
    table, match = at_the_table(visit, server, "japan", "attack:2SE:val")
    page = table.page
    unit = match.pending["japan"]
    most, start, end = unit.at_most, spot_of(page, "val-13"), spot_of(page, "yard-3")
    assert start is not None
    assert end is not None
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=6)
    for _ in range(most - 1 - 3):
        page.mouse.wheel(0, 100)
    page.mouse.wheel(0, -100)
    page.mouse.up()
    assert 1 <= len(table.chosen()) <= most
    assert set(table.chosen()) == {"yard-3"}


@pytest.mark.torture(12)
def test_wave_enters_in_part_on_the_board(visit: Visit, server: Server) -> None:
    match = planned_by("sunday-morning", "sunday-from-the-north")
    played_by_bots(match, lambda match: any(one.piece_key.startswith("enter:") for one in match.pending.values()))
    visitor = visit("", **LAPTOP)
    visitor.go(f"/m/{import_match(server, visitor, match)}?seat=japan")
    table, hand = Table(visitor.page, BoardMouse()), BoardMouse()
    table.hand = hand
    table.answer(["part"])
    table.wait_for_decision()
    page = table.page
    keys = table.look()["options"]
    table.choose([keys[0], keys[1], keys[-1]])
    hand.confirm(table)
    assert not hand.in_card
    expect(page.get_by_text("Pass the screen to United States")).to_be_visible()
