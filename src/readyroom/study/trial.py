"""The trial of a scenario: some matches between bots, and what they say of its balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from statistics import mean
from time import monotonic
from typing import Any

import msgspec

from readyroom.bots import default_bot
from readyroom.bots.statistics import wilson_interval
from readyroom.engine.data import ready
from readyroom.engine.game import Game, Scenario, sides
from readyroom.study.matches import PlayedMatch, match_setup, play, shared_stream
from readyroom.study.simulate import Percentiles, percentiles_of

MATCHES = 100
"""The matches of a trial."""
SECONDS = 60.0
"""The seconds after which a trial ends with the matches that are played, if these are enough."""
FEWEST = 10
MOST_ENDINGS = 12
"""The most endings that are named, the most frequent first."""
SEED = "trial"


class ShareOf(msgspec.Struct, frozen=True):
    """How often something happened: its name, the number of matches, the share, and the limits of its 95 % CI."""

    name: str
    times: int
    share: float
    low: float
    high: float


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a trial: the bots, who won, how the matches ended, and how long they were.

    `fingerprint` is that of the text that was played.
    `wins` has each side and draws, and is empty for a game with one side; `scores` are those of each side by name.
    """

    fingerprint: str
    matches: int
    bots: str
    wins: list[ShareOf]
    endings: list[ShareOf]
    turns: Percentiles
    decisions: float
    scores: dict[str, Percentiles]


def run_trial(
    game: Game[Any, Any],
    scenario: Scenario,
    *,
    matches: int = MATCHES,
    seconds: float = SECONDS,
    progress: Callable[[float, float], object] | None = None,
) -> Trial:
    """Play a scenario between the game's default bots; it ends early if it takes longer than `seconds`."""
    bots = default_bot(game)
    options = game.resolve({})
    seats = game.rules.seats(scenario, options)
    table = match_setup(game, scenario=scenario, bots={seat.key: bots for seat in seats})
    played: list[PlayedMatch] = []
    start = monotonic()
    while len(played) < matches and (len(played) < FEWEST or monotonic() - start < seconds):
        played.append(play(game, scenario, table, f"{SEED}/{len(played)}", shared_stream))
        if progress is not None:
            progress(max(len(played) / matches, min(0.99, (monotonic() - start) / seconds)), 1.0)
    contenders = sides(seats)
    names = {side: game.side_name(side, seats) for side in contenders}
    winners = Counter(match.winner for match in played)
    wins = [_share(names[side], winners[side], len(played)) for side in contenders]
    wins.append(_share("Draw", winners[None], len(played)))
    return Trial(
        fingerprint=fingerprint_of(scenario.text or ""),
        matches=len(played),
        bots=bots,
        wins=wins if len(contenders) > 1 else [],
        endings=[
            _share(title, times, len(played))
            for title, times in Counter(match.title for match in played).most_common(MOST_ENDINGS)
        ],
        turns=percentiles_of([match.turn for match in played]),
        decisions=round(mean(match.decisions for match in played), 1),
        scores={
            names.get(side, side): percentiles_of([match.scores[side] for match in played if side in match.scores])
            for side in dict.fromkeys(side for match in played for side in match.scores)
        },
    )


def _share(name: str, times: int, of: int) -> ShareOf:
    return ShareOf(name, times, times / of, *wilson_interval(times, of))


def fingerprint_of(text: str) -> str:
    """Return a short hash of the text of a scenario."""
    return blake2b(text.encode(), digest_size=9).hexdigest()


def pack_trial(trial: Trial) -> bytes:
    """Return a trial as bytes."""
    return msgspec.json.encode(trial)


def unpack_trial(data: bytes) -> Trial:
    """Return a trial that `pack_trial` has written; raise `msgspec.MsgspecError` for others."""
    return msgspec.json.decode(data, type=ready(Trial))
