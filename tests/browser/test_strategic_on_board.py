"""Matches of Strategic War and Air Raid Pearl Harbor on the board alone: by mouse, on a phone, and by keyboard."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.match_page import ArrowKeys, InputMethod, Table, spot_of
from tests.browser.matches import create_match, import_match, join_seat, played_by_bots, verified_outcome
from tests.browser.visitors import PHONE, Visitor
from tests.server.running import Server

from readyroom import Match, games

pytestmark = pytest.mark.slow

LAPTOP = {"viewport": {"width": 1366, "height": 768}}
LEAST = 36
"""The least size of a counter in pixels."""
COUNT_CLICKS = """
  addEventListener('click', ({target}) => {
    if (target.closest && target.closest('#options, #fold')) noteListClick(target.outerHTML);
  }, true);
"""
TOO_SMALL = """(least) => [...document.querySelectorAll('#board :is([data-key], [data-sweep], .can)')]
  .filter((piece) => piece.getClientRects().length)
  .map((piece) => [piece, piece.querySelector('.pc-halo, use').getBoundingClientRect()])
  .filter(([, {width, height}]) => Math.min(width, height) < least)
  .map(([{dataset}, {width, height}]) => `${dataset.key || dataset.place}: ${width} by ${height}`)"""
"""What can be pointed at and is too small."""


class BoardHand:
    """Clicks or taps pieces of the board; it knows no list."""

    def __init__(self, tap: bool = False) -> None:
        self.tap = tap

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Click the piece of each option, once for each time that it is chosen."""
        for key, count in Counter(keys).items():
            for _ in range(count - table.chosen().count(key)):
                self._press(table.page, spot_of(table.page, key), key)

    def confirm(self, table: Table) -> None:
        """Press the button of the question."""
        self.open(table.page, table.confirmation)

    def open(self, page: Page, what: Locator) -> None:
        """Press a button."""
        if self.tap:
            what.tap()
        else:
            what.click()

    def _press(self, page: Page, spot: Sequence[float] | None, key: str) -> None:
        assert spot is not None, f"the piece {key} cannot be met"
        if self.tap:
            page.touchscreen.tap(*spot)
        else:
            page.mouse.click(*spot)


class BoardKeys(ArrowKeys):
    """Arrow keys and Space on the board, and Enter; no list is visited."""

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Choose on the board."""
        super().choose(table, keys)
        assert not self.in_card, f"not on the board: {keys}"


def seated(
    visitor: Visitor, server: Server, game: str, scenario: str, seat: str, hand: InputMethod
) -> tuple[Table, list[str]]:
    """Return a table against a bot, and a list to which each click in a list of options is added."""
    clicks: list[str] = []

    def note(what: str) -> None:
        clicks.append(what)

    visitor.page.expose_function("noteListClick", note)
    visitor.page.add_init_script(COUNT_CLICKS)
    sides = {"war": ("axis", "allies"), "pearl": ("japan", "usa")}[game]
    seats = {side: "me" if side == seat else "bot:doctrine" for side in sides}
    places = create_match(server, seats, game=game, scenario=scenario)
    return join_seat(visitor, places[seat], hand), clicks


def finish(table: Table, server: Server, most: int = 300) -> int:
    """Play to the end by the bot's advice; return the number of answers."""
    answers = 0
    while not table.wait_for_decision()["over"]:
        assert answers < most
        table.answer()
        answers += 1
    assert verified_outcome(server, table.match)[0]
    return answers


@pytest.mark.torture(4)
def test_raid_is_played_on_the_board_alone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **LAPTOP)
    table, clicks = seated(anna, server, "pearl", "air-raid", "japan", BoardHand())
    table.wait_for_decision()
    assert finish(table, server) >= 4
    assert clicks == []


def test_click_on_a_ship_selects_the_force_around_it(visit: Visit, server: Server) -> None:
    raid: Match[Any, Any] = Match(games.load("pearl"), "air-raid", seed="x3")
    played_by_bots(raid, lambda raid: any(asked.piece_key == "intercept" for asked in raid.pending.values()))
    visitor = visit("", **LAPTOP)
    visitor.go(f"/m/{import_match(server, visitor, raid)}?seat=usa")
    table = Table(visitor.page)
    assert table.wait_for_decision()["options"] == ["tf8"]
    ship, other = (spot_of(table.page, key) for key in ("enterprise", "lexington"))
    assert ship is not None
    assert other is not None
    table.page.mouse.move(*ship)
    expect(table.page.locator("#tip")).to_contain_text("Task Force 8")
    table.page.mouse.click(*ship)
    assert table.chosen() == ["tf8"]
    table.page.mouse.click(*other)
    expect(table.page.locator("#tip")).to_contain_text("Unavailable: Task Force 12 cannot intercept: it is far away")
    assert table.chosen() == ["tf8"]


@pytest.mark.torture(4)
def test_forces_of_a_war_are_dragged_and_built_on_the_map(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **LAPTOP)
    table, clicks = seated(anna, server, "war", "strategic-war", "allies", BoardHand())
    page = table.page
    table.wait_for_decision()
    table.answer(["escort-atlantic"] * 3 + ["research-asw"])
    _drag(page, "escorts-atlantic", "to-pacific")
    assert table.chosen() == ["to-pacific"]
    table.confirm()
    _drag(page, "move-escort-atlantic", "merchants-pacific")
    assert set(table.chosen()) == {"move-escort-atlantic"}
    table.confirm()
    assert clicks == []
    expect(page.locator("#question")).to_contain_text("raid each target")
    found = violations(page)
    assert not found, "\n".join(found)


