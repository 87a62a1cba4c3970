"""`readyroom what-if`: change one decision of a match and show the spread of outcomes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from readyroom.cli.arguments import (
    AsJson,
    CommandError,
    DataFolder,
    OwnWorkers,
    RecordFile,
    StudySeed,
    game_of,
    parse_pairs,
    record_text,
)
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.play import answers
from readyroom.cli.play.question import render_question
from readyroom.cli.play.saved_matches import HUMAN, SavedMatch
from readyroom.cli.progress import progress_bar
from readyroom.engine import files
from readyroom.engine.match import Match
from readyroom.engine.text import count_noun

if TYPE_CHECKING:
    from readyroom.study.review.what_if import DecisionPoint, WhatIf

MATCHES = 100
SEED = "what if"

At = Annotated[
    int | None, typer.Option("--at", metavar="N", min=1, help="The number of the decision; without it, list all.")
]
Answers = Annotated[
    list[str] | None, typer.Option("--answer", metavar="KEYS", help="Another answer, as you would type it; repeatable.")
]
Matches = Annotated[int, typer.Option("--matches", metavar="M", min=2, help="Rollouts per answer.")]
Bots = Annotated[
    list[str] | None, typer.Option("--bot", metavar="SEAT=NAME", help="A bot for a seat or side; repeatable.")
]
HtmlFile = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page with charts.")]
SaveFile = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Save the match with the first other answer, to play from there."),
]


def what_if(
    file: RecordFile,
    at: At = None,
    answer: Answers = None,
    matches: Matches = MATCHES,
    bot: Bots = None,
    workers: OwnWorkers = 1,
    seed: StudySeed = SEED,
    html: HtmlFile = None,
    save: SaveFile = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Change one decision of a finished match, and compare how it could have continued."""
    from readyroom.study.review import what_if as study

    _, text, figures = record_text(file, data)
    if at is None:
        show(*_listed(text, figures))
        return
    point = study.load_decision_point(text, at, game_of(text, figures))
    if not answer:
        show(*_question(point))
        return
    others = [answers.read(point.decision, line) for line in answer]
    if save is not None:
        _save(study.changed(text, at, others[0], game_of(text, figures)), save, point.entry.seat, figures)
    bots = parse_pairs(bot, "--bot", "japan=doctrine")
    with progress_bar(matches) as moved:
        what_if = study.what_if(
            text, at, others, matches=matches, seed=seed, bots=bots, workers=workers, data=figures, progress=moved
        )
    if html is not None:
        from readyroom.study.review.pages import what_if_page

        files.save(html, what_if_page(what_if, _command(file, at, answer, what_if, bot)))
    if as_json:
        print_json(what_if.to_dict())
    else:
        show(*render_what_if(what_if))


def _command(file: str, at: int, answer: list[str], what_if: WhatIf, bot: list[str] | None) -> str:
    texts = ["readyroom", "what-if", file, "--at", str(at)]
    texts += [word for line in answer for word in ("--answer", line)]
    texts += [word for each in bot or () for word in ("--bot", each)]
    return shlex.join([*texts, "--matches", str(what_if.matches), "--seed", what_if.seed])


def _save(match: Match[Any, Any], path: Path, seat: str, data: Path | None) -> None:
    """Save the changed match for `play --resume`, with the same player at the keyboard."""
    from readyroom.study.estimates import players

    if path.suffix == ".key":
        raise CommandError(f"{path} is the name of a key file; choose another, such as what-if.jsonl.")
    human = {each.key: HUMAN for each in match.seats if each.side == match.seat(seat).side}
    kept = SavedMatch(path, match, {**players(match.game, match.seats, {}), **human}, data)
    kept.copy_to(path)
    typer.echo(f"Saved to {path}. Play it with: readyroom play --resume {shlex.quote(str(path))}", err=True)


# -- for people ------------------------------------------------------------------------------------------------------


def _listed(text: str, data: Path | None) -> list[RenderableType]:
    from readyroom.study.review.what_if import choices

    rows = [
        (str(each.n), str(each.turn), each.name, f"{each.question} [{each.rule}]", each.answer)
        for each in choices(text, game_of(text, data))
        if each.free
    ]
    return [
        table(["at", "turn", "who", "question", "answer"], rows, "Decisions of the match"),
        Text("--at N shows the other options of a decision; add --answer to play one out."),
    ]


def _question(point: DecisionPoint) -> list[RenderableType]:
    match, decision, entry = point
    return [
        *render_question(decision, match.seat(entry.seat).name),
        Text(f"Keys: {', '.join(decision.keys)}"),
        Text(f"Played: {decision.describe_answer(entry.chose)}.", "bold"),
        Text("Add --answer to play out another one: numbers, keys, `all` or `none`."),
    ]


def render_what_if(what_if: WhatIf) -> list[RenderableType]:
    """Return the study for the terminal."""
    from readyroom.study.review import pages

    count = len(what_if.changes)
    heads = ["", "played", *["instead"] * count, *["difference"] * count]
    endings = [
        [title, *(pages.percents(what_if.share(at, title)) for at in range(1 + count))] for title in what_if.order
    ]
    bots = ", ".join(f"{seat} {bot}" for seat, bot in what_if.bots.items())
    asked = f"{what_if.name}: {what_if.question} [{what_if.rule}]"
    sentences = [pages.describe_difference(what_if, change, n) for n, change in enumerate(what_if.changes)]
    heading = [
        Text(f"Decision {what_if.at}, turn {what_if.turn}. {asked}", "bold"),
        Text(f"  played: {what_if.branches[0].text}"),
        *(Text(f"  instead: {branch.text}") for branch in what_if.branches[1:]),
    ]
    if what_if.has_few_rollouts:
        return [
            *heading,
            Text(f"{what_if.matches} rollouts of each answer are too few for percentages. Add --matches."),
        ]
    return [
        *heading,
        table(heads[: 2 + count], endings),
        table(heads, pages.table(what_if)),
        *(Text(sentence, "bold") for sentence in sentences),
        Text(
            f"{what_if.matches} rollouts of each answer by {bots}, with the same new dice for each; ranges are "
            f"95 % CI. {count_noun(round(what_if.seconds), 'second')}. Seed: {what_if.seed}"
        ),
    ]
