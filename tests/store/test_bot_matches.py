"""Tests of the limits of matches in which only bots play."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update
from tests.store.conftest import Toys
from tests.store.playing import ME, Thinker, enrolled, run_bots
from tests.toys.straits import GAME

from readyroom.store import Player, SeatAssignment, Store
from readyroom.store.errors import (
    TooManyBotMatches,
)
from readyroom.store.lobby.bot_matches import BotMatchLimits
from readyroom.store.tables import matches

THINKER = SeatAssignment("bot", "thinker")


BOTS = {"red": THINKER, "blue": THINKER}


@pytest.fixture
def limited(store: Store, toys: Toys) -> Store:
    """A store that allows one client or player two matches between bots, and three in all, and bots that never end."""
    toys["straits"] = replace(GAME, analysis=replace(GAME.analysis, bots={"thinker": Thinker}))
    with store.database.writing() as connection:
        connection.execute(update(matches).values(changed=0.0))
    store.bot_matches.limits = BotMatchLimits(2, 3)
    return store


def between_bots(store: Store, host: Player | None = None, client: str = "") -> str:
    return store.lobby.create(host, "straits", None, {}, BOTS, client=client).id


def test_matches_between_bots_are_limited_per_client(limited: Store) -> None:
    between_bots(limited, client="here")
    between_bots(limited, client="here")
    with pytest.raises(TooManyBotMatches, match="You have 2 unfinished matches in which only bots play"):
        between_bots(limited, client="here")
    between_bots(limited, client="there")
    with pytest.raises(TooManyBotMatches, match="The server is playing as many matches between bots as it can"):
        between_bots(limited, client="elsewhere")


def test_matches_between_bots_are_limited_per_player(limited: Store) -> None:
    host = enrolled(limited)
    between_bots(limited, host, "here")
    between_bots(limited, host, "there")
    with pytest.raises(TooManyBotMatches):
        between_bots(limited, host, "elsewhere")


def test_last_seat_given_to_a_bot_counts(limited: Store) -> None:
    host = enrolled(limited)
    ids = [limited.lobby.create(host, "straits", None, {}, {"red": ME, "blue": THINKER}).id for _ in range(3)]
    for match_id in ids[:2]:
        limited.seats.assign_bot(match_id, "red", "thinker", host.id, client="here")
    with pytest.raises(TooManyBotMatches):
        limited.seats.assign_bot(ids[2], "red", "thinker", host.id)
    with pytest.raises(TooManyBotMatches):
        between_bots(limited, client="here")
    assert limited.listings.summary(ids[2]).seats[0].bot == ""
    limited.seats.reclaim_seat(ids[0], "red", host.id)
    limited.seats.assign_bot(ids[2], "red", "thinker", host.id)


def test_finished_matches_between_bots_do_not_count(limited: Store) -> None:
    match_id = between_bots(limited, client="here")
    between_bots(limited, client="here")
    while run_bots(limited, match_id):
        pass
    assert limited.listings.summary(match_id).outcome is not None
    between_bots(limited, client="here")
