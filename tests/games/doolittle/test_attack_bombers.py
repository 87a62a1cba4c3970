"""Tests of section 2: bombers, their markers, the effect of a hit, and elite crewmen over a city."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.games.doolittle.helpers import raiders
from tests.games.doolittle.raid_helpers import (
    DATA,
    bomber,
    flight,
    in_cup,
    log_text,
    marker,
    on_the_way,
    over,
    play_phase,
    rules_asked,
    run,
    table,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle import bombers
from readyroom.games.doolittle.attack import bombing, gunnery, hazards, raids
from readyroom.games.doolittle.bombers import has_benefit, use_benefit
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import Doolittle


@pytest.mark.rule("doolittle", "2.0", "2.1")
def test_bomber_destroyed_loses_its_crew_and_returns_its_hazards() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", "e11", hits=1)
    fighter, street = marker(state, "interceptor", revealed=True), marker(state, "panicked-streets")
    gray.markers, gray.assigned = [fighter], [street]
    bombers.destroy(table(state), gray, "2.1", "a test")
    assert (gray.fate, gray.flies, gray.area, gray.markers, gray.assigned) == ("destroyed", False, "", [], [])
    assert in_cup(state, fighter, street)
    assert state.over_target() == []


@pytest.mark.rule("doolittle", "2.1", "2.2")
def test_bomber_ditched_is_gone_and_its_crew_lives() -> None:
    state, _ = flight("b01")
    bombers.ditch(table(state), state.squad["b01"], "2.1", "a test", "Z5")
    assert (state.squad["b01"].fate, state.squad["b01"].where) == ("ditched", "Z5")
    assert not state.squad["b01"].flies


@pytest.mark.rule("doolittle", "2.1.1")
def test_release_is_offered_only_to_a_loaded_bomber_and_once() -> None:
    state = over(phase="bombs-away")
    bomber(state, "b01", "tokyo-east")
    bomber(state, "b02", "tokyo-east", loaded=False)
    asked = list[Decision]()
    play_phase(table(state), {"4.9.1": "drop-b01"}, asked)
    assert [one.keys for one in asked] == [["drop-b01"]]
    assert not state.squad["b01"].loaded
    play_phase(table(state), asked=asked)
    assert len(asked) == 1
    assert state.city.tally == 1


@pytest.mark.rule("doolittle", "2.1.2")
def test_bomber_may_have_any_number_of_attached_hazards() -> None:
    state = over(phase="airspeed")
    gray = bomber(state, "b03", "tokyo-east")
    gray.markers = [marker(state, "interceptor", revealed=True) for _ in range(3)]
    play_phase(table(state), {"4.1": "to-chiba"})
    assert (gray.area, len(gray.markers)) == ("chiba", 3)


@pytest.mark.rule("doolittle", "2.1.3", "13.3.3.E")
@pytest.mark.parametrize(("armour", "lives"), [("normal", 2), ("added", 3), ("removed", 1)])
def test_hits_that_destroy_a_bomber_depend_on_its_armor(armour: str, lives: int) -> None:
    state = over()
    state.armour = armour  # type: ignore[assignment]
    gray = bomber(state, "b03", "tokyo-east")
    for hit in range(1, lives + 1):
        assert gray.flies
        run(bombers.hit_bomber(table(state), gray, "2.1.3", "a test"))
        assert gray.flies == (hit < lives)


@pytest.mark.rule("doolittle", "2.3", "2.3.7")
def test_pilot_used_up_is_still_elite() -> None:
    state = over(phase="turn-end", turn=9)
    gray = bomber(state, "b03", "tokyo-east", "e01")
    assert gray.elite is not None
    gray.elite.used = True
    assert ("elite pilot", 1) in bombing.escape_check(table(state), gray).modifiers


@pytest.mark.rule("doolittle", "2.3")
def test_use_benefit_uses_up_only_benefits_used_once() -> None:
    state = over()
    for key, elite, once in (("b01", "e01", True), ("b02", "e22", False), ("b03", "e20", False)):
        one = bomber(state, key, "tokyo-east", elite)
        use_benefit(table(state), one)
        assert one.elite is not None
        assert one.elite.used == once


@pytest.mark.rule("doolittle", "2.3.1", "DR26")
def test_bombardier_adds_one_in_a_target_box_only() -> None:
    state = over(phase="bombs-away")
    gray = bomber(state, "b03", "tokyo-east", "e24", box="nippon-electric")
    assert ("elite bombardier", 1) in bombing.detonation_check(table(state), gray, "nippon-electric").modifiers
    gray.box = ""
    play_phase(table(state), {"4.9.1": "drop-b03"})
    assert state.city.areas["tokyo-east"].blast == DATA.attack.detonation.area_blast


def _hunted(phase: str, *fighters: str) -> Doolittle:
    state = over(phase=phase)
    gray = bomber(state, "b03", "tokyo-east", "e16")
    gray.assigned = [marker(state, kind) for kind in fighters]
    return state


@pytest.mark.rule("doolittle", "2.3.5")
def test_gunner_drives_off_one_interceptor_without_a_roll_and_once() -> None:
    state = _hunted("gunnery", "interceptor")
    [fighter] = state.squad["b03"].assigned
    play_phase(table(state), {"4.5": "gunner-1"})
    assert in_cup(state, fighter)
    state.squad["b03"].assigned = [marker(state, "interceptor")]
    asked = list[Decision]()
    play_phase(table(state), {"4.5": "hold"}, asked)
    assert [one.keys for one in asked] == [["fire-1", "hold"]]


@pytest.mark.rule("doolittle", "2.3.5", "4.5")
def test_guns_may_fire_at_a_second_interceptor_after_the_gunner() -> None:
    state = _hunted("gunnery", "interceptor", "interceptor")
    play_phase(table(state, 6, 1, 1, 1), {"4.5": [["gunner-1"], ["fire-1"]]})
    assert state.squad["b03"].assigned == []


@pytest.mark.rule("doolittle", "2.3.5", "4.6.3.H")
def test_gunner_may_wait_until_the_fighter_closes() -> None:
    state = _hunted("resolve", "break-off", "interceptor")
    asked = list[Decision]()
    play_phase(table(state), {"2.3.5": "fire"}, asked)
    assert rules_asked(asked) == ["2.3.5"]
    assert state.squad["b03"].assigned == []
    assert state.squad["b03"].hits == 0


@pytest.mark.rule("doolittle", "2.3.5", "4.7")
def test_gunner_may_remove_an_attached_fighter_so_the_bomber_can_leave() -> None:
    state = over(phase="exit")
    gray = bomber(state, "b03", "tokyo-east", "e16", loaded=False)
    gray.markers = [marker(state, "interceptor", revealed=True)]
    play_phase(table(state), {"2.3.5": "fire", "4.7": "exit-b03"})
    assert gray.fate == "home"


@pytest.mark.rule("doolittle", "2.3.6", "2.3.7", "4.8.1", "DR6")
@pytest.mark.parametrize("elite", ["e20", "e06"])
@pytest.mark.parametrize("light", ["day", "night"])
def test_navigator_and_some_pilots_add_one_to_an_approach_at_any_hour(elite: str, light: str) -> None:
    state = over(light=light)
    gray = bomber(state, "b03", "tokyo-east", elite)
    check = bombing.approach_check(table(state), gray, "nippon-electric")
    assert list(check.modifiers) == [("navigation", 1), ("elite navigator", 1)]


@pytest.mark.rule("doolittle", "2.3.7", "DR15")
def test_pilot_ignores_one_hit_even_a_destroying_one() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", "e02", hits=1)
    asked = list[Decision]()
    run(bombers.hit_bomber(table(state), gray, "4.6.3.F", "flak"), {"2.3.7": "ignore"}, asked)
    assert (gray.flies, gray.hits) == (True, 1)
    assert "It would be destroyed" in asked[0].question
    run(bombers.hit_bomber(table(state), gray, "4.6.3.F", "flak"))
    assert not gray.flies


@pytest.mark.rule("doolittle", "DR15", "4.6.3.D")
def test_crash_on_an_odd_die_cannot_be_ignored() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", "e02")
    gray.assigned = [marker(state, "crash")]
    asked = list[Decision]()
    play_phase(table(state, 3), asked=asked)
    assert (gray.fate, asked) == ("destroyed", [])


@pytest.mark.rule("doolittle", "2.3.7")
def test_pilot_rerolls_some_dice_for_his_bomber_once() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", "e01")
    gray.assigned = [marker(state, "flak", low=5, high=6, stay=False), marker(state, "flak", low=5, high=6, stay=False)]
    asked = list[Decision]()
    play_phase(table(state, 2, 3, 6, 1, 4), {"2.3.7": "again-1"}, asked)
    assert rules_asked(asked) == ["2.3.7"]
    assert asked[0].keys == ["keep", "again-1", "again-2", "again-1-2"]
    hint = asked[0].options[1].info
    assert hint is not None
    assert hint.chance == pytest.approx(4 / 6)
    assert gray.hits == 1


@pytest.mark.rule("doolittle", "2.3.7")
def test_pilot_does_not_reroll_for_others() -> None:
    state = over()
    bomber(state, "b01", "tokyo-east", "e01")
    bomber(state, "b02", "tokyo-east").assigned = [marker(state, "flak", low=5, high=6)]
    asked = list[Decision]()
    play_phase(table(state, 2, 3), asked=asked)
    assert asked == []
    assert state.squad["b02"].hits == 1


@pytest.mark.rule("doolittle", "2.3.7", "4.6.3.H")
def test_pilot_may_reroll_a_fighter_that_would_attach() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", "e01")
    gray.assigned = [marker(state, "interceptor", low=4, high=5)]
    play_phase(table(state, 1, 1, 6), {"2.3.7": "again-2"})
    assert (gray.markers, gray.hits) == ([], 0)


@pytest.mark.rule("doolittle", "2.3.7", "4.0.1")
def test_pilot_may_reroll_at_the_end_of_an_attack() -> None:
    state = over(phase="turn-end", turn=9)
    gray = bomber(state, "b03", "tokyo-east", "e01", loaded=False)
    play_phase(table(state, 1, 3), {"2.3.7": "again-1"})
    assert (gray.fate, gray.hits) == ("home", 0)


@pytest.mark.rule("doolittle", "4.0.1", "4.0.2", "7.2.4")
def test_attack_ends_if_fuel_runs_out_in_the_last_turn_and_no_one_is_left() -> None:
    state, first = flight("b01", phase="turn-end")
    state.attack.turn, first.fuel = DATA.attack.turns.last, 0
    state.squad["b01"].area = "tokyo-east"
    play_phase(table(state, 1, 1))
    assert (state.squad["b01"].fate, state.raid) == ("captured", None)


@pytest.mark.rule("doolittle", "4.0.2", "DR20")
def test_attack_does_not_wait_for_a_lost_bomber() -> None:
    state, _ = flight("b01")
    state.squad["b01"].enters = 4
    assert not raids.attack_is_over(table(state))
    state.squad["b01"].fate = "ditched"
    assert raids.attack_is_over(table(state))


@pytest.mark.rule("doolittle", "4.1", "4.6.1")
def test_hazards_met_over_a_city_are_cleared_every_turn() -> None:
    state = over(phase="airspeed")
    state.attack.met.append("flak 5-6")
    play_phase(table(state))
    assert state.attack.met == []


@pytest.mark.rule("doolittle", "4.9.3", "13.5.2")
def test_turret_failed_in_transit_does_not_affect_a_release() -> None:
    state = over(phase="bombs-away")
    gray = bomber(state, "b03", "tokyo-east", box="nippon-electric")
    gray.markers = [next(Marker(key=key) for key, one in DATA.embarkation.cup.markers.items() if one.kind == "turret")]
    check = bombing.detonation_check(table(state), gray, "nippon-electric")
    assert [name for name, _ in check.modifiers] == ["bombing"]


@pytest.mark.rule("doolittle", "2.3.5", "4.6.3.H")
def test_gunner_removes_an_attached_fighter_before_it_attacks_again() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", "e16")
    gray.markers = [fighter := marker(state, "interceptor", revealed=True)]
    play_phase(table(state), {"2.3.5": "fire"})
    assert (gray.markers, gray.hits, in_cup(state, fighter)) == ([], 0, True)


@pytest.mark.rule("doolittle", "4.0.1")
def test_fighter_attached_at_the_end_is_left_by_a_bomber_that_escapes() -> None:
    state = over(phase="turn-end", turn=9)
    gray = bomber(state, "b03", "tokyo-east", loaded=False)
    gray.markers = [fighter := marker(state, "interceptor", revealed=True)]
    play_phase(table(state, 6, 6))
    assert (gray.fate, gray.markers, in_cup(state, fighter)) == ("home", [], True)


@pytest.mark.rule("doolittle", "1.9")
def test_story_in_the_air_has_the_hour_wherever_ships_are() -> None:
    state = raiders("carrier")
    assert state.voyage is not None
    state.segment = "flight"
    state.add_to_story("damaged", "b01")
    assert state.story[-1].when == str(state.sky.hour)


@pytest.mark.rule("doolittle", "1.9")
def test_story_in_the_denouement_has_no_hour() -> None:
    state = raiders("early")
    for segment, when in (("flight", str(state.sky.hour)), ("denouement", "")):
        state.segment = segment  # type: ignore[assignment]
        state.add_to_story("damaged", "b01")
        assert state.story[-1].when == when


@pytest.mark.rule("doolittle", "4.6.1", "2.3.7")
def test_hazard_order_is_asked_of_a_bomber_that_can_avert_one() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", "e02")
    gray.assigned = [marker(state, "panicked-streets"), marker(state, "flak", low=5, high=6, stay=True, revealed=True)]
    asked = list[Decision]()
    at = table(state, 2, 4)
    play_phase(at, {"4.6.1": "first-2", "2.3.7": "ignore"}, asked)
    assert rules_asked(asked) == ["4.6.1", "2.3.7"]
    assert log_text(at).index("Flak") < log_text(at).index("panicked")


@pytest.mark.rule("doolittle", "4.5.1", "8.3.7.J")
def test_jammed_guns_have_fewer_dice() -> None:
    state, _ = flight("b01")
    first = state.squad["b01"]
    first.markers = [on_the_way(state, "jammed-guns")]
    assert gunnery.gunnery_check(table(state), first).dice == state.ratings.gunnery - 1


@pytest.mark.rule("doolittle", "13.4.6", "4.4.1")
def test_elite_pilot_may_evade_one_more_with_squadron_training() -> None:
    state = over(phase="evade")
    first = bomber(state, "b01", "tokyo-east", "e01")
    first.assigned = [marker(state, "flak") for _ in range(3)]
    asked = list[Decision]()
    play_phase(table(state), {"4.4.1": lambda one: one.keys[: one.at_most]}, asked)
    assert (len(asked), len(first.assigned)) == (1, 2)
    state.ratings = replace(state.ratings, elite_evasion=1)
    play_phase(table(state), {"4.4.1": lambda one: one.keys[: one.at_most]}, asked)
    assert (len(asked), len(first.assigned)) == (3, 0)
    assert hazards.evasion_limit(table(state)) == 1


@pytest.mark.rule("doolittle", "2.3.6")
def test_navigator_benefit_is_never_used_up() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", "e20")
    for _ in range(2):
        use_benefit(table(state), gray)
        assert has_benefit(DATA, gray.elite, "navigation")


@pytest.mark.rule("doolittle", "2.3.3")
def test_doctor_helps_always_and_only_in_searches() -> None:
    figures = DATA.bombers.benefits["medic"]
    assert (figures.moments, figures.once) == (["capture"], False)
