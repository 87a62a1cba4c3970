"""Tests of exact odds against brute force, and of the rules' dice against exact odds.

This file does not use the engine's checks: dice are counted face by face, and guns by all their rolls.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import comb, sqrt

import pytest
from tests.games.midway.helpers import Battle

from readyroom.engine.errors import InvalidQuery, UnknownOption
from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import KeyedDice
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Steps, Table
from readyroom.games.midway import GAME
from readyroom.games.midway.odds import chances, expected_hits, strike_odds
from readyroom.games.midway.state import Data, Midway, SideName, Squadron

DEPTH = 25
"""The number of rolls of one die that are enumerated: the rest has a probability of 6 to the power of -25."""

GUNS = {"enterprise": 16, "hornet": 12, "yorktown": 12, "hiryu": 7, "soryu": 6, "akagi": 7, "kaga": 9}
WAVES = {"dive": (20, 0), "torpedo": (0, 20), "mixed": (10, 10), "uneven": (5, 15)}

Chances = dict[int, Fraction]


# -- the oracle --------------------------------------------------------------------------------------------------------


@lru_cache
def dive_die() -> tuple[tuple[int, Fraction], ...]:
    """Return the hits of a dive bomber's die: 5 or 6 hits once; each 6 is rolled again."""
    return tuple(chain(first={5: 1, 6: 1}).items())


@lru_cache
def torpedo_die() -> tuple[tuple[int, Fraction], ...]:
    """Return the hits of a torpedo bomber's die: 6 hits twice and is rolled again; each further 6 hits once."""
    return tuple(chain(first={6: 2}).items())


def chain(first: dict[int, int]) -> Chances:
    """Return the chances of one die with all its rerolls, roll by roll."""
    chances: Chances = {}
    sixth = Fraction(1, 6)
    for face in range(1, 6):
        hits = first.get(face, 0)
        chances[hits] = chances.get(hits, Fraction(0)) + sixth
    hits, reach = first[6], sixth
    for _ in range(DEPTH):
        chances[hits] = chances.get(hits, Fraction(0)) + reach * 5 * sixth  # the next die shows 1 to 5
        hits, reach = hits + 1, reach * sixth  # or another 6
    chances[hits] = chances.get(hits, Fraction(0)) + reach
    return chances


def mean(chances: tuple[tuple[int, Fraction], ...]) -> Fraction:
    return sum((hits * chance for hits, chance in chances), Fraction(0))


def shot_down(guns: int) -> Chances:
    """Return the chances that 0, 1, ... of the anti-aircraft dice show 4, 5 or 6, by counting combinations."""
    return {hits: Fraction(comb(guns, hits), 2**guns) for hits in range(guns + 1)}


def shot_down_one_by_one(guns: int) -> Chances:
    """Return the same by enumerating all rolls."""
    chances: Chances = {}
    for faces in product(range(1, 7), repeat=guns):
        hits = sum(face >= 4 for face in faces)
        chances[hits] = chances.get(hits, Fraction(0)) + Fraction(1, 6**guns)
    return chances


def survivors(guns: int, dive: int, torpedo: int) -> Iterator[tuple[Fraction, int, int]]:
    """Yield each chance of the guns, and the survivors: torpedo bombers are lost first."""
    for shot, chance in shot_down(guns).items():
        shot = min(shot, dive + torpedo)
        lost = min(shot, torpedo)
        yield chance, dive - (shot - lost), torpedo - lost


def oracle_mean(guns: int, dive: int, torpedo: int) -> Fraction:
    return sum(
        (chance * (d * mean(dive_die()) + t * mean(torpedo_die())) for chance, d, t in survivors(guns, dive, torpedo)),
        Fraction(0),
    )


def oracle_odds(guns: int, dive: int, torpedo: int, cap: int) -> list[float]:
    """Return the chances of 0, 1, ... and of `cap` or more hits, die by die, in floating point."""

    def add(so_far: list[float], die: tuple[tuple[int, Fraction], ...]) -> list[float]:
        after = [0.0] * (cap + 1)
        for have, chance in enumerate(so_far):
            for more, share in die:
                after[min(cap, have + more)] += chance * float(share)
        return after

    total = [0.0] * (cap + 1)
    for chance, d, t in survivors(guns, dive, torpedo):
        wave = [1.0] + [0.0] * cap
        for die in [dive_die()] * d + [torpedo_die()] * t:
            wave = add(wave, die)
        for hits, share in enumerate(wave):
            total[hits] += float(chance) * share
    return total


@pytest.mark.slow
@pytest.mark.rule("midway", "12.2")
@pytest.mark.parametrize("guns", range(1, 8))
def test_oracle_flak_equals_enumeration(guns: int) -> None:
    assert shot_down(guns) == shot_down_one_by_one(guns)


