"""Acknowledged answers survive the end of the server at any time."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from threading import Barrier, Thread

import pytest
from tests.server.running import Server

from readyroom.engine.record import format as record
from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.web.client import RemoteSeat, ServerRejected, ServerUnreachable, decision_of

MATCHES = 4


class Player(Thread):
    """Plays both seats of a match until the server stops; `kept` is the last acknowledged revision."""

    def __init__(self, places: dict[str, RemoteSeat], kept: int, number: int) -> None:
        super().__init__(daemon=True)
        self.places, self.kept, self.random = places, kept, Random(number)
        self.trouble: Exception | None = None

    def run(self) -> None:
        try:
            while self._decide():
                pass
        except ServerUnreachable:
            pass
        except Exception as trouble:  # the test reports it
            self.trouble = trouble

    def _decide(self) -> bool:
        for place in self.places.values():
            standing = place.fetch()
            if standing["outcome"] is not None:
                return False
            if standing["pending"] is not None:
                decision = decision_of(standing["pending"])
                self.kept = place.answer(decision.sample(self.random), decision.revision)["revision"]
        return True


def opened(server: Server) -> dict[str, RemoteSeat]:
    return RemoteSeat.opened(server.url, {"game": "midway"})


@pytest.mark.parametrize(
    "kills", [pytest.param(5, marks=pytest.mark.slow(5)), pytest.param(50, marks=pytest.mark.torture(40))]
)
def test_kills_lose_nothing_acknowledged(server: Server, tmp_path: Path, database: str | None, kills: int) -> None:
    random = Random(kills)
    tables = [opened(server) for _ in range(MATCHES)]
    kept = [0] * MATCHES
    for kill in range(kills):
        players = [Player(places, kept[n], 100 * kill + n) for n, places in enumerate(tables)]
        for player in players:
            player.start()
        time.sleep(random.uniform(0.02, 0.25))
        server.kill()
        for player in players:
            player.join(60)
            assert player.trouble is None
        server.start()
        for n, (player, places) in enumerate(zip(players, tables, strict=True)):
            standing = next(iter(places.values())).fetch()
            assert player.kept <= standing["revision"] <= player.kept + 1, f"kill {kill}, match {n}"
            assert standing["waiting"] or standing["outcome"]
            kept[n] = standing["revision"]
    assert sum(kept) > kills
    ids = [next(iter(places.values())).match for places in tables]
    server.stop()
    store = Store(database or f"sqlite:///{tmp_path / 'home' / FILE}")
    try:
        for match, revision in zip(ids, kept, strict=True):
            pairs = record.parse(store.records.text(match)).entries
            assert [line.n for _, line in pairs] == list(range(1, revision + 1))
    finally:
        store.close()


@pytest.mark.slow
def test_one_of_two_simultaneous_answers_is_rejected(server: Server) -> None:
    places = opened(server)
    mover = next(place for place in places.values() if place.fetch()["pending"])
    decision = decision_of(mover.fetch()["pending"])
    start, refused, taken = Barrier(2), list[str](), list[int]()

    def answer(number: int) -> None:
        place = RemoteSeat(mover.server, mover.match, mover.secret)
        keys = decision.sample(Random(number))
        start.wait()
        try:
            taken.append(place.answer(keys, decision.revision)["revision"])
        except ServerRejected as refusal:
            refused.append(str(refusal))

    both = [Thread(target=answer, args=(number,)) for number in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(30)
    assert taken == [1]
    assert len(refused) == 1
    assert "has changed" in refused[0] or "decid" in refused[0]
    assert mover.fetch()["revision"] == 1


@pytest.mark.slow(2)
def test_server_stops_with_open_pages(server: Server) -> None:
    place = next(iter(opened(server).values()))
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
