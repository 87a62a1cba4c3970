"""What keeps the house safe: headers, the refusal of other sites' forms, limits, and a log without secrets."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.exceptions import PermissionDeniedException
from litestar.middleware import ASGIMiddleware
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from readyroom.web.settings import Settings

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
"""What every response says, unless it says it otherwise itself."""
_USUAL = [
    (key.lower().encode(), value.encode()) for key, value in {**HEADERS, "Cache-Control": "private, no-cache"}.items()
]
_ONLY_HTTPS = (b"strict-transport-security", b"max-age=31536000")

BODY = 64 * 1024
"""The most bytes that a request may bring, where its handler does not allow more."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
SECRET_PATHS = re.compile(r"(/s/|/me/recover/)[^/?\s\"]+")
"""Addresses that hold a secret, which no log may tell."""


async def add_headers(message: Message, scope: Scope) -> None:
    """Give every response its headers; pages are not kept by caches unless they say so."""
    if message["type"] != "http.response.start":
        return
    usual = [*_USUAL, _ONLY_HTTPS] if scope["scheme"] == "https" else _USUAL
    own = {key.lower() for key, _ in message["headers"]}
    message["headers"] = [*message["headers"], *(header for header in usual if header[0] not in own)]


class OwnSiteOnly(ASGIMiddleware):
    """Refuses whatever changes something and was sent by another site's page, cookie or not."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on what comes from our own pages, and from what is no browser."""
        if (
            scope["type"] == ScopeType.HTTP
            and scope["method"] not in SAFE
            and comes_from_elsewhere(Headers.from_scope(scope))
        ):
            raise PermissionDeniedException("This was sent from another site's page.")
        await next_app(scope, receive, send)


def comes_from_elsewhere(headers: Headers) -> bool:
    """Whether a browser says that another site's page sent this; one that is silent, or no browser, is believed.

    "null" is what a page that hides its address sends, such as our own that show a secret; there the form's token
    decides.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin not in (None, "null") and urlsplit(origin or "").netloc != headers.get("host")


def forms(settings: Settings) -> CSRFConfig:
    """The token that every form of a page brings back; the interface for programs takes no cookie and needs none."""
    return CSRFConfig(
        secret=settings.secret,
        cookie_name="form",
        cookie_httponly=True,
        cookie_secure=settings.https,
        exclude=["^/api/"],
    )


def limits(settings: Settings) -> list[Any]:
    """The limit of requests a minute for each client, if there is one; static files do not count."""
    if not settings.rate:
        return []
    limit = RateLimitConfig(rate_limit=("minute", settings.rate), exclude=["^/static/"], identifier_for_request=client)
    return [limit.middleware]


def client(request: Request[Any, Any, Any]) -> str:
    """Who counts as one client: an address, or the network of an IPv6 address, of which anybody has millions."""
    host = request.client.host if request.client else ""
    return host if ":" not in host else str(ip_network(f"{host.partition('%')[0]}/64", strict=False))


def compression() -> CompressionConfig:
    """Pages are sent small; what holds a secret, streams of events, and what programs ask each second as they are."""
    return CompressionConfig(
        backend="gzip",
        gzip_compress_level=6,
        minimum_size=1400,
        exclude=["^/static/", "^/s/", "^/me", "/events$", "^/api/v1/(seat|matches/[^/]+(/(sit|decisions|undo))?)$"],
    )


class WithoutSecrets(logging.Filter):
    """Takes the secrets out of the addresses that a log line tells."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line pass, without its secrets."""
        if isinstance(record.args, tuple) and record.args:
            record.args = tuple(_hidden(arg) for arg in record.args)
        else:
            record.msg = _hidden(record.msg)
        return True


def _hidden(told: Any) -> Any:
    return SECRET_PATHS.sub(r"\1…", told) if isinstance(told, str) else told


def keep_secrets_out_of_logs() -> None:
    """Let neither the server's lines nor our own tell a secret."""
    for name in ("uvicorn.access", "uvicorn.error", "readyroom.web"):
        logger = logging.getLogger(name)
        if not any(isinstance(known, WithoutSecrets) for known in logger.filters):
            logger.addFilter(WithoutSecrets())
    for name in ("httpx", "httpcore"):
        # They tell every address that is called, and a web-hook's is a secret.
        logging.getLogger(name).setLevel(logging.WARNING)
