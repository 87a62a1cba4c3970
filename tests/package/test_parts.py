"""The browser files are copied where the server serves them, while it may be running."""

from __future__ import annotations

import runpy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.package.wheels import ROOT


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, Any]:
    """The script that lays them, in a tree in which npm has brought each with a few words in it."""
    (tmp_path / "browser").mkdir()
    script = str(shutil.copy(ROOT / "browser" / "copy.py", tmp_path / "browser"))
    known = runpy.run_path(script)
    for named in (*known["PARTS"].values(), *(f"@fontsource/{name}.woff2" for name in known["FONTS"].values())):
        _write(known["FROM"] / named, f"the first {named}")
    for name in known["FONTS_WITHOUT_HINTING"]:
        _write(known["UNHINTED"] / f"{name}.woff2", f"the first {name}")
    for package in known["LICENCES"].values():
        _write(known["FROM"] / package / "LICENSE", f"the terms of {package}")
    return known


def _write(file: Path, words: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(words)


def _seen(folder: Path) -> dict[str, int]:
    """Each file by the number that the disk has for it."""
    return {str(file.relative_to(folder)): file.stat().st_ino for file in folder.rglob("*") if file.is_file()}


def test_vendored_files_are_installed(parts: dict[str, Any]) -> None:
    lay: Callable[[], None] = parts["main"]
    lay()
    assert sorted(_seen(parts["TO"])) == sorted(parts["expected_files"]())
    assert (parts["TO"] / "licences" / "plex.txt").read_text() == "the terms of @fontsource/ibm-plex-sans"


def test_vendored_files_are_updated(parts: dict[str, Any]) -> None:
    lay, to = parts["main"], parts["TO"]
    lay()
    before = _seen(to)
    lay()
    assert _seen(to) == before
    _write(parts["FROM"] / parts["PARTS"]["idiomorph-ext.min.js"], "the second")
    _write(to / "fonts" / "of-old.woff2", "no longer served")
    lay()
    after = _seen(to)
    assert {name for name in before if after.get(name) != before[name]} == {"idiomorph-ext.min.js"}
    assert set(after) == set(before)
    assert (to / "idiomorph-ext.min.js").read_text() == "the second"
