"""Figures of the denouement (section 14), of the debriefings, and of the scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.figures.common import Crossing, Light, Parity, Plain, Sourced, Weather, Wind, label_of

# -- denouement.toml -------------------------------------------------------------------------------------------------


class LandingFigures(Sourced, frozen=True, kw_only=True):
    """[14.1.1] What is added to a landing check."""

    dice: int
    night: int
    weather: dict[Weather, int]
    elite_pilot: int
    iced: int
    iced_site: str


class ReturnFigures(Sourced, frozen=True, kw_only=True):
    """[14.3.1] What is added when ships go home, and the sum to reach from each sea area."""

    dice: int
    destroyer: int
    carrier: int
    low_fuel: int
    alert: int
    fast: int
    number: dict[str, int]


class EnemyShips(Parity, frozen=True, kw_only=True):
    """[14.3.2] Enemy ships on the way home: how many are damaged or sunk, and the face that brings planes as well."""

    damaged: int
    sunk: int
    airstrike_on: int


class Route(Plain, frozen=True, kw_only=True):
    """[14.4.3] A way to Chungking or nearer to it: the fuel of a bomber, and the sum of those who walk."""

    start: str
    end: str
    fuel: int | None = None
    trek: int


class Routes(Sourced, frozen=True, kw_only=True):
    """[14.4.3] The transport table, and what is added to a trek."""

    goal: str
    on_foot: str
    dice: int
    alert: int
    attacked: int
    chiang_briefed: int
    shanghai: int
    shanghai_chits: int
    weather_box: dict[str, str]
    route: list[Route]


class Groundcrews(Sourced, frozen=True, kw_only=True):
    """[14.4.1] What a groundcrew repairs."""

    bombers: int


class Diplomacy(Crossing, frozen=True, kw_only=True):
    """[14.5] A table of the Soviet Union: numbers by the talks, and the talks whose release may be taken back."""

    dice: int
    starred: list[str] = []
    stalin_briefed: int = 0


class Soviet(Sourced, frozen=True, kw_only=True):
    """[14.5.1] The row for scenarios without planning."""

    row: str


class Denouement(Plain, frozen=True, kw_only=True):
    """The figures of `denouement.toml`."""

    landing: LandingFigures
    poor_landing: Chart = msgspec.field(name="D1")
    ditched: Chart = msgspec.field(name="D2")
    homeward: ReturnFigures
    incident: Chart = msgspec.field(name="D3")
    ships: EnemyShips
    groundcrew: Groundcrews
    routes: Routes
    capture: Chart = msgspec.field(name="D4")
    close_call: Chart = msgspec.field(name="D4-close")
    soviet: Soviet
    internment: Diplomacy
    passage: Diplomacy
    farewell: Parity
    korea: Parity


# -- debriefing.toml -------------------------------------------------------------------------------------------------

Fact: TypeAlias = Literal[
    "box-blast",
    "area-blast",
    "blast",
    "boxes-hit",
    "cities-hit",
    "tokyo-blast",
    "carriers-hit",
    "bombers-saved",
    "bombers-lost",
    "bombers-captured",
    "bombers-destroyed",
    "bombers-damaged",
    "bombers-destroyed-with-crew",
    "good-landings-china",
    "landed-vladivostok",
    "crews-china",
    "crews-ditched-elsewhere",
    "crews-interned",
    "crews-captured",
    "crews-killed",
    "crews-lost",
    "doolittle",
    "launch-area",
    "launch",
    "launched",
    "rendezvous",
    "carriers-sunk",
    "carriers-damaged",
    "ships-sunk",
    "ships-damaged",
    "i-boats",
    "enemy-ships",
    "enemy-carriers",
    "permission",
    "chiang-briefed",
    "stalin-briefed",
    "beacons-left",
    "sites-attacked",
    "reprisal",
    "agreed",
    "denied",
    "landed-without-agreement",
    "released",
    "army",
    "navy",
]
FACTS: tuple[str, ...] = get_args(Fact)


class Term(Plain, frozen=True, kw_only=True):
    """Points for a fact: `times` for each `per` of it, whole ones, up to `most`.

    With `reaching` it is `times` once the fact is at least so much, and with `below` while it is less.
    """

    of: Fact
    times: int
    per: int = 1
    most: int | None = None
    reaching: int | None = None
    below: int | None = None

    def points(self, value: int) -> int:
        """Return the points for a value of the fact."""
        if self.reaching is not None:
            return self.times if value >= self.reaching else 0
        if self.below is not None:
            return self.times if value < self.below else 0
        counted = value if self.per == 1 else max(value, 0) // self.per
        return self.times * (counted if self.most is None else min(counted, self.most))


class Band(Plain, frozen=True, kw_only=True):
    """A span of points, its name, and what is said of it."""

    points: str
    title: str
    text: str


def band_at(bands: Sequence[Band], points: int) -> tuple[int, Band]:
    """Return the step (0 is the lowest) and the band of a number of points."""
    labels = [band.points for band in bands]
    step = labels.index(label_of(labels, points))
    return step, bands[step]


class Score(Sourced, frozen=True, kw_only=True):
    """What is counted."""

    term: list[Term]

    def points(self, facts: Mapping[str, int]) -> int:
        """Return the points for the facts; KeyError where one that counts is missing."""
        return sum(term.points(facts[term.of]) for term in self.term)


class Perspective(Score, frozen=True, kw_only=True):
    """A view of the raid: what counts for it, and its bands from the worst to the best.

    `unflown` takes their place where no bomber set out for Japan.
    """

    title: str
    unflown: Band
    band: list[Band]

    def at(self, points: int) -> tuple[int, Band]:
        """Return the grade (0 is the worst) and the band of a score."""
        return band_at(self.band, points)


class Grades(Sourced, frozen=True, kw_only=True):
    """The five grades of the short debriefings, from the worst to the best, and what is said of each."""

    title: dict[str, str]
    text: dict[str, str]


Circumstance: TypeAlias = Literal[
    "area-blast",
    "blast",
    "nobody-down-in-japan",
    "crews-in-china",
    "alert",
    "chiang-briefed",
    "stalin-briefed",
    "leaders-denied",
    "vladivostok-without-agreement",
    "china-without-success",
    "devastation",
    "cities-hit",
    "quit-india",
]


class CheckModifier(Plain, frozen=True, kw_only=True):
    """Something that is added to a check: once from `reaching` on, or (`each`) for each `per`, rounded up."""

    when: Circumstance
    add: int
    reaching: int = 1
    each: bool = False
    per: int = 1

    def value(self, of: int) -> int:
        """Return what is added where the circumstance counts so much."""
        if self.each:
            return self.add * -(-of // self.per)
        return self.add if of >= self.reaching else 0


class Outcomes(Sourced, frozen=True, kw_only=True):
    """A check of the debriefing: its dice, its modifiers, and its results, from low totals to high ones.

    `grades` is what each band counts for in the result of the raid as a whole.
    """

    title: str
    dice: int
    modifier: list[CheckModifier] = []
    reach: tuple[int, int]
    grades: list[int] = []
    band: list[Band]

    def at(self, total: int) -> tuple[int, Band]:
        """Return the step (0 is the lowest) and its band for a total."""
        return band_at(self.band, total)


class Worth(Sourced, frozen=True, kw_only=True):
    """What a place or a kind of launch is worth to the Navy."""

    launch_area: dict[str, int]
    launch: dict[str, int]
    no_launch: int
    doolittle: dict[str, int]


class Trial(Sourced, frozen=True, kw_only=True):
    """When captured crews are condemned: one in so-and-so-many, rounded up, and the White House's reaction."""

    executed_one_in: int
    white_house: int


