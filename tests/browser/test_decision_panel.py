"""The panel of a decision: its buttons have one place, a quick second press is ignored, and no choice is cut."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import create_match, import_match, join_seat
from tests.browser.test_board_sizes import LAPTOP, MATCHES
from tests.browser.visitors import PHONE
from tests.server.running import Server

from readyroom import Match, bots, games
from readyroom.study.puzzles.puzzle import puzzles_of
from readyroom.web.formatting import SHOWN_WHOLE

pytestmark = pytest.mark.slow

DEVICES: dict[str, dict[str, Any]] = {"laptop": {"viewport": LAPTOP}, "phone": PHONE}
PLACES = """() => Object.fromEntries(['#confirm', '#clear'].flatMap((name) => {
  const {x, y, width, height} = document.querySelector(name)?.getBoundingClientRect() ?? {};
  return width ? [[name, [x, y, width, height].join()]] : [];
}))"""
COVERED = """(few) => {
  const card = document.querySelector('#card'), actions = document.querySelector('#answer .actions');
  const rows = [...document.querySelectorAll('#answer [data-key]')].filter((row) => row.offsetWidth > 5
    && !row.closest('.folds-all, .folds .on-board'));
  return rows.filter((row) => {
    if (rows.length > few) row.scrollIntoView({block: 'nearest'});
    const {left, width, top, bottom} = row.getBoundingClientRect();
    return [top + 2, bottom - 2].some((y) => !row.contains(document.elementFromPoint(left + width / 2, y)));
  }).map((row) => row.dataset.key);
}"""
"""The choices that something covers or that the window cuts: of a long list, after the page has scrolled to each."""
HOLD = """
  const own = setTimeout;
  setTimeout = (act, ...how) => how[0] === 400 ? (window.enable = act, 0) : own(act, ...how);
  const [now, start] = [Date.now, Date.now()];
  Date.now = () => start + (now() - start) / 20;
