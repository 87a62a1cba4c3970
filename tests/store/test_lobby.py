"""Tests of creating matches, and of seats."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from random import Random
from threading import Barrier
from time import process_time, time
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy import update
from tests.store.conftest import Toys
from tests.store.playing import ANYONE, BOT, FRIEND, ME, Thinker, asked, check_whole, enrolled, opened, play, run_bots
from tests.toys.straits import GAME

from readyroom.engine.errors import (
    InvalidData,
    MatchOver,
    ReadyRoomError,
    UnknownBot,
    UnknownGame,
    UnknownOption,
    UnknownScenario,
    UnknownSeat,
)
from readyroom.engine.rules.dice import fingerprint, secret_of_seed
from readyroom.store import Player, SeatAssignment, Store
from readyroom.store.base import PlayerEvent
from readyroom.store.errors import (
    InvalidSeating,
    InvalidText,
    LinkAlreadyUsed,
    NotStarted,
    NotTheHost,
    NotYourSeat,
    SeatTaken,
    TooManyBotMatches,
    UnknownLink,
    UnknownMatchId,
)
from readyroom.store.lobby import seats, starting
from readyroom.store.lobby.bot_matches import BotMatchLimits
from readyroom.store.lobby.seating import SEAT_PLAYERS
from readyroom.store.lobby.starting import Starter
from readyroom.store.names import distinguish
from readyroom.store.tables import matches


def test_solo_match_starts_at_once(store: Store) -> None:
    host = enrolled(store)
    created = store.lobby.create(
        host, "straits", "many", {"turns": 8}, {"red": ME, "blue": ME}, pace="days", listed=True, guided=True
    )
    summary = check_whole(store, created.id)
    assert created.links == {}
    assert (summary.game, summary.title, summary.scenario) == ("straits", "Straits", "Many")
    assert summary.options == {"turns": "8", "weather": "fair"}
    assert (summary.pace, summary.public, summary.tutorial, summary.host, summary.started) == (
        "days",
        True,
        True,
        host.id,
        True,
    )
    assert (summary.turn, summary.phase, summary.waiting, summary.revision) == (1, "prepare", ("red", "blue"), 0)
    assert summary.seats_of(host.id) == ["red", "blue"]
    assert [(seat.name, seat.side, seat.open, seat.invited) for seat in summary.seats] == [
        ("Red", "red", False, False),
        ("Blue", "blue", False, False),
    ]


def test_match_starts_when_friend_joins(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}, dice_nonce="mine")
    before = store.listings.summary(created.id)
    assert (before.started, before.seats[1].invited, before.seats[1].open) == (False, True, False)
    assert store.seats.match_by_link(created.links["blue"]) == (before, "blue")
    with pytest.raises(NotStarted), store.matches.open(created.id):
        pass
    with pytest.raises(NotStarted):
        store.records.text(created.id)
    after = store.seats.join_by_link(created.links["blue"], friend.id, dice_nonce="yours")
    assert (after.started, after.waiting, after.seats[1].invited) == (True, ("red", "blue"), False)
    assert after.seats[1].players == ((friend.id, "Nagumo"),)
    assert after.fingerprint == before.fingerprint
    with store.matches.open(created.id) as match:
        assert match.nonces == {"red": "mine", "blue": "yours"}
        assert match.fingerprint == before.fingerprint
    check_whole(store, created.id)


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


def test_many_equal_names_are_distinguished_quickly() -> None:
    began = process_time()
    names = distinguish([(str(n), "Nagumo" if n % 2 else "NAGUMO") for n in range(2000)])
    assert names["1999"] == "Nagumo (2000)"
    assert len(set(names.values())) == 2000
    assert process_time() - began < 1


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
    link, program, host = created.links["blue"], enrolled(store, "a program"), enrolled(store, "Spy")
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


def test_public_matches_of_a_client_are_limited(store: Store) -> None:
    def create(client: str, listed: bool = True) -> str:
        seats = {"red": ANYONE, "blue": ANYONE}
        return store.lobby.create(None, "straits", None, {}, seats, listed=listed, client=client).id

    of_one, of_none = [create("one") for _ in range(4)], [create("") for _ in range(4)]
    hidden, other = create("other", listed=False), create("other")
    made = {*of_one, *of_none, hidden, other}

    def listed() -> list[str]:
        return [summary.id for summary in store.listings.public_matches() if summary.id in made]

    assert listed() == [other, *reversed([*of_one, *of_none])]
    store.listings.listed_each = 2
    assert listed() == [other, *reversed([*of_one[2:], *of_none])]


def test_host_may_start_without_absent_players(store: Store) -> None:
    host, late = enrolled(store), enrolled(store, "Kondo")
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}).id
    with pytest.raises(NotTheHost):
        store.lobby.begin(match_id, late.id)
    store.lobby.begin(match_id, host.id)
    store.lobby.begin(match_id, host.id)
    assert store.listings.summary(match_id).started
    assert store.seats.join_open_seat(match_id, "blue", late.id).seats_of(late.id) == ["blue"]


def test_left_seat_is_open_to_others(store: Store) -> None:
    host, first = enrolled(store), enrolled(store, "Nagumo")
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}).id
    store.seats.join_open_seat(match_id, "blue", first.id)
    store.seats.leave_seat(match_id, "blue", first.id)
    assert store.listings.summary(match_id).seats[1].open
    with pytest.raises(NotYourSeat):
        store.seats.leave_seat(match_id, "blue", first.id)


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
    with pytest.raises(SeatTaken, match="bot random"):
        store.seats.new_link(match_id, "red", host.id)


def two_players(store: Store, **data: Any) -> tuple[str, str, str, str]:
    """Return a started match of two people: its id, host, other player, and that player's link."""
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    match = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}, **data)
    store.seats.join_by_link(match.links["blue"], friend.id)
    return match.id, host.id, friend.id, match.links["blue"]


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


