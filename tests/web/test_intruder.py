"""Tests of attacks: stolen secrets, stale and oversized requests, injected markup and forged addresses.

General checks run on every route, so that new routes are covered.
"""

from __future__ import annotations

import inspect
import itertools
import json
import re
import socket
import sqlite3
import string
import threading
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from litestar import Litestar, Request
from tests.web.clients import Guest, open_site
from tests.web.clients import Site as Parlour
from tests.web.server import Browser, Site

from readyroom.games.midway.odds import MOST
from readyroom.store import Player
from readyroom.store.errors import InvalidText, NotYourSeat
from readyroom.web import security
from readyroom.web.jobs import client_jobs
from readyroom.web.live import notifications
from readyroom.web.live.notifications import (
    BadAddress,
    Notification,
    check_hook,
    check_mail,
    public_address,
    send_hook,
    send_mail,
)
from readyroom.web.pages.players.profile import COOKIE
from readyroom.web.settings import Settings

pytestmark = pytest.mark.slow

AT_ONCE = 2.0
"""Maximum response time in seconds; most requests take milliseconds."""
NEVER_CHANGED = (
    "entries",
    "log",
    "messages",
    "notes",
    "takebacks",
    "sittings",
    "seats",
    "matches",
    "checkpoints",
    "away",
)


# -- helpers --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parlour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parlour]:
    """One server for all tests of this module."""
    with open_site(tmp_path_factory.mktemp("parlour")) as site:
        yield site


class Table:
    """A two-player match with its seat secrets, and an intruder with a player account."""

    def __init__(self, site: Parlour) -> None:
        self.site = site
        self.usa, self.japan, self.intruder = (site.guest(name) for name in ("Nimitz", "Nagumo", "Intruder"))
        self.id = site.duel(self.usa, self.japan)
        self.guests = {"usa": self.usa, "japan": self.japan}
        self.secrets = {
            seat: site.store.seats.new_link(self.id, seat, who.player.id) for seat, who in self.guests.items()
        }

    @property
    def asked(self) -> dict[str, Any]:
        """The pending decision."""
        data = next(filter(None, (self.site.asked(self.id, seat) for seat in self.guests)))
        assert isinstance(data, dict)
        return data

    def answer(self) -> dict[str, Any]:
        """Return the form data of a legal answer."""
        asked = self.asked
        keys = [option["key"] for option in asked["options"]][: asked["at_least"]]
        return {"seat": asked["seat"], "revision": str(asked["revision"]), "key": keys}

    def decide(self) -> None:
        """Answer the pending decision."""
        form = self.answer()
        assert self.guests[form["seat"]].post(f"/m/{self.id}/answer", form).status_code == 303


@pytest.fixture
def table(parlour: Parlour) -> Table:
    return Table(parlour)


def kept(site: Parlour) -> str:
    """Return the database contents that requests of intruders must not change."""
    file = site.app.state.settings.home / "readyroom.db"
    with sqlite3.connect(file) as database:
        return "".join(repr(database.execute(f"SELECT * FROM {name}").fetchall()) for name in NEVER_CHANGED)


def routes(app: Litestar, method: str) -> list[str]:
    """Return the paths of all routes with this method."""
    paths = (route.path for route in app.routes if method in getattr(route, "methods", ()))
    return sorted(paths)


def filled(path: str, value: str = "x", match: str = "") -> str:
    """Return a route's path with its parameters filled in."""
    path = path.replace("{id:str}", match) if match else path
    return re.sub(r"\{\w+:\w+\}", value, path).replace("//", "/")


def reads(app: Litestar, path: str) -> bool:
    """Return whether a route reads the request body."""
    route = next(route for route in app.routes if route.path == path)
    handler, _ = route.route_handler_map["POST"]  # type: ignore[union-attr]
    return bool({"form", "data"} & inspect.signature(handler.fn).parameters.keys())


def send(guest: Guest, path: str, content: bytes, kind: str, **headers: str) -> httpx.Response:
    """Send any content with a valid CSRF token."""
    if not guest.token:
        guest.get("/me")
    values = {"Content-Type": kind, "x-csrftoken": guest.token, **headers}
    return guest._ask("POST", path, content=content, headers=values)


# -- other players' secrets ------------------------------------------------------------------------------------------


