"""Pairings and standings of tournaments, as plain values.

Players are numbers from 1 on, in the order in which they were drawn: their seeds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

Format = Literal["robin", "knockout"]
Result = Literal["", "one", "two", "draw", "none"]
"""The result of a match: it is open, the first or the second player wins, it is drawn, or both lose."""
Reason = Literal["", "played", "bye", "conceded", "withdrawn", "overdue", "time", "resigned", "agreed"]
POINTS: Mapping[Result, tuple[float, float]] = {"one": (1, 0), "two": (0, 1), "draw": (0.5, 0.5), "none": (0, 0)}
"""The points of both players by result."""
FEWEST = 3
"""The fewest players of a tournament."""
MOST: Mapping[Format, int] = {"robin": 10, "knockout": 16}
"""The most players of a tournament of each format."""


class Pairing(NamedTuple):
    """A match of a round: `one` plays the first side, and `two` is None if `one` has a bye.

    `place` is the place in the round, or in the bracket. `game` is 2 for the second match of a pair, with sides
    swapped. `match` is the id of the match.
    """

    round: int
    place: int
    game: int
    one: int
    two: int | None
    match: str = ""
    result: Result = ""
    reason: Reason = ""

    @property
    def players(self) -> list[int]:
        """The players: one or two."""
        return [self.one] if self.two is None else [self.one, self.two]

    @property
    def losers(self) -> list[int]:
        """The players who lost; both, if neither has a point."""
        return {"one": self.players[1:], "two": [self.one], "none": self.players}.get(self.result, [])

    def lost_by(self, losers: Collection[int], reason: Reason) -> Pairing:
        """Return the pairing with the result that these of its players lose."""
        is_lost = self.one in losers, self.two in losers
        result: Result = "none" if all(is_lost) else "two" if is_lost[0] else "one"
        return self._replace(result=result, reason=reason)


class Standing(NamedTuple):
    """A player's place (equal ones share it), points, tie-breaks, and matches won, drawn and lost."""

    place: int
    player: int
    points: float
    head_to_head: float
    sonneborn_berger: float
    won: int
    drawn: int
    lost: int


# -- pairings --------------------------------------------------------------------------------------------------------


