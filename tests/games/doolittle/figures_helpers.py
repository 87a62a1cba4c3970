"""Helpers for data with a change in one file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias, get_type_hints

import msgspec

from readyroom.engine.data import convert, load
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Scenario

PACKAGE = "readyroom.games.doolittle"
DATA = load(Data, PACKAGE)
FOLDER = files(PACKAGE).joinpath("data")
Change: TypeAlias = Callable[[dict[str, Any]], None]


def inline(value: Any) -> str:
    """Return a value as one line of TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {inline(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def tables_of(file: str, change: Change) -> dict[str, Any]:
    """Return the tables of a built-in file, with a change applied."""
    tables = tomllib.loads(FOLDER.joinpath(file).read_text(encoding="utf-8"))
    change(tables)
    return tables


def changed(file: str, change: Change) -> Data:
    """Return the data with a change in one file."""
    tables, (name, _, item) = tables_of(file, change), file.removesuffix(".toml").partition("/")
    hint = get_type_hints(Data)[name]
    if not item:
        return msgspec.structs.replace(DATA, **{name: convert(tables, hint, file)})
    scenario = convert(tables, Scenario, file)
    return msgspec.structs.replace(DATA, scenarios={**DATA.scenarios, item: scenario})


def laid_over(file: str, change: Change, folder: Path) -> Data:
    """Return the data with a file that overrides some values."""
    lines = (f"{json.dumps(key)} = {inline(value)}\n" for key, value in tables_of(file, change).items())
    (folder / file).write_text("".join(lines), encoding="utf-8")
    return load(Data, PACKAGE, folder)


def _at(tables: dict[str, Any], path: tuple[str | int, ...]) -> Any:
    here: Any = tables
    for step in path:
        here = here[step]
    return here


def put(*path: str | int, to: Any) -> Change:
    """Return a change that sets one value."""

    def change(tables: dict[str, Any]) -> None:
        _at(tables, path[:-1])[path[-1]] = to

    return change


def drop(*path: str | int) -> Change:
    """Return a change that removes something."""

    def change(tables: dict[str, Any]) -> None:
        del _at(tables, path[:-1])[path[-1]]

    return change


def again(*path: str | int) -> Change:
    """Return a change that duplicates a list row at the end of its list."""

    def change(tables: dict[str, Any]) -> None:
        _at(tables, path[:-1]).append(_at(tables, path))

    return change


def both(*changes: Change) -> Change:
    """Return a change that applies several changes in turn."""

    def change(tables: dict[str, Any]) -> None:
        for each in changes:
            each(tables)

    return change
