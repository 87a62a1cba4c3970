"""`readyroom planning`: play every plan of one side against every plan of the other, and find the best mixes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.cli.arguments import (
    AsJson,
    CommandError,
    DataFolder,
    GameName,
    Options,
    ScenarioName,
    StudySeed,
    Workers,
    parse_pairs,
)
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import count_noun

if TYPE_CHECKING:
    from readyroom.study.planning.payoffs import Estimate, PayoffResult, Side

SEED = "planning"
GAMES = 100
SUFFIXES = (".html", ".csv", ".json")

GamesEach = Annotated[int, typer.Option("--games", metavar="N", min=2, help="Matches per pair.")]
Files = Annotated[
    list[Path] | None,
    typer.Option("--out", metavar="FILE", help="Write a page (.html) or data (.csv, .json); repeatable."),
]
Plans = Annotated[
    list[str] | None, typer.Option("--plans", metavar="SIDE=KEY,KEY", help="Only these plans of a side; repeatable.")
]
Draw = Annotated[
    float, typer.Option("--draw", metavar="X", min=-1, max=1, help="The value of a draw to the first side.")
]


def planning(
    game: GameName,
    games: GamesEach = GAMES,
    out: Files = None,
    plans: Plans = None,
    draw: Draw = 0.0,
    scenario: ScenarioName = None,
    option: Options = None,
    workers: Workers = None,
    seed: StudySeed = SEED,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Solve the planning game: play all pairs of plans and report payoffs and the best mixes; Ctrl+C stops early."""
    from readyroom.study.planning.planning import planning_game

    files, options = [_output_file(path) for path in out or ()], parse_pairs(option, "--option", "waves_max=2")
    pairs = parse_pairs(plans, "--plans", "usa=spread-thin,last-days")
    wanted = {side: keys.split(",") for side, keys in pairs.items()}
    with progress_bar() as moved:
        result = planning_game(
            game,
            plans=wanted,
            scenario=scenario,
            options=options,
            games=games,
            draw=draw,
            seed=seed,
            workers=workers,
            data=data,
            progress=moved,
        )
    if result.games < games:
        typer.echo(f"Stopped early: {result.games} of {games} matches of each pair were finished.", err=True)
    _write(result, files, _command(result, wanted, options, scenario))
    if as_json:
        print_json(result.to_dict())
    else:
        show(*render_result(result))


def _output_file(path: Path) -> Path:
    """Return the path; raise `CommandError` if its ending is none of `SUFFIXES`."""
    if path.suffix.lower() not in SUFFIXES:
        raise CommandError(f"--out takes a file that ends in {', '.join(SUFFIXES)}, not {str(path)!r}.")
    return path


def _command(
    result: PayoffResult, wanted: Mapping[str, Sequence[str]], options: Mapping[str, str], scenario: str | None
) -> str:
    texts = ["readyroom", "planning", result.game, "--games", str(result.games), "--seed", result.seed]
    texts += [word for side, keys in wanted.items() for word in ("--plans", f"{side}={','.join(keys)}")]
    texts += [word for key, choice in options.items() for word in ("--option", f"{key}={choice}")]
    texts += ["--scenario", scenario] if scenario is not None else []
    texts += ["--draw", f"{result.draw:g}"] if result.draw else []
    return shlex.join([*texts, "--out", "planning.html"])


def _write(result: PayoffResult, files: Sequence[Path], command: str) -> None:
    from readyroom.study.planning.planning_page import page

    writers: dict[str, Callable[[], str]] = {
        ".html": lambda: page(result, command),
        ".csv": result.to_csv,
        ".json": lambda: json.dumps(result.to_dict(), ensure_ascii=False, indent=1) + "\n",
    }
    for path in files:
        path.write_text(writers[path.suffix.lower()](), encoding="utf-8")


# -- for people ------------------------------------------------------------------------------------------------------


def render_result(result: PayoffResult) -> list[RenderableType]:
    """Return the solution for the terminal."""
    first, second = result.rows, result.columns
    sides = f"{first.name} with {len(first.lines)} plans against {second.name} with {len(second.lines)}"
    value = result.value
    return [
        Text(f"The planning game of {result.title}: {sides}, {result.games} matches a pair", "bold"),
        _payoffs(result),
        _mix(first, f"{first.name}: the best mix"),
        _mix(second, f"{second.name}: the best mix"),
        Text(
            f"Value of the game to {first.name}: {signed(value.mean, 2)} ± {value.error:.2f} (5th–95th percentile of "
            f"{result.resamples} bootstrap resamples: {signed(value.low, 2)} to {signed(value.high, 2)}). "
            f"A win counts 1, a loss −1, a draw {result.draw:g}. {count_noun(round(result.seconds), 'second')}. "
            f"Seed: {result.seed}"
        ),
    ]


def _payoffs(result: PayoffResult) -> Table:
    """Return the payoffs; columns are numbered to fit."""
    first, second = result.rows, result.columns
    numbered = [str(number) for number in range(1, 1 + len(second.lines))]
    rows = [
        [row.title, *(_figure(result.cell(row.key, column.key).payoff, "\n") for column in second.lines)]
        for row in first.lines
    ]
    grid = table(["", *numbered], rows, f"Payoff to {first.name} ± its standard error")
    grid.columns[0].min_width = max(len(row.title) for row in first.lines)
    titles = (f"{number} {line.title}" for number, line in zip(numbered, second.lines, strict=True))
    grid.caption, grid.caption_justify = Text("; ".join(titles)), "left"
    return grid


def _mix(side: Side, title: str) -> Table:
    rows = []
    for line in side.lines:
        share = f"{100 * line.share.mean:.0f} % ± {100 * line.share.error:.0f}"
        rows.append([line.title, share, f"{100 * line.chosen:.0f} %", _figure(line.gain)])
    return table(["plan", "share", "in the mix", "against the other mix"], rows, title)


def _figure(estimate: Estimate, between: str = " ") -> str:
    return f"{signed(estimate.mean, 2)}{between}±{estimate.error:.2f}"
