"""Tests of the terminal board before and after the flight: blotter, voyage and denouement."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from rich.console import Console
from tests.games.doolittle.end_helpers import crew, over, standing
from tests.games.doolittle.plan_helpers import planner
from tests.games.doolittle.test_board import drawn, seen
from tests.games.doolittle.test_campaign import history
from tests.games.doolittle.voyage_helpers import at_sea, signals

from readyroom.games.doolittle.presentation.board import board
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.state import AWAY, GONE, Plan, Strike


def board_text(state: Doolittle) -> str:
    """Return all words of the board as one line."""
    return " ".join(" ".join(drawn(seen(state))).split())


def line(state: Doolittle, start: str) -> str:
    """Return the only line with this prefix, with single spaces; a table row is one line."""
    with patch.dict(board.__globals__, {"MOST": 300}):
        lines = drawn(seen(state), 300)
    names = [" ".join(one.split()) for one in lines if one.strip().startswith(start)]
    assert len(names) == 1, names
    return names[0]


# -- the blotter -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.0.1", "13.2.1")
def test_diplomat_shows_his_sums_column_and_known_talks() -> None:
    state = planner("march")
    state.notes.calendar = {"nimitz": "april", "stilwell": "january", "thompson": "march"}
    state.talks.granted, state.talks.denied = ["stilwell"], ["nimitz"]
    state.talks.briefed, state.talks.urgent = ["thompson", "chiang"], {"nimitz": 2}
    assert line(state, "Thompson") == "Thompson briefed, risk +3 9 10 11 ♟ 12"
    assert line(state, "Nimitz") == "Nimitz refused, urgent ×2, risk +2 – 7 7 8 ♟"
    assert line(state, "Stilwell") == "Stilwell agreed, Chiang briefed, risk +5 7 ♟ 7 8 9"


@pytest.mark.rule("doolittle", "13.0.1")
def test_month_column_alone_is_bold() -> None:
    console = Console(width=80, force_terminal=True, color_system="standard", legacy_windows=False)
    with console.capture() as capture:
        console.print(board(seen(planner("february"))))
    row = next(one for one in capture.get().splitlines() if "Thompson" in one)
    assert "\x1b[1m10 ♟" in row
    assert "\x1b[2m11 " in row


@pytest.mark.rule("doolittle", "13.0.1", "13.3", "13.4")
def test_workshop_and_field_show_what_was_done_there() -> None:
    state = planner("march", chosen=3)
    notes = state.notes
    assert line(state, "Workshop") == "Workshop: weight 3, guzzle 7, 3 gunnery dice, 6 fuel"
    assert line(state, "Field:") == "Field: Eglin Field, morale start (4 elite crewmen, 5 training points)"
    notes.modifications, notes.measures = ["radio-removed", "tanks"], ["fbi"]
    notes.liberty, notes.squadron_briefed, notes.training = True, True, {"hedgehopping": 2}
    assert line(state, "Workshop").endswith("; liaison radio removed, extra tanks")
    assert line(state, "Field:").startswith("Field: Eglin Field, F.B.I., morale content (")
    assert line(state, "Field:").endswith("liberty, informed")
    assert "Training: gunnery, 30 caliber 0, hedgehopping 2, navigation 0, night flying 0; room for 0" in board_text(
        state
    )
    assert line(state, "3 bombers") == "3 bombers: Doolittle, Hoover, Gray"


@pytest.mark.rule("doolittle", "13.0.1", "13.2.3", "13.5.1", "13.5.6", "15.1")
def test_china_naval_plan_secrecy_and_incidents_have_a_line_each() -> None:
    state = planner("april")
    state.notes.doolittle = "april"
    assert "Doolittle: April" in board_text(state)
    assert line(state, "Fields in China").startswith("Fields in China: Lishui (needs 7); Chuchow (needs 6); ")
    assert line(state, "Naval plan") == "Naval plan: nothing"
    assert "Incidents" not in board_text(state)
    state.sky.beacons, state.sky.stock, state.sky.taken = {"lishui": 4}, {"kian": 6}, ["yushan"]
    state.plan = Plan("midway", "12-13 April", "japan", {"tuna": "hawaii"})
    state.notes.chits = ["wake", "bataan"]
    sites = "Lishui (beacon); Chuchow (needs 6); Yushan (lost); Kian (needs 6, 6 fuel); Kweilin (needs 5)"
    assert line(state, "Fields in China") == f"Fields in China: {sites}"
    assert "Naval plan: meet in Midway, on 12–13 April, launch in Japan, Tuna in Hawaii" in board_text(state)
    assert line(state, "Secrecy").startswith("Secrecy: 2 dice, risk ")
    assert line(state, "Incidents") == "Incidents: Wake, Bataan"


@pytest.mark.rule("doolittle", "1.9")
def test_latest_events_are_below_every_drawing() -> None:
    state = planner("march")
    assert drawn(seen(state))[-1].startswith("Secrecy")
    state.add_to_story("called-off", "15.1.2.H")
    assert drawn(seen(state))[-1] == "March: The raid is called off."


# -- the voyage ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "9.0", "12.6.2")
def test_sea_area_shows_its_number_weather_and_ships() -> None:
    state = at_sea()
    draws = "2 central, no storm; 1 central, from 2 failed tests"
    assert line(state, "Midway") == f"Midway ⚑ 11 calm, 5+ {draws} task force"
    assert line(state, "Hawaii") == "Hawaii 12 4/5/6/8 1 east; 1 central, from 2 failed tests"
    assert line(state, "Japan").endswith("per enemy signal Thresher (silent)")
    assert line(state, "Defense West") == "Defense West ▲ 16 5/6/8/10 3 west; 1 west per alert level Trout (silent)"
    state.sea.fueled = False
    state.sea.submarines["trout"].contact, state.sea.submarines["thresher"].lost = True, True
    state.sea.recon["ca-18"].place = "influence-east"
    state.sea.groups["home"] = "140w"
    signals(state, "hawaii", "hawaii")
    assert line(state, "Midway").endswith("task force, low on fuel")
    assert line(state, "Defense West").endswith("Trout in contact")
    assert line(state, "Japan").endswith("per enemy signal")
    assert line(state, "Influence East").endswith("CA (TF-18)")
    assert line(state, "Hawaii").endswith("2 enemy signals")
    assert line(state, "140 W").endswith("ships on their way home")


@pytest.mark.rule("doolittle", "9.5", "10.1")
def test_layout_spaces_show_their_ships_and_empty_ones_are_hidden() -> None:
    state = at_sea()
    assert line(state, "Center") == "Center: Hornet, Cimarron (slow)"
    assert line(state, "Ahead:") == "Ahead: Vincennes"
    assert "Astern Far" not in board_text(state)
    state.sea.ships["hornet"].hits = 1
    assert line(state, "Center").startswith("Center: Hornet! (slow)")


@pytest.mark.rule("doolittle", "10.2", "12.1.1")
def test_recon_is_shown_while_it_sails_with_the_force() -> None:
    state = at_sea(met=True)
    assert "VF6 hangar" in line(state, "Recon")
    state.sea.recon["vf6"].place, state.sea.recon["vs6"].place = AWAY, GONE
    assert "VF6" not in board_text(state)
    assert "VS6" not in board_text(state)
    assert "VB6 hangar" in line(state, "Recon")


@pytest.mark.rule("doolittle", "11.3")
def test_airstrike_in_sight_shows_its_waves() -> None:
    state = at_sea()
    assert "Airstrike" not in board_text(state)
    state.strike = Strike("task-force")
    assert line(state, "Airstrike") == "Airstrike: not yet in sight"
    state.strike.waves = [["torpedo", "dive"], ["dive"]]
    assert line(state, "Airstrike") == "Airstrike: torpedo, dive; dive"


# -- the ways home ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "14.0.1")
def test_crew_shows_its_place_and_health_or_fate() -> None:
    state = history()
    state.crews = state.crews[:4]
    state.crews[0].fate, state.crews[0].where = "", "kian"
    state.crews[1].fate, state.crews[1].fit = "", False
    assert line(state, "1 Doolittle") == "1 Doolittle Doolittle Kian, fit"
    assert line(state, "2 Hoover") == "2 Hoover the hills, wounded"
    assert line(state, "3 Gray") == "3 Gray dead"
    assert line(state, "4 Holstrom") == "4 Holstrom at Chungking"
    assert line(state, "8 York") == "8 York landed, Vladivostok"


@pytest.mark.rule("doolittle", "14.4.1")
def test_field_with_bombers_fuel_or_groundcrew_is_shown() -> None:
    state = over()
    crew(state, "b01", "kweilin")
    standing(state, "b01", "kweilin")
    state.sky.stock, state.sky.groundcrews = {"kian": 4}, {"lishui": 1}
    assert line(state, "Kweilin:") == "Kweilin: 1 bomber, 0 fuel, groundcrews can repair 0"
    assert line(state, "Kian:") == "Kian: 0 bombers, 4 fuel, groundcrews can repair 0"
    assert line(state, "Lishui:") == "Lishui: 0 bombers, 0 fuel, groundcrews can repair 3"
    assert "Yushan:" not in board_text(state)
    assert "Chuchow:" not in board_text(state)
