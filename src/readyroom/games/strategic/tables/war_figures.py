"""The war's figures common to all scenarios."""

from __future__ import annotations

from typing import Annotated

import msgspec

from readyroom.engine.rules.charts import HasSource
from readyroom.games.strategic.tables.war_opening import Sea


class Prices(HasSource, frozen=True):
    """[SW.4] Costs in resources of each factor and of a research point."""

    submarine: Annotated[int, msgspec.Meta(title="Cost of a submarine factor")]
    escort: Annotated[int, msgspec.Meta(title="Cost of an escort factor")]
    carrier: Annotated[int, msgspec.Meta(title="Cost of a carrier factor")]
    merchant: Annotated[int, msgspec.Meta(title="Cost of a merchant factor")]
    bomber: Annotated[int, msgspec.Meta(title="Cost of a bomber factor")]
    interceptor: Annotated[int, msgspec.Meta(title="Cost of an interceptor factor")]
    research: Annotated[int, msgspec.Meta(title="Cost of a research point")]


class Moving(HasSource, frozen=True):
    """[SW.5] The factors a side may move in a turn."""

    factors: Annotated[int, msgspec.Meta(title="Factors that a side may move in a turn")]


class Research(HasSource, frozen=True):
    """[SW.6] A die plus points reaches a level on `at_least`; a project has at most `most` levels."""

    at_least: Annotated[int, msgspec.Meta(title="Research, least sum that reaches a level")]
    most: Annotated[int, msgspec.Meta(title="Research, most levels of a project")]
    buildable: Annotated[int, msgspec.Meta(title="Research, level of bombers that can be built")]


class Cards(HasSource, frozen=True):
    """[SW.3] Half a die of cards for each theater; the highest face of each kind of card."""

    halved: Annotated[int, msgspec.Meta(title="Cards, what a die is divided by")]
    submarine: Annotated[int, msgspec.Meta(title="Cards, highest die for a submarine card")]
    tactical: Annotated[int, msgspec.Meta(title="Cards, highest die for a tactical card")]
    strategic: Annotated[int, msgspec.Meta(title="Cards, highest die for a strategic card")]
    advantage: Annotated[int, msgspec.Meta(title="Modifier of an advantage in codebreaking")]


class Ranges(HasSource, frozen=True):
    """[SW.10] Ranges of aircraft in hexes, by the level of air range."""

    bombers_europe: Annotated[list[int], msgspec.Meta(title="Range of bombers in Europe by level")]
    bombers_pacific: Annotated[list[int], msgspec.Meta(title="Range of bombers in the Pacific by level")]
    interceptors_europe: Annotated[list[int], msgspec.Meta(title="Range of interceptors in Europe by level")]
    pacific_from: Annotated[int, msgspec.Meta(title="Year from which Pacific bases are in range")]


class Navies(HasSource, frozen=True):
    """[A14] Naval nationality modifiers with the option: of attackers, and of defenders by ocean."""

    attacker: Annotated[dict[str, int], msgspec.Meta(title="Naval modifier of the attacker")]
    defender: Annotated[dict[Sea, int], msgspec.Meta(title="Naval modifier of the defender")]


class Bombs(HasSource, frozen=True):
    """[SW.11, SW.12] The cost of a step knocked out, in the next turn's income."""

    step: Annotated[int, msgspec.Meta(title="Income lost for each step bombed")]


class Excess(HasSource, frozen=True):
    """[A21] The cost of a hit with no merchant ship left, in resources."""

    cost: Annotated[int, msgspec.Meta(title="Cost of a hit with no merchant ship left")]


class WarFigures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures of the war."""

    prices: Annotated[Prices, msgspec.Meta(title="")]
    moving: Annotated[Moving, msgspec.Meta(title="")]
    research: Annotated[Research, msgspec.Meta(title="")]
    cards: Annotated[Cards, msgspec.Meta(title="")]
    ranges: Annotated[Ranges, msgspec.Meta(title="")]
    navies: Annotated[Navies, msgspec.Meta(title="")]
    bombs: Annotated[Bombs, msgspec.Meta(title="")]
    excess: Annotated[Excess, msgspec.Meta(title="")]
