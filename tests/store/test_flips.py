"""Single flipped bytes anywhere in a database file: what a match reads is noticed at its next load, or identical."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select
from tests.store.playing import enrolled, opened, play

from readyroom.engine.errors import ReadyRoomError
from readyroom.store import SeatAssignment, Store
from readyroom.store.database import Database
from readyroom.store.tables import checkpoints, entries, log, matches, seats

GAMES = ("midway", "tora", "pearl", "picket", "doolittle", "war")
NOT_SEALED = {
    matches: ("changed", "damaged", "expires", "announced", "revisions"),
    seats: ("link", "lent", "spent", "came"),
}
"""Columns that no seal covers."""


def fill(store: Store) -> list[str]:
    """Return matches of all games in play, and finished ones."""
    host = enrolled(store)
    ids = []
    for n, game in enumerate(GAMES):
        ids.append(begin(store, host, game))
        play(store, ids[-1], Random(n), 12)
    for seed in range(3):
        ids.append(opened(store, host=host))
        play(store, ids[-1], Random(seed))
    ids.append(begin(store, host, "pearl"))
    play(store, ids[-1], Random(1))
    ids.append(store.records.import_match(store.records.text(ids[-1]), host))
    return ids


def begin(store: Store, host: Any, game: str) -> str:
    """Return a match in which the host has all seats."""
    rules = store.games(game)
    choices = rules.resolve({})
    places = rules.rules.seats(rules.first_scenario, choices)
    return store.lobby.create(host, game, None, {}, {seat.key: SeatAssignment("me") for seat in places}).id


def content(store: Store, match_id: str, *, sealed: bool) -> list[Any]:
    """Return all that is stored of a match, or only what the seals cover."""
    rows: list[Any] = []
    with store.database.reading() as connection:
        for table in (matches, seats, checkpoints, entries, log):
            left_out = ("match", *NOT_SEALED.get(table, ())) if sealed else ("match", "damaged")
            columns = [column for column in table.c if column.name not in left_out]
            key = table.c.id if table is matches else table.c.match
            wanted = select(*columns).where(key == match_id).order_by(*table.primary_key)
            rows.append([tuple(row) for row in connection.execute(wanted)])
    return rows


def look(store: Store, match_id: str, original: tuple[list[Any], list[Any]], *, always: bool) -> str:
    """Load a match; return whether that was refused, or whether what is served is as it was.

    Unless `always`, a match of which every stored value is as it was is not loaded, to save time.
    """
    try:
        same = content(store, match_id, sealed=False) == original[1]
    except (ReadyRoomError, TypeError, ValueError):
        same = False
    if same and not always:
        return "identical"
    try:
        with store.matches.open(match_id):
            pass
        if same:
            return "identical"
        return "not sealed" if content(store, match_id, sealed=True) == original[0] else "unnoticed"
    except ReadyRoomError:
        return "noticed"


@pytest.mark.parametrize(
    "flips", [pytest.param(12, marks=pytest.mark.slow(5)), pytest.param(1000, marks=pytest.mark.torture(200))]
)
def test_flipped_byte_is_noticed(tmp_path: Path, flips: int) -> None:
    file = tmp_path / "matches.sqlite"
    url = f"sqlite:///{file}"
    with closing(Store(url)) as store:
        ids = fill(store)
        originals = {each: (content(store, each, sealed=True), content(store, each, sealed=False)) for each in ids}
    whole, random, counts = file.read_bytes(), Random(flips), Counter[str]()
    for _ in range(flips):
        at = random.randrange(len(whole))
        data = bytearray(whole)
        data[at] ^= 1 << random.randrange(8)
        write(file, bytes(data))
        counts[flipped(url, originals, random.choice(ids))] += 1
    write(file, whole)
    with closing(Store(url)) as store:
        assert store.integrity.check().is_whole
    print(f"{flips} flips in {len(whole)} bytes: {dict(counts)}")
    assert not counts["unnoticed"], counts
    assert counts["noticed"] > flips / 5 or flips < 100, "a few may all hit what no match reads"


def flipped(url: str, originals: dict[str, tuple[list[Any], list[Any]]], one: str) -> str:
    """Return what is noticed of a flip when the database is opened, `one` match and all changed ones are loaded."""
    try:
        with closing(Store(url)) as store:
            seen = {look(store, name, original, always=name == one) for name, original in originals.items()}
        for result in ("unnoticed", "noticed"):
            if result in seen:
                return result
        with closing(Database(url, upto=None)) as database:
            database.quick_check()
        return "not sealed" if "not sealed" in seen else "identical"
    except ReadyRoomError:
        return "noticed"


def write(file: Path, data: bytes) -> None:
    """Replace the database file, and delete what a process has left next to it."""
    for end in ("-wal", "-shm"):
        file.with_name(f"{file.name}{end}").unlink(missing_ok=True)
    file.write_bytes(data)
