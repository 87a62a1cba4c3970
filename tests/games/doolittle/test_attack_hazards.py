"""Tests of sections 4.2 to 4.6: hazards are drawn, assigned, evaded, shot at, and take effect."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
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
from readyroom.games.doolittle.attack import bombing, gunnery, hazards
from readyroom.games.doolittle.bombers import hit_bomber
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.view import resample


def _emptied(state: Doolittle, *kept: str) -> Doolittle:
    """Return the state with only these markers in the cups."""
    for cup in state.cups.values():
        cup.contents[:] = [one for one in cup.contents if one.key in kept]
    return state


# -- drawing ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.2")
def test_hazards_are_drawn_unseen_only_where_bombers_are() -> None:
    state = over(phase="place", alert=1)
    bomber(state, "b01", "tokyo-west")
    at = table(state, draws=["tokyo-day-01"])
    play_phase(at)
    assert log_text(at, "4.2") == "Tokyo West: 1 hazard drawn."
    result = {key: area.markers for key, area in state.city.areas.items() if area.markers}
    assert list(result) == ["tokyo-west"]
    assert [one.shown for one in result["tokyo-west"]] == [False]


@pytest.mark.rule("doolittle", "4.2.1")
@pytest.mark.parametrize(
    ("city", "light", "cup"),
    [("tokyo", "day", "tokyo-day"), ("tokyo", "night", "tokyo-night"), ("nagoya", "night", "nagoya-night")],
)
def test_each_side_of_each_map_has_its_own_cup(city: str, light: str, cup: str) -> None:
    state = over(city, "place", light=light, alert=2)
    area = next(iter(state.city.areas))
    bomber(state, "b01", area)
    play_phase(table(state, draws=[f"{cup}-01", f"{cup}-02"]))
    assert {one.cup for one in state.city.areas[area].markers} == {cup}


@pytest.mark.rule("doolittle", "4.2.2", "3.4", "DR7")
@pytest.mark.parametrize(
    ("bombers", "alert", "tally", "count"),
    [(1, 0, 0, 0), (1, 0, 2, 1), (1, 1, 1, 1), (2, 1, 2, 3), (1, 1, 3, 3), (1, 0, 7, 4), (1, 0, 9, 4), (3, 3, 0, 4)],
)
def test_hazards_count_bombers_alert_and_tally_up_to_the_limit(
    bombers: int, alert: int, tally: int, count: int
) -> None:
    state = over(phase="place", alert=alert)
    state.city.tally = tally
    for number in range(bombers):
        bomber(state, f"b0{number + 1}", "tokyo-east")
    assert hazards.draw_count(table(state), "tokyo-east") == count


@pytest.mark.rule("doolittle", "4.2.2")
def test_hazards_below_zero_draw_nothing() -> None:
    state = over(phase="place")
    bomber(state, "b01", "tokyo-east")
    play_phase(table(state))
    assert state.city.areas["tokyo-east"].markers == []


@pytest.mark.rule("doolittle", "4.2.2", "DR4")
def test_empty_cup_is_followed_by_the_response_cup() -> None:
    state = over(phase="place", alert=2)
    _emptied(state, "tokyo-day-01", "response-01")
    bomber(state, "b01", "tokyo-east")
    at = table(state, draws=["tokyo-day-01", "response-01"])
    play_phase(at)
    assert [one.key for one in state.city.areas["tokyo-east"].markers] == ["tokyo-day-01", "response-01"]
    state.put_back(*state.city.areas["tokyo-east"].markers)
    assert [one.key for one in state.cups["response"].contents] == ["response-01"]


@pytest.mark.rule("doolittle", "4.2.2")
def test_both_cups_empty_stop_the_draw() -> None:
    state = _emptied(over(phase="place", alert=3), "tokyo-day-01")
    bomber(state, "b01", "tokyo-east")
    play_phase(table(state, draws=["tokyo-day-01"]))
    assert len(state.city.areas["tokyo-east"].markers) == 1


@pytest.mark.rule("doolittle", "4.2.3", "DR3")
@pytest.mark.parametrize(("limit", "count"), [("new", 2), ("all", 1)])
def test_limit_covers_new_hazards_or_all_by_option(limit: str, count: int) -> None:
    state = over(phase="place", alert=4, limit=limit)
    bomber(state, "b01", "tokyo-west")
    state.city.areas["tokyo-west"].markers = [marker(state, "haze", revealed=True)]
    assert DATA.targets.maps["tokyo"].areas["tokyo-west"].hazards_max == 2
    assert hazards.draw_count(table(state), "tokyo-west") == count


# -- sharing out -----------------------------------------------------------------------------------------------------


def _shared(state: Doolittle, *markers: Marker, answer: object = None) -> list[Decision]:
    asked = list[Decision]()
    state.city.areas["tokyo-east"].markers = list(markers)
    play_phase(table(state), {"4.3": answer, "4.3.1": "box-gas-electric"} if answer else None, asked)  # type: ignore[dict-item]
    return asked


@pytest.mark.rule("doolittle", "4.3")
def test_assignment_differs_by_at_most_one() -> None:
    state = over(phase="assign")
    for key in ("b01", "b02", "b03"):
        bomber(state, key, "tokyo-east")
    flaks = [marker(state, "flak", box=False) for _ in range(5)]
    _shared(state, *flaks, answer=lambda one: one.keys[-1:])
    assert sorted(len(one.assigned) for one in state.squad.values()) == [1, 2, 2]
    assert state.city.areas["tokyo-east"].markers == []


@pytest.mark.rule("doolittle", "4.3")
def test_assignment_may_be_any_even_one_in_any_order() -> None:
    state = over(phase="assign")
    first, second = bomber(state, "b01", "tokyo-east"), bomber(state, "b02", "tokyo-east")
    markers = [marker(state, "flak", box=False) for _ in range(3)]
    _shared(state, *markers, answer=[["on-b01"], ["on-b01"]])
    assert (first.assigned, second.assigned) == (markers[:2], markers[2:])


@pytest.mark.rule("doolittle", "4.3")
def test_attached_interceptor_counts_as_assigned() -> None:
    state = over(phase="assign")
    hunted, free = bomber(state, "b01", "tokyo-east"), bomber(state, "b02", "tokyo-east")
    hunted.markers = [marker(state, "interceptor", revealed=True)]
    flak = marker(state, "flak", box=False)
    assert _shared(state, flak) == []
    assert (hunted.assigned, free.assigned) == ([], [flak])


@pytest.mark.rule("doolittle", "4.3")
def test_hazard_that_stayed_is_assigned_again() -> None:
    state = over(phase="assign")
    gray, haze = bomber(state, "b03", "tokyo-east"), marker(state, "haze", revealed=True)
    _shared(state, haze)
    assert gray.assigned == [haze]


@pytest.mark.rule("doolittle", "4.3")
def test_assignment_to_a_lone_bomber_is_not_logged() -> None:
    state = over(phase="assign")
    bomber(state, "b03", "tokyo-east")
    state.city.areas["tokyo-east"].markers = [marker(state, "haze", revealed=True)]
    at = table(state)
    play_phase(at)
    assert log_text(at) == ""


@pytest.mark.rule("doolittle", "4.3", "4.4.1", "DR9")
def test_hazard_backs_are_hidden() -> None:
    state = over(phase="assign")
    bomber(state, "b01", "tokyo-east")
    bomber(state, "b02", "tokyo-east")
    crash, fighter, known = marker(state, "crash"), marker(state, "interceptor"), marker(state, "haze", revealed=True)
    asked = _shared(state, crash, fighter, known)
    questions = [one.question for one in asked]
    assert questions == ["Which bomber gets haze, approach −1?", "Which bomber gets a face-down hazard?"]
    state.at = replace(state.at, phase="evade")
    asked.clear()
    play_phase(table(state), asked=asked)
    text = " ".join(option.text for option in asked[0].options)
    assert "crash" not in text.lower()
    assert "a possible interceptor" in text


@pytest.mark.rule("doolittle", "4.3.1", "DR11")
def test_red_box_hazard_goes_to_a_target_box_evenly_and_to_no_bomber() -> None:
    state = over(phase="assign")
    gray = bomber(state, "b03", "tokyo-east")
    boxed = [marker(state, kind, box=True) for kind in ("camouflage", "concrete", "volatile")]
    asked = list[Decision]()
    state.city.areas["tokyo-east"].markers = list(boxed)
    play_phase(table(state), {"4.3.1": [["box-gas-electric"], ["box-nippon-electric"]]}, asked)
    assert rules_asked(asked) == ["4.3.1", "4.3.1"]
    assert gray.assigned == []
    boxes = state.city.areas["tokyo-east"].boxes
    assert sorted(len(box.markers) for box in boxes.values()) == [1, 2]


@pytest.mark.rule("doolittle", "4.3.1", "DR10")
def test_red_box_hazard_without_a_box_returns_and_is_not_replaced() -> None:
    state = over(phase="assign")
    gray, boxed = bomber(state, "b03", "chiba"), marker(state, "balloons", box=True)
    state.city.areas["chiba"].markers = [boxed]
    play_phase(table(state))
    assert in_cup(state, boxed)
    assert (gray.assigned, state.city.areas["chiba"].markers) == ([], [])


# -- evading and gunnery ---------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.4", "4.4.1", "DR8")
def test_evading_drops_one_hazard_in_each_area_and_leaves_it_there() -> None:
    state = over(phase="evade")
    for key, area in (("b01", "tokyo-east"), ("b02", "tokyo-east"), ("b03", "chiba")):
        bomber(state, key, area).assigned = [marker(state, "flak", box=False)]
    asked = list[Decision]()
    play_phase(table(state), {"4.4.1": lambda one: one.keys[: one.at_most]}, asked)
    assert [(one.piece_key, len(one.keys), one.at_most) for one in asked] == [("tokyo-east", 2, 1), ("chiba", 1, 1)]
    assert [len(one.assigned) for one in state.squad.values()] == [0, 1, 0]
    assert len(state.city.areas["tokyo-east"].markers) == 1


@pytest.mark.rule("doolittle", "4.4.1", "4.6.3")
def test_evading_shows_the_odds_of_each_hazard() -> None:
    state = over(phase="evade")
    gray, jones = bomber(state, "b03", "tokyo-east"), bomber(state, "b05", "tokyo-east")
    kinds = ("crash", "haze", "flak")
    gray.assigned = [marker(state, kind, revealed=True) for kind in kinds]
    jones.assigned, jones.hits = [marker(state, "crash", revealed=True), marker(state, "flak", box=False)], 1
    asked = list[Decision]()
    play_phase(table(state), {"4.4.1": []}, asked)
    infos = [option.info for option in asked[0].options]
    assert all(infos)
    chimney, haze, flak, second, hidden = [(one.note, one.chance) for one in infos if one]
    assert chimney == ("if not evaded, damages the bomber; destroys it", 0.5)
    assert haze == ("does not hit the bomber", None)
    card = DATA.hazards.markers[gray.assigned[2].key]
    hits = sum(card.low <= one + two <= card.high for one in range(1, 7) for two in range(1, 7))
    assert flak == ("if not evaded, damages the bomber", hits / 36)
    assert second == ("if not evaded, destroys the bomber", 1.0)
    assert hidden[0] == "if not evaded, destroys the bomber"
    assert 0 < (hidden[1] or 0) < 1
    for at in range(3):
        again = list[Decision]()
        play_phase(table(resample(state, DATA, "captain", Random(at))), {"4.4.1": []}, again)
        assert again[0].options[-1].info == infos[-1], "it shows nothing of its back"


@pytest.mark.rule("doolittle", "4.4")
def test_evading_is_optional() -> None:
    state = over(phase="evade")
    gray = bomber(state, "b03", "tokyo-east")
    gray.assigned = [marker(state, "panicked-streets")]
    play_phase(table(state), {"4.4.1": []})
    assert len(gray.assigned) == 1


@pytest.mark.rule("doolittle", "4.4")
def test_high_bombers_do_not_evade() -> None:
    state = over(phase="evade")
    assert state.raid is not None
    state.raid.high = True
    bomber(state, "b01", "tokyo-east").assigned = [marker(state, "flak")]
    asked = list[Decision]()
    play_phase(table(state), asked=asked)
    assert asked == []


@pytest.mark.rule("doolittle", "4.4.1", "DR8")
def test_interceptor_evaded_does_nothing_and_returns() -> None:
    state = over(phase="evade")
    gray = bomber(state, "b03", "tokyo-east")
    fighter = marker(state, "interceptor", revealed=True)
    gray.markers = [fighter]
    play_phase(table(state), {"4.4.1": "evade-1"})
    assert gray.markers == []
    state.at = replace(state.at, phase="resolve")
    play_phase(table(state))
    assert in_cup(state, fighter)
    assert gray.hits == 0


@pytest.mark.rule("doolittle", "4.4.1", "4.6.1")
def test_evaded_hazard_returns_to_its_cup_if_its_bomber_is_lost() -> None:
    state = over(phase="resolve")
    gray = bomber(state, "b03", "tokyo-east", hits=1)
    gray.assigned = [marker(state, "flak", low=5, high=6)]
    fighter = marker(state, "interceptor", revealed=True)
    state.city.areas["tokyo-east"].markers = [fighter]
    play_phase(table(state, 2, 4))
    assert not gray.flies
    assert in_cup(state, fighter)


@pytest.mark.rule("doolittle", "4.4.1", "13.4.8")
def test_night_training_lets_an_area_evade_one_more() -> None:
    for light, count in (("day", 1), ("night", 2)):
        state = over(phase="evade", light=light)
        state.ratings = replace(state.ratings, night_evasion=1)
        assert hazards.evasion_limit(table(state)) == count


@pytest.mark.rule("doolittle", "4.5")
def test_bomber_fires_at_one_interceptor_by_its_front() -> None:
    state = over(phase="gunnery")
    gray, hoover = bomber(state, "b03", "tokyo-east"), bomber(state, "b02", "tokyo-east")
    gray.assigned = [marker(state, "interceptor"), marker(state, "break-off"), marker(state, "flak")]
    hoover.assigned = [marker(state, "flak")]
    asked = list[Decision]()
    play_phase(table(state, 1, 1, 1, 1), {"4.5": "fire-2"}, asked)
    assert [(one.piece_key, one.keys) for one in asked] == [("b03", ["fire-1", "fire-2", "hold"])]
    assert asked[0].options[0].text == asked[0].options[1].text


@pytest.mark.rule("doolittle", "4.5.1")
@pytest.mark.parametrize(("dice", "left"), [((1, 2, 3, 5), 1), ((5, 5, 5, 6), 0)])
def test_four_dice_with_one_six_drive_a_fighter_off(dice: tuple[int, ...], left: int) -> None:
    state = over(phase="gunnery")
    gray = bomber(state, "b03", "tokyo-east")
    gray.markers = [marker(state, "interceptor", revealed=True)]
    at = table(state, *dice)
    play_phase(at)
    assert len(gray.markers) == left
    text = "misses" if left else "drives off"
    assert log_text(at, "4.5.1").startswith(f"Gray {text} the interceptor.")


@pytest.mark.rule("doolittle", "4.5.1")
def test_gunnery_may_be_better_in_the_campaign() -> None:
    state = over(phase="gunnery")
    state.ratings = replace(state.ratings, gunnery=6)
    assert gunnery.gunnery_check(table(state), bomber(state, "b01", "chiba")).dice == 6


@pytest.mark.rule("doolittle", "4.5.1", "13.5.2")
@pytest.mark.parametrize(("title", "dice"), [("Cracked turret", 2), ("Jammed turret", 3)])
def test_turret_failed_in_transit_removes_dice_of_its_guns(title: str, dice: int) -> None:
    state = over(phase="gunnery")
    gray = bomber(state, "b03", "chiba")
    gray.markers = [next(Marker(key=key) for key, card in DATA.embarkation.cup.markers.items() if card.title == title)]
    assert gunnery.gunnery_check(table(state), gray).dice == dice


@pytest.mark.rule("doolittle", "4.5.1")
def test_bomber_without_firing_guns_is_not_asked_for_a_target() -> None:
    state = over(phase="gunnery")
    state.ratings = replace(state.ratings, gunnery=0)
    bomber(state, "b03", "tokyo-east").markers = [marker(state, "interceptor", revealed=True)]
    asked = list[Decision]()
    at = table(state)
    play_phase(at, asked=asked)
    assert (asked, log_text(at, "4.5")) == ([], "")


# -- resolving -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.6", "4.6.1")
def test_hazard_after_its_effect_returns_unless_it_stays() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east")
    flak, battery = marker(state, "flak", low=5, high=6, stay=False), marker(state, "flak", low=5, high=6, stay=True)
    gray.assigned = [flak, battery]
    play_phase(table(state, 1, 1, 1, 1))
    assert in_cup(state, flak)
    state.at = replace(state.at, phase="bombs-away")
    play_phase(table(state))
    assert state.city.areas["tokyo-east"].markers == [battery]
    assert battery.shown


@pytest.mark.rule("doolittle", "4.6.1", "4.6.3.L")
@pytest.mark.parametrize(("adds", "lies"), [({"approach": -2}, True), ({"detonation": -1}, True), ({}, False)])
def test_hazard_adding_to_a_later_check_does_not_return_before_it(adds: dict[str, int], lies: bool) -> None:
    state = over("tokyo", light="night")
    gray, light = bomber(state, "b03", "tokyo-east"), marker(state, "searchlights", stay=False)
    gray.assigned = [light]
    card = replace(DATA.hazards.markers[light.key], **({"approach": 0, "detonation": 0} | adds))
    gunnery._put_down(table(state), gray, light, card)
    assert (gray.assigned == [light], in_cup(state, light)) == (lies, not lies)


@pytest.mark.rule("doolittle", "4.6.1")
def test_evaded_hazard_is_revealed_and_remains_only_if_it_stays() -> None:
    state = over()
    bomber(state, "b03", "tokyo-east")
    flak, haze = marker(state, "flak", stay=False), marker(state, "haze")
    state.city.areas["tokyo-east"].markers = [flak, haze]
    play_phase(table(state))
    assert in_cup(state, flak)
    assert state.city.areas["tokyo-east"].markers == [haze]
    assert haze.shown


@pytest.mark.rule("doolittle", "4.6.1", "4.8.1", "DR100")
def test_box_hazards_are_hidden_until_a_bomber_approaches() -> None:
    state = over()
    bomber(state, "b03", "tokyo-east")
    box = state.city.areas["tokyo-east"].boxes["nippon-electric"]
    box.markers = [marker(state, "concrete")]
    play_phase(table(state))
    assert not box.markers[0].shown
    state.at = replace(state.at, phase="approach")
    play_phase(table(state, 1, 1), {"4.8": "b03-nippon-electric"})
    assert box.markers[0].shown


@pytest.mark.rule("doolittle", "4.6.2")
def test_other_hazards_return_unseen_if_the_bomber_is_destroyed() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east", hits=1)
    street, haze = marker(state, "panicked-streets"), marker(state, "haze")
    gray.assigned = [marker(state, "flak", low=5, high=6), street, haze]
    at = table(state, 2, 4)
    play_phase(at)
    assert in_cup(state, street, haze)
    assert "haze" not in log_text(at).lower()


@pytest.mark.rule("doolittle", "4.6.2")
def test_known_hazard_that_stays_remains_if_the_bomber_is_destroyed() -> None:
    state = over()
    gray, haze = bomber(state, "b03", "tokyo-east", hits=1), marker(state, "haze", revealed=True)
    gray.assigned = [marker(state, "flak", low=5, high=6), haze]
    play_phase(table(state, 2, 4))
    assert gray.where == "tokyo-east"
    assert state.city.areas["tokyo-east"].markers == [haze]


@pytest.mark.rule("doolittle", "4.6.2", "4.8.2")
def test_balloons_that_destroy_a_bomber_are_its_last_hazard() -> None:
    state = over(phase="approach")
    gray = bomber(state, "b03", "tokyo-east")
    box = state.city.areas["tokyo-east"].boxes["nippon-electric"]
    box.markers = [marker(state, "balloons", revealed=True), second := marker(state, "balloons", revealed=True)]
    play_phase(table(state, 6, 6, 3), {"4.8": "b03-nippon-electric"})
    assert (gray.flies, box.markers) == (False, [second])


@pytest.mark.rule("doolittle", "4.6.2", "2.1")
def test_attached_hazard_without_a_cup_leaves_the_game_with_its_bomber() -> None:
    state = over()
    gray, leak = bomber(state, "b03", "tokyo-east", hits=1), on_the_way(state, "fuel-leak")
    gray.markers, gray.assigned = [leak], [marker(state, "flak", low=5, high=6)]
    at = table(state, 2, 4)
    play_phase(at)
    assert (gray.flies, state.out) == (False, [leak])
    assert "Gray is destroyed by flak with its whole crew." in log_text(at, "4.6.3.F")
    run(hit_bomber(at, gray, "4.6.3.F", "flak"))
    assert gray.hits == 1
    assert [one.what for one in state.story].count("destroyed") == 1


@pytest.mark.rule("doolittle", "4.6.1")
def test_order_is_asked_only_if_one_of_several_fronts_can_be_averted() -> None:
    for elite, number in (("", 2), ("e16", 1)):
        state = over()
        gray = bomber(state, "b03", "tokyo-east", elite)
        gray.assigned = [marker(state, kind) for kind in ("panicked-streets", "interceptor")[:number]]
        asked = list[Decision]()
        at = table(state, 6, 6)
        play_phase(at, asked=asked)
        assert "4.6.1" not in rules_asked(asked)
        assert log_text(at, "4.6.1") == ""


@pytest.mark.rule("doolittle", "4.6.3")
def test_bomber_may_be_hit_by_several_hazards() -> None:
    state = over()
    gray = bomber(state, "b03", "tokyo-east")
    gray.assigned = [marker(state, "flak", low=5, high=6), marker(state, "flak", low=6, high=8)]
    play_phase(table(state, 2, 4, 3, 4))
    assert not gray.flies


@pytest.mark.rule("doolittle", "4.6.3.A", "4.8.2", "DR14")
@pytest.mark.parametrize(
    ("die", "hits", "flies", "after"), [(2, 0, True, 1), (3, 0, False, 0), (2, 1, False, 1), (6, 0, True, 1)]
)
def test_balloons_damage_on_an_even_die_and_destroy_on_an_odd_one(die: int, hits: int, flies: bool, after: int) -> None:
    state = over(phase="approach")
    gray = bomber(state, "b03", "tokyo-east", hits=hits)
    state.city.areas["tokyo-east"].boxes["nippon-electric"].markers = [marker(state, "balloons")]
    play_phase(table(state, 6, 6, die), {"4.8": "b03-nippon-electric"})
    assert (gray.flies, gray.hits) == (flies, after)


@pytest.mark.rule("doolittle", "4.6.3.A")
def test_balloons_do_nothing_to_high_bombers() -> None:
    state = over(phase="approach")
    assert state.raid is not None
    state.raid.high, state.ratings = True, replace(state.ratings, norden=True)
    gray = bomber(state, "b03", "tokyo-east")
    state.city.areas["tokyo-east"].boxes["nippon-electric"].markers = [marker(state, "balloons")]
    play_phase(table(state, 6, 6), {"4.8": "b03-nippon-electric"})
    assert (gray.flies, gray.hits, gray.box) == (True, 0, "nippon-electric")


def _met(kind: str, *dice: int, high: bool = False, **wanted: Any) -> tuple[Doolittle, Marker]:
    """Return the state after a bomber over Tokyo East has met a hazard, and the hazard."""
    state = over()
    assert state.raid is not None
    state.raid.high = high
    met = marker(state, kind, **wanted)
    bomber(state, "b03", "tokyo-east").assigned = [met]
    play_phase(table(state, *dice))
    return state, met


@pytest.mark.rule("doolittle", "4.6.3.B", "4.6.3.I")
@pytest.mark.parametrize("kind", ["break-off", "panicked-streets"])
def test_fighter_breaking_off_and_panicked_streets_do_nothing(kind: str) -> None:
    state, met = _met(kind)
    assert state.squad["b03"].hits == 0
    assert in_cup(state, met)


@pytest.mark.rule("doolittle", "4.6.3.C", "4.6.3.E")
@pytest.mark.parametrize(("kind", "value"), [("camouflage", -2), ("conspicuous", 1)])
def test_camouflage_and_visible_targets_affect_every_later_approach(kind: str, value: int) -> None:
    state = over(phase="approach")
    gray = bomber(state, "b03", "tokyo-east")
    box = state.city.areas["tokyo-east"].boxes["nippon-electric"]
    box.markers = [marker(state, kind)]
    play_phase(table(state, 6, 6), {"4.8": "b03-nippon-electric"})
    check = bombing.approach_check(table(state), gray, "nippon-electric")
    assert value in [amount for _, amount in check.modifiers]
    state.at = replace(state.at, phase="bombs-away")
    play_phase(table(state, 6, 6))
    assert box.blast
    assert [DATA.hazards.markers[one.key].kind for one in box.markers] == [kind]


@pytest.mark.rule("doolittle", "4.6.3.D")
@pytest.mark.parametrize(
    ("die", "high", "flies", "hits"), [(1, False, False, 0), (4, False, True, 1), (1, True, True, 0)]
)
def test_crash_affects_low_bombers_and_destroys_on_an_odd_die(die: int, high: bool, flies: bool, hits: int) -> None:
    state, _ = _met("crash", *([] if high else [die]), high=high)
    assert (state.squad["b03"].flies, state.squad["b03"].hits) == (flies, hits)


@pytest.mark.rule("doolittle", "4.6.3.F")
@pytest.mark.parametrize(("dice", "hits"), [((2, 3), 0), ((3, 3), 1), ((2, 6), 1), ((4, 5), 0)])
def test_flak_hits_within_its_range_at_any_height(dice: tuple[int, int], hits: int) -> None:
    for high in (False, True):
        state, _ = _met("flak", *dice, high=high, low=6)
        assert state.squad["b03"].hits == hits


@pytest.mark.rule("doolittle", "4.6.3.G")
def test_haze_takes_one_off_the_approach_of_its_bomber_and_stays() -> None:
    state, haze = _met("haze")
    gray, hoover = state.squad["b03"], bomber(state, "b02", "tokyo-east")
    named = [dict(bombing.approach_check(table(state), one, "nippon-electric").modifiers) for one in (gray, hoover)]
    assert [one.get("haze") for one in named] == [-1, None]
    state.at = replace(state.at, phase="bombs-away")
    play_phase(table(state))
    assert state.city.areas["tokyo-east"].markers == [haze]


@pytest.mark.rule("doolittle", "4.6.3.H")
@pytest.mark.parametrize(
    ("dice", "hits", "hangs"), [((1, 2), 0, True), ((1, 3), 1, False), ((2, 3), 1, False), ((3, 3), 0, False)]
)
def test_interceptor_hits_breaks_off_above_its_range_or_attaches_below(
    dice: tuple[int, int], hits: int, hangs: bool
) -> None:
    state, fighter = _met("interceptor", *dice, low=4)
    gray = state.squad["b03"]
    assert (gray.hits, gray.markers) == (hits, [fighter] if hangs else [])
    assert in_cup(state, fighter) != hangs


@pytest.mark.rule("doolittle", "4.6.3.H")
@pytest.mark.parametrize(("dice", "hits", "hangs"), [((1, 1), 0, True), ((2, 2), 1, False), ((6, 6), 0, False)])
def test_attached_interceptor_attacks_again(dice: tuple[int, int], hits: int, hangs: bool) -> None:
    state = over()
    gray, fighter = bomber(state, "b03", "tokyo-east"), marker(state, "interceptor", low=4, revealed=True)
    gray.markers = [fighter]
    play_phase(table(state, *dice))
    assert (gray.hits, gray.markers) == (hits, [fighter] if hangs else [])


@pytest.mark.rule("doolittle", "4.6.3.H", "4.7", "4.8", "4.9", "DR12")
def test_bomber_with_an_attached_fighter_cannot_leave_approach_or_release() -> None:
    state = over()
    gray, hoover = bomber(state, "b03", "tokyo-east"), bomber(state, "b02", "tokyo-east", loaded=False)
    gray.markers, hoover.markers = (
        [marker(state, "interceptor", revealed=True)],
        [marker(state, "interceptor", revealed=True)],
    )
    asked = list[Decision]()
    for phase in ("exit", "approach", "bombs-away"):
        state.at = replace(state.at, phase=phase)
        play_phase(table(state), asked=asked)
    assert asked == []


@pytest.mark.rule("doolittle", "4.6.3.J", "4.6.3.N", "4.9.3")
@pytest.mark.parametrize(("kind", "value"), [("concrete", -2), ("volatile", 1)])
def test_thick_walls_and_fire_affect_every_detonation_in_the_box(kind: str, value: int) -> None:
    state = over(phase="bombs-away")
    gray = bomber(state, "b03", "tokyo-east", box="nippon-electric")
    box = state.city.areas["tokyo-east"].boxes["nippon-electric"]
    box.markers = [marker(state, kind, detonation=value, revealed=True)]
    check = bombing.detonation_check(table(state), gray, "nippon-electric")
    assert value in [amount for _, amount in check.modifiers]
    play_phase(table(state, 6, 6))
    assert len(box.markers) == 1


@pytest.mark.rule("doolittle", "4.6.3.K", "DR16")
@pytest.mark.parametrize(
    ("city", "kind", "box"), [("tokyo", "ryuho", "bay-shipping"), ("osaka-kobe", "hiyo", "osaka-shipping")]
)
@pytest.mark.parametrize("evaded", [False, True])
def test_carrier_revealed_lies_in_the_shipping_of_her_bay(city: str, kind: str, box: str, evaded: bool) -> None:
    state = over(city)
    area = next(iter(state.city.areas))
    gray, ship = bomber(state, "b03", area), marker(state, kind)
    if evaded:
        state.city.areas[area].markers = [ship]
    else:
        gray.assigned = [ship]
    at = table(state)
    play_phase(at)
    assert "a carrier under construction, is sighted at" in log_text(at, "4.6.3.K")
    assert dict(state.city.boxes)[box].markers == [ship]
    assert ship.shown
    assert (gray.assigned, state.city.areas[area].markers) == ([], [])
    check = bombing.detonation_check(table(state), gray, box)
    assert list(check.modifiers) == [("bombing", 2)]


@pytest.mark.rule("doolittle", "4.6.3.K")
def test_carrier_at_a_city_without_a_berth_leaves_the_game() -> None:
    state = over("nagoya")
    ship = Marker(key=next(key for key, card in DATA.hazards.markers.items() if card.kind == "ryuho"))
    bomber(state, "b03", next(iter(state.city.areas))).assigned = [ship]
    play_phase(table(state))
    assert state.out == [ship]


@pytest.mark.rule("doolittle", "4.6.3.L", "4.8.1", "4.9.3")
def test_searchlights_affect_approach_and_release_for_the_turn() -> None:
    state = over(light="night")
    gray, lights = bomber(state, "b03", "tokyo-east"), marker(state, "searchlights", approach=-1, box=False)
    gray.assigned = [lights]
    play_phase(table(state))
    at = table(state)
    assert ("searchlights", -1) in bombing.approach_check(at, gray, "nippon-electric").modifiers
    assert ("searchlights", -1) in bombing.detonation_check(at, gray, "nippon-electric").modifiers
    state.at = replace(state.at, phase="bombs-away")
    play_phase(table(state))
    assert in_cup(state, lights)


@pytest.mark.rule("doolittle", "4.6.3.M")
@pytest.mark.parametrize(("dice", "high", "hits"), [((1, 1), False, 1), ((1, 2), False, 0), ((), True, 0)])
def test_small_arms_hit_low_bombers_on_the_lowest_sum(dice: tuple[int, ...], high: bool, hits: int) -> None:
    state, _ = _met("small-arms", *dice, high=high)
    assert state.squad["b03"].hits == hits


# -- optional rules --------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "15.3")
def test_tracers_on_doubles_fire_again_each_time() -> None:
    for tracers, dice, hits in (("no", (3, 3), 1), ("yes", (1, 1, 3, 3, 2, 2, 6, 5), 1), ("yes", (3, 3, 2, 4), 2)):
        state = over(tracers=tracers)
        gray = bomber(state, "b03", "tokyo-east")
        gray.assigned = [marker(state, "flak", low=5, high=6)]
        at = table(state, *dice)
        play_phase(at)
        assert gray.hits == min(hits, 1)
        assert gray.flies == (hits < 2)
        assert log_text(at, "4.6.3.F").count("Flak") == len(dice) // 2


@pytest.mark.rule("doolittle", "15.4")
@pytest.mark.parametrize(
    ("coordinated", "high", "dice", "hits"),
    [
        ("no", False, (1, 1), 0),
        ("yes", False, (1, 1, 4), 1),
        ("yes", False, (1, 1, 2), 0),
        ("yes", True, (6, 6, 1, 4), 1),
    ],
)
def test_searchlights_guide_flak_with_three_dice_or_four(
    coordinated: str, high: bool, dice: tuple[int, ...], hits: int
) -> None:
    state = over(light="night", coordinated=coordinated)
    assert state.raid is not None
    state.raid.high = high
    gray = bomber(state, "b03", "tokyo-east")
    gray.assigned = [marker(state, "flak", low=5, high=6), marker(state, "searchlights", box=False)]
    play_phase(table(state, *dice))
    assert gray.hits == hits


@pytest.mark.rule("doolittle", "15.3", "15.4", "DR134")
def test_guided_flak_fires_once_on_any_dice() -> None:
    state = over(light="night", coordinated="yes", tracers="yes")
    gray = bomber(state, "b03", "tokyo-east")
    gray.assigned = [marker(state, "flak", low=5, high=6), marker(state, "searchlights", box=False)]
    at = table(state, 3, 3, 3)
    play_phase(at)
    assert (gray.hits, log_text(at, "4.6.3.F").count("Flak")) == (1, 1)


@pytest.mark.rule("doolittle", "15.3", "4.6.3.M", "DR135")
def test_small_arms_have_no_tracers() -> None:
    state = over(tracers="yes")
    gray = bomber(state, "b03", "tokyo-east")
    gray.assigned = [marker(state, "small-arms")]
    play_phase(table(state, 1, 1))
    assert gray.hits == 1


@pytest.mark.rule("doolittle", "15.4")
def test_flak_and_searchlights_on_different_bombers_do_not_combine() -> None:
    state = over(light="night", coordinated="yes")
    bomber(state, "b03", "tokyo-east").assigned = [marker(state, "flak", low=5, high=6)]
    bomber(state, "b02", "tokyo-east").assigned = [marker(state, "searchlights", box=False)]
    play_phase(table(state, 6, 6))
    assert state.squad["b03"].hits == 0


@pytest.mark.rule("doolittle", "15.4", "4.6.2")
def test_searchlights_that_guided_flak_are_revealed_with_the_bomber_lost() -> None:
    state = over(light="night", coordinated="yes")
    gray = bomber(state, "b03", "tokyo-east", hits=1)
    gray.assigned = [marker(state, "flak", low=5, high=6), marker(state, "searchlights", box=False)]
    play_phase(table(state, 1, 1, 4))
    assert (gray.flies, len(state.attack.met)) == (False, 2)


@pytest.mark.rule("doolittle", "15.4")
def test_flak_is_guided_only_by_searchlights() -> None:
    state = over(coordinated="yes")
    gray = bomber(state, "b03", "tokyo-east")
    gray.assigned = [marker(state, "flak", low=5, high=6), marker(state, "haze")]
    play_phase(table(state, 6, 6))
    assert gray.hits == 0


@pytest.mark.rule("doolittle", "15.4", "4.8.2")
def test_flak_in_a_box_is_not_guided_by_searchlights_on_the_bomber() -> None:
    state = over(phase="approach", light="night", coordinated="yes")
    gray = bomber(state, "b03", "tokyo-east")
    gray.assigned = [marker(state, "searchlights", approach=-1, box=False, revealed=True)]
    state.city.areas["tokyo-east"].boxes["nippon-electric"].markers = [marker(state, "flak", box=True, revealed=True)]
    play_phase(table(state, 6, 6, 6, 6), {"4.8": "b03-nippon-electric"})
    assert (gray.box, gray.hits) == ("nippon-electric", 0)


@pytest.mark.rule("doolittle", "4.3", "DR111")
def test_first_bomber_of_an_area_decides_for_the_area() -> None:
    state = over(phase="assign", players="2")
    bomber(state, "b01", "chiba")
    for key in ("b02", "b03"):
        bomber(state, key, "tokyo-east").loaded = True
    asked = _shared(state, marker(state, "flak", box=False))
    assert [one.seat for one in asked] == ["captain-2"]
    state.at = replace(state.at, phase="evade")
    play_phase(table(state), asked=asked)
    assert [one.seat for one in asked] == ["captain-2", "captain-2"]


@pytest.mark.rule("doolittle", "DR112")
def test_hazard_returns_to_the_cup_it_came_from() -> None:
    state, _ = flight("b01", phase="bombs-away")
    assert state.raid is not None
    night = marker(state, "searchlights", stay=False, box=False)
    state.squad["b01"].area, state.squad["b01"].assigned = "tokyo-east", [night]
    play_phase(table(state))
    assert night in state.cups[night.cup].contents
    assert night.cup.endswith("-night")


@pytest.mark.rule("doolittle", "4.6.3")
def test_range_of_a_single_sum_is_shown_as_the_sum() -> None:
    at = table(state := over())
    for kind, low, high, text in (("small-arms", 2, 2, "small arms 2"), ("flak", 5, 6, "flak 5–6")):
        assert hazards.describe(at, marker(state, kind, low=low, high=high)) == text
