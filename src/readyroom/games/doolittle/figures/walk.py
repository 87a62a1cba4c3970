"""What all checks of figures share: a walk through all data, and the errors found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec

from readyroom.engine.errors import InvalidData
from readyroom.engine.rules.charts import FAR, Chart, row_range
from readyroom.games.doolittle.figures.attack import HazardCup
from readyroom.games.doolittle.figures.common import Crossing, MarkerCup, Sourced, Steps, covering
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Band, Outcomes, Perspective


def walk(data: Data) -> Iterator[tuple[str, str, Any]]:
    """Yield every table and row of the figures, with its file and its key."""
    for field in msgspec.structs.fields(data):
        value = getattr(data, field.name)
        if isinstance(value, dict):
            for name, item in value.items():
                yield from _walk(f"{field.name}/{name}.toml", "", item)
        else:
            yield from _walk(f"{field.name}.toml", "", value)


def _walk(file: str, key: str, thing: Any) -> Iterator[tuple[str, str, Any]]:
    for name, item in _items(thing):
        yield from _walk(file, f"{key}.{name}" if key else name, item)
    if isinstance(thing, msgspec.Struct):
        yield file, key, thing


@cache
def _names(kind: type[msgspec.Struct]) -> list[tuple[str, str]]:
    """Return the fields of a struct, as the file and as the code call them."""
    return [(field.encode_name, field.name) for field in msgspec.structs.fields(kind)]


def _items(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, msgspec.Struct):
        for encoded, name in _names(type(thing)):
            yield encoded, getattr(thing, name)
    elif isinstance(thing, dict):
        yield from ((str(name), item) for name, item in thing.items())
    elif isinstance(thing, list):
        yield from ((f"{at}", item) for at, item in enumerate(thing))


def check_thing(file: str, key: str, thing: Any) -> None:
    """Check that a table has an origin and no gap."""
    if isinstance(thing, Sourced | Chart):
        wanted = "a sentence that says where the figures come from"
        expect(thing.origin.strip(), file, f"{key}.origin", wanted, "nothing")
    if isinstance(thing, Steps):
        check_whole(file, f"{key}.rows", thing.rows, thing.reach)
    if isinstance(thing, Crossing):
        check_whole(file, f"{key}.columns", thing.columns, thing.reach)
        for row, cells in thing.rows.items():
            check_count(file, f"{key}.rows.{row}", "cells", len(cells), len(thing.columns))
    if isinstance(thing, Outcomes):
        _bands(file, f"{key}.band", thing.band, thing.reach)
        if thing.grades:
            check_count(file, f"{key}.grades", "grades", len(thing.grades), len(thing.band))
    if isinstance(thing, Perspective):
        _bands(file, f"{key}.band", thing.band, (-FAR, FAR))


def check_whole(file: str, key: str, labels: Iterable[str], reach: tuple[int, int]) -> None:
    """Check that every number of the reach has exactly one range."""
    labels = list(labels)
    for label in labels:
        expect(row_range(label), file, f"{key}.{label}", "a range such as 4, 2-5, 9+ or <=3", repr(label))
    for value in _edges(labels, reach):
        names = covering(labels, value)
        expect(len(names) == 1, file, key, f"one range for {value}", " and ".join(names) or "none")


def _edges(labels: Iterable[str], reach: tuple[int, int]) -> list[int]:
    """Return the numbers at which a gap or an overlap would show: the ends of the reach and of each range."""
    ends = {end + step for span in filter(None, map(row_range, labels)) for end in span for step in (-1, 0, 1)}
    return sorted(end for end in ends | set(reach) if reach[0] <= end <= reach[1])


def _bands(file: str, key: str, bands: list[Band], reach: tuple[int, int]) -> None:
    check_whole(file, key, [band.points for band in bands], reach)
    starts = [span[0] for band in bands if (span := row_range(band.points))]
    found = ", ".join(band.points for band in bands)
    expect(starts == sorted(starts), file, key, "bands from the lowest points to the highest", found)


def expect(fits: object, file: str, key: str, expected: str, found: str) -> None:
    """Raise `InvalidData` if something does not fit."""
    if not fits:
        raise InvalidData(file, key, expected, found)


def check_one(file: str, key: str, name: str, known: Iterable[str]) -> None:
    """Check that a name is known."""
    known = list(known)
    if name not in known:
        raise InvalidData(file, key, f"one of {', '.join(known)}", repr(name))


def check_all(file: str, key: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Check that all names are known."""
    known = list(known)
    for name in names:
        check_one(file, key, name, known)


def check_same(file: str, key: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Check that the names are exactly the expected ones."""
    names, known = list(names), list(known)
    check_all(file, key, names, known)
    for each in known:
        expect(each in names, file, f"{key}.{each}", "a row", "none")


def check_count(file: str, key: str, what: str, number: int, expected: int) -> None:
    """Check that there are as many as expected."""
    expect(number == expected, file, key, f"{expected} {what}", str(number))


def check_cup(file: str, key: str, cup: MarkerCup[Any] | HazardCup, kinds: Iterable[str]) -> None:
    """Check that a cup has its size and holds only known kinds."""
    check_count(file, f"{key}.total", "markers", cup.total, sum(marker.count for marker in cup.marker))
    for at, kind in enumerate(marker.kind for marker in cup.marker):
        check_one(file, f"{key}.marker.{at}.kind", kind, kinds)


def check_unique(file: str, key: str, names: Iterable[str]) -> None:
    """Check that no name occurs twice."""
    twice = [name for name, times in Counter(list(names)).items() if times > 1]
    if twice:
        raise InvalidData(file, key, "every key once", f"{twice[0]!r} twice")


def check_mutual(file: str, key: str, adjacent: dict[str, list[str]]) -> None:
    """Check that adjacency is mutual."""
    for here, others in adjacent.items():
        check_unique(file, f"{key}.{here}.adjacent", others)
        for there in others:
            check_one(file, f"{key}.{here}.adjacent", there, [each for each in adjacent if each != here])
            found = ", ".join(adjacent[there])
            expect(here in adjacent[there], file, f"{key}.{there}.adjacent", f"{here}, which adjoins it", found)


def check_cells(file: str, chart: Chart, known: Iterable[str], columns: Iterable[str] = ()) -> None:
    """Check that a chart has these columns and only known cells."""
    if columns:
        check_same(file, f"{chart.id}.columns", chart.columns, columns)
    known = list(known)
    for row, column, cell in chart.cells():
        check_one(file, f"{chart.id}.rows.{row}, column {column}", cell, known)


def check_whole_numbers(file: str, chart: Chart) -> None:
    """Check that every cell of a chart is a whole number."""
    for row, column, cell in chart.cells():
        expect(cell.isdecimal(), file, f"{chart.id}.rows.{row}, column {column}", "a number", repr(cell))
