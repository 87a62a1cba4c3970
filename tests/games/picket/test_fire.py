"""Tests of defensive fire: the Mark 37, arcs, list and trim, modifiers, and effects on planes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.games.picket.helpers import DATA, attacked, guns_of, hit, log_text, picket, plane, rolled, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket import setup
from readyroom.games.picket.combat import fire, guns
from readyroom.games.picket.state import Picket

FIVE = ["gun-1", "gun-2", "gun-3", "gun-4", "gun-5"]


def firing(state: Picket, answers: Any = None, *dice: int) -> list[Decision]:
    """Return the questions of a wave with these answers and dice, except the confirmation to hold fire."""
    asked = list[Decision]()
    run(fire.defensive_fire(table(state, *dice)), answers, asked)
    return [one for one in asked if one.keys != ["hold", "again"]]


def added(state: Picket, key: str, at: str = "180M", kind: str = "zero", *, slaved: bool = False) -> dict[str, int]:
    """Return the nonzero modifiers of a gun."""
    pairs = guns.modifiers(state, DATA, key, plane(at, kind), slaved=slaved)
    return {name: value for name, value in pairs if value}


def only(state: Picket, *keys: str) -> Picket:
    """Return the state with these guns only."""
    for key, mount in state.ship.mounts.items():
        mount.hits = 0 if key in keys else 3
    return state


@pytest.mark.rule("picket", "6.8", "6.8.A", "6.8.C", "P13")
def test_basic_game_5_inch_fire_freely_with_bonus() -> None:
    state = attacked(picket(game="basic"), plane("90M"), plane("90L", number=2))
    asked = firing(state)
    assert [one.rule for one in asked] == ["6.8"]
    assert all(guns_of(asked[0])[key] == ["zero-1", "zero-2"] for key in FIVE)
    assert added(state, "gun-1", "90M") == {"director": 1}


@pytest.mark.rule("picket", "6.8.C", "6.8.C.1", "6.8.C.2", "P13")
def test_director_target_slaves_5_inch_guns() -> None:
    state = attacked(picket(), plane("90M"), plane("90L", number=2), plane("180M", number=3))
    asked = firing(state, {"6.8.C": "mk37-zero-2"})
    offered = guns_of(asked[-1])
    assert offered["gun-1"] == offered["gun-2"] == ["zero-2"]
    assert offered["gun-3"] == offered["gun-4"] == offered["gun-5"] == ["zero-2", "zero-3"]
    assert offered["gun-e"] == ["zero-1", "zero-2", "zero-3"]
    assert added(state, "gun-3", "90M", slaved=True) == {"director": 1}
    assert added(state, "gun-3") == {}


@pytest.mark.rule("picket", "6.8.C.1")
def test_manual_5_inch_guns_share_one_target_per_bearing() -> None:
    planes = plane("0H"), plane("180M", number=2), plane("180L", number=3)
    state = attacked(picket(), *planes)
    asked = firing(state, {"6.8.C": "mk37-zero-1", "6.8.C.1": "hand-zero-3"})
    assert [one.rule for one in asked] == ["6.8.C", "6.8.C.1", "6.8"]
    assert asked[1].keys == ["hand-zero-2", "hand-zero-3"]
    assert {key: guns_of(asked[2])[key] for key in FIVE} == {
        "gun-1": ["zero-1"],
        "gun-2": ["zero-1"],
        "gun-3": ["zero-3"],
        "gun-4": ["zero-3"],
        "gun-5": ["zero-3"],
    }


@pytest.mark.rule("picket", "6.8.C.3", "6.8.F")
@pytest.mark.parametrize("game", ["basic", "advanced"])
def test_damaged_mk37_gives_no_bonus(game: str) -> None:
    state = attacked(picket(game=game), plane("0H"))
    assert added(state, "gun-1", "0H", slaved=True) == {"director": 1}
    state.ship.gear["mk37"].hits = 1
    assert added(state, "gun-1", "0H", slaved=True) == {}
    assert "6.8.C" not in [one.rule for one in firing(state)]
    state.ship.gear["mk37"].hits = 0
    assert added(state, "gun-1", "0H", slaved=True) == {"director": 1}


@pytest.mark.rule("picket", "6.8.C.3", "7.3.K")
def test_damaged_plotting_room_cancels_mk37_bonus() -> None:
    state = picket()
    state.ship.spaces["plotting-room"].boxes = 1
    assert added(state, "gun-1", "0H", slaved=True) == {}


@pytest.mark.rule("picket", "6.8.D", "6.8.E")
def test_director_by_gun_kind() -> None:
    state = picket()
    state.ship.gear["director-a"].hits = 1
    assert (added(state, "gun-a", "0M"), added(state, "gun-b", "0M")) == ({}, {"director": 1})
    assert added(state, "gun-j") == {}


@pytest.mark.rule("picket", "7.8.2.J")
def test_no_steam_disables_directors() -> None:
    state = picket()
    state.ship.rooms["forward-fire-room"].destroyed = True
    assert added(state, "gun-b", "0M") == {"director": 1}
    state.ship.rooms["aft-fire-room"].destroyed = True
    assert added(state, "gun-b", "0M") == {}
    assert added(state, "gun-1", "0M", slaved=True) == {}


@pytest.mark.rule("picket", "1.3.1", "6.8.N", "P15")
def test_gunnery_officer_value_counts_while_alive() -> None:
    state = picket()
    state.ship.officers["gunnery"].value = 2
    assert all(added(state, key)["gunnery officer"] == 2 for key in ("gun-3", "gun-e", "gun-j"))
    state.ship.officers["gunnery"].dead = True
    assert "gunnery officer" not in added(state, "gun-3")


@pytest.mark.rule("picket", "6.8.G", "6.8.I")
def test_gun_offers_targets_in_arc_and_takes_one() -> None:
    state = attacked(picket(game="basic"), plane("0H"), plane("180L", number=2))
    asked = firing(state)
    assert guns_of(asked[0]) == {
        **{key: ["zero-1"] for key in ("gun-1", "gun-2", "gun-a", "gun-b")},
        **{key: ["zero-2"] for key in ("gun-3", "gun-4", "gun-5", "gun-e", "gun-j", "gun-k", "gun-l")},
    }
    assert asked[0].budget == 1
    assert all(option.cost == 1 for option in asked[0].options)


@pytest.mark.rule("picket", "6.8.G", "6.8.H", "6.8.I")
def test_gun_that_cannot_fire_says_why() -> None:
    state = attacked(picket(), plane("90H"), plane("180L", number=2), plane("180M", number=3))
    state.ship.tilt["starboard"] = 2
    state.ship.mounts["gun-3"].hits = 3
    reasons = {one.key: one.reason for one in firing(state)[-1].unavailable}
    assert reasons["gun-1"] == "List or trim masks the planes in its arc."
    assert reasons["gun-3"].startswith("It is destroyed")
    assert reasons["gun-f"] == "No plane is in its arc."
    assert "gun-4" not in reasons


@pytest.mark.rule("picket", "6.8.J", "6.8.K", "6.8.L", "P16", "P53")
def test_three_hits_flame_plane_and_waste_later_guns() -> None:
    state = attacked(
        only(picket(game="basic"), "gun-3", "gun-4", "gun-5", "gun-e"), plane("180M"), plane("180H", number=2)
    )
    aimed = [f"{key}-zero-1" for key in ("gun-3", "gun-4", "gun-5", "gun-e")]
    firing(state, {"6.8": aimed}, 3, 3, 3, 3, 3, 3)
    first, second = state.wave.planes
    assert (first.hits, first.fate, second.hits) == (3, "flamed", 0)
    assert state.ship.mounts["gun-5"].kills == 1
    assert state.tally.shot == 1
    assert state.tally.fired


@pytest.mark.rule("picket", "6.8.K", "6.8.N", "6.8.P")
@pytest.mark.parametrize(
    ("dice", "hits", "fate"), [((2, 2), 0, ""), ((4, 4), 1, ""), ((5, 5), 0, "flamed"), ((5, 6), 0, "destroyed")]
)
def test_gun_roll_results(dice: tuple[int, int], hits: int, fate: str) -> None:
    state = picket(game="basic")
    state.ship.gear["mk37"].hits = 1
    attacked(only(state, "gun-3"), plane("180M"))
    firing(state, {"6.8": ["gun-3-zero-1"]}, *dice)
    assert (state.wave.planes[0].hits, state.wave.planes[0].fate) == (hits, fate)
    assert len(state.wave.planes) == 1


@pytest.mark.rule("picket", "6.8.B", "7.3.P", "7.8.2.J", "P14", "P12", "1.1")
def test_gun_fires_unless_destroyed_or_unsupplied() -> None:
    state = picket()
    state.ship.mounts["gun-1"].hits, state.ship.mounts["gun-2"].hits = 3, 2
    state.ship.rooms["aft-20mm-magazine"].destroyed = True
    assert not guns.works(state, DATA, "gun-1")
    assert guns.works(state, DATA, "gun-2")
    assert not any(guns.works(state, DATA, key) for key in ("gun-f", "gun-j"))
    assert added(state, "gun-2", "0M", slaved=True) == {"director": 1}
    both = picket(magazines="both")
    both.ship.rooms["forward-40mm-magazine"].destroyed = True
    assert guns.works(both, DATA, "gun-a")
    both.ship.rooms["aft-40mm-magazine"].destroyed = True
    assert not guns.works(both, DATA, "gun-a")
    assert not guns.works(both, DATA, "gun-e")


@pytest.mark.rule("picket", "7.8.2.G")
def test_damaged_magazine_is_minus_one() -> None:
    state = picket()
    state.ship.rooms["magazine-3"].hits = 1
    assert added(state, "gun-3") == {"magazine hit": -1}
    assert added(state, "gun-4") == {}


@pytest.mark.rule("picket", "8.2", "P29")
def test_no_ammunition_silences_guns() -> None:
    state = attacked(picket(), plane("0H"))
    state.ship.ammunition = 0
    assert firing(state) == []


@pytest.mark.rule("picket", "6.8.N")
def test_target_height_modifies_fire() -> None:
    state = picket(game="basic")
    assert added(state, "gun-3", "180L") == {"director": 1, "height L": -1}
    assert added(state, "gun-j", "180L") == {"height L": 1}
    assert added(state, "gun-j", "180H") == {"height H": -1}


@pytest.mark.rule("picket", "6.8.H", "7.4", "7.4.B", "7.4.C")
def test_list_masks_high_and_low_planes() -> None:
    state = picket()
    state.ship.tilt["starboard"] = 2
    assert guns.masked_heights(state, DATA, 90) == {"H"}
    assert guns.masked_heights(state, DATA, 270) == {"L"}
    assert guns.masked_heights(state, DATA, 0) == set()
    state.ship.tilt["starboard"] = 4
    assert guns.masked_heights(state, DATA, 90) == {"H", "M"}
    assert not guns.bears(state, DATA, "gun-b", plane("90M"))
    assert guns.bears(state, DATA, "gun-b", plane("90L"))


@pytest.mark.rule("picket", "11.1", "11.1.A")
def test_wooden_plane_cancels_directors() -> None:
    state = picket(willow="yes")
    assert added(state, "gun-3", kind="willow", slaved=True) == {}
    assert added(state, "gun-3", kind="willow") == {"a wooden plane": -1}
    assert added(state, "gun-e", kind="willow") == {}
    assert added(state, "gun-e") == {"director": 1}
    assert added(picket(), "gun-e", kind="willow") == {"director": 1}


@pytest.mark.rule("picket", "11.2", "11.2.A", "P53")
def test_ace_crew_adds_one_until_hit() -> None:
    state = picket(aces="yes")
    state.ship.mounts["gun-e"].kills = 5
    assert added(state, "gun-e") == {"director": 1, "ace crew": 1}
    hit(table(state), "gun-e", "aft", "stern")
    assert added(state, "gun-e") == {"director": 1}
    assert state.ship.mounts["gun-e"].kills == 0


@pytest.mark.rule("picket", "11.6", "11.6.B", "11.6.C")
def test_green_officer_and_morale_modify_fire() -> None:
    state = picket(green_gunnery="-2", morale_fire="yes")
    run(setup.crew(table(state, *[1] * 10)))
    state.ship.morale = -1
    assert added(state, "gun-j") == {"gunnery officer": -2, "morale": -1}


@pytest.mark.rule("picket", "12.1", "P50")
def test_armament_bonus_applies_to_mounts() -> None:
    assert added(picket("kyushu"), "gun-f", "270M") == {"fit": 1}


@pytest.mark.rule("picket", "6.8.A", "1.5")
def test_log_describes_each_shot() -> None:
    state = attacked(only(picket(game="basic"), "gun-3"), plane("180M"))
    at = table(state, 6, 6)
    run(fire.defensive_fire(at), {"6.8": ["gun-3-zero-1"]})
    assert "destroys" in log_text(at, "6.8")
    assert state.tally.types == {"zero": 1}
    assert state.tally.kills == {"gun-3": 1}
    assert state.tally.tours[-1].shot == 1


@pytest.mark.rule("picket", "11.1.A", "11.2.A", "12.1")
def test_wooden_plane_does_not_affect_20mm() -> None:
    state = picket("kyushu", willow="yes", aces="yes")
    for key in ("gun-c", "gun-j"):
        state.ship.mounts[key].kills = 5
    assert added(state, "gun-c", "270M", "willow") == {}
    assert added(state, "gun-c", "270M") == {"director": 1, "fit": 1, "ace crew": 1}
    assert added(state, "gun-j", kind="willow") == {"fit": 1, "ace crew": 1}


@pytest.mark.rule("picket", "6.8.C.3", "7.3.K")
def test_plotting_room_serves_mk37_only() -> None:
    state = picket()
    state.ship.spaces["plotting-room"].boxes = 1
    assert guns.directed(state, DATA, "gun-a")
    assert not guns.directed(state, DATA, "gun-1")


@pytest.mark.rule("picket", "7.8.2.J", "P12")
def test_magazine_option_affects_light_guns_only() -> None:
    state = picket(magazines="both")
    state.ship.rooms["magazine-1"].destroyed = True
    assert not guns.works(state, DATA, "gun-1")
    assert guns.works(state, DATA, "gun-2")
    state.ship.rooms["aft-40mm-magazine"].destroyed = True
    assert guns.works(state, DATA, "gun-e")
    assert not guns.works(picket("lingayen"), DATA, "gun-a")


@pytest.mark.rule("picket", "11.2.A")
@pytest.mark.parametrize(("aces", "kills", "hits", "ace"), [("no", 5, 0, 0), ("yes", 4, 0, 0), ("yes", 5, 1, 0)])
def test_is_ace_conditions(aces: str, kills: int, hits: int, ace: int) -> None:
    state = picket(aces=aces)
    state.ship.mounts["gun-e"].kills, state.ship.mounts["gun-e"].hits = kills, hits
    assert added(state, "gun-e").get("ace crew", 0) == ace


@pytest.mark.rule("picket", "11.6.B", "11.6.C", "1.3.1")
def test_dead_green_officer_has_no_modifier() -> None:
    state = picket(green_gunnery="-1")
    run(setup.crew(table(state, *[1] * 10)))
    state.ship.officers["gunnery"].dead, state.ship.morale = True, -2
    assert added(state, "gun-j") == {}


@pytest.mark.rule("picket", "11.1.A")
def test_40mm_without_director_unaffected_by_wood() -> None:
    state = picket(willow="yes")
    state.ship.gear["director-e"].hits = 1
    assert added(state, "gun-e", kind="willow") == {}
    basic = picket(game="basic", willow="yes")
    assert added(basic, "gun-3", kind="willow") == {}
    basic.ship.gear["mk37"].hits = 1
    assert added(basic, "gun-3", kind="willow") == {"a wooden plane": -1}


@pytest.mark.rule("picket", "6.8.C.1", "6.8.C.3", "6.8.C.2")
def test_damaged_mk37_keeps_one_target_per_bearing() -> None:
    state = attacked(picket(), plane("0H"), plane("0L", number=2), plane("180M", number=3))
    state.ship.gear["mk37"].hits = 1
    asked = firing(state, {"6.8.C.1": "hand-zero-2"})
    assert [one.rule for one in asked] == ["6.8.C.1", "6.8"]
    assert guns_of(asked[-1])["gun-1"] == ["zero-2"]
    assert guns_of(asked[-1])["gun-3"] == ["zero-3"]


@pytest.mark.rule("picket", "6.8.N", "11.2.A", "P53", "1.5")
def test_miss_or_hit_is_no_kill() -> None:
    state = attacked(only(picket(game="basic"), "gun-3", "gun-4"), plane("180M"))
    firing(state, {"6.8": ["gun-3-zero-1", "gun-4-zero-1"]}, 1, 1, 4, 4)
    assert [state.ship.mounts[key].kills for key in ("gun-3", "gun-4")] == [0, 0]
    assert (state.tally.shot, state.tally.kills, state.tally.tours[-1].shot) == (0, {}, 0)
    assert state.wave.planes[0].hits == 1


@pytest.mark.rule("picket", "6.8", "7.3.E")
def test_lost_ship_does_not_fire() -> None:
    state = attacked(picket(), plane("0H"), plane("180M", number=2), surface=1)
    state.ship.lost = "blown up"
    assert firing(state) == []


@pytest.mark.rule("picket", "6.8.C.1", "6.8.G")
def test_director_offers_targets_of_5_inch_guns() -> None:
    state = attacked(picket(), plane("0H"), plane("0L", number=2))
    state.ship.mounts["gun-1"].hits = state.ship.mounts["gun-2"].hits = 3
    asked = firing(state)
    assert [one.rule for one in asked] == ["6.8"]
    assert set(guns_of(asked[0])) == {"gun-a", "gun-b"}


@pytest.mark.rule("picket", "5.2.F", "6.5.G")
def test_surface_support_is_spent_with_target() -> None:
    state = attacked(only(picket(game="basic"), "gun-3"), plane("180M"), plane("0M", number=2), surface=1)
    asked = firing(state, {"6.8": ["gun-3-zero-1"], "6.8.O": ["surface-zero-1"]}, 6, 6)
    assert [one.rule for one in asked] == ["6.8", "6.8.O"]
    assert (state.raid.surface, state.wave.planes[1].fate) == (0, "")


@pytest.mark.rule("picket", "6.8.C.1", "6.8.C.2", "6.8.N")
def test_mk37_bonus_only_against_target() -> None:
    ship, asked = only(picket(), "gun-1", "gun-3", "gun-a"), list[Decision]()
    state = attacked(ship, plane("0M"), plane("180M", number=2))
    at = table(state, 1, 1, 1, 1)
    shots = ["gun-1-zero-1", "gun-3-zero-2"]
    run(fire.defensive_fire(at), {"6.8.C": "mk37-zero-1", "6.8": shots}, asked)
    notes = {option.key: option.info.note for option in asked[-1].options if option.info}
    assert ["Mark 37" in notes[key] for key in (*shots, "gun-a-zero-1")] == [True, False, False]
    assert [sums.partition(" = ")[0] for sums in rolled(at, "6.8")] == ["2d6 + 1 director", "2d6"]
    assert all(re.search("column (5-inch, hit on 7|40mm, hit on 8) or more: ", sums) for sums in rolled(at, "6.8"))


@pytest.mark.rule("picket", "6.8.H", "7.4.C")
def test_masked_plane_is_not_offered() -> None:
    state = attacked(only(picket(), "gun-b"), plane("90M"), plane("90L", number=2))
    state.ship.tilt["starboard"] = 4
    (question,) = firing(state)
    assert guns_of(question) == {"gun-b": ["zero-2"]}


@pytest.mark.rule("picket", "6.5.G")
def test_air_marker_without_target_is_kept() -> None:
    state, asked = attacked(only(picket(game="basic"), "gun-3"), plane("180M")), list[Decision]()
    state.sea.markers = 1
    at = table(state, 6, 6)
    run(fire.defensive_fire(at), {"6.8": ["gun-3-zero-1"], "6.8.O": ["air-zero-1"]}, asked)
    assert [one.rule for one in asked] == ["6.8", "6.8.O"]
    assert (state.sea.markers, log_text(at, "6.5.G")) == (1, "")


@pytest.mark.rule("picket", "6.8", "6.8.G")
def test_default_gun_assignment_is_spread() -> None:
    """Each gun's first option is the most dangerous plane after the fire of earlier guns."""
    state = attacked(picket(game="basic"), plane("180M"), plane("180L", number=2))
    (asked,) = firing(state)
    first = [group.options[0].value.plane.key for group in asked.budget_groups]
    assert {"zero-1", "zero-2"} == set(first)


@pytest.mark.rule("picket", "6.8")
@pytest.mark.parametrize(("answer", "questions"), [(["hold"], 2), (["again"], 3)])
def test_holding_all_fire_is_confirmed(answer: list[str], questions: int) -> None:
    state, asked = attacked(only(picket(game="basic"), "gun-3"), plane("180M")), list[Decision]()
    run(fire.defensive_fire(table(state, 1, 1)), {"6.8": [[], answer, ["gun-3-zero-1"]][:questions]}, asked)
    assert [one.keys for one in asked][1] == ["hold", "again"]
    assert len(asked) == questions
    assert state.tally.fired == (questions == 3)


@pytest.mark.rule("picket", "1.5")
def test_kills_of_a_match_saved_while_guns_fired_are_counted_once() -> None:
    state = picket()
    planes = [plane(number=1), plane(number=2)]
    older = table(state)
    for each in planes:
        each.fate = "destroyed"
        fire.count_type(older, each)
    assert (state.tally.shot, state.tally.tours[-1].shot) == (2, 2)
    each = plane(number=3)
    fire.count_kill(older, each, "flamed")
    fire.count_type(older, each)
    assert (state.tally.shot, state.tally.tours[-1].shot, sum(state.tally.types.values())) == (3, 3, 3)
