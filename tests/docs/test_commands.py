"""Every command that README and the pages tell people to type is typed here."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.installed import install

ROOT = Path(__file__).parents[2]
PAGES = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md")), *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = ("git", "pip", "cd")
"""What only fetches or installs."""
COUNTS = ("--games", "--matches", "--samples")
"""How many matches a study plays."""


def commands(page: Path) -> Iterator[str]:
    """The commands in a page's blocks of shell, without remarks; a backslash at the end of a line goes on."""
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split("  #")[0].strip()
            if command and not command.startswith("#"):
                yield command


def told() -> list[Path]:
    """The pages that tell people to type something."""
    return [page for page in PAGES if any(commands(page))]


@pytest.fixture
def desk(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has just installed Ready Room and the example games, and has the pages' files."""
    for file in (ROOT / "docs").glob("*.toml"):
        shutil.copy(file, tmp_path)
    site = tmp_path / "site"
    site.mkdir()
    examples = [*install(ROOT / "docs" / "example", site), *install(ROOT / "examples" / "tokyo-express", site)]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    packages = os.pathsep.join(dict.fromkeys(map(str, examples)))
    return {"HOME": str(tmp_path), "PATH": path, "PYTHONPATH": packages, "COLUMNS": "80", "LANG": "C.UTF-8"}


def words(command: str) -> list[str]:
    """The command as it is run here: make only says what it would do, and studies are short."""
    split = shlex.split(command)
    if split[0] == "make":
        return ["make", "-n", "-C", str(ROOT), *split[1:]]
    return ["2" if before in COUNTS else word for before, word in zip(["", *split], split, strict=False)]


@pytest.mark.parametrize("page", told(), ids=lambda page: page.name)
def test_every_command_of_a_page_does_what_it_says(page: Path, desk: dict[str, str], tmp_path: Path) -> None:
    for command in commands(page):
        verb = command.split()[0]
        if verb in LEFT_OUT:
            continue
        assert verb in ("readyroom", "make"), f"{page.name} tells people to type {command!r}"
        done = subprocess.run(
            words(command), env=desk, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, f"{page.name}: {command}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr


def test_there_are_commands_to_type() -> None:
    assert {"README.md", "play-midway.md", "add-a-game.md"} <= {page.name for page in told()}
