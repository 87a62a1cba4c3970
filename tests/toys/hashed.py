"""Two games to compare between processes: in one of them order depends on a set."""

from __future__ import annotations

from tests.toys.broken import before
from tests.toys.straits import GAME, T

CORRECT = GAME


def _deal_from_a_set(table: T) -> None:
    for fleet in (table.state.red, table.state.blue):
        by_key = {ship.key: ship for ship in fleet.harbour}
        fleet.harbour = [by_key[key] for key in set(by_key)]


UNSTEADY = before("prepare", _deal_from_a_set)
