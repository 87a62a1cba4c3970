"""Fixtures for the web tests: servers and clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import pytest
from litestar.utils.signature import ParsedSignature
from tests.web.server import Browser, Site, opened

from readyroom.web.jobs import replays

_parse = ParsedSignature.from_fn
_parsed: dict[tuple[str, CodeType], ParsedSignature] = {}


def _parse_once(function: Any, names: dict[str, Any]) -> ParsedSignature:
    """Return the signature of a function, which Litestar reads for each application: a third of the time to open it."""
    if not hasattr(function, "__code__") or hasattr(function, "__wrapped__"):
        return _parse(function, names)
    key = (function.__module__, function.__code__)
    if key not in _parsed:
        _parsed[key] = _parse(function, names)
    return _parsed[key]


ParsedSignature.from_fn = _parse_once  # type: ignore[method-assign, assignment]


@pytest.fixture(autouse=True)
def _replays_in_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replay short records in the request however busy the machine is; else a worker does, and pages wait for it."""
    monkeypatch.setattr(replays, "INLINE_SECONDS", 60.0)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server per test module."""
    site = opened(tmp_path_factory.mktemp("server"))
    yield site
    site.close()


@pytest.fixture
def browser(site: Site) -> Iterator[Browser]:
    with site.browser() as client:
        yield client


@pytest.fixture
def friend(site: Site) -> Iterator[Browser]:
    """A second client."""
    with site.browser() as client:
        yield client


@pytest.fixture
def open_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Site]]:
    """A function that starts a server with custom settings."""
    sites: list[Site] = []

    def opens(**settings: Any) -> Site:
        sites.append(opened(**{"home": tmp_path_factory.mktemp("own"), **settings}))
        return sites[-1]

    yield opens
    for site in sites:
        site.close()
