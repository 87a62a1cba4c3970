"""`readyroom study`: measure the effect of an option, plan or bot over many matches."""

from __future__ import annotations

import shlex
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, CommandError, DataFolder, Workers
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine.files import save
from readyroom.engine.game import load_game

if TYPE_CHECKING:
    from readyroom.study.measures import Difference, Figure, Measured, MeasureResult
    from readyroom.study.studies import Done
    from readyroom.study.studyfile import Study

STOPPED = 1
"""The exit code of a study that was stopped."""
PAIRED = (
    "p: adjusted for all comparisons (Holm). "
    "With own dice: how many times as many matches independent dice would need for this interval."
)

StudyName = Annotated[
    str | None, typer.Argument(metavar="FILE", help="A study's .toml file, or the name of a built-in study.")
]
Folder = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The study's folder (default: named after the file).")
]
Matches = Annotated[
    int | None, typer.Option("--games", metavar="N", min=2, help="Matches per case (overrides the file).")
]
Cluster = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="The Dask scheduler whose workers play the matches.")
]
OwnDice = Annotated[
    bool, typer.Option("--own-dice", help="Use independent dice for each case instead of the same dice.")
]


RecordOf = Annotated[
    str | None,
    typer.Option(
        "--record",
        metavar="CASE/MATCH",
        help="Write the record of only this match; both count from 0.",
    ),
]


FiguresOf = Annotated[
    str | None,
    typer.Option(
        "--figures",
        metavar="GAME",
        help="List the figures of a game that a study can change; FILE: part of an address.",
    ),
]


def study(
    file: StudyName = None,
    games: Matches = None,
    out: Folder = None,
    own_dice: OwnDice = False,
    workers: Workers = None,
    cluster: Cluster = None,
    data: DataFolder = None,
    record: RecordOf = None,
    figures: FiguresOf = None,
    as_json: AsJson = False,
) -> None:
    """Play the matches of a study, save them, and report the results; without FILE, list the built-in studies.

    Ctrl+C stops; the same command continues. With --figures, list what a study can change of a game's charts.
    """
    if figures is not None:
        _list_figures(figures, file, data, as_json=as_json)
        return
    if file is None:
        _list(as_json=as_json)
        return
    from readyroom.study.folder import PAGE, kept_identity
    from readyroom.study.studies import check_study
    from readyroom.study.study_page import page
    from readyroom.study.studyfile import unplayed_figures

    spec = check_study(file, matches=games, dice="own" if own_dice else None, data=data)
    folder = Path(Path(file).stem) if out is None else out
    if record is not None:
        kept = 0 if games is not None else int(kept_identity(folder).get("matches", 0))  # the folder may have more
        write_record(spec._replace(matches=max(spec.matches, kept)), Path(file).stem, record)
        return
    for note in unplayed_figures(spec):
        typer.echo(note, err=True)
    done = _played(spec, folder, workers, cluster)
    texts = ["readyroom", "study", file, "--games", str(spec.matches), *(["--own-dice"] if own_dice else [])]
    save(folder / PAGE, page(done.result, shlex.join(texts)))
    if as_json:
        print_json(done.result.to_dict())
        return
    show(*render_result(done.result), Text(f"Report: {folder / PAGE}. Matches: {folder / 'matches.parquet'}."))


def _played(spec: Study, folder: Path, workers: int | None, cluster: str | None) -> Done:
    """Run the study with a progress bar; print how to continue if it is interrupted."""
    from readyroom.study.folder import finished
    from readyroom.study.studies import play_in

    begun = perf_counter()
    try:
        with progress_bar() as moved:
            done = play_in(spec, folder, workers=workers, cluster=cluster, progress=moved)
    except KeyboardInterrupt:
        count = f"{finished(folder, spec):,} of {spec.matches * len(spec.cases):,}"
        typer.echo(f"Stopped. {count} matches are in {folder}; run the same command to continue.", err=True)
        raise typer.Exit(STOPPED) from None
    typer.echo(f"{len(done.matches):,} matches in {perf_counter() - begun:.1f} seconds.", err=True)
    return done


