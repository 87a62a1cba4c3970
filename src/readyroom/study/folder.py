"""The folder of a study: its identity and its finished parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.files import save
from readyroom.study.matches import chunk
from readyroom.study.studyfile import Study

CHUNK = 25
"""Matches of a case that a worker plays before they are kept."""
FACTS, MATCHES, PAGE, PARTS = "study.json", "matches.parquet", "report.html", "parts"
MIXES = "mixes.json"


class OtherStudy(ReadyRoomError):
    """The folder holds another study, or something that is none."""


class HasIdentity(Protocol):
    """What a folder can be locked for."""

    def identity(self) -> dict[str, Any]:
        """Return everything that determines the matches as plain data."""
        ...


class Part(Protocol):
    """Matches that are played and kept together."""

    @property
    def part(self) -> str:
        """The name of the part's file."""
        ...

    @property
    def size(self) -> int:
        """The number of matches."""
        ...


class Task(NamedTuple):
    """Some matches of a case, in a form that can be sent to another process or another machine."""

    study: Study
    case: int
    first: int
    beyond: int

    @property
    def part(self) -> str:
        """The name of the part's file."""
        return f"{self.case:03}-{self.first:07}"

    @property
    def size(self) -> int:
        """The number of matches."""
        return self.beyond - self.first


def tasks(study: Study) -> Iterator[Task]:
    """Yield the work; all cases share the rest."""
    for numbers in chunk(study.matches, CHUNK):
        for case in range(len(study.cases)):
            yield Task(study, case, numbers.start, numbers.stop)


def lock_folder(study: HasIdentity, folder: Path) -> None:
    """Make the folder the study's own; `OtherStudy` where it is something else's."""
    facts = folder / FACTS
    if facts.is_file():
        if kept_identity(folder) != study.identity():
            raise OtherStudy(
                f"{folder} contains another study, or this one before its file, game or data changed. "
                "Choose another folder, or delete this one."
            )
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OtherStudy(f"{folder} contains other files; choose an empty or new folder.")
    write_facts(study, folder, None)


def kept_identity(folder: Path) -> dict[str, Any]:
    """Return the identity of the study in a folder; nothing if there is none that can be read."""
    try:
        return dict(msgspec.json.decode((folder / FACTS).read_bytes())["study"])
    except (OSError, msgspec.DecodeError, KeyError, TypeError, ValueError):
        return {}


def write_facts(study: HasIdentity, folder: Path, result: dict[str, Any] | None) -> None:
    """Write what a folder holds: what the matches follow from, and what they say once they are all there."""
    facts = {"study": study.identity(), "result": result}
    save(folder / FACTS, msgspec.json.format(msgspec.json.encode(facts), indent=1).decode() + "\n")


def finished(folder: Path, study: Study) -> int:
    """Return the number of finished matches in a study's folder."""
    if (folder / MATCHES).exists():
        return study.matches * len(study.cases)
    kept = {file.name for file in (folder / PARTS).glob("*")}
    return sum(task.size for task in tasks(study) if task.part in kept)
