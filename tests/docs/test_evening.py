"""Terminal transcripts in the pages match the terminal's output."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EVENING = ROOT / "docs" / "evening.txt"
SHOWN = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_transcript_matches_played_match() -> None:
    script = ROOT / "docs" / "evening.py"
    played = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, timeout=60).stdout
    assert played == EVENING.read_text(encoding="utf-8"), f"outdated; run {script}"


@pytest.mark.parametrize("page", ["README.md", "docs/play-midway.md"])
def test_readme_excerpts_are_from_transcript(page: str) -> None:
    evening = EVENING.read_text(encoding="utf-8")
    pictures = SHOWN.findall((ROOT / page).read_text(encoding="utf-8"))
    assert [picture for picture in pictures if picture not in evening] == []


def test_readme_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "points." in capsys.readouterr().out
