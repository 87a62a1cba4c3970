"""[1.2, 1.3] Endings that depend on more than points, and the ladder of result bands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from readyroom.engine.rules.state import ScaleBand, ScoreScale
from readyroom.engine.text import en_dashes
from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending import facts
from readyroom.games.doolittle.figures.common import label_of
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.state import Doolittle

LOST = ("destroyed", "captured")


def find_endings(state: Doolittle, data: Data) -> Iterator[str]:
    """[1.2, 1.3] Yield the raid's fate apart from its points: keys of `debriefing.toml`, the gravest first."""
    squad = list(state.squad.values())
    if state.voyage is not None and data.ships.fleet.launches in facts.sunk_ships(state, data):
        yield "hornet-sunk"
    if state.air is None:
        if squad and all(bomber.fate in LOST for bomber in squad):
            yield "lost"
        return
    if not facts.flown_bombers(state):
        yield "grounded"
        return
    if not facts.bombers_for_japan(state):
        yield "ashore"
        return
    known = facts.count_facts(state, data)
    if not known["blast"]:
        yield "untouched"
    if all(bomber.fate in LOST for bomber in facts.bombers_for_japan(state)):
        yield "lost"
    elif not known["crews-china"]:
        yield "no-china"


def describe(state: Doolittle, data: Data, title: str, text: str) -> tuple[str, str]:
    """[1.2, 1.3] Return title and text of an outcome: those of its result band, corrected by the ending."""
    found = [data.debriefing.endings.ending[key] for key in find_endings(state, data)]
    titles, texts = [one.title for one in found if one.title], [one.text for one in found]
    return (titles[0], " ".join(texts)) if titles else (title, " ".join([text, *texts]))


def ladder(bands: Mapping[str, str], points: int) -> str:
    """[1.2, 1.3] Return all result bands from the worst to the best, and what the next one needs.

    >>> ladder({"<=5": "Meagre", "6-10": "Solid", "11+": "Strong"}, 8)
    '8 points: result 2 of 3, "Solid"; 3 more for "Strong". Result bands: Meagre up to 5, Solid 6–10, Strong from 11.'
    """
    labels = list(bands)
    steps = ", ".join(f"{title} {_span_text(label)}" for label, title in bands.items())
    at = labels.index(label_of(labels, points))
    total = names.count_text(points, "point")
    if at + 1 == len(labels):
        return f'{total}: the best of {len(labels)} results, "{bands[labels[at]]}". Result bands: {steps}.'
    following = labels[at + 1]
    needed = f"{_least(following) - points} more"
    reached = f'{total}: result {at + 1} of {len(labels)}, "{bands[labels[at]]}"'
    return f'{reached}; {needed} for "{bands[following]}". Result bands: {steps}.'


def sentences(ladder: str) -> tuple[str, str]:
    """Return the result bands, and what was reached: the last line of a log is the result."""
    reached, mark, bands = ladder.partition("Result bands: ")
    return mark + bands, reached.rstrip()


def headline(title: str, bands: Sequence[str], points: int) -> str:
    """[1.2, 1.3] Return the title of a result with its place among all result bands, given by their labels.

    >>> headline("Solid", ["<=5", "6-10", "11+"], 8), headline("Strong", ["<=5", "6-10", "11+"], 12)
    ('Result 2 of 3: Solid', 'The best of 3 results: Strong')
    """
    at = bands.index(label_of(bands, points)) + 1
    return f"The best of {at} results: {title}" if at == len(bands) else f"Result {at} of {len(bands)}: {title}"


def scale(bands: Mapping[str, str], points: int) -> ScoreScale:
    """[1.2, 1.3] Return the points on the scale of the result bands.

    >>> [band.least for band in scale({"<=5": "Meagre", "6-10": "Solid", "11+": "Strong"}, 8).bands]
    [None, 6, 11]
    """
    titles = list(bands.values())
    leasts = [_least(label) for label in list(bands)[1:]]
    steps = [ScaleBand(title, least) for title, least in zip(titles, [None, *leasts], strict=True)]
    return ScoreScale("points", points, steps)


def _least(label: str) -> int:
    return int(label.partition("-")[0].rstrip("+"))


def _span_text(label: str) -> str:
    if label.startswith("<="):
        return f"up to {label[2:]}"
    if label.endswith("+"):
        return f"from {label[:-1]}"
    return en_dashes(label)