def test_tutorial_is_paused_and_resumed(store: Store) -> None:
    host = enrolled(store)
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": BOT}, guided=True).id
    with pytest.raises(NotYourSeat, match="pause"):
        store.lobby.set_tutorial(match_id, enrolled(store, "Kondo").id, False)
    for guided in (False, True):
        store.lobby.set_tutorial(match_id, host.id, guided)
        assert store.listings.summary(match_id).tutorial is guided


def test_hidden_match_is_shown_again(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    store.listings.set_hidden(match_id, host)
    store.listings.set_hidden(match_id, host)
    assert store.listings.matches_of(host) == []
    assert [summary.id for summary in store.listings.matches_of(host, hidden=True)] == [match_id]
    assert [summary.id for summary in store.listings.matches_of(friend)] == [match_id]
    with pytest.raises(NotYourSeat):
        store.listings.set_hidden(match_id, enrolled(store, "Kondo").id)
    store.listings.set_hidden(match_id, host, False)
    assert [summary.id for summary in store.listings.matches_of(host)] == [match_id]
    assert store.listings.matches_of(host, hidden=True) == []


def test_matches_of_player_list_waiting_ones_first(store: Store) -> None:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    seats = {"red": ME, "blue": FRIEND}
    waiting = store.lobby.create(host, "straits", None, {}, seats)
    store.seats.join_by_link(waiting.links["blue"], friend.id)
    unbegun = store.lobby.create(host, "straits", None, {}, seats)
    over = store.records.import_match(GAMES["over"](), host)
    assert [summary.id for summary in store.listings.matches_of(host.id)] == [waiting.id, unbegun.id, over]
    assert [summary.id for summary in store.listings.matches_of(friend.id)] == [waiting.id]
    assert store.listings.matches_of("nobody") == []
    assert [summary.id for summary in store.listings.matches_of(host.id, limit=1)] == [waiting.id], "the oldest of them"
    store.listings.set_hidden(unbegun.id, host.id)
    store.listings.set_hidden(over, host.id)
    assert [store.listings.count_hidden(player.id) for player in (host, friend)] == [2, 0]
    assert [summary.id for summary in store.listings.matches_of(host.id, hidden=True)] == [unbegun.id, over]


def test_seat_of_bot_or_ban_is_not_listed_as_own_turn(store: Store) -> None:
    host = enrolled(store)
    first, second, third = (opened(store, host=host) for _ in range(3))
    with store.matches.open(first) as match:
        asked_seat = next(iter(match.pending))
    store.admin.ban(first, asked_seat, "for a test")
    assert [summary.id for summary in store.listings.matches_of(host.id)] == [third, second, first]


def test_public_matches_are_selected_by_open_seats_and_player(store: Store) -> None:
    host, other = enrolled(store), enrolled(store, "Nagumo")
    free = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}, listed=True).id
    begun = opened(store, host=host, listed=True)
    invited = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}, listed=True).id
    opened(store, host=host)

    def listed(**data: Any) -> list[str]:
        return [summary.id for summary in store.listings.public_matches(**data) if summary.host == host.id]

    assert listed() == [invited, begun, free]
    assert listed(limit=1) == [invited]
    assert (listed(open_seats=True), listed(open_seats=False)) == ([free], [begun])
    assert (listed(without=host.id), listed(without=other.id)) == ([], [invited, begun, free])
    store.lobby.begin(free, host.id)
    assert listed(open_seats=True) == [free], "a seat may stay open after the start"
    store.seats.join_open_seat(free, "blue", other.id)
    assert (listed(open_seats=True), listed(open_seats=False, without=other.id)) == ([], [begun])


