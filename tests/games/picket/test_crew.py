"""Tests of casualties and replacements."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.picket.helpers import CHIT, attacked, fit, hit, picket, plane, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket.combat import strike
from readyroom.games.picket.ending import upkeep
from readyroom.games.picket.ship import crew
from readyroom.games.picket.state import OFFICERS, Picket


def manned(*values: int, **options: Any) -> Picket:
    """Return a ship whose officers have these values, from the captain down."""
    state = picket(phase="midday-weather", **options)
    for officer, value in zip(OFFICERS, values, strict=False):
        state.ship.officers[officer].value = value
    return state


def values(state: Picket) -> list[int]:
    return [state.ship.officers[officer].value for officer in OFFICERS]


@pytest.mark.rule("picket", "7.2.F", "7.7.J", "7.8.2.K", "P30")
def test_compartment_hit_kills_everyone_inside() -> None:
    state = picket()
    state.ship.rooms["bridge"].men = 2
    hit(table(state), "bridge", "forward", "bow")
    dead = [officer for officer, result in state.ship.officers.items() if result.dead]
    assert dead == ["captain", "executive"]
    assert state.ship.rooms["bridge"].men == 0
    assert state.ship.men["forward"] == 14
    assert state.ship.value("captain") == 0


@pytest.mark.rule("picket", "7.2.F", "7.10.E", "7.11.D")
@pytest.mark.parametrize("key", ["director-c", "radar-sg"])
def test_equipment_destroyed_kills_man_at_work(key: str) -> None:
    state = picket()
    state.ship.gear[key].hits, state.ship.gear[key].man = 1, True
    hit(table(state), key, "forward", "bow")
    assert not state.ship.gear[key].man
    assert state.ship.men == {"forward": 14, "midship": 10, "aft": 13}


@pytest.mark.rule("picket", "7.7.K", "7.9.G")
def test_secondary_hit_rolls_for_each_man_in_section() -> None:
    state = picket()
    ship = state.ship
    ship.rooms["rudder"].men, ship.spaces["sail-locker"].man, ship.gear["director-e"].man = 1, True, True
    ship.rooms["bridge"].men = 3
    hit(table(state, 6, 5, 5, 6, 6), "crew-head", "aft", "stern")
    assert (ship.rooms["rudder"].men, ship.gear["director-e"].man, ship.spaces["sail-locker"].man) == (0, True, True)
    assert ship.rooms["bridge"].men == 3
    hit(table(state, 5, 6, 1), "crew-quarters-2", "aft", "stern")
    assert ship.gear["director-e"].man
    assert not ship.spaces["sail-locker"].man


@pytest.mark.rule("picket", "7.7.K")
def test_secondary_destroyed_returns_man_to_party() -> None:
    state = picket()
    space = state.ship.spaces["sail-locker"]
    space.boxes, space.man = 1, True
    hit(table(state, 1), "sail-locker", "aft", "stern")
    assert space.boxes == 2
    assert not space.man
    assert state.ship.men["aft"] == 14


@pytest.mark.rule("picket", "7.6", "7.6.A", "8.1.A", "P31")
def test_dead_officer_value_is_zero_until_next_phase() -> None:
    state = manned(2, 2, 2, 2, 2, 2)
    state.at = type(state.at)(1, "night-end")
    state.ship.officers["captain"].dead = True
    run(upkeep.phase_ends(table(state)))
    assert state.ship.officers["captain"].dead
    upkeep._morale(table(state, 5, 5))
    assert state.ship.value("captain") == 0
    run(crew.succession(table(state, CHIT[1], 7)))
    assert not state.ship.officers["captain"].dead
    assert state.ship.value("captain") == 2


@pytest.mark.rule("picket", "7.6.B", "7.6.D", "7.6.E", "P31", "P49")
def test_captain_chooses_new_chief_petty_officer() -> None:
    state = manned(2, 1, 0, -1, -2, -1)
    state.ship.officers["engineer"].dead = True
    state.ship.officers["repair-1"].value, state.ship.officers["repair-2"].value = 1, -1
    asked = list[Decision]()
    run(crew.succession(table(state, CHIT[2], CHIT[-1])), {"7.6.B": "repair-3"}, asked)
    assert asked[0].keys == ["repair-2", "repair-3", "repair-1"], "the worst of them comes first"
    assert values(state) == [2, 1, -1, -2, -1, 2]
    assert state.ship.officers["repair-3"].value == -1
    assert state.ship.men["aft"] == 12


@pytest.mark.rule("picket", "7.6.C", "P31")
def test_several_dead_replaced_by_chits() -> None:
    state = manned(2, 2, 2, 2, 2, 2)
    state.ship.officers["captain"].dead = state.ship.officers["gunnery"].dead = True
    asked = list[Decision]()
    run(crew.succession(table(state, CHIT[-2], CHIT[-2])), {}, asked)
    assert asked == []
    assert values(state) == [-2, 2, 2, -2, 2, 2]


@pytest.mark.rule("picket", "7.6.B", "P31")
def test_option_replaces_single_dead_by_chit() -> None:
    state = manned(2, 2, 2, 2, 2, 2, succession="chits")
    state.ship.officers["captain"].dead = True
    run(crew.succession(table(state, CHIT[-2])))
    assert values(state) == [-2, 2, 2, 2, 2, 2]


@pytest.mark.rule("picket", "7.6.D", "7.7.H", "7.3.V")
def test_dead_chief_value_is_zero_until_replaced() -> None:
    state = picket()
    state.ship.officers["repair-2"].value = 2
    hit(table(state, 1, 4), "crew", "midship", "port")
    assert state.ship.value("repair-2") == 0
    state.ship.men["midship"], state.ship.rooms["forward-stack"].men = 0, 2
    run(crew.succession(table(state, CHIT[1])))
    assert state.ship.value("repair-2") == 1
    assert state.ship.rooms["forward-stack"].men == 1


@pytest.mark.rule("picket", "2.0.B", "7.6")
def test_successor_moves_to_post() -> None:
    state = fit(manned(), aft_engine_room=1)
    engineer = state.ship.officers["engineer"]
    engineer.post, engineer.place, engineer.dead = "aft-engine-room", "steering-room", True
    run(crew.succession(table(state, 7, 7)))
    assert engineer.place == "aft-engine-room"
    assert not engineer.assigned


@pytest.mark.rule("picket", "7.3.V", "7.7.K")
def test_sick_bay_saves_on_six() -> None:
    state = picket()
    hit(table(state, 3, 4, 6), "crew", "aft", "stern")
    assert state.ship.men["aft"] == 13
    state.ship.spaces["sick-bay"].boxes = 1
    hit(table(state, 3, 4), "crew", "aft", "stern")
    assert state.ship.men["aft"] == 12


def busy(state: Picket) -> Picket:
    """Return a state without free men in the aft party: two work at the rudder, one at a director."""
    state.ship.men["aft"] = 0
    state.ship.rooms["rudder"].men, state.ship.gear["director-e"].man = 2, True
    return state


@pytest.mark.rule("picket", "7.3.V")
def test_casualty_without_free_man_is_chosen_by_captain() -> None:
    state, asked = busy(picket()), list[Decision]()
    run(crew.killed(table(state, 4, 5, 1, 1), "aft"), {"7.3.V": ["from-director-e"]}, asked)
    assert [one.keys for one in asked] == [["from-rudder", "from-director-e"]]
    assert (state.ship.rooms["rudder"].men, state.ship.gear["director-e"].man) == (1, False)


@pytest.mark.rule("picket", "7.6.D")
def test_dead_chief_without_free_man_is_replaced_by_choice() -> None:
    state = busy(manned())
    state.ship.officers["repair-3"].dead = True
    run(crew.succession(table(state, CHIT[1])), {"7.6.D": "from-director-e"})
    assert (state.ship.rooms["rudder"].men, state.ship.gear["director-e"].man) == (2, False)
    assert state.ship.value("repair-3") == 1


@pytest.mark.rule("picket", "7.3.V", "7.1.C")
def test_casualty_question_precedes_next_roll() -> None:
    state, asked = attacked(busy(picket()), plane("180M")), list[Decision]()
    rules = strike.regular_strikes(table(state, 6, 6, 9, 5, 3, 4, 1, 9, 1))
    run(rules, {"7.3.V": "from-rudder"}, asked)
    assert [one.rule for one in asked] == ["7.3.V"]
    assert (state.ship.rooms["rudder"].men, state.ship.hull) == (1, 8)


@pytest.mark.rule("picket", "7.8.2.G")
def test_new_men_are_not_held() -> None:
    state = picket()
    room = state.ship.rooms["rudder"]
    room.men, room.held = 2, True
    crew.take_off_job(table(state), "rudder")
    assert room.held
    crew.take_off_job(table(state), "rudder")
    assert not room.held


@pytest.mark.rule("picket", "7.3.V", "7.6.D")
def test_free_man_is_taken_first_without_question() -> None:
    state, asked = picket(), list[Decision]()
    state.ship.men["aft"], state.ship.rooms["rudder"].men = 1, 2
    for left in ((0, 2), (0, 1)):
        run(crew.killed(table(state, 3, 4, 1), "aft"), {}, asked)
        assert (state.ship.men["aft"], state.ship.rooms["rudder"].men) == left
    assert asked == []
    state.ship.rooms["rudder"].men = 0
    state.ship.officers["repair-3"].dead = True
    run(crew.succession(table(state, CHIT[1])))
    assert (state.ship.men["aft"], state.ship.value("repair-3")) == (0, 1)


@pytest.mark.rule("picket", "7.6.B", "7.6.D")
def test_dead_chief_cannot_be_promoted() -> None:
    state, asked = manned(2, 1, 0, -1, -2, 1), list[Decision]()
    state.ship.officers["captain"].dead = state.ship.officers["repair-1"].dead = True
    run(crew.succession(table(state, CHIT[0], CHIT[0], CHIT[0])), {"7.6.B": "repair-3"}, asked)
    assert asked[0].keys == ["repair-2", "repair-3"]
    assert (state.ship.men["forward"], state.ship.men["midship"], state.ship.men["aft"]) == (13, 10, 12)
    assert state.ship.officers["captain"].place == "bridge"
    without = manned()
    for key in ("captain", "repair-1", "repair-2", "repair-3"):
        without.ship.officers[key].dead = True
    run(crew.succession(table(without, CHIT[0], CHIT[0], CHIT[0], CHIT[0])), {}, asked)
    assert len(asked) == 1


@pytest.mark.rule("picket", "7.6.A", "7.3.V")
def test_lost_ship_has_no_succession() -> None:
    state = picket()
    state.ship.officers["captain"].dead = True
    hit(table(state, 1, 1), "crew", "forward", "bow")
    state.ship.lost = "broken in two"
    run(crew.succession(table(state)))
    assert state.ship.officers["captain"].dead


@pytest.mark.rule("picket", "7.7.B", "7.7.K", "7.8.2.G")
def test_only_men_of_section_are_at_risk() -> None:
    state = picket(gun_repairs="yes")
    state.ship.gear["mk37"].man, state.ship.mounts["gun-1"].men, state.ship.mounts["gun-3"].men = True, 1, 2
    assert crew.at_work(table(state), "aft") == ["gun-3", "gun-3"]
    assert crew.at_work(table(state), "forward") == ["mk37", "gun-1"]
    hit(table(state, 5, 5), "crew-head", "aft", "stern")
    state.ship.rooms["rudder"].men = 2
    crew.take_off_job(table(state), "rudder")
    assert not state.ship.rooms["rudder"].held
