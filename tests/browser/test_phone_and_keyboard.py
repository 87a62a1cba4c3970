"""Full matches on a phone and by keyboard alone."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import ArrowKeys, HintedMouse, InputMethod, Keyboard, Mouse, Table, Touch, UsageMonitor
from tests.browser.matches import (
    create_match,
    duel,
    import_match,
    join_seat,
    open_chat,
    open_menu,
    played_by_bots,
    send_chat,
    set_up,
    start_vote,
    verified_outcome,
)
from tests.browser.visitors import PHONE, Visitor
from tests.server.running import Server

from readyroom import Match, games
from readyroom.engine.text import capitalize_first

pytestmark = pytest.mark.slow

MAX_HEADER_HEIGHT = 72
"""The maximum height of the match page's header on a phone, in pixels."""


def fits(page: Page) -> bool:
    """Return whether nothing extends beyond the right edge."""
    assert page.viewport_size is not None
    result: bool = page.evaluate(
        "(width) => document.scrollingElement.scrollWidth <= innerWidth && innerWidth === width",
        page.viewport_size["width"],
    )
    return result


def start_match(visitor: Visitor, hand: InputMethod) -> Table:
    """Start a match against a bot from the home page."""
    hand.open(visitor.go("/"), visitor.button("As United States").first)
    table = Table(visitor.page, hand)
    table.wait_for_decision()
    return table


def check_outcome(table: Table, server: Server) -> None:
    """Check that the page shows the outcome that the stored record has."""
    page = table.page
    title, bots = verified_outcome(server, table.match)
    title = capitalize_first(title)
    assert bots == {"guarded"}
    expect(page.locator(".strip-turn")).to_contain_text("Match over")
    expect(page.locator("#question")).to_have_text(title)
    expect(page.locator("#card .scores tbody tr")).to_have_count(2)
    table.hand.open(page, page.get_by_role("link", name="Replay", exact=True))
    expect(page.locator(".proof .pass")).to_contain_text("Verified")


@pytest.mark.torture(41)
def test_full_match_is_played_on_phone(visit: Visit, server: Server) -> None:
    anna, finger = visit("Lieutenant Commander Wade McClusky", **PHONE), Touch()
    witness = UsageMonitor(anna.page)
    table = start_match(anna, finger)
    for open_drawer in (True, False):
        finger.open(anna.page, anna.page.locator(".handle"))
        expect(anna.page.locator("#expanded")).to_be_checked(checked=open_drawer)

    def check_width(seen: dict[str, Any]) -> bool:
        assert fits(anna.page), f"too wide at: {seen['question']}"
        assert anna.page.locator(".top").evaluate("(head) => head.offsetHeight") < MAX_HEADER_HEIGHT
        return False

    last = table.play(check_width)
    assert last["over"]
    check_width(last)
    assert last["turn"] > 2
    assert finger.on_board > 50
    assert finger.on_board > finger.in_card
    check_outcome(table, server)
    assert fits(anna.page)
    assert set(witness.usage) == {"pointer: touch"}


@pytest.mark.torture(6)
def test_page_continues_by_itself_where_one_person_plays(visit: Visit, server: Server) -> None:
    anna = visit(continues="on")
    anna.go("/")
    anna.press("As Japan")
    table = Table(anna.page, HintedMouse())
    table.wait_for_decision()
    table.answer()  # landing fills the decks, so nothing can be spotted: the next question has no choice
    page = anna.page
    expect(page.locator("#note")).to_contain_text(re.compile(r"^Skipped: \w"))
    page.wait_for_function("() => document.querySelector('#answer') && !document.querySelector('[data-empty]')")
    assert table.look()["revision"] > 2
    page.keyboard.press("u")
    expect(page.locator("#card .noted")).to_contain_text("Decision taken back.")
    page.wait_for_function("() => document.querySelector('#answer') && !document.querySelector('[data-empty]')")
    assert table.look()["rule"] == "9.2", "the empty question was taken back, too"
    page.locator("#auto-continue").uncheck()
    table.confirm()
    page.locator("[data-empty]").wait_for()
    page.reload()
    page.wait_for_timeout(800)
    assert table.look()["options"] == ["continue"]
    page.locator("#auto-continue").check()
    page.wait_for_function("() => document.querySelector('#answer') && !document.querySelector('[data-empty]')")


