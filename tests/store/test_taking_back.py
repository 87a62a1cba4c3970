"""Asking leave to take back."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from tests.store.conftest import Toys
from tests.store.playing import BOT, FRIEND, ME, asked, check_whole, enrolled
from tests.toys.tiny import ask, plans, throw, tiny

from readyroom.engine.errors import CannotUndo, UnknownSeat
from readyroom.engine.game import Seat
from readyroom.store import Asked, Store, Who
from readyroom.store.errors import NothingAsked, NotYourSeat
from readyroom.store.words import HOUSE


def for_two(store: Store) -> str:
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    told = store.open_match(host, "tiny", None, {}, {"red": ME, "blue": FRIEND})
    store.sit(told.links["blue"], friend.id)
    return told.id


def test_the_other_side_gives_leave_and_it_is_done(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = for_two(store)
    store.answer(match_id, "red", "a", 0)
    store.answer(match_id, "blue", "b", 1)
    with pytest.raises(CannotUndo, match="has decided since"):
        store.undo(match_id, "red")
    store.ask_back(match_id, "red")
    assert store.asked_back(match_id) == Asked("red", 0, 2, ())
    store.allow_back(match_id, "blue", True)
    assert store.asked_back(match_id) is None
    assert asked(store, match_id) == {"red": 3}
    assert '"undo":[1,2],"leave":true' in store.record(match_id)
    check_whole(store, match_id)


def test_a_refusal_or_a_new_decision_ends_it(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"), ask("red"))
    match_id = for_two(store)
    store.answer(match_id, "red", "a", 0)
    store.answer(match_id, "blue", "b", 1)
    store.ask_back(match_id, "red")
    store.allow_back(match_id, "blue", False)
    assert store.asked_back(match_id) is None
    assert [(said.name, said.text) for said in store.talk(match_id, ())] == [
        (HOUSE, "Blue does not allow Red to take back: what was decided stands.")
    ]
    store.ask_back(match_id, "red")
    store.allow_back(match_id, "red", False)
    assert len(store.talk(match_id, ())) == 1, "whoever asked and thought better of it needs no telling"
    store.ask_back(match_id, "red")
    store.answer(match_id, "red", "c", 2)
    assert store.asked_back(match_id) is None
    with pytest.raises(NothingAsked):
        store.allow_back(match_id, "blue", True)
    store.ask_back(match_id, "blue")
    assert store.asked_back(match_id) == Asked("blue", 1, 3, ())
    assert check_whole(store, match_id).revision == 3


def test_bots_give_leave_at_once_and_answer_again(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = store.open_match(enrolled(store), "tiny", None, {}, {"red": ME, "blue": BOT}).id
    store.answer(match_id, "red", "a", 0)
    store.ask_back(match_id, "red")
    assert asked(store, match_id) == {"red": 3}
    toys["tiny"] = tiny(plans(2))
    store.games._known.clear()
    match_id = store.open_match(enrolled(store), "tiny", None, {}, {"red": ME, "blue": BOT}).id
    assert asked(store, match_id) == {"red": 0}
    store.answer(match_id, "red", "a", 0)
    store.ask_back(match_id, "red")
    assert list(asked(store, match_id)) == ["red"]
    check_whole(store, match_id)


def test_dice_stand_even_with_leave(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), throw(1), ask("blue"))
    match_id = for_two(store)
    with pytest.raises(CannotUndo):
        store.ask_back(match_id, "red")
    store.answer(match_id, "red", "a", 0)
    with pytest.raises(CannotUndo, match="dice"):
        store.ask_back(match_id, "red")
    with pytest.raises(UnknownSeat):
        store.ask_back(match_id, "green")


def test_leave_is_for_the_other_sides_to_give(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = for_two(store)
    with pytest.raises(NothingAsked):
        store.allow_back(match_id, "blue", True)
    store.answer(match_id, "red", "a", 0)
    store.ask_back(match_id, "red")
    with pytest.raises(NotYourSeat):
        store.allow_back(match_id, "red", True)
    with pytest.raises(UnknownSeat):
        store.allow_back(match_id, "green", True)
    assert store.asked_back(match_id) == Asked("red", 0, 1, ())


def test_every_side_with_people_must_agree(url: str, toys: Toys) -> None:
    seats = [Seat("red", "Red", "red"), *[Seat(key, key.title(), key) for key in ("blue", "green", "grey", "pale")]]
    toys["tiny"] = replace(
        tiny(ask("red"), ask("blue"), ask("red")),
        seats=lambda *_: [*seats, Seat("deep", "Deep", "blue")],
    )
    table = {seat.key: FRIEND for seat in seats} | {"deep": FRIEND, "grey": BOT, "pale": Who("anyone")}
    with closing(Store(url)) as store, closing(Store(url)) as other:
        host = enrolled(store)
        told = store.open_match(host, "tiny", None, {}, table)
        for link in told.links.values():
            store.sit(link, None)
        store.begin(told.id, host.id)
        store.answer(told.id, "red", "a", 0)
        store.ask_back(told.id, "red")
        store.allow_back(told.id, "deep", True)
        store.allow_back(told.id, "blue", True)
        assert other.asked_back(told.id) == Asked("red", 0, 1, ("blue",))
        other.allow_back(told.id, "green", True)
        assert asked(store, told.id) == {"red": 2}
        check_whole(store, told.id)
