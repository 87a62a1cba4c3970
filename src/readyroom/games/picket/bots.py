"""The bots: captains who fire, evade and repair by a policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from readyroom.engine.game import Bot, ViewFn
from readyroom.engine.rules.decisions import Decision, Option
from readyroom.games.picket.combat import odds
from readyroom.games.picket.ship.view import ShipView

OFFICERS = {"7.7.E": "executive", "7.7.F": "engineer", "7.7.G": "damage-control"}
"""The officer that a question is about, by its rule."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a captain plays.

    Attributes:
        fire: guns go to the plane most likely to get through, to one plane after the other, or so that the fewest
            planes are expected to strike by the fire tables.
        evades: whether emergency maneuvers are tried [6.10].
        fuel: the least fuel for that.
        repairs: whether repair parties are assigned [7.7]: to the worst hit compartments, at random, or not at all.
        heel: the least list or trim that is corrected [7.9.H].
        flood: it is corrected while the flood track is above this.
    """

    fire: Literal["spread", "one-target", "expected"] = "spread"
    evades: bool = True
    fuel: Annotated[int, Meta(ge=1, le=10)] = 4
    repairs: Literal["worst", "random", "none"] = "worst"
    heel: Annotated[int, Meta(ge=1, le=6)] = 2
    flood: Annotated[int, Meta(ge=0, le=8)] = 3


STYLES: Mapping[str, Policy] = {
    "doctrine": Policy(),
    "steady": Policy(evades=False),
    "one-target": Policy(fire="one-target"),
    "careless": Policy(repairs="none"),
    "haphazard": Policy(repairs="random"),
    "reckoned": Policy(fire="expected", fuel=2),
}
"""The doctrine captain, variants that each leave one thing out, to measure its value, and the expected-value bot."""


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """Return the captains by name, the default first."""
    return {name: partial(bot_of, policy) for name, policy in STYLES.items()}


def bot_of(policy: Policy, seat: str, random: Random) -> Bot:
    """Return a captain who plays by this policy."""
    captain = ExpectedValueCaptain if policy.fire == "expected" else Captain
    return captain(policy, random)


@dataclass(eq=False)
class Captain:
    """Answers by the rule of the question."""

    policy: Policy
    random: Random

    def __call__(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Return the answer to a decision."""
        answers = {
            "6.8.C": self._director,
            "6.8.C.1": self._by_hand,
            "6.8": self._fire,
            "6.8.O": self._support,
            "6.9.E": self._special,
            "6.10": self._maneuvers,
            "7.7": self._parties,
            "7.7.E": self._officer,
            "7.7.F": self._officer,
            "7.7.G": self._section,
            "7.8.2.F": self._all,
            "7.9.H": self._trim,
        }
        return answers.get(decision.rule, self._first)(decision, look)

    def _first(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Return the first option that does something; stay where leaving is a defeat."""
        keys = decision.keys
        for default in ("stay", "go-on", "fight-on"):
            if default in keys:
                return [default]
        if decision.rule == "6.5.G" and len(keys) > 1:
            return [next(key for key in keys if key != "keep")]
        return [keys[0]] if decision.at_least else []

    def _director(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Return the plane that most 5-inch guns bear on."""
        ship: ShipView = look().table.ship
        arcs = [mount.arc for mount in ship.mounts if mount.kind == "5-inch" and mount.works]
        return [max(decision.values, key=lambda option: sum(option.value.plane.bearing in arc for arc in arcs)).key]

    def _by_hand(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Return the first plane."""
        return [decision.keys[0]]

    def _fire(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Assign the guns; where none was assigned, hold fire."""
        return self._guns(decision, look) if decision.budget_groups else ["hold"]

    def _guns(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Assign each gun in turn to the plane most likely to get through so far."""
        left = dict[str, float]()
        chosen = []
        for group in decision.budget_groups:
            options = [(option, option.info.chance or 0.0) for option in group.options]
            for option, _ in options:
                left.setdefault(option.value.plane.key, 1.0)
            if self.policy.fire == "spread":
                best = max(options, key=lambda one: left[one[0].value.plane.key] * (one[1] + odds.HIT))
            else:
                first = min(left)
                best = next((one for one in options if one[0].value.plane.key == first), options[0])
            left[best[0].value.plane.key] *= 1 - best[1] - odds.HIT
            chosen.append(best[0].key)
        return chosen

    def _special(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Assign all markers in rotation, one to each plane."""
        keys = decision.keys
        return [keys[number % len(keys)] for number in range(decision.at_most)]

    _support = _special

    def _maneuvers(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Evade as long as the fuel lasts."""
        fuel = look().table.ship.tracks.fuel
        return ["evade" if self.policy.evades and fuel >= self.policy.fuel else "steady"]

    def _parties(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Send up to three men to each compartment, the worst hit first, then to the rest."""
        if self.policy.repairs == "none":
            return []
        if self.policy.repairs == "worst":
            rooms = {room.key: room.hits for room in look().table.ship.rooms}
            return _fill(decision, sorted(decision.values, key=lambda option: -rooms.get(option.value, 0)))
        at = self.random.randrange(len(decision.values) + 1)  # a random place, or none
        return _fill(decision, decision.values[at : at + 1])

    def _officer(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Send a helpful officer to the worst compartment; keep a harmful one away."""
        ship: ShipView = look().table.ship
        if _hinders(decision, ship) or self.policy.repairs == "none":
            return ["stay"]
        rooms = {room.key: room.hits for room in ship.rooms}
        able = [option for option in decision.values if option.value is not None]
        return [max(able, key=lambda option: rooms.get(option.value, 0)).key]

    def _section(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Choose the section with most damage, or with least if the officer is no help."""
        ship: ShipView = look().table.ship
        hurt = Counter(room.section for room in ship.rooms if room.hits)
        pick = min if _hinders(decision, ship) else max
        return [pick(decision.values, key=lambda option: hurt[option.value]).key]

    def _all(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Send on as many men as allowed."""
        return _fill(decision, decision.values)

    def _trim(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Correct a list while the flood track allows it."""
        ship: ShipView = look().table.ship
        if max(abs(ship.heel), abs(ship.trim)) < self.policy.heel or ship.tracks.flood <= self.policy.flood:
            return ["enough"]
        return [decision.keys[1]]


class ExpectedValueCaptain(Captain):
    """The expected-value bot: fires so that the fewest planes are expected to strike, by the fire tables."""

    def _director(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Track the plane with which all guns together prevent most strikes."""
        return [max(decision.values, key=lambda option: odds.assign_shots(option.value.shots())[1]).key]

    _by_hand = _director

    def _guns(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Return the shots that let the fewest planes strike."""
        keys = {(option.value.gun, option.value.plane.key): option.key for option in decision.values}
        shots = odds.best_assignment([[option.value for option in group.options] for group in decision.budget_groups])
        return [keys[shot.gun, shot.plane.key] for shot in shots.values()]

    def _support(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Assign each marker to the plane most likely to survive the guns and strike."""
        left = {option.key: option.value.strikes for option in decision.values}
        missed = {option.key: 1.0 - option.value.kills for option in decision.values}
        chosen = []
        for _ in range(decision.at_most):
            chosen.append(max(left, key=lambda key: left[key]))
            left[chosen[-1]] *= missed[chosen[-1]]
        return chosen


def _fill(decision: Decision, options: Sequence[Option]) -> Sequence[str]:
    """Return as many men as allowed, to the first options first."""
    chosen = list[str]()
    for option in options:
        chosen += [option.key] * min(decision.max_repeats(option), decision.at_most - len(chosen))
    return chosen


def _hinders(decision: Decision, ship: ShipView) -> bool:
    """Return whether the officer in question costs the men at work more than they gain."""
    key = OFFICERS[decision.rule]
    return any(officer.value < 0 for officer in ship.officers if officer.key == key)
