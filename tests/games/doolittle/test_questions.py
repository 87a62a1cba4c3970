"""Tests of the calculator, against dice counted by hand and the rules that roll them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.games.doolittle.helpers import DATA, aloft, raiders, table

from readyroom.engine.rules.forms import OddsResult
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.attack.bombing import approach_check, detonation_check
from readyroom.games.doolittle.flight.flights import guzzle_check
from readyroom.games.doolittle.pieces import Marker


def ask(name: str, **inputs: str) -> OddsResult:
    """Return the answer to a query; its fields are named with underscores."""
    filled = {key.replace("_", "-"): value for key, value in inputs.items()}
    return GAME.question(name).evaluate(filled, name)


def odds(name: str, **inputs: str) -> dict[str, Fraction]:
    """Return the rows of an answer."""
    return dict(ask(name, **inputs).rows)


def test_questions_with_default_values_answer() -> None:
    for name, question in GAME.questions.items():
        answer = question.evaluate({}, name)
        assert answer.rows or answer.parts, name
        assert all(0 <= chance <= 1 for _, chance in answer.rows), name


def test_target_question_matches_hand_calculation() -> None:
    """[4.8.1, 4.9.3] Nippon Electric by day: approach 8−1, hit 8−2."""
    chances = odds("target", box="nippon-electric")
    assert chances["gets to the target"] == Fraction(21, 36)
    assert chances["hits once there"] == Fraction(26, 36)
    assert chances["both"] == Fraction(21, 36) * Fraction(26, 36)


def test_target_question_hazards_affect_both_checks() -> None:
    """[4.6.3] Haze on the approach, concrete on the hit."""
    plain, hard = odds("target", box="steel-mill"), odds("target", box="steel-mill", haze_a1="yes", concrete_d2="yes")
    assert hard["gets to the target"] == Fraction(21, 36) < plain["gets to the target"]
    assert hard["hits once there"] == Fraction(15, 36) < plain["hits once there"]


def test_fire_question_offers_only_hazards_with_dice() -> None:
    """[4.6.3] Hazards without dice, such as haze, are omitted."""
    fires = GAME.question("fire").form_fields["what"].choices
    assert {key.split("-")[0] for key in fires} == {"flak", "small", "interceptor"}
    assert not [key for key in fires if key.endswith("-0")]


def test_target_question_lights_out_matters_only_by_night() -> None:
    """[4.8.4] No effect by day."""
    assert odds("target", dark="yes") == odds("target")
    night = odds("target", box="tokyo-arsenal", light="night", dark="yes")
    assert night["gets to the target"] < odds("target", box="tokyo-arsenal", light="night")["gets to the target"]


def test_target_question_matches_rules() -> None:
    state = raiders("capital", "approach")
    bomber = state.squad["b01"]
    bomber.area, bomber.hits = "tokyo-east", 1
    box = state.targets["tokyo"].areas["tokyo-east"].boxes["gas-electric"]
    box.blast = 2
    box.markers.append(
        next(Marker(key=key, shown=True) for key, one in DATA.hazards.markers.items() if one.approach == -2)
    )
    at = table(state)
    chances = odds("target", box="gas-electric", burning="yes", damaged="yes", camouflage_a2="yes")
    assert chances["gets to the target"] == approach_check(at, bomber, "gas-electric").odds()
    assert chances["hits once there"] == detonation_check(at, bomber, "gas-electric").odds()


def test_gunnery_needs_one_six() -> None:
    """[4.5.1] Four dice, or none."""
    assert odds("gunnery", dice="4")["drives it off"] == 1 - Fraction(5, 6) ** 4
    assert odds("gunnery", dice="0")["drives it off"] == 0


def test_fire_question_fighter_hits_stays_or_breaks_off() -> None:
    """[4.6.3.H] 4 and 5 hit, 2 and 3 stay attached."""
    chances = odds("fire", what="interceptor-4-5")
    assert chances == {"hits": Fraction(7, 36), "stays attached": Fraction(3, 36), "breaks off": Fraction(26, 36)}


def test_fire_question_searchlights_raise_flak_hits() -> None:
    """[15.4] Three dice low, four high."""
    plain, low, high = (odds("fire", what="flak-6-8", guided=how)["hits"] for how in ("no", "low", "high"))
    assert plain == Fraction(16, 36) < low < high


@pytest.mark.parametrize(("tanks", "ditch"), [("0", Fraction(10, 36)), ("1", Fraction(113, 216))])
def test_fumes_question_reads_two_lowest_dice(tanks: str, ditch: Fraction) -> None:
    """[7.2.4] Low tanks in calm weather: 5 or less ditches."""
    chances = odds("fumes", tanks=tanks)
    assert sum(chances.values()) == 1
    assert chances["ditch"] == ditch


def test_guzzle_question_depends_on_fuel_and_load() -> None:
    """[8.2.4] Three loaded bombers with 2 fuel: 6−1−1 fails against 5."""
    assert odds("guzzle", fuel="2")["passes"] == Fraction(21, 36)
    assert odds("guzzle", fuel="2", loaded="no")["passes"] == Fraction(26, 36)


@pytest.mark.parametrize("fuel", range(9))
@pytest.mark.parametrize("loaded", ["yes", "no"])
def test_guzzle_question_matches_rules(fuel: int, loaded: str) -> None:
    state = raiders("early")
    flight = aloft(state, "b01", "b02", fuel=fuel)
    for bomber in state.squad.values():
        bomber.loaded = loaded == "yes"
    assert odds("guzzle", fuel=str(fuel), loaded=loaded)["passes"] == guzzle_check(table(state), flight).odds()


def test_wind_question_shows_move_chance_and_fuel_cost() -> None:
    """[8.2.1] Chances and mean fuel paid."""
    moves = "may move or search"
    assert odds("wind", wind="severe-headwind")[moves] == 0
    assert odds("wind", wind="severe-tailwind")[moves] == 1
    head = ask("wind", wind="headwind", fuel="4")
    assert dict(head.rows)[moves] == odds("guzzle", fuel="3")["passes"]
    assert dict(head.expected)["fuel paid"] == 1
    severe = ask("wind", wind="severe-crosswind", fuel="4")
    assert dict(severe.expected)["fuel paid"] == 1 - odds("guzzle", fuel="4")["passes"]


def test_search_question_matches_hand_calculation() -> None:
    """[8.1.4] Tokyo by night: 9, with navigation, a blast and two navigators."""
    chances = odds("search", goal="tokyo", light="night", blast="yes", navigators="2")
    assert chances["finds it"] == Fraction(30, 36)
    assert odds("search", goal="kweilin", light="night", beacon="4")["finds it"] == Fraction(35, 36)


def test_search_question_reroll_raises_chance() -> None:
    chances = odds("search", goal="tokyo", again="1")
    assert chances["with 1 re-roll"] == 1 - (1 - chances["finds it"]) ** 2


def test_secrecy_question_chance_falls_with_each_test() -> None:
    """[6.3.1] The risk grows by one, passed or failed."""
    fractions = list(odds("secrecy", value="5", risk="18", tests="4").values())
    assert fractions == sorted(fractions, reverse=True)
    assert len(set(fractions)) == 4


def test_landing_question_chances_sum_to_one() -> None:
    """[14.1.1, 14.1.2] Good, or poor with one of four results."""
    chances = odds("landing", site="kweilin")
    assert sum(chances.values()) == 1
    iced = odds("landing", site="vladivostok")["lands well"]
    assert iced < odds("landing", site="vladivostok", deicers="yes")["lands well"]


def test_attack_and_flight_cards_are_among_charts() -> None:
    """[1.8] Cards of attack and flight."""
    names = {chart.id for chart in GAME.presentation.charts(DATA)}
    assert {f"A{number}" for number in range(1, 11)} | {f"F{number}" for number in range(1, 7)} <= names
    assert all(chart.origin for chart in GAME.presentation.charts(DATA))


# -- more of the same thing, and what only sometimes bears on it -----------------------------------------------------


def test_target_question_covers_every_map() -> None:
    assert ask("target", box="kobe-dockyard").title.startswith("Kawasaki Dockyard by day")


def test_gunnery_question_with_several_fighters_multiplies() -> None:
    """[4.5.1] All or none."""
    chances = odds("gunnery", dice="1", fighters="2")
    assert chances == {
        "drives it off": Fraction(1, 6), "drives all 2 off": Fraction(1, 36), "none of them": Fraction(25, 36)
    }  # fmt: skip
    assert len(odds("gunnery", dice="1")) == 1


def test_fire_question_with_several_shots_counts_hits() -> None:
    """[4.6.3.M] Two dice that both show 1, rolled twice."""
    chances = odds("fire", what="small-arms-2-2", times="2")
    assert chances["at least one of 2 hits"] == 1 - Fraction(35, 36) ** 2
    assert chances["two or more hit"] == Fraction(1, 36) ** 2
    assert len(odds("fire", what="small-arms-2-2")) == 1


def test_fumes_question_with_several_bombers_multiplies() -> None:
    """[7.2.4] Independent rolls."""
    assert odds("fumes", bombers="2")["all 2 stay up"] == Fraction(26, 36) ** 2
    assert "all 1 stay up" not in odds("fumes")


def test_guzzle_question_shows_lower_fuel_and_load() -> None:
    """[8.2.4] Every fuel level down to 0."""
    result = ask("guzzle", fuel="2")
    assert [name for name, _ in result.rows] == ["passes", "with 1 fuel", "with 0 fuel"]
    assert dict(result.rows)["with 0 fuel"] == odds("guzzle", fuel="0")["passes"]
    assert result.title == "Guzzle number 5, 2 fuel, bombs aboard"
    assert ask("guzzle", fuel="2", loaded="no").title.endswith("bombs gone")


def test_wind_question_shows_check_or_no_move() -> None:
    """[8.2.1] A severe tailwind needs no check; a severe headwind stops all."""
    cross, tail, head = (ask("wind", wind=name) for name in ("crosswind", "severe-tailwind", "severe-headwind"))
    assert [name for name, _ in cross.rows] == ["passes the guzzle check", "may move or search"]
    assert [name for name, _ in tail.rows] == ["may move or search"]
    assert (cross.net, tail.net) == ([("8 fuel", -4), ("bombs aboard", -1)], None)
    assert (cross.note, head.note) == ("", "no flight can move in this wind")


def test_search_question_depends_on_darkness_and_persistence() -> None:
    """[8.1.3, 8.1.4] The two lowest of three count."""
    night = {"goal": "tokyo", "light": "night"}
    assert odds("search", goal="tokyo", dark="yes") == odds("search", goal="tokyo")
    assert odds("search", **night)["finds it"] == Fraction(15, 36)
    assert odds("search", dark="yes", **night)["finds it"] == Fraction(42, 216)
    assert odds("search", persistent="yes", **night)["finds it"] == Fraction(21, 36)


def test_landing_question_lists_night_ice_and_pilot() -> None:
    """[14.1.1] Night −2, ice at Vladivostok −5, elite pilot +1."""
    assert ask("landing", site="kweilin").net == []
    assert ask("landing", site="kweilin", light="night", pilot="yes").net == [("night", -2), ("elite pilot", 1)]
    assert ask("landing", site="vladivostok").net == [("ice", -5)]


def test_poor_landing_column_depends_on_damage_and_pilot() -> None:
    """[14.1.2] One die, six equally likely rows."""
    poor = 1 - odds("landing", site="kweilin")["lands well"]
    assert odds("landing", site="kweilin")["poor: dead"] == poor * Fraction(1, 6)
    assert odds("landing", site="kweilin", damaged="yes")["poor: dead"] == poor * Fraction(2, 6)
    assert "poor: dead" not in odds("landing", site="kweilin", pilot="yes")
