"""Games import only the authors' API."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from readyroom import authoring

ROOT = Path(__file__).parents[2]
EXAMPLES = ["docs/example/lantern_strait", "examples/tokyo-express/tokyo_express"]


def imported(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield place, module and name of each import of Ready Room, other than of games."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            if isinstance(node, ast.ImportFrom) and module.startswith("readyroom.") and "readyroom.games" not in module:
                yield from ((f"{file.name}:{node.lineno}", module, alias.name) for alias in node.names)


def test_builtin_games_import_only_public_names() -> None:
    names = [name for game in ROOT.glob("src/readyroom/games/*/") for name in imported(game)]
    assert len(names) > 100
    private = {f"{module}.{name}": at for at, module, name in names if name not in authoring.__all__}
    assert private == {}


@pytest.mark.parametrize("place", EXAMPLES)
def test_example_imports_only_authoring(place: str) -> None:
    names = list(imported(ROOT / place))
    assert len(names) > 10
    assert {module for _, module, _ in names} == {"readyroom.authoring"}
    assert {name for _, _, name in names} <= set(authoring.__all__)
