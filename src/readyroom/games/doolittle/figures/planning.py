"""Figures of the planning from January to April (section 13) and of the incidents of the time (15.1)."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.figures.common import MarkerCup, Markers, Month, Plain, Sourced, Steps, numbered

Diplomat: TypeAlias = Literal["thompson", "stilwell", "nimitz"]
DIPLOMATS: tuple[Diplomat, ...] = ("thompson", "stilwell", "nimitz")
NAVY: Diplomat = "nimitz"
CHINA: Diplomat = "stilwell"
"""Whose talks are about the Navy's part [13.2.5]."""

# -- planning.toml ---------------------------------------------------------------------------------------------------


class DiplomatRow(Plain, frozen=True, kw_only=True):
    """[13.1.1, 13.2] A row of the calendar: what is asked for, the leader who may be briefed, and the sums to reach.

    A month that is not in `needs` has no cell.
    """

    name: str
    asks: str
    leader: str = ""
    denied: int = 0
    needs: dict[Month, int]


class Calendar(Sourced, frozen=True, kw_only=True):
    """[13.1.1, 13.5.6] The calendar: its rows, those that must be used, and the risk of an early column."""

    row: dict[Diplomat, DiplomatRow]
    must: list[Diplomat]
    either: list[Diplomat]
    risk: dict[Month, int]


class DiplomacyFigures(Sourced, frozen=True, kw_only=True):
    """[13.2.1] What is added to a diplomacy check."""

    dice: int
    briefed: int
    urgent: int
    urgent_a_check: int
    doolittle: int


class JointOperations(Sourced, frozen=True, kw_only=True):
    """[13.2.5] The effects of the talk with the Navy: the Enterprise, and submarines by an even or an odd die."""

    granted_even: int
    granted_odd: int
    denied_even: int
    denied_odd: int
    unknown: int


class SitePreparation(Sourced, frozen=True, kw_only=True):
    """[13.2.3] What may be put into the landing sites of China each month."""

    dice: int
    groundcrews: int
    fuel: int
    fuel_briefed: int
    fuel_total: int


class EventFigures(Sourced, frozen=True, kw_only=True):
    """[13.2.4] What is added to an event check, and what a storm takes."""

    extensive_sites: int
    extensive: int
    storm_fuel_dice: int
    alert: int


class DoolittleBox(Plain, frozen=True, kw_only=True):
    """[13.1.1] What Doolittle does in a month's box."""

    rule: str
    text: str
    bonus: int = 0


class DoolittleBoxes(Sourced, frozen=True, kw_only=True):
    """[13.1.1] The boxes of Doolittle."""

    box: dict[Month, DoolittleBox]


class Selection(Sourced, frozen=True, kw_only=True):
    """[13.1.2] How many bombers there are to choose from."""

    least: int
    most: int


class Planning(Plain, frozen=True, kw_only=True):
    """The figures of `planning.toml`."""

    selection: Selection
    calendar: Calendar
    diplomacy: DiplomacyFigures
    joint: JointOperations
    sites: SitePreparation
    events: EventFigures
    event_chart: Chart = msgspec.field(name="P3")
    location_chart: Chart = msgspec.field(name="P3-site")
    doolittle: DoolittleBoxes


# -- modifications.toml ----------------------------------------------------------------------------------------------


class ModificationCard(Plain, frozen=True, kw_only=True):
    """[13.3.3] A modification: its box on the blotter, what it needs or excludes, and what it changes."""

    key: str
    box: Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"]
    title: str
    text: str
    needs: str = ""
    excludes: list[str] = []
    weight: int = 0
    gunnery: int = 0
    training: int = 0
    morale: int = 0
    fuel: int = 0
    box_blast: int = 0
    armour: Literal["", "added", "removed"] = ""
    turret: bool = False


class Modifications(Sourced, frozen=True, kw_only=True):
    """[13.3.3] All modifications."""

    modification: list[ModificationCard]