def test_api_rejects_wrong_secrets(parlour: Parlour, table: Table) -> None:
    elsewhere, old = Table(parlour), dict(table.secrets)
    enrolled = parlour.store.players.create("Somebody")
    for seat, who in table.guests.items():
        table.secrets[seat] = parlour.store.seats.new_link(table.id, seat, who.player.id)
    wrong = [*elsewhere.secrets.values(), *old.values(), enrolled.session, enrolled.recovery, table.usa.cookies[COOKIE]]
    wrong += ["", "x" * 43, table.secrets["usa"][:-1], table.secrets["usa"] + "A", table.secrets["usa"].swapcase(), "é"]
    before = kept(parlour)
    asked = table.asked
    needed = {
        "decisions": {"keys": [option["key"] for option in asked["options"]][: asked["at_least"]], "revision": 0},
        "talk": {"text": "boo", "to": "side"},
        "allow-back": {"allow": True},
        "draw-answer": {"accept": True},
        "sit": {"words": "x"},
        "link": {"secret": "x" * 43},
        "hand-over": {"bot": "random"},
        "plan": {"text": "x", "file": "x.toml"},
    }
    verbs = [path for path in routes(parlour.app, "POST") if path.startswith("/api/v1/matches/")]
    assert len(verbs) >= 8
    for path in verbs:
        verb = path.rpartition("/")[2]
        if verb == "take":
            continue
        for secret in wrong:
            headers = {"Authorization": f"Bearer {secret}".encode()}
            at = filled(path, match=table.id)
            response = parlour.client.post(at, json=needed.get(verb), headers=headers)  # type: ignore[arg-type]
            assert response.status_code in (401, 403), (path, secret, response.text)
    for path in ("", "/talk", "/advice", "/officer", "/ask-back"):
        for secret in wrong[:-1]:
            headers = {"Authorization": f"Bearer {secret}".encode()}
            response = parlour.client.get(f"/api/v1/matches/{table.id}{path}", headers=headers)  # type: ignore[arg-type]
            assert response.status_code in (401, 403) or (path == "/ask-back" and response.json() is None) or not secret
    assert kept(parlour) == before


def test_match_forms_reject_strangers(parlour: Parlour, table: Table) -> None:
    stranger = parlour.guest()
    other = table.guests["usa" if table.answer()["seat"] == "japan" else "japan"]
    form = {**table.answer(), "text": "boo", "to": "side", "allow": "yes", "bot": "random"}
    before = kept(parlour)
    forms = [path for path in routes(parlour.app, "POST") if path.startswith("/m/")]
    assert len(forms) >= 12
    for path in forms:
        at, verb = filled(path, match=table.id), path.rpartition("/")[2]
        for who in (table.intruder, stranger, other):
            if (who is other and verb in ("say", "note", "hide", "begin")) or verb == "note":
                continue
            response = who.post(at, form)
            gone = verb == "leave" and who is stranger
            assert response.status_code in (401, 403, 409) or gone, (path, response.status_code, response.text)
    assert kept(parlour) == before


def test_signed_out_cookie_is_invalid(parlour: Parlour, table: Table) -> None:
    form = table.answer()
    guest = table.guests[form["seat"]]
    old = guest.cookies[COOKIE]
    guest.post("/me/sign-out")
    guest.cookies[COOKIE] = old
    assert guest.post(f"/m/{table.id}/answer", form).status_code == 403
    assert ">Profile<" in guest.page("/")


def test_new_link_does_not_open_the_guests_seat(parlour: Parlour, table: Table) -> None:
    assert table.usa.player.id == parlour.store.listings.summary(table.id).host
    with pytest.raises(NotYourSeat, match="This seat is taken"):
        parlour.store.seats.new_link(table.id, "japan", table.usa.player.id)
    assert table.usa.post(f"/m/{table.id}/link", {"seat": "japan"}).status_code == 403
    assert table.japan.post(f"/m/{table.id}/link", {"seat": "japan"}).status_code == 201


def test_server_name_is_reserved(parlour: Parlour) -> None:
    for name in ("Ready Room", " READY room "):
        with pytest.raises(InvalidText, match="reserved for the server"):
            parlour.store.players.create(name)
        assert parlour.guest("Genda").post("/me/name", {"name": name}).status_code == 422


# -- stale and repeated requests -------------------------------------------------------------------------------------


def test_sent_answer_is_rejected_forever(parlour: Parlour, table: Table) -> None:
    sent = []
    for _ in range(4):
        sent.append(table.answer())
        table.decide()
    before = kept(parlour)
    for form in sent:
        response = table.guests[form["seat"]].post(f"/m/{table.id}/answer", form)
        assert response.status_code == 409
        assert "has changed" in response.text or "turn. Waiting for" in response.text
        body = {"keys": form["key"], "revision": int(form["revision"])}
        bearer = {"Authorization": f"Bearer {table.secrets[form['seat']]}"}
        again = parlour.client.post(f"/api/v1/matches/{table.id}/decisions", json=body, headers=bearer)
        assert (again.status_code, again.json()["error"] in ("MovedOn", "NotYourDecision")) == (409, True)
    assert kept(parlour) == before


