"""The denouement begins (rules 14.0 to 14.2): bombers land, crews get markers, and who ditched is looked for."""

from __future__ import annotations

import pytest
from tests.games.doolittle.end_helpers import crew, fates, over, standing
from tests.games.doolittle.helpers import DATA, aloft, hints, log_text, man, rules_asked, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.games.doolittle.denouement.crews import add_crew, ditched_column, ditching
from readyroom.games.doolittle.denouement.landing import land
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.sequence import DENOUEMENT, after_denouement

WEST, JAPAN, EAST = "Z10", "Z6", "Z3"


@pytest.mark.rule("doolittle", "14.0", "14.1")
def test_the_steps_come_in_the_order_of_the_rules_and_then_the_debriefing() -> None:
    state = over()
    names = [name for name, *_ in DENOUEMENT]
    assert names == ["landing", "ditching", "homeward", "fields", "transport", "siberia", "korea"]
    for name, after in zip(names, [*names[1:], "debriefing"], strict=True):
        state.at = At(9, name)
        assert after_denouement(state).phase == after


@pytest.mark.rule("doolittle", "14.0.1", "14.1.2", "DR89", "2.2")
def test_a_crew_gets_a_marker_and_a_bomber_the_fuel_of_its_flight() -> None:
    state = over()
    state.squad = {key: Bomber(key=key, loaded=False) for key in ("b01", "b02", "b03")}
    flight = aloft(state, "b01", "b02", "b03", zone="Z12", fuel=2)
    flight.site = "kweilin"
    doolittle = man(state, "b01", "re-roll")
    run(land(table(state, 6, 6, 1, 1, 2, 1, 1, 1)))
    assert [(one.key, one.where, one.fit) for one in state.crews] == [
        ("b01", "kweilin", True),
        ("b02", "kweilin", False),
    ]
    assert (state.crews[0].elites, state.squad["b01"].elite) == ([doolittle], None)
    assert [bomber.fate for bomber in state.squad.values()] == ["landed", "crashed", "destroyed"]
    assert [bomber.fuel for bomber in state.squad.values()] == [2, 0, 0]


@pytest.mark.rule("doolittle", "14.1.2", "DR88")
def test_damage_that_destroys_a_bomber_hurts_its_crew_and_costs_its_fuel() -> None:
    state = over()
    state.squad = {"b02": Bomber(key="b02", loaded=False, hits=1)}
    aloft(state, "b02", zone="Z12", fuel=3).site = "kweilin"
    run(land(table(state, 1, 2, 5)))
    assert (state.squad["b02"].fate, state.squad["b02"].fuel, state.crews[0].fit) == ("crashed", 0, False)


@pytest.mark.rule("doolittle", "14.1.2", "DR96")
def test_with_armor_a_second_hit_is_severe_and_read_in_a_column_of_its_own() -> None:
    state = over()
    state.armour = "added"
    state.squad = {"b02": Bomber(key="b02", loaded=False, hits=1)}
    aloft(state, "b02", zone="Z12", fuel=3).site = "kweilin"
    run(land(table(state, 1, 2, 5)))
    assert (state.squad["b02"].fate, state.squad["b02"].hits) == ("landed", 2)
    state = over()
    state.armour = "added"
    state.squad = {"b02": Bomber(key="b02", loaded=False, hits=2)}
    aloft(state, "b02", zone="Z12", fuel=3).site = "kweilin"
    run(land(table(state, 1, 2, 3)))
    assert state.squad["b02"].fate == "destroyed"


@pytest.mark.rule("doolittle", "14.1", "12.4")
def test_who_was_launched_for_midway_is_home() -> None:
    state = over()
    wrecked = Bomber(key="b02", fate="ashore", where="")
    state.squad = {"b01": Bomber(key="b01", fate="ashore", where="midway-island"), "b02": wrecked}
    at = table(state)
    run(land(at))
    assert (fates(state), state.squad["b01"].fate) == ({"b01": "home"}, "ashore")
    assert "Doolittle has landed safely" in log_text(at, "14.1")


@pytest.mark.rule("doolittle", "14.2", "14.2.1", "DR49")
@pytest.mark.parametrize(
    ("zone", "face", "fate"),
    [
        (EAST, 1, "missing"),
        (EAST, 4, "missing"),
        (EAST, 6, "captured"),
        (JAPAN, 2, "captured"),
        (JAPAN, 6, "missing"),
        ("Z7", 1, "missing"),
        (WEST, 2, "captured"),
    ],
)
def test_a_ditched_crew_is_lost_or_taken_by_where_it_came_down(zone: str, face: int, fate: str) -> None:
    state = over("ditching")
    state.squad["b02"] = Bomber(key="b02", fate="ditched", where=zone)
    run(ditching(table(state, face)))
    assert fates(state) == {"b02": fate}


