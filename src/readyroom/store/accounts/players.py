"""Players: names, sessions, recovery links, and where to notify them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from readyroom.store.base import Part, bounded, clean_text, derived_secret, hashed, new_id, new_secret, now
from readyroom.store.cards import Device, Enrolled, Player, from_timestamp
from readyroom.store.errors import LinkReplaced, UnknownPlayer, WriteFailed
from readyroom.store.names import NAME_LENGTH, PROGRAM_ENDING, check_name
from readyroom.store.rows import PROGRAM, AnyRow, any_program
from readyroom.store.tables import players, sessions

ADDRESS_LENGTH, DEVICE_LENGTH = 500, 80
HOUR, DAY = 3600.0, 86400.0
SESSION_DAYS = 90
"""Days without a visit after which a session ends."""
SAME_BROWSER = 600.0
"""Seconds in which the browser that has used a link that works once may use it again, if the response was lost."""
KEY_LENGTH = 16
"""Characters of a session's hash that name it in the list of devices."""

_player = select(players.c.id, players.c.name, players.c.hook, players.c.mail)
_players_by_id = _player.where(players.c.id.in_(bindparam("ids", expanding=True)))
_of_session = (
    _player.add_columns(sessions.c.seen, sessions.c.device)
    .join(sessions, sessions.c.player == players.c.id)
    .where(sessions.c.session == bindparam("session"), sessions.c.seen > bindparam("least"))
)


class Players(Part):
    """Who plays here."""

    def create(self, name: str, device: str = "", *, program: bool = False) -> Enrolled:
        """Create a player; the session and recovery secrets are returned here and never again. `InvalidText`.

        No recovery link leads to a player that a `program` creates.
        """
        with self._shared.database.writing() as connection:
            return add_player(connection, name, device, program=program)

    def of_session(self, session: str, device: str = "") -> Player | None:
        """Return the player of a session; None if there is none, or it has expired.

        A visit an hour or more after the last one is written down: it renews the session, and cancels the expiry of the
        player. `renewed` is True then.
        """
        at, key = now(), hashed(session)
        with self._shared.database.glance() as connection:
            row = connection.execute(_of_session, {"session": key, "least": at - SESSION_DAYS * DAY}).one_or_none()
        if row is None:
            return None
        renewed = at - row.seen >= HOUR
        if renewed:
            with suppress(WriteFailed), self._shared.database.writing() as connection:
                known = device[:DEVICE_LENGTH] or row.device
                connection.execute(update(sessions).where(sessions.c.session == key).values(seen=at, device=known))
                connection.execute(update(players).where(players.c.id == row.id).values(seen=at, expires=None))
        return _seen(row, renewed=renewed)

    def get(self, player_id: str) -> Player:
        """Return the player of this id; raise `UnknownPlayer`."""
        found = self.get_many([player_id])
        if not found:
            raise UnknownPlayer
        return found[0]

    def is_program(self, player_id: str) -> bool:
        """Return whether a program created a player, so that no person has it."""
        with self._shared.database.glance() as connection:
            return any_program(connection, [player_id])

    def get_many(self, player_ids: Sequence[str]) -> list[Player]:
        """Return the players of these ids that exist, in no particular order."""
        with self._shared.database.glance() as connection:
            return [_seen(row) for row in connection.execute(_players_by_id, {"ids": player_ids})]

    # -- recovery links ----------------------------------------------------------------------------------------------

    def new_recovery(self, player_id: str, session: str = "") -> str:
        """Return a new recovery link's secret; the old one stops working, and all sessions but this one end."""
        recovery = new_secret()
        with self._shared.database.writing() as connection:
            _change(connection, player_id, recovery=hashed(recovery))
            _end_others(connection, player_id, session)
        return recovery

    def recovers(self, recovery: str, browser: str = "") -> Player:
        """Return the player of a recovery link; nothing changes yet. Raise `LinkReplaced` as `recover` does."""
        with self._shared.database.reading() as connection:
            row = connection.execute(_player.where(players.c.recovery == hashed(recovery))).one_or_none()
            return _seen(row) if row is not None else _recovered(connection, recovery, browser).player

    def recover(self, recovery: str, browser: str = "", device: str = "") -> Enrolled:
        """Return the player of a recovery link with a new session and the new link that replaces the used one.

        `browser` is a secret that only the browser knows. With it, the same link gives the same browser the same
        session for ten minutes, in case the first response was lost; both secrets follow from it and the link. Raises
        `LinkReplaced` if the link was used elsewhere, replaced, or never existed.
        """
        session, replacement = _secrets(recovery, browser or new_secret())
        with self._shared.database.writing() as connection:
            here = players.c.recovery == hashed(recovery)
            used = update(players).where(here).values(recovery=hashed(replacement), seen=now(), expires=None)
            found = connection.execute(used.returning(players.c.id)).scalar()
            if found is None:
                return _recovered(connection, recovery, browser)
            _add_session(connection, found, session, device)
            row = connection.execute(_player.where(players.c.id == found)).one()
        return Enrolled(_seen(row), session, replacement)

    # -- sessions ----------------------------------------------------------------------------------------------------

    def new_session(self, player_id: str, device: str = "") -> str:
        """Return the secret of a new session, for a player who has proved who they are; raise `UnknownPlayer`."""
        session = new_secret()
        with self._shared.database.writing() as connection:
            _change(connection, player_id, seen=now(), expires=None)
            _add_session(connection, player_id, session, device)
        return session

    def devices(self, player_id: str, session: str = "") -> list[Device]:
        """Return a player's sessions, last seen first; `session` is the secret of the one that asks."""
        own = sessions.c.player == player_id, sessions.c.seen > now() - SESSION_DAYS * DAY
        with self._shared.database.glance() as connection:
            rows = connection.execute(select(sessions).where(*own).order_by(sessions.c.seen.desc())).all()
        mine = hashed(session)
        return [
            Device(
                row.session[:KEY_LENGTH],
                row.device,
                from_timestamp(row.since),
                from_timestamp(row.seen),
                row.session == mine,
            )
            for row in rows
        ]

    def sign_out(self, session: str) -> None:
        """End a session."""
        with self._shared.database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.session == hashed(session)))

    def sign_out_device(self, player_id: str, key: str) -> None:
        """End the session of a player that has this key in the list of devices, if there is one."""
        if len(key) != KEY_LENGTH:
            return
        own = sessions.c.player == player_id, sessions.c.session.startswith(key, autoescape=True)
        with self._shared.database.writing() as connection:
            connection.execute(delete(sessions).where(*own))

    def sign_out_others(self, player_id: str, session: str) -> None:
        """End all sessions of a player except this one."""
        with self._shared.database.writing() as connection:
            _end_others(connection, player_id, session)

    # -- the profile -------------------------------------------------------------------------------------------------

    def rename(self, player_id: str, name: str) -> None:
        """Change a player's name in all matches; raise `InvalidText`."""
        text = _name(name)
        with self._shared.database.writing() as connection:
            _change(connection, player_id, name=text)

    def set_notifications(self, player_id: str, hook: str, mail: str) -> None:
        """Set where to notify the player: a webhook, a mail address; empty for neither. `InvalidText`."""
        addresses = {"hook": hook.strip(), "mail": mail.strip()}
        for address in addresses.values():
            bounded(address, ADDRESS_LENGTH, "The address", lines=False)
        with self._shared.database.writing() as connection:
            _change(connection, player_id, **addresses)

    def alerts(self, player_id: str) -> frozenset[str]:
        """Return the games of whose open seats a player wants to know."""
        with self._shared.database.glance() as connection:
            known = connection.execute(select(players.c.alerts).where(players.c.id == player_id)).scalar()
        return frozenset((known or "").split())

    def set_alerts(self, player_id: str, games: Iterable[str]) -> None:
        """Set the games of whose open seats a player wants to know."""
        text = " ".join(sorted(set(games)))
        with self._shared.database.writing() as connection:
            _change(connection, player_id, alerts=f" {text} " if text else "")


