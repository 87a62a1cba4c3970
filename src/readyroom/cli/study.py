"""`readyroom study`: ask a game a question, and get an answer that holds."""

from __future__ import annotations

import shlex
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, DataFolder, Workers
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar

if TYPE_CHECKING:
    from readyroom.study.measures import Difference, Figure, Measured, MeasureResult
    from readyroom.study.studies import Done
    from readyroom.study.studyfile import Study

STOPPED = 1
"""The exit code where a study was stopped before its end."""
GAIN = "Gain: the factor by which matches would have to increase for this interval without common dice."

StudyName = Annotated[
    str | None, typer.Argument(metavar="FILE", help="A study's .toml file, or the name of a built-in study.")
]
Folder = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="The study's folder; otherwise one of the file's name, here."),
]
Matches = Annotated[
    int | None,
    typer.Option("--games", metavar="N", min=2, help="How many matches of each case, whatever the file says."),
]
Cluster = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers play instead.")
]
OwnDice = Annotated[
    bool, typer.Option("--own-dice", help="Give each case dice of its own, instead of the same dice to all.")
]


def study(
    file: StudyName = None,
    games: Matches = None,
    out: Folder = None,
    own_dice: OwnDice = False,
    workers: Workers = None,
    cluster: Cluster = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Play the matches of a study, keep them, and report the results; without FILE, list the built-in studies.

    Ctrl-C stops it, and the same command continues.
    """
    if file is None:
        _list(as_json=as_json)
        return
    from readyroom.study.studies import check_study

    asked = check_study(file, matches=games, dice="own" if own_dice else None, data=data)
    folder = Path(Path(file).stem) if out is None else out
    done = _played(asked, folder, workers, cluster)
    page = _write_page(done.result, folder, _command(file, asked, own_dice=own_dice))
    if as_json:
        print_json(done.result.to_dict())
        return
    show(*drawn(done.result), Text(f"{page} has all of it, {folder / 'matches.parquet'} every match."))


def _played(asked: Study, folder: Path, workers: int | None, cluster: str | None) -> Done:
    """Run the study with a progress bar; an interrupt says how to continue."""
    from readyroom.study.folder import finished
    from readyroom.study.studies import play_in

    begun = perf_counter()
    try:
        with progress_bar() as moved:
            done = play_in(asked, folder, workers=workers, cluster=cluster, progress=moved)
    except KeyboardInterrupt:
        kept, wanted = finished(folder, asked), asked.matches * len(asked.cases)
        typer.echo(f"Stopped: {folder} keeps {kept:,} of {wanted:,} matches, and the same command continues.", err=True)
        raise typer.Exit(STOPPED) from None
    typer.echo(f"{len(done.matches):,} matches in {perf_counter() - begun:.1f} seconds.", err=True)
    return done


def _command(file: str, asked: Study, *, own_dice: bool) -> str:
    """What makes the same figures again."""
    texts = ["readyroom", "study", file, "--games", str(asked.matches), *(["--own-dice"] if own_dice else [])]
    return shlex.join(texts)


def _write_page(result: MeasureResult, folder: Path, command: str) -> Path:
    from readyroom.engine.files import save
    from readyroom.study.folder import PAGE
    from readyroom.study.study_page import page

    save(folder / PAGE, page(result, command))
    return folder / PAGE


def _list(*, as_json: bool) -> None:
    """List the built-in studies."""
    from readyroom.study.studyfile import builtin_studies, read

    result = {name: read(name)[0] for name in builtin_studies()}
    if as_json:
        print_json([{"study": name, "game": each.game, "title": each.title} for name, each in result.items()])
        return
    show(table(["study", "game", "asks"], [(name, each.game, each.title) for name, each in result.items()]))


# -- for people ------------------------------------------------------------------------------------------------------


def drawn(result: MeasureResult) -> list[RenderableType]:
    """What a study found, as a terminal shows it."""
    count = f"{len(result.cases)} cases" if len(result.cases) > 1 else "one case"
    head = Text(f"{result.title}: {count}, {result.matches:,} matches of each", "bold")
    paired = result.dice == "shared" and len(result.cases) > 1
    parts = [part for measured in result.measures for part in _measured(result, measured)]
    return [head, *parts, *([Text(GAIN), Text("")] if paired else [])]


def _measured(result: MeasureResult, measured: Measured) -> list[RenderableType]:
    """A measure in all cases, and what the cases differ by."""
    share = measured.measure.kind == "share"
    columns = ["", "share, %" if share else "mean", "95 %", "against it", "95 %", "gain"]
    rows = [
        [case["name"], *_figure(figure, share=share), *_difference(difference, share=share)]
        for case, figure, difference in zip(result.cases, measured.figures, measured.differences, strict=True)
    ]
    messages = [Text(each.sentence) for each in measured.differences if each is not None]
    return [Text(measured.measure.title, "bold"), table(columns, rows), *messages, Text("")]


def _figure(figure: Figure | None, *, share: bool) -> list[str]:
    if figure is None:
        return ["–", ""]
    return [_text(figure.mean, share=share), f"{_text(figure.low, share=share)} to {_text(figure.high, share=share)}"]


def _difference(difference: Difference | None, *, share: bool) -> list[str]:
    if difference is None:
        return ["", "", ""]
    gain = "" if difference.gain is None else f"{difference.gain:.1f}"
    low, high = (_text(end, share=share, signed=True) for end in (difference.low, difference.high))
    return [_text(difference.mean, share=share, signed=True), f"{low} to {high}", gain]


def _text(figure: float, *, share: bool, signed: bool = False) -> str:
    """A share in per cent, or a figure with two digits."""
    sign = "+" if signed else ""
    text = format(100 * figure, f"{sign}.1f") if share else format(figure, f"{sign}.2f")
    return text.replace("-", "−")
