"""Tests of players: names, sessions, recovery."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.store.conftest import Clock

from readyroom.store import SeatAssignment, Store
from readyroom.store.accounts.players import DAY, HOUR, SAME_BROWSER, SESSION_DAYS
from readyroom.store.errors import InvalidText, LinkReplaced, UnknownLink, UnknownPlayer, WriteFailed


def test_session_identifies_player_until_it_ends(store: Store) -> None:
    player, session, _ = store.players.create("  Chester W. Nimitz ")
    assert player.name == "Chester W. Nimitz"
    assert store.players.of_session(session) == player == store.players.get(player.id)
    store.players.sign_out(session)
    assert store.players.of_session(session) is None
    assert store.players.of_session("no session at all \0\ud800") is None


def test_recovery_link_works_once_and_gives_the_next(store: Store) -> None:
    player, session, recovery = store.players.create("Nagumo")
    again, other, newer = store.players.recover(recovery)
    assert again == player
    assert store.players.of_session(session) == store.players.of_session(other) == player
    with pytest.raises(LinkReplaced, match="no longer works"):
        store.players.recover(recovery)
    with pytest.raises(LinkReplaced):
        store.players.recovers(recovery)
    assert store.players.recovers(newer) == player
    assert store.players.recover(newer).player == player


def test_same_browser_gets_the_lost_response_again(store: Store, clock: Clock) -> None:
    player, _, recovery = store.players.create("Nagumo")
    first = store.players.recover(recovery, "a secret of the browser")
    assert store.players.recovers(recovery, "a secret of the browser") == player
    assert store.players.recover(recovery, "a secret of the browser") == first
    with pytest.raises(LinkReplaced):
        store.players.recover(recovery, "another browser")
    clock.pass_(SAME_BROWSER + 1)
    with pytest.raises(LinkReplaced):
        store.players.recover(recovery, "a secret of the browser")
    assert store.players.recover(first.recovery).player == player


def test_link_used_by_two_at_once_opens_one_session(store: Store) -> None:
    player, _, recovery = store.players.create("Nagumo")

    def use(browser: int) -> bool:
        try:
            return store.players.recover(recovery, str(browser)).player == player
        except LinkReplaced:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(use, range(8))) == [False] * 7 + [True]
    assert len(store.players.devices(player.id)) == 2


def test_new_recovery_link_ends_the_old_one_and_all_other_sessions(store: Store) -> None:
    player, session, recovery = store.players.create("Nagumo")
    thief = store.players.recover(recovery)
    newer = store.players.new_recovery(player.id, session)
    assert store.players.of_session(thief.session) is None
    assert store.players.of_session(session) == player
    for old in (recovery, thief.recovery):
        with pytest.raises(UnknownLink, match="recovery link"):
            store.players.recover(old)
    assert store.players.recover(newer)[0] == player


# -- sessions --------------------------------------------------------------------------------------------------------


def test_session_expires_without_a_visit(store: Store, clock: Clock) -> None:
    player, session, _ = store.players.create("Nimitz")
    for _ in range(3):
        clock.pass_((SESSION_DAYS - 1) * DAY)
        seen = store.players.of_session(session)
        assert seen is not None
        assert seen.renewed
    clock.pass_(SESSION_DAYS * DAY + 1)
    assert store.players.of_session(session) is None
    assert store.players.devices(player.id) == []


def test_visit_is_written_at_most_once_an_hour(store: Store, clock: Clock) -> None:
    player, session, _ = store.players.create("Nimitz", "Firefox on Linux")
    visits = []
    for _ in range(12):
        clock.pass_(600)
        visits.append(store.players.of_session(session, "Firefox on Windows"))
    assert [visit.renewed for visit in visits if visit is not None] == ([False] * 5 + [True]) * 2
    (device,) = store.players.devices(player.id)
    assert device.name == "Firefox on Windows"
    assert device.seen.timestamp() == pytest.approx(clock())


def test_session_works_on_a_full_database(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    player, session, _ = store.players.create("Nimitz")
    clock.pass_(2 * HOUR)

    def refuses() -> None:
        raise WriteFailed("disk full")

    monkeypatch.setattr(store.database, "writing", refuses)
    seen = store.players.of_session(session)
    assert seen is not None
    assert seen.id == player.id


def test_devices_are_signed_out_one_by_one_and_together(store: Store) -> None:
    player, session, recovery = store.players.create("Spruance", "Firefox on Linux")
    phone = store.players.recover(recovery, device="Safari on iPhone")
    tablet = store.players.recover(phone.recovery, device="Chrome on Android")
    stranger = store.players.create("Fletcher")
    by_name = {device.name: device for device in store.players.devices(player.id, session)}
    assert [name for name, device in by_name.items() if device.here] == ["Firefox on Linux"]
    assert all(device.key not in session for device in by_name.values())
    store.players.sign_out_device(stranger.player.id, by_name["Safari on iPhone"].key)
    for wrong in ("", "%", "_" * 16, "0" * 16):
        store.players.sign_out_device(player.id, wrong)
    assert len(store.players.devices(player.id)) == 3
    store.players.sign_out_device(player.id, by_name["Safari on iPhone"].key)
    assert store.players.of_session(phone.session) is None
    store.players.sign_out_others(player.id, session)
    assert store.players.of_session(tablet.session) is None
    assert store.players.of_session(session) is not None
    assert store.players.of_session(stranger.session) is not None


# -- names and addresses ---------------------------------------------------------------------------------------------


def test_player_changes_name_and_addresses(store: Store) -> None:
    player, session, _ = store.players.create("Spruance")
    store.players.rename(player.id, "Raymond Spruance")
    store.players.set_notifications(player.id, " https://example.org/hook ", "ray@example.org")
    result = store.players.of_session(session)
    assert result is not None
    assert (result.name, result.hook, result.mail) == (
        "Raymond Spruance",
        "https://example.org/hook",
        "ray@example.org",
    )


@pytest.mark.sample(12)
@pytest.mark.parametrize(
    "name",
    [
        *("", "  ", "x" * 41, "a\nb", "a\0b", "\ud800", "a\u202eb", "a\u200bb", "a\u200db", "a\ufeffb", "a\u2066b"),
        *("a\u00adb", "\u3164", "\u2800\u2800", "a\ufe0f", "e" + "\u0301" * 9),
    ],
)
def test_name_is_one_line_of_visible_text(store: Store, name: str) -> None:
    with pytest.raises(InvalidText, match="name"):
        store.players.create(name)


@pytest.mark.parametrize("name", ["R\u0435ady Room", "Nimi\u0442z", "\u0410nna", "Nagum\u03bf", "Ensign G\u0430y"])
def test_word_of_two_alphabets_is_rejected(store: Store, name: str) -> None:
    with pytest.raises(InvalidText, match="letters in one word"):
        store.players.create(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Ready Room",
            "READY ROOM",
            "ReadyRoom",
            "Ready R00m",
            "Ｒｅａｄｙ Room",
            "Ready Roorn",
            "Ready-Room",
            "* Ready Room:",
        ),
        *("A player", "a deleted player", "You", "Server", "The server", "Admin"),
        *("Bot (doctrine)", "BOT(random), replacing Nimitz"),
    ],
)
def test_name_of_the_server_is_reserved(store: Store, name: str) -> None:
    with pytest.raises(InvalidText, match="reserved"):
        store.players.create(name)


@pytest.mark.parametrize(
    "name", ["南雲", "кот", "Иван Petrov", "Ναύαρχος", "ナグモ chūichi", "Jörg", "שלום", "Tern 2", "🐢"]
)
def test_names_of_all_scripts_are_welcome(store: Store, name: str) -> None:
    assert store.players.create(name).player.name == name


def test_names_that_look_alike_are_numbered_in_a_match(store: Store) -> None:
    host, guest, third = (store.players.create(name).player for name in ("Nimitz", "Nirnitz", "Nimitz (2)"))
    seats = {"red": SeatAssignment("me"), "blue": SeatAssignment("friend")}
    opened = store.lobby.create(host, "straits", None, {}, seats)
    store.seats.join_by_link(opened.links["blue"], guest.id)
    shared = store.seats.new_link(opened.id, "blue", guest.id)
    store.seats.join_by_link(shared, third.id)
    names = [name for seat in store.listings.summary(opened.id).seats for _, name in seat.players]
    assert names == ["Nimitz", "Nirnitz (2)", "Nimitz (2) (2)"]
    for player in (guest, host):
        store.chat.post(opened.id, player.id, "Who am I?", None)
    assert [message.name for message in store.chat.messages(opened.id, ())][-2:] == ["Nirnitz (2)", "Nimitz"]


def test_unknown_player_cannot_be_changed(store: Store) -> None:
    for change in (
        lambda: store.players.rename("nobody", "x"),
        lambda: store.players.new_recovery("nobody"),
        lambda: store.players.set_notifications("nobody", "", ""),
        lambda: store.players.get("nobody"),
    ):
        with pytest.raises(UnknownPlayer):
            change()
