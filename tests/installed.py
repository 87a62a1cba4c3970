"""A package that lies in a folder, found as an installed one is: by the entry points in its metadata."""

from __future__ import annotations

import tomllib
from pathlib import Path


def install(project: Path, at: Path) -> list[Path]:
    """Write the metadata that an installer makes of a project's own pyproject.toml; what has to be on Python's path.

    It is what `pip install --editable` does without asking anybody for a build backend.
    """
    text = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    folder = at / f"{text['name'].replace('-', '_')}-{text['version']}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Name: {text['name']}\nVersion: {text['version']}\n")
    lines = [f"{name} = {value}\n" for name, value in text["entry-points"]["readyroom.games"].items()]
    (folder / "entry_points.txt").write_text("".join(["[readyroom.games]\n", *lines]))
    return [project, at]
