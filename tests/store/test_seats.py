"""Tests of seats: links, joining, leaving, and bots."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from random import Random
from threading import Barrier
from time import time
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from sqlalchemy import update
from tests.store.conftest import Toys
from tests.store.playing import (
    ANYONE,
    BOT,
    FRIEND,
    ME,
    asked,
    check_whole,
    enrolled,
    opened,
    play,
    run_bots,
    two_players,
)
from tests.toys.tiny import ask, tiny

from readyroom.engine.errors import (
    MatchOver,
    UnknownBot,
    UnknownSeat,
)
from readyroom.engine.game import Seat
from readyroom.store import Store
from readyroom.store.base import PlayerEvent, hashed
from readyroom.store.errors import (
    InvalidSeating,
    InvalidText,
    LinkAlreadyUsed,
    NotTheLeader,
    NotYourSeat,
    SeatBanned,
    SeatTaken,
    UnknownLink,
)
from readyroom.store.lobby import seats
from readyroom.store.lobby.seating import SEAT_PLAYERS, change_seat
from readyroom.store.tables import matches


def test_link_of_a_seated_player_admits_several_players(store: Store) -> None:
    match_id, _, friend, _ = two_players(store)
    link = store.seats.new_link(match_id, "blue", friend)
    for name in ("Kusaka", "Genda"):
        summary = store.seats.join_by_link(link, enrolled(store, name).id)
    assert [name for _, name in summary.seats[1].players][1:] == ["Kusaka", "Genda"]
    again = store.seats.join_by_link(link, summary.seats[1].players[1][0])
    assert again.seats == summary.seats
    for name in ("Ugaki", "Kondo"):
        summary, _ = store.seats.join_as_newcomer(link, name, browser="same")
    assert len(summary.seats[1].players) == 5, "each newcomer is a new player"


def test_players_of_a_seat_are_limited(store: Store) -> None:
    match_id, _, friend, _ = two_players(store)
    link = store.seats.new_link(match_id, "blue", friend)
    for _ in range(SEAT_PLAYERS - 1):
        summary, _ = store.seats.join_as_newcomer(link, "Nagumo")
    late = enrolled(store)
    before = store.admin.counts()
    for join in (
        lambda: store.seats.join_as_newcomer(link, "Nagumo"),
        lambda: store.seats.join_by_link(link, late.id),
    ):
        with pytest.raises(SeatTaken, match="This seat has 10 players already, which is the limit"):
            join()
    assert store.admin.counts() == before
    assert store.seats.join_by_link(link, friend).seats == summary.seats, "its players may use the link again"


def test_link_of_the_host_ends_with_the_first_join(store: Store) -> None:
    created = store.lobby.create(enrolled(store), "straits", None, {}, {"red": ME, "blue": FRIEND})
    friend, other, link = enrolled(store, "Nagumo"), enrolled(store, "Kusaka"), created.links["blue"]
    assert store.listings.summary(created.id).seats[1].shared
    summary = store.seats.join_by_link(link, friend.id)
    assert not summary.seats[1].shared
    before = store.admin.counts()
    for use in (
        lambda: store.seats.match_by_link(link),
        lambda: store.seats.join_by_link(link, friend.id),
        lambda: store.seats.join_by_link(link, other.id),
        lambda: store.seats.join_by_link(link, None, program=True),
        lambda: store.seats.join_as_newcomer(link, "Genda"),
    ):
        with pytest.raises(UnknownLink):
            use()
    assert store.admin.counts() == before
    assert store.listings.summary(created.id).seats_of(other.id) == []
    assert store.seats.used_link(link) == (store.listings.summary(created.id), "blue")
    with pytest.raises(UnknownLink):
        store.seats.used_link("nobody's")


def test_used_link_gives_session_again_to_the_same_browser_only(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    created = store.lobby.create(enrolled(store), "straits", None, {}, {"red": ME, "blue": FRIEND})
    link = created.links["blue"]
    assert store.seats.session_by_link(link, "mine") is None
    summary, session = store.seats.join_as_newcomer(link, "Nagumo", browser="mine")
    player = store.players.of_session(session)
    assert player is not None
    assert summary.seats[1].players == ((player.id, "Nagumo"),)
    assert store.seats.session_by_link(link, "mine") == session
    for browser in ("", "other"):
        assert store.seats.session_by_link(link, browser) is None
    later = time() + 601
    monkeypatch.setattr(seats, "now", lambda: later)
    assert store.seats.session_by_link(link, "mine") is None


def test_program_keeps_its_link_and_no_one_else_joins_by_it(store: Store) -> None:
    created = store.lobby.create(enrolled(store), "straits", None, {}, {"red": ME, "blue": FRIEND})
    link, host = created.links["blue"], enrolled(store, "Spy")
    program = store.players.create("Robot", program=True).player
    for _ in range(2):
        store.seats.join_by_link(link, program.id, program=True)
    assert store.seats.match_by_link(link)[0].seats[1].shared
    for use in (lambda: store.seats.join_by_link(link, host.id), lambda: store.seats.join_as_newcomer(link, "Spy")):
        with pytest.raises(LinkAlreadyUsed):
            use()
    assert [player for player, _ in store.listings.summary(created.id).seats[1].players] == [program.id]


def test_one_of_two_processes_joins_by_the_same_link(url: str) -> None:
    with closing(Store(url)) as first, closing(Store(url)) as second:
        host = enrolled(first)
        for n in range(5):
            created = first.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
            start = Barrier(2)

            def join(store: Store, name: str, link: str = created.links["blue"], start: Barrier = start) -> bool:
                start.wait(timeout=10)
                try:
                    store.seats.join_as_newcomer(link, name, browser=name)
                except UnknownLink:
                    return False
                return True

            with ThreadPoolExecutor(2) as pool:
                joined = list(pool.map(join, (first, second), ("Nagumo", "Kusaka")))
            assert sorted(joined) == [False, True], n
            assert len(first.listings.summary(created.id).seats[1].players) == 1


def test_own_link_stays_valid(store: Store) -> None:
    match_id, _, friend, _ = two_players(store)
    mine = store.seats.new_link(match_id, "blue", friend)
    mate = enrolled(store, "Kusaka")
    store.seats.join_by_link(mine, mate.id)
    assert store.seats.match_by_link(mine)[1] == "blue"
    store.seats.leave_seat(match_id, "blue", friend)
    with pytest.raises(UnknownLink):
        store.seats.match_by_link(mine)


def test_program_may_choose_its_secret(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    secret = "s" * 43
    for _ in range(2):
        assert store.seats.new_link(match_id, "blue", friend, secret) == secret
    assert store.seats.match_by_link(secret)[1] == "blue"
    for wrong in ("s" * 42, "s" * 44, "ß" * 43):
        with pytest.raises(InvalidText, match="43 letters"):
            store.seats.new_link(match_id, "blue", friend, wrong)
    with pytest.raises(InvalidText, match="another seat"):
        store.seats.new_link(match_id, "red", host, secret)


def test_program_joins_by_link_without_account(store: Store) -> None:
    created = store.lobby.create(None, "straits", None, {}, {"red": FRIEND, "blue": FRIEND})
    assert store.seats.join_by_link(created.links["red"], None).started is False
    summary = store.seats.join_by_link(created.links["blue"], None)
    assert (summary.started, summary.host) == (True, "")
    assert [seat.invited for seat in summary.seats] == [False, False]


def test_open_seat_is_for_first_player(store: Store) -> None:
    host, first, second = (enrolled(store, name) for name in ("Nimitz", "Nagumo", "Kusaka"))
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}, listed=True).id
    assert store.listings.summary(match_id).seats[1].open
    assert match_id in [summary.id for summary in store.listings.public_matches()]
    with pytest.raises(SeatTaken, match="Red is taken by Nimitz"):
        store.seats.join_open_seat(match_id, "red", first.id)
    summary = store.seats.join_open_seat(match_id, "blue", first.id, "luck")
    assert (summary.started, summary.seats[1].open) == (True, False)
    with pytest.raises(SeatTaken, match="Blue is taken by Nagumo"):
        store.seats.join_open_seat(match_id, "blue", second.id)
    with pytest.raises(UnknownSeat):
        store.seats.join_open_seat(match_id, "green", second.id)


def test_taken_seat_ends_the_link_of_the_host(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}).id
    for _ in range(2):  # before the start, and after it
        link = store.seats.new_link(match_id, "blue", host.id)
        assert not store.seats.opens(link, match_id, "blue"), "an invitation is no token"
        store.seats.join_open_seat(match_id, "blue", friend.id)
        for use in (store.seats.match_by_link, lambda link: store.seats.join_by_link(link, None, program=True)):
            with pytest.raises(UnknownLink):
                use(link)
        store.seats.leave_seat(match_id, "blue", friend.id)


def test_link_that_an_earlier_version_left_at_a_taken_seat_is_spent(store: Store) -> None:
    match_id, _, _, link = two_players(store)
    with store.database.writing() as connection:
        change_seat(connection, match_id, "blue", link=hashed(link), spent=None)
    with pytest.raises(LinkAlreadyUsed):
        store.seats.match_by_link(link)
    assert not store.seats.opens(link, match_id, "blue")


def test_left_seat_is_open_to_others(store: Store) -> None:
    host, first = enrolled(store), enrolled(store, "Nagumo")
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}).id
    store.seats.join_open_seat(match_id, "blue", first.id)
    store.seats.leave_seat(match_id, "blue", first.id)
    assert store.listings.summary(match_id).seats[1].open
    with pytest.raises(NotYourSeat):
        store.seats.leave_seat(match_id, "blue", first.id)


def test_leaving_a_started_match_is_said_and_lets_the_others_assign_a_bot(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    with pytest.raises(NotYourSeat, match="if the host has no seat"):
        store.seats.assign_bot(match_id, "red", "random", friend)
    store.seats.leave_seat(match_id, "red", host)
    assert store.chat.messages(match_id, [])[-1].text == "Nimitz has left the seat Red."
    store.players.rename(friend, "Red has resigned. Abe")
    store.seats.assign_bot(match_id, "red", "random", friend)
    assert store.listings.summary(match_id).seats[0].bot == "random"
    assert store.chat.messages(match_id, [])[-1].text.startswith("“Red has resigned. Abe” has assigned the bot")


def test_new_link_replaces_old_one(store: Store) -> None:
    host, friend, other = (enrolled(store, name) for name in ("Nimitz", "Nagumo", "Kondo"))
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    newer = store.seats.new_link(created.id, "blue", host.id)
    for use in (
        lambda: store.seats.match_by_link(created.links["blue"]),
        lambda: store.seats.join_by_link(created.links["blue"], friend.id),
    ):
        with pytest.raises(UnknownLink):
            use()
    store.seats.join_by_link(newer, friend.id)
    mine = store.seats.new_link(created.id, "blue", friend.id)
    assert store.seats.match_by_link(mine)[1] == "blue"
    with pytest.raises(NotYourSeat):
        store.seats.new_link(created.id, "blue", other.id)
    with pytest.raises(UnknownSeat):
        store.seats.new_link(created.id, "green", host.id)


def test_bot_seat_needs_no_link_and_plays_at_once(store: Store) -> None:
    host = enrolled(store)
    match_id = store.lobby.create(host, "straits", None, {}, {"red": BOT, "blue": ME}).id
    summary = check_whole(store, match_id)
    assert summary.seats[0].bot == "random"
    assert (summary.waiting, summary.true_revision) == (("blue",), 2)


def hosted(store: Store) -> tuple[str, str, str]:
    """Return a match of two friends of a host who does not play, the host, and the friend who plays blue."""
    host, friend = enrolled(store, "Nimitz"), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "straits", None, {}, {"red": FRIEND, "blue": FRIEND})
    store.seats.join_by_link(created.links["red"], enrolled(store, "Spruance").id)
    store.seats.join_by_link(created.links["blue"], friend.id)
    return created.id, host.id, friend.id


def test_host_of_the_other_side_cannot_enter_a_seat_that_was_played(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    store.seats.assign_bot(match_id, "blue", "random", friend)
    with pytest.raises(SeatTaken):
        store.seats.new_link(match_id, "blue", host)


@pytest.fixture
def side_of_two(store: Store, toys: Toys) -> tuple[str, str, str]:
    """Return a match that has started with an empty seat, its host, who plays blue, and a friend, who plays red."""
    game = tiny(ask("red"), ask("blue"))
    places = [Seat("rose", "Rose", "red"), Seat("red", "Red", "red"), Seat("blue", "Blue", "blue")]
    toys["tiny"] = replace(game, rules=replace(game.rules, seats=lambda *_: places))
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "tiny", None, {}, {"rose": FRIEND, "red": FRIEND, "blue": ME})
    store.seats.join_by_link(created.links["red"], friend.id)
    store.lobby.begin(created.id, host.id)
    return created.id, host.id, friend.id


def test_only_its_own_players_invite_to_a_side_in_a_started_match(
    store: Store, side_of_two: tuple[str, str, str]
) -> None:
    match_id, host, friend = side_of_two
    with pytest.raises(NotYourSeat, match="You play another side"):
        store.seats.new_link(match_id, "rose", host)
    store.seats.leave_seat(match_id, "blue", host)
    with pytest.raises(NotYourSeat, match="You play another side"):
        store.seats.new_link(match_id, "rose", host)
    summary = store.seats.join_by_link(store.seats.new_link(match_id, "rose", friend), enrolled(store, "Kondo").id)
    assert summary.seats[0].players
    assert (summary.leader("red") or summary.seats[0]).key == "red", "who came later does not lead"
    with pytest.raises(NotYourSeat, match="Only the host or a player"):
        store.seats.new_link(match_id, "blue", friend)


def test_host_does_not_share_the_seat_of_an_opponent(store: Store) -> None:
    host = enrolled(store)
    match_id = opened(store, host=host)
    store.seats.assign_bot(match_id, "blue", "random", host.id)
    with pytest.raises(SeatTaken):
        store.seats.new_link(match_id, "blue", host.id)


def test_playing_host_invites_no_umpire_to_a_started_match(store: Store) -> None:
    match_id, host, *_ = two_players(store)
    summary = store.listings.summary(match_id)
    umpire = msgspec.structs.replace(summary.seats[0], key="umpire", side="umpire", players=(), vacant=True)
    table = msgspec.structs.replace(summary, seats=(*summary.seats, umpire))
    assert not table.may_link(umpire, host)
    assert msgspec.structs.replace(table, started=False).may_link(umpire, host)


def test_host_who_has_left_invites_to_no_seat_that_another_has_played(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    store.seats.assign_bot(match_id, "blue", "random", friend)
    store.seats.leave_seat(match_id, "red", host)
    with pytest.raises(SeatTaken):
        store.seats.new_link(match_id, "blue", host)
    store.seats.assign_bot(match_id, "red", "random", host)
    with pytest.raises(SeatTaken):
        store.seats.new_link(match_id, "blue", host)


def test_host_invites_to_a_side_that_all_have_left(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    store.seats.leave_seat(match_id, "blue", friend)
    assert store.seats.join_by_link(store.seats.new_link(match_id, "blue", host), friend).seats[1].players


def test_host_invites_in_place_of_a_bot(store: Store) -> None:
    match_id, host, friend = hosted(store)
    store.seats.assign_bot(match_id, "blue", "random", friend)
    with pytest.raises(NotYourSeat):
        store.seats.new_link(match_id, "blue", friend)
    link, newcomer = store.seats.new_link(match_id, "blue", host), enrolled(store, "Kondo")
    blue = store.seats.join_by_link(link, newcomer.id).seats[1]
    assert (blue.bot, dict(blue.players)) == ("", {friend: "Nagumo", newcomer.id: "Kondo"})
    with pytest.raises(UnknownLink):
        store.seats.join_by_link(link, enrolled(store, "Abe").id)
    with pytest.raises(NotYourSeat, match="taken"):
        store.seats.new_link(match_id, "blue", host)
    check_whole(store, match_id)


def test_reclaimed_seat_ends_the_link_of_the_host(store: Store) -> None:
    match_id, host, friend = hosted(store)
    store.seats.assign_bot(match_id, "blue", "random", friend)
    link = store.seats.new_link(match_id, "blue", host)
    store.seats.reclaim_seat(match_id, "blue", friend)
    with pytest.raises(UnknownLink):
        store.seats.join_by_link(link, enrolled(store, "Kondo").id)


def test_host_frees_a_seat_before_the_start_only(store: Store) -> None:
    host, friend, other = (enrolled(store, name) for name in ("Nimitz", "Nagumo", "Kondo"))
    created = store.lobby.create(host, "straits", None, {}, {"red": FRIEND, "blue": FRIEND})
    store.seats.join_by_link(created.links["blue"], friend.id)
    with pytest.raises(NotYourSeat):
        store.seats.leave_seat(created.id, "blue", other.id)
    store.seats.leave_seat(created.id, "blue", host.id)
    assert store.listings.summary(created.id).seats[1].vacant
    store.seats.join_by_link(store.seats.new_link(created.id, "blue", host.id), other.id)
    store.seats.join_by_link(created.links["red"], friend.id)
    with pytest.raises(NotYourSeat):
        store.seats.leave_seat(created.id, "blue", host.id)


def test_host_frees_a_seat_of_a_started_match_as_umpire_only(store: Store) -> None:
    host, friend, other = (enrolled(store, name) for name in ("Nimitz", "Nagumo", "Kondo"))
    who = {"japan": FRIEND, "usa": BOT, "umpire": ME}
    created = store.lobby.create(host, "tora", "sunday", {"umpire": "yes"}, who)
    store.seats.join_by_link(created.links["japan"], friend.id)
    assert store.listings.summary(created.id).started
    for seat, player in (("japan", other), ("usa", host)):
        with pytest.raises(NotYourSeat):
            store.seats.leave_seat(created.id, seat, player.id)
    store.seats.leave_seat(created.id, "japan", host.id)
    assert store.chat.messages(created.id, [])[-1].text == "Nimitz has freed the seat Japan."
    store.seats.join_by_link(store.seats.new_link(created.id, "japan", host.id), other.id)
    store.seats.leave_seat(created.id, "umpire", host.id)
    with pytest.raises(NotYourSeat):  # they may have had another seat before
        store.seats.leave_seat(created.id, "japan", host.id)


def test_other_side_leaves_an_empty_seat_to_the_host(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "straits", None, {}, {"red": FRIEND, "blue": FRIEND})
    store.seats.join_by_link(created.links["red"], host.id)
    store.seats.join_by_link(created.links["blue"], friend.id)
    summary = store.listings.summary(created.id)
    red = msgspec.structs.replace(summary.seats[0], key="mate", players=(), vacant=True)
    table = msgspec.structs.replace(summary, seats=(*summary.seats, red))
    assert table.may_hand_over(red, host.id)
    assert not table.may_hand_over(red, friend.id)
    later = summary.changed + timedelta(minutes=11)
    assert not table.may_hand_over(red, friend.id, later), "it has nothing to decide"
    table = msgspec.structs.replace(table, waiting=("mate",))
    assert table.may_hand_over(red, friend.id, later), "the host is away"
    own = msgspec.structs.replace(red, side="blue")
    assert msgspec.structs.replace(table, seats=(*summary.seats, own)).may_hand_over(own, friend.id)


def long_ago(store: Store, match_id: str, seconds: float) -> None:
    """Set the time of a match's last decision far in the past."""
    with store.database.writing() as connection:
        then = {name: matches.c[name] - seconds for name in ("changed", "announced")}
        connection.execute(update(matches).values(then).where(matches.c.id == match_id))


