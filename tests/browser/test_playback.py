"""The board plays what happened; however that ends, the page shows the table of the server."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.films import find_entries
from tests.browser.match_page import SELECT_SCRIPT, HintedMouse, Table
from tests.browser.matches import create_match, duel, import_match, join_seat, played_by_bots, table_to_decide
from tests.browser.visitors import MOVING, PHONE, Visitor
from tests.server.running import Server

from readyroom import Match, games

pytestmark = pytest.mark.slow

AGAINST_BOT = {"usa": "me", "japan": "bot:doctrine"}
BOARD = """() => {
  const added = ['tabindex', 'role', 'aria-label', 'aria-pressed', 'style'];
  const content = (node) => {
    if (!node.tagName) return node.data;
    const attributes = [...node.attributes].filter(({name}) => !added.includes(name)).map(({name, value}) => {
      const kept = value.split(' ').filter((word) => name !== 'class' || !['chosen', 'lit'].includes(word));
      return kept.join(' ') ? `${name}=${kept.join(' ')}` : '';
    });
    return [node.tagName, attributes.filter(Boolean).sort(), [...node.childNodes].map(content)];
  };
  const charts = [...document.querySelectorAll('#board > .board > svg[viewBox]')];
  return JSON.stringify(content(charts.find((chart) => chart.getClientRects().length)));
}"""
"""The board without what scripts add to it."""
SHOWN = "() => [...document.querySelectorAll('#log [data-line]')].map((line) => line.dataset.line)"
PLAYING = "#board.is-playing"
CARD = "dialog.pb-moment[open]"
WATCH = """() => {
  window.seen = {played: false, answerable: 0, marked: 0, frames: 0, sizes: [], mostSizes: 0};
  const look = () => {
    const board = document.querySelector('#board'), confirm = document.querySelector('#confirm');
    if (board.classList.contains('is-playing')) {
      seen.played = true;
      seen.frames += 1;
      if (confirm && !confirm.disabled && !confirm.closest('[inert]')) seen.answerable += 1;
      if (document.querySelector('#board .board :is(.can, .about, .chosen, .lit)')) seen.marked += 1;
      const {width, height} = document.querySelector('#board .board > svg[viewBox]').getBoundingClientRect();
      const size = `${Math.round(width)} x ${Math.round(height)}`;
      if (!seen.sizes.includes(size)) seen.sizes.push(size);
      seen.mostSizes = Math.max(seen.mostSizes, seen.sizes.length);
    } else seen.sizes = [];
    requestAnimationFrame(look);
  };
  look();
}"""


def await_end(page: Page) -> None:
    """Close the cards of big moments until the board does not play any more."""
    while page.locator(PLAYING).count():
        page.evaluate("document.querySelector('dialog.pb-moment button')?.click()")
        page.wait_for_timeout(50)


def assert_server_board(page: Page) -> None:
    """Check that the page shows what the server would show after a reload."""
    shown, lines = page.evaluate(BOARD), page.evaluate(SHOWN)
    page.reload()
    page.locator("#board > .board > svg[viewBox]").locator("visible=true").first.wait_for()
    assert page.evaluate(BOARD) == shown
    assert page.evaluate(SHOWN) == lines


def play_to_playback(table: Table, most: int = 30) -> None:
    """Answer until an answer makes the board play."""
    for _ in range(most):
        table.page.evaluate(SELECT_SCRIPT, table.hint_keys())
        before = table.look()["revision"]
        table.send()
        table.page.wait_for_function(
            f"(before) => document.querySelector('{PLAYING}')"
            " || document.querySelector('.strip').dataset.revision > before",
            arg=before,
        )
        if table.page.locator(PLAYING).count():
            return
        table.wait_for_decision()
    raise AssertionError("nothing was played")


@pytest.fixture
def table(visit: Visit, server: Server) -> Table:
    """A match against a bot on a page that plays fast."""
    anna = visit("Anna", speed="fast", **MOVING)
    return join_seat(anna, create_match(server, AGAINST_BOT)["usa"])


@pytest.mark.torture(18)
def test_next_question_waits_for_the_board(table: Table) -> None:
    page = table.page
    page.evaluate(WATCH)
    play_to_playback(table)
    await_end(page)
    table.wait_for_decision()
    seen = page.evaluate("seen")
    assert seen["played"]
    assert seen["frames"] > 5
    assert seen["answerable"] == 0, "a question could be answered before the board had played"
    assert seen["marked"] == 0, "the options of a question are marked before the board had played"
    assert seen["mostSizes"] == 1, "the board changes its size"
    assert_server_board(page)


@pytest.mark.torture(6)
def test_playback_has_no_tips(table: Table) -> None:
    page = table.page
    hover = """() => {
      const piece = [...document.querySelectorAll('#board [data-key]')].find((one) => one.getClientRects().length);
      piece.dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
    }"""
    page.evaluate(hover)
    expect(page.locator("#tip")).to_be_visible()
    play_to_playback(table)
    page.evaluate(hover)
    assert page.locator(PLAYING).count()
    expect(page.locator("#tip")).to_be_hidden()


@pytest.mark.parametrize("way", [pytest.param(way, marks=pytest.mark.torture(5)) for way in ("Escape", "button")])
def test_skipped_playback_ends_with_the_same_page(table: Table, way: str) -> None:
    page = table.page
    play_to_playback(table)
    if way == "button":
        page.locator("#skip-playback").click()
    else:
        page.keyboard.press(way)
    page.wait_for_function(f"() => !document.querySelector('{PLAYING}')", timeout=1500)
    table.wait_for_decision()
    assert_server_board(page)


@pytest.mark.torture(5)
@pytest.mark.parametrize("way", ["Space", "click", "button"])
def test_playback_continues_step_by_step(table: Table, way: str) -> None:
    page, most = table.page, 0
    for _ in range(12):
        play_to_playback(table)
        steps = 0
        while page.locator(PLAYING).count():
            if way == "click":
                page.mouse.click(*page.locator("#board > .board").evaluate("(one) => [one.offsetLeft + 9, 300]"))
            elif way == "button":
                page.evaluate("document.querySelector('dialog[open] button, #next-beat').click()")
            else:
                page.keyboard.press(way)
            steps += 1
            page.wait_for_timeout(60)
        most = max(most, steps)
        table.wait_for_decision()
        if most > 2:
            break
    assert 2 < most < 60
    assert_server_board(page)


@pytest.mark.torture(6)
def test_counts_of_piles_fly_with_their_planes(visit: Visit, server: Server) -> None:
    anna = visit("", speed="normal", **MOVING)
    match = played_by_bots(Match(games.load("midway"), "midway", seed="3"), lambda _: False)
    page = anna.go(f"/m/{import_match(server, anna, match)}/replay?at=36&seat=usa")
    page.evaluate("""() => {
      window.flown = new Set();
      const look = () => {
        for (const pile of document.querySelectorAll('#board [data-stack]'))
          if (pile.getAnimations().length) flown.add(pile.dataset.stack);
        requestAnimationFrame(look);
      };
      look();
    }""")
    page.locator("#play").click()
    page.wait_for_function("() => flown.size > 3")


OTHERS = {
    "war": ("strategic-war", {"axis": "me", "allies": "bot:doctrine"}),
    "pearl": ("air-raid", {"japan": "me", "usa": "bot:doctrine"}),
    "picket": ("first-watch", {"captain": "me"}),
    "doolittle": ("close-in", {"captain": "me"}),
}
"""A scenario and the seats of the other games."""


@pytest.mark.torture(6)
def test_panel_and_log_wait_for_the_opening_playback(visit: Visit, server: Server) -> None:
    scenario, seats = OTHERS["war"]
    place = create_match(server, seats, game="war", scenario=scenario)["axis"]
    anna = visit("Anna", speed="fast", **MOVING)
    assert anna.send_form(f"/s/{place.secret}").ok
    anna.go(f"/m/{place.match}")
    page = anna.page
    page.locator(PLAYING).wait_for()
    expect(page.locator("#question")).to_have_text("First, the playback.")  # for screen readers
    expect(page.locator("#question")).to_have_css("opacity", "0")
    expect(page.locator(".strip-turn")).to_have_text("Showing what happened")
    expect(page.locator("#answer")).to_have_count(0)
    page.locator("#log [data-line]").first.wait_for()
    expect(page.locator("#log > .muted")).to_have_count(0)
    await_end(page)
    expect(page.locator("#answer")).to_have_count(1)
    assert page.locator("#log [data-line]").count() == page.evaluate(
        "() => Number(document.querySelector('.strip').dataset.lines)"
    )
    assert (page.locator(".track .now").first.text_content() or "").strip() == page.evaluate(
        "async () => new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html')"
        ".querySelector('.track .now').textContent.trim()"
    )


PEEK = """() => {
  window.peeked = {before: 0, after: 0, hasPlayed: false};
  const isSeen = (selector) => [...document.querySelectorAll(selector)].some(
    (one) => one.getClientRects().length && getComputedStyle(one).visibility === 'visible');
  const look = () => {
    peeked.hasPlayed ||= document.querySelector('#board.is-playing') !== null;
    if (isSeen('#board > .board, #answer, #log [data-line]')) peeked[peeked.hasPlayed ? 'after' : 'before'] += 1;
    requestAnimationFrame(look);
  };
  look();
}"""
"""Count the frames in which a page shows a board, a decision or log lines before and after it plays."""


def test_new_match_shows_nothing_before_its_beginning_plays(visit: Visit, server: Server) -> None:
    scenario, seats = OTHERS["war"]
    place = create_match(server, seats, game="war", scenario=scenario)["axis"]
    anna = visit("Anna", speed="fast", **MOVING)
    assert anna.send_form(f"/s/{place.secret}").ok
    anna.context.add_init_script(f"({PEEK})()")
    page = anna.page
    anna.go(f"/m/{place.match}")
    page.locator(PLAYING).wait_for()
    await_end(page)
    expect(page.locator("#answer")).to_be_visible()
    peeked = page.evaluate("peeked")
    assert peeked["before"] == 0, peeked
    assert peeked["after"] > 5, peeked
    page.reload()
    assert not page.locator(".opening").count(), "the match is known"
    expect(page.locator("#answer")).to_be_visible()


@pytest.mark.torture(60)
@pytest.mark.parametrize("skips", [False, True], ids=["played", "skipped"])
@pytest.mark.parametrize("game", OTHERS)
def test_board_after_each_playback_is_that_of_the_server(visit: Visit, server: Server, game: str, skips: bool) -> None:
    scenario, seats = OTHERS[game]
    places = create_match(server, seats, game=game, scenario=scenario)
    anna = visit("Anna", speed="fast", **MOVING)
    table = join_seat(anna, next(iter(places.values())), HintedMouse())  # pieces lie on the middle of some places
    for _ in range(4):
        if table.wait_for_decision()["over"]:
            break
        play_to_playback(table)
        if skips:
            table.page.keyboard.press("Escape")
        await_end(table.page)
        table.wait_for_decision()
        assert_server_board(table.page)


@pytest.mark.torture(4)
def test_board_without_motion_shows_the_steps(visit: Visit, server: Server) -> None:
    anna = visit("Anna", speed="fast")
    table = join_seat(anna, create_match(server, AGAINST_BOT)["usa"])
    page = table.page
    play_to_playback(table)
    moving = "() => document.getAnimations().filter((run) => run.playState === 'running').length"
    assert page.evaluate(moving) == 0
    await_end(page)
    table.wait_for_decision()
    assert_server_board(page)


@pytest.mark.torture(6)
def test_nothing_is_fetched_where_playback_is_off(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **MOVING)
    fetched: list[str] = []
    anna.page.on("response", lambda response: fetched.append(response.url))
    table = join_seat(anna, create_match(server, AGAINST_BOT)["usa"])
    for _ in range(3):
        table.wait_for_decision()
        table.answer()
    assert not [url for url in fetched if "/playback?" in url]
    assert anna.page.locator("#speed").input_value() == "off"


@pytest.mark.torture(6)
def test_failed_playback_shows_the_table_at_once(visit: Visit, server: Server) -> None:
    anna = visit("Anna", speed="fast", **MOVING)
    anna.ignore_problems("playback")
    table = join_seat(anna, create_match(server, AGAINST_BOT)["usa"])
    page = table.page
    page.route("**/playback?*", lambda route: route.fulfill(status=503, body="{}"))
    for _ in range(4):
        table.wait_for_decision()
        table.answer()
    assert not page.locator(PLAYING).count()
    assert_server_board(page)


@pytest.mark.torture(2)
def test_speed_and_sound_are_remembered(table: Table) -> None:
    page = table.page
    page.locator("#speed").select_option("normal")
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator("#speed")).to_have_value("normal")
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    assert not violations(page)


def watched(visit: Visit, server: Server, **how: Any) -> tuple[list[Table], Visitor]:
    """Return the tables of two players, and a spectator of their match."""
    anna, ben, carl = visit("Anna"), visit("Ben"), visit("Carl", **how)
    tables = list(duel(server, anna, ben))
    carl.go(f"/m/{tables[0].match}")
    return tables, carl


def answer_until(tables: list[Table], lines: int, page: Page, most: int = 60) -> None:
    """Let the players answer until the log of a page has more lines, as its server would show it."""
    for _ in range(most):
        pending = table_to_decide(tables)
        assert pending is not None
        pending.answer()
        at = page.evaluate("() => Number(document.querySelector('.strip').dataset.lines)")
        if at > lines or page.locator(PLAYING).count():
            return
    raise AssertionError("nothing happened that a spectator sees")


@pytest.mark.torture(30)
def test_spectator_sees_what_players_do(visit: Visit, server: Server) -> None:
    tables, carl = watched(visit, server, speed="fast", **MOVING)
    carl.page.evaluate(WATCH)
    for _ in range(8):
        lines = carl.page.evaluate("() => Number(document.querySelector('.strip').dataset.lines)")
        answer_until(tables, lines, carl.page)
        if carl.page.evaluate("seen.played"):
            break
    assert carl.page.evaluate("seen.played")
    await_end(carl.page)
    carl.page.wait_for_timeout(300)
    await_end(carl.page)
    assert_server_board(carl.page)


@pytest.mark.torture(30)
def test_what_was_missed_is_offered(visit: Visit, server: Server) -> None:
    tables, carl = watched(visit, server, speed="fast", **MOVING)
    page, address = carl.page, carl.page.url
    page.locator("#board > .board > svg[viewBox]").first.wait_for()
    expect(page.locator("#away")).to_be_hidden()
    lines = page.evaluate("() => Number(document.querySelector('.strip').dataset.lines)")
    page.goto("/games/midway/rules")
    watcher = Table(visit("Dora").page)
    watcher.page.goto(address)
    answer_until(tables, lines + 2, watcher.page)
    page.goto(address)
    expect(page.locator("#away")).to_be_visible()
    assert not violations(page)
    page.evaluate(WATCH)
    page.locator("#play-away").click()
    expect(page.locator("#away")).to_be_hidden()
    page.locator(PLAYING).wait_for()
    await_end(page)
    assert_server_board(page)
    expect(page.locator("#away")).to_be_hidden()


def test_header_says_that_missed_events_play(visit: Visit, server: Server) -> None:
    match = played_by_bots(Match(games.load("midway"), "midway", seed="x1"), lambda match: match.state.at.turn > 4)
    anna = visit("", speed="normal", **MOVING)
    seat = next(iter(match.pending))
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={seat}")
    strip = page.locator(".strip-turn")
    expect(strip).to_contain_text("your decision")
    before = page.locator(".track").inner_text()
    page.evaluate(
        "localStorage.setItem('readyroom-seen', JSON.stringify({[TABLE]: {revision: 3, lines: 3}}))".replace(
            "TABLE", "document.querySelector('#table').getAttribute('hx-get')"
        )
    )
    page.reload()
    page.locator("#play-away").click()
    page.locator(PLAYING).wait_for()
    expect(strip).to_have_text("Showing what happened")
    page.keyboard.press("Escape")
    expect(strip).to_contain_text("your decision")
    assert page.locator(".track").inner_text() == before


@pytest.mark.torture(6)
def test_replay_plays_its_steps(table: Table) -> None:
    page = table.page
    for _ in range(4):
        table.page.keyboard.press("Escape")
        table.wait_for_decision()
        table.choose(table.hint_keys())
        before = table.look()["revision"]
        table.send()
        page.wait_for_function(
            f"(before) => {{ document.querySelector('{PLAYING}') && document.querySelector('#skip-playback').click();"
            " return document.querySelector('.strip').dataset.revision > before; }",
            arg=before,
        )
    page.goto(f"/m/{table.match}/replay?at=0")
    page.evaluate(WATCH)
    page.locator("#play").click()
    page.wait_for_function("() => seen.played", timeout=15_000)
    page.locator("#play").click()
    await_end(page)
    assert int(page.locator("#replay").get_attribute("data-at") or 0) > 0


def test_next_step_of_a_replay_is_played_or_skipped(visit: Visit, server: Server) -> None:
    match: Match[Any, Any] = Match(games.load("picket"), "first-watch", seed="1")
    played_by_bots(match, lambda one: one.decision_count == 12)
    anna = visit("Anna", speed="normal", viewport={"width": 1366, "height": 768}, **MOVING)
    page = anna.go(f"/m/{import_match(server, anna, match)}/replay?at=6&seat=captain#line-0")
    replay, forward, lines = page.locator("#replay"), page.locator("#step-on"), page.locator("#replay .log li")
    expect(page.locator("#board")).to_have_css("scroll-margin-top", "72px")
    before = lines.count()
    forward.click()
    page.locator(PLAYING).wait_for()
    expect(replay).to_have_attribute("data-at", "6")
    assert bool(lines.count()) == bool(before), "the log stays until something new happens"
    forward.click()
    expect(replay).to_have_attribute("data-at", "7")
    expect(page.locator("#play")).to_have_text("Play")


@cache
def raid() -> Match[Any, Any]:
    """Return an air raid in which the first wave sinks several battleships."""
    return played_by_bots(Match(games.load("pearl"), "air-raid", seed="strike"), lambda _: False)


def open_replay(visitor: Visitor, server: Server) -> int:
    """Open the replay of the raid before its first wave attacks; return the number of that decision."""
    before, _ = find_entries(raid(), "japan", lambda event: event.moment == "Nevada sunk")
    visitor.page.goto(f"/m/{import_match(server, visitor, raid())}/replay?at={before}&seat=japan")
    return before


def test_moments_to_come_are_not_named_while_a_replay_plays(visit: Visit, server: Server) -> None:
    anna = visit("Anna", speed="normal", **MOVING)
    page, ahead = anna.page, anna.page.locator("#moves .move-moment.ahead:visible")
    open_replay(anna, server)
    expect(ahead.first).to_be_visible()
    page.locator("#play").click()
    page.locator(PLAYING).wait_for()
    expect(ahead).to_have_count(0)
    page.locator("#play").evaluate("(play) => play.click()")
    expect(ahead.first).to_be_visible()


STAGE = """async () => {
  const {src} = document.querySelector('script[type="module"][src*="/static/js/"]');
  const {Stage} = await import(new URL('playback/stage.js', src));
  const root = document.body.appendChild(document.createElement('div'));
  const box = (y, text) => `<g transform="translate(0 ${y})"><text y="9">${text}</text></g>`;
  const chart = (x, fuel, boxes, more = '') => `<svg viewBox="0 0 400 300" width="400"><text y="20">Fuel ${fuel}</text>
    ${boxes}<g data-place="field">${more}</g>
    <g data-key="plane" transform="translate(${x} 50)"><rect width="9" height="9"/></g></svg>`;
  root.innerHTML = chart(20, 7, box(200, 'Red') + box(250, 'Blue'));
  const stage = new Stage(root, {pace: 1, still: false, sound: {play() {}}, colours: {}});
  const fuel = () => root.querySelector('text').textContent;
  const isDark = () => Boolean(root.querySelector('[fill="url(#pb-spot)"]'));
  const begin = (phase) => stage.begin({turn: 1, phase, target: 'plane', keys: []});
  begin('attack');
  stage.prepare([chart(300, 6, box(150, 'New') + box(200, 'Red') + box(250, 'Blue'), '<text y="99">1 plane</text>')]);
  stage.spot({x: 20, y: 50}, 60);
  const path = () => [{x: 100, y: 50}, {x: 200, y: 50}];
  const moving = stage.show({path});
  const shown = () => root.querySelector('[data-place] text').textContent;
  const names = [...root.querySelectorAll('g > text')].map((text) => text.textContent);
  const seen = [names.slice(0, 3).join(' '), fuel(), shown()];
  await moving;
  seen.push(fuel(), shown());
  stage.clear();
  begin('attack');
  seen.push(isDark());
  begin('recovery');
  await stage.wait(400);
  seen.push(isDark());
  stage.close();
  return seen;
}"""
"""A plane uses fuel, and a box is new: what the board shows in flight and after it.

