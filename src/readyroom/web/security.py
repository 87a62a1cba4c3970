"""Security: headers, same-site forms, rate limits, and logs without secrets."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from gzip import compress
from hashlib import blake2b
from ipaddress import IPv4Address, ip_address, ip_network
from math import ceil
from threading import Lock
from time import monotonic
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, PermissionDeniedException, TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.middleware.compression import CompressionMiddleware
from litestar.middleware.rate_limit import (
    DURATION_VALUES,
    CacheObject,
    DurationUnit,
    RateLimitConfig,
    RateLimitMiddleware,
)
from litestar.serialization import decode_json, encode_json
from litestar.stores.base import Store
from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPResponseStartEvent, Message, Receive, Scope, Send

from readyroom.engine.text import count_noun
from readyroom.web.monitoring.logs import hidden
from readyroom.web.settings import Settings

Counting: TypeAlias = Callable[[Request[Any, Any, Any]], Awaitable[bool]]
"""Returns whether a request counts towards a limit."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cache-Control": "private, no-cache",
}
"""Default headers of all responses."""
_DEFAULT_HEADERS = [(key.lower().encode(), value.encode()) for key, value in HEADERS.items()]
_FOR_FILES = [
    header for header in _DEFAULT_HEADERS if header[0] in (b"x-content-type-options", b"cross-origin-resource-policy")
]
"""Those of scripts, styles, fonts and bitmaps: the others govern documents, and would be a tenth of a first load."""
FILE_TYPES = (b"text/javascript", b"text/css", b"font/woff2", b"image/png")
_ONLY_HTTPS = (b"strict-transport-security", b"max-age=31536000")

FORM = "form"
"""The cookie with the CSRF token."""
BODY = 64 * 1024
"""The most bytes of a request, unless its handler allows more."""
FORM_FIELDS = 2_000
"""The most fields of a form that is not an upload, whose fields Litestar limits."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
AT_ONCE = 6
"""The most requests of a client that are in progress, without event streams."""
ALL_REQUESTS = 3
"""How many times the limit of requests a client may make with those of static files, health checks and missing pages.
"""
MOST_WAITING = 100
"""The most requests of a client that wait until others of it have ended."""
FLOOD_DELAY, MOST_DELAYED = 1.0, 500
"""Seconds after which more requests are rejected, so that a client cannot repeat them fast, and how many wait so."""
MINUTE = 60.0
STREAMS, ALL_STREAMS = 20, 2000
"""The most event streams per client, and in all."""
NEW_PLAYERS = 60
"""The most new players per client and hour."""
NEW_MATCHES = 30
"""The most new matches per client and hour."""
WHAT_IFS = 10
"""The most what-ifs and reviews per client and minute."""
LOOKED_BACK = re.compile(r"^/m/[^/]+/(what-if|review)$")
"""Addresses of those forms."""
OPENINGS = re.compile(
    r"^(/play|/new|/watch|/challenge(/[^/]+)?|/opponents|/tutorial|/me/import|/(campaigns|tournaments)/new|/tournaments/[^/]+/again|/api/v1/(matches|campaigns|tournaments|challenge(/[^/]+)?)|/m/[^/]+/(play-on|rematch)|/games/[^/]+/roll)$"
)
"""Addresses that create matches."""
LARGE = 128 * 1024
"""The bytes from which a response is compressed in a thread."""
LOOK, TEXT, ARRANGE = "look", "text:", "seats:"
"""Values of the buttons that only update the form of a new match: all, and those with a scenario's text (a prefix)."""
STREAM_WAIT = 30.0
"""Seconds after which a client may ask for an event stream again."""
NEW_STUDIES = 20
"""The most studies per client and hour."""
STUDIES = re.compile(r"^/(studies|notebooks/[^/]+/run|scenarios/[^/]+/try|challenge/[^/]+/baseline)$")
"""Addresses that run them."""
UPLOADS = 20
"""The most uploaded campaigns per client and hour."""
ANALYSES = 12
"""The most analyses per client and minute."""


