"""Boards of all games fit the window of a laptop and of a large screen, and their smallest print can be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from tests.browser.conftest import Visit
from tests.browser.matches import import_match, played_by_bots
from tests.browser.visitors import PHONE
from tests.server.running import Server

from readyroom import Match, bots, games
from readyroom.web import board_svg, formatting

LAPTOP: ViewportSize = {"width": 1366, "height": 768}
DESKTOP: ViewportSize = {"width": 1920, "height": 1080}
SMALLEST = {"picket": 12, "war": 12, "midway": 12, "pearl": 12}
"""The least size of print in pixels, on a laptop, where it is more than 11."""
MATCHES: Mapping[str, tuple[tuple[str, Mapping[str, str]], ...]] = {
    "midway": (("midway", {}),),
    "tora": (("sunday", {}),),
    "pearl": (("air-raid", {}),),
    "war": (("strategic-war", {}), ("atlantic", {}), ("bomber-offensive", {})),
    "picket": (("first-watch", {}), ("okinawa", {"game": "advanced"})),
    "doolittle": (("capital", {}), ("early", {}), ("campaign", {})),
}
EVERY, MOST = 12, 12
"""How many decisions lie between two boards that are measured, and how many boards of a match are."""
PRINT = """([html, root]) => {
  if (html) document.querySelector('#board').innerHTML = html;
  const texts = [...document.querySelectorAll(`${root} :is(text, tspan)`)].filter((one) =>
    one.getClientRects().length && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const size = (one) => {
    const {a, b} = one.closest('text').getScreenCTM();
    return Math.hypot(a, b) * parseFloat(getComputedStyle(one).fontSize);
  };
  return Object.fromEntries(texts.map((one) => [one.textContent.trim(), size(one)]));
}"""
"""The size of each text in pixels."""
TEXTS = """
  if (html) document.querySelector('#board').innerHTML = html;
  const isShown = (one) => one.getClientRects().length && getComputedStyle(one).visibility === 'visible';
  const texts = [...document.querySelectorAll(`${root} text`)].filter((one) => isShown(one) && one.textContent.trim());
  const boxes = texts.map((one) => {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    const high = Math.min(bottom - top, one.getScreenCTM().a * parseFloat(getComputedStyle(one).fontSize) * 0.72);
    const middle = (top + bottom) / 2;
    return {one, text: one.textContent.trim(), left, right, top: middle - high / 2, bottom: middle + high / 2};
  });
"""
"""The texts of a board with their boxes, which are as high as capital letters."""
COVERED = f"""([html, root]) => {{
  {TEXTS}
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const plain = boxes.filter(({{one}}) => !one.closest('.bd-label'));
  return plain.flatMap((one, at) => plain.slice(at + 1).filter((other) => meet(one, other))
    .map((other) => `${{one.text}} and ${{other.text}}`));
}}"""
"""The texts that cover each other, without those of answers, which have a ground of their own."""
CUT = f"""([html, root]) => {{
  {TEXTS}
  const rects = [...document.querySelectorAll(`${{root}} rect:not(.pc-halo, .dl-reach)`)].filter(isShown)
    .map((one) => one.getBoundingClientRect()).filter(({{width, height}}) => width > 12 && height > 8);
  const board = document.querySelector(`${{root}}:not([width="0"])`).getBoundingClientRect();
  const leaves = ({{one, left, right, top, bottom}}) => {{
    const anchor = getComputedStyle(one).textAnchor;
    const at = anchor === 'start' ? left + 2 : anchor === 'end' ? right - 2 : (left + right) / 2;
    const around = rects.filter((box) => box.left - 1 <= at && at <= box.right + 1 && box.top <= top + 1 &&
      box.bottom >= bottom - 1).sort((a, b) => a.width * a.height - b.width * b.height)[0] ?? board;
    return right > around.right + 1.6 || left < around.left - 1.6;
  }};
  const hidden = [...document.querySelectorAll('body *')].filter((one) => one instanceof HTMLElement &&
    one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1 && !one.closest('.unseen, .latest') &&
    /hidden|clip/.test(getComputedStyle(one).overflowX) && one.textContent.trim());
  return [...boxes.filter(leaves), ...hidden.map((one) => ({{text: one.textContent.trim().slice(0, 50)}}))]
    .map(({{text}}) => text);
}}"""
"""The texts that leave the box in which they begin or the board, and those of the page that an element cuts.

The latest line of the log opens when it is tapped."""
COUNTERS = """() => [...document.querySelectorAll('#board .board-wide .pk-plane use[href="#pc-body"]')].map((one) => {
  const {width, height} = one.getBoundingClientRect();
  return Math.min(width, height);
})"""
"""The sizes of the planes of Picket Duty in pixels."""
NAMES = """(root) => [...document.querySelectorAll(root)].map((room) => {
  const frame = room.querySelector('.pk-cell')?.getBoundingClientRect();
  const lines = [...room.querySelectorAll('text')];
  const isInside = frame && lines.map((line) => line.getBoundingClientRect()).every(({left, right, top, bottom}) =>
    left >= frame.left && right <= frame.right && top >= frame.top - 3 && bottom <= frame.bottom + 3);
  return [lines.map(({textContent}) => textContent.trim()).join(' '), Boolean(isInside)];
})"""
"""The name of each room, and whether it is inside the frame; the boxes of texts are higher than their letters."""
POINTED = 36
BOTTOM = """(root) => Math.max(...[...document.querySelectorAll(root)]
  .filter((one) => one.getClientRects().length).map((one) => one.getBoundingClientRect().bottom))"""


def boards(game: str, scenario: str, options: Mapping[str, str], shape: str = "wide") -> Iterator[str]:
    """Yield boards of a match of bots, as those see them who decide."""
    match: Match[Any, Any] = Match(games.load(game), scenario, options, seed="print")
    players = {seat.key: bots.make_bot(match.game, "doctrine", seat.key, Random(5)) for seat in match.seats}
    for at in range(EVERY * MOST):
        if match.outcome is not None:
            return
        seat, decision = next(iter(match.pending.items()))
        if at % EVERY == 0:
            yield str(board_svg.draw(match.game, match.view(seat), formatting.decision(decision), shape=shape))
        match.decide(seat, players[seat](decision, partial(match.view, seat)))


def check_print(page: Page, html: str = "", root: str = "#board .board-wide", least: float = 11) -> None:
    """Check that all texts can be read; show a board first if there is one."""
    sizes = page.evaluate(PRINT, [html, root])
    assert sizes
    assert not {text: round(size, 1) for text, size in sizes.items() if size < least - 0.05}


@pytest.mark.torture(60)
@pytest.mark.parametrize("game", MATCHES)
def test_boards_fit_and_can_be_read(visit: Visit, server: Server, game: str) -> None:
    anna = visit("", viewport=LAPTOP)
    for scenario, options in MATCHES[game]:
        match: Match[Any, Any] = Match(games.load(game), scenario, options, seed="print")
        page = anna.go(f"/m/{import_match(server, anna, match)}?seat={next(iter(match.pending))}")
        page.locator("#board svg").first.wait_for(state="attached")
        for html in boards(game, scenario, options):
            page.set_viewport_size(LAPTOP)
            check_print(page, html, least=SMALLEST.get(game, 11))
            for size in (LAPTOP, DESKTOP):
                page.set_viewport_size(size)
                assert page.evaluate(BOTTOM, "#board .board-wide") <= size["height"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "seed"), [pytest.param("evans", "6", marks=pytest.mark.torture(6)), ("first-watch", "3")]
)
def test_planes_of_picket_duty_are_large_and_no_text_covers_another(
    visit: Visit, server: Server, scenario: str, seed: str
) -> None:
    anna = visit("", viewport=LAPTOP)
    match: Match[Any, Any] = Match(games.load("picket"), scenario, seed=seed)
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat=captain")
    page.locator("#board svg").first.wait_for(state="attached")
    played_by_bots(match, lambda one: any(each.rule == "6.8" for each in one.pending.values()))
    html = str(board_svg.draw(match.game, match.view("captain"), formatting.decision(match.pending["captain"])))
    for shape in ("wide", "narrow"):
        page.set_viewport_size(LAPTOP if shape == "wide" else PHONE["viewport"])
        assert not page.evaluate(COVERED, [html, f"#board .board-{shape}"])
        if shape == "wide":
            sizes = page.evaluate(COUNTERS)
            assert sizes
            assert min(sizes) >= POINTED


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("scenario", [scenario for scenario, _ in MATCHES["war"]])
def test_no_text_of_a_war_covers_another(visit: Visit, server: Server, scenario: str) -> None:
    anna = visit("", viewport=LAPTOP)
    match: Match[Any, Any] = Match(games.load("war"), scenario, seed="print")
    seat = next(iter(match.pending))
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={seat}")
    page.locator("#board svg").first.wait_for(state="attached")
    html = str(board_svg.draw(match.game, match.view(seat), formatting.decision(match.pending[seat])))
    for shape in ("wide", "narrow"):
        page.set_viewport_size(LAPTOP if shape == "wide" else PHONE["viewport"])
        assert not page.evaluate(COVERED, [html, f"#board .board-{shape}"])
        check_print(page, root=f"#board .board-{shape}", least=12)


@pytest.mark.slow
def test_rooms_amidships_have_names_of_their_own_within_their_frames(visit: Visit, server: Server) -> None:
    anna = visit("", viewport=LAPTOP)
    match: Match[Any, Any] = Match(games.load("picket"), "okinawa", {"game": "advanced"}, seed="2")
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat=captain")
    page.locator("#board svg").first.wait_for(state="attached")
    played_by_bots(match, lambda one: any(each.rule == "7.7" for each in one.pending.values()))
    html = str(board_svg.draw(match.game, match.view("captain"), formatting.decision(match.pending["captain"])))
    names = {f"{end} {kind}" for end in ("Forward", "Aft") for kind in ("engine room", "fire room", "stack")}
    for shape in ("wide", "narrow"):
        page.set_viewport_size(LAPTOP if shape == "wide" else PHONE["viewport"])
        root = f"#board .board-{shape}"
        assert not page.evaluate(COVERED, [html, root])
        found = page.evaluate(NAMES, f"{root} .pk-room")
        assert names <= {name for name, _ in found}
        assert not [name for name, is_inside in found if not is_inside]
        check_print(page, root=root, least=12)
        badge = page.locator(f'{root} [data-key="engineer"] title').text_content()
        assert badge is not None
        assert badge.endswith("engine room")


@pytest.mark.torture(8)
@pytest.mark.parametrize("seat", ["usa", "japan"])
def test_planning_charts_fit_and_can_be_read(visit: Visit, server: Server, seat: str) -> None:
    anna = visit("", viewport=LAPTOP)
    match: Match[Any, Any] = Match(games.load("tora"), "december", seed="print")
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={seat}")
    if seat == "japan":
        page.locator("#plan-samples > summary").click()
        page.get_by_role("button", name="Southern approach").click()
        expect(page.locator(".plan-stack").first).to_be_visible()
    for size in (LAPTOP, DESKTOP):
        page.set_viewport_size(size)
        assert page.evaluate(BOTTOM, ".plan-oahu") <= size["height"]
    page.set_viewport_size(LAPTOP)
    check_print(page, root=".plan svg")


@pytest.mark.torture(6)
@pytest.mark.parametrize(
    ("game", "scenario", "rule"), [("midway", "midway", "14.1"), ("doolittle", "campaign", "13.3.2")]
)
def test_hint_leaves_room_for_the_list_on_a_laptop(
    visit: Visit, server: Server, game: str, scenario: str, rule: str
) -> None:
    anna = visit("", viewport=LAPTOP)
    match: Match[Any, Any] = Match(games.load(game), scenario, seed="print")
    played_by_bots(match, lambda one: any(each.rule == rule and each.options[1:] for each in one.pending.values()))
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={next(iter(match.pending))}")
    page.get_by_role("button", name="Show list").click()
    page.locator("#hint").click()
    page.locator("#card .noted").wait_for()
    list_, card = (page.locator(part).bounding_box() for part in ("#options", "#card"))
    assert list_ is not None
    assert card is not None
    assert card["y"] + card["height"] - list_["y"] > 60


@pytest.mark.torture(60)
@pytest.mark.parametrize("shape", ["wide", "narrow"])
@pytest.mark.parametrize("game", ["midway", "tora", "pearl", "doolittle"])
def test_no_text_is_cut_or_covers_another(visit: Visit, server: Server, game: str, shape: str) -> None:
    anna = visit("", **({"viewport": LAPTOP} if shape == "wide" else PHONE))
    root = f"#board .board-{shape}"
    for scenario, options in MATCHES[game]:
        if scenario == "campaign":
            continue  # submarines lie on what is printed in the sea, and notes on the blotter are cut
        match: Match[Any, Any] = Match(games.load(game), scenario, options, seed="print")
        page = anna.go(f"/m/{import_match(server, anna, match)}?seat={next(iter(match.pending))}")
        page.locator("#board svg").first.wait_for(state="attached")
        for html in boards(game, scenario, options, shape):
            assert not page.evaluate(CUT, [html, root])
            assert not page.evaluate(COVERED, ["", root])
