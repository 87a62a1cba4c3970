"""Players, seats and matches as plain values, without secrets unless a docstring says so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.record.format import DAILY
from readyroom.engine.record.labels import REPLAY_ONLY, UNSIGNED, dice_label
from readyroom.engine.rules.state import Outcome
from readyroom.store.clock import Clock
from readyroom.store.errors import DailyLocked, HelpNotAgreed, OrderSealed
from readyroom.study.daily import keys

Pace = Literal["live", "days"]
Experience = Literal["", "new", "skilled"]
"""The opponents that the host of a match looks for: anyone, newcomers or experienced players."""
Decided = Literal["", "time", "resigned", "draw"]
"""How players decide a match before its end."""
OVERDUE: Mapping[Pace, timedelta] = {"live": timedelta(minutes=10), "days": timedelta(days=3)}
"""After this time an overdue seat may be given to a bot by the host."""
AWAY = OVERDUE["days"]
"""After this time without a visit, a player who is replaced by a bot no longer leads their side."""


class Player(msgspec.Struct, frozen=True):
    """A player with a display name, and where to send notifications (webhook, mail), if anywhere.

    `renewed`: the session was renewed by this visit.
    """

    id: str
    name: str
    hook: str = ""
    mail: str = ""
    renewed: bool = False


class Enrolled(NamedTuple):
    """A new player, and the two secrets that authenticate them: returned once, stored only as hashes."""

    player: Player
    session: str
    recovery: str


class Device(msgspec.Struct, frozen=True):
    """A session of a player: a key to name it by, which browser and system, and the hour it was last used.

    `here` marks the session that asks.
    """

    key: str
    name: str
    since: datetime
    seen: datetime
    here: bool


NO_NAME = "a player"
"""What the public reads instead of the name of a player who is not on the ladder."""


class SeatAssignment(msgspec.Struct, frozen=True):
    """Who gets a seat: the host, a bot by name, a friend by link, anyone, or a member of a campaign or tournament.

    `joins`: a newcomer takes the friend's seat, or the host their own, at once and keeps its link, as programs do. A
    member is the `player` of this id, who adds `words` to the dice key.
    """

    kind: Literal["me", "bot", "friend", "anyone", "member"]
    bot: str = ""
    joins: bool = False
    player: str = ""
    words: str = ""


class SeatSummary(msgspec.Struct, frozen=True):
    """A seat as everybody may see it.

    `open`: anyone may take it without a link. `invited`: it has a link, and no one has used it yet.
    `lent`: someone not in the seat knows its link. `players` are (id, name); several people may share a seat.
    `awaited`: the seat is empty. `former` are the players that a bot replaces; they may reclaim the seat.
    `banned`: why an admin has banned it (empty: not banned); then the seat is empty, and `barred` had it.
    `unjoined`: it has a link by which no one has joined, which shows nothing of the seat. `since` is when someone
    first came, or the start for all who were there, in seconds since 1970. `left_by` are the ids of the players who
    have left it since the start.
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
    unjoined: bool = False
    since: float = 0.0
    left_by: tuple[str, ...] = ()

    @property
    def holders(self) -> set[str]:
        """The ids of its players, or of those that a bot replaces or that are banned."""
        return {player_id for player_id, _ in (*self.players, *self.previous_players, *self.banned_players)}

    @property
    def known_to(self) -> set[str]:
        """The ids of all who have or had the seat, and so know its secrets."""
        return self.holders | set(self.left_by)


