"""[SW.1] The scenario file of a war."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from readyroom.engine.rules.charts import HasSource

V = TypeVar("V")
Side = Literal["axis", "allies"]
Nation = Literal["germany", "japan", "allies"]
Sea = Literal["atlantic", "indian", "pacific", "japan"]
Fleet = Literal["german-atlantic", "german-indian", "japanese-indian", "japanese-pacific", "american"]
Area = Literal["germany", "japan", "britain"]
Round = Literal[
    "german-atlantic", "german-indian", "japanese-indian", "japanese-pacific", "american", "germany", "japan", "britain"
]
Quarter = Literal["spring", "summer", "fall", "winter"]
Project = Literal["torpedo", "asw", "air-range", "radar", "air-defense", "bombers"]
Line = Literal["french-ports", "iberian-ports", "gibraltar", "us-war", "ireland", "colombo", "southern-ports", "manila"]
Part = Literal[
    "flak", "airbases", "objectives", "anchors", "cities", "ports", "fortifications", "fortresses", "beach-defenses"
]

MOST = 99
"""The most factors, points or turns in a scenario."""
LONGEST = 40
"""The longest war, in quarters."""
LARGEST = 999
"""The most resources of a nation."""
NAMED = 60
"""The longest name of a target."""


Count: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": MOST})]
Some: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MOST})]
Large: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": LARGEST})]
Turn: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": -LONGEST, "maximum": LONGEST})]


def by_name(figures: Mapping[Any, V]) -> dict[str, V]:
    """Return figures with plain string keys; the file reader has checked them."""
    return dict(figures)


def within(low: int, high: int, **figures: int) -> None:
    """Raise `ValueError` for the first figure out of range."""
    for name, value in figures.items():
        if not low <= value <= high:
            raise ValueError(f"{name.replace('_', '-')} = {value} must be from {low} to {high}")


class OceanStart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The factors in an ocean at the start."""

    escorts: Count = 0
    carriers: Count = 0
    merchants: Count = 0

    def __post_init__(self) -> None:
        within(0, MOST, escorts=self.escorts, carriers=self.carriers, merchants=self.merchants)


