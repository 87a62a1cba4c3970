"""A match in progress: pending decisions, deciding, undoing, forking, viewing, recording.

It is a long module because all of this works on the same few private fields. What does not need them is in `saved`,
`record`, `dice_history` and `table`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from hashlib import blake2b
from operator import attrgetter
from random import Random
from typing import Any, ClassVar, Generic, NoReturn

from msgspec.structs import replace

from readyroom.engine import record as records
from readyroom.engine.decisions import Answer, Block, Decision, PendingDecisions
from readyroom.engine.dice import Dice, KeyedDice, new_secret, secret_of_seed
from readyroom.engine.dice_history import DiceHistory
from readyroom.engine.errors import (
    CannotUndo,
    InvalidData,
    InvalidDice,
    MatchOver,
    NotYourDecision,
    RuleError,
    StaleRevision,
    UnknownSeat,
)
from readyroom.engine.game import Game, MatchView, Scenario, Seat, find_seats
from readyroom.engine.record import Entry
from readyroom.engine.saved import REPLAY_ERRORS, Checkpoint, Imagined, ResumePoint, Saved, compute_mac
from readyroom.engine.state import At, Outcome
from readyroom.engine.table import D, LogLine, MatchFinished, S, Table

CHECKPOINT_SOON, CHECKPOINT_AT_LATEST = 2, 4
"""How many decisions after a checkpoint the next one is due: at a phase boundary that blocks undo, and at any other."""


class Match(Generic[S, D]):
    """One match.

    Args:
        game: the game to play.
        scenario: a scenario's key, the name of a scenario file, or a `Scenario`.
        options: values of the game's options; the others take their defaults.
        seed: any text that determines the dice, for studies and tutorials. Without it the secret is random.
        nonces: each seat's own text, mixed into the key.
        dice: fixed or typed dice instead of keyed ones.
        secret: the secret that determines the dice, if it is known, instead of a seed or a random one.
        log: whether to keep a log. A match without one is faster.
        checkpoints: whether to keep checkpoints. Without them undo and fork replay the match from its start.
        start: an encoded state at a phase boundary to start from, instead of the scenario's.

    Raises:
        UnknownScenario, UnknownOption, UnknownSeat, InvalidData: the arguments name what does not exist.
    """

    _pending: PendingDecisions | None
    _send: Callable[[Answer], PendingDecisions | None]
    outcome: Outcome | None
    """The result; None while the match is in progress."""
    table_kind: ClassVar[type[Table[Any, Any]]] = Table
    """The table given to the rules; a subclass for manual dice can announce each roll."""

    def __init__(
        self,
        game: Game[S, D],
        scenario: str | Scenario | None = None,
        options: Mapping[str, object] | None = None,
        seed: str | None = None,
        *,
        nonces: Mapping[str, str] | None = None,
        dice: Dice | None = None,
        secret: bytes | None = None,
        log: bool = True,
        checkpoints: bool = True,
        start: bytes | None = None,
    ) -> None:
        self.game = game
        self.scenario = scenario if isinstance(scenario, Scenario) else game.scenario(scenario)
        self.options = game.resolve(options or {})
        self.seats = tuple(game.seats(self.scenario, self.options))
        self.seed = seed
        self.nonces = dict(nonces or {})
        for seat in self.nonces:
            self.seat(seat)
        self._keeps_checkpoints, self._keeps_log = checkpoints, log
        self._dice = DiceHistory(secret or (new_secret() if seed is None else secret_of_seed(seed)), self.nonces, dice)
        self._read_header: records.Header | None = None
        self._entries: list[Entry] = []
        self._history: list[records.RecordEntry] = []
        self._lines: list[str] = []
        self._revision = 0
        self._barrier = 0
        self._imagined: tuple[Imagined, ...] = ()
        kept = game.initial_state(self.scenario, self.options) if start is None else start
        self._checkpoints = [Checkpoint(0, 0, 0, kept)]
        self._begin(game.restore_state(kept), None)

    # -- current position --------------------------------------------------------------------------------------------

    @property
    def pending(self) -> dict[str, Decision]:
        """The pending decisions by seat (a snapshot); several while seats plan in secret."""
        pending = self._pending
        if pending is None:
            return {}
        if pending.__class__ is Block:
            return dict(pending)
        pending.revision = self._revision  # type: ignore[union-attr]
        return {pending.seat: pending}  # type: ignore[union-attr, dict-item]

    @property
    def sole_pending(self) -> Decision | None:
        """The pending decision if exactly one seat must decide, else None."""
        return self._stamp_revision(self._pending)

    def seat(self, key: str) -> Seat:
        """Return the seat of this key; raise `UnknownSeat` if there is none."""
        for seat in self.seats:
            if seat.key == key:
                return seat
        raise UnknownSeat(key, [seat.key for seat in self.seats], where=self.game.key)

    @property
    def revision(self) -> int:
        """The number of answers and undos so far; it never decreases."""
        return self._revision

    @property
    def decision_count(self) -> int:
        """The number of decisions that were not undone."""
        return len(self._entries)

    @property
    def state(self) -> S:
        """The true state: for rules and tests, never for a seat."""
        return self._table.state

    @property
    def fingerprint(self) -> str:
        """The published hash of the secret behind the dice."""
        return self._dice.current.fingerprint

    @property
    def published_secret(self) -> str | None:
        """The secret behind the dice in hexadecimal, once the match is over."""
        secret = self._dice.current.secret
        return secret.hex() if self.outcome is not None and secret else None

    @property
    def secret(self) -> bytes | None:
        """The secret behind the dice: for the server, never for a seat before the match is over."""
        return self._dice.initial.secret

    def view(self, seat: str | None) -> MatchView[Any]:
        """Return what this seat (None: a spectator) may know."""
        if seat is not None:
            self.seat(seat)
        state, at = self._table.state, self._table.state.at
        return MatchView(
            game=self.game.key,
            scenario=self.scenario.title,
            seat=seat,
            turn=at.turn,
            phase=at.phase,
            outcome=self.outcome,
            table=self.game.view(state, self.game.data, seat),
            sheets=self.game.planning_sheets(state, self._plans_in_progress(), seat),
        )

    def _plans_in_progress(self) -> dict[str, Any]:
        """Return the sheets of unfinished plans and the results of finished ones, by seat."""
        pending = self._pending
        if isinstance(pending, Block):
            sheets = pending.done | {seat: decision.sheet for seat, decision in pending}
        else:
            sheets = {} if pending is None else {pending.seat: pending.sheet}
        return {seat: sheet for seat, sheet in sheets.items() if sheet is not None}

    def log(self, seat: str | None, since: int = 0) -> list[LogLine]:
        """Return the log as this seat (None: a spectator) saw it, from its own line number `since` on."""
        if seat is not None:
            self.seat(seat)
        return [line for line in self._table.log or [] if line.seen_by(seat)][since:]

    @property
    def full_log(self) -> list[LogLine]:
        """Every line of the log: for rules and tests, and for everyone once the match is over."""
        return list(self._table.log or [])

    def log_heading(self, turn: int, phase: str) -> tuple[str, str]:
        """Return the log's headings for a phase of this name in this turn."""
        return self.game.log_heading(self.scenario, turn, phase)

    # -- deciding ----------------------------------------------------------------------------------------------------

    def decide(self, seat: str, answer: str | Sequence[str], revision: int | None = None) -> Decision | None:
        """Apply a seat's answer to its pending decision and return the next one, as `sole_pending`.

        Raises:
            MatchOver, NotYourDecision, StaleRevision: the seat has no pending decision, or another one.
            IllegalChoice: with rule, reason and legal keys. The match is unchanged.
            RuleError: an internal error; the match is unchanged.
        """
        pending, number, table = self._pending, self._revision, self._table
        if pending.__class__ is Decision and pending.seat == seat:
            decision, block, open_since = pending, 0, number
        else:
            decision, block, open_since = self._secret_decision(seat)
        if revision is not None and revision != open_since:
            raise StaleRevision(seat, revision, open_since)
        sampled = decision.render_cache
        keys, values = decision.accept(answer) if sampled is None or answer is not sampled[0] else sampled
        self._revision = number = number + 1
        entry, send = Entry(number, seat, decision.rule, keys, block), self._send
        self._entries.append(entry)
        table.since += 1
        try:
            pending = send((seat, values) if block else values)
            if pending is None:
                pending = self._pass_boundaries()
        except StopIteration as end:
            pending, self.outcome = None, end.value
        except BaseException as error:
            self._roll_back(entry, error)
        self._pending = pending
        if table.undo_blocked:
            self._barrier = len(self._entries)
            table.undo_blocked = False
        if self._dice.recorded is not None:
            self._dice.take_manual_dice(entry)
        self._history.append(entry)
        if pending.__class__ is Decision:
            pending.revision = number
            return pending
        return self._stamp_revision(pending)

    def decision_for(self, seat: str) -> Decision:
        """Return a seat's pending decision; raise `NotYourDecision` or `MatchOver` if there is none."""
        return self.pending.get(seat) or self._secret_decision(seat)[0]

    def _secret_decision(self, seat: str) -> tuple[Decision, int, int]:
        """Return a seat's decision in a secret block, the block's number, and since which revision it is pending."""
        pending = self._pending
        if isinstance(pending, Block) and seat in pending.open:
            decision = pending.open[seat]
            return decision, self._table.blocks + 1, decision.revision
        self.seat(seat)
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        raise NotYourDecision(self.seat(seat).name, [self.seat(key).name for key in self.pending])

    def _roll_back(self, entry: Entry, error: BaseException) -> NoReturn:
        """Return to the position before an answer that a rule could not carry out, and raise."""
        self._entries.pop()
        self._revision -= 1
        self._rebuild(len(self._entries))
        if isinstance(error, InvalidDice) or not isinstance(error, Exception):
            raise error
        attempt = records.next_line(entry, self.record_lines()[-1])
        raise RuleError(entry.rule, error, f"{self.record()}{attempt}\n") from error

    # -- undo --------------------------------------------------------------------------------------------------------

    def undo(self, seat: str) -> None:
        """Undo this seat's last decision.

        Raises:
            CannotUndo: dice, a draw, a disclosure, the end of secret planning or another seat's decision came since.
            MatchOver: the match has ended.
        """
        self.seat(seat)
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        at = self._undoable(seat)
        removed = self._entries[at]
        self._rebuild(at, self._entries[at + 1 :])
        self._record_undo(seat, [removed.n], agreed=False)

    def can_undo(self, seat: str) -> bool:
        """Return whether `undo` would succeed."""
        try:
            self._undoable(seat)
        except CannotUndo:
            return False
        return self.outcome is None

    def _undoable(self, seat: str) -> int:
        """Return the index of this seat's last decision; other answers in the same secret block do not count."""
        open_block = self._table.blocks + 1 if isinstance(self._pending, Block) else 0
        later_seat = ""
        reason = "since then dice were rolled, a counter was drawn, information was disclosed or secret planning ended"
        for at in range(len(self._entries) - 1, self._barrier - 1, -1):
            entry = self._entries[at]
            in_block = open_block and entry.block == open_block
            if entry.seat == seat and (in_block or not later_seat):
                return at
            later_seat = later_seat or entry.seat
            if not in_block:
                reason = f"{self.seat(later_seat).name} has decided since"
                break
        if all(entry.seat != seat for entry in self._entries):
            raise CannotUndo("You have no decision to undo.")
        raise CannotUndo(f"Your last decision cannot be undone: {reason}.")

    def takeback_position(self, seat: str) -> int | None:
        """Return the position before this seat's last decision, None if dice, a draw or a disclosure came since.

        With the other players' agreement `revert_to` can return to it: nothing was disclosed since.
        """
        for at in range(len(self._entries) - 1, self._barrier - 1, -1):
            if self._entries[at].seat == seat:
                return at
        return None

    def revert_to(self, seat: str, position: int) -> None:
        """Undo all decisions after the first `position`, by agreement of all players.

        Dice rolled since will show the same faces for the same events.

        Raises:
            CannotUndo: there is no such position, or it is before a fork or the resumed checkpoint.
            MatchOver: the match has ended.
        """
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        earliest = max(self._dice.current.position, self._checkpoints[0].position)
        if not earliest <= position < len(self._entries):
            count = len(self._entries)
            possible = f"Possible: {earliest} to {count - 1}" if earliest < count else "None can be undone"
            raise CannotUndo(f"Cannot return to decision {position} of {count}. {possible}.")
        removed = [entry.n for entry in self._entries[position:]]
        self._barrier = min(self._barrier, position)
        self._checkpoints = [c for c in self._checkpoints if c.position <= position] or self._checkpoints[:1]
        self._rebuild(position)
        self._record_undo(seat, removed, agreed=True)

    def replay_undo(self, undo: records.Undo) -> None:
        """Apply an undo from a record; raise `CannotUndo` if it would undo other decisions than it names."""
        if undo.leave:
            self.revert_to(undo.by, len(self._entries) - len(undo.undo))
        else:
            self.undo(undo.by)
        done = self._history[-1]
        if not isinstance(done, records.Undo) or done.undo != undo.undo:
            raise CannotUndo(f"The undo takes back {done}, not {undo.undo}.")

    def _record_undo(self, seat: str, removed: list[int], *, agreed: bool) -> None:
        self._revision += 1
        self._history.append(records.Undo(self._revision, seat, tuple(removed), agreed))

    # -- copies ------------------------------------------------------------------------------------------------------

    def fork(self, secret: bytes | None = None, *, log: bool | None = None) -> Match[S, D]:
        """Return an independent copy with different future dice; rolls so far are unchanged.

        Args:
            secret: the secret of the future dice; random by default.
            log: whether the copy keeps a log; by default as this match does.
        """
        other: Match[S, D] = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        publish = self.outcome is not None or self.seed is not None
        other._dice = self._dice.fork(len(self._entries), new_secret() if secret is None else secret, publish=publish)
        other._entries, other._history, other._lines = list(self._entries), list(self._history), []
        other._history.append(records.Fork(self._revision, other.fingerprint))
        other._checkpoints = list(self._checkpoints)
        other._keeps_log = self._keeps_log if log is None else log
        other._log = list(self._log) if other._keeps_log else []
        if not other._keeps_log:
            other._checkpoints = [replace(c, lines=0) for c in other._checkpoints]
        other._rebuild(len(other._entries))
        other._barrier = len(other._entries)
        return other

    def imagine(self, seat: str, random: Random) -> Match[S, D]:
        """Return a position at the same decision that this seat cannot distinguish from the true one.

        What the seat does not know is resampled, and so are the future dice; other seats' secret plans are not started.
        Two calls with generators in the same state return the same position and dice. The copy keeps no log and no
        checkpoints.

        Raises:
            NotYourDecision, MatchOver: the seat has no pending decision. Another's would disclose too much.
        """
        self.decision_for(seat)
        block = self._table.blocks + 1 if isinstance(self._pending, Block) else 0
        other: Match[S, D] = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._entries = [entry for entry in self._entries if not block or entry.block != block or entry.seat == seat]
        other._dice = self._dice.fork(len(other._entries), random.randbytes(32), publish=False)
        other._history, other._lines, other._log = [], [], []
        other._checkpoints = [replace(self._checkpoints[-1], lines=0)]
        other._keeps_checkpoints = other._keeps_log = False
        position = other._barrier = len(other._entries)
        other._imagined = tuple(one._replace(position=min(one.position, position)) for one in self._imagined)
        other._rebuild(position)
        other._imagined += (Imagined(position, seat, random.getstate()),)
        self.game.resample(other.state, self.game.data, seat, random)
        return other

    def bot_view(self, seat: str) -> BotView:
        """Return what a bot in this seat may see."""
        return BotView(self, seat)

    # -- recording ---------------------------------------------------------------------------------------------------

    def record(self) -> str:
        """Return the record as JSON Lines: header, every decision and undo, and, once over, the outcome and the key."""
        return "\n".join([*self.record_lines(), ""])

    def record_lines(self) -> list[str]:
        """Return the lines of the record; they are cached, so that calling this after every decision is cheap."""
        lines = self._lines
        if not lines:
            lines.append(records.first_line(self.header))
        lines += records.next_lines(self._history[len(lines) - 1 :], lines[-1])
        if self.outcome is not None and len(lines) == len(self._history) + 1:
            lines.append(records.next_line(self.ending(), lines[-1]))
        return lines

    def record_entries(self, since: int = 0) -> list[records.RecordEntry]:
        """Return the decisions and undos after revision `since`, without header and ending."""
        first = len(self._history)
        while first and self._history[first - 1].n > since:
            first -= 1
        return self._history[first:]

    @property
    def header(self) -> records.Header:
        """The first line of the record, as data."""
        if self._read_header is not None:
            return self._read_header
        first = self._dice.initial
        return records.Header(
            readyroom=records.FORMAT,
            game=self.game.key,
            version=self.game.version,
            data=self.game.data_fingerprint,
            scenario=self.scenario.key,
            own=self.scenario.text,
            options=self.options,
            seats=[seat.key for seat in self.seats],
            nonces=self.nonces,
            fingerprint=first.fingerprint,
            seed=self.seed,
            dice="keyed" if isinstance(first.dice, KeyedDice) else "told",
        )

    def continue_record(self, header: records.Header) -> None:
        """Keep the header of a record that is being continued, whatever version wrote it."""
        self._read_header = header

    def ending(self) -> records.Ending:
        """Return the last line of a finished match's record, as data."""
        assert self.outcome is not None
        return records.Ending(
            outcome=self.outcome,
            state=self.digest(),
            secrets=self._dice.published(),
        )

    def digest(self) -> str:
        """Return a hash of the whole state, for comparing replays."""
        return blake2b(self.game.encode(self._table.state), digest_size=16).hexdigest()

    def resume_point(self) -> ResumePoint:
        """Return where the match would be resumed: the last checkpoint behind which nothing can be undone."""
        secret = self._dice.only_secret()
        checkpoint = next(c for c in reversed(self._checkpoints) if c.position <= self._barrier)
        if not isinstance(checkpoint.state, bytes):
            checkpoint = replace(checkpoint, state=self.game.encode(checkpoint.state))
        active = [entry.n for entry in self._entries]
        place = (self._revision, checkpoint.position, checkpoint.blocks, self._barrier, *active)
        return ResumePoint(checkpoint, self._barrier, compute_mac(secret, checkpoint.state, place))

    def saved(self) -> Saved:
        """Return the match as data for `resume`; forks cannot be saved, because their dice are not their own."""
        point = self.resume_point()
        return Saved(
            self.header,
            self._dice.only_secret(),
            self._revision,
            [entry for entry in self._history if isinstance(entry, Entry)],
            [entry for entry in self._history if isinstance(entry, records.Undo)],
            [entry.n for entry in self._entries],
            point.checkpoint.position,
            point.checkpoint.blocks,
            point.barrier,
            point.checkpoint.state,
            point.state_mac,
        )

    @classmethod
    def resume(
        cls, saved: Saved, game: Game[S, D] | None = None, *, stand: bool = False, log: Sequence[LogLine] = ()
    ) -> Match[S, D]:
        """Resume a saved match from its last checkpoint.

        Only the decisions since the checkpoint are replayed, so it works with newer code of the game; for the same
        reason the log starts there, unless `log` gives the earlier lines. If a decision since the checkpoint is no
        longer legal, it raises; with `stand` the match stops before that decision and records the rest as undone.

        Raises:
            InvalidData: the saved state was changed by hand, or is not a state.
            ReadyRoomError: a decision since the checkpoint is no longer legal.
        """
        place = (saved.revision, saved.position, saved.blocks, saved.barrier, *saved.active_entries)
        if saved.state_mac != compute_mac(saved.secret, saved.state, place):
            raise InvalidData("the saved match", "state", "the state as saved", "a modified state")
        entries: list[tuple[int, records.RecordEntry]] = []
        if saved.header.dice == "told":
            entries = list(enumerate(saved.entries))
        parsed = records.Parsed(saved.header, entries, None, False)
        match = records.match_from_header(cls, parsed, game, saved.secret, saved.state)
        lost = match._replay_answers(match._load_checkpoint(saved, log), stand=stand)
        match._barrier = min(saved.barrier, len(match._entries))
        match._revision = saved.revision
        if lost:
            match._record_undo(lost[0].seat, [entry.n for entry in lost], agreed=True)
        return match

    def _load_checkpoint(self, saved: Saved, log: Sequence[LogLine]) -> list[Entry]:
        """Go to the checkpoint of a saved match and return its active decisions since then."""
        history: list[records.RecordEntry] = [*saved.entries]
        active = saved.entries
        if saved.undos:
            history = sorted([*saved.entries, *saved.undos], key=attrgetter("n"))
            numbers = set(saved.active_entries)
            active = [entry for entry in saved.entries if entry.n in numbers]
        self._history = history
        self._log[:0] = log
        self._checkpoints = [Checkpoint(saved.position, len(log), saved.blocks, saved.state)]
        self._table.blocks += saved.blocks
        self._entries = active[: saved.position]
        if isinstance(self._pending, Block):
            for _, decision in self._pending:
                decision.revision = self._entries[-1].n if self._entries else 0
        return active[saved.position :]

    def _replay_answers(self, entries: list[Entry], *, stand: bool) -> list[Entry]:
        """Replay decisions with code that may be newer; with `stand`, return those that are no longer legal."""
        for at, entry in enumerate(entries):
            before = len(self._entries)
            try:
                self._replay_answer(entry, checked=False)
            except REPLAY_ERRORS:
                if not stand:
                    raise
                if len(self._entries) > before:
                    self._rebuild(before)
                return entries[at:]
        return []

    @classmethod
    def replay(
        cls,
        record: str | Iterable[str],
        upto: int | None = None,
        *,
        game: Game[S, D] | None = None,
        secret: bytes | None = None,
    ) -> Match[S, D]:
        """Return the match of a record, up to revision `upto` (None: all of it).

        `game` replaces the installed game of that name (for instance one with your own data); `secret` is needed for
        the record of an unfinished match without a seed.

        Raises:
            InvalidRecord: with the line and what differs.
        """
        return records.replay(cls, record, upto, game=game, secret=secret)

    # -- internals ---------------------------------------------------------------------------------------------------

    def _begin(self, state: S, log: list[LogLine] | None) -> None:
        """Start the rules at a phase boundary and run to the first decision."""
        self._log: list[LogLine] = [] if log is None else log
        game, blocks = self.game, self._checkpoints[-1].blocks
        dice, table_log = self._dice.dice_before(len(self._entries)), self._log if self._keeps_log else None
        self._table: Table[S, D] = self.table_kind(
            state, game.data, dice, table_log, blocks, immutable_facts=game.immutable_facts
        )
        self.outcome = self._pending = None
        self._table.since = -1  # starting is not a decision
        self._send = _run_phases(game, self._table, self._keeps_checkpoints).send
        self._advance(None)
        self._table.undo_blocked = False

    def _advance(self, answer: Answer) -> None:
        """Send an answer to the rules and keep the next decision; `decide` has its own faster copy of this."""
        self._table.since += 1
        try:
            pending = self._send(answer)
            if pending is None:
                pending = self._pass_boundaries()
        except StopIteration as end:
            pending, self.outcome = None, end.value
        self._pending = pending
        self._stamp_revision(pending)

    def _pass_boundaries(self) -> PendingDecisions:
        """Keep a checkpoint at this phase boundary and at each one before the next decision."""
        checkpoints, table = self._checkpoints, self._table
        pending = None
        while pending is None:
            while len(checkpoints) > 2 and checkpoints[2].position <= self._barrier:
                del checkpoints[1]
            state = self.game.checkpoint_state(table.state)
            checkpoints.append(Checkpoint(len(self._entries), len(self._log), table.blocks, state))
            table.since = 0
            pending = self._send(None)
        return pending

    def _stamp_revision(self, pending: PendingDecisions | None) -> Decision | None:
        """Note the revision since which decisions are pending; return the decision if there is exactly one."""
        if isinstance(pending, Decision):
            pending.revision = self._revision
            return pending
        for _, decision in pending or ():
            if decision.revision < 0:
                decision.revision = self._revision
        return None

    def _rebuild(self, position: int, then: Sequence[Entry] = ()) -> None:
        """Rebuild the position after the first `position` decisions, then replay `then`."""
        while len(self._checkpoints) > 1 and self._checkpoints[-1].position > position:
            self._checkpoints.pop()
        checkpoint = self._checkpoints[-1]
        entries = [*self._entries[checkpoint.position : position], *then]
        del self._entries[checkpoint.position :], self._log[checkpoint.lines :]
        current = self._revision
        self._revision = self._entries[-1].n if self._entries else 0
        del self._table, self._send, self._pending  # first, so that the new state reuses their memory
        self._begin(self.game.restore_state(checkpoint.state), self._log)
        for entry in entries:
            if self._dice.forked:
                self._imagine_again()
                self._table.dice = self._dice.dice_before(len(self._entries) + 1)
            self._replay_answer(entry)
        self._imagine_again()
        self._revision = current
        self._table.dice = self._dice.current.dice

    def _imagine_again(self) -> None:
        """Repeat what was imagined at this position."""
        for position, seat, random_state in self._imagined:
            if position == len(self._entries):
                random = Random(0)
                random.setstate(random_state)
                self.game.resample(self._table.state, self.game.data, seat, random)

    def _replay_answer(self, entry: Entry, *, checked: bool = True) -> None:
        """Apply a decision again; `checked`: the same code has accepted it before."""
        pending = self._pending
        decision = pending.open.get(entry.seat) if isinstance(pending, Block) else pending
        if decision is None or decision.seat != entry.seat:
            raise NotYourDecision(self.seat(entry.seat).name, [self.seat(seat).name for seat in self.pending])
        values = decision.values_for(entry.chose) if checked else decision.accept(entry.chose)[1]
        self._entries.append(entry)
        self._revision = entry.n
        self._advance((entry.seat, values) if entry.block else values)
        self._table.undo_blocked = False


