"""Whether observations show a hidden answer: a classifier's accuracy on pairs of matches.

The classifier is a logistic regression over everything that outsiders observe while they may not know the answer. It
must say in which match of each pair the answer was the greater one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

WIDTH = 256
"""The number of features: each sign counts in one of them, by its hash."""
FOLDS = 5


class Accuracy(NamedTuple):
    """The share of pairs distinguished correctly, with its 95 % confidence interval, and their number."""

    share: float
    low: float
    high: float
    pairs: int

    def __str__(self) -> str:
        return f"{self.share:.1%} (95 % CI {self.low:.1%} to {self.high:.1%}, n = {self.pairs})"


def features(signs: Sequence[Any]) -> NDArray[np.float64]:
    """Return the features of a sequence of signs: their number, and how often each value, step or size occurs."""
    vector = np.zeros(WIDTH)
    vector[0] = len(signs)
    for at, sign in enumerate(signs):
        for name, value in enumerate(sign):
            for text in (f"{name}={value!r}", f"{at}.{name}={value!r}"):
                vector[1 + int.from_bytes(blake2b(text.encode(), digest_size=4).digest()) % (WIDTH - 1)] += 1
    return vector


@dataclass
class Pairs:
    """Pairs of observations; the first of each is that with the greater hidden answer."""

    differences: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, greater: Sequence[Any], lesser: Sequence[Any]) -> None:
        """Add a pair."""
        self.differences.append(features(greater) - features(lesser))

    def accuracy(self) -> Accuracy:
        """Return how well a logistic regression, trained on the other folds, finds the greater answer of each pair.

        Pairs that look alike count half.
        """
        from scipy.stats import binomtest  # takes half a second to load in each test process

        rows = np.array(self.differences)
        right = sum(float(share) for share in self._folds(rows))
        count = len(rows)
        interval = binomtest(round(right), count).proportion_ci(method="wilson")
        return Accuracy(right / count, float(interval.low), float(interval.high), count)

    def _folds(self, rows: NDArray[np.float64]) -> Iterator[float]:
        for fold in range(FOLDS):
            held = np.arange(len(rows)) % FOLDS == fold
            weights = _fit(rows[~held])
            score = rows[held] @ weights
            yield float(np.sum(score > 1e-9) + 0.5 * np.sum(np.abs(score) <= 1e-9))


def _fit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of a logistic regression on differences of pairs, with a ridge penalty."""
    from scipy.optimize import minimize

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        score = rows @ weights
        slope = -rows.T @ (1 / (1 + np.exp(np.clip(score, -50, 50)))) + weights
        return float(np.sum(np.logaddexp(0, -score)) + weights @ weights / 2), slope

    return np.asarray(minimize(loss, np.zeros(WIDTH), jac=True, method="L-BFGS-B").x)
