"""Apply a plan file: it answers a seat's planning questions one after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from readyroom.engine.errors import PlanNotApplicable
from readyroom.engine.game import Game, MatchView, PlanFiles, Seat
from readyroom.engine.rules.decisions import Decision


class Planned(Protocol):
    """The part of a match, local or remote, that a plan needs."""

    game: Game[Any, Any]

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the match."""
        ...

    @property
    def seats(self) -> Iterable[Seat]:
        """The seats of the match."""
        ...

    @property
    def pending(self) -> Mapping[str, Decision]:
        """The pending decisions by seat."""
        ...

    def view(self, seat: str) -> MatchView[Any]:
        """Return what a seat may know."""
        ...

    def decide(self, seat: str, keys: Sequence[str]) -> object:
        """Answer a seat's decision."""
        ...


def files_of(game: Game[Any, Any]) -> PlanFiles:
    """Return how a game reads plans; raise `PlanNotApplicable` if it has none."""
    if game.planning.files is None:
        raise PlanNotApplicable(f"{game.title} has no plan files.")
    return game.planning.files


def follow(match: Planned, seat: str, text: bytes, file: str) -> int:
    """Answer a seat's decisions from a plan file until one is not about planning or asks for another plan.

    If the file is invalid, nothing is answered. If a later answer raises, the caller must discard the match.

    Returns:
        The number of decisions answered.

    Raises:
        PlanNotApplicable: nothing is being planned, or the plan belongs to another side.
        ReadyRoomError: the plan cannot be played; the message names each line and rule.
    """
    plans, data = files_of(match.game), match.game.data
    plan = plans.read(text, file, match.options, data)
    planner = next(known for known in match.seats if known.key == seat)
    if plans.side(plan) != planner.side:
        raise PlanNotApplicable(f"{file} is a plan for the other side, not for {planner.name}.")
    plans.validate(plan, match.view(seat), data)
    answered = 0
    while (
        (decision := match.pending.get(seat)) is not None
        and plans.is_planning(decision)
        and not (answered and plans.restarts_plan(decision))
    ):
        match.decide(seat, plans.answer(plan, decision, data))
        answered += 1
    if not answered:
        raise PlanNotApplicable(f"{planner.name} has nothing to plan now.")
    return answered
