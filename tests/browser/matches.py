"""Matches created in browsers, or played to a position by programs."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page
from tests.browser.match_page import InputMethod, Table
from tests.browser.visitors import PATIENCE, Visitor
from tests.server.running import Server

from readyroom import Match, bots
from readyroom.cli.records.verify import proof
from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.web.client import RemoteSeat, decision_of
from readyroom.web.pages.players.profile import COOKIE

GAME = "midway"
PAUSE = 20
"""Milliseconds between two checks of tables without a pending decision."""


def set_up(
    host: Visitor,
    seats: Mapping[str, str],
    options: Mapping[str, str] | None = None,
    listed: bool = False,
    game: str = GAME,
    scenario: str = "",
) -> str:
    """Create a match by the form and return its address. Seats have the form's values: "me", "bot:doctrine"."""
    page = host.go(f"/new?game={game}")
    if scenario:
        _choose_option(page, page.locator(f"[name='scenario'][value='{scenario}']"))
    if options:
        page.locator("details.options > summary").click()
    for key, choice in (options or {}).items():
        _choose_option(page, page.locator(f"[name='option-{key}'][value='{choice}']"))
    for seat, who in seats.items():
        page.locator(f"#seat-{seat}").select_option(who)
    if listed:
        page.get_by_label("Public").check()
    if (together := page.locator("[name='help']")).count():
        together.check()  # the players of tests use hints
    host.press("Create match")
    page.wait_for_url("**/m/*")
    return page.url


def _choose_option(page: Page, choice: Locator) -> None:
    """Select a choice and wait for the seats that it gives."""
    if choice.is_checked():
        return
    page.locator("#seats").evaluate("(seats) => { seats.dataset.old = ''; }")
    choice.check()
    page.locator("#seats:not([data-old])").wait_for()


def link_to(page: Page, seat: str) -> str:
    """Return the invite link of a seat from the host's lobby."""
    return page.locator(f"#link-{seat}").input_value()


def join(guest: Visitor, link: str) -> None:
    """Open an invite link and join."""
    guest.go(link)
    guest.press("Join as")
    guest.page.wait_for_url("**/m/*")


def import_match(server: Server, visitor: Visitor, match: Match[Any, Any]) -> str:
    """Import a match whose seats are all the visitor's, who is a new player; return its id."""
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        player, session, _ = store.players.create("Umpire")
        imported = store.records.import_match(match.record(), player)
    visitor.context.add_cookies([{"name": COOKIE, "value": session, "url": server.url}])
    return imported


def played_by_bots(match: Match[Any, Any], stop: Callable[[Match[Any, Any]], bool]) -> Match[Any, Any]:
    """Return a match that its doctrine bots have continued until a condition holds."""
    players = {seat.key: bots.make_bot(match.game, "doctrine", seat.key, Random(5)) for seat in match.seats}
    while match.outcome is None and not stop(match):
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, players[seat](decision, partial(match.view, seat)))
    return match


def send_chat(page: Page, text: str, to: str) -> None:
    """Send a chat message to "all" or to the sender's "side"."""
    open_chat(page)
    page.get_by_label("Message", exact=True).fill(text)
    if to != "all" or page.locator("#say-to").is_visible():
        page.locator("#say-to").select_option(to)
    page.get_by_role("button", name="Send").click()
    page.locator("#said").get_by_text(text).wait_for()


def open_menu(page: Page) -> None:
    """Open the menu of a match."""
    if page.locator("#menu").is_hidden():
        page.locator("#menu-button").click()


def open_chat(page: Page) -> None:
    """Open the docked chat."""
    if not page.locator("#dock[open]").count():
        page.locator("#dock > summary").click()


def duel(server: Server, host: Visitor, guest: Visitor) -> tuple[Table, Table]:
    """Start a match between two players, the first for the United States and the second for Japan."""
    places = create_match(server, {"usa": "friend", "japan": "friend"})
    for visitor, seat in ((host, "usa"), (guest, "japan")):
        assert visitor.send_form(f"/s/{places[seat].secret}").ok
    for visitor in (host, guest):
        visitor.go(f"/m/{places['usa'].match}")
    return Table(host.page), Table(guest.page)


def in_turns(tables: Sequence[Table], most: int = 200) -> Iterator[Table]:
    """Let the pending players answer one after the other; yield the table that has answered."""
    for _ in range(most):
        table = table_to_decide(tables)
        if table is None:
            return
        table.answer()
        yield table
    raise AssertionError(f"more than {most} answers")


