"""Tests of expiry: what no one returns to is announced, kept after any visit, and deleted otherwise."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest
from tests.store.conftest import Clock
from tests.store.playing import FRIEND, ME, enrolled, opened, play
from tests.store.postgres import Postgres

from readyroom.store import Player, Store
from readyroom.store.accounts.players import DAY
from readyroom.store.admin.expiry import DAYS, NOTICE_DAYS, ExpiryStep
from readyroom.store.errors import UnknownMatchId, UnknownPlayer

Steps = set[tuple[str, str, str]]


def lobby_of(store: Store, host: Player) -> str:
    return store.lobby.create(host, "straits", None, {}, {"red": ME, "blue": FRIEND}).id


def acts(steps: list[ExpiryStep], *ids: str) -> Steps:
    """Return what happens to these; a database of the tests may have others."""
    return {(step.act, step.kind, step.id) for step in steps if step.id in ids}


def test_lobby_is_announced_and_deleted(store: Store, clock: Clock) -> None:
    match = lobby_of(store, enrolled(store))
    clock.pass_(DAYS["lobbies"] * DAY - 60)
    assert acts(store.expiry.sweep(), match) == set()
    clock.pass_(120)
    assert acts(store.expiry.sweep(dry=True), match) == {("announce", "match", match)}
    assert store.listings.summary(match).expires is None
    assert acts(store.expiry.sweep(), match) == {("announce", "match", match)}
    expires = store.listings.summary(match).expires
    assert expires is not None
    assert expires.timestamp() == pytest.approx(clock() + NOTICE_DAYS * DAY, abs=60)
    clock.pass_(NOTICE_DAYS * DAY - 60)
    assert acts(store.expiry.sweep(), match) == set()
    clock.pass_(120)
    assert acts(store.expiry.sweep(), match) == {("expire", "match", match)}
    with pytest.raises(UnknownMatchId):
        store.listings.summary(match)
    noted = [(entry.act, entry.why) for entry in store.admin.audit_log() if entry.match == match]
    assert noted == [("announce", f"to be deleted on {expires:%Y-%m-%d}"), ("expire", "no one has come back")]


def test_unfinished_match_expires_after_a_year_and_a_finished_one_never(store: Store, clock: Clock) -> None:
    unfinished, finished = opened(store), opened(store)
    play(store, finished, Random(1))
    assert store.listings.summary(finished).outcome is not None
    clock.pass_((DAYS["lobbies"] + 1) * DAY)
    assert acts(store.expiry.sweep(), unfinished, finished) == set()
    clock.pass_(DAYS["matches"] * DAY)
    assert acts(store.expiry.sweep(), unfinished, finished) == {("announce", "match", unfinished)}
    clock.pass_((NOTICE_DAYS + 1) * DAY)
    assert acts(store.expiry.sweep(), unfinished, finished) == {("expire", "match", unfinished)}


def test_visit_of_a_player_cancels_and_restarts_the_time(store: Store, clock: Clock) -> None:
    host, stranger = enrolled(store), enrolled(store, "Tern")
    match = lobby_of(store, host)
    clock.pass_((DAYS["lobbies"] + 1) * DAY)
    store.expiry.sweep()
    store.expiry.visited(store.listings.summary(match), stranger.id)
    assert store.listings.summary(match).expires is not None
    store.expiry.visited(store.listings.summary(match), host.id)
    assert store.listings.summary(match).expires is None
    clock.pass_((DAYS["lobbies"] - 1) * DAY)
    assert acts(store.expiry.sweep(), match) == set()
    clock.pass_(2 * DAY)
    assert acts(store.expiry.sweep(), match) == {("announce", "match", match)}


def test_decision_cancels_the_expiry(store: Store, clock: Clock) -> None:
    match = opened(store)
    clock.pass_((DAYS["matches"] + 1) * DAY)
    store.expiry.sweep()
    play(store, match, Random(1), answers=1)  # changed by the real clock, so in the past of the test's
    clock.pass_(-(DAYS["matches"] + 1) * DAY)
    store.expiry.sweep()
    assert store.listings.summary(match).expires is None


def test_player_without_matches_expires(store: Store, clock: Clock) -> None:
    idle, host, session = *store.players.create("Skua")[:1], enrolled(store, "Tern"), store.players.create("Gull")[1]
    back = store.players.of_session(session)
    assert back is not None
    opened(store, host=host)
    clock.pass_((DAYS["players"] + 1) * DAY)
    found = acts(store.expiry.sweep(), idle.id, host.id, back.id)
    assert found == {("announce", "player", idle.id), ("announce", "player", back.id)}
    clock.pass_((NOTICE_DAYS + 1) * DAY)
    store.expiry.keep(back.id)
    assert acts(store.expiry.sweep(), idle.id, host.id, back.id) == {("expire", "player", idle.id)}
    with pytest.raises(UnknownPlayer):
        store.players.get(idle.id)
    assert store.players.get(back.id) == back
    assert {entry.act for entry in store.admin.audit_log() if entry.player == idle.id} == {"announce", "expire"}


def test_sign_in_cancels_the_expiry_of_a_player(store: Store, clock: Clock) -> None:
    player, _, recovery = store.players.create("Skua")
    clock.pass_((DAYS["players"] + 1) * DAY)
    store.expiry.sweep()
    store.players.recover(recovery)
    clock.pass_((NOTICE_DAYS + 1) * DAY)
    assert acts(store.expiry.sweep(), player.id) == set()


def test_admin_keeps_a_match(store: Store, clock: Clock) -> None:
    match = lobby_of(store, enrolled(store))
    clock.pass_((DAYS["lobbies"] + 1) * DAY)
    store.expiry.sweep()
    assert store.expiry.keep(match) == "match"
    assert store.listings.summary(match).expires is None
    with pytest.raises(UnknownMatchId):
        store.expiry.keep("nothing")


def test_nothing_expires_where_it_is_off(store: Store, clock: Clock) -> None:
    match = lobby_of(store, enrolled(store))
    clock.pass_((DAYS["lobbies"] + 1) * DAY)
    store.expiry.sweep()
    store.expiry.days = None
    clock.pass_(1000 * DAY)
    assert store.expiry.sweep() == []
    assert store.listings.summary(match).expires is None


def test_player_who_comes_between_look_and_deletion_stays(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = enrolled(store)
    match = lobby_of(store, host)
    for days in (DAYS["lobbies"] + 1, NOTICE_DAYS + 1):
        clock.pass_(days * DAY)
        due = store.expiry.sweep(dry=True)
        if days != NOTICE_DAYS + 1:
            store.expiry.sweep()
    store.expiry.visited(store.listings.summary(match), host.id)
    monkeypatch.setattr(store.expiry, "_due", lambda kind: [step for step in due if step.kind == kind])
    assert acts(store.expiry.sweep(), match) == set()
    assert store.listings.summary(match).id == match


def test_one_process_sweeps_at_a_time(postgres: Postgres, clock: Clock) -> None:
    url = postgres.new_database()
    with closing(Store(url)) as store, closing(Store(url)) as other:
        match = lobby_of(store, enrolled(store))
        clock.pass_((DAYS["lobbies"] + 1) * DAY)
        with other.expiry._sole() as alone:
            assert alone
            assert store.expiry.sweep() == []
        assert acts(store.expiry.sweep(), match) == {("announce", "match", match)}
