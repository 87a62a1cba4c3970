"""`readyroom games`: the installed games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer
from rich.padding import Padding
from rich.text import Text

from readyroom.bots import bot_names
from readyroom.cli.arguments import AsJson, find_game
from readyroom.cli.paper import print_json, show
from readyroom.engine.credits import DISCLAIMER
from readyroom.engine.credits import describe_sources as in_a_phrase
from readyroom.engine.game import Game, load_all_games


def games(
    name: Annotated[str | None, typer.Argument(metavar="GAME", help="Only this game.")] = None, as_json: AsJson = False
) -> None:
    """List the installed games with their scenarios, options and bots."""
    games = [find_game(name)] if name else list(load_all_games(lambda error: typer.echo(error, err=True)))
    if as_json:
        print_json({"games": [game_data(game) for game in games]})
        return
    for game in games:
        facts = game_data(game)
        show(Text(f"{game.key}: {game.title}", "bold"))
        lines = [
            game.summary,
            f"Players: {game.players}; {game.length}.",
            *(f"Scenario {one['key']}: {one['title']}" for one in facts["scenarios"]),
            *_seats(game),
            *(f"Option {one['key']}={'|'.join(one['choices'])}: {one['title']}" for one in facts["options"]),
            f"Bots: {', '.join(facts['bots'])}",
            *([f"Design: {game.credits.attribution}."] if game.credits else []),
            *([f"Data tables: {in_a_phrase(game.sources)}."] if game.sources else []),
        ]
        show(*(Padding(Text(line), (0, 0, 0, 2)) for line in lines))
    show(Text(f"{DISCLAIMER} If you own a game, --data DIR replaces our figures with the printed ones."))


def _seats(game: Game[Any, Any]) -> Iterator[str]:
    """Yield the seats of each scenario; a single line if all have the same."""
    seats = {}
    for scenario in game.rules.scenarios(game.data):
        places = game.rules.seats(scenario, game.resolve({}))
        names = (seat.key if seat.key == seat.side else f"{seat.key} (side {seat.side})" for seat in places)
        seats[scenario.key] = ", ".join(names)
    if len(set(seats.values())) == 1:
        yield f"Seats: {next(iter(seats.values()))}"
    else:
        yield from (f"Seats of {key}: {text}" for key, text in seats.items())


def game_data(game: Game[Any, Any]) -> dict[str, Any]:
    """Return a game for programs."""
    return {
        "key": game.key,
        "title": game.title,
        "summary": game.summary,
        "players": game.players,
        "length": game.length,
        "version": game.version,
        "scenarios": [{"key": s.key, "title": s.title, "summary": s.summary} for s in game.rules.scenarios(game.data)],
        "options": [
            {"key": o.key, "title": o.title, "rule": o.rule, "choices": o.choices, "default": o.default}
            for o in game.options
            if not o.retired
        ],
        "bots": bot_names(game),
        "credits": msgspec.to_builtins(game.credits),
        "sources": {source or "untagged": tally._asdict() for source, tally in game.sources.items()},
    }
