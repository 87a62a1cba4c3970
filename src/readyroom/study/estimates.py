"""Rollouts: bots play a position to its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from readyroom.bots import assign_seats, check_bots, default_bot, make_bot
from readyroom.bots.playing import play_on
from readyroom.engine.game import Bot, Game, Seat, sides
from readyroom.engine.match import Match
from readyroom.study.random_streams import EventRandom, per_event


class Ending(NamedTuple):
    """How a match ended: its winner or None, the ending's name, its utility to each side, its scores and statistics."""

    winner: str | None
    title: str
    utility: dict[str, float]
    scores: dict[str, int]
    match_stats: dict[str, float]


def players(
    game: Game[Any, Any], seats: Sequence[Seat], wanted: Mapping[str, str], otherwise: str = ""
) -> dict[str, str]:
    """Return the bot that plays each seat: as wanted, otherwise this one, or the game's default.

    Raises `UnknownSeat` and `UnknownBot`.
    """
    named = assign_seats(seats, wanted, otherwise or default_bot(game))
    check_bots(game, named.values())
    return named


def finish_match(match: Match[Any, Any], named: Mapping[str, str], text: str) -> Ending:
    """Let bots play a match to its end; their random numbers follow from this seed text.

    A bot that does not know earlier plans may have no legal answer; a random one replaces it.
    """
    play_on(match, {seat: _player(match, name, seat, text) for seat, name in named.items()})
    return describe_ending(match)


def _player(match: Match[Any, Any], name: str, seat: str, text: str) -> Bot:
    """Return a bot whose random numbers belong to events, as dice do."""
    chances = EventRandom(f"{text}/{seat}")
    return per_event(match, make_bot(match.game, name, seat, chances), chances)


def describe_ending(match: Match[Any, Any]) -> Ending:
    """Describe how a finished match ended."""
    outcome, game = match.outcome, match.game
    assert outcome is not None
    values = {side: game.analysis.utility(outcome, side) for side in sides(match.seats)}
    stats = dict(game.analysis.match_stats(match.state, game.data))
    return Ending(outcome.winner, outcome.title, values, outcome.scores, stats)
