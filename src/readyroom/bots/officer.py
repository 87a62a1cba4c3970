"""The staff officer: what each answer to a question promises, played on from positions that the seat cannot tell apart.

Every answer is tried under the same dice as what the usual doctrine would do; the figures are means over these trials,
with the half-width of their 95 % intervals. The officer sees what its seat sees, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import fmean
from time import perf_counter
from typing import Any

import msgspec

from readyroom.bots.search import Limit
from readyroom.bots.trials import Keys, Thought, Trials, answer_of, changed, in_turn, makers_of, single
from readyroom.engine.checks import percent
from readyroom.engine.decisions import Decision
from readyroom.engine.game import Game
from readyroom.engine.match import Match, Sight

OPTIONS, CHANGES = 30, 8
"""How many single options, and how many small changes of the usual answer, are weighed at most."""
SURE = 1.96
"""Standard errors on either side of a mean that leave out one case in twenty."""
NAMED = 4
"""Options of an answer that are told by name."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One answer: its keys, its words, whose it is, what it comes to from 0 to 1, the error of that, and the trials.

    `gain` is how much more it is worth than what the usual doctrine would do, and `doubt` the error of that difference.
    """

    keys: Keys
    words: str
    doctrine: str
    worth: float
    error: float
    gain: float
    doubt: float
    trials: int


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What the officer says: the answers, the best first, and one sentence why; `rule` is that of the question.

    `chances` tells whether the figures are chances to win, or else what an ending is worth where only one side plays.
    """

    seat: str
    rule: str
    question: str
    judged: list[Judged]
    why: str
    chances: bool
    trials: int


@dataclass
class _Tried:
    """One answer's trials: what it came to in each, and the game's counts of each ending."""

    thought: Thought
    worth: dict[int, float] = field(default_factory=dict)
    counts: dict[int, Mapping[str, float]] = field(default_factory=dict)


def advise(match: Match[Any, Any], seat: str, limit: Limit = Limit(1.0), random: Random | None = None) -> Advice:  # noqa: B008
    """What a seat is advised to answer to the question that it is asked.

    Args:
        match: the match as it stands.
        seat: whose question it is.
        limit: how long the officer may think.
        random: where the positions and the dice to come are drawn from; without one, by the match's own standing.

    Raises:
        NotYourDecision: the seat is asked nothing.
    """
    decision = match.asked(seat)
    chance = random or Random(f"officer {match.fingerprint} {match.revision}")
    side = next(each.side for each in match.seats if each.key == seat)
    makers = makers_of(match.game, side)
    trials = Trials(match.game, seat, next(iter(makers.values())), side)
    tried = [_Tried(thought) for thought in _thoughts(match.game, decision, match.sight(seat), side, chance)]
    _try(trials, tried, match.sight(seat), limit, chance)
    return _advice(match, seat, decision, tried)


def _thoughts(game: Game[Any, Any], decision: Decision, look: Sight, side: str, chance: Random) -> list[Thought]:
    """What comes to mind: the usual answer first, then those of other doctrines, single options, small changes."""
    makers = makers_of(game, side)
    found: dict[Keys, Thought] = {}
    for name, maker in makers.items():
        keys = answer_of(decision, maker(look.seat, Random(chance.random())), look)
        if keys is None and not found:
            keys = decision.sample(chance)
        if keys is not None:
            found.setdefault(keys, Thought(keys, maker, name))
    usual = next(iter(found.values()))
    more = [*single(decision, set(found), OPTIONS), *changed(decision, usual.answer, set(found), CHANGES, chance)]
    return [*found.values(), *(Thought(keys, usual.maker) for keys in more)]


def _try(trials: Trials, tried: Sequence[_Tried], look: Sight, limit: Limit, chance: Random) -> None:
    """Trials until the time or their number is over; each round begins with the usual answer."""
    until = perf_counter() + limit.seconds
    usual, by_thought = tried[0], {id(each.thought): each for each in tried}
    for number in range(limit.trials):
        seed = chance.random()
        if not _one(trials, usual, look, seed, until, number):
            return
        for thought in in_turn([each.thought for each in tried[1:]], number):
            each = by_thought[id(thought)]
            if not _one(trials, each, look, seed, until, number):
                return
            thought.learn(each.worth[number] - usual.worth[number])


def _one(trials: Trials, each: _Tried, look: Sight, seed: float, until: float, number: int) -> bool:
    """One trial of one answer; whether there was time for it."""
    match = trials.ended(each.thought, look, seed, until)
    if match is None:
        return False
    each.worth[number] = trials.game.worth(match.outcome, trials.side) if match.outcome is not None else 0.0
    if match.outcome is not None:
        each.counts[number] = trials.game.counts(match.state, trials.game.data)
    return True


