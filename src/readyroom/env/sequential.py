"""The sequential form of a decision: an answer given one option at a time.

A decision that needs several options becomes a sequence of steps: take this option, take that one, done. Options
follow the order of the decision's list, so every set of them has exactly one sequence; a step is only offered if the
answer can still be completed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from readyroom.engine.rules.decisions import Decision

END = -1
"""The step that ends an answer; all other steps are indices of options."""


class PartialAnswer:
    """A partial answer.

    `taken` are the indices of the options taken so far, with repeats; `steps` are the possible next steps: `END` if the
    answer may end here, and the options that may be taken; empty once it is complete.

    An option is offered if it is not before the last one taken, is below its limit, can be paid for, is for a piece
    that is not yet assigned, and if the options from it onward suffice for the minimum. A step without an alternative
    is taken automatically, except the first one: every decision is asked at least once.
    """

    __slots__ = ("_assigned", "_costs", "_left", "_pays", "_room", "decision", "keys", "steps", "taken")

    def __init__(self, decision: Decision) -> None:
        self.decision, self.keys = decision, decision.keys
        limit, values = decision.limit, decision.values
        self._room = [1] * len(values) if limit is None else [limit(value) for value in values]
        self._costs, self._pays, self._left = _prices(decision)
        self._assigned = set[str]()
        self.taken: list[int] = []
        self.steps = self._next_steps()

    @property
    def may_end(self) -> bool:
        """Whether the minimum is reached."""
        return len(self.taken) >= self.decision.at_least

    @property
    def open(self) -> list[int]:
        """The indices of the options that may be taken next."""
        return [step for step in self.steps if step != END]

    @property
    def count_open(self) -> int:
        """The number of options that may be taken next."""
        return len(self.steps) - (END in self.steps[:1])

    def _next_steps(self) -> list[int]:
        decision, count = self.decision, len(self.taken)
        options = self._options(decision.at_least - count) if count < decision.at_most else []
        if not options:
            return [] if self.taken else [END]
        return [END, *options] if count >= decision.at_least else options

    @property
    def left(self) -> int:
        """The remaining budget of all groups together."""
        return sum(self._left)

    def _options(self, needed: int) -> list[int]:
        """Return the options that may be taken next if this many more must be."""
        decision, room = self.decision, self._room
        first = self.taken[-1] if self.taken else 0
        used = self.taken.count(first)
        options = list(range(first, len(room)))
        if used or decision.limit is not None:
            options = [at for at in options if room[at] > (used if at == first else 0)]
        if needed > 0:
            after = list(accumulate(reversed(room)))[::-1]
            options = [at for at in options if after[at] - (used if at == first else 0) >= needed]
        if self._assigned and decision.assigns is not None:
            options = [at for at in options if decision.assigns(decision.values[at])[0] not in self._assigned]
        if self._costs:
            options = [at for at in options if all(self._left[group] >= self._costs[at] for group in self._pays[at])]
        return options

    def step(self, step: int) -> tuple[str, ...] | None:
        """Take one of `steps` (else raise ValueError); return the answer's keys once it is complete, else None."""
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
        """Return the same partial answer to the same decision in a copy of the match."""
        other = PartialAnswer(decision)
        for at in self.taken:
            other._take(at)
        return other

    def _take(self, at: int) -> None:
        self.taken.append(at)
        if self.decision.assigns is not None:
            self._assigned.add(self.decision.assigns(self.decision.values[at])[0])
        if self._costs:
            for group in self._pays[at]:
                self._left[group] -= self._costs[at]
        self.steps = self._next_steps()


def _prices(decision: Decision) -> tuple[list[int], list[list[int]], list[int]]:
    """Return each option's cost, the indices of the budget groups that pay for it, and each group's budget."""
    cost, values = decision.cost, decision.values
    if cost is None:
        return [], [], []
    costs = [cost(value) for value in values]
    if not decision.budget_groups:
        return costs, [[0]] * len(values), [decision.budget]
    groups = decision.budget_groups
    payers: dict[str, list[int]] = {value.key: [] for value in values}
    for at, group in enumerate(groups):
        for value in group.options:
            if value.key in payers:
                payers[value.key].append(at)
    return costs, list(payers.values()), [decision.budget] * len(groups)


def steps_to(decision: Decision, answer: Sequence[str]) -> list[int]:
    """Return the steps that give an answer; raise `IllegalChoice` if it is not legal."""
    keys, _ = decision.accept(list(answer))
    partial = PartialAnswer(decision)
    wanted, steps = sorted(map(partial.keys.index, keys)), list[int]()
    whole: tuple[str, ...] | None = None
    while whole is None:
        given = len(partial.taken)
        steps.append(wanted[given] if given < len(wanted) else END)
        whole = partial.step(steps[-1])
    return steps