@pytest.mark.torture(3)
def test_empty_questions_stay_where_several_people_play(visit: Visit, server: Server) -> None:
    places = create_match(server, {"japan": "me", "usa": "me"}, scenario="midway", seed="x1")
    anna = visit(continues="on")
    table = join_seat(anna, places["japan"])
    table.wait_for_decision()
    table.hand = HintedMouse()
    table.answer()
    anna.page.wait_for_timeout(800)
    assert anna.page.locator("#auto-continue").count() == 0
    assert table.look()["options"] == ["continue"]


@pytest.mark.torture(28)
def test_full_match_is_played_by_keyboard(visit: Visit, server: Server) -> None:
    anna, keys, arrows = visit(), Keyboard(), ArrowKeys()
    witness = UsageMonitor(anna.page)
    table = start_match(anna, keys)
    _choose_on_the_board(table)

    def check_focus(seen: dict[str, Any]) -> bool:
        assert anna.page.evaluate("document.activeElement.id") == "question"
        expect(anna.page.locator("#announcer")).to_contain_text(seen["question"])
        return False

    table.answer()
    table.play(lambda seen: check_focus(seen) or seen["turn"] > 2)
    _use_shortcuts(table)
    table.hand = arrows
    table.answer()
    last = table.play(check_focus)
    assert last["over"]
    assert anna.page.evaluate("document.activeElement.id") == "question"
    assert arrows.on_board > 50
    assert arrows.on_board > arrows.in_card
    check_outcome(table, server)
    assert witness.usage == []


def _choose_on_the_board(table: Table) -> None:
    """Move along the pieces and piles of the board."""
    page, keyboard = table.page, table.page.keyboard
    focused = "(({stack, key, place}) => stack || key || place || '')(document.activeElement.dataset)"
    keyboard.press("b")
    first = page.evaluate(focused)
    assert first
    assert set(first.split()) <= set(table.look()["options"])
    expect(page.locator("#tip")).to_be_visible()
    keyboard.press("ArrowUp")
    assert page.evaluate(focused) not in ("", first)
    keyboard.press("Escape")
    expect(page.locator("#tip")).to_be_hidden()
    _hold_enter(table)


def _hold_enter(table: Table) -> None:
    """With an empty selection the first Enter focuses the button and only the next presses it."""
    keyboard, before = table.page.keyboard, table.look()["revision"]
    for _ in range(3):
        keyboard.down("Enter")
    keyboard.up("Enter")
    expect(table.confirmation).to_be_focused()
    expect(table.page.locator("#announcer")).to_contain_text("Nothing selected")
    table.page.wait_for_timeout(200)
    assert table.look()["revision"] == before


def _use_shortcuts(table: Table) -> None:
    """Use the shortcuts: all, clear, hint, undo, log and help."""
    page, keyboard = table.page, table.page.keyboard
    keyboard.press("a")
    assert table.chosen()
    keyboard.press("c")
    assert not table.chosen()
    keyboard.press("s")
    expect(page.locator("#card .noted")).to_contain_text("It is selected")
    assert sorted(table.chosen()) == sorted(table.hint_keys())
    expect(page.locator("#hinted")).to_be_visible()
    if table.chosen():
        keyboard.press("c")
        expect(page.locator("#hinted")).to_be_hidden()
    keyboard.press("l")
    expect(page.locator("#log")).to_be_focused()
    keyboard.press("d")
    expect(page.locator("#question")).to_be_focused()
    keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    chosen = table.chosen()
    table.confirm()
    table.wait_for_decision()
    before = table.look()["revision"]
    keyboard.press("u")
    table.wait_past(before)
    expect(page.locator("#card .noted")).to_contain_text("Decision taken back")
    assert table.chosen() == chosen, "the answer is selected again"
    table.confirm()


