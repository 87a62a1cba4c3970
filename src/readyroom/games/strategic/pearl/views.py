"""The view of an air raid: what a seat sees."""

from __future__ import annotations

import msgspec


class RulingsView(msgspec.Struct, frozen=True):
    """The rulings that concern the raid."""

    guns: str
    critical: str
    final_die: str
    surprise_bonus: str
    disarray: str
    nationality: str


class TensionView(msgspec.Struct, frozen=True):
    """[PH.1] The declared tension, the final die (0: not rolled), what it adds, and their sum."""

    declared: int
    die: int
    adds: int
    now: int


class MagicView(msgspec.Struct, frozen=True):
    """[PH.2] By side the cards played, as far as the seat knows, and the limits; the points for a card kept."""

    played: dict[str, int | None]
    limits: dict[str, int]
    kept: int


class SurpriseView(msgspec.Struct, frozen=True):
    """[51.31.4] Japan's die, the announced level, and the level of disarray."""

    die: int
    level: int
    disarray: int


class ChartView(msgspec.Struct, frozen=True):
    """[51.31] The columns of the Surprise Table, with the odds of each."""

    columns: list[str]
    drms: list[int]
    comes: list[float]
    places: list[dict[str, float]]


class ColumnView(msgspec.Struct, frozen=True):
    """[PH.3] A column that is possible as far as the seat knows, and its probability."""

    column: int
    chance: float


class ShipView(msgspec.Struct, frozen=True):
    """A named ship."""

    key: str
    name: str
    size: int
    carrier: bool
    condition: str


class ForceView(msgspec.Struct, frozen=True):
    """An American carrier force; `place` and `intercepts` are None if the seat does not know them."""

    key: str
    name: str
    carriers: list[ShipView]
    squadrons: int
    lost: int
    seen: bool
    place: str | None
    port: bool
    intercepts: float | None


class LightShipsView(msgspec.Struct, frozen=True):
    """Factors of light ships left, and at the start."""

    left: int
    of: int


class AircraftView(msgspec.Struct, frozen=True):
    """American aircraft of one kind on the island."""

    ready: int
    up: int
    grounded: int
    lost: int


class GunsView(msgspec.Struct, frozen=True):
    """The air defence, and what surprise adds to it."""

    strength: int
    surprised: int


class SquadronsView(msgspec.Struct, frozen=True):
    """Japanese squadrons: aboard each carrier, `each` at the start, and those elsewhere."""

    aboard: dict[str, int]
    each: int
    escorts: int
    attackers: int
    patrol: int
    away: int
    back: int
    lost: int


class FiguresView(msgspec.Struct, frozen=True):
    """The most squadrons on a target, the squadrons in an air factor, scores, and nationality modifiers."""

    most: int
    factor: int
    score: dict[str, int]
    nations: dict[str, int]


class RaidView(msgspec.Struct, frozen=True, tag_field="part", tag="raid"):
    """[PH.3] What is public, and the seat's own secrets."""

    own: str | None
    rulings: RulingsView
    tension: TensionView
    magic: MagicView
    surprise: SurpriseView | None
    chart: ChartView
    columns: list[ColumnView]
    risk: float
    forces: list[ForceView]
    ships: list[ShipView]
    light: LightShipsView
    army: AircraftView
    naval: AircraftView
    guns: GunsView
    carriers: list[ShipView]
    squadrons: SquadronsView
    figures: FiguresView
    points: dict[str, dict[str, int]]
    margin: int
    kept: dict[str, int] | None
    win: dict[str, int]
    stays: bool | None
    over: bool
