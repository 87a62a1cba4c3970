"""Markdown tables that scripts write for pages: to the file of a page with `--write`, otherwise to the terminal."""

from __future__ import annotations

import argparse
from pathlib import Path


def row(*cells: str) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


def rule(texts: int, numbers: int) -> str:
    """Return the line below the titles of columns: first those of texts, then those of numbers."""
    return row(*["---"] * texts, *["---:"] * numbers)


def print_or_write(about: str | None, text: str, page: Path) -> int:
    """Run a script that has only the option `--write`; return its exit code."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        page.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0
