"""Builds the wheel, and installs it where there is nothing but what it asks for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def built(root: Path, into: Path, kind: str = "wheel") -> subprocess.CompletedProcess[str]:
    """What the builder says when it is to make a package of this kind (wheel or sdist) of this tree."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)


def asked_for(wheel: Path) -> Iterator[Distribution]:
    """What a wheel needs, and what that needs: all that pip would fetch with it."""
    known: dict[tuple[str, frozenset[str]], Distribution] = {}
    with zipfile.ZipFile(wheel) as archive:
        (place,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        texts = message_from_bytes(archive.read(place)).get_all("Requires-Dist", [])
    wanted = list(_wanted(texts, frozenset()))
    while wanted:
        name, extras = wanted.pop()
        key = re.sub(r"[-_.]+", "-", name).lower(), extras
        if key in known:
            continue
        try:
            known[key] = distribution(name)
        except PackageNotFoundError:
            continue  # for another system, or for a newer Python
        wanted += _wanted(known[key].requires or (), extras)
    yield from known.values()


def _wanted(texts: Iterable[str], extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """The names, with their extras, of the requirements that hold here."""
    for one in map(Requirement, texts):
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield one.name, frozenset(one.extras)


def installed(wheel: Path, into: Path) -> Path:
    """A folder of programs in which the wheel is installed, and of other packages only those that it asks for."""
    venv.create(into, with_pip=False, symlinks=True)
    programs = into / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--no-index", str(wheel)], check=True, timeout=120)
    place = into / "needed"
    place.mkdir()
    for needed in asked_for(wheel):
        _lend(needed, place)
    site = next((into / "lib").glob("python*/site-packages"))
    (site / "needed.pth").write_text(f"{place}\n")
    return programs


def _lend(needed: Distribution, place: Path) -> None:
    """Let a package that is installed here be found there as well."""
    for top in {file.parts[0] for file in needed.files or () if file.parts[0] not in ("..", "__pycache__")}:
        source, target = Path(str(needed.locate_file(top))), place / top
        if source.exists() and not target.exists():
            target.symlink_to(source)


def bare(programs: Path, home: Path) -> dict[str, str]:
    """Return an environment without npm, compiler and network."""
    nowhere = "http://127.0.0.1:9"
    return {
        "PATH": str(programs),
        "HOME": str(home),
        "READYROOM_HOME": str(home / "house"),
        "http_proxy": nowhere,
        "https_proxy": nowhere,
        "no_proxy": "127.0.0.1",
        "LANG": "C.UTF-8",
        "PYTHONNOUSERSITE": "1",
    }


def copied(into: Path) -> Path:
    """A copy of what the builder reads, without what npm brings."""
    shutil.copytree(ROOT / "browser", into / "browser", ignore=shutil.ignore_patterns("node_modules"))
    left = shutil.ignore_patterns("vendor", "games", "__pycache__")
    shutil.copytree(ROOT / "src", into / "src", ignore=left)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, into)
    return into


def run(programs: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What the command says there."""
    return subprocess.run(
        [str(programs / "readyroom"), *words],
        env=bare(programs, home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
