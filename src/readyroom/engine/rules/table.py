"""The table: everything a rule works with.

A rule is a generator. It changes the state, rolls dice and writes the log through its table, and asks for a decision by
`yield from table.choose(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, NoReturn, Protocol, TypeAlias, TypeVar

import msgspec

from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import ChartRoll, Modifiers, Rollable, RolledDice
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.decisions import (
    ALLOCATE,
    CONTINUE,
    ONE,
    SOME,
    Block,
    BudgetGroup,
    ChosenValues,
    Decision,
    K,
    OptionInfo,
    PendingDecisions,
    UnavailableOptions,
)
from readyroom.engine.rules.dice import SEPARATOR, Dice
from readyroom.engine.rules.state import At, KeyedText, Outcome, Piece, State

S = TypeVar("S", bound=State)
D = TypeVar("D")
T = TypeVar("T")
R = TypeVar("R")
P = TypeVar("P", bound=Piece)

Choice: TypeAlias = Generator[PendingDecisions, ChosenValues, T]
Steps: TypeAlias = Generator[PendingDecisions, ChosenValues, None]


class Loggable(Protocol):
    """A roll that a log line contains."""

    def to_log(self) -> RolledDice:
        """Return the roll as the log stores it."""
        ...


class UndoBarrier(NamedTuple):
    """Why earlier decisions can no longer be undone, and which seats may know it (None: everyone)."""

    cause: str
    audience: tuple[str, ...] | None = None


class LogLine(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A line of the log: when, under which rule, what happened, the rolls, and who may read it (None: everyone).

    The text is formatted on demand, lists of pieces with the game's `data`; the facts do not change any more. They may
    contain whole pieces, so a viewer is only given a line's text and rolls, and `keys`: of the piece or place that it
    happens to, then of the pieces that the text names.
    """

    turn: int
    phase: str
    rule: str
    template: str
    args: Sequence[Any]  # strings, numbers, rolls, pieces and lists of them
    audience: tuple[str, ...] | None = None
    data: Any = None  # of the type that the game's pieces expect
    keys: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What happened, as text."""
        try:
            return self.template.format(*[_describe_fact(fact, self.data) for fact in self.args])
        except (IndexError, KeyError) as error:
            count = f"{len(self.args)} fact{'s'[: len(self.args) != 1]}"
            raise ValueError(f"the log line {self.template!r} of rule {self.rule} has {count}") from error

    @property
    def rolls(self) -> tuple[RolledDice, ...]:
        """The rolls that the line contains."""
        return tuple(fact.to_log() for fact in self.args if hasattr(fact, "to_log"))

    def seen_by(self, seat: str | None) -> bool:
        """Return whether this seat (None: a spectator) may read the line."""
        return self.audience is None or seat in self.audience

    def __repr__(self) -> str:
        return f"<turn {self.turn}, {self.phase}: {self.text} [{self.rule}]>"

    def plain(self) -> dict[str, Any]:
        """Return the line as plain data."""
        rolls = [msgspec.to_builtins(roll) for roll in self.rolls]
        return {"turn": self.turn, "phase": self.phase, "rule": self.rule, "text": self.text, "rolls": rolls}


class LoggedEvent(NamedTuple):
    """What a log line reports, for a board that shows it: the line, its facts as pieces, and what the rule adds.

    `target` is the piece or the key of the place that it happens to; `moment` names a moment that deserves a pause.
    `is_miss`: it neither hits nor loses anything.
    """

    line: LogLine
    facts: Sequence[Any]
    target: Piece | str | None = None
    moment: str = ""
    is_miss: bool = False


def keys_of(facts: Iterable[Any]) -> tuple[str, ...]:
    """Return the keys of the pieces among the facts of a line, each once."""
    return tuple(dict.fromkeys(pieces_named(facts)))


def pieces_named(facts: Iterable[Any]) -> list[str]:
    """Return the keys of the pieces among the facts of a line."""
    keys: list[str] = []
    for fact in facts:
        if type(fact) in _NO_PIECES:
            continue
        if isinstance(fact, Piece):
            keys.append(fact.key)
        elif isinstance(fact, KeyedText):
            keys += fact.keys
        elif isinstance(fact, list | tuple):
            keys += pieces_named(fact)
        elif hasattr(fact, "pieces"):
            keys += pieces_named(fact.pieces)
    return keys


_NO_PIECES = {str, int, float, type(None)}


def _describe_fact(fact: Any, data: Any) -> Any:
    """Return a fact as a log line shows it: lists become text."""
    if type(fact) not in (list, tuple):  # a named tuple may be a roll
        return fact
    return fact[0].describe_many(fact, data) if fact and isinstance(fact[0], Piece) else ", ".join(map(str, fact))


def _freeze(fact: Any, data: Any) -> Any:
    """Return the current text of pieces and lists of pieces, which may change later; other facts unchanged."""
    return str(fact) if isinstance(fact, Piece | KeyedText) else _describe_fact(fact, data)


def _available(options: Sequence[K], limit: Callable[[K], int]) -> tuple[Sequence[K], int]:
    """Return the options that may be chosen at least once, and the sum of their limits."""
    available, room = [], 0
    for option in options:
        times = limit(option)
        if times > 0:
            available.append(option)
            room += times
    return available, room


class MatchFinished(Exception):
    """Raised through the rules when the match ends within a phase."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.title)
        self.outcome = outcome


