"""Following a plan that was written down: a file answers the questions of a seat's planning, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from readyroom.engine.decisions import Decision
from readyroom.engine.errors import PlanNotApplicable
from readyroom.engine.game import Game, PlanFiles, Seat, View


class Planned(Protocol):
    """A match, here or on a server, as far as a plan needs it."""

    game: Game[Any, Any]

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the match."""
        ...

    @property
    def seats(self) -> Iterable[Seat]:
        """Its seats."""
        ...

    @property
    def pending(self) -> Mapping[str, Decision]:
        """The questions that are open."""
        ...

    def view(self, seat: str) -> View:
        """What a seat may know."""
        ...

    def decide(self, seat: str, keys: Sequence[str]) -> object:
        """Answer a seat's question."""
        ...


def files_of(game: Game[Any, Any]) -> PlanFiles:
    """How a game reads plans; `PlanNotApplicable` where it has none."""
    if game.plan_files is None:
        raise PlanNotApplicable(f"In {game.title} nothing is planned on paper.")
    return game.plan_files


def follow(match: Planned, seat: str, text: bytes, file: str) -> int:
    """Answer a seat's questions as a plan's file says, until one is no question of planning, or asks for another plan.

    Nothing is answered where the file does not fit. Whoever keeps the match in a database forgets it where this raises.

    Returns:
        How many questions were answered.

    Raises:
        PlanNotApplicable: nothing is planned there now, or the plan is of another side.
        ReadyRoomError: the file is no plan that can be played; each line and rule is named.
    """
    plans, data = files_of(match.game), match.game.data
    plan = plans.read(text, file, match.options, data)
    place = next(known for known in match.seats if known.key == seat)
    if plans.side(plan) != place.side:
        raise PlanNotApplicable(f"{file} is not a plan of {place.name}, but of the other side.")
    plans.validate(plan, match.view(seat), data)
    answered = 0
    while (
        (asked := match.pending.get(seat)) is not None
        and plans.is_planning(asked)
        and not (answered and plans.restarts_plan(asked))
    ):
        match.decide(seat, plans.answer(plan, asked, data))
        answered += 1
    if not answered:
        raise PlanNotApplicable(f"{place.name} has nothing to plan now.")
    return answered
