"""Tests of half-sent requests, slow clients, and the number of connections."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import Thread

import httpx
import pytest
from tests.server.running import Server
from tests.store.playing import ANYONE
from tests.web.server import Site

from readyroom.web import connections
from readyroom.web.connections import ConnectionLimits

HEAD = b"POST /me/name HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@contextmanager
def line_to(site: Site, sent: bytes = b"") -> Iterator[socket.socket]:
    """Open a connection to the server and send this."""
    at = httpx.URL(site.url)
    with socket.create_connection((at.host, at.port or 80), timeout=10) as line:
        line.sendall(sent)
        yield line


def answer(line: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    text = b""
    try:
        while part := line.recv(65536):
            text += part
    except ConnectionResetError:
        pass
    return text


@pytest.fixture
def hasty(open_site: Callable[..., Site]) -> Site:
    """A server with time limits of a fraction of a second."""
    site = open_site()
    limits = site.connections
    limits.header_seconds = limits.body_seconds = limits.reading_seconds = 0.4
    return site


@pytest.mark.sample(1)
@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A:", b"G"])
def test_half_sent_headers_time_out(hasty: Site, sent: bytes) -> None:
    with line_to(hasty, sent) as line:
        assert answer(line).startswith(b"HTTP/1.1 408 Request Timeout\r\n")


def test_trickled_headers_time_out(hasty: Site) -> None:
    with line_to(hasty, b"GET / HTTP/1.1\r\n") as line:
        start = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() < start + 5:
                line.sendall(b"X-A: b\r\n")
                time.sleep(0.05)
        assert time.monotonic() < start + 3


def test_silent_connection_is_closed(hasty: Site) -> None:
    with line_to(hasty) as line:
        assert answer(line) == b""


def test_slow_body_times_out_without_a_trace_in_the_log(hasty: Site, caplog: pytest.LogCaptureFixture) -> None:
    errors = _logged(caplog)
    with line_to(hasty, HEAD + b"Content-Length: 5000\r\n\r\nname=") as line:
        start = time.monotonic()
        text = answer(line)
        assert time.monotonic() < start + 3
    assert text.startswith(b"HTTP/1.1 408")
    assert not [record for record in errors if record.exc_info], "no traceback"


def test_steady_body_is_accepted(hasty: Site) -> None:
    with line_to(hasty, HEAD + b"Connection: close\r\nContent-Length: 3000\r\n\r\n") as line:
        for _ in range(10):
            line.sendall(b"x" * 300)
            time.sleep(0.1)
        assert answer(line).startswith(b"HTTP/1.1 403"), "no token"


def test_endless_headers_are_refused(open_site: Callable[..., Site]) -> None:
    with line_to(open_site(), b"GET / HTTP/1.1\r\n") as line:
        try:
            for _ in range(200):
                line.sendall(b"X-A: " + b"b" * 1000 + b"\r\n")
        except OSError:
            return
        assert answer(line).startswith(b"HTTP/1.1 431")


def test_websocket_is_not_offered(open_site: Callable[..., Site]) -> None:
    upgrade = b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    site = open_site()
    with line_to(
        site, b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n" + upgrade + b"\r\n"
    ) as line:
        assert line.recv(65536).startswith(b"HTTP/1.1 200")
        assert _open(site)
    _wait_until(lambda: not _open(site))


def test_client_that_reads_nothing_is_closed(hasty: Site) -> None:
    requests = b"GET /static/vendor/htmx.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200
    with line_to(hasty) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(requests)
        deadline = time.monotonic() + 10
        while len(hasty.connections) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(hasty.connections) == 0


@pytest.mark.sample(1)
@pytest.mark.slow(3)
@pytest.mark.parametrize("path", ["/static/vendor/htmx.min.js", "/games/doolittle/charts"])
@pytest.mark.parametrize("who", ["client", "server"])
def test_broken_response_is_no_error(
    open_site: Callable[..., Site], caplog: pytest.LogCaptureFixture, path: str, who: str
) -> None:
    """A client sends many requests and reads nothing; then it leaves, or the server closes the connection."""
    site = open_site()
    errors = _logged(caplog)
    at = httpx.URL(site.url)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect((at.host, at.port or 80))
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 200)
        _wait_until(lambda: any(each.flow.write_paused for each in _open(site)))
        if who == "server":
            _open(site)[0].loop.call_soon_threadsafe(_open(site)[0].drop)
            _wait_until(lambda: not len(site.connections))
    _wait_until(lambda: not len(site.connections))
    time.sleep(0.2)
    assert not [record for record in errors if record.levelno >= logging.ERROR or record.exc_info]


def _open(site: Site) -> list[connections.LimitedProtocol]:
    return [each for mine in site.connections._of_client.values() for each in mine]


def test_stream_of_a_client_that_leaves_ends(open_site: Callable[..., Site], caplog: pytest.LogCaptureFixture) -> None:
    site = open_site()
    errors = _logged(caplog)
    match = site.store.lobby.create(None, "midway", None, {}, {"usa": ANYONE, "japan": ANYONE}).id
    with line_to(site, f"GET /m/{match}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 3) as line:
        assert line.recv(12) == b"HTTP/1.1 200"
        _wait_until(lambda: site.app.state.site.broadcaster.listening == 1)
    _wait_until(lambda: site.app.state.site.broadcaster.listening == 0)
    assert not [record for record in errors if record.levelno >= logging.ERROR or record.exc_info]


def _logged(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """Return a list to which the records of an opened server are added; uvicorn's do not reach the root logger."""
    logger = logging.getLogger("uvicorn")
    if caplog.handler not in logger.handlers:
        logger.addHandler(caplog.handler)
    return caplog.records


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_request_after_a_pause_is_answered(hasty: Site) -> None:
    with hasty.browser() as browser:
        for _ in range(2):
            assert browser.get("/me").status_code == 200
            time.sleep(0.6)


