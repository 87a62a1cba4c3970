"""[14.4.4] The Japanese search for crews on the ground: who is captured, and who has a close call."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.charts import Chart
from readyroom.engine.decisions import Option
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.aftermath.crews import able, ends, looked_up, name, names
from readyroom.games.doolittle.figures.common import label_of
from readyroom.games.doolittle.pieces import Crew, EliteMan
from readyroom.games.doolittle.state import T, seat_of

NONE, ALL, CLOSE = "0", "all", "close"
FIT, WOUNDED = "fit", "wounded"
RESULT_TEXT = {NONE: "and find none of them", ALL: "and find all of them", CLOSE: "and come close"}
"""[14.4.4] What comes of a search, in words."""


def search(table: T, party: Sequence[Crew], where: str) -> Steps:
    """[14.4.4] The party is searched for in two groups, the fit and the wounded; who is free has no fate after it."""
    fit, wounded = [crew for crew in party if crew.fit], [crew for crew in party if not crew.fit]
    for health, group in ((FIT, fit), (WOUNDED, wounded)):
        if group:
            yield from _searched(table, group, health, where)


def column(table: T, group: Sequence[Crew], health: str) -> str:
    """[14.4.4, 2.3.3] Return the column for the number of crews; a doctor makes the wounded count as fit."""
    if any(able(table.data, man, "medic") for crew in group for man in crew.elites):
        health = FIT
    numbers = [one.partition(" ")[2] for one in table.data.denouement.capture.columns]
    return f"{health} {label_of(numbers, len(group))}"


def _searched(table: T, group: list[Crew], health: str, where: str) -> Steps:
    """[14.4.4] One die for a group: how many are taken, or the close call of one."""
    chart, column_ = table.data.denouement.capture, column(table, group, health)
    if health == WOUNDED and column_.startswith(FIT):
        table.log_line("2.3.3", "The doctor treats {}: they count as fit.", names(table, group))
    roll = yield from looked_up(
        table, chart, column_, f"{group[0].key}-{health}", group, (NONE,), _free(chart, column_)
    )
    text = RESULT_TEXT.get(roll.cell, "and find some of them")
    table.log_line("14.4.4", "The Japanese search for {} {}.", names(table, group), text, roll)
    if roll.cell == CLOSE:
        yield from _close_call(table, group, where)
    elif roll.cell != NONE:
        count = len(group) if roll.cell == ALL else min(int(roll.cell), len(group))
        yield from _taken(table, group, count, where)


def _free(chart: Chart, column_: str) -> list[str]:
    """[14.4.4] Return the results that leave part of the group free."""
    dice, sides = chart.dice_pool()
    return [cell for face in range(dice, dice * sides + 1) if (cell := chart.cell(face, column_)) not in (NONE, ALL)]


def _taken(table: T, group: list[Crew], count: int, where: str) -> Steps:
    """[14.4.4, DR94] Capture crews, and as many elite crewmen of the group; the captain chooses them."""
    seat = seat_of(table.state, group[0].key)
    options = [Option(f"taken-{crew.key}", name(table, crew), crew) for crew in group]
    question = "Which crews are captured?" if count > 1 else "Which crew is captured?"
    chosen = yield from table.choose_some(seat, "14.4.4", question, options, at_least=count, at_most=count)
    taken = [option.value for option in chosen]
    yield from _men_taken(table, group, taken)
    table.reveal("14.4.4", "The Japanese capture {}.", names(table, taken))
    for crew in taken:
        ends(table, crew, "captured", where)


def _men_taken(table: T, group: Sequence[Crew], taken: Sequence[Crew]) -> Steps:
    """[14.4.4, DR94] As many elite crewmen are captured as crews; they and the free ones change crews."""
    men = [man for crew in group for man in crew.elites]
    lost = yield from _which_men(table, group, men, min(len(taken), len(men)))
    free = [crew for crew in group if crew not in taken]
    for crew in group:
        crew.elites = [man for man in crew.elites if (man in lost) == (crew in taken)]
    for man in men:
        if not any(man in crew.elites for crew in group):
            into = taken if man in lost else free
            min(into, key=lambda crew: len(crew.elites)).elites.append(man)


def _which_men(table: T, group: Sequence[Crew], men: Sequence[EliteMan], count: int) -> Choice[list[EliteMan]]:
    cards = table.data.bombers.crewmen
    options = [Option(f"man-{man.key}", f"{cards[man.key].name}, {cards[man.key].role}", man) for man in men]
    seat, question = seat_of(table.state, group[0].key), "Which elite crewmen are captured?"
    chosen = yield from table.choose_some(seat, "14.4.4", question, options, at_least=count, at_most=count)
    return [option.value for option in chosen]


def _close_call(table: T, group: Sequence[Crew], where: str) -> Steps:
    """[14.4.4, DR93] One crew of the group, by lot, has a narrow escape, or worse than that."""
    at = table.roll_dice("14.4.4", f"{group[0].key}-lot", sides=len(group))[0] if len(group) > 1 else 1
    crew, chart = group[at - 1], table.data.denouement.close_call
    if len(group) > 1:
        table.log_line("14.4.4", "{} is drawn for the close call ({} of {}).", name(table, crew), at, len(group))
    effect, story = chart.columns
    roll = yield from looked_up(table, chart, effect, f"{crew.key}-close", [crew], ("none",), ("wounded",))
    table.reveal("14.4.4", "{} has a close call. {}", name(table, crew), chart.cell(roll.total, story), roll)
    table.state.add_to_story("close-call", crew.key, str(roll.total))
    if roll.cell == "wounded":
        crew.fit = False
    elif roll.cell != "none":
        ends(table, crew, {"lost": "killed"}.get(roll.cell, roll.cell), where)