def test_single_choice_by_keyboard_and_mouse(visit: Visit, server: Server) -> None:
    table = start_vote(server, visit("Anna"))
    for hand in (Keyboard(), Mouse()):
        table.hand = hand
        seen = table.wait_for_decision()
        assert seen["kind"] == "one"
        table.answer(seen["options"][-1:])
        assert table.look()["revision"] == seen["revision"] + 1


SEEN = """(selector) => {
  const bottom = document.querySelector('#card').getBoundingClientRect().top;
  const pieces = [...document.querySelectorAll(`#board ${selector}`)].filter((one) => one.getClientRects().length);
  const boxes = pieces.map((piece) => piece.getBoundingClientRect());
  return boxes.length > 0 && boxes.every((box) => box.top >= 0 && box.bottom <= bottom);
}"""
"""Whether all pieces of a kind are seen above the decision."""
SEEN_WHOLE = """(piece) => {
  const {top, bottom} = piece.getBoundingClientRect();
  const [strip, card] = ['.strip', '#card'].map((name) => document.querySelector(name).getBoundingClientRect());
  return top >= strip.bottom && bottom <= card.top;
}"""
"""Whether a piece is seen between the header and the decision."""


def test_match_opens_at_the_pieces_of_the_decision_on_a_phone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    match: Match[Any, Any] = Match(games.load("midway"), "midway", seed="1")
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat=japan")
    Table(page).wait_for_decision()
    page.wait_for_function(SEEN, arg=".bd-heap.can")
    assert page.evaluate(SEEN, ".bd-target"), "the carriers to land on are seen, too"


def test_few_choices_leave_the_board_in_view_on_a_phone_below_the_latest_log_line(visit: Visit, server: Server) -> None:
    anna = visit("", **PHONE)
    match: Match[Any, Any] = Match(games.load("picket"), "pringle", seed="7")
    played_by_bots(match, lambda one: one.pending["captain"].rule == "6.8.C")
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat=captain")
    Table(page).wait_for_decision()
    for piece in page.locator("#board .can").locator("visible=true").all():
        piece.evaluate("(piece) => piece.scrollIntoView({block: 'center'})")
        assert piece.evaluate(SEEN_WHOLE)
    latest = page.locator("#latest > summary")
    assert latest.evaluate("(line) => line.offsetHeight < 30 && line.offsetTop < question.getBoundingClientRect().top")
    latest.tap()
    expect(page.locator("#latest li").first).to_be_in_viewport()


