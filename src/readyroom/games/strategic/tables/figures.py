"""The figures of both games, decoded from their data files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.data import load
from readyroom.engine.rules.charts import Chart, Charts, HasSource
from readyroom.games.strategic.tables.grids import AirGrid, Grid, SurpriseTable
from readyroom.games.strategic.tables.raid_opening import RaidOpening
from readyroom.games.strategic.tables.war_figures import WarFigures
from readyroom.games.strategic.tables.war_opening import WarOpening

Kind = Literal["each", "difference", "steps", "tick", "advantage", "choice"]
Scope = Literal[
    "submarines",
    "atlantic",
    "indian",
    "pacific",
    "interception",
    "target",
    "harbor",
    "harbor-submarine",
    "harbor-carrier",
    "naval",
    "air",
]
AppliesTo = Literal["german", "japanese", "american", "europe", "pacific"]
NO_LIMIT = 1_000_000
"""The limit of a line without one."""


class Modifier(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of the modifier tables: the kind of its input, and what it adds."""

    key: str
    scope: Scope
    kind: Kind
    value: int
    title: str
    rule: str
    step: int = 1
    most: int = NO_LIMIT
    choices: dict[str, int] = {}
    only: list[AppliesTo] = []
    needs: str = ""

    def __post_init__(self) -> None:
        if self.step < 1 or self.most < 1:
            raise ValueError(f"step = {self.step} and most = {self.most} must both be at least 1")
        if (self.kind == "choice") != bool(self.choices):
            raise ValueError(f"{self.key} needs choices exactly when its kind is choice")


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """[24.62.10] What one part adds to a target's strength."""

    key: str
    value: int
    title: str


class Modifiers(HasSource, frozen=True):
    """All modifier lines, and the parts of a target's strength."""

    modifier: list[Modifier]
    strength: list[Strength]


class Tension(HasSource, frozen=True):
    """[51.31.1] The final tension roll, and the upper limit of tension."""

    final: dict[str, int]
    most: int


class Surprise(HasSource, frozen=True):
    """[51.31.5, 51.31.7] The effects of surprise; `engages` are shares of the defending aircraft."""

    engages: dict[str, tuple[int, int]]
    disarray: int
    air_defense: int
    attack: int


class Grounded(HasSource, frozen=True):
    """[51.31.6] The number of surprised aircraft in one naval factor."""

    army: int
    naval: int


class Interception(HasSource, frozen=True):
    """[51.31.3] The die with which a carrier force intercepts."""

    die: int


class Critical(HasSource, frozen=True):
    """[51.31.7] The critical hit die (A8)."""

    at_least: int
    effects: int


class Harbor(HasSource, frozen=True):
    """[HA] Dice and limits of harbor attacks, and the targets a research result allows."""

    least: int
    most: int
    submarine_dice: int
    carrier_dice: int
    lost_at: int
    advanced: int
    targets: dict[str, int]
    reach: dict[str, int]


class Rows(HasSource, frozen=True):
    """[19.2, 20.51] Squadrons in one army air factor, and the last row of naval attacks."""

    squadrons_a_factor: int
    heaviest_row: int


class Pearl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of Pearl Harbor and of harbor attacks."""

    tension: Tension
    surprise: Surprise
    grounded: Grounded
    interception: Interception
    critical: Critical
    harbor: Harbor
    rows: Rows


EDITIONS = {"current": "pearl-harbor", "classic": "pearl-harbor-classic"}
"""The charts of the two editions of the Surprise Table."""
ROW_30_TWICE = 2
"""The most times the last row is read with the option `heavy = "twice"` (A4)."""


class StaffOpening(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    tag_field="kind",
    tag="staff",
    rename={"inputs": "told"},
):
    """[ST.2] The scenario of a calculator match: an action, and the values entered for it; the rest are defaults."""

    title: str
    summary: str
    question: str
    inputs: dict[str, str] = {}
    order: int = 20


ScenarioContent: TypeAlias = WarOpening | RaidOpening | StaffOpening
"""The content of a scenario file, by its `kind`."""


class Data(msgspec.Struct, frozen=True, dict=True):
    """All figures of both games."""

    tables: Charts
    modifiers: Modifiers
    pearl: Pearl
    war: WarFigures
    scenarios: dict[str, ScenarioContent]

    @cached_property
    def strategic(self) -> Grid:
        """[24.62] The Strategic Warfare Combat Table."""
        return Grid(self.tables["strategic-warfare"])

    @cached_property
    def strategic_twice(self) -> Grid:
        """[24.62.2] The same table, with its last row read at most twice (A4)."""
        return Grid(self.tables["strategic-warfare"], ROW_30_TWICE)

    @cached_property
    def naval(self) -> Grid:
        """[20.51] The Naval Attack Table for air squadrons."""
        return Grid(self.tables["naval-attack"])

    @cached_property
    def air(self) -> AirGrid:
        """[19.2] The Air Combat Table."""
        return AirGrid(self.tables["air-combat"])

    @cached_property
    def surprise(self) -> Mapping[str, SurpriseTable]:
        """[51.31] The Surprise Table by edition."""
        return {edition: SurpriseTable(self.tables[chart]) for edition, chart in EDITIONS.items()}

    @cached_property
    def effects(self) -> Chart:
        """[HA] The Harbor Attack Table."""
        return self.tables["harbor-attack"]

    def scope(self, *scopes: Scope) -> list[Modifier]:
        """Return the lines of these modifier tables, in order."""
        return [line for scope in scopes for line in self.modifiers.modifier if line.scope == scope]


PACKAGE = __name__.rpartition(".")[0]
"""The package with the data files."""


@lru_cache(maxsize=1)
def figures() -> Data:
    """Return the built-in figures."""
    return load(Data, PACKAGE)
