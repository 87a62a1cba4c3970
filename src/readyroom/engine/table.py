"""The table: what a rule holds in its hands.

A rule is a generator. It changes the state, throws dice and tells the log through its table, and wherever somebody
has to decide it says `yield from table.choose(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, NoReturn, Protocol, TypeAlias, TypeVar

import msgspec

from readyroom.engine.charts import Chart
from readyroom.engine.checks import ChartRoll, Modifiers, Rollable, RolledDice
from readyroom.engine.cups import Cup
from readyroom.engine.decisions import (
    Answer,
    Block,
    BudgetGroup,
    Decision,
    DecisionKind,
    K,
    OptionInfo,
    PendingDecisions,
    UnavailableOptions,
)
from readyroom.engine.dice import SEPARATOR, Dice
from readyroom.engine.state import At, Outcome, Piece, State

S = TypeVar("S", bound=State)
D = TypeVar("D")
T = TypeVar("T")
R = TypeVar("R")
P = TypeVar("P", bound=Piece)

Choice: TypeAlias = Generator[PendingDecisions, Answer, T]
Steps: TypeAlias = Generator[PendingDecisions, Answer, None]


class Loggable(Protocol):
    """A roll that a line tells of."""

    def to_log(self) -> RolledDice:
        """The roll as the log keeps it."""
        ...


class LogLine(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A line of the log: when, under which rule, what happened, the rolls, and who may read it (None: everybody).

    The words are put together only when somebody reads them, lists of pieces by the game's figures, the `data`; the
    facts are already fixed. They may hold whole pieces, so nobody is shown a line but by its text and rolls.
    """

    turn: int
    phase: str
    rule: str
    template: str
    args: Sequence[Any]  # strings, numbers, rolls, pieces and lists of them, which do not change any more
    audience: tuple[str, ...] | None = None
    data: Any = None  # of the type that the game's pieces expect

    @property
    def text(self) -> str:
        """What happened, in words."""
        return self.template.format(*[_describe_fact(fact, self.data) for fact in self.args])

    @property
    def rolls(self) -> tuple[RolledDice, ...]:
        """The rolls that the line tells of."""
        return tuple(fact.to_log() for fact in self.args if hasattr(fact, "to_log"))

    def seen_by(self, seat: str | None) -> bool:
        """Whether this seat (None: a spectator) may read the line."""
        return self.audience is None or seat in self.audience

    def __repr__(self) -> str:
        return f"<turn {self.turn}, {self.phase}: {self.text} [{self.rule}]>"

    def plain(self) -> dict[str, Any]:
        """The line as plain data."""
        rolls = [msgspec.to_builtins(roll) for roll in self.rolls]
        return {"turn": self.turn, "phase": self.phase, "rule": self.rule, "text": self.text, "rolls": rolls}


_SOME, _ALLOT = DecisionKind.SOME, DecisionKind.ALLOT
PARTS = 4
"""Separators in an event's name: turn, phase, rule, subject, how many-eth."""


def _describe_fact(fact: Any, data: Any) -> Any:
    """A fact as a line of the log has it: lists become words."""
    if fact.__class__ is not list and fact.__class__ is not tuple:
        return fact
    return fact[0].describe_many(fact, data) if fact and isinstance(fact[0], Piece) else ", ".join(map(str, fact))


def _fixed(fact: Any, data: Any) -> Any:
    """A fact as it is now: pieces and lists of pieces change later, so names and strengths are taken at once."""
    return str(fact) if isinstance(fact, Piece) else _describe_fact(fact, data)


def _room(options: Sequence[K], limit: Callable[[K], int]) -> tuple[Sequence[K], int]:
    """The options that may be taken at least once, and how often all of them together."""
    able, room = [], 0
    for option in options:
        times = limit(option)
        if times > 0:
            able.append(option)
            room += times
    return able, room


