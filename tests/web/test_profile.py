"""Tests of players: names, sessions, recovery links, notifications and imported matches."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from tests.web.server import Browser, Site

from readyroom.store import Player
from readyroom.web.devices import describe_device
from readyroom.web.jobs import client_jobs, tasks
from readyroom.web.live.broadcast import BEAT
from readyroom.web.live.open_pages import LOOK, OpenPages
from readyroom.web.pages.players.profile import BIRDS, COOKIE, RANKS, random_name

RECORDS = Path(__file__).parents[1] / "records"


def name_on(browser: Browser) -> str:
    match = re.search(r'class="who" href="/me"[^>]*>([^<]+)<', browser.get("/").text)
    assert match is not None
    return match[1]


def recovery_of(browser: Browser) -> str:
    page = browser.form("/me/recovery")
    assert page.status_code == 201
    match = re.search(r'id="recovery" value="http://[^/]+(/me/recover/[\w-]{43})"', page.text)
    assert match is not None
    return match[1]


def test_viewing_creates_no_player(browser: Browser) -> None:
    for path in ("/", "/new", "/me"):
        assert COOKIE not in browser.get(path).cookies
    assert name_on(browser) == "Profile"


def test_new_player_gets_a_random_name_and_can_change_it(browser: Browser) -> None:
    answer = browser.form("/play", {"game": "midway", "side": "usa"})
    cookie = next(text for text in answer.headers.get_list("set-cookie") if text.startswith(f"{COOKIE}="))
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    first = name_on(browser)
    rank, bird = first.split()
    assert rank in RANKS
    assert bird in BIRDS
    assert browser.form("/me/name", {"name": "  Raymond   Spruance "}).status_code == 303
    assert name_on(browser) == "Raymond Spruance"


def test_cookie_is_secure_on_https(open_site: Callable[..., Site]) -> None:
    site = open_site(url="https://games.example")
    with site.browser() as browser:
        cookies = browser.get("/me").headers.get_list("set-cookie")
        assert cookies
        assert all("Secure" in text for text in cookies)


@pytest.mark.parametrize(
    ("name", "wrong"), [("", "empty"), ("x" * 41, "at most 40"), ("a\x00b", "cannot be displayed")]
)
def test_invalid_name_is_explained(browser: Browser, name: str, wrong: str) -> None:
    browser.form("/me/name", {"name": "Nimitz"})
    answer = browser.form("/me/name", {"name": name})
    assert answer.status_code == 422
    assert wrong in answer.text
    assert 'aria-invalid="true" autofocus' in answer.text


def test_names_are_escaped(browser: Browser) -> None:
    browser.form("/me/name", {"name": "<b>Halsey</b> & Co"})
    page = browser.get("/").text
    assert "&lt;b&gt;Halsey&lt;/b&gt; &amp; Co" in page
    assert "<b>Halsey" not in page


def link_on(text: str) -> str:
    """Return the path of the recovery link that a page shows."""
    match = re.search(r'id="recovery" value="http://[^/]+(/me/recover/[\w-]{43})"', text)
    assert match is not None
    return match[1]


def test_recovery_link_signs_in_another_device_once(site: Site, browser: Browser, friend: Browser) -> None:
    browser.form("/me/name", {"name": "Nimitz"})
    match = browser.begin(seat_usa="friend")
    link = recovery_of(browser)
    asked = friend.get(link)
    assert asked.status_code == 200
    assert asked.headers["cache-control"] == "no-store"
    assert asked.headers["referrer-policy"] == "no-referrer"
    assert name_on(friend) == "Profile", "looking at the link has done nothing"
    answer = friend.form(link)
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert name_on(friend) == "Nimitz"
    assert f"/m/{match}" in friend.get("/me").text
    assert name_on(browser) == "Nimitz"
    with site.browser() as thief:
        for refused in (thief.get(link), thief.form(link)):
            assert refused.status_code == 404
            assert "was used, or replaced" in refused.text
        assert thief.form(link_on(answer.text)).status_code == 201


def test_lost_response_to_a_recovery_link_locks_no_one_out(site: Site, browser: Browser, friend: Browser) -> None:
    browser.form("/me/name", {"name": "Nimitz"})
    link = recovery_of(browser)
    friend.get(link)
    first = friend.form(link)
    del friend.cookies[COOKIE]
    assert friend.get(link).status_code == 200
    again = friend.form(link)
    assert again.status_code == 201
    assert link_on(again.text) == link_on(first.text)
    assert name_on(friend) == "Nimitz"
    player = site.store.players.of_session(friend.cookies[COOKIE])
    assert player is not None
    assert len(site.store.players.devices(player.id)) == 2


def test_new_recovery_link_ends_old_link_and_other_devices(browser: Browser, friend: Browser) -> None:
    browser.form("/me/name", {"name": "Nimitz"})
    assert "signs out all other devices" in browser.get("/me").text
    old = recovery_of(browser)
    taken = link_on(friend.form(old).text)
    new = recovery_of(browser)
    assert name_on(friend) == "Profile"
    assert name_on(browser) == "Nimitz"
    for link in (old, taken):
        assert friend.form(link).status_code == 404
    assert friend.form(new).status_code == 201


def test_devices_are_listed_and_signed_out(site: Site, browser: Browser, friend: Browser) -> None:
    browser.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    friend.headers["User-Agent"] = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1"
    browser.form("/me/name", {"name": "Spruance"})
    link = link_on(friend.form(recovery_of(browser)).text)
    page = browser.get("/me").text
    assert re.search(r"Firefox on Linux</strong> <span class=\"tag\">this device", page)
    assert re.search(r"Safari on iPhone</strong>\s*<span class=\"muted\">since \d{4}-\d\d-\d\d, last used within", page)
    (key,) = re.findall(r'name="device" value="(\w+)"', page)
    with site.browser() as stranger:
        assert stranger.form("/me/devices", {"device": key}).status_code == 401
        stranger.form("/me/name", {"name": "Skua"})
        stranger.form("/me/devices", {"device": key})
    assert name_on(friend) == "Spruance"
    browser.form("/me/devices", {"device": key})
    assert name_on(friend) == "Profile"
    friend.form(link)
    assert name_on(friend) == "Spruance"
    assert "Sign out everywhere else" in browser.get("/me").text
    browser.form("/me/devices")
    assert name_on(friend) == "Profile"
    assert name_on(browser) == "Spruance"
    assert "Sign out everywhere else" not in browser.get("/me").text


def test_signing_out_and_leaving_close_streams(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="me", seat_japan="bot:doctrine")
    friend.form(recovery_of(browser))
    forms = "/me/devices", f"/m/{match}/leave", "/me/sign-out"
    for watcher, path in zip((friend, browser, browser), forms, strict=True):
        with watcher.stream("GET", f"/m/{match}/events", timeout=10) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: here"
            assert browser.form(path, {"seat": "usa"}).status_code == 303
            assert "event: seats" in list(lines), "the stream ends"


def test_signing_out_closes_no_streams_of_others(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="me", seat_japan="bot:doctrine")
    friend.form("/me/name", {"name": "Mallory"})
    with (
        browser.stream("GET", f"/m/{match}/events?seat=usa", timeout=10) as stream,
        friend.stream("GET", f"/m/{match}/events", timeout=10) as other,
    ):
        lines, others = stream.iter_lines(), other.iter_lines()
        assert next(lines) == next(others) == "event: here"
        friend.form("/me/devices")
        friend.form("/me/sign-out")
        browser.form(f"/m/{match}/say", {"seat": "usa", "to": "all", "text": "Still here"})
        events = takewhile(lambda line: line != "event: talk", lines)
        assert "event: seats" not in list(events)


def test_new_recovery_link_closes_the_streams_of_other_devices(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="me", seat_japan="bot:doctrine")
    friend.form(recovery_of(browser))
    with friend.stream("GET", f"/m/{match}/events?seat=usa", timeout=10) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: here"
        recovery_of(browser)
        assert "event: seats" in list(lines), "the stream ends"


def test_heartbeat_ends_the_stream_of_a_session_that_ended_elsewhere(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = browser.begin(seat_usa="me", seat_japan="bot:doctrine")
    with browser.stream("GET", f"/m/{match}/events?seat=usa", timeout=10) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: here"
        site.store.players.sign_out(browser.cookies[COOKIE])
        broadcaster = site.app.state.site.broadcaster
        for each in list(broadcaster._streams):
            broadcaster._loop.call_soon_threadsafe(each.put_nowait, BEAT)
        assert "event: seats" in list(lines), "the stream ends"


def test_session_cookie_slides_with_the_session(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    browser.form("/me/name", {"name": "Fletcher"})
    assert COOKIE not in browser.get("/").cookies
    ahead = time.time() + 2 * 3600
    monkeypatch.setattr("readyroom.store.accounts.players.now", lambda: ahead)
    cookie = next(text for text in browser.get("/").headers.get_list("set-cookie") if text.startswith(f"{COOKIE}="))
    assert f"Max-Age={90 * 24 * 3600}" in cookie
    assert COOKIE not in browser.get("/").cookies
    ahead += 2 * 3600
    cookies = [text for text in browser.form("/me/sign-out").headers.get_list("set-cookie") if COOKIE in text]
    assert len(cookies) == 1, "signing out is not undone by a renewed cookie"
    assert name_on(browser) == "Profile"


def test_expired_session_is_signed_out(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    browser.form("/me/name", {"name": "Fletcher"})
    ahead = time.time() + 91 * 24 * 3600
    monkeypatch.setattr("readyroom.store.accounts.players.now", lambda: ahead)
    assert name_on(browser) == "Profile"


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0.0.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) Version/17.5 Safari/605.1.15", "Safari on Mac"),
        ("python-httpx/0.28", "A program"),
        ("<script>", "Unknown browser"),
    ],
)
def test_device_is_named_in_plain_words(agent: str, device: str) -> None:
    assert describe_device(agent) == device


def test_expiring_match_is_marked_and_kept_by_its_player(
    site: Site, browser: Browser, friend: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = browser.begin(seat_usa="anyone", listed="on")
    with monkeypatch.context() as patch:
        patch.setattr("readyroom.store.admin.expiry.now", lambda: time.time() + 31 * 86400)
        site.app.state.site.expire()
    day = f"{site.store.listings.summary(match).expires:%Y-%m-%d}"
    for page in (friend.get("/"), browser.get("/")):
        assert f"Will be deleted on {day}" in page.text
    assert f"will be deleted on {day}" in friend.get(f"/m/{match}").text
    assert site.store.listings.summary(match).expires is not None
    assert "You have, so it stays" in browser.get(f"/m/{match}").text
    assert site.store.listings.summary(match).expires is None


def test_invalid_recovery_link_is_rejected_at_once(browser: Browser) -> None:
    page = browser.get("/me/recover/garbage")
    assert page.status_code == 404
    assert "recovery link" in page.text


def test_sign_out_ends_the_session(browser: Browser) -> None:
    browser.form("/me/name", {"name": "Fletcher"})
    session = browser.cookies[COOKIE]
    browser.form("/me/sign-out")
    assert COOKIE not in browser.cookies
    browser.cookies.set(COOKIE, session)
    assert name_on(browser) == "Profile"


def test_invalid_cookie_is_no_player(browser: Browser) -> None:
    for nonsense in ("x", "%00", "a" * 4000, "a=b", ".."):
        browser.cookies.set(COOKIE, nonsense)
        assert name_on(browser) == "Profile"


# -- notifications ---------------------------------------------------------------------------------------------------


LOOK_UP = socket.getaddrinfo


def names_of(*addresses: str) -> Callable[..., list[Any]]:
    """Return a name look-up that finds these addresses for all names but that of the server."""

    def look_up(host: str, port: int, *more: Any, **named: Any) -> list[Any]:
        if host == "127.0.0.1":
            return LOOK_UP(host, port, *more, **named)
        return [(socket.AF_INET, 1, 6, "", (address, port)) for address in addresses]

    return look_up


def test_notification_addresses_are_saved(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = "https://discord.com/api/webhooks/1/abc"
    monkeypatch.setattr(socket, "getaddrinfo", names_of("93.184.216.34"))
    assert browser.form("/me/notices", {"hook": hook, "mail": "nimitz@cincpac.example"}).status_code == 303
    page = browser.get("/me").text
    assert f'value="{hook}"' in page
    assert 'value="nimitz@cincpac.example"' in page
    monkeypatch.setattr(socket, "getaddrinfo", names_of())
    assert browser.form("/me/notices", {"hook": hook, "mail": ""}).status_code == 303, "it was checked before"


@pytest.mark.parametrize("addresses", [(), ("10.0.0.1",), ("93.184.216.34", "127.0.0.1")])
def test_webhook_name_that_is_not_public_is_refused(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...]
) -> None:
    """The answer does not show whether a name of the server's network exists."""
    monkeypatch.setattr(socket, "getaddrinfo", names_of(*addresses))
    answer = browser.form("/me/notices", {"hook": "https://hooks.example/x", "mail": ""})
    assert answer.status_code == 422
    assert "hooks.example cannot be found on the public internet. Check the address, or try again later." in answer.text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hook", "http://discord.com/x"),
        ("hook", "https://127.0.0.1/x"),
        ("hook", "https://[::1]/x"),
        ("hook", "https://10.1.2.3/x"),
        ("hook", "https://169.254.169.254/latest"),
        ("hook", "https://localhost/x"),
        ("hook", "https://db.internal/x"),
        ("hook", "file:///etc/passwd"),
        ("hook", "https://"),
        ("hook", "https://a b/x"),
        ("hook", "https://[/x"),
        ("hook", "https://x.example:99999/"),
        ("hook", "https://93.184.216.34:0/"),
        ("hook", "https://127.1/x"),
        ("hook", "https://0x7f.0.0.1/x"),
        ("hook", "https://localhost./x"),
        ("hook", "https://xn--zz/x"),
        ("mail", "nimitz"),
        ("mail", "nimitz@localhost"),
        ("mail", "a@b.example\r\nBcc: all@b.example"),
        ("mail", "a@b.example, c@d.example"),
    ],
)
def test_invalid_addresses_are_returned(browser: Browser, field: str, value: str) -> None:
    answer = browser.form("/me/notices", {"hook": "", "mail": "", field: value})
    assert answer.status_code == 422
    assert f'id="wrong-{field}"' in answer.text


