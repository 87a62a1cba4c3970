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
Modifier = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
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

    level: Annotated[int, Meta(description="The higher, the readier the Americans.", ge=0, le=MOST_TENSION)]


class Magic(HasSource, frozen=True):
    """[PH.2] How many Magic cards each side may play, and the score of a card kept."""

    japan: Annotated[Cards, Meta(title="Cards of Japan")]
    usa: Annotated[Cards, Meta(title="Cards of the United States")]
    kept: Annotated[Points, Meta(title="Points for a card kept")]


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named ship."""

    key: Key
    name: Name


class ShipAtBerth(Named, frozen=True):
    """A battleship in the harbor, and her size in naval factors."""

    size: Size


class Harbor(HasSource, frozen=True):
    """[PH.7] The ships in port, without carriers, and the parts of the guns' strength (24.62.10)."""

    ship: Annotated[list[ShipAtBerth], Meta(title="Ships", min_length=1, max_length=MOST_SHIPS)]
    light: Annotated[Count, Meta(title="Light ships")]
    guns: Annotated[
        dict[str, Annotated[int, Meta(ge=0, le=LARGEST)]],
        Meta(description="The parts of the strength of the guns, each with a number."),
    ]

    def __post_init__(self) -> None:
        unknown = next((part for part in self.guns if part not in PARTS), None)
        if unknown is not None:
            raise ValueError(f"guns = {{ {unknown} = … }} must be of {', '.join(PARTS)}")


class Airfields(HasSource, frozen=True):
    """[PH.5] Aircraft on the island: army air factors and naval air squadrons."""

    army: Annotated[Count, Meta(title="Army air factors")]
    naval: Annotated[Count, Meta(title="Naval squadrons")]


class TaskForce(HasSource, frozen=True):
    """[PH.3] An American carrier force: its carriers and their squadrons together."""

    key: Key
    name: Name
    carrier: Annotated[list[Named], Meta(title="Carriers", min_length=1, max_length=3)]
    squadrons: Some


class StrikingForce(HasSource, frozen=True):
    """[PH.4] The Japanese carriers, the squadrons of each, and how many may attack one target."""

    carrier: Annotated[list[Named], Meta(title="Carriers", min_length=1, max_length=8)]
    squadrons: Annotated[int, Meta(title="Squadrons of each carrier", ge=1, le=LARGEST)]
    most: Annotated[Some, Meta(title="Most squadrons on a target")]


class Carriers(HasSource, frozen=True):
    """[PH.11] The size of a carrier on either side."""

    size: Size


class Nations(HasSource, frozen=True):
    """[A14] Nationality modifiers, used only with the option."""

    japan_air: Annotated[Modifier, Meta(title="Japan, air")]
    japan_naval: Annotated[Modifier, Meta(title="Japan, naval")]
    usa_air: Annotated[Modifier, Meta(title="United States, air")]
    usa_naval: Annotated[Modifier, Meta(title="United States, naval")]


class Score(HasSource, frozen=True):
    """[PH.13] Points: for a ship per size, for the rest per unit."""

    sunk: Annotated[Points, Meta(description="For a ship sunk, by her size.")]
    damaged: Annotated[Points, Meta(description="For a ship damaged, by her size.")]
    light: Annotated[Points, Meta(title="Light ship")]
    aircraft: Points
    carrier: Points
    unseen: Points


class Win(HasSource, frozen=True):
    """[PH.13] The lowest difference with which Japan wins, and the highest with which the United States win."""

    japan: Annotated[int, Meta(title="Japan from", ge=-MOST_POINTS, le=MOST_POINTS)]
    usa: Annotated[int, Meta(title="United States to", ge=-MOST_POINTS, le=MOST_POINTS)]

    def __post_init__(self) -> None:
        if self.usa >= self.japan:
            raise ValueError(f"usa = {self.usa} must be less than japan = {self.japan}, or both sides win at once")


class RaidOpening(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="raid"):
    """The scenario of an air raid on Pearl Harbor; `edition` overrides the option."""

    title: str
    summary: str
    order: int = 10
    edition: Annotated[Literal["", "current", "classic"], Meta(description="None: as the option says.")] = ""
    tension: Tension
    magic: Magic
    harbor: Harbor
    airfields: Airfields
    force: Annotated[list[TaskForce], Meta(title="American carrier forces", max_length=4)]
    striking: Annotated[StrikingForce, Meta(title="Japanese carriers")]
    carriers: Annotated[Carriers, Meta(title="Size of carriers")]
    nations: Annotated[Nations, Meta(title="Modifiers of nations")]
    score: Score
    win: Annotated[Win, Meta(title="Victory")]

    def __post_init__(self) -> None:
        ours = (carrier for force in self.force for carrier in force.carrier)
        ships = (*self.harbor.ship, *ours, *self.striking.carrier)
        keys = [*(ship.key for ship in ships), *(force.key for force in self.force), *RESERVED_KEYS]
        duplicate = next((key for key in keys if keys.count(key) > 1), None)
        if duplicate is not None:
            raise ValueError(f"the key {duplicate!r} is used twice or reserved; ships and forces need unique keys")
