"""A browser and a server for all tests of this folder; visitors per test, and screenshots on failure."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright
from tests.browser.visitors import PATIENCE, Visitor
from tests.chromium import MISSING, program
from tests.server.running import Server

BUILD = Path(__file__).parents[2] / "build"
FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for this folder only, as its event loop would disturb other tests."""
    name = program()
    if name is None:
        pytest.fail(MISSING)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=name, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of this folder."""
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running


Visit = Callable[..., Visitor]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note whether a test failed, for the fixtures that end after it."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def visit(chromium: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Return a factory of visitors: `visit("Anna")` sets the name. At the end none may have problems."""
    visitors: list[Visitor] = []

    def create(name: str = "", *, to: Server = server, **how: Any) -> Visitor:
        visitors.append(Visitor(chromium, to.url, name, **how))
        return visitors[-1]

    yield create
    problems = [f"{visitor.name or 'visitor'}: {text}" for visitor in visitors for text in visitor.problems]
    if problems or request.node.stash.get(FAILED, False):
        _keep(request.node.name, visitors, server)
    for visitor in visitors:
        visitor.context.close()
    assert not problems, "\n".join(problems)


def _keep(test: str, visitors: list[Visitor], server: Server) -> None:
    """Save screenshots, pages and the server's output under build/, and print where."""
    place = BUILD / "failed" / re.sub(r"[^\w-]+", "-", test).strip("-")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for number, visitor in enumerate(visitors):
        with suppress(Error):
            visitor.save_pages(place, number)
    shutil.copyfile(server.home / "stderr.txt", place / "server.txt")
    print(f"Screenshots are in {place}.")
