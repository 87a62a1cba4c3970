"""The distribution from which a search draws policies: that of the cross-entropy method.

It is a normal one for each number, on the unit interval, and a share for each choice of the others. It starts around a
policy and moves towards those that were best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, pstdev
from typing import Any

from readyroom.bots.parameters import Parameter, Settings

SPREAD, LEAST_SPREAD = 0.3, 0.07
"""The standard deviation at the start, and the least, so that the search does not freeze."""
TRUST, LEAST_SHARE = 0.7, 0.06
"""The share of a start's choice, and the least of any choice."""
SMOOTHING = 0.6
"""How far each generation moves the distribution to its best policies."""


@dataclass
class Sampler:
    """The distribution from which a search draws policies.

    `means` and `spreads` are those of numbers, on the unit interval; `shares` those of choices.
    """

    parameters: Sequence[Parameter]
    means: dict[str, float]
    spreads: dict[str, float]
    shares: dict[str, list[float]]

    @classmethod
    def around(cls, parameters: Sequence[Parameter], start: Mapping[str, Any]) -> Sampler:
        """Return the distribution at the start of a search."""
        numbers = [each for each in parameters if not each.choices]
        choices = [each for each in parameters if each.choices]
        return cls(
            parameters,
            {each.name: each.unit(start[each.name]) for each in numbers},
            {each.name: SPREAD for each in numbers},
            {
                each.name: [
                    TRUST if choice == start[each.name] else (1 - TRUST) / max(1, len(each.choices) - 1)
                    for choice in each.choices
                ]
                for each in choices
            },
        )

    def draw(self, random: Random) -> Settings:
        """Draw a policy."""
        return {each.name: self._draw(each, random) for each in self.parameters}

    def _draw(self, each: Parameter, random: Random) -> Any:
        if each.choices:
            return random.choices(each.choices, self.shares[each.name])[0]
        unit = random.gauss(self.means[each.name], self.spreads[each.name])
        return each.value(min(max(unit, 0.0), 1.0))

    def learn(self, best: Sequence[Mapping[str, Any]]) -> None:
        """Move towards the best policies of a generation."""
        for each in self.parameters:
            values = [settings[each.name] for settings in best]
            if each.choices:
                self.shares[each.name] = [
                    max(LEAST_SHARE, _moved(share, values.count(choice) / len(values)))
                    for choice, share in zip(each.choices, self.shares[each.name], strict=True)
                ]
                continue
            units = [each.unit(value) for value in values]
            self.means[each.name] = _moved(self.means[each.name], fmean(units))
            self.spreads[each.name] = max(LEAST_SPREAD, _moved(self.spreads[each.name], pstdev(units)))


def _moved(old: float, new: float) -> float:
    return (1 - SMOOTHING) * old + SMOOTHING * new