class Factory(Sourced, frozen=True, kw_only=True):
    """[13.3.1] Where the markers of the modifications track begin, and from which weight a bomber is heavy."""

    modifications: int
    weight: int
    guns: int
    weight_min: int
    heavy_from: int
    turn_over: int


class ModificationFigures(Plain, frozen=True, kw_only=True, dict=True):
    """The figures of `modifications.toml`."""

    modifications: Modifications
    factory: Factory
    guzzle: Steps

    @cached_property
    def cards(self) -> dict[str, ModificationCard]:
        """The modifications by key."""
        return {card.key: card for card in self.modifications.modification}


# -- training.toml ---------------------------------------------------------------------------------------------------


class SiteOfTraining(Plain, frozen=True, kw_only=True):
    """[13.4.1] A field to train at: secrecy dice and training points."""

    title: str
    secrecy: int
    training: int = 0


class TrainingSites(Sourced, frozen=True, kw_only=True):
    """[13.4.1] The fields to train at, and what liberty does for morale."""

    liberty_morale: int
    site: dict[str, SiteOfTraining]


class Measure(Plain, frozen=True, kw_only=True):
    """[13.4.2] A security measure: secrecy dice, and what it costs in morale."""

    title: str
    secrecy: int
    morale: int = 0


class Measures(Sourced, frozen=True, kw_only=True):
    """[13.4.2] The security measures."""

    measure: dict[str, Measure]


class MoraleBox(Plain, frozen=True, kw_only=True):
    """[13.4.3] A box of the morale track: elite crewmen and training points."""

    title: str
    elites: int
    training: int


class Morale(Sourced, frozen=True, kw_only=True):
    """[13.4.3] The morale track, its start, and the effect of informing the squadron."""

    start: int
    briefed: int
    doolittle: int
    box: list[MoraleBox]


class Level(Plain, frozen=True, kw_only=True):
    """[13.4.4] A level of training: its cost in points, and the rating that the squadron then has in its category."""

    cost: int
    gunnery: int = 0
    evasion: int = 0
    elite_evasion: int = 0
    navigation: int = 0
    night_evasion: int = 0


class Track(Plain, frozen=True, kw_only=True):
    """[13.4.5 to 13.4.8] A training track."""

    title: str
    rule: str
    category: Literal["gunnery", "hedgehopping", "navigation", "night"]
    needs: str = ""
    unless: str = ""
    level: list[Level]


class Training(Sourced, frozen=True, kw_only=True):
    """[13.4.4] The training tracks, and the effects and costs of extra training."""

    extra_levels: int
    extra_elites: int
    extra_risk: int
    track: dict[str, Track]


class DeckSpace(Plain, frozen=True, kw_only=True):
    """[13.4.9] A space of the short take-off track: the mishaps met on entering it, and the bombers it lets aboard."""

    space: int
    mishaps: str = ""
    capacity: int


class ShortTakeOff(Sourced, frozen=True, kw_only=True):
    """[13.4.9] Training for the short deck."""

    cost: int
    dice: int
    heavy: int
    adjust_cost: int
    adjust_dice: int
    extra: int
    untrained: int
    space: list[DeckSpace]


class TrainingFigures(Plain, frozen=True, kw_only=True):
    """The figures of `training.toml`."""

    sites: TrainingSites
    measures: Measures
    morale: Morale
    training: Training
    short_take_off: ShortTakeOff


# -- embarkation.toml ------------------------------------------------------------------------------------------------


class TransitFigures(Sourced, frozen=True, kw_only=True):
    """[13.5.2] What is added to a transit check."""

    doolittle: int
    site: dict[str, int]
    extra: int


class TransitMarker(Markers, frozen=True, kw_only=True):
    """[13.5.2] A number of equal transit hazards."""

    kind: Literal["carburetors", "turret", "damage", "security"]
    title: str
    text: str
    guzzle: int = 0
    gunnery: int = 0
    risk: int = 0


class TransitCup(MarkerCup[TransitMarker], frozen=True, kw_only=True):
    """[13.5.2] The cup of transit hazards."""

    @cached_property
    def markers(self) -> dict[str, TransitMarker]:
        """Every single marker by its key."""
        return numbered({"transit": self.marker})


