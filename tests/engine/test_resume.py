"""Matches resumed from saved positions."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.toys import straits
from tests.toys.tiny import T, ask, both, plans, roll_dice, tiny

from readyroom import Match
from readyroom.engine.errors import CannotUndo, InvalidData, ReadyRoomError
from readyroom.engine.match.resume import resume
from readyroom.engine.match.snapshot import Saved
from readyroom.engine.record.replay import replay, verify
from readyroom.engine.rules.dice import fixed_dice
from readyroom.engine.rules.table import LogLine, Steps
from readyroom.testing.playouts import AnyMatch, play_on
from readyroom.testing.snapshots import difference, table_snapshot


def without_log(match: AnyMatch) -> dict[str, bytes]:
    return {name: text for name, text in table_snapshot(match).items() if not name.startswith("the log")}


def played(upto: int) -> AnyMatch:
    match = Match(straits.GAME, "many", {"turns": "8"}, "resume")
    for _ in play_on(match, Random(8), upto=upto):
        pass
    return match


@pytest.mark.parametrize("upto", [0, 1, 2, 5, 9, 10, 13, 21, 22, 23, 34])
def test_resumed_match_has_same_state_and_ending(upto: int) -> None:
    match = played(upto)
    again = resume(match.saved(), straits.GAME)
    assert not difference(without_log(match), without_log(again))
    assert (again.decision_count, again.revision, again.record()) == (
        match.decision_count,
        match.revision,
        match.record(),
    )
    for one in (match, again):
        for _ in play_on(one, Random(5)):
            pass
    assert not difference(without_log(match), without_log(again))
    assert again.record() == match.record()
    assert verify(again.record(), straits.GAME).digest() == match.digest()


@pytest.mark.parametrize("upto", range(12, 30))
def test_pending_decisions_keep_revisions(upto: int) -> None:
    match = played(upto)
    again = resume(match.saved(), straits.GAME)
    mine, yours = ({seat: d.revision for seat, d in each.pending.items()} for each in (match, again))
    assert mine == yours


@pytest.mark.parametrize("upto", range(1, 26))
def test_secret_plans_after_checkpoint_keep_revisions(upto: int) -> None:
    match = Match(tiny(plans(1), turns=20), seed="plans")
    for _ in play_on(match, Random(2), upto=upto):
        pass
    again = resume(match.saved(), match.game)
    mine, yours = ({seat: d.revision for seat, d in each.pending.items()} for each in (match, again))
    assert mine == yours
    assert again.record() == match.record()


def test_saved_match_is_plain_data() -> None:
    saved = played(21).saved()
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(saved), type=Saved)
    assert resume(again, straits.GAME).digest() == played(21).digest()


def test_undone_decisions_stay_undone() -> None:
    match = Match(tiny(ask("red"), ask("red"), ask("red"), turns=9), seed="u")
    for _ in range(11):
        match.decide("red", "a")
    match.undo("red")
    match.decide("red", "b")
    match.undo("red")
    again = resume(match.saved(), match.game)
    assert not difference(without_log(match), without_log(again))
    again.decide("red", "c")
    again.undo("red")
    assert not difference(without_log(match), without_log(again))


def test_manual_dice_are_resumed() -> None:
    game = tiny(both(ask("red"), roll_dice(2)), both(ask("blue"), roll_dice(1)), ask("red"))
    match = Match(game, dice=fixed_dice(1, 2, 3))
    match.decide("red", "a")
    again = resume(match.saved(), game)
    assert again.state.notes == match.state.notes


def test_saving_fork_raises() -> None:
    with pytest.raises(ValueError, match="cannot save a fork"):
        played(5).fork().saved()


def test_modified_state_is_rejected() -> None:
    match: AnyMatch = Match(straits.GAME, seed="by hand")
    saved = msgspec.structs.replace(match.saved(), state=match.saved().state.replace(b"red", b"rad", 1))
    with pytest.raises(InvalidData, match="state"):
        resume(saved, straits.GAME)


@pytest.mark.parametrize(
    "change", [{"position": 999}, {"revision": 3}, {"blocks": 7}, {"barrier": 0}, {"active_entries": [1]}]
)
def test_modified_position_is_rejected(change: dict[str, Any]) -> None:
    match: AnyMatch = Match(straits.GAME, seed="by hand")
    for _ in zip(range(20), play_on(match, Random(2)), strict=False):
        pass
    saved = msgspec.structs.replace(match.saved(), **change)
    with pytest.raises(InvalidData, match="a modified state"):
        resume(saved, straits.GAME)


def test_resume_stops_before_illegal_decision() -> None:
    """Newer rules may reject answers that older rules accepted."""
    older, newer = tiny(ask("red"), ask("red"), ask("blue")), tiny(ask("red"), ask("blue"), ask("blue"))
    match: AnyMatch = Match(older, seed="older")
    match.decide("red", "a")
    match.decide("red", "b")
    saved = match.saved()
    with pytest.raises(ReadyRoomError):
        resume(saved, newer)
    resumed: AnyMatch = resume(saved, newer, stand=True)
    assert resumed.decision_count == 1
    assert list(resumed.pending) == ["blue"]
    resumed.decide("blue", "c")
    assert '"undo":[2]' in resumed.record()


def test_resume_stops_before_failing_rule() -> None:
    def fails(table: Any) -> Any:
        raise KeyError("planted")

    older, newer = tiny(ask("red"), ask("red"), ask("red")), tiny(ask("red"), both(ask("red"), fails), ask("red"))
    match: AnyMatch = Match(older, seed="older")
    match.decide("red", "a")
    match.decide("red", "b")
    with pytest.raises(KeyError):
        resume(match.saved(), newer)
    resumed: AnyMatch = resume(match.saved(), newer, stand=True)
    assert (resumed.state.notes, list(resumed.pending)) == (["red:a"], ["red"])


@pytest.mark.parametrize("upto", [0, 1, 9, 13, 22, 34])
def test_resume_with_log_has_full_log(upto: int) -> None:
    match = played(upto)
    log_lines = [
        LogLine(line.turn, line.phase, line.rule, "{0}", (line.text, *line.rolls), line.audience)
        for line in match.full_log[: match.resume_point().checkpoint.lines]
    ]
    again = resume(match.saved(), straits.GAME, log=log_lines)
    assert not difference(table_snapshot(match), table_snapshot(again))
    for one in (match, again):
        for _ in play_on(one, Random(5)):
            pass
    assert not difference(table_snapshot(match), table_snapshot(again))


@pytest.mark.parametrize("upto", range(1, 35))
def test_resumed_match_has_same_undo(upto: int) -> None:
    match = played(upto)
    again = resume(match.saved(), straits.GAME)
    for seat in ("red", "blue"):
        assert match.can_undo(seat) == again.can_undo(seat)
        assert match.takeback_position(seat) == again.takeback_position(seat)
    seat = next((seat for seat in ("red", "blue") if match.can_undo(seat)), "")
    if seat:
        match.undo(seat)
        again.undo(seat)
        assert not difference(without_log(match), without_log(again))


def test_dice_after_checkpoint_block_undo_after_resume() -> None:
    match = Match(tiny(ask("red"), both(ask("red"), roll_dice(1)), turns=9), seed="u")
    match.decide("red", "a")
    match.decide("red", "b")
    again = resume(match.saved(), match.game)
    with pytest.raises(CannotUndo, match="dice were rolled"):
        again.undo("red")


def test_rules_know_whether_dice_are_known() -> None:
    """By a seed, typed dice, or the origin in the header of an imported record; a fork does not forget it."""
    known = list[bool]()

    def note(table: T) -> Steps:
        known.append(table.known_dice)
        yield from ()

    game, secret = tiny(both(note, ask("red")), turns=9), b"s" * 32
    match = Match(game, secret=secret)
    match.decide("red", "a")
    assert set(known) == {False}
    match.continue_record(replace(match.header, origin="import"))
    record, saved = match.record(), match.saved()
    known.clear()
    for other in (Match(game, seed="x"), Match(game, dice=fixed_dice()), replay(record, game=game, secret=secret)):
        other.decide("red", "a")
        other.fork().decide("red", "b")
    resume(saved, game).decide("red", "b")
    assert set(known) == {True}


def test_revert_behind_checkpoint_is_rejected() -> None:
    match = Match(tiny(both(ask("red"), roll_dice(1)), turns=30), seed="far")
    for _ in range(14):
        match.decide("red", "a")
    again = resume(match.saved(), match.game)
    with pytest.raises(CannotUndo, match="Cannot return to decision"):
        again.revert_to("red", 2)
    match.revert_to("red", 2)


def test_record_entries_since_revision() -> None:
    match = played(20)
    assert [fork.n for fork in match.record_entries(17)] == [18, 19, 20]
    assert len(match.record_entries()) == 20
    assert match.record_entries(20) == []
