"""The state of a war."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from readyroom.engine.rules.state import State
from readyroom.engine.rules.table import Table
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.state import Rulings, Staff
from readyroom.games.strategic.tables.war_opening import Base, Free, Quarter, Victory

SEATS = ("axis", "allies")
NATIONS: dict[str, tuple[str, ...]] = {"axis": ("germany", "japan"), "allies": ("allies",)}
"""The nations of each side, with separate resources."""


class Stack(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """Factors: ready, turned back this turn (miss the next one), and resting this turn."""

    ready: int = 0
    turned: int = 0
    resting: int = 0

    @property
    def whole(self) -> int:
        """All of them."""
        return self.ready + self.turned + self.resting

    def rest(self) -> None:
        """[SW.12] End the turn: resting factors are ready, turned ones rest."""
        self.ready, self.resting, self.turned = self.ready + self.resting, self.turned, 0


class Ocean(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """Merchant ships in an ocean, and their escorts."""

    escorts: int = 0
    carriers: int = 0
    merchants: int = 0

    def count(self, item: str) -> int:
        """Return the number of escort, carrier or merchant factors."""
        return {"escort": self.escorts, "carrier": self.carriers, "merchant": self.merchants}[item]

    def add(self, item: str, number: int) -> None:
        """Add or remove factors."""
        if item == "escort":
            self.escorts += number
        elif item == "carrier":
            self.carriers += number
        else:
            self.merchants += number


class Aim(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """A target of bombers; `out` steps are knocked out until the turn ends."""

    key: str
    name: str
    area: str
    distance: int
    steps: int
    strength: int
    parts: dict[str, int]
    out: int = 0

    @property
    def left(self) -> int:
        """The steps not knocked out."""
        return self.steps - self.out


class Losses(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """A nation's losses: factors, steps, and resources to submarines (`excess`) and bombs (`points`)."""

    merchants: int = 0
    escorts: int = 0
    submarines: int = 0
    excess: int = 0
    steps: int = 0
    points: int = 0
    bombers: int = 0
    interceptors: int = 0


class Power(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """A nation: resources, income, research, losses, and what it `owes` of the next income."""

    money: int
    income: tuple[int, ...]
    levels: dict[str, int]
    points: dict[str, int]
    losses: Losses
    owes: int = 0


class Raid(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """A raid on a target: bombers, escorting interceptors, and interceptors that meet it."""

    target: str
    bombers: int
    escorts: int = 0
    met: int = 0


class Orders(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """A side's plan for later this turn: rounds with a card, and raids by country."""

    cards: list[str] = []
    raids: dict[str, list[Raid]] = {}


class Report(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """The result of a round: net modifier, factors on both sides, cards played and losses."""

    round: str
    net: int
    strength: int = 0
    against: int = 0
    escorts: int = 0
    met: int = 0
    cards: list[str] = []
    lines: list[tuple[str, int]] = []
    lost: dict[str, int] = {}
    target: str = ""


class Mark(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """Totals at the end of a turn, for the graph."""

    merchants: dict[str, int]
    submarines: dict[str, int]
    sunk: dict[str, int]
    scores: dict[str, int]


class War(msgspec.Struct, eq=False, forbid_unknown_fields=True, tag_field="kind", tag="war"):
    """A war of submarines and bombers.

    `hands` are the kinds of cards by side and theater, `orders` the plans not yet carried out, `raids` the known ones.
    `reports` are this turn's, `last` the previous turn's; `played` are the sides that played a card in the current
    round. `thin` counts consecutive turns that left the Atlantic nearly empty.
    """

    year: int
    quarter: Quarter
    turns: int
    rounds: list[str]
    us_war: int
    victory: Victory
    free: list[Free]
    base: list[Base]
    oceans: dict[str, Ocean]
    submarines: dict[str, Stack]
    bombers: dict[str, Stack]
    interceptors: dict[str, int]
    targets: list[Aim]
    powers: dict[str, Power]
    hands: dict[str, dict[str, list[str]]]
    orders: dict[str, Orders]
    raids: list[Raid] = []
    escorting: dict[str, int] = {}
    reports: list[Report] = []
    last: list[Report] = []
    played: list[str] = []
    history: list[Mark] = []
    thin: int = 0

    def level(self, nation: str, project: str) -> int:
        """Return a nation's level of a project."""
        return self.powers[nation].levels.get(project, 0)

    def aim(self, key: str) -> Aim:
        """Return the target with this key."""
        return next(target for target in self.targets if target.key == key)

    def fought(self, *rounds: str) -> bool:
        """Return whether any of these rounds is part of the scenario."""
        return any(each in self.rounds for each in rounds)


class WarState(State):
    """The state of a match: the war or the calculator's rolls, and the rulings."""

    rulings: Rulings
    played: War | Staff

    @property
    def war(self) -> War:
        """The strategic war."""
        assert isinstance(self.played, War)
        return self.played


T: TypeAlias = Table[WarState, Data]
