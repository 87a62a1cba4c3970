"""Tests of creating and starting matches."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from tests.store.playing import ANYONE, BOT, FRIEND, ME, check_whole, do_not_begin, enrolled, opened, play, run_bots

from readyroom.engine.errors import (
    InvalidData,
    ReadyRoomError,
    UnknownBot,
    UnknownGame,
    UnknownOption,
    UnknownScenario,
    UnknownSeat,
)
from readyroom.engine.rules.dice import fingerprint, secret_of_seed
from readyroom.store import SeatAssignment, Store
from readyroom.store.base import PlayerEvent
from readyroom.store.errors import (
    InvalidSeating,
    InvalidText,
    NotStarted,
    NotTheHost,
    NotYourSeat,
    UnknownMatchId,
)
from readyroom.store.lobby import starting
from readyroom.store.lobby.starting import Starter


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


def test_host_may_start_without_absent_players(store: Store) -> None:
    host, late = enrolled(store), enrolled(store, "Kondo")
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": ANYONE}).id
    with pytest.raises(NotTheHost):
        store.lobby.begin(match_id, late.id)
    store.lobby.begin(match_id, host.id)
    store.lobby.begin(match_id, host.id)
    assert store.listings.summary(match_id).started
    assert store.seats.join_open_seat(match_id, "blue", late.id).seats_of(late.id) == ["blue"]


def test_tutorial_is_paused_and_resumed(store: Store) -> None:
    host = enrolled(store)
    match_id = store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": BOT}, guided=True).id
    with pytest.raises(NotYourSeat, match="pause"):
        store.lobby.set_tutorial(match_id, enrolled(store, "Kondo").id, False)
    for guided in (False, True):
        store.lobby.set_tutorial(match_id, host.id, guided)
        assert store.listings.summary(match_id).tutorial is guided


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
        killed.setattr(Starter, "begin", do_not_begin)
        match_id = store.lobby.create(enrolled(store), "straits", None, {}, {"red": BOT, "blue": ME}).id
        open_id = store.lobby.create(enrolled(store), "straits", None, {}, {"red": ANYONE, "blue": ME}).id
    assert not store.listings.summary(match_id).started
    assert match_id in store.lobby.ready_matches()
    assert open_id not in store.lobby.ready_matches()
    assert store.lobby.begin_if_ready(match_id).started
    assert check_whole(store, match_id).waiting == ("blue",)
    assert match_id not in store.lobby.ready_matches()
    assert not store.lobby.begin_if_ready(open_id).started


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
