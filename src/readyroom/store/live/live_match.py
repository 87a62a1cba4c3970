"""A match in memory, and the bots that play in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from secrets import randbits
from threading import RLock
from time import monotonic

from readyroom import bots
from readyroom.bots.search import Memory
from readyroom.bots.turns import BotTurn, PlayedTurn, daily_bot, daily_seed, let_answer, returning_bot
from readyroom.engine.game import Bot
from readyroom.engine.match.snapshot import Checkpoint
from readyroom.engine.record.format import DAILY
from readyroom.store.clock import Clock, read_clock
from readyroom.store.integrity import Digests, Stored
from readyroom.store.live.stored_rows import AnyMatch, count_same

BOTS_TIME = 0.15
"""Seconds that quick bots may take before a request is answered; turns in other processes do the rest."""


class LiveMatch:
    """A match in memory, and how much of it the database has. Users hold its lock.

    `viewers` are the revisions of the viewers as the database has them; `moved` has those that the last save changed.

    The database has the first `lines` lines of its log; `cut` says that it has more, which must be deleted. `handed`
    counts the seats handed over to bots or players; if the database has a higher count, `bots` are out of date. `seed`
    and `memory` are those of its bot turns; `slow` names bots that have once taken too long.
    """

    def __init__(self, id: str) -> None:
        self.id, self.lock = id, RLock()
        self._match: AnyMatch | None = None
        self.seed, self.slow = randbits(128), set[str]()
        self.evict()

    def evict(self) -> None:
        """Drop the match; its next user loads it again."""
        self._match = None
        self.bots: dict[str, Bot] = {}
        self.bot_names: dict[str, str] = {}
        self.memory: dict[str, Memory] = {}
        self.revision, self.lines, self.cut, self.handed = -1, 0, False, 0
        self.viewers, self.moved = dict[str, int](), dict[str, int]()
        self.checkpoint: Checkpoint | None = None
        self.clock: Clock | None = None
        self._digests: Digests | None = None

    @property
    def digests(self) -> Digests:
        """What the head of the match is computed from."""
        assert self._digests is not None
        return self._digests

    @property
    def match(self) -> AnyMatch:
        """The match; only while the lock is held."""
        assert self._match is not None
        return self._match

    @property
    def is_empty(self) -> bool:
        """Whether the match has yet to be read."""
        return self._match is None

    def attach(self, match: AnyMatch, revision: int, lines: int, digests: Digests, clock: str) -> None:
        """Attach a match of which the database has this much, with its clocks as stored."""
        self.clock = read_clock(clock)
        self._match, self.revision, self.lines, self._digests = match, revision, lines, digests
        self.viewers = match.viewer_revisions(revision)
        self.cut, self.checkpoint = False, None

    def mark_saved(self, checkpoint: Checkpoint | None, clock: Clock | None) -> None:
        """Mark the match as saved."""
        self.clock = clock
        self.revision, self.lines, self.cut = self.match.revision, self.match.log_length, False
        before, self.viewers = self.viewers, self.match.viewer_revisions()
        self.moved = {viewer: n for viewer, n in self.viewers.items() if n != before[viewer]}
        self.checkpoint = checkpoint

    def moved_clock(self, at: float) -> Clock | None:
        """Return the clocks at a time at which the match has come to where it is."""
        return None if self.clock is None else self.clock.moved(at, thinking_sides(self.match, self.bots))

    def revert(self, action: Callable[[], None]) -> None:
        """Return the match to an earlier position, and note which lines of the log are withdrawn."""
        before = self.match.full_log
        action()
        same = count_same(before, self.match.full_log)
        self.cut = self.cut or same < self.lines
        self.lines = min(self.lines, same)

    def seat_bots(self, stored: Stored) -> None:
        """Let the bots play that the database names."""
        self.handed = stored.row.handed
        self.set_bots({place.seat: place.bot for place in stored.places if place.bot})

    def set_bots(self, names: Mapping[str, str]) -> None:
        """Let these bots play, by seat."""
        self.bot_names = dict(names)
        if self.is_daily and self.match.secret:
            self.seed = daily_seed(self.match.secret)
        self.bots = {seat: returning_bot(self.match, name, seat, self.seed) for seat, name in names.items()}

    @property
    def is_daily(self) -> bool:
        """Whether it is an attempt at a challenge of the day, in which bots play the same for everyone."""
        return self.match.header.origin in DAILY

    @property
    def awaits_bot(self) -> bool:
        """Whether a bot is to answer."""
        return any(seat in self.bots for seat in self.match.pending)

    def run_bots(self, seconds: float) -> bool:
        """Let quick bots answer for at most this long in all; return whether a bot is still to answer."""
        until = monotonic() + seconds
        while monotonic() < until and (seat := self._quick_seat()):
            started = monotonic()
            if self.is_daily:
                self.bots[seat] = daily_bot(self.match, self.bot_names[seat], seat, self.seed)
            if not let_answer(self.match, seat, self.bots):
                break
            if monotonic() - started > seconds:
                self.slow.add(self.bot_names[seat])
        return self.awaits_bot

    def _quick_seat(self) -> str | None:
        """Return a seat for which a quick bot is to answer."""
        asked = (seat for seat in self.match.pending if seat in self.bots)
        return next((seat for seat in asked if self._is_quick(seat)), None)

    def _is_quick(self, seat: str) -> bool:
        return bots.is_quick(self.bots[seat]) and self.bot_names[seat] not in self.slow

    def bot_turn(self) -> BotTurn | None:
        """Return the turn that bots are to play; None if none is to answer."""
        if not self.awaits_bot:
            return None
        game = self.match.game
        saved = self.match.saved().with_data(game.data_fingerprint)
        return BotTurn(
            self.id, game.key, saved, self.bot_names, self.seed, self.memory, self.handed, is_daily=self.is_daily
        )

    def apply_bot_turn(self, turn: BotTurn, played: PlayedTurn) -> bool:
        """Decide what bots have answered elsewhere; return False if the match has moved on."""
        if (self.match.revision, self.handed) != (turn.saved.revision, turn.handed):
            return False
        self.memory = played.memory
        for seat, keys in played.answers:
            self.match.decide(seat, keys)
        return True


def thinking_sides(match: AnyMatch, bots: Collection[str]) -> list[str]:
    """Return the sides of which people are to decide; `bots` are the seats of bots."""
    return [match.seat(key).side for key in match.pending if key not in bots]
