"""Tests of resignations and draws by agreement: who may, how an offer ends, and what counts as the result."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tests.store.conftest import Toys
from tests.store.playing import BOT, FRIEND, ME, asked, check_whole, enrolled, play, two_players
from tests.toys.tiny import ask, plans, tiny

from readyroom.engine.game import Seat
from readyroom.store import Store
from readyroom.store.base import PlayerEvent
from readyroom.store.cards import DrawOffer
from readyroom.store.errors import CannotOfferDraw, CannotResign, NoDrawOffer, NotTheLeader, NotYourSeat
from readyroom.store.matches.gameplay import OFFER_AGAIN


@pytest.fixture
def duel(store: Store, toys: Toys) -> str:
    """Return a match of two people, in which red and blue decide in turns."""
    toys["tiny"] = tiny(*(ask(seat) for _ in range(8) for seat in ("red", "blue")))
    return for_two(store)


def for_two(store: Store) -> str:
    created = store.lobby.create(enrolled(store), "tiny", None, {}, {"red": ME, "blue": FRIEND}, minutes=30)
    store.seats.join_by_link(created.links["blue"], enrolled(store, "Nagumo").id)
    return created.id


def offer(store: Store, id: str) -> DrawOffer | None:
    return store.matches.draw_offer(store.listings.summary(id))


def last_message(store: Store, id: str) -> str:
    return store.chat.messages(id, [])[-1].text


def answer(store: Store, id: str, count: int = 1) -> None:
    for _ in range(count):
        ((seat, revision),) = asked(store, id).items()
        store.matches.answer(id, seat, "a", revision)


def test_resigned_match_waits_for_no_one_and_can_be_played_on(store: Store, duel: str) -> None:
    host = store.listings.summary(duel).host
    assert store.listings.waiting_for(host) == [duel]
    store.matches.resign(duel, "red")
    summary = store.listings.summary(duel)
    assert (summary.decided, summary.decided_for, summary.outcome) == ("resigned", "blue", None)
    assert store.listings.waiting_for(host) == []
    assert last_message(store, duel) == "Red has resigned."
    with pytest.raises(CannotResign):
        store.matches.resign(duel, "blue")
    with pytest.raises(CannotOfferDraw):
        store.matches.offer_draw(duel, "blue")
    answer(store, duel)
    assert store.listings.summary(duel).decided == "resigned"
    check_whole(store, duel)
    assert duel not in [match.id for match in store.integrity.check().matches if match.damage]


def test_player_who_gives_up_alone_has_lost(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), seats=("red",))
    host = enrolled(store)
    match_id = store.lobby.create(host, "tiny", None, {}, {"red": ME}).id
    with pytest.raises(CannotOfferDraw):
        store.matches.offer_draw(match_id, "red")
    store.matches.resign(match_id, "red")
    (side,) = store.ladder.statistics(host.id)
    assert (side.won, side.drawn, side.lost) == (0, 0, 1)


def test_umpire_can_neither_resign_nor_draw_and_does_not_win(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), seats=("red", "blue", "umpire"))
    host, umpire = enrolled(store), enrolled(store, "Umpire")
    table = {"red": ME, "blue": BOT, "umpire": FRIEND}
    created = store.lobby.create(host, "tiny", None, {}, table)
    store.seats.join_by_link(created.links["umpire"], umpire.id)
    store.matches.offer_draw(created.id, "red")
    assert last_message(store, created.id) == "Red offers a draw. The bot declines."
    with pytest.raises(CannotResign, match="umpire"):
        store.matches.resign(created.id, "umpire")
    with pytest.raises(CannotOfferDraw):
        store.matches.offer_draw(created.id, "umpire")
    heard = list[PlayerEvent]()
    store.on_player_event(heard.append)
    store.matches.resign(created.id, "red")
    assert store.listings.summary(created.id).decided_for == "blue"
    assert heard == [PlayerEvent("decided", created.id, "", frozenset({umpire.id}), text="Red has resigned.")]
    assert store.ladder.statistics(umpire.id) == []
    assert len(store.ladder.statistics(host.id)) == 1


def test_first_player_of_a_side_ends_the_match_for_it(store: Store, toys: Toys) -> None:
    game = tiny(ask("red"), ask("blue"))
    seats = [Seat("red", "Red", "red"), Seat("rose", "Rose", "red"), Seat("blue", "Blue", "blue")]
    toys["tiny"] = replace(game, rules=replace(game.rules, seats=lambda *_: seats))
    host, mate = enrolled(store), enrolled(store, "Mate")
    created = store.lobby.create(host, "tiny", None, {}, {"red": ME, "rose": FRIEND, "blue": ME})
    store.seats.join_by_link(created.links["rose"], mate.id)
    for call in (store.matches.resign, store.matches.offer_draw):
        with pytest.raises(NotTheLeader, match="Only Red can"):
            call(created.id, "rose")
    store.matches.offer_draw(created.id, "blue")
    with pytest.raises(NotTheLeader):
        store.matches.answer_draw(created.id, "rose", True)
    store.seats.leave_seat(created.id, "red", host.id)
    store.seats.join_by_link(store.seats.new_link(created.id, "red", mate.id), enrolled(store, "Late").id)
    with pytest.raises(NotTheLeader, match="Only Rose can"):
        store.matches.resign(created.id, "red")
    store.matches.resign(created.id, "rose")
    assert store.listings.summary(created.id).decided_for == "blue"


def test_other_side_hears_of_an_offer_and_of_the_draw(store: Store, duel: str) -> None:
    heard = list[tuple[str, frozenset[str], str]]()
    store.on_player_event(lambda event: heard.append((event.kind, event.others, event.text)))
    (red,), (blue,) = ([player for player, _ in seat.players] for seat in store.listings.summary(duel).seats)
    store.matches.offer_draw(duel, "red")
    store.matches.answer_draw(duel, "blue", True)
    assert heard == [
        ("draw", frozenset({blue}), "Red offers a draw."),
        ("decided", frozenset({red}), "The players have agreed on a draw."),
    ]


def test_draw_is_offered_and_accepted(store: Store, duel: str) -> None:
    store.matches.offer_draw(duel, "red")
    assert offer(store, duel) == DrawOffer("red", 0)
    answer(store, duel)
    assert offer(store, duel) is not None, "the side that offers may decide first"
    with pytest.raises(NotYourSeat):
        store.matches.answer_draw(duel, "red", True)
    store.matches.answer_draw(duel, "blue", True)
    summary = store.listings.summary(duel)
    assert (summary.decided, summary.decided_for, summary.draw_offer) == ("draw", "", None)
    assert last_message(store, duel) == "The players have agreed on a draw."
    assert duel not in [match.id for match in store.integrity.check().matches if match.damage]


def test_offer_of_both_sides_is_a_draw(store: Store, duel: str) -> None:
    store.matches.offer_draw(duel, "red")
    store.matches.offer_draw(duel, "blue")
    assert store.listings.summary(duel).decided == "draw"


def test_offer_ends_by_refusal_withdrawal_or_a_decision_of_the_other_side(store: Store, duel: str) -> None:
    store.matches.offer_draw(duel, "red")
    store.matches.answer_draw(duel, "blue", False)
    assert last_message(store, duel) == "Blue declines the draw."
    with pytest.raises(NoDrawOffer):
        store.matches.answer_draw(duel, "blue", True)
    store.matches.offer_draw(duel, "blue")
    store.matches.answer_draw(duel, "blue", False)
    assert len(store.chat.messages(duel, [])) == 1, "no one else has declined it"
    store.matches.offer_draw(duel, "red")
    answer(store, duel, 2)
    assert offer(store, duel) is None
    with pytest.raises(NoDrawOffer):
        store.matches.answer_draw(duel, "blue", True)


def test_side_cannot_offer_again_at_once(store: Store, duel: str) -> None:
    store.matches.offer_draw(duel, "red")
    store.matches.answer_draw(duel, "blue", False)
    for _ in range(OFFER_AGAIN):
        with pytest.raises(CannotOfferDraw, match="again 10 decisions after"):
            store.matches.offer_draw(duel, "red")
        answer(store, duel)
    store.matches.offer_draw(duel, "red")
    assert offer(store, duel) is not None


def test_secret_decision_leaves_the_offer_open(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(plans(2))
    match_id = for_two(store)
    store.matches.offer_draw(match_id, "red")
    store.matches.answer(match_id, "blue", "a", None)
    assert offer(store, match_id) is not None, "red would notice the decision"


def test_bot_declines_at_once(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("blue"), ask("red"))
    match_id = store.lobby.create(enrolled(store), "tiny", None, {}, {"red": ME, "blue": BOT}).id
    store.matches.offer_draw(match_id, "red")
    assert offer(store, match_id) is None
    assert last_message(store, match_id) == "Red offers a draw. The bot declines."


@pytest.mark.parametrize("how", ["resigned", "draw"])
def test_result_counts_on_the_ladder_once_and_stays(store: Store, how: str) -> None:
    match_id, host, friend, _ = two_players(store, listed=True)
    for player in (host, friend):
        store.ladder.join(player)
    assert not store.ladder.will_rate(match_id), "they joined the ladder after its start"
    match_id = rated(store, host, friend)
    if how == "resigned":
        store.matches.resign(match_id, "red")
    else:
        store.matches.offer_draw(match_id, "red")
        store.matches.answer_draw(match_id, "blue", True)
    score = {"resigned": 0.0, "draw": 0.5}[how]
    for _ in range(2):
        ((_, result),) = store.ladder.rated_matches(host, 5)
        assert result.score == score
        (side,) = [one for one in store.ladder.statistics(host) if one.matches]
        assert (side.won, side.drawn, side.lost, side.on_time) == (0, how == "draw", how == "resigned", 0)
        assert [one.id for one in store.ladder.public_results(5, player=host)] == [match_id]
        play(store, match_id, Random(1))
    assert store.listings.summary(match_id).outcome is not None


def rated(store: Store, host: str, friend: str) -> str:
    """Return a match in progress that will be rated."""
    player = store.players.get(host)
    created = store.lobby.create(player, "straits", None, {}, {"red": ME, "blue": FRIEND}, listed=True)
    store.seats.join_by_link(created.links["blue"], friend)
    play(store, created.id, Random(1), 3)
    assert store.ladder.will_rate(created.id)
    return created.id


def test_rematch_follows_a_resignation(store: Store) -> None:
    match_id, host, friend, _ = two_players(store)
    store.matches.resign(match_id, "blue")
    rematch = store.rematches.create(match_id, store.players.get(host))
    assert [one.rematch.id for one in store.rematches.offers(friend, [store.listings.summary(match_id)])] == [
        rematch.id
    ]
