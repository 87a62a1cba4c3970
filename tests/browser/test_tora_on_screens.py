"""The match page of a raid at many screen sizes: no wrapping, nothing cut off, readable stacks on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import spot_of
from tests.browser.matches import import_match, played_by_bots
from tests.browser.visitors import PHONE
from tests.server.running import Server

from readyroom import Match, games
from readyroom.engine.match.planning import follow
from readyroom.engine.record.replay import replay
from readyroom.games.tora.plans.data import Group, JapanesePlan, Ordnance, WaveOrder
from readyroom.games.tora.plans.reading import write_toml

pytestmark = pytest.mark.slow
TOGETHER = JapanesePlan(
    5,
    (
        WaveOrder(
            1,
            (
                Group("3NW", "kate", 24, Ordnance.AP),
                Group("3NW", "val", 14, Ordnance.GP),
                Group("3NW", "zero", 10),
            ),
        ),
    ),
)
"""A wave that arrives over one zone."""
POINTED = "#board :is(.bd-unit:not(.in-pile), .bd-pile)"
"""The counters that one points at."""
SMALLEST = """() => Math.min(...[...document.querySelectorAll('#board :is(.bd-unit:not(.in-pile), .bd-pile)')]
  .filter((piece) => piece.getClientRects().length).map((piece) => piece.getScreenCTM().a * 26))"""
"""The least width of a counter in pixels, without its halo."""
PLAN_SIZES = """() => [...document.querySelectorAll('.plan-stack, .plan-counter, .plan-place:not(.is-empty)')]
  .filter((piece) => piece.getClientRects().length)
  .map((piece) => piece.matches('.plan-stack') ? piece.getScreenCTM().a * 26 : piece.getBoundingClientRect().width)"""


def at_the_table(visit: Visit, server: Server, match: Match[Any, Any], seat: str, **how: Any) -> Page:
    """Return the page of a match for a visitor who has all its seats."""
    visitor = visit("", **how)
    return visitor.go(f"/m/{import_match(server, visitor, match)}?seat={seat}")


@pytest.mark.sample(1)
@pytest.mark.parametrize("phase", ["japan-move-2", "usa-attack-1", "usa-move-3", "end"])
def test_phase_track_stays_on_one_line(visit: Visit, server: Server, phase: str) -> None:
    match = played_by_bots(
        Match(games.load("tora"), "sunday", seed="look"), lambda match: match.state.at.phase == phase
    )
    page = at_the_table(
        visit, server, match, next(iter(match.pending), "japan"), viewport={"width": 1280, "height": 800}
    )
    strip = page.locator(".track > ol").bounding_box()
    now = page.locator(".track > ol > li.now").bounding_box()
    assert strip is not None
    assert now is not None
    assert strip["height"] < 36
    assert strip["y"] <= now["y"] < now["y"] + now["height"] <= strip["y"] + strip["height"] + 1
    assert strip["x"] <= now["x"] < now["x"] + now["width"] <= strip["x"] + strip["width"] + 1


def test_plan_file_form_is_in_view(visit: Visit, server: Server) -> None:
    match = Match(games.load("tora"), "december", seed="look")
    page = at_the_table(visit, server, match, "usa", viewport={"width": 1440, "height": 900})
    page.get_by_role("button", name="Question by question").click()
    offer, card = page.locator("#paper > summary").bounding_box(), page.locator("#card").bounding_box()
    assert offer is not None
    assert card is not None
    assert card["y"] < offer["y"] < offer["y"] + offer["height"] < card["y"] + card["height"]
    page.locator("#paper > summary").click()
    expect(page.locator("#paper input[type='file']")).to_be_visible()


def mass() -> Match[Any, Any]:
    """Return a match with 48 units over one zone."""
    match = Match(games.load("tora"), "december", seed="mass")
    follow(match, "japan", write_toml(TOGETHER).encode(), "together.toml")
    return played_by_bots(match, lambda match: match.state.at.turn == 2 and "japan" in match.pending)


def sunday(turn: int, seat: str, about: str) -> Match[Any, Any]:
    """Return a battle on Sunday that bots have played to a question of a turn."""
    return played_by_bots(
        Match(games.load("tora"), "sunday", seed="look"),
        lambda match: (
            match.state.at.turn >= turn and seat in match.pending and match.pending[seat].piece_key.startswith(about)
        ),
    )


POSITIONS: dict[str, tuple[Callable[[], Match[Any, Any]], str]] = {
    "opening": (lambda: sunday(2, "japan", "move"), "japan"),
    "mass": (mass, "japan"),
    "launch": (lambda: sunday(4, "usa", "launch"), "usa"),
    "flak": (lambda: sunday(6, "usa", "fire"), "usa"),
    "bombs": (lambda: sunday(5, "japan", "attack"), "japan"),
    "home": (lambda: sunday(8, "japan", "move"), "japan"),
}


@pytest.mark.torture(12)
@pytest.mark.parametrize("name", POSITIONS)
def test_counters_can_be_pointed_at(visit: Visit, server: Server, name: str) -> None:
    match, seat = POSITIONS[name][0](), POSITIONS[name][1]
    page = at_the_table(visit, server, match, seat, viewport={"width": 1366, "height": 768})
    page.locator("#answer").wait_for()
    assert page.evaluate(SMALLEST) >= 36
    board = page.locator("#board .board").bounding_box()
    assert board is not None
    assert board["y"] + board["height"] <= 768
    for index in range(page.locator(POINTED).count()):
        piece = page.locator(POINTED).nth(index)
        key = piece.get_attribute("data-key") or (piece.get_attribute("data-stack") or "").split()[0]
        assert piece.is_hidden() or piece.evaluate("(piece) => piece.matches('.bd-through')") or spot_of(page, key), key


@pytest.mark.torture(6)
@pytest.mark.parametrize("seat", ["usa", "japan"])
def test_counters_of_a_plan_can_be_pointed_at(visit: Visit, server: Server, seat: str) -> None:
    match = Match(games.load("tora"), "december", seed="look")
    page = at_the_table(visit, server, match, seat, viewport={"width": 1366, "height": 768})
    if seat == "japan":
        page.locator("#plan-samples > summary").click()
        page.get_by_role("button", name="Southern approach").click()
        expect(page.locator(".plan-stack").first).to_be_visible()
    else:
        page.get_by_role("tab", name="Airfields").click()
    sizes = page.evaluate(PLAN_SIZES)
    assert len(sizes) > 8
    assert min(sizes) >= 36


@pytest.mark.torture(4)
def test_pile_on_a_phone_opens_its_counters(visit: Visit, server: Server) -> None:
    match = mass()
    page = at_the_table(visit, server, match, "japan", **PHONE)
    piles = page.locator("#board .board-narrow .bd-pile.can")
    expect(piles).to_have_count(3)
    size = piles.first.bounding_box()
    assert size is not None
    assert size["width"] >= 32
    x, y = size["x"] + size["width"] / 2, size["y"] + size["height"] / 2
    page.evaluate("([x, y]) => window.scrollBy(0, y - 300)", [x, y])
    spot = spot_of(page, match.state.zones["3NW"].japan[0].key) or [x, y]
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": spot[0], "y": spot[1]}]})
    page.wait_for_timeout(600)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".stack-viewer .stack-item")).to_have_count(24)


@pytest.mark.torture(6)
@pytest.mark.parametrize(("width", "height", "shown"), [(1366, 768, 1), (1920, 1080, 2)])
def test_replay_of_all_sides_shows_as_many_boards_as_fit(
    visit: Visit, server: Server, width: int, height: int, shown: int
) -> None:
    record = Path(__file__).parents[1] / "records" / "a-black-card-ends-it.jsonl"
    visitor = visit("", viewport={"width": width, "height": height})
    visitor.context.set_default_timeout(60_000)
    page = visitor.go(f"/m/{import_match(server, visitor, replay(record.read_text()))}/replay?at=30&seat=all")
    page.locator("#board").wait_for()
    boards = page.locator("#board > section:visible")
    expect(boards).to_have_count(shown)
    sizes = "(svgs) => svgs.map((svg) => svg.getBoundingClientRect().width).filter((size) => size)"
    assert min(boards.locator("svg.bd-tora").evaluate_all(sizes)) > 800
    if shown == 1:
        page.get_by_role("button", name="United States", exact=True).click()
        expect(page.locator("#board > [data-seat=usa]")).to_be_visible()
        expect(boards).to_have_count(1)
