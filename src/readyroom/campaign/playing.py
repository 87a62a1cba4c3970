"""Campaigns between bots."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from readyroom.bots import can_play, default_bot, make_bot, needs_checkpoints, play_to_end
from readyroom.campaign.war import AnyMatch, Played, Setup, War, chapter_seed
from readyroom.engine.game import Bot, Game


def bot_for(game: Game[Any, Any], name: str) -> str:
    """Return the bot of this name, or the game's default one if it has no such bot."""
    return name if can_play(game, name) else default_bot(game)


def seat_bots(setup: Setup, match: AnyMatch, bots: Mapping[str, str], random: Random) -> dict[str, Bot]:
    """Return the bots of a chapter's seats, from the names of the bots by campaign side; other seats' by default."""
    names = {seat.key: bot_for(match.game, bots.get(setup.side_of(seat.key) or "", "")) for seat in match.seats}
    return {seat: make_bot(match.game, name, seat, random) for seat, name in names.items()}


def play_chapter(war: War, bots: Mapping[str, str], random: Random, *, order: str = "", risk: str = "") -> Played:
    """Let bots play the next chapter of a campaign; return what became of it.

    Args:
        war: the campaign, with a chapter to come.
        bots: a bot's name for each side.
        random: the random numbers of the bots.
        order: the sealed order; drawn at random if the chapter has some and none is named.
        risk: the side that calls calculated risk.
    """
    chapter = war.next_chapter
    assert chapter is not None
    if chapter.order and not order:
        order = random.choice(chapter.order).key
    setup = war.begin(order, risk)
    if setup is None:
        return war.played[-1]
    ahead = needs_checkpoints(bots.values())
    match = setup.new_match(chapter_seed(war, chapter.key), log=False, checkpoints=ahead)
    play_to_end(match, seat_bots(setup, match, bots, random))
    return war.finish(match)


def play_war(war: War, bots: Mapping[str, str]) -> None:
    """Let bots play a campaign to its end."""
    random = Random(f"{war.header.seed}/bots")
    while war.closed is None:
        play_chapter(war, bots, random)
