"""[13.1] January: the months of the diplomats, Doolittle's box, and the bombers."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.figures.common import MONTHS, Month
from readyroom.games.doolittle.figures.planning import Diplomat
from readyroom.games.doolittle.names import pilot_name
from readyroom.games.doolittle.planning import blotter, incidents
from readyroom.games.doolittle.state import T


def january(table: T) -> Steps:
    """[13.0, 13.1] Begin the planning: the calendar, Doolittle's box, the bombers."""
    table.state.begin("planning")
    if incidents.begin_month(table, "january"):
        return
    yield from choose_months(table)
    yield from choose_doolittle_box(table)
    yield from choose_bombers(table)


def choose_months(table: T) -> Steps:
    """[13.1.1, DR72] Choose the months of Nimitz and of Stilwell, Thompson or both, for good.

    The row must have a cell in the month. One of those two is never informed if the other serves.
    """
    figures, months = table.data.planning.calendar, table.state.notes.calendar
    for diplomat in (*figures.must, *figures.either):
        row = figures.row[diplomat]
        options = [
            Option(f"{diplomat}-{month}", month.capitalize(), month, _month_hint(table, diplomat, month))
            for month in MONTHS
            if month in row.needs
        ]
        others = [other for other in figures.either if other != diplomat]
        if diplomat in figures.either and (diplomat != figures.either[-1] or any(one in months for one in others)):
            options.append(Option(f"{diplomat}-never", "Never", None, OptionInfo(f"no talks on {row.asks}")))
        question = f"When do you inform {row.name}, who asks for {row.asks}?"
        chosen = yield from table.choose(table.state.captain, "13.1.1", question, options)
        if chosen.value:
            months[diplomat] = chosen.value
            text, target = "{} will be informed in {}.", f"{diplomat}-{chosen.value}"
            table.log_line("13.1.1", text, row.name, chosen.text, target=target)


def _month_hint(table: T, diplomat: Diplomat, first: Month) -> OptionInfo:
    """[13.1.1, 13.5.6] Return what a month is worth: the sums to reach from then on, and the risk."""
    figures = table.data.planning.calendar
    months = [month for month in MONTHS[MONTHS.index(first) :] if month in figures.row[diplomat].needs]
    needs = ", ".join(f"{figures.row[diplomat].needs[month]} in {month.capitalize()}" for month in months)
    return OptionInfo(f"talks need {needs}; risk +{figures.risk[first]}")


def choose_doolittle_box(table: T) -> Steps:
    """[13.1.1] Choose Doolittle's box: one month's, or all of them by telephone."""
    boxes = table.data.planning.doolittle.box
    options = [
        Option(f"box-{month}", f"{month.capitalize()}'s box", month, OptionInfo(boxes[month].text)) for month in MONTHS
    ]
    low, high = blotter.risk_range(table.data, blotter.TELEPHONE)
    note = OptionInfo(f"the benefits of all four boxes; risk +{low} to +{high} in April")
    options.append(Option(blotter.TELEPHONE, "by telephone", blotter.TELEPHONE, note))
    chosen = yield from table.choose(table.state.captain, "13.1.1", "Which box does Doolittle work in?", options)
    table.state.notes.doolittle = chosen.value
    table.log_line("13.1.1", "Doolittle: {}.", chosen.text, target="doolittle")


def choose_bombers(table: T) -> Steps:
    """[13.1.2] Choose the bombers; the others leave the game."""
    state, figures = table.state, table.data.planning.selection
    hangar, least, most = state.notes.hangar, figures.least, figures.most
    options = [Option(key, pilot_name(table.data, one.key), key) for key, one in hangar.items()]
    question = f"Which bombers take part? {_size_hint(table)}"
    chosen = yield from table.choose_some(
        state.captain, "13.1.2", question, options, at_least=least, at_most=most, select_all_default=True
    )
    picked = {option.key for option in chosen}
    for key in [key for key in hangar if key in picked]:
        state.squad[key] = hangar.pop(key)
    number = state.notes.selected = len(state.squad)
    table.log_line("13.1.2", "{} bombers take part.", number, target="squadron")
    state.add_to_story("selected", str(number))


def _size_hint(table: T) -> str:
    """[13.5.6] Return what the size of the squadron is worth later."""
    figures, variable = table.data.embarkation.risk, table.data.embarkation.variable
    few = f"{figures.few_bombers} or fewer give +1 die of secrecy"
    sizes, most = _sizes(list(variable.delayed_bombers)), _sizes(list(variable.liberty_bombers))
    return f"{few}; with {sizes} a delay adds more risk, with {most} liberty does too."


def _sizes(labels: Sequence[str]) -> str:
    return " and ".join(label.replace("-", " to ") for label in labels)