async def add_headers(message: Message, scope: Scope) -> None:
    """Add default headers to a response; pages are not cached unless they say so."""
    if message["type"] != "http.response.start":
        return
    own = {key.lower(): value for key, value in message["headers"]}
    is_file = message["status"] == 200 and own.get(b"content-type", b"").split(b";")[0] in FILE_TYPES
    default = _FOR_FILES if is_file and scope["path"].startswith("/static/") else _DEFAULT_HEADERS
    default = [*default, _ONLY_HTTPS] if scope["scheme"] == "https" else default
    message["headers"] = [*message["headers"], *(header for header in default if header[0] not in own)]


class OwnSiteOnly(ASGIMiddleware):
    """Rejects changes that another site's page has sent, with or without a cookie."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on requests of our own pages and of programs."""
        is_change = scope["type"] == ScopeType.HTTP and scope["method"] not in SAFE
        if is_change and comes_from_elsewhere(Headers.from_scope(scope)):
            raise PermissionDeniedException("This request came from another site.")
        await next_app(scope, receive, send)


def comes_from_elsewhere(headers: Headers) -> bool:
    """Return whether a browser says that another site's page sent this; without such headers, no.

    "null" is the origin of pages that hide their address, such as ours with a secret; there the form's token decides.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    origin = headers.get("origin")
    return origin not in (None, "null") and urlsplit(origin or "").netloc != headers.get("host")


def forms(settings: Settings) -> CSRFConfig:
    """Return the CSRF configuration: every form has a token; the API takes no cookie and needs none."""
    return CSRFConfig(
        secret=settings.secret,
        cookie_name=FORM,
        cookie_httponly=True,
        cookie_secure=settings.https,
        exclude=["^/api/"],
    )


class TooMany(TooManyRequestsException):
    """A client has reached a limit, which the message names; after `seconds` it may try again."""

    def __init__(self, sentence: str, seconds: float = STREAM_WAIT) -> None:
        super().__init__(detail=sentence, headers={"Retry-After": str(max(1, ceil(seconds)))})


def again_in(seconds: float) -> str:
    """Say after how many seconds or minutes to try again.

    >>> again_in(40), again_in(61)
    ('Try again in 40 seconds.', 'Try again in 2 minutes.')
    """
    count, noun = (ceil(seconds / 60), "minute") if seconds > 60 else (max(1, ceil(seconds)), "second")
    return f"Try again in {count_noun(count, noun)}."


def limits(settings: Settings) -> list[Any]:
    """Return the limits of each client: requests, what-ifs, analyses, new matches, studies, uploads and streams.

    Static files and health checks do not count.
    """
    if not settings.rate:
        return []
    limit = RateLimitConfig(
        rate_limit=("minute", settings.rate),
        exclude=["^/static/", "^/health(/live)?$"],
        identifier_for_request=client,
        middleware_class=RateLimit,
    )
    rare: list[tuple[DurationUnit, int, Counting, type[RateLimit]]] = [
        ("hour", NEW_MATCHES, _opens_a_match, NewMatchLimit),
        ("hour", NEW_STUDIES, _asks_for_a_study, StudyLimit),
        ("hour", UPLOADS, _uploads_a_campaign, UploadLimit),
        ("minute", ANALYSES, _asks_for_analysis, AnalysisLimit),
        ("minute", WHAT_IFS, _asks_what_if, WhatIfLimit),
    ]
    few = [
        RateLimitConfig(
            rate_limit=(within, most * settings.sharing),
            identifier_for_request=client,
            check_throttle_handler=counts,
            middleware_class=kind,
            set_rate_limit_headers=False,
        )
        for within, most, counts, kind in rare
    ]
    return [*(each.middleware for each in (limit, *few)), StreamLimit(settings.sharing)]


async def _asks_for_analysis(request: Request[Any, Any, Any]) -> bool:
    return request.url.path.endswith(("/officer", "/analysis"))


async def _asks_what_if(request: Request[Any, Any, Any]) -> bool:
    """Return whether a request starts a what-if or a review, which is expensive."""
    return request.method == "POST" and LOOKED_BACK.match(request.url.path) is not None


async def _asks_for_a_study(request: Request[Any, Any, Any]) -> bool:
    return request.method == "POST" and STUDIES.match(request.url.path) is not None


async def _uploads_a_campaign(request: Request[Any, Any, Any]) -> bool:
    return request.method == "POST" and request.url.path == "/campaigns/own"


async def _opens_a_match(request: Request[Any, Any, Any]) -> bool:
    """Return whether a request creates a match, and not only updates its form."""
    if request.method != "POST" or not OPENINGS.match(request.url.path):
        return False
    return request.url.path != "/new" or not only_updates_form(str((await request.form()).get("do", "")))


def only_updates_form(do: str) -> bool:
    """Return whether the button of this value only shows the form of a new match again."""
    return do == LOOK or do.startswith((TEXT, ARRANGE))


class RateLimit(RateLimitMiddleware):
    """A limit with its own message and Retry-After; `sentence` is formatted with the number allowed.

    It uses a clock that never jumps: Litestar's follows the time of day, so that after a correction of years a client
    would wait for years.
    """

    sentence = ""

    async def retrieve_cached_history(self, key: str, store: Store) -> CacheObject:
        """Return when this client made such requests; raise `TooMany` above the limit."""
        window, at, cached = DURATION_VALUES[self.unit], int(monotonic()), await store.get(key)
        cache_object = CacheObject(**decode_json(value=cached)) if cached else CacheObject([], at + window)
        if not at < cache_object.reset <= at + window:
            cache_object = CacheObject([], at + window)
        if len(cache_object.history) >= self.max_requests:
            wait = cache_object.reset - at
            if not self.sentence:
                raise TooManyRequestsException(headers={"Retry-After": str(wait)})
            raise TooMany(f"{self.sentence.format(self.max_requests)} {again_in(wait)}", wait)
        return cache_object

    async def set_cached_history(self, key: str, cache_object: CacheObject, store: Store) -> None:
        """Count a request."""
        cache_object.history = [int(monotonic()), *cache_object.history]
        await store.set(key, encode_json(cache_object), expires_in=DURATION_VALUES[self.unit])

    def create_response_headers(self, cache_object: CacheObject) -> dict[str, str]:
        """Return the headers with the number of requests that a client has left."""
        reset = cache_object.reset - int(monotonic())
        return {
            **super().create_response_headers(cache_object),
            self.config.rate_limit_reset_header_key: str(max(0, min(reset, DURATION_VALUES[self.unit]))),
        }


class NewPlayerLimit:
    """The limit of new players per client and hour; 0 for none. A player is created in many places, so they ask it."""

    def __init__(self, most: int = NEW_PLAYERS, window: float = 3600.0) -> None:
        self.most, self.window = most, window
        self._made: dict[str, list[float]] = {}
        self._lock = Lock()

    def count(self, request: Request[Any, Any, Any]) -> None:
        """Count a new player of a client; raise `TooMany` above the limit."""
        if not self.most:
            return
        who, at = client(request), monotonic()
        with self._lock:
            made = [one for one in self._made.get(who, ()) if one > at - self.window]
            if len(made) >= self.most:
                sentence = f"{self.most} new players came from your address within an hour, which is the limit."
                wait = made[0] + self.window - at
                raise TooMany(f"{sentence} {again_in(wait)}", wait)
            self._made[who] = [*made, at]

    def sweep(self) -> None:
        """Forget clients whose hour is over."""
        least = monotonic() - self.window
        with self._lock:
            self._made = {who: made for who, made in self._made.items() if made[-1] > least}


class NewMatchLimit(RateLimit):
    """The limit of new matches."""

    sentence = "You have created {} matches within an hour, which is the limit."

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the form to see whether it creates a match; the handler reuses it."""
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST" and scope["path"] == "/new":
            await Request[Any, Any, Any](scope, receive).form()
        await super().__call__(scope, receive, send)


