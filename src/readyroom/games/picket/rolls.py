"""Rolls on the tables of the charts."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart, row_range
from readyroom.engine.rules.checks import ChartRoll, Check, Modifiers, RolledDice, nonzero_modifiers
from readyroom.games.picket.state import T


def roll_on_table(table: T, chart: Chart, subject: str, column: str = "", modifiers: Modifiers = ()) -> ChartRoll[str]:
    """Roll on a table and read a column, by default its only one (P1)."""
    return table.roll_on_chart(chart, column or chart.columns[0], subject, nonzero_modifiers(modifiers))


DECIDES = {
    "5.3.F": "radar station",
    "6.2": "rain",
    "6.3": "storm",
    "6.6.M": "night attack",
    "6.9.B": "section",
    "7.2.B": "compartment",
    "7.2.C": "dive",
    "7.3.F": "flooding",
    "7.3.K": "flooding",
    "7.3.T": "splinters",
    "7.3.V": "wound",
    "7.3.W": "radar",
    "7.4.H": "side",
    "7.7.K": "casualty",
    "7.8.1": "fire",
    "7.8.2": "repair",
    "7.9": "pumps",
    "7.10": "repair",
    "7.11": "repair",
    "7.12.C": "water lines",
    "11.5.C": "repair",
}
"""What a single die decides, by its rule."""


class DieRoll(int):
    """A die roll: a number for the rules, and a roll for the log."""

    sides: int
    name: str
    goal: str

    def to_log(self) -> RolledDice:
        """Return the die for the log, with the number that it needs if there is one."""
        goal = f", {self.goal}" if self.goal else ""
        return RolledDice(self.name, ((int(self),),), self.sides, f"1d{self.sides} = {int(self)}{goal}")


def roll_die(table: T, rule: str, subject: str, sides: int = 6, goal: str = "", name: str = "") -> DieRoll:
    """Roll a die; a random pick among several things is a die with that many sides.

    `goal` and `name` are for the log, like those of a `ChartRoll`: "floods on 5 or more".
    """
    rolled = DieRoll(table.roll_dice(rule, subject, 1, sides)[0])
    rolled.sides, rolled.name, rolled.goal = sides, name or DECIDES.get(rule, "die"), goal
    return rolled


def least_sum(chart: Chart, column: str) -> int:
    """Return the least sum for which a column has anything but a miss."""
    hits = (row_range(row) for row, each, cell in chart.cells() if each == column and cell != "miss")
    return min(low for low, _ in filter(None, hits))


def number_to_reach(chart: Chart, value: int) -> int:
    """Return the number to reach for a value; the table's ends apply beyond them."""
    known = [int(label) for label in chart.rows]
    return int(chart.rows[str(min(max(value, min(known)), max(known)))][0])


def table_check(rule: str, name: str, chart: Chart, value: int, modifiers: Modifiers = ()) -> Check:
    """Return the two-dice check of a table of numbers to reach."""
    return Check(rule, name, dice=2, at_least=number_to_reach(chart, value), modifiers=nonzero_modifiers(modifiers))


def choose_alternative(table: T, cell: str, rule: str, subject: str, first: int = 3, target: str = "") -> str:
    """Resolve a cell such as `10 or 11` by a die: up to `first` the first one; `target` is what the roll is about."""
    one, _, other = cell.partition(" or ")
    if not other:
        return one
    rolled = roll_die(table, rule, subject, goal=f"{one} on {first} or less")
    chosen = one if rolled <= first else other
    table.log_line(rule, "A die roll chooses between {} and {}: {}.", one, other, chosen, rolled, target=target)
    return chosen


def draw_chits(table: T, rule: str, subjects: list[str]) -> list[int]:
    """[1.4, 2.0.A, 6.5.C] Draw value chits together, so that none repeats; all go back afterwards."""
    cup = [int(value) for value, count in table.data.ship.chits.count.items() for _ in range(count)]
    return [cup.pop(table.roll_dice(rule, f"chit-{subject}", 1, len(cup))[0] - 1) for subject in subjects]