class Words(Sourced, frozen=True, kw_only=True):
    """Paragraphs that depend on what happened."""

    text: dict[str, str]


class Tales(Sourced, frozen=True, kw_only=True):
    """[1.9] Sentences from which the front page, the letter home, the report and the time line are put together."""

    paper: dict[str, str]
    letter: dict[str, str | list[str]]
    chiefs: dict[str, str]
    line: dict[str, str]
    by: dict[str, str]


class EndingText(Plain, frozen=True, kw_only=True):
    """What is said of an ending, and the title that replaces that of the result band, if any."""

    text: str
    title: str = ""


class Endings(Sourced, frozen=True, kw_only=True):
    """[1.2, 1.3] Endings that do not depend on points."""

    ending: dict[str, EndingText]


class Debriefing(Plain, frozen=True, kw_only=True):
    """The figures of `debriefing.toml`."""

    attack: Score
    attack_grades: Grades
    raid: Score
    naval: Score
    raid_grades: Grades
    worth: Worth
    perspectives: dict[str, Perspective]
    checks: dict[str, Outcomes]
    trial: Trial
    verdict: Outcomes
    words: Words
    tales: Tales
    endings: Endings


# -- history.toml ----------------------------------------------------------------------------------------------------


class Bounds(Plain, frozen=True, kw_only=True):
    """What happened, what a plain policy came to, and between which means the bot's matches may lie."""

    history: int
    expected: float
    low: float
    high: float


class History(Sourced, frozen=True, kw_only=True):
    """What happened on 18 April 1942, as the calibration compares it."""

    bounds: dict[str, Bounds]


class Historical(Sourced, frozen=True, kw_only=True):
    """The facts of the raid, as the campaign's debriefing counts them, and the bounds of the captain's campaigns."""

    facts: dict[str, int]
    bounds: dict[str, Bounds]


class Past(Plain, frozen=True, kw_only=True):
    """The figures of `history.toml`."""

    raid: History
    campaign: Historical


