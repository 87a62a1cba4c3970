"""Checks of copies: saving and loading, replaying, forking, undoing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from readyroom.engine.errors import CannotUndo, MatchOver, ReadyRoomError
from readyroom.engine.match import Match
from readyroom.engine.record import verify
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch, Boundary, CountingDice, PlayedAnswer
from readyroom.testing.snapshots import difference, lines, table_snapshot

LAST = 60
"""So many answers are given after a resumption; what was forgotten by then has shown itself."""


def saves(case: Case, boundary: Boundary) -> None:
    """A saved state that is loaded and saved again is the same to the byte."""
    game = case.game
    with case.guard(Invariant.SAVES, "loading a saved state"):
        again = game.encode(game.decode(boundary.state))
        case.check(
            Invariant.SAVES, again == boundary.state, "a state that is saved, loaded and saved again has changed"
        )


def check_checkpoints_unchanged(case: Case, kept: Sequence[tuple[Any, bytes]]) -> None:
    """What checkpoints keep of a state is still what it was, whatever has been played since."""
    with case.guard(Invariant.SAVES, "laying out what checkpoints keep"):
        same = all(case.game.encode(case.game.restore_state(copy)) == state for copy, state in kept)
        case.check(Invariant.SAVES, same, "what a checkpoint keeps of a state changed while the match went on")


def resumes(case: Case, boundary: Boundary, taken: Sequence[PlayedAnswer], final: AnyMatch) -> None:
    """A match that is begun anew from a saved boundary takes the same answers and comes to the same."""
    until = min(boundary.position + LAST, len(taken))
    with case.guard(Invariant.SAVES, "playing on from a saved state"):
        match = case.begun(boundary.state)
        for answer in taken[boundary.position : until]:
            match.decide(*answer)
        same = match.digest() == (case.digests[until - 1] if until else match.digest())
        case.check(Invariant.SAVES, same, f"saved and loaded, the match stands otherwise at decision {until}")
        over = match.outcome == (final.outcome if until == len(taken) else None)
        case.check(Invariant.SAVES, over, f"saved and loaded, the match ends otherwise: {match.outcome}")


def put_down(case: Case, match: AnyMatch, shown: dict[str, bytes]) -> None:
    """A match that is put down as plain data and taken up again shows the same table, but for the log."""
    with case.guard(Invariant.SAVES, "putting the match down"):
        again = Match.resume(match.saved(), case.game)
        case.same(
            Invariant.SAVES, "put down and taken up again", _without_log(shown), _without_log(table_snapshot(again))
        )
        revisions = [{seat: asked.revision for seat, asked in each.pending.items()} for each in (match, again)]
        same = revisions[0] == revisions[1] and again.record() == match.record()
        case.check(Invariant.SAVES, same, "put down and taken up again, the record or a revision is another")


def _without_log(told: dict[str, bytes]) -> dict[str, bytes]:
    return {name: text for name, text in told.items() if not name.startswith("the log")}


def replays(case: Case, match: AnyMatch, shown: dict[str, bytes]) -> None:
    """The record of a match in progress, replayed, gives the same table."""
    with case.guard(Invariant.REPLAYS, "replaying the record"):
        again = Match.replay(match.record(), game=case.game)
        case.same(Invariant.REPLAYS, "replayed", shown, table_snapshot(again))
        same = again.revision == match.revision and again.record() == match.record()
        case.check(Invariant.REPLAYS, same, "replayed, a record is another one")


def forks(case: Case, match: AnyMatch, shown: dict[str, bytes], random: Random) -> None:
    """A fork shows the same table."""
    with case.guard(Invariant.FORKS, "forking"):
        fork = match.fork(random.randbytes(32))
        case.same(Invariant.FORKS, "forked", shown, table_snapshot(fork))


def undoes(case: Case, taken: Sequence[PlayedAnswer], final: AnyMatch, every: int, random: Random) -> None:
    """Play the match again, taking back and repeating decisions wherever that is possible.

    An undo returns to where the match stood; it is not possible where dice were thrown since; and the match, with all
    its undos, comes to the same end and proves itself.
    """
    dice = CountingDice(case.seed)
    match = Match(case.game, case.scenario, case.options, case.seed, dice=dice)
    for case.at, answer in enumerate(taken):
        if random.random() * every >= 1:
            match.decide(*answer)
        else:
            _there_and_back(case, match, answer, dice)
        if match.outcome is None and not case.check(
            Invariant.SAME_AGAIN, answer_fits(match, taken, case.at + 1), "the same answers lead to another question"
        ):
            return
    case.check(Invariant.UNDOES, match.digest() == final.digest(), "with undos, the match comes to another end")
    verifies(case, match)


def takes_back(case: Case, taken: Sequence[PlayedAnswer], places: Sequence[int]) -> None:
    """With everybody's leave a match returns to any moment: to the latest of some places, then to earlier ones."""
    match = Match(case.game, case.scenario, case.options, case.seed)
    for answer in taken[:-1]:
        match.decide(*answer)
    for place in sorted(places, reverse=True):
        if not 0 < place < match.decision_count:
            continue
        case.at = place
        with case.guard(Invariant.UNDOES, "taking back with everybody's leave"):
            match.revert_to(match.seats[0].key, place)
            same = match.digest() == case.digests[place - 1]
            case.check(Invariant.UNDOES, same, f"taken back to decision {place}, the match stands otherwise")


def answer_fits(match: AnyMatch, taken: Sequence[PlayedAnswer], at: int) -> bool:
    """Whether the next of some answers fits what is asked now."""
    if at >= len(taken):
        return True
    seat, keys = taken[at]
    return seat in match.pending and set(keys) <= set(match.pending[seat].keys)


def _there_and_back(case: Case, match: AnyMatch, answer: PlayedAnswer, dice: CountingDice) -> None:
    before, thrown = table_snapshot(match), dice.thrown
    match.decide(*answer)
    if '"block":' not in match.record_lines()[-1]:
        others = [seat.key for seat in match.seats if seat.key != answer.seat and match.can_undo(seat.key)]
        case.check(
            Invariant.BARS, not others, f"{', '.join(others)} may take back what lies before {answer.seat}'s move"
        )
    if not match.can_undo(answer.seat):
        _stays(case, match, answer.seat)
        return
    text = f"{answer.seat} may take back {answer.keys} after dice were thrown or a counter was drawn"
    if not case.check(Invariant.BARS, dice.thrown == thrown, text):
        return
    match.undo(answer.seat)
    case.same(Invariant.UNDOES, f"after {answer.seat} took back {answer.keys}", before, table_snapshot(match))
    match.decide(*answer)


def _stays(case: Case, match: AnyMatch, seat: str) -> None:
    before = table_snapshot(match)
    try:
        match.undo(seat)
    except (CannotUndo, MatchOver):
        kept = not difference(before, table_snapshot(match))
    else:
        kept = False
    case.check(Invariant.BARS, kept, "an undo that is barred was made, or changed something")


def verifies(case: Case, match: AnyMatch) -> None:
    """The record of a match that is over proves itself, and tells the same log."""
    with case.guard(Invariant.VERIFIES, "verifying the record"):
        try:
            verify(match.record(), Match, case.game)
        except ReadyRoomError as error:
            case.check(Invariant.VERIFIES, False, f"the record does not verify: {error}")
            return
        case.check(Invariant.VERIFIES, True, "")
        again: AnyMatch = Match.replay(match.record(), game=case.game)
        same = lines(again.full_log) == lines(match.full_log)
        case.check(Invariant.SAME_AGAIN, same, "played again, the log tells something else")