def test_player_assigns_bot_and_reclaims_seat(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    with pytest.raises(UnknownBot):
        store.seats.assign_bot(match_id, "blue", "Yamamoto", friend)
    with pytest.raises(UnknownSeat):
        store.seats.assign_bot(match_id, "green", "random", friend)
    summary = store.seats.assign_bot(match_id, "blue", "random", friend)
    blue = summary.seats[1]
    assert (blue.bot, blue.players, blue.previous_players) == ("random", (), ((friend, "Nagumo"),))
    assert (summary.seats_of(friend), summary.waiting) == ([], ("red",))
    assert [message.text for message in store.chat.messages(match_id, [])] == [
        "Nagumo has assigned the bot random to Blue."
    ]
    assert match_id in [mine.id for mine in store.listings.matches_of(friend)]
    with pytest.raises(SeatTaken):
        store.seats.assign_bot(match_id, "blue", "random", friend)
    with pytest.raises(NotYourSeat):
        store.seats.reclaim_seat(match_id, "blue", host)
    store.matches.answer(match_id, "red", list(sample(store, match_id, "red")), None)
    check_whole(store, match_id)
    summary = store.seats.reclaim_seat(match_id, "blue", friend)
    assert (summary.seats[1].bot, summary.seats_of(friend)) == ("", ["blue"])
    revision = store.listings.summary(match_id).true_revision
    assert (run_bots(store, match_id), store.listings.summary(match_id).true_revision) == (False, revision)
    assert "reclaimed Blue" in store.chat.messages(match_id, [])[-1].text


def sample(store: Store, match_id: str, seat: str) -> tuple[str, ...]:
    """Return an answer to a seat's question."""
    with store.matches.open(match_id) as match:
        return tuple(match.pending[seat].sample(Random(1)))


@pytest.mark.parametrize(("pace", "patience"), [("live", 600), ("days", 3 * 86400)])
def test_host_assigns_bot_to_slow_seat(store: Store, pace: Any, patience: int) -> None:
    match_id, host, friend, _ = two_players(store, pace=pace)
    long_ago(store, match_id, patience - 60)
    with pytest.raises(NotYourSeat, match="ten minutes"):
        store.seats.assign_bot(match_id, "blue", "random", host)
    long_ago(store, match_id, 120)
    with pytest.raises(NotYourSeat):
        store.seats.assign_bot(match_id, "red", "random", friend)
    assert store.seats.assign_bot(match_id, "blue", "random", host).seats[1].bot == "random"
    play(store, match_id, Random(1))
    assert check_whole(store, match_id).outcome is not None
    for call in (store.seats.reclaim_seat, lambda *data: store.seats.assign_bot(data[0], "red", "random", host)):
        with pytest.raises(MatchOver):
            call(match_id, "blue", friend)


def test_bot_in_unjoined_seat_yields_to_link(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    summary = store.seats.assign_bot(created.id, "blue", "random", host.id)
    assert (summary.started, summary.seats[1].previous_players, summary.waiting) == (True, (), ("red",))
    summary = store.seats.join_by_link(created.links["blue"], friend.id)
    assert (summary.seats[1].bot, summary.seats_of(friend.id)) == ("", ["blue"])
    assert store.chat.messages(created.id, [])[-1].text == "Nagumo joins as Blue; the bot leaves."


def test_seat_changes_are_seen_by_other_process(url: str) -> None:
    """A cached match follows bot assignment and reclaim."""
    with closing(Store(url)) as here, closing(Store(url)) as there:
        match_id, _, friend, _ = two_players(here)
        for store in (here, there):
            asked(store, match_id)
        here.seats.assign_bot(match_id, "blue", "random", friend)
        there.matches.answer(match_id, "red", list(sample(there, match_id, "red")), None, seen=0)
        assert there.listings.summary(match_id).waiting != ("blue",)
        here.seats.reclaim_seat(match_id, "blue", friend)
        while "red" in asked(here, match_id):
            there.matches.answer(match_id, "red", list(sample(here, match_id, "red")), None, seen=0)
        assert there.listings.summary(match_id).waiting == ("blue",)
        check_whole(here, match_id)


@pytest.mark.parametrize("secret", ["", "x", "\0", "\ud800"])
def test_unknown_link_raises(store: Store, secret: str) -> None:
    with pytest.raises(UnknownLink):
        store.seats.match_by_link(secret)


def test_seat_of_a_finished_match_is_not_left(store: Store) -> None:
    host = enrolled(store)
    match_id = opened(store, host=host)
    play(store, match_id, Random(1))
    with pytest.raises(MatchOver, match="The match is over"):
        store.seats.leave_seat(match_id, "red", host.id)
    assert store.listings.summary(match_id).seats_of(host.id) == ["red", "blue"]


def test_joins_are_reported_to_the_others(store: Store) -> None:
    events: list[PlayerEvent] = []
    store.on_player_event(events.append)
    host, ben, carl = enrolled(store, "Host"), enrolled(store, "Ben"), enrolled(store, "Carl")
    created = store.lobby.create(host, "straits", None, {}, {"red": FRIEND, "blue": ANYONE})
    store.seats.join_by_link(created.links["red"], ben.id)
    store.seats.join_open_seat(created.id, "blue", carl.id)
    assert events == [
        PlayerEvent("joined", created.id, ben.id, frozenset({host.id}), ("red",)),
        PlayerEvent("joined", created.id, carl.id, frozenset({host.id, ben.id}), ("blue",), started=True),
    ]
    link = store.seats.new_link(created.id, "red", ben.id)
    assert len(events) == 2
    for _ in range(2):
        store.seats.join_by_link(link, host.id)
    assert [(event.player, event.started) for event in events[2:]] == [(host.id, False)], "once"
    assert [message.text for message in store.chat.messages(created.id, [])] == ["Host joins as Red."]


def test_failing_listener_does_not_undo_a_join(store: Store) -> None:
    store.on_player_event(Mock(side_effect=RuntimeError))
    host, ben = enrolled(store, "Host"), enrolled(store, "Ben")
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    assert store.seats.join_by_link(created.links["blue"], ben.id).started


def test_players_of_two_sides_share_no_secrets(store: Store, side_of_two: tuple[str, str, str]) -> None:
    match_id, host, friend = side_of_two
    link = store.seats.new_link(match_id, "rose", friend)
    with pytest.raises(SeatTaken, match="You have or had another side"):
        store.seats.join_by_link(link, host)
    store.seats.leave_seat(match_id, "blue", host)
    with pytest.raises(SeatTaken, match="You have or had another side"):
        store.seats.join_by_link(link, host)
    assert store.seats.join_by_link(link, enrolled(store, "Kondo").id).started


def test_umpire_and_players_do_not_change_places(store: Store) -> None:
    match_id, host, *_ = two_players(store)
    summary = store.listings.summary(match_id)
    umpire = msgspec.structs.replace(summary.seats[0], key="umpire", side="umpire", players=(), vacant=True)
    table = msgspec.structs.replace(summary, seats=(*summary.seats, umpire))
    assert not table.may_join(umpire, host)
    assert table.may_join(umpire, "stranger")
    empty = msgspec.structs.replace(summary.seats[0], players=(), vacant=True)
    taken = msgspec.structs.replace(umpire, players=((host, "Host"),), vacant=False)
    table = msgspec.structs.replace(summary, seats=(empty, *summary.seats[1:], taken))
    assert not table.may_join(empty, host)
    assert table.may_free(table.seats[1], host) is (table.seats[1].side in table.contenders and not table.is_decided)
    played = msgspec.structs.replace(empty, left_by=(host,))
    table = msgspec.structs.replace(table, seats=(played, *table.seats[1:]))
    assert not table.may_free(table.seats[1], host), "who has played a side does not remove opponents"


def test_leader_who_reclaims_a_seat_leads_again(store: Store, side_of_two: tuple[str, str, str]) -> None:
    match_id, host, _ = side_of_two
    summary = store.listings.summary(match_id)
    leader = summary.leader("blue")
    assert leader is not None
    before = leader.since
    store.seats.assign_bot(match_id, leader.key, "random", host)
    store.seats.reclaim_seat(match_id, leader.key, host)
    after = store.listings.summary(match_id).leader("blue")
    assert after is not None
    assert after.since == before


def test_enemy_does_not_enter_a_side_that_its_players_have_left(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}).id
    store.seats.join_open_seat(match_id, "blue", friend.id)
    store.seats.leave_seat(match_id, "blue", friend.id)
    with pytest.raises(SeatTaken, match="another side"):
        store.seats.join_open_seat(match_id, "blue", host.id)
    assert store.seats.join_open_seat(match_id, "blue", friend.id).seats_of(friend.id) == ["blue"]


def test_no_one_joins_a_match_with_a_result(store: Store, side_of_two: tuple[str, str, str]) -> None:
    match_id, host, friend = side_of_two
    link, late = store.seats.new_link(match_id, "rose", friend), enrolled(store, "Kondo").id
    store.matches.resign(match_id, "red")
    with pytest.raises(SeatTaken, match="has a result"):
        store.seats.join_by_link(link, late)
    with pytest.raises(SeatTaken, match="has a result"):
        store.seats.new_link(match_id, "rose", friend)
    own = store.seats.new_link(match_id, "blue", host)
    assert store.seats.join_by_link(own, host).seats_of(host) == ["blue"], "its players may use their link again"
    open_match = store.lobby.create(enrolled(store), "tiny", None, {}, {"rose": ANYONE, "red": ME, "blue": BOT}).id
    host = store.listings.summary(open_match).host
    store.lobby.begin(open_match, host)
    store.matches.resign(open_match, "red")
    assert not any(seat.open for seat in store.listings.summary(open_match).seats)
    with pytest.raises(SeatTaken):
        store.seats.join_open_seat(open_match, "rose", late)


@pytest.mark.parametrize("starts", [False, True])
def test_banned_player_takes_no_other_seat_and_keeps_none(store: Store, toys: Toys, starts: bool) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), seats=("red", "blue", "umpire"))
    host, rude = enrolled(store), enrolled(store, "Nagumo")
    match_id = store.lobby.create(host, "tiny", None, {}, {"red": ANYONE, "blue": ANYONE, "umpire": ANYONE}).id
    store.seats.join_open_seat(match_id, "red", rude.id)
    if starts:
        store.lobby.begin(match_id, host.id)
    store.admin.ban(match_id, "red", "Foul words")
    for refused in (
        lambda: store.seats.join_open_seat(match_id, "blue", rude.id),
        lambda: store.seats.leave_seat(match_id, "red", rude.id),
        lambda: store.seats.leave_seat(match_id, "red", host.id),
        lambda: store.chat.post(match_id, rude.id, "I stay rude.", None),
    ):
        with pytest.raises(SeatBanned, match="Foul words"):
            refused()
    summary = store.listings.summary(match_id)
    assert not store.chat.can_post(summary, rude.id)
    assert summary.known_sides(rude.id) == {"red"}
    banned_host = msgspec.structs.replace(summary, host=rude.id)
    assert not any(banned_host.may_hand_over(seat, rude.id) for seat in summary.seats)
    assert not any(banned_host.may_link(seat, rude.id) for seat in summary.seats)


