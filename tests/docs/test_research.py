"""The pages on research and its environments."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from readyroom import env
from readyroom.env import observing
from readyroom.env.match_env import MAX_STEPS
from readyroom.env.numbering import SLOTS
from readyroom.env.trees import MOST_POSITIONS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("research.md", "environments.md"))
LOCK = (DOCS.parent / "requirements-dev.lock").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("ignore")
def test_page_examples_run() -> None:
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(compile(block.replace("num_envs=64", "num_envs=2, workers=0"), "research.md", "exec"), names)
    assert isinstance(names["face"], gymnasium.Env)
    assert names["rewards"].shape == (2,)
    assert names["text"].splitlines()[-1] == names["state"].observation_string(names["state"].current_player())
    assert names["tree"].information_sets == (21, 28)
    assert f"more than {MOST_POSITIONS:,} positions" in PAGE
    assert len(BLOCKS) == 6


def test_page_names_tested_versions() -> None:
    """Update the page when the lock file is updated and the tests pass."""
    locked = dict(re.findall(r"^([a-z0-9-]+)==([\d.]+)", LOCK, re.MULTILINE))
    for name, package in (("Gymnasium", "gymnasium"), ("PettingZoo", "pettingzoo"), ("OpenSpiel", "open-spiel")):
        assert f"| {name} | {locked[package]} |" in PAGE


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
