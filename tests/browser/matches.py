"""Matches as people begin them in their browsers, or as programs bring them to some moment quickly."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page
from tests.browser.tables import Hand, Table
from tests.browser.visitors import PATIENCE, Visitor
from tests.server.running import Server

from readyroom.cli.verify import proof
from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.web.client import RemoteSeat, decision_of

GAME = "midway"
PAUSE = 20
"""Milliseconds between two looks at tables where no one is asked."""


def set_up(
    host: Visitor,
    seats: Mapping[str, str],
    options: Mapping[str, str] | None = None,
    listed: bool = False,
    game: str = GAME,
    scenario: str = "",
) -> str:
    """A new match by the form; its address. Who sits where is told as the form tells it: "me", "bot:doctrine"."""
    page = host.go(f"/new?game={game}")
    if scenario:
        _changes_seats(page, page.locator(f"[name='scenario'][value='{scenario}']"))
    if options:
        page.locator("details.options > summary").click()
    for key, choice in (options or {}).items():
        _changes_seats(page, page.locator(f"[name='option-{key}'][value='{choice}']"))
    for seat, who in seats.items():
        page.locator(f"#seat-{seat}").select_option(who)
    if listed:
        page.get_by_label("Public").check()
    host.press("Create match")
    page.wait_for_url("**/m/*")
    return page.url


def _changes_seats(page: Page, choice: Locator) -> None:
    """Choose something of the form, and wait for the seats that it brings."""
    if choice.is_checked():
        return
    page.locator("#seats").evaluate("(seats) => { seats.dataset.old = ''; }")
    choice.check()
    page.locator("#seats:not([data-old])").wait_for()


def link_to(page: Page, seat: str) -> str:
    """The link to a seat that its host's lobby shows."""
    return page.locator(f"#link-{seat}").input_value()


def sits_down(guest: Visitor, link: str) -> None:
    """Follow a link to a seat and sit down there."""
    guest.go(link)
    guest.press("Join as")
    guest.page.wait_for_url("**/m/*")


def says(page: Page, text: str, to: str) -> None:
    """Send a chat message at the table, to "all" or to one's own "side"."""
    page.get_by_label("Message", exact=True).fill(text)
    page.get_by_label("To whom").select_option(to)
    page.get_by_role("button", name="Send").click()
    page.locator("#said").get_by_text(text).wait_for()


def duel(server: Server, host: Visitor, guest: Visitor) -> tuple[Table, Table]:
    """A match that has begun between two people, the first for the United States and the second for Japan."""
    places = laid(server, {"usa": "friend", "japan": "friend"})
    for visitor, seat in ((host, "usa"), (guest, "japan")):
        assert visitor.sends(f"/s/{places[seat].secret}").ok
    for visitor in (host, guest):
        visitor.go(f"/m/{places['usa'].match}")
    return Table(host.page), Table(guest.page)


def in_turns(tables: Sequence[Table], most: int = 200) -> Iterator[Table]:
    """Let those who are asked answer, one after the other; anyone who has just answered is told."""
    for _ in range(most):
        table = _asked(tables)
        if table is None:
            return
        table.answer()
        yield table
    raise AssertionError(f"it takes more than {most} answers")


def _asked(tables: Sequence[Table]) -> Table | None:
    """Whose page asks; None when the match is over."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        looks = [table.look() for table in tables]
        newest = max(look["revision"] for look in looks)
        for table, look in zip(tables, looks, strict=True):
            if look["revision"] < newest:
                continue
            if look["over"]:
                return None
            if look["asks"]:
                return table
        tables[0].page.wait_for_timeout(PAUSE)
    raise AssertionError(f"no one is asked: {[table.look() for table in tables]}")


def kept(server: Server, match: str) -> tuple[str, set[str]]:
    """What the store's own record of a match proves, and which bots sat there; the title of its outcome."""
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        facts = proof(store.record(match))
        bots = {seat.bot for seat in store.match_summary(match).seats if seat.bot}
    assert facts["verifies"], facts["sentence"]
    return facts["outcome"]["title"], bots


