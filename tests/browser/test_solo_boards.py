"""Whole matches of the solitaire games on the board alone: by mouse, touch and keyboard, with no click in a list."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.board_only import BoardKeys, BoardMouse, BoardTouch
from tests.browser.conftest import Visit
from tests.browser.match_page import Table, spot_of
from tests.browser.matches import create_match, import_match, join_seat, played_by_bots, verified_outcome
from tests.browser.visitors import LARGE, PHONE
from tests.server.running import Server

from readyroom import Match, games

MOST = 600
HANDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "mouse": (BoardMouse, LARGE),
    "touch": (BoardTouch, PHONE),
    "keys": (BoardKeys, LARGE),
}


@pytest.mark.torture(60)
@pytest.mark.parametrize("by", HANDS)
@pytest.mark.parametrize(("game", "scenario"), [("picket", "pringle"), ("doolittle", "capital")])
def test_whole_match_is_played_on_the_board(visit: Visit, server: Server, game: str, scenario: str, by: str) -> None:
    hand, screen = HANDS[by]
    place = create_match(server, {"captain": "me"}, game=game, scenario=scenario)["captain"]
    table = join_seat(visit("Anna", **screen), place, hand())
    assert table.play(lambda _: False, MOST)["over"]
    assert table.hand.on_board > 5  # type: ignore[attr-defined]
    verified_outcome(server, table.match)


@pytest.mark.torture(240)
def test_campaign_is_played_on_the_board(visit: Visit, server: Server) -> None:
    place = create_match(server, {"captain": "me"}, game="doolittle", scenario="campaign")["captain"]
    table = join_seat(visit("Anna", **LARGE), place, BoardMouse())
    assert table.play(lambda _: False, MOST)["over"]
    verified_outcome(server, table.match)


@pytest.mark.torture(12)
def test_ship_is_steered_by_drag_and_answers_are_labels(visit: Visit, server: Server) -> None:
    match: Match[Any, Any] = Match(games.load("picket"), "pringle", seed="1")
    match = played_by_bots(match, lambda one: next(iter(one.pending.values())).rule == "6.10")
    anna = visit("", **LARGE)
    table, page = Table(anna.page), anna.page
    anna.go(f"/m/{import_match(server, anna, match)}?seat=captain")
    table.wait_for_decision()
    for key in ("evade", "steady"):
        helm, arrow = spot_of(page, "helm"), spot_of(page, key)
        assert helm is not None
        assert arrow is not None
        page.mouse.move(*helm)
        page.mouse.down()
        page.mouse.move(*arrow, steps=4)
        page.mouse.up()
        assert table.chosen() == [key]
    page.set_viewport_size({"width": 390, "height": 844})
    label = page.locator('#board .board-narrow .bd-label[data-key="evade"]')
    label.click()
    assert table.chosen() == ["evade"]
    expect(label).to_have_attribute("aria-pressed", "true")
