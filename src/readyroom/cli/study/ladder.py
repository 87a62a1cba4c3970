"""`readyroom ladder`: rate the bots of a game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.bots.statistics import MARGIN
from readyroom.cli.arguments import AsJson, GameName, Options, ScenarioName, StudySeed, Workers, parse_pairs
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.cli.study.study import RecordOf, write_record
from readyroom.engine.rules.checks import percent

if TYPE_CHECKING:
    from readyroom.study.ladder import Ladder, PairResult

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
    without_luck: Annotated[
        bool,
        typer.Option("--without-luck", help="Take the luck of the dice out of the results. Pays for bots that think."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for the matches (default: named after the ladder)."),
    ] = None,
    workers: Workers = None,
    record: RecordOf = None,
    as_json: AsJson = False,
) -> None:
    """Rate bots by matches with the same dice. Ctrl+C stops; the same command continues."""
    from readyroom.study.ladder import ladder_study, run_ladder

    names = [name.strip() for name in bots.split(",") if name.strip()]
    texts = ["ladder", game, *([Path(scenario).stem] if scenario else []), *names, str(games)]
    texts += ["without-luck"] if without_luck else []
    folder = Path("-".join(texts).replace(":", "")) if out is None else out
    options = parse_pairs(option, "--option", "cap_rings=2")
    if record is not None:
        spec = ladder_study(game, names, scenario=scenario, options=options, matches=games, seed=seed)
        write_record(spec, folder.name, record)
        return
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
                luck=not without_luck,
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


def _verdict(met: PairResult) -> str:
    """Return what is known of a pair: which bot is better, that they are about equal, or nothing."""
    if met.is_significant:
        return "first" if met.share > 0.5 else "second"
    return "equal" if met.is_equivalent else "open"


def _notes(ladder: Ladder) -> str:
    """Return how the best bot did in matches that did not choose it, and what the words for pairs mean."""
    leader, share = ladder.leader.bot, ladder.leader.share
    equal = f"{percent(0.5 - MARGIN)} and {percent(0.5 + MARGIN)}"
    return (
        f"{leader} is the best in one half of the matches; in the other half it scores {percent(share.mean)} against "
        f"all others (95 % CI: {percent(share.low)} to {percent(share.high)}). A bot is better if that is "
        f"significant among all pairs (Holm); two are equal between {equal}."
    )


def render_ladder(ladder: Ladder) -> Iterator[RenderableType]:
    """Yield the ladder and every pair."""
    rows = [
        (rung.bot, f"{rung.elo:.0f}", f"{rung.low:.0f} to {rung.high:.0f}", percent(rung.utility))
        for rung in ladder.rungs
    ]
    yield table(("bot", "Elo", "95 % CI", "score"), rows, f"{ladder.game}, {ladder.scenario}")
    meetings = [
        (met.first, met.second, f"{met.matches}", percent(met.share), f"{percent(met.low)} to {percent(met.high)}",
         _verdict(met), ", ".join(f"{side} {percent(share)}" for side, share in met.sides.items()))
        for met in ladder.met
    ]  # fmt: skip
    yield table(("first", "second", "matches", "first's score", "95 % CI", "better", "by side"), meetings)
    yield Text(_notes(ladder))
    for met in ladder.met:
        rows = [
            (title, f"{mine:.2f}", f"{theirs:.2f}", f"{distance:+.3f} ± {error:.3f}")
            for title, (mine, theirs, distance, error) in met.counts.items()
        ]
        if rows:  # a solitaire game's statistics with the same dice
            yield table(("per match", met.first, met.second, "difference"), rows)