And whether the new words of the place where it goes are visible, and it is dark in this phase and the next.
"""


def test_number_changes_after_the_flight_and_board_stays_dark_for_a_phase(table: Table) -> None:
    assert table.page.evaluate(STAGE) == ["New Red Blue", "Fuel 7", "", "Fuel 6", "1 plane", True, False]


@pytest.mark.torture(20)
@pytest.mark.parametrize("screen", ["desk", "phone"])
def test_link_of_a_moment_plays_it_and_stays_there(visit: Visit, server: Server, screen: str) -> None:
    anna = visit("Anna", speed="fast", **(PHONE if screen == "phone" else {}), **MOVING)
    page = anna.go(f"/m/{import_match(server, anna, raid())}")
    link = page.locator(".turning-points a").first
    at = int(parse_qs(urlsplit(link.get_attribute("href") or "").query)["at"][0])
    title = link.locator("b").inner_text()
    link.click()
    replay = page.locator("#replay")
    page.locator(PLAYING).wait_for()
    expect(replay).to_have_attribute("data-at", str(at))
    page.locator(CARD).wait_for()
    page.keyboard.press("Escape")
    expect(replay).to_have_attribute("data-at", str(at + 1))
    line = page.locator(".log li:target .log-text")
    expect(line).to_contain_text(": she is sunk")
    name = re.findall(r"(\w+): she is sunk", line.inner_text())[0]
    assert name in title
    page.wait_for_timeout(1000)
    expect(replay).to_have_attribute("data-at", str(at + 1))
    expect(page.locator("#play")).to_have_text("Play")
    expect(page.locator(f"#board [data-key='{name.lower()}']:visible").first).to_be_in_viewport()
    mark = page.locator(".timeline-marks .turning").first
    mark.dispatch_event("click")
    page.locator(PLAYING).wait_for()
    expect(replay).to_have_attribute("data-at", str(at))
    page.keyboard.press("Escape")
    expect(replay).to_have_attribute("data-at", str(at + 1))


WATCH_REPLAY = """() => {
  window.seen = {cards: {}, tops: [], log: 0, decided: []};
  const look = () => {
    const card = document.querySelector('dialog.pb-moment');
    const dice = card ? [...card.querySelectorAll('dd')].map((one) => one.textContent) : [];
    if (card) seen.cards[card.querySelector('h2').textContent] = dice;
    const {top} = document.querySelector('#board').getBoundingClientRect();
    if (seen.tops.at(-1) !== Math.round(top)) seen.tops.push(Math.round(top));
    const decided = document.querySelector('#replay .decided:not([hidden])').innerText;
    if (seen.decided.at(-1) !== decided) seen.decided.push(decided);
    if (document.querySelector('#board.is-playing'))
      seen.log = Math.max(seen.log, document.querySelectorAll('#replay .log li').length);
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.torture(40)
def test_card_of_several_sinkings_has_the_dice_of_all(visit: Visit, server: Server) -> None:
    anna = visit("Anna", speed="fast", viewport={"width": 1366, "height": 768}, **MOVING)
    page, before = anna.page, open_replay(anna, server)
    page.locator("#board").evaluate("(board) => board.scrollIntoView()")
    page.evaluate(WATCH_REPLAY)
    page.locator("#play").evaluate("(play) => play.click()")
    page.wait_for_function(f"() => document.querySelector('#replay').dataset.at > {before}", timeout=60_000)
    seen = page.evaluate("seen")
    sunk = {title: dice for title, dice in seen["cards"].items() if title.endswith(" sunk")}
    assert sunk == {
        "Nevada, Arizona, Tennessee and Maryland sunk": [
            "rolled 6+4: 4 hits",
            "rolled 5 (needs 5), passed",
            "rolled 6+3: 5 hits",
            "rolled 4+3: 4 hits",
        ]
    }
    assert len(seen["tops"]) == 1, "the page moves while it plays"
    assert seen["log"] > len(sunk)
    assert len(seen["decided"]) == 2, "the column next to the board shows the decision that plays, before and after"
    assert page.locator("#moves .move-moment", has_text=" sunk").first.is_visible()


@pytest.mark.torture(8)
def test_replay_that_cannot_be_played_says_so_and_waits(visit: Visit, server: Server) -> None:
    anna = visit("Anna", speed="fast", **MOVING)
    anna.ignore_problems("playback|503")
    page, before = anna.page, open_replay(anna, server)
    page.route("**/playback?*", lambda route: route.fulfill(status=503, body="{}"))
    page.locator("#play").click()
    expect(page.locator("#trouble")).to_contain_text("What happened cannot be played.")
    expect(page.locator("#play")).to_have_text("Play")
    assert page.locator("#replay").get_attribute("data-at") == str(before)
    assert page.locator("#replay .decided").first.is_visible()


@pytest.mark.torture(30)
def test_card_closes_by_itself_unless_it_is_held_or_kept(visit: Visit, server: Server) -> None:
    def open_card(**how: Any) -> Page:
        place = create_match(server, {"usa": "me", "japan": "bot:doctrine"}, game="tora", scenario="sunday")["usa"]
        visitor = visit("Anna", speed="normal", **how)
        visitor.context.add_init_script("localStorage.setItem('readyroom-cards', localStorage.getItem('kept') || '')")
        page = join_seat(visitor, place).page
        page.locator(CARD).wait_for()
        return page

    page = open_card(**MOVING)
    card = page.locator(CARD)
    title = card.locator("h2").inner_text()
    expect(card).to_be_focused()  # it is read out, and its button does not hold it
    page.mouse.move(10, 10)
    box = card.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 50, box["y"] + 50, steps=3)
    page.wait_for_timeout(8000)
    assert card.locator("h2").inner_text() == title, "the pointer holds it"
    page.mouse.move(10, 10, steps=3)
    expect(page.locator(f"{CARD} h2", has_text=title)).to_have_count(0, timeout=10_000)
    page.locator(CARD).wait_for()
    title = card.locator("h2").inner_text()
    page.keyboard.press("x")
    expect(page.locator(f"{CARD} h2", has_text=title)).to_have_count(0)
    assert not violations(page)

    still = open_card(reduced_motion="reduce")
    card = still.locator(CARD)
    assert card.locator(".pb-time").evaluate("(bar) => getComputedStyle(bar).visibility") == "hidden"
    card.get_by_label("Keep cards open until I continue").check()
    still.evaluate("localStorage.setItem('kept', localStorage.getItem('readyroom-cards'))")
    title = card.locator("h2").inner_text()
    still.mouse.move(10, 10, steps=3)
    still.wait_for_timeout(8000)
    assert card.locator("h2").inner_text() == title
    card.get_by_role("button", name="Continue").click()
    expect(still.locator(f"{CARD} h2", has_text=title)).to_have_count(0)


@pytest.mark.torture(12)
@pytest.mark.parametrize("seat", ["japan", "usa"])
def test_what_comes_before_the_first_decision_is_played_once(visit: Visit, server: Server, seat: str) -> None:
    seats = {seat: "me", "japan" if seat == "usa" else "usa": "bot:doctrine"}
    places = create_match(server, seats, game="tora", scenario="sunday")
    anna = visit("Anna", speed="fast", **MOVING)
    table = join_seat(anna, places[seat])
    page = table.page
    page.locator(PLAYING).wait_for()
    for title in ["Complete surprise"] * (seat == "usa") + ["The first wave arrives over Oahu"]:
        expect(page.locator("dialog.pb-moment h2")).to_have_text(title)
        page.locator("dialog.pb-moment button").click()
    await_end(page)
    assert_server_board(page)
    page.wait_for_timeout(500)
    assert not page.locator(PLAYING).count(), "it was played already"


@pytest.mark.torture(60)
def test_whole_match_plays_on_a_phone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", speed="fast", **PHONE, **MOVING)
    table = join_seat(anna, create_match(server, AGAINST_BOT, {"turn_limit": "8"})["usa"])
    page = table.page
    page.evaluate(WATCH)
    for _ in range(60):
        if table.wait_for_decision()["over"]:
            break
        table.choose(table.hint_keys())
        before = table.look()["revision"]
        table.send()
        page.wait_for_function(
            "(before) => { document.querySelector('dialog.pb-moment button')?.click();"
            " return document.querySelector('.strip').dataset.revision > before; }",
            arg=before,
            timeout=60_000,
        )
    seen = page.evaluate("seen")
    assert seen["answerable"] == 0
    assert seen["mostSizes"] <= 2, "the board changes its size after the first event"  # its room is that of all events
    assert_server_board(page)