def test_event_stream_outlives_the_limits(hasty: Site) -> None:
    with hasty.browser() as browser:
        match = browser.begin(seat_usa="friend")
        with browser.stream("GET", f"/m/{match}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: here"
            time.sleep(1.2)
            hasty.store.chat.post(match, hasty.store.listings.summary(match).host, "Still here?", None)
            assert "event: talk" in (next(lines) for _ in range(12))


def test_client_has_a_number_of_connections(open_site: Callable[..., Site]) -> None:
    site = open_site()
    site.connections.__init__("", each=5)  # type: ignore[misc]
    with ExitStack() as stack:
        halves = (b"GET /", HEAD + b"Content-Length: 9\r\n\r\nname=")
        lines = [stack.enter_context(line_to(site, halves[n % 2])) for n in range(5)]
        deadline = time.monotonic() + 5
        while len(site.connections) < 5 and time.monotonic() < deadline:
            time.sleep(0.01)
        with site.browser() as browser:
            assert browser.get("/health").status_code == 200, "it replaces the oldest of those that only wait"
        assert answer(lines[0]) == b""
        assert len(site.connections) <= 5


def test_connection_is_refused_while_all_others_work(open_site: Callable[..., Site]) -> None:
    site = open_site()
    match = site.store.lobby.create(None, "midway", None, {}, {"usa": ANYONE, "japan": ANYONE}).id.encode()
    site.connections.__init__("", each=3)  # type: ignore[misc]
    with ExitStack() as stack:
        for _ in range(3):
            stream = stack.enter_context(line_to(site, b"GET /m/%b/events HTTP/1.1\r\nHost: localhost\r\n\r\n" % match))
            assert stream.recv(12) == b"HTTP/1.1 200"
        with line_to(site, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") as line:
            assert answer(line) == b""
        assert len(site.connections) == 3


def test_proxy_stands_for_many_clients() -> None:
    limits = ConnectionLimits("127.0.0.1, 10.0.0.0/8, ::1", each=1, total=3)
    made = [object() for _ in range(5)]
    limits.wait = lambda protocol: None  # type: ignore[method-assign]
    assert [limits.admit(one, "10.1.2.3") for one in made] == [True, True, True, False, False]  # type: ignore[arg-type]
    for one in made:
        limits.leave(one, "10.1.2.3")  # type: ignore[arg-type]
    assert len(limits) == 0
    assert [limits.admit(one, "192.0.2.1") for one in made[:2]] == [True, False]  # type: ignore[arg-type]
    assert [limits.admit(one, "2001:db8::1") for one in made[3:4]] == [True]  # type: ignore[arg-type]
    assert not limits.admit(made[4], "2001:db8::2"), "of the same network"  # type: ignore[arg-type]


def test_connections_fit_into_the_open_files() -> None:
    assert 16 <= connections.most_connections() <= connections.ALL_CONNECTIONS


@pytest.mark.torture(13)
def test_served_connections_have_limits(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        at = httpx.URL(server.url)
        with socket.create_connection((at.host, at.port or 80), timeout=20) as line:
            line.sendall(b"GET / HTTP/1.1\r\nX-A: ")
            start = time.monotonic()
            assert answer(line).startswith(b"HTTP/1.1 408")
            assert time.monotonic() - start < connections.HEADER_SECONDS + 3


@pytest.mark.torture(seconds=30)
def test_half_sent_requests_keep_no_one_away(open_site: Callable[..., Site]) -> None:
    """Five hundred half-sent requests, renewed as they are closed: others are answered as before."""
    connections.most_connections()
    site, waits = open_site(), list[float]()
    going = True

    def attack() -> None:
        at = httpx.URL(site.url)
        lines: list[socket.socket] = []
        while going:
            while len(lines) < 500 and going:
                line = socket.create_connection((at.host, at.port or 80))
                line.setblocking(False)
                line.send(HEAD + (b"Content-Length: 500\r\n\r\nname=" if len(lines) % 2 else b"X-"))
                lines.append(line)
            for line in lines[:]:
                try:
                    over = line.recv(4096) is not None
                except BlockingIOError:
                    continue
                except OSError:
                    over = True
                if over:
                    line.close()
                    lines.remove(line)
            time.sleep(0.05)
        for line in lines:
            line.close()

    attacker = Thread(target=attack)
    attacker.start()
    try:
        with closing(site.browser()) as browser:
            match = browser.begin(seat_japan="me", seat_usa="me")
            end = time.monotonic() + 25
            while time.monotonic() < end:
                start = time.perf_counter()
                assert browser.get(f"/m/{match}").status_code in (200, 303)
                waits.append(time.perf_counter() - start)
                assert browser.get("/health").status_code == 200
                time.sleep(0.02)
    finally:
        going = False
        attacker.join()
    assert sorted(waits)[int(len(waits) * 0.99)] < 0.25
    assert len(site.connections) < 1000
