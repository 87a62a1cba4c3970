"""Who bears the hits: rulings M7 and M18, and the last words of section 12 on several players."""

from __future__ import annotations

from readyroom.engine.decisions import Option
from readyroom.engine.table import Choice, Steps
from readyroom.games.midway.land import Names, strength_told
from readyroom.games.midway.state import Side, Squadron, T, by_seat, points, total

AGREE = Option("flagship", "Let the flagship choose")
EVENLY = Option("evenly", "Spread the losses evenly")


def lose(table: T, side: Side, rule: str, squadrons: list[Squadron], hits: int, boxes: list[list[Squadron]]) -> Steps:
    """[11.3, 12.3] Take off strength points; squadrons without any leave their box and the game.

    Args:
        table: the table.
        side: the side that loses them, and chooses.
        rule: the rule under which they fall.
        squadrons: those among which the hits are spread.
        hits: how many strength points fall, if there are as many.
        boxes: the boxes in which these squadrons lie.
    """
    if not hits or not squadrons:
        return
    shares = by_seat(side, squadrons)
    if len(shares) == 1:
        yield from _allot(table, shares[0][0], rule, squadrons, hits)
    else:
        yield from _between_seats(table, side, rule, shares, hits)
    fallen = [squadron for squadron in squadrons if not squadron.strength]
    if not fallen:
        return
    for box in boxes:
        box[:] = [squadron for squadron in box if squadron.strength]
    side.lost += fallen
    table.say(rule, "{}: {} destroyed.", side.title, Names(fallen))


def _allot(table: T, seat: str, rule: str, squadrons: list[Squadron], hits: int) -> Steps:
    """[M7] The owner decides which of his squadrons bear the hits."""
    struck = yield from table.allot(
        seat,
        rule,
        f"Which squadrons bear the {hits} hit{'s' if hits > 1 else ''}?",
        min(hits, total(squadrons)),
        squadrons,
        points,
        text=strength_told,
    )
    for squadron in struck:
        squadron.strength -= 1


def _between_seats(table: T, side: Side, rule: str, shares: list[tuple[str, list[Squadron]]], hits: int) -> Steps:
    """[12.3, M18] Several owners: if all agree the flagship chooses, otherwise the hits are spread evenly."""
    votes = yield from table.secretly({seat: _vote(table, seat, rule, hits) for seat, _ in shares})
    everybody = [squadron for _, share in shares for squadron in share]
    if all(vote is AGREE for vote in votes.values()):
        yield from _allot(table, table.state.flagship(side), rule, everybody, hits)
        return
    for (seat, share), part in zip(shares, even_shares(shares, min(hits, total(everybody))), strict=True):
        if part:
            table.say(rule, "{} bears {} of the hits.", seat, part, to=side.seats)
            yield from _allot(table, seat, rule, share, part)


def _vote(table: T, seat: str, rule: str, hits: int) -> Choice[Option]:
    return (
        yield from table.choose(
            seat,
            rule,
            f"{hits} strength points are lost from squadrons of several owners: who chooses?",
            [EVENLY, AGREE],
        )
    )


def even_shares(shares: list[tuple[str, list[Squadron]]], hits: int) -> list[int]:
    """[12.3] Hits spread evenly over the owners; the odd ones go to the owners of most squadrons.

    No owner bears more than he has strength points; what is over goes to the others in the same order.
    """
    order = sorted(range(len(shares)), key=lambda at: -len(shares[at][1]))
    room = [total(share) for _, share in shares]
    parts = [0] * len(shares)
    while hits:
        for at in order:
            if hits and parts[at] < room[at]:
                parts[at] += 1
                hits -= 1
    return parts
