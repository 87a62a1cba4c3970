"""`readyroom policies`: find the best mix of a game's policies by searching replies to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.cli.arguments import (
    AsJson,
    CommandError,
    DataFolder,
    GameName,
    Options,
    ScenarioName,
    StudySeed,
    Workers,
    parse_pairs,
)
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine.figures import Figure
from readyroom.engine.rules.checks import signed

if TYPE_CHECKING:
    from readyroom.bots.mixes import Challenge, Measured, Mix, SideMix
    from readyroom.study.matches import MatchSetup

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
    study: Annotated[
        str | None,
        typer.Option("--study", metavar="FILE", help="Use scenario, options and figures of a case of this study."),
    ] = None,
    case: Annotated[
        str | None, typer.Option("--case", metavar="NAME", help="The case of the study (default: the last one).")
    ] = None,
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

    options, figures = parse_pairs(option, "--option", "cap_rings=2"), dict[str, Figure]()
    texts = ["policies", game, *([Path(scenario).stem] if scenario else []), *(f"{k}-{v}" for k, v in options.items())]
    if study is not None:
        if scenario or options:
            raise CommandError("With --study, scenario and options are those of the study.")
        setup = _case_of(study, case, game, data)
        scenario, options, figures = setup.scenario, setup.options, setup.figures
        texts = ["policies", game, Path(study).stem]
    folder = Path("-".join(texts)) if out is None else out
    try:
        with progress_bar() as moved:
            mix = find_mix(
                game,
                folder=folder,
                scenario=scenario,
                options=options,
                figures=figures,
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


def _case_of(study: str, case: str | None, game: str, data: Path | None) -> MatchSetup:
    """Return the match setup of a case of a study; raise `CommandError` if there is none for this game."""
    from readyroom.study.studyfile import checked, read

    spec = checked(*read(study), data=data)
    known = {each.name: each.table for each in spec.cases}
    name = spec.cases[-1].name if case is None else case
    if spec.game != game or name not in known:
        raise CommandError(f"{study} has no case {name!r} of {game}. It has, of {spec.game}: {', '.join(known)}.")
    return known[name]


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
