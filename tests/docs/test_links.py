"""Links in Markdown files outside the documentation exist; Sphinx checks the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(\s*([^)\s]+)\s*\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def slugs(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> list[str]:
    """Return a page's broken links."""
    wrong = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, heading = link.partition("#")
        target = page.parent / path if path else page
        missing = heading and target.suffix == ".md" and heading not in (slugs(target) if target.is_file() else set())
        if not link.startswith(("http:", "https:")) and (missing or not target.is_file()):
            wrong.append(link)
    return wrong


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/index.md", "docs/credits.md"])
def test_links_are_valid(name: str) -> None:
    assert not broken_links(ROOT / name)


def test_readme_links_every_game_and_section() -> None:
    links = set(LINK.findall((ROOT / "README.md").read_text(encoding="utf-8")))
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*-rules.md")} <= links
    assert {
        "docs/browser.md",
        "docs/studies.md",
        "docs/benchmarks.md",
        "docs/add-a-game.md",
        "docs/credits.md",
    } <= links


def test_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One heading\n[a](#one-heading) [b](#two) [c](other.md) [d](page.md#one-heading)")
    assert broken_links(page) == ["#two", "other.md"]