"""
"""A new decision keeps its button disabled until the test ends that, and stays new, however long it takes."""
MANY = 40
"""The number of decisions of a match that are looked at."""


def decisions(game: str, most: int = MANY) -> Iterator[tuple[Match[Any, Any], str]]:
    """Yield matches at decisions of different kinds, each with the seat that decides."""
    for scenario, options in MATCHES[game]:
        match: Match[Any, Any] = Match(games.load(game), scenario, options, seed="print")
        players = {seat.key: bots.make_bot(match.game, "doctrine", seat.key, Random(5)) for seat in match.seats}
        seen = set[tuple[Any, ...]]()
        while match.outcome is None and len(seen) < most:
            seat, decision = next(iter(match.pending.items()))
            kind = decision.rule, decision.kind, min(len(decision.options), SHOWN_WHOLE + 1)
            if kind not in seen:
                seen.add(kind)
                yield match, seat
            match.decide(seat, players[seat](decision, partial(match.view, seat)))


@pytest.mark.torture(9)
@pytest.mark.parametrize("device", ["laptop", "phone"])
def test_confirm_and_clear_have_one_place(visit: Visit, server: Server, device: str) -> None:
    table = join_seat(visit(**DEVICES[device]), create_match(server, {"japan": "me", "usa": "bot:doctrine"})["japan"])
    seen = dict[str, set[str]]()
    for _ in range(3):
        table.wait_for_decision()
        for name, place in settled_places(table.page).items():
            seen.setdefault(name, set()).add(place)
        table.answer()
    assert {name: len(places) for name, places in seen.items()} == {"#confirm": 1, "#clear": 1}, seen


def settled_places(page: Page) -> dict[str, str]:
    """Return where the buttons of a page at its top are once the fonts have come and nothing moves any more."""
    page.evaluate("document.fonts.ready.then(() => scrollTo(0, 0))")
    places, before = page.evaluate(PLACES), None
    while places != before:
        page.wait_for_timeout(200)
        places, before = page.evaluate(PLACES), places
    return dict(places)


@pytest.mark.torture(100)
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("game", MATCHES)
def test_no_choice_is_cut(visit: Visit, server: Server, game: str, device: str) -> None:
    anna = visit("", **DEVICES[device])
    places = set[tuple[str, str]]()
    for match, seat in decisions(game):
        page = anna.go(f"/m/{import_match(server, anna, match)}?seat={seat}")
        # On a phone tall rows leave room for the board, which has these choices as well.
        if not (device == "phone" and page.locator(".few .allot").count() and page.locator("#board .can").count()):
            assert page.evaluate(COVERED, SHOWN_WHOLE) == [], page.locator("#question").inner_text()
        if not page.locator(".lesson").count():
            places |= set(page.evaluate(PLACES).items())
    assert len(places) <= 2, places


@pytest.mark.sample(1)
@pytest.mark.parametrize("device", DEVICES)
def test_three_cards_can_be_chosen_without_scrolling(visit: Visit, server: Server, device: str) -> None:
    anna = visit("", **DEVICES[device])
    match, seat = next(decisions("pearl"))
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={seat}")
    expect(page.locator("#question")).to_contain_text("How many Magic cards")
    assert page.locator("#options .option").count() == 3
    assert page.evaluate(COVERED, SHOWN_WHOLE) == []
    if device == "laptop":
        cut = page.locator("#card").evaluate("(card) => card.scrollHeight - card.clientHeight")
        assert cut == 0, "a short log leaves its room to the decision"


@pytest.mark.parametrize("device", ["laptop", pytest.param("phone", marks=pytest.mark.torture(4))])
def test_long_answer_of_a_puzzle_does_not_grow_the_button(visit: Visit, device: str) -> None:
    puzzle = max(puzzles_of("midway").values(), key=lambda one: max(len(str(each)) for each in one.spec.answers))
    page = visit("", **DEVICES[device]).go(f"/puzzles/{puzzle.id}")
    before = page.locator("#confirm").bounding_box()
    for row in page.locator("#options label").all():
        row.click()
        assert page.locator("#confirm").bounding_box() == before
    assert page.evaluate(COVERED, 0) == []


MODULE = "performance.getEntriesByType('resource').find(({ name }) => name.includes('/second-press.js'))"


def with_held_time(visit: Visit, server: Server, enemy: str = "me") -> Table:
    """Return a table at a decision that may be answered with nothing, as may the next."""
    anna = visit(viewport=LAPTOP)
    anna.context.add_init_script(HOLD)
    table = join_seat(anna, create_match(server, {"japan": "me", "usa": enemy}, scenario="midway")["japan"])
    table.wait_for_decision()
    page = table.page
    page.wait_for_function(f"() => {MODULE}")
    page.evaluate(f"async () => {{ await import({MODULE}.name) }}")
    return table


def check_unanswered(page: Page, table: Table, revision: int) -> None:
    """Check that nothing was answered, and that the decision can be answered once the time has passed."""
    page.wait_for_timeout(200)
    assert table.look()["revision"] == revision
    page.evaluate("window.enable?.()")
    expect(page.locator("#confirm")).to_be_enabled()


def test_second_click_does_not_answer_the_next_decision(visit: Visit, server: Server) -> None:
    table = with_held_time(visit, server)
    page, first = table.page, table.look()["revision"]
    box = page.locator("#confirm").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*middle)
    table.wait_past(first)
    revision = table.wait_for_decision()["revision"]
    page.mouse.click(*middle)
    check_unanswered(page, table, revision)
    page.mouse.click(*middle)
    table.wait_past(revision)


def test_press_that_chooses_nothing_of_a_new_question_is_repeated(visit: Visit, server: Server) -> None:
    table = with_held_time(visit, server, "bot:doctrine")
    page, confirm = table.page, table.page.locator("#confirm")
    revision = table.look()["revision"]
    while True:
        confirm.click()
        table.wait_past(revision)
        revision = table.wait_for_decision()["revision"]
        page.locator("#question").hover()
        expect(confirm).to_be_enabled()
        if confirm.inner_text() == "Confirm: none":
            break
    confirm.click()
    expect(page.locator("#tally")).to_have_text("Nothing selected. Press again to choose nothing.")
    check_unanswered(page, table, revision)
    confirm.click()
    table.wait_past(revision)


@pytest.mark.torture(2)
def test_second_enter_does_not_answer_the_next_decision(visit: Visit, server: Server) -> None:
    table = with_held_time(visit, server)
    page, first = table.page, table.look()["revision"]
    page.locator("#question").focus()
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    table.wait_past(first)
    revision = table.wait_for_decision()["revision"]
    expect(page.locator("#confirm")).to_be_disabled()
    page.keyboard.press("Enter")
    check_unanswered(page, table, revision)


def test_pointer_that_moves_enables_the_button(visit: Visit, server: Server) -> None:
    table = with_held_time(visit, server)
    page, first = table.page, table.look()["revision"]
    page.locator("#confirm").click()
    table.wait_past(first)
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#question").hover()
    expect(page.locator("#confirm")).to_be_enabled()


def test_dice_start_next_to_their_mark_and_settings_are_in_line(visit: Visit, server: Server) -> None:
    table = with_held_time(visit, server)
    page = table.page
    dice = '<span class="dice-tally"><span class="die">6</span>×12</span>' * 40
    first = page.locator("#log").evaluate(
        """(log, dice) => {
          const line = `<details class="dice-fold"><summary><span class="dice">${dice}</span></summary></details>`;
          log.insertAdjacentHTML('beforeend', line);
          const [summary, die] = ['summary', '.die'].map((name) => log.querySelector(`.dice-fold ${name}`));
          return [summary, die].map((one) => one.getBoundingClientRect().top);
        }""",
        dice,
    )
    assert first[1] - first[0] < 6
    page.locator("#sound").click()
    page.locator("#sound-more summary").click()
    for label in page.locator(".sound-panel label:has(input)").all():
        whole, box = label.bounding_box(), label.locator("input").bounding_box()
        assert whole is not None
        assert box is not None
        assert abs(whole["y"] + whole["height"] / 2 - box["y"] - box["height"] / 2) < 1


def test_heading_of_a_plan_has_no_ring_without_the_keyboard(visit: Visit, server: Server) -> None:
    anna = visit("")
    match: Match[Any, Any] = Match(games.load("tora"), "december", seed="print")
    title = anna.go(f"/m/{import_match(server, anna, match)}?seat=usa").locator("#plan-title")
    expect(title).to_be_focused()
    expect(title).to_have_css("outline-style", "none")
    anna.page.keyboard.press("Escape")
    expect(title).to_have_css("outline-style", "none")
    anna.page.keyboard.press("Shift")
    expect(title).to_have_css("outline-style", "solid")


def test_choice_of_one_or_none_is_radios(visit: Visit, server: Server) -> None:
    anna = visit("", viewport=LAPTOP)
    match, seat = next(each for each in decisions("picket") if each[0].pending[each[1]].rule == "6.8.O")
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={seat}")
    none, rows = page.locator("#none"), page.locator("#answer [data-key] input")
    expect(page.locator("#take-all")).to_have_count(0)
    expect(page.locator("#answer .option input[type=checkbox]")).to_have_count(0)
    expect(none).to_be_checked()
    piece = page.locator(f"#board [data-key='{rows.first.get_attribute('value')}']").locator("visible=true").first
    piece.click()
    expect(rows.first).to_be_checked()
    expect(none).not_to_be_checked()
    piece.click()
    expect(none).to_be_checked()
    rows.last.click()
    none.click()
    expect(page.locator("#confirm")).to_have_text("Confirm: none")
    table = Table(page)
    before = table.look()["revision"]
    page.locator("#confirm").click()
    table.wait_past(before)


def test_list_of_all_phases_closes(visit: Visit, server: Server) -> None:
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"]
    page = join_seat(visit(viewport=LAPTOP), place).page
    button, phases = page.get_by_role("button", name="phases of the turn"), page.locator("#all-phases")
    for key in ("Escape", None):
        button.click()
        expect(phases).to_be_visible()
        if key:
            page.keyboard.press(key)
        else:
            page.mouse.click(400, 700)
        expect(phases).to_be_hidden()
