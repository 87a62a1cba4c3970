"""Playing matches on: to their end, or as long as there is time."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from time import perf_counter
from typing import Any

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.game import Bot
from readyroom.engine.match import Match
from readyroom.engine.state import Outcome


def random_bot(random: Random) -> Bot:
    """A bot that answers at random and never looks."""
    return lambda decision, look: decision.sample(random)


class Unfinished(Exception):
    """The time was over before the match was."""


def play_on(match: Match[Any, Any], bots: Mapping[str, Bot], until: float = float("inf")) -> Outcome:
    """Let bots play from where a match stands to its end.

    A bot that comes into the middle of a match may not know what was planned: where its answer is not legal, chance
    answers for it.

    Raises:
        Unfinished: it was `until` by the clock of `perf_counter`, and the match not over.
    """
    looks, chance = {seat: match.bot_view(seat) for seat in bots}, Random(0)
    while match.outcome is None:
        for seat, decision in match.pending.items():
            if perf_counter() > until:
                raise Unfinished
            try:
                match.decide(seat, bots[seat](decision, looks[seat]))
            except (IllegalChoice, LookupError):
                match.decide(seat, decision.sample(chance))
    return match.outcome
