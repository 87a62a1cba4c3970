"""Tests of cross-site requests, forged tokens, size and rate limits, and seat access."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from litestar import Request
from litestar.datastructures import Headers
from tests.store.playing import ANYONE
from tests.web.server import Browser, Site

from readyroom.web import security
from readyroom.web.pages.players.profile import COOKIE
from readyroom.web.security import NewPlayerLimit, TooMany, comes_from_elsewhere

FORMS = ("/play", "/new", "/me/name", "/me/notices", "/me/recovery", "/me/sign-out", "/me/scheme", "/me/import")


def changed_nothing(browser: Browser) -> bool:
    return COOKIE not in browser.cookies and ">Profile<" in browser.get("/").text


# -- cross-site requests ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FORMS)
def test_form_without_token_is_rejected(browser: Browser, path: str) -> None:
    browser.get("/me")
    for data in ({}, {"_csrf_token": ""}, {"_csrf_token": "x" * 128}, {"_csrf_token": "0" * 64}):
        assert browser.post(path, data={"game": "midway", **data}).status_code == 403
    assert changed_nothing(browser)


def test_token_of_another_server_is_rejected(browser: Browser, open_site: Callable[..., Site]) -> None:
    with open_site(secret="another").browser() as other:
        other.get("/me")
        forged = other.cookies["form"]
    browser.cookies.set("form", forged)
    assert browser.post("/me/name", data={"_csrf_token": forged, "name": "x"}).status_code == 403


def test_token_without_cookie_is_rejected(site: Site, browser: Browser) -> None:
    browser.get("/me")
    token = browser.cookies["form"]
    with site.browser() as other:
        assert other.post("/me/name", data={"_csrf_token": token, "name": "x"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "null"},
    ],
)
def test_cross_site_requests_are_rejected(browser: Browser, headers: dict[str, str]) -> None:
    answer = browser.form("/play", {"game": "midway"}, headers=headers)
    assert answer.status_code == 403
    assert changed_nothing(browser)
    response = browser.post("/api/v1/matches", json={"game": "midway"}, headers=headers)
    assert response.status_code == 403


def test_same_site_requests_are_accepted(site: Site, browser: Browser) -> None:
    for headers in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": site.url}, {"Origin": "null"}, {}):
        assert browser.form("/me/name", {"name": "Nimitz"}, headers=headers).status_code == 303


def test_fetch_site_header_precedes_origin() -> None:
    assert not comes_from_elsewhere(Headers({"sec-fetch-site": "same-origin", "origin": "null", "host": "x"}))
    assert not comes_from_elsewhere(Headers({"sec-fetch-site": "none", "host": "x"}))
    assert comes_from_elsewhere(Headers({"sec-fetch-site": "same-origin-ish", "host": "x"}))
    assert comes_from_elsewhere(Headers({"origin": "garbage", "host": "x"}))


def test_links_from_other_sites_work(browser: Browser) -> None:
    for path in ("/", "/new?game=midway"):
        assert browser.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_get_requests_change_nothing(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    link = browser.links(match)["usa"]
    before = site.store.listings.summary(match)
    for path in (
        link,
        f"/m/{match}",
        f"/m/{match}/begin",
        f"/m/{match}/take",
        f"/m/{match}/link",
        "/play",
        "/me/sign-out",
    ):
        friend.get(path)
        browser.get(path)
    assert site.store.listings.summary(match) == before
    assert COOKIE in browser.cookies


# -- size limits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/play", "/me/name", "/me/notices"])
def test_oversized_form_is_rejected(browser: Browser, path: str) -> None:
    page = browser.form(path, {"name": "x" * 70_000})
    assert page.status_code == 413
    assert f'name="_csrf_token" value="{browser.cookies["form"]}"' in page.text, "the form in its footer works"


def test_upload_form_has_a_higher_limit(browser: Browser) -> None:
    fits = browser.form("/new", {"game": "midway", "do": "open"}, files={"file": ("a.toml", b"x" * 1_500_000)})
    assert fits.status_code == 422
    large = browser.form("/new", {"game": "midway", "do": "open"}, files={"file": ("a.toml", b"x" * 3_000_000)})
    assert large.status_code == 413
    record = browser.form("/me/import", files={"record": ("a.jsonl", b"x" * 6_000_000)})
    assert record.status_code == 413


def test_uploaded_campaigns_and_players_of_a_tournament_have_limits(
    open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readyroom.web.security.UPLOADS", 1)
    site = open_site(rate=1000)
    with site.browser() as client:
        assert client.form("/campaigns/own", files={"files": ("a.toml", b"a = 1")}).status_code == 422
        refused = client.form("/campaigns/own", files={"files": ("a.toml", b"a = 1")})
        assert refused.status_code == 429
        assert "Limit reached: 1 uploaded campaigns an hour" in refused.text
        fields = {"title": "Cup", "game": "pearl", "places": "3", "days": "7", "plays": "on", "listed": "on"}
        cup = client.form("/tournaments/new", fields).headers["location"]
    for status in (303, 409):
        with site.browser() as other:
            assert other.form(f"{cup}/join", {"name": "Another"}).status_code == status
    found = site.store.tournaments.find(cup.split("/")[-1])
    assert len(found.entrants) == 2


def test_chunked_body_is_measured(browser: Browser) -> None:
    browser.get("/me")

    def drip() -> object:
        yield b"_csrf_token=" + browser.cookies["form"].encode() + b"&name="
        yield from (b"x" * 10_000 for _ in range(10))

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert browser.post("/me/name", content=drip(), headers=headers).status_code == 413  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=a", b"--a\r\nnonsense"),
        ("multipart/form-data; boundary=a", b"--a\r\nContent-Disposition: form-data\r\n\r\nx\r\n--a--"),
        ("multipart/form-data; boundary=" + "a" * 500, b"--a--"),
        ("application/x-www-form-urlencoded", b"%%%=%ff&&&="),
        ("application/x-www-form-urlencoded; charset=klingon", b"name=x"),
        ("application/json", b"{}"),
        ("text/plain", b"name=x"),
        ("nonsense", b"\x00"),
        ("", b""),
    ],
)
def test_malformed_form_is_rejected(browser: Browser, kind: str, body: bytes) -> None:
    browser.get("/me")
    token = browser.cookies["form"]
    for headers in ({"Content-Type": kind}, {"Content-Type": kind, "x-csrftoken": token}):
        answer = browser.post("/play", content=body, headers=headers)
        assert 400 <= answer.status_code < 500, answer.text


def test_too_many_parts_are_rejected(browser: Browser) -> None:
    browser.get("/me")
    parts = "".join(f'--a\r\nContent-Disposition: form-data; name="f{n}"\r\n\r\nx\r\n' for n in range(1200))
    headers = {"Content-Type": "multipart/form-data; boundary=a"}
    assert browser.post("/new", content=parts + "--a--\r\n", headers=headers).status_code in (400, 413)


@pytest.mark.parametrize("path", ["/new", "/me/import", "/m/none/answer"])
def test_too_many_fields_are_rejected_before_they_are_parsed(browser: Browser, path: str) -> None:
    browser.get("/me")
    headers = {"Content-Type": "Application/x-www-form-urlencoded; charset=utf-8"}
    with patch("litestar.connection.request.parse_url_encoded_form_data") as parse:
        refused = browser.post(path, content=b"a&" * security.FORM_FIELDS, headers=headers)
    assert refused.status_code == 413
    assert not parse.called


def test_unusual_requests_get_a_response(site: Site) -> None:
    place = httpx.URL(site.url)
    for raw in (
        b"GET /\x00 HTTP/1.1\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n",
    ):
        import socket

        with socket.create_connection((place.host, place.port or 80), timeout=5) as line:
            line.sendall(raw)
            status = int(line.recv(100).split()[1])
        assert 400 <= status < 500


# -- rate limits -----------------------------------------------------------------------------------------------------


def test_request_flood_is_limited(open_site: Callable[..., Site]) -> None:
    site = open_site(rate=30)
    with site.browser() as browser:
        statuses = [browser.get("/me").status_code for _ in range(40)]
        assert statuses[:30] == [200] * 30
        assert set(statuses[30:]) == {429}
        page = browser.get("/me")
        assert re.search(r"Wait \d+ seconds?, then try again", page.text)
        assert browser.get("/api/v1/games").json()["error"] == "TooManyRequestsException"
        assert browser.get("/static/site.css").status_code == 200
        for path in ("/health", "/health/live"):
            answer = browser.get(path)
            assert answer.status_code == 200
            assert "ratelimit-remaining" not in answer.headers


def test_flood_of_uncounted_requests_is_limited(
    open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "FLOOD_DELAY", 0.0)
    paths = ("/static/site.css", "/no-such-page", "/m/x/no-such-page", "/me/name", "/health", "/api/v1/nothing")
    with open_site(rate=3).browser() as browser:
        assert 429 not in {browser.get(path).status_code for path in paths}
        for _ in range(3):
            assert browser.get("/me").status_code == 200
        for path in paths:
            answer = browser.get(path)
            assert (answer.status_code, answer.text) == (429, "Too many requests. Wait a moment and try again.")
            assert 1 <= int(answer.headers["retry-after"]) <= 60
            assert answer.headers["x-content-type-options"] == "nosniff"


def test_client_has_few_requests_in_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "MOST_WAITING", 3)
    asyncio.run(_ask_at_once())


async def _ask_at_once() -> None:
    begun, go, sent = list[str](), asyncio.Event(), list[int]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        begun.append(scope["client"][0])
        await go.wait()

    async def send(message: Any) -> None:
        sent.append(message.get("status", 0))

    def ask(host: str, path: str = "/") -> asyncio.Task[None]:
        scope: Any = {"type": "http", "client": (host, 1), "path": path, "headers": []}
        return asyncio.create_task(turns(scope, None, send))  # type: ignore[arg-type]

    turns = security.ClientTurns(app, most=99, at_once=2)
    asked = [*(ask("192.0.2.1") for _ in range(5)), ask("192.0.2.2"), ask("192.0.2.1", "/m/x/events")]
    await asyncio.sleep(0)
    assert begun == ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1"]
    await ask("192.0.2.1")
    assert sent == [429, 0]
    asked[3].cancel()
    go.set()
    await asyncio.wait(asked)
    assert begun.count("192.0.2.1") == 5
    assert not turns._in_progress
    assert not turns._waiting


def test_backslashes_in_cookies_take_no_time(browser: Browser) -> None:
    began = time.monotonic()
    assert browser.get("/", headers={"Cookie": 'other="' + "\\" * 60_000 + '"'}).status_code == 200
    assert time.monotonic() - began < 2


def test_what_if_flood_is_limited(open_site: Callable[..., Site]) -> None:
    site = open_site(rate=1000)
    with site.browser() as browser:
        match = browser.begin(seat_japan="bot:doctrine", seat_usa="bot:doctrine")
        statuses = [browser.form(f"/m/{match}/what-if", {"at": "9999"}).status_code for _ in range(12)]
        assert 429 not in statuses[:10]
        assert statuses[10:] == [429, 429]
        assert "10 what-ifs and match reviews a minute" in browser.form(f"/m/{match}/review").text


def test_rolls_from_the_odds_count_as_new_matches(open_site: Callable[..., Site]) -> None:
    with open_site(rate=1000).browser() as browser:
        path = "/games/pearl/roll?question=harbor-carrier&level=7&targets=2&hex=2"
        statuses = [browser.form(path, {}).status_code for _ in range(31)]
    assert statuses == [303] * 30 + [429]


def test_limit_tells_when_to_try_again(open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    site, ahead = open_site(rate=5), 0.0
    monkeypatch.setattr(security, "monotonic", lambda: time.monotonic() + ahead)
    with site.browser() as browser:
        while (page := browser.get("/me")).status_code == 200:
            assert 0 < int(page.headers["ratelimit-reset"]) <= 60
        assert 1 <= int(page.headers["retry-after"]) <= 60
        ahead = 61.0
        assert browser.get("/me").status_code == 200


@pytest.mark.sample(1)
@pytest.mark.parametrize("years", [-10, 10])
def test_limit_survives_a_clock_that_jumps(
    open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch, years: int
) -> None:
    site, here = open_site(rate=5), time.time
    with site.browser() as browser:
        browser.get("/me")
        monkeypatch.setattr("litestar.middleware.rate_limit.time", lambda: here() + years * 31_557_600)
        while (page := browser.get("/me")).status_code == 200:
            assert 0 < int(page.headers["ratelimit-reset"]) <= 60
        assert 1 <= int(page.headers["retry-after"]) <= 60


def test_new_players_are_limited(open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "NEW_PLAYERS", 3)
    site = open_site(rate=1000)
    for _ in range(3):
        with site.browser() as browser:
            assert browser.form("/me/name", {"name": "Nimitz"}).status_code == 303
    with site.browser() as browser:
        for path in ("/me/name", "/me/notices", "/me/recovery", "/play", "/tutorial", "/me/import"):
            page = browser.form(path, {"name": "Nimitz", "game": "midway"})
            assert page.status_code == 429, path
            assert "3 new players came from your address within an hour" in page.text
            assert 3500 < int(page.headers["retry-after"]) <= 3600
        facts = browser.post("/api/v1/matches", json={"game": "midway"})
        assert facts.status_code == 429
        assert facts.json()["error"] == "TooMany"
        match = site.store.lobby.create(None, "midway", None, {}, {"usa": ANYONE, "japan": ANYONE}).id
        assert browser.post(f"/api/v1/matches/{match}/take", json={"seat": "usa"}).status_code == 429
    assert len(site.store.admin.players()) == 3


def test_hour_of_new_players_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    limit, at = NewPlayerLimit(2), 1000.0
    monkeypatch.setattr(security, "monotonic", lambda: at)
    request = Request[Any, Any, Any]({"type": "http", "client": ("192.0.2.1", 1), "headers": []})  # type: ignore[arg-type]
    limit.count(request)
    at += 1800
    limit.count(request)
    with pytest.raises(TooMany) as caught:
        limit.count(request)
    assert caught.value.headers == {"Retry-After": "1800"}
    at += 1801
    limit.count(request)
    limit.sweep()
    assert limit._made
    at += 3601
    limit.sweep()
    assert not limit._made


def test_event_streams_are_limited(open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "STREAMS", 3)
    site = open_site(rate=1000)
    with site.browser() as browser, ExitStack() as stack:
        match = browser.begin(seat_usa="friend")
        for path in (f"/m/{match}/events", f"/api/v1/matches/{match}/events", f"/m/{match}/events"):
            assert stack.enter_context(browser.stream("GET", path)).status_code == 200
        page = browser.get(f"/m/{match}/events")
        assert page.status_code == 429
        assert "You have 3 match pages open already. Close one of them." in page.text
        assert page.headers["retry-after"] == "30"
        monkeypatch.setattr(security, "ALL_STREAMS", 3)
        monkeypatch.setattr(security, "STREAMS", 99)
        assert "too many live connections" in browser.get(f"/api/v1/matches/{match}/events").json()["sentence"]
    deadline = time.monotonic() + 5
    with site.browser() as browser:
        while browser.stream("GET", f"/m/{match}/events").__enter__().status_code == 429:
            assert time.monotonic() < deadline, "closed streams no longer count"
            time.sleep(0.05)


# -- seats and secrets -----------------------------------------------------------------------------------------------


def test_answer_needs_own_seat(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="bot:doctrine")
    friend.form("/me/name", {"name": "Stranger"})
    before = site.store.listings.summary(match).revision
    answer = {"seat": "japan", "revision": str(before), "key": "none"}
    assert friend.form(f"/m/{match}/answer", answer).status_code == 403
    with site.browser() as stranger:
        assert stranger.form(f"/m/{match}/answer", answer).status_code == 403
    assert browser.form(f"/m/{match}/answer", {**answer, "seat": "usa"}).status_code == 403
    assert site.store.listings.summary(match).revision == before


def test_page_with_secret_is_not_cached(browser: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    link = browser.links(match)["usa"]
    for path in (f"/m/{match}", link, "/me", f"/me/recover/{'x' * 43}"):
        headers = browser.get(path, headers={"Accept-Encoding": "identity"}).headers
        assert headers["cache-control"] == "no-store", path
        assert headers["referrer-policy"] == "no-referrer", path
    for path in (link, "/me"):
        assert "content-encoding" not in browser.get(path).headers


def test_secrets_are_shown_only_where_created(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    secret = browser.links(match)["usa"].removeprefix("/s/")
    session = browser.cookies[COOKIE]
    pages = [browser.get(path).text for path in ("/", "/me", "/new")]
    pages += [friend.get(path).text for path in ("/", f"/m/{match}", f"/api/v1/matches/{match}")]
    assert all(secret not in page for page in pages)
    assert all(session not in page for page in [*pages, browser.get(f"/m/{match}").text])


def test_lobby_links_stay_in_the_lobby(browser: Browser) -> None:
    answer = browser.form("/new", {"game": "midway", "do": "open", "seat-usa": "friend"})
    cookie = next(text for text in answer.headers.get_list("set-cookie") if text.startswith("links="))
    assert f"Path={answer.headers['location']}" in cookie
    assert "HttpOnly" in cookie
    assert re.search(r"Max-Age=\d+", cookie)
