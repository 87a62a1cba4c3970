"""The page of values has the figures of the games' files."""

from __future__ import annotations

from pathlib import Path

from docs import values

DOCS = Path(__file__).parents[2] / "docs"


def test_page_has_the_figures_of_the_files() -> None:
    assert values.PAGE.read_text(encoding="utf-8") == values.text(), "run `python -m docs.values --write`"
    assert "```{include} values.txt\n```" in (DOCS / "values.md").read_text(encoding="utf-8")
    assert "Hidden from Japan" in values.text()
