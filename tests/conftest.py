"""Fixtures, order and selection of all tests; puts the project on the import path."""

from __future__ import annotations

import gc
import os
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from readyroom.engine import game

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter
    from tests.store.postgres import Postgres

HERE = Path(__file__).resolve().parent
TABLE_START = "<!-- table -->"
IS_COMPILED = (HERE / "web" / "__pycache__").exists()
FIRST = os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0"
DONE = Path(tempfile.gettempdir()) / f"readyroom-collected-{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"
COMPILING = 60.0
"""Seconds that the other processes wait at most until the first has compiled all files."""
settings.register_profile("busy-machine", deadline=None)
settings.load_profile("busy-machine")
os.environ.setdefault("READYROOM_HOME", str(Path(tempfile.gettempdir()) / "readyroom-tests"))
if str(HERE.parent) not in sys.path:
    sys.path.insert(0, str(HERE.parent))


@lru_cache(maxsize=8)
def shipped_games(path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Return the games on Python's path without those that are installed next to Ready Room, such as the examples."""
    found = ALL_GAMES(path).items()
    return {name: entry for name, entry in found if entry.dist is None or not is_foreign(entry.dist)}


def is_foreign(distribution: Distribution) -> bool:
    """Return whether this is another package than Ready Room in the environment of the tests."""
    folder = Path(str(distribution.locate_file("")))
    return distribution.name != "readyroom" and folder == Path(sysconfig.get_path("purelib"))


ALL_GAMES = game._game_entry_points
game._game_entry_points = shipped_games


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL server that all test processes share."""
    from tests.store.postgres import shared

    own = tmp_path_factory.getbasetemp()
    with shared(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) as server:
        yield server


def pytest_collection() -> None:
    """Collect no garbage while thousands of tests are collected; in a new clone let one process compile all files."""
    gc.disable()
    deadline = time.monotonic() + COMPILING
    while not (IS_COMPILED or FIRST or DONE.exists()) and time.monotonic() < deadline:
        time.sleep(0.1)


def pytest_collection_finish() -> None:
    """Collect garbage rarely, and never the tests: it takes an eighth of the time otherwise."""
    if FIRST:
        DONE.touch()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_sessionfinish() -> None:
    """Remove the file for which the other processes waited."""
    if FIRST:
        DONE.unlink(missing_ok=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--table", type=Path, help="write a Markdown table of the tests, their results and times")
    parser.addoption("--add-rows", action="store_true", help="keep the rows of other tests in the table")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without tests of the selected kind, to save their import."""
    long = ("mark.torture", "mark.sample")
    kinds = {
        "slow and not torture": ("mark.slow",),
        "torture and not alone": long,
        "torture and alone": ("mark.alone",),
    }
    marks = kinds.get(config.option.markexpr)
    if marks is None or collection_path.suffix != ".py" or collection_path.name == "conftest.py":
        return None
    fixtures = collection_path.with_name("conftest.py")  # they mark cases too
    text = "".join(path.read_text(encoding="utf-8") for path in (collection_path, fixtures) if path.exists())
    return None if any(mark in text for mark in marks) else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most cases of a `sample` to `make torture`; start with browser tests, which share one, then the longest."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sample"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for all_cases in cases.values():
        marker = all_cases[0].get_closest_marker("sample")
        assert marker is not None
        wanted = marker.args[0]
        kept = {len(all_cases) * k // wanted for k in range(wanted)}
        for at, item in enumerate(all_cases):
            if at not in kept:
                item.add_marker(pytest.mark.torture)
    items.sort(key=_sort_key)


def _sort_key(item: pytest.Item) -> tuple[bool, float]:
    marks = [mark for name in ("slow", "torture") for mark in item.iter_markers(name)]
    seconds = max((float(mark.args[0]) for mark in marks if mark.args), default=0.0)
    return not (marks and HERE / "browser" in item.path.parents), -seconds


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    """Write the table of `--table`: a row for each test function."""
    target: Path | None = config.getoption("table")
    if target is None:
        return
    rows: dict[tuple[str, str], list[pytest.TestReport]] = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.getreports(outcome):
            path, _, name = report.nodeid.partition("::")
            rows.setdefault((path, name.partition("[")[0]), []).append(report)
    lines: dict[str, str] = {}
    for (path, name), reports in sorted(rows.items()):
        failed = [report for report in reports if report.outcome == "failed"]
        result = f"{len(failed)} failed" if failed else max(report.outcome for report in reports)
        seconds = sum(report.duration for report in reports)
        title = f"`{path}`: {name.removeprefix('test_').replace('_', ' ')}"
        lines[title] = f"| {title} | {len(reports)} | {result} | {seconds:.1f} |"
    terminalreporter.write_line("\n".join(lines.values()))
    text = target.read_text(encoding="utf-8") if target.exists() else f"# Long checks\n\n{TABLE_START}\n"
    head, _, table = text.partition(TABLE_START)
    if config.getoption("add_rows"):
        others = [row for row in table.splitlines() if row.startswith("| `")]
        lines = {row[2:].partition(" | ")[0]: row for row in others} | lines
    header = ["| Test | Cases | Result | Seconds |", "| --- | --: | --- | --: |"]
    body = "\n".join([*header, *(lines[title] for title in sorted(lines))])
    target.write_text(f"{head}{TABLE_START}\n\n{body}\n", encoding="utf-8")
