"""Tests of the odds calculator against brute force over all dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.checks import signed
from readyroom.engine.rules.forms import OddsResult
from readyroom.games.picket import GAME
from readyroom.games.picket.combat.odds import threat
from readyroom.games.picket.presentation.questions import NOTHING, after, planes_of

DATA = GAME.data
TWO = [a + b for a, b in product(range(1, 7), repeat=2)]
"""All rolls of two dice."""


def ask(name: str, **sentence: str) -> OddsResult:
    """Return the answer to a query."""
    return GAME.question(name).evaluate(sentence, "picket")


def share(holds: list[bool]) -> Fraction:
    """Return the fraction of all rolls that satisfy a condition."""
    return Fraction(sum(holds), len(holds))


@pytest.mark.parametrize("name", ["gun", "strike", "repair", "maneuvers", "attack", "sinks"])
def test_every_query_answers_with_defaults(name: str) -> None:
    answer = ask(name)
    assert answer.rows
    assert all(0 <= chance <= 1 for _, chance in answer.rows)


def test_6_8_one_gun_odds() -> None:
    answer = ask("gun", kind="40mm", director="yes", gunnery="-1", height="L", ace="yes", morale="1", magazine="yes")
    added = DATA.guns.fire.director["40mm"] - 1 + DATA.guns.fire.height["40mm"]["L"]
    added += DATA.duty.fire.ace + 1 + DATA.duty.fire.magazine
    assert answer.total == added
    counts = Counter(DATA.tables.fire.cell(total + added, "40mm") for total in TWO)
    assert dict(answer.parts[0].rows) == {
        cell: Fraction(counts[cell], 36) for cell in ("miss", "hit", "flamed", "destroyed")
    }
    rows = dict(answer.rows)
    assert rows["undamaged"] == Fraction(counts["miss"] + counts["hit"], 36)
    assert rows["flamed or destroyed"] == Fraction(counts["flamed"] + counts["destroyed"], 36)


def test_6_8_k_several_guns_odds() -> None:
    odds = {"miss": Fraction(1, 2), "hit": Fraction(1, 4), "flamed": Fraction(1, 8), "destroyed": Fraction(1, 8)}
    expected: dict[str, Fraction] = dict.fromkeys(("undamaged", "damaged", "flamed", "destroyed"), Fraction(0))
    for rolls in product(odds, repeat=4):
        chance, hits, fate = Fraction(1), 0, ""
        for roll in rolls:
            chance *= odds[roll]
            if fate:
                continue
            hits += roll == "hit"
            fate = roll if roll in ("flamed", "destroyed") else "flamed" if hits == 3 else ""
        expected[fate or ("damaged" if hits == 2 else "undamaged")] += chance
    assert after(odds, 4, 0, 3) == expected


def test_11_1_wooden_plane_cancels_director() -> None:
    assert ask("gun", director="yes", wood="yes").total == 0
    assert ask("gun", wood="yes").total == DATA.duty.fire.willow
    assert ask("gun", kind="20mm", wood="yes").total == ask("gun", kind="40mm", wood="yes").total == 0
    assert ask("gun", kind="40mm", director="yes", wood="yes", ace="yes").total == 0
    assert ask("gun", kind="20mm", wood="yes", ace="yes").total == DATA.duty.fire.ace


@pytest.mark.parametrize("state", ["undamaged", "damaged", "flamed"])
@pytest.mark.parametrize("evaded", ["no", "yes"])
def test_7_1_plane_dive_odds(state: str, evaded: str) -> None:
    added = DATA.duty.maneuvers.strike if evaded == "yes" else 0
    rows = dict(ask("strike", what=state, evaded=evaded).rows)
    for cell in ("miss", "near miss", "hit"):
        assert rows[cell] == share([DATA.tables.strike.cell(total + added, state) == cell for total in TWO])


@pytest.mark.rule("picket", "7.1.A", "6.8")
def test_threat_by_plane_state() -> None:
    states = ("undamaged", "undamaged", "damaged", "flamed")
    strikes = [share([DATA.tables.strike.cell(total, state) == "hit" for total in TWO]) for state in states]
    assert threat(DATA, 0) == pytest.approx([float(chance) for chance in strikes])


@pytest.mark.parametrize("weapon", ["bomb", "torpedo", "ohka"])
def test_7_2_special_weapon_odds(weapon: str) -> None:
    answer = ask("strike", what=weapon)
    chart = DATA.tables.special(weapon)  # type: ignore[arg-type]
    assert sum(chance for _, chance in answer.rows) == 1
    assert dict(answer.rows)["miss"] == share([chart.cell(total, chart.columns[0]) == "miss" for total in TWO])
    assert dict(answer.expected)["hull lost"] == Fraction(sum(int(chart.cell(total, "hull")) for total in TWO), 36)
    counted = {row.partition(" × ")[2] for row, _ in answer.rows if " × " in row}
    assert counted == {"compartment torn open" if weapon == "torpedo" else "roll for damage"}


def test_7_8_2_damage_control_example() -> None:
    answer = ask("repair", hits="2", men="3", chief="1", control="1", morale="-1", held="yes", hands="yes", shop="yes")
    figures = DATA.repair.primary
    column = figures.inherent + 3 + 1 + 1 - figures.penalty["2"]
    least = int(DATA.tables.control.rows[str(column)][0])
    added = -figures.morale + figures.held + figures.shop + figures.all_hands
    chance = share([total + added >= least for total in TWO])
    assert dict(answer.rows)["the attempt succeeds"] == chance
    assert dict(answer.rows)["everything is repaired"] == chance * share(
        [number >= 2 for number in figures.removes.values()]
    )
    assert f"column +{column} " in answer.note
    assert "officers" not in answer.note
    assert [ask("repair", morale=value).total for value in ("-2", "0", "1")] == [-figures.morale, 0, figures.morale]


def test_6_10_d_emergency_maneuvers_odds() -> None:
    least = int(DATA.tables.maneuvers.rows["1"][0])
    rooms = DATA.duty.maneuvers.room * 2
    answer = ask("maneuvers", captain="2", engineer="-1", rooms="2")
    assert answer.rows[0][1] == share([total + rooms >= least for total in TWO])
    hit = ask("maneuvers", captain="2", engineer="1", bridge="yes")
    assert hit.rows[0][1] == ask("maneuvers", captain="0", engineer="1").rows[0][1]
    assert ask("maneuvers", dead="yes").rows[0][1] == ask("maneuvers", captain="-2").rows[0][1]


def test_6_6_attack_table_example() -> None:
    answer = ask("attack", team="yes", surface="0", air="1", land="0", radar="whole", station="1")
    assert "column +1" in answer.note
    dice = DATA.duty.dice.stations["1"]
    cells = [DATA.tables.attack.cell(total + dice, "1") for total in TWO]
    rows = dict(answer.rows)
    assert rows["table D"] == share([cell == "D" for cell in cells])
    assert rows["no attack"] == share([cell == "none" for cell in cells])
    assert rows["any attack"] + rows["no attack"] == 1


@pytest.mark.parametrize(("air", "shift"), [(NOTHING, -2), ("-1", -1), ("2", 2)])
def test_6_5_h_no_air_support_shifts_two(air: str, shift: int) -> None:
    answer = ask("attack", team="yes", surface="1", air=air, land="0", radar="damaged", station="1")
    assert f"air support {signed(shift)}" in answer.note
    assert f"column {signed(2 + shift)} " in answer.note


@pytest.mark.parametrize(("surface", "shift"), [("0", -2), ("1", 1), ("2", 2)])
def test_5_2_gunboats_shift_column(surface: str, shift: int) -> None:
    answer = ask("attack", team="yes", surface=surface, air="0", land="0", radar="damaged", station="1")
    assert f"surface support {signed(shift)}" in answer.note
    assert f"column {signed(1 + shift)} " in answer.note


def test_6_2_f_rain_reduces_attacks() -> None:
    answer = ask("attack", team="yes", surface="0", air="1", land="0", radar="whole", station="1", rain="yes", lost="1")
    figures = DATA.duty.dice
    added = figures.stations["1"] + figures.rain + figures.command
    comes = Fraction(7 - DATA.duty.weather.rain_attack, 6)
    quiet = share([DATA.tables.attack.cell(total + added, "1") == "none" for total in TWO])
    assert dict(answer.rows)["any attack"] == comes * (1 - quiet)


def test_6_6_m_night_reduces_attacks() -> None:
    day, night = ask("attack"), ask("attack", night="yes")
    assert dict(night.rows)["any attack"] == dict(day.rows)["any attack"] / 3
    assert dict(night.expected)["planes"] < dict(day.expected)["planes"] / 3
    assert planes_of(DATA, "F", True) < planes_of(DATA, "F", False)


@pytest.mark.rule("picket", "6.6.D")
def test_6_6_d_random_attack_expects_one_plane() -> None:
    assert planes_of(DATA, "random", False) == share([total != 12 for total in TWO])


def test_7_3_q_hull_loss_odds() -> None:
    answer = ask("sinks", hull="5", planes="2")
    gone = share([int(DATA.tables.hull.cell(total, "2 planes")) >= 5 for total in TWO])
    sunk = share([DATA.tables.sinks.cell(total, "hull") == "sinks" for total in TWO])
    assert dict(answer.rows) == {"the hull falls to zero": gone, "she sinks": gone * sunk}
    assert dict(ask("sinks", hull="9", planes="9").rows) == dict(ask("sinks", hull="9", planes="4").rows)
    assert dict(ask("sinks", cause="keel").rows)["sinks"] == share(
        [DATA.tables.sinks.cell(total, "keel") == "sinks" for total in TWO]
    )


def test_sinks_with_hull_requires_cause_hull() -> None:
    with pytest.raises(InvalidQuery, match="hull"):
        ask("sinks", cause="keel", hull="5")


def test_modifier_effect_is_difference_without_it() -> None:
    answer = ask("gun", gunnery="2", guns="3")
    worth = answer.effects[0]
    with_it, without = (dict(ask("gun", gunnery=value, guns="3").rows)["flamed or destroyed"] for value in ("2", "0"))
    assert worth.value == 2
    assert worth.changes[0][1] == with_it - without
