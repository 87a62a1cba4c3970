"""Finding the Japanese fleet: section 17."""

from __future__ import annotations

import itertools

from readyroom.engine.charts import Chart
from readyroom.engine.checks import Consulted, Thrower
from readyroom.engine.table import Choice
from readyroom.games.midway.land import Names, strength_told
from readyroom.games.midway.state import Kind, Side, Squadron, T

AGAIN = "again"


class SearchRoll:
    """[17.2] One die for the group that finds the enemy, thrown again while the chart says so."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.rule = chart.rule

    def resolve(self, throw: Thrower) -> Consulted[str]:
        """Throw until a group is named; only the last die counts."""
        for thrown in itertools.count():
            found = self.chart.consult(lambda count, sides, start, at=thrown: throw(count, sides, start + at), "group")
            if found.cell != AGAIN:
                break
        return found


def search(table: T, side: Side, forward: list[Squadron]) -> Choice[list[Squadron]]:
    """[17] The first bombers sent forward search in four groups, and only the group that finds the enemy advances.

    Fighters alone do not search (M3). A group that is empty finds nothing, and the search is made again next turn.
    """
    if all(squadron.kind is Kind.FIGHTER for squadron in forward):
        table.say("17.1", "Fighters alone do not search; they wait for bombers.", to=side.seats)
        return []
    groups = yield from _divide(table, side, forward)
    roll = table.roll(SearchRoll(table.data.charts["search"]), "fleet")
    lucky = groups[int(roll.cell) - 1]
    if not lucky:
        table.say("17.2", "The search, {}: nobody flies there, and the enemy is not found.", roll, to=side.seats)
        return []
    table.state.found = True
    table.say("17.2", "The search: group {} finds the Japanese fleet: {}.", roll, Names(lucky), to=side.seats)
    return lucky


def _divide(table: T, side: Side, forward: list[Squadron]) -> Choice[list[list[Squadron]]]:
    """[17.1] Four groups, none of them empty where four or more squadrons go (M3)."""
    count = len(table.data.charts["search"].rows) - 1
    least = 1 if len(forward) >= count else 0
    groups: list[list[Squadron]] = []
    left = list(forward)
    for number in range(1, count):
        group = yield from table.choose_some(
            table.state.flagship(side),
            "17.1",
            f"Who flies in search group {number} of {count}? What is left over is group {count}.",
            left,
            at_least=min(least, len(left)),
            at_most=len(left) - least * (count - number),
            text=strength_told,
        )
        groups.append(group)
        left = [squadron for squadron in left if squadron not in group]
    return [*groups, left]
