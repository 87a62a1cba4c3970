"""Tests of how large a match may become, played or imported."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest
from tests.hostile import decide_and_undo, full_of_undos
from tests.store.playing import enrolled, opened, play

from readyroom.engine.errors import CannotUndo
from readyroom.engine.record.format import Entry, Fork, Header, Parsed, first_line, next_lines, parse
from readyroom.engine.record.positions import build_index
from readyroom.store import SeatAssignment, Store, limits
from readyroom.store.errors import ImportRejected, InvalidText
from readyroom.store.limits import MatchTooLong
from readyroom.store.matches.records import prepare_import

SMALL = decide_and_undo(1)


def with_header(**changes: object) -> str:
    """Return a record with a changed header, its hashes computed again."""
    parsed = parse(SMALL)
    return text_of(msgspec.structs.replace(parsed.header, **changes), parsed)


def text_of(header: Header, parsed: Parsed) -> str:
    first = first_line(header)
    assert parsed.ending is not None
    lines = [first, *next_lines([*(entry for _, entry in parsed.entries), parsed.ending], first)]
    return "".join(f"{line}\n" for line in lines)


def with_forks() -> str:
    parsed = parse(SMALL)
    forks = [(3, Fork(2, "0" * 32)) for _ in range(limits.FORKS + 1)]
    return text_of(parsed.header, msgspec.structs.replace(parsed, entries=[*parsed.entries[:2], *forks]))


def with_a_long_line() -> str:
    parsed = parse(SMALL)
    entry = Entry(1, "japan", "9.2", ("x" * limits.LINE_LENGTH,))
    return text_of(parsed.header, msgspec.structs.replace(parsed, entries=[(2, entry), *parsed.entries[1:]]))


TOO_LARGE: dict[str, tuple[Callable[[], str], str]] = {
    "bytes": (lambda: "x" * 2_000_001, "The record has 2,000,001 characters; the maximum is 2,000,000"),
    "lines": (lambda: decide_and_undo(2_600), "lines; the maximum is 5,023"),
    "a line": (with_a_long_line, "Line 2 of the record has 20,"),
    "undos": (lambda: decide_and_undo(301), "301 undos by japan; the maximum for a seat is 300"),
    "forks": (with_forks, "changes the dice 21 times; the maximum is 20"),
    "nonces": (lambda: with_header(nonces={"usa": "x" * 201}), "text for the dice by usa has 201 characters"),
    "strangers": (lambda: with_header(nonces={"korea": "x"}), "text for the dice by korea, which is no seat"),
    "seed": (lambda: with_header(seed="x" * 201), "The seed has 201 characters"),
    "scenario": (lambda: with_header(own="x" * 49_153), "scenario in the record has 49,153 bytes"),
    "header": (lambda: with_header(options={"x": "y" * 60_000}), "Line 1 of the record has 60,"),
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("what", TOO_LARGE)
def test_record_above_a_limit_is_rejected_with_the_limit(store: Store, what: str) -> None:
    make, sentence = TOO_LARGE[what]
    host = enrolled(store)
    with pytest.raises(ImportRejected, match=sentence):
        store.records.import_match(make(), host)
    assert not store.listings.matches_of(host.id)


def test_largest_record_of_undos_is_imported(store: Store) -> None:
    text = decide_and_undo(limits.UNDOS)
    assert text.count('"undo":') == limits.UNDOS
    match_id = store.records.import_match(text, enrolled(store))
    assert store.records.text(match_id) == text
    source = store.records.source(match_id)
    assert build_index(source.parsed, source.game).revision == store.listings.summary(match_id).true_revision


def test_imported_match_is_loaded_from_its_checkpoint(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    match = full_of_undos("midway", undos=5)
    match_id = store.records.import_match(match.record(), enrolled(store))
    monkeypatch.setattr("readyroom.store.live.live_matches.replay", None)
    with store.matches.open(match_id) as kept:
        assert [repr(line) for line in kept.full_log] == [repr(line) for line in match.full_log]
        assert kept.record() == match.record()
        assert (kept.digest(), kept.outcome) == (match.digest(), match.outcome)


def test_progress_of_an_import_is_reported() -> None:
    shares: list[float] = []
    prepare_import(SMALL, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


# -- live matches ----------------------------------------------------------------------------------------------------


def decide_and_undo_live(store: Store, match_id: str) -> None:
    play(store, match_id, Random(1), 1)
    store.matches.undo(match_id, "red")


def test_a_seat_can_undo_only_so_often(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNDOS", 3)
    match_id = opened(store)
    for _ in range(3):
        decide_and_undo_live(store, match_id)
    play(store, match_id, Random(1), 1)
    with pytest.raises(CannotUndo, match=r"You have undone 3 decisions in this match, which is the limit. Play on."):
        store.matches.undo(match_id, "red")
    with pytest.raises(CannotUndo, match="which is the limit"):
        store.matches.request_takeback(match_id, "red")
    play(store, match_id, Random(2))
    assert store.listings.summary(match_id).outcome is not None


def test_undo_is_off_in_a_long_match(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LAST_UNDO", 4)
    match_id = opened(store)
    for _ in range(2):
        decide_and_undo_live(store, match_id)
    play(store, match_id, Random(1), 1)
    with pytest.raises(CannotUndo, match=r"Undo is off after 4 decisions and undos; this match has 5. Play on."):
        store.matches.undo(match_id, "red")
    play(store, match_id, Random(1), 1)


def test_a_match_cannot_grow_without_end(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ENTRIES", 3)
    match_id = opened(store)
    play(store, match_id, Random(1), 3)
    with pytest.raises(MatchTooLong, match="it has 3 decisions and undos, the limit here"):
        play(store, match_id, Random(1), 1)
    assert store.listings.summary(match_id).true_revision == 3


def test_long_matches_leave_memory_early(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readyroom.store.live.live_matches.MAX_CACHED_LINES", 30)
    for number in range(6):
        match_id = opened(store)
        play(store, match_id, Random(number), 8)
    assert 1 <= len(store._shared.live) < 5


def test_scenario_with_too_many_pieces_is_rejected(store: Store) -> None:
    carriers = "".join(
        f'[[carrier]]\nkey="{side[0]}{letter}"\nname="{side[0]}{letter}"\nside="{side}"\nantiaircraft=6\nrepair=3\n'
        "fighters=30\ntorpedo_bombers=30\ndive_bombers=30\n\n"
        for side in ("japan", "usa")
        for letter in "abcdefghijklmnop"
    )
    own = f'title="Large"\nsummary="Many."\nfound=true\nsource="rulebook"\norigin="own"\n\n{carriers}'
    seats = dict.fromkeys(("japan", "usa"), SeatAssignment("bot", "random"))
    with pytest.raises(InvalidText, match="too many pieces"):
        store.lobby.create(None, "midway", "own", {}, seats, own=own)
