"""Checks of secrets: another state that a seat could not tell from the true one must show it the same table."""

from __future__ import annotations

from random import Random

import msgspec

from readyroom.engine.state import iter_pieces
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch, Boundary, counters, play_on
from readyroom.testing.snapshots import excerpt, log, question, view

ONWARD = 25
"""So many decisions are played on from what was imagined."""


def keeps_secrets(case: Case, boundary: Boundary, random: Random) -> None:
    """Resample a boundary for each seat, and compare what that seat and a spectator are shown there and after it."""
    match = case.begun(boundary.state)
    for seat in match.seats:
        with case.guard(Invariant.SECRETS, f"resampling for {seat.key}"):
            other = _resampled(case, boundary, seat.key, random)
            _same_tables(case, boundary, seat.key, other, random)


def _resampled(case: Case, boundary: Boundary, seat: str, random: Random) -> bytes:
    """The resampled state; its views are compared on the way."""
    game = case.game
    true = game.decode(boundary.state)
    given = game.decode(boundary.state)
    other = game.resample(given, game.data, seat, random)
    text = f"resampling for {seat} gives another state back; rules hold pieces of the one that it is given: change that"
    case.check(Invariant.IMAGINES, other is given, text)
    for onlooker in (seat, None):
        mine = msgspec.json.encode(game.view(true, game.data, onlooker))
        yours = msgspec.json.encode(game.view(other, game.data, onlooker))
        text = f"the view of {onlooker or 'a spectator'} changes with what {seat} may not know: {excerpt(mine, yours)}"
        case.check(Invariant.SECRETS, mine == yours, text)
    same = sorted(piece.key for piece in iter_pieces(true)) == sorted(piece.key for piece in iter_pieces(other))
    case.check(Invariant.PIECES, same, f"resampling for {seat} loses or adds counters")
    return game.encode(other)


def _same_tables(case: Case, boundary: Boundary, seat: str, other: bytes, random: Random) -> None:
    """Where both states come to a decision of the seat, and it sees the same, it is asked and told the same."""
    true = case.begun(boundary.state)
    false = case.begun(other)
    if seat not in true.pending or seat not in false.pending or view(true, seat) != view(false, seat):
        return
    for what, shown in (("question", _asked), ("log", _told)):
        mine, yours = shown(true, seat), shown(false, seat)
        text = f"the {what} of {seat} changes with what it may not know: {excerpt(mine, yours)}"
        if not case.check(Invariant.SECRETS, mine == yours, text):
            return
    _same_after(case, true, false, seat, random)


def imagines(case: Case, match: AnyMatch, seat: str, random: Random) -> None:
    """In the midst of a rule, what a seat imagines shows it the same table, and can be played on from there."""
    with case.guard(Invariant.IMAGINES, f"imagining for {seat}"):
        other = match.imagine(seat, random)
        for what, shown in (("view", view), ("question", _asked)):
            mine, yours = shown(match, seat), shown(other, seat)
            text = f"the {what} of {seat} is another one in what it imagines: {excerpt(mine, yours)}"
            case.check(Invariant.IMAGINES, mine == yours, text)
        case.conserves(counters(match), other, f" in what {seat} imagines")
        for _ in play_on(other, random, upto=other.decision_count + ONWARD):
            pass
        case.conserves(counters(match), other, f" where what {seat} imagines is played on")
        if other.outcome is None:
            same = other.fork(random.randbytes(32)).digest() == other.digest()
            case.check(Invariant.IMAGINES, same, f"a fork of what {seat} imagines stands otherwise")


def _asked(match: AnyMatch, seat: str | None) -> bytes:
    return question(match.pending.get(seat or ""))


def _told(match: AnyMatch, seat: str | None) -> bytes:
    """The log in no order: what is turned over one after the other may have lain there in another."""
    return b"\n".join(sorted(log(match, seat).splitlines()))


def _same_after(case: Case, true: AnyMatch, false: AnyMatch, seat: str, random: Random) -> None:
    """A decision that can be taken back must have shown nothing that the seat could not know."""
    answer = true.pending[seat].sample(random)
    true.decide(seat, answer)
    false.decide(seat, answer)
    standing = (true.state.at, list(true.pending)) == (false.state.at, list(false.pending))
    if not standing or not true.can_undo(seat):
        return
    for what, shown in (("view", view), ("question", _asked), ("log", log)):
        mine, yours = shown(true, seat), shown(false, seat)
        text = f"{seat} may take back {answer} after its {what} showed something hidden: {excerpt(mine, yours)}"
        case.check(Invariant.BARS, mine == yours, text)