# -- imported matches ------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def imports_are_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for imports however long the first worker takes to start."""
    monkeypatch.setattr(client_jobs, "AT_ONCE", 60.0)


def test_record_is_imported(browser: Browser) -> None:
    record = (RECORDS / "japan-sinks-all-three.jsonl").read_bytes()
    answer = browser.form("/me/import", files={"record": ("mine.jsonl", record)})
    assert answer.status_code == 303, answer.text
    assert browser.get(answer.headers["location"]).status_code == 200
    assert answer.headers["location"] in browser.get("/me").text


@pytest.mark.parametrize(
    ("content", "secret", "text"),
    [
        (b"no record", "", "Record is invalid at line 1"),
        (b"\xff\xfe", "", "not UTF-8 text"),
        (b"", "", "is invalid"),
        (b"x", "zz", "hexadecimal"),
    ],
)
def test_invalid_record_is_not_imported(browser: Browser, content: bytes, secret: str, text: str) -> None:
    answer = browser.form("/me/import", {"secret": secret}, files={"record": ("mine.jsonl", content)})
    assert answer.status_code == 422
    assert text in answer.text


def test_tampered_record_is_not_imported(browser: Browser) -> None:
    record = (RECORDS / "japan-sinks-all-three.jsonl").read_text().replace("hiryu", "soryu", 1)
    answer = browser.form("/me/import", files={"record": ("mine.jsonl", record.encode())})
    assert answer.status_code == 422


