"""Screenshots of the match page for human review, in build/screenshots/."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from playwright.sync_api import ViewportSize
from tests.browser.conftest import BUILD, Visit
from tests.browser.match_page import Table
from tests.browser.matches import by_hints, create_match, join_seat, play_until
from tests.server.running import Server

from readyroom.web.client import RemoteSeat

pytestmark = pytest.mark.torture(10)

PLACE = BUILD / "screenshots"
SIZES = {
    "desk": ViewportSize(width=1280, height=800),
    "tablet": ViewportSize(width=768, height=1024),
    "phone": ViewportSize(width=390, height=844),
}


def take(table: Table, name: str) -> None:
    """Take a screenshot at every size, light and dark, with everything selected."""
    page = table.page
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        page.reload()
        table.wait_for_decision()
        page.keyboard.press("a")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=PLACE / f"{name}-{size}-{scheme}.png")


def struck(place: RemoteSeat, seen: dict[str, Any]) -> bool:
    """Return whether a carrier is damaged and the seat has a decision."""
    if seen["pending"] is None:
        return False
    sides = place.fetch(view=True)["view"]["table"]["sides"].values()
    return any(carrier["damage"] for side in sides for carrier in side["carriers"])


def test_screenshots_during_decision_and_after_strike(visit: Visit, server: Server) -> None:
    shutil.rmtree(PLACE, ignore_errors=True)
    anna = visit()
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"]
    table = join_seat(anna, place)
    book = by_hints(anna)
    play_until([place], lambda _, seen: bool(seen["pending"]) and seen["turn"] == 3, book)
    take(table, "decision")
    seen = play_until([place], struck, book)
    assert seen["outcome"] is None
    take(table, "strike")
    assert len(list(PLACE.glob("*.png"))) == 2 * 2 * len(SIZES)