class MatchSummary(msgspec.Struct, frozen=True):
    """What everybody may know of a match.

    `phase` is the phase's name in the game's sequence of play (empty before the beginning); `waiting` are the keys of
    the seats that owe a decision; `host` is a player's id, or empty; `changed` is the time of the last change that
    everyone could see. `origin` says why a player may know the dice, as in the header of a record (empty if none can),
    `replay_only` that the match was played to its end elsewhere; `signature` is the server's of the header, made with
    the key `signer` when the match began. `expires` is when the match will be deleted, unless one of its players comes
    before. `true_revision` is for the store only: it counts hidden decisions too. `revisions` has what each viewer
    counts instead, if it differs. `experience` says which opponents the host looks for; `on_ladder` are the ids of its
    players on the ladder, whose names are public. `campaign` is the id of the campaign of which it is a `chapter`, and
    `has_order` says that its scenario has a sealed order. `tournament` is the id of the tournament it belongs to.
    `clock` has the clocks of the sides, if there are any. `decided` says how its players have decided the match before
    its end, and `decided_for` is the side that wins then, if any. `draw_offer` is the last offer of a draw.
    `last_seen` says when each player last opened or closed a page of the match. `help_agreed` says that its players
    have agreed on hints and analysis: when it was opened, or, alone in a game of one side, by using them.
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
    true_revision: int
    revisions: dict[str, int]
    turn: int
    phase: str
    waiting: tuple[str, ...]
    outcome: Outcome | None
    fingerprint: str
    host: str
    created: datetime
    changed: datetime
    tutorial: bool
    damaged: bool = False
    expires: datetime | None = None
    origin: str = ""
    replay_only: bool = False
    signer: str = ""
    signature: str = ""
    experience: Experience = ""
    on_ladder: frozenset[str] = frozenset()
    campaign: str = ""
    chapter: str = ""
    has_order: bool = False
    tournament: str = ""
    clock: Clock | None = None
    decided: Decided = ""
    decided_for: str = ""
    draw_offer: DrawOffer | None = None
    last_seen: dict[str, datetime] = {}
    help_agreed: bool = False

    @property
    def has_help(self) -> bool:
        """Whether hints and analysis are offered: to one who plays alone, and to people who have agreed on them."""
        return self.help_agreed or self.is_solo

    def check_help(self) -> None:
        """Raise an error if there are no hints and no analysis.

        `DailyLocked` in a counted attempt at a challenge of the day, `OrderSealed`, or `HelpNotAgreed` among people.
        """
        if self.is_counted:
            raise DailyLocked("hint or analysis")
        if self.has_order:
            raise OrderSealed
        if not self.has_help:
            raise HelpNotAgreed

    @property
    def dice_label(self) -> str:
        """The label that every page of the match shows: a short one, a colon, and a sentence; empty if none is due."""
        if self.replay_only:
            return REPLAY_ONLY
        if not self.origin and self.started and not self.signer and self.outcome is None:
            return UNSIGNED
        return dice_label(self.origin, over=self.outcome is not None)

    @property
    def is_counted(self) -> bool:
        """Whether it is a counted attempt at a challenge of the day, so that there is no help and no takeback."""
        return self.origin == "daily"

    def is_sealed(self, at: datetime | None = None) -> bool:
        """Return whether it is an attempt at a challenge whose day is not over: only its player may see it."""
        if self.origin not in ("daily", "practice"):
            return False
        return (at or keys.clock()) < keys.ends(self.created.date())

    @property
    def is_solo(self) -> bool:
        """Whether one person plays, against bots or alone, and no one else can join."""
        people = set[str]().union(*(seat.holders for seat in self.seats))
        return len(people) <= 1 and not any(seat.vacant for seat in self.seats)

    def is_known_only_to(self, player_id: str) -> bool:
        """Return whether no one else has or had a seat."""
        return all(seat.known_to <= {player_id} and (seat.bot or seat.vacant or seat.known_to) for seat in self.seats)

    @property
    def is_solitaire(self) -> bool:
        """Whether it has one side only."""
        return len({seat.side for seat in self.seats}) == 1

    @property
    def is_bots_only(self) -> bool:
        """Whether bots play it alone, and no one can ever take a seat: then it has no secrets to keep from people."""
        return not self.host and all(seat.bot and not seat.previous_players for seat in self.seats)

    @property
    def is_decided(self) -> bool:
        """Whether it has a result: it is over, or its players have decided it."""
        return self.outcome is not None or bool(self.decided)

    @property
    def is_open(self) -> bool:
        """Whether everyone may see what each side knows: the match is over, or only bots play it."""
        return self.outcome is not None or self.is_bots_only

    @property
    def revision(self) -> int:
        """The revision as spectators count it."""
        return self.revision_for(None)

    def revision_for(self, seat: str | None) -> int:
        """Return the revision as a seat (None: a spectator) counts it."""
        return self.revisions.get(seat or SPECTATOR, self.true_revision)

    def viewer_revisions(self) -> dict[str, int]:
        """Return the revision of each viewer."""
        return {viewer: self.revision_for(viewer) for viewer in (SPECTATOR, *(seat.key for seat in self.seats))}

    def seats_of(self, player_id: str) -> list[str]:
        """Return the keys of the player's seats."""
        return [seat.key for seat in self.seats if any(player == player_id for player, _ in seat.players)]

    @property
    def everyone(self) -> set[str]:
        """The ids of the host and all players, including those that a bot replaces or that are banned."""
        return self.people | {player_id for seat in self.seats for player_id, _ in seat.banned_players}

    @property
    def people(self) -> set[str]:
        """The ids of the host and all players, without those that are banned."""
        places = ({*seat.players, *seat.previous_players} for seat in self.seats)
        return {player_id for each in places for player_id, _ in each} | ({self.host} if self.host else set())

    def in_public(self, viewer: str = "") -> MatchSummary:
        """Return the summary without the names of those who are not on the ladder, except that of a viewer (an id)."""
        known = self.on_ladder | {viewer}

        def shown(people: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
            return tuple((one, name if one in known else NO_NAME) for one, name in people)

        seats = (
            replace(
                seat,
                players=shown(seat.players),
                previous_players=shown(seat.previous_players),
                banned_players=shown(seat.banned_players),
            )
            for seat in self.seats
        )
        return replace(self, seats=tuple(seats))

    def seen_by(self, viewer: str = "") -> MatchSummary:
        """Return the summary as a player (an id; empty: not signed in) may know it: `in_public` for strangers.

        Everyone who has the link of a match that is not public sees its names.
        """
        is_public = self.public or self.origin in DAILY
        return self.in_public(viewer) if is_public and viewer not in self.everyone else self

    def has_player(self, player_id: str) -> bool:
        """Return whether this player hosts the match or has a seat."""
        return player_id in self.everyone

    def banned_from(self, player_id: str) -> SeatSummary | None:
        """Return the seat from which this player is banned, if any."""
        return next((seat for seat in self.seats if player_id in dict(seat.banned_players)), None)

    def waits_for(self, player_id: str) -> bool:
        """Return whether this player has to decide."""
        return any(seat in self.waiting for seat in self.seats_of(player_id))

    def may_hand_over(self, seat: SeatSummary, player_id: str, at: datetime | None = None) -> bool:
        """Return whether this player may assign a bot: the seat's players, or others if it is empty.

        That is the host, and, once the match has started, the other players of its side, and those of other sides if
        the host has no seat. But no one who has or had a side that can win weakens another that people play. If the
        seat's decision is long overdue, all players may, and the host even if the seat has players.
        """
        if seat.bot or self.outcome is not None or self.is_counted or self.tournament or self.banned_from(player_id):
            return False
        if player_id in dict(seat.players):
            return True
        is_host, is_free = player_id == self.host, seat.vacant or bool(seat.banned)
        sides = {known.side for known in self.seats if player_id in dict(known.players)}
        if not is_host and not (self.started and sides):
            return False
        if seat.key in self.waiting and (at or datetime.now(UTC)) - self.changed > OVERDUE[self.pace]:
            return is_host or is_free
        is_weakened = self.started and self._is_rival(seat, player_id) and self._has_people(seat.side)
        is_theirs = (is_host or not self.seats_of(self.host)) and not is_weakened
        return is_free and (seat.side in sides or is_theirs)

    def may_link(self, seat: SeatSummary, player_id: str) -> bool:
        """Return whether this player may make a link to a seat: its players, or the host if no person plays it.

        Who joins sees the secrets of the side, and an umpire those of all. So once the match has started, a host who
        plays or has played another side that can win makes no link to a side of other people; its own players can, to
        an empty seat, or to that of a bot that replaces no one. Nor does such a host make one at any time to a bot's
        seat whose players would come back with it.
        """
        if self.banned_from(player_id):
            return False
        if player_id in dict(seat.players):
            return True
        is_bot = bool(seat.bot) and not (self.tournament or self.campaign)
        if self.is_decided or not (seat.vacant or is_bot):
            return False
        if player_id != self.host:
            mates = [known for known in self.seats if known.side == seat.side]
            is_theirs = any(player_id in dict(known.players) for known in mates)
            return self.started and not seat.previous_players and is_theirs
        has_holders = any(known.holders - {player_id} for known in self._shown_by(seat))
        is_secret = bool(seat.previous_players) or (self.started and has_holders)
        return not (is_secret and self._is_rival(seat, player_id))

    def may_join(self, seat: SeatSummary, player_id: str) -> bool:
        """Return whether a player may take a free seat of a match, unless they are banned or it has a result.

        Once the match has started, those who have or had a seat of another side take none of a side that other people
        have or had, nor an umpire's, and an umpire takes none of a side that can win. Before that, no one becomes both
        an umpire and a player against others.
        """
        if self.banned_from(player_id):
            return False
        if player_id in seat.holders:
            return True
        others = self.known_sides(player_id) - {seat.side}
        shown = self._shown_by(seat, everyone=not others <= set(self.contenders))
        if self.is_decided or (self.started and others and any(known.known_to - {player_id} for known in shown)):
            return False
        joined = replace(seat, players=(*seat.players, (player_id, "")))
        seats = tuple(joined if known.key == seat.key else known for known in self.seats)
        return not replace(self, seats=seats).has_playing_umpire

    @property
    def has_playing_umpire(self) -> bool:
        """Whether someone who is or was an umpire, and so sees everything, plays a side that others can play against.

        Alone, or against bots, that gives no one an advantage.
        """
        played = [seat for seat in self.seats if seat.side in self.contenders]
        umpires = set[str]().union(*(seat.known_to for seat in self.seats if seat not in played))
        has_others = any(seat.known_to - umpires or not (seat.bot or seat.known_to) for seat in played)
        return has_others and any(seat.holders & umpires for seat in played)

    def known_sides(self, player_id: str) -> set[str]:
        """Return the sides of which a player has or had a seat."""
        return {known.side for known in self.seats if player_id in known.known_to}

    def _is_rival(self, seat: SeatSummary, player_id: str) -> bool:
        """Return whether a player has or had a side that can win, other than that of this seat."""
        return bool((self.known_sides(player_id) - {seat.side}) & set(self.contenders))

    def _has_people(self, side: str) -> bool:
        """Return whether people play a side, or bots replace some who can come back."""
        own = [seat for seat in self.seats if seat.side == side]
        return any(seat.previous_players or not (seat.bot or seat.vacant or seat.banned) for seat in own)

    def _shown_by(self, seat: SeatSummary, *, everyone: bool = False) -> list[SeatSummary]:
        """Return the seats whose secrets a seat shows: those of its side, or all for an umpire's seat."""
        everyone = everyone or seat.side not in self.contenders
        return [known for known in self.seats if everyone or known.side == seat.side]

    def has_joined(self, seat: str | None) -> bool:
        """Return whether someone has joined a seat by its link; an invitation shows only what spectators see."""
        return any(known.key == seat and not known.unjoined for known in self.seats)

    def may_free(self, seat: SeatSummary, player_id: str) -> bool:
        """Return whether the host may empty a seat of others: before the start, and later only as an umpire.

        In a match of their own side, the host could remove an opponent who is about to win.
        """
        if player_id != self.host or player_id in dict(seat.players) or seat.banned or self.banned_from(player_id):
            return False
        if not self.started:
            return True
        own = self.known_sides(player_id)
        is_umpire = bool(self.seats_of(player_id)) and own.isdisjoint(self.contenders)
        return is_umpire and not (seat.bot or seat.vacant or self.is_decided)

    def may_claim(self, side: str, at: datetime | None = None) -> bool:
        """Return whether a side may claim the win: its only opponent is to decide, and its time is over; theirs is not.

        That the opponent may play on as well is theirs to allow, so nothing happens by itself.
        """
        others = self.opponents(side)
        if self.clock is None or self.is_decided or len(others) != 1:
            return False
        (other,), now = others, (at or datetime.now(UTC)).timestamp()
        is_over = other in self.clock.running and self.clock.seconds_left(other, now) <= 0
        return is_over and self.clock.seconds_left(side, now) > 0

    @property
    def contenders(self) -> list[str]:
        """The sides that can win: the first two. A third is an umpire's."""
        return list(dict.fromkeys(seat.side for seat in self.seats))[:2]

    def opponents(self, side: str) -> set[str]:
        """Return the other sides that can win."""
        return set(self.contenders) - {side}

    @property
    def can_be_decided(self) -> bool:
        """Whether its players may decide it: it is in progress.

        A counted attempt at a challenge has only the result of its end, and a campaign continues from there.
        """
        return self.started and not self.is_decided and not (self.is_counted or self.campaign)

    def may_resign(self, side: str | None) -> bool:
        """Return whether a side may resign: an umpire has nothing to lose."""
        return self.can_be_decided and side in self.contenders

    def leader(self, side: str, at: datetime | None = None) -> SeatSummary | None:
        """Return the seat that ends the match for a side: the first that people have played for longest, if any.

        Who comes after the start does not lead those who were there before. Who is replaced by a bot still leads,
        because they can come back, until they have not opened or closed the match for the time `AWAY`.
        """
        then = (at or datetime.now(UTC)) - AWAY
        own = (
            seat
            for seat in self.seats
            if seat.side == side and not (seat.vacant or seat.banned)
            if not seat.bot or any(self.last_seen.get(one, self.created) > then for one, _ in seat.previous_players)
        )
        return min(own, key=lambda seat: seat.since, default=None)

    def is_led_by(self, seat: SeatSummary) -> bool:
        """Return whether a seat, or another one of its players, is the leader of its side."""
        leader = self.leader(seat.side)
        return leader is None or leader.key == seat.key or not seat.holders.isdisjoint(leader.holders)

    def may_draw(self, side: str | None) -> bool:
        """Return whether a side may agree on a draw with another one."""
        return self.may_resign(side) and len(self.contenders) == 2

    def has_empty_side(self, side: str | None) -> bool:
        """Return whether another side has only empty seats, so that no one there can agree to a takeback."""
        seats = [seat for seat in self.seats if seat.side != side and not (seat.bot or seat.banned)]
        return {seat.side for seat in seats} != {seat.side for seat in seats if not seat.vacant}

    def may_take_back(self, seat: SeatSummary, player_id: str) -> bool:
        """Return whether this player may reclaim a seat from a bot."""
        return bool(seat.bot) and self.outcome is None and player_id in dict(seat.previous_players)


class CreatedMatch(NamedTuple):
    """A new match, and the link secret of each friend's seat: returned once, stored only as a hash."""

    id: str
    links: dict[str, str]


class Message(msgspec.Struct, frozen=True):
    """A chat message to everyone (`side` None) or to the sender's side; `player` and `name` are the sender's.

    A message without a player is the server's.
    """

    id: int
    player: str | None
    name: str
    side: str | None
    text: str
    at: datetime


class TakebackRequest(msgspec.Struct, frozen=True):
    """A seat requests a takeback to where `position` decisions were made; `allowed` are the sides that have agreed.

    `revision` is the match's as spectators count it: the request ends when anything happens that they can see.
    """

    seat: str
    position: int
    revision: int
    allowed: tuple[str, ...]


class DrawOffer(msgspec.Struct, frozen=True):
    """The last offer of a draw: the seat that made it, at which true revision, and whether it has no answer yet."""

    seat: str
    at: int
    unanswered: bool = True


def from_timestamp(seconds: float) -> datetime:
    """Return a time of the database as an aware datetime."""
    return datetime.fromtimestamp(seconds, UTC)