def every_roll(first: dict[int, int]) -> Chances:
    """Return the hits of a die from all rows of four faces; a further face counts only after a 6."""
    chances: Chances = {}
    for row in product(range(1, 7), repeat=4):
        hits = first.get(row[0], 0)
        for before, face in pairwise(row):
            if before != 6:
                break
            hits += face == 6
        chances[hits] = chances.get(hits, Fraction(0)) + Fraction(1, 6**4)
    return chances


@pytest.mark.rule("midway", "12.4", "12.5")
def test_oracle_die_equals_enumeration() -> None:
    """Up to a depth of four rolls; beyond it only the last entry differs."""
    for first, die in (({5: 1, 6: 1}, dict(dive_die())), ({6: 2}, dict(torpedo_die()))):
        rows = every_roll(first)
        last = max(rows)
        assert {hits: chance for hits, chance in rows.items() if hits < last} == {
            hits: chance for hits, chance in die.items() if hits < last
        }
        assert rows[last] == sum(chance for hits, chance in die.items() if hits >= last)


# -- exact -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "12", "12.2", "12.4", "12.5")
@pytest.mark.parametrize("wave", WAVES)
@pytest.mark.parametrize("carrier", GUNS)
def test_expected_hits_of_full_wave_equal_full_enumeration(carrier: str, wave: str) -> None:
    dive, torpedo = WAVES[wave]
    guns = Battle().carrier(carrier).antiaircraft
    exact = expected_hits(GAME.data.combat, guns, dive, torpedo)
    counted = oracle_mean(GUNS[carrier], dive, torpedo)
    assert abs(exact - counted) < Fraction(1, 10**12)
    assert f"{float(exact):.11e}" == f"{float(counted):.11e}"


@pytest.mark.rule("midway", "12.4", "12.5")
def test_dive_and_torpedo_bomber_expect_same_hits() -> None:
    """11/30 hits for each strength point that gets through."""
    exact = [expected_hits(GAME.data.combat, 0, *wave) for wave in ((1, 0), (0, 1))]
    assert exact == [Fraction(11, 30), Fraction(11, 30)]


@pytest.mark.rule("midway", "12.2", "12.4", "M1")
@pytest.mark.parametrize(("guns", "hits"), [(16, 4.4), (12, 5.1)])
def test_enterprise_flak_losses_match_ruling_m1(guns: int, hits: float) -> None:
    assert float(expected_hits(GAME.data.combat, guns, 20, 0)) == pytest.approx(hits, abs=0.05)


@pytest.mark.rule("midway", "12.2")
@pytest.mark.parametrize(("dive", "torpedo"), [(3, 0), (0, 3), (2, 2), (0, 0)])
def test_wave_smaller_than_guns_loses_no_more_than_it_has(dive: int, torpedo: int) -> None:
    exact = expected_hits(GAME.data.combat, 16, dive, torpedo)
    assert abs(exact - oracle_mean(16, dive, torpedo)) < Fraction(1, 10**12)


@pytest.mark.rule("midway", "12", "M14")
@pytest.mark.parametrize("cap", [3, 7, 10])
@pytest.mark.parametrize("wave", [(20, 0), (0, 20), (10, 10), (5, 0), (0, 5), (3, 2), (0, 0)])
@pytest.mark.parametrize("guns", [0, 6, 16])
def test_whole_distribution_equals_independent_convolution(guns: int, wave: tuple[int, int], cap: int) -> None:
    combat = GAME.data.combat
    exact = strike_odds(combat, guns, *wave, cap)
    assert sum(exact) == 1
    assert [float(chance) for chance in exact] == pytest.approx(oracle_odds(guns, *wave, cap), abs=1e-12)


@pytest.mark.rule("midway", "16.1", "16.2", "12")
@pytest.mark.parametrize(("damage", "needed"), [(0, 7), (4, 3), (6, 1), (7, 3), (9, 1)])
def test_target_chance_is_to_cripple_or_sink(damage: int, needed: int) -> None:
    battle = Battle().settle().damage(akagi=damage)
    wave = [battle.squadron(key) for key in ("hornet-db-1", "hornet-db-2", "hornet-tb-1")]
    hurt, sunk = chances(GAME.data, battle.state, battle.carrier("akagi"), wave)
    assert float(sunk) == pytest.approx(sum(oracle_odds(7, 10, 5, 10)[10 - damage :]), abs=1e-12)
    assert float(sunk if damage >= 7 else hurt) == pytest.approx(sum(oracle_odds(7, 10, 5, 10)[needed:]), abs=1e-12)


