"""Play matches to their end, or until time runs out."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from time import thread_time
from typing import Any

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.game import Bot
from readyroom.engine.match import Match
from readyroom.engine.rules.state import Outcome


def random_bot(random: Random) -> Bot:
    """Return a bot that answers at random."""
    return lambda decision, view: decision.sample(random)


class Unfinished(Exception):
    """Time ran out before the match ended."""


def play_on(
    match: Match[Any, Any], bots: Mapping[str, Bot], until: float = float("inf"), last_turn: int | None = None
) -> Outcome | None:
    """Let bots play a match from its current position to its end, or to the first decision after a turn.

    A bot that joins in mid-match may not know earlier plans: if it fails or its answer is not legal, a random one
    replaces it.

    Raises:
        Unfinished: the thread has used more processor time than `until`, by `thread_time`, before the match ended.
    """
    views, chance = {seat: match.bot_view(seat) for seat in bots}, Random(0)
    while match.outcome is None:
        if last_turn is not None and match.state.at.turn > last_turn:
            return None
        for seat, decision in match.pending.items():
            if thread_time() > until:
                raise Unfinished
            try:
                match.decide(seat, bots[seat](decision, views[seat]))
            except (IllegalChoice, LookupError, AttributeError, ValueError):
                match.decide(seat, decision.sample(chance))
    return match.outcome
