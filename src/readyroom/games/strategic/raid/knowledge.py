"""[PH.3] What each side can know of the column: the other side's Magic is secret, and much follows from the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.raid.state import JAPAN, USA, Force, Raid
from readyroom.games.strategic.state import Rulings
from readyroom.games.strategic.tables import AUTO, PACIFIC, PEARL, SurpriseTable, intercepts

Cards = tuple[int, int]
"""Magic of Japan and of the United States."""


def surprise_table(raid: Raid, rulings: Rulings, data: Data) -> SurpriseTable:
    """[51.31, P11] The table that is played with: the scenario's own edition, or the one of the option."""
    return data.surprise[raid.opening.edition or rulings.edition]


def column_of(raid: Raid, table: SurpriseTable, cards: Cards) -> int:
    """[51.31.1] The column: tension less the Magic of Japan and plus that of the United States."""
    japan, usa = cards
    return table.column(max(0, raid.tension - japan + usa))


def column(raid: Raid, table: SurpriseTable) -> int:
    """[51.31.1] The column that is played on."""
    return column_of(raid, table, (raid.magic[JAPAN], raid.magic[USA]))


def level(raid: Raid, table: SurpriseTable) -> int:
    """[51.31.4, A6] The level of surprise, by Japan's die and the column."""
    return table.level(column(raid, table), raid.die)


def told_level(found: int, data: Data) -> int:
    """[51.31.7] A level as it is told: above the last one nothing more happens, so no more is said."""
    return min(found, data.pearl.surprise.disarray)


@lru_cache(maxsize=64)
def where(table: SurpriseTable, at: int) -> Mapping[str, Fraction]:
    """[51.31.2] The chance of each place of a carrier force in a column."""
    return table.where(at)


def hands(raid: Raid, data: Data, table: SurpriseTable, seat: str | None) -> dict[Cards, Fraction]:
    """[PH.3, P1] What may have been played, each with its weight, for all that a seat (None: everybody) knows.

    Before anything is known each number of cards counts the same. A hand counts for as much as it makes likely what
    has been seen: which forces lie in port, what the level of surprise was, and that nobody intercepted.
    """
    limits = raid.opening.magic
    own = {side: {raid.magic[side]} if seat == side and raid.magic else None for side in (JAPAN, USA)}
    japan, usa = own[JAPAN] or range(limits.japan + 1), own[USA] or range(limits.usa + 1)
    true = column(raid, table) if seat == USA and raid.placed else None
    found: dict[Cards, Fraction] = {}
    for cards in [(j, u) for j in japan for u in usa]:
        at = column_of(raid, table, cards)
        weight = Fraction(at == true) if true is not None else _likelihood(raid, data, table, at)
        if weight:
            found[cards] = weight
    return found


def columns(raid: Raid, data: Data, table: SurpriseTable, seat: str | None) -> dict[int, Fraction]:
    """[PH.3] The columns that a seat has to reckon with, and how likely each is."""
    found: dict[int, Fraction] = {}
    for cards, weight in hands(raid, data, table, seat).items():
        at = column_of(raid, table, cards)
        found[at] = found.get(at, Fraction(0)) + weight
    whole = sum(found.values(), Fraction(0))
    return {at: found[at] / whole for at in sorted(found)}


def _likelihood(raid: Raid, data: Data, table: SurpriseTable, at: int) -> Fraction:
    """How likely a column makes what everybody has seen."""
    chance = Fraction(1)
    if raid.placed:
        for force in raid.forces:
            chance *= sum(unseen(raid, table, at, force).values())
    if raid.die and told_level(table.level(at, raid.die), data) != told_level(level(raid, table), data):
        return Fraction(0)
    return chance


def unseen(raid: Raid, table: SurpriseTable, at: int, force: Force) -> dict[str, Fraction]:
    """[51.31.2] Where a force may be for all that Japan has seen, each place with its weight in a column."""
    places = where(table, at)
    if force.seen:
        return {force.place: places.get(force.place, Fraction(0))}
    found = {place: chance for place, chance in places.items() if place != PEARL}
    if not raid.searched:
        return found
    return {place: chance * (1 - intercepts(place)) for place, chance in found.items()}


def interception(places: Mapping[str, Fraction]) -> Fraction:
    """[51.31.3] The chance that a force in one of these places intercepts, if it always tries."""
    whole = sum(places.values(), Fraction(0))
    coming = sum((chance * intercepts(place) for place, chance in places.items()), Fraction(0))
    return coming / whole if whole else whole


def risk(raid: Raid, data: Data, table: SurpriseTable, seat: str | None) -> Fraction:
    """[51.31.3] The chance that some force that has not been seen intercepts, for all that a seat knows."""
    total = Fraction(0)
    for at, chance in columns(raid, data, table, seat).items():
        total += chance * (1 - _none_comes(raid, table, at, raid.hidden()))
    return total


def _none_comes(raid: Raid, table: SurpriseTable, at: int, forces: Sequence[Force]) -> Fraction:
    chance = Fraction(1)
    for force in forces:
        chance *= 1 - interception(unseen(raid, table, at, force))
    return chance


@lru_cache(maxsize=64)
def per_force(table: SurpriseTable, at: int) -> Fraction:
    """[51.31.3] The chance in a column that a force which has not been looked for yet intercepts."""
    return interception(where(table, at))


def place_told(place: str) -> str:
    """Where a force is, in words."""
    if place == PEARL:
        return "in Pearl Harbor"
    if place == PACIFIC:
        return "far off in the Pacific"
    return "at sea, close by: it intercepts by itself" if place == AUTO else f"at sea, at distance {place}"
