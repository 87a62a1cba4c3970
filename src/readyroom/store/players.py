"""People: names, sessions, recovery links, and where to send word."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from readyroom.store.base import Part, bounded, clean_text, hashed, new_id, new_secret, now
from readyroom.store.cards import Enrolled, Player
from readyroom.store.chat import HOUSE
from readyroom.store.errors import InvalidText, UnknownLink, UnknownPlayer
from readyroom.store.rows import AnyRow
from readyroom.store.tables import players, sessions

NAME_LENGTH = 40
ADDRESS_LENGTH = 500

_player = select(players.c.id, players.c.name, players.c.hook, players.c.mail)
_whose = _player.join(sessions, sessions.c.player == players.c.id).where(sessions.c.session == bindparam("session"))


class Players(Part):
    """Who plays here."""

    def create(self, name: str) -> Enrolled:
        """Create a player; the session and recovery secrets are returned here and never again. `InvalidText`."""
        with self._shared.database.writing() as connection:
            return add_player(connection, name)

    def of_session(self, session: str) -> Player | None:
        """Return the player of a session; None if there is no such session."""
        with self._shared.database.glance() as connection:
            row = connection.execute(_whose, {"session": hashed(session)}).one_or_none()
        return None if row is None else _seen(row)

    def get(self, player_id: str) -> Player:
        """Return the player of this id; raise `UnknownPlayer`."""
        with self._shared.database.reading() as connection:
            row = connection.execute(_player.where(players.c.id == player_id)).one_or_none()
        if row is None:
            raise UnknownPlayer
        return _seen(row)

    def recover(self, recovery: str) -> tuple[Player, str]:
        """Return the player of a recovery link with a new session; raise `UnknownLink`. The link stays valid."""
        with self._shared.database.writing() as connection:
            player = _recovered(connection, recovery)
            return player, _new_session(connection, player.id)

    def recovers(self, recovery: str) -> Player:
        """Return the player of a recovery link; nothing changes yet. `UnknownLink`."""
        with self._shared.database.reading() as connection:
            return _recovered(connection, recovery)

    def new_recovery(self, player_id: str) -> str:
        """Create a recovery link; the old one stops working."""
        recovery = new_secret()
        self._change(player_id, recovery=hashed(recovery))
        return recovery

    def rename(self, player_id: str, name: str) -> None:
        """Change a player's name in all matches; raise `InvalidText`."""
        self._change(player_id, name=_name(name))

    def set_notifications(self, player_id: str, hook: str, mail: str) -> None:
        """Set where to notify the player: a webhook, a mail address; empty for neither. `InvalidText`."""
        addresses = {"hook": hook.strip(), "mail": mail.strip()}
        for address in addresses.values():
            bounded(address, ADDRESS_LENGTH, "The address", lines=False)
        self._change(player_id, **addresses)

    def sign_out(self, session: str) -> None:
        """End a session."""
        with self._shared.database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.session == hashed(session)))

    def _change(self, player_id: str, **values: str) -> None:
        with self._shared.database.writing() as connection:
            if not connection.execute(update(players).where(players.c.id == player_id).values(values)).rowcount:
                raise UnknownPlayer


def add_player(connection: Connection, name: str) -> Enrolled:
    """Add a player with a session and a recovery secret; raise `InvalidText`."""
    player, recovery = Player(new_id(), _name(name)), new_secret()
    row = {"id": player.id, "name": player.name, "recovery": hashed(recovery), "since": now()}
    connection.execute(insert(players), row)
    return Enrolled(player, _new_session(connection, player.id), recovery)


def _name(name: str) -> str:
    text = clean_text(name, NAME_LENGTH, "The name", lines=False)
    if text.casefold() == HOUSE.casefold():
        raise InvalidText(f"{HOUSE} is reserved for the server.")
    return text


def _seen(row: AnyRow) -> Player:
    return Player(row.id, row.name, row.hook, row.mail)


def _recovered(connection: Connection, recovery: str) -> Player:
    row = connection.execute(_player.where(players.c.recovery == hashed(recovery))).one_or_none()
    if row is None:
        raise UnknownLink("recovery link")
    return _seen(row)


def _new_session(connection: Connection, player_id: str) -> str:
    session = new_secret()
    connection.execute(insert(sessions), {"session": hashed(session), "player": player_id, "since": now()})
    return session
