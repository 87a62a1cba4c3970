"""`readyroom simulate`: many matches between bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from readyroom.cli.arguments import (
    AsJson,
    CommandError,
    DataFolder,
    Options,
    OwnWorkers,
    ScenarioName,
    Seed,
    parse_pairs,
)
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine.game import load_game, sides
from readyroom.engine.text import count_noun

if TYPE_CHECKING:
    from readyroom.engine.game import Game
    from readyroom.study.campaigns import CampaignResult, ChapterResult
    from readyroom.study.simulate import SimulationResult

CAMPAIGN = "campaign:"
"""How the name of a campaign begins where games are named too."""


def simulate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or campaign:NAME for a campaign.")],
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
    variant: Annotated[
        list[str] | None, typer.Option("--variant", metavar="KEY", help="Of a campaign: play a variant; repeatable.")
    ] = None,
    links: Annotated[bool, typer.Option("--links", help="Of a campaign: measure what each link does.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play many matches between bots and count the results; Ctrl+C stops early and shows the finished ones."""
    from readyroom.study.simulate import simulate as study

    bots, options = parse_pairs(bot, "--bot", "japan=doctrine"), parse_pairs(option, "--option", "cap_rings=2")
    if game.startswith(CAMPAIGN):
        if scenario or options or data:
            raise CommandError("A campaign's chapters have scenarios and options of their own; leave out yours.")
        _simulate_campaign(game.removeprefix(CAMPAIGN), bots, variant or [], games, seed, workers, links, as_json)
        return
    if variant or links:
        raise CommandError("Only campaigns have variants and links, such as campaign:three-battles.")
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


def _simulate_campaign(
    name: str,
    bots: dict[str, str],
    variants: list[str],
    games: int,
    seed: str | None,
    workers: int,
    links: bool,
    as_json: bool,
) -> None:
    from readyroom.study.campaigns import simulate_campaign

    with progress_bar(games) as moved:
        result = simulate_campaign(
            name, bots=bots, variants=variants, games=games, seed=seed, workers=workers, links=links, progress=moved
        )
    if result.games < games:
        typer.echo(f"Stopped early: {result.games} of {games} campaigns were finished.", err=True)
    if as_json:
        print_json(result.to_dict())
    else:
        _draw_campaign(result)


def _draw_campaign(result: CampaignResult) -> None:
    count = result.games or 1
    sides = sorted({side for chapter in result.chapters for side in chapter.wins_war})
    show(
        Text(f"{count_noun(result.games, 'campaign')}: {result.title}. Seed: {result.seed}", "bold"),
        table(
            ["winner", "campaigns", "share"],
            [(w, str(n), f"{100 * n / count:.1f} %") for w, n in result.winners.items()],
        ),
        table(["ending", "campaigns"], [(title, str(times)) for title, times in result.endings.items()]),
        table(
            ["chapter", "won by", *(f"{side} wins both" for side in sides), "not as written"],
            [_chapter_cells(chapter, sides) for chapter in result.chapters],
        ),
        table(
            ["after", "quantity", "p50", "p5–p95"],
            [
                (chapter.key, name, f"{of.median:g}", f"{of.low:g} to {of.high:g}")
                for chapter in result.chapters
                for name, of in chapter.ledger.items()
                if of.low != of.high
            ],
        ),
    )
    if result.links:
        rows = [(link.chapter, link.why, link.into, str(link.winners), str(link.differ)) for link in result.links]
        show(table(["chapter", "without the link", "into", "winners", "other winner"], rows))


def _chapter_cells(chapter: ChapterResult, sides: Sequence[str]) -> list[str]:
    """Return a chapter's line: of the campaigns in which a side won it, in how many it also won the war."""
    both = [f"{chapter.wins_war[side][1]} of {chapter.wins_war[side][0]}" for side in sides]
    others = ", ".join(f"{how} {times}" for how, times in chapter.hows.items() if how != "played")
    return [chapter.key, ", ".join(f"{side} {n}" for side, n in chapter.winners.items()), *both, others]


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
