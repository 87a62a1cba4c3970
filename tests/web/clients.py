"""An application with test clients that have separate cookies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient
from tests.toys.straits import GAME as STRAITS

from readyroom import bots
from readyroom.bots.search import Limit
from readyroom.engine.books import Rulebook
from readyroom.engine.game import load_game
from readyroom.engine.record import replay
from readyroom.store import SeatAssignment, Store, base
from readyroom.web import catalog, formatting
from readyroom.web.app import create_app
from readyroom.web.jobs.workers import Job, JobKind, WorkerPool
from readyroom.web.pages.players.profile import COOKIE
from readyroom.web.settings import Settings

ME, FRIEND, BOT = SeatAssignment("me"), SeatAssignment("friend"), SeatAssignment("bot", "doctrine")
TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')
NO_TIME = Limit(-1.0)
"""Analysis limit without rollouts, so that results are deterministic."""
HTMX = {"HX-Request": "true"}


class Guest:
    """A client with its own player and cookies."""

    def __init__(self, site: Site, name: str | None) -> None:
        self.site, self.cookies = site, dict[str, str]()
        self.token = ""
        if name is not None:
            self.player, session, _ = site.store.players.create(name)
            self.cookies[COOKIE] = session

    def get(self, path: str, **headers: str) -> Response:
        return self._ask("GET", path, headers=headers)

    def page(self, path: str) -> str:
        """Return the text of a page; fail unless its status is 200."""
        response = self.get(path)
        assert response.status_code == 200, response.text
        return response.text

    def post(self, path: str, form: dict[str, Any] | None = None, **headers: str) -> Response:
        """Send a form with the CSRF token of the last page."""
        if not self.token:
            self.get("/me")
        return self._ask("POST", path, data={"_csrf_token": self.token, **(form or {})}, headers=headers)

    def upload(self, path: str, text: bytes, file: str, form: dict[str, Any] | None = None, **headers: str) -> Response:
        """Send a form with a plan file."""
        if not self.token:
            self.get("/me")
        fields = {"_csrf_token": self.token, **(form or {})}
        return self._ask("POST", path, data=fields, files={"plan": (file, text)}, headers=headers)

    def part(self, path: str, form: dict[str, Any] | None = None) -> Response:
        """Send a form as htmx does."""
        return self.post(path, form, **HTMX)

    def _ask(self, method: str, path: str, **more: Any) -> Response:
        client = self.site.client
        client.cookies.clear()
        for name, value in self.cookies.items():
            client.cookies.set(name, value)
        response = client.request(method, path, follow_redirects=False, **more)
        self.cookies |= dict(response.cookies)
        if match := TOKEN.search(response.text):
            self.token = match[1]
        return response


class Site:
    """The application, its store, and matches in it."""

    def __init__(self, store: Store, app: Litestar, client: TestClient[Litestar]) -> None:
        self.store, self.app, self.client = store, app, client

    def guest(self, name: str | None = None) -> Guest:
        return Guest(self, name)

    def opened(
        self, host: Guest, game: str = "midway", options: Mapping[str, object] | None = None, **seats: SeatAssignment
    ) -> str:
        """Create a match, which starts when all invited friends have joined."""
        return self.store.lobby.create(host.player, game, None, options or {}, seats, seed="at the table").id

    def duel(self, usa: Guest, japan: Guest) -> str:
        """Create a Midway match between two players."""
        opened = self.store.lobby.create(
            usa.player,
            "midway",
            None,
            {},
            {"usa": ME, "japan": FRIEND},
            seed="at the table",
            help_agreed=True,
        )
        self.store.seats.join_by_link(opened.links["japan"], japan.player.id)
        return opened.id

    def play_until(self, id: str, until: Any = None, most: int = 1000) -> bool:
        """Let default bots play all seats until a condition (match -> bool) holds or the match is over."""
        random = Random(7)
        players: dict[str, Any] = {}
        for _ in range(most):
            with self.store.matches.open(id) as match:
                if match.outcome is not None or (until is not None and until(match)):
                    return match.outcome is None
                seat = next(iter(match.pending))
                name = bots.default_bot(match.game)
                bot = players.setdefault(seat, bots.make_bot(match.game, name, seat, random))
                keys = list(bot(match.pending[seat], lambda seat=seat: match.view(seat)))
            self.store.matches.answer(id, seat, keys, None)
        return False

    def asked(self, id: str, seat: str) -> Any:
        """Return a seat's pending decision as data; None if there is none."""
        with self.store.matches.open(id) as match:
            return formatting.pending(match, seat)

    def revision(self, id: str) -> int:
        return self.store.listings.summary(id).true_revision


@contextmanager
def open_site(place: Path) -> Iterator[Site]:
    """Open an application in its own folder."""
    settings = Settings(home=place, rate=0, secret="a secret of the tests, long enough to sign by")
    with closing(Store(f"sqlite:///{place}/readyroom.db")) as store:
        app = create_app(settings, store)
        app.state.site.analysis_service.limit = NO_TIME
        with TestClient(app) as client:
            yield Site(store, app, client)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One application per test module; each test creates its own matches."""
    with open_site(tmp_path_factory.mktemp("server")) as site:
        yield site


@pytest.fixture
def straits_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """An application with an additional toy game that has secret planning."""
    toy = replace(STRAITS, package="tests.toys")  # a folder in which a board and rules could lie
    toy.__dict__["rulebook"] = Rulebook(rule=[])
    known = {"straits": toy}
    monkeypatch.setattr(base, "load_game", lambda name: known.get(name) or load_game(name))
    everything = {**catalog.games(), **known}
    monkeypatch.setattr(catalog, "games", lambda: everything)
    monkeypatch.setattr(replay, "load_game", lambda name, *more: known.get(name) or load_game(name, *more))
    monkeypatch.setattr(WorkerPool, "submit", run_here)
    with open_site(tmp_path) as site:
        yield site


def run_here(pool: WorkerPool, client: str, kind: JobKind, function: Any, *args: Any) -> Job:
    """Run a job in this process, for games that worker processes do not know."""
    job = Job(pool, client, kind, (function, args))
    job._future.set_result(function(*args))
    job.state = "done"
    return job
