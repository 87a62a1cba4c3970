"""Allocation of hits: rulings M7 and M18, and the end of section 12 on several players."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import agree, count_noun
from readyroom.games.midway.state import FEW, Side, Squadron, T, by_seat, in_wings, leader, points, total

AGREE = Option("most", "Let the owner of the most squadrons choose")
EVENLY = Option("evenly", "Spread the losses evenly")


After = dict[Squadron, Squadron]
"""Squadrons that took hits, with the counters that replace them; those with strength 0 have left the game."""


def lose(table: T, side: Side, rule: str, squadrons: Sequence[Squadron], hits: int) -> Choice[After]:
    """[11.3, 12.3] Remove strength points; destroyed squadrons leave their box and the game.

    Args:
        table: the table.
        side: the side that loses them, and chooses.
        rule: the rule under which they are lost.
        squadrons: the squadrons that may take the hits.
        hits: the strength points to lose, at most the squadrons' total.

    Returns:
        the squadrons hit and what has replaced them.
    """
    if not hits:
        return {}
    lost = side.lost
    if hits >= total(squadrons):  # no choice
        after = {squadron: replace(squadron, strength=0) for squadron in squadrons}
        _take_off(side, after)
        table.log_line(rule, "{} {} destroyed.", [*after.values()], agree(len(after), "is", "are"))
    elif len(side.seats) == 1:
        after = yield from _allocate(table, side, side.seats[0], rule, squadrons, hits)
    else:
        after = yield from _between_seats(table, side, rule, by_seat(side, squadrons), hits)
    fallen = [now for squadron in squadrons if not (now := after.get(squadron, squadron)).strength]
    if fallen:
        side.lost = [*lost, *fallen]
    return after


def _take_off(side: Side, after: After) -> None:
    """Replace counters by those after hits; squadrons without strength are lost."""
    side.exchange(after)
    side.lost = [*side.lost, *(squadron for squadron in after.values() if not squadron.strength)]


def _allocate(table: T, side: Side, seat: str, rule: str, squadrons: Sequence[Squadron], hits: int) -> Choice[After]:
    """[M7] The owner decides which squadrons take the hits."""
    if len(squadrons) == 1:
        struck = [*squadrons] * hits
    else:
        struck = yield from table.allocate(seat, rule, "Which squadrons take the hits?", hits, squadrons, points)
    after: After = {}
    for squadron in struck:
        now = after.get(squadron, squadron)
        after[squadron] = replace(now, strength=now.strength - 1)
    _take_off(side, after)
    if table.log is not None:
        table.log_line(rule, "{}.", Borne(struck))
    return after


class Borne(msgspec.Struct, frozen=True, gc=False):
    """For the log: for each hit the squadron that took it, as it was before."""

    struck: Sequence[Squadron]

    @property
    def pieces(self) -> Sequence[Squadron]:
        """The squadrons that were hit."""
        return self.struck

    def __str__(self) -> str:
        left = {squadron: squadron.strength - self.struck.count(squadron) for squadron in self.struck}
        fallen = [squadron for squadron in left if not left[squadron]]
        if len(fallen) <= FEW:
            return ", ".join(map(self._took, left, left.values()))
        wings = in_wings([replace(squadron, strength=0) for squadron in fallen], full=0)
        together = f"{wings} take {sum(map(self.struck.count, fallen))} hits and are destroyed"
        others = [self._took(squadron, strength) for squadron, strength in left.items() if strength]
        return ", ".join([together, *others])

    def _took(self, squadron: Squadron, left: int) -> str:
        hits = self.struck.count(squadron)
        took = f"{squadron.name} takes {count_noun(hits, 'hit')}"
        return f"{took} ({left} left)" if left else f"{took} and is destroyed"


def _between_seats(
    table: T, side: Side, rule: str, shares: list[tuple[str, Sequence[Squadron]]], hits: int
) -> Choice[After]:
    """[12.3, M22] With several owners: by consent the owner of the most allocates, else the hits are spread evenly."""
    if len(shares) == 1:
        return (yield from _allocate(table, side, shares[0][0], rule, shares[0][1], hits))
    question = f"{count_noun(hits, 'hit')} on squadrons of several owners: who allocates?"
    votes = yield from table.choose_in_secret(
        {seat: table.choose(seat, rule, question, [EVENLY, AGREE]) for seat, _ in shares}
    )
    everybody = [squadron for _, share in shares for squadron in share]
    if all(vote is AGREE for vote in votes.values()):
        return (yield from _allocate(table, side, leader(side, everybody), rule, everybody, hits))
    after: After = {}
    for (seat, share), part in zip(shares, even_shares(shares, min(hits, total(everybody))), strict=True):
        if part:
            table.log_line(rule, "{} takes {} of the hits.", seat, part, audience=side.seats)
            after |= yield from _allocate(table, side, seat, rule, share, part)
    return after


def even_shares(shares: list[tuple[str, Sequence[Squadron]]], hits: int) -> list[int]:
    """[12.3] Spread hits evenly over the owners; the owner of the most squadrons takes the remainder.

    Hits beyond an owner's strength points go, one by one, to owners who have points left.
    """
    each, extra = divmod(hits, len(shares))
    parts = [each] * len(shares)
    most = max(range(len(shares)), key=lambda at: len(shares[at][1]))
    parts[most] += extra
    room = [total(share) for _, share in shares]
    over = sum(max(0, part - most) for part, most in zip(parts, room, strict=True))
    parts = [min(part, most) for part, most in zip(parts, room, strict=True)]
    for _ in range(over):
        at = max(range(len(shares)), key=lambda at: (room[at] > parts[at], len(shares[at][1]), -parts[at]))
        parts[at] += 1
    return parts
