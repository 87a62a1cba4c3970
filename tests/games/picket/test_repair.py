"""Tests of damage control: fires, work assignments, repairs, and spreading damage."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.picket.helpers import DATA, attacked, fit, hit, log_text, picket, plane, run, table

from readyroom import games
from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket import sequence
from readyroom.games.picket.combat import guns
from readyroom.games.picket.ending import upkeep
from readyroom.games.picket.ship import assignments, fires, repair, repair_checks
from readyroom.games.picket.state import Picket, Side
from readyroom.testing import Invariant, check_playout

FAILURES = (1,) * 99
"""Dice with which attempts without workers fail."""


def mending(state: Picket, answers: Any = None, *dice: int) -> list[Decision]:
    """Return the questions of a round of damage control with these answers and dice."""
    asked = list[Decision]()
    run(repair.damage_control(table(state, *dice, *FAILURES)), answers, asked)
    return [one for one in asked if one.rule != "2.0.D"]


def officers(state: Picket, **values: int) -> Picket:
    """Return the state with officers of these values."""
    for key, value in values.items():
        state.ship.officers[key.replace("_", "-")].value = value
    return state


def spaces(state: Picket, *keys: str) -> Picket:
    """Return the state with these secondary compartments damaged."""
    for key in keys:
        state.ship.spaces[key].boxes = 1
    return state


@pytest.mark.rule("picket", "7.8", "7.8.1", "7.8.1.A", "7.8.1.B", "7.8.1.E", "P35")
@pytest.mark.parametrize(("lines", "face", "left"), [(0, 4, 0), (1, 3, 0), (3, 3, 0)])
def test_deck_fire_out_on_four_or_less(lines: int, face: int, left: int) -> None:
    state = picket()
    state.ship.fires |= {"forward": 2, "aft": 1}
    state.ship.water_lines = lines
    fires.fight_deck_fires(table(state, face, face))
    assert set(state.ship.fires.values()) == {left}


@pytest.mark.rule("picket", "7.8.1.C", "P35")
def test_deck_fire_failure_adds_marker() -> None:
    state = picket()
    state.ship.fires["midship"] = 1
    fires.fight_deck_fires(table(state, 5, 6))
    assert state.ship.fires["midship"] == 3
    assert not state.ship.lost


@pytest.mark.rule("picket", "7.8.1.D", "7.8.1.E")
def test_deck_fire_failure_on_full_track_sinks() -> None:
    state = picket()
    state.ship.fires["aft"] = 2
    fires.fight_deck_fires(table(state, 5, 5))
    assert state.ship.lost == "lost to fire"


@pytest.mark.rule("picket", "7.8.1.C", "P35", "P33")
@pytest.mark.parametrize("waves", [True, False])
def test_deck_fires_rolled_again_after_last_wave(waves: bool) -> None:
    state = picket(phase="morning-end")
    state.ship.fires["aft"] = 1
    if waves:
        attacked(state)
    run(upkeep.phase_ends(table(state, *([4] if waves else []))))
    assert state.ship.fires["aft"] == (0 if waves else 1)


@pytest.mark.rule("picket", "7.7", "7.7.A", "7.7.B", "7.7.C", "P33")
def test_party_limits_per_place() -> None:
    state = spaces(fit(picket(), bridge=1, rudder=1), "galley", "sail-locker")
    state.ship.gear["mk37"].hits = state.ship.gear["director-e"].hits = 1
    asked = [one for one in mending(state, None) if one.rule == "7.7"]
    offered = {one.piece_key: {option.key: option.limit for option in one.options} for one in asked}
    assert offered == {
        "forward": {"at-bridge": 3, "at-mk37": 1},
        "midship": {"at-galley": 1},
        "aft": {"at-rudder": 3, "at-director-e": 1, "at-sail-locker": 1},
    }
    assert [one.at_most for one in asked] == [5 - 1, 1, 5]


@pytest.mark.rule("picket", "7.8.2.G", "7.7.E", "P34")
@pytest.mark.parametrize(("place", "asks"), [("cic", True), ("bridge", False)])
def test_officer_held_only_while_repairable(place: str, asks: bool) -> None:
    state = fit(picket(), bridge=1)
    executive = state.ship.officers["executive"]
    executive.place, executive.held, executive.assigned = place, True, True
    assert ("7.7.E" in [one.rule for one in mending(state)]) is asks


@pytest.mark.rule("picket", "7.7.F")
def test_engineer_not_logged_without_damaged_room() -> None:
    at = table(fit(picket(), bridge=1), 1, 1)
    run(repair.damage_control(at))
    assert log_text(at, "7.7.F") == ""


@pytest.mark.rule("picket", "2.0.D", "P57")
def test_gunnery_officer_and_chief_move_without_helping() -> None:
    state, asked = fit(picket(), bridge=1), list[Decision]()
    answers = {"2.0.D": ["gunnery-bridge", "chief-cic"], "7.7": ["at-bridge"]}
    run(repair.damage_control(table(state, 1, 1)), answers, asked)
    assert [state.ship.officers[key].place for key in ("gunnery", "chief")] == ["bridge", "cic"]
    before = repair_checks.repair_value(table(state), "bridge", "forward", 1, 1)
    state.ship.officers["gunnery"].value = 2
    assert repair_checks.repair_value(table(state), "bridge", "forward", 1, 1) == before
    state.ship.rooms["radio"].destroyed = state.ship.officers["chief"].dead = True
    run(repair.damage_control(table(state, 1, 1)), {"7.7": []}, asked)
    (move,) = [one for one in asked[4:] if one.rule == "2.0.D"][-1:]
    assert [group.key for group in move.budget_groups] == ["gunnery"]
    assert not {"gunnery-radio", "gunnery-bridge"} & set(move.keys)


@pytest.mark.rule("picket", "7.8.2.A")
def test_unmanned_compartment_is_attempted() -> None:
    state = officers(fit(picket(), bridge=1, rudder=1), executive=2)
    at = table(state, 6, 6, 6, 5, 6, 6)
    run(repair.damage_control(at), {"7.7": [], "7.7.E": "to-bridge"})
    assert (state.ship.rooms["bridge"].hits, state.ship.rooms["rudder"].hits) == (0, 0)
    assert [line.text.rpartition(" the ")[2].rstrip(".") for line in at.log or [] if line.rule == "7.8.2"] == [
        "Bridge",
        "Rudder",
    ]


@pytest.mark.rule("picket", "7.8.2.A", "7.8.2.H")
def test_unmanned_compartment_is_not_tended() -> None:
    state = fit(picket(), bridge=1)
    mending(state, {"7.7": []})
    assert not state.ship.rooms["bridge"].tended


@pytest.mark.rule("picket", "7.8.2.F", "7.8.2.G", "P33", "P34")
def test_men_move_between_waves_unless_held() -> None:
    state = fit(picket(), bridge=1, cic=1)
    mending(state, {"7.7": ["at-bridge"] * 2}, 1, 1)
    assert state.ship.rooms["bridge"].men == 2
    mending(state, {"7.7": ["at-cic"] * 3}, 1, 1)
    assert (state.ship.rooms["bridge"].men, state.ship.rooms["cic"].men) == (0, 3)
    run(repair.spread_damage(table(state)))
    mending(state, {"7.7": ["at-bridge"]}, 1, 1)
    assert (state.ship.rooms["bridge"].men, state.ship.rooms["cic"].men) == (1, 3)


@pytest.mark.rule("picket", "11.5.B", "7.8.2.F")
def test_executive_officer_moves_on_to_gun() -> None:
    state = officers(fit(picket(gun_repairs="yes"), bridge=1), executive=2)
    state.ship.mounts["gun-1"].hits = 1
    answers = {"7.7.E": "to-bridge", "7.7": ["at-bridge"], "7.8.2.F": [[], ["to-gun-1"]]}
    mending(state, answers, 6, 6, 6)
    assert state.ship.officers["executive"].place == "gun-1"


@pytest.mark.rule("picket", "7.7.C")
def test_fourth_man_is_rejected() -> None:
    with pytest.raises(IllegalChoice):
        mending(fit(picket(), bridge=1), {"7.7": ["at-bridge"] * 4})


@pytest.mark.rule("picket", "7.7.D", "7.7.H", "7.8.2", "7.8.2.A", "7.8.2.B", "7.8.2.C", "P2", "P32")
@pytest.mark.parametrize(("hits", "penalty"), [(1, 2), (2, 4), (3, 5)])
def test_repair_value_sums_men_officers_and_penalty(hits: int, penalty: int) -> None:
    state = officers(fit(picket(), bridge=hits), repair_1=-2, damage_control=2, executive=-1)
    state.ship.officers["damage-control"].place = "forward"
    state.ship.officers["executive"].assigned = True
    assert repair_checks.repair_value(table(state), "bridge", "forward", 3, hits) == 1 + 3 - 2 + 2 - 1 - penalty
    state.ship.officers["executive"].assigned = False
    assert repair_checks.repair_value(table(state), "bridge", "forward", 3, hits) == 1 + 3 - 2 + 2 - penalty


@pytest.mark.rule("picket", "7.7.E", "7.7.F", "7.7.G", "2.0.D", "P32")
def test_officer_assignment_places() -> None:
    state = fit(picket(), bridge=1, steering_room=1)
    asked = mending(state, {"7.7.E": "to-bridge", "7.7.F": "to-steering-room", "7.7.G": "section-aft"})
    offered = {one.rule: one.keys for one in asked}
    assert offered["7.7.E"] == ["to-bridge", "to-steering-room", "stay"]
    assert offered["7.7.F"] == ["to-steering-room", "stay"]
    assert offered["7.7.G"] == ["section-forward", "section-midship", "section-aft"]
    places = [state.ship.officers[key].place for key in ("executive", "engineer", "damage-control")]
    assert places == ["bridge", "steering-room", "aft"]


@pytest.mark.rule("picket", "7.7.I", "7.8.2.D", "7.8.2.E")
@pytest.mark.parametrize(("face", "left"), [(2, 2), (3, 1), (6, 0)])
def test_repair_success_removes_markers(face: int, left: int) -> None:
    state = officers(fit(picket(), forward_fuel=3), repair_1=2)
    state.ship.morale = 1
    at = table(state, 4, 3, face)
    run(repair.damage_control(at), {"7.7": ["at-forward-fuel"] * 3})
    assert state.ship.rooms["forward-fuel"].hits == left
    sentence = {2: "leave 2 hits in", 1: "leave 1 hit in", 0: "clear all hits from"}[left]
    assert log_text(at, "7.8.2.E") == f"Repairs {sentence} the {DATA.rooms['forward-fuel'].name}."
    assert [line.rolls[0].result for line in at.log or [] if line.rule == "7.8.2.E"] == [f"1d6 = {face}"]


@pytest.mark.rule("picket", "7.8.2.D", "7.7.M", "7.8.2.G")
def test_repair_dice_modifiers() -> None:
    state = fit(picket(), steering_room=1)
    room = state.ship.rooms["steering-room"]
    state.ship.morale, state.ship.all_hands, room.held = -2, True, True
    check = repair_checks.compartment_check(table(state), room)
    assert dict(check.modifiers) == {"morale": -1, "continued work": 1, "machine shop": 1, "all hands": 2}
    state.ship.spaces["machine-shop"].boxes = 1
    assert "machine shop" not in dict(repair_checks.compartment_check(table(state), room).modifiers)


@pytest.mark.rule("picket", "7.8.2.F", "P33")
def test_finished_men_move_to_unattempted_work() -> None:
    state = spaces(fit(picket(), bridge=1, cic=1), "sonar")
    asked = mending(state, {"7.7": ["at-bridge"] * 3, "7.8.2.F": ["at-cic", "at-cic", "at-sonar"]}, 6, 6, 6, 6, 6, 6, 4)
    gone = next(one for one in asked if one.rule == "7.8.2.F")
    assert gone.keys == ["at-cic", "at-sonar"]
    assert gone.at_most == 3
    assert state.ship.rooms["cic"].hits == 0
    assert state.ship.spaces["sonar"].boxes == 0
    assert state.ship.men["forward"] == 14


@pytest.mark.rule("picket", "7.8.2.F", "7.7.E")
def test_finished_officer_may_move_on() -> None:
    state = officers(fit(picket(), bridge=1, rudder=1), executive=2)
    next_tasks = [["to-rudder"], ["stay"]]
    answers = {"7.7.E": "to-bridge", "7.7": lambda decision: [decision.keys[0]], "7.8.2.F": next_tasks}
    asked = mending(state, answers, 6, 6, 6, 5, 2, 1)
    assert [one.keys for one in asked[-2:]] == [["to-rudder", "stay"], ["stay", "to-bridge"]]
    assert state.ship.officers["executive"].place == "rudder"
    assert state.ship.rooms["rudder"].hits == 0


@pytest.mark.rule("picket", "7.8.2.G", "P34")
def test_unfinished_men_and_officers_are_held() -> None:
    state = fit(picket(), bridge=2, cic=1)
    answers = {"7.7": ["at-bridge"] * 2, "7.7.E": "to-bridge"}
    mending(state, answers, 1, 1)
    run(repair.spread_damage(table(state)))
    assert state.ship.rooms["bridge"].held
    assert state.ship.officers["executive"].held
    asked = mending(state, {"7.7": []}, 1, 1)
    assert "7.7.E" not in [one.rule for one in asked]
    assert state.ship.rooms["bridge"].men == 2
    assert state.ship.men["forward"] == 12


@pytest.mark.rule("picket", "7.8.2.H", "P34")
def test_untended_damage_spreads_without_flooding() -> None:
    state = fit(picket(), forward_fuel=1, bridge=1)
    state.ship.rooms["bridge"].tended = True
    state.ship.officers["executive"].place = "forward-fuel"
    run(repair.spread_damage(table(state)))
    assert state.ship.rooms["forward-fuel"].hits == 2
    assert state.ship.rooms["bridge"].hits == 1
    assert not state.ship.rooms["forward-fuel"].held, "no man has stayed there"
    assert not state.ship.officers["executive"].dead


@pytest.mark.rule("picket", "7.8.2.H", "7.3.I", "P34")
def test_spreading_damage_may_cause_explosion() -> None:
    state = fit(picket(), magazine_1=3)
    state.ship.rooms["magazine-1"].hit_from = "port"
    run(repair.spread_damage(table(state, 5, 5)))
    assert state.ship.rooms["magazine-1"].flooded
    assert state.ship.tilt["port"] == 1


@pytest.mark.rule("picket", "7.3.H", "P24")
def test_repaired_compartment_is_pumped_dry() -> None:
    state = picket()
    hit(table(state, 6, 1), "forward-fuel", "forward", "port")
    mending(state, {"7.7": ["at-forward-fuel"] * 3}, 6, 6, 1)
    room = state.ship.rooms["forward-fuel"]
    assert (room.hits, room.flooded, state.ship.flood, state.ship.heel) == (0, False, 10, 0)
    assert state.ship.maneuver == 9


@pytest.mark.rule("picket", "7.9", "7.9.C", "7.9.D", "7.9.F", "P36")
@pytest.mark.parametrize(("face", "boxes", "men"), [(4, 0, 13), (5, 1, 12)])
def test_secondary_repair_on_four_once_phase(face: int, boxes: int, men: int) -> None:
    state = spaces(picket(), "sail-locker")
    mending(state, {"7.7": ["at-sail-locker"]}, face)
    assert state.ship.spaces["sail-locker"].boxes == boxes
    assert state.ship.men["aft"] == men
    assert not [one for one in mending(state) if one.rule == "7.7"]
    run(repair.spread_damage(table(state)))
    assert not state.ship.spaces["sail-locker"].tried


@pytest.mark.rule("picket", "7.9.F", "P36")
def test_damaged_locker_lowers_secondary_repair() -> None:
    state = spaces(picket(), "sail-locker", "repair-locker-3", "crew-head")
    state.ship.spaces["crew-head"].boxes = 2
    asked = mending(state, {"7.7": ["at-sail-locker"]}, 4)
    assert state.ship.spaces["sail-locker"].boxes == 1
    assert asked[-1].keys == ["at-sail-locker", "at-repair-locker-3"]


@pytest.mark.rule("picket", "7.9.E")
def test_secondary_without_man_is_not_attempted() -> None:
    state = spaces(picket(), "sail-locker")
    state.ship.men["aft"] = 0
    assert mending(state) == []


@pytest.mark.rule("picket", "7.9.H", "7.3.S", "P38")
def test_counter_flooding_dry_compartment() -> None:
    state = picket()
    state.ship.tilt["port"] = 2
    space = state.ship.spaces["shaft-alley"]
    space.boxes, space.tried, space.man, state.ship.men["aft"] = 1, True, True, 12
    asked = mending(state, {"7.9.H": [["shaft-alley-starboard"], ["enough"]]})
    assert {key.rpartition("-")[2] for key in asked[0].keys} == {"enough", "starboard"}
    assert set(asked[0].keys) - set(asked[1].keys) == {"shaft-alley-starboard"}, "it is flooded already"
    assert (space.boxes, space.flooded, state.ship.heel) == (2, True, -1)
    assert (state.ship.flood, state.ship.maneuver, state.ship.men["aft"]) == (9, 9, 13)


@pytest.mark.rule("picket", "7.10", "7.10.A", "7.10.B", "7.10.C", "7.11", "7.11.A", "7.11.B", "7.8.2.F")
@pytest.mark.parametrize("key", ["mk37", "radar-sg"])
def test_equipment_repair_uses_fixed_column(key: str) -> None:
    state = officers(picket(), repair_1=2)
    state.ship.spaces["radar-shop"].boxes = 2
    state.ship.gear[key].hits = 1
    mending(state, {"7.7": [f"at-{key}"]}, 4, 3)
    assert state.ship.gear[key].hits == 1
    assert state.ship.gear[key].man
    mending(state, {"7.7": [f"at-{key}"]}, 4, 4)
    assert (state.ship.gear[key].hits, state.ship.men["forward"]) == (0, 14)
    if key == "mk37":
        assert guns.directed(state, DATA, "gun-1")


@pytest.mark.rule("picket", "7.12", "7.12.C", "7.12.B")
@pytest.mark.parametrize(("hits", "face", "left"), [(2, 3, 0), (2, 2, 2)])
def test_water_lines_repaired_on_three(hits: int, face: int, left: int) -> None:
    state, asked = picket(), list[Decision]()
    state.ship.water_lines = hits
    at = table(state, face)
    run(repair.damage_control(at), None, asked)
    assert (asked, state.ship.water_lines) == ([], left)
    assert log_text(at, "7.12.C") == f"The water lines are {'still broken' if left else 'repaired'}."
    state.ship.water_lines = 3
    mending(state)
    assert state.ship.water_lines == 3


def half(state: Picket) -> Picket:
    """Return a half-damaged ship."""
    return spaces(fit(state, **{key.replace("-", "_"): 1 for key in list(DATA.rooms)[:13]}), *list(DATA.secondary)[:14])


@pytest.mark.rule("picket", "7.7.L", "7.7.M", "P37")
def test_all_hands_once_phase_at_half_damage() -> None:
    state = half(picket())
    assert assignments.count_damaged(table(state)) == (27, 54)
    run(assignments.call_all_hands(table(state, 4, 4)), {"7.7.L": "all-hands"})
    assert state.ship.all_hands
    assert not any(guns.works(state, DATA, key) for key in state.ship.mounts)
    assert state.raid.declared
    state.ship.all_hands = False
    asked = list[Decision]()
    run(assignments.call_all_hands(table(state)), None, asked)
    assert asked == []
    state.ship.spaces[next(iter(DATA.secondary))].boxes = 0
    assert not assignments.is_half_damaged(table(state))
    assert assignments.count_damaged(table(picket(game="basic"))) == (0, 24)


@pytest.mark.rule("picket", "7.7.N")
def test_failed_all_hands_offers_abandoning() -> None:
    for answer, lost in (("fight-on", ""), ("abandon", "abandoned")):
        state = half(picket())
        run(assignments.call_all_hands(table(state, 4, 3)), {"7.7.L": "all-hands", "7.7.N": answer})
        assert (state.ship.all_hands, state.ship.lost) == (False, lost)


@pytest.mark.rule("picket", "7.7.O")
def test_all_hands_call_off_conditions() -> None:
    state = half(attacked(picket(), plane("0H")))
    state.ship.all_hands = True
    asked = list[Decision]()
    run(assignments.call_off_all_hands(table(state)), None, asked)
    assert asked == []
    run(sequence._strike(table(state, 1, 1)))
    run(assignments.call_off_all_hands(table(state)), {"7.7.O": "call-off"})
    assert not state.ship.all_hands
    repaired = picket()
    repaired.ship.all_hands = True
    run(assignments.call_off_all_hands(table(repaired)), {"7.7.O": "call-off"})
    assert not repaired.ship.all_hands


@pytest.mark.rule("picket", "11.5", "11.5.A", "11.5.B", "11.5.C", "P54", "7.3.P")
def test_gun_repair_option() -> None:
    state = officers(picket(gun_repairs="yes"), repair_1=1, executive=1)
    state.ship.mounts["gun-1"].hits, state.ship.mounts["gun-f"].hits = 2, 1
    answers = {"7.7.E": "to-gun-1", "7.7.G": "section-aft", "7.7": ["at-gun-1"] * 3}
    asked = mending(state, answers, 3, 4, 6)
    assert [one.piece_key for one in asked if one.rule == "7.7"] == ["forward"]
    assert (state.ship.mounts["gun-1"].hits, state.ship.mounts["gun-1"].men) == (0, 0)
    assert state.ship.men["forward"] == 14
    result = picket()
    result.ship.mounts["gun-1"].hits = 2
    assert mending(result) == []


@pytest.mark.rule("picket", "7.2.F", "P54")
def test_gun_second_hit_kills_men() -> None:
    state = picket(gun_repairs="yes")
    state.ship.mounts["gun-1"].hits = 1
    mending(state, {"7.7": ["at-gun-1"] * 2}, 1, 1)
    assert state.ship.mounts["gun-1"].men == 2
    hit(table(state), "gun-1", "forward", "bow")
    assert state.ship.mounts["gun-1"].men == 0
    assert state.ship.men["forward"] == 12


@pytest.mark.rule("picket", "7.5", "7.8", "7.9", "7.10", "7.11", "11.5.C")
def test_repair_attempts_in_printed_order() -> None:
    state = spaces(fit(picket(gun_repairs="yes"), bridge=1, rudder=1), "sonar", "sail-locker")
    ship = state.ship
    for key in ("mk37", "director-e", "radar-sg"):
        ship.gear[key].hits = 1
    ship.mounts["gun-1"].hits = 1
    at = table(state, *[1, 1] * 2, 6, 6, *[1, 1] * 4)
    run(repair.damage_control(at), {"7.7": lambda decision: decision.keys})
    order = [
        "Damage control fails in the Bridge",
        "Damage control fails in the Rudder",
        "Sonar Room",
        "Sail Locker",
        "Mark 37 director",
        "Director E",
        "SG radar",
        "The repair of 5-inch mount 1 fails",
    ]
    lines = [line.text for line in at.log or [] if line.rule in ("7.8.2", "7.9", "7.10", "7.11", "11.5.C")]
    assert [line.rstrip(".").partition(" is ")[0] for line in lines] == order


@pytest.mark.rule("picket", "7.3.X", "7.3.B", "7.3.N", "7.9.F", "11.5.A")
def test_destroyed_places_are_not_offered() -> None:
    state = spaces(picket(gun_repairs="yes"), "galley")
    ship = state.ship
    for _ in range(3):
        hit(table(state), "bridge", "forward", "bow")
        hit(table(state), "gun-1", "forward", "bow")
    ship.gear["mk37"].hits, ship.spaces["sonar"].boxes, ship.mounts["gun-j"].hits = 2, 2, 1
    asked = mending(state)
    assert [one.keys for one in asked if one.rule == "7.7"] == [["at-galley"]]
    assert not [one for one in asked if one.rule == "7.7.E"]


@pytest.mark.rule("picket", "7.7.L", "7.7.N", "7.8", "7.8.1.A")
def test_fires_then_all_hands_then_repairs() -> None:
    state = half(picket())
    state.ship.fires["aft"] = 1
    asked = mending(state, {"7.7.L": "all-hands", "7.7.N": "abandon"}, 4, 3, 3)
    assert [one.rule for one in asked] == ["7.7.L", "7.7.N"]
    assert (state.ship.fires["aft"], state.ship.lost) == (0, "abandoned")
    assert mending(state) == []
    burning = half(picket())
    burning.ship.fires["aft"] = 3
    assert mending(burning, None, 5) == []
    assert burning.ship.lost == "lost to fire"


@pytest.mark.rule("picket", "7.7.G", "7.7.E", "7.7.F")
def test_dead_officers_are_not_assigned() -> None:
    state = fit(picket(), steering_room=1)
    for key in ("executive", "engineer", "damage-control"):
        state.ship.officers[key].dead = True
    assert [one.rule for one in mending(state)] == ["7.7"]


@pytest.mark.rule("picket", "7.7.G", "7.7.H")
def test_damage_control_officer_helps_own_section() -> None:
    state = officers(fit(picket(), bridge=1), damage_control=2)
    for place, value in (("forward", 1 + 1 + 2 - 2), ("aft", 1 + 1 - 2), ("cic", 1 + 1 - 2)):
        state.ship.officers["damage-control"].place = place
        assert repair_checks.repair_value(table(state), "bridge", "forward", 1, 1) == value


@pytest.mark.rule("picket", "7.8.2.E", "7.8.2.F")
def test_remaining_markers_keep_men() -> None:
    state = officers(fit(picket(), forward_fuel=2, bridge=1), repair_1=2)
    asked = mending(state, {"7.7": ["at-forward-fuel"] * 3}, 6, 6, 1)
    assert "7.8.2.F" not in [one.rule for one in asked]
    assert (state.ship.rooms["forward-fuel"].hits, state.ship.rooms["forward-fuel"].men) == (1, 3)
    assert [one.rule for one in mending(state, None, 1, 1)].count("7.8.2.F") == 0


@pytest.mark.rule("picket", "7.9.H", "P38")
@pytest.mark.parametrize(
    ("tilt", "sides"),
    [
        ({"bow": 2}, {"stern"}),
        ({"stern": 2}, {"bow"}),
        ({"starboard": 2, "bow": 1}, {"port", "stern"}),
        ({"port": 1}, set()),
        ({}, set()),
    ],
)
def test_counter_flooding_reduces_list_and_trim(tilt: dict[Side, int], sides: set[str]) -> None:
    state = picket()
    state.ship.tilt |= tilt
    asked = mending(state)
    assert {key.rpartition("-")[2] for one in asked for key in one.keys} - {"enough"} == sides
    assert mending(picket(game="basic")) == []


@pytest.mark.rule("picket", "7.7.J", "7.9.H")
def test_each_loss_is_on_the_ship_when_it_is_reported() -> None:
    findings = check_playout(games.load("picket"), "kyushu", {"gun_repairs": "yes"}, "conform/8", points=1)
    assert findings.checks[Invariant.LOSSES]
    assert findings.ok, str(findings)


@pytest.mark.rule("picket", "7.8.2.H")
def test_room_tended_resets_each_phase() -> None:
    state = fit(picket(), bridge=1)
    state.ship.rooms["bridge"].tended = True
    run(repair.spread_damage(table(state)))
    run(repair.spread_damage(table(state)))
    assert state.ship.rooms["bridge"].hits == 2


@pytest.mark.rule("picket", "7.8.2.F", "7.7.C", "P33")
def test_attempted_or_full_places_are_not_offered() -> None:
    state = spaces(fit(picket(), bridge=1, cic=1, radio=1, forward_fuel=1), "sonar", "wardroom")
    state.ship.spaces["wardroom"].tried = True
    first = ["at-bridge", "at-cic", *["at-radio"] * 3]
    asked = mending(state, {"7.7": first, "7.8.2.F": [["at-sonar"], [], []]}, 1, 1, 6, 6, 6, 1, 1, 6)
    assert [(one.piece_key, one.keys) for one in asked if one.rule == "7.8.2.F"] == [
        ("cic", ["at-forward-fuel", "at-sonar"])
    ]
    assert state.ship.rooms["bridge"].hits == 1


@pytest.mark.rule("picket", "7.10.B", "7.11.B", "7.8.2.D")
@pytest.mark.parametrize("key", ["director-c", "radar-sc"])
def test_radar_shop_modifies_equipment_repair(key: str) -> None:
    state = officers(picket(), repair_1=2, repair_2=2, damage_control=2)
    state.ship.gear[key].hits, state.ship.morale = 1, -1
    mending(state, {"7.7": [f"at-{key}"]}, 4, 4)
    assert state.ship.gear[key].hits == 0
    state.ship.gear[key].hits, state.ship.spaces["radar-shop"].boxes = 1, 2
    mending(state, {"7.7": [f"at-{key}"]}, 4, 4)
    assert state.ship.gear[key].hits == 1


@pytest.mark.rule("picket", "7.7.F")
def test_engineer_not_asked_without_damaged_room() -> None:
    assert [one.rule for one in mending(fit(picket(), bridge=1))] == ["7.7.E", "7.7.G", "7.7"]
    burning = picket()
    burning.ship.fires["forward"] = 1
    assert mending(burning, None, 4) == []
    assert burning.ship.fires["forward"] == 0


@pytest.mark.rule("picket", "7.7.E", "7.7.F", "P32")
def test_officer_helps_one_compartment() -> None:
    state = officers(fit(picket(), bridge=1, cic=1, steering_room=1), executive=2)
    mending(state, {"7.7.E": "to-cic", "7.7.F": "stay", "7.7": []})
    values = [repair_checks.repair_value(table(state), key, "forward", 1, 1) for key in ("bridge", "cic")]
    assert values == [0, 2]
    assert state.ship.officers["engineer"].place == "forward-engine-room"
    assert not state.ship.officers["engineer"].assigned


@pytest.mark.rule("picket", "7.8.2.F")
def test_only_assigned_officer_moves_on() -> None:
    state = officers(fit(picket(), bridge=1, cic=1, steering_room=1), executive=2)
    answers = {"7.7.E": "to-cic", "7.7.F": "to-steering-room", "7.7": lambda one: one.keys[:1], "7.8.2.F": []}
    asked = mending(state, answers, 6, 6, 6, 1, 1)
    assert [(one.rule, one.piece_key) for one in asked if one.rule == "7.8.2.F"] == [("7.8.2.F", "bridge")]
    result = officers(fit(picket(), rudder=1), executive=2)
    answers = {"7.7.E": "to-rudder", "7.7": ["at-rudder"], "7.8.2.F": "to-bridge"}
    asked = mending(result, answers, 6, 6, 6)
    assert asked[-1].keys == ["stay", "to-bridge"]
    assert (result.ship.officers["executive"].place, result.ship.officers["executive"].assigned) == ("bridge", False)


@pytest.mark.rule("picket", "7.3.H", "P24")
def test_pumping_affects_repaired_compartment_only() -> None:
    state = picket()
    for key in ("forward-fuel", "magazine-1"):
        hit(table(state, 6, 1), key, "forward", "port")
    mending(state, {"7.7": ["at-forward-fuel"] * 3}, 6, 6, 6)
    assert (state.ship.flood, state.ship.tilt["port"]) == (9, 1)
    assert state.ship.rooms["magazine-1"].flooded


@pytest.mark.rule("picket", "7.9.D", "P33")
@pytest.mark.parametrize(("tried", "offered"), [(False, ["at-sonar", "at-sail-locker"]), (True, ["at-sail-locker"])])
def test_attempted_secondary_not_offered_in_phase(tried: bool, offered: list[str]) -> None:
    state = spaces(picket(), "sonar", "sail-locker")
    state.ship.spaces["sonar"].tried = tried
    assert [key for one in mending(state) for key in one.keys] == offered


@pytest.mark.rule("picket", "7.9.F", "P36")
def test_repair_locker_itself_repaired_on_four() -> None:
    state = spaces(picket(), "repair-locker-3")
    mending(state, {"7.7": ["at-repair-locker-3"]}, 4)
    assert state.ship.spaces["repair-locker-3"].boxes == 0


@pytest.mark.rule("picket", "7.9.H", "P38")
def test_counter_flooding_offers_dry_low_compartments() -> None:
    state = picket()
    state.ship.tilt["port"] = 2
    state.ship.spaces["feed-tank"].flooded = True
    asked = mending(state)
    offered = {key.rpartition("-")[0] for key in asked[0].keys} - {""}
    assert offered == {key for key, card in DATA.secondary.items() if card.floods} - {"feed-tank"}


@pytest.mark.rule("picket", "7.7.O", "7.7.L")
def test_call_off_asked_below_half_damage() -> None:
    state = fit(picket(), bridge=1)
    state.ship.all_hands = True
    asked = mending(state, {"7.7.O": "go-on"})
    assert asked[0].rule == "7.7.O"
    assert state.ship.all_hands
    assert "7.7.L" not in [one.rule for one in asked]


@pytest.mark.rule("picket", "7.7.L")
@pytest.mark.parametrize(("value", "dice", "works"), [(2, (3, 3), True), (-2, (5, 4), False), (-2, (5, 5), True)])
def test_all_hands_roll_uses_captain_value(value: int, dice: tuple[int, int], works: bool) -> None:
    state = officers(half(picket()), captain=value)
    run(assignments.call_all_hands(table(state, *dice)), {"7.7.L": "all-hands"})
    assert state.ship.all_hands == works
    still = half(picket())
    run(assignments.call_all_hands(table(still)), {"7.7.L": "go-on"})
    assert not still.raid.declared


@pytest.mark.rule("picket", "7.8.2.F", "2.0.B")
def test_damaged_post_is_offered_once() -> None:
    state = fit(picket(), cic=1, bridge=1, steering_room=1)
    state.ship.officers["engineer"].post = "aft-engine-room"
    answers = {"7.7.E": "to-cic", "7.7.F": "to-steering-room", "7.7": lambda one: one.keys[-1:]}
    asked = mending(state, answers | {"7.8.2.F": [[], ["to-bridge"], ["to-aft-engine-room"]]}, *[6, 6, 6] * 3)
    offered = {one.piece_key: one.keys for one in asked if one.rule == "7.8.2.F"}
    assert offered["executive"] == ["to-bridge", "to-steering-room", "stay"]
    assert offered["engineer"] == ["stay", "to-aft-engine-room"]
    assert state.ship.officers["executive"].assigned
    assert not state.ship.officers["engineer"].assigned


@pytest.mark.rule("picket", "7.9.H", "P38")
def test_level_ship_ends_counter_flooding() -> None:
    state, asked = picket(), list[Decision]()
    state.ship.tilt["port"] = 2
    at = table(state)
    run(repair.damage_control(at), {"7.9.H": [["shaft-alley-starboard"], ["feed-tank-starboard"]]}, asked)
    assert [one.rule for one in asked] == ["7.9.H", "7.9.H"]
    assert log_text(at, "7.9.H").endswith("is flooded: no list, even keel.")


@pytest.mark.rule("picket", "7.9.F", "7.10.C", "7.11.B")
@pytest.mark.parametrize(("dice", "sentence"), [([1, 6, 6], "repaired"), ([6, 1, 1], "not yet")])
def test_log_shows_single_man_repairs(dice: list[int], sentence: str) -> None:
    state = spaces(picket(), "galley")
    state.ship.gear["director-a"].hits = 1
    at = table(state, *dice)
    run(repair.damage_control(at), {"7.7": lambda one: one.keys})
    assert log_text(at, "7.9").startswith(f"Galley is {sentence}")
    assert log_text(at, "7.10").startswith(f"Director A is {sentence}")


@pytest.mark.rule("picket", "7.8.2.H", "7.3.J")
def test_lost_ship_takes_no_spreading_damage() -> None:
    state = fit(picket(), magazine_1=3, rudder=1)
    at = table(state, 1, 1, 1, 1)
    run(repair.spread_damage(at))
    assert (state.ship.lost, state.ship.rooms["rudder"].hits) == ("blown up", 1)
    assert "Rudder" not in log_text(at, "7.8.2.H")


@pytest.mark.rule("picket", "7.8.2.G", "7.7.E", "11.5.B", "P34")
@pytest.mark.parametrize(
    ("place", "assigned", "held"),
    [("bridge", True, True), ("bridge", False, False), ("cic", True, False), ("gun-1", True, False)],
)
def test_only_assigned_officer_is_held(place: str, assigned: bool, held: bool) -> None:
    state = fit(picket(gun_repairs="yes"), bridge=1)
    state.ship.mounts["gun-1"].hits = 1
    executive = state.ship.officers["executive"]
    executive.place, executive.assigned = place, assigned
    run(repair.spread_damage(table(state)))
    assert executive.held is held


@pytest.mark.rule("picket", "7.8.2.F")
def test_officer_not_offered_attempted_place() -> None:
    state = fit(picket(), cic=1, radio=1)
    answers = {"7.7.E": "to-radio", "7.7": ["at-cic", *["at-radio"] * 3]}
    asked = mending(state, answers, 1, 1, 6, 6, 6)
    assert [one.keys for one in asked if one.piece_key == "executive"] == [["stay", "to-bridge"]]


@pytest.mark.rule("picket", "7.8.1.B", "7.12.A")
@pytest.mark.parametrize(("lines", "sentence"), [(0, ""), (1, "The fires on the aft deck spread.")])
def test_damaged_water_lines_hinder_fire_fighting(lines: int, sentence: str) -> None:
    state = picket()
    state.ship.fires["aft"], state.ship.water_lines = 1, lines
    at = table(state, 4, 3)
    fires.fight_deck_fires(at)
    assert (log_text(at, "7.8.1.C"), state.ship.fires["aft"]) == (sentence, 0)


@pytest.mark.rule("picket", "7.9.H", "P38")
def test_no_dry_compartment_no_question() -> None:
    state, asked = picket(), list[Decision]()
    state.ship.tilt["port"] = 2
    for space in state.ship.spaces.values():
        space.flooded = True
    at = table(state)
    run(repair.damage_control(at), {}, asked)
    assert (asked, log_text(at, "7.9.H")) == ([], "")


@pytest.mark.rule("picket", "7.8.2.F", "7.7.F")
def test_engineer_moves_on_to_machinery_only() -> None:
    state = fit(picket(), steering_room=1, aft_fire_room=1, bridge=1)
    answers = {"7.7.F": "to-steering-room", "7.7": lambda one: one.keys[-1:] if one.piece_key == "aft" else []}
    asked = mending(state, answers, 6, 6, 6)
    offered = [one.keys for one in asked if one.piece_key == "engineer"]
    assert offered == [["to-aft-fire-room", "stay", "to-forward-engine-room"]]


@pytest.mark.rule("picket", "7.9.F", "7.9.D")
def test_secondary_repairer_stays_for_next_phase() -> None:
    state = spaces(picket(), "sail-locker")
    mending(state, {"7.7": ["at-sail-locker"]}, 5)
    mending(state, {"7.7": []})
    assert state.ship.spaces["sail-locker"].man
    run(repair.spread_damage(table(state)))
    mending(state, {"7.7": []}, 4)
    assert (state.ship.spaces["sail-locker"].boxes, state.ship.men["aft"]) == (0, 13)


@pytest.mark.rule("picket", "7.8.2.F")
def test_officer_repairing_alone_may_move_on() -> None:
    state = officers(fit(picket(), bridge=1, rudder=1), executive=2)
    asked = mending(state, {"7.7": [], "7.7.E": "to-bridge", "7.8.2.F": [["to-rudder"], ["stay"]]}, 6, 6, 6, 1, 1)
    assert [one.piece_key for one in asked if one.rule == "7.8.2.F"] == ["executive"]
    assert state.ship.officers["executive"].place == "rudder"


@pytest.mark.rule("picket", "11.5.B", "P54")
def test_unmanned_gun_is_attempted() -> None:
    state = officers(picket(gun_repairs="yes"), executive=2)
    state.ship.mounts["gun-1"].hits = 1
    mending(state, {"7.7": [], "7.7.E": "to-gun-1", "7.8.2.F": "stay"}, 6, 6, 6)
    assert state.ship.mounts["gun-1"].hits == 0
