"""Arguments that several commands share: games, folders, pairs, record files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from readyroom.cli.play.saved_matches import figures_beside, find_record
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, load_game
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import game_of_record, replay
from readyroom.engine.text import end_sentence


def _text(text: str | None) -> str | None:
    """Return the text; raise `BadParameter` unless it is valid UTF-8."""
    try:
        (text or "").encode()
    except UnicodeEncodeError as error:
        raise typer.BadParameter("this is not UTF-8 text") from error
    return text


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name; `readyroom games` lists them.")]
RecordFile = Annotated[str, typer.Argument(metavar="FILE", help="A record file, or the name of a saved match.")]
ScenarioName = Annotated[
    str | None, typer.Option("--scenario", metavar="S", help="A scenario's name, or your own scenario's .toml file.")
]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="K=V", help="Set an option of the game; repeatable.")
]
Seed = Annotated[str | None, typer.Option("--seed", metavar="TEXT", help="Random seed (any text).", callback=_text)]
DataFolder = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="A folder with your own data, which overrides the game's.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="W", min=1, help="Number of processes (default: one per core).")
]
OwnWorkers = Annotated[int, typer.Option("--workers", metavar="W", min=1, help="Number of processes.")]
StudySeed = Annotated[str, typer.Option("--seed", metavar="TEXT", help="Random seed (any text).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Plain = Annotated[bool, typer.Option("--plain", help="No colors or cursor control.")]
SeatName = Annotated[str | None, typer.Option("--seat", metavar="SEAT", help="Show only what this seat saw.")]


class CommandError(ReadyRoomError):
    """The command line is invalid; the message says what was expected."""


def parse_pairs(given: Iterable[str] | None, what: str, example: str) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a dictionary; raise `CommandError` for other texts and repeated names."""
    inputs: dict[str, str] = {}
    for word in given or ():
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise CommandError(f"{what} takes NAME=VALUE, such as {example}, not {word!r}.")
        if name in inputs:
            raise CommandError(f"{what} has two values for {name}: {inputs[name]!r} and {value!r}.")
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
        typer.echo(f"{name} is now called {game.key}: {end_sentence(game.title)}", err=True)
    return game


def record_text(file: str, data: Path | None) -> tuple[Path, str, Path | None]:
    """Return a record's path, its text, and its folder of own data: the one given, or the match's."""
    path = find_record(file)
    return path, records.read(path), data or figures_beside(path)
