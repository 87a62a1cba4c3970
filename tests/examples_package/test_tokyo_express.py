"""A whole game in a package of its own, as a stranger would have it: found by its metadata, tried, and at home.

Each test is a process of its own, since what games there are is looked up once in a process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.installed import install

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT / "examples" / "tokyo-express"


def tried(tmp_path: Path, *words: str) -> None:
    """Run pytest where the game is installed and nothing of the user's is."""
    path = [ROOT / "src", ROOT, *install(PROJECT, tmp_path)]
    own = {"PYTHONPATH": os.pathsep.join(map(str, path)), "READYROOM_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | own, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout[-6000:]}{done.stderr[-2000:]}"


@pytest.mark.torture(6)
def test_example_package_passes_its_tests(tmp_path: Path) -> None:
    tried(tmp_path, "-c", str(PROJECT / "pyproject.toml"), "--rootdir", str(PROJECT), str(PROJECT / "tests"))


@pytest.mark.torture(13)
def test_installed_example_works_everywhere(tmp_path: Path) -> None:
    tried(tmp_path, str(Path(__file__).with_name("at_home.py")))
