"""A server that is open for tests: a real server in a thread, and browsers without a screen that visit it."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from litestar import Litestar

from readyroom.bots.search import Limit
from readyroom.store import Store
from readyroom.web.app import create_app
from readyroom.web.settings import Settings

PATIENCE = 10.0
Data = Mapping[str, str | Sequence[str]]


class Browser(httpx.Client):
    """What a browser without script does: it keeps cookies, and brings back the token of each form."""

    def form(self, path: str, data: Data | None = None, **more: Any) -> httpx.Response:
        """Send a form, with the token that the last page had."""
        if "form" not in self.cookies:
            self.get("/me")
        return self.post(path, data={"_csrf_token": self.cookies["form"], **(data or {})}, **more)

    def begin(self, **fields: str) -> str:
        """Create a match by the form for new ones; its id. Fields of seats are `seat_usa="friend"`."""
        values = {name.replace("_", "-", 1): value for name, value in fields.items()}
        answer = self.form("/new", {"game": "midway", "do": "open", **values})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/m/")

    def links(self, match: str) -> dict[str, str]:
        """The links that the lobby of a match shows, by seat."""
        links = re.findall(r'id="link-([\w-]+)" value="([^"]+)"', self.get(f"/m/{match}").text)
        return {seat: httpx.URL(link).path for seat, link in links}


class Site:
    """A server at work; `browser()` is a new visitor."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.app: Litestar = create_app(settings)
        self.store: Store = self.app.state.site.store
        self.app.state.site.officer.limit = Limit(0.02)
        self._place = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._place.getsockname()[1]}"
        config = uvicorn.Config(self.app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._place]})

    def open(self) -> None:
        """Serve, and come back when pages can be had."""
        self._thread.start()
        deadline = time.monotonic() + PATIENCE
        while not self._server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)

    def close(self) -> None:
        """Serve no longer."""
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    def browser(self, **more: Any) -> Browser:
        """Someone who was never here. There is nothing to prove at a server without TLS; to be able to takes time."""
        return Browser(base_url=self.url, timeout=PATIENCE, verify=False, **more)


def opened(home: Path, **settings: Any) -> Site:
    """A server over its own folder, without limit of requests unless it is told."""
    site = Site(Settings(home=home, **{"rate": 0, **settings}))
    site.open()
    return site
