"""A match in progress: pending decisions, deciding, undoing, forking, viewing, recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, NoReturn

from msgspec import UNSET
from msgspec.structs import replace

from readyroom.engine.errors import (
    CannotUndo,
    InvalidDice,
    MatchOver,
    NotYourDecision,
    RuleError,
    StaleRevision,
    UnknownSeat,
)
from readyroom.engine.game import Game, MatchView, Scenario, Seat, find_seats, sides
from readyroom.engine.match.dice_history import DiceHistory
from readyroom.engine.match.history import History
from readyroom.engine.match.memory import Recollection, Remember
from readyroom.engine.match.observers import SPECTATOR, Observers
from readyroom.engine.match.runner import Resample, Runner
from readyroom.engine.match.snapshot import Checkpoint, ResumePoint, Saved, Snapshot, compute_mac
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Entry
from readyroom.engine.rules.decisions import Block, Decision
from readyroom.engine.rules.dice import Dice, KeyedDice, new_secret, secret_of_seed
from readyroom.engine.rules.forms import FilledQuery
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import D, LoggedEvent, LogLine, S, Table

HIDDEN_PHASE = "Your last decision cannot be undone: another side is deciding in secret. Request a takeback."


class Start(NamedTuple):
    """A phase boundary to start a match from: the state as a checkpoint keeps it, and what led there."""

    state: Any  # bytes, or a state that is never changed
    position: int = 0
    blocks: int = 0
    history: History | None = None
    log: Sequence[LogLine] = ()
    forks: Sequence[tuple[int, bytes]] = ()  # after how many decisions other dice began, and their secret


class ReadLog(NamedTuple):
    """How many lines of the log were read for a viewer, the last of them, and those that the viewer may see."""

    number: int
    last: LogLine | None
    seen: list[LogLine]


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
        known_dice: whether a player may know the secret; with a seed or dice, always. See `Table`.
        log: whether to keep a log. A match without one is faster.
        checkpoints: whether to keep checkpoints. Without them undo and fork replay the match from its start.
        start: a phase boundary to start from, instead of the scenario's start.
        opening: called with the match before its rules start; returns a listener, as for `listen`.
        before: the hash of the record of a campaign up to this match.
        salt: hides the scenario, which must be a custom one, in the record until the match is over.

    Raises:
        UnknownScenario, UnknownOption, UnknownSeat, InvalidData: the arguments name what does not exist.
    """

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
        known_dice: bool = False,
        log: bool = True,
        checkpoints: bool = True,
        start: Start | None = None,
        opening: Callable[[Match[Any, Any]], Callable[[LoggedEvent], object]] | None = None,
        before: str = "",
        salt: str = "",
    ) -> None:
        self.game = game
        self.scenario = scenario if isinstance(scenario, Scenario) else game.scenario(scenario)
        self.options = game.resolve(options or {})
        self.seats = tuple(game.rules.seats(self.scenario, self.options))
        self.seed, self._before = seed, before
        self.sealed = records.Sealed(self.scenario.text, salt) if salt and self.scenario.text is not None else None
        self.nonces = dict(nonces or {})
        for seat in self.nonces:
            self.seat(seat)
        secret = secret or (new_secret() if seed is None else secret_of_seed(seed))
        self._dice = DiceHistory(secret, self.nonces, dice, known=known_dice or seed is not None)
        self._read_header: records.Header | None = None
        self._observers: Observers | None = None
        self._recollections: dict[tuple[str | None, Remember], Recollection] = {}
        self._read_logs: dict[str | None, ReadLog] = {}
        start = start or Start(game.initial_state(self.scenario, self.options))
        for position, other in start.forks:
            self._dice = self._dice.fork(position, other, publish=True)
        self._history = start.history or History()
        checkpoint = Checkpoint(start.position, len(start.log), start.blocks, start.state)
        self._runner = Runner(
            game,
            self.table_kind,
            self._history,
            self._dice,
            [checkpoint],
            list(start.log) if log else None,
            keeps_checkpoints=checkpoints,
        )
        self._runner.start(opening and partial(opening, self))

    # -- current position --------------------------------------------------------------------------------------------

    @property
    def pending(self) -> dict[str, Decision]:
        """The pending decisions by seat (a snapshot); several while seats plan in secret."""
        pending = self._runner.pending
        if isinstance(pending, Block):
            return dict(pending.open)
        return {} if pending is None else {pending.seat: pending}

    @property
    def sole_pending(self) -> Decision | None:
        """The pending decision if exactly one seat must decide, else None."""
        return self._runner.sole_pending

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the match is in progress."""
        return self._runner.outcome

    def seat(self, key: str) -> Seat:
        """Return the seat of this key; raise `UnknownSeat` if there is none."""
        for seat in self.seats:
            if seat.key == key:
                return seat
        raise UnknownSeat(key, [seat.key for seat in self.seats], where=self.game.key)

    @property
    def revision(self) -> int:
        """The number of answers and undos so far; it never decreases."""
        return self._history.revision

    @property
    def open_block(self) -> int:
        """The number of the secret block in progress; 0 if there is none."""
        return self._runner.open_block

    @property
    def decision_count(self) -> int:
        """The number of decisions that were not undone."""
        return len(self._history.active)

    def selection_odds(self, seat: str, keys: Sequence[str]) -> Mapping[str, str]:
        """Return what a selection of a seat's decision does to each target, in words, if the game says that."""
        decision, describe = self.pending.get(seat), self.game.presentation.selection_odds
        if decision is None or describe is None:
            return {}
        known = tuple(key for key in keys if key in decision.keys)
        return describe(self._runner.table, decision, decision.values_for(known)) if known else {}

    def odds_now(self, seat: str | None) -> Sequence[FilledQuery]:
        """Return the odds queries that a seat's decision raises, filled in; those that are public for a spectator."""
        decision = self.pending.get(seat) if seat is not None else None
        return self.game.analysis.odds_now(self._runner.table, decision)

    @property
    def state(self) -> S:
        """The true state: for rules and tests, never for a seat."""
        state: S = self._runner.table.state
        return state

    @property
    def fingerprint(self) -> str:
        """The dice seed hash: the published hash of the secret behind the dice."""
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
        return self._view(seat, self.game.rules.view)

    def open_view(self, seat: str | None) -> MatchView[Any]:
        """Return what this seat knows once everything may be known, if its game has such a view, else `view`."""
        return self._view(seat, self.game.rules.open_view or self.game.rules.view)

    def _view(self, seat: str | None, look: Callable[[S, D, str | None], Any]) -> MatchView[Any]:
        if seat is not None:
            self.seat(seat)
        state, at = self._runner.table.state, self.shown_at(seat)
        return MatchView(
            game=self.game.key,
            scenario=self.scenario.title,
            seat=seat,
            turn=at.turn,
            phase=at.phase,
            outcome=self.outcome,
            table=look(state, self.game.data, seat),
            sheets=self.game.planning.sheets(state, self._plans_in_progress(), seat),
        )

    def shown_at(self, seat: str | None) -> At:
        """Return the current turn and phase as this seat (None: a spectator) may know them.

        A phase with a group is shown as the group, except to the sides that are to decide, and once the match is over.
        """
        at: At = self._runner.table.state.at
        if self.outcome is not None or at.phase not in self.game.phase_groups:
            return at
        return self.game.shown_at(at, None if seat is None else self.seat(seat).side, self.deciding_sides)

    @property
    def deciding_sides(self) -> frozenset[str]:
        """The sides that must decide."""
        return frozenset(self.seat(key).side for key in self.pending)

    def shown_waiting(self, seat: str | None) -> list[str]:
        """Return the seats that must decide, as this seat (None: a spectator) may know them.

        If the game hides which seats of a side decide, others see all seats of that side, except an umpire.
        """
        pending = list(self.pending)
        if not self._hides_seats_from(seat):
            return pending
        own = self.seat(seat).side if seat is not None else None
        deciding = {self.seat(key).side for key in pending}
        return [each.key for each in self.seats if each.side in deciding and (each.side != own or each.key in pending)]

    def shown_name(self, viewer: str | None, key: str) -> str:
        """Return a seat's name, or its side's if this viewer (None: a spectator) may not know which seat decides."""
        seat = self.seat(key)
        if self._hides_seats_from(viewer) and (viewer is None or seat.side != self.seat(viewer).side):
            return self.game.side_name(seat.side, self.seats)
        return seat.name

    def is_umpire(self, seat: str | None) -> bool:
        """Return whether a seat is of a third side, which sees everything and cannot win."""
        return seat is not None and self.seat(seat).side not in sides(self.seats)[:2]

    def _hides_seats_from(self, viewer: str | None) -> bool:
        """Return whether this viewer may not know which seat of another side decides."""
        return self.game.rules.hides_seats and not self.is_umpire(viewer)

    def _plans_in_progress(self) -> dict[str, Any]:
        """Return the sheets of unfinished plans and the results of finished ones, by seat."""
        pending = self._runner.pending
        if isinstance(pending, Block):
            sheets = pending.done | {seat: decision.sheet for seat, decision in pending.open.items()}
        else:
            sheets = {} if pending is None else {pending.seat: pending.sheet}
        return {seat: sheet for seat, sheet in sheets.items() if sheet is not None}

    def log(self, seat: str | None, since: int = 0) -> list[LogLine]:
        """Return the log as this seat (None: a spectator) saw it, from its own line number `since` on."""
        if seat is not None:
            self.seat(seat)
        lines = self._runner.log or []
        read = self._read_logs.get(seat) or ReadLog(0, None, [])
        # A log that was cut and has grown again has another line there.
        if read.number and lines[read.number - 1 : read.number] != [read.last]:
            read = ReadLog(0, None, [])
        read.seen.extend(line for line in lines[read.number :] if line.seen_by(seat))
        self._read_logs[seat] = ReadLog(len(lines), lines[-1] if lines else None, read.seen)
        return read.seen[since:]

    @property
    def log_length(self) -> int:
        """The number of lines of the log, for all seats together."""
        return len(self._runner.log or ())

    @property
    def full_log(self) -> list[LogLine]:
        """Every line of the log: for rules and tests, and for everyone once the match is over."""
        return list(self._runner.log or [])

    def listen(self, listener: Callable[[LoggedEvent], object] | None) -> None:
        """Call a listener with each line that the rules log from now on, until the match is rebuilt or forked."""
        self._runner.table.listener = listener

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
        history, runner = self._history, self._runner
        decision, block = runner.sole_pending, 0
        if decision is None or decision.seat != seat:
            decision, block = self._open_decision(seat)
        if revision is not None and revision != decision.revision:
            raise StaleRevision(seat, revision, decision.revision)
        keys, values = decision.accept(answer)
        if self._observers is not None:
            self._observers.before(self, seat)
        history.revision += 1
        entry = Entry(history.revision, seat, decision.rule, keys, block)
        history.active.append(entry)
        try:
            runner.advance((seat, values) if block else values)
        except BaseException as error:
            self._roll_back(entry, error)
        blocked, causes = runner.table.undo_blocked, runner.table.take_causes()
        if blocked:
            history.set_barrier(len(history.active), causes)
        if self._dice.recorded is not None:
            self._dice.take_manual_dice(entry)
        history.entries.append(entry)
        if self._observers is not None:
            self._observers.after(self, seat, entry.n)
        return runner.sole_pending

    def decisions_since(self, position: int) -> list[Entry]:
        """Return the decisions after the first `position` that were not undone."""
        return self._history.active[position:]

    def decision_for(self, seat: str) -> Decision:
        """Return a seat's pending decision; raise `NotYourDecision` or `MatchOver` if there is none."""
        return self._open_decision(seat)[0]

    def _open_decision(self, seat: str) -> tuple[Decision, int]:
        """Return a seat's pending decision and the number of its secret block, 0 if it is not in one."""
        sole, pending = self._runner.sole_pending, self._runner.pending
        if sole is not None and sole.seat == seat:
            return sole, 0
        if isinstance(pending, Block) and seat in pending.open:
            return pending.open[seat], self._runner.open_block
        name = self.seat(seat).name
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        raise NotYourDecision(name, [self.seat(key).name for key in self.shown_waiting(seat)])

    def _roll_back(self, entry: Entry, error: BaseException) -> NoReturn:
        """Return to the position before an answer that a rule could not carry out, and raise."""
        if self._observers is not None:
            self._observers.forget()
        self._history.discard_last()
        self._runner.rebuild(len(self._history.active))
        if isinstance(error, InvalidDice) or not isinstance(error, Exception):
            raise error
        attempt = records.next_line(entry, self.record_lines()[-1])
        raise RuleError(entry.rule, error, f"{self.record()}{attempt}\n") from error

    def repeat(self, entries: Sequence[Entry], tolerated: tuple[type[Exception], ...] = ()) -> None:
        """Repeat decisions that the record has already, with code that may be newer than they are.

        If one of them fails with a tolerated error, the match stops before it and records the rest as undone.
        """
        for at, entry in enumerate(entries):
            position = self.decision_count
            try:
                self._runner.replay(entry, checked=False)
            except tolerated:
                self._history.add_undo(entry.seat, entries[at:], agreed=True)
                self._runner.rebuild(position)
                break
        self._runner.table.dice = self._dice.current.dice

    # -- undo --------------------------------------------------------------------------------------------------------

    def undo(self, seat: str, *, shared: bool = False) -> None:
        """Undo this seat's last decision; `shared`: all sides share a screen, so that an undo shows nothing hidden.

        Raises:
            CannotUndo: dice, a draw, a disclosure, the end of secret planning or another seat's decision came since,
                or another side is to decide in a phase that is not shown to this one.
            MatchOver: the match has ended.
        """
        self.seat(seat)
        if not shared and self._is_phase_hidden(seat):
            raise CannotUndo(HIDDEN_PHASE)
        self._undo_last(seat)

    def _undo_last(self, seat: str) -> None:
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        at = self._undoable(seat)
        self._undo(seat, [self._history.active[at]], agreed=False)
        self._runner.rebuild(at, self._history.active[at + 1 :])

    def _undo(self, seat: str, removed: Sequence[Entry], *, agreed: bool) -> None:
        undo = self._history.add_undo(seat, removed, agreed=agreed)
        if self._observers is not None:
            self._observers.after_undo(undo)

    def can_undo(self, seat: str, *, shared: bool = False) -> bool:
        """Return whether `undo` would succeed."""
        if self.outcome is not None or self._history.undo_position(seat, self.open_block) is None:
            return False
        return shared or not self._is_phase_hidden(seat)

    def undo_obstacle(self, seat: str) -> str:
        """Return why this seat cannot undo its last decision, as far as it may know that; empty if it can."""
        if all(entry.seat != seat for entry in self._history.active):
            return ""
        if self._is_phase_hidden(seat):
            return HIDDEN_PHASE.removesuffix(" Request a takeback.")
        try:
            self._undoable(seat)
        except CannotUndo as error:
            return str(error)
        return ""

    def undone_answer(self, seat: str) -> tuple[str, ...] | None:
        """Return the keys of the seat's decision that was undone last; None if the seat has decided since."""
        return self._history.undone_answer(seat)

    def _is_phase_hidden(self, seat: str) -> bool:
        """Return whether this seat may not learn if others decided: an undo that fails would show it.

        That is while others plan in secret, except for the seat's own answers to that, and in a group of phases.
        """
        block, history = self.open_block, self._history
        if block:
            return not any(one.block == block and one.seat == seat for one in history.active[history.barrier :])
        return self.shown_at(seat) is not self.state.at

    def _undoable(self, seat: str) -> int:
        return self._history.undoable(seat, self._runner.open_block, partial(self.shown_name, seat), self.unseen)

    def takeback_position(self, seat: str) -> int | None:
        """Return the position before this seat's last decision, None if dice, a draw or a disclosure came since.

        With the other players' agreement `revert_to` can return to it: nothing was disclosed since.
        """
        return self._history.takeback_position(seat)

    def revert_to(self, seat: str, position: int) -> None:
        """Undo all decisions after the first `position`, by agreement of all players.

        Dice rolled since will show the same faces for the same events.

        Raises:
            CannotUndo: there is no such position, or it is before a fork or the resumed checkpoint.
            MatchOver: the match has ended.
        """
        if self.outcome is not None:
            raise MatchOver(self.outcome.title)
        history, runner = self._history, self._runner
        earliest, count = max(self._dice.current.position, runner.checkpoints[0].position), self.decision_count
        if not earliest <= position < count:
            possible = f"Possible: {earliest} to {count - 1}" if earliest < count else "None can be undone"
            raise CannotUndo(f"Cannot return to decision {position} of {count}. {possible}.")
        self._undo(seat, history.active[position:], agreed=True)
        if position < history.barrier:
            history.set_barrier(position)
        runner.rebuild(position)

    def before(self, position: int) -> At:
        """Return the turn and phase to which `revert_to` would return, as spectators may know them."""
        return self.at_position(position).shown_at(None)

    def at_position(self, position: int) -> Match[S, D]:
        """Return a copy after the first `position` decisions, without a log."""
        history = self._history.copy()
        del history.active[position:]
        runner = self._runner.fork(history, self._dice, log=False, keeps_checkpoints=True)
        return self._with(history, self._dice, runner)

    def replay_undo(self, undo: records.Undo) -> None:
        """Apply an undo from a record; raise `CannotUndo` if it would undo other decisions than it names."""
        if undo.leave:
            self.revert_to(undo.by, self.decision_count - len(undo.undo))
        else:
            self._undo_last(undo.by)
        done = self._history.entries[-1]
        if not isinstance(done, records.Undo) or done.undo != undo.undo:
            raise CannotUndo(f"The undo takes back {done}, not {undo.undo}.")

    # -- observers ---------------------------------------------------------------------------------------------------

    def observe(self, unseen: Mapping[int, Sequence[str]] | None) -> None:
        """From now on find out which viewers cannot notice a decision or undo; None: no longer.

        `unseen` has these viewers for the entries so far, by number; see `observers`. A fork is not observed.
        """
        self._observers = Observers(self.seats, unseen) if unseen is not None else None

    @property
    def unseen(self) -> Mapping[int, Sequence[str]]:
        """The viewers that could not notice an entry, by its number, since the match is observed."""
        return self._observers.unseen if self._observers is not None else {}

    def revision_for(self, seat: str | None, n: int | None = None) -> int:
        """Return revision `n` (None: the current one) as this seat (None: a spectator) counts it.

        It counts the entries that the seat could notice; all of them if the match is over or not observed.
        """
        n = self._history.revision if n is None else n
        if self._observers is None or self._runner.outcome is not None:
            return n
        return self._observers.revision(seat or SPECTATOR, n)

    def true_revision(self, seat: str | None, revision: int, *, live: bool = False) -> int:
        """Return the revision at which this seat (None: a spectator) came to this one of its own.

        With `live`, a revision of a finished match is one that the seat counted while the match was in progress.
        """
        if self._observers is None or (self.outcome is not None and not live):
            return revision
        return self._observers.true_revision(seat or SPECTATOR, revision)

    def viewer_revisions(self, n: int | None = None) -> dict[str, int]:
        """Return revision `n` as each viewer counts it: by the key of its seat, and for spectators under ""."""
        n = self.revision if n is None else n
        viewers = (SPECTATOR, *[seat.key for seat in self.seats])
        if self._observers is None or self.outcome is not None:
            return dict.fromkeys(viewers, n)
        return {viewer: self._observers.revision(viewer, n) for viewer in viewers}

    # -- copies ------------------------------------------------------------------------------------------------------

    def fork(
        self,
        secret: bytes | None = None,
        *,
        log: bool | None = None,
        checkpoints: bool | None = None,
        dice: Dice | None = None,
    ) -> Match[S, D]:
        """Return an independent copy with different future dice; rolls so far are unchanged.

        Args:
            secret: the secret of the future dice; random by default.
            log: whether the copy keeps a log; by default as this match does.
            checkpoints: whether the copy keeps checkpoints; by default as this match does. Rollouts need none.
            dice: fixed dice for future rolls, instead of those of the secret.
        """
        secret = new_secret() if secret is None else secret
        publish = self.outcome is not None or self.seed is not None
        history = self._history.copy()
        segments = self._dice.fork(self.decision_count, secret, publish=publish, dice=dice)
        history.entries.append(records.Fork(self.revision, segments.current.fingerprint))
        runner = self._runner
        log = runner.log is not None if log is None else log
        checkpoints = runner.keeps_checkpoints if checkpoints is None else checkpoints
        runner = runner.fork(history, segments, log=log, keeps_checkpoints=checkpoints)
        history.set_barrier(len(history.active))
        return self._with(history, segments, runner)

    def _with(self, history: History, dice: DiceHistory, runner: Runner[S, D]) -> Match[S, D]:
        """Return a copy of this match that continues with these."""
        other: Match[S, D] = object.__new__(type(self))
        vars(other).update(vars(self))
        other._history, other._dice, other._runner, other._observers = history, dice, runner, None
        other._recollections = {}
        other._read_logs = {}
        return other

    def imagine(self, seat: str, random: Random, resample: Resample | None = None) -> Match[S, D]:
        """Return a position at the same decision that this seat cannot distinguish from the true one.

        What the seat does not know is resampled, and so are the future dice; other seats' secret plans are not started.
        Two calls with generators in the same state return the same position and dice. The copy keeps no log and no
        checkpoints. `resample` replaces that of the game's rules.

        Raises:
            NotYourDecision, MatchOver: the seat has no pending decision. Another's would disclose too much.
        """
        block = self._open_decision(seat)[1]
        active = [each for each in self._history.active if not block or each.block != block or each.seat == seat]
        history = History(active, [], self.revision, len(active))
        dice = self._dice.fork(len(active), random.randbytes(32), publish=False)
        runner = self._runner.fork(history, dice, log=False, keeps_checkpoints=False)
        runner.imagine(seat, random, resample or self.game.rules.resample)
        return self._with(history, dice, runner)

    def recall(self, seat: str | None, remember: Remember) -> Any:
        """Return what a seat (None: a spectator) remembers: `remember`, applied to its view at each decision in turn.

        The match is replayed from its start, or from where it was when the memory was last needed.
        """
        active, known = self._history.active, self._recollections.get((seat, remember))
        if known is None or not known.precedes(active):
            known = self._recollections[seat, remember] = Recollection(seat, remember, self._from_start())
        return remember(known.after(active), self.view(seat))

    def _from_start(self) -> Match[S, D]:
        """Return a copy at the start of the match, with the same dice and no log."""
        history, state = History(), self.game.initial_state(self.scenario, self.options)
        checkpoints = [Checkpoint(0, 0, 0, state)]
        runner = Runner(self.game, Table, history, self._dice, checkpoints, None, keeps_checkpoints=False)
        runner.start()
        return self._with(history, self._dice, runner)

    def bot_view(self, seat: str) -> BotView:
        """Return what a bot in this seat may see."""
        return BotView(self, seat)

    # -- recording ---------------------------------------------------------------------------------------------------

    def record(self) -> str:
        """Return the record as JSON Lines: header, every decision and undo, and, once over, the outcome and the key."""
        return "\n".join([*self.record_lines(), ""])

    def record_lines(self) -> list[str]:
        """Return the lines of the record; they are cached, so that calling this after every decision is cheap."""
        history = self._history
        lines = history.record_lines(lambda: self.header)
        if self.outcome is not None and len(lines) == len(history.entries) + 1:
            lines.append(records.next_line(self.ending(), lines[-1]))
        return lines

    def record_entries(self, since: int = 0) -> list[records.RecordEntry]:
        """Return the decisions and undos after revision `since`, without header and ending."""
        return self._history.entries_since(since)

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
            own=self.scenario.text if self.sealed is None else None,
            options=self.options,
            seats=[seat.key for seat in self.seats],
            nonces=self.nonces,
            fingerprint=first.fingerprint,
            seed=self.seed,
            dice="keyed" if isinstance(first.dice, KeyedDice) else "told",
            before=self._before or UNSET,
            sealed=self.sealed.hash if self.sealed else UNSET,
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
            opened=self.sealed or UNSET,
        )

    def digest(self) -> str:
        """Return a hash of the whole state, for comparing replays."""
        return blake2b(self.game.encode(self._runner.table.state), digest_size=16).hexdigest()

    def resume_point(self) -> ResumePoint:
        """Return where the match would be resumed: the last checkpoint behind which nothing can be undone."""
        secret, history = self._dice.only_secret(), self._history
        checkpoints = self._runner.checkpoints
        last = next(n for n in reversed(range(len(checkpoints))) if checkpoints[n].position <= history.barrier)
        checkpoint = self._encoded(last)
        active = [entry.n for entry in history.active]
        place = (history.revision, checkpoint.position, checkpoint.blocks, history.barrier, *active)
        return ResumePoint(checkpoint, history.barrier, compute_mac(secret, checkpoint.state, place))

    def snapshot(self) -> Snapshot:
        """Return where the match is, as plain data: its last checkpoint, for `restore` with the entries up to now."""
        return Snapshot(self.revision, self._history.barrier, self._encoded(-1))

    def _encoded(self, n: int) -> Checkpoint:
        """Return a checkpoint with its state as bytes. It stays so, because it is often needed again."""
        checkpoints = self._runner.checkpoints
        if not isinstance(checkpoints[n].state, bytes):
            checkpoints[n] = replace(checkpoints[n], state=self.game.encode(checkpoints[n].state))
        return checkpoints[n]

    def saved(self) -> Saved:
        """Return the match as data for `resume`; forks cannot be saved, because their dice are not their own."""
        point, history = self.resume_point(), self._history
        return Saved(
            self.header,
            self._dice.only_secret(),
            history.revision,
            [entry for entry in history.entries if isinstance(entry, Entry)],
            [entry for entry in history.entries if isinstance(entry, records.Undo)],
            [entry.n for entry in history.active],
            point.checkpoint.position,
            point.checkpoint.blocks,
            point.barrier,
            point.checkpoint.state,
            point.state_mac,
            self.sealed,
        )


class BotView:
    """What a bot may see: calling it returns its seat's view; it can also imagine positions for search."""

    __slots__ = ("_match", "_resample", "seat")

    def __init__(self, match: Match[Any, Any], seat: str, resample: Resample | None = None) -> None:
        self._match, self.seat, self._resample = match, seat, resample

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

    @property
    def options(self) -> Mapping[str, str]:
        """The choices of all options."""
        return self._match.options

    def imagine(self, random: Random) -> Match[Any, Any]:
        """Return a position that the seat cannot distinguish from the true one, with different future dice."""
        return self._match.imagine(self.seat, random, self._resample)

    def recall(self, remember: Remember) -> Any:
        """Return what the seat remembers of its views so far; see `Match.recall`."""
        return self._match.recall(self.seat, remember)

    def with_resample(self, resample: Resample) -> BotView:
        """Return the same view, with another way to draw what the seat does not know."""
        return BotView(self._match, self.seat, resample)


def seats_of(match: Match[Any, Any], name: str) -> list[str]:
    """Return the key of the seat, or the keys of all seats of the side, of this name."""
    return [seat.key for seat in find_seats(match.seats, name)]
