"""Tables and JSON as all commands print them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import typer
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.cli.screen import console


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> Table:
    """Return a table no wider than the terminal."""
    built = Table(box=box.SIMPLE_HEAD, title=Text(title) if title else None, title_justify="left", pad_edge=False)
    for column in columns:
        built.add_column(Text(column), overflow="fold")
    for row in rows:
        built.add_row(*map(Text, row))
    return built


def show(*things: RenderableType) -> None:
    """Print renderables for people."""
    out = console()
    for thing in things:
        out.print(thing)


def print_json(facts: Any) -> None:
    """Print data for programs."""
    typer.echo(json.dumps(facts, ensure_ascii=False))
