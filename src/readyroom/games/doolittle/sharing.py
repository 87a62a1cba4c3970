"""[4.3, 8.3.3, 8.3.4, 12.6.3] Share markers evenly among flights, bombers or patrols."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heapreplace
from typing import NamedTuple, TypeAlias

from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import T

Load: TypeAlias = tuple[int, ...]
"""What a taker has already; its first number counts what is shared."""
Front: TypeAlias = tuple[str, Sequence[Marker]]
"""A front in words, and the markers that show it."""


class Taker(NamedTuple):
    """A flight, bomber or patrol that gets markers: its option, its markers, and a burden that breaks ties."""

    option: Option
    held: list[Marker]
    burden: int = 0

    @property
    def load(self) -> Load:
        """Return the number of markers, and the burden."""
        return len(self.held), self.burden


class Sharing(NamedTuple):
    """Markers of a pile to be shared: the rule, the seat that decides, the pile, and the takers."""

    rule: str
    seat: str
    pile: list[Marker]
    takers: Sequence[Taker]

    def give(self, taker: Taker, marker: Marker) -> None:
        """Give a marker of the pile to a taker."""
        self.pile.remove(marker)
        taker.held.append(marker)


def even_loads(loads: Sequence[Load], more: int) -> list[Load]:
    """[4.3, 8.3.3, 8.3.4] Return these loads, least first, after more markers are shared evenly.

    >>> even_loads([(0, 1), (0, 0)], 3)
    [(1, 1), (2, 0)]
    """
    heap = list(loads)
    heapify(heap)
    for _ in range(more):
        count, *rest = heap[0]
        heapreplace(heap, (count + 1, *rest))
    return sorted(heap)


def eligible_takers(loads: Sequence[Load], left: int) -> list[int]:
    """[4.3, 8.3.3, 8.3.4] Return who may get a marker, by position, so that the `left` others make the loads even.

    >>> eligible_takers([(1,), (0,), (0,)], 1), eligible_takers([(0,), (0,)], 1)
    ([1, 2], [0, 1])
    """
    even = even_loads(loads, left + 1)
    able = []
    for at, (count, *rest) in enumerate(loads):
        if even_loads([*loads[:at], (count + 1, *rest), *loads[at + 1 :]], left) == even:
            able.append(at)
    return able


def share_fronts(table: T, sharing: Sharing, fronts: Sequence[Front]) -> Steps:
    """[8.3.3, 8.3.4] Share markers as evenly as possible; the captain chooses among all even distributions.

    Markers with one front are equal, so only the last front is shared several at a time; before that each marker may
    go wherever the rest can still be shared evenly.
    """
    if not fronts:
        return
    left = sum(len(markers) for _, markers in fronts)
    *others, (last, rest) = fronts
    for what, marker in [(what, marker) for what, markers in others for marker in markers]:
        left -= 1
        able = [sharing.takers[at] for at in eligible_takers([taker.load for taker in sharing.takers], left)]
        chosen = able[0].option
        if len(able) > 1:
            options = [taker.option for taker in able]
            chosen = yield from table.choose(sharing.seat, sharing.rule, f"{what}: which one gets it?", options)
        sharing.give(next(taker for taker in able if taker.option.key == chosen.key), marker)
    yield from share_front(table, sharing, last, rest[::-1])


def share_front(table: T, sharing: Sharing, what: str, markers: Sequence[Marker]) -> Steps:
    """[8.3.3, 8.3.4, 12.6.3] Share markers of one front, in order, among the takers with the fewest."""
    waiting = list(markers)
    while waiting:
        least = min(taker.load for taker in sharing.takers)
        able = [taker for taker in sharing.takers if taker.load == least]
        count = len(waiting)
        if len(able) > count:
            question = f"{what}: which {'one gets it' if count == 1 else f'{count} get one each'}?"
            options = [taker.option for taker in able]
            chosen = yield from table.choose_some(
                sharing.seat, sharing.rule, question, options, at_least=count, at_most=count
            )
            able = [taker for option in chosen for taker in able if taker.option.key == option.key]
        for taker in able:
            sharing.give(taker, waiting.pop(0))
