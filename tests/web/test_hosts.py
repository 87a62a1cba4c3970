"""Tests of the Host header: which names are this server's, and what is said of others."""

from __future__ import annotations

import socket
from collections.abc import Callable

import httpx
import pytest
from tests.web.server import Browser, Site

from readyroom.web.hosts import host_of, is_own_host
from readyroom.web.settings import BadSetting, Settings


@pytest.mark.parametrize(
    "host",
    ["evil.com:99999", "evil.com:x", "a b", "a/b", "", "[::1", "[::1]:70000", "a@b", "[x]", "ü.example"],
)
def test_malformed_host_is_rejected(browser: Browser, host: str) -> None:
    page = browser.get("/", headers={b"Host": host.encode()})
    assert page.status_code == 400
    assert "The Host header of this request is invalid." in page.text
    facts = browser.get("/api/v1/games", headers={b"Host": host.encode()})
    assert facts.status_code == 400
    assert facts.json()["error"] == "WrongHost"


def test_two_hosts_are_rejected(site: Site) -> None:
    at = httpx.URL(site.url)
    with socket.create_connection((at.host, at.port or 80), timeout=5) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\n\r\n")
        assert line.recv(100).split()[1] == b"400"


def test_unknown_host_is_not_reflected(browser: Browser) -> None:
    for path in ("/", "/games/midway"):
        page = browser.get(path, headers={"Host": "evil.com"})
        assert page.status_code == 200
        assert "evil.com" not in page.text
    assert "og:image" not in browser.get("/", headers={"Host": "evil.com"}).text
    link = browser.form("/me/recovery", headers={"Host": "evil.com"}).text
    assert 'value="/me/recover/' in link
    created = browser.post("/api/v1/matches", json={"game": "midway"}, headers={"Host": "evil.com"}).json()
    assert created["link"].startswith("/m/") if "link" in created else "evil.com" not in str(created)


def test_own_address_is_in_links(site: Site, browser: Browser) -> None:
    assert f'og:image" content="{site.url}/static' in browser.get("/").text


def test_server_with_an_address_is_reached_under_it(open_site: Callable[..., Site]) -> None:
    site = open_site(url="https://games.example", hosts=("www.games.example",))
    with site.browser() as browser:
        for host in ("games.example", "GAMES.example.", "games.example:443", "www.games.example", "127.0.0.1:8000"):
            page = browser.get("/", headers={"Host": host})
            assert page.status_code == 200, host
            assert 'og:image" content="https://games.example/static' in page.text
        for host in ("evil.com", "games.example.evil.com", "203.0.114.5"):
            page = browser.get("/", headers={"Host": host})
            assert page.status_code == 400
            assert f"This server is not {host}. Open it at https://games.example." in page.text


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "::1", "192.168.1.20", "10.0.0.3", "fe80::1", "nas", "pi.local"]
)
def test_loopback_and_local_network_are_always_own(host: str) -> None:
    assert is_own_host(host, Settings(url="https://games.example"))
    assert is_own_host(host, Settings())


def test_host_without_port() -> None:
    assert host_of("Games.Example.:8000") == "games.example"
    assert host_of("[::1]:8000") == "::1"
    assert is_own_host("games.example", Settings()) is None
    assert is_own_host("games.example", Settings(hosts=("other.example",))) is False


def test_hosts_are_names() -> None:
    known = {"READYROOM_SECRET": "x", "READYROOM_HOSTS": "A.example, b.example"}
    assert Settings.from_environment(known).hosts == ("a.example", "b.example")
    with pytest.raises(BadSetting, match="without ports"):
        Settings.from_environment({**known, "READYROOM_HOSTS": "a.example:80"})
