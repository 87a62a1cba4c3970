"""Make a package in a folder discoverable by the entry points in its metadata."""

from __future__ import annotations

import tomllib
from pathlib import Path


def install(project: Path, at: Path) -> list[Path]:
    """Write a project's metadata as an installer would; return the folders for Python's path.

    This is `pip install --editable` without a build backend.
    """
    text = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    folder = at / f"{text['name'].replace('-', '_')}-{text['version']}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Name: {text['name']}\nVersion: {text['version']}\n")
    lines = [f"{name} = {value}\n" for name, value in text["entry-points"]["readyroom.games"].items()]
    (folder / "entry_points.txt").write_text("".join(["[readyroom.games]\n", *lines]))
    return [project, at]
