"""TOML texts: the line of every entry, and tables written as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

Where: TypeAlias = tuple[str | int, ...]
"""The path of an entry: names of tables and keys, and indexes of list items."""
_HEADING = re.compile(r"^\s*(\[\[?)([^\]]+)\]\]?\s*(?:#.*)?$")
_ENTRY = re.compile(r"^\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=\s*")
_PART = re.compile(r"[\w-]+|\"([^\"]*)\"|'([^']*)'")
_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#.*|[\[\]{},]|[^\s\[\]{},\"'#]+")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
WIDTH = 110
"""The length from which a list is written over several lines."""


def toml_lines(text: str) -> Iterator[tuple[Where, int]]:
    r"""Yield the line of every table, every entry, and every item of a list.

    >>> list(toml_lines("a = [\n 1,\n 2]\n[[b]]\nc = 3"))
    [(('a',), 1), (('a', 0), 2), (('a', 1), 3), (('b', 0), 4), (('b', 0, 'c'), 5)]
    """
    counts: dict[Where, int] = {}
    around: Where = ()
    lines = iter(enumerate(text.splitlines(), start=1))
    for number, line in lines:
        if heading := _HEADING.match(line):
            around = _table_path(heading[2], heading[1] == "[[", counts)
            yield around, number
        elif entry := _ENTRY.match(line):
            where = (*around, *_parts(entry[1]))
            yield where, number
            if line[entry.end() :].startswith("["):
                yield from _item_lines(where, number, line[entry.end() :], lines)


def line_of(where: Where, lines: Mapping[Where, int]) -> int:
    """Return the line of an entry, or of the nearest one around it; 0 if there is none."""
    return next((lines[where[:size]] for size in range(len(where), 0, -1) if where[:size] in lines), 0)


def _parts(dotted: str) -> list[str]:
    return [next(filter(None, match.groups()), match[0].strip("\"'")) for match in _PART.finditer(dotted)]


def _table_path(dotted: str, repeated: bool, counts: dict[Where, int]) -> Where:
    """Return the path of a table's heading, through the last item of every list of tables."""
    path: Where = ()
    parts = _parts(dotted)
    for at, part in enumerate(parts):
        path = (*path, part)
        if repeated and at == len(parts) - 1:
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


def _item_lines(where: Where, number: int, rest: str, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[Where, int]]:
    """Yield the line of each item of the list that begins with this rest of a line."""
    depth, item, is_new = 0, 0, False
    while True:
        for token in _TOKEN.findall(rest):
            if token.startswith("#"):
                break
            if depth == 1 and is_new and token not in "],":
                yield (*where, item), number
                item, is_new = item + 1, False
            depth += (token in "[{") - (token in "]}")
            is_new = is_new or (depth == 1 and token in "[,")
            if depth == 0:
                return
        number, rest = next(lines, (0, "]"))


def write_toml(tables: Mapping[str, Any]) -> str:
    """Return tables as TOML; entries that are None are left out.

    >>> print(write_toml({"a": 1, "b": {"c d": [True, "x"]}, "e": [{"f": 2}]}), end="")
    a = 1
    <BLANKLINE>
    [b]
    "c d" = [true, "x"]
    <BLANKLINE>
    [[e]]
    f = 2
    """
    return "\n".join(_written(tables, "")).strip() + "\n"


def _written(tables: Mapping[str, Any], path: str) -> Iterator[str]:
    items = {key: value if isinstance(value, (list, tuple)) else [value] for key, value in tables.items()}
    nested = [key for key, row in items.items() if row and all(isinstance(each, dict) for each in row)]
    for key, value in tables.items():
        if key not in nested and value is not None:
            yield f"{_key(key)} = {_literal(value)}"
    for key in nested:
        inner = f"{path}.{_key(key)}" if path else _key(key)
        for each in items[key]:
            yield from ("", f"[{inner}]" if isinstance(tables[key], dict) else f"[[{inner}]]")
            yield from _written(each, inner)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _literal(key)


def _literal(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_key(key)} = {_literal(each)}' for key, each in value.items())} }}"
    if isinstance(value, (list, tuple)):
        parts = [_literal(each) for each in value]
        joined = f"[{', '.join(parts)}]"
        return joined if len(joined) <= WIDTH else "[\n" + "".join(f"    {part},\n" for part in parts) + "]"
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
