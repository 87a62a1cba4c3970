"""Tests that both boards show what is printed on the maps and markers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from unittest.mock import patch

import pytest
from tests.games.doolittle.end_helpers import crew, over, standing
from tests.games.doolittle.helpers import DATA, aloft, attached, man, raiders
from tests.games.doolittle.plan_helpers import planner
from tests.games.doolittle.test_board import drawn, over_tokyo, seen
from tests.games.doolittle.test_board_segments import board_text, line
from tests.games.doolittle.voyage_helpers import at_sea, hazard

from readyroom import Match
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.figures.common import Month
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.presentation.board import board
from readyroom.games.doolittle.presentation.drawing import Chart, layout
from readyroom.games.doolittle.presentation.drawing.shapes import NARROW, Room
from readyroom.games.doolittle.presentation.drawing.target import target
from readyroom.games.doolittle.presentation.scene import scene
from readyroom.games.doolittle.state import CAPTAIN, Doolittle, Raid
from readyroom.games.doolittle.voyage.ships import TASK_FORCE
from readyroom.games.doolittle.voyage.state import Plan
from readyroom.web import board_svg

SITES = {key: site.name for key, site in DATA.flight.site.items()}


def charts(state: Doolittle) -> Sequence[Chart]:
    """Return the wide and the narrow board."""
    charts: Sequence[Chart] = layout(seen(state))["charts"]
    return charts


def picture(state: Doolittle) -> str:
    """Return both drawn boards."""
    return str(board_svg.draw(GAME, seen(state)))


def wide(state: Doolittle) -> str:
    """Return all words of the terminal board, at a width where no table cell is truncated."""
    with patch.dict(board.__globals__, {"MOST": 300}):
        return " ".join(" ".join(drawn(seen(state), 300)).split())


# -- the flight map --------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.3.3", "8.3.7")
def test_zone_with_hazards_face_down_shows_no_vessels() -> None:
    state = raiders("early")
    aloft(state, "b01", zone="Z5")
    state.sky.zones["Z5"] = [Marker(key="I-01", shown=True), Marker(key="I-02"), Marker(key="I-03")]
    assert "day 1⛴ 2?" in line(state, "5 Defense West, inner")
    for chart in charts(state):
        assert chart.way is not None
        assert len(chart.way.vessels) == 1
    assert picture(state).count('<use href="#pc-dl-ship"/>') == 2
    assert picture(state).count(">2?</text>") == 2


@pytest.mark.rule("doolittle", "8.3.7")
def test_zone_with_many_vessels_shows_all_of_them() -> None:
    state = raiders("early")
    state.sky.zones["Z1"] = [Marker(key=f"I-{at:02}", shown=True) for at in range(1, 8)]
    for chart in charts(state):
        assert chart.way is not None
        assert len(chart.way.vessels) == 7


@pytest.mark.rule("doolittle", "5.5")
def test_site_of_two_zones_is_shown_at_both() -> None:
    state = raiders("early")
    assert wide(state).count("Chuchow 8/10, land 5") == wide(state).count("Kian 8/10, land 5") == 2
    narrow = charts(state)[1]
    assert narrow.way is not None
    lanes = {lane.zone.key: lane.frame for lane in narrow.way.lanes}
    names = [
        (place.goal.key, zone)
        for place in narrow.way.places
        for zone, frame in lanes.items()
        if frame.y <= place.frame.y < frame.bottom and place.goal.key in SITES
    ]
    assert sorted(names) == sorted((site.key, zone) for site in DATA.flight.sites.site for zone in site.zones)


@pytest.mark.rule("doolittle", "5.5", "8.1.4")
def test_site_with_a_fuel_icon_shows_its_cost_by_zone() -> None:
    state = raiders("early")
    flat, narrow = charts(state)
    assert flat.way is not None
    assert narrow.way is not None
    notes = {place.goal.key: list(place.notes) for place in flat.way.places}
    assert notes["kian"] == ["11: −1 fuel"]
    assert notes["kweilin"] == ["−1 fuel"]
    assert notes["lishui"] == []
    assert [list(place.notes) for place in narrow.way.places if place.goal.key == "kian"] == [["−1 fuel"], []]
    assert "Vladivostok 7/7, land 5, −1 fuel" in wide(state)


@pytest.mark.rule("doolittle", "8.3.2")
def test_zone_shows_its_hazard_draws_on_every_board() -> None:
    state = raiders("early")
    text = "2 II; 1 alert per flight, from alert 1"
    assert text in line(state, "5 Defense West, inner")
    assert "alert: half the alert level" in line(state, "7 Sea of Japan")
    for chart in charts(state):
        assert chart.way is not None
        draws = {lane.zone.key: " ".join(lane.draws) for lane in chart.way.lanes}
        assert draws["Z5"] == text
        assert all(draws.values())


@pytest.mark.rule("doolittle", "5.5", "14.1.1")
def test_site_shows_its_landing_number_in_the_terminal() -> None:
    text = wide(raiders("early"))
    for site in DATA.flight.sites.site:
        assert f"{site.name} {site.day}/{site.night}, land {site.landing}" in text


@pytest.mark.rule("doolittle", "7.1")
def test_bomber_in_a_flight_names_its_flight() -> None:
    state = raiders("early")
    assert line(state, "1 ▲ Doolittle") == "1 ▲ Doolittle flight 1"
    assert line(state, "5 ▲ Jones") == "5 ▲ Jones flight 2"
    assert line(state, "16 ▲ Farrow") == "16 ▲ Farrow flight 5"


@pytest.mark.rule("doolittle", "12.7.1", "14.4.1")
def test_contacts_and_stocks_are_shown_in_the_terminal() -> None:
    state = raiders("early")
    state.sky.contacts["tokyo"], state.sky.stock["kian"] = 1, 8
    assert "Tokyo 8/9, 1 contact" in wide(state)
    assert "Kian 8/10, land 5, 8 fuel there" in wide(state)


@pytest.mark.rule("doolittle", "2.3")
def test_elite_crewman_shows_his_benefit_in_the_terminal() -> None:
    state = raiders("early")
    elite = man(state, "b01", "fuel-conservation", "engineer")
    assert "engineer: fuel conservation" in line(state, "1 ▲ Doolittle")
    elite.used = True
    assert "engineer: fuel conservation (used)" in line(state, "1 ▲ Doolittle")


# -- the city --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "4.2.2")
def test_hazards_drawn_add_the_alert_to_the_detonations() -> None:
    state = over_tokyo()
    state.security.alert, state.targets["tokyo"].tally = 1, 0
    assert "0 released: hazards −1, alert +1; each area draws 1 per bomber, up to its limit" in board_text(state)
    assert "hazards −1, alert +1</tspan>" in picture(state)
    state.targets["tokyo"].tally = 7
    assert "7 released: hazards +3, alert +1; each area draws 1 per bomber +4" in board_text(state)


@pytest.mark.rule("doolittle", "3.3.1", "4.4", "4.8")
def test_high_bombers_are_barred_from_boxes_and_evasion() -> None:
    state = over_tokyo()
    assert "high altitude" not in board_text(state)
    state.attack.high = True
    assert "high altitude: no evasion, no target boxes" in board_text(state)
    assert "high: no evasion, no boxes" in picture(state)


@pytest.mark.rule("doolittle", "3.3.1", "13.3.3")
@pytest.mark.parametrize(("light", "excluded"), [("day", False), ("night", True)])
def test_high_bombers_with_norden_enter_boxes_by_day(light: str, excluded: bool) -> None:
    state = over_tokyo()
    state.raid = Raid("tokyo", light, turn=2, high=True)  # type: ignore[arg-type]
    state.ratings = DATA.bombers.factory
    assert "high altitude: no evasion" in board_text(state)
    assert ("no target boxes" in board_text(state)) is excluded


@pytest.mark.rule("doolittle", "3.3.1")
def test_low_bombers_without_mark_twain_enter_no_box() -> None:
    state = over_tokyo()
    state.ratings = DATA.bombers.factory
    assert "no target boxes without the Mark Twain bombsight" in board_text(state)


@pytest.mark.rule("doolittle", "3.3.1", "4.4", "7.1.3")
def test_high_flight_shows_its_limits() -> None:
    state = raiders("early")
    assert "High:" not in board_text(state)
    aloft(state, "b01", high=True)
    assert "High: no evasion over a city, no target boxes." in board_text(state)
    assert picture(state).count("High: no evasion over a city, no target boxes") == 2
    state.ratings = DATA.bombers.factory
    assert "High: no evasion over a city, boxes by day only." in board_text(state)


@pytest.mark.rule("doolittle", "1.2", "4.2.1", "4.4", "4.5.1")
def test_city_shows_ratings_cups_and_areas_that_count_half() -> None:
    state = raiders("bay", "approach")
    text = board_text(state)
    assert "Gunnery 4 dice, evasion 1, navigation +1, bombing +2." in text
    assert "In the cup: 38 hazards, response 18." in text
    assert "boxes score as area" in line(state, "Chiba")
    assert "boxes score as area" not in line(state, "Yokohama")


@pytest.mark.rule("doolittle", "4.2.3")
@pytest.mark.parametrize("city", DATA.targets.maps)
def test_area_shows_its_limit_at_phone_width(city: str) -> None:
    state = raiders({"tokyo": "capital", "nagoya": "nagoya", "osaka-kobe": "kobe"}[city], "approach")
    chart = target(scene(seen(state)), NARROW, Room())
    for tile in chart.tiles:
        assert tile.label.startswith(f"≤{DATA.targets.maps[city].areas[tile.area.key].hazards_max}")
        assert tile.frame.x + (chart.room(tile) or tile.long) <= NARROW.city.right, tile.area.key
    page = picture(state)
    assert page.count('<tspan class="dl-limit"') == 2 * len(chart.tiles)


# -- the voyage ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "9.2", "13.5.1")
def test_planned_rendezvous_turn_is_shown_in_the_terminal() -> None:
    state = at_sea()
    assert line(state, "Plan:") == "Plan: meet in Midway (⚑) on 12–13 April, launch in Defense West (▲)"
    state.sea.met = True
    assert line(state, "Plan:") == "Plan: the forces have met, launch in Defense West (▲)"


@pytest.mark.rule("doolittle", "12.3")
def test_bombers_before_the_launch_are_on_deck() -> None:
    state = at_sea()
    assert line(state, "1 ▲ Doolittle") == "1 ▲ Doolittle on deck"
    assert "in the air" not in board_text(state)
    assert {plane.status for plane in scene(seen(planner("march"))).squad} == {"with the squadron"}


@pytest.mark.rule("doolittle", "6.3.1", "12.6.4")
def test_airstrike_icons_show_their_thresholds() -> None:
    state = at_sea()
    marker, hidden = hazard(state, "flying-boat", "circle"), hazard(state, "boat")
    marker.shown = True
    state.sea.drawn, state.sea.queue, state.sea.assigned = True, ["midway"], {TASK_FORCE: [marker, hidden]}
    text = "Flying boat (circle: airstrike from alert 3)"
    assert f"Hazards: the task force: {text}, face down, cup central" in board_text(state)
    assert text in picture(state)
    state.sea.met_with = ["Ship (square)"]
    assert line(state, "Met this turn") == "Met this turn: Ship (square: airstrike from alert 2)"


@pytest.mark.rule("doolittle", "6.3.1")
@pytest.mark.parametrize(
    ("icon", "text"),
    [
        ("triangle", "triangle: no airstrike"),
        ("circle", "circle: airstrike from alert 3"),
        ("square", "square: airstrike from alert 2"),
        ("line", "line: airstrike"),
    ],
)
def test_icon_names_the_alert_that_brings_an_airstrike(icon: str, text: str) -> None:
    state = at_sea()
    kind = {"line": "ship", "square": "flying-boat", "circle": "boat", "triangle": "boat"}[icon]
    marker = hazard(state, kind, icon)
    marker.shown = True
    state.sea.drawn, state.sea.queue, state.sea.assigned = True, ["midway"], {TASK_FORCE: [marker]}
    seen_marker = seen(state).table.sea.hazards.assigned[0].markers[0]
    assert seen_marker.at_sea == f"{DATA.sea_hazards.kinds.kind[kind].title} ({text})"


@pytest.mark.rule("doolittle", "12.1.3", "12.6.2", "8.1.4")
def test_submarine_call_shows_its_effects() -> None:
    match, random = Match(GAME, "carrier", seed="boats"), Random(1)
    while (decision := match.pending[CAPTAIN]).rule != "12.1.3":
        match.decide(CAPTAIN, decision.sample(random))
    hints = {option.key: option.info.note for option in decision.options if option.info}
    assert "then a patrol that draws hazards in its area (3 west; 1 west per alert level)" in hints["call-trout"]
    assert "finding a city +1 and a contact marker each turn" in hints["call-thresher"]
    assert "finding a city" not in hints["call-trout"]


@pytest.mark.rule("doolittle", "9.3.1", "12.5.1", "12.6.2")
def test_sea_area_shows_move_numbers_and_hazard_draws() -> None:
    state = at_sea()
    assert "calm, 5+" in line(state, "Midway")
    assert "5/6/8/10 3 west; 1 west per alert level; 1 west per enemy signal" in line(state, "Japan")
    for chart in charts(state):
        assert chart.ocean is not None
        areas = {area.key: area for area in chart.ocean.areas}
        assert areas["midway"].move == "calm, 5+"
        assert " ".join(areas["hawaii"].draws) == "1 east; 1 central, from 2 failed tests"


@pytest.mark.rule("doolittle", "12.1.6", "12.5.3", "12.6.6")
def test_distress_and_red_flags_are_shown_with_their_numbers() -> None:
    state = at_sea()
    marker, flags = hazard(state, "distress"), hazard(state, "red-flags")
    marker.shown = flags.shown = True
    state.sea.ships["gwin"].markers.append(marker)
    state.sea.flags.append(flags)
    least = DATA.sea_hazards.markers[marker.key].recovery
    assert f"Gwin (slow) [Mechanical distress (recovery {least}+)]" in board_text(state)
    assert "Task force: red flags (rendezvous −3)" in board_text(state)
    assert "red flags (rendezvous −3)" in picture(state)


# -- planning and the ways home --------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "13.4.1", "13.5.6")
def test_liberty_option_shows_its_risk() -> None:
    match, random = Match(GAME, "campaign", seed="liberty"), Random(1)
    while (decision := match.pending[CAPTAIN]).rule != "13.4.1":
        match.decide(CAPTAIN, decision.sample(random))
    hints = {option.key: option.info.note for option in decision.options if option.info}
    assert "two dice" not in hints["eglin-liberty"]
    assert "in April risk +" in hints["eglin-liberty"]
    assert "with the F.B.I. risk +" in hints["eglin-liberty"]


@pytest.mark.rule("doolittle", "13.5.6")
def test_liberty_risk_follows_field_size_and_fbi() -> None:
    state = planner("april", chosen=24)
    state.notes.liberty, state.notes.site = True, "eglin"
    assert "rolled in April: liberty +1 to +5, 3.0 on average" in board_text(state)
    state.notes.measures = ["fbi"]
    assert "liberty +0 to +3, 0.8 on average" in board_text(state)


@pytest.mark.rule("doolittle", "13.2.1", "13.2.2", "13.5.6")
def test_stalin_options_show_risk_and_refusal() -> None:
    match, random = Match(GAME, "campaign", seed="stalin"), Random(3)
    while (decision := match.pending[CAPTAIN]).rule != "13.2.1" or "thompson-ask" not in decision.keys:
        match.decide(CAPTAIN, decision.sample(random))
    hints = {option.key: option.info.note for option in decision.options if option.info}
    assert "refused: risk +1, Stalin −2 in later talks" in hints["thompson-ask"]
    assert "risk +2; refused: Stalin −2 in later talks" in hints["thompson-ask-stalin"]


@pytest.mark.rule("doolittle", "13.5.6")
def test_talks_show_the_risk_of_each_row() -> None:
    state = planner("march")
    state.notes.calendar = {"nimitz": "april", "thompson": "february"}
    state.talks.briefed, state.talks.leaders = ["stalin"], ["stalin"]
    assert line(state, "Thompson") == "Thompson Stalin briefed, risk +5 9 10 ♟ 11 12"
    assert "risk 5 for certain (diplomats 3, markers on the calendar 2)" in board_text(state)
    assert "Stalin briefed; risk +5" in picture(state)


@pytest.mark.rule("doolittle", "13.3.2", "13.4.1", "13.4.2", "13.4.4")
def test_blotter_shows_the_figures_of_all_choices() -> None:
    months: tuple[tuple[Month, ...], ...] = (
        ("february", "march"),
        ("march",),
    )  # the papers of other months are closed on the wide board
    for at, shown in enumerate(months):
        panels = [panel for month in shown for panel in charts(planner(month))[at].panels]
        titles = " ".join(cell.title for panel in panels for cell in panel.cells)
        assert "Top turret removed (weight −1, guns −2, morale −1)" in titles
        assert "Liberty: morale +1, risk +0 to +5" in titles
        assert "Inform them: morale +1, risk +4" in titles
        assert "No wives: 1 die of secrecy, morale −1" in titles
        assert "Navigation, level 2: 2 points; +2 for searches and approaches by day" in titles
        assert "January: risk +4 for a diplomat informed then" in titles


@pytest.mark.rule("doolittle", "13.2.3")
def test_fields_in_china_show_their_stockpile_numbers() -> None:
    text = board_text(planner("january"))
    for site in DATA.flight.sites_in("china"):
        assert f"{site.name} (needs {site.stockpile})" in text


@pytest.mark.rule("doolittle", "13.5.1")
def test_plan_made_in_april_names_its_turn() -> None:
    state = planner("april")
    state.plan = Plan("midway", "12-13 April", "japan")
    assert "meet in Midway, on 12–13 April" in board_text(state)


@pytest.mark.rule("doolittle", "14.4.1", "14.4.3")
def test_crew_going_home_shows_routes_and_fuel() -> None:
    state = over()
    crew(state, "b01", "kweilin")
    standing(state, "b01", "kweilin")
    state.squad["b01"].fuel = 2
    assert "Kweilin, fit; bomber 2 fuel" in line(state, "1 Doolittle")
    assert line(state, "From Kweilin") == "From Kweilin: Chungking 2 fuel or 2+ on foot"


def test_flight_boards_show_every_kind_of_attachment() -> None:
    state = raiders("early")
    attached(state, "b01", "fuel-leak", "faulty-compass")
    assert "[leak] [compass]" in line(state, "1 ▲ Doolittle")
