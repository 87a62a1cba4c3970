"""The page on how the house is built describes the code as it is: its rooms, their order, and every file it names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "readyroom"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str, kind: str) -> list[str]:
    """The words of one kind in a drawing, from top to bottom."""
    tree = ElementTree.parse(ROOT / "docs" / picture)
    return [text.text or "" for text in tree.iter(f"{SVG}text") if text.get("class") == kind]


def contracts() -> list[dict[str, list[str]]]:
    """What `make lint` checks of who may know whom."""
    told: list[dict[str, list[str]]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
    return told


def named(pattern: str) -> set[str]:
    """The Python files that the rows of the page's tables name, a room before a slash holding for those after it."""
    found = set[str]()
    for first in re.findall(r"^\| (`[^|]*) \|", PAGE, re.MULTILINE):
        room = ""
        for path in re.findall(r"`([\w/]+\.py)`", first):
            folder, _, name = path.rpartition("/")
            room = folder or room
            found.add(f"{room}/{name}" if room else name)
    return {path for path in found if re.search(pattern, path)}


def test_the_picture_shows_the_rooms_in_the_order_that_is_checked() -> None:
    layers = next(contract["layers"] for contract in contracts() if "layers" in contract)
    rooms = [room.strip().removeprefix("readyroom.") for layer in layers for room in layer.split("|")]
    assert texts("rooms.svg", "room") == rooms
    assert set(rooms) == {path.parent.name for path in SOURCE.glob("*/__init__.py")}


def test_the_picture_shows_the_games_of_the_house() -> None:
    told = next(says for says in texts("rooms.svg", "says") if "midway" in says)
    assert set(told.split(" · ")) == {path.parent.name for path in (SOURCE / "games").glob("*/__init__.py")}


@pytest.mark.parametrize("picture", ["rooms.svg", "decision.svg"])
def test_a_picture_is_on_the_page_and_brings_nothing_from_elsewhere(picture: str) -> None:
    assert f"]({picture})" in PAGE
    drawing = (ROOT / "docs" / picture).read_text(encoding="utf-8")
    assert not re.search(r"<script|href=|url\((?!#)", drawing)


def test_every_file_that_the_page_names_is_there() -> None:
    paths = named(r"\.py$")
    assert len(paths) > 60
    names = {path.name for path in SOURCE.rglob("*.py")}
    missing = {path for path in paths if not ((SOURCE / path).is_file() if "/" in path else path in names)}
    assert not missing


def test_no_file_of_the_engine_is_left_out() -> None:
    files = {path.name for path in (SOURCE / "engine").glob("*.py")} - {"__init__.py"}
    assert files <= named(r"^\w+\.py$")
