"""Tests of the ladder: ratings, which matches are rated, and statistics."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tests.store.conftest import Clock
from tests.store.playing import BOT, FRIEND, ME, play

from readyroom.store import Player, SeatAssignment, Store
from readyroom.store.errors import UnknownPlayer
from readyroom.store.ladder.glicko import Rating, after_a_break, rate
from readyroom.store.ladder.ladder import SideResults


def test_glickman_example() -> None:
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rate(Rating(1500, 200), opponents)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_surprising_results_raise_volatility() -> None:
    after = rate(Rating(1500, 50), [(Rating(2200, 50), 1.0)] * 5)
    assert after.volatility > 0.06


def test_deviation_grows_in_a_break_and_is_bounded() -> None:
    assert after_a_break(Rating(1600, 60), 0) == Rating(1600, 60)
    assert 60 < after_a_break(Rating(1600, 60), 10).deviation < 100
    assert after_a_break(Rating(1600, 60), 1e6) == Rating(1600, 350)


def pair(store: Store, *, join: bool = True) -> tuple[Player, Player]:
    one, other = store.players.create("Nimitz").player, store.players.create("Yamamoto").player
    if join:
        store.ladder.join(one.id)
        store.ladder.join(other.id)
    return one, other


def duel(store: Store, red: Player, blue: Player, **more: str) -> str:
    """Create a match of two people, which has begun."""
    created = store.lobby.create(red, "straits", None, {}, {"red": ME, "blue": FRIEND}, **more)  # type: ignore[arg-type]
    store.seats.join_by_link(created.links["blue"], blue.id)
    return created.id


def finished(store: Store, red: Player, blue: Player, **more: str) -> str:
    match_id = duel(store, red, blue, **more)
    play(store, match_id, Random(1))
    return match_id


def test_opponents_are_counted_until_they_leave_the_ladder(store: Store) -> None:
    red, blue = pair(store)
    third = store.players.create("Yamamoto").player
    store.ladder.join(third.id)
    for one, other in ((red, blue), (blue, red), (red, third)):
        finished(store, one, other)
    rows = store.ladder.opponents(red.id, 10)
    assert [(row.player, row.won + row.drawn + row.lost) for row in rows] == [(blue.id, 2), (third.id, 1)]
    assert len({row.name for row in rows}) == 2, "names are made different"
    (mirror,) = store.ladder.opponents(blue.id, 10)
    assert (mirror.won, mirror.drawn, mirror.lost) == (rows[0].lost, rows[0].drawn, rows[0].won)
    assert [row.player for row in store.ladder.opponents(red.id, 1)] == [blue.id]
    store.ladder.leave(blue.id)
    assert [row.player for row in store.ladder.opponents(red.id, 10)] == [third.id]


def test_match_of_two_on_the_ladder_is_rated_once(store: Store) -> None:
    red, blue = pair(store)
    match_id = finished(store, red, blue)
    outcome = store.listings.summary(match_id).outcome
    assert outcome is not None
    places = {row.player: row for row in store.ladder.standings("straits")}
    ratings = {side: places[player.id].rating.rating for side, player in (("red", red), ("blue", blue))}
    assert ratings["red"] + ratings["blue"] == pytest.approx(3000)
    winner = outcome.winner
    assert winner is None or ratings[winner] > 1600
    assert [places[player.id].matches for player in (red, blue)] == [1, 1]
    assert not store.ladder.settle(match_id)
    store.ladder.catch_up()
    after = {row.player: row for row in store.ladder.standings("straits")}
    assert [after[player.id].matches for player in (red, blue)] == [1, 1]
    ((summary, known),) = store.ladder.rated_matches(red.id, 5)
    assert (summary.id, known.before) == (match_id, 1500)
    assert known.after == pytest.approx(ratings["red"])


def test_match_is_rated_before_its_end_is_announced(store: Store) -> None:
    red, blue = pair(store)
    heard: list[str] = []
    store.listen(lambda match, what, _: heard.append(what) if store.ladder.changes(match) else None)
    match_id = finished(store, red, blue)
    assert heard == ["moved"]
    assert store.ladder.changes(match_id).keys() == {red.id, blue.id}


def rated(store: Store, player: Player) -> bool:
    return bool(store.ladder.rated_matches(player.id, 1))


def with_bot(store: Store, red: Player, blue: Player) -> str:
    match_id = duel(store, red, blue)
    play(store, match_id, Random(1), 1)
    store.seats.assign_bot(match_id, "blue", "random", blue.id)
    store.seats.reclaim_seat(match_id, "blue", blue.id)
    return match_id


def with_seed(store: Store, red: Player, blue: Player) -> str:
    return duel(store, red, blue, seed="known")


def joined_late(store: Store, red: Player, blue: Player) -> str:
    store.ladder.leave(blue.id)
    match_id = duel(store, red, blue)
    play(store, match_id, Random(1), 1)
    store.ladder.join(blue.id)
    return match_id


def another_came(store: Store, red: Player, blue: Player) -> str:
    match_id = duel(store, red, blue)
    play(store, match_id, Random(1), 1)
    substitute = store.players.create("Nagumo").player
    store.ladder.join(substitute.id)
    link = store.seats.new_link(match_id, "blue", blue.id)
    store.seats.join_by_link(link, substitute.id)
    store.seats.leave_seat(match_id, "blue", blue.id)
    return match_id


def alone(store: Store, red: Player, blue: Player) -> str:
    return store.lobby.create(red, "straits", None, {}, {"red": ME, "blue": ME}).id


@pytest.mark.sample(4)
@pytest.mark.parametrize("begin", [with_bot, with_seed, joined_late, another_came, alone])
def test_other_matches_are_not_rated(store: Store, begin: Callable[[Store, Player, Player], str]) -> None:
    red, blue = pair(store)
    match_id = begin(store, red, blue)
    play(store, match_id, Random(1))
    assert store.listings.summary(match_id).outcome is not None
    assert not rated(store, red)
    assert not rated(store, blue)


def test_match_of_players_not_on_the_ladder_is_not_rated(store: Store) -> None:
    red, blue = pair(store, join=False)
    finished(store, red, blue)
    store.ladder.join(red.id)
    store.ladder.join(blue.id)
    store.ladder.catch_up()
    assert not rated(store, red)


def test_match_that_ended_while_the_server_stopped_is_rated_later(store: Store) -> None:
    red, blue = pair(store)
    store._shared.ended = lambda match_id: None
    finished(store, red, blue)
    assert not rated(store, red)
    store.ladder.catch_up()
    assert rated(store, red)


def test_leaving_the_ladder_deletes_what_is_known(store: Store) -> None:
    red, blue = pair(store)
    finished(store, red, blue)
    assert store.ladder.public_name(red.id) == "Nimitz"
    store.ladder.leave(red.id)
    with pytest.raises(UnknownPlayer):
        store.ladder.public_name(red.id)
    assert store.ladder.joined(red.id) is None
    assert not rated(store, red)
    assert {row.player for row in store.ladder.standings("straits")} & {red.id, blue.id} == {blue.id}


def test_deleted_players_and_matches_leave_no_ratings(store: Store) -> None:
    red, blue = pair(store)
    match_id = finished(store, red, blue)
    store.admin.remove(match_id)
    assert not rated(store, red)
    store.admin.delete_player(red.id)
    assert red.id not in {row.player for row in store.ladder.standings("straits")}


def test_ladder_is_sorted_by_the_lower_end(store: Store, clock: Clock) -> None:
    red, blue = pair(store)
    for _ in range(3):
        finished(store, red, blue)
    rows = [row for row in store.ladder.standings("straits") if row.player in (red.id, blue.id)]
    least = [row.rating.least for row in store.ladder.standings("straits")]
    assert least == sorted(least, reverse=True)
    assert [row.place for row in store.ladder.standings("straits")] == list(range(1, len(least) + 1))
    assert all(row.rating.deviation < 350 for row in rows)


def test_statistics_tell_people_and_bots_apart(store: Store) -> None:
    red, blue = pair(store, join=False)
    finished(store, red, blue)
    seats: dict[str, SeatAssignment] = {"red": ME, "blue": BOT}
    match_id = store.lobby.create(red, "straits", None, {}, seats).id
    play(store, match_id, Random(2))
    alone_id = alone(store, red, blue)
    play(store, alone_id, Random(3))
    tallies = store.ladder.statistics(red.id)
    assert [(tally.side, tally.bots, tally.matches) for tally in tallies] == [("red", False, 1), ("red", True, 1)]
    (against,) = store.ladder.statistics(blue.id)
    assert (against.side, against.matches) == ("blue", 1)
    first = tallies[0]
    assert (first.won, first.drawn, first.lost) == (against.lost, against.drawn, against.won)
    assert isinstance(first, SideResults)


def test_public_results_are_listed_matches_that_are_over(store: Store) -> None:
    red, blue = pair(store, join=False)
    private = finished(store, red, blue)
    public = finished(store, red, blue, listed=True)  # type: ignore[arg-type]
    found = [summary.id for summary in store.ladder.public_results(50)]
    assert public in found
    assert private not in found
    assert public not in [summary.id for summary in store.ladder.public_results(50, without=red.id)]
