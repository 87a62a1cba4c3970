"""Tests of positions of a record that are restored from snapshots."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.hostile import AnyMatch, decide_and_undo, full_of_undos
from tests.toys.straits import GAME as STRAITS

from readyroom.engine.errors import InvalidRecord
from readyroom.engine.match import Match
from readyroom.engine.record.format import Entry, Parsed, Undo, parse
from readyroom.engine.record.positions import EVERY, ReplayIndex, build_index
from readyroom.engine.record.replay import apply_entry, game_of_record, replay

RECORDS = Path(__file__).parents[1] / "records"
KEPT = (
    "decisions-taken-back",
    "continued-after-a-fork",
    "real-dice-entered-by-hand",
    "a-release-is-taken-back",
    "a-plan-changed-once-more",
    "seven-seats-vote-on-losses",
    "turn-eight-ends-it",
    "the-atlantic-is-lost",
    "carriers-in-port",
    "a-duel-from-a-file-of-ones-own",
)
PLAYED = [
    ("midway", None),
    ("tora", "sunday"),
    ("doolittle", "night"),
    ("picket", "kyushu"),
    ("pearl", None),
    ("war", "atlantic"),
]


def shown(match: AnyMatch) -> dict[str, Any]:
    """Return what can be seen of a match from every seat."""
    seats = [None, *(seat.key for seat in match.seats)]
    return {
        "views": [repr(match.view(seat)) for seat in seats],
        "pending": {
            seat: (asked.revision, asked.question, [option.text for option in asked.options])
            for seat, asked in match.pending.items()
        },
        "at": (match.revision, match.decision_count, match.state.at, match.outcome, match.digest()),
        "undo": [match.can_undo(seat.key) for seat in match.seats],
        "fingerprint": match.fingerprint if match.header.dice == "keyed" else "",
    }


def check_positions(text: str, step: int = 1) -> None:
    """Check that every position from the index equals a full replay up to it."""
    parsed = parse(text)
    game = game_of_record(parsed.header)
    index, full, done = build_index(parsed, game), replay(parsed, 0, game=game), 0
    for revision in range(index.revision + 1):
        while done < len(parsed.entries) and parsed.entries[done][1].n <= revision:
            line, entry = parsed.entries[done]
            full, done = apply_entry(full, parsed, entry, line), done + 1
        if revision % step == 0 or revision == index.revision:
            check_same(index.match_at(revision, game), full)


def check_same(restored: AnyMatch, full: AnyMatch) -> None:
    """Check that a restored match shows the same as a replayed one; its log is the end of the other's."""
    assert shown(restored) == shown(full)
    log, whole = [repr(line) for line in restored.full_log], [repr(line) for line in full.full_log]
    assert log == whole[len(whole) - len(log) :]


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", KEPT)
def test_positions_equal_a_full_replay(name: str) -> None:
    check_positions((RECORDS / f"{name}.jsonl").read_text(), step=7)


@pytest.mark.parametrize(("game", "scenario"), PLAYED)
def test_positions_between_undos_equal_a_full_replay(game: str, scenario: str | None) -> None:
    match = full_of_undos(game, scenario, undos=25)
    check_positions(match.record(), step=11)


def test_takebacks_before_the_last_checkpoint_are_restored() -> None:
    match: AnyMatch = Match(STRAITS, "many", seed="far back")
    for count in (9, 14, 3, 30, 11):
        while match.outcome is None and match.decision_count < count:
            seat = next(iter(match.pending))
            match.decide(seat, match.pending[seat].sample(Random(match.revision)))
        match.revert_to("red", count // 3)
    parsed = parse(match.record())
    assert sum(isinstance(entry, Undo) for _, entry in parsed.entries) == 5
    index = build_index(parsed, STRAITS, match.secret)
    for revision in range(index.revision + 1):
        full = replay(parsed, revision, game=STRAITS, secret=match.secret)
        check_same(index.match_at(revision, STRAITS), full)


def test_a_position_is_few_decisions_from_a_snapshot() -> None:
    parsed = parse(decide_and_undo(500))
    index = build_index(parsed, game_of_record(parsed.header))
    for revision in range(index.revision + 1):
        assert revision - index.nearest(revision).revision <= EVERY
    assert len({id(one.checkpoint.state) for one in index.snapshots}) < 40
    assert index.size < 2_000_000


@pytest.mark.parametrize("cut", [0, 1, 40, 63])
def test_an_index_grows_with_its_match(cut: int) -> None:
    whole = parse(full_of_undos("midway", undos=20).record())
    game = game_of_record(whole.header)
    secret = bytes.fromhex(whole.ending.secrets[0] or "") if whole.ending else b""
    earlier: ReplayIndex | None = None
    for upto in (cut, cut + 1, cut + 30, len(whole.entries)):
        parsed = Parsed(whole.header, whole.entries[:upto], None, False)
        earlier = build_index(parsed, game, secret, earlier)
        fresh = build_index(parsed, game, secret)
        assert earlier.reached == fresh.reached
        assert shown(earlier.match_at(earlier.revision, game)) == shown(fresh.match_at(fresh.revision, game))


def test_an_undo_of_nothing_is_reported_with_its_line() -> None:
    parsed = parse(decide_and_undo(1))
    entries = [
        (line, Undo(entry.n, entry.by, (77,), False) if isinstance(entry, Undo) else entry)
        for line, entry in parsed.entries
    ]
    with pytest.raises(InvalidRecord, match="line 3: there is no such decision"):
        ReplayIndex(Parsed(parsed.header, entries, parsed.ending, False), None)


def test_entries_are_found_by_number() -> None:
    parsed = parse(decide_and_undo(2))
    index = ReplayIndex(parsed, None)
    assert isinstance(index.entry(1), Entry)
    assert isinstance(index.entry(2), Undo)
    assert index.entry(0) is index.entry(index.revision + 1) is None
