"""Bots: each spends by a list of wants, from what its seat sees, and fights by a few rules of thumb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from random import Random
from typing import Any

from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, ViewFn

Shown = Mapping[str, Any]
Want = tuple[str, int]
"""The key of an option, and how many of it."""
SPLIT = 4
"""With so many bombers for each point of a target's strength two are raided."""
CATCHING_UP = 4
"""How many merchant ships a turn are built in the Atlantic once it is calm."""


@dataclass(frozen=True)
class Style:
    """A way to fight.

    `guard` are escorts wanted for each factor of submarines in an ocean; `keep` the merchant ships wanted in the
    Atlantic, and `share` that in other oceans as a part of it. `cover` are interceptors wanted for each enemy bomber.
    `rest` shares out what is left, by weights, over the options of these keys. `studies` are projects in the order in
    which they are paid for, `points` a turn. `mass` is how many bombers a raid takes, and `daring` how many for each
    interceptor. `boats` are the American submarines that are enough, and `calm` the enemy submarines in the Atlantic
    with which it is time to build merchant ships again, up to `plenty`.
    """

    guard: float = 1.0
    keep: int = 25
    share: float = 0.4
    cover: float = 0.5
    rest: Mapping[str, int] = field(default_factory=dict)
    studies: tuple[str, ...] = ()
    points: int = 1
    mass: int = 10
    daring: float = 1.3
    boats: int = 12
    calm: int = 6
    plenty: int = 32


AXIS = Style(
    guard=1.0,
    keep=18,
    share=1.0,
    cover=0.5,
    rest={"submarine-atlantic": 6, "submarine-pacific": 2, "submarine-indian": 1},
    studies=("torpedo", "air-range", "radar", "asw", "air-defense"),
    points=0,
    mass=4,
    daring=9.0,
)
ALLIES = Style(
    guard=1.8,
    keep=14,
    share=0.4,
    cover=0.5,
    rest={"submarine-pacific": 3, "bomber-home": 3, "carrier-atlantic": 1, "bomber-pacific": 1},
    studies=("asw", "torpedo", "bombers", "air-range", "radar"),
    points=2,
)
STYLES: Mapping[str, Mapping[str, Style]] = {
    "doctrine": {"axis": AXIS, "allies": ALLIES},
    "wolfpack": {
        "axis": replace(AXIS, cover=0.0, keep=0, guard=0.5),
        "allies": replace(ALLIES, rest={"submarine-pacific": 5, "bomber-home": 2, "carrier-atlantic": 1}, boats=18),
    },
    "fortress": {
        "axis": replace(
            AXIS,
            cover=0.8,
            guard=1.4,
            rest={"submarine-atlantic": 5, "submarine-pacific": 1, "interceptor-home": 1, "escort-home": 1},
        ),
        "allies": replace(ALLIES, guard=2.1, studies=("asw", "radar", "torpedo", "bombers")),
    },
    "convoy": {
        "axis": replace(
            AXIS, guard=1.3, keep=22, rest={"submarine-atlantic": 5, "submarine-pacific": 2, "escort-home": 1}
        ),
        "allies": replace(ALLIES, keep=16, rest={"carrier-atlantic": 2, "submarine-pacific": 4, "bomber-home": 3}),
    },
    "bomber": {
        "axis": replace(
            AXIS, rest={"bomber-home": 1, "submarine-atlantic": 5, "submarine-pacific": 1}, daring=1.0, mass=6
        ),
        "allies": replace(
            ALLIES, rest={"bomber-home": 4, "bomber-pacific": 2}, studies=("bombers", "asw", "air-range")
        ),
    },
}
"""The doctrines by name: each has a style for either side."""


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """All bots by name."""
    return {name: _maker(name) for name in STYLES}


def _maker(name: str) -> Callable[[str, Random], Bot]:
    def made(seat: str, random: Random) -> Bot:
        return Staff(seat, STYLES[name][seat], random)

    return made


