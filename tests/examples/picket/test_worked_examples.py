"""The worked examples of the rulebook, by rule number."""

from __future__ import annotations

import pytest
from tests.games.picket.helpers import CHIT, DATA, attacked, fit, guns_of, hit, picket, plane, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket.combat import attack, fire, guns, special, strike
from readyroom.games.picket.figures.common import section_of
from readyroom.games.picket.ship import crew, repair, repair_checks
from readyroom.games.picket.state import OFFICERS
from readyroom.games.picket.station import weather
from readyroom.testing.running import Answers


@pytest.mark.rule("picket", "5.2.C")
@pytest.mark.parametrize(
    ("regular", "later"),
    [
        (["surface-zero-1", "surface-zero-2"], []),
        (["surface-zero-1"], ["surface-judy-bomb-1"]),
        (["surface-zero-1", "surface-zero-1"], []),
        ([], ["surface-judy-bomb-1", "surface-judy-bomb-1"]),
    ],
)
def test_5_2_c_two_gunboats_two_planes_and_special_attacker(regular: list[str], later: list[str]) -> None:
    """One at each plane; or one there and one at the special attacker; or both at a single plane."""
    state = picket()
    for mount in state.ship.mounts.values():
        mount.hits = 3
    diver = plane(kind="judy", weapon="bomb")
    attacked(state, plane("90M"), plane("180M", number=2), specials=[diver], surface=2)
    run(fire.defensive_fire(table(state, *[1] * len(regular))), {"6.8.O": regular})
    assert state.raid.surface == 2 - len(regular)
    run(special.special_fire(table(state, 3, *[1] * len(later))), {"6.9.E": later})
    assert state.raid.surface == 2 - len(regular) - len(later)


@pytest.mark.rule("picket", "5.3", "5.3.E")
def test_5_3_three_radars_on_land_are_worth_two_columns() -> None:
    state = picket()
    state.sea.land_radars = ["Hado", "Ie Shima", "Zamani"]
    assert ("land radar", 2) in attack.shifts(state, DATA)


@pytest.mark.rule("picket", "6.3.B.1", "6.3.B.2")
def test_6_3_b_typhoon_of_two_days_is_six_rolls() -> None:
    """A 1 on Table 6-3 is two days; the first roll damages the ship, so five more follow."""
    state = picket(phase="midday-weather", turn=9)
    at = table(state, 1, 1, 6, 6, 1, 2, 3, *[5, 5] * 5)
    weather.weather(at)
    assert state.sea.days_lost == 2
    assert state.ship.hull == 9
    assert sum(line.text.startswith("Heavy seas") for line in at.log or []) == 6


@pytest.mark.rule("picket", "6.5.G")
def test_6_5_g_first_plane_shoots_down_zero_and_second_is_sent_on() -> None:
    state = picket()
    for mount in state.ship.mounts.values():
        mount.hits = 3
    attacked(state, plane("180L"), plane("0M", number=2))
    state.sea.markers = 2
    asked = list[Decision]()
    answers = {"6.8.O": ["air-zero-1", "air-zero-1"], "6.5.G": "air-zero-2"}
    run(fire.defensive_fire(table(state, 6, 6)), answers, asked)
    assert asked[-1].keys == ["keep", "air-zero-2"]
    assert [one.fate for one in state.wave.planes] == ["destroyed", "destroyed"]
    assert state.sea.markers == 0


@pytest.mark.rule("picket", "6.6.B", "6.6.C", "6.6.D", "5.1.B", "5.2.B", "5.3.1.B", "6.5.J")
def test_6_6_d_column_one_four_and_table_d() -> None:
    """Team +1, radars +1, a chit of +1, no gunboats -2: column 1. 6 - 2 for station 1 is 4: table D."""
    state = picket(phase="morning-attack", turn=2)
    state.ship.team, state.sea.station = True, 1
    state.sea.air, state.sea.air_shift = {"land": 1}, 1
    at = table(state, 2, 4, 1, 1, draws=["zero-1"])
    assert attack.column(at.state, DATA) == 1
    attack.attack(at)
    assert DATA.tables.attack.cell(4, "1") == "D"
    assert len(state.wave.planes) == 1


