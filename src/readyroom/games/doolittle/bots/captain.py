"""[doctrine] The captain who plays by the book: over the best targets, out as soon as the bombs are gone, and home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from readyroom.engine.decisions import Decision, DecisionKind, Option
from readyroom.engine.game import Bot, ViewFn
from readyroom.games.doolittle.bots import aftermath, flight, planning, voyage
from readyroom.games.doolittle.bots.answers import Answer, all_of_them, chance
from readyroom.games.doolittle.bots.prospects import STRAY, Prospects
from readyroom.games.doolittle.view import DoolittleView

DANGERS = {"balloons": 5.0, "crash": 5.0, "flak": 3.0, "interceptor": 2.5, "searchlights": 1.5, "small arms": 0.5}
"""The priority of evading a hazard, by what is seen of it."""
UNSEEN, ALREADY_HIT = 1.0, 1.6
"""The same for one face down, and what it counts more on a bomber that is damaged."""


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """The captain."""
    return {"doctrine": lambda seat, random: Captain(random)}


class Captain:
    """[doctrine] Answers by the rule that asks."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.answers: dict[str, Answer] = {
            **flight.answers(),
            **voyage.answers(),
            **planning.answers(),
            **aftermath.answers(),
            "2.3.5": self._yes,
            "2.3.7": self._benefit,
            "4.1": self._moves,
            "4.1.1": self._enters,
            "4.3": self._shares,
            "4.3.1": self._hardest,
            "4.4.1": self._evades,
            "4.5": self._yes,
            "4.7": all_of_them,
            "4.8": self._approaches,
            "4.9.1": self._drops,
        }

    def __call__(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """The answer to a question."""
        answer = self.answers.get(decision.rule)
        return answer(decision, look().table) if answer else self._yes(decision)

    # -- plain answers -----------------------------------------------------------------------------------------------

    def _yes(self, decision: Decision, table: DoolittleView | None = None) -> Sequence[str]:
        """The first option, which does something; of several as few as may be."""
        if decision.kind is DecisionKind.ALLOT:
            return decision.sample(self.random)
        return decision.keys[: decision.at_least]

    def _benefit(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[2.3.7] A hit is ignored, and a roll made again where it is more likely to go well than not."""
        if "ignore" in decision.keys:
            return ["ignore"]
        best = max(decision.options, key=chance)
        return [best.key if chance(best) >= 0.4 else "keep"]

    # -- over the target ---------------------------------------------------------------------------------------------

    def _moves(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.1] Loaded: to where most may be expected; unloaded: to the edge, and past few guns."""
        bomber = table.bomber(decision.piece_key or "")
        prospects = Prospects(table, bomber)

        def good(key: str) -> float:
            area = prospects.areas[key.removeprefix("to-")]
            if not bomber.loaded:
                return 10.0 * area.perimeter - area.limit
            return prospects.here(area.key)

        return [max(decision.keys, key=lambda key: (good(key), self.random.random()))]

    def _enters(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.1.1] Where most may be expected; the flight in the order of its list."""
        if not decision.keys[0].startswith("enter-"):
            return [decision.keys[0]]
        prospects = Prospects(table)

        def good(key: str) -> tuple[float, float]:
            return prospects.here(key.removeprefix("enter-")), self.random.random()

        return [max(decision.keys, key=good)]

    def _shares(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.3] A hazard goes to who can bear it: first the unhurt, and of these who has dropped already."""
        squad = {one.key: one for one in table.squad}

        def bears(key: str) -> tuple[int, bool]:
            bomber = squad[key.removeprefix("on-")]
            return bomber.hits, bomber.loaded

        return [min(decision.keys, key=bears)]

    def _hardest(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.3.1] Hazards at a target go to the one that is hardest anyway."""
        boxes = {box.key: box for area in table.targets[table.attack.city].areas for box in area.boxes}

        def hard(key: str) -> int:
            box = boxes[key.removeprefix("box-")]
            return box.approach + box.detonation + 2 * bool(box.blast)

        return [max(decision.keys, key=hard)]

    def _evades(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.4.1] The worst first, and what is on a damaged bomber before all."""
        hurt = {one.pilot for one in table.squad if one.hits}

        def danger(option: Option) -> float:
            what, _, pilot = option.text.rpartition(" on ")
            seen = next((value for word, value in DANGERS.items() if word in what.lower()), 0.0)
            if "face down" in what:
                seen = UNSEEN
            return seen * (ALREADY_HIT if pilot in hurt else 1.0)

        ordered = sorted(decision.options, key=danger, reverse=True)
        return [option.key for option in ordered[: decision.at_most] if danger(option)]

    def _approaches(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.8] The run that gains most on what may be expected without it; none where nothing is gained."""
        squad = {one.key: one for one in table.squad}
        runs = [key.partition("-")[0] for key in decision.keys]
        hopes = {who: Prospects(table, squad[who]) for who in squad if who in runs}

        def gain(key: str) -> float:
            who, _, target = key.partition("-")
            if who not in hopes:
                return 0.0
            rest = hopes[who].later(squad[who].area)
            return hopes[who].run(target, rest) - rest

        return [max(decision.keys, key=gain)]

    def _drops(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.9.1] A bomb anywhere, when no more than that may be expected of any later turn."""
        squad = {one.key: one for one in table.squad}

        def now(key: str) -> bool:
            bomber = squad[key.removeprefix("drop-")]
            return Prospects(table, bomber).later(bomber.area) <= STRAY

        return [key for key in decision.keys if now(key)]
