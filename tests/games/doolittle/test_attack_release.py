"""Tests of sections 4.7 to 4.9: bombers leave, approach targets, and release bombs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.games.doolittle.raid_helpers import (
    blast,
    bomber,
    flight,
    in_cup,
    log_text,
    marker,
    on_the_way,
    over,
    play_phase,
    rules_asked,
    table,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import LoggedEvent
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.attack import bombing
from readyroom.games.doolittle.state import target_map

MILL = "nippon-electric"


# -- leaving ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.7", "DR22")
def test_leaving_is_optional_and_only_for_unloaded_bombers_on_the_edge() -> None:
    state = over(phase="exit")
    bomber(state, "b01", "tokyo-east", loaded=False)
    bomber(state, "b02", "tokyo-east")
    bomber(state, "b03", "tokyo-bay-north", loaded=False)
    asked = list[Decision]()
    play_phase(table(state), {"4.7": []}, asked)
    assert [(one.keys, one.at_least) for one in asked] == [(["exit-b01"], 0)]
    assert state.squad["b01"].over
    play_phase(table(state), {"4.7": "exit-b01"})
    assert (state.squad["b01"].fate, state.squad["b01"].area) == ("home", "")


@pytest.mark.rule("doolittle", "4.7")
def test_bomber_leaving_returns_to_its_flight_and_leaves_its_hazards() -> None:
    state, first = flight("b01", phase="exit")
    one = state.squad["b01"]
    one.area, one.loaded = "tokyo-east", False
    lights, haze = (
        marker(state, "searchlights", stay=False, box=False, revealed=True),
        marker(state, "haze", revealed=True),
    )
    one.assigned = [lights, haze]
    play_phase(table(state), {"4.7": "exit-b01"})
    assert (one.area, one.fate, one.assigned) == ("", "", [])
    assert state.in_flight(first) == [one]
    assert in_cup(state, lights)
    assert state.city.areas["tokyo-east"].markers == [haze]


# -- approaching -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.8", "2.1.1", "DR13")
def test_loaded_bomber_may_try_one_box_of_its_area_in_any_order() -> None:
    state = over(phase="approach")
    bomber(state, "b01", "tokyo-east")
    bomber(state, "b02", "tokyo-east", loaded=False)
    bomber(state, "b03", "tokyo-north")
    asked = list[Decision]()
    play_phase(table(state, 1, 1, 1, 1), {"4.8": [["b03-tokyo-arsenal"], [f"b01-{MILL}"]]}, asked)
    assert [one.keys for one in asked] == [
        [f"b01-{MILL}", "b01-gas-electric", "b03-tokyo-arsenal", "enough"],
        [f"b01-{MILL}", "b01-gas-electric", "enough"],
    ]


@pytest.mark.rule("doolittle", "4.8")
def test_approach_is_optional() -> None:
    state = over(phase="approach")
    bomber(state, "b01", "tokyo-east")
    play_phase(table(state), {"4.8": "enough"})
    assert state.squad["b01"].box == ""


@pytest.mark.rule("doolittle", "4.8", "4.8.3")
def test_box_missed_by_one_bomber_may_be_tried_by_another() -> None:
    state = over(phase="approach")
    bomber(state, "b01", "tokyo-east")
    bomber(state, "b02", "tokyo-east")
    play_phase(table(state, 1, 1, 6, 6), {"4.8": [[f"b01-{MILL}"], [f"b02-{MILL}"]]})
    assert (state.squad["b01"].box, state.squad["b02"].box) == ("", MILL)


@pytest.mark.rule("doolittle", "4.8.1", "4.8.2", "4.8.3")
@pytest.mark.parametrize(("dice", "box"), [((3, 3), ""), ((3, 4), MILL), ((6, 6), MILL)])
def test_approach_sum_must_reach_the_number_of_the_box(dice: tuple[int, int], box: str) -> None:
    state = over(phase="approach")
    gray = bomber(state, "b03", "tokyo-east")
    at = table(state, *dice)
    play_phase(at, {"4.8": f"b03-{MILL}"})
    assert (gray.box, gray.area) == (box, "tokyo-east")
    assert log_text(at, "4.8.1").startswith(f"Gray {'reaches' if box else 'fails to find'} ")


@pytest.mark.rule("doolittle", "4.8.1")
def test_approach_adds_training_crew_fires_and_hazards() -> None:
    state = over(phase="approach")
    state.ratings = replace(state.ratings, navigation={"day": 2, "night": 3})
    gray = bomber(state, "b03", "tokyo-east", "e20")
    gray.assigned = [marker(state, "haze", revealed=True)]
    box = state.city.areas["tokyo-east"].boxes[MILL]
    box.blast, box.markers = 2, [marker(state, "camouflage", revealed=True), marker(state, "concrete", revealed=True)]
    check = bombing.approach_check(table(state), gray, MILL)
    assert [value for _, value in check.modifiers] == [2, 1, 1, -1, -2]


@pytest.mark.rule("doolittle", "4.8.1")
def test_approach_odds_exclude_unseen_hazards() -> None:
    state = over(phase="approach")
    bomber(state, "b03", "tokyo-east")
    state.city.areas["tokyo-east"].boxes[MILL].markers = [marker(state, "camouflage")]
    asked = list[Decision]()
    at = table(state, 4, 4)
    play_phase(at, {"4.8": f"b03-{MILL}"}, asked)
    assert log_text(at, "4.8.1").startswith(f"At {target_map(at).boxes[MILL].name}: camouflage")
    assert asked[0].options[0].info is not None
    assert asked[0].options[0].info.chance == pytest.approx(21 / 36)
    assert state.squad["b03"].box == "", "it is turned over before the dice are rolled, and counts"


@pytest.mark.rule("doolittle", "4.8.2", "DR100")
def test_box_guns_fire_at_once_at_a_bomber_in_the_box_and_return() -> None:
    state = over(phase="approach")
    gray, flak = bomber(state, "b03", "tokyo-east"), marker(state, "flak", box=True, low=6)
    box = state.city.areas["tokyo-east"].boxes[MILL]
    box.markers = [flak]
    play_phase(table(state, 6, 6, 3, 4), {"4.8": f"b03-{MILL}"})
    assert (gray.hits, gray.box, box.markers) == (1, MILL, [])
    assert in_cup(state, flak)


@pytest.mark.rule("doolittle", "4.8.2")
def test_box_guns_do_not_fire_at_a_bomber_that_misses_it() -> None:
    state = over(phase="approach")
    gray = bomber(state, "b03", "tokyo-east")
    state.city.areas["tokyo-east"].boxes[MILL].markers = [marker(state, "flak", box=True)]
    play_phase(table(state, 1, 1), {"4.8": f"b03-{MILL}"})
    assert gray.hits == 0


@pytest.mark.rule("doolittle", "4.8.2")
def test_box_guns_order_is_asked_of_a_bomber_that_can_avert_one() -> None:
    state = over(phase="approach")
    bomber(state, "b03", "tokyo-east", "e02")
    box = state.city.areas["tokyo-east"].boxes[MILL]
    box.markers = [marker(state, "balloons"), marker(state, "flak", box=True, low=6)]
    asked = list[Decision]()
    answers = {"4.8": f"b03-{MILL}", "4.6.1": "first-2", "2.3.7": "ignore"}
    play_phase(table(state, 6, 6, 3, 3, 2), answers, asked)
    assert rules_asked(asked) == ["4.8", "4.6.1", "2.3.7"]
    assert state.squad["b03"].hits == 1


@pytest.mark.rule("doolittle", "DR100", "4.9")
@pytest.mark.parametrize(("boxes", "left"), [("wait", 1), ("return", 0)])
def test_unseen_box_hazard_waits_or_returns_by_option(boxes: str, left: int) -> None:
    state = over(phase="bombs-away", boxes=boxes)
    bomber(state, "b03", "tokyo-north")
    box = state.city.areas["tokyo-east"].boxes[MILL]
    unseen, seen = marker(state, "flak", box=True), marker(state, "flak", box=True, revealed=True)
    box.markers = [unseen, seen]
    play_phase(table(state))
    assert len(box.markers) == left
    assert in_cup(state, seen)


@pytest.mark.rule("doolittle", "4.8.4")
@pytest.mark.parametrize(("light", "dark", "count"), [("night", True, 3), ("night", False, 2), ("day", True, 2)])
def test_lights_out_by_night_counts_the_two_lowest_of_three_dice(light: str, dark: bool, count: int) -> None:
    state = over(phase="approach", light=light)
    state.city.dark = dark
    gray = bomber(state, "b03", "tokyo-east")
    assert bombing.approach_check(table(state), gray, MILL).dice == count
    play_phase(table(state, 3, 4, 6) if count == 3 else table(state, 4, 6), {"4.8": f"b03-{MILL}"})
    assert gray.box == ("" if count == 3 else MILL)


# -- releasing -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.9", "4.9.1", "DR13")
def test_release_in_an_area_is_optional_automatic_and_first() -> None:
    state = over(phase="bombs-away")
    bomber(state, "b01", "tokyo-east", box=MILL)
    bomber(state, "b02", "tokyo-east")
    bomber(state, "b03", "chiba")
    asked = list[Decision]()
    at = table(state, 6, 6)
    play_phase(at, {"4.9.1": "drop-b03"}, asked)
    assert [(one.keys, one.at_least) for one in asked] == [(["drop-b02", "drop-b03"], 0)]
    assert blast(state) == {"chiba": 1, MILL: 2}
    assert [one.loaded for one in state.squad.values()] == [False, True, False]
    assert [line.rule for line in at.log or []] == ["4.9.1", "4.9.4"]


@pytest.mark.rule("doolittle", "4.9.2")
def test_bomber_in_a_box_must_release_and_returns_to_the_area() -> None:
    state = over(phase="bombs-away")
    gray = bomber(state, "b03", "tokyo-east", box=MILL)
    asked = list[Decision]()
    play_phase(table(state, 1, 1), asked=asked)
    assert asked == []
    assert (gray.loaded, gray.box, gray.area) == (False, "", "tokyo-east")


@pytest.mark.rule("doolittle", "4.9.3", "4.9.4", "4.9.5")
@pytest.mark.parametrize(("dice", "counts"), [((2, 3), {"tokyo-east": 1}), ((3, 3), {MILL: 2}), ((6, 6), {MILL: 2})])
def test_release_sum_must_reach_the_blast_number(dice: tuple[int, int], counts: dict[str, int]) -> None:
    state = over(phase="bombs-away")
    bomber(state, "b03", "tokyo-east", box=MILL)
    play_phase(table(state, *dice))
    assert state.story[-1].what == ("hit" if MILL in counts else "missed")
    assert blast(state) == counts
    assert state.city.tally == 1


@pytest.mark.rule("doolittle", "4.9.4", "4.9.5")
@pytest.mark.parametrize(("dice", "kind"), [((2, 3), "roll"), ((6, 6), "hit")])
def test_bombs_that_miss_are_no_hit(dice: tuple[int, int], kind: str) -> None:
    state, events = over(phase="bombs-away"), list[LoggedEvent]()
    bomber(state, "b03", "tokyo-east", box=MILL)
    at = table(state, *dice)
    at.listener = events.append
    play_phase(at)
    assert [GAME.effect_of(event.line, is_miss=event.is_miss) for event in events] == [(kind, "bombs")]


@pytest.mark.rule("doolittle", "4.9.3", "DR5")
def test_release_adds_training_crew_damage_and_hazards() -> None:
    state = over(phase="bombs-away", light="night")
    gray = bomber(state, "b03", "tokyo-east", "e24", box=MILL, hits=1)
    gray.assigned = [marker(state, "searchlights", detonation=-1, box=False, revealed=True)]
    state.city.areas["tokyo-east"].boxes[MILL].markers = [marker(state, "volatile", detonation=2, revealed=True)]
    check = bombing.detonation_check(table(state), gray, MILL)
    assert list(check.modifiers) == [
        ("bombing", 2),
        ("elite bombardier", 1),
        ("damage", -1),
        ("searchlights", -1),
        ("volatile target", 2),
    ]


@pytest.mark.rule("doolittle", "4.9.3")
def test_severe_damage_counts_like_damage() -> None:
    state = over(phase="bombs-away")
    gray = bomber(state, "b03", "tokyo-east", box=MILL, hits=2)
    assert ("damage", -1) in bombing.detonation_check(table(state), gray, MILL).modifiers


@pytest.mark.rule("doolittle", "4.9.3", "8.3.7.D")
def test_faulty_doors_affect_the_release() -> None:
    state, _ = flight("b01", phase="bombs-away")
    one = state.squad["b01"]
    one.markers = [on_the_way(state, "faulty-doors")]
    assert ("faulty doors", -2) in bombing.detonation_check(table(state), one, MILL).modifiers


@pytest.mark.rule("doolittle", "4.9.1", "4.9.4", "4.9.5", "DR25")
def test_extra_ordnance_counts_three_in_a_box_only() -> None:
    state = over(phase="bombs-away")
    state.ratings = replace(state.ratings, extra_ordnance=True)
    bomber(state, "b01", "tokyo-east", box=MILL)
    bomber(state, "b02", "tokyo-east", box="gas-electric")
    bomber(state, "b03", "chiba")
    play_phase(table(state, 6, 6, 1, 1), {"4.9.1": "drop-b03"})
    assert blast(state) == {MILL: 3, "tokyo-east": 1, "chiba": 1}


@pytest.mark.rule("doolittle", "4.9.4", "4.9.5")
def test_blast_adds_up() -> None:
    state = over(phase="bombs-away")
    bomber(state, "b01", "tokyo-east", box=MILL)
    state.city.areas["tokyo-east"].boxes[MILL].blast = 2
    play_phase(table(state, 6, 6))
    assert blast(state) == {MILL: 4}


@pytest.mark.rule("doolittle", "1.4", "DR111")
def test_each_seat_approaches_and_releases_with_its_own_bombers() -> None:
    state = over(phase="approach", players="2")
    for key in ("b01", "b02"):
        bomber(state, key, "tokyo-east")
    asked = list[Decision]()
    play_phase(table(state), {"4.8": "enough"}, asked)
    state.at = replace(state.at, phase="bombs-away")
    play_phase(table(state), asked=asked)
    assert [(one.seat, one.keys[0]) for one in asked] == [
        ("captain-1", f"b01-{MILL}"),
        ("captain-2", f"b02-{MILL}"),
        ("captain-1", "drop-b01"),
        ("captain-2", "drop-b02"),
    ]
