"""Curves and results of learning and of MCCFR on the page on research."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from docs.curve import Axis, draw

from docs import ppo

ROOT = Path(__file__).parents[2]


def test_page_shows_result_of_training() -> None:
    data = json.loads(ppo.DATA.read_text(encoding="utf-8"))
    assert ppo.DATA.with_suffix(".txt").read_text(encoding="utf-8") == "\n".join(ppo.lines(data)) + "\n"
    assert ppo.DATA.with_suffix(".svg").read_text(encoding="utf-8") == ppo.picture(data)


def test_learned_agent_is_better_than_random() -> None:
    results = json.loads(ppo.DATA.read_text(encoding="utf-8"))["results"]
    assert results["learned"]["low"] > results["random"]["high"]


@pytest.mark.parametrize("logarithmic", [False, True])
def test_curve_is_drawn_between_axes(logarithmic: bool) -> None:
    tree = ElementTree.fromstring(draw([(1, 0.5), (10, 0.1), (100, 0.01)], Axis("x", logarithmic), Axis("y"), "a < b"))
    space = "{http://www.w3.org/2000/svg}"
    assert tree.findtext(f"{space}title") == "a < b"
    line = tree.find(f"{space}polyline")
    assert line is not None
    places = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert [y for _, y in places] == sorted(y for _, y in places)
    assert all(0 <= x <= 640 and 0 <= y <= 300 for x, y in places)


@pytest.mark.torture(60)
def test_reference_agent_can_be_trained(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="PPO is tested where `pip install 'readyroom[ppo]'` was run")
    out = tmp_path / "ppo.json"
    script = ROOT / "examples" / "ppo" / "train.py"
    arguments = ["--minutes", "0.2", "--envs", "2", "--matches", "5", "--out", str(out)]
    subprocess.run([sys.executable, str(script), *arguments], check=True, timeout=300)
    data = json.loads(out.read_text(encoding="utf-8"))
    assert data["steps"] >= 512
    assert {"random", "learned", "doctrine"} <= data["results"].keys()
