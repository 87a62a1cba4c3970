"""Records that are hard to replay do not slow down the moves of others."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
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


def attack(server: Server, acts: Sequence[Sequence[Act]], seconds: float) -> tuple[list[float], set[int]]:
    """Let each attacker's address do its acts while a player plays; return what `play` does."""
    ended, attackers = Event(), list[Attacker]()
    for address, of_one in zip(ATTACKERS, acts, strict=True):
        attackers += [Attacker(browser(server.url, address), act, ended) for act in of_one]
    for attacker in attackers:
        attacker.start()
    moves, health = play(server, seconds)
    ended.set()
    for attacker in attackers:
        attacker.join(60)
        attacker.client.close()
    statuses = sum((attacker.statuses for attacker in attackers), Counter[int]())
    assert statuses[200] > 5, statuses
    assert not [status for status in statuses if status >= 500 or not status], statuses
    return moves, health


@pytest.mark.alone
@pytest.mark.torture(90)
def test_hostile_records_do_not_slow_moves(tmp_path: Path) -> None:
    """Memory is compared with that after a short attack, which has filled the server's caches."""
    too_large = decide_and_undo(LONG_AGO_ACCEPTED)
    hard = [
        full_of_undos(*place).record() for place in (("tora", "december"), ("tora", "sunday"), ("picket", "okinawa"))
    ]
    with Server(tmp_path / "home", READYROOM_RATE="100000") as server:
        with browser(server.url, ATTACKERS[0]) as client:
            start = time.monotonic()
            assert importing(too_large)(client, 0).status_code in (413, 422)
            assert time.monotonic() - start < 10.0
            matches = [imported(client, record) for record in hard]
        calm, _ = play(server, 10.0)
        acts = [
            [importing(too_large), importing(record), *[looking(match)] * LOOKERS]
            for record, match in zip(hard, matches, strict=True)
        ]
        attack(server, acts, 15.0)
        before = memory(server.pid)
        moves, health = attack(server, acts, 30.0)
        assert health == {200}
        slow, usual = quantiles(moves, n=100)[98], quantiles(calm, n=100)[98]
        print(f"moves p99 {slow:.3f} s, without attack {usual:.3f} s, {len(moves)} moves")
        assert slow < LIMIT
        end = time.monotonic() + 45
        while memory(server.pid) > 1.1 * before and time.monotonic() < end:
            time.sleep(0.5)
            httpx.get(f"{server.url}/health")
        after = memory(server.pid)
        print(f"memory {before // 1_000_000} MB before, {after // 1_000_000} MB after")
        assert after <= 1.1 * before
