"""What the bots of both sides share: what they know, and the ways between zones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from readyroom.engine.decisions import Decision
from readyroom.engine.game import MatchView, View
from readyroom.games.tora.figures import Data, SideName
from readyroom.games.tora.harbor import Moored, torpedo_clear
from readyroom.games.tora.plan import Berth


class Staff:
    """What a bot knows at one decision."""

    def __init__(self, view: MatchView[Any], data: Data, side: SideName, yard_first: bool) -> None:
        table = view.table
        self.turn: int = view.turn
        self.data, self.side, self.yard_first = data, side, yard_first
        self.zones: dict[str, View] = table["zones"]
        self.usa, self.japan = table["usa"], table["japan"]
        self.rulings: View = table["rulings"]
        self.preset = data.ships.preset[self.rulings["preset"]]
        self.diagonal = self.rulings["diagonal"] == "yes"

    @property
    def out(self) -> int:
        """[7.3] Return how many turns ago the last Japanese wave was due."""
        entered: int = self.japan["entered"]
        return self.turn - int(self.japan["plan"]["wave"][entered - 1]["turn"]) if entered else 0

    @property
    def more_to_come(self) -> bool:
        """[7.3] Return whether another Japanese wave is planned and not cancelled."""
        planned = min(len(self.japan["plan"]["wave"]), self.rulings["waves_max"])
        return not self.japan["off"] and self.japan["entered"] < planned

    def own(self, zone: str) -> list[View]:
        """Return the own units over a zone."""
        return list(self.zones[zone][self.side])

    def everybody(self) -> list[tuple[str, View]]:
        """Return all own units in the air, with their zones."""
        return [(zone, unit) for zone, over in self.zones.items() for unit in over[self.side]]

    def japanese(self, zone: str) -> list[View]:
        """Return the Japanese units over a zone."""
        return list(self.zones[zone]["japan"])

    def afloat(self) -> list[View]:
        """Return the ships in port that have not sunk."""
        return [ship for ship in self.usa["ships"] if ship["zone"] and not ship["sunk"]]

    def exposed(self) -> set[str]:
        """[11.4] Return the keys of the ships that torpedoes can reach."""
        cards = {card.key: card for card in self.data.ships.ship}
        lying = [
            Moored(cards[ship["key"]], Berth(**ship["berth"]), ship["sunk"])
            for ship in self.usa["ships"]
            if ship["berth"]
        ]
        shield, harbor = self.rulings["wrecks"] == "shield", self.data.places.harbor
        return {one.hull.key for one in lying if not one.sunk and torpedo_clear(harbor, one, lying, shield)}

    def tops(self, field: View) -> list[View]:
        """Return the top units of a field."""
        return [stack[-1] for stack in field["stacks"]]

    def step(self, here: str, goal: str) -> str:
        """Return the next zone on the way to a goal, or the goal once there."""
        return here if here == goal else way(self.data, here, goal, self.diagonal)[0]

    def far(self, here: str, goal: str) -> int:
        """Return the distance to a zone in moves."""
        return len(way(self.data, here, goal, self.diagonal))


_WAYS: dict[tuple[str, str, bool], list[str]] = {}


def way(data: Data, here: str, goal: str, diagonal: bool) -> list[str]:
    """[8.3] Return the zones of a shortest way, without the first, staying outside the harbor if possible."""
    known = _WAYS.get((here, goal, diagonal))
    if known is None:
        known = _WAYS[here, goal, diagonal] = _find(data, here, goal, diagonal)
    return known


def _find(data: Data, here: str, goal: str, diagonal: bool) -> list[str]:
    paths: dict[str, list[str]] = {here: []}
    edge = [here]
    while goal not in paths:
        following = []
        for zone in edge:
            for other in sorted(data.places.near(zone, diagonal), key=lambda zone: zone[0]):
                if other not in paths:
                    paths[other] = [*paths[zone], other]
                    following.append(other)
        edge = following
    return paths[goal]


@lru_cache(maxsize=4096)
def by_number(key: str) -> tuple[str, int]:
    """Return a unit's sort key: type and number."""
    type_, _, number = key.partition("-")
    return type_, int(number)


def strongest(decision: Decision, staff: Staff) -> list[str]:
    """[10.2, 11.1] Attack with the strongest units."""
    return decision.keys[: decision.at_least]