def test_umpire_plays_no_side_against_others(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), seats=("red", "blue", "umpire"))
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    for other in (ANYONE, FRIEND):
        with pytest.raises(InvalidSeating, match="umpire"):
            store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": other, "umpire": ME})
    match_id = store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": ANYONE, "umpire": ANYONE}).id
    with pytest.raises(SeatTaken):
        store.seats.join_open_seat(match_id, "umpire", host.id)
    for other in (ME, BOT):
        alone = store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": other, "umpire": ME}).id
        assert store.listings.summary(alone).started
    link = store.seats.new_link(alone, "blue", host.id)
    with pytest.raises(SeatTaken, match="An umpire of this match also plays"):
        store.seats.join_by_link(link, friend.id)
    store.seats.leave_seat(alone, "red", host.id)
    assert store.seats.join_by_link(link, friend.id).seats_of(friend.id) == ["blue"]


def test_opponent_gives_no_seat_of_a_side_that_people_play_to_a_bot(
    store: Store, side_of_two: tuple[str, str, str]
) -> None:
    match_id, host, friend = side_of_two
    with pytest.raises(NotYourSeat, match="play against people"):
        store.seats.assign_bot(match_id, "rose", "random", host)
    summary = store.listings.summary(match_id)
    rose = summary.seats[0]
    late = msgspec.structs.replace(summary, waiting=("rose",))
    assert late.may_hand_over(rose, host, summary.changed + timedelta(minutes=11)), "its decision is overdue"
    assert msgspec.structs.replace(summary, host="x").may_hand_over(rose, "x"), "a host without a side is neutral"
    store.seats.assign_bot(match_id, "rose", "random", friend)
    newcomer = enrolled(store, "Kondo").id
    rose = store.seats.join_by_link(store.seats.new_link(match_id, "rose", friend), newcomer).seats[0]
    assert (rose.bot, rose.holders) == ("", {newcomer}), "its mates replace the bot"
    store.seats.assign_bot(match_id, "rose", "random", newcomer)
    with pytest.raises(NotYourSeat):
        store.seats.new_link(match_id, "rose", friend)


