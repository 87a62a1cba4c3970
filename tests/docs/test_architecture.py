"""The pages on the architecture and the server match the code: packages, layers, games and named files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "readyroom"
PAGE, SERVER = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("architecture.md", "server.md"))
SVG = "{http://www.w3.org/2000/svg}"


def svg_texts(picture: str, css_class: str) -> list[str]:
    """Return the texts of one class in a drawing, from top to bottom."""
    tree = ElementTree.parse(ROOT / "docs" / picture)
    return [text.text or "" for text in tree.iter(f"{SVG}text") if text.get("class") == css_class]


def layers() -> list[str]:
    """Return the packages in the order that import-linter checks."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contract = next(contract for contract in config["contracts"] if "layers" in contract)
    return [name.strip().removeprefix("readyroom.") for layer in contract["layers"] for name in layer.split("|")]


def test_picture_shows_packages_in_checked_order() -> None:
    assert svg_texts("packages.svg", "package") == layers()
    assert set(layers()) == {path.parent.name for path in SOURCE.glob("*/__init__.py")}


def test_picture_shows_all_games() -> None:
    names = next(text for text in svg_texts("packages.svg", "about") if "midway" in text)
    assert set(names.split(" · ")) == {path.parent.name for path in (SOURCE / "games").glob("*/__init__.py")}


@pytest.mark.parametrize("picture", ["packages.svg", "decision.svg"])
def test_pictures_are_shown_and_self_contained(picture: str) -> None:
    assert f"]({picture})" in PAGE
    drawing = (ROOT / "docs" / picture).read_text(encoding="utf-8")
    assert not re.search(r"<script|href=|url\((?!#)", drawing)


def test_table_lists_every_package() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE.partition("### Terms")[0], re.MULTILINE)) == set(layers())


def test_named_files_exist() -> None:
    paths = {path for path in re.findall(r"`([\w/]+\.py)`", PAGE + SERVER) if "/" in path}
    assert paths
    assert not [path for path in paths if not (SOURCE / path).is_file() and not (ROOT / path).is_file()]