class Table(Generic[S, D]):
    """State, data, dice and log of one match, as its rules see them.

    `state` is the game's state, `data` its data; `since` counts the decisions since the last checkpoint, which was at a
    phase boundary. `listener` is called with each line that is logged. With `immutable_facts` the log stores facts as
    they are and formats them on demand. Rules never keep a piece across a decision made elsewhere. With `known_dice` a
    player may know the dice, past and future: what rules publish must not let hidden decisions be found out by trying
    them with these dice. The state must not depend on it.
    """

    __slots__ = (
        "_counts",
        "_named",
        "_prefix",
        "_secret",
        "blocks",
        "causes",
        "data",
        "dice",
        "immutable_facts",
        "known_dice",
        "listener",
        "log",
        "since",
        "state",
        "undo_blocked",
    )

    def __init__(
        self,
        state: S,
        data: D,
        dice: Dice,
        log: list[LogLine] | None,
        blocks: int = 0,
        *,
        immutable_facts: bool = False,
        known_dice: bool = False,
    ) -> None:
        self.state, self.data, self.dice, self.log = state, data, dice, log
        self.undo_blocked, self.since, self.blocks, self.immutable_facts = False, 0, blocks, immutable_facts
        self.causes: list[UndoBarrier] = []
        self.listener: Callable[[LoggedEvent], object] | None = None
        self.known_dice, self._secret = known_dice, False
        self._named: At | None = None
        self._prefix = ""
        self._counts: dict[str, int] = {}

    # -- deciding ----------------------------------------------------------------------------------------------------

    def choose(
        self,
        seat: str,
        rule: str,
        question: str,
        options: Sequence[K],
        *,
        text: Callable[[K], str] | None = None,
        info: Callable[[K], OptionInfo | None] | None = None,
        unavailable: UnavailableOptions | None = None,
        piece_key: str = "",
        always: bool = False,
    ) -> Choice[K]:
        """Return the option that the seat chooses; a single one is logged without asking, unless `always` is set.

        `text`, `info` and `unavailable` are called only when the decision is shown; `piece_key` is the key of the piece
        that the question is about, for pages and bots.
        """
        decision = Decision(
            ONE,
            seat,
            rule,
            question,
            options,
            at_least=1,
            at_most=1,
            text=text,
            info=info,
            unavailable_options=unavailable,
            piece_key=piece_key,
        )
        if len(options) == 1 and not always:
            return self._forced(decision)[0]  # type: ignore[no-any-return]
        if not options:
            raise ValueError(f"[{rule}] {question} has no options")
        return (yield decision)[0]  # type: ignore[no-any-return]

    def choose_some(
        self,
        seat: str,
        rule: str,
        question: str,
        options: Sequence[K],
        *,
        at_least: int = 0,
        at_most: int | None = None,
        cost: Callable[[K], int] | None = None,
        budget: int = 0,
        unit: str = "point",
        budget_groups: Sequence[BudgetGroup] = (),
        limit: Callable[[K], int] | None = None,
        text: Callable[[K], str] | None = None,
        info: Callable[[K], OptionInfo | None] | None = None,
        unavailable: UnavailableOptions | None = None,
        piece_key: str = "",
        select_all_default: bool = False,
        assigns: Callable[[K], tuple[str, str]] | None = None,
    ) -> Choice[list[K]]:
        """Return the options that the seat chooses, `at_least` to `at_most` of them, their cost within the budget.

        Each may be chosen once, or up to its `limit`: the answer then repeats it, and each repeat is counted and paid
        for. Without options nothing is asked; if all must be chosen, that is logged. `at_least` and a budget exclude
        each other: what can be paid would depend on the order. With `budget_groups`, each with its own options, the
        budget applies to each group. `unit` is what costs are counted in. `select_all_default`: most players choose
        everything they can. `assigns` returns the keys of the piece and the place on the board that an option brings
        together; each piece may be assigned once, and nothing has to be. On the board, a piece is dragged to its place.
        """
        count = len(options)
        if limit is not None:
            options, count = _available(options, limit)
        if not count or at_most == 0:
            return []
        most = count if at_most is None or at_most > count else at_most
        if (at_least and (at_least > most or cost or assigns)) or (budget_groups and not cost):
            raise ValueError(f"[{rule}] {question} asks for {at_least} of {most}")
        decision = Decision(
            SOME,
            seat,
            rule,
            question,
            options,
            at_least,
            most,
            cost=cost,
            budget=budget,
            unit=unit,
            limit=limit,
            text=text,
            info=info,
            unavailable_options=unavailable,
            piece_key=piece_key,
            select_all_default=select_all_default,
            budget_groups=budget_groups,
            assigns=assigns,
        )
        return self._forced(decision) if at_least == count else (yield decision)

    def allocate(
        self,
        seat: str,
        rule: str,
        question: str,
        amount: int,
        among: Sequence[K],
        limit: Callable[[K], int],
        *,
        text: Callable[[K], str] | None = None,
        info: Callable[[K], OptionInfo | None] | None = None,
        unavailable: UnavailableOptions | None = None,
        piece_key: str = "",
        log_text: Callable[[Sequence[K]], str] | None = None,
    ) -> Choice[list[K]]:
        """Return `amount` points allocated over the options, none above its `limit`; one entry per point.

        If the amount fills all options, or there is a single one, nothing is asked; `log_text` is the log's text for
        that.
        """
        among, room = _available(among, limit)
        if amount <= 0 or not among:
            return []
        decision = Decision(
            ALLOCATE,
            seat,
            rule,
            question,
            among,
            at_least=amount,
            at_most=amount,
            limit=limit,
            text=text,
            info=info,
            unavailable_options=unavailable,
            piece_key=piece_key,
        )
        if amount >= room or len(among) == 1:
            self._forced(decision, log_text)
            filled: list[K] = []
            for piece in among:
                filled += [piece] * min(amount, limit(piece))
            return filled
        return (yield decision)  # type: ignore[no-any-return]

    def _forced(self, decision: Decision, log_text: Callable[[Sequence[Any]], str] | None = None) -> list[Any]:
        """Log and return all options, each as often as it may be chosen."""
        if self.log is not None and log_text is not None:
            self.log_line(decision.rule, "{}", log_text(decision.values), audience=(decision.seat,))
        elif self.log is not None:
            names = ", ".join(decision.texts)
            self.log_line(
                decision.rule, "{} Only legal choice: {}.", decision.question, names, audience=(decision.seat,)
            )
        return [value for value in decision.values for _ in range(decision.max_repeats(value))]

    def ask_to_continue(self, seat: str, rule: str, notice: str) -> Steps:
        """Ask a seat only to continue, because others may not know that it has no choice; `notice` says why."""
        yield from self.choose(seat, rule, notice, [CONTINUE], always=True)

    def always_asks(self, seat: str, rule: str, notice: str, steps: Choice[T]) -> Choice[T]:
        """Run steps that may ask a seat or its side something, and ask it to continue if they have asked nothing.

        If others may not know whether there is a choice, they may not see whether there is a question either. Several
        questions in a row look like one to them, so one is enough.
        """
        asked = False
        try:
            pending = next(steps)
            while True:
                asked = True
                pending = steps.send((yield pending))
        except StopIteration as done:
            result: T = done.value
        if not asked:
            yield from self.ask_to_continue(seat, rule, notice)
        return result

    def choose_in_secret(self, plans: Mapping[str, Choice[T]]) -> Choice[dict[str, T]]:
        """Let several seats plan at once without seeing each other's plans; return the results by seat.

        Plans return values; they may not roll, draw or change the state. Completing the block blocks undo.
        """
        block = Block()

        def advance(seat: str, answer: ChosenValues | None) -> None:
            try:
                decision = next(plans[seat]) if answer is None else plans[seat].send(answer)
            except StopIteration as stop:
                block.open.pop(seat, None)
                block.done[seat] = stop.value
            else:
                assert isinstance(decision, Decision), "secret plans do not nest"
                block.open[seat] = decision

        self._secret = True
        for seat in plans:
            advance(seat, None)
        while block.open:
            seat, values = yield block
            advance(seat, values)
        self._secret = False
        self.blocks += 1
        self.block_undo("secret planning ended")
        return {seat: block.done[seat] for seat in plans}

    # -- undo --------------------------------------------------------------------------------------------------------

    def block_undo(self, cause: str, audience: Iterable[str] | None = None) -> None:
        """Let no earlier decision be undone; everyone may know the cause, or only some seats."""
        self.undo_blocked = True
        self.causes.append(UndoBarrier(cause, None if audience is None else tuple(audience)))

    def take_causes(self) -> tuple[UndoBarrier, ...]:
        """Allow undo again; return why the decisions up to now can no longer be undone."""
        causes = tuple(self.causes)
        self.causes.clear()
        self.undo_blocked = False
        return causes

    # -- dice and draws ----------------------------------------------------------------------------------------------

    def _event(self, rule: str, subject: str) -> str:
        if self._secret:
            raise RuntimeError(f"[{rule}] a secret plan may not roll or draw")
        at = self.state.at
        if at is not self._named:  # events are counted by phase
            self._named, self._counts = at, {}
            self._prefix = f"{at.turn}{SEPARATOR}{at.phase}{SEPARATOR}"
        name = f"{self._prefix}{rule}{SEPARATOR}{subject}{SEPARATOR}"
        count = self._counts[name] = self._counts.get(name, 0) + 1
        self.undo_blocked = True
        if SEPARATOR in subject or SEPARATOR in rule:
            raise ValueError(f"{SEPARATOR!r} is not allowed in the name of an event: {rule} {subject}")
        return f"{name}{count}"

    def roll(self, check: Rollable[R], subject: str) -> R:
        """Roll a check or a volley for this subject."""
        return check.resolve(partial(self.dice.roll, self._event(check.rule, subject)))

    def roll_dice(self, rule: str, subject: str, count: int = 1, sides: int = 6) -> bytes:
        """Roll plain dice for this subject."""
        return self.dice.roll(self._event(rule, subject), count, sides)

    def roll_on_chart(self, chart: Chart, column: str, subject: str, modifiers: Modifiers = ()) -> ChartRoll[str]:
        """Roll on a chart and read its cell."""
        return chart.roll(partial(self.dice.roll, self._event(chart.rule, subject)), column, modifiers)

    def draw(self, cup: Cup[P], rule: str, subject: str) -> P:
        """Draw a counter at random; an empty cup raises IndexError."""
        event = self._event(rule, subject)
        for piece in cup.contents:
            if SEPARATOR in piece.key:
                raise ValueError(f"{SEPARATOR!r} is not allowed in the key of a counter: {piece.key}")
        return cup.draw(lambda keys: self.dice.pick(event, keys))

    # -- log ---------------------------------------------------------------------------------------------------------

    def log_line(
        self,
        rule: str,
        template: str,
        *facts: object,
        audience: Iterable[str] | None = None,
        target: Piece | str | None = None,
        moment: str = "",
        is_miss: bool = False,
    ) -> None:
        """Write a log line for everyone or for some seats, once what it reports has been done to the state.

        Facts: strings, numbers, pieces, lists of pieces, texts that name pieces (`KeyedText`), rolls. `target` is the
        piece, or the key of the place, that it happens to, and `moment` the name of a moment at which a board pauses;
        `is_miss`: an attack whose rule can hit has hit or lost nothing, or not yet. None of them changes the text.
        """
        log = self.log
        if log is not None:
            at, args = self.state.at, facts if self.immutable_facts else [_freeze(fact, self.data) for fact in facts]
            readers = None if audience is None else tuple(audience)
            keys = keys_of((target, facts)) if not isinstance(target, str) else (target, *keys_of(facts))
            line = LogLine(at.turn, at.phase, rule, template, args, readers, self.data, keys)
            log.append(line)
            if line.rolls:
                self.causes.append(UndoBarrier("dice were rolled", readers))
            if self.listener is not None:
                self.listener(LoggedEvent(line, facts, target, moment, is_miss))

    def reveal(
        self,
        rule: str,
        template: str,
        *facts: object,
        audience: Iterable[str] | None = None,
        target: Piece | str | None = None,
        moment: str = "",
        is_miss: bool = False,
    ) -> None:
        """Write a log line that discloses hidden information; earlier decisions can no longer be undone."""
        readers = None if audience is None else tuple(audience)
        self.block_undo("hidden information was revealed", readers)
        self.log_line(rule, template, *facts, audience=readers, target=target, moment=moment, is_miss=is_miss)

    def end_match(self, outcome: Outcome) -> NoReturn:
        """End the match immediately."""
        raise MatchFinished(outcome)


def with_sheet(
    planning: Choice[T], sheet: object, record: Callable[[Decision, list[Any]], None] | None = None
) -> Choice[T]:
    """Attach the planning sheet to each question of a plan; `GamePlanning.sheets` decides who may see it.

    The plan itself updates the sheet between its questions. `record` is called with each question and its answer.
    """
    try:
        pending = next(planning)
        while True:
            if isinstance(pending, Decision):
                pending.sheet = sheet
            answer = yield pending
            if record is not None and isinstance(pending, Decision):
                record(pending, answer)
            pending = planning.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
