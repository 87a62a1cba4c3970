"""Glicko-2 ratings, after Mark Glickman, "Example of the Glicko-2 system" (2022)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import NamedTuple

MEAN, SCALE = 1500.0, 173.7178
"""The rating of newcomers, and the points of a unit of the calculation."""
TAU = 0.5
"""How much a volatility may change."""
WIDEST = 350.0
"""The deviation of newcomers, above which none grows."""
PRECISION = 1e-6


class Rating(NamedTuple):
    """A rating in points, its standard deviation, and the volatility of the player's strength."""

    rating: float = MEAN
    deviation: float = WIDEST
    volatility: float = 0.06

    @property
    def least(self) -> float:
        """The lower end of the 95 % interval."""
        return self.rating - 1.96 * self.deviation


def after_a_break(player: Rating, periods: float) -> Rating:
    """Return a rating after a number of rating periods without a match: the longer, the less is known."""
    deviation = sqrt(player.deviation**2 + periods * (player.volatility * SCALE) ** 2)
    return player._replace(deviation=min(deviation, WIDEST))


def rate(player: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """Return a player's rating after matches against opponents, with scores of 1, 0.5 or 0."""
    mu, phi = (player.rating - MEAN) / SCALE, player.deviation / SCALE
    precision = change = 0.0
    for other, score in results:
        g = 1 / sqrt(1 + 3 * (other.deviation / SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-g * (mu - (other.rating - MEAN) / SCALE)))
        precision += g * g * expected * (1 - expected)
        change += g * (score - expected)
    volatility = _volatility(player.volatility, phi, 1 / precision, change / precision)
    phi = 1 / sqrt(1 / (phi * phi + volatility * volatility) + precision)
    return Rating(MEAN + SCALE * (mu + phi * phi * change), min(SCALE * phi, WIDEST), volatility)


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Return the new volatility by the Illinois method, step 5 of the paper."""
    start = log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + v + exp(x)
        return exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - start) / TAU**2

    a, b = start, log(max(delta * delta - phi * phi - v, 1e-12))
    if delta * delta <= phi * phi + v:
        k = 1
        while f(start - k * TAU) < 0:
            k += 1
        b = start - k * TAU
    f_a, f_b = f(a), f(b)
    while abs(b - a) > PRECISION:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    return exp(a / 2)