@pytest.mark.rule("midway", "12", "M1")
def test_target_info_is_chance_of_all_offered() -> None:
    battle = Battle().settle().put("ready", "hornet-db-1", "hornet-tb-1")
    played = battle.play("attack", "usa", otherwise=lambda decision: [])
    for decision in played.asked:
        key = decision.question.split()[-1].rstrip("?").lower()
        hint = decision.options[0].info
        assert hint is not None
        assert hint.chance == pytest.approx(sum(oracle_odds(GUNS[key], 5, 5, 10)[7:]), abs=1e-12)


@pytest.mark.rule("midway", "12", "11.3", "15")
def test_questions_of_odds_answer_exactly() -> None:
    questions = GAME.analysis.odds(GAME.data)
    strike = questions["strike"].evaluate({"carrier": "kaga", "dive": "10", "torpedo": "10"}, "")
    assert strike.mean is not None
    assert abs(strike.mean - oracle_mean(9, 10, 10)) < Fraction(1, 10**12)
    counted = oracle_odds(9, 10, 10, 10)
    values = [float(chance) for _, chance in strike.rows]
    expected = [sum(counted[hits:]) for hits in (*range(1, 11), 7, 10)]
    assert values == pytest.approx(expected, abs=1e-12)
    assert [name for name, _ in strike.rows][-2:] == ["crippled or sunk", "sunk"]
    dogfight = questions["dogfight"].answer({"dice": "10"})
    assert [chance for _, chance in dogfight.rows] == [Fraction(comb(10, hits), 2**10) for hits in range(11)]
    repairs = {key: questions["repair"].answer({"carrier": key}).rows[0][1] for key in ("yorktown", "hornet", "kaga")}
    assert repairs == {"yorktown": Fraction(1, 2), "hornet": Fraction(1, 3), "kaga": Fraction(1, 6)}


@pytest.mark.rule("midway", "12", "16")
def test_choice_of_one_bomber_kind_asks_no_other_and_counts_damage() -> None:
    def ask(**asked: str) -> list[float]:
        named = {"carrier": "soryu", **asked}
        return [float(chance) for _, chance in GAME.analysis.odds(GAME.data)["strike"].evaluate(named, "").rows]

    def title(damage: str) -> str:
        asked = {"carrier": "soryu", "dive": "10", "damage": damage}
        return GAME.analysis.odds(GAME.data)["strike"].evaluate(asked, "").title

    assert title("0") == "10 dive and 0 torpedo points against Soryu"
    assert title("4") == "10 dive and 0 torpedo points against Soryu with damage 4"
    assert ask(torpedo="10")[0] == pytest.approx(sum(oracle_odds(6, 0, 10, 10)[1:]), abs=1e-12)
    assert ask()[0] == pytest.approx(sum(oracle_odds(6, 20, 0, 10)[1:]), abs=1e-12)
    hurt = ask(dive="10", damage="4")
    assert len(hurt) == 6 + 2
    assert hurt[-2] == pytest.approx(sum(oracle_odds(6, 10, 0, 10)[3:]), abs=1e-12)
    assert hurt[-1] == pytest.approx(sum(oracle_odds(6, 10, 0, 10)[6:]), abs=1e-12)
    crippled = ask(dive="10", damage="7")
    assert len(crippled) == 3 + 1, "she is crippled already, so only her sinking counts"
    assert crippled[-1] == crippled[-2] == pytest.approx(sum(oracle_odds(6, 10, 0, 10)[3:]), abs=1e-12)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("strike", {"carrier": "bismarck", "dive": "20", "torpedo": "0", "damage": "0"}),
        ("strike", {"carrier": "kaga", "dive": "many", "torpedo": "0", "damage": "0"}),
        ("strike", {"carrier": "kaga", "dive": "-1", "torpedo": "0", "damage": "0"}),
        ("strike", {"carrier": "kaga", "dive": "5", "torpedo": "0", "damage": "10"}),
        ("dogfight", {"dice": "201"}),
    ],
)
def test_invalid_query_is_rejected(question: str, asked: dict[str, str]) -> None:
    with pytest.raises((InvalidQuery, UnknownOption)):
        GAME.question(question).evaluate(asked, "the odds")


# -- sampled -----------------------------------------------------------------------------------------------------------

STRIKES = 20_000


