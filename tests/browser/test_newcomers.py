"""New players: three clicks to a match, the tutorials, and a browser without scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Route, expect
from tests.browser.conftest import Visit
from tests.browser.match_page import Keyboard, Table
from tests.browser.visitors import MOVING

pytestmark = pytest.mark.slow

BOARD_TOP = "document.querySelector('#board').getBoundingClientRect().top"
HIGHLIGHTED = {"midway": 3, "tora": 2, "pearl": 4, "picket": 0, "doolittle": 1}
"""How many elements the first tip of each tutorial highlights on a desktop."""
FIRST_DECKS = {"Hornet DB": 4, "Yorktown DB": 4, "Enterprise DB": 3, "Enterprise F": 1}
"""The answer that the first tip suggests."""


def test_newcomer_plays_after_three_clicks(visit: Visit) -> None:
    newcomer = visit()
    clicks = ["As United States"]
    newcomer.go("/")
    for text in clicks:
        newcomer.press(text)
    table = Table(newcomer.page)
    seen = table.wait_for_decision()
    assert len(clicks) <= 3
    assert seen["asks"]
    table.answer()
    assert table.look()["revision"] > seen["revision"]


@pytest.mark.torture(5)
def test_tutorial_is_played_by_its_tips(visit: Visit) -> None:
    learner = visit(**MOVING)
    learner.go("/")
    learner.press("Try the tutorial.")
    learner.press("Start tutorial")
    table = Table(learner.page)
    tip = learner.page.locator("#tip-of-the-lesson")
    seen = table.wait_for_decision()
    while seen["turn"] == 1:
        assert "Suggestion:" in str(tip.text_content())
        table.answer(_suggested_keys(seen, FIRST_DECKS))
        seen = table.wait_for_decision()
    assert seen["turn"] == 2
    assert "Let them take off" in str(tip.text_content())
    for _ in range(3):
        learner.press("Select all") if learner.button("Select all").count() else None
        assert tip.is_visible()
        table.confirm()
        table.wait_for_decision()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "highlighted"), HIGHLIGHTED.items())
def test_every_tutorial_shows_suggests_and_pauses(visit: Visit, name: str, highlighted: int) -> None:
    learner = visit()
    page = learner.go("/")
    page.locator(f'[href="/tutorial/{name}"]').click()
    learner.press("Start tutorial")
    table, tip = Table(page), page.locator("#tip-of-the-lesson")
    expect(tip).to_contain_text("Goal:")
    seen, first = table.wait_for_decision(), tip.get_attribute("data-title")
    page.wait_for_function("(many) => document.querySelectorAll('.pointer').length === many", arg=highlighted)
    if page.locator("#select-suggested").count():
        while not page.locator("#select-suggested").is_visible():
            page.locator("#tip-next").click()
        learner.press("Select that")
        page.locator("#answer[data-filled]").wait_for()
        assert table.chosen()
        table.confirm()
    else:
        table.answer()
    assert table.wait_for_decision()["revision"] > seen["revision"]
    table.hand = Keyboard()
    while tip.get_attribute("data-title") == first:  # it was read
        assert tip.get_attribute("open") is None
        table.answer()
        table.wait_for_decision()
    page.locator("#tip-of-the-lesson[open]").wait_for()
    while page.locator("#tip-next").inner_text() == "Next":
        page.locator("#tip-next").click()
    place = page.evaluate(BOARD_TOP)
    learner.press("Got it")
    page.locator("#tip-of-the-lesson:not([open])").wait_for()
    assert page.evaluate(BOARD_TOP) == pytest.approx(place, abs=1), "the next drag begins on the same counter"
    page.wait_for_function("() => !document.querySelector('.pointer')")
    tip.locator("summary").first.click()
    learner.press("Pause tutorial")
    page.locator(".lesson-left").wait_for()
    learner.press("Resume tutorial")
    tip.wait_for()


def test_tip_waits_for_the_playback(visit: Visit) -> None:
    learner = visit(speed="normal", **MOVING)
    page = learner.go("/tutorial/war")
    learner.press("Start tutorial")
    tip = page.locator("#tip-of-the-lesson")
    page.locator("#board.is-playing").wait_for()
    expect(tip).to_be_hidden()
    expect(page.locator(".pointer")).to_have_count(0)
    page.locator("#skip-playback").click()
    expect(tip).to_be_visible()
    expect(page.locator(".pointer").first).to_be_visible()
    expect(page.locator("#tip-next")).to_be_in_viewport()


def _suggested_keys(seen: Mapping[str, list[str]], wanted: Mapping[str, int]) -> list[str]:
    """Return the first options of each name, this many of each."""
    named = list(zip(seen["options"], seen["texts"], strict=True))
    return [
        key
        for name, count in wanted.items()
        for key in [key for key, text in named if re.sub(r"\s+", " ", text).startswith(name)][:count]
    ]


def test_match_is_played_without_script(visit: Visit) -> None:
    guest = visit(java_script_enabled=False)
    guest.ignore_problems(r"/static/js/\w+/[\w/]+\.js: csp")  # so Chromium reports modules that it does not preload
    page = guest.go("/")
    guest.press("As United States")
    turn = page.locator(".track-turn")
    assert turn.inner_text() == "Turn 1"
    for _ in range(60):
        page.locator("#answer").wait_for()
        if turn.inner_text() != "Turn 1":
            break
        guest.press("Hint")
        assert "It is selected; press Confirm to play it." in page.locator("#card").inner_text()
        page.locator("#confirm").click()
    assert turn.inner_text() == "Turn 2"
    boxes = page.locator("#answer input[type=checkbox][value$='@usa-moving']")
    for box in boxes.all():
        box.check()
    guest.press("Confirm")
    guest.press("Undo")
    expect(page.locator("#answer")).to_have_count(1)


def test_tutorial_is_read_above_the_board_without_script(visit: Visit) -> None:
    guest = visit(java_script_enabled=False)
    guest.ignore_problems(r"/static/js/\w+/[\w/]+\.js: csp")
    page = guest.go("/tutorial/midway")
    guest.press("Start tutorial")
    tip, board = page.locator("#tip-of-the-lesson"), page.locator("#board")
    for part in tip.locator(".tip-page").all():
        expect(part).to_be_visible()
    above, below = tip.bounding_box(), board.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"]


def test_seat_chosen_while_the_seats_are_updated_is_kept(visit: Visit) -> None:
    page, held = visit("Anna").go("/new?game=midway"), list[Route]()
    page.route("**/new", lambda route: route.continue_() if held else held.append(route))
    page.locator("[name='scenario'][value='daybreak']").check()
    page.locator("#seats").evaluate("(seats) => { seats.dataset.old = ''; }")
    page.locator("#seat-usa").select_option("friend")
    page.wait_for_timeout(100)
    with suppress(Error):  # the page has given it up
        held[0].continue_()
    page.locator("#seats:not([data-old])").wait_for()
    expect(page.locator("#seat-usa")).to_have_value("friend")
