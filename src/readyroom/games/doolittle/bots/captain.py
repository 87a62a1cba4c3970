"""[doctrine] The captain who plays by the book: over the best targets, out as soon as the bombs are gone, and home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from readyroom.engine.game import Bot, ViewFn
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.games.doolittle.bots import denouement, flight, planning, voyage
from readyroom.games.doolittle.bots.answers import Answer, chance_of, choose_all
from readyroom.games.doolittle.bots.policy import DOCTRINE, Policy
from readyroom.games.doolittle.bots.prospects import STRAY, Prospects
from readyroom.games.doolittle.view import DoolittleView

DANGERS = {"balloons": 5.0, "crash": 5.0, "flak": 3.0, "interceptor": 2.5, "searchlights": 1.5, "small arms": 0.5}
"""The priority of evading a hazard, by its visible side."""
UNSEEN, ALREADY_HIT = 1.0, 1.6
"""The same for one face down, and what it counts more on a bomber that is damaged."""


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """Return the captain."""
    return {"doctrine": partial(bot_of, DOCTRINE)}


def bot_of(policy: Policy, seat: str, random: Random) -> Bot:
    """Return a captain who plays by this policy."""
    return Captain(random, policy)


class Captain:
    """[doctrine] Answers by the rule that asks."""

    def __init__(self, random: Random, policy: Policy = DOCTRINE) -> None:
        self.random, self.policy = random, policy
        self.answers: dict[str, Answer] = {
            **flight.answers(policy),
            **voyage.answers(),
            **planning.answers(),
            **denouement.answers(),
            "2.3.5": self._yes,
            "2.3.7": self._benefit,
            "4.1": self._moves,
            "4.1.1": self._enters,
            "4.3": self._shares,
            "4.3.1": self._hardest,
            "4.4.1": self._evades,
            "4.5": self._yes,
            "4.7": choose_all,
            "4.8": self._approaches,
            "4.9.1": self._drops,
        }

    def __call__(self, decision: Decision, look: ViewFn) -> Sequence[str]:
        """Answer a decision."""
        answer = self.answers.get(decision.rule)
        return answer(decision, look().table) if answer else self._yes(decision)

    def _yes(self, decision: Decision, table: DoolittleView | None = None) -> Sequence[str]:
        """Choose the first option, which does something; of several as few as allowed."""
        if decision.kind is DecisionKind.ALLOCATE:
            return decision.sample(self.random)
        return decision.keys[: decision.at_least]

    def _benefit(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[2.3.7] Ignore a hit; re-roll with the best chance if that is fair."""
        if "ignore" in decision.keys:
            return ["ignore"]
        best = max(decision.options, key=chance_of)
        return [best.key if chance_of(best) >= 0.4 else "keep"]

    def _moves(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.1] Move a loaded bomber to the most promising area, an unloaded one to the edge, past few guns."""
        bomber = table.bomber(decision.piece_key or "")
        prospects = Prospects(table, bomber, self.policy)

        def good(key: str) -> float:
            area = prospects.areas[key.removeprefix("to-")]
            if not bomber.loaded:
                return 10.0 * area.perimeter - area.limit
            return prospects.here(area.key)

        return [max(decision.keys, key=lambda key: (good(key), self.random.random()))]

    def _enters(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.1.1] Enter in the most promising area; the flight in the order of its list."""
        if not decision.keys[0].startswith("enter-"):
            return [decision.keys[0]]
        prospects = Prospects(table, None, self.policy)

        def good(key: str) -> tuple[float, float]:
            return prospects.here(key.removeprefix("enter-")), self.random.random()

        return [max(decision.keys, key=good)]

    def _shares(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.3] Assign hazards to undamaged bombers first, and of these to those without bombs."""

        def bears(key: str) -> tuple[int, bool]:
            bomber = table.bomber(key.removeprefix("on-"))
            return bomber.hits, bomber.loaded

        return [min(decision.keys, key=bears)]

    def _hardest(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.3.1] Put hazards on the target that is the hardest anyway."""
        boxes = {box.key: box for area in table.targets[table.attack.city].areas for box in area.boxes}

        def hard(key: str) -> int:
            box = boxes[key.removeprefix("box-")]
            return box.approach + box.detonation + 2 * bool(box.blast)

        return [max(decision.keys, key=hard)]

    def _evades(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.4.1] Evade the worst first, and more on a damaged bomber."""
        hurt = {one.pilot for one in table.squad if one.hits}

        def danger(option: Option) -> float:
            what, _, pilot = option.text.rpartition(" on ")
            seen = next((value for word, value in DANGERS.items() if word in what.lower()), 0.0)
            if "face-down" in what:
                seen = UNSEEN
            return seen * (ALREADY_HIT if pilot in hurt else 1.0)

        ordered = sorted(decision.options, key=danger, reverse=True)
        return [option.key for option in ordered[: decision.at_most] if danger(option)]

    def _approaches(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.8] Make the run that gains most over waiting; none where nothing is gained."""
        squad = {one.key: one for one in table.squad}
        runs = [key.partition("-")[0] for key in decision.keys]
        hopes = {who: Prospects(table, squad[who], self.policy) for who in squad if who in runs}

        def gain(key: str) -> float:
            who, _, target = key.partition("-")
            if who not in hopes:
                return 0.0
            rest = hopes[who].later(squad[who].area)
            return hopes[who].run(target, rest) - rest

        return [max(decision.keys, key=gain)]

    def _drops(self, decision: Decision, table: DoolittleView) -> Sequence[str]:
        """[4.9.1] Drop bombs anywhere when no later turn promises more."""

        def now(key: str) -> bool:
            bomber = table.bomber(key.removeprefix("drop-"))
            return Prospects(table, bomber, self.policy).later(bomber.area) <= STRAY

        return [key for key in decision.keys if now(key)]
