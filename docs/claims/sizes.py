"""Sizes: lines by package and game, rules and rulings, records, and lengths of functions."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from statistics import median

from docs.claims.parts import FOLDERS, GAMES, ROOT, TITLES, head, row

from readyroom.engine.game import load_game
from readyroom.testing.coverage import coverage

SOURCE, TESTS = ROOT / "src" / "readyroom", ROOT / "tests"
PACKAGES = ("engine", "games", "bots", "study", "env", "testing", "store", "web", "cli")
PAGES = {".html", ".j2", ".css", ".js", ".svg"}
LONG = 600
"""Modules with more lines than this are listed."""
TEST = re.compile(r"^ *(?:async )?def test_", re.MULTILINE)
MARKED = re.compile(r"pytest\.mark\.slow")


def lines(_: int = 0) -> Iterator[str]:
    """Yield tables of packages, games and functions."""
    yield from _packages()
    yield ""
    yield from _games()
    yield ""
    yield from _functions()


def _packages() -> Iterator[str]:
    yield head("package", "modules", "lines of Python", "of pages and drawings", "of data")
    for package in PACKAGES:
        yield row(f"`{package}`", *_counted(SOURCE / package))
    yield row("all", *_counted(SOURCE))
    yield row("tests", *_counted(TESTS))


def _counted(folder: Path) -> list[str]:
    """Return the numbers of modules and of lines of Python, pages and data in a folder, without vendored files."""
    paths = [path for path in _files(str(folder)) if "vendor" not in path.parts]
    python = [path for path in paths if path.suffix == ".py"]
    pages = [path for path in paths if path.suffix in PAGES]
    data = [path for path in paths if path.suffix == ".toml"]
    return [f"{number:,}" for number in (len(python), *map(_length, (python, pages, data)))]


@cache
def _files(folder: str) -> list[Path]:
    return sorted(path for path in Path(folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def _length(paths: Iterable[Path]) -> int:
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def _games() -> Iterator[str]:
    """Yield a table with a column for each game."""
    known = {name: load_game(name) for name in GAMES}
    yield head("", *(TITLES[name] for name in GAMES))
    numbers = {name: _counted(SOURCE / "games" / FOLDERS[name]) for name in GAMES}
    for at, title in enumerate(("modules", "lines of Python", "lines of pages and drawings", "lines of data")):
        yield row(title, *(numbers[name][at] for name in GAMES))
    yield row("rules, including subsections", *(len(game.rulebook.rule) for game in known.values()))
    yield row("rulings with reasons", *(len(game.rulebook.ruling) for game in known.values()))
    yield row("options", *(len(game.options) for game in known.values()))
    yield row("scenarios", *(len(game.rules.scenarios(game.data)) for game in known.values()))
    results = {name: coverage(game, ROOT) for name, game in known.items()}
    for what, title in (("code", "code that cites them"), ("tests", "tests that cite them")):
        cells = (f"{sum(bool(rule[what]) for rule in rules)} of {len(rules)}" for rules in results.values())
        yield row(f"rules and rulings with {title}", *cells)
    for title, place in (("tests of its rules", "games"), ("tests of worked examples", "examples")):
        yield row(title, *(_tests(TESTS / place / FOLDERS[name]) for name in GAMES))
    yield row("records of whole matches", *(_records().count(name) for name in GAMES))


def _tests(folder: Path) -> int:
    """Return the number of test functions in a folder."""
    return sum(
        len(TEST.findall(path.read_text(encoding="utf-8"))) for path in _files(str(folder)) if path.suffix == ".py"
    )


def _records() -> list[str]:
    """Return the game of each record of the manifest."""
    manifest = tomllib.loads((TESTS / "records" / "manifest.toml").read_text(encoding="utf-8"))
    return [record.get("game", "midway") for record in manifest["record"]]


def _functions() -> Iterator[str]:
    """Yield lengths of functions and modules, and numbers of tests and records."""
    modules = [path for path in _files(str(SOURCE)) if path.suffix == ".py"]
    lengths = [
        (node.end_lineno or 0) - node.lineno + 1
        for path in modules
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    long = [path for path in modules if path.read_text(encoding="utf-8").count("\n") > LONG]
    yield head("", "")
    yield row("functions", f"{len(lengths):,}")
    yield row("median lines", f"{median(lengths):g}")
    yield row("maximum lines", max(lengths))
    yield row(
        f"modules of more than {LONG} lines", ", ".join(f"`{path.relative_to(SOURCE)}`" for path in long) or "none"
    )
    yield row("test functions, without parameters", f"{_tests(TESTS):,}")
    yield row("records of whole matches", len(_records()))
