"""Draw a curve as an SVG picture for the pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, log10
from typing import NamedTuple

WIDTH, HEIGHT = 640, 300
HUNDRED = 100
"""From here on numbers are whole."""
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 44
"""The margins, with room for the numbers."""


class Axis(NamedTuple):
    """An axis: its title, and whether it is logarithmic."""

    title: str
    logarithmic: bool = False

    def place(self, value: float, values: Sequence[float]) -> float:
        """Return where a value is between the lowest and the highest of these, from 0 to 1."""
        low, high, at = (log10(each) if self.logarithmic else each for each in (min(values), max(values), value))
        return (at - low) / (high - low or 1)

    def ticks(self, values: Sequence[float]) -> list[float]:
        """Return round values between the lowest and the highest of these."""
        low, high = min(values), max(values)
        if self.logarithmic:
            powers = range(floor(log10(low)), floor(log10(high)) + 1)
            return [tick for power in powers for tick in (10.0**power, 3 * 10.0**power) if low <= tick <= high]
        step = 10.0 ** floor(log10((high - low) or 1))
        step *= next(part for part in (0.2, 0.5, 1, 2, 5) if (high - low) / (part * step) <= 6)
        return [step * at for at in range(floor(low / step), floor(high / step) + 1) if step * at >= low]


def number(value: float) -> str:
    """Return a number for an axis.

    >>> number(20000.0), number(0.003), number(-0.5)
    ('20,000', '0.003', '−0.5')
    """
    return (f"{value:,.0f}" if abs(value) >= HUNDRED else f"{value:.4g}").replace("-", "−")


def draw(points: Sequence[tuple[float, float]], x: Axis, y: Axis, title: str) -> str:
    """Return a picture of a curve through these points."""
    across, up = [point[0] for point in points], [point[1] for point in points]
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def place(one: float, other: float) -> tuple[float, float]:
        return LEFT + (right - LEFT) * x.place(one, across), bottom - (bottom - TOP) * y.place(other, up)

    path = " ".join(f"{one:.1f},{other:.1f}" for one, other in (place(*point) for point in points))
    parts = [f'<polyline points="{path}" fill="none" stroke="#1f5d8c" stroke-width="2"/>']
    for tick in x.ticks(across):
        at = place(tick, up[0])[0]
        parts.append(f'<path d="M{at:.1f} {bottom}v5" stroke="#555"/>')
        parts.append(f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle">{number(tick)}</text>')
    for tick in y.ticks(up):
        at = place(across[0], tick)[1]
        parts.append(f'<path d="M{LEFT} {at:.1f}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{number(tick)}</text>')
    parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#555"/>')
    parts.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x.title)}</text>')
    middle = (TOP + bottom) / 2
    turned = f'transform="rotate(-90 14 {middle})"'
    parts.append(f'<text x="14" y="{middle}" text-anchor="middle" {turned}>{escape(y.title)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" '
        f'font-size="12"><title>{escape(title)}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