def test_record_above_a_limit_names_the_limit(browser: Browser) -> None:
    record = b"x" * 2_000_001
    answer = browser.form("/me/import", files={"record": ("mine.jsonl", record)})
    assert answer.status_code == 422
    assert "The record has 2,000,001 characters; the maximum is 2,000,000." in answer.text


@pytest.mark.slow(3)
def test_long_import_shows_its_progress(browser: Browser, friend: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_jobs, "AT_ONCE", 0.0)
    record = (RECORDS / "japan-sinks-all-three.jsonl").read_bytes()
    place = browser.form("/me/import", files={"record": ("mine.jsonl", record)}).headers["location"]
    assert place.startswith("/me/import/")
    assert friend.get(place).status_code == 404
    answer = browser.get(place)
    for _ in range(200):
        if answer.status_code == 303:
            break
        assert '<meta http-equiv="refresh"' in answer.text
        time.sleep(0.05)
        answer = browser.get(place)
    assert answer.headers["location"].startswith("/m/")
    assert browser.get(answer.headers["location"]).status_code == 200
    assert browser.get(place, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"


@pytest.mark.slow(3)
def test_import_can_be_cancelled(browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_jobs, "AT_ONCE", 0.0)
    monkeypatch.setattr(tasks, "read_import", read_forever)
    place = browser.form("/me/import", files={"record": ("mine.jsonl", b"anything")}).headers["location"]
    assert "Cancel" in browser.get(place).text
    assert browser.form(f"{place}/cancel").headers["location"] == place
    answer = browser.get(place)
    for _ in range(200):
        if answer.status_code == 422:
            break
        time.sleep(0.05)
        answer = browser.get(place)
    assert "The import was stopped." in answer.text


def read_forever(record: str, secret: bytes | None) -> None:
    time.sleep(60)


# -- random names and open pages -------------------------------------------------------------------------------------


def test_random_names_are_valid() -> None:
    assert all(3 < len(random_name()) <= 40 for _ in range(100))


def test_open_pages_are_counted() -> None:
    watchers, player = OpenPages(), Player("p", "Nimitz")
    with watchers.looking("m", player.id), watchers.looking("m", player.id):
        with watchers.looking("m", "other"):
            assert watchers.at("m") == {"p", "other"}
        assert watchers.at("m") == {"p"}
    assert watchers.at("m") == frozenset()


def test_page_counts_as_watched_after_an_action(monkeypatch: pytest.MonkeyPatch) -> None:
    watchers, now = OpenPages(), 1000.0
    monkeypatch.setattr("readyroom.web.live.open_pages.time.monotonic", lambda: now)
    with watchers.looking("m", "p"):
        now += LOOK + 1
        assert not watchers.at("m")
        assert watchers.open_at("m") == {"p"}
        watchers.seen("m", "p")
        assert watchers.at("m") == {"p"}
        now += LOOK + 1
    with watchers.looking("m", "p"):
        assert watchers.at("m") == frozenset(), "a page that has come back by itself"


def test_only_own_actions_count(site: Site, browser: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="bot:doctrine")
    player, watchers = site.store.listings.summary(match).host, site.app.state.site.open_pages
    assert not watchers.last(match, player)
    for path in ("table", "talk"):
        browser.get(f"/m/{match}/{path}")
    assert not watchers.last(match, player)
    browser.get(f"/m/{match}")
    first = watchers.last(match, player)
    assert first
    browser.form(f"/m/{match}/note", {"text": "x"})
    assert watchers.last(match, player) > first
