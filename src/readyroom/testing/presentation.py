"""Checks of a game's files and presentation: rulebook, options, tutorial, colours, boards, match statistics."""

from __future__ import annotations

import fnmatch
import html
import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources import files
from io import StringIO
from numbers import Real
from random import Random

from rich.console import Console

from readyroom import bots
from readyroom.engine.books import Step
from readyroom.engine.facts import find_fact
from readyroom.engine.game import ACCENTS, WITHOUT_DICE, sides
from readyroom.engine.match import Match
from readyroom.engine.rules.state import iter_pieces
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyGame, AnyMatch
from readyroom.testing.snapshots import viewers

LESSON_DECISIONS = 1_000
"""The most decisions of a lesson that are played."""
SELECTABLE = re.compile(r'<\w+ [^>]*class="[^"]*(?<![\w-])can(?![\w-])[^>]*>')
KEYS = re.compile(r' data-(?:key|among|sweep|stack)="([^"]*)"')


def fits(case: Case) -> None:
    """Check that the game's files and definition refer only to what exists."""
    with case.guard(Invariant.BRINGS, "reading the game's files"):
        game = case.game
        for text in (*_of_the_rulebook(game), *_of_the_lesson(game), *_of_the_steps(game), *_of_the_effects(game)):
            case.check(Invariant.BRINGS, not text, text)
        known = _sides_of(game)
        for side, accent in case.game.presentation.colours.items():
            text = f"the colour of {side} is {accent}; there are {', '.join(ACCENTS)}"
            case.check(Invariant.BRINGS, accent in ACCENTS, text)
            near = [] if side in known else get_close_matches(side, known, n=1)  # others may play in own scenarios
            text = f"there is a colour for the side {side}, which does not play; did you mean {', '.join(near)}?"
            case.check(Invariant.BRINGS, not near, text)


def _sides_of(game: AnyGame) -> list[str]:
    scenarios, options = game.rules.scenarios(game.data), game.resolve({})
    return sides(seat for scenario in scenarios for seat in game.rules.seats(scenario, options))


def _of_the_rulebook(game: AnyGame) -> Iterator[str]:
    """Yield a sentence for each error, and an empty text for each correct item."""
    book, options = game.rulebook, {option.key for option in game.options}
    known = {rule.number for rule in book.rule} | {ruling.id for ruling in book.ruling}
    for number, times in Counter([*(rule.number for rule in book.rule), *(each.id for each in book.ruling)]).items():
        yield "" if times == 1 else f"rules.toml has the number {number} {times} times"
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
        unknown = f"names the rule {step.rule}, which rules.toml does not have"
        yield "" if step.rule in known else f"the lesson's step {step.title!r} {unknown}"
    for news in lesson.news:
        unknown = f"names the rule {news.rule}, which rules.toml does not have"
        yield "" if news.rule in known else f"the lesson's news {unknown}"


def _of_the_steps(game: AnyGame) -> Iterator[str]:
    """Play the lesson, and yield a sentence for each step met that names what is neither on the board nor an option."""
    from readyroom.web import board_svg, formatting  # takes long to load

    lesson = game.lesson
    if lesson is None:
        return
    match, random = Match(game, lesson.scenario, lesson.options, lesson.seed), Random(lesson.seed)
    known, met = {piece.key for piece in iter_pieces(match.state)}, dict[str, Step]()
    while match.outcome is None and match.state.at.turn <= lesson.turns and match.decision_count < LESSON_DECISIONS:
        seat, decision = next(iter(match.pending.items()))
        step = lesson.tip(decision.rule, match.state.at.turn, decision.piece_key) if seat == lesson.seat else None
        known.update(decision.keys)
        if step is not None and step.title not in met:
            met[step.title] = step
            drawn = board_svg.drawing(game, match.view(seat), formatting.pending(match, seat))
            known.update(KEYS.findall(drawn.svg) if drawn is not None else ())
        match.decide(seat, (step.suggested_keys(decision) if step else ()) or decision.sample(random))
    for step in met.values():
        names = [*(name for name in step.show if not name.startswith(".")), *step.pick]
        unknown = ", ".join(name for name in names if not fnmatch.filter(known, name))
        yield f"the lesson's step {step.title!r} names {unknown}, which is no piece and no option" if unknown else ""


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
            drawn = board_svg.drawing(case.game, view, formatting.pending(match, seat))
            keys = set(match.pending[seat].keys) if seat in match.pending else set()
            for part in SELECTABLE.findall(drawn.svg) if drawn is not None else ():
                named = {key for keys_ in KEYS.findall(part) for key in html.unescape(keys_).split()}
                text = f"the board shows {' '.join(sorted(named))} as selectable (class `can`), which is no option"
                case.check(Invariant.BRINGS, not named or bool(named & keys), text)


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
