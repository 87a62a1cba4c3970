"""`readyroom ladder`: rate the bots of a game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType

from readyroom.cli.arguments import AsJson, GameName, Options, ScenarioName, StudySeed, Workers, parse_pairs
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine.rules.checks import percent

if TYPE_CHECKING:
    from readyroom.study.ladder import Ladder

STOPPED = 1
"""The exit code where a ladder was stopped before its end."""


def ladder(
    game: GameName,
    bots: Annotated[
        str,
        typer.Option(
            "--bots",
            metavar="NAME,NAME",
            help="The bots to rate (default: all). `search:0.5s` searches half a second per decision, "
            "`search:40` with 40 rollouts.",
        ),
    ] = "",
    games: Annotated[int, typer.Option("--games", metavar="N", min=2, help="Matches per pair and side.")] = 100,
    scenario: ScenarioName = None,
    option: Options = None,
    seed: StudySeed = "ladder",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for the matches (default: named after the ladder)."),
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Rate bots by matches with the same dice. Ctrl+C stops; the same command continues."""
    from readyroom.study.ladder import run_ladder

    names = [name.strip() for name in bots.split(",") if name.strip()]
    texts = ["ladder", game, *([Path(scenario).stem] if scenario else []), *names, str(games)]
    folder = Path("-".join(texts).replace(":", "")) if out is None else out
    options = parse_pairs(option, "--option", "cap_rings=2")
    try:
        with progress_bar() as moved:
            ladder = run_ladder(
                game,
                names,
                folder=folder,
                scenario=scenario,
                options=options,
                matches=games,
                seed=seed,
                workers=workers,
                progress=moved,
            )
    except KeyboardInterrupt:
        typer.echo(f"Stopped. The finished matches are in {folder}; run the same command to continue.", err=True)
        raise typer.Exit(STOPPED) from None
    if as_json:
        print_json(ladder.to_dict())
    else:
        show(*render_ladder(ladder))


def render_ladder(ladder: Ladder) -> Iterator[RenderableType]:
    """Yield the ladder and every pair."""
    rows = [
        (rung.bot, f"{rung.elo:.0f}", f"{rung.low:.0f} to {rung.high:.0f}", percent(rung.utility))
        for rung in ladder.rungs
    ]
    yield table(("bot", "Elo", "95 % CI", "score"), rows, f"{ladder.game}, {ladder.scenario}")
    meetings = [
        (met.first, met.second, f"{met.matches}", percent(met.share), f"{percent(met.low)} to {percent(met.high)}",
         ", ".join(f"{side} {percent(share)}" for side, share in met.sides.items()))
        for met in ladder.met
    ]  # fmt: skip
    yield table(("first", "second", "matches", "first's score", "95 % CI", "by side"), meetings)
    for met in ladder.met:
        rows = [
            (title, f"{mine:.2f}", f"{theirs:.2f}", f"{distance:+.3f} ± {error:.3f}")
            for title, (mine, theirs, distance, error) in met.counts.items()
        ]
        if rows:  # a solitaire game's statistics with the same dice
            yield table(("per match", met.first, met.second, "difference"), rows)
