"""The utility of an opening if bots play, which is the same for all matches that begin so: it is kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec

from readyroom import __version__
from readyroom.bots.mixes import mix_for
from readyroom.bots.statistics import Interval, mean_utility
from readyroom.engine import files
from readyroom.engine.errors import SaveError
from readyroom.engine.home import data_folder
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import game_of_record, replay
from readyroom.study.estimates import finish_match
from readyroom.study.matches import Mapper, chunk
from readyroom.study.review.rollouts import ReviewJobSpec
from readyroom.study.review.units import player_of

AnyMatch: TypeAlias = Match[Any, Any]
FOLDER = "openings"
PART = 20
"""The matches of a task."""


class OpeningValue(msgspec.Struct, frozen=True):
    """What an opening is worth to each side, the mean number of decisions of a match, and what that applies to."""

    about: dict[str, Any]
    utility: dict[str, Interval]
    decisions: float


def opening_utility(
    job: ReviewJobSpec, matches: int, mapper: Mapper[Any, Any], moved: Callable[[int], object]
) -> OpeningValue:
    """Return what the opening of a match is worth to each side, from this many matches between its bots.

    It does not depend on the seed of the review. `moved` is called with the number of matches played.
    """
    about = _about(_opening(job.record, job.data), job, matches)
    path = data_folder() / FOLDER / f"{blake2b(msgspec.json.encode(about), digest_size=12).hexdigest()}.json"
    with suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.json.decode(path.read_bytes(), type=OpeningValue)
        if kept.about == about:
            return kept
    rows, decisions = list[Sequence[float]](), 0
    for played in mapper(partial(play_openings, job.record, job.data, job.sides, dict(job.bots)), chunk(matches, PART)):
        rows += [utilities for utilities, _ in played]
        decisions += sum(count for _, count in played)
        moved(len(played))
    utility = {side: mean_utility([row[at] for row in rows]) for at, side in enumerate(job.sides)}
    opening = OpeningValue(about, utility, round(decisions / len(rows), 1))
    with suppress(SaveError):
        files.save(path, msgspec.json.encode(opening).decode())
    return opening


def _about(match: AnyMatch, job: ReviewJobSpec, matches: int) -> dict[str, Any]:
    """Return everything that determines the value of an opening."""
    game, mix = match.game, mix_for(match.game, match.scenario.key, match.options)
    return {
        "readyroom": __version__,
        "game": game.key,
        "version": game.version,
        "data": game.data_fingerprint,
        "scenario": match.scenario.text or match.scenario.key,
        "options": match.options,
        "bots": dict(job.bots),
        "mix": None if mix is None else blake2b(msgspec.json.encode(mix), digest_size=12).hexdigest(),
        "matches": matches,
    }


@lru_cache(maxsize=1)
def _opening(record: str, data: Path | None) -> AnyMatch:
    """Return the match of a record at its start."""
    parsed = records.parse(record)
    return replay(parsed, 0, game=game_of_record(parsed.header, data), quick=True)


def play_openings(
    record: str, data: Path | None, sides: Sequence[str], bots: dict[str, str], numbers: range
) -> list[tuple[Sequence[float], int]]:
    """Play some matches between bots from the opening; return the utilities to the sides, and the decisions."""
    first, played = _opening(record, data), list[tuple[Sequence[float], int]]()
    for number in numbers:
        text = f"opening/{number}"
        random = Random(text)
        names = {seat.key: player_of(first, seat.key, bots[seat.key]).name(random.random()) for seat in first.seats}
        match: AnyMatch = Match(first.game, first.scenario, first.options, seed=text, log=False, checkpoints=False)
        ending = finish_match(match, names, text)
        played.append(([ending.utility[side] for side in sides], match.decision_count))
    return played