@pytest.mark.rule("doolittle", "14.2.1")
@pytest.mark.parametrize(("face", "fit"), [(3, False), (4, False), (5, True), (6, True)])
def test_or_it_is_on_foot_in_china(face: int, *, fit: bool) -> None:
    state = over("ditching")
    state.squad["b02"] = Bomber(key="b02", fate="ditched", where=WEST)
    run(ditching(table(state, face)))
    assert [(one.where, one.fit, one.fate) for one in state.crews] == [("trekking", fit, "")]


@pytest.mark.rule("doolittle", "14.2.1")
def test_each_submarine_off_japan_picks_up_one_crew() -> None:
    state = over("ditching")
    state.sky.submarines = 1
    for key in ("b01", "b02"):
        state.squad[key] = Bomber(key=key, fate="ditched", where=EAST)
    at = table(state, 4, 4)
    run(ditching(at))
    assert fates(state) == {"b01": "rescued", "b02": "missing"}
    assert "A submarine off Japan takes Doolittle's crew aboard" in log_text(at)


@pytest.mark.rule("doolittle", "14.2.1")
def test_a_submarine_helps_nobody_whom_the_japanese_have() -> None:
    chart = DATA.denouement.ditched
    face = next(
        face for face in range(1, 7) if chart.cell(face, ditched_column(table(over("ditching")), EAST)) == "missing"
    )
    state = over("ditching")
    state.sky.submarines = 1
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=EAST)
    run(ditching(table(state, face)))
    assert fates(state) == {"b01": "missing"}


@pytest.mark.rule("doolittle", "14.2.1", "2.3.7")
def test_a_pilot_does_not_try_again_for_a_crew_that_a_submarine_will_take() -> None:
    state = over("ditching")
    state.sky.submarines = 1
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=EAST)
    pilot = man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(ditching(table(state, 4)), None, asked)
    assert (asked, pilot.used, fates(state)) == ([], False, {"b01": "rescued"})


@pytest.mark.rule("doolittle", "14.2.1", "2.3.7")
@pytest.mark.parametrize("boats", [0, 1])
def test_east_of_japan_a_pilot_tries_again_only_where_a_submarine_is(boats: int) -> None:
    state = over("ditching")
    state.sky.submarines = boats
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=EAST)
    man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(ditching(table(state, 1)), None, asked)
    assert rules_asked(asked) == ["2.3.7"] * boats


@pytest.mark.rule("doolittle", "14.2.1", "2.3.7")
def test_a_pilot_may_have_the_die_for_his_crew_thrown_again() -> None:
    state = over("ditching")
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=WEST)
    pilot = man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(ditching(table(state, 1, 6)), {"2.3.7": "again-1"}, asked)
    assert (rules_asked(asked), pilot.used) == (["2.3.7"], True)
    assert (state.crews[0].where, state.crews[0].elites) == ("trekking", [pilot])


@pytest.mark.rule("doolittle", "14.2", "4.0.1")
def test_who_came_down_over_a_target_is_a_prisoner_and_who_fell_beside_the_ships_is_safe() -> None:
    state = over("ditching")
    state.squad["b01"] = Bomber(key="b01", fate="captured", where=JAPAN)
    state.squad["b02"] = Bomber(key="b02", fate="ditched", where="")
    state.squad["b03"] = Bomber(key="b03", fate="destroyed")
    run(ditching(table(state)))
    assert fates(state) == {"b01": "captured", "b02": "home"}


@pytest.mark.rule("doolittle", "14.0.1", "2.3")
def test_an_elite_crewman_shares_the_fate_of_his_crew() -> None:
    state = over("ditching")
    standing(state, "b01", "kweilin")
    engineer = man(state, "b01", "fuel-conservation")
    result = add_crew(table(state), state.squad["b01"], "kweilin")
    assert result.elites == [engineer]
    assert crew(state, "b02", "kweilin").elites == []
    assert DATA.bombers.crew.elites == 1


@pytest.mark.rule("doolittle", "14.2.1", "2.3.7")
@pytest.mark.parametrize(("face", "chance"), [(2, 4 / 6), (3, 2 / 6)])
def test_who_is_taken_hopes_for_any_way_into_the_hills_and_who_is_hurt_for_a_whole_skin(
    face: int, chance: float
) -> None:
    state = over("ditching")
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=WEST)
    man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(ditching(table(state, face)), {"2.3.7": "keep"}, asked)
    assert hints(asked[0])["again-1"] == pytest.approx(chance)
