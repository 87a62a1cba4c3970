"""Figures with a change in one file of the data folder."""

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
    """A value as TOML has it in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {inline(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def tables_of(file: str, change: Change) -> dict[str, Any]:
    """The tables of one of our files, with a change in them."""
    tables = tomllib.loads(FOLDER.joinpath(file).read_text(encoding="utf-8"))
    change(tables)
    return tables


def changed(file: str, change: Change) -> Data:
    """The figures with a change in one file."""
    tables, (name, _, item) = tables_of(file, change), file.removesuffix(".toml").partition("/")
    hint = get_type_hints(Data)[name]
    if not item:
        return msgspec.structs.replace(DATA, **{name: convert(tables, hint, file)})
    scenario = convert(tables, Scenario, file)
    return msgspec.structs.replace(DATA, scenarios={**DATA.scenarios, item: scenario})


def laid_over(file: str, change: Change, folder: Path) -> Data:
    """Return the figures with a file that overrides some of them."""
    lines = (f"{json.dumps(key)} = {inline(value)}\n" for key, value in tables_of(file, change).items())
    (folder / file).write_text("".join(lines), encoding="utf-8")
    return load(Data, PACKAGE, folder)


def _at(tables: dict[str, Any], path: tuple[str | int, ...]) -> Any:
    here: Any = tables
    for step in path:
        here = here[step]
    return here


def put(*path: str | int, to: Any) -> Change:
    """A change of one value."""

    def change(tables: dict[str, Any]) -> None:
        _at(tables, path[:-1])[path[-1]] = to

    return change


def drop(*path: str | int) -> Change:
    """A change that takes something out."""

    def change(tables: dict[str, Any]) -> None:
        del _at(tables, path[:-1])[path[-1]]

    return change


def again(*path: str | int) -> Change:
    """A change that has a row of a list stand there once more, at its end."""

    def change(tables: dict[str, Any]) -> None:
        _at(tables, path[:-1]).append(_at(tables, path))

    return change


def both(*changes: Change) -> Change:
    """One change after another."""

    def change(tables: dict[str, Any]) -> None:
        for each in changes:
            each(tables)

    return change