@pytest.mark.slow(2)
def test_concurrent_equal_answers_count_once(site: Site) -> None:
    with httpx.Client(base_url=f"{site.url}/api/v1", timeout=10) as client:
        new = client.post("/matches", json={"game": "midway"}).json()
        for _ in range(5):
            seat = client.get(f"/matches/{new['id']}").json()["waiting"][0]
            bearer = {"Authorization": f"Bearer {new['seats'][seat]}"}
            asked = client.get("/seat", headers=bearer).json()["pending"]
            keys = [option["key"] for option in asked["options"]][: asked["at_least"]]
            body = {"keys": keys, "revision": asked["revision"]}
            statuses: list[int] = []

            def answers(body: Any = body, bearer: Any = bearer, statuses: list[int] = statuses) -> None:
                at = f"{site.url}/api/v1/matches/{new['id']}/decisions"
                statuses.append(httpx.post(at, json=body, headers=bearer, timeout=10).status_code)

            threads = [threading.Thread(target=answers) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert sorted(statuses) == [200, 409, 409, 409, 409, 409]
            assert site.store.listings.summary(new["id"]).true_revision == asked["revision"] + 1


# -- cross-site requests ---------------------------------------------------------------------------------------------


def test_forms_need_their_token_and_origin(parlour: Parlour, table: Table) -> None:
    form = {**table.answer(), "text": "boo", "name": "Mallory", "game": "midway", "scheme": "dark"}
    stranger = parlour.guest("Stranger")
    stranger.get("/me")
    before = kept(parlour)
    for path in routes(parlour.app, "POST"):
        at, mine = filled(path, match=table.id), not path.startswith("/api/")
        for site in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
            assert table.usa.post(at, form, **site).status_code == 403, (path, site)
        if mine:
            table.usa.get("/me")
            own, table.usa.token = table.usa.token, stranger.token
            assert table.usa.post(at, form).status_code == 403, f"{path} takes the token of another session"
            table.usa.token = own
            assert table.usa._ask("POST", at, data=form).status_code == 403, f"{path} needs no token"
    assert kept(parlour) == before
    assert parlour.store.players.get(table.usa.player.id).name == "Nimitz"


# -- oversized and malformed requests --------------------------------------------------------------------------------


FORM, JSON, PARTS = "application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=a"


def test_all_routes_limit_bodies(parlour: Parlour, table: Table) -> None:
    many = b"x" * 6_000_000
    part = b'--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n' + many + b"\r\n--a--\r\n"
    for path in routes(parlour.app, "POST"):
        at, api = filled(path, match=table.id), path.startswith("/api/")
        bearer = {"Authorization": f"Bearer {table.secrets['usa']}"} if api else {}
        kinds = [(JSON, b'{"game": "' + many + b'"}')] if api else [(FORM, b"x=" + many), (PARTS, part)]
        for kind, body in kinds:
            response = send(table.usa, at, body, kind, **bearer)
            if reads(parlour.app, path):
                assert response.status_code == 413, (path, kind, response.status_code)
            assert response.status_code < 500


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", [FORM, PARTS])
def test_endless_body_is_rejected_early(open_site: Callable[..., Site], kind: str) -> None:
    site = open_site(rate=600)
    with site.browser() as browser:
        browser.get("/me")
        token, place = browser.cookies["form"], httpx.URL(site.url)
    values = {"Host": place.netloc.decode(), "Cookie": f"form={token}", "X-CSRFToken": token, "Content-Type": kind}
    head = "".join(f"{name}: {value}\r\n" for name, value in {**values, "Transfer-Encoding": "chunked"}.items())
    first = b"x=" if kind == FORM else b'--a\r\nContent-Disposition: form-data; name="x"; filename="y"\r\n\r\n'
    with socket.create_connection((place.host, place.port or 80), timeout=10) as line:
        line.sendall(f"POST /new HTTP/1.1\r\n{head}\r\n".encode())
        for part in (first, *itertools.repeat(b"x" * 100_000, 30)):
            line.sendall(b"%x\r\n%s\r\n" % (len(part), part))
        assert line.recv(100).startswith(b"HTTP/1.1 413 "), "three million bytes are enough to know"


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe\x80",
        b"\x00" * 100,
        b"&&&===%%%",
        b"seat=%ff&key=%80&revision=%c0%af",
        b"seat=usa&revision=" + b"9" * 5000,
        b"seat=usa&revision=\xd9\xa3&key=%00&count=-1",
        b"&".join(b"key=a&count=999" for _ in range(4000)),
        b"&".join(b"a" for _ in range(30_000)),
        b"name=%0d%0aSet-Cookie:+readyroom=x&words=%00&text=%1b[2J&game=midway&do=open",
        b"name=" + b"%F0%9F%98%80" * 5000,
    ],
)
def test_forms_survive_nonsense(parlour: Parlour, table: Table, body: bytes) -> None:
    for path in routes(parlour.app, "POST"):
        if path.startswith("/api/") or path == "/me/sign-out":
            continue
        for value in (table.id, table.secrets["japan"]):
            start = time.process_time()
            response = send(table.usa, filled(path, value, table.id), body, FORM)
            assert response.status_code < 500, (path, response.text)
            assert time.process_time() - start < AT_ONCE, path
            assert not [name for name in response.headers if name.startswith(("x-evil", "set-cookie\n"))]
            assert "readyroom=x" not in response.headers.get("set-cookie", "")


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b'{"keys": [' + b'"a",' * 5000 + b'"a"], "revision": 0}',
        b'{"keys": ["\\u0000", "\\ud800\\udc00", "' + "é".encode() * 200 + b'"], "revision": 0}',
        b'{"revision": 1' + b"0" * 5000 + b"}",
        b'{"revision": NaN, "keys": null}',
        b'{"text": "\\u202e\\u0007", "to": "side"}',
        b'{"words": "\\u0000"}',
        b'{"game": "midway", "name": "\\u000d\\u000aX-Evil: 1"}',
        b'{"game": "midway", "options": {"seats": "' + b"x" * 150 + b'"}}',
        b'{"game": "midway", "seats": {' + b",".join(b'"s%d": "me"' % n for n in range(3000)) + b"}}",
        b'\xef\xbb\xbf{"allow": true}',
        b'{"allow": true, "allow": "true"}',
    ],
)
def test_api_survives_nonsense(parlour: Parlour, table: Table, body: bytes) -> None:
    for path in routes(parlour.app, "POST"):
        if path.startswith("/api/"):
            bearer = {"Authorization": f"Bearer {table.secrets['usa']}"}
            start = time.process_time()
            response = send(table.usa, filled(path, match=table.id), body, JSON, **bearer)
            assert response.status_code < 500, (path, response.text)
            assert time.process_time() - start < AT_ONCE, path
            assert "x-evil" not in response.headers


