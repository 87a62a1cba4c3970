"""Two players with their own browsers, and spectators."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import (
    create_match,
    duel,
    in_turns,
    join,
    join_seat,
    link_to,
    open_chat,
    open_menu,
    public_keys,
    send_chat,
    set_up,
    share_seat,
    table_to_decide,
    values_of_key,
    visible_keys,
)
from tests.browser.visitors import MOVING, PHONE, Visitor
from tests.server.running import Server

from readyroom.web.client import RemoteSeat

pytestmark = pytest.mark.slow


@pytest.mark.torture(10)
def test_players_see_own_sides_and_spectator_neither(visit: Visit, server: Server) -> None:
    anna, ben, carl = visit("Anna", **MOVING), visit("Ben", **MOVING), visit(**MOVING)
    set_up(anna, {"usa": "me", "japan": "friend"})
    link = link_to(anna.page, "japan")
    join(ben, link)
    anna.page.locator(".strip").wait_for()
    usa, japan, watched = Table(anna.page), Table(ben.page), Table(carl.page)
    carl.go(urlsplit(anna.page.url).path)
    for page in (anna.page, ben.page, carl.page):
        page.evaluate("window.same = true")
    program_seat = share_seat(ben, RemoteSeat(server.url, usa.match), "japan")
    movers = set()
    for mover in in_turns([usa, japan]):
        movers.add(mover)
        if mover.look()["turn"] == 2:
            break
    watched.wait_past(0)
    assert movers == {usa, japan}
    assert watched.look() | {"asks": False} == watched.look()
    public = public_keys(server, usa.match)
    anna_page, ben_page = usa.pieces() - public, japan.pieces() - public
    assert len(anna_page) > 20
    assert len(ben_page) > 20
    assert ben_page <= values_of_key(program_seat.fetch(view=True)["view"])
    assert (
        visible_keys(anna.page, ben_page)
        == visible_keys(ben.page, anna_page)
        == visible_keys(carl.page, ben_page | anna_page)
        == set()
    )
    for page in (anna.page, ben.page, carl.page):
        assert page.evaluate("window.same"), "moves appear without a reload"


@pytest.mark.torture(6)
def test_undo_works_until_the_turn_passes(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    anna_page, ben_page = duel(server, anna, ben)
    undo = anna.button(re.compile("Undo"))
    while not undo.count():
        table = table_to_decide([anna_page, ben_page])
        assert table is not None
        decision = table.look()
        table.answer()
    before = anna_page.look()["revision"]
    undo.click()
    anna_page.wait_past(before)
    restored = anna_page.wait_for_decision()
    assert (restored["question"], restored["options"]) == (decision["question"], decision["options"])
    assert not ben_page.look()["asks"]


@pytest.mark.torture(3)
def test_bot_accepts_takeback_at_once(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    back, decision = anna.page.locator("[form=undo-by-request]"), list[str]()
    while not back.count():
        decision.append(table.wait_for_decision()["question"])
        table.answer()
        before = table.wait_for_decision()["revision"]
    back.click()
    table.wait_past(before)
    assert table.wait_for_decision()["question"] == decision[-1]


@pytest.mark.torture(10)
def test_unread_messages_are_counted_until_the_chat_is_open(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna", viewport={"width": 1366, "height": 600}), visit("Ben")
    usa, japan = duel(server, anna, ben)
    note, badge = anna.page.locator("#new-message"), anna.page.locator("#unread")
    players = anna.page.locator("#presence .is-here")
    expect(players).to_have_count(2)
    expect(badge).to_be_hidden()
    send_chat(ben.page, "Good hunting", "all")
    expect(note).to_have_text("Ben: Good hunting")
    expect(badge).to_have_text("1 unread")
    expect(anna.page).to_have_title(re.compile(r"^\(1\) "))
    assert not violations(anna.page)
    revision = usa.look()["revision"]
    for _ in in_turns([usa, japan]):
        if usa.look()["revision"] > revision:
            break
    expect(badge).to_have_text("1 unread")
    anna.page.reload()
    expect(badge).to_have_text("1 unread")
    send_chat(ben.page, "Hello", "all")
    expect(badge).to_have_text("2 unread")
    note.click()
    expect(note).to_be_hidden()
    expect(badge).to_be_hidden()
    expect(anna.page.locator("#say-text")).to_be_focused()
    assert not violations(anna.page)
    send_chat(ben.page, "Again", "all")
    anna.page.locator("#said").get_by_text("Again").wait_for()
    expect(note).to_be_hidden()
    anna.page.keyboard.press("Escape")
    expect(anna.page.locator("#dock[open]")).to_have_count(0)
    expect(anna.page).not_to_have_title(re.compile(r"^\("))
    ben.go("/")
    expect(players).to_have_count(1)


@pytest.mark.torture(5)
def test_players_see_typing_and_on_a_phone_the_newest_of_unread_messages(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna"), visit("Ben", **PHONE)
    duel(server, anna, ben)
    badge, chat, typing = (ben.page.locator(at) for at in ("#unread", "#dock > summary", "#typing"))
    messages = ben.page.locator("#said .message")
    expect(anna.page.locator("#presence .is-here")).to_have_count(2)
    chat.tap()
    open_chat(anna.page)
    expect(anna.page.locator(".log")).to_be_in_viewport(ratio=1)
    with anna.page.expect_request("**/typing") as sent:
        anna.page.locator("#say-text").press_sequentially("Secret")
    assert "Secret" not in str(sent.value.post_data)
    expect(typing).to_have_text("Anna is typing …")
    assert not violations(ben.page)
    expect(anna.page.locator("#typing")).to_be_empty()  # not of herself
    anna.page.keyboard.press("Enter")
    expect(messages).to_have_count(1)
    expect(typing).to_be_empty()
    chat.tap()
    for number in range(12):
        send_chat(anna.page, f"Message {number}", "all")
    expect(badge).to_have_text("12 unread")
    expect(ben.page).to_have_title(re.compile(r"^\(12\) "))
    chat.tap()
    expect(messages.last).to_be_in_viewport()
    expect(messages.first).not_to_be_in_viewport()
    expect(badge).to_be_hidden()
    expect(ben.page).not_to_have_title(re.compile(r"^\("))
    ben.go("/")
    expect(anna.page.locator("#presence .seen")).to_have_text("last seen just now")


def test_message_begun_while_the_last_is_sent_is_kept(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    duel(server, anna, visit("Ben"))
    open_chat(anna.page)
    text = anna.page.get_by_label("Message", exact=True)

    def begin_next(route: Route) -> None:
        text.fill("Second")
        route.continue_()

    text.fill("First")
    anna.page.route("**/say", begin_next)
    with anna.page.expect_response("**/say"):
        text.press("Enter")
    expect(anna.page.locator("#said .message-text")).to_have_text(["First"])
    expect(text).to_have_value("Second")
    text.press("End")
    anna.page.unroute("**/say")
    text.press("Enter")
    expect(anna.page.locator("#said .message-text")).to_have_text(["First", "Second"])
    expect(text).to_have_value("")


def test_own_messages_are_marked_and_never_unread(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    duel(server, anna, ben)
    other = anna.context.new_page()
    other.goto(anna.page.url)
    anna.page.locator("#dock > summary").click()
    expect(anna.page.locator("#say-text")).to_be_focused()
    expect(anna.page.locator("#say-to")).to_be_hidden()  # no one else is on this side
    anna.page.evaluate("localStorage.setItem = () => {}")  # as on another device
    send_chat(anna.page, "Hello", "all")
    expect(other.locator("#said .message")).to_have_class("message is-own")
    expect(other.locator("#unread")).to_be_hidden()
    expect(other.locator("#new-message")).to_be_hidden()
    expect(ben.page.locator("#unread")).to_have_text("1 unread")
    expect(ben.page.locator("#said .message")).to_have_class("message")
    expect(ben.page.locator("#said b")).to_have_class("side-usa side-name")


def test_letters_typed_after_opening_the_chat_are_no_shortcuts(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    table, _ = duel(server, anna, visit("Ben"))
    revision = table.look()["revision"]
    anna.page.locator("#dock > summary").click()
    expect(anna.page.locator("#say-text")).to_be_focused()
    anna.page.keyboard.type("lunch, you?")
    expect(anna.page.locator("#say-text")).to_have_value("lunch, you?")
    panel, card = (anna.page.locator(one).bounding_box() for one in (".dock-panel", "#card"))
    assert panel is not None
    assert card is not None
    assert card["y"] + card["height"] <= panel["y"], "the chat covers the decision"
    anna.page.locator("#dock > summary").focus()
    anna.page.keyboard.press("l")
    expect(anna.page.locator("#dock > summary")).to_be_focused()
    assert table.look()["revision"] == revision


@pytest.mark.torture(8)
def test_opponent_accepts_or_declines_takeback(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    anna_page, ben_page = duel(server, anna, ben)
    ask = anna.button("Request takeback")
    decision = _play_until(anna_page, ben_page, lambda: ask.count() > 0)
    before = [table.look()["revision"] for table in (anna_page, ben_page)]
    _request_takeback(anna, ben, "Decline")
    expect(ask).to_be_visible()
    expect(anna.page.locator("#new-message")).to_contain_text("Japan declines the takeback")
    assert [table.look()["revision"] for table in (anna_page, ben_page)] == before
    _request_takeback(anna, ben, "Accept")
    for table, revision in zip((anna_page, ben_page), before, strict=True):
        table.wait_past(revision)
    assert anna_page.wait_for_decision()["question"] == decision["question"]


def _request_takeback(anna: Visitor, ben: Visitor, answer: str) -> None:
    """One player requests a takeback and the other answers."""
    anna.press("Request takeback")
    anna_page, ben_page = (visitor.page.locator(".request") for visitor in (anna, ben))
    expect(anna_page).to_contain_text("Waiting for the other players.")
    expect(anna_page).to_be_focused()
    expect(ben_page).to_contain_text("requests a takeback to")
    ben.press(answer)
    expect(anna_page).to_have_count(0)
    expect(ben_page).to_have_count(0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_draw_is_declined_and_player_resigns(visit: Visit, server: Server, size: str) -> None:
    settings = PHONE if size == "phone" else {}
    anna, ben = visit("Anna", **settings), visit("Ben", **settings)
    duel(server, anna, ben)
    anna_offer, ben_offer = (visitor.page.locator("#draw") for visitor in (anna, ben))
    open_menu(anna.page)
    anna.press("Offer a draw")
    expect(anna.page.locator("#menu")).to_be_hidden()
    expect(anna_offer).to_contain_text("Waiting for the other players.")
    expect(ben_offer).to_contain_text("United States offers a draw.")
    ben.press("Decline")
    for offer in (anna_offer, ben_offer):
        expect(offer).to_have_count(0)
    expect(anna.page.locator("#offer-draw")).to_have_count(0)
    dialog = anna.page.locator("#resign")
    expect(dialog).to_be_hidden()
    open_menu(anna.page)
    anna.press("Resign")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("Victory for Japan. This match is not rated.")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    anna.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    anna.press("Resign")
    dialog.locator("#resign-now").click()
    for visitor in (anna, ben):
        expect(visitor.page.locator(".poster-title")).to_contain_text("Victory for Japan by resignation")
        expect(visitor.page.get_by_role("button", name="Rematch")).to_be_visible()
    expect(dialog).to_have_count(0)


def _play_until(anna_page: Table, ben_page: Table, condition: Callable[[], bool]) -> dict[str, Any]:
    """Let both answer until a condition holds while she waits; return her last decision."""
    decision = dict[str, Any]()
    for _ in in_turns([anna_page, ben_page]):
        table_to_decide([anna_page, ben_page])
        if decision and not anna_page.look()["asks"] and condition():
            return decision
        if anna_page.look()["asks"]:
            decision = anna_page.look()
    raise AssertionError("condition not met")


@pytest.mark.torture(6)
def test_chat_audience_and_private_notes(visit: Visit, server: Server) -> None:
    anna, ben, bea, carl = visit("Anna"), visit("Ben"), visit("Bea"), visit()
    places = create_match(server, {"usa": "friend", "japan": "friend"})
    for visitor, seat in ((anna, "usa"), (ben, "japan")):
        join_seat(visitor, places[seat])
    join_seat(bea, share_seat(ben, places["japan"], "japan"))
    carl.go(urlsplit(anna.page.url).path)
    messages = {who: visitor.page.locator("#said") for who, visitor in zip("abec", (anna, ben, bea, carl), strict=True)}
    send_chat(anna.page, "Good hunting", "all")
    for events in messages.values():
        expect(events).to_contain_text("Good hunting")
    send_chat(ben.page, "Their decks are full", "side")
    expect(messages["e"]).to_contain_text("Their decks are full")
    send_chat(ben.page, "Thank you", "all")
    for who in "ac":
        expect(messages[who]).to_contain_text("Thank you")
        expect(messages[who]).not_to_contain_text("Their decks are full")
    assert not carl.page.locator("#say-text").count()
    anna.page.keyboard.press("Escape")
    anna.page.locator("#notes > summary").click()
    anna.page.get_by_label("Private notes").fill("Strike the Akagi first")
    anna.press("Save")
    anna.page.reload()
    expect(anna.page.locator("#note-text")).to_have_value("Strike the Akagi first")
    for visitor in (ben, bea, carl):
        visitor.page.reload()
        assert "Strike the Akagi first" not in visitor.page.content()


@pytest.mark.torture(4)
def test_recovery_link_shows_matches_on_another_device(visit: Visit, server: Server) -> None:
    anna, tablet = visit("Anna"), visit()
    table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
    table.play(lambda seen: seen["revision"] > 0)
    where = urlsplit(anna.page.url).path
    anna.go("/me")
    anna.press("Create recovery link")
    tablet.go(anna.page.locator("#recovery").input_value())
    tablet.press("Sign in")
    tablet.page.locator(f"a[href='{where}']:not([aria-hidden])").click()
    table_there = Table(tablet.page)
    table_there.wait_for_decision()
    table_there.answer()
    assert table_there.look()["revision"] > 0


@pytest.mark.torture(4)
def test_open_seat_is_joined_from_the_home_page(visit: Visit) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    set_up(anna, {"usa": "me", "japan": "anyone"}, listed=True)
    ben.go("/")
    match = ben.page.locator(".match", has=ben.page.locator(f"a[href='{urlsplit(anna.page.url).path}']"))
    match.get_by_role("link", name="Join as Japan").click()
    ben.press("Join as Japan")
    anna.page.locator(".strip").wait_for()
    for table in in_turns([Table(anna.page), Table(ben.page)]):
        if table.page is ben.page:
            break


def test_invalid_link_and_foreign_seat_say_what_to_do(visit: Visit) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    set_up(anna, {"usa": "me", "japan": "friend"})
    old = link_to(anna.page, "japan")
    anna.press("New invite link")
    ben.ignore_problems("404")
    ben.go(old)
    expect(ben.page.get_by_role("link", name="Home")).to_be_visible()
    join(ben, link_to(anna.page, "japan"))
    ben.go(f"{urlsplit(anna.page.url).path}?seat=usa")
    expect(ben.page.locator(".note")).to_contain_text("is not yours")


HIDE = """(isHidden) => {
  Object.defineProperty(document, 'hidden', {configurable: true, get: () => isHidden});
  document.dispatchEvent(new Event('visibilitychange'));
}"""
"""Let a page believe that its tab is out of sight, or visible."""


@pytest.mark.torture(16)
def test_many_tabs_leave_connections_free_and_show_news(visit: Visit, server: Server) -> None:
    """A browser has six connections to a server, and each stream of events takes one."""
    anna, bert = visit("Anna"), visit("Bert")
    own, other = duel(server, anna, bert)
    hidden = []
    for _ in range(7):
        tab = anna.context.new_page()
        tab.clock.install()
        tab.goto(anna.page.url, wait_until="networkidle")  # with its stream
        tab.evaluate(HIDE, True)
        tab.clock.fast_forward(11_000)
        hidden.append(tab)
    anna.context.new_page().goto("/", timeout=5000)
    moving = own if own.page.locator("#answer").count() else other
    moved = f"() => document.querySelector('.strip').dataset.revision > {moving.look()['revision']}"
    moving.choose(moving.hint_keys())
    moving.hand.confirm(moving)
    anna.page.wait_for_function(moved)
    for tab in hidden:
        tab.clock.fast_forward(40_000)
        tab.wait_for_function(moved)
    hidden[-1].evaluate(HIDE, False)
    expect(hidden[-1].locator("#trouble")).to_be_hidden()


@pytest.mark.torture(60)
def test_page_that_missed_who_is_here_is_put_right(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    duel(server, anna, ben)
    page, asked = anna.page, list[str]()
    here, address = page.locator("#presence .is-here"), re.compile(r"/presence\b")
    expect(here).to_have_count(2)
    match = ben.page.url
    for path, count in (("about:blank", 1), (match, 2)):
        page.route(address, lambda route: route.fulfill(status=204))  # the update is lost
        with page.expect_response(address):
            ben.page.goto(path)
        page.unroute(address)
        expect(here).not_to_have_count(count, timeout=1)
        expect(here).to_have_count(count, timeout=16_000)
    for visitor in (anna, ben, anna):
        visitor.page.reload()
    ben.page.goto("about:blank")
    ben.page.goto(match)
    for visitor in (anna, ben):
        expect(visitor.page.locator("#presence .is-here")).to_have_count(2, timeout=16_000)
        expect(visitor.page.locator("#presence .is-choosing")).to_have_count(1)
    page.wait_for_timeout(5_000)
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(16_000)
    assert [url for url in asked if address.search(url)] == [], "pages ask only if something differs"
