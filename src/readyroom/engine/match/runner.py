"""Run a game's rules from decision to decision, keep checkpoints, and return to an earlier position."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias

from msgspec.structs import replace

from readyroom.engine.errors import NotYourDecision
from readyroom.engine.game import Game
from readyroom.engine.match.dice_history import DiceHistory
from readyroom.engine.match.history import History
from readyroom.engine.match.snapshot import Checkpoint
from readyroom.engine.record.format import Entry
from readyroom.engine.rules.decisions import Block, ChosenValues, Decision, PendingDecisions
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import D, LoggedEvent, LogLine, MatchFinished, S, Table

CHECKPOINT_SOON, CHECKPOINT_AT_LATEST = 2, 4
"""How many decisions after a checkpoint the next one is due: at a phase boundary that blocks undo, and at any other."""


Resample: TypeAlias = Callable[[Any, Any, str, Random], Any]
"""Changes a state, given the game's data and a seat, to one that the seat cannot distinguish from it."""


class Imagined(NamedTuple):
    """An imagined position: after how many decisions, for which seat, how, and the state of the random generator."""

    position: int
    seat: str
    resample: Resample
    random_state: tuple[Any, ...]


class Runner(Generic[S, D]):
    """The rules of a match, run up to the pending decision.

    It plays the active decisions of a history with the dice of a dice history, from the last of some checkpoints on.

    Args:
        game: the game.
        table_kind: the class of the table given to the rules.
        history: the decisions; those before the last checkpoint are active.
        dice: the dice.
        checkpoints: where the match can be restarted, at least one.
        log: the lines of the log so far; None: keep no log.
        keeps_checkpoints: whether to add checkpoints.
    """

    table: Table[S, D]
    pending: PendingDecisions | None
    sole_pending: Decision | None
    outcome: Outcome | None
    _send: Callable[[ChosenValues], PendingDecisions | None]

    def __init__(
        self,
        game: Game[S, D],
        table_kind: type[Table[S, D]],
        history: History,
        dice: DiceHistory,
        checkpoints: list[Checkpoint],
        log: list[LogLine] | None,
        *,
        keeps_checkpoints: bool,
        imagined: tuple[Imagined, ...] = (),
    ) -> None:
        self.game, self.history, self.dice = game, history, dice
        self.checkpoints, self.log = checkpoints, log
        self._table_kind, self.keeps_checkpoints = table_kind, keeps_checkpoints
        self._imagined = imagined

    # -- running -----------------------------------------------------------------------------------------------------

    def start(self, opening: Callable[[], Callable[[LoggedEvent], object]] | None = None) -> None:
        """Start the rules at the last checkpoint and run to the first decision; `opening` returns a listener."""
        game, checkpoint = self.game, self.checkpoints[-1]
        self.table = self._table_kind(
            game.restore_state(checkpoint.state),
            game.data,
            self.dice.dice_before(len(self.history.active)),
            self.log,
            checkpoint.blocks,
            immutable_facts=game.rules.immutable_facts,
            known_dice=self.dice.known,
        )
        self.outcome = self.pending = None
        self.table.since = -1  # starting is not a decision
        if opening is not None:
            self.table.listener = opening()
        self._send = _run_phases(game, self.table, self.keeps_checkpoints).send
        self.advance(None)
        self.table.take_causes()

    def advance(self, answer: ChosenValues) -> None:
        """Send an answer to the rules and run to the next decision."""
        self.table.since += 1
        try:
            pending = self._send(answer)
            if pending is None:
                pending = self._pass_boundaries()
        except StopIteration as end:
            pending, self.outcome = None, end.value
        self.pending = pending
        self.sole_pending = pending if isinstance(pending, Decision) else None
        if self.sole_pending is not None:
            self.sole_pending.revision = self.history.revision
        elif isinstance(pending, Block):
            for decision in pending.open.values():
                if decision.revision < 0:
                    decision.revision = self.history.last_number

    def _pass_boundaries(self) -> PendingDecisions:
        """Keep a checkpoint at this phase boundary and at each one before the next decision."""
        checkpoints, table = self.checkpoints, self.table
        pending = None
        while pending is None:
            while len(checkpoints) > 2 and checkpoints[2].position <= self.history.barrier:
                del checkpoints[1]
            position, lines = len(self.history.active), len(self.log or ())
            checkpoints.append(Checkpoint(position, lines, table.blocks, self.game.checkpoint_state(table.state)))
            table.since = 0
            pending = self._send(None)
        return pending

    @property
    def open_block(self) -> int:
        """The number of the secret block in progress; 0 if there is none."""
        return self.table.blocks + 1 if isinstance(self.pending, Block) else 0

    # -- replaying ---------------------------------------------------------------------------------------------------

    def rebuild(self, position: int, then: Iterable[Entry] = ()) -> None:
        """Rebuild the position after the first `position` decisions, then replay `then`."""
        while len(self.checkpoints) > 1 and self.checkpoints[-1].position > position:
            self.checkpoints.pop()
        checkpoint, active = self.checkpoints[-1], self.history.active
        entries = [*active[checkpoint.position : position], *then]
        del active[checkpoint.position :]
        if self.log is not None:
            del self.log[checkpoint.lines :]
        self.start()
        for entry in entries:
            if self.dice.forked:
                self._imagine_again()
            self.replay(entry)
        self._imagine_again()
        self.table.dice = self.dice.current.dice

    def replay(self, entry: Entry, *, checked: bool = True) -> None:
        """Apply a decision again; `checked`: the same code has accepted it before."""
        pending = self.pending
        decision = pending.open.get(entry.seat) if isinstance(pending, Block) else pending
        if decision is None or decision.seat != entry.seat:
            raise NotYourDecision(entry.seat, self._pending_seats())
        values = decision.values_for(entry.chose) if checked else decision.accept(entry.chose)[1]
        if self.dice.forked:
            self.table.dice = self.dice.dice_before(len(self.history.active) + 1)
        self.history.active.append(entry)
        self.advance((entry.seat, values) if entry.block else values)
        causes = self.table.take_causes()
        if causes and len(self.history.active) == self.history.barrier:
            self.history.set_barrier(self.history.barrier, causes)

    def _pending_seats(self) -> list[str]:
        if isinstance(self.pending, Decision):
            return [self.pending.seat]
        return list(self.pending.open) if self.pending else []

    # -- imagining ---------------------------------------------------------------------------------------------------

    def imagine(self, seat: str, random: Random, resample: Resample) -> None:
        """Resample what the seat cannot know, now and whenever this position is rebuilt."""
        self._imagined += (Imagined(len(self.history.active), seat, resample, random.getstate()),)
        resample(self.table.state, self.game.data, seat, random)

    def _imagine_again(self) -> None:
        """Repeat what was imagined at this position."""
        for position, seat, resample, random_state in self._imagined:
            if position == len(self.history.active):
                random = Random(0)
                random.setstate(random_state)
                resample(self.table.state, self.game.data, seat, random)

    # -- copies ------------------------------------------------------------------------------------------------------

    def fork(self, history: History, dice: DiceHistory, *, log: bool, keeps_checkpoints: bool) -> Runner[S, D]:
        """Return a copy with its own history and dice, at the position after that history's active decisions."""
        checkpoints = list(self.checkpoints) if keeps_checkpoints else self.checkpoints[-1:]
        if not log:
            checkpoints = [replace(checkpoint, lines=0) for checkpoint in checkpoints]
        position = len(history.active)
        other = Runner(
            self.game,
            self._table_kind,
            history,
            dice,
            checkpoints,
            list(self.log or ()) if log else None,
            keeps_checkpoints=keeps_checkpoints,
            imagined=tuple(one._replace(position=min(one.position, position)) for one in self._imagined),
        )
        other.rebuild(position)
        return other


def _run_phases(
    game: Game[S, D], table: Table[S, D], keeps_checkpoints: bool
) -> Generator[PendingDecisions | None, ChosenValues, Outcome]:
    """Play phase after phase; yield each decision, and None at a phase boundary that needs a checkpoint.

    It holds no reference to the runner, so that a match is freed as soon as it is no longer used.
    """
    state, play, next_phase = table.state, game.phases_by_name, game.rules.next_phase
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
