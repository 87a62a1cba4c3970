"""Tests of ships returning to port (rules 14.3): the check, and hazards on the way."""

from __future__ import annotations

import pytest
from tests.games.doolittle.end_helpers import over
from tests.games.doolittle.helpers import log_text, rules_asked, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.return_to_port import fleets, homeward, return_check, roll_incident
from readyroom.games.doolittle.voyage.ships import TASK_FORCE, ships_afloat
from readyroom.games.doolittle.voyage.state import Launch


def _group(state: Doolittle, *ships: str, name: str = "group-1", area: str = "midway") -> str:
    for key in ships:
        state.sea.ships[key].group = name
    state.sea.groups[name] = area
    return name


def _alone(state: Doolittle, *ships: str) -> None:
    """Reduce the task force to these ships."""
    for key, ship in state.sea.ships.items():
        ship.group = "" if key in ships else "home"


@pytest.mark.rule("doolittle", "14.3", "14.3.1", "DR110", "DR92")
def test_forces_sail_home_together_from_the_launch() -> None:
    state = over("homeward", alert=4)
    check = return_check(table(state), "task-force")
    assert dict(check.modifiers) == {"destroyers": 8, "carriers": 6, "alert": -1}
    assert check.at_least == 14
    assert fleets(state) == ["task-force"]


@pytest.mark.rule("doolittle", "14.3.1")
def test_empty_tank_costs_four_fast_gains_five_and_hit_ships_count_zero() -> None:
    state = over("homeward")
    _alone(state, "hornet", "gwin", "grayson")
    state.sea.fueled = False
    assert dict(return_check(table(state), "task-force").modifiers) == {
        "destroyers": 2,
        "carriers": 3,
        "low fuel": -4,
        "alert": -1,
        "fast ships": 5,
    }
    state.sea.ships["gwin"].hits = state.sea.ships["hornet"].hits = 1
    counts = dict(return_check(table(state), "task-force").modifiers)
    assert counts == {"destroyers": 1, "low fuel": -4, "alert": -1}


@pytest.mark.rule("doolittle", "14.3")
def test_planes_on_one_fleet_come_before_the_next_sails_home() -> None:
    state = over("homeward")
    name = _group(state, "cimarron", "gwin")
    assert state.ending is not None
    state.ending.homeward, state.sea.fueled = fleets(state), False
    run(homeward(table(state, 1, 1, 2)))
    assert state.strike is not None
    assert (state.strike.group, state.ending.homeward) == ("", [name])


@pytest.mark.rule("doolittle", "14.3")
def test_force_without_ships_does_not_sail_home() -> None:
    state = over("homeward")
    _group(state, "gwin")
    for ship in state.sea.ships.values():
        ship.sunk = True
    assert fleets(state) == []


@pytest.mark.rule("doolittle", "14.3.1", "DR92")
def test_alert_without_a_launch_is_the_present_one() -> None:
    state = over("homeward", alert=3)
    state.launched = Launch("midway", "none", 1, 0)
    assert dict(return_check(table(state), "task-force").modifiers)["alert"] == -3
    state.launched = None
    assert dict(return_check(table(state), "task-force").modifiers)["alert"] == -3


@pytest.mark.rule("doolittle", "14.3", "14.3.1")
def test_detached_group_is_checked_alone_by_its_sea_area() -> None:
    state = over("homeward")
    name = _group(state, "cimarron", "gwin")
    assert fleets(state) == ["task-force", name]
    check = return_check(table(state), name)
    assert (dict(check.modifiers), check.at_least) == ({"destroyers": 1}, 8)
    assert state.ending is not None
    state.ending.homeward = fleets(state)
    at = table(state, 6, 6, 6, 6)
    run(homeward(at))
    assert log_text(at, "14.3.1").count("home without incident") == 2
    assert state.ending.homeward == []


