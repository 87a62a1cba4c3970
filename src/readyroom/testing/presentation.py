"""Checks of a game's files and presentation: rulebook, options, tutorial, colours, boards, match statistics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from io import StringIO
from numbers import Real
from random import Random

from rich.console import Console

from readyroom import bots
from readyroom.engine.facts import find_fact
from readyroom.engine.game import ACCENTS, WITHOUT_DICE, sides
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyGame, AnyMatch
from readyroom.testing.snapshots import viewers


def fits(case: Case) -> None:
    """Check that the game's files and definition refer only to what exists."""
    with case.guard(Invariant.BRINGS, "reading the game's files"):
        for text in (*_of_the_rulebook(case.game), *_of_the_lesson(case.game), *_of_the_effects(case.game)):
            case.check(Invariant.BRINGS, not text, text)
        for side, accent in case.game.presentation.colours.items():
            text = f"the colour of {side} is {accent}; there are {', '.join(ACCENTS)}"
            case.check(Invariant.BRINGS, accent in ACCENTS, text)


def _of_the_rulebook(game: AnyGame) -> Iterator[str]:
    """Yield a sentence for each error, and an empty text for each correct item."""
    book, options = game.rulebook, {option.key for option in game.options}
    known = {rule.number for rule in book.rule} | {ruling.id for ruling in book.ruling}
    numbers = {f"the option {option.key}": option.rule for option in game.options}
    numbers |= {f"the phase {phase.name}": phase.rule for phase in game.rules.phases}
    numbers |= {f"the ruling {ruling.id}": ruling.rule for ruling in book.ruling}
    numbers |= {f"effects.toml, {rule},": rule.removesuffix(WITHOUT_DICE) for rule in game.effects}
    for what, number in numbers.items():
        yield "" if number in known else f"{what} names the rule {number}, which rules.toml does not have"
    for ruling in book.ruling:
        unknown = f"the ruling {ruling.id} names the option {ruling.option}, which the game does not have"
        yield "" if not ruling.option or ruling.option in options else unknown


def _of_the_lesson(game: AnyGame) -> Iterator[str]:
    lesson = game.lesson
    if lesson is None:
        return
    known = {rule.number for rule in game.rulebook.rule}
    seats = [seat.key for seat in game.rules.seats(game.scenario(lesson.scenario), game.resolve(lesson.options))]
    yield "" if lesson.seat in seats else f"the lesson is for {lesson.seat}; the seats are {', '.join(seats)}"
    yield "" if bots.can_play(game, lesson.bot) else f"the lesson's bot is {lesson.bot}, which the game does not have"
    for step in lesson.step:
        yield "" if step.rule in known else f"the lesson's step {step.title!r} names the rule {step.rule}"
    for news in lesson.news:
        yield "" if news.rule in known else f"the lesson has news of the rule {news.rule}"


def _of_the_effects(game: AnyGame) -> Iterator[str]:
    script = files(game.package).joinpath("static").joinpath("effects.js")
    _, _, exported = (script.read_text("utf-8") if script.is_file() else "").partition("export const effects")
    for rule, effect in game.effects.items():
        known = not effect.name or re.search(rf"\b{re.escape(effect.name)}\b", exported)
        yield (
            ""
            if known
            else f"effects.toml, {rule}, names the effect {effect.name}, which static/effects.js does not export"
        )


def shows(case: Case, match: AnyMatch) -> None:
    """Check that the boards can be drawn from every viewer's view."""
    from readyroom.web import board_svg, formatting  # takes long to load

    for seat in viewers(match):
        with case.guard(Invariant.BRINGS, f"the board of {seat or 'a spectator'}"):
            case.findings.checks[Invariant.BRINGS] += 1
            view = match.view(seat)
            if case.game.presentation.board is not None:
                Console(file=StringIO(), width=80).print(case.game.presentation.board(view))
            board_svg.drawing(case.game, view, formatting.pending(match, seat))


def answers_of_bots(case: Case, match: AnyMatch, seat: str, random: Random) -> None:
    """Check that the game's bots give legal answers."""
    for name, make in case.game.analysis.bots.items():
        with case.guard(Invariant.BRINGS, f"the bot {name} of {seat}"):
            case.findings.checks[Invariant.BRINGS] += 1
            decision = match.pending[seat]
            decision.accept(make(seat, random)(decision, match.bot_view(seat)))


def sums_up(case: Case, match: AnyMatch) -> None:
    """Check the summary, statistics and facts of a finished match."""
    game, outcome = case.game, match.outcome
    assert outcome is not None
    with case.guard(Invariant.BRINGS, "summing up"):
        for side in sides(match.seats):
            utility = game.analysis.utility(outcome, side)
            text = f"the ending {outcome.title!r} has utility {utility} for {side}, which is not from 0 to 1"
            case.check(Invariant.BRINGS, 0 <= utility <= 1, text)
        for title, count in game.analysis.match_stats(match.state, game.data).items():
            text = f"the match statistic {title!r} is {count!r}, not a number"
            case.check(Invariant.BRINGS, isinstance(count, Real), text)
        known = game.known_facts(match.seats)
        for key, value in game.facts_of(match.state, match.scenario, outcome, match.seats).items():
            text = f"the fact {key!r} is {value!r}, which its entry in facts.toml does not allow"
            case.check(Invariant.BRINGS, find_fact(known, key, "facts.toml").fits(value), text)
        epilogue, diagram = game.presentation.epilogue, game.presentation.text_diagram
        texts = [*epilogue(match.state, game.data), diagram(match.state, game.data)]
        case.check(Invariant.BRINGS, all(isinstance(text, str) for text in texts), "epilogue or diagram is not text")
        for loss in game.presentation.losses(match.state, game.data):
            text = f"the loss {loss.name!r} counts {loss.count} of {loss.total or 'any'}"
            case.check(Invariant.BRINGS, 0 < loss.count <= (loss.total or loss.count), text)
        if (scale := game.presentation.scale(match.state, game.data)) is not None:
            first, *others = (band.least for band in scale.bands)
            starts = [least for least in others if least is not None]
            ordered = first is None and len(starts) == len(others) and starts == sorted(set(starts))
            case.check(
                Invariant.BRINGS, ordered, f"the results on the scale of {scale.name} are not in order: {starts}"
            )
        if game.presentation.standing is not None:
            unknown = set(game.presentation.standing(match.state, game.data)) - set(sides(match.seats))
            case.check(Invariant.BRINGS, not unknown, f"the standing has sides that do not play: {sorted(unknown)}")
