"""Percentiles of a cruise among simulated cruises of its scenario (doctrine bot)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

import msgspec

from readyroom.engine.data import convert, parse

FILE = "cruises.toml"
"""Written by `docs/cruises.py --percentiles`. No rule looks at it, and it has no part in the figures' fingerprint."""
FIGURES = {
    "shot": "planes shot down",
    "struck": "planes that struck her",
    "fallen": "officers killed",
    "score": "score",
}
"""What is compared, in words; only campaigns have a score."""


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Simulated cruises of a scenario: for each figure its values and how often each occurred."""

    title: str
    games: int
    figures: dict[str, list[tuple[int, int]]]


@cache
def played() -> Mapping[str, Played]:
    """Return the simulated cruises by scenario title."""
    text = files(__package__).joinpath("data", FILE).read_bytes()
    return {entry["title"]: convert(entry, Played, FILE) for entry in parse(text, FILE).values()}


def share_below(counts: list[tuple[int, int]], value: int, *, above: bool = False) -> float:
    """Return the share of cruises with a lower value, or with a higher one.

    >>> share_below([(0, 1), (2, 2), (5, 1)], 2), share_below([(0, 1), (2, 2), (5, 1)], 2, above=True)
    (0.25, 0.25)
    """
    total = sum(times for _, times in counts)
    beyond = sum(times for other, times in counts if (other > value if above else other < value))
    return beyond / total if total else 0.0


def compared(title: str, figures: Mapping[str, int]) -> Iterator[str]:
    """[1.5] Yield the cruise's percentiles; nothing where no simulation is stored."""
    others = played().get(title)
    if others is None:
        return
    parts = [_percentile(others.figures[key], key, value) for key, value in figures.items() if key in others.figures]
    yield f"Compared with {others.games:,} simulated cruises of {title} (doctrine bot): {'; '.join(parts)}."


def _percentile(counts: list[tuple[int, int]], key: str, value: int) -> str:
    """Return a figure with its percentile rank: "planes shot down (41): percentile 83"."""
    rank = (1 + share_below(counts, value) - share_below(counts, value, above=True)) / 2
    return f"{FIGURES[key]} ({value}): percentile {100 * rank:.0f}"
