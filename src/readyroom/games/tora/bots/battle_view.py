"""What the bots of both sides share: what they know, and the ways between zones."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import NamedTuple

from readyroom.engine.game import MatchView
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.figures import SideName, builtin_data
from readyroom.games.tora.harbor import torpedo_clear
from readyroom.games.tora.view import ShipView, ToraView, UnitView


class Aims(NamedTuple):
    """What Japan aims at.

    Attributes:
        yard_first: whether general-purpose bombs are for the yard, not for parked aircraft.
        hurt, sink: the values of damaging and sinking a capital ship.
        margin: extra hits aimed for beyond those needed, since dice vary.
        patience: after this many turns bombers stop flying on and take the targets below them.
    """

    yard_first: bool = True
    hurt: float = 2.0
    sink: float = 1.0
    margin: float = 0.9
    patience: int = 8


class BattleView:
    """What a bot knows at one decision."""

    def __init__(self, view: MatchView[ToraView], side: SideName, aims: Aims) -> None:
        table, self.data = view.table, builtin_data()
        self.turn, self.side, self.aims = view.turn, side, aims
        self.zones, self.usa, self.japan, self.rulings = table.zones, table.usa, table.japan, table.rulings
        self.preset = self.data.ships.preset[table.rulings.preset]
        self.diagonal = table.rulings.diagonal == "yes"

    @property
    def out(self) -> int:
        """[7.3] Return how many turns ago the last Japanese wave was due."""
        entered, plan = self.japan.entered, self.japan.plan
        return self.turn - plan.wave[entered - 1].turn if entered and plan else 0

    @property
    def more_to_come(self) -> bool:
        """[7.3] Return whether another Japanese wave is planned and not cancelled."""
        planned = min(len(self.japan.plan.wave), self.rulings.waves_max) if self.japan.plan else 0
        return not self.japan.off and self.japan.entered < planned

    def own(self) -> list[UnitView]:
        """Return all own units in the air."""
        return [unit for over in self.zones.values() for unit in over.of(self.side)]

    def afloat(self) -> list[ShipView]:
        """Return the ships in port that have not sunk."""
        return [ship for ship in self.usa.ships if ship.zone and not ship.sunk]

    def exposed(self) -> set[str]:
        """[11.4] Return the keys of the ships that torpedoes can reach."""
        ships, shield, harbor = self.usa.ships_at_berths, self.rulings.wrecks == "shield", self.data.places.harbor
        return {ship.hull.key for ship in ships if not ship.sunk and torpedo_clear(harbor, ship, ships, shield)}

    def step(self, here: str, goal: str) -> str:
        """Return the next zone on the way to a goal, or the goal once there."""
        return here if here == goal else way(here, goal, self.diagonal)[0]

    def far(self, here: str, goal: str) -> int:
        """Return the distance to a zone in moves."""
        return len(way(here, goal, self.diagonal))


@lru_cache(maxsize=1024)
def way(here: str, goal: str, diagonal: bool) -> list[str]:
    """[8.3] Return the zones of a shortest way, without the first, staying outside the harbor if possible."""
    paths: dict[str, list[str]] = {here: []}
    edge = deque([here])
    while goal not in paths:
        zone = edge.popleft()
        for other in sorted(builtin_data().places.near(zone, diagonal), key=lambda zone: zone[0]):
            if other not in paths:
                paths[other] = [*paths[zone], other]
                edge.append(other)
    return paths[goal]


@lru_cache(maxsize=4096)
def by_number(key: str) -> tuple[str, int]:
    """Return a unit's sort key: type and number."""
    type_, _, number = key.partition("-")
    return type_, int(number)


def strongest(decision: Decision, battle: BattleView) -> list[str]:
    """[10.2, 11.1] Attack with the strongest units."""
    return decision.keys[: decision.at_least]
