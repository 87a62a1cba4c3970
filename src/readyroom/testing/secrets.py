"""Checks of hidden information: states that a seat cannot distinguish must show it the same table."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from readyroom.engine.match.runner import Resample
from readyroom.engine.rules.state import iter_pieces
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch, Boundary, counters, play_on
from readyroom.testing.snapshots import excerpt, log, odds_now, question, view

ONWARD = 25
"""The number of decisions played on from an imagined position."""
ANSWERS = 3
"""The number of answers that are compared in a true and an imagined position."""
DEALT = 0.5
"""How often what is hidden is dealt by counts, if the game can do that."""


def keeps_secrets(case: Case, boundary: Boundary, random: Random) -> None:
    """Resample a boundary for each seat, and compare what that seat and a spectator see there and afterwards."""
    match = case.begun(boundary.state)
    for seat in match.seats:
        with case.guard(Invariant.SECRETS, f"resampling for {seat.key}"):
            other = _resampled(case, boundary, seat.key, random)
            _same_tables(case, boundary, seat.key, other, random)


def _resampled(case: Case, boundary: Boundary, seat: str, random: Random) -> bytes:
    """Return the resampled state after comparing its views."""
    game = case.game
    true = game.decode(boundary.state)
    given = game.decode(boundary.state)
    other = game.rules.resample(given, game.data, seat, random)
    text = f"resampling for {seat} must change the state in place, because rules hold its pieces"
    case.check(Invariant.IMAGINES, other is given, text)
    for viewer in (seat, None):
        mine = msgspec.json.encode(game.rules.view(true, game.data, viewer))
        yours = msgspec.json.encode(game.rules.view(other, game.data, viewer))
        text = f"the view of {viewer or 'a spectator'} depends on what {seat} may not know: {excerpt(mine, yours)}"
        case.check(Invariant.SECRETS, mine == yours, text)
    same = sorted(piece.key for piece in iter_pieces(true)) == sorted(piece.key for piece in iter_pieces(other))
    case.check(Invariant.PIECES, same, f"resampling for {seat} loses or adds counters")
    encoded = game.encode(other)
    case.findings.resampled += 1
    case.findings.redistributed += encoded != boundary.state
    return encoded


def _same_tables(case: Case, boundary: Boundary, seat: str, other: bytes, random: Random) -> None:
    """Check that if both states reach a decision of the seat with the same view, its decision and log are the same."""
    true = case.begun(boundary.state)
    false = case.begun(other)
    if seat not in true.pending or seat not in false.pending or view(true, seat) != view(false, seat):
        return
    for what, read in (("question", _question), ("odds", odds_now), ("log", _sorted_log)):
        mine, yours = read(true, seat), read(false, seat)
        text = f"the {what} of {seat} depends on what it may not know: {excerpt(mine, yours)}"
        if not case.check(Invariant.SECRETS, mine == yours, text):
            return
    _same_after(case, true, false, seat, random)


def imagines(case: Case, match: AnyMatch, seat: str, random: Random) -> None:
    """Check that an imagined position shows the seat the same table, and can be played on.

    If the game can deal what is hidden by counts, every other position is imagined with random counts.
    """
    resample = _dealing(match, seat, random) if match.game.analysis.hidden and random.random() < DEALT else None
    with case.guard(Invariant.IMAGINES, f"imagining for {seat}"):
        other = match.imagine(seat, random, resample)
        for what, read in (("view", view), ("question", _question), ("odds", odds_now)):
            mine, yours = read(match, seat), read(other, seat)
            text = f"the {what} of {seat} differs in what it imagines: {excerpt(mine, yours)}"
            case.check(Invariant.IMAGINES, mine == yours, text)
        if resample is None and not match.open_block:  # what is dealt by counts may be impossible
            for number in range(ANSWERS):
                true = match.fork(log=False, checkpoints=False).fork(log=True)  # both logs begin at the same place
                _same_after(case, true, other.fork(log=True), seat, Random(f"{case.seed} {case.at} {number}"))
        case.conserves(counters(match), other, f" in what {seat} imagines")
        for _ in play_on(other, random, upto=other.decision_count + ONWARD):
            pass
        case.conserves(counters(match), other, f" where what {seat} imagines is played on")
        if other.outcome is None:
            same = other.fork(random.randbytes(32)).digest() == other.digest()
            case.check(Invariant.IMAGINES, same, f"a fork of what {seat} imagines has another state")


def _dealing(match: AnyMatch, seat: str, random: Random) -> Resample:
    """Return a way to draw what a seat does not know: by the counts of the true state, in another order."""
    hidden, rules = match.game.analysis.hidden, match.game.rules
    assert hidden is not None
    counts = [*hidden.count(match.state, match.game.data, seat)]
    random.shuffle(counts)

    def resample(state: Any, data: Any, seat: str, random: Random) -> Any:
        if hidden.deal(state, data, seat, counts, random):
            return state
        return rules.resample(state, data, seat, random)

    return resample


def _question(match: AnyMatch, seat: str | None) -> bytes:
    return question(match.pending.get(seat or ""))


def _sorted_log(match: AnyMatch, seat: str | None) -> bytes:
    """Return the sorted lines of the log: hidden counters may be revealed in another order."""
    return b"\n".join(sorted(log(match, seat).splitlines()))


def _same_after(case: Case, true: AnyMatch, false: AnyMatch, seat: str, random: Random) -> None:
    """Check that a decision that can be undone has disclosed nothing hidden, also by a negative result.

    Whose decision comes next is not compared unless the match is over: `check_interference` finds what it discloses.
    """
    answer = true.pending[seat].sample(random)
    true.decide(seat, answer)
    false.decide(seat, answer)
    same_decision = (true.state.at, list(true.pending)) == (false.state.at, list(false.pending))
    comparable = same_decision or (true.outcome is None) != (false.outcome is None)
    if not comparable or not (true.can_undo(seat) or false.can_undo(seat)):
        return
    for what, read in (("view", view), ("question", _question), ("log", log)):
        mine, yours = read(true, seat), read(false, seat)
        text = (
            f"{seat} can undo {answer} after its {what} showed something hidden, "
            f"which takes table.reveal: {excerpt(mine, yours)}"
        )
        if not case.check(Invariant.BARS, mine == yours, text):
            return
