"""[12.5] Tests of movement at sea, raid moves and the rendezvous."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, hints, log_text, rules_asked, run, table
from tests.games.doolittle.voyage_helpers import at_sea, fast, hazard, sea, ship, signals

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import RecordedDice
from readyroom.games.doolittle.voyage.ships import ships_afloat
from readyroom.games.doolittle.voyage.underway import may_raid, rendezvous, rendezvous_check, underway, underway_check
from readyroom.testing.running import Answers

CALM = (2, 2)


@pytest.mark.rule("doolittle", "12.5", "12.5.1", "9.1")
def test_passed_underway_check_forces_move() -> None:
    state = at_sea("midway")
    asked: list[Decision] = []
    at = table(state, 3, 2, *CALM)
    run(underway(at), asked=asked)
    assert sea(state).area == "influence-east"
    assert sea(state).fueled
    assert log_text(at, "12.5.1").startswith("The task force gets under way.")
    assert isinstance(at.dice, RecordedDice)
    assert any("midway" in event for event in at.dice.remembered)
    assert "12.5.1" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "12.5.1")
@pytest.mark.parametrize(
    ("area", "weather", "least"), [("140w", "calm", 4), ("midway", "storm", 9), ("japan", "gale", 8)]
)
def test_underway_number_depends_on_area_and_weather(area: str, weather: str, least: int) -> None:
    state = at_sea(area, weather)  # type: ignore[arg-type]
    assert underway_check(table(state)).at_least == least


@pytest.mark.rule("doolittle", "12.5.1", "DR52")
def test_move_out_of_port_uses_eastern_table() -> None:
    state = at_sea("")
    at = table(state, 2, 2, *CALM)
    run(underway(at))
    assert sea(state).area == "pacific-coast"
    assert isinstance(at.dice, RecordedDice)
    assert any("port" in event for event in at.dice.remembered)


@pytest.mark.rule("doolittle", "12.5.1")
def test_forced_move_costs_fuel() -> None:
    state = at_sea("midway")
    at = table(state, 1, 1)
    run(underway(at), {"12.5.1": "stay"})
    assert (sea(state).area, sea(state).fueled) == ("midway", True)
    assert log_text(at, "12.5.1").startswith("The task force makes no progress.")
    run(underway(table(state, 1, 1, *CALM)), {"12.5.1": "force"})
    assert (sea(state).area, sea(state).fueled) == ("influence-east", False)
    asked: list[Decision] = []
    run(underway(table(state, 1, 1)), asked=asked)
    assert sea(state).area == "influence-east"
    assert "12.5.1" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "12.5.2", "10.1.2")
def test_raid_move_needs_fast_force_west_of_date_line() -> None:
    state = at_sea("influence-east")
    assert not may_raid(table(state))
    fast(state)
    assert may_raid(table(state))
    ship(state, "gwin").hits = 1
    assert not may_raid(table(state))
    east = at_sea("midway")
    fast(east)
    assert not may_raid(table(east))
    last = at_sea("japan")
    fast(last)
    assert not may_raid(table(last))


@pytest.mark.rule("doolittle", "12.5.2", "12.5.1")
def test_raid_move_advances_second_area() -> None:
    state = at_sea("influence-east")
    sea(state).met = True
    fast(state)
    run(underway(table(state, 3, 2, 3, 2, *CALM)), {"12.5.2": "go", "12.2.3": "wait"})
    assert sea(state).area == "defense-east"


@pytest.mark.rule("doolittle", "12.5.2")
def test_failed_raid_move_of_fueled_force_may_be_forced() -> None:
    for answer, area, fueled in (("stay", "influence-west", True), ("force", "defense-east", False)):
        state, asked = at_sea("influence-east"), list[Decision]()
        sea(state).met = True
        fast(state)
        run(underway(table(state, 3, 2, 1, 1, *CALM)), {"12.5.2": [["go"], [answer]], "12.2.3": "wait"}, asked)
        hint = next(option.info for one in asked for option in one.options if option.key == "go")
        assert hint is not None
        assert hint.note == "gets there"
        assert (sea(state).area, sea(state).fueled, sea(state).over) == (area, fueled, False)


@pytest.mark.rule("doolittle", "12.5.2", "12.0.1")
def test_failed_raid_move_on_low_fuel_ends_voyage() -> None:
    state = at_sea("influence-east")
    sea(state).met, sea(state).fueled = True, False
    fast(state)
    asked: list[Decision] = []
    run(underway(table(state, 3, 2, 1, 1)), {"12.5.2": "go", "12.0.1": "home"}, asked)
    hint = next(option.info for one in asked for option in one.options if option.key == "go")
    assert hint is not None
    assert hint.note == "gets there; otherwise the force turns back"
    assert sea(state).over
    assert state.launched is not None
    assert state.launched.how == "none"
    assert {bomber.fate for bomber in state.squad.values()} == {"home"}


@pytest.mark.rule("doolittle", "12.5.2", "12.0.1", "12.3.1")
def test_launch_is_possible_before_turning_about() -> None:
    state = at_sea("influence-east")
    sea(state).met, sea(state).fueled = True, False
    fast(state)
    offs = (6, 6) * 5
    at = table(state, 3, 2, 1, 1, *offs, 3, 2, 2, 3)
    run(underway(at), {"12.5.2": "go", "12.0.1": "launch", "12.4.2": "now"})
    assert state.launched is not None
    assert (state.launched.how, state.launched.area) == ("emergency", "influence-west")
    assert len(state.sky.flights) == 5


@pytest.mark.rule("doolittle", "12.5.3")
def test_rendezvous_check_lists_its_modifiers() -> None:
    state = at_sea("midway", "storm", turn=5)
    assert state.plan is not None
    state.plan.delayed = True
    sea(state).recon["ca-18"].place = "force"
    sea(state).submarines["thresher"].area, sea(state).submarines["thresher"].contact = "midway", True
    sea(state).submarines["trout"].area = "midway"
    sea(state).flags.append(hazard(state, "red-flags"))
    check = rendezvous_check(table(state))
    assert dict(check.modifiers) == {
        "planned turn": 3, "recon": 1, "submarines": 1, "storm": -3, "red flags": -3, "delay": -2,
    }  # fmt: skip
    assert (check.dice, check.at_least) == (3, 11)
    sea(state).area = "hawaii"
    assert rendezvous_check(table(state)).dice == 2


@pytest.mark.rule("doolittle", "12.5.3", "12.6.6.F", "DR130")
def test_red_flags_each_lower_rendezvous_by_three() -> None:
    state = at_sea("midway")
    sea(state).flags += [hazard(state, "red-flags"), hazard(state, "red-flags")]
    assert dict(rendezvous_check(table(state)).modifiers)["red flags"] == -6
    run(rendezvous(table(state, 1, 1, 1)))
    assert sea(state).flags == []


@pytest.mark.rule("doolittle", "12.5.3", "12.6.6.F")
def test_red_flags_are_removed_after_failed_rendezvous() -> None:
    state = at_sea("midway")
    sea(state).flags.append(flags := hazard(state, "red-flags"))
    risk = state.security.risk
    run(rendezvous(table(state, 1, 1, 1)))
    assert sea(state).flags == []
    assert flags in state.cups[flags.cup].contents
    assert (sea(state).met, state.security.risk) == (False, risk + 1)


@pytest.mark.rule("doolittle", "12.5.3", "10.2.2")
def test_rendezvous_adds_all_ships_and_recon() -> None:
    state = at_sea("midway")
    assert state.plan is not None
    state.plan.delayed = True
    at, risk = table(state, 6, 5, 4), state.security.risk
    sea(state).fueled = False
    sea(state).recon["ca-18"].place = "force"
    asked: list[Decision] = []
    run(rendezvous(at), {"12.5.3": lambda one: ["usual"] if "usual" in one.keys else ["vf6-high-cap"]}, asked)
    assert sea(state).met
    assert "The Enterprise and her ships join." in log_text(at, "12.5.3")
    assert [one.who for one in state.story if one.what == "rendezvous"] == ["enterprise"]
    assert state.security.risk == risk
    assert len(ships_afloat(state)) == 16
    assert (sea(state).recon["vf6"].place, sea(state).recon["ca-18"].place) == ("high-cap", "force")
    assert not sea(state).fueled
    assert not state.plan.delayed
    assert state.facts["rendezvous"] == 1
    assert not any(key.endswith("influence-east") for one in asked for key in one.keys)


@pytest.mark.rule("doolittle", "12.5.3", "12.1.6", "DR128")
def test_rendezvous_moves_recovered_ship_but_not_distressed_one() -> None:
    state = at_sea("midway")
    for key in ("gwin", "vincennes"):
        ship(state, key).space = "astern-far"
    ship(state, "gwin").markers.append(hazard(state, "distress"))
    run(rendezvous(table(state, 6, 5, 4)), {"12.5.3": lambda one: ["usual"] if "usual" in one.keys else []})
    assert ship(state, "gwin").space == "astern-far"
    assert ship(state, "vincennes").space != "astern-far"


@pytest.mark.rule("doolittle", "12.5.3", "10.2.1")
def test_rendezvous_without_enterprise_adds_only_cruiser_recon() -> None:
    state = at_sea("midway", variant="second")
    run(rendezvous(table(state, 6, 5, 4)))
    assert sea(state).met
    assert len(ships_afloat(state)) == 8
    assert sea(state).recon["ca-16"].place == "hangar"
    assert sea(state).recon["vs6"].place == "away"


@pytest.mark.rule("doolittle", "12.5.3")
def test_breaking_radio_silence_adds_missing_points_as_risk() -> None:
    state = at_sea("hawaii")
    risk = state.security.risk
    asked: list[Decision] = []
    answers = {"12.5.3": lambda one: ["silence-4"] if "silence-4" in one.keys else [one.keys[0]]}
    run(rendezvous(table(state, 4, 4)), answers, asked)
    assert asked[0].keys == ["keep", "silence-4", "silence-5"]
    assert (sea(state).met, state.security.risk) == (True, risk + 4)


@pytest.mark.rule("doolittle", "12.5.3")
def test_breaking_radio_silence_is_not_offered_if_hopeless() -> None:
    state = at_sea("hawaii")
    asked: list[Decision] = []
    run(rendezvous(table(state, 1, 1)), asked=asked)
    assert asked == []


@pytest.mark.rule("doolittle", "12.5.3", "12.5")
def test_rendezvous_is_tried_once_per_area_around_move() -> None:
    state = at_sea("hawaii")
    asked: list[Decision] = []
    at = table(state, 1, 1, 3, 2, *CALM, 1, 1, 1)
    run(underway(at), {"12.5.3": lambda one: ["look"] if "look" in one.keys else ["keep"]}, asked)
    looks = [one for one in asked if "look" in one.keys]
    assert len(looks) == 2
    assert hints(looks[0])["look"] is not None
    stays = at_sea("hawaii")
    asked.clear()
    at = table(stays, 1, 1, 1, 1)
    run(underway(at), {"12.5.3": lambda one: ["look"] if "look" in one.keys else ["keep"], "12.5.1": "stay"}, asked)
    assert len([one for one in asked if "look" in one.keys]) == 1


@pytest.mark.rule("doolittle", "DR118", "12.5.3", "12.5.2")
def test_rendezvous_may_wait_for_raid_move() -> None:
    state = at_sea("influence-east")
    fast(state)
    at = table(state, 3, 2, 3, 2, *CALM, 1, 1)
    answers: Answers = {"12.5.3": [["wait"], ["wait"], ["look"], ["keep"]], "12.5.2": "go", "12.2.3": "wait"}
    asked: list[Decision] = []
    run(underway(at), answers, asked)
    assert [one.question for one in asked if one.rule == "12.5.3" and "look" in one.keys] == [
        "Look for the other force at Influence East?",
        "Look for the other force at Influence West?",
        "Look for the other force at Defense East?",
    ]


@pytest.mark.rule("doolittle", "12.5.3", "DR52")
def test_rendezvous_in_port_or_after_meeting_is_not_asked() -> None:
    port = at_sea("")
    asked: list[Decision] = []
    run(underway(table(port, 1, 1)), {"12.5.1": "stay"}, asked)
    assert "12.5.3" not in rules_asked(asked)
    met = at_sea("midway", met=True)
    run(underway(table(met, 1, 1)), {"12.5.1": "stay"}, asked)
    assert "12.5.3" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "9.1", "12.5")
def test_force_at_japan_does_not_move() -> None:
    state = at_sea("japan", met=True)
    signals(state, "japan")
    at = table(state)
    run(underway(at))
    assert sea(state).area == "japan"
    assert log_text(at, "12.5.1") == ""
    assert DATA.sea.order[-1] == "japan"