@pytest.mark.rule("picket", "6.6", "6.6.F", "6.6.G", "6.6.J", "6.6.K")
def test_6_6_five_planes_by_d_eleven_make_two_waves_and_betty() -> None:
    """Zero, Willow, a Betty with an Ohka, Tony; two Oscars in the second wave."""
    state = picket(phase="morning-attack")
    draws = ["zero-1", "willow-1", "betty-ohka-2", "tony-1", "oscar-1", "oscar-2"]
    at = table(state, 5, 6, draws=draws)
    attack.draw(at, attack._letter(at, "D", halved=False), specials=True)
    first, second = state.raid.waves
    assert [(one.plane, one.bearing, one.height) for one in first.planes] == [
        ("zero", 180, "H"),
        ("willow", 180, "M"),
        ("tony", 135, "M"),
    ]
    assert [(one.plane, one.bearing, one.height) for one in second.planes] == [("oscar", 90, "M"), ("oscar", 90, "L")]
    assert [one.key for one in first.specials] == ["betty-ohka-2"]
    assert second.specials == []


@pytest.mark.rule("picket", "6.8", "6.8.C", "6.8.C.1", "6.8.C.2")
def test_6_8_guns_one_and_two_follow_director_and_others_do_not() -> None:
    """Two Oscars at 315H, a Tony at 315M; guns 3, 4 and 5 do not bear there."""
    state = picket()
    planes = plane("315H", "oscar"), plane("315H", "oscar", 2), plane("315M", "tony"), plane("180M", "zero")
    attacked(state, *planes)
    asked = list[Decision]()
    run(fire.defensive_fire(table(state)), {"6.8.C": "mk37-oscar-1"}, asked)
    offered = guns_of(next(one for one in asked if one.rule == "6.8"))
    assert offered["gun-1"] == offered["gun-2"] == ["oscar-1"]
    assert offered["gun-3"] == offered["gun-4"] == offered["gun-5"] == ["zero-1"]
    slaved = dict(guns.modifiers(state, DATA, "gun-1", planes[0], slaved=True))
    by_hand = dict(guns.modifiers(state, DATA, "gun-3", planes[3], slaved=False))
    assert (slaved["director"], by_hand["director"]) == (1, 0)


@pytest.mark.rule("picket", "7.1.C")
@pytest.mark.parametrize(
    ("section", "bearings"), [("forward", (315, 0, 45)), ("midship", (270, 90)), ("aft", (225, 180, 135))]
)
def test_7_1_c_section_by_bearing(section: str, bearings: tuple[int, ...]) -> None:
    assert {section_of(bearing) for bearing in bearings} == {section}


@pytest.mark.rule("picket", "7.1.C", "7.3.A")
def test_7_1_c_plane_from_ahead_rolls_twice_in_forward_section() -> None:
    state = attacked(picket(), plane("315M"))
    run(strike.regular_strikes(table(state, 6, 6, 1, 1, 1, 5)))
    assert (state.ship.rooms["bridge"].hits, state.ship.rooms["radio"].hits) == (1, 1)


@pytest.mark.rule("picket", "7.4", "7.4.C", "7.4.E")
def test_7_4_e_bow_trim_and_starboard_list() -> None:
    """A net bow trim of one blocks nothing; two blocks high forward and low aft. The same for starboard."""
    state = picket()
    state.ship.tilt |= {"bow": 2, "stern": 1}
    assert state.ship.trim == 1
    assert not any(guns.masked_heights(state, DATA, bearing) for bearing in (0, 90, 180))
    state.ship.tilt |= {"bow": 2, "stern": 0}
    assert guns.masked_heights(state, DATA, 0) == {"H"}
    assert guns.masked_heights(state, DATA, 180) == {"L"}
    state.ship.tilt |= {"bow": 1, "stern": 1, "starboard": 2}
    assert (state.ship.trim, state.ship.heel) == (0, 2)
    assert guns.masked_heights(state, DATA, 0) == set()
    assert guns.masked_heights(state, DATA, 90) == {"H"}


@pytest.mark.rule("picket", "7.6.B", "7.6.D")
def test_7_6_b_captain_is_killed_and_everyone_moves_up() -> None:
    state = picket(phase="midday-weather")
    for officer, value in zip(OFFICERS, (2, 1, 0, -1, -2, 1), strict=True):
        state.ship.officers[officer].value = value
    state.ship.officers["captain"].dead = True
    run(crew.succession(table(state, CHIT[2], CHIT[-1])), {"7.6.B": "repair-1"})
    assert [state.ship.officers[officer].value for officer in OFFICERS] == [1, 0, -1, -2, 1, 2]
    assert (state.ship.officers["repair-1"].value, state.ship.men["forward"]) == (-1, 13)


