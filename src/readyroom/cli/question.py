"""A decision as the terminal asks it: the question, what may be chosen, and the numbered options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.engine.checks import percent
from readyroom.engine.decisions import Decision, Option, OptionInfo
from readyroom.engine.text import capitalize_first


def render_question(decision: Decision, who: str, number: int | None = None) -> Iterator[RenderableType]:
    """The question in full: who is asked, under which rule, how many may be chosen, and the options."""
    options = decision.options
    yield Text(f"{who}: {decision.question} [{decision.rule}]", "bold")
    yield Text(_wanted(decision, options))
    if (common := shared_hint(options)) is not None:
        yield Text(f"{capitalize_first(common)}.", "italic")
    if all(option.cell for option in options) and shared_hint(options) is None:
        yield sheet(options)
        yield Text(f"Each selects its option, as in {options[0].key}.", "italic")
        return
    lines = option_lines(decision, options)
    if len(decision.budget_groups) < 2:
        yield _columns(lines)
        return
    for group in decision.budget_groups:
        yield Text(f"{group.name}, {decision.budget} points:", "italic")
        yield _columns(line for line, option in zip(lines, options, strict=True) if option.budget_group == group.key)


def sheet(options: Sequence[Option]) -> RenderableType:
    """Options that are a sheet to be filled in, such as a calendar, as a table of their numbers, with their odds."""
    at = {option.cell: _numbered(number, option.info) for number, option in enumerate(options, start=1)}
    rows, columns = (list(dict.fromkeys(cell[side] for cell in at if cell)) for side in (0, 1))
    table = Table("", *columns, box=SIMPLE_HEAD)
    for row in rows:
        table.add_row(row, *[at.get((row, column), "") for column in columns])
    return table


def _numbered(number: int, hint: OptionInfo | None) -> str:
    return f"{number} ({hinted(hint)})" if hint is not None else str(number)


def _columns(lines: Iterable[str]) -> RenderableType:
    return Columns([Text(line) for line in lines], padding=(0, 2), column_first=True, equal=True)


def _wanted(decision: Decision, options: Sequence[Option]) -> str:
    """How many may be chosen and at what price, and what a bare Enter means."""
    wanted = _spend(decision, options) or decision.instruction()
    texts = [capitalize_first(wanted)]
    if decision.cost is not None and (cost := _same(option.cost for option in options)) is not None:
        texts.append(f"each costs {cost}")
    if decision.limit is not None and (limit := _same(option.limit for option in options)) is not None:
        texts.append(f"each takes up to {limit}")
    if decision.select_all_default:
        texts.append("Enter takes all that may be taken")
    elif on_enter(decision) is not None:
        texts.append("Enter takes it")
    elif decision.at_least == 0:
        texts.append("`none` takes none")
    return f"{'; '.join(texts)}."


def _spend(decision: Decision, options: Sequence[Option]) -> str:
    """Where each costs a point and all could be taken but for the points, what may be spent; otherwise nothing."""
    free = decision.at_least == 0 and decision.at_most == sum(option.limit for option in options)
    within = decision.instruction().partition(", within ")[2]
    return f"spend up to {within}" if within and free and _same(option.cost for option in options) == 1 else ""


def on_enter(decision: Decision) -> list[str] | None:
    """What a bare Enter answers: all where that is usual, the option where there is but one; None: no answer.

    It never means none: an Enter too many would cost a turn.
    """
    if decision.select_all_default:
        return everything(decision)
    if len(decision.keys) == 1 and decision.at_least == 1:
        return list(decision.keys)
    return None


def everything(decision: Decision) -> list[str]:
    """All options, or from the top of the list as many as may be chosen and paid for."""
    options, chosen = decision.options, list[str]()
    left = dict.fromkeys((option.budget_group for option in options), decision.budget)
    for option in options:
        for _ in range(option.limit):
            if len(chosen) == decision.at_most or (
                decision.cost is not None and option.cost > left[option.budget_group]
            ):
                break
            left[option.budget_group] -= option.cost
            chosen.append(option.key)
    return chosen


def option_lines(decision: Decision, options: Sequence[Option]) -> list[str]:
    """The numbered options, each with what is not the same for all: its cost, its limit, its odds."""
    width = len(str(len(options)))
    facts = _facts(decision, options)
    return [
        f"{number:>{width}} {'; '.join([option.text, *facts(option)])}"
        for number, option in enumerate(options, start=1)
    ]


def _facts(decision: Decision, options: Sequence[Option]) -> Callable[[Option], list[str]]:
    costs = decision.cost is not None and _same(option.cost for option in options) is None
    limits = decision.limit is not None and _same(option.limit for option in options) is None
    hints = shared_hint(options) is None

    def facts(option: Option) -> list[str]:
        result = [f"costs {option.cost}"] if costs else []
        result += [f"up to {option.limit}"] if limits else []
        result += [hinted(option.info)] if hints and option.info else []
        return result

    return facts


def _same(numbers: Iterable[int]) -> int | None:
    """The number that all are, if they are all one."""
    result = set(numbers)
    return result.pop() if len(result) == 1 else None


def shared_hint(options: Sequence[Option]) -> str | None:
    """Return the hint that all options share, so that it is printed once."""
    hints = {hinted(option.info) if option.info else None for option in options}
    return hints.pop() if len(hints) == 1 else None


def hinted(hint: OptionInfo) -> str:
    """A hint in words, with its chance."""
    return hint.note if hint.chance is None else f"{hint.note}: {percent(hint.chance)}"
