"""What the store tells: players, seats and matches as plain values, without secrets unless a docstring says so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

import msgspec

from readyroom.engine.state import Outcome

Pace = Literal["live", "days"]
OVERDUE: Mapping[Pace, timedelta] = {"live": timedelta(minutes=10), "days": timedelta(days=3)}
"""For so long a seat may owe a decision before the host may give it to the staff."""


class Player(msgspec.Struct, frozen=True):
    """Someone who has told a name, and where to send word that a move is awaited (web-hook, mail), if anywhere."""

    id: str
    name: str
    hook: str = ""
    mail: str = ""


class Enrolled(NamedTuple):
    """A new player, and the two secrets that prove who it is: told once, kept only as hashes."""

    player: Player
    session: str
    recovery: str


class SeatAssignment(msgspec.Struct, frozen=True):
    """Who is to sit on a seat: the host, a bot by name, a friend who gets a link, or anyone who comes by."""

    kind: Literal["me", "bot", "friend", "anyone"]
    bot: str = ""


class SeatSummary(msgspec.Struct, frozen=True):
    """A seat as everybody may see it.

    `open`: anyone may take it without a link. `invited`: it has a link, and no one has come by it yet.
    `lent`: someone who does not sit there knows its link. `players` are (id, name); several people may share a seat.
    `awaited`: no one plays it yet. `former` are those in whose place a bot plays; they may take the seat back.
    `banned`: why anyone who keeps the server has banned it (empty: it is not); then no one sits there, and `barred` did.
    """

    key: str
    name: str
    side: str
    bot: str
    players: tuple[tuple[str, str], ...]
    open: bool
    invited: bool
    vacant: bool = False
    previous_players: tuple[tuple[str, str], ...] = ()
    shared: bool = False
    banned: str = ""
    banned_players: tuple[tuple[str, str], ...] = ()


class MatchSummary(msgspec.Struct, frozen=True):
    """What everybody may know of a match.

    `phase` is the phase's name in the game's sequence of play (empty before the beginning); `waiting` are the keys of
    the seats that owe a decision; `host` is a player's id, or empty.
    """

    id: str
    game: str
    title: str
    scenario: str
    options: dict[str, str]
    seats: tuple[SeatSummary, ...]
    pace: Pace
    public: bool
    started: bool
    revision: int
    turn: int
    phase: str
    waiting: tuple[str, ...]
    outcome: Outcome | None
    fingerprint: str
    host: str
    created: datetime
    changed: datetime
    tutorial: bool

    def seats_of(self, player_id: str) -> list[str]:
        """The keys of the seats that this player sits on."""
        return [seat.key for seat in self.seats if any(player == player_id for player, _ in seat.players)]

    def banned_from(self, player_id: str) -> SeatSummary | None:
        """The seat that was banned while this player sat there, if there is one."""
        return next((seat for seat in self.seats if player_id in dict(seat.banned_players)), None)

    def lent_to(self, player_id: str) -> bool:
        """Whether this player sits on a seat by a link that its lender still knows."""
        return any(seat.shared for seat in self.seats if player_id in dict(seat.players))

    def waits_for(self, player_id: str) -> bool:
        """Whether a decision of this player is awaited."""
        return any(seat in self.waiting for seat in self.seats_of(player_id))

    def may_hand_over(self, seat: SeatSummary, player_id: str, at: datetime | None = None) -> bool:
        """Whether this player may let the staff take a seat: who sits there; the host where no one comes or answers."""
        if seat.bot or self.outcome is not None:
            return False
        if player_id in dict(seat.players):
            return True
        overdue = seat.key in self.waiting and (at or datetime.now(UTC)) - self.changed > OVERDUE[self.pace]
        return player_id == self.host and (seat.vacant or overdue or bool(seat.banned))

    def may_take_back(self, seat: SeatSummary, player_id: str) -> bool:
        """Whether this player may take a seat back from the staff."""
        return bool(seat.bot) and self.outcome is None and player_id in dict(seat.previous_players)


class CreatedMatch(NamedTuple):
    """A new match, and for each seat of a friend the secret of its link: told once, kept only as a hash."""

    id: str
    links: dict[str, str]


class Message(msgspec.Struct, frozen=True):
    """Something that was said at the table, to all (`side` None) or to one's own side; `name` says by whom."""

    id: int
    name: str
    side: str | None
    text: str
    at: datetime


class TakebackRequest(msgspec.Struct, frozen=True):
    """A seat asks leave to return to where `position` decisions stood; `allowed` are the sides that have agreed."""

    seat: str
    position: int
    revision: int
    allowed: tuple[str, ...]


def from_timestamp(seconds: float) -> datetime:
    """A time as the database keeps it, as people read it."""
    return datetime.fromtimestamp(seconds, UTC)
