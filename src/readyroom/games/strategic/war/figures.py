"""The figures of the war that are the same in every scenario: prices, research, cards, ranges, nationalities."""

from __future__ import annotations

import msgspec

from readyroom.engine.charts import HasSource
from readyroom.games.strategic.war.opening import Sea


class Prices(HasSource, frozen=True):
    """[SW.4] What a factor of each kind costs, in resource points, and a point of research."""

    submarine: int
    escort: int
    carrier: int
    merchant: int
    bomber: int
    interceptor: int
    research: int


class Moving(HasSource, frozen=True):
    """[SW.5] How many factors a side may send from one box to another in a turn."""

    factors: int


class Research(HasSource, frozen=True):
    """[SW.6] A die and the points of a project make a level on `at_least`; no project has more than `most` levels."""

    at_least: int
    most: int
    buildable: int


class Cards(HasSource, frozen=True):
    """[SW.3] Half a die of cards for each theater; the kind of a card by one die, up to and with each face."""

    halved: int
    submarine: int
    tactical: int
    strategic: int
    advantage: int


class Ranges(HasSource, frozen=True):
    """[SW.10] How far aircraft fly, in hexes, by the level of air range, in Europe and in the Pacific."""

    bombers_europe: list[int]
    bombers_pacific: list[int]
    interceptors_europe: list[int]
    pacific_from: int


class Navies(HasSource, frozen=True):
    """[A14] Naval nationality modifiers, where nations are not equal: of attackers, and of defenders by ocean."""

    attacker: dict[str, int]
    defender: dict[Sea, int]


class Bombs(HasSource, frozen=True):
    """[SW.11, SW.12] What a step that is knocked out costs its owner in the next turn's income."""

    step: int


class Excess(HasSource, frozen=True):
    """[A21] What a hit costs, in resource points, when there is no merchant ship left to sink."""

    cost: int


class WarFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of them."""

    prices: Prices
    moving: Moving
    research: Research
    cards: Cards
    ranges: Ranges
    navies: Navies
    bombs: Bombs
    excess: Excess
