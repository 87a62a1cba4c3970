"""Browsers that get push notifications. Each belongs to a session, and ends with it."""

from __future__ import annotations

import msgspec
from sqlalchemy import delete, exists, insert, select

from readyroom.store.accounts.players import KEY_LENGTH
from readyroom.store.base import Part, bounded, hashed, now
from readyroom.store.errors import UnknownPlayer
from readyroom.store.tables import players, pushes, sessions

ENDPOINT_LENGTH, TOKEN_LENGTH = 1000, 120

has_push = exists().where(pushes.c.session == sessions.c.session, sessions.c.player == players.c.id)
"""The condition that a browser of a player gets push notifications."""


class Subscription(msgspec.Struct, frozen=True):
    """A browser that gets push notifications: the address of its push service, and its keys in base64url."""

    id: str
    endpoint: str
    p256dh: str
    auth: str


class Pushes(Part):
    """The subscriptions of all players."""

    def subscribe(self, session: str, endpoint: str, p256dh: str, auth: str) -> None:
        """Send notifications to the browser of a session from now on; `InvalidText`, `UnknownPlayer`."""
        bounded(endpoint, ENDPOINT_LENGTH, "The address", lines=False)
        for token in (p256dh, auth):
            bounded(token, TOKEN_LENGTH, "The key", lines=False)
        key, address = hashed(session), hashed(endpoint)
        row = {"id": address, "session": key, "endpoint": endpoint, "p256dh": p256dh, "auth": auth, "since": now()}
        with self._shared.database.writing() as connection:
            if connection.execute(select(sessions.c.session).where(sessions.c.session == key)).first() is None:
                raise UnknownPlayer
            connection.execute(delete(pushes).where((pushes.c.session == key) | (pushes.c.id == address)))
            connection.execute(insert(pushes), row)

    def unsubscribe(self, session: str) -> None:
        """Send no more notifications to the browser of a session."""
        with self._shared.database.writing() as connection:
            connection.execute(delete(pushes).where(pushes.c.session == hashed(session)))

    def remove(self, player_id: str, device: str) -> None:
        """Send no more notifications to a device of a player, by its key in the list of devices."""
        if len(device) != KEY_LENGTH or not device.isalnum():
            return
        own = select(sessions.c.session).where(
            sessions.c.player == player_id, sessions.c.session.startswith(device, autoescape=True)
        )
        with self._shared.database.writing() as connection:
            connection.execute(delete(pushes).where(pushes.c.session.in_(own)))

    def drop(self, id: str) -> None:
        """Forget a subscription that its push service has ended."""
        with self._shared.database.writing() as connection:
            connection.execute(delete(pushes).where(pushes.c.id == id))

    def of_player(self, player_id: str) -> list[Subscription]:
        """Return the browsers that get a player's notifications."""
        wanted = select(pushes).join(sessions).where(sessions.c.player == player_id).order_by(pushes.c.since)
        with self._shared.database.glance() as connection:
            return [Subscription(row.id, row.endpoint, row.p256dh, row.auth) for row in connection.execute(wanted)]

    def devices(self, player_id: str) -> set[str]:
        """Return the keys of a player's devices that get notifications."""
        wanted = select(pushes.c.session).join(sessions).where(sessions.c.player == player_id)
        with self._shared.database.glance() as connection:
            return {session[:KEY_LENGTH] for session in connection.execute(wanted).scalars()}
