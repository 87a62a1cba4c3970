"""Figures from files: a game's folder of TOML, decoded into typed structs, with an owner's own folder laid over it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar, get_type_hints

import msgspec

from readyroom.engine.errors import InvalidData

D = TypeVar("D", bound=msgspec.Struct)
LONGEST = 200_000
"""The most bytes of a player's own file."""
LONGEST_LINE = 1_000
"""The most bytes of a line of it: Python reads a key of many thousand parts for seconds."""
_AT = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>[^`]*)`)?$", re.DOTALL)
_TYPES = re.compile(r"Expected `(?P<expected>[^`]*)`(?:, got `(?P<found>[^`]*)`)?")


def invalid_data(file: str, error: Exception) -> InvalidData:
    """A decoding error as the sentence for its reader: file, key, expected, found."""
    match = _AT.match(str(error))
    what, path = (match["what"], match["path"] or "") if match else (str(error), "")
    types = _TYPES.search(what)
    key = path.removeprefix("$").removeprefix(".").replace("[...]", "[any]")
    if types:
        return InvalidData(file, key, types["expected"], types["found"] or "something else")
    return InvalidData(file, key, "what the game's own file has there", what)


def parse(text: bytes, file: str) -> dict[str, Any]:
    """The tables of a TOML text; a text that is none raises `InvalidData`."""
    try:
        return tomllib.loads(text.decode())
    except ValueError as error:
        raise InvalidData(file, "", "a TOML text in UTF-8", str(error)) from error


def parse_own(text: bytes, file: str) -> dict[str, Any]:
    """The tables of a TOML text that a player wrote; `InvalidData` also where reading it would take too long."""
    if len(text) > LONGEST:
        raise InvalidData(file, "", f"at most {LONGEST:,} bytes", f"{len(text):,}")
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise InvalidData(file, f"line {number}", f"lines of at most {LONGEST_LINE:,} bytes", f"{len(line):,}")
    return parse(text, file)


T = TypeVar("T")
_preparing = RLock()
_prepared: set[Any] = set()


def ready(type_: type[T]) -> type[T]:
    """The type, once msgspec has prepared what it needs to decode it, and every struct in it.

    It would do so at the first use; but a second thread that comes upon a struct half prepared ends the whole process.
    So whatever may be decoded in a thread for the first time is asked for here: one thread at a time prepares.
    """
    if type_ not in _prepared:
        with _preparing:
            msgspec.msgpack.Decoder(type_)
            _prepared.add(type_)
    return type_


def convert(tables: dict[str, Any], type_: type[T], file: str) -> T:
    """The tables as a typed struct; what does not fit raises `InvalidData`."""
    try:
        return msgspec.convert(tables, ready(type_))
    except InvalidData as fault:  # a chart knows what is wrong with it, and not in which file it lies
        raise InvalidData(file, f"{fault.file}, {fault.key}", fault.expected, fault.found) from fault
    except (msgspec.ValidationError, ValueError) as error:
        raise invalid_data(file, error) from error


def load(type_: type[D], package: str, overlay: Path | None = None) -> D:
    """Read the folder `data` of a package: one file for each field of the struct, a folder for a field that is a dict.

    A file of the same name in `overlay` replaces, table by table, what the game's own file says. A file there that
    the game does not have is refused: its figures would silently not count.
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
    """Whether a field of the data is read from a folder."""
    return getattr(hint, "__origin__", None) is dict


def _inside(place: Traversable, item: type[T]) -> Iterator[tuple[str, T]]:
    """What the files of a folder tell, by their names without the ending."""
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
            raise InvalidData(str(file), "", f"one of {expected}", "something that this game does not read")