class WhatIfLimit(RateLimit):
    """The limit of what-ifs and reviews."""

    sentence = "Limit reached: {} what-ifs and match reviews a minute."


class StudyLimit(RateLimit):
    """The limit of studies."""

    sentence = "Limit reached: {} studies an hour. Run more on your own computer."


class UploadLimit(RateLimit):
    """The limit of uploaded campaigns."""

    sentence = "Limit reached: {} uploaded campaigns an hour. “readyroom campaign check” checks one without the server."


class AnalysisLimit(RateLimit):
    """The limit of analyses."""

    sentence = "Limit reached: {} analyses a minute."


class StreamLimit(ASGIMiddleware):
    """Limits the event streams of each client and of all together."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, sharing: int = 1) -> None:
        self._open: Counter[str] = Counter()
        self._sharing = sharing

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on other requests, and streams within the limit."""
        if scope["type"] != ScopeType.HTTP or not scope["path"].endswith("/events"):
            await next_app(scope, receive, send)
            return
        who = client_in(scope)
        if self._open[who] >= (most := STREAMS * self._sharing):
            raise TooMany(f"You have {most} match pages open already. Close one of them.")
        if self._open.total() >= ALL_STREAMS:
            raise TooMany("The server has too many live connections. Reload the page to see changes.")
        self._open[who] += 1
        try:
            await next_app(scope, receive, send)
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