# -- by the interface for programs -----------------------------------------------------------------------------------


def laid(server: Server, seats: Mapping[str, str], options: Mapping[str, str] | None = None) -> dict[str, RemoteSeat]:
    """A new match, opened by a program, with the seats that it may speak for."""
    return RemoteSeat.opened(server.url, {"game": GAME, "seats": dict(seats), "options": dict(options or {})})


def visited(visitor: Visitor, place: RemoteSeat, hand: Hand | None = None) -> Table:
    """A visitor's table, once he has sat down on a seat that a program speaks for."""
    assert visitor.sends(f"/s/{place.secret}").ok
    visitor.go(f"/m/{place.match}")
    return Table(visitor.page, hand)


def shares(visitor: Visitor, place: RemoteSeat, seat: str) -> RemoteSeat:
    """The seat by a link that anyone who sits there has made to share it."""
    made = visitor.sends(f"/m/{place.match}/link", seat=seat)
    match = re.search(r"/s/([\w-]{43})", made.text())
    assert match is not None, made.status
    return RemoteSeat(place.server, place.match, match[1])


Moment = Callable[[RemoteSeat, dict[str, Any]], bool]
Chooser = Callable[[RemoteSeat, dict[str, Any]], Sequence[str]]


def at_random(seed: int) -> Chooser:
    """Answers without any thought."""
    random = Random(seed)
    return lambda _, pending: decision_of(pending).sample(random)


def by_the_book(visitor: Visitor) -> Chooser:
    """Answers as the staff advises a visitor who sits there."""

    def advised(place: RemoteSeat, pending: dict[str, Any]) -> list[str]:
        data = visitor.context.request.get(f"/m/{place.match}/advice?seat={pending['seat']}").json()
        keys: list[str] = data["keys"]
        return keys

    return advised


def go_on(
    places: Sequence[RemoteSeat], until: Moment, choose: Chooser | None = None, most: int = 1000
) -> dict[str, Any]:
    """Let programs answer, at random if nothing else is said, until a moment has come; how it stands then."""
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
    raise AssertionError(f"after {most} answers that has not come")


def at_a_vote(server: Server, visitor: Visitor) -> Table:
    """Someone's table at the moment when his seats vote, each for one of several things."""
    own, others = ("enterprise", "hornet", "yorktown"), ("hiryu", "soryu", "akagi", "kaga")
    who = dict.fromkeys(own, "me") | dict.fromkeys(others, "bot:doctrine")
    places = laid(server, who, {"seats": "groups"})
    for place in places.values():
        assert visitor.sends(f"/s/{place.secret}").ok
    voters = list(places.values())
    seen = go_on(
        voters, lambda _, told: told["pending"] is not None and told["pending"]["kind"] == "one", by_the_book(visitor)
    )
    assert seen["outcome"] is None
    visitor.go(f"/m/{voters[0].match}")
    return Table(visitor.page)


def _votes(_: RemoteSeat, seen: dict[str, Any]) -> bool:
    return seen["pending"] is not None and seen["pending"]["kind"] == "one"


def everywhere(data: Any, name: str = "key") -> set[str]:
    """All that stands under a name in plain data, however deep."""
    if isinstance(data, Mapping):
        own = {data[name]} if isinstance(data.get(name), str) else set()
        return own.union(*(everywhere(value, name) for value in data.values()))
    if isinstance(data, list):
        return set().union(*(everywhere(value, name) for value in data))
    return set()


def known_to_all(server: Server, match: str) -> set[str]:
    """The keys of all that everybody may see, as the server tells a program that has no seat."""
    return everywhere(RemoteSeat(server.url, match).fetch(view=True)["view"])


def shown(page: Page, keys: set[str]) -> set[str]:
    """Those of the keys that stand anywhere in a page."""
    content = page.content()
    return {key for key in keys if re.search(rf"\b{re.escape(key)}\b", content)}
