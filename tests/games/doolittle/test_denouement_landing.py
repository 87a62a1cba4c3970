"""Tests of the start of the denouement (rules 14.0 to 14.2): landings, crew markers, searches for ditched crews."""

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
def test_steps_follow_the_rules_and_end_with_the_debriefing() -> None:
    state = over()
    names = [name for name, *_ in DENOUEMENT]
    assert names == ["landing", "ditching", "homeward", "fields", "transport", "siberia", "korea"]
    for name, after in zip(names, [*names[1:], "debriefing"], strict=True):
        state.at = At(9, name)
        assert after_denouement(state).phase == after


@pytest.mark.rule("doolittle", "14.0.1", "14.1.2", "DR89", "2.2")
def test_crew_gets_a_marker_and_bomber_the_fuel_of_its_flight() -> None:
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
    run(land(at := table(state, 1, 2, 5)))
    assert (state.squad["b02"].fate, state.squad["b02"].fuel, state.crews[0].fit) == ("crashed", 0, False)
    (roll,) = (roll for line in at.log or () for roll in line.rolls if line.rule == "14.1.2")
    assert roll.name == "landing of a bomber with a hit"
    assert roll.result.startswith("1d6, deadly crash on 1–2, crash on 3–4, damage on 5, no damage on 6: 5")


@pytest.mark.rule("doolittle", "14.1.2", "DR96")
def test_armor_makes_a_second_hit_severe_with_its_own_column() -> None:
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
def test_bomber_launched_for_midway_is_home() -> None:
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
def test_crew_ditched_is_lost_or_captured_by_place(zone: str, face: int, fate: str) -> None:
    state = over("ditching")
    state.squad["b02"] = Bomber(key="b02", fate="ditched", where=zone)
    run(ditching(table(state, face)))
    assert fates(state) == {"b02": fate}


@pytest.mark.rule("doolittle", "14.2.1")
@pytest.mark.parametrize(("face", "fit"), [(3, False), (4, False), (5, True), (6, True)])
def test_crew_ditched_may_be_on_foot_in_china(face: int, *, fit: bool) -> None:
    state = over("ditching")
    state.squad["b02"] = Bomber(key="b02", fate="ditched", where=WEST)
    run(ditching(table(state, face)))
    assert [(one.where, one.fit, one.fate) for one in state.crews] == [("trekking", fit, "")]


@pytest.mark.rule("doolittle", "14.2.1")
def test_submarine_off_japan_rescues_one_crew() -> None:
    state = over("ditching")
    state.sky.submarines = 1
    for key in ("b01", "b02"):
        state.squad[key] = Bomber(key=key, fate="ditched", where=EAST)
    at = table(state, 4, 4)
    run(ditching(at))
    assert fates(state) == {"b01": "rescued", "b02": "missing"}
    assert "A submarine off Japan takes Doolittle's crew aboard" in log_text(at)


@pytest.mark.rule("doolittle", "14.2.1")
def test_submarine_does_not_rescue_captured_crews() -> None:
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
def test_pilot_does_not_reroll_for_a_crew_a_submarine_will_rescue() -> None:
    state = over("ditching")
    state.sky.submarines = 1
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=EAST)
    pilot = man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(ditching(table(state, 4)), None, asked)
    assert (asked, pilot.used, fates(state)) == ([], False, {"b01": "rescued"})


@pytest.mark.rule("doolittle", "14.2.1", "2.3.7")
@pytest.mark.parametrize("boats", [0, 1])
def test_pilot_east_of_japan_rerolls_only_near_a_submarine(boats: int) -> None:
    state = over("ditching")
    state.sky.submarines = boats
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=EAST)
    man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(ditching(table(state, 1)), None, asked)
    assert rules_asked(asked) == ["2.3.7"] * boats


@pytest.mark.rule("doolittle", "14.2.1", "2.3.7")
def test_pilot_may_reroll_for_his_crew() -> None:
    state = over("ditching")
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=WEST)
    pilot = man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(ditching(table(state, 1, 6)), {"2.3.7": "again-1"}, asked)
    assert (rules_asked(asked), pilot.used) == (["2.3.7"], True)
    assert (state.crews[0].where, state.crews[0].elites) == ("trekking", [pilot])


@pytest.mark.rule("doolittle", "14.2", "4.0.1")
def test_crew_down_over_a_target_is_captured_and_near_the_ships_safe() -> None:
    state = over("ditching")
    state.squad["b01"] = Bomber(key="b01", fate="captured", where=JAPAN)
    state.squad["b02"] = Bomber(key="b02", fate="ditched", where="")
    state.squad["b03"] = Bomber(key="b03", fate="destroyed")
    run(ditching(table(state)))
    assert fates(state) == {"b01": "captured", "b02": "home"}


@pytest.mark.rule("doolittle", "14.0.1", "2.3")
def test_elite_crewman_shares_the_fate_of_his_crew() -> None:
    state = over("ditching")
    standing(state, "b01", "kweilin")
    engineer = man(state, "b01", "fuel-conservation")
    result = add_crew(table(state), state.squad["b01"], "kweilin")
    assert result.elites == [engineer]
    assert crew(state, "b02", "kweilin").elites == []
    assert DATA.bombers.crew.elites == 1


@pytest.mark.rule("doolittle", "14.2.1", "2.3.7")
@pytest.mark.parametrize(("face", "chance"), [(2, 4 / 6), (3, 2 / 6)])
def test_reroll_odds_of_captured_are_escape_and_of_wounded_no_injury(face: int, chance: float) -> None:
    state = over("ditching")
    state.squad["b01"] = Bomber(key="b01", fate="ditched", where=WEST)
    man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(ditching(table(state, face)), {"2.3.7": "keep"}, asked)
    assert hints(asked[0])["again-1"] == pytest.approx(chance)