NASTY = (
    *(
        "..",
        "%2e%2e",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2fetc%2fpasswd",
        "..%5c..%5capp.py",
        "%00",
        "x%00.css",
        "%ff%fe",
    ),
    *("%0d%0aX-Evil:%201", "%F0%9F%98%80", "a" * 5000, "'%20OR%201=1--", "%22%3E%3Cx-evil%3E", "{{7*7}}", "$%7B7*7%7D"),
    *("midway%00", "-1", "1e9", "%E2%80%AE", "CON", "%25%32%65", "site.css%2f..%2f..%2fapp.py", "*", "%3F%23"),
)


@pytest.mark.sample(1)
@pytest.mark.slow(1)
@pytest.mark.parametrize("part", range(4))
def test_addresses_survive_nonsense(parlour: Parlour, table: Table, part: int) -> None:
    for path in routes(parlour.app, "GET"):
        if "{" not in path or path.endswith("/events"):
            continue
        for nasty in NASTY[part::4]:
            for at in {filled(path, nasty), filled(path, nasty, table.id)} - {filled(path, match=table.id)}:
                response = table.usa.get(at)
                assert response.status_code < 500, (at, response.text)
                assert "root:" not in response.text
                assert "x-evil" not in response.headers
                if response.headers["content-type"].startswith("text/html"):
                    read(response.text)


@pytest.mark.torture(3)
@pytest.mark.parametrize("part", range(4))
def test_queries_survive_nonsense(parlour: Parlour, table: Table, part: int) -> None:
    names = (
        "seat",
        "at",
        "ask",
        "q",
        "question",
        "game",
        "done",
        "v",
        "since",
        "view",
        "name",
        "dice",
        "carrier",
        "dive",
    )
    for path in routes(parlour.app, "GET"):
        if path.endswith("/events"):
            continue
        at = filled(path, "midway", table.id)
        for nasty in (each[:400] for each in NASTY[part::4]):
            response = table.usa.get(f"{at}?{'&'.join(f'{name}={nasty}' for name in names)}")
            assert response.status_code < 500, (at, nasty, response.text)
            if response.headers["content-type"].startswith("text/html"):
                read(response.text)


def test_expensive_odds_are_rejected(browser: Browser) -> None:
    start = time.process_time()
    for most, asked in ((MOST, 200), (MOST + 1, 422), (9999, 422)):
        assert browser.get(f"/games/midway/odds?question=dogfight&dice={most}").status_code == asked
        wave = f"question=strike&carrier=akagi&dive={most}&torpedo={most}"
        assert browser.get(f"/games/midway/odds?{wave}").status_code == asked
    assert time.process_time() - start < AT_ONCE


# -- custom scenarios ------------------------------------------------------------------------------------------------


HEAD = 'title = "A title"\nsummary = "s"\nfound = true\nsource = "reconstructed"\norigin = "o"\n'
LETTERS = ["".join(pair) for pair in itertools.product(string.ascii_lowercase, repeat=2)]


def carrier(key: str, side: str, name: str = "A", **figures: int) -> str:
    default = {"antiaircraft": 9, "repair": 5, "fighters": 3, "torpedo_bombers": 2, "dive_bombers": 2}
    lines = [f"{figure} = {value}" for figure, value in {**default, **figures}.items()]
    text = json.dumps(name)
    return "\n".join([f'[[carrier]]\nkey = "{key}"\nname = {text}\nside = "{side}"', *lines, ""])


