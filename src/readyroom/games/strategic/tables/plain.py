"""[24.62.1, 20.51, 19.2] The tables alone: a strength, a net modifier and the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from readyroom.engine.rules.forms import FormField, OddsResult
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.tables.action import (
    FORCES,
    SITUATION,
    Action,
    Inputs,
    Means,
    T,
    chances,
    factors,
    modifier_effects,
    number,
)
from readyroom.games.strategic.tables.figures import Data, Scope
from readyroom.games.strategic.tables.grids import Grid, TableRoll, mean
from readyroom.games.strategic.tables.modifiers import form_fields, net, total


class Plain(NamedTuple):
    """A table: its title, rule, grid and unit, the scopes of its modifiers, and the names of its means."""

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


def _form_fields(plain: Plain, data: Data) -> Mapping[str, FormField]:
    fields = {"strength": factors(capitalize_first(plain.unit), 10, 200)}
    if not plain.scopes:
        fields["net"] = FormField("Net modifier", "0", whole=(-20, 20), group=FORCES)
    return fields | form_fields(data.scope(*plain.scopes), SITUATION)


def _lines(plain: Plain, data: Data, inputs: Inputs) -> list[tuple[str, int]]:
    if plain.scopes:
        return net(data.scope(*plain.scopes), inputs)
    return [("net modifier", number(inputs, "net"))] if number(inputs, "net") else []


def _means(plain: Plain, data: Data, inputs: Inputs, added: int) -> Means:
    odds = plain.grid(data).odds(number(inputs, "strength"), added)
    return [(what, mean(odds, itemgetter(at))) for at, what in enumerate(plain.means) if what]


def _answer(plain: Plain, data: Data, inputs: Inputs) -> OddsResult:
    lines = _lines(plain, data, inputs)
    added, grid, strength = total(lines), plain.grid(data), number(inputs, "strength")
    return OddsResult(
        f"{inputs['strength']} {plain.unit} on the {plain.title}",
        plain.rule,
        chances(grid.odds(strength, added), grid.format),
        net=lines,
        expected=_means(plain, data, inputs, added),
        effects=modifier_effects(data.scope(*plain.scopes), inputs, added, partial(_means, plain, data, inputs)),
        parts=[
            OddsResult(
                "By roll",
                plain.rule,
                note="; ".join(f"{roll}: {grid.format(grid.read(strength, roll + added))}" for roll in range(2, 13)),
            )
        ],
    )


def _roll(plain: Plain, table: T, inputs: Inputs) -> list[str]:
    grid, lines = plain.grid(table.data), _lines(plain, table.data, inputs)
    roll = table.roll(TableRoll(plain.rule, plain.title, grid, number(inputs, "strength"), lines), "roll")
    table.log_line(plain.rule, "{} {} roll on the {}: result {}.", inputs["strength"], plain.unit, plain.title, roll)
    return [f"{grid.format(roll.result)}"]


def actions(*names: str) -> dict[str, Action]:
    """Return the actions of these tables."""
    return {
        name: Action(
            plain.title,
            plain.rule,
            f"The row of the {plain.unit}, two dice, and modifiers.",
            partial(_form_fields, plain),
            partial(_answer, plain),
            partial(_roll, plain),
        )
        for name, plain in ((name, TABLES[name]) for name in names)
    }
