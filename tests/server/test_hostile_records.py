"""Records that are hard to replay do not slow down the moves of others."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from statistics import quantiles
from threading import Event

import httpx
import pytest
from tests.hostile import decide_and_undo, full_of_undos
from tests.server.running import Server
from tests.server.test_attacks import ATTACKERS, LIMIT, Act, Attacker, browser, play
from tests.web.server import Browser

LONG_AGO_ACCEPTED = 17_900
"""The number of undos in a record of 4.9 MB, which once silenced the server."""
LOOKERS = 8
"""The number of replays that each attacker looks at simultaneously."""
RATE = 10
"""The number of requests per second that a client may make by default."""


def memory(pid: int) -> int:
    """Return the bytes of memory that a process has."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return 1024 * next(int(line.split()[1]) for line in file if line.startswith("Pss:"))


def importing(record: str) -> Act:
    files = {"record": ("hostile.jsonl", record.encode())}
    return at_most(lambda client, number: client.form("/me/import", files=files), 3.0)


def looking(match: str) -> Act:
    return at_most(lambda client, number: client.get(f"/m/{match}/replay?at={(number * 397) % 5000}"))


def at_most(act: Act, seconds: float = (LOOKERS + 2) / RATE) -> Act:
    """Return an action with pauses, by which all actions of a client keep to the rate limit."""

    def paced(client: Browser, number: int) -> httpx.Response:
        time.sleep(seconds)
        return act(client, number)

    return paced


def imported(client: Browser, record: str) -> str:
    """Import a record; return the address of its match."""
    answer = importing(record)(client, 0)
    while answer.status_code == 429 or "/import/" in answer.headers.get("location", "/import/"):
        time.sleep(0.5)
        answer = client.get(answer.headers["location"]) if answer.status_code == 303 else importing(record)(client, 0)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/m/")


@pytest.mark.torture(75)
def test_hostile_records_do_not_slow_moves(tmp_path: Path) -> None:
    too_large = decide_and_undo(LONG_AGO_ACCEPTED)
    hard = [
        full_of_undos(*place).record() for place in (("tora", "december"), ("tora", "sunday"), ("picket", "okinawa"))
    ]
    with Server(tmp_path / "home") as server:
        with browser(server.url, ATTACKERS[0]) as client:
            start = time.monotonic()
            assert importing(too_large)(client, 0).status_code in (413, 422)
            assert time.monotonic() - start < 10.0
            matches = [imported(client, record) for record in hard]
        calm, _ = play(server, 10.0)
        before = memory(server.pid)
        ended, attackers = Event(), list[Attacker]()
        for number, address in enumerate(ATTACKERS):
            acts = [importing(too_large), importing(hard[number]), *[looking(matches[number])] * LOOKERS]
            attackers += [Attacker(browser(server.url, address), act, ended) for act in acts]
        for attacker in attackers:
            attacker.start()
        moves, health = play(server, 30.0)
        ended.set()
        for attacker in attackers:
            attacker.join(60)
            attacker.client.close()
        statuses = sum((attacker.statuses for attacker in attackers), Counter[int]())
        assert health == {200}
        assert statuses[200] > 20, statuses
        assert not [status for status in statuses if status >= 500 or not status], statuses
        slow, usual = quantiles(moves, n=100)[98], quantiles(calm, n=100)[98]
        assert slow < LIMIT, f"99th percentile {slow:.3f} s, without attack {usual:.3f} s, {len(moves)} moves"
        end = time.monotonic() + 20
        while memory(server.pid) > 1.1 * before and time.monotonic() < end:
            time.sleep(0.5)
            httpx.get(f"{server.url}/health")
        assert memory(server.pid) <= 1.1 * before, f"{before:,} bytes before, {memory(server.pid):,} after"
