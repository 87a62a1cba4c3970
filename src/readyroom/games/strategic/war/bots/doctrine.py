"""The bots of the war: each spends by its policy and fights by a few heuristics, from its seat's view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from random import Random

from readyroom.engine.game import Bot, ViewFn
from readyroom.engine.rules.decisions import Decision
from readyroom.games.strategic.war.bots.policy import STYLES, AlliedPolicy, Policy
from readyroom.games.strategic.war.views import WarView

Want = tuple[str, int]
"""An option key, and how many of it are wanted."""
SPLIT = 4
"""With this many bombers for each point of a target's strength, a second target is raided."""
CATCHING_UP = 4
"""Merchant ships built a turn in the Atlantic once it is calm."""
SEAS = {
    "allies": {"atlantic": "atlantic", "indian": "indian", "pacific": "pacific"},
    "japan": {"japan": "home"},
}
"""The oceans in which a nation may be hunted, the most dangerous first, with the box of what is built for each."""


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """Return all bots by name."""
    return {name: partial(_of_style, styles) for name, styles in STYLES.items()}


def _of_style(styles: Mapping[str, Policy], seat: str, random: Random) -> Bot:
    return DoctrineBot(styles[seat], seat, random)


class DoctrineBot:
    """A bot that plays by a policy and answers each question by its `piece_key`."""

    def __init__(self, policy: Policy, seat: str, random: Random) -> None:
        self.seat, self.policy, self.random = seat, policy, random

    def __call__(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Return the chosen keys."""
        if decision.only_continues:
            return decision.keys
        subject, _, rest = decision.piece_key.partition("-")
        if subject == "cards":
            return decision.keys[: max(decision.at_least, round(decision.at_most * self.policy.cards))]
        answers = {
            "build": self._build,
            "raid": self._raid,
            "meet": self._meet,
            "escort": self._escort,
            "to": self._reinforce,
            "move": self._move,
        }
        return answers[subject](decision, look().table, rest)

    # -- building ----------------------------------------------------------------------------------------------------

    def _build(self, decision: Decision, view: WarView, nation: str) -> list[str]:
        """Buy the wants in order, then the rest by weights, while the money lasts."""
        prices = {option.key: option.cost for option in decision.values}
        left = {option.key: decision.max_repeats(option) for option in decision.values}
        money, chosen = decision.budget, list[str]()
        for key, count in self._wants(view, nation):
            for _ in range(count):
                if left.get(key, 0) > 0 and prices[key] <= money:
                    left[key] -= 1
                    money -= prices[key]
                    chosen.append(key)
        weights = {key: weight for key, weight in self.policy.rest.items() if left.get(key, 0) > 0}
        if self._enough(view):
            weights.pop("submarine-pacific", None)
        while weights and money >= min(prices[key] for key in weights):
            key = self.random.choices(list(weights), list(weights.values()))[0]
            if prices[key] > money:
                break
            money -= prices[key]
            chosen.append(key)
            left[key] -= 1
            weights = {key: weight for key, weight in weights.items() if left[key] > 0}
        return chosen + self._spend_rest(nation, left, prices, money)

    def _spend_rest(self, nation: str, left: Mapping[str, int], prices: Mapping[str, int], money: int) -> list[str]:
        """Spend the remainder on aircraft at home, then on research."""
        if any(key in left for key in self.policy.rest if not (nation == "japan" and key == "submarine-atlantic")):
            return []
        key = next((key for key in ("interceptor-home", "research-radar", "research-air-defense") if left.get(key)), "")
        return [key] * min(left[key], money // prices[key]) if key else []

    def _wants(self, view: WarView, nation: str) -> Iterator[Want]:
        policy = self.policy
        yield from self._studies(view, nation)
        if nation == "allies" and "german-atlantic" in view.fleets:
            yield "merchant-atlantic", max(0, self.policy.keep - view.oceans["atlantic"].merchants)
        hunted = {fleet.sea for fleet in view.fleets.values()}
        seas = [sea for sea in SEAS.get(nation, {}) if sea in hunted]
        for sea in seas:
            boats = sum(fleet.ready + fleet.resting for fleet in view.fleets.values() if fleet.sea == sea)
            yield f"escort-{SEAS[nation][sea]}", max(0, ceil(boats * self.policy.guard) - view.oceans[sea].escorts)
        for sea in seas:
            keep = self.policy.keep * (1 if sea == "japan" else self.policy.share)
            missing = ceil(keep) - view.oceans[sea].merchants
            yield f"merchant-{SEAS[nation][sea]}", max(0, missing) if sea != "atlantic" else 0
        atlantic = view.fleets.get("german-atlantic")
        if isinstance(policy, AlliedPolicy) and atlantic is not None and atlantic.ready <= policy.calm:
            missing = policy.plenty - view.oceans["atlantic"].merchants
            yield "merchant-atlantic", max(0, min(CATCHING_UP, missing))
        for area, country in view.countries.items():
            if country.defender == nation:
                bombers = country.bombers.ready + country.bombers.resting
                yield "interceptor-home", max(0, ceil(bombers * self.policy.cover) - view.interceptors[area])

    def _enough(self, view: WarView) -> bool:
        """Return whether there are enough American submarines for what Japan has left."""
        american = view.fleets.get("american")
        if american is None or not isinstance(self.policy, AlliedPolicy):
            return False
        left, boats = view.oceans["japan"].merchants, self.policy.boats
        return american.ready + american.resting >= (boats if left else boats // 2)

    def _studies(self, view: WarView, nation: str) -> Iterator[Want]:
        """Put points on the least advanced of the first projects not complete."""
        power = view.powers[nation]
        open_ = [each for each in self.policy.studies if power.levels.get(each, 9) < view.figures.levels]
        if open_ and self.policy.points:
            lowest = min(power.levels[each] for each in open_[:3])
            first = next(each for each in open_ if power.levels[each] == lowest)
            yield f"research-{first}", self.policy.points

    # -- moving ------------------------------------------------------------------------------------------------------

    def _reinforce(self, decision: Decision, view: WarView, _: str) -> list[str]:
        """Send escorts to the ocean with the greatest shortage, if another can spare them."""
        need = {sea: self._lack(view, sea) for sea in ("atlantic", "indian", "pacific")}
        worst = max(need, key=lambda sea: need[sea])
        spare = max((-lack for sea, lack in need.items() if sea != worst), default=0)
        key = f"to-{worst}"
        return [key if need[worst] >= 2 and spare >= 2 and key in decision.keys else "stay"]

    def _lack(self, view: WarView, sea: str) -> int:
        boats = sum(fleet.ready for fleet in view.fleets.values() if fleet.sea == sea)
        return ceil(boats * self.policy.guard) - view.oceans[sea].escorts

    def _move(self, decision: Decision, view: WarView, _: str) -> list[str]:
        """Move spare escorts; move Axis submarines only from an empty ocean."""
        chosen: list[str] = []
        for option in decision.values:
            move = option.value
            if move.item == "escort":
                spare = -self._lack(view, move.origin)
                chosen += [option.key] * min(spare, decision.max_repeats(option), decision.at_most - len(chosen))
            if move.item == "submarine":
                here, there = (view.fleets[each].expected for each in (move.origin, move.goal))
                empty = view.oceans[view.fleets[move.origin].sea].merchants == 0
                if empty and there is not here:
                    chosen += [option.key] * min(decision.max_repeats(option), decision.at_most - len(chosen))
        return chosen

    # -- raids -------------------------------------------------------------------------------------------------------

    def _raid(self, decision: Decision, view: WarView, area: str) -> list[str]:
        """Send all bombers at the best target unless outmatched; a large force at two targets."""
        country, count = view.countries[area], decision.at_most
        if count < self.policy.mass or count < self.policy.daring * country.interceptors:
            return []
        aims = {aim.key: aim for aim in country.targets}
        known = sorted(decision.keys, key=lambda key: (aims[key].net, -aims[key].strength), reverse=True)
        first = count if count < SPLIT * aims[known[0]].strength or len(known) == 1 else ceil(count / 2)
        return [known[0]] * first + known[1:2] * (count - first)

    def _escort(self, decision: Decision, view: WarView, area: str) -> list[str]:
        """Escort with all interceptors not needed at home."""
        home = view.countries[area].escorts
        threat = view.countries[home].bombers.ready if home in view.countries else 0
        free = max(0, decision.at_most - ceil(threat * self.policy.cover))
        return [decision.keys[0]] * free

    def _meet(self, decision: Decision, view: WarView, area: str) -> list[str]:
        """Allocate all interceptors in proportion to the raids."""
        raids = {f"meet-{raid.target}": raid.bombers for raid in view.raids}
        total, sent = sum(raids.values()), Counter[str]()
        for key, bombers in sorted(raids.items(), key=lambda raid: -raid[1]):
            sent[key] = min(ceil(decision.at_most * bombers / total), decision.at_most - sent.total())
        return list(sent.elements())
