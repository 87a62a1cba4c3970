"""A match in progress: what is pending, deciding, undoing, forking, viewing, recording.

It is the one long module of the house: all of that is done with the same few fields, which nothing else may touch. What
can be said without them lies beside it, in `saved`, `record`, `luck` and `table`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from hashlib import blake2b
from operator import attrgetter
from random import Random
from typing import Any, ClassVar, Generic, NoReturn

import msgspec
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
from readyroom.engine.game import Game, Scenario, Seat, View, find_seats
from readyroom.engine.record import Entry
from readyroom.engine.saved import MISFITS, Checkpoint, Imagined, ResumePoint, Saved, compute_mac
from readyroom.engine.state import At, Outcome
from readyroom.engine.table import D, LogLine, MatchFinished, S, Table

CHECKPOINT_SOON, CHECKPOINT_AT_LATEST = 2, 4
"""A checkpoint is kept at the first phase boundary behind which nothing can be taken back, if so many decisions stand
since the last one, and after so many at any boundary."""


class Match(Generic[S, D]):
    """One match.

    Args:
        game: the game to play.
        scenario: a scenario's key, the name of a scenario file, or a `Scenario`.
        options: choices of the game's options; the rest take their defaults.
        seed: words that fix the dice, for studies and lessons. Without them the secret is random.
        nonces: each seat's own words, mixed into the key.
        dice: loaded or typed dice instead of keyed ones.
        secret: what the dice follow from, where that is known already, instead of a seed or a random one.
        log: whether to keep a log. A match without one is faster and can tell nothing.
        checkpoints: whether to keep checkpoints. Without them undo and fork replay the match from its start.
        start: an encoded state at a phase boundary to begin from, instead of the scenario's.

    Raises:
        UnknownScenario, UnknownOption, UnknownSeat, InvalidData: when the set-up names what does not exist.
    """

    _asked: PendingDecisions | None
    _send: Callable[[Answer], PendingDecisions | None]
    outcome: Outcome | None
    """How it ended; None while it goes on."""
    table_kind: ClassVar[type[Table[Any, Any]]] = Table
    """What its rules hold in their hands; where dice are thrown by people, a table that says what each throw is for."""

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
        self._keeps, self._logs = checkpoints, log
        self._luck = DiceHistory(secret or (new_secret() if seed is None else secret_of_seed(seed)), self.nonces, dice)
        self._read_header: records.Header | None = None
        self._taken: list[Entry] = []
        self._history: list[records.RecordEntry] = []
        self._lines: list[str] = []
        self._revision = 0
        self._barrier = 0
        self._imagined: tuple[Imagined, ...] = ()
        kept = game.initial_state(self.scenario, self.options) if start is None else start
        self._checkpoints = [Checkpoint(0, 0, 0, kept)]
        self._begin(game.restore_state(kept), None)

    # -- what stands -------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> dict[str, Decision]:
        """The decisions that the table waits for, by seat; a snapshot. Several while seats plan in secret."""
        asked = self._asked
        if asked is None:
            return {}
        if asked.__class__ is Block:
            return dict(asked)
        asked.revision = self._revision  # type: ignore[union-attr]
        return {asked.seat: asked}  # type: ignore[union-attr, dict-item]

    @property
    def sole_pending(self) -> Decision | None:
        """The decision that the table waits for; None while several seats plan in secret, and once it is over."""
        return self._stamp_revision(self._asked)

    def seat(self, key: str) -> Seat:
        """The seat of this key; `UnknownSeat` if there is none."""
        found = next((seat for seat in self.seats if seat.key == key), None)
        if found is None:
            raise UnknownSeat(key, [seat.key for seat in self.seats], where=self.game.key)
        return found

    @property
    def revision(self) -> int:
        """How many answers and undos the match has seen; it only grows."""
        return self._revision

    @property
    def decision_count(self) -> int:
        """How many decisions stand."""
        return len(self._taken)

    @property
    def state(self) -> S:
        """The true state: for rules, tests and the umpire; never for a seat."""
        return self._table.state

    @property
    def fingerprint(self) -> str:
        """The published fingerprint of the secret behind the dice."""
        return self._luck.current.fingerprint

    @property
    def published_secret(self) -> str | None:
        """The secret behind the dice as hex digits, once the match is over."""
        secret = self._luck.current.secret
        return secret.hex() if self.outcome is not None and secret else None

    @property
    def secret(self) -> bytes | None:
        """The secret behind the dice: for whoever keeps the match, never for a seat before the match is over."""
        return self._luck.initial.secret

    def view(self, seat: str | None) -> View:
        """What this seat may know (None: a spectator), as plain data."""
        if seat is not None:
            self.seat(seat)
        state, at = self._table.state, self._table.state.at
        return {
            "game": self.game.key,
            "scenario": self.scenario.title,
            "seat": seat,
            "turn": at.turn,
            "phase": at.phase,
            "outcome": None if self.outcome is None else msgspec.to_builtins(self.outcome),
            "table": self.game.view(state, self.game.data, seat),
            "sheets": self.game.planning_sheets(state, self._plans_in_progress(), seat),
        }

    def _plans_in_progress(self) -> dict[str, Any]:
        """The sheets of plans that are being made, by seat; where one is done, what came of it."""
        asked = self._asked
        if isinstance(asked, Block):
            made = asked.done | {seat: decision.sheet for seat, decision in asked}
        else:
            made = {} if asked is None else {asked.seat: asked.sheet}
        return {seat: sheet for seat, sheet in made.items() if sheet is not None}

    def log(self, seat: str | None, since: int = 0) -> list[LogLine]:
        """The log as this seat (None: a spectator) saw it, from its own line number `since` on."""
        if seat is not None:
            self.seat(seat)
        return [line for line in self._table.log or [] if line.seen_by(seat)][since:]

    @property
    def full_log(self) -> list[LogLine]:
        """Every line, for the umpire and for everybody once the match is over."""
        return list(self._table.log or [])

    def log_heading(self, turn: int, phase: str) -> tuple[str, str]:
        """The headings under which the log tells of a phase of this name in this turn."""
        return self.game.log_heading(self.scenario, turn, phase)

    # -- deciding ----------------------------------------------------------------------------------------------------

    def decide(self, seat: str, answer: str | Sequence[str], revision: int | None = None) -> Decision | None:
        """Take a seat's answer to its pending decision; the next one is returned as `alone` tells it.

        Raises:
            MatchOver, NotYourDecision, StaleRevision: nothing is asked, or something else.
            IllegalChoice: with rule, reason and what would be legal. Nothing has changed.
            RuleError: a fault in the program; the match stands where it stood.
        """
        asked, number, table = self._asked, self._revision, self._table
        if asked.__class__ is Decision and asked.seat == seat:
            decision, block, open_since = asked, 0, number
        else:
            decision, block, open_since = self._secret_decision(seat)
        if revision is not None and revision != open_since:
            raise StaleRevision(seat, revision, open_since)
        drawn = decision.render_cache
        keys, values = decision.accept(answer) if drawn is None or answer is not drawn[0] else drawn
        self._revision = number = number + 1
        taken, send = Entry(number, seat, decision.rule, keys, block), self._send
        self._taken.append(taken)
        table.since += 1
        try:
            asked = send((seat, values) if block else values)
            if asked is None:
                asked = self._pass_boundaries()
        except StopIteration as end:
            asked, self.outcome = None, end.value
        except BaseException as fault:
            self._roll_back(taken, fault)
        self._asked = asked
        if table.barred:
            self._barrier = len(self._taken)
            table.barred = False
        if self._luck.told is not None:
            self._luck.take_manual_dice(taken)
        self._history.append(taken)
        if asked.__class__ is Decision:
            asked.revision = number
            return asked
        return self._stamp_revision(asked)

    def decision_for(self, seat: str) -> Decision:
        """What a seat is asked; `NotYourDecision` or `MatchOver` if that is nothing."""
        return self.pending.get(seat) or self._secret_decision(seat)[0]

    def _secret_decision(self, seat: str) -> tuple[Decision, int, int]:
        """The decision that a seat owes within a secret block, the block's number, and since when it is asked."""
        asked = self._asked
        if isinstance(asked, Block) and seat in asked.open:
            decision = asked.open[seat]
            return decision, self._table.blocks + 1, decision.revision
        self.seat(seat)
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        raise NotYourDecision(self.seat(seat).name, [self.seat(waited).name for waited in self.pending])

    def _roll_back(self, taken: Entry, fault: BaseException) -> NoReturn:
        """Stand where the match stood before an answer that a rule could not carry out."""
        self._taken.pop()
        self._revision -= 1
        self._rebuild(len(self._taken))
        if isinstance(fault, InvalidDice) or not isinstance(fault, Exception):
            raise fault
        attempt = records.next_line(taken, self.record_lines()[-1])
        raise RuleError(taken.rule, fault, f"{self.record()}{attempt}\n") from fault

    # -- taking back -------------------------------------------------------------------------------------------------

    def undo(self, seat: str) -> None:
        """Take back this seat's last decision.

        Raises:
            CannotUndo: dice, a draw, a disclosure, the completing of a secret plan or another seat's move came since.
            MatchOver: the match has ended.
        """
        self.seat(seat)
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        at = self._undoable(seat)
        removed = self._taken[at]
        self._rebuild(at, self._taken[at + 1 :])
        self._note_undo(seat, [removed.n], leave=False)

    def can_undo(self, seat: str) -> bool:
        """Whether `undo` would take something back."""
        try:
            self._undoable(seat)
        except CannotUndo:
            return False
        return self.outcome is None

    def _undoable(self, seat: str) -> int:
        """Where this seat's last decision stands; within a secret plan the others' answers do not cover it."""
        open_block = self._table.blocks + 1 if isinstance(self._asked, Block) else 0
        passed = ""
        reason = (
            "Dice, a draw, a disclosure or the end of secret planning have come since your last decision; it stands."
        )
        for at in range(len(self._taken) - 1, self._barrier - 1, -1):
            taken = self._taken[at]
            inside = open_block and taken.block == open_block
            if taken.seat == seat and (inside or not passed):
                return at
            passed = passed or taken.seat
            if not inside:
                reason = f"{self.seat(passed).name} has decided since; your last decision stands."
                break
        if all(taken.seat != seat for taken in self._taken):
            reason = "There is no decision of yours to take back."
        raise CannotUndo(reason)

    def takeback_position(self, seat: str) -> int | None:
        """The position before this seat's last decision, unless dice, a draw or a disclosure have come since.

        Whoever plays against it may give leave to return there by `revert_to`: nothing has come out in between.
        """
        for at in range(len(self._taken) - 1, self._barrier - 1, -1):
            if self._taken[at].seat == seat:
                return at
        return None

    def revert_to(self, seat: str, position: int) -> None:
        """Return to the moment when only the first `position` decisions stood, with everybody's leave.

        Dice that were thrown since will show the same faces for the same events.

        Raises:
            CannotUndo: the position never was, or lies before a fork or the checkpoint that the match was resumed from.
            MatchOver: the match has ended.
        """
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        earliest = max(self._luck.current.position, self._checkpoints[0].position)
        if not earliest <= position < len(self._taken):
            back = f"it can go back to any from {earliest} to {len(self._taken) - 1}"
            able = back if earliest < len(self._taken) else "none can be taken back"
            raise CannotUndo(f"There is no way back to decision {position}; {len(self._taken)} stand, and {able}.")
        removed = [taken.n for taken in self._taken[position:]]
        self._barrier = min(self._barrier, position)
        self._checkpoints = [c for c in self._checkpoints if c.position <= position] or self._checkpoints[:1]
        self._rebuild(position)
        self._note_undo(seat, removed, leave=True)

    def replay_undo(self, told: records.Undo) -> None:
        """Follow an undo that a record tells; `CannotUndo` if it would take back other decisions than it says."""
        if told.leave:
            self.revert_to(told.by, len(self._taken) - len(told.undo))
        else:
            self.undo(told.by)
        done = self._history[-1]
        if not isinstance(done, records.Undo) or done.undo != told.undo:
            raise CannotUndo(f"The undo takes back {done}, not {told.undo}.")

    def _note_undo(self, seat: str, removed: list[int], *, leave: bool) -> None:
        self._revision += 1
        self._history.append(records.Undo(self._revision, seat, tuple(removed), leave))

    # -- copies ------------------------------------------------------------------------------------------------------

    def fork(self, secret: bytes | None = None, *, log: bool | None = None) -> Match[S, D]:
        """An independent copy with other dice to come. What was thrown until now stands and is not told again.

        Args:
            secret: what the dice to come follow from; without one it is random.
            log: whether the copy keeps a log; otherwise as this match does.
        """
        other: Match[S, D] = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        known = self.outcome is not None or self.seed is not None
        other._luck = self._luck.fork(len(self._taken), new_secret() if secret is None else secret, tell=known)
        other._taken, other._history, other._lines = list(self._taken), list(self._history), []
        other._history.append(records.Fork(self._revision, other.fingerprint))
        other._checkpoints = list(self._checkpoints)
        other._logs = self._logs if log is None else log
        other._log = list(self._log) if other._logs else []
        if not other._logs:
            other._checkpoints = [replace(c, lines=0) for c in other._checkpoints]
        other._rebuild(len(other._taken))
        other._barrier = len(other._taken)
        return other

    def imagine(self, seat: str, random: Random) -> Match[S, D]:
        """A position that this seat could not tell from the true one, at the same question.

        What the seat does not know is drawn anew, and so are the dice to come; the plans that others are making in
        secret are not begun. Two calls with generators in the same state give the same position and the same dice.
        It keeps no log, and takes no checkpoints.

        Raises:
            NotYourDecision, MatchOver: the seat is asked nothing; what another is asked would give him away.
        """
        self.decision_for(seat)
        block = self._table.blocks + 1 if isinstance(self._asked, Block) else 0
        other: Match[S, D] = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._taken = [taken for taken in self._taken if not block or taken.block != block or taken.seat == seat]
        other._luck = self._luck.fork(len(other._taken), random.randbytes(32), tell=False)
        other._history, other._lines, other._log = [], [], []
        other._checkpoints = [replace(self._checkpoints[-1], lines=0)]
        other._keeps = other._logs = False
        position = other._barrier = len(other._taken)
        other._imagined = tuple(one._replace(position=min(one.position, position)) for one in self._imagined)
        other._rebuild(position)
        other._imagined += (Imagined(position, seat, random.getstate()),)
        self.game.resample(other.state, self.game.data, seat, random)
        return other

    def bot_view(self, seat: str) -> BotView:
        """What a bot on this seat is given to look at."""
        return BotView(self, seat)

    # -- recording ---------------------------------------------------------------------------------------------------

    def record(self) -> str:
        """The record as JSON Lines: header, every decision and undo, and, once over, the outcome and the key."""
        return "\n".join([*self.record_lines(), ""])

    def record_lines(self) -> list[str]:
        """The lines of the record; those already made are kept, so that asking after every decision is cheap."""
        lines = self._lines
        if not lines:
            lines.append(records.first_line(self.header))
        lines += records.next_lines(self._history[len(lines) - 1 :], lines[-1])
        if self.outcome is not None and len(lines) == len(self._history) + 1:
            lines.append(records.next_line(self.ending(), lines[-1]))
        return lines

    def record_entries(self, since: int = 0) -> list[records.RecordEntry]:
        """What the record tells after revision `since`: decisions and undos, without header and ending."""
        first = len(self._history)
        while first and self._history[first - 1].n > since:
            first -= 1
        return self._history[first:]

    @property
    def header(self) -> records.Header:
        """The first line of the record, as data."""
        if self._read_header is not None:
            return self._read_header
        first = self._luck.initial
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
        """Go on writing the record that this header began, by whatever version it was begun."""
        self._read_header = header

    def ending(self) -> records.Ending:
        """The last line of the record of a match that is over, as data."""
        assert self.outcome is not None
        return records.Ending(
            outcome=self.outcome,
            state=self.digest(),
            secrets=self._luck.published(),
        )

    def digest(self) -> str:
        """A hash of the whole state, to compare replays by."""
        return blake2b(self.game.encode(self._table.state), digest_size=16).hexdigest()

    def resume_point(self) -> ResumePoint:
        """Where the match would be taken up again: the last checkpoint behind which nothing can be undone."""
        secret = self._luck.only_secret()
        found = next(c for c in reversed(self._checkpoints) if c.position <= self._barrier)
        if not isinstance(found.state, bytes):
            found = replace(found, state=self.game.encode(found.state))
        standing = [taken.n for taken in self._taken]
        place = (self._revision, found.position, found.blocks, self._barrier, *standing)
        return ResumePoint(found, self._barrier, compute_mac(secret, found.state, place))

    def saved(self) -> Saved:
        """The match as it is put down, to be resumed by `resume`; not for a fork, whose earlier dice are another's."""
        footing = self.resume_point()
        return Saved(
            self.header,
            self._luck.only_secret(),
            self._revision,
            [told for told in self._history if isinstance(told, Entry)],
            [told for told in self._history if isinstance(told, records.Undo)],
            [taken.n for taken in self._taken],
            footing.checkpoint.position,
            footing.checkpoint.blocks,
            footing.barrier,
            footing.checkpoint.state,
            footing.state_mac,
        )

    @classmethod
    def resume(
        cls, saved: Saved, game: Game[S, D] | None = None, *, stand: bool = False, log: Sequence[LogLine] = ()
    ) -> Match[S, D]:
        """Take a match up again where it was put down, from its last checkpoint.

        Where a decision since the checkpoint no longer fits (the game's code has changed), it is refused; with
        `stand` the match stands before that decision, and it and those after it are noted as taken back.

        Only what was decided since the checkpoint is played again, so it works under newer code of the game; for the
        same reason the log begins there, unless `log` gives the lines before it.

        Raises:
            InvalidData: the saved state was changed by hand, or is none.
            ReadyRoomError: a decision since the checkpoint is no longer legal.
        """
        place = (saved.revision, saved.position, saved.blocks, saved.barrier, *saved.active_entries)
        if saved.state_mac != compute_mac(saved.secret, saved.state, place):
            raise InvalidData("the saved match", "state", "the state that was put down", "one that was changed since")
        told: list[tuple[int, records.RecordEntry]] = []
        if saved.header.dice == "told":
            told = list(enumerate(saved.entries))
        parsed = records.Parsed(saved.header, told, None, False)
        match = records.match_from_header(cls, parsed, game, saved.secret, saved.state)
        lost = match._replay_answers(match._load_checkpoint(saved, log), stand=stand)
        match._barrier = min(saved.barrier, len(match._taken))
        match._revision = saved.revision
        if lost:
            match._note_undo(lost[0].seat, [taken.n for taken in lost], leave=True)
        return match

    def _load_checkpoint(self, saved: Saved, log: Sequence[LogLine]) -> list[Entry]:
        """Stand at the checkpoint of a saved match, with what was told until it was put down.

        The decisions that were taken since and not undone are returned.
        """
        history: list[records.RecordEntry] = [*saved.entries]
        standing = saved.entries
        if saved.undos:
            history = sorted([*saved.entries, *saved.undos], key=attrgetter("n"))
            stood = set(saved.active_entries)
            standing = [entry for entry in saved.entries if entry.n in stood]
        self._history = history
        self._log[:0] = log
        self._checkpoints = [Checkpoint(saved.position, len(log), saved.blocks, saved.state)]
        self._table.blocks += saved.blocks
        self._taken = standing[: saved.position]
        if isinstance(self._asked, Block):
            for _, decision in self._asked:
                decision.revision = self._taken[-1].n if self._taken else 0
        return standing[saved.position :]

    def _replay_answers(self, entries: list[Entry], *, stand: bool) -> list[Entry]:
        """Take decisions once more under code that may be newer; those that no longer fit, if it may stand there."""
        for at, taken in enumerate(entries):
            before = len(self._taken)
            try:
                self._replay_answer(taken, again=False)
            except MISFITS:
                if not stand:
                    raise
                if len(self._taken) > before:
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
        """The match that a record tells, up to revision `upto` (None: all of it).

        `game` replaces the installed game of that name (for instance with an owner's figures); `secret` is needed
        for a record without seed that was never finished.

        Raises:
            InvalidRecord: with the line and what differs.
        """
        return records.replay(cls, record, upto, game=game, secret=secret)

    # -- how it runs -------------------------------------------------------------------------------------------------

    def _begin(self, state: S, log: list[LogLine] | None) -> None:
        """Seat the coroutine at a phase boundary and run to the first decision."""
        self._log: list[LogLine] = [] if log is None else log
        game, blocks = self.game, self._checkpoints[-1].blocks
        dice, log_kept = self._luck.dice_before(len(self._taken)), self._log if self._logs else None
        self._table: Table[S, D] = self.table_kind(
            state, game.data, dice, log_kept, blocks, immutable_facts=game.immutable_facts
        )
        self.outcome = self._asked = None
        self._table.since = -1  # what comes now is no decision
        self._send = _run_phases(game, self._table, self._keeps).send
        self._advance(None)
        self._table.barred = False

    def _advance(self, answer: Answer) -> None:
        """Send an answer into the rules and keep what they ask next; `decide`, being called most, does so itself."""
        self._table.since += 1
        try:
            asked = self._send(answer)
            if asked is None:
                asked = self._pass_boundaries()
        except StopIteration as end:
            asked, self.outcome = None, end.value
        self._asked = asked
        self._stamp_revision(asked)

    def _pass_boundaries(self) -> PendingDecisions:
        """Keep a checkpoint at this phase boundary, and at each that follows before something is asked."""
        send, keep, kept, table, barrier = (
            self._send,
            self.game.checkpoint_state,
            self._checkpoints,
            self._table,
            self._barrier,
        )
        asked = None
        while asked is None:
            while len(kept) > 2 and kept[2].position <= barrier:
                del kept[1]
            kept.append(Checkpoint(len(self._taken), len(self._log), table.blocks, keep(table.state)))
            table.since = 0
            asked = send(None)
        return asked

    def _stamp_revision(self, asked: PendingDecisions | None) -> Decision | None:
        """Note since when what is asked is open; a question to one seat alone, always the newest, is returned."""
        if isinstance(asked, Decision):
            asked.revision = self._revision
            return asked
        for _, decision in asked or ():
            if decision.revision < 0:
                decision.revision = self._revision
        return None

    def _rebuild(self, position: int, then: Sequence[Entry] = ()) -> None:
        """Stand where the first `position` decisions have been taken, and then these."""
        while len(self._checkpoints) > 1 and self._checkpoints[-1].position > position:
            self._checkpoints.pop()
        checkpoint = self._checkpoints[-1]
        again = [*self._taken[checkpoint.position : position], *then]
        del self._taken[checkpoint.position :], self._log[checkpoint.lines :]
        now = self._revision
        self._revision = self._taken[-1].n if self._taken else 0
        del self._table, self._send, self._asked  # first, so that what is laid out finds their memory free and warm
        self._begin(self.game.restore_state(checkpoint.state), self._log)
        for taken in again:
            if self._luck.forked:
                self._imagine_again()
                self._table.dice = self._luck.dice_before(len(self._taken) + 1)
            self._replay_answer(taken)
        self._imagine_again()
        self._revision = now
        self._table.dice = self._luck.current.dice

    def _imagine_again(self) -> None:
        """Where something was imagined at this moment, imagine the same once more."""
        for position, seat, chance in self._imagined:
            if position == len(self._taken):
                random = Random(0)  # wherever it stands, it is set at once
                random.setstate(chance)
                self.game.resample(self._table.state, self.game.data, seat, random)

    def _replay_answer(self, taken: Entry, *, again: bool = True) -> None:
        """Take a decision once more; `again`: it was accepted by this very code before, so it is not checked."""
        asked = self._asked
        decision = asked.open.get(taken.seat) if isinstance(asked, Block) else asked
        if decision is None or decision.seat != taken.seat:
            raise NotYourDecision(self.seat(taken.seat).name, [self.seat(seat).name for seat in self.pending])
        values = decision.values_for(taken.chose) if again else decision.accept(taken.chose)[1]
        self._taken.append(taken)
        self._revision = taken.n
        self._advance((taken.seat, values) if taken.block else values)
        self._table.barred = False