@pytest.mark.rule("doolittle", "14.3.2")
def test_enemy_ships_sink_one_or_damage_two() -> None:
    state = over("homeward")
    sinking: list[Decision] = []
    run(roll_incident(table(state, 5, 5), "task-force"), {"14.3.2": ["hit-gwin"]}, sinking)
    assert sinking[0].question == "Which ship is sunk by the enemy?"
    assert state.sea.ships["gwin"].sunk
    assert state.strike is None
    asked: list[Decision] = []
    run(roll_incident(table(state, 6, 2), "task-force"), {"14.3.2": ["hit-balch", "hit-ellet"]}, asked)
    assert asked[0].question == "Which 2 ships are damaged by the enemy?"
    assert [key for key, ship in state.sea.ships.items() if ship.hits] == ["balch", "ellet"]


@pytest.mark.rule("doolittle", "14.3.2")
def test_roll_of_one_adds_planes() -> None:
    state = over("homeward")
    run(roll_incident(table(state, 5, 1), "task-force"), {"14.3.2": ["hit-gwin"]})
    assert state.strike is not None
    assert (state.strike.found, state.strike.group) == ("task-force", "")


@pytest.mark.rule("doolittle", "14.3.2", "11.0")
def test_planes_may_attack_a_group() -> None:
    state = over("homeward")
    name = _group(state, "gwin", "grayson")
    run(roll_incident(table(state, 2), name))
    assert state.strike is not None
    assert (state.strike.found, state.strike.group) == ("group", name)


@pytest.mark.rule("doolittle", "14.3.2")
@pytest.mark.parametrize(("dice", "text"), [((6, 4), "fast enough"), ((3,), "cannot keep up")])
def test_fast_ships_escape_ships_and_i_boats(dice: tuple[int, ...], text: str) -> None:
    state = over("homeward")
    _alone(state, "hornet", "gwin")
    at = table(state, *dice)
    run(roll_incident(at, "task-force"))
    assert text in log_text(at)
    assert not any(ship.hits or ship.sunk for ship in ships_afloat(state))


@pytest.mark.rule("doolittle", "14.3.2", "12.6.6.E")
@pytest.mark.parametrize("separate", [False, True])
def test_i_boat_finds_slow_ships(*, separate: bool) -> None:
    state = over("homeward")
    _alone(state, "cimarron")
    fleet = _group(state, "cimarron") if separate else "task-force"
    at = table(state, 3, 1, 1, 1, 1)
    asked: list[Decision] = []
    run(roll_incident(at, fleet), {"14.3.2": "usual"}, asked)
    assert rules_asked(asked) == ["14.3.2"] * separate
    assert "The I-boat is not detected" in log_text(at)
    assert state.sea.ships["cimarron"].hits == 1


@pytest.mark.rule("doolittle", "14.3", "10.1.1")
@pytest.mark.parametrize(("sunk", "fate"), [(False, "home"), (True, "overboard")])
def test_bombers_on_deck_share_the_fate_of_the_hornet(fate: str, *, sunk: bool) -> None:
    state = over("homeward")
    state.squad["b01"] = Bomber(key="b01", fate="home")
    state.squad["b02"] = Bomber(key="b02", fate="landed", where="kian")
    state.sea.ships["hornet"].sunk = sunk
    run(homeward(table(state)))
    assert (state.squad["b01"].fate, state.squad["b02"].fate) == (fate, "landed")


@pytest.mark.rule("doolittle", "14.3")
def test_force_in_port_does_not_sail_home() -> None:
    state = over("homeward")
    state.sea.area = ""
    assert fleets(state) == []
    state.voyage = None
    assert fleets(state) == []
    run(homeward(table(state)))


@pytest.mark.rule("doolittle", "14.3.1")
def test_log_of_ships_coming_home_is_singular_or_plural() -> None:
    state = over("homeward")
    assert state.ending is not None
    state.ending.homeward = [_group(state, "cimarron", "gwin"), _group(state, "balch", name="group-2")]
    at = table(state, 6, 6, 6, 6)
    run(homeward(at))
    assert "The Gwin and the Cimarron return home" in log_text(at)
    assert "The Balch returns home" in log_text(at)
    at = table(state, 6, 6)
    state.ending.homeward = [TASK_FORCE]
    run(homeward(at))
    assert "The task force returns home" in log_text(at)
