"""Notebooks of designers: studies that change the rules of a game, kept as the text of a study file."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from readyroom.store.base import Part, bounded, clean_text, new_id, new_secret, now
from readyroom.store.errors import InvalidText, TooManyNotebooks, UnknownLink, UnknownNotebook, UnknownPlayer
from readyroom.store.rows import AnyRow
from readyroom.store.tables import notebooks, players

MOST_NOTEBOOKS = 50
"""The most notebooks of a player."""
TITLE_LENGTH, TEXT_LENGTH = 100, 48_000
"""The most characters of a notebook's name, and of its study file."""
RESULT_BYTES = 512 * 1024
"""The most bytes of a result."""
SECRET_LENGTH = 64

_summary = (notebooks.c.id, notebooks.c.game, notebooks.c.title, notebooks.c.changed, notebooks.c.ran)


class NotebookSummary(msgspec.Struct, frozen=True):
    """A notebook in a list: when it was changed, and when it last ran (None: never)."""

    id: str
    game: str
    title: str
    changed: float
    ran: float | None


class Notebook(NotebookSummary, frozen=True):
    """A notebook with its study file, its last result, and the secret of its link if it is shared."""

    text: str
    link: str | None
    result: bytes | None


class Notebooks(Part):
    """The notebooks of all players. Only their owner can see and change them; who has a notebook's link can see it."""

    def create(self, player_id: str, game: str, title: str, text: str) -> str:
        """Keep a new notebook, and return its id; `TooManyNotebooks`, `InvalidText`, `UnknownPlayer`."""
        at = now()
        row = {"id": new_id(), "player": player_id, "game": game, "created": at, "changed": at, **_checked(title, text)}
        with self._shared.database.writing() as connection:
            # The row of the player is locked, so that the number cannot change before the commit.
            known = select(players.c.id).where(players.c.id == player_id).with_for_update()
            if connection.execute(known).first() is None:
                raise UnknownPlayer
            own = select(func.count()).select_from(notebooks).where(notebooks.c.player == player_id)
            if (connection.execute(own).scalar() or 0) >= MOST_NOTEBOOKS:
                raise TooManyNotebooks(MOST_NOTEBOOKS)
            connection.execute(insert(notebooks), row)
        return str(row["id"])

    def of_player(self, player_id: str) -> list[NotebookSummary]:
        """Return the notebooks of a player, the last changed first."""
        wanted = select(*_summary).where(notebooks.c.player == player_id).order_by(notebooks.c.changed.desc())
        with self._shared.database.glance() as connection:
            return [NotebookSummary(*row) for row in connection.execute(wanted)]

    def find(self, id: str, player_id: str) -> Notebook:
        """Return a notebook of a player; raise `UnknownNotebook` if there is none, or it is someone else's."""
        with self._shared.database.glance() as connection:
            return _notebook(_own(connection, id, player_id))

    def shared(self, secret: str) -> Notebook:
        """Return the notebook that a link leads to; raise `UnknownLink`."""
        with self._shared.database.glance() as connection:
            wanted = select(notebooks).where(notebooks.c.link == secret[:SECRET_LENGTH])
            row = connection.execute(wanted).one_or_none() if secret else None
        if row is None:
            raise UnknownLink("link to a notebook")
        return _notebook(row)

    def edit(self, id: str, player_id: str, change: Callable[[str], tuple[str, str]]) -> None:
        """Change a notebook: `change` is given its study file, and returns its new name and study file.

        Raises `UnknownNotebook`, `InvalidText`, and what `change` raises; then nothing has changed.
        """
        with self._shared.database.writing() as connection:
            row = _own(connection, id, player_id, lock=True)
            values = _checked(*change(row.text))
            if (values["title"], values["text"]) != (row.title, row.text):
                connection.execute(update(notebooks).where(notebooks.c.id == id).values(**values, changed=now()))

    def delete(self, id: str, player_id: str) -> None:
        """Delete a notebook of a player; raise `UnknownNotebook`."""
        with self._shared.database.writing() as connection:
            _own(connection, id, player_id, lock=True)
            connection.execute(delete(notebooks).where(notebooks.c.id == id))

    def share(self, id: str, player_id: str) -> None:
        """Give a notebook a link that cannot be guessed, unless it has one; raise `UnknownNotebook`."""
        with self._shared.database.writing() as connection:
            if _own(connection, id, player_id, lock=True).link is None:
                connection.execute(update(notebooks).where(notebooks.c.id == id).values(link=new_secret()))

    def unshare(self, id: str, player_id: str) -> None:
        """End the link of a notebook for good; raise `UnknownNotebook`."""
        with self._shared.database.writing() as connection:
            _own(connection, id, player_id, lock=True)
            connection.execute(update(notebooks).where(notebooks.c.id == id).values(link=None))

    def write_result(self, id: str, result: bytes) -> None:
        """Keep a result in place of the earlier one; nothing happens if the notebook is gone. `InvalidText`."""
        if len(result) > RESULT_BYTES:
            raise InvalidText(f"The result has {len(result):,} bytes; the maximum is {RESULT_BYTES:,}.")
        with self._shared.database.writing() as connection:
            connection.execute(update(notebooks).where(notebooks.c.id == id).values(result=result, ran=now()))


def _checked(title: str, text: str) -> dict[str, str]:
    """Return name and study file for the row; raise `InvalidText`."""
    return {
        "title": clean_text(title, TITLE_LENGTH, "The name", lines=False),
        "text": bounded(text, TEXT_LENGTH, "The notebook"),
    }


def _own(connection: Connection, id: str, player_id: str, *, lock: bool = False) -> AnyRow:
    """Return the row of a player's notebook; raise `UnknownNotebook`."""
    wanted = select(notebooks).where(notebooks.c.id == id, notebooks.c.player == player_id)
    row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none()
    if row is None:
        raise UnknownNotebook
    return row


def _notebook(row: AnyRow) -> Notebook:
    return Notebook(row.id, row.game, row.title, row.changed, row.ran, row.text, row.link, row.result)
