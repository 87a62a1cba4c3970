"""The one sequential form of a decision: an answer given one option at a time.

A question that wants several options is asked as a sequence of single steps: take this option, take that one, done.
The options are taken in the order of the decision's list, so every set of them has exactly one sequence; and only what
can still be completed is offered, so no sequence comes to a dead end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from readyroom.engine.decisions import Decision

END = -1
"""The step that ends an answer; all other steps are positions in the decision's list of options."""


class PartialAnswer:
    """An answer in the making.

    `taken` are the positions of the options taken so far, an option that was taken twice standing there twice; `steps`
    is all that may be done next: `END` if it may end here, and what may be taken; nothing once it is whole.

    An option is offered if it does not lie before the last one taken, has not reached its limit, can be paid for, and
    if what lies from it onward suffices for the least number. A step to which there is no alternative is made without
    asking, but for the first one: every decision is asked at least once.
    """

    __slots__ = ("_after", "_costs", "_left", "_pays", "_room", "decision", "keys", "steps", "taken")

    def __init__(self, decision: Decision) -> None:
        self.decision, self.keys = decision, decision.keys
        self._room = [decision.max_repeats(value) for value in decision.values]
        self._after = list(accumulate(reversed(self._room)))[::-1]
        self._costs, self._pays, self._left = _prices(decision)
        self.taken: list[int] = []
        self.steps = self._offered()

    @property
    def may_end(self) -> bool:
        """Whether enough has been taken."""
        return len(self.taken) >= self.decision.at_least

    @property
    def open(self) -> list[int]:
        """The positions of the options that may be taken next."""
        return [step for step in self.steps if step != END]

    def _offered(self) -> list[int]:
        first = self.taken[-1] if self.taken else 0
        full = len(self.taken) >= self.decision.at_most
        found = [] if full else [at for at in range(first, len(self.keys)) if self._fits(at)]
        if not found:
            return [] if self.taken else [END]
        return [END, *found] if self.may_end else found

    @property
    def left(self) -> int:
        """What is left of the budget, of all purses together."""
        return sum(self._left)

    def _fits(self, at: int) -> bool:
        used = self.taken.count(at)
        enough = self._after[at] - used >= self.decision.at_least - len(self.taken)
        return used < self._room[at] and enough and all(self._left[p] >= self._costs[at] for p in self._pays[at])

    def step(self, step: int) -> tuple[str, ...] | None:
        """Make a step that is among `steps`; the answer as keys once it is whole, None before.

        Raises:
            ValueError: the step is not among `steps`.
        """
        if step not in self.steps:
            raise ValueError(f"{step} is not among the steps {self.steps} of {self.decision}")
        if step == END:
            self.steps = []
        else:
            self._take(step)
            while len(self.steps) == 1:
                self._take(self.steps[0])
        return None if self.steps else tuple([self.keys[at] for at in self.taken])

    def again(self, decision: Decision) -> PartialAnswer:
        """The same answer in the making to the same decision of another copy of the match."""
        other = PartialAnswer(decision)
        for at in self.taken:
            other._take(at)
        return other

    def _take(self, at: int) -> None:
        self.taken.append(at)
        for purse in self._pays[at]:
            self._left[purse] -= self._costs[at]
        self.steps = self._offered()


def _prices(decision: Decision) -> tuple[list[int], list[list[int]], list[int]]:
    """What each option costs, the numbers of the purses that pay for it, and what is in each purse."""
    cost, count = decision.cost, len(decision.values)
    if cost is None:
        return [0] * count, [[] for _ in range(count)], []
    costs = [cost(value) for value in decision.values]
    if not decision.budget_groups:
        return costs, [[0] for _ in range(count)], [decision.budget]
    return (
        costs,
        [_payers(decision, value) for value in decision.values],
        [decision.budget] * len(decision.budget_groups),
    )


def _payers(decision: Decision, value: Any) -> list[int]:
    return [at for at, purse in enumerate(decision.budget_groups) if value in purse.options]


def steps_to(decision: Decision, answer: Sequence[str]) -> list[int]:
    """The steps by which a legal answer is given: what a learner would have done in the place of whoever gave it.

    Raises:
        IllegalChoice: the answer is not legal.
    """
    keys, _ = decision.accept(list(answer))
    answering = PartialAnswer(decision)
    wanted, steps = sorted(map(answering.keys.index, keys)), list[int]()
    whole: tuple[str, ...] | None = None
    while whole is None:
        given = len(answering.taken)
        steps.append(wanted[given] if given < len(wanted) else END)
        whole = answering.step(steps[-1])
    return steps