def sampled(carrier: str, dive: int, torpedo: int) -> list[int]:
    """Return the hits of many full waves on a carrier, rolled by the rules; torpedo bombers are lost first."""
    battle = Battle().settle()
    side: SideName = "usa" if carrier in ("hiryu", "soryu", "akagi", "kaga") else "japan"
    flyer = "hornet" if side == "usa" else "kaga"
    keys = [*(f"{flyer}-tb-{n}" for n in range(1, torpedo + 1)), *(f"{flyer}-db-{n}" for n in range(1, dive + 1))]
    target, fleet = battle.carrier(carrier), battle.state.side(side)
    wave = battle.put("ready", *keys).state.side(side).ready
    battle.state.sink = 10**6  # so that no hit is wasted
    table: Table[Midway, Data] = Table(battle.state, GAME.data, KeyedDice(carrier.encode().ljust(32, b".")), None)
    play, seen = GAME.phases_by_name[f"{side}-attack"], []
    for turn in range(1, STRIKES + 1):
        fleet.ready, fleet.home, fleet.lost = wave, [], []
        target.damage = 0
        table.state.at = At(turn, f"{side}-attack")
        steps = play(table)
        assert steps is not None
        _attack(steps, target.name)
        seen.append(target.damage)
    return seen


def _attack(rules: Steps, target: str) -> None:
    """Attack this carrier with all bombers; take losses from the first squadron."""
    answer: list[Squadron] | None = None
    with suppress(StopIteration):
        while True:
            asked = rules.send(answer)
            assert isinstance(asked, Decision)
            if asked.rule == "12.1":
                answer = list(asked.values) if target in asked.question else []
            else:
                pool = [squadron for squadron in asked.values for _ in range(squadron.strength)]
                answer = pool[: asked.at_least]


@pytest.mark.torture
@pytest.mark.rule("midway", "12", "12.2", "12.4", "12.5")
@pytest.mark.parametrize("carrier", GUNS)
def test_simulated_strikes_score_within_four_standard_errors(carrier: str) -> None:
    hits = sampled(carrier, 2, 2)
    exact = oracle_odds(GUNS[carrier], 10, 10, 60)
    average = float(oracle_mean(GUNS[carrier], 10, 10))
    variance = sum(chance * (number - average) ** 2 for number, chance in enumerate(exact))
    assert len(hits) == STRIKES
    assert abs(sum(hits) / STRIKES - average) <= 4 * sqrt(variance / STRIKES)
    for least in (1, 4, 7, 10):
        chance = sum(exact[least:])
        share = sum(number >= least for number in hits) / STRIKES
        assert abs(share - chance) <= 4 * sqrt(chance * (1 - chance) / STRIKES), f"{least} hits or more"


@pytest.mark.rule("midway", "12.1", "16.2")
def test_target_info_names_next_targets_and_partial_odds() -> None:
    battle = Battle().settle().put("ready", *(f"hornet-db-{n}" for n in range(1, 7))).damage(kaga=8)
    asked = battle.play("attack", "usa", otherwise=lambda decision: []).asked
    notes = [decision.options[0].info.note for decision in asked]  # type: ignore[union-attr]
    assert [note.partition(".")[0] for note in notes] == [
        "next: Soryu, Akagi and Kaga; the rest stay Ready",
        "next: Akagi and Kaga; the rest stay Ready",
        "next: Kaga; the rest stay Ready",
        "the rest stay Ready",
    ]
    two, four, six = (oracle_odds(GUNS["hiryu"], points, 0, 10) for points in (10, 20, 30))
    assert notes[0].endswith(
        f"; crippled or sunk by 2 squadrons: {percent(sum(two[7:]))}, by 4: {percent(sum(four[7:]))}; "
        f"with all 6: sunk {percent(six[10])}, crippled or sunk"
    )
    two, four = (oracle_odds(GUNS["kaga"], points, 0, 10) for points in (10, 20))
    assert notes[3] == (
        "the rest stay Ready. Kaga has damage 8 and 9 anti-aircraft dice; "
        f"sunk by 2 squadrons: {percent(sum(two[2:]))}, by 4: {percent(sum(four[2:]))}; with all 6: sunk"
    )


@pytest.mark.rule("midway", "12.1", "16.2")
@pytest.mark.parametrize(("damage", "chances"), [(0, "{}, crippled or sunk"), (8, "")])
def test_hint_of_single_squadron_speaks_of_this_one(damage: int, chances: str) -> None:
    battle = Battle().settle().put("ready", "hornet-db-1").damage(hiryu=damage)
    hint = battle.play("attack", "usa", otherwise=lambda decision: []).asked[0].options[0].info
    assert hint is not None
    text = chances.format(percent(oracle_odds(GUNS["hiryu"], 5, 0, 10)[10]))
    assert hint.note.endswith(f" anti-aircraft dice; with this one: sunk {text}".rstrip())


@pytest.mark.rule("midway", "12.1")
def test_hint_counts_strongest_first() -> None:
    battle = Battle().settle().put("ready", "hornet-db-1", strength=2).put("ready", "hornet-db-2")
    hint = battle.play("attack", "usa", otherwise=lambda decision: []).asked[0].options[0].info
    assert hint is not None
    assert f"by the strongest 1 squadron: {percent(sum(oracle_odds(7, 5, 0, 10)[7:]))}; with both: sunk " in hint.note
