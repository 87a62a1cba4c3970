"""The war's figures common to all scenarios."""

from __future__ import annotations

import msgspec

from readyroom.engine.rules.charts import HasSource
from readyroom.games.strategic.tables.war_opening import Sea


class Prices(HasSource, frozen=True):
    """[SW.4] Costs in resource points of each factor and of a research point."""

    submarine: int
    escort: int
    carrier: int
    merchant: int
    bomber: int
    interceptor: int
    research: int


class Moving(HasSource, frozen=True):
    """[SW.5] The factors a side may move in a turn."""

    factors: int


class Research(HasSource, frozen=True):
    """[SW.6] A die plus points reaches a level on `at_least`; a project has at most `most` levels."""

    at_least: int
    most: int
    buildable: int


class Cards(HasSource, frozen=True):
    """[SW.3] Half a die of cards for each theater; the highest face of each kind of card."""

    halved: int
    submarine: int
    tactical: int
    strategic: int
    advantage: int


class Ranges(HasSource, frozen=True):
    """[SW.10] Ranges of aircraft in hexes, by the level of air range."""

    bombers_europe: list[int]
    bombers_pacific: list[int]
    interceptors_europe: list[int]
    pacific_from: int


class Navies(HasSource, frozen=True):
    """[A14] Naval nationality modifiers with the option: of attackers, and of defenders by ocean."""

    attacker: dict[str, int]
    defender: dict[Sea, int]


class Bombs(HasSource, frozen=True):
    """[SW.11, SW.12] The cost of a step knocked out, in the next turn's income."""

    step: int


class Excess(HasSource, frozen=True):
    """[A21] The cost of a hit with no merchant ship left, in resource points."""

    cost: int


class WarFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures of the war."""

    prices: Prices
    moving: Moving
    research: Research
    cards: Cards
    ranges: Ranges
    navies: Navies
    bombs: Bombs
    excess: Excess
