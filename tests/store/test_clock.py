"""Tests of the clocks of a match: which run, what is stored, and the claim when a side's time is over."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest
from tests.store.conftest import Toys
from tests.store.playing import BOT, FRIEND, ME, asked, check_whole, enrolled, wait
from tests.toys.tiny import ask, tiny

from readyroom.store import Store
from readyroom.store.clock import Clock
from readyroom.store.errors import CannotClaim

MINUTES = 30


@pytest.fixture
def timed(store: Store, toys: Toys) -> str:
    """Return a match of two people with a clock, in which red is to decide, then blue."""
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    return for_two(store)


def for_two(store: Store) -> str:
    seats = {"red": ME, "blue": FRIEND}
    created = store.lobby.create(enrolled(store), "tiny", None, {}, seats, minutes=MINUTES)
    store.seats.join_by_link(created.links["blue"], enrolled(store, "Nagumo").id)
    return created.id


def clock(store: Store, id: str) -> Clock:
    found = store.listings.summary(id).clock
    assert found is not None
    return found


def test_only_the_clock_of_the_side_to_decide_runs(store: Store, timed: str) -> None:
    assert clock(store, timed).running == ("red",)
    wait(store, timed, 100)
    store.matches.answer(timed, "red", "a", 0)
    known = clock(store, timed)
    assert known.running == ("blue",)
    assert 100 <= known.used["red"] < 110
    assert known.seconds_left("blue", known.since) == MINUTES * 60
    check_whole(store, timed)


def test_restart_keeps_used_time_and_gives_back_the_decision_in_progress(url: str, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    with closing(Store(url)) as store:
        match_id = for_two(store)
        wait(store, match_id, 100)
        store.matches.answer(match_id, "red", "a", 0)
        wait(store, match_id, 5000)
    with closing(Store(url)) as again:
        again.matches.resume_clocks()
        known = clock(again, match_id)
        assert 100 <= known.used["red"] < 110
        assert known.seconds_left("blue", known.since) == MINUTES * 60
        again.matches.answer(match_id, "blue", "a", asked(again, match_id)["blue"])
        assert clock(again, match_id).used["blue"] < 10


def test_clock_of_a_bot_does_not_run(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    host = enrolled(store)
    match_id = store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": BOT}, minutes=MINUTES).id
    store.matches.answer(match_id, "red", "a", 0)
    known = clock(store, match_id)
    assert known.running == ("red",)
    assert known.used.get("blue", 0.0) == 0.0


def test_win_can_be_claimed_only_while_the_opponent_alone_is_out_of_time(store: Store, timed: str) -> None:
    with pytest.raises(CannotClaim):
        store.matches.claim_win(timed, "blue")
    wait(store, timed, MINUTES * 60 + 1)
    with pytest.raises(CannotClaim):
        store.matches.claim_win(timed, "red")
    assert store.listings.summary(timed).may_claim("blue")
    store.matches.answer(timed, "red", "a", 0)  # blue lets red play on
    wait(store, timed, MINUTES * 60 + 1)
    with pytest.raises(CannotClaim):
        store.matches.claim_win(timed, "red")  # red's own time is over


def test_claimed_match_waits_for_no_one_and_can_be_played_on(store: Store, timed: str) -> None:
    wait(store, timed, MINUTES * 60 + 1)
    host = store.listings.summary(timed).host
    assert store.listings.waiting_for(host) == [timed]
    store.matches.claim_win(timed, "blue")
    assert store.listings.waiting_for(host) == []
    summary = store.listings.summary(timed)
    assert (summary.decided_for, summary.outcome) == ("blue", None)
    assert "claimed the win" in store.chat.messages(timed, [])[-1].text
    with pytest.raises(CannotClaim):
        store.matches.claim_win(timed, "blue")
    store.matches.answer(timed, "red", "a", 0)
    assert store.listings.summary(timed).decided_for == "blue"
    checked = store.integrity.check()
    assert timed not in [match.id for match in checked.matches if match.damage]


def test_claim_counts_as_a_win_on_the_ladder(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    for player in (host, friend):
        store.ladder.join(player.id)
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}, minutes=MINUTES, listed=True)
    store.seats.join_by_link(created.links["blue"], friend.id)
    while len(waiting := clock(store, created.id).running) != 1 or store.listings.summary(created.id).revision == 0:
        seat, revision = next(iter(asked(store, created.id).items()))
        with store.matches.open(created.id) as match:
            keys = list(match.pending[seat].sample(Random(1)))
        store.matches.answer(created.id, seat, keys, revision)
    wait(store, created.id, MINUTES * 60 + 1)
    (loser,) = waiting
    winner = "blue" if loser == "red" else "red"
    store.matches.claim_win(created.id, winner)
    ((_, result),) = store.ladder.rated_matches(host.id, 5)
    assert result.score == float(winner == "red")
    (side,) = store.ladder.statistics(host.id)
    assert (side.won, side.lost, side.on_time) == (int(winner == "red"), int(winner == "blue"), 1)
    assert [one.id for one in store.ladder.public_results(5, player=host.id)] == [created.id]
    assert created.id not in [one.id for one in store.ladder.public_results(5)], "it has not ended"


def test_rematch_has_the_same_clock(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"))
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": FRIEND}, minutes=MINUTES)
    store.seats.join_by_link(created.links["blue"], friend.id)
    store.matches.answer(created.id, "red", "a", 0)
    assert clock(store, store.rematches.create(created.id, host).id).minutes == MINUTES
