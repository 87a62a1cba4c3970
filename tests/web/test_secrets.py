"""No response of a complete match contains secrets or hidden information.

Two players use both the pages and the API, and a spectator watches. Each response is searched at once and compared with
the true state at that moment.
"""

from __future__ import annotations

import base64
import html
import io
import json
import logging
import re
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, Self
from urllib.parse import quote

import httpx
import msgspec
import pytest
from tests.store.playing import match_at
from tests.web.clients import Site as Parlour
from tests.web.clients import open_site as open_parlour
from tests.web.clients import straits_site
from tests.web.server import PATIENCE, Browser, Site, opened

from readyroom import bots
from readyroom.bots.search import Limit
from readyroom.engine.game import MatchView
from readyroom.engine.match import Match
from readyroom.engine.rules.dice import key_of
from readyroom.store import SeatAssignment
from readyroom.web.pages.players.profile import COOKIE

__all__ = ["straits_site"]

AnyMatch = Match[Any, Any]
KEYS = re.compile(rb"(?<![a-z0-9-])[a-z]+(?:-[a-z]+)*-(?:f|tb|db)-\d+(?!\d)")
NAMES = re.compile(rb"[A-Z][a-z]+ (?:F|TB|DB) \d+(?!\d)")
"""Names of squadrons in a response."""
OF_DICE = ("the dice", "the key of the dice")
"""Secrets that are published after the match."""
WORD = "w0rd-of-{side}-{number}"


# -- secrets ---------------------------------------------------------------------------------------------------------


def forms(secret: str) -> list[bytes]:
    """Return the forms of a 256-bit secret: text, bytes, hexadecimal and its stored hash."""
    raw = base64.urlsafe_b64decode(f"{secret}=")
    return [secret.encode(), *dice_forms(raw), blake2b(secret.encode(), digest_size=32).hexdigest().encode()]


def dice_forms(raw: bytes) -> list[bytes]:
    """Return the text forms of bytes."""
    codes = {base64.b64encode(raw), base64.urlsafe_b64encode(raw), base64.b32encode(raw)}
    return [raw, raw.hex().encode(), raw.hex().upper().encode(), *(code.rstrip(b"=") for code in codes)]


def spelt(text: str) -> set[bytes]:
    """Return a text as escaped in HTML, JSON and URLs."""
    return {each.encode() for each in (text, html.escape(text), json.dumps(text)[1:-1], quote(text))}


@dataclass
class Vault:
    """All secrets, with who may see each one in which response."""

    kept: dict[str, list[bytes]] = field(default_factory=dict)
    may: set[tuple[str, str, str]] = field(default_factory=set)
    responses: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def keep(self, name: str, texts: Collection[bytes], *may: tuple[str, str]) -> None:
        self.kept[name] = list(texts)
        self.may |= {(name, *player) for player in may}

    def search(self, party: str, what: str, data: bytes, others: Collection[str] = ()) -> None:
        """Check that a response shows a party only permitted secrets."""
        for name, texts in self.kept.items():
            if name not in others and any(word in data for word in texts):
                assert (name, party, what) in self.may, f"{what} shows {name} to {party}"
                self.responses[name, party, what] += 1


# -- parties ---------------------------------------------------------------------------------------------------------


class Ear(Browser):
    """A client whose responses are all searched, including headers."""

    def __init__(self, table: Table, name: str) -> None:
        super().__init__(
            base_url=table.site.url, timeout=PATIENCE, verify=False, event_hooks={"response": [self.heard]}
        )
        self.table, self.name, self.seat = table, name, ""
        self.secret = ""

    def heard(self, response: httpx.Response) -> None:
        """Search a response."""
        if response.headers["content-type"].startswith("text/event-stream"):
            return
        response.read()
        head = b"\n".join(b": ".join(header) for header in response.headers.raw)
        request = response.request
        what = f"{request.method} {request.url.raw_path.decode()}"
        self.table.hears(self, what, head + b"\n\n" + response.content)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send an API request, with the seat's secret if there is one."""
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        return self.request(method, f"/api/v1{path}", headers=headers, **more)

    def takes(self, path: str, **form: str) -> httpx.Response:
        """Send a form of the match page."""
        return self.form(f"/m/{self.table.match}/{path}", {"seat": self.seat, **form})

    def listen(self) -> None:
        """Read the event stream to its end."""
        with suppressed(), httpx.stream("GET", f"{self.base_url}/m/{self.table.match}/events", timeout=60) as stream:
            for line in stream.iter_raw():
                self.table.events.append(line)


