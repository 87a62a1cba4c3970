"""Tests of exact odds, against the interception table and an enumeration of all rolls."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import msgspec
import pytest
from tests.games.strategic.pearl.helpers import DATA, Battle
from tests.games.strategic.pearl.test_strike import disarray, surprised

from readyroom.engine.rules.dice import KeyedDice
from readyroom.engine.rules.table import Table
from readyroom.games.strategic.pearl.knowledge import columns, interception, per_force, risk, unseen, where
from readyroom.games.strategic.pearl.odds import battle, fate, losses
from readyroom.games.strategic.pearl.state import Condition, RaidState, Ship
from readyroom.games.strategic.pearl.strike import escorts_hint
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import mean
from readyroom.games.strategic.tables.raid_opening import RaidOpening

TABLE = DATA.surprise["current"]
CLASSIC = DATA.surprise["classic"]
ROLLS = list(product(range(1, 7), repeat=2))


@pytest.mark.rule("pearl", "51.31.3", "51.31.2")
@pytest.mark.parametrize(
    ("at", "port", "pacific", "sea", "auto", "comes"),
    [
        (0, 21, 12, 3, 0, 0.02),
        (1, 15, 15, 6, 0, 0.05),
        (2, 10, 16, 10, 0, 0.09),
        (3, 6, 15, 15, 0, 0.16),
        (4, 3, 12, 20, 1, 0.26),
        (5, 1, 9, 23, 3, 0.38),
        (6, 0, 6, 24, 6, 0.50),
    ],
)
def test_column_odds_match_review(at: int, port: int, pacific: int, sea: int, auto: int, comes: float) -> None:
    places = dict(where(TABLE, at))
    named = [places.pop(place, Fraction(0)) * 36 for place in ("Pearl", "Pacific", "Auto")]
    assert [*named, sum(places.values()) * 36] == [port, pacific, auto, sea]
    assert round(float(per_force(TABLE, at)), 2) == comes


@pytest.mark.rule("pearl", "51.31.2", "51.31.4")
def test_surprise_table_golden_cells() -> None:
    assert TABLE.carrier(0, 12) == "5"
    assert TABLE.level(6, 1) == 4
    assert [CLASSIC.carrier(0, roll) for roll in (2, 5, 6, 8, 9, 12)] == [
        "Pearl",
        "Pearl",
        "Pacific",
        "Pacific",
        "6",
        "3",
    ]
    assert TABLE.column(29) == 0
    assert TABLE.column(40) == TABLE.column(60) == 6


@pytest.mark.rule("pearl", "51.31.3")
def test_force_not_in_port_intercepts_more_often() -> None:
    battle = Battle().force("tf8", "Pacific").force("tf12", "3")
    force = battle.raid.forces[0]
    for at in range(7):
        not_in_port = 1 - where(TABLE, at).get("Pearl", Fraction(0))
        assert interception(unseen(battle.raid, TABLE, at, force)) == per_force(TABLE, at) / not_in_port


@pytest.mark.rule("pearl", "PH.3", "P1")
def test_columns_follow_from_japans_evidence() -> None:
    battle = Battle(magic=(1, 2))
    battle.raid.final = (3, 0)
    assert columns(battle.raid, DATA, TABLE, "japan") == {3: Fraction(1, 2), 4: Fraction(1, 2)}, "34, 35, 36 or 37"
    battle.force("tf8", "Pearl", seen=True).force("tf12", "4")
    chances = columns(battle.raid, DATA, TABLE, "japan")
    likely = {at: where(TABLE, at)["Pearl"] * (1 - where(TABLE, at)["Pearl"]) for at in (3, 4)}
    assert chances == {at: chance / sum(likely.values()) for at, chance in likely.items()}
    battle.raid.die = 1
    assert columns(battle.raid, DATA, TABLE, "japan") == {4: 1}, "level 6 with a die of 1 is +5"
    assert columns(battle.raid, DATA, TABLE, "usa") == {4: 1}
    assert sum(columns(battle.raid, DATA, TABLE, None).values()) == 1


@pytest.mark.rule("pearl", "51.31.3", "PH.3")
def test_risk_matches_hand_calculation() -> None:
    battle = Battle(magic=(0, 0)).force("tf8", "Pacific").force("tf12", "4")
    battle.raid.die = 1
    battle.raid.opening = _without_american_magic(battle)
    one = per_force(TABLE, 3) / (1 - Fraction(6, 36))
    assert risk(battle.raid, DATA, TABLE, "japan") == 1 - (1 - one) ** 2


def _without_american_magic(battle: Battle) -> RaidOpening:
    opening = battle.raid.opening
    return msgspec.structs.replace(opening, magic=msgspec.structs.replace(opening.magic, usa=0))


@pytest.mark.rule("pearl", "PH.8", "PH.9", "20.51")
@pytest.mark.parametrize("squadrons", [3, 5, 8])
@pytest.mark.parametrize("condition", [Condition.AFLOAT, Condition.DAMAGED])
def test_fate_matches_all_rolls(squadrons: int, condition: Condition) -> None:
    ends = {Condition.SUNK: 0, Condition.DAMAGED: 0}
    for faces in ROLLS:
        for face in range(1, 7):
            raid = disarray().attackers(squadrons)
            raid.ship("arizona").condition = condition
            raid.play("attack", {"targets": ["arizona"] * squadrons}, dice=[*faces, face])
            hurt = raid.ship("arizona").condition
            if hurt is Condition.SUNK or (hurt is Condition.DAMAGED and condition is Condition.AFLOAT):
                ends[hurt] += 1
    ship = Ship("arizona", "Arizona", 4, condition=condition)
    result = fate(ship, squadrons, 1, DATA.naval, (5, 1))
    assert result == (Fraction(ends[Condition.SUNK], 216), Fraction(ends[Condition.DAMAGED], 216))


@pytest.mark.rule("war", "19.2")
@pytest.mark.rule("pearl", "PH.5", "19.2")
def test_battle_odds_match_all_rolls() -> None:
    through: list[int] = []
    for faces in ROLLS:
        raid = surprised().attackers(12, escorts=3)
        raid.raid.army.up = 4
        raid.play("air-battle", dice=[*faces, 3, 4])
        through.append(len(raid.raid.attackers))
    chances = battle(3, 12, 4, 0, DATA)
    assert sum(left.attackers * chance for left, chance in chances.items()) == Fraction(sum(through), 36)
    raid = surprised()
    raid.raid.army.up = 4
    table = _table(raid)
    hint = escorts_hint(table, 3, 12)
    assert hint.chance == pytest.approx(through.count(12) / 36)
    assert hint.note.startswith(f"{sum(through) / 36:.1f} of 12 attackers get through")
    escorts_only = escorts_hint(table, 15, 0)
    assert (escorts_only.note, escorts_only.chance) == ("no squadrons attack", None)


def _table(raid: Battle) -> Table[RaidState, Data]:
    return Table(raid.state, DATA, KeyedDice(b"k" * 32), None)


@pytest.mark.rule("pearl", "PH.8", "A17")
def test_losses_match_all_rolls() -> None:
    chances = losses(8, 3, 4, 1, DATA.naval)
    assert sum(chances.values()) == 1
    destroyed = (min(8, 3 * DATA.naval.read(4, sum(faces) + 1).first) for faces in ROLLS)
    assert mean(chances, int) == Fraction(sum(destroyed), 36)


@pytest.mark.rule("pearl", "20.51")
def test_target_hints_show_odds() -> None:
    raid = surprised().attackers(9)
    raid.raid.army.grounded = 4
    raid.play("attack")
    hints = {option.key: option.info for option in raid.question("targets").options}
    arizona = hints["arizona"]
    assert arizona is not None
    assert arizona.chance == pytest.approx(float(fate(Ship("a", "A", 4), 8, 1, DATA.naval, None).sunk))
    assert arizona.note.startswith("with 4 squadrons: 28 % sunk, 44 % damaged; with 5: 58 % sunk, 33 % damaged; ")
    assert arizona.note.endswith("; with 8: sunk")
    army = hints["army"]
    assert army is not None
    assert army.note.startswith("destroyed of 4 by 4: ")
    assert army.note.endswith("; all by 8")
