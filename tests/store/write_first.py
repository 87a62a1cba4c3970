"""The script that wrote `first.sql`: a first-revision database with a match in progress, kept unchanged.

To write it again: `.venv/bin/python -m tests.store.write_first`. It needs the current toy game Straits.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.store.playing import FRIEND, ME, play
from tests.toys.straits import GAME

from readyroom.store import Store

FIRST = Path(__file__).with_name("first.sql")
NOT_YET = """
DROP TABLE messages; DROP TABLE notes; DROP TABLE takebacks;
ALTER TABLE players DROP COLUMN hook; ALTER TABLE players DROP COLUMN mail;
UPDATE alembic_version SET version_num = '0001';
"""


def write() -> None:
    """Play and undo some decisions, and write what the first revision would have stored."""
    with TemporaryDirectory() as folder, patch("readyroom.store.base.load_game", lambda name: GAME):
        file = f"{folder}/first.sqlite"
        with closing(Store(f"sqlite:///{file}")) as store:
            host, session, recovery = store.players.create("Nimitz")
            created = store.lobby.create(
                host, "straits", "many", {}, {"red": ME, "blue": FRIEND}, dice_nonce="luck", listed=True
            )
            store.seats.join_by_link(created.links["blue"], store.players.create("Nagumo").player.id)
            _play_with_an_undo(store, created.id)
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(NOT_YET)
            secrets = f"-- session {session}\n-- recovery {recovery}\n-- link {created.links['blue']}\n"
            FIRST.write_text(secrets + "\n".join(connection.iterdump()) + "\n")


def _play_with_an_undo(store: Store, match_id: str) -> None:
    random, undone = Random(11), False
    while store.listings.summary(match_id).revision < 24 or not undone:
        play(store, match_id, random, 1)
        with store.matches.open(match_id) as match:
            able = [seat.key for seat in match.seats if match.can_undo(seat.key)]
        if able and not undone and store.listings.summary(match_id).revision > 16:
            store.matches.undo(match_id, able[0])
            undone = True


if __name__ == "__main__":
    write()