def _over() -> str:
    from random import Random

    from readyroom import Match
    from readyroom.testing.playouts import play_on

    match = Match(GAME, seed="over")
    for _ in play_on(match, Random(1)):
        pass
    return match.record()


GAMES = {"over": _over}


def test_seed_fixes_dice_and_is_public(store: Store) -> None:
    match_id = opened(store, seed="a lesson")
    assert store.listings.summary(match_id).fingerprint == fingerprint(secret_of_seed("a lesson"))
    assert '"seed":"a lesson"' in store.records.text(match_id)


def test_custom_scenario_is_used(store: Store) -> None:
    text = 'title = "Duel"\nsummary = "One ship each."\nstrengths = [3]\n'
    match_id = opened(store, own=text)
    assert check_whole(store, match_id).scenario == "Duel"
    with store.matches.open(match_id) as match:
        assert len(match.state.red.harbour) == 1
    with pytest.raises(InvalidData, match="strengths"):
        opened(store, own='title = "x"\nsummary = ""\n')
    with pytest.raises(InvalidText):
        opened(store, own='title = "a\\u0000b"\nsummary = ""\nstrengths = [1]\n')


WRONG: list[tuple[dict[str, Any], type[ReadyRoomError]]] = [
    ({"game": "chess"}, UnknownGame),
    ({"scenario": "never"}, UnknownScenario),
    ({"scenario": "/etc/passwd"}, UnknownScenario),
    ({"scenario": "pyproject.toml"}, UnknownScenario),
    ({"options": {"turns": 7}}, UnknownOption),
    ({"wanted": {"red": ME, "green": ME}}, UnknownSeat),
    ({"wanted": {"red": ME}}, InvalidSeating),
    ({"wanted": {"red": ME, "blue": SeatAssignment("bot", "Yamamoto")}}, UnknownBot),
    ({"host": None}, InvalidSeating),
    ({"dice_nonce": "x" * 201}, InvalidText),
    ({"seed": "x" * 201}, InvalidText),
]


@pytest.mark.parametrize(("change", "refusal"), WRONG, ids=lambda each: str(each)[:40])
def test_invalid_match_is_not_created(store: Store, change: dict[str, Any], refusal: type[ReadyRoomError]) -> None:
    host = enrolled(store)
    data: dict[str, Any] = {
        "host": host,
        "game": "straits",
        "scenario": None,
        "options": {},
        "wanted": {"red": ME, "blue": ME},
    }
    with pytest.raises(refusal):
        store.lobby.create(**data | change)
    assert store.listings.matches_of(host.id) == []


