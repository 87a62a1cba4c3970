"""Tests of sections 7.3, 8.3, 8.4 and 16.3: waves, movement, takeoff, landing and return flights."""

from __future__ import annotations

import pytest
from tests.games.tora.battle import Battle
from tests.games.tora.helpers import ATTACK, DATA, table, wave

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.dice import fixed_dice
from readyroom.games.tora.battle.reaction import note_contact
from readyroom.games.tora.battle.waves import deal_loads, form_wave
from readyroom.games.tora.plans.data import JapanesePlan, Ordnance
from readyroom.games.tora.sequence import TURN
from readyroom.games.tora.view import view

TWO = JapanesePlan(7, (*ATTACK.wave, wave(7, ("3SE", "val", "gp", 11), ("3SW", "zero", "none", 10))))
THREE = JapanesePlan(7, (*TWO.wave, wave(13, ("3NW", "kate", "torpedo", 10))))


# -- waves -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "8.1", "7.2", "7.3")
def test_first_wave_is_placed_in_sectors_on_turn_one() -> None:
    battle = Battle(1)
    form_wave(battle.state, 1)
    battle.state.japan.entered = 0
    battle.play("arrive")
    assert {zone: len(over.japan) for zone, over in battle.state.zones.items() if over.japan} == {"3NW": 22, "3NE": 24}
    assert battle.state.japan.entered == 1
    assert [text.partition(":")[0] for text in battle.texts("8.1")] == [
        "Wave 1 enters over 3NW",
        "Wave 1 enters over 3NE",
    ]
    assert battle.texts("8.1")[-1].endswith("11 Zero units; already there: 22 Kate units over 3NW.")
    battle.play("japan-attack-3")
    battle.play("japan-move-3")
    assert not battle.asked


@pytest.mark.rule("tora", "7.3", "T6", "13.1", "T33")
def test_wave_comes_in_on_turn_if_japan_wants_it() -> None:
    battle = Battle(6, attack=TWO)
    battle.play("arrive")
    assert not battle.asked
    battle.turn = 7
    battle.play("arrive", {"enter:2": ["fly"]})
    assert battle.asked[0].seat == "japan"
    assert len(battle.state.zones["3SE"].of("japan")) == 11
    assert {unit.wave for unit in battle.state.zones["3SW"].of("japan")} == {2}
    assert {unit.ordnance for unit in battle.state.zones["3SE"].of("japan")} == {Ordnance.GP}


@pytest.mark.rule("tora", "7.4")
def test_later_wave_units_show_their_ordnance() -> None:
    order = wave(7, ("3SE", "kate", "torpedo", 2), ("3SE", "kate", "ap", 2))
    battle = Battle(7, attack=JapanesePlan(7, (*ATTACK.wave, order)))
    battle.play("arrive", {"enter:2": ["fly"]}, draws=[f"kate-{number}" for number in (26, 25, 24, 23)])
    loads = [battle.unit(f"kate-{number}").ordnance for number in (23, 24, 25, 26)]
    assert loads == [Ordnance.AP] * 2 + [Ordnance.TORPEDO] * 2


@pytest.mark.rule("tora", "13.1", "T33")
def test_wave_called_off_is_last() -> None:
    battle = Battle(7, attack=THREE)
    battle.play("arrive", {"enter:2": ["off"]})
    assert battle.state.japan.off
    assert [line.audience for line in battle.log] == [("japan",)]
    battle.turn = 13
    battle.play("arrive")
    assert not battle.asked


@pytest.mark.rule("tora", "7.3", "T6")
def test_map_holds_at_most_48_japanese_units() -> None:
    battle = Battle(7, attack=TWO)
    others = [*(f"kate-{number}" for number in range(1, 31)), *(f"val-{number}" for number in range(1, 19))]
    battle.put("3NW", *others)
    battle.play("arrive")
    assert not battle.asked
    assert "48 units are already in play" in battle.texts("7.3")[0]
    del battle.state.zones["3NW"].japan[:3]
    battle.turn = 8
    battle.play("arrive", {"enter:2": ["fly"]})
    assert battle.asked[0].options[0].text.startswith("enter with 3 of ")
    assert sum(len(zone.japan) for zone in battle.state.zones.values()) == 48