class MatchFinished(Exception):
    """Raised through the rules when the match ends in the middle of a phase."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.title)
        self.outcome = outcome


class Table(Generic[S, D]):
    """State, data, dice and log of one match, as its rules see them.

    `state` is the game's state, `data` its figures; `since` counts the decisions since the last checkpoint, which
    was at a phase boundary. Where what the log is told is `lasting`, it is kept as it is, and put into words when
    somebody reads it. Rules never keep a piece across a decision made elsewhere.

    What a question is asked with beyond its options is given by name; that Python does not insist upon it spares it a
    look into a dictionary for each that is left out.
    """

    __slots__ = (
        "_counts",
        "_named",
        "_prefix",
        "_secret",
        "barred",
        "blocks",
        "data",
        "dice",
        "lasting",
        "log",
        "since",
        "state",
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
    ) -> None:
        self.state, self.data, self.dice, self.log = state, data, dice, log
        self.barred, self.since, self.blocks, self.lasting = False, 0, blocks, immutable_facts
        self._secret = False
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
        text: Callable[[K], str] | None = None,
        info: Callable[[K], OptionInfo | None] | None = None,
        unavailable: UnavailableOptions | None = None,
        piece_key: str = "",
        always: bool = False,
    ) -> Choice[K]:
        """One of the options. A single one is taken without asking, but said, unless `always` asks all the same.

        `text`, `hint` and `refused` are looked at only when somebody reads them; `about` is the key of the piece that
        the question is about, for pages and bots.
        """
        decision = Decision(
            DecisionKind.ONE,
            seat,
            rule,
            question,
            options,
            1,
            1,
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
        at_least: int = 0,
        at_most: int | None = None,
        cost: Callable[[K], int] | None = None,
        budget: int = 0,
        budget_groups: Sequence[BudgetGroup] = (),
        limit: Callable[[K], int] | None = None,
        text: Callable[[K], str] | None = None,
        info: Callable[[K], OptionInfo | None] | None = None,
        unavailable: UnavailableOptions | None = None,
        piece_key: str = "",
        select_all_default: bool = False,
    ) -> Choice[list[K]]:
        """Some of the options, `at_least` to `at_most` of them, their cost within the budget.

        Each is taken once at most, or as often as its `limit` says: the answer then names it as often, and each time is
        counted and paid for. Without options nothing is asked; where all must be taken, they are, and it is said. A
        least number and a budget do not go together: what can be paid would depend on what is taken first. With
        `purses`, each paying for some options, the budget holds for each. `usual`: most players take all they may.
        """
        count = len(options)
        if limit is not None:
            options, count = _room(options, limit)
        if not count or at_most == 0:
            return []
        most = count if at_most is None or at_most > count else at_most
        if (at_least and (at_least > most or cost)) or (budget_groups and not cost):
            raise ValueError(f"[{rule}] {question} asks for {at_least} of {most}")
        decision = Decision(
            _SOME,
            seat,
            rule,
            question,
            options,
            at_least,
            most,
            cost,
            budget,
            limit,
            text,
            info,
            unavailable,
            piece_key,
            select_all_default,
        )
        if budget_groups:
            decision.budget_groups = budget_groups
        return self._forced(decision) if at_least == count else (yield decision)

    def allocate(
        self,
        seat: str,
        rule: str,
        question: str,
        amount: int,
        among: Sequence[K],
        at_most: Callable[[K], int],
        text: Callable[[K], str] | None = None,
        info: Callable[[K], OptionInfo | None] | None = None,
        unavailable: UnavailableOptions | None = None,
        piece_key: str = "",
        log_text: Callable[[Sequence[K]], str] | None = None,
    ) -> Choice[list[K]]:
        """`amount` points spread over the options, none getting more than its `at_most`; one entry a point.

        An amount that is no less than there is room for fills everything without asking, and a single option gets it
        all; `said` tells the log of it.
        """
        among, room = _room(among, at_most)
        if amount <= 0 or not among:
            return []
        decision = Decision(
            _ALLOT, seat, rule, question, among, amount, amount, None, 0, at_most, text, info, unavailable, piece_key
        )
        if amount >= room or len(among) == 1:
            self._forced(decision, log_text)
            filled: list[K] = []
            for piece in among:
                filled += [piece] * min(amount, at_most(piece))
            return filled
        return (yield decision)  # type: ignore[no-any-return]

    def _forced(self, decision: Decision, log_text: Callable[[Sequence[Any]], str] | None = None) -> list[Any]:
        """All options, each as often as it may be taken; the seat is told of it."""
        if self.log is not None and log_text is not None:
            self.log_line(decision.rule, "{}", log_text(decision.values), audience=(decision.seat,))
        elif self.log is not None:
            names = ", ".join(decision.texts)
            self.log_line(
                decision.rule, "{} There is only this: {}.", decision.question, names, audience=(decision.seat,)
            )
        return [value for value in decision.values for _ in range(decision.max_repeats(value))]

    def choose_in_secret(self, plans: Mapping[str, Choice[T]]) -> Choice[dict[str, T]]:
        """Several seats plan at once, each blind to the others; the results come when all are done.

        Plans return values; they may not roll, draw or change the state. Completing the block bars undo.
        """
        block = Block()

        def advance(seat: str, answer: Answer | None) -> None:
            try:
                asked = next(plans[seat]) if answer is None else plans[seat].send(answer)
            except StopIteration as stop:
                block.open.pop(seat, None)
                block.done[seat] = stop.value
            else:
                assert isinstance(asked, Decision), "secret plans do not nest"
                block.open[seat] = asked

        self._secret = True
        for seat in plans:
            advance(seat, None)
        while block.open:
            seat, values = yield block
            advance(seat, values)
        self._secret = False
        self.blocks += 1
        self.barred = True
        return {seat: block.done[seat] for seat in plans}

    # -- luck --------------------------------------------------------------------------------------------------------

    def _event(self, rule: str, subject: str) -> str:
        if self._secret:
            raise RuntimeError(f"[{rule}] a secret plan may not roll or draw")
        at = self.state.at
        if at is not self._named:  # a new phase: events are named after it, and counted anew
            self._named, self._counts = at, {}
            self._prefix = f"{at.turn}{SEPARATOR}{at.phase}{SEPARATOR}"
        name = f"{self._prefix}{rule}{SEPARATOR}{subject}{SEPARATOR}"
        count = self._counts[name] = self._counts.get(name, 0) + 1
        self.barred = True
        if name.count(SEPARATOR) != PARTS:
            raise ValueError(f"{SEPARATOR!r} may not stand in the name of an event: {rule} {subject}")
        return f"{name}{count}"

    def roll(self, check: Rollable[R], subject: str) -> R:
        """Roll a check or a volley for this subject."""
        return check.resolve(partial(self.dice.roll, self._event(check.rule, subject)))

    def roll_dice(self, rule: str, subject: str, count: int = 1, sides: int = 6) -> bytes:
        """Plain dice for this subject."""
        return self.dice.roll(self._event(rule, subject), count, sides)

    def roll_on_chart(self, chart: Chart, column: str, subject: str, modifiers: Modifiers = ()) -> ChartRoll[str]:
        """Throw for a chart and read its cell."""
        return chart.roll(partial(self.dice.roll, self._event(chart.rule, subject)), column, modifiers)

    def draw(self, cup: Cup[P], rule: str, subject: str) -> P:
        """Draw a counter blindly; an empty cup raises IndexError."""
        event = self._event(rule, subject)
        for piece in cup.contents:
            if SEPARATOR in piece.key:
                raise ValueError(f"{SEPARATOR!r} may not stand in the name of a counter: {piece.key}")
        return cup.draw(lambda keys: self.dice.pick(event, keys))

    # -- telling -----------------------------------------------------------------------------------------------------

    def log_line(self, rule: str, template: str, *facts: object, audience: Iterable[str] | None = None) -> None:
        """Tell the log, or only some seats of it. Facts are strings, numbers, pieces, lists of pieces, and rolls."""
        log = self.log
        if log is not None:
            at, told = self.state.at, facts if self.lasting else [_fixed(fact, self.data) for fact in facts]
            readers = audience if audience is None or audience.__class__ is tuple else tuple(audience)
            log.append(LogLine(at.turn, at.phase, rule, template, told, readers, self.data))

    def reveal(self, rule: str, template: str, *facts: object, audience: Iterable[str] | None = None) -> None:
        """Tell something that was hidden; what led to it can no longer be undone."""
        self.barred = True
        self.log_line(rule, template, *facts, audience=audience)

    def end_match(self, outcome: Outcome) -> NoReturn:
        """End the match here and now."""
        raise MatchFinished(outcome)


def with_sheet(planning: Choice[T], sheet: object) -> Choice[T]:
    """Attach to each question of a plan the sheet that it fills in; `Game.planning_sheets` says who may see it.

    The plan itself writes on the sheet between its questions.
    """
    try:
        asked = next(planning)
        while True:
            if isinstance(asked, Decision):
                asked.sheet = sheet
            asked = planning.send((yield asked))
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
