"""A running server applies admin commands of another process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx
import pytest
from tests.cli.helpers import Output, Shell
from tests.server.running import SECRET, ForkedServer, Server
from tests.web.server import Browser

from readyroom.web.client import RemoteSeat, ServerRejected
from readyroom.web.pages.players.profile import COOKIE

STREAM_TIMEOUT = 20
"""The time limit for the end of a stream in seconds."""


class Admin:
    """The admin of a running server."""

    def __init__(self, shell: Shell, server: Server, database: str | None) -> None:
        self.shell, self.server, self.database = shell, server, database or ""

    def run(self, *words: str) -> Output:
        secret = SECRET if self.database else ""
        output = self.shell.run("admin", *words, READYROOM_DATABASE=self.database, READYROOM_SECRET=secret)
        assert output.code == 0, output.err
        return output

    def metric(self, name: str) -> float:
        """Return a metric of the server."""
        lines = httpx.get(f"{self.server.url}/metrics", trust_env=False).text.splitlines()
        return next(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))

    @property
    def log(self) -> list[dict[str, str]]:
        """Return the lines of the server's log."""
        return [json.loads(line) for line in (self.server.home / "stderr.txt").read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def admin(tmp_path: Path, database: str | None) -> Iterator[Admin]:
    home = tmp_path / "home"
    with ForkedServer(home, database, READYROOM_METRICS="local", READYROOM_LOG="requests") as server:
        yield Admin(Shell(home), server, database)


class Listener(Thread):
    """Reads a match's events until the server ends the stream."""

    def __init__(self, place: RemoteSeat) -> None:
        super().__init__(daemon=True)
        self.events, self._events = list[str](), place.events()
        self.events.append(next(self._events)[0])
        self.start()

    def run(self) -> None:
        self.events.extend(kind for kind, _ in self._events)

    @property
    def has_ended(self) -> bool:
        self.join(STREAM_TIMEOUT)
        return not self.is_alive()


@pytest.mark.slow(4)
def test_banned_player_sees_reason(admin: Admin) -> None:
    with Browser(base_url=admin.server.url, trust_env=False) as host, Browser(base_url=admin.server.url) as guest:
        match = host.begin(seat_japan="me", seat_usa="friend")
        link = host.links(match)["usa"]
        guest.form(link, {"name": "Tern"})
        assert 'name="seat" value="usa"' in guest.get(f"/m/{match}").text
        secret = guest.form(f"/m/{match}/link", {"seat": "usa"}).text.partition("/s/")[2][:43]
        program = RemoteSeat(admin.server.url, match, secret)
        listener = Listener(program)
        admin.run("ban", match, "usa", "--why", "Foul words")
        assert listener.has_ended
        assert listener.events[-1] == "seats"
        page = guest.get(f"/m/{match}")
        assert "Foul words" in page.text
        assert 'name="seat" value="usa"' not in page.text
        rejected = guest.form(f"/m/{match}/answer", {"seat": "usa", "revision": "0", "key": "none"})
        assert (rejected.status_code, "Foul words" in rejected.text) == (403, True)
        reopened = guest.get(link)
        assert (reopened.status_code, "Foul words" in reopened.text) == (403, True)
        with pytest.raises(ServerRejected, match="Foul words"):
            program.fetch()
        assert "Foul words" not in host.get(f"/m/{match}").text
        log = (admin.server.home / "stderr.txt").read_text(encoding="utf-8")
        assert "/s/{secret}" in log
        secrets = [link.rpartition("/")[2], secret, *(one.cookies[COOKIE] for one in (host, guest))]
        assert not [secret for secret in secrets if secret in log]
        admin.run("unban", match, "usa")
        assert 'name="seat" value="usa"' in guest.get(f"/m/{match}").text


@pytest.mark.slow(2)
def test_deleted_match_is_removed_from_server(admin: Admin) -> None:
    deleted, other_match = (
        next(iter(RemoteSeat.opened(admin.server.url, {"game": "midway"}).values())) for _ in range(2)
    )
    listener, other = Listener(deleted), Listener(other_match)
    deleted.fetch(), other_match.fetch()
    assert admin.metric("readyroom_matches_held") == 2
    admin.run("delete", deleted.match, "--yes", "--why", "a test")
    assert listener.has_ended
    assert admin.metric("readyroom_matches_held") == 1
    with pytest.raises(ServerRejected):
        deleted.fetch()
    assert httpx.get(f"{admin.server.url}/m/{deleted.match}", trust_env=False).status_code == 404
    assert other_match.fetch()["id"] == other_match.match
    assert other.is_alive()
    entries = [line["said"] for line in admin.log if "admin" in line["said"]]
    assert entries == [f"applied admin actions: delete match {deleted.match} (a test)"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.torture(4)
def test_deleted_player_becomes_new_player(admin: Admin) -> None:
    with Browser(base_url=admin.server.url, trust_env=False) as host:
        match = host.begin(seat_japan="me", seat_usa="bot:doctrine")
        assert 'href="/me">Profile' not in host.get("/").text
        (person,) = json.loads(admin.run("players", "--json").out)
        admin.run("delete-player", person["id"], "--yes")
        assert 'href="/me">Profile' in host.get("/").text
        assert host.get(f"/m/{match}").status_code == 200
