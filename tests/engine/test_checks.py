"""Checks and volleys: odds against brute force, dice, results and log texts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readyroom.engine.rules.checks import (
    Cascade,
    ChartRoll,
    Check,
    Fire,
    RolledDice,
    Volley,
    die_odds,
    mean_hits,
    percent,
)
from readyroom.engine.rules.dice import KeyedDice

FIRES = [
    Fire(at_least=5),
    Fire(at_least=6),
    Fire(at_least=1),
    Fire(at_least=4, hits=2),
    Fire(at_least=5, again=6, best=1, further=1),
    Fire(at_least=5, again=6, best=2, further=1),
    Fire(at_least=4, hits=1, again=5, best=3, further=2),
    Fire(at_least=6, again=6, best=2, further=0),
    Fire(at_least=9, again=10, best=1, further=1, sides=10),
    Fire(at_least=6, again=4, best=1, further=1),
    Fire(at_least=3, again=3, best=0, further=1),
]


# -- checks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", [1, 2, 3])
@pytest.mark.parametrize("sides", [2, 6, 8])
@pytest.mark.parametrize("modifiers", [[], [("elite", 2)], [("haze", -1), ("navigator", 3)]])
def test_check_odds_match_enumeration(dice: int, sides: int, modifiers: list[tuple[str, int]]) -> None:
    shift = sum(value for _, value in modifiers)
    cases = [sum(faces) + shift for faces in product(range(1, sides + 1), repeat=dice)]
    for target in range(-3, dice * sides + 6):
        high = Check("1", "c", dice=dice, sides=sides, at_least=target, modifiers=modifiers)
        low = Check("1", "c", dice=dice, sides=sides, at_most=target, modifiers=modifiers)
        assert high.odds() == Fraction(sum(1 for case in cases if case >= target), len(cases))
        assert low.odds() == Fraction(sum(1 for case in cases if case <= target), len(cases))


@given(faces=st.lists(st.integers(1, 6), min_size=1, max_size=4), target=st.integers(-5, 30), shift=st.integers(-5, 5))
def test_check_passes_iff_sum_reaches_target(faces: list[int], target: int, shift: int) -> None:
    high = Check("1", "c", dice=len(faces), at_least=target, modifiers=[("m", shift)])
    low = Check("1", "c", dice=len(faces), at_most=target, modifiers=[("m", shift)])
    rolled = high.resolve(_Roller(faces))
    assert rolled.total == sum(faces) + shift
    assert bool(rolled) is rolled.passed is (rolled.total >= target)
    assert bool(low.resolve(_Roller(faces))) is (sum(faces) + shift <= target)


class _Roller:
    """Return the given faces in order; check that re-rolls continue the count."""

    def __init__(self, faces: list[int]) -> None:
        self.faces, self.rolled = iter(faces), 0

    def __call__(self, count: int, sides: int, start: int) -> bytes:
        assert start == self.rolled
        self.rolled += count
        return bytes(next(self.faces) for _ in range(count))


@pytest.mark.parametrize("both", [{}, {"at_least": 3, "at_most": 4}])
def test_check_requires_exactly_one_target(both: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="'steering' needs either at_least or at_most"):
        Check("1", "steering", **both)


def test_check_text_shows_arithmetic() -> None:
    check = Check("4.8.1", "approach", dice=2, at_least=8, modifiers=[("elite navigator", 1), ("haze", -1)])
    assert check.arithmetic() == "2d6 + 1 elite navigator − 1 haze ≥ 8"
    assert str(check) == "42 %: 2d6 + 1 elite navigator − 1 haze ≥ 8"
    rolled_dice = check.resolve(_Roller([6, 2])).to_log()
    assert rolled_dice == RolledDice("approach", ((6, 2),), 6, "2d6 + 1 elite navigator − 1 haze ≥ 8: 8, passed")
    assert str(check.resolve(_Roller([1, 2]))) == "failed"
    assert Check("1", "c", at_most=2, sides=10).arithmetic() == "1d10 ≤ 2"


# -- volleys -----------------------------------------------------------------------------------------------------------


def _hits_of(fire: Fire, faces: Iterator[int]) -> int:
    """Return the hits of one die with its re-rolls (slow reference implementation)."""
    face = next(faces)
    hits = fire.first(face)
    while fire.again and face >= fire.again:
        face = next(faces)
        if face >= fire.again:
            hits += fire.further
    return hits


def _enumerate_die(fire: Fire, cap: int) -> list[Fraction]:
    """Return the probabilities of 0, 1, … hits of one die by enumeration, with at most `cap` re-rolls."""
    chances = [Fraction(0)] * (cap + 1)

    def follow(chance: Fraction, hits: int) -> None:
        if hits >= cap or not fire.further:
            chances[min(hits, cap)] += chance
            return
        stops = sum(1 for face in range(1, fire.sides + 1) if face < fire.again)
        chances[hits] += chance * Fraction(stops, fire.sides)
        follow(chance * Fraction(fire.sides - stops, fire.sides), hits + fire.further)

    for face in range(1, fire.sides + 1):
        if fire.again and face >= fire.again:
            follow(Fraction(1, fire.sides), fire.best)
        else:
            chances[min(fire.first(face), cap)] += Fraction(1, fire.sides)
    return chances


@pytest.mark.parametrize("fire", FIRES, ids=str)
@pytest.mark.parametrize("dice", [0, 1, 2, 3])
@pytest.mark.parametrize("cap", [0, 1, 4, 7])
def test_volley_odds_match_enumeration(fire: Fire, dice: int, cap: int) -> None:
    one = _enumerate_die(fire, cap)
    assert list(die_odds(fire, cap)) == one
    expected = [Fraction(1), *[Fraction(0)] * cap]
    for _ in range(dice):
        added = [Fraction(0)] * (cap + 1)
        for (a, p), (b, q) in product(enumerate(expected), enumerate(one)):
            added[min(a + b, cap)] += p * q
        expected = added
    assert Volley("1", "v", dice, fire).odds(cap) == expected
    assert sum(expected) == 1


@pytest.mark.parametrize("fire", FIRES, ids=str)
def test_volley_mean_matches_odds(fire: Fire) -> None:
    cap = 60
    mean = sum(hits * chance for hits, chance in enumerate(_enumerate_die(fire, cap)))
    assert abs(float(mean - mean_hits(fire))) < 1e-6
    assert Volley("1", "v", 7, fire).mean() == 7 * mean_hits(fire)


@pytest.mark.slow
@pytest.mark.parametrize("fire", FIRES, ids=str)
@given(faces=st.lists(st.integers(1, 6), min_size=3, max_size=12))
def test_volley_hits_equal_sum_of_single_dice(fire: Fire, faces: list[int]) -> None:
    rolled = [min(face, fire.sides) for face in faces] + [1] * 40
    salvo = Volley("1", "v", 3, fire).resolve(_Roller(rolled))
    by_die = _count_hits(fire, salvo.rounds)
    assert int(salvo) == salvo.hits == by_die
    assert len(salvo.rounds[0]) == 3
    assert sum(map(len, salvo.rounds)) == 3 + sum(
        1 for dice in salvo.rounds for face in dice if fire.again and face >= fire.again
    )


def _count_hits(fire: Fire, rounds: tuple[bytes, ...]) -> int:
    hits = 0
    for die in range(len(rounds[0])):
        row, at = [rounds[0][die]], die
        for before, after in pairwise(rounds):
            if before[at] < fire.again:
                break
            at = sum(1 for face in before[:at] if face >= fire.again)
            row.append(after[at])
        hits += _hits_of(fire, iter(row))
    return hits


@pytest.mark.parametrize("fire", FIRES, ids=str)
def test_volley_sample_mean_within_four_standard_errors(fire: Fire) -> None:
    dice, volley = KeyedDice(b"m" * 32), Volley("1", "v", 5, fire)
    scores = []
    for number in range(4000):
        event = f"1|v|1|x|{number}"
        scores.append(volley.resolve(lambda c, s, start, event=event: dice.roll(event, c, s, start)).hits)  # type: ignore[misc]
    mean = sum(scores) / len(scores)
    spread = sqrt(sum((score - mean) ** 2 for score in scores) / len(scores)) or 1
    assert abs(mean - float(volley.mean())) < 4 * spread / sqrt(len(scores))


def test_volley_text_shows_arithmetic() -> None:
    volley = Volley("12.4", "dive bombing", 3, Fire(at_least=5, again=6, best=1, further=1))
    assert volley.arithmetic() == "3d6, hit on 5+, 6 rolled again"
    assert Volley("1", "v", 2, Fire(at_least=6)).arithmetic() == "2d6, hit on 6"
    torpedoes = Fire(at_least=6, hits=2, again=6, best=2, further=1)
    assert Volley("12.5", "t", 8, torpedoes).arithmetic() == "8d6, 2 hits on 6, 6 rolled again for 1 hit"
    double = Fire(at_least=5, again=6, best=2, further=1)
    assert Volley("1", "v", 8, double).arithmetic() == "8d6, hit on 5+, 2 hits on 6, 6 rolled again for 1 hit"
    assert str(volley) == "3d6, hit on 5+, 6 rolled again: 1.10 hits expected"
    salvo = volley.resolve(_Roller([6, 5, 1, 6, 2]))
    assert salvo.rounds == (b"\x06\x05\x01", b"\x06", b"\x02")
    assert salvo.to_log().faces == ((6, 5, 1), (6,), (2,))
    assert salvo.to_log().result == "3d6, hit on 5+, 6 rolled again: 3 hits"
    assert str(volley.resolve(_Roller([5, 1, 1]))) == "1 hit"


def test_fire_with_endless_rerolls_is_rejected() -> None:
    with pytest.raises(ValueError, match="again"):
        Fire(at_least=5, again=1, best=1, further=1)


def test_volley_without_dice_scores_zero() -> None:
    volley = Volley("1", "v", 0, Fire(at_least=5, again=6, best=1, further=1))
    assert volley.resolve(_Roller([])).hits == 0
    assert volley.odds(2) == [1, 0, 0]


# -- texts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0, "0 %"), (1, "100 %"), (Fraction(1, 3), "33 %"), (0.996, "over 99 %"), (0.004, "under 1 %"), (0.99, "99 %")],
)
def test_percent_keeps_0_and_100_exact(chance: Fraction | float, text: str) -> None:
    assert percent(chance) == text


def test_chart_roll_text_shows_arithmetic() -> None:
    consulted = ChartRoll("search", "group", b"\x03\x04", 6, [("haze", -2)], 5, "found")
    assert str(consulted) == "found"
    assert consulted.to_log().result == "2d6 − 2 haze = 5, column group: found"
    assert ChartRoll("search", "", b"\x03", 6, [], 3, "x").to_log().result == "1d6 = 3: x"


PIERCING = Cascade(at_least=5, again=6, best=1, further=1, further_at=5)
"""Hits on 5 and 6; a 6 is re-rolled and may hit again."""


def test_cascade_scores_on_more_faces_than_it_rerolls() -> None:
    salvo = Volley("11.5", "bombs", 3, PIERCING).resolve(
        lambda count, sides, start: bytes([6, 5, 1, 6, 5][start:][:count])
    )
    assert [list(faces) for faces in salvo.rounds] == [[6, 5, 1], [6], [5]]
    assert salvo.hits == 4
    assert salvo.to_log().thresholds == (5, 5, 5)


def test_cascade_odds_match_enumeration() -> None:
    volley = Volley("11.5", "bombs", 4, PIERCING)
    assert volley.mean() == Fraction(8, 5)
    odds = volley.odds(40)
    assert sum(odds) == 1
    assert abs(float(sum(hits * chance for hits, chance in enumerate(odds))) - 1.6) < 1e-9
    one = Volley("11.5", "bombs", 1, PIERCING).odds(3)
    assert one == [
        Fraction(4, 6),
        Fraction(1, 6) + Fraction(4, 36),
        Fraction(1, 36) + Fraction(4, 216),
        Fraction(1, 108),
    ]


@pytest.mark.parametrize("further_at", [7, -1])
def test_cascade_with_impossible_face_is_rejected(further_at: int) -> None:
    with pytest.raises(ValueError, match="a further roll cannot score"):
        Cascade(at_least=5, again=6, best=1, further=1, further_at=further_at)
