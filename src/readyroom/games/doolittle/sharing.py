"""[4.3, 8.3.3, 8.3.4, 12.6.3] Share markers evenly among flights, bombers or patrols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heapify, heapreplace
from typing import TypeAlias

from readyroom.engine.decisions import Option
from readyroom.engine.table import Steps
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import T

Load: TypeAlias = tuple[int, ...]
"""What a taker has already; its first number counts what is shared."""
Share: TypeAlias = tuple[str, list[Marker]]
"""A front in words, and the markers that show it."""


def evenly(loads: Sequence[Load], more: int) -> list[Load]:
    """[8.3.3, 8.3.4] These loads, least first, after more are shared evenly.

    >>> evenly([(0, 1), (0, 0)], 3)
    [(1, 1), (2, 0)]
    """
    heap = list(loads)
    heapify(heap)
    for _ in range(more):
        count, *rest = heap[0]
        heapreplace(heap, (count + 1, *rest))
    return sorted(heap)


def share_fronts(
    table: T,
    rule: str,
    seat: str,
    fronts: Sequence[Share],
    among: Sequence[Option],
    load: Callable[[Option], Load],
    give: Callable[[Option, Marker], None],
) -> Steps:
    """[8.3.3, 8.3.4] Share markers as evenly as possible; the captain chooses among all even distributions.

    `load` says what a taker has already, `give` gives it a marker. Markers with one front are equal, so only the last
    front is shared several at a time; before that each marker may go wherever the rest can still be shared evenly.
    """
    if not fronts:
        return
    left = sum(len(markers) for _, markers in fronts)
    even = evenly([load(taker) for taker in among], left)
    *others, (last, rest) = fronts
    for what, markers in others:
        for marker in markers:
            left -= 1
            able = [taker for taker in among if evenly(_with_one_more(among, load, taker), left) == even]
            chosen = able[0]
            if len(able) > 1:
                chosen = yield from table.choose(seat, rule, f"{what}: who gets it?", able)
            give(chosen, marker)
    yield from share(table, rule, seat, len(rest), last, among, load, lambda taker: give(taker, rest.pop()))


def _with_one_more(among: Sequence[Option], load: Callable[[Option], Load], taker: Option) -> list[Load]:
    loads = [(one is taker, load(one)) for one in among]
    return [(count + extra, *rest) for extra, (count, *rest) in loads]


def share(
    table: T,
    rule: str,
    seat: str,
    count: int,
    what: str,
    among: Iterable[Option],
    load: Callable[[Option], tuple[int, ...]],
    give: Callable[[Option], None],
) -> Steps:
    """[8.3.3, 8.3.4] Give markers of one front to those that have the fewest; ask where not all get one.

    `what` is the place and the front, `load` says how much one has already, and `give` lays a marker on it.
    """
    takers = list(among)
    while count > 0:
        least = min(map(load, takers))
        able = [taker for taker in takers if load(taker) == least]
        chosen: Sequence[Option] = able
        if len(able) > count:
            question = f"{what}: who gets {'it' if count == 1 else f'one of {count}'}?"
            chosen = yield from table.choose_some(seat, rule, question, able, at_least=count, at_most=count)
        for taker in chosen:
            give(taker)
        count -= len(chosen)
