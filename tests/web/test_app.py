"""Tests of what all pages share: headers, static files, errors, settings and `readyroom serve`."""

from __future__ import annotations

import gzip
import logging
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from tests.web.server import Browser, Site

from readyroom.engine import errors as engine
from readyroom.store import SeatAssignment, Store
from readyroom.store import errors as store_errors
from readyroom.store.lobby.listings import Listings
from readyroom.store.secret_key import kept_secret
from readyroom.web import security
from readyroom.web.error_pages import TITLES, status_of
from readyroom.web.live.notifications import check_smtp
from readyroom.web.rendering import TEMPLATES
from readyroom.web.settings import BadSetting, Settings, unknown_settings
from readyroom.web.static_files import STATIC, game_file, static

PAGES = (
    "/",
    "/new",
    "/me",
    "/nowhere",
    "/m/nothere22222",
    "/s/wrong",
    "/static/mark.svg",
    "/service-worker.js",
    "/offline",
    "/ladder",
    "/opponents",
    "/api/v1/games",
    "/api/v1/x",
)
MOST_WIRE = 200_000


@pytest.mark.parametrize("path", PAGES)
def test_all_responses_have_security_headers(browser: Browser, path: str) -> None:
    headers = browser.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] in ("same-origin", "no-referrer")
    assert headers["cache-control"]


def test_files_that_are_no_documents_have_few_headers(browser: Browser) -> None:
    headers = browser.get("/static/site.css").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "content-security-policy" not in headers


@pytest.mark.parametrize("path", ["/", "/new", "/me", "/nowhere", "/ladder", "/opponents", "/offline"])
def test_pages_have_no_inline_or_external_code(browser: Browser, path: str) -> None:
    page = browser.get(path).text
    assert not re.search(r"<script(?![^>]*\bsrc=\"/static/)", page)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert not re.search(r"(src|href|action)=\"(https?:)?//", page)


def test_all_templates_compile() -> None:
    for name in TEMPLATES.list_templates(extensions=["html"]):
        TEMPLATES.get_template(name)


