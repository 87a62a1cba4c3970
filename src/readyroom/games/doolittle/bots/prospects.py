"""[doctrine] What a loaded bomber may expect over a city: from each area, in each turn that is left, in points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from readyroom.engine.rules.checks import Check
from readyroom.games.doolittle.attack.view import AreaView, BoxView
from readyroom.games.doolittle.bots.policy import DOCTRINE, Policy
from readyroom.games.doolittle.piece_views import BomberView, MarkerView
from readyroom.games.doolittle.view import DoolittleView, RatingsView

HIT, AGAIN, STRAY, CARRIER = 5.0, 4.0, 1.0, 4.0
"""What a hit at a target is worth, at one that burns already, a bomb anywhere, and a carrier at the target."""
ELSEWHERE = 2.0
"""A hit at a target that does not count for full."""


@lru_cache(maxsize=256)
def chance_to_reach(number: int, bonus: int) -> float:
    """Return the chance of two dice with a bonus to reach a number."""
    return float(Check("", "", dice=2, at_least=number, modifiers=[("", bonus)]).odds())


class Prospects:
    """What a bomber may expect, by area: the best run there and later ones, less what the way costs."""

    def __init__(self, table: DoolittleView, bomber: BomberView | None = None, policy: Policy = DOCTRINE) -> None:
        raid, self.policy = table.attack, policy
        self.target = table.targets[raid.city]
        self.areas: dict[str, AreaView] = {area.key: area for area in self.target.areas}
        self.turn, self.last = raid.turn, raid.turns
        self.ends = not raid.flight
        self.alert = table.security.alert
        self.hurt = bool(bomber and bomber.hits)
        self.navigation, self.bombing = _skills(table.ratings, raid.light, bomber)
        others = [one for one in table.squad if not (bomber and one.key == bomber.key)]
        self.others = Counter(one.area for one in others if one.loaded and one.area)
        self.boxes = {box.key: (box, area) for area in self.areas.values() for box in area.boxes}
        self._later = self._look_ahead()

    def approach(self, box: BoxView) -> float:
        """Return the chance to reach a target, from what is known about it."""
        bonus = self.navigation + bool(box.blast) + _adds(box.markers, "approach")
        return chance_to_reach(box.approach, bonus)

    def bomb(self, key: str) -> float:
        """Return the value of a bomb at a target, once the bomber is there."""
        box, area = self.boxes[key]
        chance = chance_to_reach(box.detonation, self.bombing + _adds(box.markers, "detonation"))
        carriers = sum(marker.kind in ("ryuho", "hiyo") for marker in box.markers)
        prize = AGAIN if box.blast else HIT + CARRIER * carriers
        return chance * (prize if area.counted else ELSEWHERE) + (1 - chance) * STRAY

    def run(self, key: str, else_value: float) -> float:
        """Return the value of a run at a target, given the value of failing to find it."""
        chance = self.approach(self.boxes[key][0])
        return chance * self.bomb(key) + (1 - chance) * else_value

    def later(self, area: str) -> float:
        """Return the value of the later turns for a bomber that ends this one loaded in an area."""
        if self.turn >= self.last:
            return STRAY
        ahead = self._later[self.turn + 1]
        return max(STRAY, *(self.policy.patience * ahead[near] for near in self.areas[area].adjacent))

    def here(self, area: str) -> float:
        """Return the value of an area in this turn, when others there take the best targets first."""
        runs = sorted((self.run(box.key, self.later(area)) for box in self.areas[area].boxes), reverse=True)
        others = self.others[area]
        best = (runs[others] if others < len(runs) else runs[-1] * self.policy.crowd**others) if runs else 0.0
        return max(best, self.later(area)) - self._risk(area)

    def _look_ahead(self) -> list[dict[str, float]]:
        """Return the values by turn and area, from the last turn backwards."""
        late = (self.policy.late_hurt if self.hurt else self.policy.late) if self.ends else 0.0
        names: list[dict[str, float]] = [{} for _ in range(self.last + 1)]
        for turn in range(self.last, self.turn, -1):
            for key, area in self.areas.items():
                rest = STRAY
                if turn < self.last:
                    rest = max(STRAY, *(self.policy.patience * names[turn + 1][near] for near in area.adjacent))
                runs = [self.run(box.key, rest) for box in area.boxes]
                names[turn][key] = max([rest, *runs]) - self._risk(key) - (late if turn == self.last else 0.0)
        return names

    def _risk(self, area: str) -> float:
        """Return the cost of the hazards that a bomber is likely to meet alone in an area."""
        drawn = 1 + self.alert + self.target.adds
        lying = len(self.areas[area].markers)
        met = max(0, min(drawn, self.areas[area].limit)) + lying
        return max(0, met - 1) * (self.policy.risk_hurt if self.hurt else self.policy.risk)


def _skills(ratings: RatingsView, light: str, bomber: BomberView | None) -> tuple[int, int]:
    """Return what a bomber adds to approach and detonation."""
    navigation, bombing = ratings.navigation[light], ratings.bombing
    if bomber is None:
        return navigation, bombing
    if bomber.elite is not None:
        bombing += bomber.elite.role == "bombardier"
        navigation += bomber.elite.benefit == "Navigation"
    return navigation, bombing - bool(bomber.hits) + _adds(bomber.attached, "detonation")


def _adds(markers: Sequence[MarkerView], roll: str) -> int:
    """Return what hazards add to a roll, as far as they are seen."""
    return sum((marker.adds or {}).get(roll, 0) for marker in markers)
