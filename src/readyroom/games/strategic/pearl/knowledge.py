"""[PH.3] What each side can infer about the column; the other side's Magic is secret."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod

from readyroom.games.strategic.pearl.state import JAPAN, USA, Force, Raid
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import AUTO, PACIFIC, PEARL, SurpriseTable, add_up, intercepts, mean
from readyroom.games.strategic.tables.state import Rulings

Cards = tuple[int, int]
"""Magic of Japan and of the United States."""


def surprise_table(raid: Raid, rulings: Rulings, data: Data) -> SurpriseTable:
    """[51.31, P11] Return the Surprise Table in play: the scenario's edition, else the option's."""
    return data.surprise[raid.opening.edition or rulings.edition]


def column_of(raid: Raid, table: SurpriseTable, cards: Cards) -> int:
    """[51.31.1] Return the column for these cards: tension − Japan's Magic + American Magic."""
    japan, usa = cards
    return table.column(max(0, raid.tension - japan + usa))


def column(raid: Raid, table: SurpriseTable) -> int:
    """[51.31.1] Return the true column."""
    return column_of(raid, table, (raid.magic[JAPAN], raid.magic[USA]))


def level(raid: Raid, table: SurpriseTable) -> int:
    """[51.31.4, A6] Return the level of surprise."""
    return table.level(column(raid, table), raid.die)


def public_level(level: int, data: Data) -> int:
    """[51.31.7] Return the announced level, capped at disarray: higher levels have the same effect."""
    return min(level, data.pearl.surprise.disarray)


@lru_cache(maxsize=64)
def where(table: SurpriseTable, at: int) -> Mapping[str, Fraction]:
    """[51.31.2] Return the probability of each place of a carrier force in a column."""
    return table.where(at)


def hands(raid: Raid, data: Data, table: SurpriseTable, seat: str | None) -> dict[Cards, Fraction]:
    """[PH.3, P1] Return the likelihood weight of each possible pair of hands, as a seat knows it (None: spectator).

    The prior is uniform. The evidence is which forces are in port, the announced level of surprise, and that no
    force has intercepted.
    """
    limits = raid.opening.magic
    known = {side: {raid.magic[side]} if seat == side and raid.magic else None for side in (JAPAN, USA)}
    japan, usa = known[JAPAN] or range(limits.japan + 1), known[USA] or range(limits.usa + 1)
    true = column(raid, table) if seat == USA and raid.placed else None
    weights: dict[Cards, Fraction] = {}
    for cards in product(japan, usa):
        at = column_of(raid, table, cards)
        weight = Fraction(at == true) if true is not None else _likelihood(raid, data, table, at)
        if weight:
            weights[cards] = weight
    return weights


def columns(raid: Raid, data: Data, table: SurpriseTable, seat: str | None) -> dict[int, Fraction]:
    """[PH.3] Return the probability of each column, as a seat knows it."""
    weighed = hands(raid, data, table, seat).items()
    weights = add_up((column_of(raid, table, cards), weight) for cards, weight in weighed)
    total = sum(weights.values(), Fraction(0))
    return {at: weights[at] / total for at in sorted(weights)}


def _likelihood(raid: Raid, data: Data, table: SurpriseTable, at: int) -> Fraction:
    """Return the likelihood of all public evidence in a column."""
    if raid.die and public_level(table.level(at, raid.die), data) != public_level(level(raid, table), data):
        return Fraction(0)
    forces = raid.forces if raid.placed else ()
    return prod((sum(unseen(raid, table, at, force).values(), Fraction(0)) for force in forces), start=Fraction(1))


def unseen(raid: Raid, table: SurpriseTable, at: int, force: Force) -> dict[str, Fraction]:
    """[51.31.2] Return the weight of each place a force may be in, as Japan knows it, in a column."""
    places = where(table, at)
    if force.seen:
        return {force.place: places.get(force.place, Fraction(0))}
    elsewhere = {place: chance for place, chance in places.items() if place != PEARL}
    if not raid.searched:
        return elsewhere
    return {place: chance * (1 - intercepts(place)) for place, chance in elsewhere.items()}


def interception(places: Mapping[str, Fraction]) -> Fraction:
    """[51.31.3] Return the probability that a force with these place weights intercepts, if it always tries."""
    total = sum(places.values(), Fraction(0))
    return mean(places, intercepts) / total if total else total


def risk(raid: Raid, data: Data, table: SurpriseTable, seat: str | None) -> Fraction:
    """[51.31.3] Return the probability that any unseen force intercepts, as a seat knows it."""

    def any_intercepts(at: int) -> Fraction:
        none = prod((1 - interception(unseen(raid, table, at, force)) for force in raid.hidden()), start=Fraction(1))
        return 1 - none

    return mean(columns(raid, data, table, seat), any_intercepts)


@lru_cache(maxsize=64)
def per_force(table: SurpriseTable, at: int) -> Fraction:
    """[51.31.3] Return the probability in a column that a force not yet searched for intercepts."""
    return interception(where(table, at))


def describe_place(place: str) -> str:
    """Return where a force is, after "is" or "was"."""
    if place == PEARL:
        return "in Pearl Harbor"
    if place == PACIFIC:
        return "far away in the Pacific"
    return "at sea nearby (automatic interception)" if place == AUTO else f"at sea at distance {place}"
