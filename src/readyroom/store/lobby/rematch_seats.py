"""Which match is the rematch of another, and who plays which seat of it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from readyroom.store.base import ID_LENGTH, LETTERS
from readyroom.store.cards import MatchSummary, SeatAssignment, SeatSummary
from readyroom.store.errors import InvalidSeating


def rematch_id(summary: MatchSummary, *, swap: bool, bot: str = "") -> str:
    """Return the id of the rematch of a match: there is at most one with the same sides, and one with swapped ones.

    There is also one with each other `bot` in the place of those of the match.

    It follows from the match and its dice seed hash, so that no column is needed to find it.
    """
    name = f"rematch {summary.id} {summary.fingerprint} {'swapped' if swap else 'same'}{bot and f' {bot}'}"
    number = int.from_bytes(blake2b(name.encode(), digest_size=16).digest(), "big")
    letters = []
    for _ in range(ID_LENGTH):
        number, digit = divmod(number, len(LETTERS))
        letters.append(LETTERS[digit])
    return "".join(letters)


def match_before(rematch: MatchSummary, among: Iterable[MatchSummary]) -> tuple[MatchSummary, bool] | None:
    """Return the match of which this one is the rematch, and whether sides are swapped; None if it is none of these."""
    over = [one for one in among if one.is_decided]
    pairs = ((one, swap) for one in over for swap in (False, True))
    return next(((one, swap) for one, swap in pairs if rematch_id(one, swap=swap) == rematch.id), None)


def rematch_seats(summary: MatchSummary, *, swap: bool) -> dict[str, SeatSummary]:
    """Return the seat of a finished match whose players take each seat of its rematch.

    Raises `InvalidSeating` if the sides cannot be swapped.
    """
    if not swap:
        return {seat.key: seat for seat in summary.seats}
    if not can_swap(summary):
        raise InvalidSeating("The sides of this match cannot be swapped.")
    one, two = _by_side(summary)
    pairs = list(zip(one, two, strict=len(one) == len(two)))
    if len(one) == len(two):
        return {a.key: b for a, b in pairs} | {b.key: a for a, b in pairs}
    return {seat.key: two[0] for seat in one} | {seat.key: one[0] for seat in two}


def can_swap(summary: MatchSummary) -> bool:
    """Return whether the players of the two sides can change places.

    They can if both sides have as many seats, or each is played by one player or bot; and if it makes a difference.
    """
    sides = _by_side(summary)
    if len(sides) != 2:
        return False
    occupants = [[(seat.bot, seat.players) for seat in seats] for seats in sides]
    is_one_each = all(len(set(each)) == 1 for each in occupants)
    return (len(sides[0]) == len(sides[1]) or is_one_each) and occupants[0] != occupants[1]


def _by_side(summary: MatchSummary) -> list[list[SeatSummary]]:
    sides = dict.fromkeys(seat.side for seat in summary.seats)
    return [[seat for seat in summary.seats if seat.side == side] for side in sides]


def rematch_assignment(seat: SeatSummary, player_id: str, bot: str = "") -> SeatAssignment:
    """Return who gets a seat of a rematch: the bot or player of a seat of the match before, or an invited friend.

    `bot` takes the place of other bots.
    """
    if seat.bot:
        return SeatAssignment("bot", bot or seat.bot)
    return SeatAssignment("me" if player_id in dict(seat.players) else "friend")


def reserved_seats(summary: MatchSummary, rematch: MatchSummary, player_id: str, *, swap: bool) -> list[str]:
    """Return the empty seats of a rematch that wait for a player of the finished match, and that they may take."""
    if rematch.outcome is not None:
        return []
    before = rematch_seats(summary, swap=swap)
    return [
        seat.key
        for seat in rematch.seats
        if seat.vacant and seat.key in before and player_id in dict(before[seat.key].players)
        if rematch.may_join(seat, player_id)
    ]