def fleets(count: int, **figures: int) -> str:
    ships = [carrier(key, ("usa", "japan")[n % 2], "A", **figures) for n, key in enumerate(LETTERS[:count])]
    return HEAD + "".join(ships)


def both(name: str = "A", **figures: int) -> str:
    return HEAD + carrier("a", "usa", name, **figures) + carrier("b", "japan")


MONSTERS = {
    "more carriers than can be drawn": fleets(200),
    "more squadrons than a deck bears": both(fighters=10**9),
    "a number of a thousand digits": both().replace("repair = 5", f"repair = {'9' * 900}"),
    "a number that is none": both().replace("repair = 5", f"repair = {'9' * 4400}"),
    "a key of many parts": HEAD + ".".join("a" for _ in range(20_000)) + " = 1",
    "a table of many parts": HEAD + f"[{'.'.join('a' for _ in range(20_000))}]\n",
    "lists in lists": HEAD + "a = " + "[\n" * 20_000,
    "tables in tables": HEAD + "a = " + "{a = " * 150,
    "a long name": both("N" * 41),
    "no name": both(" "),
    "a name that moves the cursor": both("\x1b[2J"),
    "a name of two lines": both("a\nb"),
    "a name that is read backwards": both("\u202egpj"),
    "a long key": HEAD + carrier("a" * 41, "usa") + carrier("b", "japan"),
    "a key that is a path": HEAD + carrier("../a", "usa") + carrier("b", "japan"),
    "a long title": both().replace("A title", "t" * 201),
    "no title": both().replace("A title", " "),
    "a title of two lines": both().replace("A title", "a\\nb"),
    "a date": both().replace("repair = 5", "repair = 2020-01-01"),
    "a number without end": both().replace("repair = 5", "repair = inf"),
    "zeros": both() + "\x00",
    "spaces": " " * 48_000,
    "nothing": "",
}


@pytest.mark.parametrize("own", list(MONSTERS.values()), ids=list(MONSTERS))
def test_huge_scenario_is_rejected(parlour: Parlour, own: str) -> None:
    guest, before, start = parlour.guest("Host"), kept(parlour), time.process_time()
    form = {"game": "midway", "do": "open", "scenario": "own", "own": own, "option-seats": "two"}
    page = guest.post("/new", form)
    assert page.status_code == 422
    assert 'class="wrong" id="wrong-own"' in page.text or 'id="wrong-form"' in page.text
    response = parlour.client.post("/api/v1/matches", json={"game": "midway", "own": own})
    assert response.status_code == 422, response.text
    assert len(response.json()["sentence"]) < 1500
    assert time.process_time() - start < AT_ONCE
    assert kept(parlour) == before


def test_largest_allowed_scenario_is_playable(parlour: Parlour) -> None:
    guest = parlour.guest("Host")
    own = fleets(32, antiaircraft=60, fighters=10, torpedo_bombers=10, dive_bombers=10)
    form = {"game": "midway", "do": "open", "scenario": "own", "own": own, "seat-usa": "bot:doctrine"}
    opened = guest.post("/new", form)
    assert opened.status_code == 303, opened.text
    start = time.process_time()
    assert len(guest.page(opened.headers["location"])) < 700_000
    assert time.process_time() - start < AT_ONCE


def test_record_with_huge_content_is_rejected(parlour: Parlour, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_jobs, "AT_ONCE", 60.0)  # wait for the reading process
    header = json.loads(parlour.store.records.text(table.id).splitlines()[0])
    for own in (
        MONSTERS["a key of many parts"],
        MONSTERS["lists in lists"],
        MONSTERS["more carriers than can be drawn"],
    ):
        record = json.dumps({**header, "own": own, "scenario": "x"}) + "\n"
        start = time.process_time()
        for content in (record, record * 3, json.dumps(header) + "\n" + '{"n":' * 5000, "[" * 100_000, "\x00" * 1000):
            part = f'--a\r\nContent-Disposition: form-data; name="record"; filename="r.jsonl"\r\n\r\n{content}\r\n'
            secret = f'--a\r\nContent-Disposition: form-data; name="secret"\r\n\r\n{"00" * 32}\r\n--a--\r\n'
            response = send(table.usa, "/me/import", (part + secret).encode(), PARTS)
            assert response.status_code == 422, response.text
        assert time.process_time() - start < 2 * AT_ONCE


# -- injected markup -------------------------------------------------------------------------------------------------


POISON = "\"><x-evil onx=1>'</title></textarea>"
assert len(POISON) <= 40
LONG_POISON = f"{POISON}<script>evil()</script><img src=x onerror=evil()>{{{{7*7}}}}<!-- --></svg><svg onload=evil()>"
SOURCES = ("href", "src", "action", "hx-get", "hx-post", "xlink:href", "sse-connect")
SAFE_SOURCE = re.compile(r"(/|#|data:,|https?://testserver\.local/)")


