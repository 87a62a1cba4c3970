"""Rows at work: what is taken, looked up and calculated, and where it goes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from readyroom.campaign.schema import FACT, FAR, OPTION, Condition, Lookup, Quantity, Row
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.facts import FactValue


class InvalidRow(ReadyRoomError):
    """A row that cannot be carried out; `expected` and `actual` say why."""

    def __init__(self, expected: str, actual: str) -> None:
        self.expected, self.actual = expected, actual
        super().__init__(f"Expected {expected}, found {actual}.")


class Change(NamedTuple):
    """What a row has changed: a ledger quantity or a field, its value before and after, and why."""

    into: str
    before: Any
    after: Any
    row: Row


class Books(NamedTuple):
    """What rows read and write: ledger quantities, facts of the last match, fields of a scenario, and options."""

    quantities: Mapping[str, Quantity]
    tables: Mapping[str, Lookup]
    ledger: dict[str, FactValue]
    facts: Mapping[str, FactValue]
    scenario: dict[str, Any]
    options: dict[str, str]


def apply_rows(rows: Iterable[Row], books: Books) -> list[Change]:
    """Carry out rows in order; return what they changed."""
    return [change for row in rows for change in apply_row(row, books)]


def apply_row(row: Row, books: Books) -> list[Change]:
    """Carry out a row; return its changes: none if a condition fails or the match reports no such fact.

    Raises `InvalidRow`.
    """
    if not all(holds(condition, books) for condition in row.conditions):
        return []
    try:
        value = value_of(row, books)
        changes = [] if value is None else [_put(row, into, value, books) for into in row.targets]
    except (ArithmeticError, TypeError, ValueError) as error:
        raise InvalidRow("values of one type", str(error)) from error
    return [change for change in changes if change.before != change.after]


def holds(condition: Condition, books: Books) -> bool:
    """Return whether a condition holds; one on a fact that the match does not report does not."""
    name, comparison, wanted = condition
    value = look_up(name, books)
    if value is None or isinstance(value, list):
        return False
    if comparison in ("is", "is not"):
        return (value == wanted) == (comparison == "is")
    if not (isinstance(value, int) and isinstance(wanted, int)):
        return False
    return value >= wanted if comparison == "at least" else value <= wanted


def look_up(name: str, books: Books) -> FactValue | None:
    """Return a ledger quantity or a fact; None if the match reports no such fact."""
    if name.startswith(FACT):
        return books.facts.get(name.removeprefix(FACT))
    return books.ledger[name]


def value_of(row: Row, books: Books) -> Any:
    """Return what a row puts; None if it takes a fact that the match does not report."""
    if row.value is not None:
        return row.value
    if row.as_ in ("yes", "no"):
        return row.as_ == "yes"
    taken = look_up(row.take, books) if row.take else 0
    if taken is not None and row.table:
        taken = find_in(books.tables[row.table], taken)
    return calculate(row, taken) if isinstance(taken, int) else taken


def find_in(table: Lookup, taken: Any) -> int | str:
    """Return the value of a table: of a word, or of the last pair that does not begin above a number.

    The first pair is also for all numbers below it.

    >>> find_in([(0, 9), (100, 7), (200, 5)], 150), find_in({"draw": 0}, "draw")
    (7, 0)
    """
    if isinstance(table, dict):
        if taken not in table:
            raise InvalidRow(f"one of {', '.join(table)}", repr(taken))
        return table[taken]
    if not isinstance(taken, int):
        raise InvalidRow("a number", repr(taken))
    return next((value for least, value in reversed(table) if least <= taken), table[0][1])


def calculate(row: Row, taken: int) -> int:
    """Return a number after the arithmetic of a row, rounded to the nearest."""
    return clamp(round((taken + row.plus) * row.times), row.low, row.high)


def clamp(value: int, low: int | None, high: int | None) -> int:
    """Return the number, or the limit that it exceeds: at most 1,000,000,000 if there is none.

    >>> clamp(5, 0, 3), clamp(-1, 0, None)
    (3, 0)
    """
    return min(FAR if high is None else high, max(-FAR if low is None else low, value))


# -- where it goes ---------------------------------------------------------------------------------------------------


def _put(row: Row, into: str, value: Any, books: Books) -> Change:
    if into in books.quantities:
        before = books.ledger[into]
        quantity = books.quantities[into]
        after = combine(row, before, value)
        books.ledger[into] = clamp(after, quantity.low, quantity.high) if isinstance(after, int) else after
        return Change(into, before, books.ledger[into], row)
    if into.startswith(OPTION):
        key = into.removeprefix(OPTION)
        option = books.options.get(key)
        books.options[key] = str(value)
        return Change(into, option, str(value), row)
    holder, at = find_field(books.scenario, into)
    field = holder[at] if not isinstance(holder, dict) or at in holder else None
    holder[at] = _as_field(row, field, value)
    return Change(into, field, holder[at], row)


def _as_field(row: Row, before: Any, value: Any) -> Any:
    if row.as_ != "text":
        return combine(row, before, value)
    if row.how == "add":
        if not (isinstance(before, str) and before.lstrip("-").isdecimal()):
            raise InvalidRow("a number as text, to add to", repr(before))
        return str(int(before) + value)
    return str(value)


def combine(row: Row, before: Any, value: Any) -> Any:
    """Return a quantity or field after a row has put a value into it; the old one is not changed."""
    if row.how == "set":
        return value
    if row.how == "add":
        if isinstance(before, bool) or not isinstance(before, int) or not isinstance(value, int):
            raise InvalidRow("a number, to add to", repr(before if not isinstance(before, int) else value))
        return before + value
    if not isinstance(before, list):
        raise InvalidRow("a list", repr(before))
    values = value if isinstance(value, list) else [value]
    if row.how == "join":
        return [*before, *(each for each in values if each not in before)]
    return [each for each in before if each not in values and _key_of(each) not in values]


def _key_of(item: Any) -> Any:
    return item.get("key") if isinstance(item, dict) else None


def find_field(tables: dict[str, Any], path: str) -> tuple[Any, Any]:
    """Return the table or list that has the field of a path, and its key or index there; raise `InvalidRow`."""
    place: Any = tables
    parts = path.split(".")
    for part in parts[:-1]:
        at = _step(place, part)
        if at is None or (isinstance(place, dict) and at not in place):
            raise InvalidRow(f"a field of the scenario: {_known(place)}", repr(path))
        place = place[at]
    at = _step(place, parts[-1])
    if at is None:
        raise InvalidRow(f"a field of the scenario: {_known(place)}", repr(path))
    return place, at


def _step(place: Any, part: str) -> Any:
    """Return the key or index of a part of a path: an element of a list by its number or its `key`."""
    if isinstance(place, dict):
        return part
    if not isinstance(place, list):
        return None
    if part.isdecimal():
        return int(part) if int(part) < len(place) else None
    return next((at for at, item in enumerate(place) if _key_of(item) == part), None)


def _known(place: Any) -> str:
    keys: Sequence[Any] = list(place) if isinstance(place, dict) else []
    if isinstance(place, list):
        keys = [_key_of(item) or at for at, item in enumerate(place)]
    return ", ".join(map(str, keys[:24])) or "none here"