def add_player(
    connection: Connection, name: str, device: str = "", session: str = "", *, program: bool = False
) -> Enrolled:
    """Add a player with a session (by default a new one) and a recovery secret; raise `InvalidText`."""
    ending = PROGRAM_ENDING if program and name.endswith(PROGRAM_ENDING) else ""
    player, recovery, at = Player(new_id(), _name(name.removesuffix(ending)) + ending), new_secret(), now()
    session = session or new_secret()
    known = f"{PROGRAM}{recovery}" if program else hashed(recovery)
    row = {"id": player.id, "name": player.name, "recovery": known, "since": at, "seen": at}
    connection.execute(insert(players), row)
    _add_session(connection, player.id, session, device)
    return Enrolled(player, session, recovery)


def _name(name: str) -> str:
    """Return a display name in Unicode's composed form (NFKC); raise `InvalidText` if it is not one."""
    text = clean_text(unicodedata.normalize("NFKC", name), NAME_LENGTH, "The name", lines=False)
    check_name(text)
    return text


def _change(connection: Connection, player_id: str, **values: object) -> None:
    if not connection.execute(update(players).where(players.c.id == player_id).values(values)).rowcount:
        raise UnknownPlayer


def _seen(row: AnyRow, *, renewed: bool = False) -> Player:
    return Player(row.id, row.name, row.hook, row.mail, renewed)


def _secrets(recovery: str, browser: str) -> tuple[str, str]:
    """Return the session and the next recovery link that a link gives to a browser."""
    return derived_secret(recovery, "session", browser), derived_secret(recovery, "recovery", browser)


def _recovered(connection: Connection, recovery: str, browser: str) -> Enrolled:
    """Return what this link gave to this browser a few minutes ago; raise `LinkReplaced` if it gave nothing."""
    session, replacement = _secrets(recovery, browser)
    wanted = _player.join(sessions, sessions.c.player == players.c.id).where(
        sessions.c.session == hashed(session),
        sessions.c.since > now() - SAME_BROWSER,
        players.c.recovery == hashed(replacement),
    )
    row = connection.execute(wanted).one_or_none() if browser else None
    if row is None:
        raise LinkReplaced
    return Enrolled(_seen(row), session, replacement)


def _add_session(connection: Connection, player_id: str, session: str, device: str) -> None:
    at = now()
    row = {"session": hashed(session), "player": player_id, "since": at, "seen": at, "device": device[:DEVICE_LENGTH]}
    connection.execute(insert(sessions), row)


def _end_others(connection: Connection, player_id: str, session: str) -> None:
    own = sessions.c.player == player_id, sessions.c.session != hashed(session)
    connection.execute(delete(sessions).where(*own))
