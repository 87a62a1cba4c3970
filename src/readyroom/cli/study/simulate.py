"""`readyroom simulate`: many matches between bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from readyroom.cli.arguments import AsJson, DataFolder, GameName, Options, OwnWorkers, ScenarioName, Seed, parse_pairs
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine.game import load_game, sides
from readyroom.engine.text import count_noun

if TYPE_CHECKING:
    from readyroom.engine.game import Game
    from readyroom.study.simulate import SimulationResult


def simulate(
    game: GameName,
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="Number of matches.")] = 100,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="SEAT=NAME", help="A bot for a seat or side (default: random); repeatable."),
    ] = None,
    scenario: ScenarioName = None,
    option: Options = None,
    workers: OwnWorkers = 1,
    seed: Seed = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Play many matches between bots and count the results; Ctrl+C stops early and shows the finished ones."""
    from readyroom.study.simulate import simulate as study

    bots, options = parse_pairs(bot, "--bot", "japan=doctrine"), parse_pairs(option, "--option", "cap_rings=2")
    with progress_bar(games) as moved:
        result = study(
            game,
            scenario=scenario,
            options=options,
            bots=bots,
            games=games,
            seed=seed,
            workers=workers,
            data=data,
            progress=moved,
        )
    if result.games < games:
        typer.echo(f"Stopped early: {result.games} of {games} matches were finished.", err=True)
    if as_json:
        print_json(result.to_dict())
    else:
        _draw(result, load_game(result.game, data))


def _draw(result: SimulationResult, game: Game[Any, Any]) -> None:
    seats = game.rules.seats(game.scenario(result.scenario), result.options)
    names = {seat.key: seat.name for seat in seats}
    players = ", ".join(f"{names[seat]} {name}" for seat, name in result.bots.items())
    show(Text(f"{count_noun(result.games, 'match', 'matches')} of {result.game}, {result.scenario}: {players}", "bold"))
    count = result.games or 1
    winners = {side: game.side_name(side, seats) for side in sides(seats)}
    wins = [(winners.get(side, side), str(won), f"{100 * won / count:.1f} %") for side, won in result.winners.items()]
    stats = [
        (title, f"{of.median:g}", f"{of.low:g}" if of.low == of.high else f"{of.low:g} to {of.high:g}")
        for title, of in result.counts.items()
    ]
    show(
        table(["winner", "matches", "share"], wins),
        table(["ending", "matches"], [(title, str(times)) for title, times in result.outcomes.items()]),
        *([table(["per match", "p50", "p5–p95"], stats)] if stats else []),
        Text(
            f"{result.mean_turns:.1f} turns and {result.decisions_per_game:.0f} decisions per match; "
            f"{result.games_per_second:.1f} matches per second. Seed: {result.seed}"
        ),
    )
