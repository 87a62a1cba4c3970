"""Special attackers: spray fire, their weapons, and their dive."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.picket.helpers import DATA, attacked, picket, plane, run, said, table

from readyroom.engine.decisions import Decision
from readyroom.games.picket import special, upkeep
from readyroom.games.picket.state import Counter, Picket
from readyroom.games.picket.strike import cleared
from readyroom.testing.running import Answers


def bomber(section: str = "", number: int = 1, weapon: str = "bomb") -> Counter:
    return plane(kind="judy", weapon=weapon, section=section, number=number)


def threatened(*planes: Counter, **options: Any) -> Picket:
    return attacked(picket(**options), specials=planes)


@pytest.mark.rule("picket", "6.9", "6.9.A", "6.9.B", "6.9.F", "6.9.G")
@pytest.mark.parametrize(("face", "section"), [(1, "forward"), (2, "forward"), (3, "midship"), (6, "aft")])
def test_a_die_says_where_it_comes_in_and_that_section_sprays_at_it(face: int, section: str) -> None:
    state = threatened(one := bomber())
    at = table(state, face, 4, 4)
    run(special.special_fire(at), {"6.9.C": "spray-judy-bomb-1"})
    assert not said(at, "6.9.C"), "no other section is asked whether it holds its fire"
    assert said(at, "6.9.F").startswith("Spray fire destroys the Judy.")
    assert (one.section, one.fate, state.ship.ammunition) == (section, "destroyed", 9)
    assert state.tally.shot == 1
    assert not state.tally.fired


@pytest.mark.rule("picket", "6.9.F", "6.9.G")
def test_nine_or_more_lets_it_through_and_only_the_first_of_a_day_costs_ammunition() -> None:
    state = threatened(first := bomber(), second := bomber(number=2))
    at = table(state, 1, 6, 4, 5, 6, 6)
    run(special.special_fire(at), {"6.9.C": lambda decision: [decision.keys[0]]})
    assert first.fate == second.fate == ""
    assert said(at, "6.9.F").startswith("Spray fire misses the Judy.")
    assert state.ship.ammunition == 9


@pytest.mark.rule("picket", "6.9.C", "6.9.H", "P17")
def test_of_two_at_one_section_one_is_sprayed_at_and_nobody_has_to() -> None:
    state = threatened(first := bomber(), second := bomber(number=2))
    asked = list[Decision]()
    run(special.special_fire(table(state, 1, 2, 1, 1)), {"6.9.C": "spray-judy-bomb-2"}, asked)
    assert [one.rule for one in asked] == ["6.9.C"]
    assert asked[0].keys[-1] == "hold"
    assert (first.fate, second.fate) == ("", "destroyed")
    state = threatened(bomber())
    run(special.special_fire(table(state, 1)), {"6.9.C": "hold"})
    assert state.ship.ammunition == 10


@pytest.mark.rule("picket", "6.9.C", "P17")
def test_a_section_without_guns_does_not_spray() -> None:
    state = threatened(bomber())
    for key in ("gun-1", "gun-2", "gun-a", "gun-b"):
        state.ship.mounts[key].hits = 3
    asked = list[Decision]()
    run(special.special_fire(table(state, 1)), {}, asked)
    assert asked == []


@pytest.mark.rule("picket", "6.9.C", "6.9.D", "6.9.E")
def test_the_guns_are_laid_before_support_fires_planes_before_ships() -> None:
    state = threatened(bomber())
    state.sea.markers = state.raid.surface = 1
    asked = list[Decision]()
    answers: Answers = {"6.9.E": lambda decision: [decision.keys[0]], "6.9.C": "spray-judy-bomb-1"}
    run(special.special_fire(table(state, 1, 5, 5, 3, 3)), answers, asked)
    assert [one.rule for one in asked] == ["6.9.C", "6.9.E", "6.9.E"]
    assert "planes" in asked[1].question
    assert "ships" in asked[2].question


@pytest.mark.rule("picket", "6.9.D", "6.9.G")
def test_guns_laid_on_a_special_attacker_that_support_brings_down_do_not_fire() -> None:
    state = threatened(one := bomber())
    state.sea.markers = 1
    answers: Answers = {"6.9.E": lambda decision: [decision.keys[0]], "6.9.C": "spray-judy-bomb-1"}
    at = table(state, 1, 6, 6)
    run(special.special_fire(at), answers)
    assert (one.fate, state.ship.ammunition, said(at, "6.9.F")) == ("destroyed", 10, "")


@pytest.mark.rule("picket", "6.9.C", "6.9.G")
def test_every_section_lays_its_guns_before_any_fires() -> None:
    """With one ammunition box left, the second section still fires: it costs one box a turn."""
    state, asked = threatened(bomber(), bomber(number=2)), list[Decision]()
    state.ship.ammunition = 1
    at = table(state, 1, 6, 1, 1, 6, 6)
    run(special.special_fire(at), {"6.9.C": lambda decision: [decision.keys[0]]}, asked)
    assert [one.rule for one in asked] == ["6.9.C", "6.9.C"]
    assert (state.ship.ammunition, said(at, "6.9.F").count("Spray fire")) == (0, 2)


@pytest.mark.rule("picket", "8.2.A", "P56")
def test_a_day_with_spray_fire_only_has_no_roll_for_ammunition() -> None:
    state = threatened(bomber())
    run(special.special_fire(table(state, 1, 6, 6)), {"6.9.C": "spray-judy-bomb-1"})
    assert (state.tally.sprayed, state.tally.fired, state.ship.ammunition) == (True, False, 9)
    at = table(state, 1, 1)
    upkeep._supplies(at)
    assert (state.ship.ammunition, said(at, "8.2")) == (9, "")


@pytest.mark.rule("picket", "6.9.E")
def test_of_support_that_is_left_nothing_is_said_once_all_special_attackers_are_down() -> None:
    state = threatened(one := bomber())
    state.sea.markers = state.raid.surface = 2
    at, asked = table(state, 1, 6, 6), list[Decision]()
    run(special.special_fire(at), {"6.9.E": [["air-judy-bomb-1"], []]}, asked)
    assert (one.fate, state.sea.markers, state.raid.surface, len(asked)) == ("destroyed", 1, 2, 3)
    assert "supporting" not in said(at, "6.9.E")


@pytest.mark.rule("picket", "7.2", "7.2.B", "7.2.C", "7.2.D", "7.2.E")
def test_a_bomb_is_thrown_for_then_the_die_for_the_plane_and_the_counter_is_out_of_play() -> None:
    state = threatened(one := bomber("aft"))
    run(special.special_strikes(table(state, 5, 5, 9, 1, 3)))
    assert state.ship.hull == 9 - 2
    assert state.raid.struck == 0
    cleared(table(state))
    assert state.pool.spent == [one]
    assert one not in state.pool.cup.contents


@pytest.mark.rule("picket", "7.2.C", "P20")
@pytest.mark.parametrize("weapon", [(1, 1), (5, 4)])
def test_on_a_six_the_plane_dives_too_whatever_its_weapon_did(weapon: tuple[int, int]) -> None:
    state = threatened(bomber("aft"))
    hit = [9, 1] if weapon == (5, 4) else []
    run(special.special_strikes(table(state, *weapon, *hit, 6, 6, 6, 9, 1, 9, 1)))
    assert state.raid.struck == 1


@pytest.mark.rule("picket", "7.2.A", "6.10.E", "P19")
def test_maneuvers_take_one_off_the_weapon_and_off_the_dive() -> None:
    state = threatened(bomber("aft"))
    state.raid.maneuvered = True
    run(special.special_strikes(table(state, 5, 4, 5, 5, 6, 4, 5, 5, 5)))
    assert state.ship.hull == 10
    assert state.raid.struck == 0


@pytest.mark.rule("picket", "7.2.B", "7.2.F", "7.4.H", "P21")
def test_a_torpedo_tears_open_a_compartment_and_kills_whoever_is_inside() -> None:
    state = threatened(bomber("midship", weapon="torpedo"))
    state.ship.officers["engineer"].place = "forward-engine-room"
    state.ship.rooms["forward-engine-room"].men = 2
    run(special.special_strikes(table(state, 1, 5, 5, 2, 1)))
    room = state.ship.rooms["forward-engine-room"]
    assert room.destroyed
    assert room.flooded
    assert room.men == 0
    assert state.ship.officers["engineer"].dead
    assert state.ship.tilt["port"] == 1
    assert (state.ship.hull, state.ship.flood, state.ship.maneuver) == (7, 9, 10 - 5 - 1)


@pytest.mark.rule("picket", "7.2.B", "7.5")
def test_in_the_basic_game_a_torpedo_destroys_without_water() -> None:
    state = threatened(bomber("aft", weapon="torpedo"), game="basic")
    run(special.special_strikes(table(state, 5, 5, 1, 1)))
    assert state.ship.rooms["magazine-3"].destroyed
    assert not state.ship.rooms["magazine-3"].flooded
    assert state.ship.flood == 10


@pytest.mark.rule("picket", "7.2.B", "7.2.F")
@pytest.mark.parametrize("left", [[], ["forward-fuel"]])
def test_a_torpedo_opens_no_more_compartments_than_are_left(left: list[str]) -> None:
    state = threatened(bomber("forward", weapon="torpedo"))
    for card in DATA.ship.primary.room:
        state.ship.rooms[card.key].destroyed = card.section == "forward" and card.key not in left
    run(special.special_strikes(table(state, 5, 6, *(1 for _ in left), 1)))
    assert (state.ship.hull, [key for key, room in state.ship.rooms.items() if room.flooded]) == (6, left)
    assert [struck.what for struck in state.tally.hits] == [left]


@pytest.mark.rule("picket", "7.2.B", "7.3.E")
def test_an_ohka_may_break_her_in_two() -> None:
    state = threatened(plane(kind="betty", weapon="ohka", section="forward"))
    run(special.special_strikes(table(state, 6, 6, 9, 3, 9, 3, 9, 3, 4, 4)))
    assert state.ship.lost == "broken in two"


@pytest.mark.rule("picket", "6.9.F", "7.2.D", "1.5")
def test_only_what_was_shot_down_is_counted_and_only_the_rest_attacks() -> None:
    state = threatened(first := bomber(), second := bomber(number=2))
    run(special.special_fire(table(state, 1, 5, 4, 4, 6, 6)), {"6.9.C": lambda decision: [decision.keys[0]]})
    assert (first.fate, second.fate, state.tally.shot) == ("destroyed", "", 1)
    run(special.special_strikes(table(state, 1, 1, 1)))
    assert state.ship.hull == 10


@pytest.mark.rule("picket", "7.2.C", "1.5")
def test_a_plane_that_dives_after_its_bomb_is_written_down_where_it_came_in() -> None:
    state = threatened(bomber("aft"))
    run(special.special_strikes(table(state, 1, 1, 6, 6, 6, 9, 1, 9, 1)))
    assert [(struck.plane, struck.bearing, struck.height) for struck in state.tally.hits] == [("judy", -1, "aft")]
    assert state.tally.heights == {"special": 1}


@pytest.mark.rule("picket", "7.2.B", "7.3.Y")
def test_the_worst_bomb_sets_the_deck_afire_besides_two_rolls_for_damage() -> None:
    state = threatened(bomber("aft"))
    run(special.special_strikes(table(state, 6, 6, 9, 1, 9, 1, 1)))
    assert (state.ship.hull, state.ship.fires["aft"], state.ship.lost) == (10 - 3 - 2 - 2, 1, "")
    (struck,) = state.tally.hits
    assert (struck.plane, struck.height, struck.what) == ("judy bomb", "aft", ["hull-2", "hull-2", "deck-fire"])
    assert state.tally.tours[-1].hurt


@pytest.mark.rule("picket", "7.2.B")
def test_an_ohka_of_eleven_opens_a_compartment_besides_three_rolls_for_damage() -> None:
    state = threatened(plane(kind="betty", weapon="ohka", section="aft"))
    run(special.special_strikes(table(state, 5, 6, 9, 3, 9, 3, 9, 3, 6, 1)))
    assert (state.ship.hull, state.ship.maneuver) == (6, 10 - 6 - 1)
    assert state.ship.rooms["aft-fuel"].destroyed
    assert state.tally.hits[0].what[-1] == "aft-fuel"


@pytest.mark.rule("picket", "7.2.B", "7.3.T")
def test_a_near_miss_of_a_bomb_that_does_nothing_is_not_written_down() -> None:
    state = threatened(bomber("aft"))
    run(special.special_strikes(table(state, 3, 4, 3, 4, 1)))
    assert (state.ship.hull, state.tally.hits) == (10, [])
    run(special.special_strikes(table(state, 3, 4, 1, 1, 1)))
    assert state.ship.hull == 8
    assert state.tally.hits[0].what == ["hull-2"]


@pytest.mark.rule("picket", "7.2.B", "7.3.E", "6.9")
def test_two_torpedoes_worth_of_water_and_nothing_at_all_once_she_is_lost() -> None:
    state = threatened(bomber("forward", weapon="torpedo"))
    run(special.special_strikes(table(state, 5, 6, 1, 1, 1)))
    opened = [key for key, room in state.ship.rooms.items() if room.flooded]
    assert opened == ["magazine-1", "magazine-2"]
    assert (state.ship.hull, state.ship.flood, state.ship.tilt["bow"]) == (6, 8, 2)
    state = threatened(bomber("forward", weapon="torpedo"))
    state.ship.lost = "blown up"
    run(special.special_fire(table(state)))
    run(special.special_strikes(table(state)))
    assert state.ship.hull == 10


@pytest.mark.rule("picket", "7.2.B")
def test_a_ship_that_is_lost_already_is_not_lost_once_more() -> None:
    state = threatened()
    state.ship.lost = "foundered"
    at = table(state)
    assert run(special._also(at, "keel", "midship", "port")) == []
    assert state.ship.lost == "foundered"
    assert not said(at, "7.2")


@pytest.mark.rule("picket", "5.2.F", "6.5.G", "6.9.D")
def test_support_is_laid_before_any_of_it_fires_and_a_ship_is_spent_with_its_target() -> None:
    state, asked = threatened(one := bomber()), list[Decision]()
    state.sea.markers = state.raid.surface = 1
    answers: Answers = {"6.9.E": lambda decision: [decision.keys[0]], "6.9.C": "hold"}
    run(special.special_fire(table(state, 1, 6)), answers, asked)
    assert [each.rule for each in asked] == ["6.9.C", "6.9.E", "6.9.E"]
    assert (one.fate, state.sea.markers, state.raid.surface) == ("destroyed", 0, 0)
