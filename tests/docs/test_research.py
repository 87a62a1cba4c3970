"""The page on environments for research."""

from __future__ import annotations

import re
from pathlib import Path

import gymnasium
import pytest

from readyroom import env
from readyroom.env import observing
from readyroom.env.match_env import MAX_STEPS
from readyroom.env.numbering import SLOTS

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_page_examples_run() -> None:
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "research.md", "exec"), names)
    face = names["face"]
    assert isinstance(face, gymnasium.Env)
    assert len(BLOCKS) == 2


@pytest.mark.parametrize(
    "text",
    [
        f"a vector of {observing.VIEW + observing.ASKED:,} numbers",
        f"numbers between -{observing.REACH:.0f} and {observing.REACH:.0f}",
        f"The first {observing.VIEW:,} places are for the view",
        f"The last {observing.ASKED} places are for the decision",
        f"modulo {SLOTS}, plus one",
        f"truncated after {MAX_STEPS:,} actions",
    ],
)
def test_page_has_figures(text: str) -> None:
    assert text in PAGE


def test_page_names_every_environment() -> None:
    assert [name for name in env.__all__ if f"env.{name}(" not in PAGE] == []
