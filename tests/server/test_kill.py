"""Acknowledged answers survive the end of the server at any time."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Barrier, Thread

import pytest
from tests.server.running import Server, open_store

from readyroom.engine.record import format as record
from readyroom.web.client import RemoteSeat, ServerRejected, ServerUnreachable, decision_of

MATCHES = 4


class Player(Thread):
    """Plays both seats of a match until the server stops.

    `acknowledged` counts the acknowledged answers, `revisions` has the last revision of each seat.
    """

    def __init__(self, seats: dict[str, RemoteSeat], acknowledged: int, number: int) -> None:
        super().__init__(daemon=True)
        self.seats, self.acknowledged, self.random = seats, acknowledged, Random(number)
        self.revisions = dict.fromkeys(seats, 0)
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            while self._decide():
                pass
        except ServerUnreachable:
            pass
        except Exception as error:  # the test reports it
            self.error = error

    def _decide(self) -> bool:
        for seat, place in self.seats.items():
            status = place.fetch()
            if status["outcome"] is not None:
                return False
            if status["pending"] is not None:
                decision = decision_of(status["pending"])
                self.revisions[seat] = place.answer(decision.sample(self.random), decision.revision)["revision"]
                self.acknowledged += 1
        return True


def open_matches(server: Server) -> dict[str, RemoteSeat]:
    return RemoteSeat.opened(server.url, {"game": "midway"})


@pytest.mark.parametrize(
    "kills", [pytest.param(2, marks=pytest.mark.slow(5)), pytest.param(50, marks=pytest.mark.torture(40))]
)
def test_kills_lose_nothing_acknowledged(server: Server, tmp_path: Path, database: str | None, kills: int) -> None:
    check_ends_lose_nothing(server, server.kill, tmp_path, database, kills)


@pytest.mark.torture(40)
def test_stops_lose_nothing_acknowledged(server: Server, tmp_path: Path, database: str | None) -> None:
    """SIGTERM, 25 times each on SQLite and on PostgreSQL."""
    check_ends_lose_nothing(server, server.stop, tmp_path, database, 25)


def check_ends_lose_nothing(
    server: Server, end: Callable[[], None], tmp_path: Path, database: str | None, kills: int
) -> None:
    """End a server this often during play, and check that it continues with everything acknowledged."""
    random = Random(kills)
    tables = [open_matches(server) for _ in range(MATCHES)]
    acknowledged = [0] * MATCHES
    for kill in range(kills):
        players = [Player(seats, acknowledged[n], 100 * kill + n) for n, seats in enumerate(tables)]
        for player in players:
            player.start()
        time.sleep(random.uniform(0.02, 0.25))
        end()
        for player in players:
            player.join(60)
            assert player.error is None
        server.start()
        for n, (player, seats) in enumerate(zip(players, tables, strict=True)):
            for seat, place in seats.items():
                status = place.fetch()
                assert status["revision"] >= player.revisions[seat], f"kill {kill}, match {n}, {seat}"
                assert status["waiting"] or status["outcome"]
            acknowledged[n] = player.acknowledged
    assert sum(acknowledged) > kills
    ids = [next(iter(seats.values())).match for seats in tables]
    server.stop()
    store = open_store(tmp_path / "home", database)
    try:
        for match, least in zip(ids, acknowledged, strict=True):
            pairs = record.parse(store.records.text(match)).entries
            assert [line.n for _, line in pairs] == list(range(1, len(pairs) + 1))
            assert least <= len(pairs) <= least + kills
    finally:
        store.close()


@pytest.mark.slow
def test_one_of_two_simultaneous_answers_is_rejected(server: Server) -> None:
    seats = open_matches(server)
    pending_seat = next(place for place in seats.values() if place.fetch()["pending"])
    decision = decision_of(pending_seat.fetch()["pending"])
    start, rejections, revisions = Barrier(2), list[str](), list[int]()

    def answer(number: int) -> None:
        place = RemoteSeat(pending_seat.server, pending_seat.match, pending_seat.secret)
        keys = decision.sample(Random(number))
        start.wait()
        try:
            revisions.append(place.answer(keys, decision.revision)["revision"])
        except ServerRejected as refusal:
            rejections.append(str(refusal))

    threads = [Thread(target=answer, args=(number,)) for number in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert revisions == [1]
    assert len(rejections) == 1
    assert "has changed" in rejections[0] or "decid" in rejections[0]
    assert pending_seat.fetch()["revision"] == 1


@pytest.mark.slow(2)
def test_server_stops_with_open_pages(server: Server) -> None:
    place = next(iter(open_matches(server).values()))
    pairs: list[tuple[str, int]] = []
    listener = Thread(target=lambda: pairs.extend(place.events()), daemon=True)
    listener.start()
    time.sleep(0.5)
    start = time.monotonic()
    server.stop()
    assert time.monotonic() - start < 10
    listener.join(10)
    assert not listener.is_alive()
    assert pairs[0] == ("here", 0)
