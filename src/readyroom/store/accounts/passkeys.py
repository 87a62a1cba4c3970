"""Passkeys: public keys by which players sign in on other devices."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import delete, func, insert, select, update

from readyroom.store.base import Part, clean_text, hashed, now
from readyroom.store.cards import from_timestamp
from readyroom.store.database import WriteConflict
from readyroom.store.errors import InvalidText, PasskeyRejected
from readyroom.store.names import NAME_LENGTH
from readyroom.store.rows import AnyRow
from readyroom.store.tables import challenges, passkeys, players

MOST = 10
"""The most passkeys of a player."""


class Passkey(msgspec.Struct, frozen=True):
    """A passkey: its credential id in base64url, whose it is, and how often its device says it was used."""

    id: str
    player: str
    public_key: bytes
    sign_count: int
    name: str
    since: datetime
    used: datetime | None


class Passkeys(Part):
    """The passkeys of all players."""

    def of_player(self, player_id: str) -> list[Passkey]:
        """Return a player's passkeys in the order in which they were added."""
        wanted = select(passkeys).where(passkeys.c.player == player_id).order_by(passkeys.c.since, passkeys.c.id)
        with self._shared.database.glance() as connection:
            return [_passkey(row) for row in connection.execute(wanted)]

    def get(self, id: str) -> Passkey:
        """Return the passkey of a credential id; raise `PasskeyRejected` if it is not known (any more)."""
        with self._shared.database.glance() as connection:
            row = connection.execute(select(passkeys).where(passkeys.c.id == id)).one_or_none()
        if row is None:
            raise PasskeyRejected("This passkey is not known here; it may have been removed.")
        return _passkey(row)

    def add(self, player_id: str, id: str, public_key: bytes, sign_count: int, name: str) -> None:
        """Add a passkey to a player; raise `InvalidText` (its name, or too many) or `PasskeyRejected`."""
        name = clean_text(name, NAME_LENGTH, "The name", lines=False)
        row = {"id": id, "player": player_id, "public_key": public_key, "sign_count": sign_count, "name": name}
        with self._shared.database.writing() as connection:
            connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update())
            many = connection.execute(select(func.count()).where(passkeys.c.player == player_id)).scalar() or 0
            if many >= MOST:
                raise InvalidText(f"You have {MOST} passkeys, which is the limit. Remove one first.")
            if connection.execute(select(passkeys.c.id).where(passkeys.c.id == id)).first():
                raise PasskeyRejected("This passkey was added already.")
            connection.execute(insert(passkeys), {**row, "since": now()})

    def use_challenge(self, challenge: bytes, expires: float) -> bool:
        """Note that a challenge was answered; return False if it was answered before. Expired ones are forgotten."""
        row = {"challenge": hashed(challenge.hex()), "expires": expires}
        try:
            with self._shared.database.writing() as connection:
                connection.execute(delete(challenges).where(challenges.c.expires < now()))
                connection.execute(insert(challenges), row)
        except WriteConflict:
            return False
        return True

    def used(self, passkey: Passkey, sign_count: int) -> None:
        """Note a sign-in with the counter of the device; raise `PasskeyRejected` if another came between."""
        here = passkeys.c.id == passkey.id, passkeys.c.sign_count == passkey.sign_count
        with self._shared.database.writing() as connection:
            noted = update(passkeys).where(*here).values(sign_count=sign_count, used=now())
            if not connection.execute(noted).rowcount:
                raise PasskeyRejected("This passkey was used elsewhere at the same moment, or removed. Try again.")

    def rename(self, player_id: str, id: str, name: str) -> None:
        """Rename a player's passkey; raise `InvalidText`."""
        name = clean_text(name, NAME_LENGTH, "The name", lines=False)
        here = passkeys.c.player == player_id, passkeys.c.id == id
        with self._shared.database.writing() as connection:
            connection.execute(update(passkeys).where(*here).values(name=name))

    def remove(self, player_id: str, id: str) -> None:
        """Remove a player's passkey; it signs no one in any more."""
        with self._shared.database.writing() as connection:
            connection.execute(delete(passkeys).where(passkeys.c.player == player_id, passkeys.c.id == id))


def _passkey(row: AnyRow) -> Passkey:
    since, used = from_timestamp(row.since), None if row.used is None else from_timestamp(row.used)
    return Passkey(row.id, row.player, row.public_key, row.sign_count, row.name, since, used)
