"""[13.2.3, 13.2.4] Tests of landing sites in China."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, aloft, log_text, raiders, run, table
from tests.games.doolittle.plan_helpers import planner

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.games.doolittle.figures.ending import Segment
from readyroom.games.doolittle.flight import acquisition
from readyroom.games.doolittle.planning import china
from readyroom.games.doolittle.secrecy import raise_alert
from readyroom.games.doolittle.sequence import after_planning
from readyroom.games.doolittle.state import Doolittle


def _granted(*beacons: str) -> Doolittle:
    state = planner("march", "china")
    state.talks.granted = ["stilwell"]
    state.sky.beacons = dict.fromkeys(beacons, 0)
    return state


@pytest.mark.rule("doolittle", "13.2.3")
def test_china_phase_needs_permission() -> None:
    state = planner("march", "talks")
    assert after_planning(state) == At(4, "april")
    state.talks.granted = ["stilwell"]
    assert after_planning(state) == At(3, "china")


@pytest.mark.rule("doolittle", "13.2.3")
def test_site_preparation_without_permission_asks_nothing() -> None:
    state, asked = _granted(), list[Decision]()
    state.talks.granted = []
    run(china.supply_china(table(state)), {"13.2.3": []}, asked)
    assert asked == []


@pytest.mark.rule("doolittle", "13.2.3", "DR136")
def test_site_preparation_rolls_against_stockpile_number() -> None:
    state, asked = _granted(), list[Decision]()
    at = table(state, 2, 3, 2, 3)
    run(
        china.supply_china(at),
        {"13.2.3": [["prepare-kweilin"], ["prepare-kian"], ["prepare-none"], [], ["crew-none"]]},
        asked,
    )
    assert set(state.sky.beacons) == {"kweilin"}
    chances = {option.key: option.info.chance for option in asked[0].options if option.info}
    assert chances["prepare-kweilin"] == pytest.approx(30 / 36)
    assert [one.keys[0].split("-")[0] for one in asked] == ["prepare", "prepare", "prepare", "fuel", "crew"]
    assert "prepare-kian" not in asked[2].keys
    assert "Kian cannot be prepared this month" in log_text(at, "13.2.3")


@pytest.mark.rule("doolittle", "13.2.3")
def test_site_preparation_excludes_prepared_and_attacked_sites() -> None:
    state, asked = _granted("kian"), list[Decision]()
    state.sky.taken = ["lishui"]
    run(china.supply_china(table(state)), {"13.2.3": [["prepare-none"], [], ["crew-kian"]]}, asked)
    assert asked[0].keys == ["prepare-chuchow", "prepare-yushan", "prepare-kweilin", "prepare-none"]
    assert state.sky.groundcrews == {"kian": 1}


@pytest.mark.rule("doolittle", "13.2.3")
def test_fuel_to_send_is_limited_by_month_and_total() -> None:
    state = _granted("kian", "kweilin")
    at = table(state)
    assert china.fuel_to_send(at) == 8
    state.talks.briefed = ["stilwell", "chiang"]
    assert china.fuel_to_send(at) == 15
    state.sky.stock = {"kian": 30, "kweilin": 4}
    assert china.fuel_to_send(at) == 6
    fuel = ["fuel-kian", "fuel-kian", "fuel-kweilin"]
    run(china.supply_china(at), {"13.2.3": [["prepare-none"], fuel, ["crew-none"]]})
    assert state.sky.stock == {"kian": 32, "kweilin": 5}


@pytest.mark.rule("doolittle", "13.2.4")
def test_attack_on_site_removes_its_fuel_crews_and_beacon() -> None:
    state = _granted("lishui", "kian")
    state.sky.stock, state.sky.groundcrews = {"lishui": 3, "kian": 1}, {"lishui": 1}
    china.check_event(table(state, 1, 2, 3, 4))
    assert (state.sky.taken, state.sky.stock, state.sky.groundcrews) == (["lishui"], {"kian": 1}, {})
    assert list(state.sky.beacons) == ["kian"]
    assert not state.notes.fuel_kept


@pytest.mark.rule("doolittle", "13.2.4")
def test_attack_on_bare_site_takes_no_fuel() -> None:
    state = _granted("kian")
    china.check_event(table(state, 1, 1, 3, 4))
    assert state.sky.taken == ["lishui"]
    assert state.notes.fuel_kept


@pytest.mark.rule("doolittle", "13.2.4")
def test_storm_loss_is_limited_to_stock_and_needs_beacon() -> None:
    state = _granted("lishui")
    state.sky.stock = {"lishui": 2}
    china.check_event(table(state, 2, 3, 3, 4, 6))
    assert state.sky.stock == {"lishui": 0}
    at = table(_granted())
    china.check_event(at)
    assert not log_text(at)


@pytest.mark.rule("doolittle", "13.2.4")
def test_events_phase_needs_beacon() -> None:
    state = _granted("kian")
    assert after_planning(state) == At(3, "events")
    state.sky.beacons = {}
    assert after_planning(state) == At(4, "april")
    assert len(DATA.flight.sites_in("china")) == 5


@pytest.mark.rule("doolittle", "6.2", "13.2.4", "DR67")
@pytest.mark.parametrize(
    ("segment", "before", "taken"), [("naval", 3, ["lishui"]), ("naval", 2, []), ("flight", 3, [])]
)
def test_alert_of_four_at_sea_triggers_china_event(segment: Segment, before: int, taken: list[str]) -> None:
    state = _granted("lishui")
    state.segment, state.security.alert = segment, before
    raise_alert(table(state, *((1, 2, 3, 4) if taken else ())), 1, "6.2")
    assert state.sky.taken == taken


@pytest.mark.rule("doolittle", "13.2.4", "8.1.2")
def test_attacked_site_is_no_search_goal() -> None:
    state = raiders()
    flight = aloft(state, "b01", "b02", zone="Z12")
    at = table(state)
    assert acquisition.search_goals(at, flight) == ["kian", "kweilin"]
    state.sky.taken = ["kian"]
    assert acquisition.search_goals(at, flight) == ["kweilin"]


@pytest.mark.rule("doolittle", "13.2.4", "DR123")
def test_event_at_lost_site_has_no_effect() -> None:
    state = _granted("kian")
    state.sky.taken = ["lishui"]
    at = table(state, 1, 1, 3, 4)
    china.check_event(at)
    assert (state.sky.taken, "Lishui was in Japanese hands already" in log_text(at)) == (["lishui"], True)


@pytest.mark.rule("doolittle", "13.2.3")
@pytest.mark.parametrize(
    ("briefed", "fuel"), [([], 8), (["chiang"], 8), (["stilwell"], 8), (["stilwell", "chiang"], 15)]
)
def test_fuel_to_send_rises_with_stilwell_and_chiang_briefed(briefed: list[str], fuel: int) -> None:
    state = _granted("kian")
    state.talks.briefed = briefed
    assert china.fuel_to_send(table(state)) == fuel
