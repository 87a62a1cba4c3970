"""`readyroom chart`: the charts and their sources."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, CommandError, DataFolder, GameName, find_game
from readyroom.cli.paper import print_json, show, table
from readyroom.engine.rules.charts import Chart

NARROW = 5
"""Charts of more columns are drawn with a line for each cell, so that they fit on eighty columns."""


def chart(
    game: GameName,
    id: Annotated[str | None, typer.Argument(metavar="ID", help="The chart's name.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Print all charts.")] = False,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Show a chart with its source; without ID, list the charts."""
    playing = find_game(game, data, lambda each: each.chart(id) if id is not None else None)
    if id is not None and every:
        raise CommandError("Name a chart or use --all, not both.")
    charts = [playing.chart(id)] if id is not None else list(playing.presentation.charts(playing.data))
    if as_json:
        print_json({"charts": [chart_data(chart) for chart in charts]})
    elif id is None and not every:
        rows = [(chart.id, chart.title, chart.rule, chart.source) for chart in charts]
        show(table(["chart", "title", "rule", "source"], rows))
    else:
        show(*map(render_chart, charts))


def chart_data(chart: Chart) -> dict[str, Any]:
    """Return a chart for programs."""
    return {
        "id": chart.id,
        "title": chart.title,
        "rule": chart.rule,
        "source": chart.source,
        "origin": chart.origin,
        "dice": chart.dice,
        "rows": list(chart.rows),
        "columns": chart.columns,
        "cells": {f"{row},{column}": text for row, column, text in chart.cells()},
    }


def render_chart(chart: Chart) -> RenderableType:
    """Return a chart for people."""
    read = f", read with {chart.dice}" if chart.dice else ""
    return Group(
        Text(f"{chart.title} [{chart.rule}]{read}", "bold"),
        _wide(chart) if len(chart.columns) <= NARROW else _long(chart),
        Text(f"Source: {chart.source} ({chart.origin})."),
        Text(),
    )


def _wide(chart: Chart) -> RenderableType:
    return table([chart.dice, *chart.columns], [[row, *cells] for row, cells in chart.rows.items()])


def _long(chart: Chart) -> RenderableType:
    lines = [
        (row, "; ".join(f"{column} {cell}" for column, cell in zip(chart.columns, cells, strict=True)))
        for row, cells in chart.rows.items()
    ]
    grid = table([chart.dice, ""], lines)
    grid.show_header = bool(chart.dice)
    return grid
