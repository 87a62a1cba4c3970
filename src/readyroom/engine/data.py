"""Game data: a package's TOML files decoded into typed structs, optionally overridden by a user's folder."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from reprlib import repr as short_repr
from threading import RLock
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import inspect

from readyroom.engine.errors import InvalidData

D = TypeVar("D", bound=msgspec.Struct)
LONGEST = 200_000
"""The maximum size of a player's file in bytes."""
LONGEST_LINE = 1_000
"""The maximum length of a line in bytes."""
MOST_PARTS = 8
"""The maximum number of parts of a key: Python parses files of long keys under long headings for seconds."""
_PART = rb"""(?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_LONG_KEY = re.compile(rb"[ \t]*\[{0,2}(?:[ \t]*%b[ \t]*\.){%d}" % (_PART, MOST_PARTS))
_AT = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_LIMIT = re.compile(
    r"Expected `(?P<type>\w+)`(?: of length)? (?P<sign>>=|<=|matching regex) '?(?P<limit>.*?)'?$", re.DOTALL
)
_LINE = re.compile(r"\(at line (\d+), ")
_NAME = re.compile(
    r"unknown field `(?P<field>[^`]*)`|required field `(?P<missing>[^`]*)`|enum value '?(?P<word>[^']*?)'?$"
)
_BARE = re.compile(r"[\w-]+")
UNNAMED = "[...]"
"""What stands in msgspec's paths for the key of a dict."""
_TYPES = re.compile(r"Expected `(?P<expected>[^`]*)`(?:, got `(?P<found>[^`]*)`)?")

_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
"""What people call the types that msgspec names."""


def invalid_data(
    file: str, error: Exception, type_: Any = None, tables: Mapping[str, Any] | None = None
) -> InvalidData:
    """Return a decoding error as an `InvalidData` with file, key, expected and found.

    With the type and the tables that do not fit, it also names the known keys or words, and the value.
    """
    text = str(error)
    if len(text) > LONGEST_LINE:  # it quotes the file, and the patterns would take seconds
        text = f"{text[: LONGEST_LINE // 2]} … {text[-LONGEST_LINE // 2 :]}"
    match = _AT.match(text)
    what, path = (match["what"], match["path"] or "") if match else (text, "")
    limit, types = _LIMIT.search(what), _TYPES.search(what)
    where = _named_keys(path, error, type_, tables)
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{_key_text(part)}" for part in where).removeprefix(".")
    if limit:
        expected, actual = _describe_limit(limit)
        value = _value_at(tables, where)
        return InvalidData(file, key, expected, repr(value) if isinstance(value, int | float) else actual)
    if types:
        expected, actual = (
            re.sub(r"\w+", lambda word: _WORDS.get(word[0], word[0]), text or "something else").replace(" | ", " or ")
            for text in (types["expected"], types["found"])
        )
        value = _value_at(tables, where)
        return InvalidData(file, key, expected, short_repr(value) if isinstance(value, int | float | str) else actual)
    name = _NAME.search(what)
    if type_ is None or name is None:
        return InvalidData(file, key, "", what)
    if name["missing"]:
        return InvalidData(file, key, f"the key `{name['missing']}`", "an entry without it")
    known = _known_names(type_, where)
    near = get_close_matches(name["field"] or name["word"], known, n=1)
    actual = f"the unknown field `{name['field']}`" if name["field"] else repr(name["word"])
    guess = f"; did you mean {near[0]!r}?" if near else ""
    return InvalidData(file, key, f"one of {', '.join(known)}", f"{actual}{guess}")


def _named_keys(path: str, error: Exception, type_: Any, tables: Mapping[str, Any] | None) -> list[str | int]:
    """Return the keys of a path of msgspec, which does not name the keys of dicts: those whose entry does not fit."""
    parts = re.findall(r"\[\.\.\.\]|[^.\[\]]+", path.removeprefix("$"))
    where = [int(part) if part.isdecimal() else part for part in parts]
    for at, part in enumerate(where):
        if part == UNNAMED:
            where[at] = _first_misfit(error, type_, tables, where[:at])
    return where


