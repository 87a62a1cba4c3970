"""[12.2] Tests of weather, forecast winds and storms."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, rules_asked, run, table
from tests.games.doolittle.voyage_helpers import at_sea, sea, signals

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.ending import facts
from readyroom.games.doolittle.voyage.hazard_effects import lost_secrecy_dice
from readyroom.games.doolittle.voyage.refueling import refueling
from readyroom.games.doolittle.voyage.weather import apply_storm, enter_area, weather


def transit(kind: str, number: int = 1) -> str:
    """Return the key of a transit hazard of a kind."""
    return [key for key, card in DATA.embarkation.cup.markers.items() if card.kind == kind][number - 1]


@pytest.mark.rule("doolittle", "12.2", "12.2.1", "9.3")
def test_weather_is_rolled_only_for_boxes_with_patrols() -> None:
    state = at_sea("midway", "storm")
    sea(state).recon["ca-18"].place = "influence-east"
    at = table(state, 2, 2, 5, 5)
    run(weather(at), {"12.2.3": "wait"})
    assert "The weather at Influence East and Influence West: " in log_text(at, "12.2.1")
    assert sea(state).weather == {"midway": "calm", "influence": "gale"}
    at = table(state, 6, 6, 2, 2, draws=[transit("security")])
    run(weather(at), {"12.2.3": "wait"})
    assert log_text(at, "12.2.2").startswith("The force fights its way through a storm at Midway.")


@pytest.mark.rule("doolittle", "12.2", "12.6.2")
def test_weather_for_submarine_is_rolled_once_in_contact() -> None:
    state = at_sea("midway")
    run(weather(table(state, 2, 2)))
    sea(state).submarines["thresher"].contact = True
    run(weather(table(state, 2, 2, 6, 5)))
    assert sea(state).weather == {"midway": "calm", "japan": "gale"}


@pytest.mark.rule("doolittle", "12.2", "9.3")
def test_defense_areas_share_one_weather() -> None:
    state = at_sea("defense-east")
    sea(state).recon["ca-18"].place = "defense-west"
    run(weather(table(state, 6, 3)), {"12.2.3": "wait"})
    assert sea(state).weather == {"defense": "gusty"}


@pytest.mark.rule("doolittle", "DR52", "12.5.1")
def test_weather_in_port_uses_eastern_table_without_storm_effect() -> None:
    state = at_sea("")
    at = table(state, 6, 6)
    run(weather(at))
    assert sea(state).weather == {"port": "storm"}
    assert log_text(at, "12.2.1").startswith("The weather at San Francisco: ")


@pytest.mark.rule("doolittle", "12.2.3", "8.2.3")
def test_wind_may_be_kept_until_turn_end() -> None:
    state = at_sea("influence-west")
    run(weather(table(state, 2, 2, 6, 4)), {"12.2.3": [["look"], ["keep"]]})
    assert state.sky.winds == {"W1": "tailwind"}
    assert not state.sky.checked or not state.sky.planned
    state.at = state.at.__class__(state.at.turn, "refueling")
    run(refueling(table(state)))
    assert state.sky.winds == {}


@pytest.mark.rule("doolittle", "12.2.3", "9.1")
def test_wind_may_be_checked_in_last_sea_area() -> None:
    state = at_sea("japan")
    asked: list[Decision] = []
    run(weather(table(state, 2, 2)), {"12.2.3": "wait"}, asked)
    assert rules_asked(asked) == ["12.2.3"]


@pytest.mark.rule("doolittle", "12.2.3")
def test_wind_may_be_removed_or_left_unchecked() -> None:
    state = at_sea("influence-west")
    run(weather(table(state, 2, 2, 1, 2)), {"12.2.3": [["look"], ["remove"]]})
    assert state.sky.winds == {}
    run(weather(table(state, 2, 2)), {"12.2.3": "wait"})
    assert state.sky.winds == {}


@pytest.mark.rule("doolittle", "12.2.3")
def test_wind_check_is_not_asked_when_irrelevant() -> None:
    state = at_sea("hawaii")
    sea(state).submarines["thresher"].contact = True
    asked: list[Decision] = []
    run(weather(table(state, 2, 2, 1, 1)), asked=asked)
    assert asked == []
    assert sea(state).weather["japan"] == "storm"


@pytest.mark.rule("doolittle", "12.2.2", "DR60", "12.6.6.C")
def test_storm_removes_signals_and_restores_secrecy_die() -> None:
    state = at_sea("defense-east", "storm")
    signals(state, "midway", "influence-east", "influence-west")
    state.security.value, sea(state).muffled = 4, 1
    at = table(state, draws=[transit("security")])
    risk = state.security.risk
    run(apply_storm(at), {"12.2.2": "off-influence-east"})
    assert sea(state).signals["influence-east"] == []
    assert (state.security.value, state.security.risk) == (5, risk + 1)


@pytest.mark.rule("doolittle", "12.2.2", "13.5.2", "DR105")
def test_storm_damages_chosen_bomber_or_turret() -> None:
    state = at_sea("midway", "storm")
    run(
        apply_storm(table(state, draws=[transit("damage")])),
        {"12.2.2": lambda one: [key for key in one.keys if key.endswith("b05")]},
    )
    assert state.squad["b05"].hits == 1
    run(
        apply_storm(table(state, draws=[transit("turret")])),
        {"12.2.2": lambda one: [key for key in one.keys if key.endswith("b06")]},
    )
    assert [one.key for one in state.squad["b06"].markers] == [transit("turret")]
    run(apply_storm(table(state, draws=[transit("carburetors")])))
    assert state.ratings.guzzle == DATA.bombers.standard.guzzle
    assert any(one.key == transit("carburetors") for one in state.cups["transit"].contents)


@pytest.mark.rule("doolittle", "12.2.2")
def test_storm_spares_bombers_off_the_deck() -> None:
    state = at_sea("midway", "storm")
    for key, bomber in state.squad.items():
        bomber.fate = "" if key == "b05" else "overboard"
    run(apply_storm(table(state, draws=[transit("damage")])))
    assert state.squad["b05"].hits == 1


@pytest.mark.rule("doolittle", "DR51", "12.2.2", "12.5.1")
def test_force_entering_unknown_area_rolls_weather() -> None:
    state = at_sea("midway")
    sea(state).area = "influence-east"
    at = table(state, 6, 6, draws=[transit("security")])
    asked: list[Decision] = []
    run(enter_area(at), {"12.2.3": "wait"}, asked)
    assert sea(state).weather["influence"] == "storm"
    assert "storm" in log_text(at, "12.2.2")
    assert rules_asked(asked) == ["12.2.3"]
    again = table(state, draws=[transit("security", 2)])
    sea(state).area = "influence-west"
    run(enter_area(again))
    assert "storm" in log_text(again, "12.2.2")


@pytest.mark.rule("doolittle", "12.6.6.C", "DR60")
def test_lost_secrecy_dice_count_each_row_of_signals() -> None:
    assert lost_secrecy_dice([True, True, False, True, True], 3, 1) == 0
    assert lost_secrecy_dice([True, True, True, False, True, True, True, True], 3, 1) == 3


@pytest.mark.rule("doolittle", "12.2.2", "2.1.3", "DR122")
def test_storm_that_wrecks_bomber_kills_no_crew() -> None:
    state = at_sea("midway", "storm")
    state.squad["b04"].hits = 1
    at = table(state, draws=[transit("damage")])
    run(apply_storm(at), {"12.2.2": ["damaged-b04"]})
    assert (state.squad["b04"].fate, "goes overboard" in log_text(at)) == ("overboard", True)
    known = facts.all_facts(state, DATA)
    assert (known["crews-killed"], known["bombers-lost"], known["launched"]) == (0, 1, 0)
    assert known["bombers-destroyed-with-crew"] == 0
