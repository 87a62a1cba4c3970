"""The figures of Tora! Tora! Tora!: a typed struct for each file of the data folder."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Annotated, Literal, get_args

import msgspec

from readyroom.engine.data import load
from readyroom.engine.errors import InvalidData
from readyroom.engine.rules.charts import HasSource
from readyroom.games.tora.plans.data import AmericanPlan, Berth, JapanesePlan, Parked

SideName = Literal["japan", "usa"]
JAPAN: SideName = "japan"
USA: SideName = "usa"
SIDES: tuple[SideName, SideName] = (JAPAN, USA)
SIDE_TITLES = {JAPAN: "Japan", USA: "United States"}
SIDE_ADJECTIVES = {JAPAN: "Japanese", USA: "American"}
UMPIRE = "umpire"

Category = Literal["airfield", "ship", "aaa"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
CATEGORY_TITLES: dict[str, str] = {"airfield": "airfields", "ship": "ships", "aaa": "AAA batteries"}
PRESETS = ("prose", "table", "literal")


# -- air.toml --------------------------------------------------------------------------------------------------------


class AirLimits(HasSource, frozen=True):
    """[7.3, 14.5] Limits: units in a wave and in play, waves, and losses that Japan can sustain."""

    japan_planes: int
    sustainable_losses: int
    wave_units: int
    in_play_units: int
    waves: int


class AirType(HasSource, frozen=True):
    """[3.1, 6] A type of aircraft: units, strength, lowest die that scores, and fields or ordnance."""

    key: str
    title: str
    name: str
    side: SideName
    role: Literal["fighter", "bomber"]
    planes: int
    units: int
    strength: int
    hit: Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 1, "maximum": DIE})]
    fields: list[str] = []
    ordnance: list[str] = []

    def __post_init__(self) -> None:
        if self.units < 1 or self.strength * self.units != self.planes:
            raise ValueError(f"{self.key}: {self.units} units of strength {self.strength} are not {self.planes} planes")
        if not 1 <= self.hit <= DIE:
            raise ValueError(f"{self.key}: hit = {self.hit} is on no die")


DIE = 6
"""Every die of the game has six sides."""


class Air(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The figures of `air.toml`."""

    limits: AirLimits
    type: list[AirType]

    @cached_property
    def types(self) -> dict[str, AirType]:
        """The types by key."""
        return {each.key: each for each in self.type}

    def of(self, side: SideName) -> list[AirType]:
        """Return a side's types, in the order of the file."""
        return [each for each in self.type if each.side == side]


# -- ships.toml ------------------------------------------------------------------------------------------------------


class Condition(HasSource, frozen=True):
    """[5.6] What each ship alert adds to the strength of every ship."""

    zebra: tuple[int, int, int]


class Capital(HasSource, frozen=True):
    """[14.2] Capital ships available, and in all."""

    available: int
    total: int


class ShipPreset(HasSource, frozen=True):
    """T1, T5: the die that bombs score on, the hits that damage a ship, and the hits that sink each kind."""

    bomber_hit: int
    damaged_at: int
    strength: dict[str, int]


class ShipCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[3.2] A ship: her name and hull, whether she is a capital ship, and the length of her base in inches."""

    key: str
    name: str
    hull: str
    capital: bool
    length: int

    @property
    def kind(self) -> str:
        """The letters of the hull number: BB, CV, CL and so on."""
        return self.hull.partition("-")[0]


class Ships(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of `ships.toml`."""

    condition: Condition
    capital: Capital
    preset: dict[str, ShipPreset]
    ship: list[ShipCard]
    origins: dict[str, str]

    def __post_init__(self) -> None:
        if sorted(self.preset) != sorted(PRESETS):
            raise InvalidData("ships.toml", "preset", ", ".join(PRESETS), ", ".join(self.preset))
        for name, preset in self.preset.items():
            missing = sorted({card.kind for card in self.ship} - set(preset.strength))
            if missing:
                raise InvalidData("ships.toml", f"preset.{name}.strength", f"a strength for {missing[0]}", "none")


# -- places.toml -----------------------------------------------------------------------------------------------------


class ZoneFigures(HasSource, frozen=True):
    """[4.1] The rings from the harbor outwards, and the quadrants in a circle."""

    rings: list[str]
    cycle: list[str]


class FieldCard(HasSource, frozen=True):
    """[4.2, 5.10] An airfield, the service whose squadrons belong there, and the places on it."""

    key: str
    name: str
    zone: str
    service: str
    rows: int
    columns: int

    @property
    def places(self) -> int:
        """The number of units without stacking."""
        return self.rows * self.columns


class StackFigures(HasSource, frozen=True):
    """[4.2] Stacking limit of one place."""

    height: int