class Target(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[SW.11] A target: its area, distance in hexes, steps, and the parts of its strength."""

    key: str
    name: str
    area: Area
    distance: Annotated[Count, Meta(description="In hexes.")]
    steps: Some
    parts: Annotated[dict[Part, Count], Meta(description="The parts of its strength, each with a number.")]

    def __post_init__(self) -> None:
        within(0, MOST, distance=self.distance, **dict(self.parts))
        within(1, MOST, steps=self.steps)
        if not self.key.replace("-", "").isalnum() or not self.key.islower() or not 1 <= len(self.name) <= NAMED:
            raise ValueError(f"a target needs a key of small letters and a name, not {self.key!r} and {self.name!r}")


class Free(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[SW.6] Free research points of a nation each quarter, until a level."""

    nation: Nation
    project: Project
    points: Annotated[Count, Meta(description="In each quarter.")]
    until: Annotated[Count, Meta(title="Until level")]

    def __post_init__(self) -> None:
        within(0, MOST, points=self.points, until=self.until)


class Base(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[SW.8] A modifier line that counts from turn `first` through `last` (0: to the end)."""

    line: Line
    first: Annotated[Turn, Meta(title="From turn")] = 1
    last: Annotated[
        int,
        Meta(title="Through turn", description="0: to the end.", extra_json_schema={"minimum": 0, "maximum": LONGEST}),
    ] = 0

    def __post_init__(self) -> None:
        within(-LONGEST, LONGEST, first=self.first)
        within(0, LONGEST, last=self.last)


class Starved(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[SW.13] The Axis wins at once: too few merchant ships in the Atlantic for consecutive turns."""

    below: Annotated[Some, Meta(title="Fewer merchants than")]
    turns: Annotated[Some, Meta(title="In turns in a row")]

    def __post_init__(self) -> None:
        within(1, MOST, below=self.below, turns=self.turns)


class Ruin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[SW.13] The Allies win at once: limits of Japanese merchant ships and of the bombing score."""

    merchants: Annotated[Count, Meta(title="Merchants at most")]
    bombing: Annotated[Large, Meta(title="Bombing score from")]

    def __post_init__(self) -> None:
        within(0, MOST, merchants=self.merchants)
        within(0, 999, bombing=self.bombing)


class Victory(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[SW.13] Points for losses, handicaps, and the lead in per cent that wins."""

    merchant: Annotated[Count, Meta(description="Points for a merchant factor sunk.")]
    point: Annotated[Count, Meta(description="Points for a resource lost.")]
    step: Annotated[Count, Meta(description="Points for a step of a target.")]
    escort: Annotated[Count, Meta(description="Points for an escort factor sunk.")] = 0
    submarine: Annotated[Count, Meta(description="Points for a submarine factor sunk.")] = 0
    handicap: Annotated[dict[Side, Large], Meta(description="Points that a side begins with.")] = {}
    margin: Annotated[
        int, Meta(description="The lead that wins, in per cent.", extra_json_schema={"minimum": 0, "maximum": 100})
    ] = 5
    starved: Starved | None = None
    ruin: Ruin | None = None

    def __post_init__(self) -> None:
        figures = (self.merchant, self.point, self.step, self.escort, self.submarine)
        within(0, MOST, merchant=figures[0], point=figures[1], step=figures[2], escort=figures[3], submarine=figures[4])
        within(0, 100, margin=self.margin)
        within(0, 999, **{f"handicap.{side}": value for side, value in self.handicap.items()})
        if not any(figures):
            raise ValueError("nothing scores: one of merchant, point, step, escort and submarine must be above 0")


class WarOpening(HasSource, frozen=True, kw_only=True, tag_field="kind", tag="war"):
    """[SW.1] A scenario of the war.

    `rounds` are the submarine campaigns and bombed countries in play. `income` is a nation's income each quarter, one
    figure for each calendar year, the last also for all later years. `us_war` is the turn in which Germany and the
    United States went to war, 0 or less if before the first.
    `money` and `research` are the resources and research points that a nation begins with (W11): without them the
    first income, and none.
    """

    title: str
    summary: str
    order: int = 10
    year: Annotated[int, Meta(extra_json_schema={"minimum": 1939, "maximum": 1949})]
    quarter: Quarter
    turns: Annotated[
        int, Meta(description="The length in quarters.", extra_json_schema={"minimum": 1, "maximum": LONGEST})
    ]
    rounds: Annotated[
        list[Round], Meta(description="The submarine campaigns and the bombed countries that are in play, each once.")
    ]
    income: Annotated[
        dict[Nation, list[Large]],
        Meta(description="Resources each quarter: a figure for each calendar year, the last for all later ones."),
    ]
    oceans: dict[Sea, OceanStart] = {}
    submarines: dict[Fleet, Count] = {}
    bombers: Annotated[dict[Area, Count], Meta(description="Bombers against each country.")] = {}
    interceptors: Annotated[dict[Area, Count], Meta(description="Interceptors of each country.")] = {}
    target: Annotated[list[Target], Meta(title="Targets")] = []
    levels: Annotated[
        dict[Nation, dict[Project, Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": 3})]]],
        Meta(title="Research levels at the start"),
    ] = {}
    free: Annotated[list[Free], Meta(title="Free research")] = []
    base: Annotated[list[Base], Meta(title="Bases and events")] = []
    us_war: Annotated[
        Turn,
        Meta(
            title="War with the United States",
            description="The turn in which Germany and the United States went to war; 0 or less: before the first.",
        ),
    ] = 1
    victory: Victory
    money: Annotated[dict[Nation, Large] | UnsetType, Meta(title="Resources at the start")] = UNSET
    research: Annotated[dict[Nation, dict[Project, Count]] | UnsetType, Meta(title="Research at the start")] = UNSET

    def __post_init__(self) -> None:
        within(1, LONGEST, turns=self.turns)
        within(1939, 1949, year=self.year)
        within(-LONGEST, LONGEST, us_war=self.us_war)
        self._check_rounds()
        for name in ("submarines", "bombers", "interceptors"):
            within(0, MOST, **{f"{name}.{key}": value for key, value in getattr(self, name).items()})
        within(0, LARGEST, **{f"money.{nation}": points for nation, points in (self.money or {}).items()})
        for nation, points in (self.research or {}).items():
            within(0, MOST, **{f"research.{nation}.{project}": each for project, each in points.items()})
        for nation, levels in self.levels.items():
            for project, level in levels.items():
                within(0, 3, **{f"levels.{nation}.{project}": level})

    def _check_rounds(self) -> None:
        if not self.rounds or len(set(self.rounds)) != len(self.rounds):
            raise ValueError(f"rounds = {self.rounds} must name at least one round, and each once")
        keys = [target.key for target in self.target]
        if len(set(keys)) != len(keys):
            raise ValueError(f"two targets have the same key among {', '.join(keys)}")
        for area in ("germany", "japan", "britain"):
            if area in self.rounds and not any(target.area == area for target in self.target):
                raise ValueError(f"rounds name {area}, and there is no target there")
        for nation, years in self.income.items():
            if not years:
                raise ValueError(f"income.{nation} must have a figure for at least one year")
            within(0, 999, **{f"income.{nation}": min(years)})
            within(0, 999, **{f"income.{nation}": max(years)})
