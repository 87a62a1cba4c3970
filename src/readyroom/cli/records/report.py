"""`readyroom report`: the after-action report of a match."""

from __future__ import annotations

from typing import Any

import msgspec
import typer

from readyroom.cli.arguments import AsJson, DataFolder, RecordFile, SeatName, record_text, replayed
from readyroom.cli.paper import print_json
from readyroom.cli.play.saved_matches import secret_beside
from readyroom.engine.match import Match, seats_of
from readyroom.engine.report import report as written


def report(file: RecordFile, seat: SeatName = None, data: DataFolder = None, as_json: AsJson = False) -> None:
    """Print the after-action report of a match in Markdown, from its log."""
    path, text, figures = record_text(file, data)
    match = replayed(text, figures, secret_beside(path))
    perspective = seats_of(match, seat)[0] if seat is not None else None
    if as_json:
        print_json({"file": str(path), **report_data(match, perspective)})
    else:
        typer.echo(written(match, perspective), nl=False)


def report_data(match: Match[Any, Any], seat: str | None) -> dict[str, Any]:
    """Return a report for programs: set-up, outcome, log lines as plain data, and the text."""
    lines = match.full_log if seat is None and match.outcome is not None else match.log(seat)
    return {
        "game": match.game.key,
        "scenario": match.scenario.title,
        "options": dict(match.options),
        "seat": seat,
        "decisions": match.decision_count,
        "outcome": msgspec.to_builtins(match.outcome),
        "fingerprint": match.fingerprint,
        "seed": match.seed,
        "secret": match.published_secret,
        "lines": [line.plain() for line in lines],
        "markdown": written(match, seat),
    }