@pytest.mark.rule("tora", "7.3", "13.1", "T6", "T33")
def test_unit_flying_home_makes_room_for_wave() -> None:
    names = [phase.name for phase in TURN]
    assert names.index("japan-move-3") < names.index("arrive") < names.index("usa-attack-1")


@pytest.mark.rule("tora", "7.3", "13.1", "T33")
def test_wave_may_come_in_in_part() -> None:
    battle = Battle(7, attack=TWO)
    battle.play("arrive", {"enter:2": ["part"], "enter:2:units": lambda decision: decision.keys[:2]})
    assert sum(len(zone.japan) for zone in battle.state.zones.values()) == 2
    assert battle.asked[1].at_least == 1
    assert battle.state.japan.entered == 2


@pytest.mark.rule("tora", "7.3", "13.1", "T33")
def test_wave_may_be_held_for_turn() -> None:
    battle = Battle(7, attack=TWO)
    battle.play("arrive", {"enter:2": ["wait"]})
    assert battle.state.japan.entered == 1
    battle.turn = 8
    battle.play("arrive", {"enter:2": ["fly"]})
    assert battle.state.japan.entered == 2


@pytest.mark.rule("tora", "7.3", "13.1", "T33")
def test_wave_staying_aboard_costs_and_reveals_nothing() -> None:
    battle = Battle(7, attack=THREE)
    battle.play("arrive", {"enter:2": ["skip"]})
    assert [line.audience for line in battle.log] == [("japan",)]
    data = {seat: view(battle.state, DATA, seat).japan.entered for seat in ("japan", "usa", None)}
    assert data == {"japan": 2, "usa": 1, None: 1}
    battle.turn = 13
    battle.play("arrive", {"enter:3": ["fly"]})
    assert "skip" not in battle.asked[0].keys, "there is no wave after the third"
    assert (battle.state.japan.entered, battle.state.japan.skipped) == (3, 1)


@pytest.mark.rule("tora", "7.3", "16.3", "T6", "T33")
@pytest.mark.parametrize(("turn", "units"), [(13, "20 of 30"), (15, "30 of 30"), (13, "20 of 20")])
def test_third_wave_may_wait_for_aircraft_being_rearmed(turn: int, units: str) -> None:
    ordered = int(units.partition(" of ")[2])
    order = wave(13, ("3NW", "kate", "torpedo", ordered))
    battle = Battle(turn, attack=JapanesePlan(7, (*TWO.wave, order)))
    battle.state.japan.entered = 2
    for number in range(1, 23):
        unit = battle.unit(f"kate-{number}")
        unit.wave, unit.recovered = 1, 7 if number <= 12 else 9
    battle.play("arrive", {"enter:3": ["fly"]})
    assert battle.asked[0].options[0].text == f"enter with {units} units"
    assert battle.asked[0].keys == ["fly", "part", "wait", "off"]


@pytest.mark.rule("tora", "7.3", "T33")
def test_second_wave_has_no_aircraft_of_first() -> None:
    battle = Battle(7, attack=TWO)
    battle.put("3NW", *(f"zero-{number}" for number in range(1, 18)))
    battle.play("arrive")
    assert battle.asked[0].options[0].text == "enter with 15 of 21 units"
    assert battle.asked[0].keys == ["fly", "part", "wait", "off"]


