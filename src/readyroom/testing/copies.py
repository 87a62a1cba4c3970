"""Checks of copies: saving, loading, replaying, forking, undoing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from readyroom.engine.errors import CannotUndo, MatchOver, ReadyRoomError
from readyroom.engine.match import Match
from readyroom.engine.match.resume import resume
from readyroom.engine.record.replay import replay, verify
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch, Boundary, CountingDice, PlayedAnswer
from readyroom.testing.snapshots import difference, lines, table_snapshot

LAST = 60
"""The number of answers given after resuming."""


def saves(case: Case, boundary: Boundary) -> None:
    """Check that a state that is saved, loaded and saved again is the same to the byte."""
    game = case.game
    with case.guard(Invariant.SAVES, "loading a saved state"):
        same = game.encode(game.decode(boundary.state)) == boundary.state
        case.check(Invariant.SAVES, same, "a state that is saved, loaded and saved again has changed")


def check_checkpoints_unchanged(case: Case, kept: Sequence[tuple[Any, bytes]]) -> None:
    """Check that checkpointed states have not changed since."""
    with case.guard(Invariant.SAVES, "restoring checkpoints"):
        same = all(case.game.encode(case.game.restore_state(copy)) == state for copy, state in kept)
        case.check(Invariant.SAVES, same, "a checkpointed state changed while the match continued")


def resumes(case: Case, boundary: Boundary, taken: Sequence[PlayedAnswer], final: AnyMatch) -> None:
    """Check that a match started from a saved boundary accepts the same answers and ends the same way."""
    until = min(boundary.position + LAST, len(taken))
    with case.guard(Invariant.SAVES, "playing on from a saved state"):
        match = case.begun(boundary.state)
        for answer in taken[boundary.position : until]:
            match.decide(*answer)
        same = match.digest() == (case.digests[until - 1] if until else match.digest())
        case.check(Invariant.SAVES, same, f"after saving and loading, the state differs at decision {until}")
        over = match.outcome == (final.outcome if until == len(taken) else None)
        case.check(Invariant.SAVES, over, f"after saving and loading, the outcome differs: {match.outcome}")


def saves_and_resumes(case: Case, match: AnyMatch, snapshot: dict[str, bytes]) -> None:
    """Check that a saved and resumed match shows the same table, except for the log."""
    with case.guard(Invariant.SAVES, "saving the match"):
        again = resume(match.saved(), case.game)
        case.same(Invariant.SAVES, "saved and resumed", _without_log(snapshot), _without_log(table_snapshot(again)))
        revisions = [{seat: decision.revision for seat, decision in each.pending.items()} for each in (match, again)]
        same = revisions[0] == revisions[1] and again.record() == match.record()
        case.check(Invariant.SAVES, same, "saved and resumed, the record or a revision differs")


def _without_log(snapshot: dict[str, bytes]) -> dict[str, bytes]:
    return {name: text for name, text in snapshot.items() if not name.startswith("the log")}


def replays(case: Case, match: AnyMatch, snapshot: dict[str, bytes]) -> None:
    """Check that replaying the record of a match in progress gives the same table."""
    with case.guard(Invariant.REPLAYS, "replaying the record"):
        again = replay(match.record(), game=case.game)
        case.same(Invariant.REPLAYS, "replayed", snapshot, table_snapshot(again))
        same = again.revision == match.revision and again.record() == match.record()
        case.check(Invariant.REPLAYS, same, "replayed, the record differs")


def forks(case: Case, match: AnyMatch, snapshot: dict[str, bytes], random: Random) -> None:
    """Check that a fork shows the same table."""
    with case.guard(Invariant.FORKS, "forking"):
        fork = match.fork(random.randbytes(32))
        case.same(Invariant.FORKS, "forked", snapshot, table_snapshot(fork))


def undoes(case: Case, taken: Sequence[PlayedAnswer], final: AnyMatch, every: int, random: Random) -> None:
    """Replay the match, undoing and repeating decisions where possible.

    Each undo must restore the position and must be impossible after dice; and the match, with all its undos, must end
    the same way and verify.
    """
    dice = CountingDice(case.seed)
    match = Match(case.game, case.scenario, case.options, case.seed, dice=dice)
    for case.at, answer in enumerate(taken):
        if random.random() * every >= 1:
            match.decide(*answer)
        else:
            _undo_and_repeat(case, match, answer, dice)
        fits = match.outcome is not None or answer_fits(match, taken, case.at + 1)
        if not case.check(Invariant.SAME_AGAIN, fits, "the same answers lead to another decision"):
            return
    case.check(Invariant.UNDOES, match.digest() == final.digest(), "with undos, the match ends differently")
    verifies(case, match)


def takes_back(case: Case, taken: Sequence[PlayedAnswer], places: Sequence[int]) -> None:
    """Check that a match can revert to any decision by agreement: to the latest of some places first."""
    match = Match(case.game, case.scenario, case.options, case.seed)
    for answer in taken[:-1]:
        match.decide(*answer)
    for place in sorted(places, reverse=True):
        if not 0 < place < match.decision_count:
            continue
        case.at = place
        with case.guard(Invariant.UNDOES, "reverting by agreement"):
            match.revert_to(match.seats[0].key, place)
            same = match.digest() == case.digests[place - 1]
            case.check(Invariant.UNDOES, same, f"reverted to decision {place}, the state differs")


def answer_fits(match: AnyMatch, taken: Sequence[PlayedAnswer], at: int) -> bool:
    """Return whether the next answer fits the pending decisions."""
    if at >= len(taken):
        return True
    seat, keys = taken[at]
    return seat in match.pending and set(keys) <= set(match.pending[seat].keys)


def _undo_and_repeat(case: Case, match: AnyMatch, answer: PlayedAnswer, dice: CountingDice) -> None:
    before, rolls = table_snapshot(match), dice.rolls
    match.decide(*answer)
    if '"block":' not in match.record_lines()[-1]:
        others = [seat.key for seat in match.seats if seat.key != answer.seat and match.can_undo(seat.key)]
        case.check(Invariant.BARS, not others, f"{', '.join(others)} can undo a decision before {answer.seat}'s")
    if not match.can_undo(answer.seat):
        _check_undo_blocked(case, match, answer.seat)
        return
    text = f"{answer.seat} can undo {answer.keys} after dice were rolled or a counter was drawn"
    if not case.check(Invariant.BARS, dice.rolls == rolls, text):
        return
    match.undo(answer.seat)
    case.same(Invariant.UNDOES, f"after {answer.seat} undid {answer.keys}", before, table_snapshot(match))
    match.decide(*answer)


def _check_undo_blocked(case: Case, match: AnyMatch, seat: str) -> None:
    before = table_snapshot(match)
    try:
        match.undo(seat)
    except (CannotUndo, MatchOver):
        unchanged = not difference(before, table_snapshot(match))
    else:
        unchanged = False
    case.check(Invariant.BARS, unchanged, "a blocked undo succeeded, or changed something")


def verifies(case: Case, match: AnyMatch) -> None:
    """Check that the record of a finished match verifies, and that its replay has the same log."""
    with case.guard(Invariant.VERIFIES, "verifying the record"):
        try:
            verify(match.record(), case.game)
        except ReadyRoomError as error:
            case.check(Invariant.VERIFIES, False, f"the record does not verify: {error}")
            return
        case.check(Invariant.VERIFIES, True, "")
        again: AnyMatch = replay(match.record(), game=case.game)
        same = lines(again.full_log) == lines(match.full_log)
        case.check(Invariant.SAME_AGAIN, same, "replayed, the log differs")