@pytest.mark.rule("picket", "7.8.2.A", "7.8.2.B", "7.8.2.C", "7.8.2.D", "P2")
def test_7_8_2_d_three_men_and_two_officers_repair_forward_tanks() -> None:
    """1 + 3 men + 2 officers at +1 = 6; two hits require 4: column +2, no morale modifier."""
    state = fit(picket(), forward_fuel=2)
    state.ship.officers["repair-1"].value = state.ship.officers["damage-control"].value = 1
    state.ship.officers["damage-control"].place = "forward"
    room = state.ship.rooms["forward-fuel"]
    room.men = 3
    at = table(state)
    assert repair_checks.repair_value(at, "forward-fuel", "forward", 3, 2) == 2
    check = repair_checks.compartment_check(at, room)
    assert (check.at_least, list(check.modifiers)) == (7, [])


@pytest.mark.rule("picket", "7.9.D")
def test_7_9_d_three_men_for_three_compartments_aft() -> None:
    state = picket()
    for key in ("sail-locker", "crew-quarters-2", "crew-head"):
        state.ship.spaces[key].boxes = 1
    chosen = ["at-sail-locker", "at-crew-quarters-2", "at-crew-head"]
    run(repair.damage_control(table(state, 5, 5, 5)), {"7.7": chosen})
    assert all(state.ship.spaces[key.removeprefix("at-")].man for key in chosen)
    assert state.ship.men["aft"] == 10


@pytest.mark.rule("picket", "7.9.H")
def test_7_9_h_two_compartments_are_flooded_to_balance_list() -> None:
    state = picket()
    state.ship.tilt |= {"port": 4, "starboard": 2}
    asked = list[Decision]()
    answers: Answers = {"7.9.H": [["feed-tank-starboard"], ["diesel-tank-starboard"]]}
    run(repair.damage_control(table(state)), answers, asked)
    assert len(asked) == 2
    assert (state.ship.heel, state.ship.tilt["starboard"], state.ship.flood) == (0, 4, 8)


@pytest.mark.rule("picket", "5.3.1.A", "5.3.1.B")
def test_5_3_1_e_with_both_radars_marker_is_at_plus_one() -> None:
    assert ("ship's radar", 1) in attack.shifts(picket(), DATA)


@pytest.mark.rule("picket", "6.6", "6.6.J", "6.6.K")
def test_6_6_third_special_attacker_waits_for_second_wave() -> None:
    """The note below the example of five planes."""
    state = picket(phase="morning-attack")
    specials = ["betty-ohka-2", "val-bomb-2", "zero-bomb-2"]
    at = table(state, 5, 6, draws=["zero-1", *specials, "willow-1", "tony-1", "oscar-1", "oscar-2"])
    attack.draw(at, attack._letter(at, "D", halved=False), specials=True)
    assert [[one.key for one in wave.specials] for wave in state.raid.waves] == [specials[:2], specials[2:]]


@pytest.mark.rule("picket", "6.9.G")
def test_6_9_g_spray_fire_in_morning_and_at_midday_costs_one_box() -> None:
    state = picket(phase="morning-fire-1")
    for phase in ("morning-fire-1", "midday-fire-1"):
        state.at = type(state.at)(1, phase)
        attacked(state, specials=[plane(kind="judy", weapon="bomb")])
        run(special.special_fire(table(state, 1, 5, 5)), {"6.9.C": "spray-judy-bomb-1"})
    assert state.ship.ammunition == 9


@pytest.mark.rule("picket", "7.3.A", "7.3.C", "7.3.F")
def test_7_3_a_steering_room_takes_four_hits_and_no_water() -> None:
    state = picket()
    room = state.ship.rooms["steering-room"]
    for hits in (1, 2, 3):
        hit(table(state), "steering-room", "aft", "stern")
        assert (room.hits, room.destroyed, room.flooded) == (hits, False, False)
    hit(table(state), "steering-room", "aft", "stern")
    assert (room.hits, room.destroyed, room.flooded) == (0, True, False)