def write_record(spec: Study, name: str, text: str) -> None:
    """Play a match of the study again, and write its record."""
    from readyroom.study.studies import match_record

    case, _, number = text.partition("/")
    if not (case.isdecimal() and number.isdecimal()):
        raise CommandError(f"Give case and match as numbers, such as --record 1/17, not {text!r}.")
    path = Path(f"{name}-{case}-{number}.jsonl")
    save(path, match_record(spec, int(case), int(number)))
    typer.echo(f"Record: {path}. Show it with: readyroom replay {shlex.quote(str(path))}")


def _list(*, as_json: bool) -> None:
    from readyroom.study.studyfile import builtin_studies, read

    result = {name: read(name)[0] for name in builtin_studies()}
    if as_json:
        print_json([{"study": name, "game": each.game, "title": each.title} for name, each in result.items()])
        return
    show(table(["study", "game", "title"], [(name, each.game, each.title) for name, each in result.items()]))


def _list_figures(name: str, part: str | None, data: Path | None, *, as_json: bool) -> None:
    """List the figures of a game whose address or title has all these words, as lines of a study file."""
    from readyroom.study.notebooks import toml_line

    wanted = (part or "").casefold().split()
    places = load_game(name, data).figures.places
    named = ((one, f"{one.cell.address} {one.title}".casefold()) for one in places.values())
    found = [one for one, text in named if all(word in text for word in wanted)]
    if as_json:
        print_json(
            [
                {
                    "figure": one.cell.address,
                    "title": one.title,
                    "value": one.cell.value,
                    "allowed": one.cell.rule.allowed,
                    "rule": one.table.rule,
                    "source": one.origin,
                }
                for one in found
            ]
        )
        return
    if not found:
        raise CommandError(f"No figure of {name} has {part!r} in its address or title.")
    for one in found:
        typer.echo(f"{toml_line(one.cell.address, one.cell.value)}  # {one.cell.rule.allowed}")


# -- for people ------------------------------------------------------------------------------------------------------


def render_result(result: MeasureResult) -> list[RenderableType]:
    """Return the result of a study for the terminal."""
    count = f"{len(result.cases)} cases" if len(result.cases) > 1 else "one case"
    head = Text(f"{result.title}: {count}, {result.matches:,} matches of each", "bold")
    paired = result.dice == "shared" and len(result.cases) > 1
    parts = [part for measured in result.measures for part in _measured(result, measured)]
    alone = [] if len(result.cases) > 1 else [Text("To compare, add a second [[case]] to the study."), Text("")]
    return [head, *parts, *alone, *([Text(PAIRED), Text("")] if paired else [])]


def _measured(result: MeasureResult, measured: Measured) -> list[RenderableType]:
    """Return a measure in all cases, with the differences."""
    share = measured.measure.kind == "share"
    columns = ["", "share" if share else "mean", "95 % CI", "difference", "95 % CI", "p", "with own dice"]
    rows = [
        [case["name"], *_figure(figure, share=share), *_difference(difference, share=share)]
        for case, figure, difference in zip(result.cases, measured.figures, measured.differences, strict=True)
    ]
    if len(result.cases) == 1:  # nothing to compare with
        columns, rows = columns[:3], [row[:3] for row in rows]
    messages = [Text(each.sentence) for each in measured.differences if each is not None]
    return [Text(measured.measure.title, "bold"), table(columns, rows), *messages, Text("")]


def _figure(figure: Figure | None, *, share: bool) -> list[str]:
    from readyroom.study.study_page import figure as number

    if figure is None:
        return ["–", ""]
    return [number(figure.mean, share), f"{number(figure.low, share)} to {number(figure.high, share)}"]


def _difference(difference: Difference | None, *, share: bool) -> list[str]:
    from readyroom.study.study_page import change, needs, p_text

    if difference is None:
        return ["", "", "", ""]
    mean, low, high = (change(value, share) for value in (difference.mean, difference.low, difference.high))
    return [mean, f"{low} to {high}", p_text(difference.p), needs(difference)]