# -- scenarios -------------------------------------------------------------------------------------------------------

Segment: TypeAlias = Literal["planning", "naval", "flight", "attack", "denouement"]
SEGMENTS: tuple[Segment, ...] = get_args(Segment)


class Entry(Plain, frozen=True, kw_only=True):
    """[4.1.1] The turn and the area in which a bomber enters."""

    turn: Annotated[int, Meta(ge=1, le=99)]
    bomber: str
    area: str


Supply: TypeAlias = Annotated[int, Meta(ge=0, le=99)]


class Stockpile(Plain, frozen=True, kw_only=True):
    """[7.2.2, 13.2.3] What waits in a landing site."""

    site: str
    beacon: bool = True
    groundcrews: Supply = 0
    fuel: Supply = 0


class Variant(Plain, frozen=True, kw_only=True):
    """A variant of a scenario: what it changes."""

    key: str
    title: str
    summary: str
    light: Light | None = None
    alert: Supply | None = None
    response_mixed: Annotated[bool, Meta(title="City awake", description="Response markers are in its cup.")] = False
    denouement: Annotated[bool, Meta(description="Played to the end.")] = False
    free_flights: Annotated[bool, Meta(description="The captain puts the flights together.")] = False
    enterprise: Annotated[bool | None, Meta(title="Enterprise comes")] = None
    submarines: dict[str, str] = {}
    stockpile: Annotated[list[Stockpile], Meta(title="Stores in China")] = []


VARIANTS = ("variant", "second", "third")
"""The option's names for the variants of a scenario, in order."""


class Scenario(Sourced, frozen=True, kw_only=True):
    """A scenario: its first segment, its set-up, and how its score is read."""

    title: str
    summary: str
    order: int = 10
    segments: Annotated[
        list[Segment],
        Meta(
            min_length=1,
            max_length=5,
            description="What is played, in order: planning, naval, flight, attack, denouement; it may begin anywhere.",
        ),
    ]
    map: Annotated[str, Meta(title="Target", description="Where only an attack is played.")] = ""
    light: Light | None = None
    hour: Annotated[str, Meta(description="Of the launch, where it begins with the flight.")] = ""
    launch: Literal["", "emergency"] = ""
    start_zone: str = ""
    launch_area: str = ""
    fuel: Annotated[Supply, Meta(description="Of each flight at the launch.")] = 0
    alert: Annotated[Supply, Meta(description="Of Japan at the start.")] = 0
    risk: Supply = 0
    failed: Annotated[Supply, Meta(description="Failed checks of secrecy.")] = 0
    secrecy: Annotated[Supply, Meta(description="0: as printed.")] = 0
    entry: Annotated[list[Entry], Meta(title="Bombers over the target", max_length=16)] = []
    flights: Annotated[
        list[Annotated[list[Annotated[str, Meta(title="Bomber")]], Meta(title="Flight", max_length=16)]],
        Meta(max_length=16),
    ] = []
    elites: Annotated[dict[str, str], Meta(title="Elite crewmen", description="Each with the bomber.")] = {}
    winds: Annotated[
        dict[str, tuple[Annotated[Weather, Meta(title="Weather")], Annotated[Wind, Meta(title="Wind")]]],
        Meta(title="Winds and weather"),
    ] = {}
    advice: Annotated[list[str], Meta(title="Advised targets", description="For each flight.")] = []
    rendezvous_area: str = ""
    rendezvous_turn: str = ""
    planned_area: Annotated[str, Meta(title="Planned launch area")] = ""
    submarines: Annotated[dict[str, str], Meta(description="Each with its sea area.")] = {}
    enterprise: Annotated[bool, Meta(title="Enterprise comes")] = False
    counted_areas: Annotated[list[str], Meta(description="Areas that count for full; none: all.")] = []
    bands: Annotated[
        dict[str, str],
        Meta(title="Grades", description="By points: such as <=11, 12-14, 23+. Without any, as printed."),
    ] = {}
    variant: Annotated[list[Variant], Meta(title="Variants", max_length=8)] = []

    @property
    def bombers(self) -> list[str]:
        """The bombers that take part, in the order in which they enter or take off."""
        return [entry.bomber for entry in self.entry] or [bomber for flight in self.flights for bomber in flight]

    @property
    def entries(self) -> dict[str, str]:
        """[4.1.1] The area in which each bomber enters, where the scenario names it."""
        return {entry.bomber: entry.area for entry in self.entry}

    def chosen_variant(self, choice: str) -> Variant | None:
        """[1.2] Return the variant that the option names, of those without a segment of their own; None as printed."""
        variants = zip(VARIANTS, (one for one in self.variant if not one.denouement), strict=False)
        return dict(variants).get(choice)

    def grade(self, points: int) -> str:
        """Return the grade of a score."""
        return self.bands[label_of(self.bands, points)]
