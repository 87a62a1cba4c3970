"""Analysis in the terminal: `analyze` at a question, and `readyroom analyze` at any position of a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from math import ceil, floor
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import msgspec
import typer
from rich.bar import Bar
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from readyroom.bots.analysis import FEWEST, AnalysisRun, DecisionAnalysis, RatedAnswer, error_text, points
from readyroom.bots.search import Limit
from readyroom.cli.arguments import AsJson, CommandError, DataFolder, Plain, RecordFile, record_text
from readyroom.cli.paper import print_json
from readyroom.cli.play.saved_matches import HUMAN, key_beside, secret_beside
from readyroom.cli.records.replay import ReplayCursor
from readyroom.cli.screen import Screen
from readyroom.engine.game import Estimate
from readyroom.engine.match import Match, seats_of
from readyroom.engine.rules.checks import signed
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.text import join_list

SECONDS, MOST = 2.0, 600.0
"""The default and the longest time of an analysis."""
SHOWN, WIDE = 10, 8
"""The number of answers shown, and the width of each bar in characters."""
NOTHING_DONE = "This is advice only; no decision was made."

AtMoment = Annotated[int | None, typer.Option("--at", metavar="N", min=0, help="Go to decision N.")]
WhoseQuestion = Annotated[str | None, typer.Option("--seat", metavar="SEAT", help="The seat that decides.")]
Seconds = Annotated[float | None, typer.Option("--seconds", metavar="X", help="How long to analyze.")]
Rounds = Annotated[
    int | None,
    typer.Option("--trials", metavar="N", min=1, help="Rounds of rollouts instead of seconds; reproducible."),
]


def analyze(
    file: RecordFile,
    at: AtMoment = None,
    seat: WhoseQuestion = None,
    seconds: Seconds = None,
    trials: Rounds = None,
    data: DataFolder = None,
    plain: Plain = False,
    as_json: AsJson = False,
) -> None:
    """Analyze a decision of a record or saved match: win chances with errors, and why."""
    limit = thinking_time(seconds, trials)
    path, text, figures = record_text(file, data)
    cursor = ReplayCursor(text, figures, secret_beside(path), None)
    place = cursor.checked(cursor.last if at is None else at)
    match = cursor.stand(place)
    if match.header.origin == "daily" and not cursor.is_over:
        raise CommandError("This attempt at the challenge of the day counts, so it has no analysis until it is over.")
    run = AnalysisRun(match, _whose(match, path, seat, cursor))
    screen = Screen(plain)
    advice = run_with_progress(run, limit, screen.console)
    if as_json:
        print_json({"file": str(path), "at": place, **msgspec.to_builtins(advice)})
    else:
        screen.show(*render_analysis(advice, run.decision))


def thinking_time(seconds: float | None, trials: int | None) -> Limit:
    """Return the time limit; raise `CommandError` if it makes no sense, or both limits are given."""
    if trials is not None:
        if seconds is not None:
            raise CommandError("Give --seconds or --trials, not both.")
        return Limit(float("inf"), trials)
    wanted = SECONDS if seconds is None else seconds
    if not 0 < wanted <= MOST:
        raise CommandError(f"An analysis takes up to {MOST:.0f} seconds, not {wanted:g}.")
    return Limit(wanted)


def _whose(match: Match[Any, Any], path: Path, named: str | None, cursor: ReplayCursor) -> str:
    """Return the seat that decides: the one named, the one of a saved match's player, or any that is to decide."""
    if match.outcome is not None:
        raise CommandError(f"The match is over; choose an earlier decision with --at, from 0 to {cursor.last - 1}.")
    if named is not None:
        seats = seats_of(match, named)
        return next((seat for seat in seats if seat in match.pending), seats[0])
    key = key_beside(path)
    people = [seat for seat, player in (key.seats if key else {}).items() if player == HUMAN]
    deciding = [seat for seat in match.pending if cursor.is_over or seat in people]
    if not deciding:
        raise CommandError(f"Choose the seat that decides: --seat {join_list(list(match.pending), 'or')}.")
    return deciding[0]


# -- thinking and showing --------------------------------------------------------------------------------------------


