"""How a cruise compares with many others of its scenario, played by the captain of the doctrine."""

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
THOUSAND = 1000


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many cruises of a scenario: of each figure the values that came out, and how often each of them did."""

    title: str
    games: int
    figures: dict[str, list[tuple[int, int]]]


@cache
def played() -> Mapping[str, Played]:
    """The cruises that were played of each scenario, by its title."""
    text = files(__package__).joinpath("data", FILE).read_bytes()
    return {told["title"]: convert(told, Played, FILE) for told in parse(text, FILE).values()}


def share_below(counts: list[tuple[int, int]], value: int, *, above: bool = False) -> float:
    """The share of the cruises that had less than this, or more of it.

    >>> share_below([(0, 1), (2, 2), (5, 1)], 2), share_below([(0, 1), (2, 2), (5, 1)], 2, above=True)
    (0.25, 0.25)
    """
    total = sum(times for _, times in counts)
    beyond = sum(times for other, times in counts if (other > value if above else other < value))
    return beyond / total if total else 0.0


def compared(title: str, figures: Mapping[str, int]) -> Iterator[str]:
    """[1.5] How a cruise stands among those of its scenario; nothing for one that nobody has played so often."""
    others = played().get(title)
    if others is None:
        return
    parts = [_one(others.figures[key], key, value) for key, value in figures.items() if key in others.figures]
    count = "a thousand" if others.games == THOUSAND else f"{others.games}"
    yield f"Beside {count} cruises of {title} by the captain of the doctrine: {'; '.join(parts)}."


def _one(counts: list[tuple[int, int]], key: str, value: int) -> str:
    """A figure's place: "planes shot down (41): more than in 83 % of them"."""
    words = FIGURES[key]
    less, more = share_below(counts, value), share_below(counts, value, above=True)
    if max(less, more) == 0:
        return f"{words} ({value}): as in all of them"
    if less >= more:
        return f"{words} ({value}): more than in {100 * less:.0f} %"
    return f"{words} ({value}): less than in {100 * more:.0f} %"
