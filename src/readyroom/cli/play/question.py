"""A decision in the terminal: the question, the instruction and the numbered options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Decision, Option, OptionInfo
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.web import formatting


def render_question(decision: Decision, who: str, number: int | None = None) -> Iterator[RenderableType]:
    """Yield the decision: whose it is, its rule, how many to choose, and the options."""
    options = decision.options
    yield Text(f"{who}: {decision.question} [{decision.rule}]", "bold")
    yield Text(_wanted(decision, options))
    if (common := shared_hint(options)) is not None:
        yield Text(f"{capitalize_first(common)}.", "italic")
    if all(option.cell for option in options) and (shared_hint(options) is None or decision.has_alternatives):
        yield from sheet(options)
        yield Text(f"Type the numbers of the options, or their keys, such as {options[0].key}.", "italic")
        return
    lines = option_lines(decision, options)
    if len(decision.budget_groups) < 2:
        yield _columns(lines)
        return
    for group in decision.budget_groups:
        yield Text(f"{group.name}, {count_noun(decision.budget, decision.unit)}:", "italic")
        yield _columns(line for line, option in zip(lines, options, strict=True) if option.budget_group == group.key)


def sheet(options: Sequence[Option]) -> Iterator[RenderableType]:
    """Yield options with rows and columns, such as a calendar, as a table of their numbers and odds.

    What all options of a column share is said once, before the table.
    """
    cells = {option.cell: option for option in options if option.cell}
    rows, columns = (list(dict.fromkeys(cell[side] for cell in cells)) for side in (0, 1))
    by_column = {column: [option for cell, option in cells.items() if cell[1] == column] for column in columns}
    shared = {column: hint for column, held in by_column.items() if held[1:] and (hint := shared_hint(held))}
    if shared_hint(options) is None:
        for column, hint in shared.items():
            yield Text(f"{column}: {hint}.", "italic")
    numbers = {
        cell: _numbered(number, None if cell[1] in shared else option.info)
        for number, (cell, option) in enumerate(cells.items(), start=1)
    }
    table = Table("", *columns, box=SIMPLE_HEAD)
    for row in rows:
        table.add_row(row, *[numbers.get((row, column), "") for column in columns])
    yield table


def _numbered(number: int, hint: OptionInfo | None) -> str:
    return f"{number} ({hinted(hint)})" if hint is not None else str(number)


def _columns(lines: Iterable[str]) -> RenderableType:
    return Columns([Text(line) for line in lines], padding=(0, 2), column_first=True, equal=True)


def _wanted(decision: Decision, options: Sequence[Option]) -> str:
    """Describe how many options to choose, what they cost, and what Enter alone does."""
    texts = [capitalize_first(_spend(decision, options) or decision.instruction())]
    if decision.cost is not None and (cost := _same(option.cost for option in options)) is not None:
        texts.append(f"each costs {cost}")
    if decision.limit is not None and (limit := _same(option.limit for option in options)) is not None:
        texts.append(f"each takes up to {limit}")
    if decision.select_all_default:
        texts.append("Enter selects all that is allowed")
    elif on_enter(decision) is not None:
        texts.append("Enter selects it")
    elif decision.at_least == 0:
        texts.append("`none` selects nothing")
    return f"{'; '.join(texts)}."


def _spend(decision: Decision, options: Sequence[Option]) -> str:
    """Describe the budget if each option costs 1 point and only the budget limits the selection; otherwise ""."""
    free = decision.at_least == 0 and decision.at_most == sum(option.limit for option in options)
    within = decision.instruction().partition(", within ")[2]
    return f"spend up to {within}" if within and free and _same(option.cost for option in options) == 1 else ""


def on_enter(decision: Decision) -> list[str] | None:
    """Return what Enter alone answers: all if that is the default, or the only option; None for no answer.

    It never selects nothing: an Enter too many would cost a turn.
    """
    if decision.select_all_default:
        return formatting.everything(formatting.decision(decision))
    if len(decision.keys) == 1 and decision.at_least == 1:
        return list(decision.keys)
    return None


def option_lines(decision: Decision, options: Sequence[Option]) -> list[str]:
    """Return the numbered options with their costs, limits and odds, unless all have the same."""
    width = len(str(len(options)))
    costs = decision.cost is not None and _same(option.cost for option in options) is None
    limits = decision.limit is not None and _same(option.limit for option in options) is None
    hints = shared_hint(options) is None
    lines = []
    for number, option in enumerate(options, start=1):
        facts = [option.text]
        facts += [f"costs {option.cost}"] if costs else []
        facts += [f"up to {option.limit}"] if limits else []
        facts += [hinted(option.info)] if hints and option.info else []
        lines.append(f"{number:>{width}} {'; '.join(facts)}")
    return lines


def _same(numbers: Iterable[int]) -> int | None:
    """Return the number if all are equal."""
    result = set(numbers)
    return result.pop() if len(result) == 1 else None


def shared_hint(options: Sequence[Option]) -> str | None:
    """Return the hint that all options share, so that it is printed once."""
    hints = {hinted(option.info) if option.info else None for option in options}
    return hints.pop() if len(hints) == 1 else None


def hinted(hint: OptionInfo) -> str:
    """Return an option's info as text, with its chance."""
    return hint.note if hint.chance is None else f"{hint.note}: {percent(hint.chance)}"