def _drag(page: Page, piece: str, target: str) -> None:
    start, end = spot_of(page, piece), spot_of(page, target)
    assert start is not None, piece
    assert end is not None, target
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


NEAR = 60
"""The farthest that a stepper may be from its piece, in pixels."""
STEPPER = """() => {
  const [panel, piece, board] = ['.layer-panel', '#board .chosen[data-key]', '#board .board > svg[role]'].map((name) =>
    [...document.querySelectorAll(name)].find((one) => one.getClientRects().length).getBoundingClientRect());
  const gap = (one, other) => Math.max(one.left - other.right, other.left - one.right,
    one.top - other.bottom, other.top - one.bottom, 0);
  const isInside = panel.left >= board.left - 1 && panel.right <= board.right + 1
    && panel.top >= board.top - 1 && panel.bottom <= board.bottom + 1;
  return [gap(panel, piece), isInside];
}"""
"""How far the stepper is from the piece that is selected, and whether it is on the board."""
COVERED = """() => {
  const boxes = (name) => [...document.querySelectorAll(name)].filter((one) => one.getClientRects().length)
    .map((one) => [one.textContent.trim(), one.getBoundingClientRect()]);
  const isMet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  return boxes('.layer-badges b').flatMap(([, badge]) =>
    boxes('#board :is(.sw-sea, .sw-name, .sw-note, .sw-cityname)').filter(([, name]) => isMet(badge, name))
      .map(([name]) => name));
}"""
"""The names on the board that a count covers."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("device", [LAPTOP, pytest.param(PHONE, marks=pytest.mark.torture(8))], ids=["laptop", "phone"])
@pytest.mark.parametrize(
    ("scenario", "keys"),
    [("strategic-war", ["submarine-atlantic", "submarine-indian"]), ("bomber-offensive", ["ruhr", "berlin"])],
)
def test_stepper_is_next_to_its_piece_and_counts_cover_no_name(
    visit: Visit, server: Server, device: dict[str, Any], scenario: str, keys: list[str]
) -> None:
    match: Match[Any, Any] = Match(games.load("war"), scenario, seed="1")
    played_by_bots(match, lambda one: any(keys[0] in at.keys for at in one.pending.values()))
    anna = visit("", **device)
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={next(iter(match.pending))}")
    table = Table(page)
    table.wait_for_decision()
    for key in keys:
        piece = page.locator(f'#board [data-key="{key}"]').locator("visible=true").last
        piece.scroll_into_view_if_needed()
        piece.click()
        expect(page.locator(".layer-panel")).to_be_visible()
        expect(page.locator(".layer-panel small")).to_contain_text(re.compile("ships sunk|unopposed"))
        gap, is_inside = page.evaluate(STEPPER)
        assert gap <= NEAR
        assert is_inside
        assert page.get_by_role("button", name="Confirm", include_hidden=True).locator("visible=true").count() == 1
        assert page.evaluate(COVERED) == []
        page.locator(".layer-panel").get_by_text("−").click()
        assert table.chosen() == []


@pytest.mark.torture(60)
@pytest.mark.parametrize(("game", "scenario"), [("war", "strategic-war"), ("war", "atlantic"), ("pearl", "air-raid")])
def test_pieces_are_large_enough_in_every_phase(visit: Visit, server: Server, game: str, scenario: str) -> None:
    visitor, asked = visit("", **LAPTOP), set[str]()
    match: Match[Any, Any] = Match(games.load(game), scenario, seed="sizes")

    def is_new(match: Match[Any, Any]) -> bool:
        return not {f"{at.rule} {at.piece_key}" for at in match.pending.values()} <= asked

    while played_by_bots(match, is_new).outcome is None:
        imported = import_match(server, visitor, match)
        for seat, decision in match.pending.items():
            asked.add(f"{decision.rule} {decision.piece_key}")
            visitor.go(f"/m/{imported}?seat={seat}")
            Table(visitor.page).wait_for_decision()
            small = visitor.page.evaluate(TOO_SMALL, LEAST)
            assert small == [], f"{decision.question} {small}"
    assert len(asked) > 2


WHOLE = [("war", "strategic-war", "allies"), ("war", "bomber-offensive", "axis"), ("pearl", "air-raid-late", "usa")]


@pytest.mark.torture(180)
@pytest.mark.parametrize(("game", "scenario", "seat"), WHOLE)
def test_whole_match_is_played_with_the_mouse_on_the_board(
    visit: Visit, server: Server, game: str, scenario: str, seat: str
) -> None:
    table, clicks = seated(visit("Anna", **LAPTOP), server, game, scenario, seat, BoardHand())
    finish(table, server)
    assert clicks == []


@pytest.mark.torture(180)
@pytest.mark.parametrize(
    ("game", "scenario", "seat"), [("war", "strategic-war", "axis"), ("pearl", "air-raid", "japan")]
)
def test_whole_match_is_played_on_a_phone(visit: Visit, server: Server, game: str, scenario: str, seat: str) -> None:
    table, clicks = seated(visit("Anna", **PHONE), server, game, scenario, seat, BoardHand(tap=True))
    finish(table, server)
    assert clicks == []


@pytest.mark.torture(300)
@pytest.mark.parametrize(("game", "scenario", "seat"), [("war", "atlantic", "allies"), ("pearl", "air-raid", "japan")])
def test_whole_match_is_played_by_keyboard_on_the_board(
    visit: Visit, server: Server, game: str, scenario: str, seat: str
) -> None:
    table, clicks = seated(visit("Anna", **LAPTOP), server, game, scenario, seat, BoardKeys())
    finish(table, server)
    assert clicks == []