def test_fingerprinted_static_files_are_immutable(browser: Browser) -> None:
    named = browser.get(static("site.css"))
    assert "immutable" in named.headers["cache-control"]
    plain = browser.get("/static/site.css")
    assert plain.headers["cache-control"] == "no-cache"
    assert plain.headers["content-type"] == "text/css; charset=utf-8"
    again = browser.get("/static/site.css", headers={"If-None-Match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_script_address_has_hash_of_all_scripts(browser: Browser) -> None:
    page = browser.get("/").text
    (address,) = re.findall(r'<script type="module" src="([^"]+/app\.js)"', page)
    folder = address.removesuffix("app.js")
    assert f'<link rel="modulepreload" href="{folder}dom.js"' in page
    for name in ("app.js", "dom.js"):
        assert "immutable" in browser.get(f"{folder}{name}").headers["cache-control"]
        assert browser.get(f"/static/js/old/{name}").headers["cache-control"] == "no-cache"
    for name in ("nothing.js", "package.json"):
        assert browser.get(f"{folder}{name}").status_code == 404


def test_game_has_own_board_styles(browser: Browser) -> None:
    page = browser.get("/games/picket").text
    links = re.findall(r'<link rel="stylesheet" href="([^"]*board.css[^"]*)">', page)
    assert links == [static("board.css"), game_file("picket", "board.css")]
    assert all(".board" in browser.get(link).text for link in links), "packed twice"
    plain = {"Accept-Encoding": "identity"}
    own = browser.get(links[1], headers=plain)
    assert own.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in own.headers["cache-control"]
    assert ".pk-" in own.text
    assert ".pk-" not in browser.get(links[0], headers=plain).text
    shared = browser.get(game_file("war", "board.css")).text
    assert ".sw-" in shared
    assert ".pb-picture" in shared, "styles of both packages are joined"
    for path in ("midway/any/nothing.css", "nowhere/any/board.css", "picket/any/../board.svg.j2", "picket/any/"):
        assert browser.get(f"/static/games/{path}").status_code == 404


def test_scripts_of_a_game_import_those_of_the_server(browser: Browser) -> None:
    address = game_file("war", "effects.js")
    named = browser.get(address)
    assert named.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in named.headers["cache-control"]
    paths = re.findall(r'\bfrom ?"([^"]+)"', named.text)
    assert "./strategic.js" in paths, "its games' shared scripts are next to its own"
    for path in paths:
        response = browser.get(urljoin(address, path))
        assert response.status_code == 200, path
        assert "immutable" in response.headers["cache-control"], path
    assert browser.get("/static/games/war/old/effects.js").headers["cache-control"] == "no-cache"


def test_static_files_and_pages_are_compressed(browser: Browser) -> None:
    for path in ("/static/site.css", "/"):
        packed = browser.get(path)
        assert packed.headers["content-encoding"] == "gzip"
        plain = browser.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert len(plain.content) > packed.num_bytes_downloaded


def test_large_page_is_compressed_in_a_thread(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    threads, path = list[threading.Thread](), "/games/doolittle/charts"

    def noting(*args: Any, **kwargs: Any) -> bytes:
        threads.append(threading.current_thread())
        return gzip.compress(*args, **kwargs)

    monkeypatch.setattr(security, "compress", noting)
    packed, plain = browser.get(path), browser.get(path, headers={"Accept-Encoding": "identity"})
    assert len(plain.content) > security.LARGE
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert int(packed.headers["content-length"]) == packed.num_bytes_downloaded < len(plain.content) / 4
    assert packed.text == plain.text
    assert [thread.name.startswith("requests") for thread in threads] == [True]
    assert browser.head(path).headers["content-length"] == packed.headers["content-length"]


def test_home_page_is_small(browser: Browser) -> None:
    page = browser.get("/")
    total = page.num_bytes_downloaded
    for path in set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)):
        total += browser.get(path).num_bytes_downloaded
    for font in ("plex-sans-600", "plex-condensed-500"):
        total += (STATIC / "vendor" / "fonts" / f"{font}.woff2").stat().st_size
    assert total < MOST_WIRE


@pytest.mark.parametrize(
    "path", ["../app.py", "%2e%2e/app.py", "..%2fapp.py", "vendor/../../app.py", "site.css/x", "", "vendor"]
)
def test_only_static_files_are_served(browser: Browser, path: str) -> None:
    assert browser.get(f"/static/{path}").status_code == 404


def test_missing_page_says_what_to_do(browser: Browser) -> None:
    page = browser.get("/nowhere")
    assert page.status_code == 404
    assert "Page not found" in page.text
    assert 'href="/"' in page.text
    gone = browser.get("/m/nothere22222")
    assert gone.status_code == 404
    assert "Match not found" in gone.text
    assert "There is no match" in gone.text
    assert "Link not valid" in browser.get("/s/unknown").text


def test_htmx_error_is_a_page_part(browser: Browser) -> None:
    part = browser.get("/m/nothere22222", headers={"HX-Request": "true"})
    assert part.status_code == 404
    assert part.text.startswith('<p class="refused" role="alert">')


def test_api_error_is_json(browser: Browser) -> None:
    answer = browser.get("/api/v1/games/chess")
    assert answer.status_code == 404
    assert answer.json()["error"] == "UnknownGame"
    assert "Known: doolittle, midway" in answer.json()["sentence"]
    assert browser.get("/api/v1/nowhere").json()["error"] == "NotFoundException"
    assert browser.delete("/api/v1/games").status_code == 405


def test_server_error_shows_only_a_reference(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: Store, **_: object) -> None:
        raise KeyError("the enemy's plan")

    monkeypatch.setattr(Listings, "public_matches", fail)
    page = browser.get("/")
    assert page.status_code == 500
    assert "enemy" not in page.text
    number = re.search(r"<code>(\w{8})</code>", page.text)
    assert number is not None
    assert f"error {number[1]}" in caplog.text
    assert "the enemy's plan" in caplog.text


def test_unavailable_database_is_explained(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Store, **_: object) -> None:
        raise store_errors.WriteFailed("connection to server at 10.0.0.7 failed")

    monkeypatch.setattr(Listings, "public_matches", fail)
    page = browser.get("/")
    assert page.status_code == 503
    assert "Temporarily unavailable" in page.text
    assert "10.0.0.7" not in page.text


def test_every_error_status_has_a_page() -> None:
    made = (
        (engine.UnknownGame("chess", ["midway"]), 404),
        (store_errors.UnknownLink(), 404),
        (store_errors.NotYourSeat("no"), 403),
        (store_errors.NotTheHost("begin it"), 403),
        (store_errors.SeatTaken("taken"), 409),
        (engine.StaleRevision("usa", 3, 4), 409),
        (engine.MatchOver("Drawn"), 409),
        (engine.CannotUndo("dice"), 409),
        (engine.IllegalChoice("12.1", "No.", ["a"]), 422),
        (engine.RuleError("12.1", ValueError("x"), ""), 500),
        (engine.SaveError("disk"), 503),
        (ValueError("x"), 500),
    )
    for error, status in made:
        assert status_of(error) == status
        assert status in TITLES


def test_theme_is_saved(browser: Browser) -> None:
    assert "data-theme" not in browser.get("/").text
    assert 'name="back" value="/new?game=midway"' in browser.get("/new?game=midway").text
    answer = browser.form("/me/scheme", {"scheme": "dark", "back": "/new?game=midway"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/new?game=midway")
    assert 'data-theme="dark"' in browser.get("/").text
    browser.form("/me/scheme", {"scheme": "purple"})
    assert 'data-theme="dark"' in browser.get("/").text


def test_theme_form_returns_to_the_match(browser: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="bot:doctrine")
    parsed = re.search(r'name="back" value="([^"]+)"', browser.get(f"/m/{match}").text)
    assert parsed is not None
    answer = browser.form("/me/scheme", {"scheme": "light", "back": parsed[1]})
    assert answer.headers["location"] == f"/m/{match}"


@pytest.mark.parametrize(
    "back", ["//evil.example/x", "/\\evil.example", "https://evil.example/", "/x\r\nSet-Cookie: a=b", "nonsense", ""]
)
def test_theme_form_never_redirects_elsewhere(browser: Browser, back: str) -> None:
    answer = browser.form("/me/scheme", {"scheme": "dark", "back": back})
    assert answer.headers["location"] == "/"


# -- HEAD requests, favicon and link previews ------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/new", "/me", "/games", "/static/mark.svg", "/api/v1/games", "/nowhere"])
def test_head_is_get_without_body(browser: Browser, path: str) -> None:
    got, head = browser.get(path), browser.head(path)
    assert head.status_code == got.status_code
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    assert head.headers["content-security-policy"] == got.headers["content-security-policy"]


def test_head_of_stream_ends(browser: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="bot:doctrine")
    for path in (f"/m/{match}/events", f"/api/v1/matches/{match}/events"):
        assert browser.head(path).status_code == 200
    assert browser.head("/play").status_code == 405


def test_favicon_and_robots_are_served(browser: Browser) -> None:
    icon, robots = browser.get("/favicon.ico"), browser.get("/robots.txt")
    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/x-icon")
    assert icon.content.startswith(b"\x00\x00\x01\x00")
    assert {"Disallow: /s/", "Disallow: /me", "Disallow: /m/"} <= set(robots.text.splitlines())


def test_shared_links_have_a_preview_image(open_site: Callable[..., Site]) -> None:
    site = open_site(url="https://games.example")
    with site.browser() as browser:
        who = {"japan": SeatAssignment("bot", "doctrine"), "usa": SeatAssignment("anyone")}
        match = site.store.lobby.create(None, "midway", None, {}, who).id
        site.store.lobby.begin(match, None)
        for path in ("/", f"/m/{match}"):
            page = browser.get(path).text
            assert '<meta name="description"' in page
            assert '<meta property="og:title"' in page
            picture = re.search(r'property="og:image" content="https://games.example(/[^"]*.png[^"]*)"', page)
            assert picture is not None
            assert browser.get(picture[1]).headers["content-type"] == "image/png"


# -- limits ----------------------------------------------------------------------------------------------------------


def test_new_matches_are_rate_limited(open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "NEW_MATCHES", 2)
    site = open_site(rate=600)
    with site.browser() as browser:
        for _ in range(4):
            for do in ("look", "text:midway"):
                assert browser.form("/new", {"game": "midway", "do": do}).status_code in (200, 201)
        assert browser.form("/new", {"game": "midway", "do": "texts"}).status_code != 429
        assert browser.post("/api/v1/matches", json={"game": "midway"}).status_code == 201
        refused = browser.form("/play", {"game": "midway"})
        assert refused.status_code == 429
        assert "You have created 2 matches within an hour" in refused.text
        response = browser.post("/api/v1/matches", json={"game": "midway"})
        assert (response.status_code, "within an hour" in response.json()["sentence"]) == (429, True)


def test_streams_per_client_are_limited(open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "STREAMS", 1)
    site = open_site(rate=1200)
    assert site.app.state.site.new_players.most == 2 * security.NEW_PLAYERS
    with site.browser() as browser:
        match = browser.begin(seat_japan="me", seat_usa="bot:doctrine")
        path = f"/m/{match}/events"
        with browser.stream("GET", path) as one, browser.stream("GET", path) as two:
            assert (one.status_code, two.status_code) == (200, 200)
            refused = browser.get(path)
            assert refused.status_code == 429
            assert "2 match pages open already" in refused.text
            monkeypatch.setattr(security, "STREAMS", 10)
            monkeypatch.setattr(security, "ALL_STREAMS", 2)
            assert "too many live connections" in browser.get(path).text


def test_docs_list_all_operations_of_the_schema(browser: Browser) -> None:
    schema = browser.get("/api/schema/openapi.json").json()
    text = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    listed = [f"{verb} /api/v1{path}" for verb, path in re.findall(r"^\| `([A-Z]+) (/\S+)`", text, re.MULTILINE)]
    assert sorted(listed) == sorted(
        f"{verb.upper()} {path}" for path, verbs in schema["paths"].items() for verb in verbs
    )
    assert len(listed) > 25
    assert "json" in browser.get("/api/schema").headers["content-type"], (
        "there is no page that loads parts from elsewhere"
    )


# -- settings --------------------------------------------------------------------------------------------------------


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    values = {
        "READYROOM_HOME": str(tmp_path),
        "READYROOM_URL": "https://games.example/",
        "READYROOM_RATE": "0",
        "READYROOM_WORKERS": "5",
        "READYROOM_HOOKS": "anywhere",
        "READYROOM_SECRET": "one for all",
    }
    settings = Settings.from_environment(values)
    assert settings.home == tmp_path
    assert settings.url == "https://games.example"
    assert settings.https
    assert settings.rate == 0
    assert settings.workers == 5
    assert settings.hooks_anywhere
    assert settings.secret == "one for all"
    assert "one for all" not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE", "nonsense"),
        ("DATABASE", "mysql://x/y"),
        ("URL", "games.example"),
        ("URL", "ftp://x"),
        ("URL", "https://x/?a=b"),
        ("RATE", "-1"),
        ("RATE", "many"),
        ("WORKERS", "1"),
        ("WORKERS", "all"),
        ("FORWARDED_ALLOW_IPS", "proxy"),
    ],
)
def test_invalid_setting_is_named(tmp_path: Path, name: str, value: str) -> None:
    name = name if name == "FORWARDED_ALLOW_IPS" else f"READYROOM_{name}"
    with pytest.raises(BadSetting, match=rf"^{name} must be .*\.$"):
        Settings.from_environment({"READYROOM_HOME": str(tmp_path), name: value})


@pytest.mark.parametrize("kind", ["postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_database_address_gets_installed_driver(tmp_path: Path, kind: str) -> None:
    values = {"READYROOM_HOME": str(tmp_path), "READYROOM_DATABASE": f"{kind}://me:secret@db/matches"}
    settings = Settings.from_environment(values)
    assert settings.database == "postgresql+psycopg://me:secret@db/matches"
    assert "secret@" not in repr(settings)


@pytest.mark.parametrize("text", ["mail.example", "http://mail.example", "smtp://", "smtp://mail.example:nan"])
def test_invalid_mail_server_is_named(text: str) -> None:
    with pytest.raises(BadSetting, match="READYROOM_SMTP"):
        check_smtp(text)


def test_secret_key_is_created_once_and_private(tmp_path: Path) -> None:
    place = tmp_path / "new" / "web.key"
    first = kept_secret(place)
    assert kept_secret(place) == first
    assert place.stat().st_mode & 0o777 == 0o600
    place.write_text("")
    assert kept_secret(place) not in ("", first), "a file that was cut short is written again"
    assert [each.name for each in place.parent.iterdir()] == ["web.key"]


def test_secret_key_of_another_user_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(engine.SaveError, match=r"web.key may not be read or written by this user"):
        kept_secret(tmp_path / "web.key")


def test_unknown_settings_are_found() -> None:
    assert unknown_settings({"READYROOM_DURABLE": "power", "READYROOM_RATE": "0", "HOME": ""}) == ["READYROOM_DURABLE"]


def test_forms_work_after_a_restart(open_site: Callable[..., Site], tmp_path: Path) -> None:
    first = open_site(home=tmp_path, secret=kept_secret(tmp_path / "web.key"))
    with first.browser() as browser:
        browser.form("/me/name", {"name": "Nagumo"})
        cookies = browser.cookies
        first.close()
        second = open_site(home=tmp_path, secret=kept_secret(tmp_path / "web.key"))
        with second.browser(cookies=cookies) as later:
            assert later.form("/me/name", {"name": "Yamaguchi"}).status_code == 303
            assert "Yamaguchi" in later.get("/me").text


# -- `readyroom serve` -----------------------------------------------------------------------------------------------


@pytest.mark.slow(2)
def test_serve_prints_its_address_and_stops(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("readyroom")), "serve", "--port", "0"]
    environment = {**os.environ, "READYROOM_HOME": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as served:
        assert served.stdout is not None
        text = served.stdout.readline()
        match = re.search(r"Ready Room is running at (http://127\.0\.0\.1:\d+) \(", text)
        assert match is not None
        with Browser(base_url=match[1]) as browser:
            assert browser.get("/").status_code == 200
        served.send_signal(signal.SIGINT)
        assert served.wait(15) == 0
    assert (tmp_path / "matches.sqlite").exists()


def test_serve_explains_why_it_fails(site: Site, tmp_path: Path) -> None:
    port = site.url.rpartition(":")[2]
    command = [str(Path(sys.executable).with_name("readyroom")), "serve", "--port", port]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "READYROOM_HOME": str(tmp_path)}, check=False
    )
    assert done.returncode == 2
    assert f"port {port}: address already in use" in done.stderr


def test_log_has_no_secrets(caplog: pytest.LogCaptureFixture, site: Site) -> None:
    secret = "Og2-bsLSpsc9cJJZwfXgl1mOnH6kHUKFWdpWD_HjuCE"
    caplog.set_level(logging.INFO, "uvicorn.access")
    access = logging.getLogger("uvicorn.access")
    for path in (f"/s/{secret}", f"/me/recover/{secret}?x=1"):
        access.info('%s - "%s %s HTTP/%s" %d', "127.0.0.1:5", "GET", path, "1.1", 200)
    logging.getLogger("readyroom.web").error("%s failed", f"GET /s/{secret}")
    assert secret not in "".join(record.getMessage() for record in caplog.records)
