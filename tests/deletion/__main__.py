"""`python -m tests.deletion`: takes rules out at random, and says which test noticed each.

Fifty cuts in all games by default; `--seed` chooses others. The exit code is 1 if one went unnoticed. What is cut is a
copy in a folder of its own, so that the checkout stays as it is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, NamedTuple

import pytest
import typer
from tests.deletion.cuts import Cut, cuts

from readyroom import games
from readyroom.testing.coverage import cited_by_tests

ROOT = Path(__file__).resolve().parents[2]
GAMES = Path("src/readyroom/games")
PATIENCE = 300
"""Seconds after which tests that do not come to an end have noticed, too."""
TAKEN = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
BOTS = {"admiral", "bots", "captain", "doctrine", "navigator", "planner", "survivors"}
OUTSIDE = {"board", "charts", "drawing", "history", "report", *BOTS}
"""Modules of a game that are not rules: drawings, texts and bots."""


class Noticed(NamedTuple):
    """How a cut came out: the test that failed first, empty if none did."""

    cut: Cut
    test: str


def copied(folder: Path) -> Path:
    """Copy the code, the tests and the files that they read."""
    for part in ("src", "tests", "docs"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "_build"))
    for file in (*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "Makefile"):
        shutil.copy(file, folder)
    return folder


def candidates(package: Path) -> list[Cut]:
    """All cuts in the rules of a game."""
    files = sorted(path for path in package.rglob("*.py") if path.stem not in OUTSIDE and "drawing" not in path.parts)
    return [cut for file in files for cut in cuts(file)]


def suites(cut: Cut, name: str, checkout: Path) -> Iterator[Sequence[str]]:
    """The tests of a game, the likeliest to notice first: those that are marked with what the rule cites."""
    marked = {one.place for one in cited_by_tests(checkout / "tests", checkout, name) if _near(one.number, cut.cites)}
    quick = sorted(place for place in marked if place.startswith(("tests/games", "tests/examples")))
    if quick:
        yield quick
    yield [
        f"tests/games/{name}",
        *(["tests/examples/" + name] if (checkout / "tests/examples" / name).exists() else []),
    ]
    yield ["tests/records/test_records.py", "tests/properties", "-k", f"{name} or record or bytes"]


def _near(number: str, cites: Iterable[str]) -> bool:
    """Whether a number is one of these, or a section of one of them, or the other way round."""
    return any(f"{number}.".startswith(f"{cited}.") or f"{cited}.".startswith(f"{number}.") for cited in cites)


def noticed(cut: Cut, name: str, checkout: Path) -> Noticed:
    """Play the tests of a game without a piece of its rules, until one fails."""
    whole = cut.file.read_text(encoding="utf-8")
    cut.file.write_text(cut.made(), encoding="utf-8")
    try:
        return Noticed(
            cut, next((test for suite in suites(cut, name, checkout) if (test := _failing(suite, checkout))), "")
        )
    finally:
        cut.file.write_text(whole, encoding="utf-8")


def _failing(suite: Sequence[str], checkout: Path) -> str:
    """The first test of a suite that fails; empty if all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist"]
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    try:
        done = subprocess.run(
            [*command, *suite],
            cwd=checkout,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return "it does not come to an end"
    if done.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    match = TAKEN.search(done.stdout)
    return match[1] if match else (done.stdout or done.stderr or "it broke off").strip().splitlines()[-1]


def main(
    name: Annotated[list[str] | None, typer.Option("--game", help="A game; all, if none is named.")] = None,
    count: Annotated[int, typer.Option("--cuts", min=1, help="How many in all.")] = 50,
    seed: Annotated[str, typer.Option(help="Words that choose them.")] = "rules",
) -> None:
    """Take rules out at random, and say which test noticed."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = copied(Path(folder))
        result = [(cut, game) for game in name or games.game_names() for cut in candidates(checkout / GAMES / game)]
        random, missed = Random(seed), 0
        typer.echo(f"{len(result)} pieces of rules could be taken out; {min(count, len(result))} are.")
        for cut, game in random.sample(result, min(count, len(result))):
            test = noticed(cut, game, checkout).test
            missed += not test
            typer.echo(f"{'noticed' if test else 'MISSED '} {game} {cut.shown()}\n        {test}")
    typer.echo(f"{missed} went unnoticed.")
    raise typer.Exit(1 if missed else 0)


if __name__ == "__main__":
    typer.run(main)
