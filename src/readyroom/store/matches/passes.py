"""Passing ahead: a seat declines what it may decline, until the phase or the turn is over or dice are rolled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, get_args

import msgspec
from sqlalchemy import insert, select

from readyroom.engine.errors import ReadyRoomError, StaleRevision
from readyroom.engine.rules.decisions import Decision
from readyroom.store.base import Part
from readyroom.store.errors import CannotPass
from readyroom.store.live.stored_rows import AnyMatch
from readyroom.store.lobby.seating import end_pass
from readyroom.store.matches.gameplay import Gameplay
from readyroom.store.rows import AnyRow, check_id, one_card
from readyroom.store.tables import passes

Until: TypeAlias = Literal["phase", "turn", "dice"]
UNTIL: tuple[Until, ...] = get_args(Until)


class Pass(msgspec.Struct, frozen=True):
    """A seat that passes, and the turn, the phase and the number of its log lines when that began."""

    seat: str
    until: Until
    turn: int
    phase: str
    lines: int


def passing_answer(decision: Decision) -> tuple[str, ...] | None:
    """Return the answer that passes a decision: the only legal one, or nothing; None if there is something to choose.

    Nothing is not taken for an answer where most players choose everything, and in plans.
    """
    if decision.is_forced:
        return tuple(value.key for value in decision.values for _ in range(decision.max_repeats(value)))
    if decision.at_least or decision.select_all_default or decision.sheet is not None:
        return None
    return ()


class Passes(Part):
    """The seats that pass. What they answer is stored like any answer, and can be undone like it."""

    def begin(self, id: str, seat: str, until: Until) -> None:
        """Let a seat pass from its present decision on; raise `CannotPass` if that needs a choice."""
        with self._shared.live.hold(id) as live:
            decision = live.match.pending.get(seat)
            if until not in UNTIL or decision is None or passing_answer(decision) is None:
                raise CannotPass
            at, lines = live.match.shown_at(seat), len(live.match.log(seat))
        row = {"match": id, "seat": seat, "until": until, "turn": at.turn, "phase": at.phase, "lines": lines}
        with self._shared.database.writing() as connection:
            end_pass(connection, id, seat)
            connection.execute(insert(passes), row)

    def end(self, id: str, seat: str) -> None:
        """Let a seat choose again."""
        if self.of_match(id):
            with self._shared.database.writing() as connection:
                end_pass(connection, id, seat)

    def of_match(self, id: str) -> dict[str, Pass]:
        """Return the seats of a match that pass."""
        check_id(id)
        with self._shared.database.glance() as connection:
            rows = connection.execute(select(passes).where(passes.c.match == id)).all()
        return {row.seat: _pass(row) for row in rows}

    def waiting(self) -> list[str]:
        """Return the matches with seats that pass."""
        with self._shared.database.glance() as connection:
            return list(connection.execute(select(passes.c.match).distinct()).scalars())

    def run(self, id: str, gameplay: Gameplay) -> None:
        """Answer for the seats that pass, as long as they may."""
        for seat, keys, revision in self._answers(id):
            try:
                gameplay.answer(id, seat, keys, revision)
            except StaleRevision:
                continue
            except ReadyRoomError:
                self.end(id, seat)
                raise

    def _answers(self, id: str) -> Iterator[tuple[str, tuple[str, ...], int]]:
        """Yield what each seat that passes is to answer; end what is over."""
        while known := self.of_match(id):
            answer = None
            for each in known.values():
                over, answer = self._next(id, each)
                if over:
                    self.end(id, each.seat)
                if answer is not None:
                    break
            if answer is None:
                return
            yield answer

    def _next(self, id: str, known: Pass) -> tuple[bool, tuple[str, tuple[str, ...], int] | None]:
        """Return whether a pass is over, and else what to answer, if anything is asked."""
        with self._shared.database.glance() as connection:
            place = next((place for place in one_card(connection, id).seats if place.key == known.seat), None)
        if place is None or not place.players:
            return True, None
        with self._shared.live.hold(id) as live:
            decision = live.match.pending.get(known.seat)
            if live.match.outcome is not None:
                return True, None
            if decision is None:
                return False, None
            keys = passing_answer(decision)
            if keys is None or _is_over(live.match, known):
                return True, None
            return False, (known.seat, keys, live.match.revision_for(known.seat, decision.revision))


def _is_over(match: AnyMatch, known: Pass) -> bool:
    """Return whether what a seat passes for is over."""
    at = match.shown_at(known.seat)
    if known.until == "dice":
        return any(line.rolls for line in match.log(known.seat, known.lines))
    return at.turn != known.turn or (known.until == "phase" and at.phase != known.phase)


def _pass(row: AnyRow) -> Pass:
    return Pass(row.seat, row.until, row.turn, row.phase, row.lines)