class BatteryCard(HasSource, frozen=True):
    """[4.3] A shore battery."""

    key: str
    name: str
    zone: str
    strength: int


class YardFigures(HasSource, frozen=True):
    """[4.4, 17.2] The Navy Yard: its tokens, the hits that each can take, and the last hit of each band of damage."""

    zone: str
    tokens: int
    hits: int
    bands: list[int]


class Area(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle of cells; both ends are included."""

    x: tuple[int, int]
    y: tuple[int, int]

    def holds(self, x: int, y: int) -> bool:
        """Return whether a cell is in it."""
        return self.x[0] <= x <= self.x[1] and self.y[0] <= y <= self.y[1]


class HarborFigures(HasSource, frozen=True):
    """[18.2] The harbor inch by inch: island, channel, the sea outside, and the shores along the yard."""

    width: int
    height: int
    west_to: int
    north_to: int
    island: Area
    channel: Area
    sea: Area
    yard_east: Area
    yard_south: Area
    patch: int


class SailingFigures(HasSource, frozen=True):
    """[8.5] Base lengths a ship moves in a turn: in harbor and channel, and at sea."""

    harbor: int
    sea: int


class Anchorage(HasSource, frozen=True):
    """[5.14] The default anchorage."""

    berths: dict[str, Berth]


class Places(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The figures of `places.toml`."""

    zones: ZoneFigures
    field: list[FieldCard]
    stack: StackFigures
    battery: list[BatteryCard]
    yard: YardFigures
    harbor: HarborFigures
    sailing: SailingFigures
    anchorage: Anchorage

    @cached_property
    def fields(self) -> dict[str, FieldCard]:
        """The fields by key."""
        return {field.key: field for field in self.field}

    @cached_property
    def zone_ids(self) -> list[str]:
        """The twelve zones, ring by ring from the harbor outwards."""
        return [f"{ring}{quadrant}" for ring in self.zones.rings for quadrant in self.zones.cycle]

    @cached_property
    def sectors(self) -> list[str]:
        """The zones of the outer ring, where waves come in."""
        return [f"{self.zones.rings[-1]}{quadrant}" for quadrant in self.zones.cycle]

    @cached_property
    def _neighbours(self) -> dict[bool, dict[str, list[str]]]:
        return {diagonal: self.adjacent(diagonal) for diagonal in (False, True)}

    def near(self, zone: str, diagonal: bool) -> list[str]:
        """[8.3] Return the neighbours of a zone (T9)."""
        return self._neighbours[diagonal][zone]

    def zones_of(self, ring: int) -> list[str]:
        """[4.1] The zones of a ring."""
        return self._by_ring[ring - 1]

    @cached_property
    def _by_ring(self) -> list[list[str]]:
        return [[f"{ring}{quadrant}" for quadrant in self.zones.cycle] for ring in self.zones.rings]

    def adjacent(self, diagonal: bool = False) -> dict[str, list[str]]:
        """[8.3] Return the neighbours of each zone: inwards, outwards and along the ring (T9)."""
        cycle, rings = self.zones.cycle, self.zones.rings
        neighbours: dict[str, list[str]] = {}
        for depth, ring in enumerate(rings):
            for at, quadrant in enumerate(cycle):
                sideways = [cycle[at - 1], cycle[(at + 1) % len(cycle)]]
                near = [other for step, other in enumerate(rings) if abs(step - depth) == 1]
                neighbours[f"{ring}{quadrant}"] = [
                    *(f"{other}{quadrant}" for other in near),
                    *(f"{ring}{other}" for other in sideways),
                    *(f"{away}{other}" for away in near for other in sideways if diagonal),
                ]
        return neighbours


# -- planning.toml ---------------------------------------------------------------------------------------------------


class Calendar(HasSource, frozen=True):
    """[1.1] The days on which the attack may come."""

    month: str
    year: int
    days: int


class AlertFigures(HasSource, frozen=True):
    """[5.1] Alert levels, and the points that raise them."""

    base: int
    top: int
    points: int
    titles: dict[str, list[str]]
    example: dict[str, list[int]]


class Readiness(HasSource, frozen=True):
    """[5.5, 5.6, 5.7] What airfields, guns and the yard may do, by alert level - 1."""

    launches: tuple[int, int, int]
    patrols: tuple[int, int, int]
    aaa_dice: tuple[int, int, int]
    yard_dice: tuple[int, int, int]


class SearchFigures(HasSource, frozen=True):
    """[5.8, 5.9] Sectors searched a day, and the highest die on which radar fails."""

    sectors: int
    radar_fails_to: int


class Reaction(HasSource, frozen=True):
    """[5.2, 5.3, 5.4] The sum of turn and alert level needed to react, and the turns on which levels rise."""

    sum: int
    detected_sum: int
    rises: list[int]


class WaveFigures(HasSource, frozen=True):
    """[7.3] Entry turns of waves, length of a direct sortie, and turns to rearm (T6)."""

    first_turn: int
    later_turns: list[int]
    last_turn: int
    sortie: int
    rearm: int


class CarrierDays(HasSource, frozen=True):
    """[5.13] The American carriers with a day in port, and their missions."""

    missions: dict[str, str]


class Deployment(HasSource, frozen=True):
    """[5.10] The default deployment of squadrons."""

    parked: list[Parked]


class Planning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of `planning.toml`."""

    calendar: Calendar
    alert: AlertFigures
    readiness: Readiness
    search: SearchFigures
    reaction: Reaction
    waves: WaveFigures
    carriers: CarrierDays
    deployment: Deployment


# -- combat.toml, outcome.toml ---------------------------------------------------------------------------------------


class HitFigures(HasSource, frozen=True):
    """The lowest die that scores."""

    hit: Annotated[int, msgspec.Meta(title="lowest die that hits")]


class YardFire(HitFigures, frozen=True):
    """[12.2] The lowest die that scores, and the most hits by one token."""

    hits_at_most: Annotated[int, msgspec.Meta(title="most hits of a token")]


class Piercing(HasSource, frozen=True):
    """[11.5] The die that is re-rolled."""

    again: Annotated[int, msgspec.Meta(title="die that is rolled again")]


class Luck(HasSource, frozen=True):
    """[13.1, 13.2] The turn from which cards are drawn, and the cards."""

    from_turn: Annotated[int, msgspec.Meta(title="Turn from which cards are drawn")]
    red_suits: list[str]
    red_ranks: list[str]
    always: str
    carriers_at_sea: str


class Targets(HasSource, frozen=True):
    """[7.4] Legal targets of each ordnance."""

    gp: list[str]
    ap: list[str]
    torpedo: list[str]
    none: list[str]


class Combat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of `combat.toml`."""

    guns: Annotated[HitFigures, msgspec.Meta(title="Guns")]
    yard: Annotated[YardFire, msgspec.Meta(title="Navy yard")]
    strafing: Annotated[HitFigures, msgspec.Meta(title="Strafing")]
    piercing: Annotated[Piercing, msgspec.Meta(title="Armor-piercing bombs")]
    luck: Annotated[Luck, msgspec.Meta(title="")]
    targets: Targets


Result = Literal["U", "T", "J"]


class OutcomeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """[17.1] A row of the outcome chart: ranges of undamaged, damaged and sunk capital ships, and a cell per yard band.

    `step` is the option that sets where the result changes in a row that the chart leaves open (T23).
    """

    ok: tuple[int, int]
    damaged: tuple[int, int]
    sunk: tuple[int, int]
    cells: list[Result]
    step: Literal["row1_u", "row23_j"] | None = None


class Outcomes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of `outcome.toml`."""

    results: HasSource = msgspec.field(name="verdicts")
    row: list[OutcomeRow]


class PlanSet(HasSource, frozen=True):
    """The plans of a scenario or doctrine; a side without one makes its own.

    `hurt` are the hits that ships have before the attack, by key (T37).
    """

    title: str
    summary: str
    usa: Annotated[
        AmericanPlan | None,
        msgspec.Meta(title="American plan", description="Without one, the American side makes its own in secret."),
    ] = None
    japan: Annotated[
        JapanesePlan | None,
        msgspec.Meta(title="Japanese plan", description="Without one, the Japanese side makes its own in secret."),
    ] = None
    hurt: Annotated[
        dict[str, Annotated[int, msgspec.Meta(ge=0, le=99)]] | msgspec.UnsetType,
        msgspec.Meta(title="Damaged ships", description="Hits that ships have before the attack."),
    ] = msgspec.UNSET


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All figures of the game, one field per file of its data folder."""

    air: Air
    ships: Ships
    places: Places
    planning: Planning
    combat: Combat
    outcome: Outcomes
    scenarios: dict[str, PlanSet]
    doctrines: dict[str, PlanSet]

    def __post_init__(self) -> None:
        fields = self.places.fields
        for each in self.air.type:
            unknown = next((field for field in each.fields if field not in fields), None)
            if unknown:
                raise InvalidData("air.toml", f"{each.key}.fields", f"one of {', '.join(fields)}", repr(unknown))
        missing = [card.key for card in self.ships.ship if card.key not in self.places.anchorage.berths]
        if missing:
            raise InvalidData("places.toml", f"anchorage.berths.{missing[0]}", "a berth", "none")


@lru_cache(maxsize=1)
def builtin_data() -> Data:
    """Return the package's figures: those that bots know, and what a view omits."""
    return load(Data, __package__)