@pytest.mark.rule("tora", "7.3", "16.3", "T6")
@pytest.mark.parametrize(("turns", "ready"), [(4, "30 of 30"), (6, "20 of 30"), (8, "8 of 30")])
def test_rearming_time_is_option(turns: int, ready: str) -> None:
    order = wave(13, ("3NW", "kate", "torpedo", 30))
    battle = Battle(13, attack=JapanesePlan(7, (*TWO.wave, order)), rearm=turns)
    battle.state.japan.entered = 2
    for number in range(1, 23):
        unit = battle.unit(f"kate-{number}")
        unit.wave, unit.recovered = 1, 7 if number <= 12 else 9
    battle.play("arrive")
    assert battle.asked[0].options[0].text == f"enter with {ready} units"


@pytest.mark.rule("tora", "7.3", "16.3")
def test_second_wave_unit_cannot_fly_in_third() -> None:
    battle = Battle(19, attack=JapanesePlan(7, (*TWO.wave, wave(13, ("3NW", "zero", "none", 21)))))
    battle.state.japan.entered = 2
    for number in range(1, 22):
        battle.unit(f"zero-{number}").wave = 1 if number <= 11 else 2
        battle.unit(f"zero-{number}").recovered = 9
    battle.put("2SE", "kate-1")
    battle.play("arrive", {"enter:3": ["fly"]})
    assert {unit.key for unit in battle.state.zones["3NW"].of("japan")} == {f"zero-{number}" for number in range(1, 12)}


@pytest.mark.rule("tora", "7.3", "T33")
def test_wave_without_units_is_cancelled() -> None:
    battle = Battle(13, attack=THREE)
    japan = battle.state.japan
    japan.entered, japan.lost, japan.carriers = 2, japan.carriers, []
    battle.play("arrive")
    assert (japan.entered, japan.off) == (2, True), "the enemy counts the waves that have come in"
    japan.off = False
    kate = battle.unit("kate-1")
    japan.lost.remove(kate)
    battle.state.zones["3NW"].japan.append(kate)
    kate.wave = 1
    battle.play("arrive")
    assert not japan.off, "one is still out and could fly again"


@pytest.mark.rule("tora", "13.1", "T33")
@pytest.mark.parametrize(("turn", "asked"), [(6, False), (8, True)])
def test_empty_sky_asks_whether_later_wave_comes(turn: int, asked: bool) -> None:
    later = JapanesePlan(7, (*ATTACK.wave, wave(turn + (3 if asked else 1), ("3SE", "val", "gp", 11))))
    battle = Battle(turn, attack=later).put("3NW", "kate-1")
    battle.play("japan-move-3", {"move:3NW": ["carriers"]})
    battle.play("end")
    assert battle.abouts == (["enter:2"] if asked else [])
    assert battle.outcome is None
    if asked:
        assert battle.asked[0].options[0].text == "yes, on turn 11, as planned"
        battle.turn = turn + 1
        battle.play("end")
        assert not battle.asked, "they came home a turn ago"
        battle.turn = turn
        battle.play("end", {"enter:2": ["off"]})
        assert battle.outcome is not None


@pytest.mark.rule("tora", "13.1", "T33")
def test_wave_due_but_being_rearmed_may_be_called_off() -> None:
    order = wave(9, ("3NW", "zero", "none", 21))
    battle = Battle(10, attack=JapanesePlan(7, (*TWO.wave, order))).put("3NW", *(f"zero-{at}" for at in range(1, 22)))
    battle.state.japan.entered = 2
    battle.play("japan-move-3", {"move:3NW": ["carriers"]})
    battle.play("end", {"enter:3": ["fly"]})
    assert battle.asked[0].options[0].text == "yes, when it is ready"
    assert battle.outcome is None


@pytest.mark.rule("tora", "16.6", "7.3")
def test_fewer_agreed_waves_keep_rest_of_plan() -> None:
    battle = Battle(7, attack=TWO, waves_max=1)
    battle.play("arrive")
    assert not battle.asked


