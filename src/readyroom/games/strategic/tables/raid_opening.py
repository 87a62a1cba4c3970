"""The scenario file of an air raid."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from readyroom.engine.rules.charts import HasSource

MOST_TENSION, MOST_CARDS, MOST_SHIPS, MOST_SQUADRONS, MOST_POINTS = 60, 9, 16, 60, 999
"""Upper limits for scenario figures, set by the tables and the drawn board."""
LARGEST = 9
"""The largest ship size and air defence factor."""

Count = Annotated[int, Meta(ge=0, le=MOST_SQUADRONS)]
Some = Annotated[int, Meta(ge=1, le=MOST_SQUADRONS)]
Cards = Annotated[int, Meta(ge=0, le=MOST_CARDS)]
Points = Annotated[int, Meta(ge=0, le=MOST_POINTS)]
Size = Annotated[int, Meta(ge=1, le=LARGEST)]
Key = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]*$", max_length=30)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]

PARTS = (
    "flak",
    "airbases",
    "objectives",
    "anchors",
    "cities",
    "ports",
    "fortifications",
    "fortresses",
    "beach-defenses",
)
"""[24.62.10] The parts of a place's air defence."""

RESERVED_KEYS = ("light", "army", "naval", "quiet")
"""Reserved keys."""


class Tension(HasSource, frozen=True):
    """[PH.1] Tension between the United States and Japan when war is declared, before the final die."""

    level: Annotated[int, Meta(ge=0, le=MOST_TENSION)]


class Magic(HasSource, frozen=True):
    """[PH.2] How many Magic cards each side may play, and the score of a card kept."""

    japan: Cards
    usa: Cards
    kept: Points


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named ship."""

    key: Key
    name: Name


class ShipAtBerth(Named, frozen=True):
    """A battleship in the harbor, and her size in naval factors."""

    size: Size


class Harbor(HasSource, frozen=True):
    """[PH.7] The ships in port, without carriers, and the parts of the guns' strength (24.62.10)."""

    ship: Annotated[list[ShipAtBerth], Meta(min_length=1, max_length=MOST_SHIPS)]
    light: Count
    guns: dict[str, Annotated[int, Meta(ge=0, le=LARGEST)]]

    def __post_init__(self) -> None:
        unknown = next((part for part in self.guns if part not in PARTS), None)
        if unknown is not None:
            raise ValueError(f"guns = {{ {unknown} = … }} must be of {', '.join(PARTS)}")


class Airfields(HasSource, frozen=True):
    """[PH.5] Aircraft on the island: army air factors and naval air squadrons."""

    army: Count
    naval: Count


class TaskForce(HasSource, frozen=True):
    """[PH.3] An American carrier force: its carriers and their squadrons together."""

    key: Key
    name: Name
    carrier: Annotated[list[Named], Meta(min_length=1, max_length=3)]
    squadrons: Some


class StrikingForce(HasSource, frozen=True):
    """[PH.4] The Japanese carriers, the squadrons of each, and how many may attack one target."""

    carrier: Annotated[list[Named], Meta(min_length=1, max_length=8)]
    squadrons: Annotated[int, Meta(ge=1, le=LARGEST)]
    most: Some


class Carriers(HasSource, frozen=True):
    """[PH.11] The size of a carrier on either side."""

    size: Size


class Nations(HasSource, frozen=True):
    """[A14] Nationality modifiers, used only with the option."""

    japan_air: int
    japan_naval: int
    usa_air: int
    usa_naval: int


class Score(HasSource, frozen=True):
    """[PH.13] Points: for a ship per size, for the rest per unit."""

    sunk: Points
    damaged: Points
    light: Points
    aircraft: Points
    carrier: Points
    unseen: Points


class Win(HasSource, frozen=True):
    """[PH.13] The lowest difference with which Japan wins, and the highest with which the United States win."""

    japan: Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
    usa: Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]

    def __post_init__(self) -> None:
        if self.usa >= self.japan:
            raise ValueError(f"usa = {self.usa} must be less than japan = {self.japan}, or both sides win at once")


class RaidOpening(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="raid"):
    """The scenario of an air raid on Pearl Harbor; `edition` overrides the option."""

    title: str
    summary: str
    order: int = 10
    edition: Literal["", "current", "classic"] = ""
    tension: Tension
    magic: Magic
    harbor: Harbor
    airfields: Airfields
    force: Annotated[list[TaskForce], Meta(max_length=4)]
    striking: StrikingForce
    carriers: Carriers
    nations: Nations
    score: Score
    win: Win

    def __post_init__(self) -> None:
        ours = (carrier for force in self.force for carrier in force.carrier)
        ships = (*self.harbor.ship, *ours, *self.striking.carrier)
        keys = [*(ship.key for ship in ships), *(force.key for force in self.force), *RESERVED_KEYS]
        duplicate = next((key for key in keys if keys.count(key) > 1), None)
        if duplicate is not None:
            raise ValueError(f"the key {duplicate!r} is used twice or reserved; ships and forces need unique keys")
