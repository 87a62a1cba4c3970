"""Conventions of modules that no linter checks: arguments by name, names of games, paths."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "src").rglob("*.py"))
MACHINES = re.compile(r"/(?:work|home|root|Users|mnt|private)/[\w.]|[A-Z]:\\\\\w")
TEXTS = {".py", ".toml", ".md", ".j2", ".html", ".css", ".js", ".cfg", ".ini", ".txt", ".yml", ".yaml", ".svg"}


BY_NAME = {"choose": 4, "choose_some": 4, "allocate": 6}
"""The methods that ask for a decision, and how many of their arguments may be positional."""


def test_question_arguments_are_passed_by_name() -> None:
    calls = 0
    for path in MODULES:
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in BY_NAME:
                calls += 1
                assert len(call.args) <= BY_NAME[call.func.attr], f"{path}:{call.lineno}"
    assert calls > 100


def test_engine_names_no_game() -> None:
    names = [path.name for path in (ROOT / "src" / "readyroom" / "games").iterdir() if (path / "__init__.py").exists()]
    assert "midway" in names
    for path in sorted((ROOT / "src" / "readyroom" / "engine").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        words |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        for name in names:
            assert not any(name in word.lower().split(".") for word in words), f"{path} names {name}"


def text_files() -> list[Path]:
    """Return the text files of the checkout, without generated ones."""
    places = [ROOT / name for name in ("src", "docs", "tests")]
    paths = [path for place in places if place.is_dir() for path in place.rglob("*") if path.suffix in TEXTS]
    paths += [path for path in ROOT.iterdir() if path.is_file() and (path.suffix in TEXTS or path.name == "Makefile")]
    generated = {"__pycache__", "_build", "node_modules"}
    return sorted(path for path in paths if not generated & set(path.parts) and path != Path(__file__).resolve())


def test_no_machine_paths_in_repository() -> None:
    hits = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in text_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if MACHINES.search(line)
    ]
    assert not hits, "\n".join(hits)


@pytest.mark.parametrize("line", ["/home/me/x", "see /work/x", r"C:\\Users", "/root/.ssh", "/Users/me"])
def test_machine_path_is_detected(line: str) -> None:
    assert MACHINES.search(line)
