"""[doctrine] The captain who plays by the book: over the best targets, out as soon as the bombs are gone, and home."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from readyroom.engine.checks import Check
from readyroom.engine.decisions import Choose, Decision, Option
from readyroom.engine.game import Bot, Look
from readyroom.games.doolittle import navigator

Shown = Mapping[str, Any]
LATE = 8
"""The attack turn from which on a bomb anywhere is better than none."""
NEXT = 0.6
"""What a target that is one move farther off is worth beside one in reach."""
CROWD = 0.7
"""What each other loaded bomber in an area leaves of its targets."""
DANGERS = {"balloons": 5.0, "crash": 5.0, "flak": 3.0, "interceptor": 2.5, "searchlights": 1.5, "small arms": 0.5}
"""How gladly a hazard is evaded, by what is seen of it."""
UNSEEN, ALREADY_HIT = 1.0, 1.6
"""The same for one face down, and what it counts more on a bomber that is damaged."""


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """The captain."""
    return {"doctrine": lambda seat, random: Captain(random)}


def reach(number: int, bonus: int) -> float:
    """The chance of two dice with a bonus to come to a number."""
    return float(Check("", "", dice=2, at_least=number, modifiers=[("", bonus)]).odds())


class Captain:
    """[doctrine] Answers by the rule that asks."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.answers: dict[str, Callable[[Decision, Shown], Sequence[str]]] = {
            **navigator.answers(),
            "2.3.5": self._yes,
            "2.3.7": self._benefit,
            "4.1": self._moves,
            "4.1.1": self._enters,
            "4.3": self._shares,
            "4.3.1": self._hardest,
            "4.4.1": self._evades,
            "4.5": self._yes,
            "4.7": self._all,
            "4.8": self._approaches,
            "4.9.1": self._drops,
        }

    def __call__(self, decision: Decision, look: Look) -> Sequence[str]:
        """The answer to a question."""
        answer = self.answers.get(decision.rule)
        return answer(decision, look()["table"]) if answer else self._yes(decision, {})

    # -- plain answers -----------------------------------------------------------------------------------------------

    def _yes(self, decision: Decision, table: Shown) -> Sequence[str]:
        """The first option, which does something; of several as few as may be."""
        if decision.kind is Choose.ALLOT:
            return decision.sample(self.random)
        return decision.keys[: decision.at_least]

    def _all(self, decision: Decision, table: Shown) -> Sequence[str]:
        """Everything that is offered."""
        return decision.keys[: decision.at_most]

    def _benefit(self, decision: Decision, table: Shown) -> Sequence[str]:
        """[2.3.7] A hit is ignored, and a throw made again where it is more likely to go well than not."""
        if "ignore" in decision.keys:
            return ["ignore"]
        best = max(decision.options, key=_chance)
        return [best.key if _chance(best) >= 0.4 else "keep"]

    # -- over the target ---------------------------------------------------------------------------------------------

    def _moves(self, decision: Decision, table: Shown) -> Sequence[str]:
        """[4.1] Loaded: to where the best targets are, or lie next; unloaded: to the edge, and past few guns."""
        bomber = next(one for one in table["squad"] if one["key"] == decision.about)
        areas = {area["key"]: area for area in _map(table)["areas"]}
        worth = _Worth(table)

        def good(key: str) -> float:
            area = areas[key.removeprefix("to-")]
            if not bomber["loaded"]:
                return 10.0 * bool(area["perimeter"]) - float(area["limit"])
            return worth.here(area, bomber) + NEXT * max(worth.plain(areas[one]) for one in area["adjacent"])

        return [max(decision.keys, key=lambda key: (good(key), self.random.random()))]

    def _enters(self, decision: Decision, table: Shown) -> Sequence[str]:
        """[4.1.1] Where the targets are best, in the area and beside it; the flight in the order of its list."""
        if not decision.keys[0].startswith("enter-"):
            return [decision.keys[0]]
        areas = {area["key"]: area for area in _map(table)["areas"]}
        worth = _Worth(table)

        def good(key: str) -> float:
            area = areas[key.removeprefix("enter-")]
            return worth.plain(area) + NEXT * max(worth.plain(areas[one]) for one in area["adjacent"])

        return [max(decision.keys, key=lambda key: (good(key), self.random.random()))]

    def _shares(self, decision: Decision, table: Shown) -> Sequence[str]:
        """[4.3] A hazard goes to who can bear it: first the unhurt, and of these who has dropped already."""
        squad = {one["key"]: one for one in table["squad"]}

        def bears(key: str) -> tuple[int, bool]:
            bomber = squad[key.removeprefix("on-")]
            return bomber["hits"], bomber["loaded"]

        return [min(decision.keys, key=bears)]

    def _hardest(self, decision: Decision, table: Shown) -> Sequence[str]:
        """[4.3.1] What lies at a target lies best at the one that is hardest anyway."""
        boxes = {box["key"]: box for area in _map(table)["areas"] for box in area["boxes"]}

        def hard(key: str) -> int:
            box = boxes[key.removeprefix("box-")]
            return int(box["approach"]) + int(box["detonation"]) + 2 * bool(box["blast"])

        return [max(decision.keys, key=hard)]

    def _evades(self, decision: Decision, table: Shown) -> Sequence[str]:
        """[4.4.1] The worst first, and what is on a damaged bomber before all."""
        hurt = {one["pilot"] for one in table["squad"] if one["hits"]}

        def danger(option: Option) -> float:
            what, _, pilot = option.text.rpartition(" on ")
            seen = next((value for word, value in DANGERS.items() if word in what.lower()), 0.0)
            if "face down" in what:
                seen = UNSEEN
            return seen * (ALREADY_HIT if pilot in hurt else 1.0)

        ordered = sorted(decision.options, key=danger, reverse=True)
        return [option.key for option in ordered[: decision.at_most] if danger(option)]

    def _approaches(self, decision: Decision, table: Shown) -> Sequence[str]:
        """[4.8] The run with the best chance of a hit; a target that burns already is worth a little less."""
        boxes = {box["key"]: box for area in _map(table)["areas"] for box in area["boxes"]}
        worth = _Worth(table)

        def good(option: Option) -> float:
            _, _, key = option.key.partition("-")
            return worth.box(boxes[key]) * (0.2 + _chance(option)) if key in boxes else 0.0

        return [max(decision.options, key=good).key]

    def _drops(self, decision: Decision, table: Shown) -> Sequence[str]:
        """[4.9.1] Late in the attack a bomb anywhere is better than none; damaged bombers wait less long."""
        squad = {one["key"]: one for one in table["squad"]}
        turn = table["raid"]["turn"]
        return [key for key in decision.keys if turn >= LATE - 2 * bool(squad[key.removeprefix("drop-")]["hits"])]