BOARD_IMAGE = re.compile(r"/(m|games|watch|puzzles)/[\w-]+/board\.svg(\?[\w=&;%-]*)?$")


class Reader(HTMLParser):
    """Parser that collects unsafe tags and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.texts = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = dict(attributes)
        is_board = tag == "img" and BOARD_IMAGE.match(names.get("src") or "")
        if tag in ("x-evil", "img", "iframe", "object", "embed", "base", "style", "foreignobject") and not is_board:
            self.wrong.append(tag)
        if tag == "script" and not str(names.get("src", "")).startswith("/static/"):
            self.wrong.append(f"script {names}")
        for name, value in attributes:
            if name.startswith(("on", "hx-on", "srcdoc", "formaction")) or name == "style":
                self.wrong.append(f"{tag} {name}")
            if name in SOURCES and not SAFE_SOURCE.match(value or "#"):
                self.wrong.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        self.texts += data


def read(page: str) -> Reader:
    """Parse a page and check that user text is escaped."""
    reader = Reader()
    reader.feed(page)
    assert not reader.wrong, reader.wrong
    return reader


@pytest.mark.slow(2)
def test_user_text_is_escaped_on_all_pages(parlour: Parlour) -> None:
    host, friend, stranger = parlour.guest(POISON), parlour.guest(POISON[::-1]), parlour.guest()
    own = HEAD.replace('"A title"', json.dumps(LONG_POISON[:200])).replace('"s"', json.dumps(LONG_POISON))
    own += carrier("a", "usa", POISON) + carrier("b", "japan", POISON)
    form = {"game": "midway", "do": "open", "scenario": "own", "own": own, "listed": "on", "words": LONG_POISON}
    form |= {"option-seats": "groups", "seat-a": "me", "seat-b": "friend"}
    for wrong in ({**form, "own": own + LONG_POISON}, {**form, "words": LONG_POISON * 3}, {**form, "do": "look"}):
        read(host.post("/new", wrong).text)
    opened = host.post("/new", form)
    match = opened.headers["location"].removeprefix("/m/")
    lobby = host.page(f"/m/{match}")
    read(lobby)
    link = re.findall(r'value="http://[^"]+(/s/[^"]+)"', lobby)[0]
    for who in (friend, stranger):
        read(who.page(link))
        read(who.page("/"))
    read(stranger.post(link, {"name": POISON * 3}).text)
    assert friend.post(link, {"words": LONG_POISON}).status_code == 303
    for who, seat in ((host, "a"), (friend, "b")):
        for to in ("all", "side"):
            who.post(f"/m/{match}/say", {"seat": seat, "text": LONG_POISON, "to": to})
        who.post(f"/m/{match}/note", {"seat": seat, "text": LONG_POISON})
    seen = 0
    for _ in range(3):
        for who, seat in ((host, "a"), (friend, "b"), (stranger, LONG_POISON[:60])):
            seen += see(who, match, seat)
        parlour.play_until(match, most=20)
    host.post(f"/m/{match}/assign-bot", {"seat": "a", "bot": "random"})
    seen += see(friend, match, "b")
    read(friend.post(f"/m/{match}/answer", {"seat": "b", "key": POISON, "revision": "1"}).text)
    assert seen > 100


def see(who: Guest, id: str, seat: str) -> int:
    """Check all pages that show a match; return how often the injected text appears as text."""
    seen = 0
    asked = {"seat": seat}
    for path in (f"/m/{id}", *(f"/m/{id}/{part}" for part in ("table", "talk", "replay", "report"))):
        for query in ("", f"?{httpx.QueryParams(asked)}", f"?{httpx.QueryParams({**asked, 'ask': POISON})}"):
            response = who.get(f"{path}{query}")
            seen += read(response.text).texts.count("x-evil")
    for path in ("/", "/me", f"/search?{httpx.QueryParams({'q': LONG_POISON})}", f"/nowhere/{POISON}"):
        seen += read(who.get(path).text).texts.count("x-evil")
    assert "<x-evil" not in who.get(f"/api/v1/matches/{id}?since=0&view=true").headers.get("content-type", "")
    return seen


def test_downloads_are_not_read_as_pages(parlour: Parlour, table: Table) -> None:
    kinds = {
        f"/api/v1/matches/{table.id}": "application/json",
        f"/m/{table.id}/report.md": "text/markdown; charset=utf-8",
        "/games/midway/scenarios/midway.toml": "text/plain; charset=utf-8",
        "/static/js/any/match.js": "text/javascript; charset=utf-8",
    }
    for path, kind in kinds.items():
        headers = table.usa.get(path).headers
        assert (headers["content-type"], headers["x-content-type-options"]) == (kind, "nosniff")
    assert table.usa.get(f"/m/{table.id}/report.md").headers["content-disposition"].startswith("attachment;")


@pytest.mark.parametrize("name", ["a\r\nX-Evil: 1", "a\nb", "a\x00b", "\x1b[2J", "a\u202eb", "\u200b", "\ud7ff\ue000"])
def test_unprintable_name_is_rejected(parlour: Parlour, name: str) -> None:
    with pytest.raises(InvalidText):
        parlour.store.players.create(name)
    response = parlour.client.post("/api/v1/matches", json={"game": "midway", "name": name})
    assert response.status_code == 422
    assert "x-evil" not in response.headers


@pytest.mark.parametrize("name", ["../../x.toml", "a\r\nX-Evil: 1.toml", '"; name="game', "\x00", "x" * 5000])
def test_file_name_is_not_a_path(parlour: Parlour, table: Table, name: str) -> None:
    files = {"file": (name, b"title = 3")}
    table.usa.get("/new")
    form = {"game": "midway", "do": "open", "_csrf_token": table.usa.token}
    response = table.usa._ask("POST", "/new", data=form, files=files)
    assert response.status_code in (400, 422)
    assert "x-evil" not in response.headers
    read(response.text)


# -- forged addresses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "back",
    [
        *("https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example"),
        *(
            "javascript:evil()",
            "data:text/html,x",
            "/ /evil",
            "evil.example",
            "",
            "/\r\nX-Evil: 1",
            "https:evil.example",
        ),
        *("/%09/evil.example", "///evil.example", "http:///evil.example", "/\u2028/evil", "?x", "@evil.example"),
    ],
)
def test_redirects_stay_on_this_site(parlour: Parlour, table: Table, back: str) -> None:
    headers = {"Referer": "https://evil.example/x"}
    response = table.usa.post("/me/scheme", {"scheme": "dark", "back": back}, **headers)
    where = response.headers["location"]
    at = httpx.URL("http://testserver.local/me").join(where)
    assert (response.status_code, at.host, at.scheme) == (303, "testserver.local", "http")
    assert where.startswith("/")
    assert where[1:2] not in ("/", "\\")
    assert "x-evil" not in response.headers


INSIDE = (
    *(
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "255.255.255.255",
    ),
    *("192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fc00::1", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "2002:7f00:1::"),
    *("2002:a00:1::1", "2001:db8::1", "fe80::1%lo", "64:ff9b:1::1", "2001:0:7f00:1::"),
)


@pytest.mark.parametrize("address", INSIDE)
def test_webhook_to_private_address_is_rejected(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    text = f"[{address}]" if ":" in address else address
    with pytest.raises(BadAddress):
        check_hook(f"https://{text}/x", Settings())
    names = [(socket.AF_INET, 1, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: names)
    with pytest.raises(BadAddress, match="public internet"):
        public_address("hooks.example", 443)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1", "64:ff9b::5db8:d822", "2002:5db8:d822::1"])
def test_webhook_to_public_address_is_allowed(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(socket.AF_INET, 1, 6, "", (address, 443))])
    assert public_address("hooks.example", 443) == address


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0"),
        *("localhost", "localhost.", "LOCALHOST", "localhost.localdomain", "[::1]", "[::ffff:127.0.0.1]", "[0:0::1]"),
        *(
            "discord.invalid@127.0.0.1",
            "user:word@127.0.0.1",
            "①②⑦.⓪.⓪.①",
            "１２７.0.0.1",
            "127.0.0.1%00.discord.invalid",
        ),
        *("127。0。0。1", "[::1%25lo]", "127.0.0.1#@discord.invalid", "127.0.0.1\\@discord.invalid", "ⓛocalhost."),
    ],
)
def test_local_address_spellings_are_rejected(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as place:
        place.settimeout(0.05)
        port = place.getsockname()[1]
        address = f"https://{host.replace('#', f':{port}#', 1)}:{port}/x" if "#" in host else f"https://{host}:{port}/x"
        with pytest.raises((BadAddress, OSError, httpx.InvalidURL, UnicodeError)):
            send_hook(Notification(Player("p", "Nimitz", hook=address), "t", "t", "l"), Settings())
        with pytest.raises(TimeoutError):
            place.accept()


@pytest.mark.parametrize(
    "hook",
    [
        *(
            "http://discord.com/x",
            "ftp://discord.com/x",
            "file:///etc/passwd",
            "gopher://discord.com",
            "//discord.com/x",
        ),
        *(
            "https://",
            "https:///x",
            "https://x",
            "javascript:x",
            "https://discord.com:99999/x",
            "https://[::1",
            "x" * 600,
        ),
        *("https://discord.com/ x", "https://discord.com/\r\nX: 1", "https://discord.com/\x00", "https://a.internal/x"),
    ],
)
def test_webhook_must_be_public(hook: str) -> None:
    with pytest.raises(BadAddress):
        check_hook(hook, Settings())


def test_webhook_redirects_are_not_followed() -> None:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.send_response(307)
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/inside")  # type: ignore[attr-defined]
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    word = Notification(Player("p", "Nimitz", hook=f"http://127.0.0.1:{server.server_port}/hook"), "t", "t", "l")
    try:
        with pytest.raises(BadAddress, match="answered 307"):
            send_hook(word, Settings(hooks_anywhere=True))
    finally:
        server.shutdown()
    assert asked == ["/hook"]


@pytest.mark.parametrize(
    "mail",
    [
        *("a@b.example\nBcc: c@d.example", "a@b.example\r\n", "a@b.example,c@d.example", "a@b.example;c@d.example"),
        *(
            "a b@c.example",
            "<a@b.example>",
            '"a"@b.example',
            "a@b",
            "@b.example",
            "a@b.example c@d.example",
            "a@b.example ",
        ),
        *(
            "a@b.example\x00",
            "a@[127.0.0.1]",
            "a" * 300 + "@b.example",
            "a@b..example",
            "a@b.example%0aBcc:c@d.example",
        ),
    ],
)
def test_mail_address_is_a_single_address(parlour: Parlour, mail: str) -> None:
    with pytest.raises(BadAddress):
        check_mail(mail, Settings())


@pytest.mark.parametrize(
    "word", ["x\r\nBcc: evil@evil.example\r\n\r\nboo", "x\nSubject: evil", "\r\n.\r\nMAIL FROM:<evil>"]
)
def test_names_and_titles_are_no_mail_headers(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    sent: list[EmailMessage] = []

    class Postman:
        def __enter__(self) -> Postman:
            return self

        def __exit__(self, *_: object) -> None:
            """Do nothing."""

        def send_message(self, message: EmailMessage) -> None:
            sent.append(message)

    monkeypatch.setattr(notifications, "_postman", lambda _: Postman())
    send_mail(
        Notification(Player("p", word, mail="a@b.example"), "Ready Room: your turn", word, "l"),
        Settings(smtp="smtp://x"),
    )
    head = sent[0].as_bytes().partition(b"\n\n")[0].decode()
    names = sorted(line.partition(":")[0] for line in head.splitlines() if not line.startswith((" ", "\t")))
    default = [
        "Auto-Submitted",
        "Content-Transfer-Encoding",
        "Content-Type",
        "Date",
        "From",
        "MIME-Version",
        "Message-ID",
    ]
    assert names == [*default, "Subject", "To"]


# -- rate limits -----------------------------------------------------------------------------------------------------


@pytest.mark.torture(2)
def test_flood_does_not_starve_others(open_site: Callable[..., Site]) -> None:
    site = open_site(rate=40)
    there = httpx.HTTPTransport(local_address="127.0.0.2")
    with site.browser() as flooder, site.browser(transport=there) as other:
        statuses = {flooder.get("/me").status_code for _ in range(60)}
        assert statuses == {200, 429}
        for forged in ("8.8.8.8, 127.0.0.1", "garbage", "::1::2", "1.2.3.4:x", "x" * 4000):
            response = flooder.get("/me", headers={"X-Forwarded-For": forged, "Forwarded": f"for={forged}"})
            assert response.status_code in (200, 429), "a header that no one asked for is no fault"
        assert other.get("/me").status_code == 200
        assert other.get("/api/v1/games").status_code == 200


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1.2.3.4", "1.2.3.5", False),
        ("::ffff:1.2.3.4", "::ffff:1.2.3.5", False),
        ("::ffff:1.2.3.4", "1.2.3.4", True),
        ("2001:db8:1:2::3", "2001:db8:1:2:ffff::", True),
        ("2001:db8:1:2::3", "2001:db8:1:3::3", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("", "", True),
        ("::bad::", "testclient", False),
    ],
)
def test_client_is_address_or_network(one: str, other: str, same: bool) -> None:
    def who(host: str) -> str:
        scope: Any = {"type": "http", "client": (host, 1) if host else None, "headers": []}
        return security.client(Request(scope))

    assert (who(one) == who(other)) is same


def test_streams_are_limited_in_all(open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "STREAMS", 3)
    monkeypatch.setattr(Settings, "sharing", 1)
    site = open_site(rate=10_000)
    there = httpx.HTTPTransport(local_address="127.0.0.2")
    with site.browser() as greedy, site.browser(transport=there) as other:
        match = greedy.begin(seat_japan="me", seat_usa="bot:doctrine")
        at = f"/m/{match}/events"
        with greedy.stream("GET", at) as one, greedy.stream("GET", at) as two, greedy.stream("GET", at) as three:
            assert {one.status_code, two.status_code, three.status_code} == {200}
            assert greedy.get(at).status_code == 429
            assert greedy.get(f"/m/{match}").status_code == 200
            with other.stream("GET", at) as stream:
                assert stream.status_code == 200
        deadline = time.monotonic() + 5
        while True:
            with greedy.stream("GET", at) as again:
                if again.status_code == 200:
                    break
            assert time.monotonic() < deadline, "who closes his streams may open others"
            time.sleep(0.02)
