"""Connections: time limits for half-sent requests and slow readers, and how many a client may have open.

The HTTP protocol of the server: uvicorn closes only idle connections by itself. A reverse proxy stands for many
clients, so the connections of a trusted one are limited in time, but not in number.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from ipaddress import ip_address, ip_network

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from readyroom.web.security import network_of

HEADER_SECONDS = 10.0
"""Seconds in which a client must send the headers of a request."""
HEADER_BYTES = 64 * 1024
"""The most bytes of the headers of a request."""
BODY_RATE = 500
"""The least bytes a second at which a client must send a body, over `BODY_SECONDS`."""
BODY_SECONDS = 10.0
READING_SECONDS = 60.0
"""Seconds in which a client must read something of a response that waits for it."""
CONNECTIONS, ALL_CONNECTIONS = 100, 4000
"""The most connections of a client, and of all together."""
SPARE_FILES = 256
"""File descriptors that are not for connections."""


class ConnectionLimits:
    """The open connections of a process, and their limits.

    A new connection above a limit replaces the oldest one without a complete request; if there is none, it is closed.

    Args:
        trusted: the addresses or networks of reverse proxies, as in `FORWARDED_ALLOW_IPS`.
        each: the most connections of a client.
        total: the most connections of all.
    """

    def __init__(self, trusted: str = "", each: int = CONNECTIONS, total: int = ALL_CONNECTIONS) -> None:
        self.each, self.total = each, total
        self.header_seconds, self.body_seconds, self.reading_seconds = HEADER_SECONDS, BODY_SECONDS, READING_SECONDS
        names = [name.strip() for name in trusted.split(",") if name.strip()]
        self._all_trusted = "*" in names
        self._trusted = [ip_network(name, strict=False) for name in names if _is_network(name)]
        self._of_client: dict[str, dict[LimitedProtocol, None]] = {}
        self._waiting: dict[LimitedProtocol, None] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def admit(self, protocol: LimitedProtocol, host: str) -> bool:
        """Count a new connection; return False if it must be closed, as a limit is reached."""
        who = network_of(host)
        mine = self._of_client.get(who, {})
        if len(mine) >= self.each and not self._trusts(host) and not self._close_first(mine):
            return False
        if self._count >= self.total and not self._close_first(self._waiting):
            return False
        self._of_client.setdefault(who, {})[protocol] = None
        self._count += 1
        self.wait(protocol)
        return True

    def leave(self, protocol: LimitedProtocol, host: str) -> None:
        """Forget a connection that was closed."""
        who = network_of(host)
        mine = self._of_client.get(who, {})
        if protocol in mine:
            del mine[protocol]
            self._count -= 1
        if not mine:
            self._of_client.pop(who, None)
        self._waiting.pop(protocol, None)

    def wait(self, protocol: LimitedProtocol) -> None:
        """Note that a connection has no complete request to answer."""
        self._waiting.pop(protocol, None)
        self._waiting[protocol] = None

    def work(self, protocol: LimitedProtocol) -> None:
        """Note that a connection has a request to answer."""
        self._waiting.pop(protocol, None)

    def _close_first(self, several: Iterable[LimitedProtocol]) -> bool:
        """Close the oldest connection that only waits; return whether there was one."""
        oldest = next((protocol for protocol in several if protocol in self._waiting), None)
        if oldest is None:
            return False
        oldest.drop()
        return True

    def _trusts(self, host: str) -> bool:
        try:
            address = ip_address(host.partition("%")[0])
        except ValueError:
            return self._all_trusted or not host  # a Unix socket
        return self._all_trusted or any(address in network for network in self._trusted)


def _is_network(name: str) -> bool:
    try:
        ip_network(name, strict=False)
    except ValueError:
        return False
    return True


class LimitedProtocol(HttpToolsProtocol):
    """A connection with limits; `limited` makes the class for some of them."""

    limits: ConnectionLimits
    _limit: tuple[float, Callable[[], None]] | None = None
    _timed: tuple[float, Callable[[], None]] | None = None
    _timer: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    _host = ""
    _received = 0
    _in_headers = True
    _begun = False
    _cycles: list[RequestResponseCycle]

    # -- connections -------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, or close it."""
        super().connection_made(transport)
        self._cycles = []
        self._host = self.client[0] if self.client else ""
        if self.limits.admit(self, self._host):
            self._await_headers()
            self._set_timer()
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers, forget the connection, and end all its requests.

        Uvicorn ends only the last request: earlier ones of a pipeline would write to the closed connection, and each
        would log an error.
        """
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self._limit = None
        self._set_timer()
        self._stop_reading_timer()
        self.limits.leave(self, self._host)
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close the connection at once for another one."""
        self.limits.leave(self, self._host)
        self.transport.abort()

    # -- requests ----------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Count what comes, and refuse endless headers."""
        self._received += len(data)
        super().data_received(data)
        if self._in_headers and self._received > HEADER_BYTES and not self.transport.is_closing():
            self._refuse(b"431 Request Header Fields Too Large", f"The headers have more than {HEADER_BYTES} bytes.")
        self._set_timer()

    def on_message_begin(self) -> None:
        """Limit the time of the headers."""
        super().on_message_begin()
        self._await_headers()
        self._begun = True

    def on_headers_complete(self) -> None:
        """Limit the time of the body."""
        self._in_headers = False
        self._received = 0
        self._limit = (self.limits.body_seconds, self._check_body)
        super().on_headers_complete()
        if self.cycle is not None:
            under_way = [one for one in self._cycles if one is not self.cycle and not one.response_complete]
            self._cycles = [*under_way, self.cycle]

    def on_message_complete(self) -> None:
        """Limit no time: the request is complete, and from now on the connection is not closed for another."""
        self._limit = None
        if not self.cycle.response_complete:
            self.limits.work(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Note that the connection waits for the next request, and free the last one before it comes."""
        super().on_response_complete()
        self._cycles = [one for one in self._cycles if not one.response_complete]
        if not self._in_headers and self.cycle.response_complete and not self.cycle.more_body:
            self.cycle = self.scope = None  # type: ignore[assignment]
        if not self.pipeline and not self.transport.is_closing():
            self.limits.wait(self)

    def _await_headers(self) -> None:
        self._in_headers, self._begun, self._received = True, False, 0
        self._limit = (self.limits.header_seconds, self._headers_late)

    def _headers_late(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()  # half a request while a response is sent
        elif not self._begun:
            self.transport.close()
        else:
            self._refuse(b"408 Request Timeout", "The headers of your request took too long.")

    def _check_body(self) -> None:
        """Refuse a body that comes too slowly; time in which the application does not read does not count."""
        if not self.flow.read_paused and self._received < BODY_RATE * self.limits.body_seconds:
            self._refuse(b"408 Request Timeout", "The body of your request took too long.")
            return
        self._received = 0
        self._limit = (self.limits.body_seconds, self._check_body)
        self._set_timer()

    def _refuse(self, status: bytes, sentence: str) -> None:
        """Close the connection with a response, unless one is under way."""
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            text = sentence.encode()
            head = b"HTTP/1.1 %s\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n" % (
                status,
                len(text),
            )
            self.transport.write(head + b"connection: close\r\n\r\n" + text)
        self.transport.close()

    def _set_timer(self) -> None:
        """Start the time of the limit, if it is new: of a request that comes in one piece there is none."""
        if self._limit is not self._timed:
            if self._timer is not None:
                self._timer.cancel()
            self._timed = self._limit
            self._timer = None if self._limit is None else self.loop.call_later(*self._limit)

    # -- responses ---------------------------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Start the time in which the client must read something."""
        super().pause_writing()
        self._stop_reading_timer()
        self._reading = self.loop.call_later(self.limits.reading_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that time."""
        self._stop_reading_timer()
        super().resume_writing()

    def _stop_reading_timer(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


def limited(limits: ConnectionLimits) -> type[LimitedProtocol]:
    """Return the protocol class for uvicorn, with these limits."""
    return type("Limited", (LimitedProtocol,), {"limits": limits})


def most_connections() -> int:
    """Raise the limit of open files if possible; return how many connections fit in, at most `ALL_CONNECTIONS`."""
    try:
        import resource
    except ImportError:  # not Unix
        return ALL_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return ALL_CONNECTIONS
    wanted = ALL_CONNECTIONS + SPARE_FILES
    raised = max(soft, wanted if hard == resource.RLIM_INFINITY else min(wanted, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    return min(ALL_CONNECTIONS, max(raised - SPARE_FILES, 16))