class ClientTurns:
    """Lets a client have a few requests in progress, so that a flood of cheap ones cannot keep others away.

    Its other requests wait in order, and those above `most` a minute are rejected before any routing. This counts what
    the limit of requests does not: static files, health checks and pages that do not exist. Event streams have a limit
    of their own.
    """

    def __init__(self, app: ASGIApp, most: int, at_once: int = AT_ONCE) -> None:
        self.app, self.at_once, self.most = app, at_once, most
        self._in_progress: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._made: Counter[str] = Counter()
        self._minute = monotonic()
        self._delayed = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the request when it is its turn."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        who = client_in(scope)
        if wait := self._count(who):
            if self._delayed < MOST_DELAYED:
                self._delayed += 1
                await asyncio.sleep(FLOOD_DELAY)
                self._delayed -= 1
            await _refuse_flood(send, wait)
        elif scope["path"].endswith("/events"):
            await self.app(scope, receive, send)
        elif len(self._waiting.get(who, ())) >= MOST_WAITING:
            await _refuse_flood(send, 1)
        else:
            await self._begin(who)
            try:
                await self.app(scope, receive, send)
            finally:
                self._end(who)

    def _count(self, who: str) -> int:
        """Count a request; return after how many seconds to try again if there were too many, else 0."""
        at = monotonic()
        if at - self._minute >= MINUTE:
            self._minute = at
            self._made.clear()
        self._made[who] += 1
        return ceil(self._minute + MINUTE - at) if self._made[who] > self.most else 0

    async def _begin(self, who: str) -> None:
        """Wait until the client may have another request in progress."""
        if self._in_progress[who] < self.at_once:
            self._in_progress[who] += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end(who)
            raise

    def _end(self, who: str) -> None:
        """Let the next request of the client begin in place of one that has ended."""
        queue = self._waiting.get(who, deque())
        while queue:
            turn = queue.popleft()
            if not queue:
                del self._waiting[who]
            if not turn.done():
                turn.set_result(None)
                return
        self._in_progress[who] -= 1
        if not self._in_progress[who]:
            del self._in_progress[who]


async def _refuse_flood(send: Send, seconds: int) -> None:
    """Send a short response with status 429."""
    text = b"Too many requests. Wait a moment and try again."
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(text)),
        (b"retry-after", b"%d" % seconds),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": [*_DEFAULT_HEADERS, *headers]})
    await send({"type": "http.response.body", "body": text, "more_body": False})


class PlainCookies:
    """Removes backslashes from cookies: none of ours has any, and older Pythons take seconds to read thousands."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the request, without backslashes in its cookies."""
        if scope["type"] == ScopeType.HTTP and any(
            key == b"cookie" and b"\\" in text for key, text in scope["headers"]
        ):
            headers = [(key, text.replace(b"\\", b"") if key == b"cookie" else text) for key, text in scope["headers"]]
            scope["headers"] = headers
        await self.app(scope, receive, send)


