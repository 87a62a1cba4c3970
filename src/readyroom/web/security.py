"""What keeps the server safe: headers, the refusal of other sites' forms, limits, and a log without secrets."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from litestar import Request
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.exceptions import PermissionDeniedException, TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.middleware.rate_limit import CacheObject, DurationUnit, RateLimitConfig, RateLimitMiddleware
from litestar.stores.base import Store
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from readyroom.web.logs import hidden
from readyroom.web.settings import Settings

Counting: TypeAlias = Callable[[Request[Any, Any, Any]], Awaitable[bool]]
"""Whether a request counts towards a limit."""
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
"""The largest request body in bytes, where its handler does not allow more."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
STREAMS, ALL_STREAMS = 20, 2000
"""The number of event streams for one client, and in all."""
NEW_MATCHES = 30
"""The matches that one client may create per hour."""
WHAT_IFS = 10
"""The what-ifs and reviews that one client may start per minute."""
LOOKED_BACK = re.compile(r"^/m/[^/]+/(what-if|review)$")
"""Where forms ask for that."""
PLAYED_ON = re.compile(r"^/m/[^/]+/play-on$")
"""Where a form opens a match from the midst of another."""
OPENINGS = frozenset({"/play", "/new", "/tutorial", "/me/import", "/api/v1/matches"})
"""Where forms and programs open matches."""
NEW_STUDIES = 20
"""The studies that one client may start per hour."""
OFFICERS = 12
"""The analyses that one client may start per minute."""


async def add_headers(message: Message, scope: Scope) -> None:
    """Give every response its headers; pages are not kept by caches unless they say so."""
    if message["type"] != "http.response.start":
        return
    default = [*_USUAL, _ONLY_HTTPS] if scope["scheme"] == "https" else _USUAL
    own = {key.lower() for key, _ in message["headers"]}
    message["headers"] = [*message["headers"], *(header for header in default if header[0] not in own)]


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
            raise PermissionDeniedException("This request came from another site.")
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
    """The CSRF token that every form sends; the API uses no cookies and needs none."""
    return CSRFConfig(
        secret=settings.secret,
        cookie_name="form",
        cookie_httponly=True,
        cookie_secure=settings.https,
        exclude=["^/api/"],
    )


class TooMany(TooManyRequestsException):
    """More than one client may have; the sentence says of what."""


def limits(settings: Settings) -> list[Any]:
    """The limits of each client, if there are any: of requests, what-ifs, advice, new matches, studies, and streams.

    Static files do not count.
    """
    if not settings.rate:
        return []
    limit = RateLimitConfig(rate_limit=("minute", settings.rate), exclude=["^/static/"], identifier_for_request=client)
    few = [
        limit,
        _few("hour", NEW_MATCHES, _opens_a_match, NewMatchLimit),
        _few("hour", NEW_STUDIES, _asks_for_a_study, StudyLimit),
        _few("minute", OFFICERS, _asks_the_officer, AnalysisLimit),
        _few("minute", WHAT_IFS, _asks_what_if, WhatIfLimit),
    ]
    return [*(each.middleware for each in few), StreamLimit()]


def _few(within: DurationUnit, most: int, counts: Counting, kind: type[RateLimit]) -> RateLimitConfig:
    """The number of counted requests for each client."""
    return RateLimitConfig(
        rate_limit=(within, most),
        identifier_for_request=client,
        check_throttle_handler=counts,
        middleware_class=kind,
        set_rate_limit_headers=False,
    )


async def _asks_the_officer(request: Request[Any, Any, Any]) -> bool:
    return request.url.path.endswith(("/officer", "/analysis"))


async def _asks_what_if(request: Request[Any, Any, Any]) -> bool:
    """Whether a request is to play a match on from its midst, which is much work."""
    return request.method == "POST" and LOOKED_BACK.match(request.url.path) is not None


async def _asks_for_a_study(request: Request[Any, Any, Any]) -> bool:
    return request.method == "POST" and request.url.path == "/studies"


async def _opens_a_match(request: Request[Any, Any, Any]) -> bool:
    """Whether a request is to open a match, and not only to see the form for it with other choices."""
    if request.method == "POST" and PLAYED_ON.match(request.url.path):
        return True
    if request.method != "POST" or request.url.path not in OPENINGS:
        return False
    return request.url.path != "/new" or (await request.form()).get("do") != "look"