@pytest.mark.rule("tora", "13.1", "13.3")
@pytest.mark.parametrize(("turn", "chance"), [(7, 1 * 20 / 22 * 19 / 21), (11, 20 * 19 * 18 * 17 * 16 * 15)])
def test_hint_shows_odds_of_no_black_card(turn: int, chance: float) -> None:
    battle = Battle(turn, attack=TWO)
    battle.play("arrive")
    hint = battle.asked[0].options[0].info
    assert hint is not None
    assert hint.chance == pytest.approx(chance if turn < 11 else chance / (22 * 21 * 20 * 19 * 18 * 17))


@pytest.mark.rule("tora", "7.4")
def test_alike_units_of_sector_show_their_ordnance() -> None:
    battle = Battle(1)
    made = form_wave(battle.state, 1)
    kates, zeros = made.sectors["3NW"], [unit for unit in made.sectors["3NE"] if unit.type == "zero"]
    game_table = table(battle.state)
    game_table.dice = fixed_dice(draws=[unit.key for unit in reversed(kates)])
    deal_loads(game_table, made)
    assert [unit.ordnance for unit in kates] == [Ordnance.AP] * 12 + [Ordnance.TORPEDO] * 10
    assert {unit.ordnance for unit in zeros} == {Ordnance.NONE}


# -- moving ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "8.3", "T9")
@pytest.mark.parametrize(
    ("diagonal", "ways"),
    [("no", {"3SE", "1SE", "2SW", "2NE"}), ("yes", {"3SE", "1SE", "2SW", "2NE", "1NE", "1SW", "3NE", "3SW"})],
)
def test_aircraft_move_to_neighbouring_zone(diagonal: str, ways: set[str]) -> None:
    battle = Battle(diagonal=diagonal).put("2SE", "kate-1", "kate-2")
    battle.play("japan-move-2", {"move:2SE": ["1SE"]})
    assert set(battle.asked[0].keys) == ways | {"stay", "divide"}
    assert battle.place("kate-1") == battle.place("kate-2") == "1SE"
    assert battle.unit("kate-1").acted == 4


@pytest.mark.rule("tora", "8.3", "T9", "16.3", "T14", "5.10")
def test_flight_elsewhere_refusal_names_reason() -> None:
    battle = Battle(4).put("2NW", "zero-1", "zero-2").put("2NW", "p40-1", "f4f-1")
    battle.play("japan-move-2")
    with pytest.raises(IllegalChoice, match="1SE does not adjoin 2NW"):
        battle.asked[0].accept(["1SE"])
    with pytest.raises(IllegalChoice, match="only from ring 3"):
        battle.asked[0].accept(["carriers"])
    battle.play("usa-move-2")
    with pytest.raises(IllegalChoice, match="Hickam is in 2SE"):
        battle.asked[0].accept(["hickam"])
    with pytest.raises(IllegalChoice, match="takes types of its service only"):
        battle.asked[0].accept(["wheeler"])
    battle = Battle(4, landing="no").put("2NW", "p40-1")
    battle.play("usa-move-2")
    with pytest.raises(IllegalChoice, match="cannot land once they are in the air"):
        battle.asked[0].accept(["wheeler"])


@pytest.mark.rule("tora", "8.3", "8.4", "16.3")
@pytest.mark.parametrize(("phase", "zone", "key"), [("japan-move-3", "3NW", "kate-1"), ("usa-move-2", "2NW", "p40-1")])
def test_offered_options_and_zone_itself_are_not_refused(phase: str, zone: str, key: str) -> None:
    battle = Battle(4).put(zone, key)
    battle.play(phase)
    decision = battle.question(f"move:{zone}")
    assert {"carriers", "wheeler"} & set(decision.keys)
    assert not {no.key for no in decision.unavailable} & {*decision.keys, zone, "carriers"}


@pytest.mark.rule("tora", "8.3", "10.4")
def test_unit_moves_or_attacks_but_not_both() -> None:
    battle = Battle().put("2NW", "zero-1", "zero-2").put("2NW", "p26-1")
    battle.play("japan-attack-2", {"attack:2NW:zero:none": ["p26-1"]}, dice=[1] * 6)
    battle.play("japan-move-2", {"move:2NW": ["1NW"]})
    assert battle.place("zero-1") == "2NW"
    assert battle.place("zero-2") == "1NW"
    battle.play("japan-attack-1")
    battle.play("japan-move-1")
    assert not battle.asked, "who has moved is done for this turn"


