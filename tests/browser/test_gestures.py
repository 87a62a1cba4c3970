"""Gestures on the board: drags, lassos, counts, zoom and stacks, by mouse, finger and keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import pytest
from playwright.sync_api import CDPSession, FloatRect, Locator, Page, expect
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.match_page import SELECT_SCRIPT, SPOT, Table, spot_of
from tests.browser.matches import import_match, played_by_bots
from tests.browser.visitors import MOVING, PHONE
from tests.server.running import Server

from readyroom import Match, games
from readyroom.authoring import Decision

pytestmark = pytest.mark.slow

FRAME = 16
"""Milliseconds between two moves of a finger."""
ATTACK = "12.1"
HITS = "11.4"
LOSSES = "12.3"
"""A question that the same seat answers twice."""
RULES = {
    "tora": ("sunday", "11.1"),
    "war": ("atlantic", "SW.4"),
    "pearl": ("air-raid", "PH.4"),
    "picket": ("first-watch", "6.8"),
    "doolittle": ("close-in", "8.1.2"),
    "midway": ("daybreak", ATTACK),
}
"""A question of each game that is answered on its board."""
PIECES = """(wanted) => [...document.querySelectorAll(`#board .board ${wanted}`)].flatMap((piece) => {
  const {x, y, width, height} = piece.getBoundingClientRect(), spot = [x + width / 2, y + height / 2];
  const met = width && document.elementFromPoint(...spot);
  return met && met.closest('[data-key]') === piece ? [[piece.dataset.key, ...spot]] : [];
})"""
"""The pieces that can be met at their middle, each with its key and that point."""
ANSWERED = """(before) => {
  const strip = document.querySelector('.strip');
  return strip ? Number(strip.dataset.revision) > before : Boolean(document.querySelector('.handover'));
}"""
"""Whether the page shows a later revision, or asks to pass the screen."""
WORDED = "label-content-name-mismatch"
"""A rule of axe-core that counts figures on a piece as its text; their meaning is in its name."""
ZOOM = """() => {
  const board = document.querySelector('#board .board');
  return [board.scrollWidth / board.clientWidth, visualViewport.scale, scrollY];
}"""


FOLLOW = """() => {
  window.seen = new Set();
  const look = () => {
    const board = document.querySelector('#board .board'), frame = board.getBoundingClientRect();
    for (const place of board.querySelectorAll(':is([data-key], [data-place])')) {
      const {x, y, width, height} = place.getBoundingClientRect();
      const [left, top] = [x + width / 2 - frame.x, y + height / 2 - frame.y];
      const isSeen = width && left > 0 && top > 0 && left < frame.width && top < frame.height;
      for (const key of isSeen ? [place.dataset.key, place.dataset.place] : []) if (key) seen.add(key);
    }
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes which pieces and places are within the frame of the board."""
FIRST_TARGETS = """async (playback) => {
  const names = performance.getEntriesByType('resource').map(({name}) => name);
  const load = ([folder, file]) => import(names.find((name) => name.includes(folder) && name.includes(file)));
  const wanted = [['playback/', '/events.'], ['games/war/', '/effects.']];
  const [{groupEvents}, {together}] = await Promise.all(wanted.map(load));
  return groupEvents(playback.events, together).map(({target}) => target).filter(Boolean);
}"""
"""What the beats of a playback happen to first."""


@lru_cache
def position(game: str, scenario: str, rule: str, kind: str = "") -> tuple[Match[Any, Any], str]:
    """Return a match at the first question of a rule with several options, and the seat that is asked."""

    def is_wanted(asked: Decision) -> bool:
        return asked.rule == rule and kind in ("", asked.kind.value) and len(asked.keys) > 2

    match: Match[Any, Any] = Match(games.load(game), scenario, seed="x1")
    played_by_bots(match, lambda match: any(map(is_wanted, match.pending.values())))
    return match, next(seat for seat, asked in match.pending.items() if is_wanted(asked))


def table_at(
    visit: Visit,
    server: Server,
    game: str,
    scenario: str,
    rule: str,
    kind: str = "",
    screen: Mapping[str, Any] | None = None,
) -> Table:
    """Return the table of a visitor at the first question of a rule."""
    visitor = visit("", **(screen or {}))
    match, seat = position(game, scenario, rule, kind)
    visitor.go(f"/m/{import_match(server, visitor, match)}?seat={seat}")
    table = Table(visitor.page)
    assert table.wait_for_decision()["rule"] == rule
    return table


def box_of(what: Locator) -> FloatRect:
    box = what.bounding_box()
    assert box is not None
    return box


def middle(what: Locator) -> tuple[float, float]:
    box = box_of(what)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(
    page: Page,
    start: tuple[float, float],
    end: tuple[float, float],
    check: Callable[[], object] = lambda: None,
) -> None:
    """Drag with the mouse; `check` is called before the drop."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    check()
    page.mouse.up()


def lasso(page: Page, boxes: list[FloatRect]) -> None:
    """Drag a lasso around boxes."""
    page.keyboard.down("Shift")
    drag(page, *around(boxes))
    page.keyboard.up("Shift")


def around(boxes: list[FloatRect]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return two corners around boxes."""
    left, top = min(box["x"] for box in boxes) - 6, min(box["y"] for box in boxes) - 6
    right, bottom = max(box["x"] + box["width"] for box in boxes), max(box["y"] + box["height"] for box in boxes)
    return (left, top), (right + 6, bottom + 6)


def movers_of(page: Page) -> list[FloatRect]:
    """Return the boxes of the pieces that can be sent to places."""
    pieces = page.locator("#board .can[data-among]").locator("visible=true")
    return [box_of(piece) for piece in pieces.all()]


def squadrons_of(table: Table) -> list[str]:
    """Return the keys of the squadrons that can be sent to places."""
    return list(dict.fromkeys(key.partition("@")[0] for key in table.look()["options"]))


def test_counters_are_dragged_lassoed_and_confirmed_on_the_board(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "daybreak", ATTACK)
    page, panel = table.page, table.page.locator(".layer-panel")
    squadrons = squadrons_of(table)
    carrier, label = table.piece("enterprise").first, page.locator(".layer-label")
    pile, copies = table.piece("hiryu-tb-1"), page.locator("#board .bd-copy").locator("visible=true")
    start = middle(pile)
    drag(page, start, middle(carrier), lambda: expect(label).to_contain_text("4 → Enterprise"))
    assert table.chosen() == [f"hiryu-tb-{number}@enterprise" for number in range(1, 5)]
    expect(label).to_be_hidden()
    expect(panel).to_be_hidden()
    expect(copies).to_have_text(["×4"])
    expect(pile).to_have_class(re.compile("sent"))
    assert page.locator(".layer-link").count() == 1
    drag(page, middle(copies), middle(table.piece("hornet").first), lambda: page.mouse.wheel(0, 100))
    assert Counter(key.partition("@")[2] for key in table.chosen()) == {"enterprise": 1, "hornet": 3}
    expect(copies).to_have_count(2)
    lasso(page, movers_of(page))
    expect(panel).to_contain_text(f"{len(squadrons)} pieces: choose a target.")
    page.mouse.click(*middle(table.piece("hornet").first))
    assert sorted(table.chosen()) == sorted(f"{squadron}@hornet" for squadron in squadrons)
    lasso(page, movers_of(page))
    drag(page, start, middle(table.piece("akagi").first))
    expect(page.locator("#tip")).to_contain_text("cannot go here. Hiryu TB can only go to")
    assert table.chosen() == []
    expect(panel).to_be_hidden()
    expect(copies).to_have_count(0)
    own_ship = spot_of(page, "akagi")
    assert own_ship is not None
    page.mouse.click(*own_ship)
    question = "Which carriers do the bombers attack? The rest stay Ready."
    wanted = "Choose at most one for each (rule 12.1)."
    expect(page.locator("#tip")).to_contain_text(f"Not an option of “{question}” {wanted}")
    pile.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.matches('.can')"), "own ships cannot be attacked"
    pile.focus()
    for key in ("Space", "-", "-"):  # two of four
        page.keyboard.press(key)
    page.mouse.click(*middle(table.piece("yorktown").first))
    assert table.chosen() == ["hiryu-tb-1@yorktown", "hiryu-tb-2@yorktown"]
    before = table.look()["revision"]
    table.confirmation.click()
    page.wait_for_function(ANSWERED, arg=before)


def test_space_picks_up_a_pile_that_has_one_target(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "midway", "11.1")
    page, pile = table.page, table.page.locator("#board [data-stack].can").first
    pile.focus()
    page.keyboard.press("Space")
    assert not table.chosen()
    expect(page.locator("#board .goal")).to_have_count(1)
    page.keyboard.press("Space")
    assert len(table.chosen()) == 1, "a second time chooses one"


ON_TARGETS = """() => {
  const box = document.querySelector('.layer-panel').getBoundingClientRect();
  return [...document.querySelectorAll('#board .goal')].filter((one) => {
    const {left, top, right, bottom} = one.getBoundingClientRect();
    return left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
  }).length;
}"""
"""How many targets the panel covers."""


def test_held_pile_goes_to_the_focused_target_with_enter(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "midway", "13.1", screen={"viewport": {"width": 1366, "height": 768}})
    page, pile = table.page, table.page.locator("#board [data-stack].can").locator("visible=true").first
    page.keyboard.press("b")
    pile.focus()
    expect(page.locator("#tip")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator(".layer-panel")).to_contain_text("choose a target")
    expect(page.locator("#tip")).to_be_hidden()
    assert not page.evaluate(ON_TARGETS)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#board .goal:focus")).to_be_attached()
    page.keyboard.press("Enter")
    assert table.chosen()


def test_second_tap_on_a_carrier_takes_its_squadrons_back(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "midway", "14.1", screen=PHONE)
    deck = table.page.locator("#board .bd-target.can").locator("visible=true").first
    for is_chosen in (True, False, True):
        table.page.touchscreen.tap(*middle(deck))
        expect(table.page.locator("#board .bd-copy")).to_have_count(int(is_chosen))
        assert bool(table.chosen()) == is_chosen
        table.page.wait_for_timeout(400)  # no double tap
    expect(table.page.locator("#board .held")).to_have_count(0)


def test_hits_are_allotted_with_counts_next_to_the_pieces(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "daybreak", HITS, "allot")
    page, badges, panel = table.page, table.page.locator(".layer-badges b"), table.page.locator(".layer-panel")
    first, second = "enterprise-tb-1", "hornet-tb-4"
    table.piece(first).click()
    panel.get_by_text("+").click()
    expect(badges).to_have_text(["2"])
    table.piece(second).focus()
    page.keyboard.press("+")
    expect(badges).to_have_text(["2", "1"])
    page.keyboard.press("-")
    table.piece(first).click(modifiers=["Shift"])
    assert table.chosen() == [first]
    expect(panel.locator("b")).to_have_text("1")
    axe.check_readable(page)


@pytest.mark.torture(3)
def test_list_is_folded_until_it_is_wanted(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "daybreak", ATTACK)
    page, row = table.page, table.row(table.look()["options"][0])
    folded = "(row) => getComputedStyle(row.closest('#options')).clipPath !== 'none'"
    assert row.evaluate(folded)
    row.locator("input").focus()
    assert not row.evaluate(folded)  # the Tab key gets there
    page.locator("#question").focus()
    page.get_by_role("button", name="Show list").click()
    row.locator("input").click()
    assert len(table.chosen()) == 1
    expect(page.locator("#options .option-note").locator("visible=true")).to_have_count(0)  # they are said once
    page.reload()
    assert not row.evaluate(folded)
    page.get_by_role("button", name="Hide list").click()
    assert row.evaluate(folded)


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", ["midway", "pearl"])
def test_arrow_shows_the_odds_of_what_is_dragged(visit: Visit, server: Server, game: str) -> None:
    scenario, rule, piece, target = {
        "midway": ("midway", ATTACK, "", "hiryu"),
        "pearl": ("air-raid", "PH.7", "attackers", "arizona"),
    }[game]
    table = table_at(visit, server, game, scenario, rule)
    page, label = table.page, table.page.locator(".layer-label")
    named = f'[data-key="{piece}"]' if piece else ":not(.in-pile)"
    spot = page.evaluate(SPOT, f"[data-among]{named}")
    page.mouse.move(*spot)
    page.mouse.down()
    page.mouse.move(*middle(table.page.locator(f'#board [data-key="{target}"]').locator("visible=true")), steps=4)
    expect(label).to_contain_text(re.compile(r"sunk .*\d %"))
    expect(label).not_to_contain_text("with all")
    page.mouse.up()
    expect(page.locator("#odds")).to_contain_text(re.compile(rf"{target}: .*sunk .*\d %", re.IGNORECASE))


@pytest.mark.sample(1)
def test_arrow_ends_at_the_board_and_does_not_follow_the_mouse_of_the_keyboard(visit: Visit, server: Server) -> None:
    page = table_at(visit, server, "midway", "midway", ATTACK).page
    arrow, log = page.locator(".layer-arrow"), page.locator("#log")
    spot, goal = page.evaluate(SPOT, "[data-among]:not(.in-pile)"), "#board .goal"
    page.mouse.click(*spot)
    target = middle(page.locator(goal).locator("visible=true").first)
    page.mouse.move(*target, steps=2)
    expect(arrow).to_be_visible()
    log.hover()
    expect(arrow).to_be_hidden()
    page.mouse.move(*target, steps=2)
    page.keyboard.press("ArrowRight")
    page.mouse.move(target[0] + 5, target[1], steps=2)
    expect(arrow).to_be_hidden()


@pytest.mark.torture(3)
def test_arrow_says_how_many_of_a_pile_there_is_room_for(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "midway", "14.1")
    page, label = table.page, table.page.locator(".layer-label")

    def drop_pile(first: str, text: str, target: str = ".goal") -> None:
        x, y = middle(page.locator(f'#board [data-stack^="{first} "]').locator("visible=true"))
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 20, y - 20, steps=2)
        page.mouse.move(*page.evaluate(SPOT, target), steps=4)
        expect(label).to_have_text(text)
        page.mouse.up()

    drop_pile("enterprise-f-1", "Only 4 of 5 → Enterprise")
    assert len(table.chosen()) == 4
    expect(page.locator("#announcer")).to_contain_text("Only 4 of 5 placed.")
    drop_pile("enterprise-tb-1", "No room", target='[data-key="enterprise"]')
    drop_pile("hornet-f-1", "3 → Hornet")
    assert len(table.chosen()) == 7


def test_tip_says_why_not_only_where_a_press_does_nothing(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "tora", "sunday", "5.5")
    page, tip = table.page, table.page.locator("#tip")
    page.locator('#board [data-stack~="p26-1"]').locator("visible=true").focus()
    expect(tip).to_contain_text("on top of 2 P-26s")
    expect(tip).not_to_contain_text("Unavailable")
    page.mouse.click(*page.evaluate(SPOT, "[data-key]:not(.can, .about, .in-pile)"))
    expect(tip).to_contain_text("Not an option")
    page.evaluate(SELECT_SCRIPT, table.look()["options"][:1])
    expect(tip).to_be_hidden()


def test_click_on_help_explains_the_board_only(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "war", "strategic-war", "SW.4")
    table.page.locator("#board .bd-help").locator("visible=true").click()
    expect(table.page.locator("#tip")).to_contain_text("Counters: ready factors, white if none")
    expect(table.page.locator("#tip")).not_to_contain_text("Not an option")


@pytest.mark.torture(2)
def test_what_is_left_of_a_pile_is_told_on_the_pile(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "midway", "14.1")
    page = table.page
    pile = page.locator("#board [data-stack].can[data-among]").locator("visible=true").first
    size = int(pile.get_attribute("data-size") or "0")
    x, y = page.evaluate(SPOT, "[data-stack].can[data-among]")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y - 20, steps=2)
    for _ in range(size - 1):
        page.mouse.wheel(0, 100)
    page.mouse.move(*page.evaluate(SPOT, ".goal"), steps=4)
    page.mouse.up()
    page.locator("#board .bd-copy").first.wait_for(state="attached")
    badge, box = page.locator(".layer-badges b", has_text=f"{size - 1} left").bounding_box(), pile.bounding_box()
    assert badge is not None
    assert box is not None
    assert box["y"] < badge["y"]
    assert badge["y"] + badge["height"] <= box["y"] + box["height"] + 2


def test_tip_gives_the_odds_of_all_that_is_chosen_next_to_the_decision(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "war", "strategic-war", "SW.4", screen={"viewport": {"width": 1366, "height": 768}})
    page, tip = table.page, table.page.locator("#tip")
    key = next(key for key in table.look()["options"] if key.startswith("research-"))
    piece = table.piece(key)
    piece.hover()
    expect(tip).to_contain_text("17 %")
    page.evaluate(SELECT_SCRIPT, [key] * 2)
    expect(page.locator("#odds")).to_contain_text("33 %")
    page.mouse.move(2, 2)
    piece.hover()
    expect(tip).to_contain_text("33 %")
    expect(tip).not_to_contain_text("17 %")
    box, card = tip.bounding_box(), page.locator("#card").bounding_box()
    assert box is not None
    assert card is not None
    assert box["x"] + box["width"] <= card["x"]


@pytest.mark.torture(4)
def test_wheel_divides_a_stack_that_is_dragged(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "war", "bomber-offensive", "SW.7")
    page, label = table.page, table.page.locator(".layer-label")
    bombers = table.piece("bombers-germany")
    size = int(bombers.get_attribute("data-size") or "0")
    page.mouse.move(*middle(bombers))
    page.mouse.down()
    page.mouse.move(*middle(table.piece("ruhr")), steps=4)
    expect(label).to_contain_text(f"{size} → The Ruhr")
    for _ in range(size):  # more than there are to divide
        page.mouse.wheel(0, 100)
    expect(label).to_contain_text("The Ruhr")
    expect(label).not_to_contain_text("→")
    page.mouse.wheel(0, -100)
    page.keyboard.press("+")
    expect(label).to_contain_text("3 → The Ruhr")
    page.keyboard.press("-")
    page.mouse.up()
    assert table.chosen() == ["ruhr"] * 2
    drag(page, middle(bombers), middle(table.piece("hamburg")), lambda: expect(label).to_contain_text(f"{size - 2} →"))
    assert Counter(table.chosen()) == {"ruhr": 2, "hamburg": size - 2}


@pytest.mark.torture(12)
def test_zoomed_board_follows_what_is_played(visit: Visit, server: Server) -> None:
    match = played_by_bots(Match(games.load("war"), "atlantic", seed="winter"), lambda match: match.state.at.turn > 3)
    visitor = visit("", speed="fast", **MOVING)
    imported, last = import_match(server, visitor, match), match.revision
    page = visitor.go(f"/m/{imported}/replay?at={last - 1}&seat=allies")
    for _ in range(5):
        page.locator("#zoom-in").click()
    page.wait_for_function(f"() => ({ZOOM})()[0] > 3")
    page.locator("#board .board").evaluate("(board) => board.scrollTo(0, 0)")
    page.evaluate(FOLLOW)
    at_first = set(page.evaluate("[...seen]"))
    with page.expect_response("**/playback?*") as response:
        page.locator("#play").click()
    page.wait_for_function("() => !document.querySelector('#step-on[href]')", timeout=60_000)
    targets = set(page.evaluate(FIRST_TARGETS, response.value.json()))
    assert len(targets - at_first) > 1
    assert targets <= set(page.evaluate("[...seen]"))
    assert page.evaluate(ZOOM)[0] > 3


@pytest.mark.torture(5)
def test_board_is_zoomed_by_wheel_and_keys_and_stays_so(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "daybreak", LOSSES, screen={"viewport": {"width": 1280, "height": 560}})
    page = table.page
    page.mouse.move(*middle(page.locator("#board .board")))
    page.mouse.wheel(0, 100)
    page.wait_for_function("() => scrollY > 0")
    assert page.evaluate(ZOOM)[0] == 1
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.wait_for_function(f"() => ({ZOOM})()[0] > 1.5")
    expect(page.locator("#minimap")).to_be_visible()
    axe.check_readable(page)
    zoomed = page.evaluate(ZOOM)
    table.answer()
    assert table.wait_for_decision()["asks"]
    assert page.evaluate(ZOOM)[0] == pytest.approx(zoomed[0], abs=0.01)
    page.locator("#question").focus()
    page.keyboard.press("0")
    page.wait_for_function(f"() => ({ZOOM})()[0] === 1")
    expect(page.locator("#minimap")).to_be_hidden()
    page.keyboard.press("+")
    page.wait_for_function(f"() => ({ZOOM})()[0] > 1.2")
    box = box_of(page.locator("#board .board"))
    page.mouse.dblclick(box["x"] + 5, max(5, box["y"] + 5))
    page.wait_for_function(f"() => ({ZOOM})()[0] === 1")


class Fingers:
    """Fingers on a page, which touch it as a person's do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session: CDPSession = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    def move(self, *ways: tuple[tuple[float, float], tuple[float, float]], rest: int = 0, steps: int = 5) -> None:
        """Put fingers down, let them rest, move them and lift them."""
        self._send("touchStart", *(start for start, _ in ways))
        self.page.wait_for_timeout(rest)
        for step in range(1, steps + 1):
            self._send("touchMove", *(_between(start, end, step / steps) for start, end in ways))
            self.page.wait_for_timeout(FRAME)
        self._send("touchEnd")

    def rest(self, at: tuple[float, float], milliseconds: int) -> None:
        """Press for a while."""
        self._send("touchStart", at)
        self.page.wait_for_timeout(milliseconds)
        self._send("touchEnd")


def _between(start: tuple[float, float], end: tuple[float, float], part: float) -> tuple[float, float]:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


@pytest.mark.torture(4)
def test_fingers_zoom_lasso_and_open_stacks(visit: Visit, server: Server) -> None:
    table = table_at(visit, server, "midway", "daybreak", ATTACK, screen=PHONE)
    page, fingers = table.page, Fingers(table.page)
    page.wait_for_timeout(100)
    boxes, squadrons = movers_of(page), squadrons_of(table)
    scrolled = page.evaluate("scrollY")
    fingers.rest(middle(table.piece(squadrons[0])), 600)
    expect(page.locator(".stack-viewer .stack-item")).to_have_count(1)
    assert table.chosen() == []
    (left, top), end = around(boxes)
    fingers.move(((left, top - 20), end), rest=600)  # a finger is wide
    expect(page.locator("#board .held").locator("visible=true")).to_have_count(len(squadrons))
    page.touchscreen.tap(*middle(table.piece("hornet").first))
    assert sorted(table.chosen()) == sorted(f"{squadron}@hornet" for squadron in squadrons)
    assert page.evaluate("scrollY") == scrolled
    fingers.move(((180, 300), (90, 210)), ((220, 340), (310, 430)))
    page.wait_for_function(f"() => ({ZOOM})()[0] > 1.5")
    assert page.evaluate(ZOOM)[1:] == [1, scrolled]


# -- all games ---------------------------------------------------------------------------------------------------------


@pytest.mark.torture(60)
@pytest.mark.parametrize("screen", ["desk", "phone"])
@pytest.mark.parametrize("game", RULES)
def test_gestures_work_in_every_game(visit: Visit, server: Server, game: str, screen: str) -> None:
    scenario, rule = RULES[game]
    table = table_at(visit, server, game, scenario, rule, screen=PHONE if screen == "phone" else None)
    page = table.page
    _check_explanations(table)
    _check_clicks(table)
    if screen == "desk":
        _check_drags(table)
    _check_page(page)
    page.locator("#zoom-in").click()
    page.locator("#zoom-in").click()
    page.wait_for_function(f"() => ({ZOOM})()[0] > 1.5")
    _check_page(page)
    page.locator("#zoom-reset").click()
    before = table.look()["revision"]
    table.hand.confirm(table)
    page.wait_for_function(ANSWERED, arg=before)


def _check_page(page: Page) -> None:
    page.keyboard.press("Escape")  # closes a tip
    assert [text for text in axe.violations(page) if not text.startswith(WORDED)] == []
    assert axe.cut_off(page) == []


def _check_explanations(table: Table) -> None:
    """Check that a click on what is no option says why, with a rule."""
    others = table.page.evaluate(PIECES, "[data-key]:not(.can, .about)")
    for key, x, y in others[:: max(1, len(others) // 5)]:
        table.page.mouse.click(x, y)
        text = table.page.locator("#announcer").inner_text()
        assert re.search(r"\(rule [\w.]+\)\.\s*$", text), (key, text)
    assert table.chosen() == []


def _check_clicks(table: Table) -> None:
    """Check that clicks alone select something that can be confirmed."""
    for _, x, y in table.page.evaluate(PIECES, ".can"):
        if table.chosen() and table.confirmation.get_attribute("aria-disabled") == "false":
            return
        if table.page.locator("#board .goal").count():
            table.page.keyboard.press("Escape")
        table.page.mouse.click(x, y)
        goal = table.page.evaluate(SPOT, ".goal")
        if goal is not None:  # the piece is picked up
            table.page.mouse.click(*goal)
    assert table.chosen()


def _check_drags(table: Table) -> None:
    """Check that what can be dragged finds a target, if the board has such pieces."""
    page = table.page
    found = page.evaluate(PIECES, ".drags")
    if not found:
        return
    _, x, y = found[0]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y + 8, steps=3)
    expect(page.locator("#board .goal").locator("visible=true")).not_to_have_count(0)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator("#board .goal")).to_have_count(0)
