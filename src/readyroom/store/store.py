"""The store: players and matches in a database."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from sqlalchemy import URL

from readyroom.engine.record.signature import Signer
from readyroom.store.accounts.passkeys import Passkeys
from readyroom.store.accounts.players import Players
from readyroom.store.accounts.pushes import Pushes
from readyroom.store.admin import archive
from readyroom.store.admin.administration import Administration
from readyroom.store.admin.expiry import Expiry
from readyroom.store.admin.integrity_checks import Integrity
from readyroom.store.base import BotsDue, Moved, PlayerEvent, Shared
from readyroom.store.campaigns import Campaigns
from readyroom.store.chat import Chat
from readyroom.store.daily import Daily
from readyroom.store.database import Database, Durability
from readyroom.store.friends import Friends
from readyroom.store.integrity import Seals, read_note
from readyroom.store.ladder.high_scores import HighScores
from readyroom.store.ladder.ladder import Ladder
from readyroom.store.lobby.bot_matches import BotMatches
from readyroom.store.lobby.listings import Listings
from readyroom.store.lobby.lobby import Lobby
from readyroom.store.lobby.rematches import Rematches
from readyroom.store.lobby.seats import Seats
from readyroom.store.lobby.starting import Starter
from readyroom.store.matches.gameplay import Gameplay
from readyroom.store.matches.highlights import StoredHighlights
from readyroom.store.matches.passes import Passes
from readyroom.store.matches.records import Records
from readyroom.store.notebooks import Notebooks
from readyroom.store.puzzles import Puzzles
from readyroom.store.scenarios import Scenarios
from readyroom.store.secret_key import KEY_FILE, kept_secret
from readyroom.store.tournaments.tournaments import Tournaments


class Store:
    """Players and matches in a database. Each call is one transaction; calls may come from any thread.

    Its parts: `players`; `lobby`, with matches before they begin; `seats`; `friends`; `rematches`; `listings`, with
    summaries; `bot_matches`, in which only bots play; `matches` in progress; `records`; `passes` of seats; `chat`,
    with notes; `ladder`, with statistics; `high_scores`; `highlights`; `notebooks`; `scenarios` of players; `daily`
    challenges; `puzzles`; `campaigns`; `tournaments`; `passkeys`; `pushes`; `expiry`; `integrity` of the database; and
    `admin`.

    Args:
        url: `sqlite:///FILE` or `postgresql+psycopg://...`; None for a file in the user's own data folder; or a
            `Database` that is open and migrated. One that cannot be opened raises as `Database`.
        moved: called with (match id, what, revisions) after a change that others may wait for; see `Moved`.
        secret: from which the key of the seals is derived; None: that of the file `web.key` in the folder of a SQLite
            file, and none for PostgreSQL. Raises `OtherKey` if the matches are sealed with another key.
        durability: what confirmed decisions survive; see `Database`.
        accept: open it even if the matches are sealed with another key, for `integrity.seal_all`.
    """

    def __init__(
        self,
        url: str | URL | Database | None = None,
        moved: Moved | None = None,
        *,
        secret: str | None = None,
        durability: Durability = "process",
        accept: bool = False,
    ) -> None:
        self.database = url if isinstance(url, Database) else Database(url, durability=durability)
        seals = _seals(self.database, secret)
        try:
            if not accept:
                _claim(self.database, seals)
        except BaseException:
            self.database.close()
            raise
        self._shared = shared = Shared(self.database, seals, moved)
        self.games = shared.games
        self.players = Players(shared)
        starter, self.bot_matches = Starter(shared), BotMatches(shared)
        self.lobby = Lobby(shared, starter, self.bot_matches)
        self.seats = Seats(shared, starter, self.bot_matches)
        self.friends = Friends(shared, starter)
        self.rematches = Rematches(shared, self.lobby, starter)
        self.listings = Listings(shared)
        self.matches = Gameplay(shared)
        self.records = Records(shared)
        self.chat = Chat(shared)
        self.admin = Administration(shared)
        self.integrity = Integrity(shared)
        self.expiry = Expiry(shared)
        self.passkeys = Passkeys(shared)
        self.pushes = Pushes(shared)
        self.passes = Passes(shared)
        self.ladder = Ladder(shared)
        self.high_scores = HighScores(shared)
        self.highlights = StoredHighlights(shared)
        self.notebooks = Notebooks(shared)
        self.scenarios = Scenarios(shared)
        self.daily = Daily(shared, self.lobby)
        self.puzzles = Puzzles(shared)
        self.campaigns = Campaigns(shared, self.lobby, self.seats, self.records)
        self.tournaments = Tournaments(shared, self.lobby, self.seats)
        shared.ended = self._ended

    def _ended(self, match_id: str) -> None:
        """Rate a match that has just ended, and continue its campaign or tournament."""
        self.ladder.ended(match_id)
        self.campaigns.ended(match_id)
        self.tournaments.ended(match_id)

    def listen(self, moved: Moved) -> None:
        """Call this, instead of an earlier listener, after each change that others may wait for."""
        self._shared.moved = moved

    def on_bots_due(self, bots_due: BotsDue) -> None:
        """Call this after each change here after which a bot is still to answer; see `matches.bot_turn`."""
        self._shared.bots_due = bots_due

    def on_passes_due(self, passes_due: Callable[[str], object]) -> None:
        """Call this after each change here to a match with seats that pass; see `passes.run`."""
        self._shared.live.passes_due = passes_due

    def on_player_event(self, listener: Callable[[PlayerEvent], object]) -> None:
        """Call this after each change here by which a player joins, or offers or accepts a rematch."""
        self._shared.player_event = listener

    def sign_with(self, signer: Signer) -> None:
        """Sign the headers of matches that begin from now on."""
        self._shared.signer = signer

    def close(self) -> None:
        """Let go of the database. Nothing needs saving: what was answered is there."""
        self.database.close()

    def archive(self, path: str | PathLike[str], only: str | None = None) -> None:
        """Write a consistent snapshot of everything, or `only` of one match, to a file that only its owner can read."""
        archive.write(self.database, Path(path), only)

    @classmethod
    def restore(
        cls,
        path: str | PathLike[str],
        url: str | URL | None = None,
        *,
        secret: str | None = None,
        accept: bool = False,
    ) -> Store:
        """Return a store with everything from an archive, in an empty database of either kind; see `archive.read`.

        `secret` is as for a store; `accept` seals all matches with it instead of raising `OtherKey`.
        """
        database = Database(url, upto=None)
        seals = _seals(database, secret)
        try:
            archive.read(Path(path), database, seals, accept=accept)
        finally:
            database.close()
        return cls(url, secret=secret)


def _seals(database: Database, secret: str | None) -> Seals:
    """Return the seals made with this secret."""
    if secret is None:
        secret = kept_secret(Path(str(database.url.database)).parent / KEY_FILE) if database.is_file else ""
    return Seals(secret)


def _claim(database: Database, seals: Seals) -> None:
    """Raise `OtherKey` if a database is sealed with another key; note the key in a new one."""
    with database.glance() as connection:
        known = read_note(connection, "key") == seals.key_id
    if not known:
        with database.preparing() as connection:
            seals.claim(connection)