def round_robin(count: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of a round robin by the circle method: (first side, second side).

    Everyone meets everyone once. Each player has both sides equally often, or one of them once more. With an odd number
    one player has no match in each round.
    """
    turning = count - 1 if count % 2 == 0 else count
    rounds = []
    for number in range(turning):
        pairs = []
        if count % 2 == 0:
            pairs.append((number + 1, count) if number % 2 == 0 else (count, number + 1))
        for step in range(1, (turning - 1) // 2 + 1):
            ahead, behind = (number + step) % turning + 1, (number - step) % turning + 1
            pairs.append((ahead, behind) if step % 2 else (behind, ahead))
        rounds.append(pairs)
    return rounds


def bracket(count: int) -> list[tuple[int, int | None]]:
    """Return the first round of a knockout: the best seeds meet last, and have the byes (None)."""
    seeds = [1]
    while len(seeds) < count:
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) + 1 - seed)]
    return [(one, two if two <= count else None) for one, two in zip(seeds[::2], seeds[1::2], strict=True)]


def next_pairings(
    kind: Format, count: int, pairings: Sequence[Pairing], out: Collection[int] = (), *, both: bool = False
) -> list[Pairing]:
    """Return what is to be played once all pairings have a result: second matches or a round; nothing at the end.

    Players who are `out` lose at once. With `both`, each pair plays two matches.
    """
    last = max((one.round for one in pairings), default=0)
    if kind == "robin":
        rounds = round_robin(count)
        pairs: list[tuple[int, int | None]] = [*rounds[last]] if last < len(rounds) else []
    else:
        if again := _deciding(pairings, last):
            return [_settled(one, out) for one in again]
        pairs = bracket(count) if not last else _winners_meet(pairings, last, out)
    new = [Pairing(last + 1, place, 1, one, two) for place, (one, two) in enumerate(pairs, start=1)]
    if kind == "knockout" and not both:
        firsts = Counter(one.one for one in pairings if one.two is not None)
        new = [_swapped(one) if _has_had_first_side(one, firsts) else one for one in new]
    second = [_swapped(one)._replace(game=2) for one in new if both and one.two is not None]
    return [_settled(one, out) for one in sorted([*new, *second])]


def _swapped(pairing: Pairing) -> Pairing:
    assert pairing.two is not None
    return pairing._replace(one=pairing.two, two=pairing.one)


def _has_had_first_side(pairing: Pairing, firsts: Counter[int]) -> bool:
    return pairing.two is not None and firsts[pairing.one] > firsts[pairing.two]


def _settled(pairing: Pairing, out: Collection[int]) -> Pairing:
    """Return the pairing with its result, if it needs no match."""
    if pairing.two is None:
        return pairing._replace(result="one", reason="bye")
    return pairing.lost_by(out, "withdrawn") if set(pairing.players) & set(out) else pairing


def _deciding(pairings: Iterable[Pairing], last: int) -> list[Pairing]:
    """Return the second matches of the pairs of a knockout whose first match was drawn."""
    return [
        _swapped(games[0])._replace(game=2, match="", result="", reason="")
        for games in _pairs(pairings, last)
        if len(games) == 1 and games[0].result == "draw"
    ]


def _pairs(pairings: Iterable[Pairing], number: int) -> list[list[Pairing]]:
    """Return the matches of each pair of a round."""
    ordered = sorted(one for one in pairings if one.round == number)
    return [list(games) for _, games in groupby(ordered, key=lambda one: one.place)]


def _winners_meet(pairings: Iterable[Pairing], last: int, out: Collection[int]) -> list[tuple[int, int | None]]:
    winners = [winner_of(games, out) for games in _pairs(pairings, last)]
    return [(min(pair), max(pair)) for pair in zip(winners[::2], winners[1::2], strict=False)]


def winner_of(games: Sequence[Pairing], out: Collection[int] = ()) -> int:
    """Return who advances of a pair: the one with more points, then who is not out, then the earlier seed."""
    points = points_of(games)
    return min(games[0].players, key=lambda player: (-points[player], player in out, player))


def is_decided(games: Sequence[Pairing]) -> bool:
    """Return whether a pair of a knockout has no match left to play."""
    return all(one.result for one in games) and not (len(games) == 1 and games[0].result == "draw")


def points_of(pairings: Iterable[Pairing]) -> Mapping[int, float]:
    """Return the points of players; byes have none."""
    points = defaultdict[int, float](float)
    for pairing, scores in _scored(pairings):
        for player, score in zip(pairing.players, scores, strict=True):
            points[player] += score
    return points


def _scored(pairings: Iterable[Pairing]) -> Iterator[tuple[Pairing, tuple[float, float]]]:
    """Yield the matches that have a result, with the points of both players."""
    return ((one, POINTS[one.result]) for one in pairings if one.two is not None and one.result)


# -- standings -------------------------------------------------------------------------------------------------------


def standings(kind: Format, count: int, pairings: Sequence[Pairing]) -> list[Standing]:
    """Return the standings, the best first.

    Round robin: by points, then by the points in the matches of those who are level (head-to-head), then by
    Sonneborn–Berger: the points of each beaten opponent and half of those of each drawn one. Knockout: by how far
    players came.
    """
    points, found = points_of(pairings), list[tuple[tuple[float, ...], Standing]]()
    for player in range(1, count + 1):
        level = {other for other in range(1, count + 1) if points[other] == points[player]}
        direct = points_of(one for one in pairings if set(one.players) <= level)[player]
        own = [(one, scores) for one, scores in _scored(pairings) if player in one.players]
        scored = [scores[one.players.index(player)] for one, scores in own]
        opponents = [next(other for other in one.players if other != player) for one, _ in own]
        berger = sum(score * points[other] for score, other in zip(scored, opponents, strict=True))
        known = Standing(0, player, points[player], direct, berger, *(scored.count(each) for each in (1, 0.5, 0)))
        rank = (points[player], direct, berger) if kind == "robin" else (_reached(player, pairings),)
        found.append((rank, known))
    found.sort(key=lambda pair: pair[0], reverse=True)  # of those who are level, the earlier seed comes first
    ranks = [rank for rank, _ in found]
    return [known._replace(place=ranks.index(rank) + 1) for rank, known in found]


def _reached(player: int, pairings: Sequence[Pairing]) -> int:
    """Return the last round of a knockout in which a player was, one more if they have won it."""
    last = max((one.round for one in pairings if player in one.players), default=0)
    games = [one for one in pairings if one.round == last and player in one.players]
    return last + (bool(games) and is_decided(games) and winner_of(games) == player)
