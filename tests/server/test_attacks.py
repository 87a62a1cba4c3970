"""Clients that ask for all the long work they can get do not slow down the moves of others."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import quantiles
from threading import Event, Thread

import httpx
import pytest
from tests.server.running import Server
from tests.web.server import Browser

from readyroom import bots
from readyroom.store import SeatAssignment, Store
from readyroom.store.database import FILE
from readyroom.web.client import RemoteSeat, decision_of

PAUSE = 0.05
"""Seconds between two requests of an attacker, and between two moves of the player."""
ATTACKERS = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
"""Their addresses; the player has 127.0.0.1."""
STUDY = {"game": "midway", "vary": "options.cap_rings", "matches": "400"}
LIMIT = 0.25
"""The limit of the 99th percentile of a move in seconds."""
ME = SeatAssignment("me")
Act = Callable[[Browser, int], httpx.Response]


def finished_match(home: Path, game: str, *seats: str) -> str:
    """Create a finished match in a server's home; return its id."""
    home.mkdir(parents=True, exist_ok=True)
    with closing(Store(f"sqlite:///{home / FILE}")) as store:
        player, _, _ = store.players.create("Anna")
        opened = store.lobby.create(player, game, None, {}, dict.fromkeys(seats, ME)).id
        random = Random(3)
        while True:
            with store.matches.open(opened) as match:
                if match.outcome is not None:
                    return opened
                seat, decision = next(iter(match.pending.items()))
                bot = bots.make_bot(match.game, bots.default_bot(match.game), seat, random)
                keys = list(bot(decision, match.bot_view(seat)))
            store.matches.answer(opened, seat, keys, None)


def browser(url: str, address: str) -> Browser:
    transport = httpx.HTTPTransport(local_address=address)
    return Browser(base_url=url, timeout=60.0, transport=transport)


def analyze(own: str, client: Browser, number: int) -> httpx.Response:
    return client.get(f"/m/{own}/analysis?seat=usa")


def compare(over: str, client: Browser, number: int) -> httpx.Response:
    return client.form(f"/m/{over}/what-if", {"at": str(4 + number % 40), "pairs": "240"})


def review(over: str, client: Browser, number: int) -> httpx.Response:
    if number % 5 == 0:
        client.form(f"/m/{over}/review/cancel")
    return client.form(f"/m/{over}/review")


def study(client: Browser, number: int) -> httpx.Response:
    return client.form("/studies", STUDY)


class Attacker(Thread):
    """Repeats an action until `ended` is set; `statuses` counts the responses."""

    def __init__(self, client: Browser, act: Act, ended: Event) -> None:
        super().__init__(daemon=True)
        self.client, self.act, self.ended = client, act, ended
        self.statuses: Counter[int] = Counter()

    def run(self) -> None:
        number = 0
        while not self.ended.wait(PAUSE):
            number += 1
            try:
                self.statuses[self.act(self.client, number).status_code] += 1
            except httpx.HTTPError:
                self.statuses[0] += 1


def attack(url: str, over: str, seconds: float) -> Counter[int]:
    """Ask for analyses, what-ifs, reviews and studies from several addresses; return the statuses of the responses."""
    ended, attackers = Event(), list[Attacker]()
    for address in ATTACKERS:
        with browser(url, address) as host:
            own = host.begin(seat_usa="me", seat_japan="bot:doctrine")
            cookies = host.cookies
        acts: list[Act] = [*[partial(analyze, own)] * 4, partial(compare, over), partial(review, over), study]
        for act in acts:
            client = browser(url, address)
            client.cookies.update(cookies)
            attackers.append(Attacker(client, act, ended))
    for attacker in attackers:
        attacker.start()
    time.sleep(seconds)
    ended.set()
    for attacker in attackers:
        attacker.join(60)
        attacker.client.close()
    return sum((attacker.statuses for attacker in attackers), Counter[int]())


def play(server: Server, seconds: float) -> tuple[list[float], set[int]]:
    """Play both seats of matches; return the seconds of every move, and the statuses of health checks."""
    moves, health, random = list[float](), set[int](), Random(5)
    end = time.monotonic() + seconds
    with httpx.Client(base_url=server.url, timeout=60.0) as probe:
        while time.monotonic() < end:
            seats, over = RemoteSeat.opened(server.url, {"game": "midway"}), False
            while not over and time.monotonic() < end:
                over = True
                for seat in seats.values():
                    status = seat.fetch()
                    if status["pending"] is not None:
                        decision = decision_of(status["pending"])
                        keys, start = decision.sample(random), time.perf_counter()
                        seat.answer(keys, decision.revision)
                        moves.append(time.perf_counter() - start)
                        over = False
                        time.sleep(PAUSE)
                if len(moves) % 10 == 0:
                    health.add(probe.get("/health").status_code)
    return moves, health


@pytest.mark.alone
@pytest.mark.torture(70)
def test_flood_of_long_work_does_not_slow_moves(tmp_path: Path) -> None:
    over = finished_match(tmp_path / "home", "midway", "usa", "japan")
    with Server(tmp_path / "home") as server:
        calm, _ = play(server, 10.0)
        with ProcessPoolExecutor(1, get_context("spawn")) as others:  # so that only the server is shared
            attacking = others.submit(attack, server.url, over, 45.0)
            time.sleep(5.0)
            moves, health = play(server, 40.0)
            statuses = attacking.result()
        assert health == {200}
        assert statuses[200] + statuses[303] > 20, statuses
        assert statuses[429] > 20, statuses
        assert not [status for status in statuses if status >= 500], statuses
        slow, usual = quantiles(moves, n=100)[98], quantiles(calm, n=100)[98]
        assert slow < LIMIT, f"99th percentile {slow:.3f} s, without attack {usual:.3f} s, {len(moves)} moves"


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(Server.stop, id="stopped", marks=pytest.mark.torture(8)),
        pytest.param(Server.kill, id="killed", marks=pytest.mark.torture(8)),
    ],
)
def test_server_ends_within_two_seconds_with_all_workers(tmp_path: Path, end: Callable[[Server], None]) -> None:
    """Running jobs, waiting jobs and requests that wait for one do not keep the server or a worker alive."""
    over = finished_match(tmp_path / "home", "picket", "captain")
    with Server(tmp_path / "home") as server, ThreadPoolExecutor(8) as threads, ExitStack() as clients:
        first = clients.enter_context(browser(server.url, ATTACKERS[0]))
        assert first.form(f"/m/{over}/review").status_code == 303
        address = first.form("/studies", STUDY).headers["location"]
        while "Progress:" not in first.get(address).text:
            time.sleep(0.1)
        for each in ATTACKERS:
            client = clients.enter_context(browser(server.url, each))
            own = client.begin(seat_usa="bot:doctrine", seat_japan="me")
            for _ in range(2):
                threads.submit(client.get, f"/m/{own}/analysis?seat=japan")
        time.sleep(0.5)
        assert len(processes(server.home)) >= 4
        start = time.monotonic()
        end(server)
        assert time.monotonic() - start < 2.0
        while processes(server.home):
            assert time.monotonic() - start < 5.0
            time.sleep(0.05)


def processes(home: Path) -> list[str]:
    """Return the ids of the processes of the server in this folder and of its workers."""
    wanted, found = f"READYROOM_HOME={home}\0".encode(), list[str]()
    for file in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in file.read_bytes():
                found.append(file.parent.name)
    return found
