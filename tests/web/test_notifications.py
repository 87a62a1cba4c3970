"""Tests of notifications by webhook and mail: sent once, and only to inactive players."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope
from tests.web.server import Browser, Site

from readyroom.store import Player
from readyroom.store.base import PlayerEvent
from readyroom.web.live import notifications
from readyroom.web.live import open_pages as watchers_module
from readyroom.web.live.broadcast import channels
from readyroom.web.live.notifications import BadAddress, Notification, describe_event, public_address, send_hook
from readyroom.web.live.open_pages import OpenPages
from readyroom.web.live.presence import Presence
from readyroom.web.settings import Settings

MOMENT = 0.1


def soon(there: Callable[[], object], seconds: float = 5.0) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


class Hook:
    """A webhook receiver that responds with the given statuses, then with 204."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.statuses: list[int] = []
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.heard.append(json.loads(body))
                self.send_response(hook.statuses.pop(0) if hook.statuses else 204)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()


class Postbox:
    """A mail server that stores received messages."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.logins: list[Any] = []

        def check(*items: Any) -> AuthResult:
            self.logins.append((items[-1].login, items[-1].password))
            return AuthResult(success=items[-1].password == b"se cret")

        self.controller = Controller(
            self, hostname="127.0.0.1", port=_free_port(), authenticator=check, auth_require_tls=False
        )
        self.controller.start()
        self.url = f"smtp://house:se%20cret@127.0.0.1:{self.controller.port}"

    async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.mails.append(message)
        return "250 OK"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as place:
        return int(place.getsockname()[1])


@pytest.fixture
def hook() -> Iterator[Hook]:
    hook = Hook()
    yield hook
    hook.server.shutdown()


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    postbox = Postbox()
    yield postbox
    postbox.controller.stop()


@pytest.fixture
def quick(open_site: Callable[..., Site], postbox: Postbox) -> Site:
    """A server that sends notifications at once and permits plain HTTP."""
    site = open_site(
        hooks_anywhere=True, smtp=postbox.url, mail_from="Ready Room <house@example.org>", url="http://rr.example"
    )
    site.app.state.site.notifier.grace = site.app.state.site.notifier.live = MOMENT
    site.app.state.site.notifier.retries = (MOMENT, MOMENT)
    return site


@pytest.fixture
def host(quick: Site) -> Iterator[Browser]:
    with quick.browser() as client:
        client.form("/me/name", {"name": "Nagumo"})
        yield client


@pytest.fixture
def guest(quick: Site) -> Iterator[Browser]:
    with quick.browser() as client:
        client.form("/me/name", {"name": "Spruance"})
        yield client


def started(site: Site, host: Browser, guest: Browser) -> str:
    """Start a match between the two; Japan decides first."""
    match = host.begin(seat_japan="me", seat_usa="friend")
    guest.form(host.links(match)["usa"])
    soon(lambda: site.store.listings.summary(match).waiting == ("japan",))
    time.sleep(3 * MOMENT)
    return match


def answered(site: Site, match: str) -> None:
    """Answer for the waiting seat until another seat is waiting."""
    first = site.store.listings.summary(match).waiting
    while site.store.listings.summary(match).waiting == first:
        with site.store.matches.open(match) as live:
            decision = live.pending[first[0]]
            keys = decision.keys[: decision.at_least]
        site.store.matches.answer(match, first[0], keys, None)


def test_expiry_is_announced_to_players(
    quick: Site, guest: Browser, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    match = guest.begin(seat_usa="friend")
    with quick.browser() as idle:
        idle.form("/me/name", {"name": "Skua"})
        idle.form("/me/notices", {"hook": hook.url})
    monkeypatch.setattr("readyroom.store.admin.expiry.now", lambda: time.time() + 200 * 86400)
    quick.app.state.site.expire()
    soon(lambda: len(hook.heard) == 2)
    first, second = (heard["content"] for heard in hook.heard)
    assert re.fullmatch(rf".* will be deleted on \S+\. Open it to keep it\. http://rr\.example/m/{match}", first)
    assert re.fullmatch(r".* will be deleted on \S+\. Open your profile to keep them\. http://rr\.example/me", second)
    quick.app.state.site.expire()
    time.sleep(3 * MOMENT)
    assert len(hook.heard) == 2, "announced once"


def test_offer_and_order_of_a_campaign_are_notified_once(
    quick: Site, host: Browser, guest: Browser, hook: Hook
) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    fields = {"campaign": "long-war", "side-usa": "me", "side-japan": "friend"}
    room = host.form("/campaigns/new", fields).headers["location"]
    link = re.findall(r'value="[^"]*(/campaigns/join/[^"]+)"', host.get(room).text)[0]
    guest.form(link, {"name": "Spruance"})

    def heard() -> list[str]:
        return [one["content"] for one in hook.heard if "/campaigns/" in one["content"]]

    assert heard() == []
    host.form(f"{room}/offer", {"side": "usa", "kind": "skip"})
    soon(heard)
    assert heard() == [
        "Ready Room: your choice in a campaign: The Long War. Japan: accept or decline an offer to skip the chapter. "
        f"http://rr.example{room}"
    ]
    time.sleep(5 * MOMENT)
    assert len(heard()) == 1, "once"
    host.form(f"{room}/offer/answer", {"accept": "no"})
    time.sleep(5 * MOMENT)
    assert len(heard()) == 1, "nothing is due"


def test_players_of_a_tournament_hear_of_their_match_and_of_the_next_tournament(
    quick: Site, host: Browser, guest: Browser, hook: Hook
) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    fields = {"title": "Cup", "game": "midway midway", "kind": "knockout", "places": "3", "days": "7", "pace": "live"}
    room = host.form("/tournaments/new", {**fields, "plays": "yes"}).headers["location"]
    guest.form(f"{room}/join")
    with quick.browser() as third:
        third.form(f"{room}/join", {"name": "Skua"})
    cup = quick.store.tournaments.find(room.split("/")[-1])
    own = cup.seed_of(next(one.player for one in cup.entrants if one.name == "Spruance"))
    others = [one.player for one in cup.entrants if one.name != "Spruance"]
    if own == 1:  # a bye
        quick.store.tournaments.withdraw(cup.id, others.pop())

    def heard(word: str) -> list[str]:
        return [one["content"] for one in hook.heard if word in one["content"]]

    found = quick.store.tournaments.find(cup.id)
    match = next(one.match for one in found.pairings if own in one.players and one.match)
    soon(lambda: heard(match))
    text = "Ready Room: tournament: Your tournament match has begun: Midway, 4 June 1942, A Terrible Resolve."
    assert heard(match)[0].startswith(text)
    for player in others:
        quick.store.tournaments.withdraw(cup.id, player)
    assert quick.store.tournaments.find(cup.id).winners == ["Spruance"]
    again = host.form(f"{room}/again").headers["location"]
    soon(lambda: heard("invites you"))
    invitation = f"Ready Room: tournament: Nagumo invites you to play Cup again. http://rr.example{again}"
    assert heard("invites you") == [invitation]


@pytest.mark.slow(3)
def test_pending_player_is_notified_once(
    quick: Site, host: Browser, guest: Browser, hook: Hook, postbox: Postbox
) -> None:
    guest.form("/me/notices", {"hook": hook.url, "mail": "spruance@example.org"})
    match = started(quick, host, guest)
    assert hook.heard == []
    answered(quick, match)
    soon(lambda: hook.heard and postbox.mails)
    assert hook.heard == [
        {
            "content": f"Ready Room: your turn: United States: your turn in Midway, 4 June 1942, turn 1. http://rr.example/m/{match}",
            "allowed_mentions": {"parse": []},
        }
    ]
    mail = postbox.mails[0]
    assert mail["To"] == "spruance@example.org"
    assert mail["From"] == "Ready Room <house@example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert f"http://rr.example/m/{match}" in mail.get_content()
    assert postbox.logins == [(b"house", b"se cret")]

    quick.app.state.site.broadcaster(match, "moved", {})
    time.sleep(6 * MOMENT)
    assert len(hook.heard) == len(postbox.mails) == 1


def test_watching_player_is_not_notified(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    match = started(quick, host, guest)
    with guest.stream("GET", f"/m/{match}/events") as stream:
        lines = stream.iter_lines()
        assert next(lines)
        answered(quick, match)
        time.sleep(6 * MOMENT)
    time.sleep(6 * MOMENT)
    quick.app.state.site.broadcaster(match, "moved", {})
    time.sleep(6 * MOMENT)
    assert hook.heard == []


def test_player_who_closed_the_page_is_notified(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    match = started(quick, host, guest)
    with guest.stream("GET", f"/m/{match}/events") as stream:
        assert next(stream.iter_lines())
    watchers = quick.app.state.site.open_pages
    soon(lambda: not watchers.at(match), 30)
    answered(quick, match)
    soon(lambda: hook.heard)


def test_failed_notification_is_retried(
    quick: Site, host: Browser, guest: Browser, hook: Hook, caplog: pytest.LogCaptureFixture
) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    match = started(quick, host, guest)
    hook.statuses = [500, 302]
    answered(quick, match)
    soon(lambda: len(hook.heard) == 3)
    time.sleep(4 * MOMENT)
    assert len(hook.heard) == 3, "and a redirection is not followed"
    assert "the webhook answered 500" in caplog.text
    assert hook.url not in caplog.text


def test_silent_webhook_times_out(quick: Site, host: Browser, guest: Browser, caplog: pytest.LogCaptureFixture) -> None:
    guest.form("/me/notices", {"hook": f"http://127.0.0.1:{_free_port()}/x"})
    match = started(quick, host, guest)
    answered(quick, match)
    soon(lambda: caplog.text.count("send_hook to player") == 3)
    time.sleep(4 * MOMENT)
    assert caplog.text.count("send_hook to player") == 3


def test_only_subscribers_are_notified(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    guest.form("/me/notices", {"hook": ""})
    match = started(quick, host, guest)
    answered(quick, match)
    time.sleep(6 * MOMENT)
    assert hook.heard == []


# -- players who join, and rematches -----------------------------------------------------------------------------------


def test_host_is_notified_of_a_player_who_joins(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    host.form("/me/notices", {"hook": hook.url})
    match = host.begin(seat_japan="me", seat_usa="friend", pace="days")
    link = host.links(match)["usa"]
    quick.app.state.site.open_pages._last.clear()
    quick.app.state.site.notifier.grace = 30 * MOMENT  # the start is stored a little before the news of who joined
    guest.form(link)
    soon(lambda: hook.heard)
    assert hook.heard[0]["content"] == (
        "Ready Room: Spruance joins: Spruance plays United States in Midway, 4 June 1942. The match has started. "
        f"It is your turn. http://rr.example/m/{match}"
    )
    time.sleep(34 * MOMENT)
    assert len(hook.heard) == 1, "one notification for both"


def test_host_who_watches_the_lobby_is_not_notified(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    host.form("/me/notices", {"hook": hook.url})
    match = host.begin(seat_japan="me", seat_usa="friend")
    link = host.links(match)["usa"]
    with host.stream("GET", f"/m/{match}/events") as stream:
        lines = stream.iter_lines()
        assert next(lines)
        guest.form(link)
        time.sleep(4 * MOMENT)
    assert hook.heard == []


def test_of_several_who_join_a_lobby_the_first_is_notified_and_the_start(quick: Site) -> None:
    notifier = quick.app.state.site.notifier
    joined = PlayerEvent("joined", "m", "ben", frozenset({"anna"}), ("red",))
    assert [notifier._may_hear(joined, "anna") for _ in range(3)] == [True, False, False]
    assert notifier._may_hear(joined, "carl")
    assert notifier._may_hear(joined._replace(started=True), "anna")
    assert notifier._may_hear(joined._replace(kind="offered"), "anna")
    notifier.again = 0.0
    assert notifier._may_hear(joined, "anna")


def test_events_are_described(quick: Site, host: Browser, guest: Browser) -> None:
    match = host.begin(seat_japan="me", seat_usa="friend")
    summary = quick.store.listings.summary(match)
    nagumo = summary.host
    offered = PlayerEvent("offered", match, nagumo, frozenset())
    assert describe_event(offered, summary) == (
        "Ready Room: rematch",
        "Nagumo offers a rematch of Midway, 4 June 1942.",
    )
    assert describe_event(offered._replace(swap=True), summary)[1].endswith("1942, with sides swapped.")
    accepted = PlayerEvent("accepted", match, nagumo, frozenset(), ("japan",), started=True)
    assert describe_event(accepted, summary) == (
        "Ready Room: rematch accepted",
        "Nagumo plays Japan in the rematch of Midway, 4 June 1942. The match has started.",
    )
    joined = PlayerEvent("joined", match, "gone", frozenset(), ("japan",))
    assert describe_event(joined, summary, "Tern") == (
        "Ready Room: Tern joins",
        "Tern plays Japan in Midway, 4 June 1942. Not taken yet: United States.",
    )


def test_rematch_is_notified_by_push_mail_and_webhook(
    quick: Site, host: Browser, guest: Browser, hook: Hook, postbox: Postbox
) -> None:
    guest.form("/me/notices", {"hook": hook.url, "mail": "spruance@example.org"})
    match = started(quick, host, guest)
    summary = quick.store.listings.summary(match)
    (nagumo,), (spruance,) = ([player for player, _ in seat.players] for seat in summary.seats)
    quick.app.state.site.notifier.player_event(PlayerEvent("offered", match, nagumo, frozenset({spruance})))
    soon(lambda: hook.heard and postbox.mails)
    assert "Nagumo offers a rematch" in hook.heard[0]["content"]
    assert postbox.mails[0]["Subject"] == "Ready Room: rematch"


def test_draw_offer_and_resignation_are_notified(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    match = started(quick, host, guest)
    host.form(f"/m/{match}/draw", {"seat": "japan"})
    soon(lambda: len(hook.heard) == 1)
    host.form(f"/m/{match}/resign", {"seat": "japan"})
    soon(lambda: len(hook.heard) == 2)
    offered, resigned = (heard["content"] for heard in hook.heard)
    assert "draw offered: Midway, 4 June 1942: Japan offers a draw. Open the match to accept or decline." in offered
    assert "match decided: Midway, 4 June 1942: Japan has resigned." in resigned


def test_names_are_no_links_in_a_webhook(quick: Site, hook: Hook) -> None:
    word = Notification(
        Player("", "", hook=hook.url), "Ready Room: [here](https://evil.example) joins", "", "http://rr.example/m/x"
    )
    send_hook(word, quick.settings)
    content = hook.heard[0]["content"]
    assert "](" not in content
    assert content.count("://") == 1


# -- repeats and retries -----------------------------------------------------------------------------------------------


def back_and_forth(site: Site, host: Browser, guest: Browser, hook: Hook, **fields: str) -> str:
    """Start a match whose guest has just been notified of their turn."""
    guest.form("/me/notices", {"hook": hook.url})
    match = host.begin(seat_japan="me", seat_usa="friend", **fields)
    guest.form(host.links(match)["usa"])
    soon(lambda: site.store.listings.summary(match).waiting == ("japan",))
    time.sleep(3 * MOMENT)
    answered(site, match)
    soon(lambda: hook.heard)
    return match


def test_active_player_is_notified_of_next_decision(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    match = back_and_forth(quick, host, guest, hook)
    guest.get(f"/m/{match}")
    for _ in range(2):
        answered(quick, match)
    soon(lambda: len(hook.heard) == 2)


@pytest.mark.torture(3)
@pytest.mark.slow(2)
def test_absent_player_is_notified_again_later(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    notifications = quick.app.state.site.notifier
    notifications.again = 20 * MOMENT
    match = back_and_forth(quick, host, guest, hook)
    for _ in range(2):
        answered(quick, match)
    time.sleep(6 * MOMENT)
    assert len(hook.heard) == 1
    soon(lambda: len(hook.heard) == 2)


@pytest.mark.slow(2)
def test_delays_depend_on_the_match_speed(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    notifications = quick.app.state.site.notifier
    notifications.live, notifications.remind = 60.0, 8 * MOMENT
    guest.form("/me/notices", {"hook": hook.url})
    answered(quick, started(quick, host, guest))
    time.sleep(6 * MOMENT)
    assert hook.heard == []
    notifications.again = 0.0
    slow = back_and_forth(quick, host, guest, hook, pace="days")
    soon(lambda: len(hook.heard) == 2)
    time.sleep(12 * MOMENT)
    assert [data["content"].rpartition("/")[2] for data in hook.heard] == [slow, slow]


@pytest.mark.torture(3)
def test_idle_page_does_not_prevent_notification(
    quick: Site, host: Browser, guest: Browser, hook: Hook, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (watchers_module, notifications):
        monkeypatch.setattr(module, "LOOK", 20 * MOMENT)
    guest.form("/me/notices", {"hook": hook.url})
    match = started(quick, host, guest)
    with guest.stream("GET", f"/m/{match}/events") as stream:
        lines = stream.iter_lines()  # dropping it would close the page
        assert next(lines)
        answered(quick, match)
        time.sleep(3 * MOMENT)
        assert hook.heard == []
        soon(lambda: hook.heard)


def test_waiting_matches_are_checked_after_restart(quick: Site, host: Browser, guest: Browser, hook: Hook) -> None:
    guest.form("/me/notices", {"hook": hook.url})
    before = quick.app.state.site.notifier
    match = started(quick, host, guest)
    before.stop()
    answered(quick, match)
    assert quick.store.matches.to_notify(3600) == [match]
    assert quick.store.matches.to_notify(-1) == []
    after = notifications.Notifier(quick.settings, quick.store, OpenPages(), grace=MOMENT)
    after.live = after.after_start = MOMENT
    after.start()
    soon(lambda: hook.heard)
    after.stop()


# -- permitted addresses ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd00::1", "0.0.0.0"]
)
def test_name_of_private_address_is_not_called(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET

    def look_up(host: str, port: int, **_: object) -> list[Any]:
        return [(socket.AF_INET, 1, 6, "", ("93.184.216.34", port)), (family, 1, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(BadAddress, match="public internet"):
        public_address("hooks.example", 443)
    word = Notification(Player("p", "Nimitz", hook="https://hooks.example/x"), "t", "t", "l")
    with pytest.raises(BadAddress, match="public internet"):
        send_hook(word, Settings())


def test_checked_address_is_the_one_called(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[httpx.Request] = []
    monkeypatch.setattr(notifications, "public_address", lambda host, port: "93.184.216.34")

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(204)

    client = httpx.Client
    monkeypatch.setattr(httpx, "Client", lambda **more: client(transport=httpx.MockTransport(answer), **more))
    word = Notification(Player("p", "Nimitz", hook="https://hooks.example:8443/x?y=z"), "t", "t", "l")
    send_hook(word, Settings())
    assert str(asked[0].url) == "https://93.184.216.34:8443/x?y=z"
    assert asked[0].headers["host"] == "hooks.example:8443"
    assert asked[0].extensions["sni_hostname"] == "hooks.example"


# -- several processes -----------------------------------------------------------------------------------------------


def test_other_processes_report_viewers() -> None:
    async def ask() -> tuple[frozenset[str], frozenset[str]]:
        plugin, here, there = channels(None), OpenPages(), OpenPages()
        mine, other = Presence(plugin, here, MOMENT * 4), Presence(plugin, there)
        async with plugin:
            await mine.start()
            await other.start()
            with there.looking("m", "spruance"), here.looking("n", "nagumo"):
                seen = [frozenset(await asyncio.to_thread(mine, match)) for match in ("m", "x")]
            await mine.stop()
            await other.stop()
        return seen[0], seen[1]

    assert asyncio.run(ask()) == (frozenset({"spruance"}), frozenset())


def test_failing_listener_affects_no_other(
    quick: Site, host: Browser, guest: Browser, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = started(quick, host, guest)

    def fail(*_: object) -> None:
        raise OSError("the disk is on fire")

    monkeypatch.setattr(quick.store.players, "get_many", fail)
    caplog.set_level(logging.ERROR)
    answered(quick, match)
    soon(lambda: "cannot process notifications" in caplog.text)
