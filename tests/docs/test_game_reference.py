"""The games of the server work with what `docs/game-reference.md` lists for everybody, and with nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "game-reference.md"
MODULE = re.compile(r"\.\. automodule:: (\S+)\n   :members:(.*)")
PLACES = ["src/readyroom/games", "docs/example/lantern_strait", "examples/tokyo-express/tokyo_express"]


def listed() -> dict[str, set[str] | None]:
    """The modules of the page, and which of their names it lists: None for all of them."""
    result = MODULE.findall(PAGE.read_text(encoding="utf-8"))
    return {module: {name.strip() for name in names.split(",")} if names.strip() else None for module, names in result}


def imported(folder: Path) -> Iterator[tuple[str, str, str]]:
    """What the files of a folder import of the server next to games: the place, the module and the name."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("readyroom."):
                module = node.module or ""
                if not module.startswith("readyroom.games"):
                    yield from ((f"{file.name}:{node.lineno}", module, alias.name) for alias in node.names)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_a_game_imports_only_what_the_page_lists(place: str) -> None:
    known = listed()
    result = list(imported(ROOT / place))
    assert len(result) > 10
    missing = {
        f"{module}.{name}": at
        for at, module, name in result
        if module not in known or ((names := known[module]) is not None and name not in names)
    }
    assert missing == {}
