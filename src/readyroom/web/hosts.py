"""The names under which this server is reached; requests that name another are rejected."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from readyroom.web.security import HEADERS
from readyroom.web.settings import Settings

HOST = re.compile(r"(?:(?P<name>[A-Za-z0-9_.-]{1,255})|\[(?P<v6>[0-9A-Fa-f:.]{2,45})\])(?::(?P<port>\d{0,5}))?")
"""A Host header."""
LOCAL_NAMES = (".localhost", ".local", ".lan", ".internal", ".home.arpa", ".test")
"""Endings of names that are not on the internet."""


class KnownHosts:
    """Rejects requests whose Host header is malformed, or names another server, before any routing."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests to this server."""
        sentence = self._wrong(scope) if scope["type"] == ScopeType.HTTP else ""
        if not sentence:
            await self.app(scope, receive, send)
            return
        is_api = scope["path"].startswith("/api/")
        facts = json.dumps({"error": "WrongHost", "sentence": sentence}) if is_api else sentence
        kind = b"application/json" if is_api else b"text/plain; charset=utf-8"
        headers = [
            *((key.lower().encode(), value.encode()) for key, value in HEADERS.items()),
            (b"content-type", kind),
            (b"content-length", b"%d" % len(facts.encode())),
        ]
        await send({"type": "http.response.start", "status": 400, "headers": headers})
        await send({"type": "http.response.body", "body": facts.encode(), "more_body": False})

    def _wrong(self, scope: Scope) -> str:
        """Return what is wrong with the Host header; empty if it is fine or there is none."""
        named = [value.decode("latin-1") for key, value in scope["headers"] if key == b"host"]
        host = host_of(named[0]) if named else ""
        if len(named) > 1 or host is None:
            return "The Host header of this request is invalid. It is a name or an address, and perhaps a port."
        if not named or is_own_host(host, self.settings) is not False:
            return ""
        return f"This server is not {host}. Open it at {self.settings.url or self.settings.hosts[0]}."


@lru_cache(maxsize=256)
def host_of(text: str) -> str | None:
    """Return the name or address of a Host header without the port, in lower case; None if it is malformed."""
    match = HOST.fullmatch(text)
    if match is None or not 0 <= int(match["port"] or 0) <= 65535:
        return None
    return (match["name"] or match["v6"]).lower().rstrip(".")


@lru_cache(maxsize=256)
def is_local(host: str) -> bool:
    """Return whether a host is a loopback or private address, or a name that has no meaning on the internet."""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith(LOCAL_NAMES)


def is_own_host(host: str, settings: Settings) -> bool | None:
    """Return whether a host is this server's; None if no setting names any, so that it cannot be known.

    Loopback and private addresses, and names that have no meaning on the internet, are always its own.
    """
    if is_local(host):
        return True
    known = {*settings.hosts, *filter(None, [urlsplit(settings.url).hostname])}
    return host in known if known else None
