"""The luck-adjusted result of matches: what they were worth without the luck of dice, by AIVAT.

Wherever dice fell after a decision, they are rolled again many times, and the value of the position after the
dice that fell is compared with the mean of the others: that is their luck. The result minus all luck has the same
expectation as the result, for all players and values however rough, because the other dice are independent of
the match and the value is worked out in the same way after all of them; but it varies less. Over many matches it shows
strength sooner. Of a single match it says little: a review measures that by rollouts.

Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: A New Variance Reduction Technique for Agent Evaluation in
Imperfect Information Games", AAAI 2018.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

import msgspec

from readyroom.bots.statistics import ANY, Interval, estimate_mean, mean_of
from readyroom.bots.values import Values, values_of
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, sides
from readyroom.engine.match import Match
from readyroom.engine.record.format import Entry, Undo
from readyroom.engine.record.replay import game_of_record, iter_replay
from readyroom.engine.rules.dice import secret_of_seed
from readyroom.study.estimates import describe_ending
from readyroom.study.matches import map_parallel
from readyroom.study.results import StudyResult
from readyroom.study.review.units import WatchedDice
from readyroom.study.review.what_if import finished

AnyMatch: TypeAlias = Match[Any, Any]
ROLLS = 16
"""How often the dice of a decision are rolled again."""
SEED = "luck"


class NoValues(ReadyRoomError):
    """No values are fitted to the game, so that its dice cannot be weighed."""

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(
            f"{game.title} has no fitted values for its current rules and figures; luck cannot be measured by them. "
            "`readyroom values` lists what there is."
        )


class AdjustedMatch(msgspec.Struct, frozen=True):
    """A match: its game, and by side its utility and the luck that is part of it."""

    game: str
    utility: dict[str, float]
    luck: dict[str, float]


class AdjustedSide(msgspec.Struct, frozen=True, kw_only=True):
    """A side in some matches: its mean utility, its mean luck, and the mean utility without luck.

    `matches` is how many there were, and `saved` how many times as many would be needed for the same precision without
    the adjustment.
    """

    side: str
    name: str
    matches: int
    utility: Interval
    luck: Interval
    adjusted: Interval
    saved: float


class LuckStudy(StudyResult, frozen=True, kw_only=True):
    """The luck-adjusted results of some matches of a game, by side."""

    game: str
    title: str
    rolls: int
    seed: str
    sides: list[AdjustedSide]
    matches: list[AdjustedMatch]


def values_for(game: Game[Any, Any]) -> Values:
    """Return the values of a game by which luck is measured; raise `NoValues`."""
    values = values_of(game)
    if values is None:
        raise NoValues(game)
    return values


def adjust(record: str, *, rolls: int = ROLLS, seed: str = SEED, data: Path | None = None) -> AdjustedMatch:
    """Return the luck of a finished match.

    Args:
        record: the text of the record.
        rolls: how often the dice of a decision are rolled again.
        seed: words that fix them.
        data: a folder of an owner's own figures.

    Raises:
        NoSuchDecision, InvalidRecord: the record is not one of a match that is over and holds.
        NoValues: no values are fitted to the game.
    """
    parsed = finished(record)
    game = game_of_record(parsed.header, data)
    values = values_for(game)
    undone = {n for _, entry in parsed.entries if isinstance(entry, Undo) for n in entry.undo}
    luck, others = dict[str, float](), list[Mapping[str, float]]()

    def add(match: AnyMatch) -> None:
        """Add the luck of the dice that fell before this position."""
        for side, value in (_value(match, values) if others else {}).items():
            luck[side] = luck.get(side, 0.0) + value - fmean(each[side] for each in others)

    match: AnyMatch | None = None
    for match, entry in iter_replay(parsed, game=game):
        add(match)
        others = []
        if isinstance(entry, Entry) and entry.n not in undone:
            others = _rolled_again(match, entry, values, rolls, f"{seed}/{parsed.header.fingerprint}/{entry.n}")
    assert match is not None
    add(match)
    return AdjustedMatch(game.key, describe_ending(match).utility, {s: luck.get(s, 0.0) for s in sides(match.seats)})


def _rolled_again(match: AnyMatch, entry: Entry, values: Values, rolls: int, text: str) -> list[Mapping[str, float]]:
    """Return the values after a decision with other dice; none if no dice fall."""
    found = list[Mapping[str, float]]()
    for number in range(rolls):
        dice = WatchedDice(f"{text}/{number}")
        copy = match.fork(secret_of_seed(text), log=False, checkpoints=False, dice=dice)
        copy.decide(entry.seat, entry.chose)
        if not dice.rolled:
            return []
        found.append(_value(copy, values))
    return found


def _value(match: AnyMatch, values: Values) -> Mapping[str, float]:
    return describe_ending(match).utility if match.outcome is not None else values.of_match(match)


def study_luck(
    records: Sequence[str], *, rolls: int = ROLLS, seed: str = SEED, workers: int = 1, data: Path | None = None
) -> LuckStudy:
    """Return the luck-adjusted results of finished matches of one game, by side.

    The arguments are as for `adjust`. Raises `ReadyRoomError` if the matches are of several games.
    """
    game = game_of_record(finished(records[0]).header, data)
    matches = list(map_parallel(partial(adjust, rolls=rolls, seed=seed, data=data), records, workers))
    if {match.game for match in matches} != {game.key}:
        raise ReadyRoomError("These records are of several games. Adjust those of each game separately.")
    seats = game.rules.seats(game.first_scenario, game.resolve({}))
    found = dict.fromkeys(side for match in matches for side in match.utility)
    return LuckStudy(
        game=game.key,
        title=game.title,
        rolls=rolls,
        seed=seed,
        sides=[
            _side(side, game.side_name(side, seats), [match for match in matches if side in match.utility])
            for side in found
        ],
        matches=matches,
    )


def _side(side: str, name: str, matches: Sequence[AdjustedMatch]) -> AdjustedSide:
    utility, luck = [match.utility[side] for match in matches], [match.luck[side] for match in matches]
    adjusted = [result - lucky for result, lucky in zip(utility, luck, strict=True)]
    before, after = estimate_mean(utility, ANY).error, estimate_mean(adjusted, ANY).error
    return AdjustedSide(
        side=side,
        name=name,
        matches=len(matches),
        utility=mean_of(utility),
        luck=mean_of(luck),
        adjusted=mean_of(adjusted),
        saved=(before / after) ** 2 if after else 1.0,
    )
