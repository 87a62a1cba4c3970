"""What all parts of the store share: the database, the live matches, and the listeners."""

from __future__ import annotations

import logging
import secrets
import time
from abc import ABC, abstractmethod
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from threading import Lock
from typing import Any, Literal, NamedTuple

from sqlalchemy import select

from readyroom.engine.game import Game, load_game
from readyroom.engine.record.signature import Signer
from readyroom.store.database import Database
from readyroom.store.errors import InvalidText
from readyroom.store.integrity import Seals
from readyroom.store.live.live_matches import LiveMatches
from readyroom.store.tables import matches

Moved = Callable[[str, str, Mapping[str, int]], None]
"""`moved(match id, what, revisions)`; what is "moved", "talk", "asked" or "seats"; "campaign" or "tournament"
for one of these, by its id.

`revisions` are those of the viewers (seats, and "" for spectators) that may notice it, as each of them counts.
"""


class PlayerEvent(NamedTuple):
    """What a player did that others may want to know while they are away.

    The player "joined" `seats` of a match, "offered" a rematch of it (`swap`: with sides exchanged), or "accepted" one,
    which is then the match itself; or they "opened" a public match with seats that are open to anyone. A match of a
    tournament is "paired" by the server; a player has "invited" others to a tournament, whose id is then in `match`,
    or "challenged" them to a match. A seat has offered a "draw", or "decided" a match before its end, as `text` says.
    `others` are the ids of the players to notify; `started` says whether the match has started by it.
    """

    kind: Literal["joined", "offered", "accepted", "opened", "paired", "invited", "challenged", "draw", "decided"]
    match: str
    player: str
    others: frozenset[str]
    seats: tuple[str, ...] = ()
    started: bool = False
    swap: bool = False
    text: str = ""


BotsDue = Callable[[str], object]
"""`bots_due(match id)`: after a commit here, a bot is still to answer."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The alphabet of ids: no two of these characters look similar."""
ID_LENGTH = 12

logger = logging.getLogger("readyroom.store")


def new_id() -> str:
    """Return a random id that can be read aloud: 59 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))


def derived_id(text: str) -> str:
    """Return the id that belongs to a text."""
    return "".join(LETTERS[byte % len(LETTERS)] for byte in blake2b(text.encode(), digest_size=ID_LENGTH).digest())


def new_secret() -> str:
    """Return a random secret for a link or a cookie: 256 bits."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """Return the stored hash of a secret. A secret has 256 random bits, so it needs no salt or slow hash."""
    return blake2b(secret.encode(errors="surrogatepass"), digest_size=32).hexdigest()


def derived_secret(secret: str, purpose: str, other: str) -> str:
    """Return a secret that follows from two others, and is as hard to guess as each of them."""
    key = blake2b(secret.encode(errors="surrogatepass"), digest_size=32).digest()
    data = f"{purpose} {other}".encode(errors="surrogatepass")
    return urlsafe_b64encode(blake2b(data, key=key, digest_size=32).digest()).rstrip(b"=").decode()


now = time.time


def clean_text(text: str, most: int, what: str, *, lines: bool = True) -> str:
    """Return a text trimmed; raise `InvalidText` if it is empty, too long or not plain text."""
    trimmed = text.strip()
    if not trimmed:
        raise InvalidText(f"{what} is empty.")
    return bounded(trimmed, most, what, lines=lines)


def bounded(text: str, most: int, what: str, *, lines: bool = True) -> str:
    """Return a text, perhaps empty; raise `InvalidText` if it is too long or not plain text."""
    if len(text) > most:
        raise InvalidText(f"{what} has {len(text)} characters; the maximum is {most}.")
    allowed = "\n\r\t" if lines else ""
    if any(not letter.isprintable() and letter not in allowed and letter != "\u00ad" for letter in text):
        raise InvalidText(f"{what} contains characters that cannot be displayed.")
    return text


class Games:
    """The installed games by name, each found once."""

    def __init__(self) -> None:
        self._known: dict[str, Game[Any, Any]] = {}
        self._finding = Lock()

    def __call__(self, name: str) -> Game[Any, Any]:
        """Return the game of this name; raise `UnknownGame` if it is not installed."""
        with self._finding:
            if name not in self._known:
                self._known[name] = load_game(name)
            return self._known[name]


class Shared:
    """What the parts of the store share: the database, seals, games, matches in memory, the listener and the signer.

    Without a signer the headers of matches are not signed. `ended` is called with the id of a match that an answer has
    ended, `player_event` with what players have done here.
    """

    def __init__(self, database: Database, seals: Seals, moved: Moved | None = None) -> None:
        self.database, self.seals = database, seals
        self.games = Games()
        self.moved = moved
        self.bots_due: BotsDue = lambda match_id: None
        self.player_event: Callable[[PlayerEvent], object] = lambda event: None
        self.ended: Callable[[str], object] = lambda match_id: None
        self.signer: Signer | None = None
        self.live = LiveMatches(database, self.games, seals, self._rewound)

    def _rewound(self, id: str, revisions: Mapping[str, int], bots_due: bool) -> None:
        """Notify listeners that a match was returned to where its decisions are legal, and of the message about it."""
        self.notify(id, "moved", revisions)
        self.notify(id, "talk", revisions)
        if bots_due:
            self.bots_due(id)

    def notify(self, id: str, what: str, revisions: Mapping[str, int]) -> None:
        """Notify the listener of a change that is committed; a listener that fails cannot undo it."""
        if self.moved is None:
            return
        try:
            self.moved(id, what, revisions)
        except Exception:
            logger.exception("listener for match %s failed", id)

    def report(self, event: PlayerEvent) -> None:
        """Report what a player has done, after its commit; a listener that fails cannot undo it."""
        try:
            self.player_event(event)
        except Exception:
            logger.exception("listener for the players of match %s failed", event.match)


class Part:
    """A part of the store."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared


class SeriesPart(Part, ABC):
    """A part that creates matches one after the other: `kind` is the column of a match that names its series."""

    kind: str

    @abstractmethod
    def advance(self, id: str) -> None:
        """Do what is due in a series."""

    def ended(self, match_id: str) -> None:
        """Continue the series of a match that has just ended; an error is logged, because the match is saved."""
        with self._shared.database.glance() as connection:
            found = connection.execute(select(matches.c[self.kind]).where(matches.c.id == match_id)).scalar()
        if found is not None:
            self._advance_all([found])

    def _advance_all(self, ids: Iterable[str]) -> None:
        """Continue series by themselves; an error is logged."""
        for each in ids:
            try:
                self.advance(each)
            except Exception:
                logger.exception("the %s %s could not continue", self.kind, each)