def table_to_decide(tables: Sequence[Table]) -> Table | None:
    """Wait until a table has a pending decision and return it; None when the match is over."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        for table in tables:
            look = table.look()
            if look["over"]:
                return None
            if look["asks"]:
                return table
        tables[0].page.wait_for_timeout(PAUSE)
    raise AssertionError(f"no decision is pending: {[table.look() for table in tables]}")


def verified_outcome(server: Server, match: str) -> tuple[str, set[str]]:
    """Verify the store's record of a match; return the title of its outcome and the bots that played."""
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        facts = proof(store.records.text(match))
        players = {seat.bot for seat in store.listings.summary(match).seats if seat.bot}
    assert facts["verifies"], facts["sentence"]
    return facts["outcome"]["title"], players


# -- API ---------------------------------------------------------------------------------------------------------------


def create_match(
    server: Server, seats: Mapping[str, str], options: Mapping[str, str] | None = None, **data: str
) -> dict[str, RemoteSeat]:
    """Create a match by the API, of `game` and `scenario`; return the seats that the program controls."""
    return RemoteSeat.opened(
        server.url, {"game": GAME, "help": True, "seats": dict(seats), "options": dict(options or {})} | data
    )


def join_seat(visitor: Visitor, place: RemoteSeat, hand: InputMethod | None = None) -> Table:
    """Return a visitor's table after they have joined a program's seat."""
    assert visitor.send_form(f"/s/{place.secret}").ok
    visitor.go(f"/m/{place.match}")
    return Table(visitor.page, hand)


def share_seat(visitor: Visitor, place: RemoteSeat, seat: str) -> RemoteSeat:
    """Return the seat of a link that its player created to share it."""
    made = visitor.send_form(f"/m/{place.match}/link", seat=seat)
    match = re.search(r"/s/([\w-]{43})", made.text())
    assert match is not None, made.status
    return RemoteSeat(place.server, place.match, match[1])


Condition = Callable[[RemoteSeat, dict[str, Any]], bool]
Chooser = Callable[[RemoteSeat, dict[str, Any]], Sequence[str]]


def at_random(seed: int) -> Chooser:
    """Return a chooser of random answers."""
    random = Random(seed)
    return lambda _, pending: decision_of(pending).sample(random)


def by_hints(visitor: Visitor) -> Chooser:
    """Return a chooser that follows the bot's hints."""

    def hint(place: RemoteSeat, pending: dict[str, Any]) -> list[str]:
        data = visitor.context.request.get(f"/m/{place.match}/advice?seat={pending['seat']}").json()
        keys: list[str] = data["keys"]
        return keys

    return hint


def play_until(
    places: Sequence[RemoteSeat], until: Condition, choose: Chooser | None = None, most: int = 1000
) -> dict[str, Any]:
    """Let programs answer, at random by default, until a condition holds; return the status then."""
    choose = choose or at_random(most)
    for _ in range(most):
        for place in places:
            seen = place.fetch()
            if seen["outcome"] is not None or until(place, seen):
                return seen
            if seen["pending"] is not None:
                place.answer(choose(place, seen["pending"]), seen["pending"]["revision"])
                break
        else:
            time.sleep(PAUSE / 1000)
    raise AssertionError(f"condition not met after {most} answers")


def start_vote(server: Server, visitor: Visitor) -> Table:
    """Return a visitor's table when their seats vote, each for one of several options."""
    own, others = ("enterprise", "hornet", "yorktown"), ("hiryu", "soryu", "akagi", "kaga")
    who = dict.fromkeys(own, "me") | dict.fromkeys(others, "bot:doctrine")
    places = create_match(server, who, {"seats": "groups"})
    for place in places.values():
        assert visitor.send_form(f"/s/{place.secret}").ok
    voters = list(places.values())
    seen = play_until(voters, _votes, by_hints(visitor))
    assert seen["outcome"] is None
    visitor.go(f"/m/{voters[0].match}")
    return Table(visitor.page)


def _votes(_: RemoteSeat, seen: dict[str, Any]) -> bool:
    asked = seen["pending"]
    return asked is not None and asked["kind"] == "one" and len(asked["options"]) > 1


def values_of_key(data: Any, name: str = "key") -> set[str]:
    """Return all values of a key in nested data."""
    if isinstance(data, Mapping):
        own = {data[name]} if isinstance(data.get(name), str) else set()
        return own.union(*(values_of_key(value, name) for value in data.values()))
    if isinstance(data, list):
        return set().union(*(values_of_key(value, name) for value in data))
    return set()


def public_keys(server: Server, match: str) -> set[str]:
    """Return the keys of all public pieces, from a spectator's view."""
    return values_of_key(RemoteSeat(server.url, match).fetch(view=True)["view"])


def visible_keys(page: Page, keys: set[str]) -> set[str]:
    """Return the keys that occur anywhere in a page."""
    content = page.content()
    return {key for key in keys if re.search(rf"\b{re.escape(key)}\b", content)}
