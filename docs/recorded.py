"""Choose the recorded matches that the program comes with: of many matches between bots, the one with most big moments.

Run `python docs/recorded.py [GAME …]` after a change of a game's rules or figures.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path
from random import Random
from typing import Any

from readyroom.bots import default_bot, make_bot
from readyroom.engine.game import Game, load_game
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.positions import build_index
from readyroom.study import recorded

GAMES = ("midway", "tora", "war", "pearl", "picket", "doolittle")
TRIED = 60
"""How many matches of a game are played."""


def played(game: Game[Any, Any], seed: str) -> str:
    """Return the record of a match between the default bots."""
    match: Match[Any, Any] = Match(game, seed=seed, log=False)
    players = {
        seat.key: make_bot(game, default_bot(game), seat.key, Random(f"{seed}/{seat.key}")) for seat in match.seats
    }
    views = {seat: match.bot_view(seat) for seat in players}
    while match.outcome is None:
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, players[seat](decision, views[seat]))
    return match.record()


def drama(game: Game[Any, Any], record: str) -> int:
    """Return how much happens in a match: the ranks of its big moments, sinkings most of all."""
    return sum(moment.rank**2 for moment in build_index(records.parse(record), game).moments)


if __name__ == "__main__":
    for name in sys.argv[1:] or GAMES:
        played_game = load_game(name)
        texts = (played(played_game, f"recorded {number}") for number in range(TRIED))
        text = max(texts, key=lambda one: drama(played_game, one))
        path = Path(recorded.__file__).with_name(f"{name}{recorded.SUFFIX}")
        path.write_bytes(lzma.compress(text.encode(), preset=9))
        print(name, drama(played_game, text), path.stat().st_size)
