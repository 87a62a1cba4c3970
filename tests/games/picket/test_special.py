"""Tests of special attackers: spray fire, weapons and dive."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.picket.helpers import DATA, attacked, log_text, picket, plane, rolled, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket.combat import special
from readyroom.games.picket.combat.fire import support_fires
from readyroom.games.picket.combat.strike import cleared
from readyroom.games.picket.ending import upkeep
from readyroom.games.picket.state import Counter, Picket
from readyroom.testing.running import Answers


def bomber(section: str = "", number: int = 1, weapon: str = "bomb") -> Counter:
    return plane(kind="judy", weapon=weapon, section=section, number=number)


def threatened(*planes: Counter, **options: Any) -> Picket:
    return attacked(picket(**options), specials=planes)


@pytest.mark.rule("picket", "6.9", "6.9.A", "6.9.B", "6.9.F", "6.9.G")
@pytest.mark.parametrize(("face", "section"), [(1, "forward"), (2, "forward"), (3, "midship"), (6, "aft")])
def test_special_section_rolled_and_sprayed(face: int, section: str) -> None:
    state = threatened(one := bomber())
    at = table(state, face, 4, 4)
    run(special.special_fire(at), {"6.9.C": "spray-judy-bomb-1"})
    assert not log_text(at, "6.9.C"), "no other section is asked whether it holds its fire"
    assert log_text(at, "6.9.F").startswith(f"Spray fire destroys the Judy with a bomb ({section} section).")
    assert (one.section, one.fate, state.ship.ammunition) == (section, "destroyed", 9)
    assert state.tally.shot == 1
    assert not state.tally.fired


def test_plane_counts_as_shot_down_when_its_line_is_logged() -> None:
    state = threatened(one := bomber("aft"))
    run(support_fires(table(state, 6), [("surface", one)], [one], "6.9.E"))
    assert (one.fate, state.tally.shot, state.tally.types) == ("destroyed", 1, {})


@pytest.mark.rule("picket", "6.9.F", "6.9.G")
def test_spray_misses_on_nine_and_costs_once_day() -> None:
    state = threatened(first := bomber(), second := bomber(number=2))
    at = table(state, 1, 6, 4, 5, 6, 6)
    run(special.special_fire(at), {"6.9.C": lambda decision: [decision.keys[0]]})
    assert first.fate == second.fate == ""
    assert log_text(at, "6.9.F").startswith("Spray fire misses the Judy with a bomb (forward section).")
    assert state.ship.ammunition == 9


@pytest.mark.rule("picket", "6.9.C", "6.9.H", "P17")
def test_spray_targets_one_and_is_optional() -> None:
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
def test_section_without_guns_does_not_spray() -> None:
    state = threatened(bomber())
    for key in ("gun-1", "gun-2", "gun-a", "gun-b"):
        state.ship.mounts[key].hits = 3
    asked = list[Decision]()
    run(special.special_fire(table(state, 1)), {}, asked)
    assert asked == []


@pytest.mark.rule("picket", "6.9.C", "6.9.D", "6.9.E")
def test_spray_assigned_before_support_fires() -> None:
    state = threatened(bomber())
    state.sea.markers = state.raid.surface = 1
    asked = list[Decision]()
    answers: Answers = {"6.9.E": lambda decision: [decision.keys[0]], "6.9.C": "spray-judy-bomb-1"}
    run(special.special_fire(table(state, 1, 5, 5, 3, 3)), answers, asked)
    assert [one.rule for one in asked] == ["6.9.C", "6.9.E", "6.9.E"]
    assert "planes" in asked[1].question
    assert "ships" in asked[2].question


@pytest.mark.rule("picket", "6.9.D", "6.9.G")
def test_spray_skips_target_shot_down() -> None:
    state = threatened(one := bomber())
    state.sea.markers = 1
    answers: Answers = {"6.9.E": lambda decision: [decision.keys[0]], "6.9.C": "spray-judy-bomb-1"}
    at = table(state, 1, 6, 6)
    run(special.special_fire(at), answers)
    assert (one.fate, state.ship.ammunition, log_text(at, "6.9.F")) == ("destroyed", 10, "")


@pytest.mark.rule("picket", "6.9.C", "6.9.G")
def test_all_sections_assign_spray_first() -> None:
    """With one ammunition box left, the second section still fires: a turn costs one box."""
    state, asked = threatened(bomber(), bomber(number=2)), list[Decision]()
    state.ship.ammunition = 1
    at = table(state, 1, 6, 1, 1, 6, 6)
    run(special.special_fire(at), {"6.9.C": lambda decision: [decision.keys[0]]}, asked)
    assert [one.rule for one in asked] == ["6.9.C", "6.9.C"]
    assert (state.ship.ammunition, log_text(at, "6.9.F").count("Spray fire")) == (0, 2)


@pytest.mark.rule("picket", "8.2.A", "P56")
def test_spray_only_day_skips_ammunition_roll() -> None:
    state = threatened(bomber())
    run(special.special_fire(table(state, 1, 6, 6)), {"6.9.C": "spray-judy-bomb-1"})
    assert (state.tally.sprayed, state.tally.fired, state.ship.ammunition) == (True, False, 9)
    at = table(state, 1, 1)
    upkeep._supplies(at)
    assert (state.ship.ammunition, log_text(at, "8.2")) == (9, "")


@pytest.mark.rule("picket", "6.9.E")
def test_specials_down_ask_no_support_question() -> None:
    state = threatened(one := bomber())
    state.sea.markers = state.raid.surface = 2
    at, asked = table(state, 1, 6, 6), list[Decision]()
    run(special.special_fire(at), {"6.9.E": [["air-judy-bomb-1"], []]}, asked)
    assert (one.fate, state.sea.markers, state.raid.surface, len(asked)) == ("destroyed", 1, 2, 3)
    assert "supporting" not in log_text(at, "6.9.E")


@pytest.mark.rule("picket", "7.2", "7.2.B", "7.2.C", "7.2.D", "7.2.E")
def test_bomb_rolled_then_plane_then_removed() -> None:
    state = threatened(one := bomber("aft"))
    run(special.special_strikes(at := table(state, 5, 5, 9, 1, 3)))
    assert ", hit on 9 or more: " in rolled(at, "7.2.B")[0]
    assert state.ship.hull == 9 - 2
    assert state.raid.struck == 0
    cleared(table(state))
    assert state.pool.spent == [one]
    assert one not in state.pool.cup.contents


@pytest.mark.rule("picket", "7.2.C", "P20")
@pytest.mark.parametrize("weapon", [(1, 1), (5, 4)])
def test_special_dives_on_six(weapon: tuple[int, int]) -> None:
    state = threatened(bomber("aft"))
    hit = [9, 1] if weapon == (5, 4) else []
    run(special.special_strikes(table(state, *weapon, *hit, 6, 6, 6, 9, 1, 9, 1)))
    assert state.raid.struck == 1


@pytest.mark.rule("picket", "7.2.A", "6.10.E", "P19")
def test_maneuvers_modify_weapon_and_dive() -> None:
    state = threatened(bomber("aft"))
    state.raid.maneuvered = True
    run(special.special_strikes(table(state, 5, 4, 5, 5, 6, 4, 5, 5, 5)))
    assert state.ship.hull == 10
    assert state.raid.struck == 0


@pytest.mark.rule("picket", "7.2.B", "7.2.F", "7.4.H", "P21")
def test_torpedo_destroys_compartment_and_crew() -> None:
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
def test_basic_game_torpedo_does_not_flood() -> None:
    state = threatened(bomber("aft", weapon="torpedo"), game="basic")
    run(special.special_strikes(table(state, 5, 5, 1, 1)))
    assert state.ship.rooms["magazine-3"].destroyed
    assert not state.ship.rooms["magazine-3"].flooded
    assert state.ship.flood == 10


@pytest.mark.rule("picket", "7.2.B", "7.2.F")
@pytest.mark.parametrize("left", [[], ["forward-fuel"]])
def test_torpedo_limited_to_remaining_compartments(left: list[str]) -> None:
    state = threatened(bomber("forward", weapon="torpedo"))
    for card in DATA.ship.primary.room:
        state.ship.rooms[card.key].destroyed = card.section == "forward" and card.key not in left
    run(special.special_strikes(table(state, 5, 6, *(1 for _ in left), 1)))
    assert (state.ship.hull, [key for key, room in state.ship.rooms.items() if room.flooded]) == (6, left)
    assert [struck.what for struck in state.tally.hits] == [left]


@pytest.mark.rule("picket", "7.2.B", "7.3.E")
def test_ohka_may_break_keel() -> None:
    state = threatened(plane(kind="betty", weapon="ohka", section="forward"))
    run(special.special_strikes(table(state, 6, 6, 9, 3, 9, 3, 9, 3, 4, 4)))
    assert state.ship.lost == "broken in two"


@pytest.mark.rule("picket", "6.9.F", "7.2.D", "1.5")
def test_surviving_specials_attack() -> None:
    state = threatened(first := bomber(), second := bomber(number=2))
    run(special.special_fire(table(state, 1, 5, 4, 4, 6, 6)), {"6.9.C": lambda decision: [decision.keys[0]]})
    assert (first.fate, second.fate, state.tally.shot) == ("destroyed", "", 1)
    run(special.special_strikes(table(state, 1, 1, 1)))
    assert state.ship.hull == 10


@pytest.mark.rule("picket", "7.2.C", "1.5")
def test_special_dive_recorded_in_section() -> None:
    state = threatened(bomber("aft"))
    run(special.special_strikes(table(state, 1, 1, 6, 6, 6, 9, 1, 9, 1)))
    assert [(struck.plane, struck.bearing, struck.height) for struck in state.tally.hits] == [("judy", -1, "aft")]
    assert state.tally.heights == {"special": 1}


@pytest.mark.rule("picket", "7.2.B", "7.3.Y")
def test_worst_bomb_adds_deck_fire() -> None:
    state = threatened(bomber("aft"))
    run(special.special_strikes(table(state, 6, 6, 9, 1, 9, 1, 1)))
    assert (state.ship.hull, state.ship.fires["aft"], state.ship.lost) == (10 - 3 - 2 - 2, 1, "")
    (struck,) = state.tally.hits
    assert (struck.plane, struck.height, struck.what) == ("judy bomb", "aft", ["hull-2", "hull-2", "deck-fire"])
    assert state.tally.tours[-1].hurt


@pytest.mark.rule("picket", "7.2.B")
def test_ohka_eleven_floods_compartment() -> None:
    state = threatened(plane(kind="betty", weapon="ohka", section="aft"))
    run(special.special_strikes(table(state, 5, 6, 9, 3, 9, 3, 9, 3, 6, 1)))
    assert (state.ship.hull, state.ship.maneuver) == (6, 10 - 6 - 1)
    assert state.ship.rooms["aft-fuel"].destroyed
    assert state.tally.hits[0].what[-1] == "aft-fuel"


@pytest.mark.rule("picket", "7.2.B", "7.3.T")
def test_harmless_bomb_near_miss_not_recorded() -> None:
    state = threatened(bomber("aft"))
    run(special.special_strikes(table(state, 3, 4, 3, 4, 1)))
    assert (state.ship.hull, state.tally.hits) == (10, [])
    run(special.special_strikes(table(state, 3, 4, 1, 1, 1)))
    assert state.ship.hull == 8
    assert state.tally.hits[0].what == ["hull-2"]


@pytest.mark.rule("picket", "7.2.B", "7.3.E", "6.9")
def test_torpedo_floods_two_and_ignores_lost_ship() -> None:
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
def test_lost_ship_is_not_lost_again() -> None:
    state = threatened()
    state.ship.lost = "foundered"
    at = table(state)
    assert run(special._also(at, "keel", "midship", "port")) == []
    assert state.ship.lost == "foundered"
    assert not log_text(at, "7.2")


@pytest.mark.rule("picket", "5.2.F", "6.5.G", "6.9.D")
def test_support_assigned_before_it_fires() -> None:
    state, asked = threatened(one := bomber()), list[Decision]()
    state.sea.markers = state.raid.surface = 1
    answers: Answers = {"6.9.E": lambda decision: [decision.keys[0]], "6.9.C": "hold"}
    run(special.special_fire(table(state, 1, 6)), answers, asked)
    assert [each.rule for each in asked] == ["6.9.C", "6.9.E", "6.9.E"]
    assert (one.fate, state.sea.markers, state.raid.surface) == ("destroyed", 0, 0)
