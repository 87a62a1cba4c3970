"""The parameters of a policy: what can be varied in a bot's play, and how.

A policy's type says what can be varied, see `readyroom.engine.game.PolicySpace`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, floor, log, log10
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import inspect

Settings: TypeAlias = dict[str, Any]
"""A policy as plain data: the values of its parameters by name."""
DIGITS = 3
"""Significant digits of a number that is not whole."""


class Parameter(NamedTuple):
    """A parameter: a number from `low` to `high`, or one of the `choices`."""

    name: str
    choices: tuple[Any, ...] = ()
    low: float = 0.0
    high: float = 1.0
    is_log: bool = False
    is_whole: bool = False

    def value(self, unit: float) -> Any:
        """Return the value at a place from 0 to 1 of the range."""
        if self.is_log:
            number = self.low * exp(unit * log(self.high / self.low))
        else:
            number = self.low + unit * (self.high - self.low)
        if self.is_whole:
            return round(number)
        digits = DIGITS - 1 - floor(log10(abs(number))) if number else 0
        return min(max(round(number, digits), self.low), self.high)

    def unit(self, value: float) -> float:
        """Return where in the range a value is, from 0 to 1."""
        if self.is_log:
            return log(value / self.low) / log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def parameters_of(policy: type[msgspec.Struct]) -> list[Parameter]:
    """Return the parameters of a type of policies; raise TypeError for a field that cannot be varied.

    >>> from typing import Annotated, Literal
    >>> fields = [("size", Annotated[int, msgspec.Meta(ge=1, le=9)]), ("order", Literal["first", "last"])]
    >>> Policy = msgspec.defstruct("Policy", fields)
    >>> [each.choices or (each.low, each.high) for each in parameters_of(Policy)]
    [(1, 9), ('first', 'last')]
    """
    info = inspect.type_info(policy)
    assert isinstance(info, inspect.StructType)
    return [_parameter(field) for field in info.fields]


def _parameter(field: inspect.Field) -> Parameter:
    kind, is_log = field.type, False
    if isinstance(kind, inspect.Metadata):
        is_log = bool((kind.extra or {}).get("log"))
        kind = kind.type
    if isinstance(kind, inspect.BoolType):
        return Parameter(field.name, (False, True))
    if isinstance(kind, inspect.LiteralType):
        return Parameter(field.name, tuple(kind.values))
    if isinstance(kind, inspect.IntType | inspect.FloatType) and kind.ge is not None and kind.le is not None:
        whole = isinstance(kind, inspect.IntType)
        return Parameter(field.name, (), kind.ge, kind.le, is_log, whole)
    raise TypeError(f"{field.name} is no parameter: it needs a range (ge and le), choices, or True and False.")


def settings_of(policy: msgspec.Struct) -> Settings:
    """Return a policy as plain data."""
    return {name: getattr(policy, name) for name in policy.__struct_fields__}


def random_settings(parameters: Sequence[Parameter], random: Random) -> Settings:
    """Draw a policy from the whole space."""
    return {
        each.name: random.choice(each.choices) if each.choices else each.value(random.random()) for each in parameters
    }