@pytest.mark.rule("tora", "8.3", "T31")
def test_units_of_zone_may_be_divided() -> None:
    battle = Battle().put("3NW", "kate-1", "kate-2", "zero-1", "zero-2")
    answers = {"move:3NW": ["divide"], "move:3NW:2NW": ["kate-1", "zero-1"], "move:3NW:carriers": ["kate-2"]}
    battle.play("japan-move-3", answers)
    assert [battle.place(key) for key in ("kate-1", "kate-2", "zero-1", "zero-2")] == ["2NW", "carriers", "2NW", "3NW"]
    assert battle.unit("zero-2").acted == 0


@pytest.mark.rule("tora", "16.3", "7.3")
def test_aircraft_from_sea_return_to_carriers() -> None:
    battle = Battle(6).put("3NW", "kate-1", load="ap").put("2NW", "kate-2")
    battle.play("japan-move-3", {"move:3NW": ["carriers"]})
    unit = battle.unit("kate-1")
    assert battle.place("kate-1") == "carriers"
    assert (unit.recovered, unit.ordnance) == (6, Ordnance.NONE)
    battle.play("japan-move-2")
    assert "carriers" not in battle.asked[0].keys


@pytest.mark.rule("tora", "8.2", "16.4")
def test_rings_are_played_from_inside_out() -> None:
    battle = Battle(4).put("3NW", "zero-1").put("2NW", "zero-2").put("1NW", "zero-3")
    moved = []
    for ring in (1, 2, 3):
        battle.play(f"japan-move-{ring}")
        moved += battle.abouts
    assert moved == ["move:1NW", "move:2NW", "move:3NW"]


# -- American fighters -------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "5.5", "8.4", "T11", "5.11")
@pytest.mark.parametrize(("level", "count"), [(1, 2), (2, 3), (3, 3)])
def test_field_launches_two_or_three_units_turn(level: int, count: int) -> None:
    battle = Battle(4, level)
    tops = [stack[-1].key for stack in battle.state.usa.field("wheeler").stacks[:4]]
    battle.play("usa-move-2", {"launch:wheeler": tops[:count]})
    assert [unit.key for unit in battle.state.zones["2NW"].of("usa")] == tops[:count]
    assert {unit.acted for unit in battle.state.zones["2NW"].of("usa")} == {4}
    with pytest.raises(IllegalChoice):
        battle.question("launch:wheeler").accept(tops[: count + 1])
    assert {about for about in battle.abouts if about.startswith("launch")} == {
        f"launch:{field}" for field in ("wheeler", "hickam", "kaneohe", "ewa")
    }


@pytest.mark.rule("tora", "5.11", "5.5")
def test_top_unit_takes_off_first_and_lower_one_may_follow() -> None:
    battle = Battle(4, 2).park("wheeler", ["p26-1", "p36-1"], ["p40-1"])
    first = []

    def launch(decision: object) -> list[str]:
        first.append([refused.key for refused in decision.unavailable])  # type: ignore[attr-defined]
        return ["p36-1"]

    battle.play("usa-move-2", {"launch:wheeler": launch})
    assert first == [["p26-1"]]
    again = [decision for decision in battle.asked if decision.piece_key == "launch:wheeler"]
    assert [decision.keys for decision in again] == [["p36-1", "p40-1"], ["p26-1"]]
    assert battle.place("p26-1") == "wheeler"


@pytest.mark.rule("tora", "5.5", "5.11", "T11")
def test_lower_units_do_not_follow_beyond_limit() -> None:
    battle = Battle(4, 1).park("wheeler", ["p26-1", "p36-1"], ["p40-1"])
    battle.play("usa-move-2", {"launch:wheeler": ["p36-1", "p40-1"]})
    assert battle.abouts.count("launch:wheeler") == 1
    assert battle.place("p26-1") == "wheeler"


