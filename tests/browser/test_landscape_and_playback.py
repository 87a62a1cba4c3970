"""Phones in landscape, the bar below what plays on a phone, and the rings around what a line of the log is about."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import HintedMouse
from tests.browser.matches import at_random, create_match, import_match, join_seat, play_until, played_by_bots
from tests.browser.visitors import MOVING, PHONE
from tests.server.running import Server

from readyroom import Match, games

pytestmark = pytest.mark.slow

LANDSCAPE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
SEATS = {
    "midway": {"usa": "me", "japan": "bot:doctrine"},
    "pearl": {"japan": "me", "usa": "bot:doctrine"},
    "war": {"allies": "me", "axis": "bot:doctrine"},
    "picket": {"captain": "me"},
    "doolittle": {"captain": "me"},
}
PRINT = """() => [...document.querySelectorAll('#board .board text')].flatMap((text) => {
  if (!text.getClientRects().length) return [];
  const {a, b} = text.getScreenCTM();
  return Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize) < 8.9 ? [text.textContent] : [];
})"""
"""The texts of the board that have fewer than 9 pixels."""
FILM = """(pixels) => {
  const seen = window.seen = {bars: [], cut: [], below: [], panels: 0};
  const look = () => {
    const [bar, caption] = ['.playback-bar', '#caption'].map((selector) => document.querySelector(selector));
    if (bar && document.querySelector('#board.is-playing') && caption.textContent) {
      const {top, bottom} = bar.getBoundingClientRect();
      seen.bars.push(Math.round(bottom));
      if (caption.scrollHeight > caption.clientHeight + 1) seen.cut.push(caption.textContent);
      const panel = document.querySelector('.pb-panel');
      if (panel) seen.panels += 1;
      if (panel && window.still === scrollY && panel.getBoundingClientRect().bottom > top + pixels)
        seen.below.push([panel.getBoundingClientRect().bottom, top]);
      window.still = scrollY;
    }
    setTimeout(look, 150);
  };
  addEventListener('DOMContentLoaded', look);
}"""
"""Notes how the bar, its caption and the dice are while the board plays and the page does not scroll."""


def box_of(part: Locator) -> FloatRect:
    """Return the box of what is on the page."""
    box = part.bounding_box()
    assert box is not None
    return box


@pytest.mark.sample(1)
@pytest.mark.parametrize(("game", "scenario"), [("picket", "pringle"), ("tora", "sunday"), ("pearl", "air-raid")])
def test_print_is_not_small_in_landscape(visit: Visit, server: Server, game: str, scenario: str) -> None:
    anna = visit("", **LANDSCAPE)
    match: Match[Any, Any] = Match(games.load(game), scenario, seed="7")
    played_by_bots(match, lambda one: one.decision_count >= 8)
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={next(iter(match.pending))}")
    page.locator("#board text").locator("visible=true").first.wait_for()
    assert page.evaluate(PRINT) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", SEATS)
def test_all_of_the_board_and_the_decision_are_seen_in_landscape(visit: Visit, server: Server, game: str) -> None:
    anna = visit("Anna", **LANDSCAPE)
    seats = SEATS[game]
    [seat] = [key for key, player in seats.items() if player == "me"]
    table = join_seat(anna, create_match(server, seats, game=game)[seat], HintedMouse())
    table.wait_for_decision()
    page = anna.page
    page.locator("#board .board-wide").wait_for()
    assert page.evaluate("scrollY") == 0
    confirm, board = box_of(page.locator(".confirm")), box_of(page.locator("#board .board-wide"))
    assert (board["x"], board["y"], board["height"]) == (0, 0, 390), "as high as the window"
    assert board["width"] > 540
    assert confirm["x"] >= board["width"], "side by side"
    card = box_of(page.locator("#card"))
    log = ["#log-title"] if page.locator("#options.folds-all").count() else []  # else the list takes the room
    parts = (".confirm", "#zoom-in", "#menu-button", ".strip-turn", "#answer > .tools .button", *log)
    for part in parts:
        box = box_of(page.locator(part).first)
        assert box["x"] >= board["width"], part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 390, part
        if "tools" in part:
            assert box["y"] + box["height"] <= card["y"] + card["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == 844
    table.answer()  # then there is "Undo"
    if not table.wait_for_decision()["over"]:
        assert page.evaluate(TOOLS) <= 0


TOOLS = """() => {
  const tools = document.querySelector('#answer > div.tools');
  return tools ? tools.scrollWidth - tools.clientWidth : 0;
}"""
"""By how many pixels the tools of a decision are wider than their row."""
LOG_LINES = """() => {
  const [log, head] = ['#log', '#log .log-head'].map((one) => document.querySelector(one));
  return (log.clientHeight - head.offsetHeight) / parseFloat(getComputedStyle(log.querySelector('li')).lineHeight);
}"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", SEATS)
def test_log_has_eight_lines_next_to_long_lists_on_a_laptop(visit: Visit, server: Server, game: str) -> None:
    anna = visit("Anna", viewport={"width": 1366, "height": 768})
    seats = SEATS[game]
    [seat] = [key for key, player in seats.items() if player == "me"]
    table = join_seat(anna, create_match(server, seats, game=game, seed="1")[seat], HintedMouse())
    for _ in range(5):
        if table.wait_for_decision()["over"]:
            return
        if anna.page.locator("#log li").count():
            least = 3 if anna.page.locator("#options.few").count() else 8  # few choices are shown whole
            assert anna.page.evaluate(LOG_LINES) >= least, table.look()["question"]
        table.answer()


