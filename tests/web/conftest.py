"""Houses and visitors for the tests of the browser's table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.web.house import Browser, House, opened


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that is open for all tests of a file."""
    found = opened(tmp_path_factory.mktemp("house"))
    yield found
    found.close()


@pytest.fixture
def browser(house: House) -> Iterator[Browser]:
    """Somebody who was never here."""
    with house.browser() as found:
        yield found


@pytest.fixture
def friend(house: House) -> Iterator[Browser]:
    """Somebody else."""
    with house.browser() as found:
        yield found


@pytest.fixture
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., House]]:
    """Opens houses with settings of their own."""
    houses: list[House] = []

    def opens(**settings: Any) -> House:
        houses.append(opened(**{"home": tmp_path_factory.mktemp("own"), **settings}))
        return houses[-1]

    yield opens
    for found in houses:
        found.close()
