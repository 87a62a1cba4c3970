"""The state of a war: what lies in each box, what each nation has learned and has left, and what was planned."""

from __future__ import annotations

import msgspec

from readyroom.games.strategic.war.opening import Base, Free, Quarter, Victory

SEATS = ("axis", "allies")
NATIONS: dict[str, tuple[str, ...]] = {"axis": ("germany", "japan"), "allies": ("allies",)}
"""The nations of each side, which pay for themselves."""


class Stack(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """Factors that are ready; those that turned back in this turn and miss the next; and those that miss this one."""

    ready: int = 0
    turned: int = 0
    resting: int = 0

    @property
    def whole(self) -> int:
        """All of them."""
        return self.ready + self.turned + self.resting

    def rest(self) -> None:
        """[SW.12] The turn is over: who missed it is ready, who turned back in it misses the next one."""
        self.ready, self.resting, self.turned = self.ready + self.resting, self.turned, 0


class Ocean(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """What is hunted in an ocean, and what guards it."""

    escorts: int = 0
    carriers: int = 0
    merchants: int = 0

    def count(self, item: str) -> int:
        """How many factors there are of escorts, carriers or merchant ships, by the singular."""
        return {"escort": self.escorts, "carrier": self.carriers, "merchant": self.merchants}[item]

    def add(self, item: str, number: int) -> None:
        """Put factors there, or take them away."""
        if item == "escort":
            self.escorts += number
        elif item == "carrier":
            self.carriers += number
        else:
            self.merchants += number


class Aim(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """A target of bombers; `out` are the steps that are knocked out until the turn ends."""

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
        """The steps that still work."""
        return self.steps - self.out


class Losses(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a nation has lost: factors, steps, and resource points to submarines (`excess`) and to bombs (`points`)."""

    merchants: int = 0
    escorts: int = 0
    submarines: int = 0
    excess: int = 0
    steps: int = 0
    points: int = 0
    bombers: int = 0
    interceptors: int = 0


class Power(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """A nation: its resource points, what it owes of the next income, its levels and points of research, its losses."""

    money: int
    income: tuple[int, ...]
    levels: dict[str, int]
    points: dict[str, int]
    losses: Losses
    owes: int = 0


class Raid(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """A raid on a target: the bombers and the interceptors that escort them, and those that meet them."""

    target: str
    bombers: int
    escorts: int = 0
    met: int = 0


class Orders(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a side has planned for later in this turn: the rounds in which it plays a card, and its raids by country."""

    cards: list[str] = []
    raids: dict[str, list[Raid]] = {}


class Report(msgspec.Struct, eq=False, forbid_unknown_fields=True, omit_defaults=True):
    """What came of a round: the net modifier, the factors on both sides, cards played, and what was lost, by name."""

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
    """How things stood at the end of a turn, for the graph: merchant ships, submarines, what was sunk, and points."""

    merchants: dict[str, int]
    submarines: dict[str, int]
    sunk: dict[str, int]
    scores: dict[str, int]


class War(msgspec.Struct, eq=False, forbid_unknown_fields=True, tag_field="kind", tag="war"):
    """A war of submarines and bombers.

    `hands` are the cards of each side by theater, as kinds; `orders` what each side has planned and not yet done;
    `raids` those that are known. `reports` are of this turn, `last` of the one before; `played` are the sides that have
    played a card in the round that is being fought. `thin` counts turns on end that left the Atlantic nearly empty.
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
        """A nation's level of a project."""
        return self.powers[nation].levels.get(project, 0)

    def aim(self, key: str) -> Aim:
        """The target of this key."""
        return next(target for target in self.targets if target.key == key)

    def fought(self, *rounds: str) -> bool:
        """Whether any of these rounds is part of the scenario."""
        return any(each in self.rounds for each in rounds)
