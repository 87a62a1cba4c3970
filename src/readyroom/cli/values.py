"""`readyroom values`: what is fitted to a game's matches, how well it predicts, and how to fit it anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, CommandError, DataFolder, GameName, StudySeed, Workers, find_game
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine.game import Game

if TYPE_CHECKING:
    from readyroom.bots.fitted import Fitted

STOPPED = 1
"""The exit code where the command was stopped, or where nothing is fitted to the game."""
WHOLE = "whole position"


def values(
    game: GameName,
    fit: Annotated[bool, typer.Option("--fit", help="Fit anew to matches, and write a file.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Check in new matches.")] = False,
    matches: Annotated[
        int, typer.Option("--matches", metavar="N", min=5, help="Matches to fit to, of each kind.")
    ] = 1000,
    checks: Annotated[
        int, typer.Option("--checks", metavar="N", min=2, help="New matches to check in, of each kind.")
    ] = 300,
    seed: StudySeed = "values",
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Write, check or show this file instead of the game's own."),
    ] = None,
    workers: Workers = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Show how well positions of a game are estimated: their value, and what is hidden in them.

    Without --fit and --check it shows the figures of the game's own file.
    """
    from readyroom.bots.fitted import FILE
    from readyroom.engine.files import atomic_write
    from readyroom.study.values import ValueStudy

    if fit and check:
        raise CommandError("Give --fit or --check, not both: a fit is checked anyway.")
    found_game = find_game(game, data)
    found = None if fit else _fitted(found_game, file)
    try:
        if fit or check:
            with progress_bar() as moved:
                study = ValueStudy(found_game, matches, checks, seed, workers or os.cpu_count() or 1, moved)
                found = study.fit() if found is None else study.check(found)
    except KeyboardInterrupt:
        typer.echo("Stopped; nothing was written.", err=True)
        raise typer.Exit(STOPPED) from None
    assert found is not None
    if fit:
        path = file or Path(FILE)
        with atomic_write(path) as written:
            written.write(found.to_bytes())
        typer.echo(f"Wrote {path}.", err=True)
    if as_json:
        import msgspec

        print_json(msgspec.to_builtins(found.about))
    else:
        show(*render_fitted(found_game, found))


def _fitted(game: Game[Any, Any], path: Path | None) -> Fitted:
    """Return the contents of a file, or of the game's own; raise `CommandError` if none applies to the game."""
    from readyroom.bots.fitted import applies, from_bytes, packaged

    found = packaged(game.package) if path is None else from_bytes(path.read_bytes())
    again = f"Run `readyroom values {game.key} --fit`."
    if found is None:
        raise CommandError(f"Nothing is fitted to matches of {game.title} yet. {again}")
    if not applies(found.about, game):
        about = found.about
        raise CommandError(
            f"The values are of {about.game}, rules version {about.version}, with figures {about.figures}; "
            f"installed is {game.key}, rules version {game.version}, with figures {game.data_fingerprint}. {again}"
        )
    return found


def render_fitted(game: Game[Any, Any], found: Fitted) -> Iterator[RenderableType]:
    """Yield how well values and beliefs agree with new matches."""
    about = found.about
    seats = game.rules.seats(game.first_scenario, game.resolve({}))
    names = {"": WHOLE, **{side: game.side_name(side, seats) for side in about.sides}}
    yield Text(f"{game.title}, rules version {about.version}: fitted to {about.matches:,} matches", "bold")
    rows = [
        [
            names[each.view],
            each.policies,
            "all" if each.turns is None else _turns(each.turns),
            f"{each.positions:,}",
            f"{each.brier:.3f} ± {each.brier_error:.3f}",
            f"{each.constant:.3f}",
            f"{each.log_loss:.3f}",
            f"{each.calibration:.3f}",
        ]
        for each in about.values
    ]
    columns = ["known", "policies", "turns", "positions", "Brier, 95 % CI", "of a constant", "log loss", "calibration"]
    yield table(columns, rows, "Values in new matches")
    rows = [
        [
            names[each.view],
            f"{each.low:.1f} to {each.high:.1f}",
            f"{each.positions:,}",
            f"{each.value:.3f}",
            f"{each.utility:.3f}",
        ]
        for each in about.bands
    ]
    yield table(["known", "value", "positions", "mean value", "mean outcome"], rows, "Calibration")
    if about.beliefs:
        rows = [
            [
                names[each.side],
                each.policies,
                each.quantity,
                f"{each.positions:,}",
                f"{each.belief:.1f}",
                f"{each.mean:.1f}",
                f"{each.resample:.1f}",
                f"{100 * each.covered:.0f} %",
            ]
            for each in about.beliefs
        ]
        columns = ["seen by", "policies", "hidden", "positions", "error", "of the mean", "at random", "covered"]
        yield table(columns, rows, "What cannot be seen: RMS errors, and how often the 95 % interval holds")
    yield Text(f"Command: {about.command}")


def _turns(turns: tuple[int, int]) -> str:
    first, last = turns
    return f"{first} on" if last > 90 else f"{first} to {last}"