def test_rule_on_a_phone_is_a_sheet_that_is_pulled_up_and_down(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    join_seat(anna, create_match(server, SEATS["midway"])["usa"]).wait_for_decision()
    page = anna.page
    page.locator("#answer .rule").first.click()
    sheet, bar = page.locator("#help"), page.locator(".help-bar")
    low = box_of(sheet)
    assert low["y"] > 844 / 2

    def pull(pixels: int) -> None:
        box = box_of(bar)
        page.mouse.move(200, box["y"] + 10)
        page.mouse.down()
        page.mouse.move(200, box["y"] + 10 + pixels, steps=3)
        page.mouse.up()

    pull(-100)
    assert box_of(sheet)["height"] >= low["height"]
    expect(sheet).to_have_class("help is-high")
    pull(20)
    expect(sheet).to_be_visible()
    pull(120)
    expect(sheet).to_be_hidden()


def test_theme_is_switched_without_loading_the_page(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table = join_seat(anna, create_match(server, SEATS["midway"])["usa"])
    table.wait_for_decision()
    page = anna.page
    page.locator("#take-all").click()
    chosen = table.chosen()
    with page.expect_request("**/me/scheme"):
        page.get_by_role("button", name="Dark").click()
    expect(page.locator("html[data-theme=dark]")).to_be_attached()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert chosen
    assert table.chosen() == chosen
    page.reload()
    expect(page.locator("html[data-theme=dark]")).to_be_attached()


@pytest.mark.torture(8)
@pytest.mark.parametrize("game", ["pearl", "war"])
def test_nothing_is_cut_or_covered_while_a_phone_plays(visit: Visit, server: Server, game: str) -> None:
    anna = visit("Anna", speed="normal", **{**PHONE, **MOVING})
    seats = SEATS[game]
    [seat] = [key for key, player in seats.items() if player == "me"]
    place = create_match(server, seats, game=game)[seat]
    assert anna.send_form(f"/s/{place.secret}").ok
    anna.context.add_init_script(f"({FILM})(2)")
    page = anna.go(f"/m/{place.match}")
    page.locator("#answer").wait_for(timeout=60_000)
    seen = page.evaluate("window.seen")
    assert set(seen["bars"]) == {844}, "the bar is at the edge of the window"
    assert seen["panels"]
    assert not seen["cut"]
    assert not seen["below"]


COVERED_ANSWERS = """() => {
  const box = (element) => element.getBoundingClientRect(), help = box(document.querySelector('#help'));
  return [...document.querySelectorAll('#answer :is(.option, .confirm)')].map(box).filter((one) => one.width &&
    one.left < help.right && one.right > help.left && one.top < help.bottom && one.bottom > help.top).length;
}"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", games.game_names())
def test_board_and_controls_of_a_replay_are_in_view_in_landscape(visit: Visit, game: str) -> None:
    page = visit("Anna", **LANDSCAPE).page
    page.goto(f"/watch/{game}")
    expect(page.locator("#play")).to_be_visible()
    controls = box_of(page.locator(".transport"))
    assert controls["y"] + controls["height"] <= 390
    for part in (".replay-boards section:not(.is-other) .board > svg:visible:not(.board-parts)", ".step-now"):
        box = box_of(page.locator(part).first)
        assert 0 <= box["y"] <= controls["y"] - box["height"], part


def test_rule_covers_no_answers(visit: Visit, server: Server) -> None:
    anna = visit("Anna", viewport={"width": 1366, "height": 768})
    join_seat(anna, create_match(server, SEATS["pearl"], game="pearl")["japan"]).wait_for_decision()
    page = anna.page
    expect(page.locator("#answer .option")).to_have_count(3)
    page.locator("#answer .rule").first.click()
    expect(page.locator("#help")).to_be_visible()
    assert page.evaluate(COVERED_ANSWERS) == 0


def test_line_of_the_log_shows_its_piece_and_a_click_keeps_it(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    place = create_match(server, SEATS["midway"])["usa"]
    assert anna.send_form(f"/s/{place.secret}").ok
    play_until([place], lambda _, seen: seen["revision"] > 12, at_random(5))
    page = anna.go(f"/m/{place.match}")
    lines, rings = page.locator("#log [data-about]"), page.locator("#board .ringed")
    about = lines.first.get_attribute("data-about")
    lines.first.hover()
    expect(rings.locator("visible=true").first).to_be_visible()
    keys = "(all) => [...new Set(all.map(({dataset}) => [dataset.key, dataset.place, dataset.stack].join(' ')))]"
    assert all(str(about) in one.split() for one in rings.evaluate_all(keys))
    page.mouse.move(2, 2)
    expect(rings).to_have_count(0)
    lines.first.locator(".log-text").click()
    page.mouse.move(2, 2)
    expect(rings.first).to_be_attached()
    lines.first.locator(".log-text").click()
    page.mouse.move(2, 2)
    expect(rings).to_have_count(0)
    lines.first.locator("a").first.focus()
    expect(rings.first).to_be_attached()
    for at in range(12, 0, -1):  # the steps of the replay, until one has such a line
        anna.go(f"/m/{place.match}/replay?at={at}")
        if page.locator(".log [data-about]").count():
            break
    page.locator(".log [data-about]").first.hover()
    expect(rings.locator("visible=true").first).to_be_visible()


def test_card_of_one_who_waits_can_be_read_on_a_phone(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna", **PHONE), visit("Ben")
    places = create_match(server, {"usa": "me", "japan": "friend"})
    for visitor, seat in ((ben, "japan"), (anna, "usa")):
        assert visitor.send_form(f"/s/{places[seat].secret}").ok
    page = anna.go(f"/m/{places['usa'].match}")
    expect(page.locator("#question.waiting")).to_be_visible()
    expect(page.locator("#question")).to_have_css("opacity", "1")
    expect(page.locator("#card")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