def test_targets_are_scrolled_into_view_when_a_piece_is_picked_up(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    match: Match[Any, Any] = Match(games.load("midway"), "midway", seed="1")
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat=japan")
    Table(page).wait_for_decision()
    pile = page.locator("#board .bd-heap.can").locator("visible=true").first
    page.mouse.wheel(0, 400 - page.locator("#board .bd-heap.can").first.evaluate("() => innerHeight"))
    pile.scroll_into_view_if_needed()
    pile.tap()
    page.wait_for_function(SEEN, arg=".goal")
    asking = page.locator(".layer-panel:not([hidden])", has_text="target")
    expect(asking).to_contain_text("choose a target")
    page.locator("#board .goal").locator("visible=true").first.tap(position={"x": 12, "y": 20})
    expect(page.locator("#board .bd-copy")).to_have_count(1)
    expect(asking).to_have_count(0)
    page.locator("#board .bd-copy").tap()
    expect(asking).to_contain_text("choose another target")
    page.locator("#fold").click()
    expect(page.locator("#answer input[type=checkbox]:visible").nth(15)).to_be_in_viewport(ratio=1)
    page.locator("#answer input[type=checkbox]:visible").last.check()
    expect(asking).to_have_count(0)


def test_names_and_chat_button_do_not_overlap_on_a_phone(visit: Visit, server: Server) -> None:
    anna, ben = visit("Rear Admiral Frank Jack Fletcher", **PHONE), visit("Vice Admiral Nagumo Chuichi", **PHONE)
    duel(server, anna, ben)
    page = anna.page
    page.locator(".presence li:not(.is-me)").wait_for()
    button = page.locator("#dock > summary").bounding_box()
    assert button is not None
    for line in page.locator(".presence li:visible, .strip-turn, .track").all():
        box = line.bounding_box()
        assert box is not None
        is_below = box["y"] >= button["y"] + button["height"] - 0.5
        assert is_below or box["x"] + box["width"] <= button["x"]


NINE = """(list) => {
  const more = Array.from({ length: 7 }, () => list.lastElementChild.cloneNode(true));
  list.append(...more);
  const right = (at) => document.querySelector(at).getBoundingClientRect().right;
  const names = [...list.children].map((one) => one.querySelector(".side-name").getBoundingClientRect());
  const box = list.getBoundingClientRect();
  const shown = names.filter((name) => name.right <= box.right + 1 && name.bottom <= box.bottom + 1);
  return [shown.length, right(".menu-button") < document.querySelector("#dock").getBoundingClientRect().left];
}"""


@pytest.mark.parametrize("width", [1280, 1366])
def test_nine_names_are_whole_and_leave_room_for_the_menu(visit: Visit, server: Server, width: int) -> None:
    anna, ben = visit("Anna", viewport={"width": width, "height": 720}), visit("Frau Lehmann")
    duel(server, anna, ben)
    names = anna.page.locator("#presence")
    expect(names.locator("li:not(.is-me)")).to_have_count(1)
    assert names.evaluate(NINE) == [9, True]


WHOLE = "(box) => getComputedStyle(box).display == 'inline' || box.scrollWidth <= box.clientWidth"


def test_long_names_are_whole_and_chat_has_its_button_next_to_its_field(visit: Visit, server: Server) -> None:
    laptop = {"viewport": {"width": 1366, "height": 768}}
    anna, ben = visit("Yeoman Montgomery Jr", **laptop), visit("Ensign Shimizu Genji", **PHONE)
    duel(server, anna, ben)
    for page, other in ((anna.page, ben), (ben.page, anna)):
        person = page.locator(".presence li:not(.is-me)")
        expect(person.locator(".side-name")).to_have_text(other.name)
        expect(person.locator(".state")).to_contain_text("here")
        for cut in person.locator("span").all():
            assert cut.evaluate(WHOLE)
        open_chat(page)
        field, button = (page.locator(one).bounding_box() for one in ("#say-text", ".say .button"))
        assert field is not None
        assert button is not None
        assert button["x"] >= field["x"] + field["width"]
        assert abs(button["y"] + button["height"] / 2 - field["y"] - field["height"] / 2) < 3
    ben.go("/community")
    name = ben.page.locator(".who")
    assert name.evaluate(WHOLE)


def test_war_opens_with_its_map_on_a_phone_and_b_leads_back_to_the_board(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    page = anna.go(urlsplit(anna.send_form("/play", game="war", side="allies").url).path)
    Table(page).wait_for_decision()
    assert page.evaluate("scrollY") == 0
    page.evaluate(
        "for (const piece of document.querySelectorAll('#board [tabindex]')) piece.removeAttribute('tabindex')"
    )
    bottom = "document.querySelector('#board').getBoundingClientRect().bottom"
    page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
    assert page.evaluate(bottom) < 300
    page.keyboard.press("b")  # also on a board without pieces, as that of a summary
    page.wait_for_function(f"{bottom} > 300")


def test_strip_stays_in_view_on_a_phone_and_a_message_is_below_it(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna", **PHONE), visit("Ben")
    duel(server, anna, ben)
    send_chat(ben.page, "Good luck!", "all")
    page = anna.page
    note, strip = page.locator("#new-message"), page.locator(".strip")
    expect(note).to_contain_text("Good luck!")
    for scrolled in (0, 300):
        page.evaluate("(top) => scrollTo({top, behavior: 'instant'})", scrolled)
        boxes = strip.bounding_box(), note.bounding_box()
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["y"] >= 0
        assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]
    assert page.evaluate("document.querySelector('.strip').getBoundingClientRect().top") == 0


def test_replay_on_a_phone_has_the_board_first_and_one_row_of_controls(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    match: Match[Any, Any] = Match(games.load("picket"), "first-watch", seed="1")
    match = played_by_bots(match, lambda one: one.decision_count == 12)
    page = anna.go(f"/m/{import_match(server, anna, match)}/replay?at=6&seat=captain")
    board, decided = page.locator("#board").bounding_box(), page.locator(".decided:visible").bounding_box()
    assert board is not None
    assert decided is not None
    assert board["y"] < 150
    assert board["width"] > 360
    assert board["y"] + 400 < decided["y"] < 844 - decided["height"], "what was decided is below the board, in view"
    steps = [step.bounding_box() for step in page.locator(".steps .button").all()]
    assert len(steps) == 7
    assert len({round(step["y"]) for step in steps if step}) == 1, "the controls are in one row"
    assert all(step and step["width"] >= 36 and step["y"] + step["height"] <= 844 for step in steps)


def test_warning_on_a_phone_is_below_the_decision(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    set_up(anna, {"japan": "me", "usa": "bot:doctrine"})
    page = anna.page
    page.locator("#answer").wait_for()
    page.evaluate("Object.assign(document.querySelector('#trouble'), {textContent: 'Reconnecting …', hidden: false})")
    boxes = [page.locator(one).bounding_box() for one in ("#trouble", ".decision")]
    warning, decision = boxes
    assert warning is not None
    assert decision is not None
    assert warning["width"] == 390
    assert decision["y"] + decision["height"] <= warning["y"] + 1
    assert warning["y"] + warning["height"] <= 844


COVERED = """() => {
  const tip = document.querySelector('#tip-of-the-lesson').getBoundingClientRect();
  const all = [...document.querySelectorAll('#board :is(.about, .bd-label)')];
  const pieces = all.filter((one) => one.getClientRects().length);
  const isOver = ({left, right, top, bottom}) =>
    left < tip.right && right > tip.left && top < tip.bottom && bottom > tip.top;
  return pieces.length ? pieces.filter((piece) => isOver(piece.getBoundingClientRect())).length : null;
}"""
"""How many pieces and labels of the decision the bubble of a tutorial covers."""


def test_bubble_of_a_tutorial_covers_no_answers_on_a_phone(visit: Visit) -> None:
    learner = visit("", **PHONE)
    page = learner.go("/tutorial/tora")
    learner.press("Start tutorial")
    page.locator("#tip-of-the-lesson[open]").wait_for()
    page.wait_for_function(f"() => ({COVERED})() === 0")


@pytest.mark.torture(3)
def test_enter_after_a_click_confirms_and_after_a_key_presses_the_button(visit: Visit, server: Server) -> None:
    table = join_seat(visit("Anna"), create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    page, before = table.page, table.wait_for_decision()["revision"]
    page.locator("#take-all").click()
    chosen = table.chosen()
    page.locator("#clear").focus()
    page.keyboard.press("Enter")
    assert chosen
    assert not table.chosen(), "the button has been pressed with a key"
    page.locator("#take-all").click()
    expect(page.locator("#take-all")).to_be_focused()
    page.keyboard.press("Enter")
    table.wait_past(before)


UNCOVERED = """(selector) => {
  const button = document.querySelector(selector), {left, right, bottom} = button.getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, bottom - 3) === button;
}"""
"""Whether a button is seen down to its lower edge."""


@pytest.mark.parametrize("size", [(390, 844), (390, 664), (844, 390)], ids=str)
def test_undo_and_menu_are_in_view_on_a_phone(visit: Visit, server: Server, size: tuple[int, int]) -> None:
    anna = visit("Anna", **PHONE | {"viewport": {"width": size[0], "height": size[1]}})
    match: Match[Any, Any] = Match(games.load("midway"), "midway", seed="1")
    played_by_bots(match, lambda one: any(each.rule == "13.1" for each in one.pending.values()))
    [seat] = match.pending
    page = anna.go(f"/m/{import_match(server, anna, match)}?seat={seat}")
    Table(page).wait_for_decision()
    for button in ("#answer > .tools [id*=undo]", "#menu-button", "#confirm"):
        assert page.evaluate(UNCOVERED, button), button
    open_menu(page)
    page.get_by_role("button", name="Speed", exact=True).click()
    page.locator("#speed").select_option("fast")
    page.keyboard.press("Escape")
    assert page.evaluate(UNCOVERED, "#resign-button")
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
