"""Midway played on the board: by pointer without a click in a list, and by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.match_page import ArrowKeys, OnBoard, Table
from tests.browser.matches import create_match, join_seat
from tests.server.running import Server

pytestmark = pytest.mark.slow

OPTIONS = {"turn_limit": "8"}


def table_of(visit: Visit, server: Server, hand: OnBoard | ArrowKeys) -> Table:
    seats = {"usa": "me", "japan": "bot:doctrine"}
    place = create_match(server, seats, OPTIONS, scenario="daybreak", seed="on the board")["usa"]
    return join_seat(visit("Anna", viewport={"width": 1366, "height": 768}), place, hand)


def test_pieces_are_sent_to_places_by_pointer(visit: Visit, server: Server) -> None:
    hand = OnBoard()
    table = table_of(visit, server, hand)
    table.play(lambda seen: seen["rule"] == "13.1")
    seen = table.look()
    assert {key.partition("@")[2] for key in seen["options"]} == {"usa-moving", "usa-cap"}
    table.page.locator("#board [data-key='usa-moving']").locator("visible=true").click(position={"x": 20, "y": 8})
    assert len(table.chosen()) == len({key.partition("@")[0] for key in seen["options"]}), "the place takes all"
    fighter = next(key for key in seen["options"] if key.endswith("@usa-cap"))
    hand.choose(table, [fighter])
    assert fighter in table.chosen(), "a drag changes the place of a squadron"
    assert fighter.replace("cap", "moving") not in table.chosen()
    table.confirm()
    expect(table.page.locator("#board .bd-dome.in-usa").locator("visible=true")).to_be_visible()


@pytest.mark.torture(60)
def test_whole_battle_is_played_by_pointer_on_the_board(visit: Visit, server: Server) -> None:
    hand = OnBoard()
    table = table_of(visit, server, hand)
    assert table.play(lambda seen: seen["over"])["over"]
    assert hand.on_board > 60


@pytest.mark.torture(60)
def test_whole_battle_is_played_by_keyboard(visit: Visit, server: Server) -> None:
    hand = ArrowKeys()
    table = table_of(visit, server, hand)
    assert table.play(lambda seen: seen["over"])["over"]
