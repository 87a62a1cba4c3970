"""What the board shows of pieces that are sent: copies and counts, next to the pictures of their targets."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.test_gestures import table_at
from tests.browser.visitors import PHONE
from tests.server.running import Server

pytestmark = pytest.mark.slow

DEVICES = pytest.mark.parametrize(
    "device", [{"viewport": {"width": 1366, "height": 768}}, PHONE], ids=["desktop", "phone"]
)
BOXES = """
  const boxes = (name) => [...document.querySelectorAll(name)].filter((one) => one.getClientRects().length)
    .map((one) => ({name: one.textContent.trim().slice(0, 40), box: one.getBoundingClientRect(), one}));
  const isIn = ({box: one}, {box: other}) => one.left >= other.left - 1 && one.right <= other.right + 1
    && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
  const isMet = ({box: one}, {box: other}) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
"""
MISPLACED = f"""({{areas, pictures}}) => {{
  {BOXES}
  const copies = boxes('#board .bd-copy'), counts = boxes('.layer-badges b'), [board] = boxes('#board .board');
  const read = [...boxes(pictures), ...boxes('#board text').filter(({{one}}) => !one.closest('.bd-copy, .sent'))];
  return [
    ...copies.filter((copy) => !boxes(areas).some((area) => isIn(copy, area))).map(({{name}}) => `${{name}} is out`),
    ...counts.filter((count) => !isIn(count, board)).map(({{name}}) => `the count ${{name}} is outside`),
    ...copies.flatMap((copy, at) => [...read, ...copies.slice(at + 1)].filter((other) => isMet(copy, other))
      .map(({{name}}) => `${{copy.name}} covers ${{name}}`)),
  ];
}}"""
"""Which copies are in no area or cover a picture, a text or another copy, and which counts are not on the board."""
SECTORS = {"areas": "#board .pk-area", "pictures": '#board .pk-plane use[href="#pc-body"]'}
HARBOR = {"areas": "#board .bd-field", "pictures": "#board .bd-vessel"}
CORNERS = f"""(target) => {{
  {BOXES}
  const targets = boxes(target);
  return boxes('.layer-badges b').map(({{box}}) => {{
    const own = targets.filter((one) => isMet({{box}}, one));
    return own.length === 1 && ['left', 'top'].map((edge) => Math.round((box[edge] - own[0].box[edge]) / 8));
  }});
}}"""
"""Where each count is at its target, in steps of eight pixels; false if it is at none or at several."""
STEPPER = f"""(key) => {{
  {BOXES}
  const [{{box: panel}}] = boxes('.layer-panel'), [{{box: piece}}] = boxes(`#board [data-key="${{key}}"]`);
  const far = (start, end) => Math.max(panel[start] - piece[end], piece[start] - panel[end]);
  return Math.max(far('left', 'right'), far('top', 'bottom'));
}}"""
"""How far the stepper is from its piece, in pixels."""
NEAR = 24
"""The farthest that the stepper may be."""


def misplaced(page: Page, where: dict[str, str]) -> list[str]:
    """Return what is misplaced, once the selection is drawn."""
    page.locator("#board .sent").first.wait_for(state="attached")
    return list(page.evaluate(MISPLACED, where))


@pytest.mark.sample(1)
@DEVICES
@pytest.mark.parametrize("scenario", ["first-watch", "pringle"])
def test_guns_are_shown_in_the_sectors_of_their_planes(
    visit: Visit, server: Server, device: dict[str, Any], scenario: str
) -> None:
    table = table_at(visit, server, "picket", scenario, "6.8", screen=device)
    page = table.page
    page.locator("#hint").click()
    page.locator("#board .bd-copy").first.wait_for(state="attached")
    assert not misplaced(page, SECTORS)
    for plane in page.locator("#board .pk-plane[data-sweep]").locator("visible=true").all():
        page.locator("#clear").click()
        plane.click()
        assert not misplaced(page, SECTORS)


@pytest.mark.sample(1)
@DEVICES
def test_attackers_cover_no_ship_and_say_how_many_are_left(
    visit: Visit, server: Server, device: dict[str, Any]
) -> None:
    table = table_at(visit, server, "pearl", "air-raid", "PH.7", screen=device)
    page = table.page
    attackers = table.piece("attackers")
    size = int(attackers.get_attribute("data-size") or "0")
    for key in ("nevada", "arizona", "maryland", "maryland"):
        table.piece(key).click()
        assert page.evaluate(STEPPER, key) <= NEAR
    expect(attackers.locator(".bd-many")).to_have_text(str(size - 4))
    expect(page.locator(".layer-link")).to_have_count(3)
    page.get_by_role("button", name="Allocate evenly").click()
    expect(attackers.locator(".bd-many")).to_have_text("0")
    assert not misplaced(page, HARBOR)
    assert page.locator("#board .bd-copy").count() == 2, "there is room on the airfields"
    page.locator("#clear").click()
    expect(attackers.locator(".bd-many")).to_have_text(str(size))


@pytest.mark.sample(1)
@DEVICES
def test_hits_are_at_the_same_corner_of_each_counter(visit: Visit, server: Server, device: dict[str, Any]) -> None:
    table: Table = table_at(visit, server, "midway", "daybreak", "12.3", "allot", screen=device)
    table.page.get_by_role("button", name="Allocate evenly").click()
    table.page.locator(".layer-badges b").nth(1).wait_for()
    corners = table.page.evaluate(CORNERS, "#board :is(.can[data-sweep], .piece.can[data-key]:not(.in-pile))")
    assert corners[0]
    assert corners == corners[:1] * len(corners)


@pytest.mark.sample(1)
@DEVICES
def test_odds_of_what_is_selected_are_in_the_decision(visit: Visit, server: Server, device: dict[str, Any]) -> None:
    table = table_at(visit, server, "midway", "midway", "12.1", screen=device)
    table.page.locator("#hint").click()
    odds = table.page.locator("#odds li")
    expect(odds.first).to_contain_text(re.compile(r"^\w+: crippled or sunk .*%"))
    expect(odds.first).to_be_in_viewport(ratio=0.9)
    table.page.locator("#clear").click()
    expect(odds).to_have_count(0)


ON_PILES = f"""() => {{
  {BOXES}
  const piles = boxes('#board .bd-heap');
  return boxes('.layer-badges b').filter(({{name}}) => name.endsWith('left')).map(({{box}}) =>
    piles.some((pile) => isMet({{box}}, pile) && box.left > pile.box.left - 2 && box.left < pile.box.left + 6));
}}"""
"""Whether each count of what is left begins at the left edge of a pile."""


def test_what_is_left_of_piles_is_told_on_them_on_a_phone(visit: Visit, server: Server) -> None:
    page = table_at(visit, server, "midway", "midway", "14.1", screen=PHONE).page
    page.locator("#hint").click()
    page.locator(".layer-badges b", has_text="left").first.wait_for()
    found = page.evaluate(ON_PILES)
    assert found
    assert all(found)
