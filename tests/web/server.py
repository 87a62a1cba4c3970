"""A real server in a thread, and HTTP clients."""

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
from readyroom.web.connections import ConnectionLimits, limited
from readyroom.web.settings import Settings

PATIENCE = 10.0
Data = Mapping[str, str | Sequence[str]]


class Browser(httpx.Client):
    """A client like a browser without scripts: keeps cookies and sends CSRF tokens."""

    def form(self, path: str, data: Data | None = None, **more: Any) -> httpx.Response:
        """Send a form with the CSRF token of the last page."""
        if "form" not in self.cookies:
            self.get("/me")
        return self.post(path, data={"_csrf_token": self.cookies["form"], **(data or {})}, **more)

    def begin(self, **fields: str) -> str:
        """Create a match with the form, with seats as in `seat_usa="friend"`; return its id."""
        values = {name.replace("_", "-", 1): value for name, value in fields.items()}
        answer = self.form("/new", {"game": "midway", "do": "open", **values})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/m/")

    def links(self, match: str) -> dict[str, str]:
        """Return a match's invite links by seat."""
        links = re.findall(r'id="link-([\w-]+)" value="([^"]+)"', self.get(f"/m/{match}").text)
        return {seat: httpx.URL(link).path for seat, link in links}


class Site:
    """A running server; `browser()` returns a new client."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.app: Litestar = create_app(settings)
        self.store: Store = self.app.state.site.store
        self.app.state.site.analysis_service.limit = Limit(0.02)
        self._place = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._place.getsockname()[1]}"
        self.connections = ConnectionLimits("127.0.0.1")
        config = uvicorn.Config(
            self.app,
            http=limited(self.connections),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
            ws="none",
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._place]})

    def open(self) -> None:
        """Start the server and wait until it responds."""
        self._thread.start()
        deadline = time.monotonic() + PATIENCE
        while not self._server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    def browser(self, **more: Any) -> Browser:
        """Return a new client; skips loading TLS certificates, which is slow."""
        return Browser(base_url=self.url, timeout=PATIENCE, verify=False, **more)


def opened(home: Path, **settings: Any) -> Site:
    """Start a server in this folder, by default without a rate limit."""
    site = Site(Settings(home=home, **{"rate": 0, **settings}))
    site.open()
    return site
