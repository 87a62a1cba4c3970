"""The worked examples of the attack, by rule number."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.games.doolittle.raid_helpers import (
    DATA,
    blast,
    bomber,
    flight,
    in_cup,
    marker,
    on_the_way,
    over,
    play_phase,
    run,
    table,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.attack import bombing, raids
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.state import Doolittle


@pytest.mark.rule("doolittle", "4.1")
def test_4_1_hoover_may_fly_from_kisarazu_to_the_north_of_the_bay() -> None:
    state = over(phase="airspeed")
    hoover = bomber(state, "b02", "kisarazu")
    play_phase(table(state), {"4.1": "to-tokyo-bay-north"})
    assert hoover.area == "tokyo-bay-north"


@pytest.mark.rule("doolittle", "3.3")
def test_3_3_the_steel_mill_of_yokohama_by_day() -> None:
    box = DATA.targets.maps["tokyo"].boxes["steel-mill"]
    assert (box.approach("day"), box.blast("day")) == (7, 8)


@pytest.mark.rule("doolittle", "3.4", "4.2.2")
@pytest.mark.parametrize(("tally", "more"), [(7, 3), (8, 3), (9, 4)])
def test_3_4_eight_releases_are_three_hazards_more(tally: int, more: int) -> None:
    assert DATA.attack.detonations.at(tally) == more


@pytest.mark.rule("doolittle", "4.2.2")
def test_4_2_2_one_bomber_and_an_alert_of_one_after_two_releases_are_two_hazards() -> None:
    state = over(phase="place", alert=1)
    state.city.tally = 2
    bomber(state, "b01", "yokosuka")
    assert DATA.targets.maps["tokyo"].areas["yokosuka"].hazards_max == 3
    play_phase(table(state, draws=["tokyo-day-01", "tokyo-day-02"]))
    assert len(state.city.areas["yokosuka"].markers) == 2


def _yokosuka() -> tuple[Doolittle, Bomber, Bomber, Marker, Marker]:
    """Return two bombers over Yokosuka, with an interceptor on Jones and flak of 5 to 6 still there."""
    state = over(phase="place", alert=2)
    state.city.tally = 2
    jones, other = bomber(state, "b05", "yokosuka"), bomber(state, "b06", "yokosuka")
    fighter = marker(state, "interceptor", revealed=True)
    jones.markers = [fighter]
    battery = marker(state, "flak", stay=True, revealed=True, low=5, high=6)
    state.city.areas["yokosuka"].markers = [battery]
    return state, jones, other, fighter, battery


@pytest.mark.rule("doolittle", "4.2.2", "4.2.3", "4.3")
def test_4_3_four_hazards_become_three_and_five_are_shared_three_and_two() -> None:
    state, jones, other, _, battery = _yokosuka()
    play_phase(table(state, draws=["tokyo-day-30", "tokyo-day-31", "tokyo-day-32"]))
    assert len(state.city.areas["yokosuka"].markers) == 4
    state.at = replace(state.at, phase="assign")
    play_phase(table(state), {"4.3": lambda one: [one.keys[0]]})
    assert battery in jones.assigned
    assert [len(jones.assigned) + 1, len(other.assigned)] == [3, 2]


@pytest.mark.rule("doolittle", "4.4.1", "4.5.1")
def test_4_5_the_flak_is_evaded_and_jones_drives_the_interceptor_off() -> None:
    state, jones, other, fighter, battery = _yokosuka()
    state.city.areas["yokosuka"].markers = []
    jones.assigned, other.assigned = [battery], [marker(state, "panicked-streets")]
    state.at = replace(state.at, phase="evade")
    asked = list[Decision]()
    play_phase(table(state), {"4.4.1": "evade-1"}, asked)
    assert asked[0].options[0].text == "flak 5–6 on Jones"
    state.at = replace(state.at, phase="gunnery")
    play_phase(table(state, 2, 3, 5, 6))
    assert in_cup(state, fighter)
    state.at = replace(state.at, phase="resolve")
    play_phase(table(state))
    assert (jones.hits, state.city.areas["yokosuka"].markers) == (0, [battery])


@pytest.mark.rule("doolittle", "4.5.1")
def test_4_5_1_without_a_six_the_interceptor_stays() -> None:
    state = over(phase="gunnery")
    jones, fighter = bomber(state, "b05", "yokosuka"), marker(state, "interceptor", revealed=True)
    jones.markers = [fighter]
    play_phase(table(state, 1, 2, 3, 5))
    assert jones.markers == [fighter]


@pytest.mark.rule("doolittle", "4.6.3.H")
@pytest.mark.parametrize(
    ("dice", "hits", "hangs"), [((2, 3), 1, False), ((1, 1), 0, True), ((1, 2), 0, True), ((3, 3), 0, False)]
)
def test_4_6_3_an_interceptor_of_4_to_5(dice: tuple[int, int], hits: int, hangs: bool) -> None:
    state = over()
    one, fighter = bomber(state, "b05", "yokosuka"), marker(state, "interceptor", low=4, high=5)
    one.assigned = [fighter]
    play_phase(table(state, *dice))
    assert (one.hits, one.markers) == (hits, [fighter] if hangs else [])
    assert in_cup(state, fighter) != hangs


@pytest.mark.rule("doolittle", "4.6.3.F", "2.1.3")
@pytest.mark.parametrize(("before", "flies"), [(0, True), (1, False)])
def test_4_6_3_a_six_is_a_hit_of_flak_of_6_to_8(before: int, flies: bool) -> None:
    state = over()
    one = bomber(state, "b05", "yokosuka", hits=before)
    one.assigned = [marker(state, "flak", low=6, high=8, box=False)]
    play_phase(table(state, 2, 4))
    assert one.flies == flies
    assert not flies or one.hits == 1


@pytest.mark.rule("doolittle", "4.8.1", "2.3.6", "4.6.3.G")
def test_4_8_1_smith_gets_to_nippon_electric_through_the_haze() -> None:
    state = over(phase="approach")
    smith = bomber(state, "b15", "tokyo-east", "e20")
    smith.assigned = [marker(state, "haze", revealed=True)]
    check = bombing.approach_check(table(state), smith, "nippon-electric")
    assert (check.at_least, sum(value for _, value in check.modifiers)) == (8, 1)
    play_phase(table(state, 4, 6), {"4.8": "b15-nippon-electric"})
    assert smith.box == "nippon-electric"


@pytest.mark.rule("doolittle", "4.9.3", "4.9.5")
@pytest.mark.parametrize(("dice", "results"), [((2, 3), {"tokyo-east": 1}), ((2, 4), {"nippon-electric": 2})])
def test_4_9_3_smith_throws_a_five_and_misses_nippon_electric(dice: tuple[int, int], results: dict[str, int]) -> None:
    state = over(phase="bombs-away")
    bomber(state, "b15", "tokyo-east", box="nippon-electric")
    play_phase(table(state, *dice))
    assert (blast(state), state.city.tally) == (results, 1)


@pytest.mark.rule("doolittle", "8.3.7.A", "4.1.1")
def test_8_3_7_a_compass_error_and_a_four_bring_a_bomber_in_on_turn_four() -> None:
    state, first = flight("b01")
    state.squad["b01"].markers = [on_the_way(state, "compass-error")]
    run(raids.begin_attack(table(state, 4), first, "tokyo"))
    asked = list[Decision]()
    for turn in range(1, 5):
        assert not state.over_target()
        play_phase(table(state), {"4.1.1": "enter-yokohama"}, asked)
        assert state.raid is not None
        assert state.raid.turn == turn
    assert state.squad["b01"].area == "yokohama"
    assert len(asked[0].keys) == 9
