"""Words: talk at the table, and notes to oneself."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import and_, delete, insert, or_, select

from readyroom.store.base import Part, bounded, clean_text, now
from readyroom.store.cards import NO_NAME, Message, from_timestamp
from readyroom.store.errors import NotYourSeat
from readyroom.store.names import HOUSE, distinguish
from readyroom.store.rows import check_id, match_row, one_card, sitter_names
from readyroom.store.tables import messages, notes, players

TEXT_LENGTH, NOTE_LENGTH = 2_000, 20_000
REMEMBERED = 500
"""The number of recent messages that are returned."""


class Chat(Part):
    """What people say."""

    def post(self, id: str, player_id: str, text: str, side: str | None) -> None:
        """Post a message to everyone (None) or to the sender's own side.

        Raises `InvalidText`, or `NotYourSeat` if the sender neither plays nor hosts, or the side is not theirs.
        """
        text = clean_text(text, TEXT_LENGTH, "The message")
        with self._shared.database.writing() as connection:
            summary = one_card(connection, id)
            own = {seat.side for seat in summary.seats if seat.key in summary.seats_of(player_id)}
            if side is not None and side not in own:
                raise NotYourSeat("You can send private messages only to your own side.")
            if not own and player_id != summary.host:
                raise NotYourSeat("Spectators cannot chat.")
            row = {"match": id, "player": player_id, "side": side, "text": text, "at": now()}
            connection.execute(insert(messages), row)
        readers = summary.viewer_revisions()
        if side is not None:
            readers = {seat.key: readers[seat.key] for seat in summary.seats if seat.side == side}
        self._shared.notify(id, "talk", readers)

    def messages(self, id: str, sides: Collection[str], *, in_public: bool = False) -> list[Message]:
        """Return the messages to everyone and to these sides, in order.

        With `in_public` only players on the ladder are named, and the server's messages, which name others, are left
        out.
        """
        check_id(id)
        readable = or_(messages.c.side.is_(None), messages.c.side.in_(list(sides)))
        readable = and_(readable, messages.c.player.is_not(None)) if in_public else readable
        wanted = (
            select(messages.c.id, messages.c.player, players.c.name, messages.c.side, messages.c.text, messages.c.at)
            .outerjoin(players, players.c.id == messages.c.player)
            .where(messages.c.match == id, readable)
            .order_by(messages.c.id.desc())
            .limit(REMEMBERED)
            .add_columns(players.c.ladder)
        )
        with self._shared.database.reading() as connection:
            rows = connection.execute(wanted).all()[::-1]
            sitters = sitter_names(connection, id)
        names = distinguish([*sitters, *((row.player, row.name) for row in rows if row.player is not None)])
        if in_public:
            names |= {row.player: NO_NAME for row in rows if row.ladder is None}
        return [
            Message(row.id, names.get(row.player, HOUSE), row.side, row.text, from_timestamp(row.at)) for row in rows
        ]

    def write_note(self, id: str, player_id: str, text: str) -> None:
        """Keep a player's notes to oneself on a match, in place of the earlier ones. `InvalidText`."""
        bounded(text, NOTE_LENGTH, "The note")
        here = (notes.c.match == id, notes.c.player == player_id)
        with self._shared.database.writing() as connection:
            match_row(connection, id, lock=True)
            connection.execute(delete(notes).where(*here))
            if text.strip():
                connection.execute(insert(notes), {"match": id, "player": player_id, "text": text})

    def notes(self, id: str, player_id: str) -> str:
        """Return a player's private notes on a match; empty if there are none."""
        check_id(id)
        wanted = select(notes.c.text).where(notes.c.match == id, notes.c.player == player_id)
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).scalar() or ""