class BotView:
    """What a bot may look at: called, it is its seat's view; and it can imagine positions to think in."""

    __slots__ = ("_match", "seat")

    def __init__(self, match: Match[Any, Any], seat: str) -> None:
        self._match, self.seat = match, seat

    def __call__(self) -> View:
        """What the seat may know, as plain data."""
        return self._match.view(self.seat)

    @property
    def side(self) -> str:
        """The side that the seat plays for."""
        return self._match.seat(self.seat).side

    @property
    def scenario(self) -> str:
        """The key of what is played."""
        return self._match.scenario.key

    def imagine(self, random: Random) -> Match[Any, Any]:
        """A position that the seat could not tell from the true one, with other dice to come."""
        return self._match.imagine(self.seat, random)


def _run_phases(
    game: Game[S, D], table: Table[S, D], keeps: bool
) -> Generator[PendingDecisions | None, Answer, Outcome]:
    """Play phase after phase; what is yielded is a question, or None at a phase boundary that asks for a checkpoint.

    It does not know the match that runs it, so that a match is gone as soon as nobody holds it any more.
    """
    state, play, next_phase = table.state, game.phases_by_name, game.next_phase
    try:
        while True:
            at = next_phase(state)
            if not isinstance(at, At):
                return at
            if keeps and table.since >= CHECKPOINT_SOON and (table.barred or table.since >= CHECKPOINT_AT_LATEST):
                yield None
            state.at = at
            steps = play[at.phase](table)
            if steps is not None:
                yield from steps
    except MatchFinished as finished:
        return finished.outcome


def seats_of(match: Match[Any, Any], name: str) -> list[str]:
    """The keys of the seat, or of all seats of the side, of this name."""
    return [seat.key for seat in find_seats(match.seats, name)]