class CraneFigures(Sourced, frozen=True, kw_only=True):
    """[13.5.3] How diligent one may be."""

    diligence_most: int


class DelayFigures(Sourced, frozen=True, kw_only=True):
    """[13.5.5] What bears on a delay check; diligence, repairs and modifications each take off so much."""

    diligence: int
    repair: int
    modification: int
    nimitz_briefed: int


class RiskFigures(Sourced, frozen=True, kw_only=True):
    """[13.5.6] What adds to the risk for certain, and the dice of secrecy that few bombers are worth."""

    marker: int
    squadron_briefed: int
    extra: int
    few_bombers: int
    few_dice: int


class VariableRisk(Sourced, frozen=True, kw_only=True):
    """[13.5.6] What is added to the four variable risks; `bombers` by how many were selected."""

    chiang_briefed: int
    fuel_kept: int
    delayed_bombers: dict[str, int]
    liberty_site: dict[str, int]
    liberty_bombers: dict[str, int]
    liberty_fbi: int
    telephone_quarantine: int
    telephone_untold: int


class Embarkation(Plain, frozen=True, kw_only=True):
    """The figures of `embarkation.toml`."""

    transit: TransitFigures
    transit_chart: Chart = msgspec.field(name="P4")
    cup: TransitCup
    crane: CraneFigures
    crane_chart: Chart = msgspec.field(name="P4-crane")
    delay: DelayFigures
    delay_chart: Chart = msgspec.field(name="P4-delay")
    risk: RiskFigures
    variable: VariableRisk
    risk_chart: Chart = msgspec.field(name="P5")


# -- incidents.toml --------------------------------------------------------------------------------------------------


class ChitKind(Plain, frozen=True, kw_only=True):
    """[15.1.2] A kind of incident: what happened, and what it does."""

    title: str
    rule: str
    text: str


class Chits(Sourced, frozen=True, kw_only=True, dict=True):
    """[15.1] The incident chits by the month in which they go into the cup, and how many there are of each."""

    months: dict[Month, dict[str, int]]
    totals: dict[str, int]
    kind: dict[str, ChitKind]

    @cached_property
    def markers(self) -> dict[str, str]:
        """The kind of every single chit by its key, which names its month."""
        markers: dict[str, str] = {}
        for month, kinds in self.months.items():
            each = [kind for kind, count in kinds.items() for _ in range(count)]
            markers |= {f"chits-{month}-{number}": kind for number, kind in enumerate(each, start=1)}
        return markers


class BataanFigures(Sourced, frozen=True, kw_only=True):
    """[15.1.2.B] MacArthur's face to stay, the crewman grounded by his capture, and the chits that end the raid."""

    stays_on: int
    grounds: str
    called_off: dict[str, int]


class CeylonFigures(Sourced, frozen=True, kw_only=True):
    """[15.1.2.D] The face of a British victory, the risk that it takes away, and the chit that it fishes out."""

    victory_from: int
    risk: int
    fished: str


class RabaulFigures(Sourced, frozen=True, kw_only=True):
    """[15.1.2.F] What Rabaul does to the talks with the Navy, and what a second one does."""

    modifier: int
    one_carrier_to: int
    risk_dice: int
    earliest_turn: str


class ShanghaiFigures(Sourced, frozen=True, kw_only=True):
    """[15.1.2.H] Landing sites lost by an even and by an odd die, and what a second chit does to treks."""

    sites_even: int
    sites_odd: int
    trek: int


class WakeFigures(Sourced, frozen=True, kw_only=True):
    """[15.1.2.I] What each chit of Wake does."""

    after_blast: int
    risk_dice: int
    failed_invasion: int
    called_off_to: int


class Incidents(Plain, frozen=True, kw_only=True):
    """The figures of `incidents.toml`."""

    chits: Chits
    bataan: BataanFigures
    ceylon: CeylonFigures
    rabaul: RabaulFigures
    shanghai: ShanghaiFigures
    wake: WakeFigures