# -- telling ---------------------------------------------------------------------------------------------------------


def _advice(match: Match[Any, Any], seat: str, decision: Decision, tried: Sequence[_Tried]) -> Advice:
    usual = tried[0]
    known = [each for each in tried if each.worth] or [usual]
    ranked = sorted(known, key=lambda each: -_judged(decision, each, usual).worth)
    judged = [_judged(decision, each, usual) for each in ranked]
    chances = len({each.side for each in match.seats}) > 1
    return Advice(
        seat=seat,
        rule=decision.rule,
        question=decision.question,
        judged=judged,
        why=_why(match.game, decision.rule, ranked, judged, chances),
        chances=chances,
        trials=sum(len(each.worth) for each in tried),
    )


def _judged(decision: Decision, each: _Tried, usual: _Tried) -> Judged:
    """An answer's figures: the usual one's mean over all its trials, and beside it the mean of the differences."""
    base = list(usual.worth.values())
    differences = [worth - usual.worth[number] for number, worth in each.worth.items()]
    gain, doubt = fmean(differences or [0.0]), error(differences)
    own = error(list(each.worth.values()))
    return Judged(
        keys=each.thought.answer,
        words=in_words(decision, each.thought.answer),
        doctrine=each.thought.name,
        worth=min(1.0, max(0.0, fmean(base or [0.5]) + gain)),
        error=min(own, sqrt(error(base) ** 2 + doubt**2)) if each is not usual else own,
        gain=gain,
        doubt=doubt,
        trials=len(differences),
    )


def error(found: Sequence[float]) -> float:
    """Half the width of the 95 % interval of a mean; one half where there are too few figures to tell.

    >>> round(error([0.0, 1.0] * 50), 3), error([1.0])
    (0.099, 0.5)
    """
    if len(found) < 2:
        return 0.5
    mean = fmean(found)
    spread = sum((each - mean) ** 2 for each in found) / (len(found) - 1)
    return SURE * sqrt((spread + 0.25 / len(found)) / len(found))


def in_words(decision: Decision, keys: Sequence[str]) -> str:
    """An answer as a player reads it."""
    texts = {option.key: option.text for option in decision.options}
    if len(keys) == len(texts) > 1 and len(set(keys)) == len(keys):
        return "all"
    counted = {texts[key]: list(keys).count(key) for key in keys}
    told = [text if count == 1 else f"{count} × {text}" for text, count in counted.items()]
    more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
    return f"{', '.join(told[:NAMED]) or 'none'}{more}"


def _why(game: Game[Any, Any], rule: str, ranked: Sequence[_Tried], judged: Sequence[Judged], chances: bool) -> str:
    """One plain sentence: how the best answer did, and what it did better."""
    best = judged[0]
    title = _title(game, rule)
    if not best.trials:
        return f"There was no time to try anything out; this is what the usual doctrine does. [{title}]"
    done = "wins" if chances else "is worth"
    found = f"Played on {best.trials} times from here, it {done} {percent(best.worth)} ± {percent(best.error)}"
    if len(judged) == 1:
        return f"{found}, and nothing else came to mind. [{title}]"
    next_one = judged[1]
    sure = ranked[0].worth.keys() & ranked[1].worth.keys()
    apart = [ranked[0].worth[number] - ranked[1].worth[number] for number in sure]
    if abs(fmean(apart or [0.0])) <= error(apart):
        return f"{found}; “{next_one.words}” did about as well ({percent(next_one.worth)}). [{title}]"
    return f"{found}, “{next_one.words}” {percent(next_one.worth)}{_because(ranked[0], ranked[1])}. [{title}]"


def _because(best: _Tried, other: _Tried) -> str:
    """The count of the game in which two answers differ most beyond chance, if any does."""
    both = sorted(best.counts.keys() & other.counts.keys())
    if len(both) < 2:
        return ""
    found = [_apart(title, best, other, both) for title in best.counts[both[0]]]
    ratio, told = max(found, default=(0.0, ""))
    return f": {told}" if ratio > 1.0 else ""


def _apart(title: str, best: _Tried, other: _Tried, both: Sequence[int]) -> tuple[float, str]:
    """By how many of its errors a count differs, and the words for it."""
    mine, theirs = ([each.counts[number][title] for number in both] for each in (best, other))
    apart = [one - two for one, two in zip(mine, theirs, strict=True)]
    told = f"{title[0].lower()}{title[1:]} {fmean(mine):.1f} against {fmean(theirs):.1f}"
    return abs(fmean(apart)) / max(error(apart), 1e-9), told


def _title(game: Game[Any, Any], rule: str) -> str:
    """A rule's number with its title, where the rulebook has one."""
    found: Iterator[str] = (f"{rule} {each.title}" for each in game.rulebook.rule if each.number == rule)
    return next(found, rule)