def _chance(option: Option) -> float:
    """The chance that stands beside an option."""
    return option.hint.chance or 0.0 if option.hint else 0.0


def _map(table: Shown) -> Shown:
    """The target map of the raid."""
    found: Shown = table["targets"][table["raid"]["city"]]
    return found


class _Worth:
    """What targets are worth to a bomber: the chance of a hit, a little more where nothing burns yet."""

    def __init__(self, table: Shown) -> None:
        self.ratings, self.light = table["ratings"], table["raid"]["light"]
        self.others: dict[str, int] = {}
        for one in table["squad"]:
            if one["loaded"] and one["area"]:
                self.others[one["area"]] = self.others.get(one["area"], 0) + 1

    def box(self, box: Shown) -> float:
        """The value of a run at a box."""
        known = [marker.get("adds", {}) for marker in box["markers"]]
        approach = self.ratings["navigation"][self.light] + bool(box["blast"])
        approach += sum(one.get("approach", 0) for one in known)
        bombing = self.ratings["bombing"] + sum(one.get("detonation", 0) for one in known)
        return reach(box["approach"], approach) * reach(box["detonation"], bombing) * (2 if box["blast"] else 3)

    def plain(self, area: Shown) -> float:
        """The best run in an area."""
        return max((self.box(box) for box in area["boxes"]), default=0.0)

    def here(self, area: Shown, bomber: Shown) -> float:
        """The best run in an area, less what others there will take."""
        others: int = self.others.get(area["key"], 0) - (bomber["area"] == area["key"])
        runs: list[float] = sorted((self.box(box) for box in area["boxes"]), reverse=True)
        if others < len(runs):
            return runs[max(0, others)]
        return (runs[-1] if runs else 0.0) * float(CROWD**others)
