"""Reading the tables of the charts with dice, as the rules do it everywhere."""

from __future__ import annotations

from readyroom.engine.charts import Chart
from readyroom.engine.checks import ChartRoll, Check, Modifiers, RolledDice, nonzero_modifiers
from readyroom.games.picket.state import T


def roll_on_table(table: T, chart: Chart, subject: str, column: str = "", modifiers: Modifiers = ()) -> ChartRoll[str]:
    """Throw for a table and read it, in its only column where none is named (P1)."""
    return table.roll_on_chart(chart, column or chart.columns[0], subject, nonzero_modifiers(modifiers))


class DieRoll(int):
    """A die as it fell: a number for the rules, and a roll for the line of the log that is told of it."""

    sides = 6

    def to_log(self) -> RolledDice:
        """The die for the log."""
        return RolledDice("die", ((int(self),),), self.sides, f"1d{self.sides} = {int(self)}")


class D10(DieRoll):
    """A die of ten sides."""

    sides = 10


class RandomPick(DieRoll):
    """A draw of one of several things, each as likely, as a die with so many sides."""

    def __new__(cls, face: int, sides: int) -> RandomPick:
        """The face that came up, of so many."""
        pick = super().__new__(cls, face)
        pick.sides = sides
        return pick


def die(table: T, rule: str, subject: str) -> DieRoll:
    """One six-sided die."""
    return DieRoll(table.roll_dice(rule, subject)[0])


def target(chart: Chart, value: int) -> int:
    """The number to reach by a value; beyond the ends of the table it is read there."""
    known = [int(label) for label in chart.rows]
    return int(chart.rows[str(min(max(value, min(known)), max(known)))][0])


def reach(rule: str, name: str, chart: Chart, value: int, modifiers: Modifiers = ()) -> Check:
    """The check of two dice that a table of numbers to reach asks for."""
    at_least = target(chart, value)
    return Check(rule, name, dice=2, at_least=at_least, modifiers=nonzero_modifiers(modifiers))


def alternative(table: T, cell: str, rule: str, subject: str, first: int = 3) -> str:
    """A cell that names two things, as `10 or 11`: one die says which, up to `first` the one that stands first."""
    one, _, other = cell.partition(" or ")
    if not other:
        return one
    rolled = die(table, rule, subject)
    chosen = one if rolled <= first else other
    table.log_line(rule, "The die decides between {} and {}: {}.", one, other, chosen, rolled)
    return chosen
