"""Tests of landing after a flight (rules 14.1, 2.3.2): landing results and repairs."""

from __future__ import annotations

import msgspec
import pytest
from tests.games.doolittle.end_helpers import planned
from tests.games.doolittle.helpers import (
    DATA,
    aloft,
    attached,
    hints,
    in_cup,
    log_text,
    man,
    out_of_cup,
    raiders,
    rules_asked,
    run,
    table,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.denouement.landing import land_at_site, landing_check
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import Doolittle, Flight

SITES = DATA.flight.site


def landed(*members: str, site: str = "kweilin") -> tuple[Doolittle, Flight]:
    """Return a flight that has found a site by day, in calm weather."""
    state = raiders(phase="debriefing")
    flight = aloft(state, *(members or ("b01",)), zone="Z12", fuel=1)
    flight.site = site
    return state, flight


@pytest.mark.rule("doolittle", "14.1.1", "13.3.3.G")
def test_landing_adds_light_weather_gear_pilots_and_ice() -> None:
    state, flight = landed("b01", "b02")
    flight.light, flight.weather = "night", "storm"
    man(state, "b01", "re-roll").used = True
    gear = out_of_cup(state, "mechanical", "III")
    state.squad["b01"].markers.append(gear)
    at = table(state)
    fault = DATA.flight_hazards.markers[gear.key].landing
    assert dict(landing_check(at, flight, state.squad["b01"]).modifiers) == {
        "arrival at night": -2,
        "storm": -3,
        "elite pilot": 1,
        "mechanical problems": fault,
    }
    flight.site, flight.light, flight.weather = "vladivostok", "day", "gale"
    man(state, "b02", "repair", "copilot")
    state.squad["b02"].markers.append(Marker(key=next(iter(DATA.embarkation.cup.markers))))
    assert dict(landing_check(at, flight, state.squad["b02"]).modifiers) == {"gale": -1}
    state.blotter = planned()
    assert dict(landing_check(at, flight, state.squad["b02"]).modifiers) == {"gale": -1, "ice": -5}
    flight.site = "kweilin"
    assert "ice" not in dict(landing_check(at, flight, state.squad["b02"]).modifiers)
    flight.site = "vladivostok"
    state.ratings = msgspec.structs.replace(state.ratings, de_icers=True)
    assert dict(landing_check(at, flight, state.squad["b02"]).modifiers) == {"gale": -1}


@pytest.mark.rule("doolittle", "14.1", "14.1.2")
@pytest.mark.parametrize(
    ("hits", "dice", "fate", "then"),
    [
        (0, (2, 2), "landed", 0),
        (0, (1, 2, 6), "landed", 0),
        (0, (1, 2, 4), "landed", 1),
        (0, (1, 2, 2), "crashed", 0),
        (0, (1, 2, 1), "destroyed", 0),
        (1, (1, 2, 3), "crashed", 1),
        (1, (1, 2, 5), "crashed", 2),
    ],
)
def test_poor_landing_is_read_by_damage(hits: int, dice: tuple[int, ...], fate: str, then: int) -> None:
    state, _ = landed()
    bomber = state.squad["b01"]
    bomber.hits = hits
    run(land_at_site(table(state, *dice), SITES["kweilin"]))
    assert (bomber.fate, bomber.where, bomber.hits) == (fate, "kweilin", then)


@pytest.mark.rule("doolittle", "14.1")
def test_site_is_landed_on_by_bombers_that_found_it() -> None:
    state = raiders(phase="debriefing")
    aloft(state, "b01", zone="Z12", other=["b02"]).site = "kweilin"
    state.sky.flights[1].site = "kian"
    run(land_at_site(table(state, 6, 6), SITES["kweilin"]))
    assert [state.squad[key].fate for key in ("b01", "b02")] == ["landed", ""]


@pytest.mark.rule("doolittle", "14.1.2", "2.3.7")
def test_pilot_may_reroll_a_poor_landing_or_ignore_its_damage() -> None:
    state, _ = landed()
    man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(land_at_site(table(state, 1, 1, 1, 6), SITES["kweilin"]), {"2.3.7": [["keep"], ["again-1"]]}, asked)
    assert rules_asked(asked) == ["2.3.7", "2.3.7"]
    faces = [DATA.denouement.poor_landing.cell(face, "undamaged, elite") for face in range(1, 7)]
    assert hints(asked[1])["again-1"] == pytest.approx(sum(cell in ("damaged", "good") for cell in faces) / 6)
    assert (state.squad["b01"].fate, state.squad["b01"].hits) == ("landed", 0)
    state, _ = landed()
    pilot = man(state, "b01", "ignore-damage")
    run(land_at_site(table(state, 1, 1, 3), SITES["kweilin"]), {"2.3.7": "ignore"})
    assert (state.squad["b01"].fate, state.squad["b01"].hits, pilot.used) == ("landed", 0, True)


@pytest.mark.rule("doolittle", "2.3.2")
def test_copilot_repairs_gear_before_the_landing_or_damage_once() -> None:
    state, _ = landed("b01", "b02")
    copilot = man(state, "b01", "repair")
    gear = attached(state, "b02", "mechanical").markers[0]
    state.squad["b02"].hits = 1
    asked: list[Decision] = []
    run(land_at_site(table(state, 6, 6, 6, 6), SITES["kweilin"]), {"2.3.2": f"b02-{gear.key}"}, asked)
    assert asked[0].keys == ["wait", "b02-damage", f"b02-{gear.key}"]
    assert len(asked) == 1
    assert (in_cup(state, gear), copilot.used, state.squad["b02"].hits) == (True, True, 1)


@pytest.mark.rule("doolittle", "2.3.2", "DR97")
def test_copilot_repairs_before_the_landing_only_what_makes_it_harder() -> None:
    state, _ = landed()
    man(state, "b01", "repair")
    attached(state, "b01", "fuel-leak")
    asked: list[Decision] = []
    at = table(state, 6, 6)
    run(land_at_site(at, SITES["kweilin"]), None, asked)
    assert (asked, log_text(at, "2.3.2")) == ([], "")


@pytest.mark.rule("doolittle", "2.3.2")
def test_copilot_may_wait_until_all_are_down_and_repairs_only_in_china() -> None:
    state, _ = landed("b01", "b02")
    man(state, "b01", "repair")
    dice = (6, 6, 1, 1, 4)
    run(land_at_site(table(state, *dice), SITES["kweilin"]), {"2.3.2": "b02-damage"})
    assert (state.squad["b02"].fate, state.squad["b02"].hits) == ("landed", 0)
    state, _ = landed("b01", "b02", site="korea")
    man(state, "b01", "repair")
    state.squad["b02"].hits = 1
    asked: list[Decision] = []
    run(land_at_site(table(state, 6, 6, 6, 6), SITES["korea"]), None, asked)
    assert asked == []


@pytest.mark.rule("doolittle", "2.3.2", "14.1.2", "DR97")
@pytest.mark.parametrize(("die", "fate"), [(1, "destroyed"), (3, "crashed")])
def test_repair_excludes_wrecks_and_dead_copilots(die: int, fate: str) -> None:
    state, _ = landed("b01", "b02")
    state.squad["b01"].hits = 1
    (copilot,) = ("b01",) if fate == "destroyed" else ("b02",)
    man(state, copilot, "repair")
    if fate == "destroyed":
        state.squad["b02"].hits = 1
    asked: list[Decision] = []
    run(land_at_site(table(state, 1, 2, die, 6, 6), SITES["kweilin"]), {"2.3.2": "wait"}, asked)
    assert state.squad["b01"].fate == fate
    assert [one.piece_key for one in asked if one.rule == "2.3.2"] == [copilot]


def test_landing_reroll_hint_is_exact() -> None:
    state, _ = landed()
    man(state, "b01", "re-roll")
    asked: list[Decision] = []
    run(land_at_site(table(state, 1, 1, 6), SITES["kweilin"]), None, asked)
    assert hints(asked[0])["again-1"] == pytest.approx(5 / 6)
