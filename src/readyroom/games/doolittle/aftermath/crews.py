"""[2.2, 14.0.1] Crews that have come down: who they are, with which elite crewmen, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.charts import Chart
from readyroom.engine.checks import ChartRoll, Roll
from readyroom.engine.decisions import OptionInfo
from readyroom.engine.table import Choice
from readyroom.games.doolittle.figures.attack import BenefitName
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.names import listed, pilot
from readyroom.games.doolittle.pieces import Bomber, Crew, EliteMan
from readyroom.games.doolittle.rolls import Faces, Reroll, Thrown, again
from readyroom.games.doolittle.state import Doolittle, T, seat_of


def comes_down(table: T, bomber: Bomber, where: str, *, fit: bool = True) -> Crew:
    """[14.0.1] A crew gets a marker of its own where its bomber came down; its elite crewman goes with it."""
    men = [bomber.elite] if bomber.elite else []
    bomber.elite = None
    crew = Crew(bomber.key, where, fit, men)
    table.state.crews.append(crew)
    return crew


def still(state: Doolittle, where: str = "") -> list[Crew]:
    """[14.0.1] The crews whose tale is not at its end, all of them or those at a place."""
    return [crew for crew in state.crews if not crew.fate and where in ("", crew.where)]


def name(table: T, crew: Crew) -> str:
    """A crew by the name of its pilot."""
    return f"{pilot(table.data, crew.key)}'s crew"


def names(table: T, crews: Sequence[Crew]) -> str:
    """Several crews by the names of their pilots."""
    if len(crews) == 1:
        return name(table, crews[0])
    return f"the crews of {listed([pilot(table.data, crew.key) for crew in crews])}"


def health(table: T, crew: Crew) -> OptionInfo:
    """[14.0.1] Return a crew's health and its elite crewmen as option info."""
    men = [table.data.bombers.crewmen[man.key].name for man in crew.elites]
    return OptionInfo(", ".join(["fit" if crew.fit else "wounded", *men]))


def ends(table: T, crew: Crew, fate: str, where: str = "") -> None:
    """[14.0.1] Record the final fate of a crew."""
    crew.fate = fate  # type: ignore[assignment]
    crew.where = where or crew.where
    table.state.add_to_story(f"crew-{fate}", crew.key, crew.where)


# -- elite crewmen ---------------------------------------------------------------------------------------------------


def able(data: Data, man: EliteMan, benefit: BenefitName) -> bool:
    """[2.3] Return whether an elite crewman has this benefit unused."""
    return data.bombers.crewmen[man.key].benefit == benefit and not man.used


def spend(table: T, man: EliteMan) -> None:
    """[2.3] Use an elite crewman's benefit on the ground and log it."""
    card = table.data.bombers.crewmen[man.key]
    figures = table.data.bombers.benefits[card.benefit]
    man.used = figures.once
    table.log_line(figures.rule, "{}, {}: {}.", card.name, card.role, figures.title.lower())


def rolled(table: T, check: Thrown, subject: str, crews: Sequence[Crew]) -> Choice[Roll]:
    """[2.3.7] Roll a check for crews; if it fails, an elite pilot among them may re-roll."""
    return (yield from finish_repair(table, check, table.roll(check, subject), subject, crews))


def finish_repair(table: T, check: Thrown, roll: Roll, subject: str, crews: Sequence[Crew]) -> Choice[Roll]:
    """[2.3.7] Offer elite pilots among the crews a re-roll of a failed check."""
    for crew in crews:
        for man in crew.elites:
            if not roll and able(table.data, man, "re-roll"):
                roll = yield from again(table, check, roll, subject, _chance(table, crew, man))
    return roll


def _chance(table: T, crew: Crew, man: EliteMan) -> Reroll:
    """[2.3.7] Return the re-roll that this pilot offers."""
    who = table.data.bombers.crewmen[man.key].name
    return Reroll(who, "2.3.7", seat_of(table.state, crew.key), crew.key, lambda: spend(table, man))


# -- charts ----------------------------------------------------------------------------------------------------------


class Charted(Thrown, frozen=True, eq=False, kw_only=True):
    """Dice that are read on a chart; the check succeeds on a good cell."""

    chart: Chart
    column: str
    good: tuple[str, ...]

    def comes_off(self, faces: Faces) -> bool:
        """Whether the cell is one that is hoped for."""
        return self.chart.cell(sum(faces), self.column) in self.good

    def arithmetic(self) -> str:
        """What is rolled, and where it is read."""
        return f"{self.chart.dice} on {self.chart.id}, {self.column}"


def looked_up(
    table: T,
    chart: Chart,
    column: str,
    subject: str,
    crews: Sequence[Crew],
    good: Sequence[str],
    fair: Sequence[str] = (),
) -> Choice[ChartRoll[str]]:
    """[2.3.7] Roll on a chart for some crews; a pilot among them may have the dice re-rolled.

    Who has rolled worse than a `fair` cell would be glad of one as well.
    """
    dice, sides = chart.dice_pool()

    def hoping(*cells: str) -> Charted:
        return Charted(chart.rule, chart.title.lower(), dice=dice, at_least=0, chart=chart, column=column, good=cells)

    roll = table.roll(hoping(*good), subject)
    content = chart.cell(sum(roll.dice), column) in (*good, *fair)
    check = hoping(*good) if content else hoping(*good, *fair)
    roll = yield from finish_repair(table, check, check.read(roll.dice), subject, crews)
    total = sum(roll.dice)
    return ChartRoll(chart.id, column, roll.dice, sides, (), total, chart.cell(total, column))
