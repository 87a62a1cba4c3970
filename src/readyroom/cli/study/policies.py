"""`readyroom policies`: find the best mix of a game's policies by searching replies to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, DataFolder, GameName, Options, ScenarioName, StudySeed, Workers, parse_pairs
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine.rules.checks import signed

if TYPE_CHECKING:
    from readyroom.bots.mixes import Challenge, Measured, Mix, SideMix

STOPPED = 1
"""The exit code where a study was stopped before its end."""


def policies(
    game: GameName,
    scenario: ScenarioName = None,
    option: Options = None,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", min=0, help="Rounds of replies.")] = 6,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="M", min=0, help="Begin no further round after this long."),
    ] = None,
    search: Annotated[int, typer.Option("--search", metavar="N", min=1, help="Matches of each search.")] = 8000,
    cell: Annotated[int, typer.Option("--cell", metavar="N", min=2, help="Matches of each pair of policies.")] = 120,
    gain: Annotated[int, typer.Option("--gain", metavar="N", min=2, help="New matches that measure each reply.")] = 300,
    last: Annotated[int, typer.Option("--last", metavar="N", min=2, help="New matches of each final figure.")] = 1000,
    seed: StudySeed = "policies",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for the matches (default: named after it)."),
    ] = None,
    workers: Workers = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Find how to mix policies: solve the game between them, search the best reply, add it, and repeat.

    Ctrl+C stops; the same command continues.
    """
    from readyroom.study.policies.policies import Effort, find_mix

    options = parse_pairs(option, "--option", "cap_rings=2")
    texts = ["policies", game, *([Path(scenario).stem] if scenario else []), *(f"{k}-{v}" for k, v in options.items())]
    folder = Path("-".join(texts)) if out is None else out
    try:
        with progress_bar() as moved:
            mix = find_mix(
                game,
                folder=folder,
                scenario=scenario,
                options=options,
                rounds=rounds,
                minutes=minutes,
                effort=Effort(search=search, cell=cell, gain=gain, last=last),
                seed=seed,
                data=data,
                workers=workers,
                progress=moved,
            )
    except KeyboardInterrupt:
        typer.echo(f"Stopped. The finished matches are in {folder}; run the same command to continue.", err=True)
        raise typer.Exit(STOPPED) from None
    if as_json:
        import msgspec

        print_json(msgspec.to_builtins(mix))
    else:
        show(*render_mix(mix))


def render_mix(mix: Mix) -> Iterator[RenderableType]:
    """Yield the mixes, the gains of all rounds, and how exploitable the mixes are."""
    first, *others = mix.sides
    against = f" against {others[0].name}" if others else ""
    yield Text(f"{mix.game}, {mix.scenario}: {first.name}{against}, {mix.matches:,} matches", "bold")
    for side in mix.sides:
        mixed = [member for member in side.members if member.share]
        rows = [["share", *(f"{100 * member.share:.0f} %" for member in mixed)]]
        rows += [
            [name.replace("_", " "), *(_setting(member.settings[name]) for member in mixed)]
            for name in mixed[0].settings
        ]
        yield table(["policy", *(member.name for member in mixed)], rows, f"{side.name}: the mix")
    names = {side.side: side.name for side in mix.sides}
    rows = [
        [str(number), *(_gain(each.gains[side]) for side in names)] for number, each in enumerate(mix.rounds, start=1)
    ]
    yield table(["round", *names.values()], rows, "Gain of each reply over the mix")
    yield table(
        ["side", "policy", "score", "95 % CI", "gain over the mix, 95 % CI", "matches"],
        [_tested(side, test) for side in mix.sides for test in (side.reply, *side.tests)],
        "Policies against the other side's mix",
    )
    yield Text(
        f"Value to {first.name}: {mix.value.mean:.3f} (95 % CI {mix.value.low:.3f} to {mix.value.high:.3f}, "
        f"{mix.value_matches:,} matches). Command: {mix.command}"
    )


def _tested(side: SideMix, test: Challenge) -> list[str]:
    utility = test.utility
    interval = f"{utility.low:.3f} to {utility.high:.3f}"
    return [side.name, test.name, f"{utility.mean:.3f}", interval, _gain(test.gain), f"{test.matches:,}"]


def _gain(gain: Measured) -> str:
    return f"{signed(gain.mean, 3)} ({signed(gain.low, 3)} to {signed(gain.high, 3)})"


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
