"""Pairings and standings of tournaments: properties of all sizes, and orders worked out by hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readyroom.store.tournaments.pairings import (
    FEWEST,
    MOST,
    Format,
    Pairing,
    Result,
    bracket,
    next_pairings,
    round_robin,
    standings,
)

RESULTS: list[Result] = ["one", "two", "draw", "none"]
KINDS = st.sampled_from(list(MOST)).flatmap(lambda kind: st.tuples(st.just(kind), st.integers(FEWEST, MOST[kind])))


@pytest.mark.parametrize("count", range(FEWEST, MOST["robin"] + 1))
def test_round_robin_pairs_everyone_once_with_balanced_sides(count: int) -> None:
    rounds = round_robin(count)
    assert len(rounds) == count - 1 + count % 2
    for pairs in rounds:
        assert len({player for pair in pairs for player in pair}) == 2 * len(pairs) == count - count % 2
    pairs = [pair for each in rounds for pair in each]
    assert sorted(tuple(sorted(pair)) for pair in pairs) == list(combinations(range(1, count + 1), 2))
    firsts = Counter(one for one, _ in pairs)
    assert all(abs(2 * firsts[player] - (count - 1)) <= 1 for player in range(1, count + 1))


@pytest.mark.parametrize("count", range(FEWEST, MOST["knockout"] + 1))
def test_bracket_gives_byes_to_the_best_seeds_which_meet_last(count: int) -> None:
    pairs = bracket(count)
    byes = sorted(one for one, two in pairs if two is None)
    assert byes == list(range(1, 2 * len(pairs) - count + 1))
    assert sorted(each for pair in pairs for each in pair if each) == list(range(1, count + 1))
    half = len(pairs) // 2
    assert (1 in pairs[0], any(2 in pair for pair in pairs[half:])) == (True, True)


@given(KINDS, st.booleans(), st.data())
def test_every_tournament_ends_whoever_leaves(chosen: tuple[Format, int], both: bool, data: st.DataObject) -> None:
    kind, count = chosen
    played, out = list[Pairing](), set[int]()
    while new := next_pairings(kind, count, played, out, both=both):
        assert [one for one in played if one.round > new[0].round] == []
        for one in new:
            if not one.result:
                assert one.two is not None
                assert not out & set(one.players)
                one = one._replace(result=data.draw(st.sampled_from(RESULTS)), reason="played")
            played.append(one)
        out |= data.draw(st.sets(st.integers(1, count), max_size=1))
    keys = [(one.round, one.place, one.game) for one in played]
    assert len(set(keys)) == len(keys)
    games = Counter(frozenset(one.players) for one in played if one.two is not None)
    if kind == "robin":
        assert set(games.values()) == {1 + both}
        assert len(games) == count * (count - 1) // 2
    else:
        assert max(games.values()) <= 2
        assert len(games) == count - 1  # each pair sends one player home
    table = standings(kind, count, played)
    assert sorted(one.player for one in table) == list(range(1, count + 1))
    assert [one.place for one in table] == sorted(one.place for one in table)
    assert all(one.points == one.won + one.drawn / 2 for one in table)
    if kind == "knockout":
        assert [one.place for one in table].count(1) == 1


def table(*lines: tuple[int, int, Result]) -> list[tuple[int, int, float]]:
    """Return place, player and points of a round robin of four players with these results."""
    known = [Pairing(1, n, 1, one, two, "", result, "played") for n, (one, two, result) in enumerate(lines)]
    return [(one.place, one.player, one.points) for one in standings("robin", 4, known)]


def test_head_to_head_decides_before_sonneborn_berger() -> None:
    # 1 and 2 have two points each; 1 has beaten 2, although 2 has beaten those who scored more.
    assert table(
        (1, 2, "one"), (1, 3, "one"), (1, 4, "two"), (2, 3, "one"), (2, 4, "one"), (3, 4, "draw")
    ) == [(1, 1, 2), (2, 2, 2), (3, 4, 1.5), (4, 3, 0.5)]  # fmt: skip


def test_sonneborn_berger_decides_after_an_equal_head_to_head() -> None:
    # 1 and 2 drew; 1 has beaten 3, who scored more than 4; 2 has beaten 4.
    assert table(
        (1, 2, "draw"), (1, 3, "one"), (1, 4, "two"), (2, 3, "two"), (2, 4, "one"), (3, 4, "one")
    ) == [(1, 3, 2), (2, 1, 1.5), (3, 2, 1.5), (4, 4, 1)]  # fmt: skip


def test_equal_players_share_a_place() -> None:
    draws = [(one, two, "draw") for one, two in combinations(range(1, 5), 2)]
    assert [place for place, _, _ in table(*draws)] == [1, 1, 1, 1]  # type: ignore[arg-type]


def test_sides_of_a_knockout_alternate_where_they_can() -> None:
    first = [one._replace(result="one", reason="played") for one in next_pairings("knockout", 4, [])]
    assert [one.players for one in first] == [[1, 4], [2, 3]]
    (final,) = next_pairings("knockout", 4, [first[0]._replace(result="one"), first[1]._replace(result="two")])
    assert final.players == [3, 1]  # 3 has not had the first side yet
