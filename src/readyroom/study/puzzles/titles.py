"""Titles of puzzles, from their positions: what has just happened as the side knows it, and what is asked."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from readyroom.engine.game import EventKind
from readyroom.engine.match import Match
from readyroom.engine.rules.table import LoggedEvent, LogLine
from readyroom.engine.text import count_noun
from readyroom.study.puzzles.puzzle import Puzzle, puzzle_games, puzzles_of

SENTENCE = re.compile(r"\S.*?[.?!](?=\s|$)")
QUIET: frozenset[EventKind | str] = frozenset({"note", "draw", "roll", "hit"})
"""Kinds of events that no title names."""
LONGEST = 56
"""The most letters of a line of the log that is a title."""
FORMS = 3
"""How many titles a puzzle may have, each with more facts."""


@lru_cache(maxsize=16)
def puzzle_names(game: str) -> dict[str, str]:
    """Return the titles of a game's puzzles; several of one title get a longer one, and at last numbers."""
    forms = {key: _titles(each) for key, each in sorted(puzzles_of(game).items())}
    names = {key: titles[0] for key, titles in forms.items()}
    for more in range(1, FORMS):
        often = Counter(names.values())
        names = {key: forms[key][more] if often[name] > 1 else name for key, name in names.items()}
    often, seen = Counter(names.values()), Counter[str]()
    for key, name in names.items():
        seen[name] += 1
        names[key] = f"{name}, no.\N{NO-BREAK SPACE}{seen[name]}" if often[name] > 1 else name
    return names


def stake(puzzle: Puzzle) -> int:
    """Return by how many points the worst of the measured answers is worse than the best."""
    return round(-100 * min(one.loss.mean for one in puzzle.spec.answers))


def puzzle_of_the_day(day: date) -> Puzzle | None:
    """Return the puzzle of a day: each has its day before the first one comes again. None if there are none."""
    known = [each for game in puzzle_games() for each in puzzles_of(game).values()]
    known.sort(key=lambda each: blake2b(each.id.encode()).digest())
    return known[day.toordinal() % len(known)] if known else None


def _titles(puzzle: Puzzle) -> list[str]:
    """Return what has just happened, with the question; then the same with more facts, and with what is at stake.

    >>> from readyroom.study.puzzles.puzzle import find_puzzle
    >>> _titles(find_puzzle("midway-24bc1670"))[0]
    'Soryu sunk: which squadrons launch?'
    """
    game, source = puzzle.game, puzzle.source
    scenario = game.scenario(source.scenario)
    match: Match[Any, Any] = Match(game, scenario, game.resolve({}), seed=source.seed)
    events = list[LoggedEvent]()
    for seat, keys in source.answers[: puzzle.spec.at]:
        match.listen(events.append)
        match.decide(seat, keys)
    known = {_place(line) for line in match.log(puzzle.spec.seat)}
    question = match.pending[puzzle.spec.seat].question
    parts = SENTENCE.findall(question)
    asks = next((part for part in parts if part.endswith("?")), question)
    facts = [part.partition(";")[0].rstrip(".") for part in parts[: parts.index(asks)]] if asks in parts else []
    happened = _happened(match, [event for event in events if _place(event.line) in known], puzzle.spec.turn)
    first = happened or scenario.title
    asks = f"{asks[0].lower()}{asks[1:]}"
    fuller = ", ".join(dict.fromkeys((first, *facts, *(() if facts else (scenario.title,)))))
    return [f"{first}: {asks}", f"{fuller}: {asks}", f"{fuller}, {count_noun(stake(puzzle), 'point')} at stake: {asks}"]


def _place(line: LogLine) -> tuple[int, str, str]:
    return line.turn, line.phase, line.text


def _happened(match: Match[Any, Any], events: list[LoggedEvent], turn: int) -> str:
    """Return the last two big moments of this turn, or of the one before; else the last short line of an act."""
    for at in (turn, turn - 1):
        moments = list(dict.fromkeys(event.moment for event in events if event.moment and event.line.turn == at))
        if moments:
            return ", ".join(moments[-2:])
    acts = (one for one in reversed(events) if match.game.effect_of(one.line, is_miss=one.is_miss)[0] not in QUIET)
    return next(
        (one.line.text.rstrip(".") for one in acts if len(one.line.text) <= LONGEST and "(" not in one.line.text), ""
    )
