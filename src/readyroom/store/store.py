"""The store: players and matches in a database."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from sqlalchemy import URL

from readyroom.store import archive
from readyroom.store.administration import Administration
from readyroom.store.base import Moved, Shared
from readyroom.store.chat import Chat
from readyroom.store.database import Database
from readyroom.store.expiry import Expiry
from readyroom.store.gameplay import Gameplay
from readyroom.store.lobby import Lobby
from readyroom.store.passkeys import Passkeys
from readyroom.store.players import Players
from readyroom.store.records import Records


class Store:
    """Players and matches in a database. Each call is one transaction; calls may come from any thread.

    Its parts: `players`; `lobby`, with matches before they begin and their seats; `matches` in progress; `records`;
    `chat`, with notes; `passkeys`; `expiry`; and `admin`.

    Args:
        url: `sqlite:///FILE` or `postgresql+psycopg://...`; None for a file in the user's own data folder. A `Database`
            that cannot be opened raises `SaveError`, `WriteFailed` or `NewerDatabase`.
        moved: called with (match id, what, revisions) after a change that others may wait for; see `Moved`.
    """

    def __init__(self, url: str | URL | None = None, moved: Moved | None = None) -> None:
        self.database = Database(url)
        self._shared = shared = Shared(self.database, moved)
        self.games = shared.games
        self.players = Players(shared)
        self.lobby = Lobby(shared)
        self.matches = Gameplay(shared)
        self.records = Records(shared)
        self.chat = Chat(shared)
        self.admin = Administration(shared)
        self.expiry = Expiry(shared)
        self.passkeys = Passkeys(shared)

    def listen(self, moved: Moved) -> None:
        """Call this, instead of an earlier listener, after each change that others may wait for."""
        self._shared.moved = moved

    def close(self) -> None:
        """Let go of the database. Nothing needs saving: what was answered is there."""
        self.database.close()

    def archive(self, path: str | PathLike[str], only: str | None = None) -> None:
        """Write a consistent snapshot of everything, or `only` of one match, to a file that only its owner can read."""
        archive.write(self.database, Path(path), only)

    @classmethod
    def restore(cls, path: str | PathLike[str], url: str | URL | None = None) -> Store:
        """Return a store with everything from an archive, in an empty database of either kind; see `archive.read`."""
        database = Database(url, upto=None)
        try:
            archive.read(Path(path), database)
        finally:
            database.close()
        return cls(url)