def _first_misfit(error: Exception, type_: Any, tables: Any, where: Sequence[str | int]) -> str:
    """Return the key of the first entry that does not fit, in the table at this place; "any" if none is found."""
    entries = _value_at(tables, where)
    keys = list(entries) if isinstance(entries, dict) else []
    counts = range(1, len(keys) + 1)
    at = bisect_left(counts, True, key=lambda count: _fails(error, type_, tables, where, keys[:count]))
    return keys[at] if at < len(keys) else "any"


def _fails(error: Exception, type_: Any, tables: Any, where: Sequence[str | int], keys: Iterable[str]) -> bool:
    """Return whether tables with only these entries of the table there have the same error."""
    only = deepcopy(tables)
    table = _value_at(only, where)
    kept = {key: table[key] for key in keys}
    table.clear()
    table.update(kept)
    try:
        msgspec.convert(only, type_)
    except (msgspec.ValidationError, ValueError) as other:
        return str(other) == str(error)
    return False


def _key_text(key: str) -> str:
    """Return a key as a TOML file has it."""
    return key if _BARE.fullmatch(key) else f'"{key}"'


def _known_names(type_: Any, where: Iterable[str | int]) -> list[str]:
    """Return the keys of the table, or the words of the field, at a place in data of this type."""
    names, kinds = list[str](), [*_choices(inspect.type_info(type_))]
    for part in where:
        kinds = [choice for kind in kinds for inner in _inside_type(kind, part) for choice in _choices(inner)]
    for kind in kinds:
        if isinstance(kind, inspect.StructType):
            names += [field.encode_name for field in kind.fields]
        elif isinstance(kind, inspect.LiteralType):
            names += [str(value) for value in kind.values]
    return names


def _choices(kind: inspect.Type) -> Iterator[inspect.Type]:
    """Yield the types of a union, or the type itself, without their wrapping."""
    if isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _choices(each)
    else:
        yield kind.type if isinstance(kind, inspect.Metadata) else kind


def _inside_type(kind: inspect.Type, part: str | int) -> Iterator[inspect.Type]:
    """Yield the type of an entry of a struct, a dict or a list."""
    if isinstance(kind, inspect.StructType):
        yield from (field.type for at, field in enumerate(kind.fields) if part in (field.encode_name, at))
    elif isinstance(kind, inspect.DictType):
        yield kind.value_type
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType):
        yield kind.item_type


def _value_at(tables: Any, where: Iterable[str | int]) -> Any:
    """Return the value at a place of tables; None if there is none."""
    for part in where:
        try:
            tables = tables[part]
        except (LookupError, TypeError):
            return None
    return tables


def _describe_limit(match: re.Match[str]) -> tuple[str, str]:
    """Return what a limit of msgspec expects, and what was found."""
    if match["sign"] == "matching regex":
        return f"a text of the form {match['limit']}", "another"
    is_least = match["sign"].startswith(">")
    unit = {"str": " characters", "array": " entries", "object": " entries"}.get(match["type"], "")
    return f"{'at least' if is_least else 'at most'} {match['limit']}{unit}", "less" if is_least else "more"


