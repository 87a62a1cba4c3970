"""`readyroom review`: separate skill from luck in a finished match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from readyroom.cli.analysis.what_if import Bots, HtmlFile
from readyroom.cli.arguments import AsJson, DataFolder, OwnWorkers, RecordFile, StudySeed, parse_pairs, record_text
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.progress import progress_bar
from readyroom.engine import files
from readyroom.engine.text import count_noun

if TYPE_CHECKING:
    from readyroom.study.review.review import Review

SAMPLES = 16
SEED = "verdict"
Samples = Annotated[
    int, typer.Option("--samples", metavar="N", min=2, help="The effort: more is slower but more precise.")
]


def review(
    file: RecordFile,
    samples: Samples = SAMPLES,
    bot: Bots = None,
    workers: OwnWorkers = 1,
    seed: StudySeed = SEED,
    html: HtmlFile = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Review a finished match: skill, luck, mistakes and turning points."""
    from readyroom.study.review.pages import review_command, review_page
    from readyroom.study.review.review import review as study

    _, text, figures = record_text(file, data)
    bots = parse_pairs(bot, "--bot", "japan=doctrine")
    with progress_bar(1.0, counts=False) as moved:
        review = study(text, samples=samples, seed=seed, bots=bots, workers=workers, data=figures, progress=moved)
    command = review_command(review, file, bot or ())
    if html is not None:
        files.save(html, review_page(review, command))
    if as_json:
        print_json(review.to_dict())
    else:
        show(*render_review(review, command))


# -- for people ------------------------------------------------------------------------------------------------------


def render_review(review: Review, command: str) -> list[RenderableType]:
    """Return the review for the terminal; `command` repeats it."""
    from readyroom.study.review.pages import FIGURES, figures, yardstick

    judged = "in positions that look the same to the side" if review.by_beliefs else "in the true position"
    return [
        Text(f"Match review: {review.title}. {review.ended}.", "bold"),
        table(FIGURES, figures(review)),
        *_turning_points(review),
        *_marks(review),
        Text(
            f"Percentage points with 95 % CI, compared with the bot {yardstick(review)}; decisions are judged {judged}."
            f" {review.decisions} decisions; {review.units} times there was a choice."
            f" {review.continuations:,} rollouts, {count_noun(round(review.seconds), 'second')}."
        ),
        Text(f"Command: {command}", "dim"),
    ]


def _turning_points(review: Review) -> list[RenderableType]:
    from readyroom.study.review.pages import cause, measure, points, shown_sides

    items: list[RenderableType] = []
    for side in shown_sides(review):
        if side.turning_points:
            items.append(Text(f"Turning points, as the {measure(review)} of {side.name} changed:", "bold"))
        elif side.maybe_turning:
            items.append(Text(f"Possible turning points of {side.name}; no change is beyond chance:", "bold"))
        items += [
            Text(f"turn {each.turn}, from decision {each.n}: {points(each.change)}. {cause(review, side, each)}")
            for each in side.turning_points
        ]
        items += [
            Text(f"turn {each.turn}, from decision {each.n}. {cause(review, side, each)}")
            for each in side.maybe_turning
        ]
    return items


def _marks(review: Review) -> list[RenderableType]:
    from readyroom.study.review.pages import marks, points

    found = marks(review)
    if not found:
        return [Text("No single decision clearly gained or cost 5 points or more, compared with the bot’s.")]
    items: list[RenderableType] = [Text("Marked decisions:", "bold")]
    for mark in found:
        unit = mark.unit
        items.append(
            Text(
                f"{mark.number}. {mark.symbol} {mark.title} of {mark.side.name}: {points(unit.gain)}. "
                f"Turn {unit.turn}, {unit.phase}, decision {unit.n}."
            )
        )
        for word, answers in (("played", unit.played), ("the bot", unit.instead)):
            items += [
                Padding(Text(f"{word}: {each.text}  ({each.question} [{each.rule}])"), (0, 0, 0, 4)) for each in answers
            ]
    return items
