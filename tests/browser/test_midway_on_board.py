"""Midway played on the board: by pointer without a click in a list, and by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import ArrowKeys, OnBoard, Table
from tests.browser.matches import create_match, import_match, join_seat, played_by_bots
from tests.server.running import Server

from readyroom import Match, games

pytestmark = pytest.mark.slow

OPTIONS = {"turn_limit": "8"}
LAPTOP = {"width": 1366, "height": 768}
SIZES = """() => {
  const board = document.querySelector('#board .board-wide');
  const counters = [...board.querySelectorAll('[class*="side-"] > .piece, [href$="pc-hidden"]')];
  const {top, left, right, bottom} = board.getBoundingClientRect();
  return {
    widths: counters.map((counter) => counter.getScreenCTM().a * 26),
    isSeen: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight,
  };
}"""
"""The widths of all counters in pixels, and whether the whole board is in the window."""


def table_of(visit: Visit, server: Server, hand: OnBoard | ArrowKeys) -> Table:
    seats = {"usa": "me", "japan": "bot:doctrine"}
    place = create_match(server, seats, OPTIONS, scenario="daybreak", seed="on the board")["usa"]
    return join_seat(visit("Anna", viewport=LAPTOP), place, hand)


def check_sizes(page: Page) -> None:
    """Check that the whole board is seen, and that all of its counters are at least 36 pixels wide."""
    seen = page.evaluate(SIZES)
    assert seen["isSeen"]
    assert min(seen["widths"]) >= 36, sorted(seen["widths"])[:5]


def test_pieces_are_sent_to_places_by_pointer(visit: Visit, server: Server) -> None:
    hand = OnBoard()
    table = table_of(visit, server, hand)
    table.play(lambda seen: seen["rule"] == "13.1")
    check_sizes(table.page)
    seen = table.look()
    assert {key.partition("@")[2] for key in seen["options"]} == {"usa-moving", "usa-cap"}
    table.page.locator("#board [data-key='usa-moving']").locator("visible=true").click(position={"x": 20, "y": 8})
    assert len(table.chosen()) == len({key.partition("@")[0] for key in seen["options"]}), "the place takes all"
    fighter = next(key for key in seen["options"] if key.endswith("@usa-cap"))
    hand.choose(table, [fighter])
    [pile] = table.count_by_piece([fighter])
    sent = table.count_by_piece(table.chosen())
    assert sent[pile] == 1, "a drag changes the place of a squadron"
    assert sent[pile.replace("cap", "moving")] == pile.count(" "), "the others of its pile stay where they were sent"
    table.confirm()
    expect(table.page.locator("#board .bd-dome.in-usa").locator("visible=true")).to_be_visible()


@pytest.mark.torture(60)
def test_whole_battle_is_played_by_pointer_on_the_board(visit: Visit, server: Server) -> None:
    hand = OnBoard()
    table = table_of(visit, server, hand)

    def is_over(seen: dict[str, Any]) -> bool:
        if not seen["over"]:
            check_sizes(table.page)
        return bool(seen["over"])

    assert table.play(is_over)["over"]
    assert hand.on_board > 60


@pytest.mark.torture(20)
@pytest.mark.parametrize("sight", ["tables", "open"])
@pytest.mark.parametrize("seat", ["japan", "usa"])
@pytest.mark.parametrize("turn", [1, 4, 8])
def test_counters_have_36_pixels_in_any_turn(visit: Visit, server: Server, turn: int, seat: str, sight: str) -> None:
    match: Match[Any, Any] = Match(games.load("midway"), "midway", {"sight": sight}, seed="sizes")
    played_by_bots(match, lambda match: match.state.at.turn >= turn and seat in match.pending)
    visitor = visit("", viewport=LAPTOP)
    page = visitor.go(f"/m/{import_match(server, visitor, match)}?seat={seat}")
    check_sizes(page)


@pytest.mark.torture(6)
@pytest.mark.parametrize("seat", ["japan", "usa"])
def test_counters_have_36_pixels_in_a_small_window(visit: Visit, server: Server, seat: str) -> None:
    match: Match[Any, Any] = Match(games.load("midway"), "midway", {"sight": "open"}, seed="sizes")
    played_by_bots(match, lambda match: match.state.at.turn >= 4 and seat in match.pending)
    visitor = visit("", viewport={"width": 1024, "height": 768})
    page = visitor.go(f"/m/{import_match(server, visitor, match)}?seat={seat}")
    expect(page.locator("#board .board-medium")).to_be_visible()
    check_sizes(page)
    page.set_viewport_size({"width": LAPTOP["width"], "height": LAPTOP["height"]})
    expect(page.locator("#board .board-wide:not(.board-medium)")).to_be_visible()
    check_sizes(page)


@pytest.mark.torture(60)
def test_whole_battle_is_played_by_keyboard(visit: Visit, server: Server) -> None:
    hand = ArrowKeys()
    table = table_of(visit, server, hand)
    assert table.play(lambda seen: seen["over"])["over"]