def test_leader_replaced_by_a_bot_still_leads(store: Store, side_of_two: tuple[str, str, str]) -> None:
    match_id, _, friend = side_of_two
    newcomer = enrolled(store, "Kondo").id
    store.seats.join_by_link(store.seats.new_link(match_id, "rose", friend), newcomer)
    store.seats.assign_bot(match_id, "red", "random", friend)
    with pytest.raises(NotTheLeader, match="Red"):
        store.matches.resign(match_id, "rose")
    summary = store.listings.summary(match_id)
    leader = summary.leader("red", summary.created + timedelta(days=3, minutes=1))
    assert leader is not None
    assert leader.key == "rose", "once they have been away for three days"
    seen = msgspec.structs.replace(summary, last_seen={friend: summary.created + timedelta(days=1)})
    assert seen.leader("red", summary.created + timedelta(days=3)) == summary.seats[1]
    store.seats.reclaim_seat(match_id, "red", friend)
    store.seats.leave_seat(match_id, "red", friend)
    store.matches.resign(match_id, "rose")
    assert store.listings.summary(match_id).decided == "resigned"


def test_rematch_gives_no_second_side(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), seats=("red", "blue", "umpire"))
    host, red, blue = (enrolled(store, name) for name in ("Nimitz", "Nagumo", "Kondo"))
    created = store.lobby.create(host, "tiny", None, {}, {"red": FRIEND, "blue": FRIEND, "umpire": ME})
    store.seats.join_by_link(created.links["red"], red.id)
    store.seats.join_by_link(created.links["blue"], blue.id)
    store.matches.resign(created.id, "red")
    new = store.rematches.create(created.id, host).id
    store.seats.leave_seat(new, "umpire", host.id)
    store.seats.join_by_link(store.seats.new_link(new, "red", host.id), host.id)
    store.rematches.join(created.id, blue.id)
    store.lobby.begin(new, host.id)
    assert store.rematches.create(created.id, host).seats_of(host.id) == ["red"]
    with pytest.raises(NotYourSeat, match="No seat of the rematch waits"):
        store.rematches.join(created.id, host.id)
