"""The match page of a raid at many screen sizes: no wrapping, nothing cut off, readable stacks on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.matches import import_match, played_by_bots
from tests.browser.visitors import PHONE
from tests.server.running import Server

from readyroom import Match, games
from readyroom.engine.match.planning import follow
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


def at_the_table(visit: Visit, server: Server, match: Match[Any, Any], seat: str, **how: Any) -> Page:
    """Return the page of a match for a visitor who has all its seats."""
    visitor = visit("", **how)
    return visitor.go(f"/m/{import_match(server, visitor, match)}?seat={seat}")


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
    actions = page.locator("#answer .actions").bounding_box()
    assert offer is not None
    assert card is not None
    assert actions is not None
    assert card["y"] < offer["y"] < offer["y"] + offer["height"] < actions["y"]
    page.locator("#paper > summary").click()
    expect(page.locator("#paper input[type='file']")).to_be_visible()


def test_phone_stacks_open_full_size_counters(visit: Visit, server: Server) -> None:
    match = Match(games.load("tora"), "december", seed="mass")
    follow(match, "japan", write_toml(TOGETHER).encode(), "together.toml")
    played_by_bots(match, lambda match: match.state.at.turn == 2 and "japan" in match.pending)
    page = at_the_table(visit, server, match, "japan", **PHONE)
    narrow = page.locator("#board .board-narrow")
    zone = next(key for key, over in match.state.zones.items() if len(over.japan) == 48)
    piles = narrow.locator(".bd-pile")
    expect(piles).to_have_count(3)
    card = narrow.locator(f"#pc-over-{zone}")
    expect(card).to_contain_text(f"Over {zone}")
    first = match.state.zones[zone].japan[0].key
    size = narrow.locator(f"[data-key='{first}']").bounding_box()
    assert size is not None
    assert size["width"] >= 20
