"""`readyroom report`: the after-action report of a match."""

from __future__ import annotations

import typer

from readyroom.cli.arguments import DataFolder, RecordFile, SeatName, record_text, replayed
from readyroom.cli.shelf import figures_beside, secret_beside
from readyroom.engine.match import seats_of
from readyroom.engine.report import report as written


def report(file: RecordFile, seat: SeatName = None, data: DataFolder = None) -> None:
    """The story of a match in Markdown, told from its log."""
    path, text = record_text(file)
    match = replayed(text, data or figures_beside(path), secret_beside(path))
    typer.echo(written(match, seats_of(match, seat)[0] if seat is not None else None), nl=False)
