"""Arguments that several commands share: games, folders, pairs, record files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from readyroom.cli.saved_matches import figures_beside, find_record
from readyroom.engine import record as records
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, load_game
from readyroom.engine.match import Match
from readyroom.engine.replay import game_of_record, replay


def _text(text: str | None) -> str | None:
    """Words that can be written down; bytes that are no text are refused."""
    try:
        (text or "").encode()
    except UnicodeEncodeError as error:
        raise typer.BadParameter("it holds bytes that are no text") from error
    return text


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name; `readyroom games` lists them.")]
RecordFile = Annotated[str, typer.Argument(metavar="FILE", help="A record's file, or the name of a kept match.")]
ScenarioName = Annotated[
    str | None, typer.Option("--scenario", metavar="S", help="A scenario's name, or your own scenario's .toml file.")
]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="K=V", help="A choice of the game's options; repeat for more.")
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", metavar="TEXT", help="Words that fix the dice: for studies and lessons.", callback=_text),
]
DataFolder = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="A folder of your own figures, which override the game's.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="W", min=1, help="How many processes; otherwise one for each core.")
]
OwnWorkers = Annotated[int, typer.Option("--workers", metavar="W", min=1, help="How many processes.")]
StudySeed = Annotated[str, typer.Option("--seed", metavar="TEXT", help="Words that fix the dice.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Plain = Annotated[bool, typer.Option("--plain", help="No colour and no screen control.")]
SeatName = Annotated[str | None, typer.Option("--seat", metavar="SEAT", help="Show only what this seat saw.")]


class CommandError(ReadyRoomError):
    """The command line is invalid; the message says what was expected."""


def parse_pairs(given: Iterable[str] | None, door: str, example: str) -> dict[str, str]:
    """`NAME=VALUE` words as a dictionary; `CommandError` for anything else, and for a name that comes twice."""
    inputs: dict[str, str] = {}
    for word in given or ():
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise CommandError(f"{door} takes NAME=VALUE, such as {example}, not {word!r}.")
        if name in inputs:
            raise CommandError(f"{door} is given twice for {name}: {inputs[name]!r} and {value!r}.")
        inputs[name] = value
    return inputs


def replayed(text: str, data: Path | None, secret: bytes | None, upto: int | None = None) -> Match[Any, Any]:
    """Return the match of a record, with the owner's figures if a folder is given."""
    return replay(text, upto, game=game_of(text, data), secret=secret)


def game_of(text: str, data: Path | None) -> Game[Any, Any] | None:
    """Return the game of a record with the owner's figures; without a folder the game as it is."""
    return None if data is None else game_of_record(records.parse(text, repair=True).header, data)


def find_game(
    name: str, data: Path | None = None, fits: Callable[[Game[Any, Any]], object] | None = None
) -> Game[Any, Any]:
    """Return a game as `load_game` does; if the name is a former key, print the present one."""
    game = load_game(name, data, fits)
    if game.key != name:
        typer.echo(f"{name} is now called {game.key}: {game.title}.", err=True)
    return game


def record_text(file: str, data: Path | None) -> tuple[Path, str, Path | None]:
    """Where a record is, its text, and the folder of figures to read it with: this one, or the match's own."""
    path = find_record(file)
    return path, records.read(path), data or figures_beside(path)
