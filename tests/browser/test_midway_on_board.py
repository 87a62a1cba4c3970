"""Midway played on the board: by pointer without a click in a list, and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import ArrowKeys, OnBoard, Table
from tests.browser.matches import create_match, import_match, join_seat, played_by_bots
from tests.browser.visitors import PHONE
from tests.server.running import Server

from readyroom import Match, games
from readyroom.engine.game import MatchView
from readyroom.games.midway.state import KINDS, SideName
from readyroom.games.midway.view import MidwayView, SquadronView
from readyroom.study.puzzles.puzzle import puzzles_of
from readyroom.web import board_svg, formatting

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
COVERED = """(html) => {
  const board = document.querySelector('#board'), form = document.querySelector('#answer');
  if (html) {
    board.innerHTML = html;
    form.dispatchEvent(new Event('change', {bubbles: true}));
  }
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter((one) =>
    one.getClientRects().length && !one.closest('.sent'));
  const boxes = (name, elements) => elements.map((one) => ({name: `${name} ${one.textContent.trim().slice(0, 40)}`,
    box: one.getBoundingClientRect()}));
  const meet = ({box: one}, {box: other}) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const counts = [...boxes('pile', all('#board .bd-heap .bd-badge')), ...boxes('box', all('#board .bd-area circle')),
    ...boxes('sum', all('.layer-badges b'))];
  const copies = boxes('copy', all('#board .bd-copy'));
  const counters = boxes('counter', all('#board [class*="side-"] > .piece:not(.bd-heap)'));
  const words = boxes('text', all('#board text').filter((one) => !one.closest('.bd-copy, .piece')));
  const among = (ones, others) => ones.flatMap((one, at) => (others ?? ones.slice(at + 1))
    .filter((other) => meet(one, other)).map((other) => `${one.name} and ${other.name}`));
  return {copies: copies.length, covered: [...among(counts), ...among(copies),
    ...among(copies, [...counters, ...words, ...counts])]};
}"""
"""How many copies show what is selected, and which counts and copies cover something that is read."""
CONTROLS = """() => {
  const panel = document.querySelector('.layer-panel').getBoundingClientRect();
  return [...document.querySelectorAll('.playback-bar > *, #card button, #card a')].filter((one) => {
    const {left, top, right, bottom, width} = one.getBoundingClientRect();
    return width && left < panel.right && right > panel.left && top < panel.bottom && bottom > panel.top;
  }).map((one) => one.id || one.className);
}"""
"""The controls of the page that the panel over the board covers."""
AUTO_CONTINUE = """() => document.querySelector('.playback-bar label').insertAdjacentHTML('beforebegin',
  '<label class="auto-continue"><input type="checkbox"> Auto-continue</label>')"""
"""Add the checkbox of a match against bots alone."""
SEND_ALL = """() => {
  const form = document.querySelector('#answer');
  for (const input of form.querySelectorAll('[data-key] input:not([type=hidden])'))
    if (input.type === 'checkbox') input.checked = true;
  const pieces = new Map();
  for (const input of form.querySelectorAll('[data-key] input[data-piece]'))
    pieces.set(input.dataset.piece, [...(pieces.get(input.dataset.piece) ?? []), input]);
  [...pieces.values()].forEach((own, at) => own.forEach((input, which) => {
    input.checked = which === at % own.length;
  }));
  form.dispatchEvent(new Event('change', {bubbles: true}));
}"""
"""Select all pieces, each for one of its places in turn."""
IS_READY = "() => document.documentElement.matches('.scripted:not(.opening)')"
DEVICES = pytest.mark.parametrize("device", [{"viewport": LAPTOP}, PHONE], ids=["desktop", "phone"])


def crowded(view: MatchView[MidwayView], side: SideName, box: str, count: int) -> MatchView[MidwayView]:
    """Return a view with more squadrons in a box, of which two look the same."""
    own = view.table.sides[side]
    home, random = [carrier.key for carrier in own.carriers], Random(5)
    looks = [(kind, key, strength) for kind in KINDS for key in home for strength in range(1, 6)]
    more = [
        SquadronView(f"{kind}-{at}", "more", kind, key, strength, own.seats[0], False)
        for at, (kind, key, strength) in enumerate(random.sample(looks, count))
    ]
    pairs = [replace(each, key=f"{each.key}-again") for each in more]
    if box == "cap":
        [center, *rings] = own.cap or []
        changed = replace(own, cap=[[*center, *more, *pairs], *rings])
    else:
        changed = replace(own, boxes=replace(own.boxes, **{box: [*getattr(own.boxes, box), *more, *pairs]}))
    return replace(view, table=replace(view.table, sides={**view.table.sides, side: changed}))


def boards(match: Match[Any, Any], seat: str) -> Iterator[str]:
    """Yield the board of a match as it is, and with ever more squadrons in one of its boxes."""
    view, decision = match.view(seat), formatting.decision(match.pending[seat])
    yield ""
    for box in ("moving", "ready", "waiting", "cap"):
        for count in (3, 6, 10):
            yield str(
                board_svg.draw(match.game, crowded(view, "japan" if seat == "japan" else "usa", box, count), decision)
            )


def table_of(visit: Visit, server: Server, hand: OnBoard | ArrowKeys) -> Table:
    seats = {"usa": "me", "japan": "bot:doctrine"}
    place = create_match(server, seats, OPTIONS, scenario="daybreak", seed="on the board")["usa"]
    return join_seat(visit("Anna", viewport=LAPTOP), place, hand)


def check_sizes(page: Page) -> None:
    """Check that the whole board is seen, and that all of its counters are at least 36 pixels wide."""
    seen = page.evaluate(SIZES)
    assert seen["isSeen"]
    assert min(seen["widths"]) >= 36, sorted(seen["widths"])[:5]


@pytest.mark.torture(3)
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


@pytest.mark.sample(1)
@DEVICES
@pytest.mark.parametrize("rule", ["13.1", pytest.param("9.2", marks=pytest.mark.torture(6))])
def test_counts_and_proposals_cover_nothing_in_crowded_boxes(
    visit: Visit, server: Server, device: dict[str, Any], rule: str
) -> None:
    match: Match[Any, Any] = Match(games.load("midway"), "midway", seed="crowded")
    played_by_bots(
        match, lambda match: any(each.rule == rule and len(each.options) > 9 for each in match.pending.values())
    )
    [seat] = match.pending
    visitor = visit("", **device)
    page = visitor.go(f"/m/{import_match(server, visitor, match)}?seat={seat}")
    page.wait_for_function(IS_READY)
    page.evaluate(SEND_ALL)
    page.locator("#board .bd-copy").first.wait_for(state="attached")
    for html in boards(match, seat):
        found = page.evaluate(COVERED, html)
        assert found["copies"]
        assert not found["covered"]


@pytest.mark.torture(4)
@DEVICES
def test_answers_of_puzzles_cover_nothing(visit: Visit, device: dict[str, Any]) -> None:
    visitor = visit("", **device)
    launches = [puzzle.id for puzzle in puzzles_of("midway").values() if puzzle.spec.rule == "13.1"]
    for puzzle in launches[:4]:
        page = visitor.go(f"/puzzles/{puzzle}")
        for row in page.locator("#options label").all():
            row.click()
            if "→" in row.inner_text():
                page.locator("#board .bd-copy").first.wait_for(state="attached")
            assert not page.evaluate(COVERED, "")["covered"]


@pytest.mark.torture(4)
def test_panel_covers_no_control_and_goes_with_a_hint(visit: Visit, server: Server) -> None:
    table = table_of(visit, server, OnBoard())
    table.play(lambda seen: seen["rule"] == "13.1")
    page, panel = table.page, table.page.locator(".layer-panel")
    page.evaluate(AUTO_CONTINUE)
    page.locator("#board [data-key='usa-moving']").locator("visible=true").click(position={"x": 20, "y": 8})
    for width in (LAPTOP["width"], 1024, 900):
        page.set_viewport_size({"width": width, "height": LAPTOP["height"]})
        expect(panel).to_contain_text(str(len(table.chosen())))
        assert not page.evaluate(CONTROLS)
    page.locator("#clear").click()
    expect(panel).to_be_hidden()
    page.locator("#board [data-key='usa-moving']").locator("visible=true").click(position={"x": 20, "y": 8})
    expect(panel).to_be_visible()
    page.locator("#hint").click()
    expect(page.locator("#answer[data-filled]")).to_be_attached()
    expect(panel).to_be_hidden()


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