class RateLimit(RateLimitMiddleware):
    """A limit of its own kind; `sentence` is the error text, with the allowed number."""

    sentence = ""

    async def retrieve_cached_history(self, key: str, store: Store) -> CacheObject:
        """When this client has asked for it; `TooMany`."""
        cache_object = await super().retrieve_cached_history(key, store)
        if len(cache_object.history) >= self.max_requests:
            raise TooMany(self.sentence.format(self.max_requests))
        return cache_object


class NewMatchLimit(RateLimit):
    """The limit of new matches."""

    sentence = "You have created {} matches within an hour, which is the limit."

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the form for new matches, to see whether a match is created; it is kept for the handler."""
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST" and scope["path"] == "/new":
            await Request[Any, Any, Any](scope, receive).form()
        await super().__call__(scope, receive, send)


class WhatIfLimit(RateLimit):
    """The limit of what-ifs and verdicts."""

    sentence = "Limit reached: {} what-if studies a minute. Try again shortly."


class StudyLimit(RateLimit):
    """The limit of studies."""

    sentence = "Limit reached: {} studies an hour. Run more on your own computer."


class AnalysisLimit(RateLimit):
    """The limit of analyses."""

    sentence = "Limit reached: {} analyses a minute. Try again shortly."


class StreamLimit(ASGIMiddleware):
    """Lets each client have a few streams of events open, and all together not more than the server can bear."""

    scopes = (ScopeType.HTTP,)

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on what is no stream, and the streams that may be."""
        if scope["type"] != ScopeType.HTTP or not scope["path"].endswith("/events"):
            await next_app(scope, receive, send)
            return
        who = client(Request(scope))
        if self._open[who] >= STREAMS:
            raise TooMany(f"You have {STREAMS} match pages open already. Close one of them.")
        if self._open.total() >= ALL_STREAMS:
            raise TooMany("The server is at its limit. Reload the page from time to time.")
        self._open[who] += 1
        try:
            await next_app(scope, receive, send)
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


class HeadAsGet:
    """Answers HEAD as GET, without the body. It comes before all routes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is no HEAD, and the rest as GET."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        over = False

        async def only_headers(message: Message) -> None:
            nonlocal over
            if message["type"] != "http.response.body":
                await send(message)
            elif not over:
                # A stream has no end: the server would take this for the whole answer, and report that no one listens.
                over = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        got: Any = {**scope, "method": "GET"}
        await self.app(got, receive, only_headers)


def client(request: Request[Any, Any, Any]) -> str:
    """Who counts as one client: an address, or the network of an IPv6 address, of which anybody has millions."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def compression() -> CompressionConfig:
    """Pages are sent small; what holds a secret, streams of events, and what programs ask each second as they are."""
    return CompressionConfig(
        backend="gzip",
        gzip_compress_level=4,
        minimum_size=1400,
        exclude=[
            "^/static/",
            "^/games/[^/]+/board\\.css$",
            "^/s/",
            "^/me",
            "/events$",
            "^/api/v1/(seat|matches/[^/]+(/(sit|decisions|undo))?)$",
        ],
    )


class RedactSecrets(logging.Filter):
    """Removes secrets from the addresses in a log line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line pass, without its secrets."""
        if isinstance(record.args, tuple) and record.args:
            record.args = tuple(_hidden(arg) for arg in record.args)
        else:
            record.msg = _hidden(record.msg)
        return True


def _hidden(data: Any) -> Any:
    return hidden(data) if isinstance(data, str) else data


def keep_secrets_out_of_logs() -> None:
    """Keep secrets out of the server's log lines and our own."""
    for name in ("uvicorn.access", "uvicorn.error", "readyroom.web"):
        logger = logging.getLogger(name)
        if not any(isinstance(known, RedactSecrets) for known in logger.filters):
            logger.addFilter(RedactSecrets())
    for name in ("httpx", "httpcore"):
        # They log every address that is called, and a webhook's is a secret.
        logging.getLogger(name).setLevel(logging.WARNING)
