"""Tests of undo requests."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from tests.store.conftest import Toys
from tests.store.playing import BOT, FRIEND, ME, asked, check_whole, enrolled
from tests.toys.tiny import ask, plans, roll_dice, tiny

from readyroom.engine.errors import CannotUndo, UnknownSeat
from readyroom.engine.game import Seat
from readyroom.store import SeatAssignment, Store, TakebackRequest
from readyroom.store.errors import NoTakebackRequest, NotYourSeat, TakebackPending
from readyroom.store.names import HOUSE


def for_two(store: Store) -> str:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    created = store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": FRIEND})
    store.seats.join_by_link(created.links["blue"], friend.id)
    return created.id


def test_accepted_takeback_is_done(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = for_two(store)
    store.matches.answer(match_id, "red", "a", 0)
    store.matches.answer(match_id, "blue", "b", 1)
    with pytest.raises(CannotUndo, match="has decided since"):
        store.matches.undo(match_id, "red")
    store.matches.request_takeback(match_id, "red")
    assert store.matches.takeback_request(match_id) == TakebackRequest("red", 0, 2, ())
    store.matches.answer_takeback(match_id, "blue", True)
    assert store.matches.takeback_request(match_id) is None
    assert asked(store, match_id) == {"red": 3}
    assert '"undo":[1,2],"leave":true' in store.records.text(match_id)
    check_whole(store, match_id)


def test_takeback_ends_by_refusal_or_new_decision(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"), ask("red"))
    match_id = for_two(store)
    store.matches.answer(match_id, "red", "a", 0)
    store.matches.answer(match_id, "blue", "b", 1)
    store.matches.request_takeback(match_id, "red")
    store.matches.answer_takeback(match_id, "blue", False)
    assert store.matches.takeback_request(match_id) is None
    assert [(message.name, message.text) for message in store.chat.messages(match_id, ())] == [
        (HOUSE, "Blue declines the takeback of Red.")
    ]
    store.matches.request_takeback(match_id, "red")
    store.matches.answer_takeback(match_id, "red", False)
    assert len(store.chat.messages(match_id, ())) == 1, "anyone who asked and thought better of it needs no message"
    store.matches.request_takeback(match_id, "red")
    store.matches.answer(match_id, "red", "c", 2)
    assert store.matches.takeback_request(match_id) is None
    with pytest.raises(NoTakebackRequest):
        store.matches.answer_takeback(match_id, "blue", True)
    store.matches.request_takeback(match_id, "blue")
    assert store.matches.takeback_request(match_id) == TakebackRequest("blue", 1, 3, ())
    assert check_whole(store, match_id).revision == 3


def test_second_request_is_refused_while_one_is_open(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = for_two(store)
    store.matches.answer(match_id, "red", "a", 0)
    store.matches.answer(match_id, "blue", "b", 1)
    store.matches.request_takeback(match_id, "red")
    for seat in ("blue", "red"):
        with pytest.raises(TakebackPending, match="Red has requested a takeback already"):
            store.matches.request_takeback(match_id, seat)
    assert store.matches.takeback_request(match_id) == TakebackRequest("red", 0, 2, ())
    store.matches.answer_takeback(match_id, "blue", False)
    store.matches.request_takeback(match_id, "blue")
    assert store.matches.takeback_request(match_id) == TakebackRequest("blue", 1, 2, ())


def test_hidden_undo_leaves_the_request_of_another_seat(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(plans(3))
    match_id = for_two(store)
    for seat in ("red", "blue"):
        store.matches.answer(match_id, seat, "a", None)
    store.matches.request_takeback(match_id, "blue")
    store.matches.answer(match_id, "red", "b", None)
    moved: list[tuple[str, list[str]]] = []
    store.listen(lambda _, what, revisions: moved.append((what, sorted(revisions))))
    for position in (1, 0):
        store.matches.undo(match_id, "red")
        assert store.matches.takeback_request(match_id) == TakebackRequest("blue", position, 0, ())
    assert moved == [("moved", ["red"])] * 2, "Blue cannot notice it"
    store.matches.answer_takeback(match_id, "red", True)
    assert store.records.text(match_id).count('"leave":true') == 1
    with store.matches.open(match_id) as match:
        assert match.decision_count == 0
    check_whole(store, match_id)


def test_bots_grant_takeback_and_answer_again(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = store.lobby.create(enrolled(store), "tiny", None, {}, {"red": ME, "blue": BOT}).id
    store.matches.answer(match_id, "red", "a", 0)
    store.matches.request_takeback(match_id, "red")
    assert asked(store, match_id) == {"red": 3}
    toys["tiny"] = tiny(plans(2))
    store.games._known.clear()
    match_id = store.lobby.create(enrolled(store), "tiny", None, {}, {"red": ME, "blue": BOT}).id
    assert asked(store, match_id) == {"red": 0}
    store.matches.answer(match_id, "red", "a", 0)
    store.matches.request_takeback(match_id, "red")
    assert list(asked(store, match_id)) == ["red"]
    check_whole(store, match_id)


def test_takeback_never_undoes_dice(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), roll_dice(1), ask("blue"))
    match_id = for_two(store)
    with pytest.raises(CannotUndo):
        store.matches.request_takeback(match_id, "red")
    store.matches.answer(match_id, "red", "a", 0)
    with pytest.raises(CannotUndo, match="dice"):
        store.matches.request_takeback(match_id, "red")
    with pytest.raises(UnknownSeat):
        store.matches.request_takeback(match_id, "green")


def test_takeback_is_granted_only_by_other_sides(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = for_two(store)
    with pytest.raises(NoTakebackRequest):
        store.matches.answer_takeback(match_id, "blue", True)
    store.matches.answer(match_id, "red", "a", 0)
    store.matches.request_takeback(match_id, "red")
    with pytest.raises(NotYourSeat):
        store.matches.answer_takeback(match_id, "red", True)
    with pytest.raises(UnknownSeat):
        store.matches.answer_takeback(match_id, "green", True)
    assert store.matches.takeback_request(match_id) == TakebackRequest("red", 0, 1, ())


def test_no_takeback_is_granted_while_the_opponents_seat_is_empty(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = for_two(store)
    store.matches.answer(match_id, "red", "a", 0)
    store.matches.answer(match_id, "blue", "a", 1)
    friend = next(seat.players[0][0] for seat in store.listings.summary(match_id).seats if seat.key == "blue")
    store.seats.leave_seat(match_id, "blue", friend)
    with pytest.raises(CannotUndo, match="no one there can agree"):
        store.matches.request_takeback(match_id, "red")
    assert asked(store, match_id) == {"red": 2}


def test_every_side_must_agree(url: str, toys: Toys) -> None:
    seats = [Seat("red", "Red", "red"), *[Seat(key, key.title(), key) for key in ("blue", "green", "grey", "pale")]]
    game = tiny(ask("red"), ask("blue"), ask("red"))
    rules = replace(game.rules, seats=lambda *_: [*seats, Seat("deep", "Deep", "blue")])
    toys["tiny"] = replace(game, rules=rules)
    table = {seat.key: FRIEND for seat in seats} | {"deep": FRIEND, "grey": BOT, "pale": SeatAssignment("anyone")}
    with closing(Store(url)) as store, closing(Store(url)) as other:
        host = enrolled(store)
        created = store.lobby.create(host, "tiny", None, {}, table)
        for link in created.links.values():
            store.seats.join_by_link(link, None)
        store.lobby.begin(created.id, host.id)
        store.matches.answer(created.id, "red", "a", 0)
        with pytest.raises(CannotUndo, match="no one there can agree"):
            store.matches.request_takeback(created.id, "red")
        store.seats.assign_bot(created.id, "pale", "random", host.id)
        store.matches.request_takeback(created.id, "red")
        store.matches.answer_takeback(created.id, "deep", True)
        store.matches.answer_takeback(created.id, "blue", True)
        assert other.matches.takeback_request(created.id) == TakebackRequest("red", 0, 1, ("blue",))
        other.matches.answer_takeback(created.id, "green", True)
        assert asked(store, created.id) == {"red": 2}
        check_whole(store, created.id)
