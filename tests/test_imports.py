"""The package has no import cycles."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import readyroom

ROOT = Path(readyroom.__file__).parent.parent


def modules() -> dict[str, Path]:
    """Return the file of each module by name."""
    named = {}
    for path in (ROOT / "readyroom").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


def imports(body: list[ast.stmt]) -> Iterator[str]:
    """Yield what the top level of a module imports, also for type checking only; `a.b` for `from a import b`."""
    for statement in body:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)
        elif isinstance(statement, ast.If | ast.Try):
            yield from imports(statement.body + statement.orelse)


def import_graph() -> dict[str, set[str]]:
    """Return the modules of the package that each of its modules imports."""
    paths = modules()
    graph = {}
    for name, path in paths.items():
        found = {one if one in paths else one.rpartition(".")[0] for one in imports(ast.parse(path.read_text()).body)}
        graph[name] = found & paths.keys() - {name}
    return graph


def test_imports_have_no_circle() -> None:
    try:
        TopologicalSorter(import_graph()).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None