class FewFields:
    """Rejects forms with too many fields while they arrive: to parse a million of them would stop all others."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the request; reading the body of such a form raises an error."""
        if scope["type"] != ScopeType.HTTP or not _is_plain_form(scope):
            await self.app(scope, receive, send)
            return
        fields = 1

        async def counting() -> HTTPReceiveMessage:
            nonlocal fields
            message: HTTPReceiveMessage = await receive()  # type: ignore[assignment]
            if message["type"] == "http.request":
                fields += message["body"].count(b"&")
            if fields > FORM_FIELDS:
                raise HTTPException(f"A form has at most {FORM_FIELDS:,} fields.", status_code=413)
            return message

        await self.app(scope, counting, send)


def _is_plain_form(scope: Scope) -> bool:
    kinds = (value.decode("latin-1").strip().lower() for key, value in scope["headers"] if key == b"content-type")
    return any(kind.startswith("application/x-www-form-urlencoded") for kind in kinds)


class HeadAsGet:
    """Answers HEAD like GET, without the body, before any routing."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on other requests, and HEAD as GET."""
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
    """Return the identity of a client: its address, or the network of an IPv6 address."""
    return client_in(request.scope)


def client_in(scope: Scope) -> str:
    """Return the identity of the client of a request."""
    address = scope["client"]
    return network_of(address[0] if address else "")


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """Return a client's address, or the network of an IPv6 address."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def client_tag(request: Request[Any, Any, Any], settings: Settings) -> str:
    """Return a keyed hash of the client's identity: it can be compared, but not turned back into an address."""
    return blake2b(client(request).encode(), key=settings.secret.encode()[:64], digest_size=16).hexdigest()


class Compression(CompressionMiddleware):
    """Compresses large responses in a thread, so that the server can respond to others at the same time."""

    def create_compression_send_wrapper(self, send: Send, compression_encoding: str, scope: Scope) -> Send:
        """Return a function that compresses what it sends."""
        small = super().create_compression_send_wrapper(send, compression_encoding, scope)
        start: HTTPResponseStartEvent | None = None

        async def compressing(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            held, start = start, None
            if held is None or message["type"] != "http.response.body":
                await small(message)
            elif message["more_body"] or len(message["body"]) < LARGE:
                await small(held)
                await small(message)
            else:
                body = await sync_to_thread(compress, message["body"], self.config.gzip_compress_level, mtime=0)
                headers = MutableScopeHeaders(held)
                headers["Content-Encoding"], headers["Content-Length"] = compression_encoding, str(len(body))
                headers.extend_header_value("vary", "Accept-Encoding")
                await send(held)
                await send({"type": "http.response.body", "body": body, "more_body": False})

        return compressing


def compression() -> CompressionConfig:
    """Return the compression of pages; secrets, event streams and the polled API are excluded."""
    return CompressionConfig(
        backend="gzip",
        gzip_compress_level=4,
        middleware_class=Compression,
        minimum_size=1400,
        exclude=[
            "^/static/",
            "^/s/",
            "^/campaigns/join/",
            "^/me",
            "/events$",
            "^/api/v1/(seat|matches/[^/]+(/(sit|decisions|undo))?)$",
        ],
    )


class RedactSecrets(logging.Filter):
    """Removes secrets from addresses in log lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every line, without its secrets."""
        if isinstance(record.args, tuple) and record.args:
            record.args = tuple(_hidden(arg) for arg in record.args)
        else:
            record.msg = _hidden(record.msg)
        return True


def _hidden(data: Any) -> Any:
    return hidden(data) if isinstance(data, str) else data


def keep_secrets_out_of_logs() -> None:
    """Install the filter in the loggers of the server and of ourselves."""
    for name in ("uvicorn.access", "uvicorn.error", "readyroom.web"):
        logger = logging.getLogger(name)
        if not any(isinstance(known, RedactSecrets) for known in logger.filters):
            logger.addFilter(RedactSecrets())
    for name in ("httpx", "httpcore"):
        # They log every address that is called, and a webhook's is a secret.
        logging.getLogger(name).setLevel(logging.WARNING)
