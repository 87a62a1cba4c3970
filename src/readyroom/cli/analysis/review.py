"""`readyroom review`: separate skill from luck in a finished match."""

from __future__ import annotations

import shlex
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
    from readyroom.study.review.review import Review, SideReview

SAMPLES = 16
SEED = "verdict"
Samples = Annotated[
    int, typer.Option("--samples", metavar="N", min=2, help="Rollouts per decision; more are slower but more precise.")
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
    """Review a finished match: skill, luck, and the costliest decisions."""
    from readyroom.study.review.review import review as study

    _, text, figures = record_text(file, data)
    bots = parse_pairs(bot, "--bot", "japan=doctrine")
    with progress_bar(1.0, counts=False) as moved:
        review = study(text, samples=samples, seed=seed, bots=bots, workers=workers, data=figures, progress=moved)
    if html is not None:
        from readyroom.study.review.pages import review_page

        texts = ["readyroom", "review", file, "--samples", str(samples), "--seed", seed]
        texts += [word for each in bot or () for word in ("--bot", each)]
        files.save(html, review_page(review, shlex.join(texts)))
    if as_json:
        print_json(review.to_dict())
    else:
        show(*render_review(review))


# -- for people ------------------------------------------------------------------------------------------------------


def render_review(review: Review) -> list[RenderableType]:
    """Print the review in the terminal."""
    bots = ", ".join(f"{seat} {bot}" for seat, bot in review.bots.items())
    return [
        Text(f"Match review: {review.title}. {review.ended}.", "bold"),
        _figures(review),
        *(thing for side in review.sides for thing in _costs(side)),
        Text(
            f"Percentage points with 95 % CI. Rollouts are played by bots ({bots}). "
            f"{review.decisions} decisions, {review.continuations} rollouts, "
            f"{count_noun(round(review.seconds), 'second')}. Seed: {review.seed}"
        ),
    ]


def _figures(review: Review) -> RenderableType:
    from readyroom.study.review.pages import points, share

    rows = [
        (
            side.name,
            share(side.start),
            points(side.skill),
            points(side.others) if side.others.error else "–",
            points(side.luck),
            f"{100 * side.outcome:.0f}",
            share(side.play),
        )
        for side in review.sides
    ]
    return table(["", "start", "+ skill", "+ opponent", "+ luck", "= outcome", "without luck"], rows)


def _costs(side: SideReview) -> list[RenderableType]:
    from readyroom.study.review.pages import points

    if not side.costliest:
        return [Text(f"No costly decision of {side.name} was found.")]
    items: list[RenderableType] = [Text(f"Costliest decisions of {side.name}, given what it knew:", "bold")]
    for number, each in enumerate(side.costliest, start=1):
        chance = "" if each.cost.excludes_zero else ", which may be chance"
        details = [
            Text(f"{each.question} [{each.rule}]"),
            Text(f"played: {each.text}"),
            Text(f"better: {each.better_text}"),
            Text(f"in hindsight the better answer gains {points(each.in_hindsight)}", "dim"),
        ]
        items.append(Text(f"{number} {points(each.cost).lstrip('+')}{chance}: turn {each.turn}, decision {each.n}."))
        items += [Padding(line, (0, 0, 0, 4)) for line in details]
    return items
