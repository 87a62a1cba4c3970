"""The after-action report of a match, in Markdown, built from its log."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import Any

from readyroom.engine.game import sides
from readyroom.engine.match import Match
from readyroom.engine.record.labels import dice_label
from readyroom.engine.rules.checks import RolledDice
from readyroom.engine.rules.table import LogLine
from readyroom.engine.text import escape_markdown


def report(match: Match[Any, Any], seat: str | None = None, label: str | None = None) -> str:
    """Return the report: what was played, how it ended, and the log turn by turn.

    Args:
        match: a match, over or in progress.
        seat: whose knowledge to show. None shows everything once the match is over, and before that what a spectator
            saw.
        label: what to say if someone may know the dice; None: what follows from the record's header.
    """
    if label is None:
        label = dice_label(match.header.origin or "", over=match.outcome is not None)
    everything = seat is None and match.outcome is not None
    lines = match.full_log if everything else match.log(seat)
    story, dice = _story(match, without(lines, epilogue(match))), _dice_statistics(lines)
    parts = [_title(match, seat), label, _ending(match, seat), _facts(match), story, dice]
    return "\n\n".join(part for part in parts if part) + "\n"


def epilogue(match: Match[Any, Any]) -> list[str]:
    """Return the sentences that sum up a match; none before its end."""
    return list(match.game.presentation.epilogue(match.state, match.game.data)) if match.outcome is not None else []


def without(lines: Iterable[LogLine], sentences: Collection[str]) -> list[LogLine]:
    """Return the log without what a summary says in the same words."""
    return [line for line in lines if line.rolls or line.text not in sentences]


def _title(match: Match[Any, Any], seat: str | None) -> str:
    perspective = f", as {match.seat(seat).name} saw it" if seat is not None else ""
    title = escape_markdown(": ".join(dict.fromkeys((match.game.title, match.scenario.title))))
    return f"# {title}\n\nAfter-action report{perspective}."


def _ending(match: Match[Any, Any], seat: str | None) -> str:
    outcome = match.outcome
    if outcome is None:
        at = match.shown_at(seat)
        return f"In progress: turn {at.turn}, {match.game.phase(at.phase).title}."
    names = {side: match.game.side_name(side, match.seats) for side in sides(match.seats)}
    scores = "".join(f"\n| {names.get(side, side)} | {score} |" for side, score in outcome.scores.items())
    table = f"\n\n| side | score |\n| --- | ---: |{scores}" if len(outcome.scores) > 1 else ""
    sentences = "".join(f"\n- {sentence}" for sentence in epilogue(match))
    summary = f"\n{sentences}" if sentences else ""
    diagram = match.game.presentation.text_diagram(match.state, match.game.data)
    drawing = f"\n\n```text\n{diagram}\n```" if diagram else ""
    return f"**{outcome.title}.** {outcome.text}{table}{summary}{drawing}"


def _facts(match: Match[Any, Any]) -> str:
    changed = [f"{key} = {choice}" for key, choice in match.game.non_default_options(match.options).items()]
    secret = match.published_secret
    facts = [
        f"- Options: {', '.join(changed) or 'defaults'}",
        f"- Decisions: {match.decision_count}" if match.outcome is not None else "",
        f"- Dice seed hash: `{match.fingerprint}`",
        f"- Seed: {match.seed}" if match.seed is not None and match.outcome is not None else "",
        f"- Dice key: `{secret}`" if secret else "",
    ]
    return "\n".join(fact for fact in facts if fact)


def _story(match: Match[Any, Any], lines: Iterable[LogLine]) -> str:
    parts: list[str] = []
    headed = [(match.log_heading(line.turn, line.phase), line) for line in lines]
    for heading, sections in groupby(headed, lambda one: one[0][0]):
        parts.append(f"## {heading}")
        for title, section in groupby(sections, lambda one: one[0][1]):
            parts.append(f"### {title}")
            parts.append("\n".join(f"- {line.text} [{line.rule}]{_dice(line.rolls)}" for _, line in section))
    return "\n\n".join(parts)


def _dice(rolls: tuple[RolledDice, ...]) -> str:
    return "".join(f"\n  - {roll.name}: {describe_faces(roll)} ({roll.result})" for roll in rolls)


def describe_faces(roll: RolledDice) -> str:
    """Return the faces of a roll as text, with an arrow before each round of re-rolled dice."""
    return " → ".join(" ".join(str(face) for face in faces) for faces in roll.faces)


def _dice_statistics(lines: Iterable[LogLine]) -> str:
    """Return how often each face of each kind of die came up."""
    faces: dict[int, list[int]] = {}
    for line in lines:
        for roll in line.rolls:
            counts = faces.setdefault(roll.sides, [0] * roll.sides)
            for dice in roll.faces:
                for face in dice:
                    counts[face - 1] += 1
    rows = [_dice_row(sides, counts) for sides, counts in sorted(faces.items())]
    return "## Dice\n\n" + "\n\n".join(rows) if rows else ""


def _dice_row(sides: int, counts: list[int]) -> str:
    total = sum(counts)
    head = " | ".join(str(face) for face in range(1, sides + 1))
    rule = " | ".join("---:" for _ in counts)
    shares = " | ".join(str(count) for count in counts)
    mean = sum(face * count for face, count in enumerate(counts, start=1)) / total
    return f"{total} d{sides} rolled, mean {mean:.2f}:\n\n| {head} |\n| {rule} |\n| {shares} |"
