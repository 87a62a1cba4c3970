"""`readyroom values`: what is fitted to a game's matches, how well it predicts, and how to fit it again."""

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
    from readyroom.bots.fitted import Band, BeliefCheck, Fitted, ValueCheck

STOPPED = 1
"""The exit code where the command was stopped, or where nothing is fitted to the game."""
WHOLE = "the whole position"
LAST = 90
"""A last turn beyond this is none."""
VALUES = ["policies", "turns", "positions", "Brier", "constant", "log loss", "calibration"]
BANDS = ["value", "positions", "mean value", "mean outcome"]
BELIEFS = ["quantity", "estimate", "mean", "random", "in range", "positions"]


def values(
    game: GameName,
    fit: Annotated[bool, typer.Option("--fit", help="Fit again to matches, and write a file.")] = False,
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
    names = names_of(game, found)
    yield Text(f"{game.title}, rules version {about.version}: fitted to {about.matches:,} matches", "bold")
    for view, name in names.items():
        yield table(VALUES, [value_row(each) for each in about.values if each.view == view], f"Value, from {name}")
        yield table(BANDS, [band_row(each) for each in about.bands if each.view == view], f"Calibration, from {name}")
    for side, policies in dict.fromkeys((each.side, each.policies) for each in about.beliefs):
        rows = [belief_row(each) for each in about.beliefs if (each.side, each.policies) == (side, policies)]
        yield table(BELIEFS, rows, f"Hidden from {names[side]}: errors against {policies} policies")
    yield Text(f"Command: {about.command}")


def names_of(game: Game[Any, Any], found: Fitted) -> dict[str, str]:
    """Return the names of whose view it is that something is estimated from."""
    seats = game.rules.seats(game.first_scenario, game.resolve({}))
    return {"": WHOLE, **{side: game.side_name(side, seats) for side in found.about.sides}}


def value_row(each: ValueCheck) -> list[str]:
    """Return a row of the table of values."""
    brier = f"{each.brier:.3f} ± {each.brier_error:.3f}"
    figures = [f"{figure:.3f}" for figure in (each.constant, each.log_loss, each.calibration)]
    return [each.policies, turns_text(each.turns), f"{each.positions:,}", brier, *figures]


def band_row(each: Band) -> list[str]:
    """Return a row of the table of calibration."""
    return [f"{each.low:.1f}–{each.high:.1f}", f"{each.positions:,}", f"{each.value:.3f}", f"{each.utility:.3f}"]


def belief_row(each: BeliefCheck) -> list[str]:
    """Return a row of the table of what is hidden."""
    errors = [f"{figure:.1f}" for figure in (each.belief, each.mean, each.resample)]
    return [each.quantity, *errors, f"{100 * each.covered:.0f} %", f"{each.positions:,}"]


def turns_text(turns: tuple[int, int] | None) -> str:
    """Return turns as text."""
    if turns is None:
        return "all"
    first, last = turns
    return f"from {first}" if last > LAST else f"{first}–{last}"