class BotView:
    """What a bot may see: calling it returns its seat's view; it can also imagine positions for search."""

    __slots__ = ("_match", "seat")

    def __init__(self, match: Match[Any, Any], seat: str) -> None:
        self._match, self.seat = match, seat

    def __call__(self) -> MatchView[Any]:
        """Return what the seat may know."""
        return self._match.view(self.seat)

    @property
    def side(self) -> str:
        """The side that the seat plays for."""
        return self._match.seat(self.seat).side

    @property
    def scenario(self) -> str:
        """The scenario's key."""
        return self._match.scenario.key

    def imagine(self, random: Random) -> Match[Any, Any]:
        """Return a position that the seat cannot distinguish from the true one, with different future dice."""
        return self._match.imagine(self.seat, random)


def _run_phases(
    game: Game[S, D], table: Table[S, D], keeps_checkpoints: bool
) -> Generator[PendingDecisions | None, Answer, Outcome]:
    """Play phase after phase; yield each decision, and None at a phase boundary that needs a checkpoint.

    It holds no reference to the match, so that a match is freed as soon as it is no longer used.
    """
    state, play, next_phase = table.state, game.phases_by_name, game.next_phase
    try:
        while True:
            at = next_phase(state)
            if not isinstance(at, At):
                return at
            if (
                keeps_checkpoints
                and table.since >= CHECKPOINT_SOON
                and (table.undo_blocked or table.since >= CHECKPOINT_AT_LATEST)
            ):
                yield None
            state.at = at
            steps = play[at.phase](table)
            if steps is not None:
                yield from steps
    except MatchFinished as finished:
        return finished.outcome


def seats_of(match: Match[Any, Any], name: str) -> list[str]:
    """Return the key of the seat, or the keys of all seats of the side, of this name."""
    return [seat.key for seat in find_seats(match.seats, name)]
