"""Tests of the data files against the numbers printed in the rules."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest
from tests.games.doolittle.figures_helpers import DATA, PACKAGE

from readyroom.engine.books import Rulebook
from readyroom.engine.data import convert, parse
from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.figures.check import check
from readyroom.games.doolittle.figures.common import WEATHERS, Sourced
from readyroom.games.doolittle.figures.ending import FACTS
from readyroom.games.doolittle.figures.walk import walk


def test_figures_are_consistent() -> None:
    check(DATA)


def test_table_names_its_source() -> None:
    tables = [thing for _, _, thing in walk(DATA) if isinstance(thing, Sourced | Chart)]
    assert len(tables) > 150
    assert all(len(table.origin) >= 3 for table in tables)


# -- what the rules print: the ledger of the anchors -----------------------------------------------------------------


def test_tokyo_has_one_inner_area_and_kisarazu_adjoins_it() -> None:
    tokyo = DATA.targets.maps["tokyo"]
    assert [key for key, area in tokyo.areas.items() if not area.perimeter] == ["tokyo-bay-north"]
    assert "tokyo-bay-north" in tokyo.areas["kisarazu"].adjacent


@pytest.mark.rule("doolittle", "4.2.3", "3.2", "3.3")
def test_boxes_and_limits_match_print() -> None:
    tokyo = DATA.targets.maps["tokyo"]
    assert tokyo.areas["yokosuka"].hazards_max == 3
    assert [box.name for box in tokyo.areas["yokohama"].box] == ["Steel Mill", "Dockyard"]
    assert [box.name for box in tokyo.areas["tokyo-bay-north"].box] == ["Tokyo Shipping"]
    electric = tokyo.boxes["nippon-electric"]
    assert tokyo.area_of["nippon-electric"] == "tokyo-east"
    assert (electric.approach("day"), electric.blast("day")) == (8, 8)
    assert tokyo.boxes["steel-mill"].day == (7, 8)


@pytest.mark.rule("doolittle", "3.1")
def test_night_is_never_easier_than_day() -> None:
    for target in DATA.targets.maps.values():
        for box in target.boxes.values():
            assert box.approach("night") > box.approach("day")
            assert box.blast("night") >= box.blast("day")


@pytest.mark.rule("doolittle", "4.6.3.K")
def test_carriers_lie_in_tokyo_bay_south_and_osaka_bay() -> None:
    maps = DATA.targets.maps
    homes = {key: target.area_of.get(target.carrier_box, "") for key, target in maps.items()}
    assert homes == {"tokyo": "tokyo-bay-south", "nagoya": "", "osaka-kobe": "osaka-bay"}


@pytest.mark.rule("doolittle", "3.4", "4.2.2")
@pytest.mark.parametrize(("tally", "more"), [(0, -1), (1, -1), (2, 0), (4, 1), (6, 2), (7, 3), (8, 3), (9, 4), (24, 4)])
def test_detonations_add_hazards(tally: int, more: int) -> None:
    assert DATA.attack.detonations.at(tally) == more


@pytest.mark.rule("doolittle", "4.4.1", "4.5.1", "4.8.1", "4.9.3", "8.2.4")
def test_squadron_ratings_match_print_except_in_the_campaign() -> None:
    standard = DATA.bombers.standard
    assert (standard.gunnery, standard.evasion, standard.bombing, standard.guzzle) == (4, 1, 2, 5)
    assert standard.navigation == {"day": 1, "night": 1}
    assert standard.mark_twain
    assert not standard.norden


SIZES = {
    "tokyo-day": 38,
    "nagoya-day": 23,
    "osaka-kobe-day": 25,
    "tokyo-night": 27,
    "nagoya-night": 18,
    "osaka-kobe-night": 21,
    "response": 18,
}


@pytest.mark.rule("doolittle", "4.2.1")
def test_seven_cups_over_the_targets() -> None:
    markers = Counter(key.rpartition("-")[0] for key in DATA.hazards.markers)
    assert markers == SIZES


@pytest.mark.rule("doolittle", "4.6.3")
def test_ranges_and_modifiers_match_the_samples() -> None:
    markers = list(DATA.hazards.markers.values())
    interceptors = {(m.low, m.high) for m in markers if m.kind == "interceptor"}
    assert interceptors == {(4, 5), (4, 6)}
    assert {(m.low, m.high) for m in markers if m.kind == "small-arms"} == {(2, 2)}
    assert {(5, 6), (6, 8)} <= {(m.low, m.high) for m in markers if m.kind == "flak"}
    assert {m.approach for m in markers if m.kind == "camouflage"} == {-2, -3}
    assert {m.detonation for m in markers if m.kind == "volatile"} == {1, 2}
    assert {m.approach for m in markers if m.kind == "haze"} == {-1}
    assert {m.approach for m in markers if m.kind == "conspicuous"} == {1}


@pytest.mark.rule("doolittle", "4.6.3", "4.6.3.G", "4.6.3.K")
def test_permanent_hazards_have_the_stay_icon() -> None:
    stays = {"camouflage", "conspicuous", "concrete", "volatile", "haze", "ryuho", "hiyo"}
    for key, marker in DATA.hazards.markers.items():
        if marker.kind in stays or (marker.kind == "searchlights" and marker.box):
            assert marker.stay, key


@pytest.mark.rule("doolittle", "5.4", "5.5", "8.1.4")
def test_numbers_of_cities_and_sites_match_print() -> None:
    city, site = DATA.flight.city, DATA.flight.site
    assert (city["tokyo"].acquisition("day"), city["tokyo"].acquisition("night")) == (8, 9)
    assert city["nagoya"].acquisition("night") == 9
    assert (site["lishui"].day, site["lishui"].night) == (9, 11)
    assert (site["vladivostok"].day, site["vladivostok"].night) == (7, 7)
    assert (site["kweilin"].landing, site["kweilin"].stockpile) == (4, 5)
    assert len(DATA.flight.beacons.values) == 6


@pytest.mark.rule("doolittle", "7.2.4")
def test_fumes_in_calm_weather() -> None:
    chart = DATA.flying.fumes_chart
    assert [chart.cell(total, "low") for total in (5, 6, 10)] == ["ditch", "fumes", "sputter"]
    ways = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    assert sum(ways[total] for total in ways if chart.cell(total, "low") == "ditch") == 10


@pytest.mark.rule("doolittle", "8.2.3", "12.2.3")
def test_winds_in_calm_weather() -> None:
    chart = DATA.flying.wind_chart
    assert chart.cell(7, "calm") == "crosswind"
    assert "headwind" in chart.odds("calm")
    assert "severe-tailwind" in chart.odds("gale")


@pytest.mark.rule("doolittle", "8.3.2")
def test_zone_of_the_example_draws_two_and_one_per_flight() -> None:
    draw = next(zone for zone in DATA.flight.zones.zone if zone.key == "Z5").draw
    assert [(d.cup, d.count, d.each_flight, d.alert) for d in draw] == [("II", 2, False, 0), ("alert", 1, True, 1)]


@pytest.mark.rule("doolittle", "5.1", "5.3")
def test_twelve_zones_of_which_four_use_the_defense_wind() -> None:
    assert len(DATA.flight.order) == 12
    assert DATA.flight.wind_of["Z2"].zones == ["Z2", "Z3", "Z4", "Z5"]
    assert [zone in DATA.flight.china_side for zone in ("Z8", "Z9")] == [False, True]


@pytest.mark.rule("doolittle", "12.4.1", "12.4.2")
def test_hours_and_zones_of_a_launch() -> None:
    flight = DATA.flight
    assert flight.emergency.cell(7, "hour") == "0800"
    assert [flight.first_zone.cell(die, "defense-west") for die in (2, 3, 6)] == ["Z4", "Z3", "Z3"]
    east = next(zone for zone in flight.zones.zone if zone.key == "Z3")
    assert east.sea_area == "defense-east"
    daylight = sum(
        chance
        for hour, chance in flight.emergency.odds("hour").items()
        if next(box for box in flight.clock.box if box.label == hour).light == "day"
    )
    assert round(float(daylight), 2) == 0.89


@pytest.mark.rule("doolittle", "6.2")
@pytest.mark.parametrize(("failed", "least"), [(0, 0), (4, 1), (5, 1), (6, 2), (8, 3), (9, 4)])
def test_failures_raise_the_least_alert(failed: int, least: int) -> None:
    assert DATA.security.alert_by_failed.at(failed) == least


@pytest.mark.rule("doolittle", "8.3.7", "8.3.7.D", "8.3.7.K")
def test_flight_hazard_counts_and_costs_match_print() -> None:
    markers = DATA.flight_hazards.markers
    assert Counter(key.rpartition("-")[0] for key in markers) == {"I": 20, "II": 20, "III": 18, "alert": 20}
    assert {m.gunnery for m in markers.values() if m.kind in ("jammed-guns", "jammed-turret")} == {-1}
    assert {m.detonation for m in markers.values() if m.kind == "faulty-doors"} == {-2}
    assert {m.landing for m in markers.values() if m.kind == "mechanical"} == {-1, -3}
    dry = Counter(m.kind for m in markers.values() if m.kind in ("fuel-leak", "fuel-evaporation"))
    assert dry == {"fuel-leak": 3, "fuel-evaporation": 3}
    assert [DATA.flight_hazards.shadow.at(alert) for alert in range(5)] == [0, 2, 3, 3, 5]


@pytest.mark.rule("doolittle", "9.1", "12.5.3", "12.6.2")
def test_ten_sea_areas_with_their_printed_numbers() -> None:
    sea = DATA.sea
    assert len(sea.order) == 10
    assert (sea.area["140w"].rendezvous, sea.area["hawaii"].rendezvous) == (13, 12)
    assert sea.order[sea.order.index("140w") + 1] == "hawaii"
    two, one = sea.area["140w"].draw
    assert (two.count, "storm" in two.weather, one.count, one.failed) == (2, False, 1, 1)
    assert [draw.failed for draw in sea.area["pacific"].draw] == [0, 1]


@pytest.mark.rule("doolittle", "12.2.1", "12.5.1", "12.5.2")
def test_weather_and_moves_match_print() -> None:
    sea = DATA.sea
    assert {column for column in sea.weather.columns if sea.weather.cell(4, column) == "calm"} >= {"central", "west"}
    assert {sea.weather.cell(7, column) for column in sea.weather.columns} == {"calm"}
    assert sea.moves["central"].move["calm"] == 5
    assert sea.moves[sea.area["influence-west"].table].move["gusty"] == 6


@pytest.mark.rule("doolittle", "9.2")
def test_ten_naval_turns() -> None:
    turns = DATA.sea.turns.turn
    assert (turns[0], turns[5], turns[-1]) == ("2-5 April", "14-15 April", "22-23 April")
    assert len(turns) == 10


@pytest.mark.rule("doolittle", "10.1", "12.1.3", "12.6.6.E", "12.7.2")
def test_ships_and_submarines_match_print() -> None:
    ships = DATA.ships
    assert len(ships.cards) == 16
    assert Counter(ship.force for ship in ships.cards.values()) == {"TF-18": 8, "TF-16": 8}
    assert (ships.cards["monssen"].reaction, ships.cards["nashville"].flak, ships.cards["cimarron"].refuel) == (8, 2, 7)
    assert [each.name for each in ships.submarines.submarine] == ["Thresher", "Trout", "Tuna"]
    assert ships.submarines.contact == 7


@pytest.mark.rule("doolittle", "9.5.1", "11.4.1")
def test_layout_of_the_task_force() -> None:
    layout = DATA.ships.layout
    assert layout.spaces["center"].only == ["CV", "AO"]
    assert layout.torpedo["3-4"] == ["ahead-far", "ahead", "center"]
    assert all(layout.i_boat[face][0].endswith("-far") for face in layout.far_arrows)


@pytest.mark.rule("doolittle", "12.6.1")
def test_three_cups_at_sea() -> None:
    markers = DATA.sea_hazards.markers
    assert Counter(key.rpartition("-")[0] for key in markers) == {"east": 20, "central": 24, "west": 28}
    assert 5 in {m.recovery for m in markers.values()}
    assert Counter(m.icon for m in markers.values())["line"] == 1


@pytest.mark.rule("doolittle", "12.3.1", "12.3.2")
def test_launches_and_mishaps() -> None:
    naval = DATA.naval
    assert naval.launch_chart.rows["planned"][WEATHERS.index("gusty")] == "6"
    results = [naval.botched_chart.cell(total, "result") for total in (1, 2, 3, 4, 5, 6, 7, 8, 13)]
    wrecks = ["deck wrecked", "deck wrecked", "fire on deck", "crash", "crash"]
    assert results == [*wrecks, "ditches", "damaged", "fuel", "fuel"]


@pytest.mark.rule("doolittle", "11.1.1", "11.2.1", "11.3.1", "11.4.3", "11.5.1")
def test_airstrike_charts_match_print() -> None:
    strike = DATA.airstrike
    assert {strike.navy.cell(total, "recon") for total in range(7, 12)} == {"yes"}
    assert strike.army.cell(7, "task force") == "8/2"
    assert strike.force.cell(8, "high CAP") == "T 2D"
    assert strike.ordnance.cell(6, "torpedo") == "damaged"
    assert strike.counterstrike.cell(9, "any two") == "contact"


@pytest.mark.rule("doolittle", "13.1.2", "13.2.1", "13.2.4", "13.2.5")
def test_planning_matches_print() -> None:
    planning = DATA.planning
    soviet = planning.calendar.row["thompson"].needs
    assert (soviet["march"], soviet["april"]) == (11, 12)
    assert "january" not in planning.calendar.row["nimitz"].needs
    assert [planning.event_chart.cell(total, "event") for total in (7, 6)] == ["none", "storm"]
    assert planning.location_chart.cell(7, "site") == "lishui"
    assert planning.selection.most == len(DATA.bombers.cards) == 24


@pytest.mark.rule("doolittle", "13.3.1", "13.3.3")
def test_modifications_match_print() -> None:
    figures = DATA.modifications
    factory = figures.factory
    assert (factory.modifications, factory.weight, factory.guns) == (0, 3, 3)
    assert figures.cards["top-turret-removed"].gunnery == -2
    assert figures.cards["fifty-caliber"].gunnery == 1
    assert [figures.cards[key].fuel for key in ("tanks", "more-tanks", "ordnance")] == [8, 10, 0]
    fit = ("radio-removed", "norden-removed", "mark-twain", "propellers", "ventral-turret-removed", "tanks")
    weight = factory.weight + sum(figures.cards[key].weight for key in fit)
    assert figures.guzzle.at(weight) == DATA.bombers.standard.guzzle
    assert figures.guzzle.at(0) == figures.guzzle.at(-1) == 4


@pytest.mark.rule("doolittle", "13.4.3", "13.4.5", "13.4.9")
def test_training_matches_print() -> None:
    training = DATA.training
    assert training.morale.box[training.morale.start].training == 5
    assert training.training.track["fifty-caliber"].level[0].cost == 2
    spaces = {each.space: each for each in training.short_take_off.space}
    upto = "".join(spaces[space].mishaps for space in range(2, 8))
    assert (upto, spaces[7].capacity, spaces[8].mishaps) == ("dd", 14, "d")


@pytest.mark.rule("doolittle", "13.5.2", "13.5.3", "13.5.5", "13.5.6")
def test_embarkation_matches_print() -> None:
    april = DATA.embarkation
    assert april.crane_chart.cell(8, "result") == "hazard"
    assert april.crane_chart.cell(2 + april.crane.diligence_most, "result") == "none"
    assert april.delay_chart.cell(5, "result") == "on time"
    assert april.risk_chart.cell(4, "liberty") == "3"
    assert len(april.cup.markers) == april.cup.total == 12


@pytest.mark.rule("doolittle", "14.1.2", "14.3.1", "14.3.2", "14.4.3", "14.4.4", "14.5.1", "14.5.2")
def test_denouement_matches_print() -> None:
    end = DATA.denouement
    assert end.poor_landing.cell(3, "damaged") == "crash"
    assert end.homeward.number["defense-east"] == 14
    assert end.incident.cell(5, "incident") == "ships"
    ways = {(route.start, route.end): route for route in end.routes.route}
    assert ways["lishui", "kweilin"].fuel == 2
    assert ways["lishui", "chungking"].fuel == 4
    assert ("lishui", "chuchow") not in ways
    assert (ways["kian", "kweilin"].trek, ways["trekking", "kian"].trek) == (3, 3)
    assert ways["kweilin", "chungking"].trek <= 2
    assert end.capture.cell(3, "wounded 2") == "1"
    assert end.internment.at("no-attempt", 21) == 12
    assert end.passage.at("no-attempt", 7) == 9
    assert end.passage.columns[0] == "7+"


@pytest.mark.rule("doolittle", "15.1")
def test_eighteen_incident_chits() -> None:
    incidents = DATA.incidents
    assert [sum(kinds.values()) for kinds in incidents.chits.months.values()] == [8, 4, 4, 2]


def test_debriefing_of_the_raid_of_1942() -> None:
    facts = DATA.history.campaign.facts
    debriefing = DATA.debriefing
    points = {name: view.points(facts) for name, view in debriefing.perspectives.items()}
    assert points == {
        "army": 8,
        "navy": 7,
        "joint-chiefs": 23,
        "white-house": 17,
        "japan": 40,
        "china": -3,
        "ussr": -3,
    }
    assert (points["army"], points["navy"]) == (facts["army"], facts["navy"])
    grades = [view.at(points[name])[0] for name, view in debriefing.perspectives.items()]
    assert grades == [1, 2, 2, 3, 2, 1, 1]
    cool = debriefing.checks["alliances"].grades[1]
    assert debriefing.verdict.at(sum(grades) + cool)[1].title == "Worth it"


def test_facts_are_all_counted() -> None:
    debriefing = DATA.debriefing
    scores = [debriefing.attack, debriefing.raid, debriefing.naval, *debriefing.perspectives.values()]
    assert {term.of for score in scores for term in score.term} == set(FACTS)


# -- crews and scenarios ---------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "2.3")
def test_role_has_one_to_four_elite_crewmen_and_pilots_eight() -> None:
    roles = Counter(card.role for card in DATA.bombers.crewmen.values())
    assert roles.pop("pilot") == 8
    assert all(1 <= count <= 4 for count in roles.values())
    kinds = {card.benefit for card in DATA.bombers.crewmen.values() if card.role == "pilot"}
    assert kinds == {"re-roll", "ignore-damage", "fuel-conservation", "navigation"}


@pytest.mark.rule("doolittle", "1.2")
def test_ten_scenarios_in_order() -> None:
    scenarios = sorted(DATA.scenarios.values(), key=lambda scenario: scenario.order)
    assert [scenario.order for scenario in scenarios] == list(range(1, 11))
    starts = ["attack"] * 6 + ["flight"] * 2 + ["naval", "planning"]
    assert [scenario.segments[0] for scenario in scenarios] == starts
    assert [len(scenario.bombers) for scenario in scenarios] == [4, 2, 3, 3, 6, 13, 16, 15, 16, 0]


def test_seventh_scenario_is_as_reported() -> None:
    early = DATA.scenarios["early"]
    assert (early.start_zone, early.fuel, early.secrecy) == ("Z2", 8, 5)
    assert (early.alert, early.risk, early.failed) == (1, 20, 4)
    assert len(early.flights) == 5
    order = DATA.flight.order
    assert order.index(DATA.flight.zones.japan) - order.index(early.start_zone) == 4


def test_grades_of_a_score() -> None:
    capital = DATA.scenarios["capital"]
    assert [capital.grade(points) for points in (-9, 11, 12, 23)] == ["stray", "stray", "meagre", "brilliant"]


# -- the rules that the figures cite ---------------------------------------------------------------------------------


def test_rules_named_by_figures_are_in_the_rulebook() -> None:
    text = files(PACKAGE).joinpath("rules.toml").read_bytes()
    book = convert(parse(text, "rules.toml"), Rulebook, "rules.toml")
    known = {rule.number for rule in book.rule}
    named = {thing.rule for _, _, thing in walk(DATA) if getattr(thing, "rule", "")}
    assert sorted(named - known) == []
    assert {ruling.rule for ruling in book.ruling} <= known
