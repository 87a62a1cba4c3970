"""Branch coverage of the engine and the games, from the report of `make coverage`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from docs.claims.parts import ROOT, head, row

REPORT = ROOT / "coverage.json"
SUMS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def lines(_: int = 0, report: Path = REPORT) -> Iterator[str]:
    """Yield a row for the engine and each game."""
    if not report.is_file():
        yield "No coverage report; run `make coverage`."
        return
    packages: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(SUMS))
    files: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))["files"]
    for name, data in files.items():
        for package in (_package(name), "all"):
            packages[package] = [
                count + data["summary"][key] for count, key in zip(packages[package], SUMS, strict=True)
            ]
    yield "The quick tests of engine, games, bots, examples, properties, records, books and lessons, with branches.\n"
    yield head("package", "statements", "run", "branches", "run")
    for package, (statements, lines_run, branches, branches_run) in sorted(
        packages.items(), key=lambda item: item[0] == "all"
    ):
        yield row(
            package, f"{statements:,}", share(lines_run, statements), f"{branches:,}", share(branches_run, branches)
        )


def _package(name: str) -> str:
    """Return the package of a file: `engine` or a game."""
    parts = PurePath(name.replace("\\", "/")).parts
    inside = parts[len(parts) - parts[::-1].index("readyroom") :]
    return f"`{inside[0]}`" if inside[0] == "engine" else f"`{'/'.join(inside[:2])}`"


def share(part: int, whole: int) -> str:
    """Return a percentage."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