@pytest.mark.rule("tora", "5.11", "8.4")
def test_unit_that_landed_cannot_take_off_and_gets_reason() -> None:
    battle = Battle(4, 2).park("wheeler", ["p36-1", "p40-1"], ["p40-2"])
    battle.unit("p40-1").acted = 4
    battle.play("usa-move-2")
    refused = {one.key: (one.rule, one.reason) for one in battle.question("launch:wheeler").unavailable}
    assert refused["p40-1"] == ("8.4", f"{battle.unit('p40-1')} landed this turn.")
    assert refused["p36-1"][0] == "5.11"
    assert battle.question("launch:wheeler").keys == ["p40-2"]


@pytest.mark.rule("tora", "8.4", "8.3")
def test_unit_taking_off_does_nothing_else_that_turn() -> None:
    battle = Battle(4).park("wheeler", ["p40-1"])
    battle.play("usa-move-2", {"launch:wheeler": ["p40-1"]})
    battle.put("2NW", "val-1")
    battle.play("usa-attack-2")
    assert not battle.asked


@pytest.mark.rule("tora", "8.4", "T14", "5.10")
def test_american_fighters_may_land_at_field_of_service() -> None:
    battle = Battle(4).put("2NW", "p40-1", "f4f-1")
    battle.play("usa-move-2", {"move:2NW": ["divide"], "move:2NW:wheeler": ["p40-1"]})
    assert "wheeler" not in battle.question("move:2NW").keys, "not both of them may"
    assert battle.question("move:2NW:wheeler").keys == ["p40-1"]
    assert battle.place("p40-1") == "wheeler"
    assert battle.unit("p40-1").acted == 4
    launched = battle.question("launch:wheeler").keys
    assert "p40-1" not in launched, "landing was its move"


@pytest.mark.rule("tora", "8.4", "T14", "4.2")
def test_field_lands_only_units_with_room() -> None:
    battle = Battle(4).put("2NW", "p40-13", "p40-14")
    battle.state.usa.field("wheeler").places = len(battle.state.usa.field("wheeler").stacks) + 1
    battle.play("usa-move-2", {"move:2NW": ["divide"], "move:2NW:wheeler": ["p40-13"]})
    assert "wheeler" not in battle.question("move:2NW").keys
    assert (battle.question("move:2NW:wheeler").keys, battle.question("move:2NW:wheeler").at_most) == (
        ["p40-13", "p40-14"],
        1,
    )


@pytest.mark.rule("tora", "8.4", "T14")
def test_landing_needs_option_and_room() -> None:
    battle = Battle(4, landing="no").put("2SE", "p40-1")
    battle.play("usa-move-2")
    assert "hickam" not in battle.question("move:2SE").keys
    battle = Battle(4).put("2NW", "p40-13")
    battle.state.usa.field("wheeler").places = len(battle.state.usa.field("wheeler").stacks)
    battle.play("usa-move-2")
    assert "wheeler" not in battle.question("move:2NW").keys


@pytest.mark.rule("tora", "16.1", "T21")
def test_unit_entering_another_quadrant_changes_commander() -> None:
    battle = Battle(4, japan_players=4).put("2NW", "zero-1")
    battle.play("japan-move-2", {"move:2NW": ["2NE"]})
    assert battle.asked[0].seat == "japan-nw"
    battle.turn = 5
    battle.play("japan-move-2")
    assert battle.asked[0].seat == "japan-ne"


@pytest.mark.rule("tora", "5.2")
def test_japanese_once_close_are_remembered_when_farther_off() -> None:
    battle = Battle().put("3NW", "kate-1")
    battle.state.usa.contact = 1
    note_contact(table(battle.state))
    assert battle.state.usa.contact == 1
