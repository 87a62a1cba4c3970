"""Tournaments in a store: joining, rounds that follow by themselves, results, and players who leave."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import text, update
from tests.store.conftest import Clock
from tests.store.playing import enrolled, play, wait
from tests.toys import straits

from readyroom.engine.rules.state import Outcome
from readyroom.store import Player, Store
from readyroom.store.accounts.players import DAY
from readyroom.store.admin.deletion import delete_match_rows
from readyroom.store.errors import (
    InvalidSeating,
    NotYourSeat,
    TooManyTournaments,
    TournamentRefused,
    UnknownMatchId,
    UnknownTournament,
)
from readyroom.store.tables import matches
from readyroom.store.tournaments.tournaments import MOST_UNFINISHED, Tournament


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    """A function that says which side wins all matches from now on; None: they are drawn."""
    chosen: list[str | None] = ["red"]
    monkeypatch.setattr(straits, "Outcome", lambda winner, *more: Outcome(chosen[0], *more))
    return lambda winner: chosen.__setitem__(0, winner)


def gathered(store: Store, count: int, **settings: Any) -> tuple[str, list[Player]]:
    """Return a tournament that has just started, and its players; the first one organises it."""
    people = [enrolled(store, f"Player {chr(65 + n)}") for n in range(count)]
    cup = store.tournaments.create(people[0], "Cup", "straits", **{"places": count, **settings})
    for one in people:
        store.tournaments.join(cup, one.id, f"words of {one.name}")
    return cup, people


def open_matches(store: Store, cup: str) -> list[str]:
    return [one.match for one in store.tournaments.find(cup).pairings if not one.result]


def play_round(store: Store, cup: str) -> None:
    for match in open_matches(store, cup):
        play(store, match, Random(1))


def results(found: Tournament) -> list[tuple[int, str, str]]:
    return [(one.round, one.result, one.reason) for one in found.pairings]


def test_round_robin_pairs_everyone_with_secret_dice_and_ends_by_itself(
    store: Store, ending: Callable[[str | None], None]
) -> None:
    cup, people = gathered(store, 4)
    found = store.tournaments.find(cup)
    assert (found.state, len(found.pairings)) == ("running", 2)
    for pairing in found.pairings:
        summary = store.listings.summary(pairing.match)
        assert (summary.tournament, summary.host, summary.origin, summary.started) == (cup, "", "", True)
        assert {name for seat in summary.seats for _, name in seat.players} == {found.name(n) for n in pairing.players}
        assert summary.seats[0].players[0][1] == found.name(pairing.one)
        with store.matches.open(pairing.match) as match:
            assert set(match.nonces.values()) == {f"words of {found.name(number)}" for number in pairing.players}
    play_round(store, cup)
    assert len(store.tournaments.find(cup).pairings) == 4
    ending(None)
    play_round(store, cup)
    play_round(store, cup)
    found = store.tournaments.find(cup)
    assert (found.state, len(found.pairings)) == ("over", 6)
    assert {frozenset(one.players) for one in found.pairings} == {
        frozenset((a, b)) for a in range(1, 5) for b in range(a + 1, 5)
    }
    assert sum(one.points for one in found.standings) == 6
    assert [one.id for one in store.tournaments.of_player(people[3].id)] == [cup]
    first = {one.player for one in found.standings if one.place == 1}
    assert [store.tournaments.has_won(one.id) for one in people] == [found.seed_of(one.id) in first for one in people]


def test_both_sides_are_two_matches_at_once(store: Store) -> None:
    cup, _ = gathered(store, 3, both=True)
    one, two = store.tournaments.find(cup).pairings
    assert (one.players, (one.game, two.game)) == (two.players[::-1], (1, 2))


def test_rounds_go_on_after_a_restart_between_a_result_and_the_next_round(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/matches.sqlite"
    with closing(Store(url)) as store:
        cup, _ = gathered(store, 3)
        store._shared.ended = lambda match_id: None  # the server is killed before it notices
        play_round(store, cup)
    with closing(Store(url)) as store:
        assert len(store.tournaments.find(cup).pairings) == 1
        store.tournaments.catch_up()
        (match,) = open_matches(store, cup)
        with store.database.writing() as connection:  # killed before it has created the match
            store._shared.live.forget(match)
            delete_match_rows(connection, match)
        with pytest.raises(UnknownMatchId):
            store.listings.summary(match)
    with closing(Store(url)) as store:
        store.tournaments.catch_up()
        play_round(store, cup)
        play_round(store, cup)
        assert store.tournaments.find(cup).state == "over"


def test_knockout_with_bye_decides_a_draw_by_a_second_match_then_the_earlier_seed(
    store: Store, ending: Callable[[str | None], None]
) -> None:
    cup, _ = gathered(store, 3, kind="knockout")
    found = store.tournaments.find(cup)
    assert [(one.players, one.reason) for one in found.pairings] == [([1], "bye"), ([2, 3], "")]
    ending(None)
    play_round(store, cup)
    second = store.tournaments.find(cup).pairings[2]
    assert (second.round, second.players, second.game) == (1, [3, 2], 2)
    play_round(store, cup)
    final = store.tournaments.find(cup).pairings[3]
    assert set(final.players) == {1, 2}  # 2 has the earlier seed
    ending("blue")
    play_round(store, cup)
    found = store.tournaments.find(cup)
    assert (found.state, found.standings[0].player) == ("over", found.pairings[3].two)


def test_player_who_withdraws_loses_the_open_and_later_matches(store: Store) -> None:
    cup, people = gathered(store, 3)
    found = store.tournaments.find(cup)
    leaver = next(one for one in people if found.seed_of(one.id) == found.pairings[0].one)
    with pytest.raises(NotYourSeat):
        store.tournaments.remove(cup, people[0].name, people[1].id)
    store.tournaments.withdraw(cup, leaver.id)
    for _ in range(2):
        play_round(store, cup)
    found = store.tournaments.find(cup)
    assert (found.state, found.standings[-1].player) == ("over", found.seed_of(leaver.id))
    assert [one.reason for one in found.pairings].count("withdrawn") == 2
    assert not store.tournaments.has_won(leaver.id)
    with pytest.raises(TournamentRefused):
        store.tournaments.withdraw(cup, leaver.id)


def test_organiser_who_plays_removes_no_one_while_it_runs(store: Store) -> None:
    cup, (organiser, opponent, *_) = gathered(store, 3)
    with pytest.raises(TournamentRefused, match="You play in this tournament"):
        store.tournaments.remove(cup, opponent.name, organiser.id)
    store.tournaments.withdraw(cup, organiser.id)
    store.tournaments.remove(cup, opponent.name, organiser.id)
    assert [one.name for one in store.tournaments.find(cup).entrants if not one.is_out] == ["Player C"]


def test_conceded_match_and_players_who_stay(store: Store) -> None:
    cup, _ = gathered(store, 3)
    found = store.tournaments.find(cup)
    (pairing,) = found.pairings
    two = next(one for one in found.entrants if one.number == pairing.two)
    other = next(one for one in found.entrants if one.number not in pairing.players)
    with pytest.raises(TournamentRefused):
        store.seats.leave_seat(pairing.match, "blue", two.player)
    with pytest.raises(TournamentRefused):
        store.seats.assign_bot(pairing.match, "blue", "random", two.player)
    with pytest.raises(TournamentRefused):
        store.tournaments.concede(cup, pairing.match, other.player)
    assert pairing.match in {one.id for one in store.listings.public_matches()}
    store.tournaments.concede(cup, pairing.match, two.player)
    assert pairing.match not in {one.id for one in store.listings.public_matches()}
    assert results(store.tournaments.find(cup))[0] == (1, "one", "conceded")
    assert pairing.match not in store.listings.waiting_for(two.player)
    assert [one.id for one in store.listings.matches_of(two.player, hidden=True)] == [pairing.match]


def test_player_who_keeps_a_match_waiting_too_long_loses(store: Store, clock: Clock) -> None:
    cup, _ = gathered(store, 3, days=3)
    (match,) = open_matches(store, cup)
    while len(waiting := store.listings.summary(match).waiting) != 1:
        play(store, match, Random(3), 1)
    side = {"red": "two", "blue": "one"}[waiting[0]]
    clock.pass_(2.9 * DAY)
    store.tournaments.catch_up()
    assert open_matches(store, cup) == [match]
    clock.pass_(0.2 * DAY)
    store.tournaments.catch_up()
    assert results(store.tournaments.find(cup))[0] == (1, side, "overdue")
    assert len(store.tournaments.find(cup).pairings) == 2


def test_win_on_time_counts_at_once(store: Store) -> None:
    cup, _ = gathered(store, 3, minutes=30)
    (match,) = open_matches(store, cup)
    while len((summary := store.listings.summary(match)).waiting) > 1:
        play(store, match, Random(1), 1)
    (late,) = summary.waiting
    first, second = [seat.key for seat in summary.seats]
    wait(store, match, 31 * 60)
    store.matches.claim_win(match, second if late == first else first)
    found = store.tournaments.find(cup)
    assert results(found) == [(1, "two" if late == first else "one", "time"), (2, "", "")]
    assert found.decided(found.pairings[0]).endswith(" lost on time.")


@pytest.mark.parametrize("how", ["resigned", "agreed"])
def test_resignation_and_draw_count_at_once(store: Store, how: str) -> None:
    cup, _ = gathered(store, 3)
    (match,) = open_matches(store, cup)
    first, second = [seat.key for seat in store.listings.summary(match).seats]
    if how == "resigned":
        store.matches.resign(match, second)
    else:
        store.matches.offer_draw(match, first)
        store.matches.answer_draw(match, second, True)
    found = store.tournaments.find(cup)
    assert results(found) == [(1, "one" if how == "resigned" else "draw", how), (2, "", "")]
    assert found.decided(found.pairings[0]).endswith(" resigned." if how == "resigned" else "agreed on a draw.")


def test_older_tournaments_have_no_clocks(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/matches.sqlite"
    with closing(Store(url)) as store:
        cup, _ = gathered(store, 3)
        with store.database.writing() as connection:
            connection.execute(text("ALTER TABLE tournaments DROP COLUMN minutes"))
            connection.execute(text("ALTER TABLE sittings DROP COLUMN seen"))
            connection.execute(text("ALTER TABLE seats DROP COLUMN left_by"))
            connection.execute(text("ALTER TABLE matches RENAME COLUMN decided_for TO claimed"))
            for column in ("decided", "draw_offer", "help"):
                connection.execute(text(f"ALTER TABLE matches DROP COLUMN {column}"))
            connection.execute(text("UPDATE alembic_version SET version_num = '0020'"))
    with closing(Store(url)) as store:
        assert store.tournaments.find(cup).minutes == 0


def test_deleted_player_and_damaged_match_do_not_stop_a_tournament(store: Store, clock: Clock) -> None:
    cup, people = gathered(store, 3, kind="knockout")
    found = store.tournaments.find(cup)
    (match,) = open_matches(store, cup)
    with store.database.writing() as connection:
        connection.execute(update(matches).where(matches.c.id == match).values(damaged="a test", waiting="[]"))
    clock.pass_(8 * DAY)
    store.tournaments.catch_up()  # drawn, so that there is a second match
    assert results(store.tournaments.find(cup))[1:] == [(1, "draw", "overdue"), (1, "", "")]
    store.admin.delete_player(found.entrants[1].player)
    store.tournaments.catch_up()
    for _ in range(2):  # the final may be drawn, too
        play_round(store, cup)
    found = store.tournaments.find(cup)
    assert found.state == "over"
    assert found.entrants[1]._replace(number=0) == (0, "", "a deleted player", True)
    for one in people:
        if one.id in {each.player for each in found.entrants}:
            store.admin.delete_player(one.id)
    assert {one.player for one in store.tournaments.find(cup).entrants} == {""}


def test_before_the_start_players_come_and_go(store: Store) -> None:
    host, friend, third = (enrolled(store, name) for name in ("Ann", "Ben", "Eve"))
    cup = store.tournaments.create(host, "Cup", "straits", listed=False)
    for one in (host, friend, third):
        store.tournaments.join(cup, one.id)
        store.tournaments.join(cup, one.id)
    store.tournaments.withdraw(cup, friend.id)
    with pytest.raises(TournamentRefused):
        store.tournaments.withdraw(cup, friend.id)
    with pytest.raises(TournamentRefused, match="at least 3"):
        store.tournaments.start(cup, host.id)
    store.tournaments.join(cup, friend.id)
    with pytest.raises(NotYourSeat):
        store.tournaments.start(cup, friend.id)
    assert cup not in {one.id for one in store.tournaments.public()}
    store.tournaments.start(cup, host.id)
    assert store.tournaments.find(cup).state == "running"
    with pytest.raises(TournamentRefused, match="started"):
        store.tournaments.join(cup, enrolled(store).id)
    with pytest.raises(TournamentRefused):
        store.tournaments.cancel(cup, host.id)
    other = store.tournaments.create(host, "Other", "straits")
    store.tournaments.join(other, friend.id)
    assert other in {one.id for one in store.tournaments.public()}
    assert other not in {one.id for one in store.tournaments.public(friend.id)}
    store.admin.delete_player(friend.id)
    assert store.tournaments.find(other).entrants == ()
    store.tournaments.cancel(other, host.id)
    with pytest.raises(UnknownTournament):
        store.tournaments.find(other)


def test_player_removed_before_the_start_cannot_join_again(store: Store) -> None:
    people = [enrolled(store, name) for name in ("Ann", "Ben", "Eve", "Joe")]
    host, removed, *_ = people
    cup = store.tournaments.create(host, "Cup", "straits")
    for one in people[:3]:
        store.tournaments.join(cup, one.id)
    store.tournaments.remove(cup, removed.name, host.id)
    found = store.tournaments.find(cup)
    assert [one.name for one in found.entrants] == ["Ann", "Eve"]
    assert found.removed == {removed.id}
    for attempt in (store.tournaments.join, store.tournaments.withdraw, store.tournaments.join):
        with pytest.raises(TournamentRefused):
            attempt(cup, removed.id)
    with pytest.raises(TournamentRefused, match="at least 3"):
        store.tournaments.start(cup, host.id)
    assert cup not in {one.id for one in store.tournaments.of_player(removed.id)}
    store.tournaments.join(cup, people[3].id)
    assert store.tournaments.find(cup).state == "open", "the place of the removed player is free"
    store.tournaments.start(cup, host.id)
    found = store.tournaments.find(cup)
    assert sorted(one.name for one in found.entrants) == ["Ann", "Eve", "Joe"]
    assert {one.number for one in found.entrants} == {1, 2, 3}
    assert not found.removed


def test_client_adds_few_players_to_a_public_tournament(store: Store) -> None:
    host, *others = (enrolled(store) for _ in range(4))
    store.tournaments.players_each = 2
    cup = store.tournaments.create(host, "Cup", "straits")
    for one in (host, others[0]):
        store.tournaments.join(cup, one.id, client="an address")
    with pytest.raises(TournamentRefused, match="2 players have joined from your address"):
        store.tournaments.join(cup, others[1].id, client="an address")
    store.tournaments.join(cup, host.id, client="an address")  # again
    store.tournaments.join(cup, others[2].id, client="another address")
    assert len(store.tournaments.find(cup).entrants) == 3


@pytest.mark.parametrize(("listed", "most"), [(False, 2), (True, 0)])
def test_client_adds_any_players_to_other_tournaments(store: Store, listed: bool, most: int) -> None:
    store.tournaments.players_each = most
    people = [enrolled(store) for _ in range(3)]
    cup = store.tournaments.create(people[0], "Cup", "straits", listed=listed)
    for one in people:
        store.tournaments.join(cup, one.id, client="an address")
    assert len(store.tournaments.find(cup).entrants) == 3


def test_same_players_play_again(store: Store) -> None:
    events = list[Any]()
    store.on_player_event(events.append)
    cup, people = gathered(store, 3)
    assert {(one.kind, one.others) for one in events} == {
        (
            "paired",
            frozenset(one.player for one in store.tournaments.find(cup).entrants if one.number in pairing.players),
        )
        for pairing in store.tournaments.find(cup).pairings
    }
    with pytest.raises(TournamentRefused):
        store.tournaments.repeat(cup, people[1])
    for _ in range(3):
        play_round(store, cup)
    with pytest.raises(NotYourSeat):
        store.tournaments.repeat(cup, enrolled(store))
    new = store.tournaments.repeat(cup, people[1])
    assert store.tournaments.repeat(cup, people[2]) == new
    assert (events[-1].kind, events[-1].others) == ("invited", frozenset({people[0].id, people[2].id}))
    found = store.tournaments.find(new)
    assert (found.host, found.places, found.previous, len(found.entrants)) == (people[1].id, 3, cup, 1)
    for one in people:
        store.tournaments.join(new, one.id)
    assert store.tournaments.find(new).state == "running"


def test_unsuitable_tournaments_are_refused(store: Store) -> None:
    host = enrolled(store)
    for wrong in ({"places": 11}, {"places": 2}, {"days": 2}, {"kind": "swiss"}, {"kind": "knockout", "places": 17}):
        with pytest.raises(InvalidSeating):
            store.tournaments.create(host, "Cup", "straits", **wrong)
    with pytest.raises(InvalidSeating, match="two sides"):
        store.tournaments.create(host, "Cup", "picket")
    for _ in range(MOST_UNFINISHED):
        store.tournaments.create(host, "Cup", "straits")
    with pytest.raises(TooManyTournaments):
        store.tournaments.create(host, "Cup", "straits")


def test_open_tournament_expires_like_a_lobby(store: Store, clock: Clock) -> None:
    host = enrolled(store)
    cup = store.tournaments.create(host, "Cup", "straits")
    store.tournaments.join(cup, host.id)
    clock.pass_(29 * DAY)
    store.expiry.sweep()
    assert store.tournaments.find(cup).state == "open"
    clock.pass_(2 * DAY)
    store.expiry.sweep()
    with pytest.raises(UnknownTournament):
        store.tournaments.find(cup)


def test_program_gets_secrets_of_its_seats(store: Store) -> None:
    people = [enrolled(store, name) for name in ("Ann", "Ben", "Eve")]
    cup = store.tournaments.create(people[0], "Cup", "straits", places=3)
    secrets = [store.tournaments.join(cup, one.id, program=True) for one in people]
    assert [store.tournaments.by_link(secret) for secret in secrets] == [(cup, one.id) for one in people]
    seats = [store.tournaments.seats(cup, one.id) for one in people]
    (match,) = open_matches(store, cup)
    assert sorted(map(len, seats)) == [0, 1, 1]
    for one in seats:
        for seat, secret in one.get(match, {}).items():
            assert store.seats.match_by_link(secret)[1] == seat


def test_open_pages_are_notified_when_players_join_and_leave_and_matches_end(store: Store) -> None:
    heard: list[str] = []
    store._shared.moved = lambda cup, what, revisions: heard.append(cup) if what == "tournament" else None
    ann, ben, eve = (enrolled(store, name) for name in ("Ann", "Ben", "Eve"))
    cup = store.tournaments.create(ann, "Cup", "straits", places=3)
    changes: list[Callable[[], object]] = [
        *(partial(store.tournaments.join, cup, one.id) for one in (ann, ben)),
        partial(store.tournaments.withdraw, cup, ben.id),
        *(partial(store.tournaments.join, cup, one.id) for one in (ben, eve)),
        partial(play_round, store, cup),
        partial(store.tournaments.withdraw, cup, eve.id),
    ]
    for change in changes:
        heard.clear()
        change()
        assert set(heard) == {cup}
    other = store.tournaments.create(ann, "Cup", "straits", places=3)
    store.tournaments.cancel(other, ann.id)
    assert other in heard
