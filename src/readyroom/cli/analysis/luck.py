"""`readyroom luck`: the results of finished matches without the luck of their dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, DataFolder, OwnWorkers, StudySeed, record_text
from readyroom.cli.paper import print_json, show, table
from readyroom.engine.text import count_noun

if TYPE_CHECKING:
    from readyroom.study.review.luck import LuckStudy

ROLLS = 16
SEED = "luck"
RecordFiles = Annotated[list[str], typer.Argument(metavar="FILE...", help="Record files, or names of saved matches.")]
Rolls = Annotated[int, typer.Option("--rolls", metavar="N", min=1, help="How often each roll is repeated.")]


def luck(
    files: RecordFiles,
    rolls: Rolls = ROLLS,
    workers: OwnWorkers = 1,
    seed: StudySeed = SEED,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Show the mean result of finished matches of a game with the luck of the dice taken out."""
    from readyroom.study.review.luck import study_luck

    found = [record_text(file, data) for file in files]
    figures = next((figures for _, _, figures in found if figures is not None), None)
    result = study_luck([text for _, text, _ in found], rolls=rolls, seed=seed, workers=workers, data=figures)
    if as_json:
        print_json(result.to_dict())
    else:
        show(*render_luck(result))


def render_luck(result: LuckStudy) -> list[RenderableType]:
    """Return the results for the terminal."""
    from readyroom.study.review.pages import points, share

    rows = [
        (side.name, share(side.utility), points(side.luck), share(side.adjusted), f"{side.saved:.1f}")
        if side.matches > 1
        else (side.name, *(f"{100 * each.mean:.0f}" for each in (side.utility, side.luck, side.adjusted)), "–")
        for side in result.sides
    ]
    count = count_noun(len(result.matches), "match", "matches")
    return [
        table(["", "result", "luck", "without luck", "worth matches"], rows),
        Text(
            f"{result.title}, {count}; means in percentage points with 95 % CI. Worth matches: how many times as many "
            "matches would be as precise without the adjustment. Luck is the value of each roll compared with "
            f"{result.rolls} others; over few matches it says little. Seed: {result.seed}"
        ),
    ]
