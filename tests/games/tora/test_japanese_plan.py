"""Tests of section 7: Japanese planning sheets, and every reason to reject a plan."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, Following, fill, table, tora, wave

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.plans.attack_sheets import plan_attack
from readyroom.games.tora.plans.data import JapanesePlan, WaveOrder
from readyroom.games.tora.plans.validation import check_japanese

FIRST = wave(1, ("3NW", "kate", "ap", 20), ("3NE", "val", "gp", 10), ("3NE", "zero", "none", 10))
SECOND = wave(7, ("3SE", "kate", "gp", 10), ("3SE", "val", "gp", 14), ("3SE", "zero", "none", 11))
THIRD = wave(13, ("3SW", "kate", "torpedo", 20), ("3SW", "val", "gp", 10), ("3SW", "zero", "none", 10))


def faults(*waves: WaveOrder, waves_max: int = 3, **changes: Any) -> list[tuple[str, str]]:
    plan = msgspec.structs.replace(JapanesePlan(7, waves), **changes)
    return [(fault.rule, fault.reason) for fault in check_japanese(plan, DATA, waves_max)]


@pytest.mark.rule("tora", "7", "7.1", "7.2", "7.3", "7.4")
def test_historical_attack_is_legal_and_answers_own_sheets() -> None:
    assert list(check_japanese(ATTACK, DATA, 3)) == []
    assert ATTACK.wave[0].units == 46
    assert fill(plan_attack(table(), "japan"), Following(ATTACK)) == ATTACK


@pytest.mark.rule("tora", "7.3", "16.3", "T6")
def test_third_of_three_waves_reuses_first() -> None:
    plan = JapanesePlan(3, (FIRST, SECOND, THIRD))
    assert faults(FIRST, SECOND, THIRD) == []
    assert fill(plan_attack(table(), "japan"), Following(plan)) == plan


@pytest.mark.rule("tora", "6", "7.1", "7.2", "7.3", "7.4", "8.1", "16.6")
@pytest.mark.parametrize(
    ("waves", "changes", "rule", "word"),
    [
        ((FIRST,), {"day": 11}, "7.1", "cannot be on day 11"),
        ((), {}, "7.3", "has 0 waves"),
        ((FIRST, SECOND, THIRD), {"waves_max": 2}, "7.3", "3 waves; the limit is 2"),
        ((FIRST, SECOND), {"waves_max": 1}, "7.3", "2 waves; the limit is 1"),
        ((wave(2, ("3NW", "kate", "ap", 1)),), {}, "8.1", "enter on turn 1, not on turn 2"),
        ((FIRST, wave(1, ("3SE", "val", "gp", 1))), {}, "7.3", "Wave 2 must enter after wave 1"),
        ((FIRST, wave(21, ("3SE", "val", "gp", 1))), {}, "7.3", "last possible turn is 20"),
        ((wave(1),), {}, "7.3", "Wave 1 has no units"),
        ((wave(1, ("3NW", "kate", "ap", 30), ("3NW", "val", "gp", 19)),), {}, "7.3", "49 units; the limit is 48"),
        ((wave(1, ("3NW", "kate", "ap", 31)),), {}, "6", "31 Kate units; there are 30"),
        ((FIRST, wave(7, ("3NW", "kate", "ap", 11))), {}, "7.3", "there are 30, and 20 fly in wave 1"),
        ((FIRST, SECOND, wave(13, ("3NW", "kate", "ap", 21))), {}, "7.3", "the 10 of wave 2 cannot fly in wave 3"),
        ((wave(1, ("2NW", "kate", "ap", 1)),), {}, "7.2", "No sector of approach '2NW'"),
        ((wave(1, ("3NW", "p40", "none", 1)),), {}, "6", "No Japanese aircraft type 'p40'"),
        ((wave(1, ("3NW", "kate", "ap", 0)),), {}, "7.3", "enter at least 1"),
        ((wave(1, ("3NW", "val", "torpedo", 1)),), {}, "7.4", "Vals cannot carry torpedoes; they carry general"),
        ((wave(1, ("3NW", "zero", "gp", 1)),), {}, "7.4", "they carry only their guns"),
        ((wave(1, ("3NW", "kate", "none", 1)),), {}, "7.4", "Kates must carry"),
    ],
)
def test_wrong_attack_is_rejected(waves: tuple[WaveOrder, ...], changes: dict[str, Any], rule: str, word: str) -> None:
    pairs = faults(*waves, **changes)
    assert any(number == rule and word in reason for number, reason in pairs), pairs


@pytest.mark.rule("tora", "7.3")
def test_sheet_offers_at_most_48_units_and_existing_ones() -> None:
    answers = {
        "waves": ["1"],
        "wave:1:kate": ["kate-3NW-ap"] * 30,
        "wave:1:val": ["val-3NW-gp"] * 18,
    }
    plan = fill(plan_attack(table(), "japan"), answers)
    assert plan.wave[0].units == 48, "there is no room left for Zeros, so there is no question"
    with pytest.raises(IllegalChoice, match="Choose 0 to 18"):
        fill(plan_attack(table(), "japan"), answers | {"wave:1:val": ["val-3NW-gp"] * 19})
    with pytest.raises(IllegalChoice, match="Choose 0 to 30"):
        fill(plan_attack(table(), "japan"), answers | {"wave:1:kate": ["kate-3NW-ap"] * 31})


@pytest.mark.rule("tora", "7.3")
def test_wave_has_at_least_one_unit() -> None:
    answers = {"waves": ["1"], "wave:1:kate": [], "wave:1:val": [], "wave:1:zero": []}
    with pytest.raises(IllegalChoice, match="you chose none"):
        fill(plan_attack(table(), "japan"), answers)
    no_zeros = {"waves": ["2"], "wave:1:kate": [], "wave:1:val": [], "wave:1:zero": ["zero-3NW"] * 21}
    with pytest.raises(IllegalChoice, match="you chose none"):
        fill(plan_attack(table(), "japan"), no_zeros | {"wave:2:kate": [], "wave:2:val": []})


@pytest.mark.rule("tora", "7.3", "T6")
def test_sheet_names_default_turns() -> None:
    asked: list[Decision] = []
    fill(plan_attack(table(), "japan"), {"waves": ["3"], "turn:2": ["turn-7"]}, asked)
    turns = {each.piece_key: each.options for each in asked if each.piece_key.startswith("turn")}
    default = {about: [each.key for each in options if "default" in each.text] for about, options in turns.items()}
    assert default == {"turn:2": ["turn-7"], "turn:3": ["turn-13"]}
    assert (turns["turn:2"][0].key, turns["turn:3"][-1].key) == ("turn-2", "turn-20")


@pytest.mark.rule("tora", "7.4")
@pytest.mark.parametrize(
    ("kind", "loads"), [("kate", []), ("val", ["ap", "torpedo"]), ("zero", ["ap", "gp", "torpedo"])]
)
def test_unsupported_ordnance_of_type_is_rejected(kind: str, loads: list[str]) -> None:
    asked: list[Decision] = []
    fill(plan_attack(table(), "japan"), {"waves": ["1"], "wave:1:kate": [], "wave:1:val": []}, asked)
    decision = next(each for each in asked if each.piece_key == f"wave:1:{kind}")
    sectors = DATA.places.sectors
    assert sorted(no.key for no in decision.unavailable) == sorted(
        f"{kind}-{at}-{load}" for at in sectors for load in loads
    )


@pytest.mark.rule("tora", "15.2")
def test_cipher_without_key_is_sent_without_one() -> None:
    asked: list[Decision] = []
    fill(plan_attack(table(tora(cipher="yes")), "japan"), {"cipher": ["caesar"]}, asked)
    assert "3" in [option.text for each in asked if each.piece_key == "key" for option in each.options]
    game_table = table(tora(cipher="yes"))
    fill(plan_attack(game_table, "japan"), {"cipher": ["atbash"]})
    texts = [line.text for line in game_table.log or ()]
    assert "With which key? Only legal choice: without a key." in texts


@pytest.mark.rule("tora", "7.4")
def test_ordnance_that_type_does_not_carry_is_rejected_by_rule() -> None:
    answers = {"waves": ["1"], "wave:1:kate": [], "wave:1:val": ["val-3NW-ap"]}
    with pytest.raises(IllegalChoice, match="Vals cannot carry armor-piercing bombs") as refused:
        fill(plan_attack(table(), "japan"), answers)
    assert refused.value.rule == "7.4"


@pytest.mark.rule("tora", "7.3", "16.6")
def test_shorter_game_has_fewer_waves() -> None:
    with pytest.raises(IllegalChoice):
        fill(plan_attack(table(tora(waves_max=2)), "japan"), {"waves": ["3"]})
