"""[13.4] Tests of March planning: the field, measures, morale, training, the short deck."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, rules_asked, run, table
from tests.games.doolittle.plan_helpers import planner

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.planning import accidents, blotter, deck_training, march, training
from readyroom.games.doolittle.state import Doolittle
from readyroom.testing.running import Answers

START = DATA.training.morale.start


def _points(state: Doolittle) -> int:
    return blotter.training_points(state, DATA)


# -- field and measures ----------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.4", "13.4.1")
@pytest.mark.parametrize(
    ("answer", "dice", "points", "spirits"),
    [("eglin", 2, 5, START), ("mcclellan", 1, 7, START), ("mcclellan-liberty", 1, 8, START + 1)],
)
def test_training_field_sets_secrecy_points_and_morale(answer: str, dice: int, points: int, spirits: int) -> None:
    state = planner("march")
    run(march.choose_field(table(state)), {"13.4.1": answer})
    assert (blotter.secrecy_dice(state, DATA), _points(state)) == (dice, points)
    assert blotter.morale_shift(state, DATA) == spirits


@pytest.mark.rule("doolittle", "13.4.2")
def test_security_measures_add_dice_and_cost_morale() -> None:
    state = planner("march")
    run(march.choose_measures(table(state)), {"13.4.2": ["quarantine", "no-wives", "military-police", "fbi"]})
    assert blotter.secrecy_dice(state, DATA) == 2 + 2 + 1 + 1 + 1
    assert blotter.morale_shift(state, DATA) == START - 3


@pytest.mark.rule("doolittle", "13.5.6", "13.4.2")
def test_secrecy_dice_are_limited_to_eight() -> None:
    state = planner("march", chosen=18)
    state.notes.measures = list(DATA.training.measures.measure)
    assert blotter.secrecy_dice(state, DATA) == 8


@pytest.mark.rule("doolittle", "13.4.2", "DR81")
def test_measures_below_recoverable_morale_are_rejected() -> None:
    state, asked = planner("march"), list[Decision]()
    state.notes.modifications, state.notes.liberty = ["top-turret-removed"] * 3, True
    run(march.choose_measures(table(state)), {}, asked)
    asked[0].accept(["quarantine", "no-wives", "fbi"])
    with pytest.raises(IllegalChoice):
        asked[0].accept(["no-wives", "military-police", "fbi"])


# -- morale ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.4.3")
def test_squadron_briefing_raises_morale_and_risk() -> None:
    state = planner("march")
    run(march.brief_squadron(table(state)), {"13.4.3": "tell"})
    assert blotter.morale_shift(state, DATA) == START + 1
    assert dict(blotter.fixed_risks(state, DATA))["the squadron was informed"] == 4


@pytest.mark.rule("doolittle", "13.4.3", "13.1.1")
def test_doolittle_in_march_raises_morale() -> None:
    state = planner("march")
    state.notes.doolittle = "march"
    assert blotter.morale_box(state, DATA) == DATA.training.morale.box[START + 1]


@pytest.mark.rule("doolittle", "13.4.3", "DR81")
@pytest.mark.parametrize(
    ("answers", "reported", "liberty"), [(["tell"], True, False), (["liberty", "keep"], False, True)]
)
def test_morale_below_low_forces_briefing_or_liberty(answers: list[str], reported: bool, liberty: bool) -> None:
    state, asked = planner("march"), list[Decision]()
    state.notes.modifications = ["top-turret-removed"]
    state.notes.measures = ["no-wives", "military-police", "fbi"]
    run(march.brief_squadron(table(state)), {"13.4.3": [[one] for one in answers]}, asked)
    assert asked[0].keys == ["tell", "liberty"]
    assert (state.notes.squadron_briefed, state.notes.liberty, blotter.morale_shift(state, DATA)) == (
        reported,
        liberty,
        0,
    )
    assert blotter.morale_box(state, DATA).title == "low"


@pytest.mark.rule("doolittle", "13.4.3", "2.3", "DR80")
def test_elite_crewmen_drawn_depend_on_morale() -> None:
    state = planner("march")
    state.notes.squadron_briefed = True
    keys = ["e01", "e12", "e03", "e20", "e24"]
    at = table(state, draws=keys)
    run(march.gain_elites(at))
    assert [man.key for man in state.notes.aside] == keys
    assert "Doolittle, pilot" in log_text(at)


@pytest.mark.rule("doolittle", "13.4.3", "2.3", "DR80")
def test_elite_crewmen_are_chosen_by_option() -> None:
    state, asked = planner("march", elites="chosen"), list[Decision]()
    run(march.gain_elites(table(state)), {"13.4.3": ["e01", "e12", "e19", "e22"]}, asked)
    assert [man.key for man in state.notes.aside] == ["e01", "e12", "e19", "e22"]
    assert not {"e01", "e12", "e19", "e22"} & {man.key for man in state.notes.men.contents}
    assert len(asked[0].keys) == len(DATA.bombers.crewmen)
    assert asked[0].at_least == asked[0].at_most == 4
    assert asked[0].question == "Which 4 elite crewmen join?"
    assert [one.who for one in state.story if one.what == "joined"] == ["e01", "e12", "e19", "e22"]


@pytest.mark.rule("doolittle", "13.4.3", "2.3")
def test_elite_crewmen_at_low_morale_number_one() -> None:
    state, asked = planner("march", elites="chosen"), list[Decision]()
    state.notes.modifications, state.notes.liberty = ["top-turret-removed"], True
    state.notes.measures = ["no-wives", "military-police", "fbi"]
    run(march.gain_elites(table(state)), {"13.4.3": "e01"}, asked)
    assert asked[0].question == "Which elite crewman joins?"


# -- training --------------------------------------------------------------------------------------------------------


def _trained(*modifications: str, **answers: str | list[list[str]]) -> tuple[Doolittle, list[Decision]]:
    state, asked = planner("march"), list[Decision]()
    state.notes.modifications, state.notes.site = list(modifications), "mcclellan"
    state.notes.squadron_briefed = True
    given: Answers = {"13.4.9": "leave", **{f"13.4.{key[1:]}": answer for key, answer in answers.items()}}
    run(training.train(table(state, draws=["e01", "e02", "e03", "e04"])), given, asked)
    return state, asked


@pytest.mark.rule("doolittle", "13.4.4", "13.4.5", "13.4.6", "13.4.7", "13.4.8")
def test_training_levels_are_limited_by_points() -> None:
    state, asked = _trained(r5="thirty-caliber-2", r6="hedgehopping-2", r7="navigation-1")
    assert state.notes.points == 8 - 3 - 3 - 1
    night = next(decision for decision in asked if decision.rule == "13.4.8")
    assert night.keys == ["night-flying-0", "night-flying-1"]
    assert state.ratings.gunnery == DATA.bombers.factory.gunnery + 2


@pytest.mark.rule("doolittle", "13.4.4", "13.4.5")
def test_training_level_without_points_is_not_asked() -> None:
    state = planner("march")
    at, asked = table(state), list[Decision]()
    run(training._choose_levels(at, "navigation", DATA.training.training.track["navigation"]), None, asked)
    assert (asked, log_text(at)) == ([], "")


@pytest.mark.rule("doolittle", "13.4.5", "DR78")
def test_gunnery_track_follows_gun_modification() -> None:
    _, asked = _trained("fifty-caliber")
    guns = next(decision for decision in asked if decision.rule == "13.4.5")
    hints = {option.key: option.info.note for option in guns.options if option.info}
    assert hints == {
        "fifty-caliber-0": "free",
        "fifty-caliber-1": "+1 gunnery die; costs 2 training points",
        "fifty-caliber-2": "+2 gunnery dice; costs 4 training points",
        "fifty-caliber-3": "+3 gunnery dice; costs 6 training points",
    }


@pytest.mark.rule("doolittle", "13.4.6", "DR77")
@pytest.mark.parametrize(("level", "evasion", "elite"), [(0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 2, 0)])
def test_hedgehopping_levels_raise_evasion(level: int, evasion: int, elite: int) -> None:
    state, _ = _trained(r6=f"hedgehopping-{level}")
    assert (state.ratings.evasion, state.ratings.elite_evasion) == (evasion, elite)


@pytest.mark.rule("doolittle", "13.4.7", "13.4.8", "DR79")
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_navigation_and_night_flying_levels_raise_ratings(level: int) -> None:
    by_day, _ = _trained(r7=f"navigation-{level}")
    by_night, _ = _trained(r8=f"night-flying-{level}")
    assert by_day.ratings.navigation == {"day": level, "night": 0}
    assert by_night.ratings.navigation == {"day": 0, "night": level}
    assert by_night.ratings.night_evasion == (1 if level == 3 else 0)


@pytest.mark.rule("doolittle", "13.4.4", "DR137")
def test_extra_training_is_once_per_category_at_a_cost() -> None:
    more = [["extra-thirty-caliber"], ["extra-navigation"], ["extra-none"]]
    state, asked = _trained(r6="hedgehopping-3", r4=more)
    extra = next(decision for decision in asked if decision.rule == "13.4.4")
    assert rules_asked(asked)[-1:] == ["13.4.4"]
    assert rules_asked(asked).count("13.4.4") == 3
    assert asked[-1].keys == ["extra-night-flying", "extra-short-take-off", "extra-none"]
    assert "extra-hedgehopping" not in extra.keys
    assert "extra-short-take-off" in extra.keys
    assert state.notes.training == {"hedgehopping": 3, "thirty-caliber": 1, "navigation": 1}
    assert [man.key for man in state.notes.aside] == ["e01", "e02"]
    assert dict(blotter.fixed_risks(state, DATA))["extra training"] == 2


@pytest.mark.rule("doolittle", "13.4", "13.4.3", "13.4.9")
def test_march_briefs_squadron_before_training() -> None:
    state, asked = planner("march"), list[Decision]()
    keys = [man.key for man in state.notes.men.contents]
    run(march.march(table(state, 1, 2, draws=keys)), {"13.4.9": [["train"], ["enough"]]}, asked)
    assert list(dict.fromkeys(rules_asked(asked)))[:4] == ["13.4.1", "13.4.2", "13.4.3", "13.4.9"]
    assert state.notes.deck == 3
    assert [man.key for man in state.notes.aside] == keys[:4]


@pytest.mark.rule("doolittle", "13.4.4", "13.4.9")
def test_extra_short_deck_training_raises_deck_space() -> None:
    state, _ = _trained(r4=[["extra-short-take-off"]])
    assert (state.notes.deck, state.notes.extra) == (2, ["short-take-off"])


# -- the short deck --------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.4.9")
def test_deck_training_subtracts_weight_with_minimum_two() -> None:
    state = planner("march")
    state.notes.points, state.notes.modifications = 1, ["armor-added"]
    at = table(state, 1, 1)
    run(deck_training.train_take_off(at), {"13.4.9": "train"})
    assert (state.notes.deck, blotter.deck_capacity(state, DATA), state.notes.points) == (2, 6, 0)
    assert "1 + 1 − 1 for the weight is 1." in log_text(at, "13.4.9")


@pytest.mark.rule("doolittle", "13.4.9")
def test_deck_training_without_points_is_not_asked() -> None:
    state, asked = planner("march"), list[Decision]()
    state.notes.points = 0
    run(deck_training.train_take_off(table(state)), None, asked)
    assert asked == []


@pytest.mark.rule("doolittle", "13.4.7", "13.4.8")
def test_training_levels_show_their_light() -> None:
    _, asked = _trained()
    notes = {one.key: one.info.note for decision in asked for one in decision.options if one.info}
    assert notes["navigation-1"].startswith("+1 for searches and approaches by day")
    assert notes["night-flying-1"].startswith("+1 for searches and approaches by night")


@pytest.mark.rule("doolittle", "13.4.9", "DR55")
def test_deck_training_accidents_occur_up_to_space_twelve() -> None:
    state = planner("march")
    state.notes.points = 2
    answers: Answers = {
        "13.4.9": [
            ["train"],
            ["damaged-b01", "damaged-b02", "damaged-b03"],
            ["wrecked-b01"],
            ["adjust"],
            ["damaged-b04"],
            ["wrecked-b02", "wrecked-b03"],
        ]
    }
    run(deck_training.train_take_off(table(state, 6, 3, 5)), answers)
    assert (state.notes.deck, blotter.deck_capacity(state, DATA)) == (12, 18)
    assert {key for key, one in state.squad.items() if one.fate == "ashore"} == {"b01", "b02", "b03"}
    assert state.squad["b04"].hits == 1


@pytest.mark.rule("doolittle", "13.4.9", "13.3.3.E", "DR83")
def test_deck_training_accident_without_armor_wrecks() -> None:
    state = planner("march")
    state.notes.points, state.armour = 1, "removed"
    run(deck_training.train_take_off(table(state, 2, 5)), {"13.4.9": [["train"], ["damaged-b01", "damaged-b02"]]})
    assert [one.where for one in state.squad.values() if one.fate] == ["wrecked", "wrecked"]


@pytest.mark.rule("doolittle", "13.4.9")
def test_deck_training_hits_may_wreck_one_bomber() -> None:
    state = planner("march")
    state.notes.points = 1
    run(deck_training.train_take_off(table(state, 2, 5)), {"13.4.9": [["train"], ["damaged-b07", "damaged-b07"]]})
    assert [key for key, one in state.squad.items() if one.fate] == ["b07"]


@pytest.mark.rule("doolittle", "13.4.9", "13.4.4")
def test_deck_training_climb_moves_marker_one_space() -> None:
    state = planner("march")
    at = table(state)
    run(deck_training.climb(at, 1))
    assert (state.notes.deck, blotter.deck_capacity(state, DATA)) == (2, 6)
    state.notes.deck = 12
    assert deck_training.space_above(at, 1) is None


@pytest.mark.rule("doolittle", "13.4.9")
def test_deck_training_option_shows_expected_result() -> None:
    state, asked = planner("march"), list[Decision]()
    state.notes.points = 1
    run(deck_training.train_take_off(table(state)), {"13.4.9": "leave"}, asked)
    hint = asked[0].options[0].info
    assert hint
    assert hint.note == "on average 13.4 aboard, 2.0 damaged and 0.4 wrecked"


@pytest.mark.rule("doolittle", "13.4.9")
def test_wreck_choice_names_each_bomber_once() -> None:
    asked = list[Decision]()
    run(accidents.wreck_bombers(table(planner("march")), 2, "13.4.9", "training"), None, asked)
    assert {option.limit for option in asked[0].options} == {1}


@pytest.mark.rule("doolittle", "13.4.9")
def test_deck_training_at_top_is_not_adjusted() -> None:
    state, asked = planner("march"), list[Decision]()
    state.notes.points, state.notes.deck = 3, 12
    run(deck_training._adjust(table(state)), None, asked)
    assert asked == []