@contextmanager
def suppressed() -> Iterator[None]:
    """Ignore HTTP errors, because the stream may be cut off."""
    try:
        yield
    except httpx.HTTPError:
        return


class Table:
    """A two-player match with a spectator; all responses are searched."""

    def __init__(self, site: Site) -> None:
        self.site, self.vault, self.match = site, Vault(), ""
        self.early: list[tuple[str, str, bytes]] = []
        self.events: list[bytes] = []
        self.hidden: dict[str, set[bytes]] = {}
        self.dice = b""
        self.asked: Counter[str] = Counter()
        self.japan, self.usa, self.onlooker = (Ear(self, name) for name in ("japan", "usa", "onlooker"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for ear in self.ears:
            ear.close()

    @property
    def ears(self) -> list[Ear]:
        return [self.japan, self.usa, self.onlooker]

    def hears(self, ear: Ear, what: str, data: bytes) -> None:
        """Search a response; responses before all secrets are known are searched later."""
        self.asked[what.partition("?")[0]] += 1
        if not self.dice:
            self.early.append((ear.name, what, data))
            return
        self.vault.search(ear.name, what, data, others=OF_DICE if self.is_over() else ())
        for word in self.hidden.get(ear.name, ()):
            assert word not in data, f"{what} shows {word.decode()} to {ear.name}"
        if self.match in what:
            self._search_hidden(ear, what, data)

    def _search_hidden(self, ear: Ear, what: str, data: bytes) -> None:
        at = re.search(rb'id="replay"[^>]* data-at="(\d+)"[^>]*seat=(\w*)', data)
        if at is not None:  # who asks for another's seat sees a spectator's replay, counted as spectators count
            seat = at[2].decode() or None
            assert seat in (None, ear.seat) or self.is_over()
            with self.site.store.matches.open(self.match) as match:
                true = match.true_revision(seat, int(at[1]))
            match = match_at(self.site.store, self.match, true)
            nothing_hidden(match, seat, what, data, over=self.is_over())
            return
        with self.site.store.matches.open(self.match) as match:
            nothing_hidden(match, ear.seat or None, what, data, over=match.outcome is not None)

    def is_over(self) -> bool:
        return self.site.store.listings.summary(self.match).outcome is not None

    # -- creating and joining ----------------------------------------------------------------------------------------

    def begin(self, **rules: str) -> None:
        """Create the match and let all parties join."""
        for ear in self.ears:
            ear.form("/me/name", {"name": ear.name.title()})
        fields = {f"option-{key}": value for key, value in rules.items()}
        texts = {"seat-japan": "me", "seat-usa": "friend", "words": "a nonce of japan"}
        new = self.japan.form("/new", {"game": "midway", "do": "open", "pace": "live", **texts, **fields})
        self.match = new.headers["location"].removeprefix("/m/")
        link = self.japan.links(self.match)["usa"]
        for ear in self.ears:
            ear.get(f"/m/{self.match}")
            ear.get(f"/api/v1/matches/{self.match}?since=0&view=true")
        self.usa.get(link)
        self.usa.form(link, {"words": "a nonce of usa"})
        self.japan.seat, self.usa.seat = "japan", "usa"
        for ear in (self.usa, self.japan):
            ear.get(f"/m/{self.match}")
            made = ear.takes("link")
            ear.secret = re.findall(r'value="http://[^"]+/s/([^"]+)"', made.text)[0]
        self._lock(link.removeprefix("/s/"), f"GET {link}", f"POST {link}")

    def _lock(self, link: str, *of_link: str) -> None:
        """Store all secrets in the vault and search the earlier responses."""
        here, vault = f"/m/{self.match}", self.vault
        for ear in self.ears:
            recovery = re.findall(r"/me/recover/([\w-]{43})", ear.form("/me/recovery").text)
            ear.get("/me/recover/nonsense")
            vault.keep(f"{ear.name}'s recovery", forms(recovery[0]), (ear.name, "POST /me/recovery"))
            vault.keep(f"{ear.name}'s session", forms(ear.cookies[COOKIE]), (ear.name, "POST /me/name"))
        for seat in (self.japan, self.usa):
            vault.keep(f"{seat.name}'s seat", forms(seat.secret), (seat.name, f"POST {here}/link"))
        usa = [("japan", "POST /new"), ("japan", f"GET {here}"), *(("usa", what) for what in of_link)]
        vault.keep("usa's link", forms(link), *usa)
        vault.keep("the server's key", [self.site.settings.secret.encode()])
        vault.keep("the signing key", forms(self.site.settings.signing_key))
        with self.site.store.matches.open(self.match) as match:
            assert match.secret is not None
            self.dice = match.secret
            for name, content in zip(OF_DICE, (match.secret, key_of(match.secret, match.nonces)), strict=True):
                vault.keep(name, dice_forms(content))
        for events in self.early:
            vault.search(*events)
        vault.may = {may for may in vault.may if may[2] not in (f"GET {here}", f"POST {here}/link", *of_link)}

    # -- requests ----------------------------------------------------------------------------------------------------

    def glance(self) -> None:
        """Request the match for all parties, as a page and by the API."""
        for ear in self.ears:
            ear.get(f"/m/{self.match}/table", headers={"HX-Request": "true"})
            ear.ask("GET", f"/matches/{self.match}?since=0&view=true")

    def sweep(self, at: int) -> None:
        """Request all pages for all parties, including those of other seats."""
        here, api = f"/m/{self.match}", f"/matches/{self.match}"
        for ear in self.ears:
            for path in (*ELSEWHERE, f"{here}/take?seat=usa"):
                ear.get(path)
            for seat in ("", "?seat=japan", "?seat=usa", "?seat=all", "?seat=nobody"):
                also = "&" if seat else "?"
                ear.get(f"{here}{seat}")
                for part in PARTS:
                    ear.get(f"{here}/{part}{seat}")
                for ask in ("staff", "all"):
                    ear.get(f"{here}{seat}{also}ask={ask}")
                    ear.get(f"{here}/table{seat}{also}ask={ask}", headers={"HX-Request": "true"})
                ear.get(f"{here}/plan-template/a-plan.toml{seat}")
                ear.get(f"{here}/plan{seat}")
                ear.get(f"{here}/plan/hint{seat}")
                ear.get(f"{here}/replay?at={at}{seat.replace('?', '&')}")
                ear.get(f"{here}/playback?since=0{seat.replace('?', '&')}")
            for path in ("/seat", "/games", "/games/midway", "/matches", f"{api}?since=0&view=true"):
                ear.ask("GET", path)
            for part in ("record", "talk", "advice", "officer", "ask-back", "draw"):
                ear.ask("GET", f"{api}/{part}")
                ear.get(f"/api/v1{api}/{part}")
            ear.get(f"/api/v1{api}?since=0&view=true")
            ear.ask("GET", f"{api}/playback?since=0")
            ear.get(f"/api/v1{api}/playback?since=0")

    def meddle(self) -> None:
        """Try forbidden actions for all parties; the errors are searched, too."""
        summary = self.site.store.listings.summary(self.match)
        revision, over = str(summary.revision), (409,) if summary.outcome is not None else ()
        for ear in self.ears:
            for seat in ("japan", "usa", ""):
                for verb in MEDDLING:
                    if verb == "reclaim" or seat != ear.seat:
                        refused = ear.takes(verb, seat=seat, revision=revision, key="akagi-f-1", allow="yes")
                        late = (409,) if verb == "cancel" else ()  # of the host
                        allowed = (403, *over, *late, *(() if seat else (404,)))
                        assert refused.status_code in allowed, (ear.name, verb, seat)
            ear.takes("answer", revision="0", key="akagi-f-1")
            ear.takes("answer", revision=revision, key="kaga-db-99")
            ear.takes("begin")
            ear.takes("take")
            ear.ask("POST", f"/matches/{self.match}/decisions", json={"keys": ["akagi-f-1"], "revision": 0})
            ear.ask("POST", f"/matches/{self.match}/decisions", json={"keys": ["x"], "revision": int(revision)})

    def talk(self, number: int) -> None:
        """Post side messages and notes, which are hidden from the others from now on."""
        sides = {"japan": self.japan, "usa": self.usa}
        for side, ear in sides.items():
            text, noted = (WORD.format(side=f"{side}-{what}", number=number) for what in ("said", "noted"))
            for other in self.ears:
                if other is not ear:
                    self.hidden.setdefault(other.name, set()).update((text.encode(), noted.encode()))
            assert text in ear.takes("say", text=text, to="side").text or ear.get(f"/m/{self.match}").text.count(text)
            ear.takes("note", text=noted)
            assert noted in ear.get(f"/m/{self.match}").text
            ear.takes("say", text=f"good morning {number}", to="all")

    def decide(self, random: Random) -> bool:
        """Answer a decision at random, by page or API; return False if the match is over."""
        with self.site.store.matches.open(self.match) as match:
            if match.outcome is not None:
                return False
            seat = random.choice(list(match.pending))
            asked = match.pending[seat]
            keys, revision = list(asked.sample(random)), match.revision_for(seat, asked.revision)
        ear = self.japan if seat == "japan" else self.usa
        if random.random() < 0.5:
            response = ear.ask("POST", f"/matches/{self.match}/decisions", json={"keys": keys, "revision": revision})
            assert response.status_code == 200, response.text
        else:
            counts = Counter(keys)
            form = {"key": list(counts), "count": [str(n) for n in counts.values()]} if counts else {}
            part = {"HX-Request": "true"} if random.random() < 0.5 else {}
            response = ear.form(
                f"/m/{self.match}/answer", {"seat": seat, "revision": str(revision), **form}, headers=part
            )
            assert response.status_code in (200, 303), response.text
        return True

    def repent(self, random: Random) -> None:
        """Undo or request a takeback at random."""
        ear = random.choice([self.japan, self.usa])
        other = self.usa if ear is self.japan else self.japan
        how = random.randrange(4)
        if how == 0:
            ear.takes("undo")
        elif how == 1:
            ear.ask("POST", f"/matches/{self.match}/undo?since=0&view=true")
        elif ear.takes("takeback").status_code != 409:
            self.glance()
            other.takes("takeback/answer", allow="yes" if how == 2 else "no")


PARTS = (
    *("table", "talk", "seats", "advice", "odds", "analysis", "analysis/progress", "presence", "turning-points"),
    *("replay", "report", "report.md", "record.jsonl", "whole.jsonl", "what-if", "review", "dice.json"),
    *("board.svg", "poster.svg"),
)
MEDDLING = (
    *("answer", "undo", "takeback", "takeback/answer", "claim", "resign", "continue", "draw", "draw/answer"),
    *("link", "assign-bot", "reclaim", "typing", "cancel"),
)
"""Actions for a seat."""
ELSEWHERE = (
    *(
        "/",
        "/me",
        "/me/hidden",
        "/me/import/1",
        "/new?game=midway",
        "/games",
        "/search?q=cap",
        "/tutorial",
        "/tutorial/midway",
        "/credits",
        "/nowhere",
        "/.well-known/readyroom.json",
        "/offline",
        "/ladder",
        "/community",
        "/players?q=a",
        "/opponents",
        "/players/nowhere",
        "/watch",
        "/week",
        *(f"/challenge{part}" for part in ("", "/archive", "/2026-01-01", "/2026-01-01/result")),
        *(f"/api/v1/challenge{part}" for part in ("", "/2026-01-01")),
        *(f"/campaigns{part}" for part in ("", "/new", "/1", "/join/nowhere")),
        *(f"/campaigns/1/{part}" for part in ("chronicle", "chronicle.md", "record.jsonl", "verify")),
        *(f"/api/v1/campaigns{part}" for part in ("", "/1", "/1/record")),
        *(f"{root}/tournaments{part}" for root in ("", "/api/v1") for part in ("", "/1")),
        "/tournaments/new",
        *(f"{root}{part}" for root in ("", "/api/v1") for part in ("/puzzles?game=pearl", "/puzzles/pearl-nowhere")),
        "/games/pearl/puzzles",
        *("/watch/pearl", "/watch/pearl/board.svg", "/puzzles/pearl-nowhere/board.svg"),
        *(f"/notebooks/1{part}" for part in ("", "/chart", "/report", "/study.toml")),
        *(f"/n/nowhere{part}" for part in ("", "/report", "/study.toml")),
        "/scenarios",
        *(f"/scenarios/1{part}" for part in ("", "/trial", "/file")),
        *(f"/scenario/nowhere{part}" for part in ("", "/file")),
        *(f"/api/v1/scenarios{part}" for part in ("", "/nowhere")),
        "/games/tora/tools",
        "/studies",
        "/studies/nowhere",
        "/studies/nowhere/report",
    ),
    *(
        f"/games/midway{page}"
        for page in (
            "",
            "/rules",
            "/rules/12.2",
            "/help/12.2",
            "/charts",
            "/odds",
            "/scenarios/midway.toml",
            "/board.svg",
        )
    ),
    *("/api/schema", "/api/schema/openapi.json", "/api/schema/openapi.yaml", "/api/v1/nowhere"),
    *(f"/api/v1/{page}" for page in ("results", "ladder", "ladder/midway", "players/nowhere", "week")),
    *(
        "/static/site.css",
        "/static/js/any/match.js",
        "/static/games/midway/any/effects.js",
        "/service-worker.js",
        "/favicon.ico",
        "/robots.txt",
    ),
    *("/health", "/health/live", "/metrics"),
)
"""Paths outside of matches."""


def named(data: object) -> set[str]:
    """Return all keys in a view."""
    if isinstance(data, dict):
        own = {data["key"]} if isinstance(data.get("key"), str) else set()
        return own.union(*(named(value) for value in data.values()))
    return set().union(*(named(each) for each in data)) if isinstance(data, list) else set()


def hidden_from(match: AnyMatch, seat: str | None) -> dict[bytes, bytes]:
    """Return keys and names of squadrons hidden from a seat, computed from the true state."""
    seen = named(msgspec.to_builtins(match.view(seat).table))
    sides = (match.state.japan, match.state.usa)
    every = [squadron for side in sides for squadron in (*side.squadrons(), *side.lost)]
    return {one.key.encode(): one.name.encode() for one in every if one.key not in seen}


def nothing_hidden(match: AnyMatch, seat: str | None, what: str, data: bytes, *, over: bool) -> None:
    """Check that a response shows no hidden squadrons and no question of another seat.

    Names and questions in the seat's log are not hidden.
    """
    if over:
        return
    hidden = hidden_from(match, seat)
    keys = hidden.keys() & set(KEYS.findall(data))
    if "/playback" in what:  # it shows again what the seat has seen
        keys = {key for key in keys if not is_known(match, seat, hidden[key])}
        for viewer in (seat, None):
            for key in match.recall(viewer, seen_so_far):
                hidden.pop(key.encode(), None)
        keys &= hidden.keys()
    assert not keys, f"{what} shows {sorted(keys)} to {seat}: {around(data, min(keys))!r}"
    names = {name for name in set(hidden.values()) & set(NAMES.findall(data)) if not is_known(match, seat, name)}
    assert not names, f"{what} shows {sorted(names)} to {seat}"
    for asked in match.pending.values() if seat is None else ():
        for words in spelt(asked.question):
            at = data.find(words)
            text = f"{what} shows {asked.question} to {seat}: {data[max(0, at - 200) : at + 200]!r}"
            assert at < 0 or is_known(match, seat, asked.question.encode()), text


def seen_so_far(seen: set[str] | None, view: MatchView[Any]) -> set[str]:
    """Add the keys in a view to those of earlier ones."""
    return (seen or set()) | named(msgspec.to_builtins(view.table))


def around(data: bytes, words: bytes) -> bytes:
    """Return the part of a response around these words."""
    at = data.find(words)
    return data[max(0, at - 300) : at + 200]


def is_known(match: AnyMatch, seat: str | None, data: bytes) -> bool:
    """Return whether a seat's log contains this text."""
    return data in " ".join(line.text for line in match.log(seat)).encode()


# -- complete matches ------------------------------------------------------------------------------------------------


LOGGERS = ("uvicorn", "uvicorn.access", "uvicorn.error", "readyroom", "litestar", "alembic", "asyncio")


@contextmanager
def overheard() -> Iterator[io.StringIO]:
    """Capture the server's log at level DEBUG, including the access log."""
    page = io.StringIO()
    handler = logging.StreamHandler(page)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s"))
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger.level, logger.disabled) for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
        logger.disabled = False
    try:
        yield page
    finally:
        for logger, (level, disabled) in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)
            logger.disabled = disabled


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A server with a table."""
    site = opened(tmp_path, secret="the server's own key, which no one ever sees", metrics="anywhere")
    with Table(site) as table:
        yield table
    site.close()


def played(table: Table, random: Random, most: int, every: int) -> int:
    """Play up to `most` decisions with a sweep after `every`; return the number played."""
    for number in range(most):
        if number % every == every - 1:
            table.sweep(random.randint(0, max(0, table.site.store.listings.summary(table.match).true_revision)))
            table.talk(number)
            table.meddle()
        table.glance()
        if random.random() < 0.2:
            table.repent(random)
        if not table.decide(random):
            return number
    return most


def everywhere(table: Table) -> None:
    """Check that every GET route was requested, except event streams."""
    missing = []
    for route in table.site.app.routes:
        pattern = re.sub(r"\{\w+:str\}", "[^/]+", re.sub(r"\{\w+:path\}", ".+", route.path).replace("//", "/"))
        looked_at = "GET" in getattr(route, "methods", ())
        if looked_at and not route.path.endswith("/events"):
            missing += [] if any(re.fullmatch(f"GET {pattern}", asked) for asked in table.asked) else [route.path]
    assert not missing, "\n".join(missing)


def kept_nothing(table: Table, log: str) -> None:
    """Check that log and database have no plain secrets, and the log no hidden information."""
    data = log.encode()
    table.vault.search("the log", "written", data)
    assert not KEYS.findall(data)
    texts = set().union(*table.hidden.values())
    assert not any(word in data for word in texts)
    doors = {name: texts[0] for name, texts in table.vault.kept.items() if "dice" not in name}
    files = [file for file in table.site.settings.home.rglob("*") if file.is_file()]
    assert any(file.suffix == ".sqlite" for file in files)
    for file in files:
        content = file.read_bytes()
        assert not [name for name, secret in doors.items() if secret in content], file
        assert file.stat().st_mode & 0o077 == 0, f"others may read {file}"


@pytest.mark.torture(4)
def test_first_turns_leak_no_secrets(table: Table) -> None:
    with overheard() as log:
        table.begin()
        played(table, Random(1), most=5, every=5)
    assert table.asked.total() > 250
    everywhere(table)
    assert f"/m/{table.match}/table" in log.getvalue()
    kept_nothing(table, log.getvalue())


@pytest.mark.torture(34)
def test_full_match_leaks_no_secrets(table: Table) -> None:
    with overheard() as log:
        table.begin(turn_limit="8")
        listener = threading.Thread(target=table.onlooker.listen, daemon=True)
        listener.start()
        played(table, Random(2), most=500, every=40)
        assert table.is_over()
        kept_nothing(table, log.getvalue())
        table.sweep(3)
        for path in (f"/m/{table.match}/record.jsonl", f"/m/{table.match}", f"/m/{table.match}/replay?at=0"):
            assert table.dice.hex() in table.onlooker.get(path).text, f"{path} shows the secret once the match is over"
    table.site.close()
    listener.join(PATIENCE)
    assert len(table.events) > 50
    fits = re.compile(rb"(event: (here|moved|talk|asked|seats)\ndata: \d+\n\n|event: presence\ndata: [0-9a-f]+\n\n)*")
    assert fits.fullmatch(b"".join(table.events)), "an event has its kind, and a number or a hash, and nothing else"
    items = {(name, party) for name, party, _ in table.vault.responses}
    players = ("japan", "usa")
    own = {(f"{ear.name}'s {what}", ear.name) for ear in table.ears for what in ("session", "recovery")}
    reported = {(f"{seat}'s seat", seat) for seat in players} | {("usa's link", seat) for seat in players}
    assert items == own | reported


# -- diverging matches -----------------------------------------------------------------------------------------------


LOOKS = (
    "",
    "/table",
    "/talk",
    "/seats",
    "/replay",
    "/report",
    "/report.md",
    "/record.jsonl",
    "/advice",
    "/odds",
    "/analysis",
    "/what-if",
    "/review",
    "/dice.json",
)


class Worlds:
    """Two matches that differ only in what one side hides from the others."""

    def __init__(self, site: Parlour, game: str, seats: tuple[str, str]) -> None:
        self.site, self.seats = site, seats
        self.players = {seat: site.guest(seat) for seat in seats}
        self.spectator = site.guest("onlooker")
        first, second = (self.players[seat].player for seat in seats)
        self.ids = []
        for _ in range(2):
            who = {seats[0]: SeatAssignment("me"), seats[1]: SeatAssignment("friend")}
            new = site.store.lobby.create(first, game, None, {}, who, seed="two worlds")
            site.store.seats.join_by_link(new.links[seats[1]], second.id)
            self.ids.append(new.id)

    def known(self, id: str, seat: str | None) -> object:
        """Return everything that a seat knows in a match."""
        with self.site.store.matches.open(id) as match:
            lines = [(line.text, line.rule) for line in match.log(seat)]
            asked = match.pending.get(seat or "")
            at = (match.revision_for(seat), list(match.pending), asked and asked.question, match.outcome)
            return match.view(seat), lines, at

    def responses(self, id: str, seat: str | None) -> list[bytes]:
        """Return a seat's pages with the match id, and the signature that depends on it, replaced."""
        signature = self.site.store.listings.summary(id).signature.encode()
        guest = self.players[seat] if seat is not None else self.spectator
        pages = [guest.get(f"/m/{id}{look}") for look in LOOKS]
        pages.append(guest.get(f"/api/v1/matches/{id}?since=0&view=true"))
        return [page.content.replace(id.encode(), b"ID").replace(signature, b"SIGNATURE") for page in pages]

    def compare(self, decided: str) -> int:
        """Check that equal knowledge gives equal pages; return the number of compared perspectives."""
        same = 0
        for perspective in (*self.seats, None):
            one, other = self.ids
            if perspective != decided and self.known(one, perspective) == self.known(other, perspective):
                same += 1
                for look, mine, yours in zip(
                    (*LOOKS, "api"), self.responses(one, perspective), self.responses(other, perspective), strict=True
                ):
                    assert mine == yours, f"{look} shows {perspective} what is hidden"
        return same

    def step(self, seat: str, answers: tuple[list[str], list[str]]) -> None:
        for match, keys in zip(self.ids, answers, strict=True):
            self.site.store.matches.answer(match, seat, keys, None)

    def diverge(self, random: Random) -> int:
        """Answer a decision differently in each match, compare, undo, and give both the same answer.

        Returns the number of compared perspectives, or -1 if the matches cannot continue.
        """
        with self.site.store.matches.open(self.ids[0]) as match:
            if match.outcome is not None:
                return -1
            seat = random.choice(list(match.pending))
            asked = match.pending[seat]
            mine, yours = list(asked.sample(random)), list(asked.sample(random))
            best = list(bots.make_bot(match.game, next(iter(match.game.analysis.bots), "random"), seat, random)(
                asked, lambda: match.view(seat)
            ))  # fmt: skip
        same = 0
        if sorted(mine) != sorted(yours):
            self.step(seat, (mine, yours))
            same = self.compare(seat)
            with self.site.store.matches.open(self.ids[0]) as one, self.site.store.matches.open(self.ids[1]) as other:
                if not (one.can_undo(seat) and other.can_undo(seat)):
                    return -1
            for match_id in self.ids:
                self.site.store.matches.undo(match_id, seat)
        self.step(seat, (best, best))
        return same