class Staff:
    """A bot: it answers each question by what it is about."""

    def __init__(self, seat: str, style: Style, random: Random) -> None:
        self.seat, self.style, self.random = seat, style, random
        self.enemy = "axis" if seat == "allies" else "allies"

    def __call__(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """The keys of what it chooses."""
        subject, _, rest = decision.piece_key.partition("-")
        shown: Shown = look()["table"]
        if subject == "build":
            return self._build(decision, shown, rest)
        if subject == "raid":
            return self._raid(decision, shown, rest)
        if subject == "meet":
            return self._meet(decision, shown)
        if subject == "escort":
            return self._escort(decision, shown)
        if subject == "cards":
            return decision.keys[: decision.at_most]
        if subject == "to":
            return self._reinforce(decision, shown)
        return self._move(decision, shown)

    # -- building ----------------------------------------------------------------------------------------------------

    def _build(self, decision: Decision, shown: Shown, nation: str) -> list[str]:
        """What is wanted in the order in which it is, then the rest by its weights, as far as the money goes."""
        prices = {option.key: option.cost for option in decision.values}
        left = {option.key: decision.max_repeats(option) for option in decision.values}
        money, chosen = decision.budget, list[str]()
        for key, count in self._wants(shown, nation):
            for _ in range(count):
                if left.get(key, 0) > 0 and prices[key] <= money:
                    left[key] -= 1
                    money -= prices[key]
                    chosen.append(key)
        weights = {key: weight for key, weight in self.style.rest.items() if left.get(key, 0) > 0}
        if self._enough(shown):
            weights.pop("submarine-pacific", None)
        while weights and money >= min(prices[key] for key in weights):
            key = self.random.choices(list(weights), list(weights.values()))[0]
            if prices[key] > money:
                break
            money -= prices[key]
            chosen.append(key)
            left[key] -= 1
            weights = {key: weight for key, weight in weights.items() if left[key] > 0}
        return chosen + self._left_over(nation, left, prices, money)

    def _left_over(self, nation: str, left: Mapping[str, int], prices: Mapping[str, int], money: int) -> list[str]:
        """What cannot be used as it is liked goes into aircraft at home, then into research."""
        if any(key in left for key in self.style.rest if not (nation == "japan" and key == "submarine-atlantic")):
            return []
        key = next((key for key in ("interceptor-home", "research-radar", "research-air-defense") if left.get(key)), "")
        return [key] * min(left[key], money // prices[key]) if key else []

    def _wants(self, shown: Shown, nation: str) -> Iterator[Want]:
        yield from self._studies(shown, nation)
        if nation == "allies" and "german-atlantic" in shown["fleets"]:
            yield "merchant-atlantic", max(0, self.style.keep - shown["oceans"]["atlantic"]["merchants"])
        for sea in self._seas(shown, nation):
            where, ocean = "home" if sea == "japan" else sea, shown["oceans"][sea]
            boats = sum(fleet["ready"] + fleet["resting"] for fleet in shown["fleets"].values() if fleet["sea"] == sea)
            missing = ceil(boats * self.style.guard) - ocean["escorts"]
            yield f"escort-{where}", max(0, missing)
        for sea in self._seas(shown, nation):
            where, ocean = "home" if sea == "japan" else sea, shown["oceans"][sea]
            keep = self.style.keep * (1 if sea == "japan" else self.style.share)
            yield f"merchant-{where}", max(0, ceil(keep) - ocean["merchants"]) if sea != "atlantic" else 0
        atlantic = shown["fleets"].get("german-atlantic")
        if nation == "allies" and atlantic is not None and atlantic["ready"] <= self.style.calm:
            yield (
                "merchant-atlantic",
                max(0, min(CATCHING_UP, self.style.plenty - shown["oceans"]["atlantic"]["merchants"])),
            )
        for area, country in shown["countries"].items():
            if country["defender"] == nation:
                bombers = country["bombers"]["ready"] + country["bombers"]["resting"]
                yield "interceptor-home", max(0, ceil(bombers * self.style.cover) - shown["interceptors"][area])

    def _enough(self, shown: Shown) -> bool:
        """Whether there are American submarines enough for what Japan has left."""
        american = shown["fleets"].get("american")
        if self.seat == "axis" or american is None:
            return False
        left = shown["oceans"]["japan"]["merchants"]
        enough: bool = american["ready"] + american["resting"] >= (self.style.boats if left else self.style.boats // 2)
        return enough

    def _studies(self, shown: Shown, nation: str) -> Iterator[Want]:
        """A point or two on the first project that still has a level to reach."""
        power = shown["powers"][nation]
        open_ = [each for each in self.style.studies if power["levels"].get(each, 9) < shown["figures"]["levels"]]
        if open_ and self.style.points:
            lowest = min(power["levels"][each] for each in open_[:3])
            first = next(each for each in open_ if power["levels"][each] == lowest)
            yield f"research-{first}", self.style.points

    def _seas(self, shown: Shown, nation: str) -> list[str]:
        """The oceans in which a nation is hunted, the greatest danger first."""
        seas = {"allies": ("atlantic", "indian", "pacific"), "japan": ("japan",)}.get(nation, ())
        hunted = {fleet["sea"] for fleet in shown["fleets"].values()}
        return [sea for sea in seas if sea in hunted]

    # -- moving ------------------------------------------------------------------------------------------------------

    def _reinforce(self, decision: Decision, shown: Shown) -> list[str]:
        """Escorts go to the ocean that lacks most of them, from one that has them to spare."""
        need = {sea: self._lack(shown, sea) for sea in ("atlantic", "indian", "pacific")}
        worst = max(need, key=lambda sea: need[sea])
        spare = max((-lack for sea, lack in need.items() if sea != worst), default=0)
        key = f"to-{worst}"
        return [key if need[worst] >= 2 and spare >= 2 and key in decision.keys else "stay"]

    def _lack(self, shown: Shown, sea: str) -> int:
        boats = sum(fleet["ready"] for fleet in shown["fleets"].values() if fleet["sea"] == sea)
        lack: int = ceil(boats * self.style.guard) - shown["oceans"][sea]["escorts"]
        return lack

    def _move(self, decision: Decision, shown: Shown) -> list[str]:
        """Escorts that others can spare; the Axis leaves its submarines where they are, except before an empty sea."""
        chosen: list[str] = []
        for option in decision.values:
            told = option.value
            if told.item == "escort":
                spare = -self._lack(shown, told.origin)
                chosen += [option.key] * max(
                    0, min(spare, decision.max_repeats(option), decision.at_most - len(chosen))
                )
            if told.item == "submarine":
                here, there = (shown["fleets"][each]["expected"] for each in (told.origin, told.goal))
                empty = shown["oceans"][shown["fleets"][told.origin]["sea"]]["merchants"] == 0
                if empty and there is not here:
                    chosen += [option.key] * min(decision.max_repeats(option), decision.at_most - len(chosen))
        return chosen

    # -- raids -------------------------------------------------------------------------------------------------------

    def _raid(self, decision: Decision, shown: Shown, area: str) -> list[str]:
        """All bombers to the target that is worth it, if they are not outmatched; two targets for a great many."""
        country, count = shown["countries"][area], decision.at_most
        if count < self.style.mass or count < self.style.daring * country["interceptors"]:
            return []
        aims = {aim["key"]: aim for aim in country["targets"]}
        known = sorted(decision.keys, key=lambda key: (aims[key]["net"], -aims[key]["strength"]), reverse=True)
        first = count if count < SPLIT * aims[known[0]]["strength"] or len(known) == 1 else ceil(count / 2)
        return [known[0]] * first + [known[-1 if len(known) < 2 else 1]] * (count - first)

    def _escort(self, decision: Decision, shown: Shown) -> list[str]:
        """All interceptors that no enemy bombers keep at home."""
        area = decision.piece_key.partition("-")[2]
        home = shown["countries"][area]["escorts"]
        threat = shown["countries"][home]["bombers"]["ready"] if home in shown["countries"] else 0
        free = max(0, decision.at_most - ceil(threat * self.style.cover))
        return [decision.keys[0]] * free

    def _meet(self, decision: Decision, shown: Shown) -> list[str]:
        """All interceptors, shared out as the raids are."""
        raids = {f"meet-{raid['target']}": raid["bombers"] for raid in shown["raids"]}
        whole, sent = sum(raids.values()), Counter[str]()
        for key, bombers in sorted(raids.items(), key=lambda one: -one[1]):
            sent[key] = min(ceil(decision.at_most * bombers / whole), decision.at_most - sent.total())
        return list(sent.elements())