def run_with_progress(run: AnalysisRun, limit: Limit, console: Console) -> DecisionAnalysis:
    """Return the analysis, showing progress; Ctrl+C stops it and returns what is known."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=20))
    total = limit.seconds if limit.seconds < MOST else None
    began = perf_counter()
    with (
        suppress(KeyboardInterrupt),
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task("Analyzing; Ctrl+C stops", total=total)
        for count in run.run(limit):
            text = f"Analyzing; Ctrl+C stops: {count} rollouts"
            progress.update(task, completed=perf_counter() - began, description=text)
    return run.result()


def render_analysis(advice: DecisionAnalysis, decision: Decision) -> Iterator[RenderableType]:
    """Yield the answers as a table, ranked as far as there are enough rollouts, and the reason."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for title, settings in _columns("wins" if advice.chances else "of 100").items():
        table.add_column(title, **settings)
    for rated in advice.rated[:SHOWN]:
        table.add_row(*_row(rated, advice.chances, decision.keys))
    yield Text(f"{advice.question} [{advice.rule}]", "bold")
    yield table
    if len(advice.rated) > SHOWN:
        yield Text(f"{len(advice.rated) - SHOWN} more", "italic")
    ranked = [rated.is_ranked for rated in advice.rated[:SHOWN]]
    if advice.rollouts and not all(ranked):
        yield Text(f"Answers with fewer than {FEWEST} rollouts have no rank and no figures.", "italic")
    if sum(ranked) > 1:
        yield Text("Half of the rollouts rank the answers; the figures are those of the other half.", "italic")
    yield Text(f"{advice.why} {NOTHING_DONE}")
    if advice.estimates:
        yield _estimates(advice.estimates)


def _estimates(estimates: Sequence[Estimate]) -> Table:
    """Return what is known of what the seat cannot see, with the ranges that hold in 95 % of positions."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="Out of sight", title_justify="left")
    for column, justify in (("estimate", "left"), ("about", "right"), ("95 % range", "right")):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for each in estimates:
        table.add_row(each.title, f"{each.mean:.0f}", f"{floor(each.low)}–{ceil(each.high)}")
    return table


def _columns(figure: str) -> dict[str, dict[str, Any]]:
    right: dict[str, Any] = {"justify": "right", "no_wrap": True}
    return {
        "answer": {"overflow": "fold"},
        "type": {"overflow": "fold", "max_width": 14},
        "": {"no_wrap": True, "min_width": WIDE},
        figure: right,
        "±": right,
        "vs bot": right,
        "rollouts": right,
    }


def _row(rated: RatedAnswer, chances: bool, keys: Sequence[str]) -> list[RenderableType]:
    """Return an answer's row; an answer with too few rollouts has no figures."""
    name = f" ({rated.policy})" if rated.policy else ""
    texts = [Text(f"{rated.text}{name}"), Text(typed(rated.keys, keys))]
    if not rated.is_ranked:
        return [*texts, Text(), Text("?"), Text(), Text(), Text(str(rated.rollouts))]
    value, error = points(rated.utility, chances), error_text(rated.error, chances)
    bar = Bar(1.0, 0.0, rated.utility, width=WIDE)
    return [*texts, bar, Text(value), Text(error), Text(_gain(rated)), Text(str(rated.rollouts))]


def _gain(rated: RatedAnswer) -> str:
    """Return the advantage over the baseline answer in percentage points; empty for the baseline itself."""
    if not rated.advantage and not rated.advantage_error:
        return ""
    return f"{signed(100 * rated.advantage)} ± {error_text(rated.advantage_error, False)}"


def typed(chosen: Sequence[str], keys: Sequence[str]) -> str:
    """Return what a player types to give an answer.

    >>> typed(["b", "c", "d"], ["a", "b", "c", "d"]), typed(["b", "b", "a"], ["a", "b"]), typed([], ["a"])
    ('2-4', '1,2x2', 'none')
    """
    counts = [(at, list(chosen).count(key)) for at, key in enumerate(keys, start=1) if key in chosen]
    lines = [f"{at}x{count}" for at, count in counts if count > 1]
    singles = [at for at, count in counts if count == 1]
    runs = [[at for _, at in run] for _, run in groupby(enumerate(singles), lambda one: one[1] - one[0])]
    spans = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs]
    return ",".join([*spans, *lines]) or "none"
