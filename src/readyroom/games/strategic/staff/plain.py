"""[24.62.1, 20.51, 19.2] The tables of two dice by themselves: a strength, a net modifier, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from readyroom.engine.forms import FormField, OddsResult
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.figures import Data, Scope
from readyroom.games.strategic.modifiers import blanks, net
from readyroom.games.strategic.staff.action import (
    FORCES,
    SITUATION,
    Action,
    Means,
    Told,
    chances,
    factors,
    mean,
    number,
    worth,
)
from readyroom.games.strategic.tables import Grid, TableRoll

if TYPE_CHECKING:
    from readyroom.games.strategic.state import T


class Plain(NamedTuple):
    """A table: its name, its rule, its grid, what is counted on it, and the lines that may modify it."""

    title: str
    rule: str
    grid: Callable[[Data], Grid]
    unit: str
    scopes: tuple[Scope, ...]
    means: tuple[str, str]


TABLES = {
    "warfare": Plain(
        "Strategic Warfare Combat Table",
        "24.62.1",
        lambda data: data.strategic,
        "factors",
        (),
        ("first number", "second"),
    ),
    "naval": Plain(
        "Naval Attack Table", "20.51", lambda data: data.naval, "air squadrons", ("naval",), ("effects", "")
    ),
    "air": Plain(
        "Air Combat Table", "19.2", lambda data: data.air, "air factors", ("air",), ("eliminated", "sent home")
    ),
}


def _blanks(plain: Plain, data: Data) -> Mapping[str, FormField]:
    found = {"strength": factors(capitalize_first(plain.unit), 10, 200)}
    if not plain.scopes:
        found["net"] = FormField("Net modifier", "0", whole=(-20, 20), group=FORCES)
    return found | blanks(data.scope(*plain.scopes), SITUATION)


def _lines(plain: Plain, data: Data, told: Told) -> list[tuple[str, int]]:
    if plain.scopes:
        return net(data.scope(*plain.scopes), told)
    return [("net modifier", number(told, "net"))] if number(told, "net") else []


def _means(plain: Plain, data: Data, told: Told, added: int) -> Means:
    odds = plain.grid(data).odds(number(told, "strength"), added)
    values = (lambda pair: pair.first, lambda pair: pair.second)
    return [(what, mean(odds, value)) for what, value in zip(plain.means, values, strict=True) if what]


def _answer(plain: Plain, data: Data, told: Told) -> OddsResult:
    found = _lines(plain, data, told)
    added, grid = sum(value for _, value in found), plain.grid(data)
    return OddsResult(
        f"{told['strength']} {plain.unit} on the {plain.title}",
        plain.rule,
        chances(grid.odds(number(told, "strength"), added), grid.words),
        net=found,
        expected=_means(plain, data, told, added),
        effects=worth(data.scope(*plain.scopes), told, added, partial(_means, plain, data, told)),
        parts=[
            OddsResult(
                "By the roll of two dice",
                plain.rule,
                note="; ".join(
                    f"{roll}: {grid.words(grid.read(number(told, 'strength'), roll + added))}" for roll in range(2, 13)
                ),
            )
        ],
    )


def _throw(plain: Plain, table: T, told: Told) -> list[str]:
    grid, found = plain.grid(table.data), _lines(plain, table.data, told)
    roll = table.roll(TableRoll(plain.rule, plain.title, grid, number(told, "strength"), found), "roll")
    table.log_line(plain.rule, "{} {} on the {}: {}.", told["strength"], plain.unit, plain.title, roll)
    return [f"{grid.words(roll.result)}"]


def actions() -> dict[str, Action]:
    """Each of the tables by itself."""
    return {
        name: Action(
            plain.title,
            plain.rule,
            f"A row for so many {plain.unit}, two dice, and what is added to them.",
            partial(_blanks, plain),
            partial(_answer, plain),
            partial(_throw, plain),
        )
        for name, plain in TABLES.items()
    }
