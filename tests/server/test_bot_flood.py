"""Bots of one client do not hold up other players, and a match is never left without its bots."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import httpx
import pytest
from tests.server.running import ForkedServer, Server, open_store

from readyroom.web.client import RemoteSeat, decision_of

PATIENCE = 20.0
BOTS_ALONE = {"game": "tora", "seats": {"japan": "bot:search", "usa": "bot:search"}}


class Opponent:
    """A player against a bot: how long each of their moves took, and how long the bot's answers."""

    def __init__(self, server: Server, game: str, side: str, bot: str) -> None:
        self.server, self.random = server, Random(1)
        self.seats = {"game": game, "seats": {side: "me", **dict.fromkeys(others(game, side), f"bot:{bot}")}}
        self.moves: list[float] = []
        self.answers: list[float] = []
        self._open()

    def _open(self) -> None:
        self.place = next(iter(RemoteSeat.opened(self.server.url, self.seats).values()))
        self.await_turn()

    def await_turn(self) -> dict[str, Any]:
        """Wait until the player is to decide or the match is over; return the status."""
        started = time.perf_counter()
        while not (status := self.place.fetch())["pending"] and status["outcome"] is None:
            assert time.perf_counter() - started < PATIENCE, f"the bot of {self.place.match} does not answer"
            time.sleep(0.01)
        self.answers.append(time.perf_counter() - started)
        return status

    def play(self, seconds: float) -> None:
        """Play for this long, in as many matches as it takes."""
        self.moves, self.answers = [], []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            status = self.await_turn()
            if status["outcome"] is not None:
                self._open()
                continue
            decision = decision_of(status["pending"])
            started = time.perf_counter()
            self.place.answer(decision.sample(self.random), decision.revision)
            self.moves.append(time.perf_counter() - started)


def others(game: str, side: str) -> list[str]:
    return [each for each in {"midway": ("japan", "usa"), "tora": ("japan", "usa")}[game] if each != side]


def percentile(values: list[float], share: float = 0.99) -> float:
    return sorted(values)[int(share * len(values))]


def memory(server: Server) -> list[int]:
    """Return the memory of a server and of its workers in MB."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    tree, grown = {server.pid}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in tree} - tree
        tree, grown = tree | more, bool(more)
    sizes = []
    for pid in sorted(tree, key=lambda each: each != server.pid):
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        sizes.append(int(next(line for line in text.splitlines() if line.startswith("Pss:")).split()[1]) // 1024)
    return sizes


@contextmanager
def watched_health(server: Server) -> Iterator[list[int]]:
    """Ask for the server's health during the block; yield all statuses so far."""
    stop, statuses = Event(), list[int]()

    def watch() -> None:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            while not stop.wait(0.1):
                statuses.append(client.get("/health").status_code)

    thread = Thread(target=watch)
    thread.start()
    try:
        yield statuses
    finally:
        stop.set()
        thread.join()


def poll(ready: Callable[[], object], seconds: float = PATIENCE) -> None:
    until = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.alone
@pytest.mark.torture(seconds=70)
def test_thirty_search_matches_do_not_hold_up_others(tmp_path: Path, database: str | None) -> None:
    with (
        Server(tmp_path / "home", database) as server,
        closing(open_store(tmp_path / "home", database)) as store,
    ):
        player, solo = Opponent(server, "midway", "usa", "search"), Opponent(server, "tora", "japan", "doctrine")
        usual = httpx.post(f"{server.url}/api/v1/matches", json=BOTS_ALONE).json()["id"]
        player.play(10)
        solo.play(10)
        before = memory(server)
        with watched_health(server) as health:
            flood = [httpx.post(f"{server.url}/api/v1/matches", json=BOTS_ALONE).json()["id"] for _ in range(30)]
            player.play(15)
            solo.play(10)
        print(f"moves p99 {percentile(player.moves):.3f} s, answers at most {max(player.answers):.3f} s")
        assert percentile(player.moves) < 0.25
        assert percentile(solo.moves) < 0.25
        assert max(player.answers) < 2.0
        assert max(solo.answers) < 2.0
        assert set(health) == {200}
        assert sum(store.listings.summary(match).true_revision for match in flood) > 30
        for match in (usual, *flood):
            store.admin.remove(match)
        player.play(10)
        after = memory(server)
        print(f"memory {before} MB before, {after} MB after")
        assert sum(after) < 1.1 * sum(before)


@pytest.mark.parametrize(
    "kills", [pytest.param(2, marks=pytest.mark.torture(8)), pytest.param(30, marks=pytest.mark.torture(120))]
)
def test_kills_leave_no_match_without_its_bots(server: Server, kills: int) -> None:
    random = Random(kills)
    player = Opponent(server, "midway", "usa", "search")
    for _ in range(kills):
        status = player.await_turn()
        if status["outcome"] is not None:
            player = Opponent(server, "midway", "usa", "search")
            continue
        decision = decision_of(status["pending"])
        player.place.answer(decision.sample(player.random), decision.revision)
        time.sleep(random.uniform(0.0, 0.1))
        server.kill()
        server.start()
    player.await_turn()


@pytest.mark.torture(6)
def test_bots_continue_where_another_process_died(tmp_path: Path, database: str | None) -> None:
    if database is None:
        pytest.skip("several processes share a PostgreSQL database")
    with ForkedServer(tmp_path / "one", database) as one:
        match = httpx.post(f"{one.url}/api/v1/matches", json=BOTS_ALONE).json()["id"]
        with (
            ForkedServer(tmp_path / "other", database) as other,
            closing(open_store(tmp_path, database)) as store,
        ):
            poll(lambda: store.listings.summary(match).true_revision > 5)
            one.kill()
            time.sleep(0.5)
            revision = store.listings.summary(match).true_revision
            with store.database.writing() as connection:
                connection.exec_driver_sql("UPDATE matches SET changed = changed - 100, announced = announced - 100")
            assert httpx.get(f"{other.url}/m/{match}").status_code == 200
            poll(lambda: store.listings.summary(match).true_revision > revision)
