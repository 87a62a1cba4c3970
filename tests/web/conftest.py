"""Houses and visitors for the tests of the browser's table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.web.site import Browser, Site, opened


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that is open for all tests of a file."""
    site = opened(tmp_path_factory.mktemp("house"))
    yield site
    site.close()


@pytest.fixture
def browser(site: Site) -> Iterator[Browser]:
    """Someone who was never here."""
    with site.browser() as client:
        yield client


@pytest.fixture
def friend(site: Site) -> Iterator[Browser]:
    """Someone else."""
    with site.browser() as client:
        yield client


@pytest.fixture
def open_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Site]]:
    """Opens houses with settings of their own."""
    sites: list[Site] = []

    def opens(**settings: Any) -> Site:
        sites.append(opened(**{"home": tmp_path_factory.mktemp("own"), **settings}))
        return sites[-1]

    yield opens
    for site in sites:
        site.close()