def parse(text: bytes, file: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raise `InvalidData` if it is invalid."""
    try:
        return tomllib.loads(text.decode())
    except UnicodeDecodeError as error:
        raise InvalidData(file, "", "a TOML text in UTF-8", str(error)) from error
    except ValueError as error:
        at = _LINE.search(str(error))
        raise InvalidData(file, f"line {at[1]}" if at else "", "valid TOML", str(error)) from error


def parse_own(text: bytes, file: str) -> dict[str, Any]:
    """Return the tables of a player's TOML text; raise `InvalidData` if it is invalid or too large."""
    check_own(text, file)
    return parse(text, file)


def check_own(text: bytes, file: str) -> None:
    """Raise `InvalidData` if a player's TOML text is too large or has lines that take long to parse."""
    if len(text) > LONGEST:
        raise InvalidData(file, "", f"at most {LONGEST:,} bytes", f"{len(text):,}")
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise InvalidData(file, f"line {number}", f"lines of at most {LONGEST_LINE:,} bytes", f"{len(line):,}")
        if _LONG_KEY.match(line):
            raise InvalidData(file, f"line {number}", f"keys of at most {MOST_PARTS} parts", "more")


T = TypeVar("T")
_preparing = RLock()
_prepared: set[Any] = set()


def ready(type_: type[T]) -> type[T]:
    """Return the type after msgspec has prepared its decoder and those of the structs in it.

    msgspec would prepare them at the first use, but a second thread that meets a half-prepared struct crashes the
    process. So anything that may first be decoded in a thread is prepared here under a lock.
    """
    if type_ not in _prepared:
        with _preparing:
            msgspec.msgpack.Decoder(type_)
            _prepared.add(type_)
    return type_


def convert(tables: dict[str, Any], type_: type[T], file: str) -> T:
    """Return the tables as a typed struct; raise `InvalidData` if they do not fit."""
    try:
        return msgspec.convert(tables, ready(type_))
    except InvalidData as error:  # a chart knows its error but not its file
        raise InvalidData(file, f"{error.file}, {error.key}", error.expected, error.actual) from error
    except (msgspec.ValidationError, ValueError) as error:
        raise invalid_data(file, error, type_, tables) from error


def load(type_: type[D], package: str, overlay: Path | None = None) -> D:
    """Load the folder `data` of a package: a file for each field of the struct, a folder for each field that is a dict.

    A file in `overlay` replaces the tables of the game's file of the same name. An unknown file there is an error,
    because it would silently be ignored.
    """
    folder = files(package).joinpath("data")
    hints = get_type_hints(type_)
    parts = {name: _part(folder, overlay, name, hint) for name, hint in hints.items()}
    if overlay is not None:
        folders = {name for name, hint in hints.items() if _is_folder(hint)}
        _reject_unknown_files(overlay, folders, {f"{name}.toml" for name in parts if name not in folders})
    return type_(**parts)


def _part(folder: Traversable, overlay: Path | None, name: str, hint: Any) -> Any:
    if _is_folder(hint):
        places = [folder.joinpath(name), *([overlay / name] if overlay else [])]
        return {stem: part for place in places if place.is_dir() for stem, part in _inside(place, hint.__args__[1])}
    file_name = f"{name}.toml"
    tables = parse(folder.joinpath(file_name).read_bytes(), file_name)
    own = overlay / file_name if overlay else None
    if own is not None and own.is_file():
        tables.update(parse(own.read_bytes(), str(own)))
        return convert(tables, hint, str(own))
    return convert(tables, hint, file_name)


def _is_folder(hint: Any) -> bool:
    """Return whether a data field is loaded from a folder."""
    return getattr(hint, "__origin__", None) is dict


def _inside(place: Traversable, item: type[T]) -> Iterator[tuple[str, T]]:
    """Yield the content of a folder's files by file name without suffix."""
    for file in sorted(place.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            label = f"{place.name}/{file.name}"
            yield file.name.removesuffix(".toml"), convert(parse(file.read_bytes(), label), item, label)


def _reject_unknown_files(overlay: Path, folders: set[str], names: set[str]) -> None:
    if not overlay.is_dir():
        raise InvalidData(str(overlay), "", "a folder of data files", "no such folder")
    for file in sorted(overlay.iterdir()):
        if file.is_dir() and file.name in folders:
            for own in sorted(file.iterdir()):
                if own.suffix != ".toml" or not own.is_file():
                    raise InvalidData(str(own), "", "a file whose name ends in .toml", repr(own.name))
        elif not (file.is_file() and file.name in names):
            expected = ", ".join([*sorted(names), *(f"a folder {folder}" for folder in sorted(folders))])
            raise InvalidData(str(file), "", f"one of {expected}", "an unknown file")