@pytest.fixture
def parlour(tmp_path: Path) -> Iterator[Parlour]:
    with open_parlour(tmp_path) as site:
        yield site


def same_pages(worlds: Worlds, random: Random, times: int) -> int:
    """Let two matches diverge up to `times` times; return the number of compared perspectives."""
    return sum(takewhile(lambda same: same >= 0, (worlds.diverge(random) for _ in range(times))))


@pytest.mark.torture(16)
def test_hidden_plans_change_no_byte_of_other_pages(parlour: Parlour) -> None:
    worlds = (Worlds(parlour, "midway", ("japan", "usa")) for _ in range(12))
    assert sum(same_pages(each, Random(seed), 30) for seed, each in enumerate(worlds)) > 20


@pytest.mark.slow(3)
def test_secret_decisions_change_no_byte_of_other_pages(straits_site: Parlour) -> None:
    straits_site.app.state.site.analysis_service.limit = Limit(float("inf"), 2)
    worlds = (Worlds(straits_site, "straits", ("red", "blue")) for _ in range(4))
    assert sum(same_pages(each, Random(seed), 6) for seed, each in enumerate(worlds)) >= 4


# -- errors ----------------------------------------------------------------------------------------------------------


def test_database_error_logs_no_secrets(tmp_path: Path) -> None:
    site = opened(tmp_path)
    try:
        with overheard() as log, site.browser() as browser:
            match = browser.begin(seat_japan="me", seat_usa="bot:doctrine")
            with site.store.matches.open(match) as live:
                asked = live.pending["japan"]
                keys, revision = list(asked.sample(Random(1))), str(live.revision_for("japan", asked.revision))
            spoil(tmp_path / "matches.sqlite", "entries", "messages", "notes", "players")
            texts = {"seat": "japan", "text": "to be kept to oneself", "to": "side"}
            answers = [browser.form(f"/m/{match}/{verb}", texts) for verb in ("say", "note")]
            answers.append(browser.form(f"/m/{match}/answer", {"seat": "japan", "revision": revision, "key": keys}))
            with site.browser() as other:
                answers.append(other.form("/me/name", {"name": "Yamamoto"}))
    finally:
        site.close()
    text = log.getvalue()
    assert text.count("no such table: main.nowhere") >= 3
    assert not [secret for secret in ("to be kept to oneself", keys[0], "Yamamoto") if secret in text]
    assert [answer.status_code for answer in answers] == [503] * 4
    assert not [answer for answer in answers if "no such table" in answer.text]


def spoil(file: Path, *tables: str) -> None:
    """Make inserts into these tables fail."""
    with sqlite3.connect(file) as database:
        for table in tables:
            text = "BEGIN INSERT INTO nowhere VALUES (1); END"
            database.execute(f"CREATE TRIGGER no_{table} BEFORE INSERT ON {table} {text}")


def test_secret_addresses_are_not_logged(tmp_path: Path) -> None:
    site = opened(tmp_path)
    secret = "S3CRET" * 7
    paths = (f"/s/{secret}", f"/me/recover/{secret}", f"/s/{secret}/x?y=1", f"/s/{secret}?to=1")
    try:
        with overheard() as log, site.browser() as browser:
            for path in paths:
                browser.get(f"{site.url}{path}")
                browser.form(path)
            time.sleep(0.05)
    finally:
        site.close()
    assert "/s/…" in log.getvalue()
    assert secret not in log.getvalue()
