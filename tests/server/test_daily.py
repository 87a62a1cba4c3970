"""The challenge of the day on real servers: two without contact, and one that is killed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.running import ForkedServer, Server

from readyroom.study.daily import keys
from readyroom.study.daily.challenge import challenge_of

pytestmark = pytest.mark.slow


def call(server: Server, method: str, path: str, secret: str = "", **more: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return httpx.request(method, f"{server.url}/api/v1{path}", headers=headers, timeout=60, **more)


def answers(server: Server, match: str, secret: str, count: int) -> list[dict[str, Any]]:
    """Answer with the first options this many times; return the log."""
    for _ in range(count):
        for _ in range(200):
            status = call(server, "GET", f"/matches/{match}?since=0", secret).json()
            if status["pending"] is not None or status["outcome"] is not None:
                break
        pending = status["pending"]
        if pending is None:
            break
        chosen = [option["key"] for option in pending["options"]][: pending["at_least"]]
        body = {"keys": chosen, "revision": pending["revision"]}
        assert call(server, "POST", f"/matches/{match}/decisions", secret, json=body).status_code in (200, 422)
    log: list[dict[str, Any]] = call(server, "GET", f"/matches/{match}?since=0", secret).json()["log"]
    return log


@pytest.mark.torture(5)
def test_servers_without_contact_agree_and_a_killed_one_keeps_the_attempt(tmp_path: Path) -> None:
    if keys.clock().hour == 23:
        pytest.skip("the day may end during the test")
    seat = challenge_of(keys.clock().date()).own_seats[0]
    logs = []
    with ForkedServer(tmp_path / "one") as one, ForkedServer(tmp_path / "two") as two:
        known = [call(server, "GET", "/challenge").json() for server in (one, two)]
        assert known[0] == known[1]
        for server in (one, two):
            opened = call(server, "POST", "/challenge", json={}).json()
            match, secret = opened["id"], opened["seats"][seat]
            assert opened["counted"] is True
            answers(server, match, secret, 2)
            if server is two:
                server.kill()
                server.start()
                refused = call(server, "POST", "/challenge", secret, json={})
                assert (refused.status_code, refused.json()["error"]) == (409, "AttemptUnfinished")
            logs.append([line["text"] for line in answers(server, match, secret, 3)])
    assert logs[0] == logs[1]
    assert logs[0]
