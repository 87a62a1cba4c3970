"""What a seat may believe about what it cannot see, from positions of many other matches.

A net predicts the hidden quantities from what the seat sees and remembers. The positions of a library for which it
predicts about the same are *neighbours*: what was hidden in them may be hidden here. Taken as a whole from one
neighbour, the quantities fit each other. The library has matches of many policies; one of few would be certain and
wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np

from readyroom.bots.features import memory_of, scenario_numbers, seat_numbers
from readyroom.bots.fitted import Array, Fitted, Net, column, fitted
from readyroom.engine.game import Estimate, Game, HiddenFacts, MatchView
from readyroom.engine.match import BotView

NEIGHBOURS = 20
"""How many positions are the neighbours of one."""
BELIEF = "belief of "
"""Before a side's name: the name of the net that predicts what is hidden from it."""
TURNS = 1
"""By how many turns a neighbour may differ."""


class Library(NamedTuple):
    """Positions of other matches, seen from one side.

    Attributes:
        net: predicts the quantities.
        scale: the error of the predictions, by which distances are measured.
        predicted: the predicted quantities of each position, in units of `scale`.
        counts: what was hidden there, as `HiddenFacts.count` returns it.
        turns, phases: when it was; phases by number.
        reach: by how many standard deviations (plus one) of its neighbours a quantity is off in 5 % of positions.
    """

    net: Net
    scale: Array
    predicted: Array
    counts: Array
    turns: Array
    phases: Array
    reach: Array

    def neighbours(self, numbers: Sequence[float], turn: int, phase: int) -> Array:
        """Return the counts of the neighbours of a position, from near to far."""
        where = self.net(column(numbers), chances=False)[0] / self.scale
        near = np.flatnonzero(np.abs(self.turns.astype(int) - turn) <= TURNS)
        same = near[self.phases[near] == phase]
        near = same if len(same) >= NEIGHBOURS else near if len(near) >= NEIGHBOURS else np.arange(len(self.turns))
        distances = ((self.predicted[near].astype(np.float32) - where) ** 2).sum(1)
        return self.counts[near[np.argsort(distances, kind="stable")[:NEIGHBOURS]]]


def library_arrays(side: str, library: Library) -> dict[str, Array]:
    """Return the arrays of a library without its net, as a file has them."""
    return {f"library of {side}/{name}": getattr(library, name) for name in Library._fields[1:]}


def library_of(found: Fitted, side: str) -> Library | None:
    """Return the library of a side; None if there is none."""
    net = found.net(f"{BELIEF}{side}")
    if net is None:
        return None
    return Library(net, *(found.arrays[f"library of {side}/{name}"] for name in Library._fields[1:]))


class Beliefs:
    """What a seat may believe at one position.

    Args:
        game: the game.
        hidden: what can be hidden in it.
        neighbours: the counts of the neighbours.
        reach: see `Library`.
        seen: the quantities that the seat sees.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        hidden: HiddenFacts[Any, Any],
        neighbours: Array,
        reach: Array,
        seen: Collection[str] = (),
    ) -> None:
        self._game, self._hidden, self._neighbours, self._reach = game, hidden, neighbours, reach
        self._seen = seen

    def resample(self, state: Any, data: Any, seat: str, random: Random) -> Any:
        """Change a state to one that the seat cannot distinguish from it, like one of the neighbours if possible."""
        counts = self._neighbours[int(random.random() * len(self._neighbours))].tolist()
        if self._hidden.deal(state, data, seat, counts, random):
            return state
        return self._game.rules.resample(state, data, seat, random)

    def estimates(self) -> list[Estimate]:
        """Return all quantities that the seat does not see."""
        sums = quantities_of(self._hidden, self._neighbours)
        means, deviations = sums.mean(0), sums.std(0) + 1
        lows, highs = means - self._reach * deviations, means + self._reach * deviations
        return [
            Estimate(title, float(mean), max(0.0, float(low)), float(high))
            for title, mean, low, high in zip(self._hidden.quantities, means, lows, highs, strict=True)
            if title not in self._seen
        ]


def quantities_of(hidden: HiddenFacts[Any, Any], counts: Array) -> Array:
    """Return the quantities of each row of counts."""
    rows = np.atleast_2d(counts).astype(np.float32)
    return np.stack([rows[:, list(places)].sum(1) for places in hidden.quantities.values()], 1)


def beliefs_at(game: Game[Any, Any], view: BotView) -> Beliefs | None:
    """Return what a seat may believe now; None if nothing is fitted to the game's rules and figures."""
    hidden, found = game.analysis.hidden, fitted(game) if game.analysis.hidden is not None else None
    if hidden is None or found is None or (library := library_of(found, view.side)) is None:
        return None
    shown = view()
    numbers = [
        *seat_numbers(game, shown, memory_of(game, view)),
        *scenario_numbers(found.about.scenarios, view.scenario),
    ]
    neighbours = library.neighbours(numbers, shown.turn, phase_number(found.about.phases, shown))
    return Beliefs(game, hidden, neighbours, library.reach, hidden.seen(shown))


def phase_number(phases: Sequence[str], view: MatchView[Any]) -> int:
    """Return the number of a view's phase among those of a library; -1 if it is not one of them."""
    return phases.index(view.phase) if view.phase in phases else -1
