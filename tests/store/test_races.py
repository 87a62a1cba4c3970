"""Tests of concurrent access to one match, by several threads and several stores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from random import Random
from threading import Barrier

from tests.store.conftest import Toys
from tests.store.playing import ANYONE, asked, check_whole, enrolled, opened, play
from tests.toys.tiny import ask, plans, roll_dice, tiny

from readyroom.engine.errors import MatchOver, NotYourDecision, StaleRevision
from readyroom.store import Store
from readyroom.store.errors import SeatTaken

AT_ONCE = 6


def at_once(calls: Sequence[Callable[[], object]]) -> list[object]:
    """Return the results or exceptions of simultaneous calls."""
    start = Barrier(len(calls))

    def made(call: Callable[[], object]) -> object:
        start.wait()
        try:
            return call()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(made, calls))


def test_one_of_racing_threads_answers(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(*[ask("red")] * 10)
    match_id = opened(store, "tiny")
    for n in range(10):
        results = at_once([partial(store.matches.answer, match_id, "red", "a", n)] * AT_ONCE)
        assert results.count(n + 1) == 1
        assert all(isinstance(lost, (StaleRevision, MatchOver)) for lost in results if lost != n + 1)
    assert check_whole(store, match_id).outcome is not None


def test_one_of_racing_processes_answers(url: str, toys: Toys) -> None:
    toys["tiny"] = tiny(*[ask("red")] * 10, turns=2)
    with ExitStack() as opened_stores:
        stores = [opened_stores.enter_context(closing(Store(url))) for _ in range(AT_ONCE)]
        match_id = opened(stores[0], "tiny")
        for n in range(20):
            results = at_once([partial(each.matches.answer, match_id, "red", "a", n) for each in stores])
            assert results.count(n + 1) == 1
            assert all(isinstance(lost, (StaleRevision, MatchOver)) for lost in results if lost != n + 1)
        for each in stores:
            check_whole(each, match_id)


def test_racing_secret_plans_are_all_accepted(url: str, toys: Toys) -> None:
    toys["tiny"] = tiny(plans(1), roll_dice(), turns=8)
    with closing(Store(url)) as one, closing(Store(url)) as other:
        match_id = opened(one, "tiny")
        for turn in range(8):
            revisions = asked(one, match_id)
            results = at_once(
                [
                    partial(one.matches.answer, match_id, "red", "a", revisions["red"]),
                    partial(other.matches.answer, match_id, "blue", "b", revisions["blue"]),
                ]
            )
            assert sorted(map(str, results)) == sorted([str(2 * turn + 1), str(2 * turn + 2)])
        assert check_whole(one, match_id) == check_whole(other, match_id)


def test_alternating_stores_stay_in_step(url: str) -> None:
    with closing(Store(url)) as one, closing(Store(url)) as other:
        match_id = opened(one)
        for n in range(300):
            store = (one, other)[n % 2]
            if store.listings.summary(match_id).outcome is not None:
                break
            play(store, match_id, Random(n), 1 + n % 3)
            if n % 5 == 4:
                undo(store, match_id)
            check_whole((other, one)[n % 2], match_id)
        assert check_whole(one, match_id) == check_whole(other, match_id)


def undo(store: Store, match_id: str) -> None:
    """Undo one decision, for any player who can."""
    with store.matches.open(match_id) as match:
        able = [seat.key for seat in match.seats if match.can_undo(seat.key)]
    if able:
        store.matches.undo(match_id, able[0])


def test_concurrent_play_leaves_match_valid(url: str) -> None:
    with closing(Store(url)) as one, closing(Store(url)) as other:
        match_id = opened(one)
        given = at_once([partial(play_along, (one, other)[n % 2], match_id, Random(n)) for n in range(4)])
        kept = check_whole(one, match_id)
        assert kept == check_whole(other, match_id)
        acknowledged = [number for each in given for number in each]  # type: ignore[attr-defined]
        assert sorted(acknowledged) == list(range(1, kept.true_revision + 1))


def play_along(store: Store, match_id: str, random: Random) -> list[int]:
    """Answer questions until the match is over; return the numbers of the accepted answers."""
    taken: list[int] = []
    while True:
        with store.matches.open(match_id) as match:
            if match.outcome is not None:
                return taken
            seat = random.choice(list(match.pending))
            decision = match.pending[seat]
            keys, revision = decision.sample(random), match.revision_for(seat, decision.revision)
        try:
            taken.append(store.matches.answer(match_id, seat, list(keys), revision))
        except (StaleRevision, NotYourDecision, MatchOver):
            continue


def test_one_of_racing_players_gets_the_seat(url: str) -> None:
    with closing(Store(url)) as one, closing(Store(url)) as other:
        host = enrolled(one)
        people = [enrolled(one, f"Someone {n}") for n in range(AT_ONCE)]
        for _ in range(3):
            match_id = one.lobby.create(host, "straits", None, {}, {"red": ANYONE, "blue": ANYONE}).id
            seats = ["red" if n < 3 else "blue" for n in range(AT_ONCE)]
            results = at_once(
                [
                    partial((one, other)[n % 2].seats.join_open_seat, match_id, seats[n], who.id)
                    for n, who in enumerate(people)
                ]
            )
            assert sum(isinstance(lost, SeatTaken) for lost in results) == AT_ONCE - 2
            summary = check_whole(one, match_id)
            assert summary.started
            assert [len(seat.players) for seat in summary.seats] == [1, 1]


def test_racing_processes_pair_a_round_once(url: str) -> None:
    with ExitStack() as opened_stores:
        stores = [opened_stores.enter_context(closing(Store(url))) for _ in range(AT_ONCE)]
        people = [enrolled(stores[0], name) for name in ("Ann", "Ben", "Eve", "Joe")]
        cup = stores[0].tournaments.create(people[0], "Cup", "straits", places=4)
        joining = [partial(each.tournaments.join, cup, one.id) for each, one in zip(stores, people, strict=False)]
        assert at_once(joining) == ["", "", "", ""]
        stores[0]._shared.ended = lambda match_id: None
        for rounds in (1, 2, 3):
            found = stores[0].tournaments.find(cup)
            assert [one.round for one in found.pairings].count(rounds) == len(found.pairings) / rounds == 2
            for one in found.pairings[-2:]:
                play(stores[0], one.match, Random(rounds))
            at_once([partial(each.tournaments.advance, cup) for each in stores])
        assert stores[0].tournaments.find(cup).state == "over"


def test_many_matches_at_once(url: str) -> None:
    with closing(Store(url)) as store:
        host = enrolled(store)
        matches = [opened(store, host=host) for _ in range(6)]
        at_once([partial(play, store, each, Random(each), 15) for each in matches])
        for each in matches:
            assert check_whole(store, each).true_revision >= 15
        assert len(store.listings.matches_of(host.id)) == 6


def test_cache_holds_limited_matches(url: str, toys: Toys) -> None:
    from readyroom.store.live import live_matches

    with closing(Store(url)) as store:
        matches = [opened(store, "tiny") for _ in range(5)]
        most, live_matches.MAX_CACHED = live_matches.MAX_CACHED, 2
        try:
            for _ in range(2):
                for each in matches:
                    play(store, each, Random(each), 1)
            assert len(store._shared.live._matches) == 2
        finally:
            live_matches.MAX_CACHED = most
        for each in matches:
            check_whole(store, each)
