"""Tests of players: names, sessions, recovery."""

from __future__ import annotations

import pytest

from readyroom.store import Store
from readyroom.store.errors import InvalidText, UnknownLink, UnknownPlayer


def test_session_identifies_player_until_it_ends(store: Store) -> None:
    player, session, _ = store.players.create("  Chester W. Nimitz ")
    assert player.name == "Chester W. Nimitz"
    assert store.players.of_session(session) == player == store.players.get(player.id)
    store.players.sign_out(session)
    assert store.players.of_session(session) is None
    assert store.players.of_session("no session at all \0\ud800") is None


def test_recovery_link_opens_session(store: Store) -> None:
    player, session, recovery = store.players.create("Nagumo")
    again, other = store.players.recover(recovery)
    assert again == player
    assert session != other
    assert store.players.of_session(session) == store.players.of_session(other) == player


def test_new_recovery_link_replaces_old_one(store: Store) -> None:
    player, _, recovery = store.players.create("Nagumo")
    newer = store.players.new_recovery(player.id)
    with pytest.raises(UnknownLink, match="recovery link"):
        store.players.recover(recovery)
    assert store.players.recover(newer)[0] == player


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


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\nb", "a\0b", "\ud800", "a\u202eb"])
def test_name_is_one_line_of_text(store: Store, name: str) -> None:
    with pytest.raises(InvalidText, match="name"):
        store.players.create(name)


def test_unknown_player_cannot_be_changed(store: Store) -> None:
    for change in (
        lambda: store.players.rename("nobody", "x"),
        lambda: store.players.new_recovery("nobody"),
        lambda: store.players.set_notifications("nobody", "", ""),
        lambda: store.players.get("nobody"),
    ):
        with pytest.raises(UnknownPlayer):
            change()
