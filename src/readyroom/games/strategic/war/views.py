"""[SW.14] The view of a war: what a seat sees."""

from __future__ import annotations

import msgspec

from readyroom.games.strategic.tables.state import Rulings
from readyroom.games.strategic.tables.war_opening import Victory


class StackView(msgspec.Struct, frozen=True):
    """Factors: ready, turned back in this turn, and resting."""

    ready: int
    turned: int
    resting: int

    @property
    def out(self) -> int:
        """Those that miss a turn."""
        return self.turned + self.resting


class OceanView(msgspec.Struct, frozen=True):
    """Merchant ships in an ocean, and their escorts."""

    escorts: int
    carriers: int
    merchants: int


class ExpectedView(msgspec.Struct, frozen=True):
    """Mean losses of a submarine round."""

    escorts: float
    merchants: float
    points: float
    lost: float
    turned: float


class FleetView(StackView, frozen=True, kw_only=True):
    """A submarine campaign: its factors, the net modifier line by line, and a round's mean results."""

    title: str
    nation: str
    sea: str
    net: int
    lines: list[tuple[str, int]]
    expected: ExpectedView


class TargetView(msgspec.Struct, frozen=True):
    """A target: its steps, those that are out, its strength, and the bombers' net modifier."""

    key: str
    name: str
    distance: int
    steps: int
    out: int
    strength: int
    parts: dict[str, int]
    net: int


class CountryView(msgspec.Struct, frozen=True):
    """A bombed country: the bombers against it, its interceptors, the ranges and the targets."""

    title: str
    attacker: str
    defender: str
    bombers: StackView
    interceptors: int
    escorts: str | None
    reach: int
    escort_reach: int
    interception: int
    targets: list[TargetView]


class LossesView(msgspec.Struct, frozen=True):
    """What a nation has lost."""

    merchants: int
    escorts: int
    submarines: int
    excess: int
    steps: int
    points: int
    bombers: int
    interceptors: int


class PowerView(msgspec.Struct, frozen=True):
    """A nation; `points` of research are hidden from the enemy, who sees their sum, `under_way`."""

    title: str
    side: str
    own: bool
    money: int
    income: int
    owes: int
    projects: list[str]
    levels: dict[str, int]
    points: dict[str, int] | None
    under_way: int
    losses: LossesView


class HandView(msgspec.Struct, frozen=True):
    """A side's cards for a theater; the enemy sees only how many."""

    count: int
    kinds: list[str] | None


class PlannedRaid(msgspec.Struct, frozen=True, omit_defaults=True):
    """A raid in a side's orders."""

    target: str
    bombers: int
    escorts: int = 0
    met: int = 0


class OrdersView(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seat's own orders not yet carried out: rounds with a card, and raids by country."""

    cards: list[str] = []
    raids: dict[str, list[PlannedRaid]] = {}


class PlanView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A plan while it is made: factors and research points added, by counter and track, and the orders."""

    added: dict[str, int] = {}
    orders: OrdersView = OrdersView()


class RaidView(msgspec.Struct, frozen=True):
    """A raid that is known to both sides."""

    target: str
    area: str
    bombers: int
    escorts: int
    met: int


class ReportView(msgspec.Struct, frozen=True):
    """The result of a round."""

    round: str
    net: int
    strength: int
    against: int
    escorts: int
    met: int
    cards: list[str]
    lines: list[tuple[str, int]]
    lost: dict[str, int]
    target: str


class MarkView(msgspec.Struct, frozen=True):
    """Totals at the end of a turn."""

    merchants: dict[str, int]
    submarines: dict[str, int]
    sunk: dict[str, int]
    scores: dict[str, int]


class FiguresView(msgspec.Struct, frozen=True):
    """Prices, what makes a level of research, the most levels, the most moves of a turn, the cost of a bombed step."""

    prices: dict[str, int]
    level: int
    levels: int
    moves: int
    repair: int


class WarView(msgspec.Struct, frozen=True, tag_field="part", tag="war"):
    """[SW.14, W1] Boxes, losses and levels, which are public, and the seat's own cards, plans and points."""

    rulings: Rulings
    date: str
    dates: list[str]
    turns: int
    rounds: list[str]
    scores: dict[str, int]
    victory: Victory
    bombing: int
    thin: int
    oceans: dict[str, OceanView]
    fleets: dict[str, FleetView]
    countries: dict[str, CountryView]
    interceptors: dict[str, int]
    powers: dict[str, PowerView]
    hands: dict[str, dict[str, HandView]]
    orders: OrdersView | None
    raids: list[RaidView]
    reports: list[ReportView]
    last: list[ReportView]
    history: list[MarkView]
    figures: FiguresView
