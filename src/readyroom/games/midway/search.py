"""Finding the Japanese fleet: section 17."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import msgspec

from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import RolledDice, Roller
from readyroom.engine.rules.decisions import OptionInfo
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import agree
from readyroom.games.midway.orders import each_to_each, give_orders
from readyroom.games.midway.state import AGAIN, FIGHTER, Side, Squadron, T, leader, place_key, search_key, without


class Finding(msgspec.Struct, frozen=True, eq=False):
    """[17.2] The search group that was rolled, with the dice re-rolled before it."""

    chart: Chart
    dice: bytes
    group: int

    def __str__(self) -> str:
        return f"group {self.group}"

    def to_log(self) -> RolledDice:
        """Return the roll for the log; each re-rolled die is a round of its own."""
        sides = self.chart.dice_pool()[1]
        return RolledDice(self.chart.id, tuple((die,) for die in self.dice), sides, str(self))


class SearchRoll(msgspec.Struct, frozen=True, eq=False):
    """[17.2] One die for the group that finds the enemy, re-rolled while the chart says so."""

    chart: Chart

    @property
    def rule(self) -> str:
        """The rule that the chart belongs to."""
        return self.chart.rule

    def resolve(self, roll: Roller) -> Finding:
        """Roll until the chart names a group."""
        count, sides = self.chart.dice_pool()
        dice = b""
        while True:
            dice += roll(count, sides, len(dice))
            cell = self.chart.cell(dice[-1], "group")
            if cell != AGAIN:
                return Finding(self.chart, dice, int(cell))


def search(table: T, side: Side, forward: Sequence[Squadron]) -> Choice[list[Squadron]]:
    """[17] The first bombers sent forward search in four groups; only the group that finds the enemy advances.

    Fighters alone do not search (M3): they wait for bombers, or turn back if their side has no carrier left (M15). If
    the group is empty, the search is repeated next turn.
    """
    if all(squadron.kind == FIGHTER for squadron in forward):
        if not table.state.gone(side):
            wait = "Fighters cannot search alone; they wait for bombers."
            table.log_line("17.1", wait, audience=side.seats, target=place_key(side.name, "moving"))
            return []
        side.moving = without(side.moving, forward)
        side.home = [*side.home, *forward]
        turn = agree(len(forward), "turns", "turn")
        table.log_line(
            "17.1",
            "{} {} back: no bombers to escort.",
            forward,
            turn,
            audience=side.seats,
            target=place_key(side.name, "home"),
        )
        return []
    groups = yield from _divide(table, side, forward)
    over = place_key(side.name, "moving")
    for number, group in enumerate(groups, 1):
        if group:
            text = "Search group {} looks for the Japanese fleet: {}."
            table.log_line("17", text, number, group, audience=side.seats, target=over)
    roll = table.roll(SearchRoll(table.data.charts["search"]), "fleet")
    lucky = groups[roll.group - 1]
    if not lucky:
        table.log_line("17.2", "The search finds nothing: {} is empty.", roll, audience=side.seats, target=over)
        return []
    table.state.found = True
    table.log_line("17.2", "Search {} ({}) finds the Japanese fleet.", roll, lucky, audience=side.seats, target=over)
    return lucky


def _divide(table: T, side: Side, forward: Sequence[Squadron]) -> Choice[list[list[Squadron]]]:
    """[17.1] Divide into four groups, none empty if there are at least four squadrons (M3)."""
    count = table.data.groups()
    if table.state.orders_together:
        return (yield from _divide_together(table, side, forward, count))
    least = 1 if len(forward) >= count else 0
    groups: list[list[Squadron]] = []
    left = list(forward)
    for number in range(1, count):
        group = yield from table.choose_some(
            leader(side, forward),
            "17.1",
            f"Which squadrons fly in search group {number} of {count}? The rest form group {count}.",
            left,
            at_least=min(least, len(left)),
            at_most=len(left) - least * (count - number),
            info=lambda squadron: OptionInfo("the chance that its group finds the enemy", 1 / count),
        )
        groups.append(group)
        left = without(left, group)
    return [*groups, left]


def _divide_together(table: T, side: Side, forward: Sequence[Squadron], count: int) -> Choice[list[list[Squadron]]]:
    """[17.1, M27] Ask once for all groups; the rest are spread evenly, and no group stays empty (M3)."""
    names = {search_key(number): f"group {number}" for number in range(1, count + 1)}
    chance = OptionInfo("the chance that its group finds the enemy", 1 / count)
    sent = yield from give_orders(
        table,
        leader(side, forward),
        "17.1",
        f"Which squadrons fly in which of the {count} search groups? The rest are spread evenly.",
        each_to_each(forward, names),
        info=lambda _: chance,
    )
    groups = [sent[key] for key in names]
    for squadron in without(forward, {*chain.from_iterable(groups)}):
        min(groups, key=len).append(squadron)
    while len(forward) >= count and not all(groups):
        min(groups, key=len).append(max(groups, key=len).pop())
    return groups
