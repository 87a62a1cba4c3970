"""The chat of a match, comments on one that is over, and private notes."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, and_, delete, func, insert, or_, select

from readyroom.store.base import Part, bounded, clean_text, now
from readyroom.store.cards import NO_NAME, MatchSummary, Message, from_timestamp
from readyroom.store.errors import NotYourSeat, SeatBanned
from readyroom.store.names import HOUSE, distinguish
from readyroom.store.rows import AnyRow, check_id, match_row, one_card, sitter_names
from readyroom.store.tables import matches, messages, notes, players

TEXT_LENGTH, NOTE_LENGTH = 2_000, 20_000
REMEMBERED = 500
"""The number of recent messages that are returned."""
COMMENTS = 20
"""The most comments of a spectator on a match."""


class Chat(Part):
    """Messages of players, comments of spectators, and notes."""

    def post(self, id: str, player_id: str, text: str, side: str | None) -> None:
        """Post a message to everyone (None) or to the sender's own side.

        Raises `InvalidText`, or `NotYourSeat` if the sender may not post, or the side is not theirs: others than
        players and the host can only comment on a public match that is over, if they are on the ladder.
        """
        text = clean_text(text, TEXT_LENGTH, "The message")
        with self._shared.database.writing() as connection:
            summary = one_card(connection, id)
            own = {seat.side for seat in summary.seats if seat.key in summary.seats_of(player_id)}
            if side is not None and side not in own:
                raise NotYourSeat("You can send private messages only to your own side.")
            if (excluded := summary.banned_from(player_id)) is not None:
                raise SeatBanned(excluded.name, excluded.banned)
            if not summary.has_player(player_id):
                _check_comment(connection, summary, player_id)
            row = {"match": id, "player": player_id, "side": side, "text": text, "at": now()}
            connection.execute(insert(messages), row)
        readers = summary.viewer_revisions()
        if side is not None:
            readers = {seat.key: readers[seat.key] for seat in summary.seats if seat.side == side}
        self._shared.notify(id, "talk", readers)

    def can_post(self, summary: MatchSummary, player_id: str) -> bool:
        """Return whether a player may post messages or comments."""
        if summary.banned_from(player_id):
            return False
        with self._shared.database.glance() as connection:
            return summary.has_player(player_id) or _may_comment(connection, summary, player_id)

    def remove(self, id: str, message_id: int, player_id: str) -> None:
        """Remove a spectator's comment, for its author or a player of the match; raise `NotYourSeat` for others."""
        with self._shared.database.writing() as connection:
            summary = one_card(connection, id)
            here = (messages.c.id == message_id, messages.c.match == id)
            message = connection.execute(select(messages).where(*here)).one_or_none()
            if message is None or not is_removable(summary, message, player_id):
                raise NotYourSeat("You cannot remove this message.")
            connection.execute(delete(messages).where(*here))
        self._shared.notify(id, "talk", summary.viewer_revisions())

    def latest_comments(self, limit: int) -> list[tuple[str, str, Message]]:
        """Return what players on the ladder have last said about public matches that are over.

        Each comes with the match and the title of its game.
        """
        wanted = (
            select(messages, players.c.name, matches.c.title)
            .join(matches, matches.c.id == messages.c.match)
            .join(players, players.c.id == messages.c.player)
            .where(matches.c.listed, matches.c.outcome.is_not(None), messages.c.at >= matches.c.announced)
            .where(messages.c.side.is_(None), players.c.ladder.is_not(None))
            .order_by(messages.c.id.desc())
            .limit(limit)
        )
        with self._shared.database.glance() as connection:
            rows = connection.execute(wanted).all()
        return [
            (row.match, row.title, Message(row.id, row.player, row.name, None, row.text, from_timestamp(row.at)))
            for row in rows
        ]

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
            Message(row.id, row.player, names.get(row.player, HOUSE), row.side, row.text, from_timestamp(row.at))
            for row in rows
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


def is_removable(summary: MatchSummary, message: Message | AnyRow, player_id: str) -> bool:
    """Return whether a player may remove a message: a spectator's comment, of their own or on their match.

    What was written before the end is no comment, even if its author has left the match.
    """
    at = message.at if isinstance(message, Message) else from_timestamp(message.at)
    if summary.outcome is None or message.side is not None or at < summary.changed:
        return False
    is_comment = message.player is not None and not summary.has_player(message.player)
    return is_comment and (message.player == player_id or player_id in summary.people)


def _may_comment(connection: Connection, summary: MatchSummary, player_id: str) -> bool:
    if not summary.public or summary.outcome is None:
        return False
    return connection.execute(select(players.c.ladder).where(players.c.id == player_id)).scalar() is not None


def _check_comment(connection: Connection, summary: MatchSummary, player_id: str) -> None:
    if not _may_comment(connection, summary, player_id):
        raise NotYourSeat("Spectators can comment on public matches that are over, if they are on the ladder.")
    own = select(func.count()).where(messages.c.match == summary.id, messages.c.player == player_id)
    if connection.execute(own).scalar_one() >= COMMENTS:
        raise NotYourSeat(f"You have written {COMMENTS} comments on this match. Remove one first.")
