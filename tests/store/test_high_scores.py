"""Tests of high scores: whose results are listed, and which matches count."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from sqlalchemy import update
from tests.store.conftest import Toys
from tests.store.playing import BOT, ME, enrolled, play
from tests.toys.tiny import ask, tiny

from readyroom.store import Player, Store
from readyroom.store.ladder import high_scores
from readyroom.store.tables import matches

SEATS = {"red": ME}


@pytest.fixture(autouse=True)
def alone(toys: Toys, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a game of one side, and keep no results in memory."""
    toys["tiny"] = tiny(ask("red"), ask("red"), seats=("red",))
    monkeypatch.setattr(high_scores, "FRESH", -1.0)


def on_ladder(store: Store, name: str) -> Player:
    player = enrolled(store, name)
    store.ladder.join(player.id)
    return player


def played(store: Store, player: Player, score: int = 5, **more: object) -> str:
    """Play a match of one side to its end, which has this score."""
    match = store.lobby.create(player, "tiny", None, {}, SEATS, **more).id  # type: ignore[arg-type]
    return ended(store, match, score)


def ended(store: Store, match: str, score: int = 5) -> str:
    play(store, match, Random(1))
    outcome = f'{{"winner":null,"title":"draw","text":"","scores":{{"red":{score}}}}}'
    with store.database.writing() as connection:
        connection.execute(update(matches).where(matches.c.id == match).values(outcome=outcome))
    return match


def rows(store: Store, viewer: str = "") -> list[tuple[str, int | None]]:
    """Return the names and scores that are listed for a viewer, without those of other tests."""
    found = store.high_scores.of_game("tiny", viewer).get("only", [])
    return [(one.name, one.score) for one in found]


def test_players_on_the_ladder_are_listed_once_with_their_best(store: Store) -> None:
    ann, ben, hidden = on_ladder(store, "Ann"), on_ladder(store, "Ben"), enrolled(store, "Hidden")
    for player, score in ((ann, 3), (ann, 8), (ann, 5), (ben, 8), (ben, 7), (hidden, 9)):
        played(store, player, score)
    mine = {ann.name, ben.name, hidden.name}
    assert [row for row in rows(store) if row[0] in mine] == [("Ann", 8), ("Ben", 8)], "of equal ones the first"
    assert ("Hidden", 9) in rows(store, hidden.id), "only to oneself"
    assert ("Hidden", 9) not in rows(store, ann.id)
    own = store.high_scores.of_game("tiny", hidden.id)["only"]
    assert [one.is_listed for one in own if one.player == hidden.id] == [False]
    store.ladder.leave(ann.id)
    assert "Ann" not in dict(rows(store))


def with_hint(store: Store, player: Player) -> str:
    match = store.lobby.create(player, "tiny", None, {}, SEATS).id
    store.matches.use_help(store.listings.summary(match))
    return match


def with_seed(store: Store, player: Player) -> str:
    return store.lobby.create(player, "tiny", None, {}, SEATS, seed="known").id


def by_two(store: Store, player: Player) -> str:
    match = store.lobby.create(player, "tiny", None, {}, SEATS).id
    store.seats.join_by_link(store.seats.new_link(match, "red", player.id), enrolled(store, "Other").id)
    return match


def taken_over(store: Store, player: Player) -> str:
    first = enrolled(store, "First")
    match = store.lobby.create(first, "tiny", None, {}, SEATS).id
    play(store, match, Random(1), 1)
    store.seats.join_by_link(store.seats.new_link(match, "red", first.id), player.id)
    store.seats.leave_seat(match, "red", first.id)
    return match


@pytest.mark.parametrize("begin", [with_hint, with_seed, by_two, taken_over])
def test_other_matches_do_not_count(store: Store, begin: Callable[[Store, Player], str]) -> None:
    player = on_ladder(store, f"Nimitz {begin.__name__}")
    ended(store, begin(store, player))
    assert player.name not in dict(rows(store, player.id))
    played(store, player)
    assert player.name in dict(rows(store)), "a match like it counts otherwise"


def test_imported_match_and_attempt_at_a_challenge_do_not_count(store: Store) -> None:
    player = on_ladder(store, "Nimitz of the day")
    for column in ({"origin": "daily"}, {"record": "{}"}, {"decided": "resigned"}, {"own": "{}"}, {"handed": 1}):
        match = played(store, player)
        with store.database.writing() as connection:
            connection.execute(update(matches).where(matches.c.id == match).values(**column))
    assert player.name not in dict(rows(store, player.id))


def test_hint_is_noted_only_in_matches_of_one_side_and_not_in_a_rematch(store: Store, toys: Toys) -> None:
    player = enrolled(store)
    match = ended(store, with_hint(store, player))
    assert store.listings.summary(match).help_agreed
    assert not store.rematches.create(match, player).help_agreed
    other = store.lobby.create(player, "straits", None, {}, {"red": ME, "blue": BOT}).id
    store.matches.use_help(store.listings.summary(other))
    assert not store.listings.summary(other).help_agreed


def test_results_are_kept_in_memory_for_some_minutes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(high_scores, "FRESH", 300.0)
    ann, ben = on_ladder(store, "Ann in memory"), on_ladder(store, "Ben in memory")
    played(store, ann)
    assert ann.name in dict(rows(store))
    played(store, ben)
    assert ben.name not in dict(rows(store))
    assert ben.name in dict(rows(store, ben.id)), "the reader's result is there at once"
    store.ladder.leave(ann.id)
    assert ann.name not in dict(rows(store)), "who leaves is gone at once"