@pytest.mark.parametrize("id", ["", "nowhere", "../x", "\0", "\ud800", "é", "a b", "x" * 5000])
def test_unknown_match_raises(store: Store, id: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: store.listings.summary(id),
        lambda: store.records.text(id),
        lambda: run_bots(store, id),
        lambda: store.records.decision_times(id),
        lambda: store.matches.answer(id, "red", [], 0),
        lambda: store.matches.undo(id, "red"),
        lambda: store.lobby.begin(id, "x"),
        lambda: store.seats.join_open_seat(id, "red", "x"),
    ]
    for call in calls:
        with pytest.raises(UnknownMatchId):
            call()


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


# -- matches between bots ----------------------------------------------------------------------------------------------


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


# -- matches that a kill has left --------------------------------------------------------------------------------------


def test_newcomer_sits_down_with_the_new_match(store: Store) -> None:
    seats = {"red": SeatAssignment("friend", joins=True), "blue": FRIEND}
    opened = store.lobby.create(None, "straits", None, {}, seats, newcomer="Ada", dice_nonce="luck")
    red, blue = store.listings.summary(opened.id).seats
    assert [name for _, name in red.players] == ["Ada"]
    assert (red.shared, blue.vacant) == (False, True)
    store.seats.join_by_link(opened.links["blue"], enrolled(store).id)
    with store.matches.open(opened.id) as match:
        assert match.nonces == {"red": "luck"}
    assert store.seats.match_by_link(opened.links["red"])[1] == "red"


def test_failed_creation_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before = store.admin.counts()
    monkeypatch.setattr(starting, "write_start", Mock(side_effect=KeyboardInterrupt))
    seats = {"red": SeatAssignment("friend", joins=True), "blue": BOT}
    with pytest.raises(KeyboardInterrupt):
        store.lobby.create(None, "straits", None, {}, seats, newcomer="Grace")
    assert store.admin.counts() == before
    assert "Grace" not in [person.name for person in store.admin.players()]


def test_match_left_with_full_seats_is_started(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(Starter, "begin_if_ready", lambda *_: False)
        match_id = store.lobby.create(enrolled(store), "straits", None, {}, {"red": BOT, "blue": ME}).id
        open_id = store.lobby.create(enrolled(store), "straits", None, {}, {"red": ANYONE, "blue": ME}).id
    assert not store.listings.summary(match_id).started
    assert match_id in store.lobby.ready_matches()
    assert open_id not in store.lobby.ready_matches()
    assert store.lobby.begin_if_ready(match_id).started
    assert check_whole(store, match_id).waiting == ("blue",)
    assert match_id not in store.lobby.ready_matches()
    assert not store.lobby.begin_if_ready(open_id).started


# -- what players do ---------------------------------------------------------------------------------------------------


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


def test_rematch_is_offered_to_those_who_have_a_seat(store: Store) -> None:
    host, ben = enrolled(store, "Host"), enrolled(store, "Ben")
    created = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND})
    store.seats.join_by_link(created.links["blue"], ben.id)
    play(store, created.id, Random(1))
    over = store.listings.summary(created.id)
    events: list[PlayerEvent] = []
    store.on_player_event(events.append)
    new = store.rematches.create(created.id, host, swap=True)
    assert store.rematches.offers(host.id, [over]) == []
    assert [(one.rematch.id, one.swap) for one in store.rematches.offers(ben.id, [over])] == [(new.id, True)]
    joined = store.rematches.create(created.id, ben, swap=True)
    assert (joined.id, joined.started) == (new.id, True), "who asks for the rematch that is offered joins it"
    assert store.rematches.offers(ben.id, [over]) == []
    assert events == [
        PlayerEvent("offered", created.id, host.id, frozenset({ben.id}), swap=True),
        PlayerEvent("accepted", new.id, ben.id, frozenset({host.id}), ("red",), started=True),
    ]
    assert [message.text for message in store.chat.messages(created.id, [])][-1] == "Ben accepts the rematch."
