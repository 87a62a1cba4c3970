"""[9.0, 10.0] Tests of the naval map, the layout, ships and recon."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, hints, log_text, raiders, run, table
from tests.games.doolittle.voyage_helpers import at_sea, hazard, join, sea, ship

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle import GAME, setup
from readyroom.games.doolittle.piece_views import markers
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.voyage import formation, general_quarters, ships, view
from readyroom.games.doolittle.voyage.general_quarters import can_launch_recon, recon_places
from readyroom.games.doolittle.voyage.state import Deck, TakeOff

ALL = ("center", "ahead", "ahead-far", "port", "port-far", "starboard", "starboard-far", "astern")


@pytest.mark.rule("doolittle", "9.0", "9.1", "9.1.1", "9.2")
def test_sea_has_ten_areas_and_ten_turns() -> None:
    assert len(DATA.sea.order) == 10
    assert ships.following_area(DATA, "") == DATA.sea.order[0]
    assert ships.following_area(DATA, "japan") == ""
    assert DATA.sea.area["140w"].rendezvous == 13
    assert ships.turn_name(DATA, ships.last_turn(DATA)) == "22-23 April"


@pytest.mark.rule("doolittle", "1.8", "10.1", "10.2")
def test_ship_and_recon_cards_are_among_charts() -> None:
    charts = {chart.id: chart for chart in GAME.presentation.charts(DATA)}
    assert charts["N4"].rows["Vincennes (CA-44)"] == ["CA", "TF-18", "2 / 1", "11", "7", "", "2"]
    assert len(charts["N4"].rows) == len(DATA.ships.fleet.ship)
    assert len(charts["N5"].rows) == len(DATA.ships.recon.marker)
    assert len(charts["N6"].rows) == len(DATA.ships.layout.space)


@pytest.mark.rule("doolittle", "9.3", "9.3.1")
def test_weather_box_is_shared_by_two_areas() -> None:
    assert ships.box_of(DATA, "defense-east") == ships.box_of(DATA, "defense-west")
    assert ships.box_of(DATA, "") == ships.PORT
    assert DATA.sea.area["defense-east"].table == "west"


@pytest.mark.rule("doolittle", "9.5", "9.5.1", "DR70")
def test_fitting_spaces_put_carriers_in_center_and_respect_room() -> None:
    state = at_sea(met=True)
    force = ships.ships_afloat(state)
    assert formation.fitting_spaces(DATA, ship(state, "hornet"), {}, force) == ["center"]
    assert set(formation.fitting_spaces(DATA, ship(state, "gwin"), {}, force)) == set(ALL) - {"center"}
    assert "center" in formation.fitting_spaces(DATA, ship(state, "cimarron"), {}, force)
    full = {"vincennes": "ahead-far", "gwin": "ahead-far"}
    assert "ahead-far" not in formation.fitting_spaces(DATA, ship(state, "grayson"), full, force)


@pytest.mark.rule("doolittle", "9.5.1", "10.1.2")
def test_far_astern_takes_any_slow_ships_but_no_carriers() -> None:
    state = at_sea(met=True)
    force = ships.ships_afloat(state)
    ship(state, "vincennes").hits = 1
    crowd = {one.key: "astern-far" for one in force}
    assert "astern-far" in formation.fitting_spaces(DATA, ship(state, "vincennes"), crowd, force)
    assert "astern-far" not in formation.fitting_spaces(DATA, ship(state, "gwin"), {}, force)
    ship(state, "enterprise").hits = 1
    assert formation.fitting_spaces(DATA, ship(state, "enterprise"), {}, force) == ["center"]
    astern = DATA.ships.layout.spaces["astern-far"]
    assert not formation._space_takes(DATA, ship(state, "enterprise"), astern, {}, force)


@pytest.mark.rule("doolittle", "9.5.1")
def test_space_choice_lists_usual_spaces_first() -> None:
    state = at_sea(met=True)
    asked: list[Decision] = []
    own = DATA.ships.layout.usual["CL"]
    last = {"9.5.1": lambda one: one.keys[-1:]}
    run(
        formation.choose_space(table(state), ship(state, "nashville"), {}, ships.ships_afloat(state), "9.5.1"),
        last,
        asked,
    )
    assert asked[0].keys[: len(own)] == [f"space-{space}" for space in own]


@pytest.mark.rule("doolittle", "9.0", "12.3.2")
def test_voyage_view_shows_date_line_and_deck_fire() -> None:
    assert view.voyage_view(raiders("carrier"), DATA) is None
    state = at_sea()
    for burned in (state.sea.turn, state.sea.turn - 1):
        state.sea.burned = burned
        seen = view.voyage_view(state, DATA)
        assert seen is not None
        assert seen.deck.burned is (burned == state.sea.turn)
        west = [area.key for area in seen.areas if area.west]
    assert west == DATA.sea.order[DATA.sea.order.index(DATA.sea.areas.west_of_line) :]


@pytest.mark.rule("doolittle", "11.2.1", "12.3")
def test_voyage_view_shows_launch_under_airstrike() -> None:
    state = at_sea()
    for strike in (True, False):
        state.deck = Deck(planned=False, strike=strike)
        seen = view.voyage_view(state, DATA)
        assert seen is not None
        assert seen.deck.strike is strike
    state.deck = Deck(planned=True, flights=[["b01", "b02"]], gone=[TakeOff(["b03"])])
    seen = view.voyage_view(state, DATA)
    assert seen is not None
    assert (seen.deck.planned, seen.deck.flights, seen.deck.gone) == (
        True,
        [["b01", "b02"]],
        [["b03"]],
    )


@pytest.mark.rule("doolittle", "13.5.2", "4.5.1")
def test_turret_marker_shows_gunnery_loss() -> None:
    key = next(key for key, card in DATA.embarkation.cup.markers.items() if card.title == "Cracked turret")
    assert markers(DATA, [Marker(key=key)], "b01-on", known=True)[0].adds == {"gunnery": -2}


@pytest.mark.rule("doolittle", "9.5")
def test_usual_layout_puts_types_in_their_spaces() -> None:
    state = at_sea(met=True)
    few = [ship(state, key) for key in ("hornet", "nashville", "gwin", "cimarron")]
    places, own = formation.usual_layout(DATA, few), DATA.ships.layout.usual
    assert [one.key for one in few if places[one.key] not in own[DATA.ships.cards[one.key].type]] == []


@pytest.mark.rule("doolittle", "10.1.1", "10.2.1", "12.1.4")
def test_recon_is_lost_only_with_own_ship_and_its_distress_too() -> None:
    state = at_sea(met=True)
    at, scouts = table(state), state.sea.recon["vs6"]
    scouts.place = "local"
    ships.hit_ship(at, ship(state, "gwin"), "12.6.6.E", "torpedoes")
    ships.sink_ship(at, ship(state, "gwin"), "12.6.6.E", "torpedoes")
    assert scouts.place == "local"
    scouts.markers = [marker := hazard(state, "distress")]
    ships.sink_ship(at, ship(state, "enterprise"), "11.4.3", "bombs")
    assert (scouts.place, scouts.markers) == ("gone", [])
    assert marker in state.cups[marker.cup].contents


@pytest.mark.rule("doolittle", "10.1.1", "11.2")
def test_hornet_sunk_undamaged_cannot_launch_and_sinks_once() -> None:
    state = at_sea(met=True)
    at = table(state)
    for _ in range(2):
        ships.sink_ship(at, ship(state, "hornet"), "11.4.3", "bombs")
    ships.hit_ship(at, ship(state, "hornet"), "11.4.3", "bombs")
    assert ship(state, "hornet").hits == 0
    assert not ships.can_launch(at)
    assert [one.what for one in state.story].count("ship-sunk") == 1


@pytest.mark.rule("doolittle", "9.5.1")
@pytest.mark.parametrize("met", [False, True])
def test_usual_layout_leaves_room_in_every_space(met: bool) -> None:
    state = at_sea(met=met)
    force = ships.ships_afloat(state)
    places = formation.usual_layout(DATA, force)
    for space in DATA.ships.layout.space:
        left = formation.room_left(DATA, places, space)
        assert left is None or left >= 0
    assert {places[one.key] for one in force if DATA.ships.cards[one.key].type == "CV"} == {"center"}


@pytest.mark.rule("doolittle", "9.5.1")
def test_own_layout_always_finds_room() -> None:
    state = at_sea(met=True)
    asked: list[Decision] = []
    force = ships.ships_afloat(state)
    at = table(state)
    rules = formation.arrange_ships(at, force, "9.5.1")
    last = {"9.5.1": lambda decision: ["own"] if "own" in decision.keys else [decision.keys[-1]]}
    run(rules, last, asked)
    assert "Only legal choice" not in log_text(at, "9.5.1")
    assert not any(key.startswith("center-") for one in asked for key in one.keys)
    assert all(one.space for one in force)
    for space in DATA.ships.layout.space:
        left = formation.room_left(DATA, {one.key: one.space for one in force}, space)
        assert left is None or left >= 0


@pytest.mark.rule("doolittle", "11.0.2")
def test_group_without_carrier_or_oiler_centers_cruiser() -> None:
    state = at_sea(met=True)
    group = [ship(state, "gwin"), ship(state, "nashville"), ship(state, "grayson")]
    places = formation.usual_layout(DATA, group)
    assert [key for key, space in places.items() if space == "center"] == ["nashville"]
    run(
        formation.arrange_ships(table(state), group, "11.0.2"),
        {"11.0.2": lambda one: ["own"] if "own" in one.keys else [one.keys[0]]},
    )
    assert ship(state, "nashville").space == "center"
    destroyers = group[::2]
    assert list(formation.usual_layout(DATA, destroyers).values()).count("center") == 1


@pytest.mark.rule("doolittle", "10.0", "10.1", "10.1.1")
def test_ship_is_damaged_by_first_hit_and_sunk_by_second() -> None:
    state = at_sea(met=True)
    at = table(state)
    gwin = ship(state, "gwin")
    ships.hit_ship(at, gwin, "12.6.6.E", "torpedoes")
    assert (gwin.hits, gwin.sunk) == (1, False)
    assert state.facts["ships-damaged"] == 1
    ships.hit_ship(at, gwin, "12.6.6.E", "torpedoes")
    assert gwin.sunk
    assert gwin not in ships.ships_afloat(state)
    assert (state.facts["ships-sunk"], state.facts["ships-damaged"]) == (1, 0)
    assert "Gwin is sunk by torpedoes" in log_text(at)


@pytest.mark.rule("doolittle", "10.1.1")
def test_hornet_damaged_cannot_launch_and_sunk_loses_bombers() -> None:
    state = at_sea()
    at = table(state)
    assert ships.can_launch(at)
    ships.hit_ship(at, ships.hornet(at), "11.4.3", "bombs")
    assert not ships.can_launch(at)
    assert state.facts["carriers-damaged"] == 1
    ships.sink_ship(at, ships.hornet(at), "11.4.3", "bombs")
    assert {bomber.fate for bomber in state.squad.values()} == {"overboard"}
    assert (state.facts["carriers-sunk"], state.facts["ships-sunk"]) == (1, 0)


@pytest.mark.rule("doolittle", "10.1.2")
def test_slow_ships_are_oilers_damaged_and_distressed() -> None:
    state = at_sea()
    at = table(state)
    assert [one.key for one in ships.slow_ships(at)] == ["cimarron"]
    ship(state, "gwin").hits = 1
    ship(state, "grayson").markers.append(hazard(state, "distress"))
    assert {one.key for one in ships.slow_ships(at)} == {"cimarron", "gwin", "grayson"}
    assert ships.flak_dice(at, ship(state, "gwin")) == 0


@pytest.mark.rule("doolittle", "10.2", "10.2.1", "10.2.2", "9.5.2", "12.1.1", "12.1.2")
def test_recon_places_include_cap_only_for_fighters() -> None:
    state = at_sea("midway", met=True)
    at, recon = table(state), sea(state).recon
    assert set(recon_places(at, recon["vs6"])) == {"hangar", "local", "force", "influence-east"}
    assert set(recon_places(at, recon["vf6"])) == {"hangar", "local", "force", "influence-east", "low-cap", "high-cap"}
    sea(state).area = "japan"
    assert set(recon_places(at, recon["vs6"])) == {"hangar", "local", "force"}
    before = at_sea("midway")
    assert [one.key for one in ships.recon_in_use(before)] == ["ca-18"]


@pytest.mark.rule("doolittle", "10.2.1", "10.1.1")
def test_cruiser_recon_needs_intact_heavy_cruiser() -> None:
    state = at_sea()
    at, recon, later = table(state), sea(state).recon["ca-18"], sea(state).recon["ca-16"]
    recon.place = "force"
    assert can_launch_recon(at, recon)
    ships.hit_ship(at, ship(state, "vincennes"), "12.7.2", "the sea")
    assert recon.place == "hangar"
    assert not can_launch_recon(at, recon)
    ships.hit_ship(at, ship(state, "vincennes"), "12.7.2", "the sea")
    assert recon.place == "gone"
    assert later.place == "away", "anyone who has not joined yet does not join by that"


@pytest.mark.rule("doolittle", "10.2.2", "10.1.1", "DR132")
def test_enterprise_damaged_grounds_squadrons_and_sunk_loses_them() -> None:
    state = at_sea(met=True)
    at, recon = table(state), sea(state).recon
    recon["vf6"].place, recon["vs6"].place = "high-cap", "gone"
    ships.hit_ship(at, ship(state, "enterprise"), "11.4.3", "bombs")
    assert (recon["vf6"].place, recon["vs6"].place) == ("hangar", "gone")
    assert not can_launch_recon(at, recon["vf6"])
    ships.sink_ship(at, ship(state, "enterprise"), "11.4.3", "bombs")
    assert recon["vf6"].place == recon["vb6"].place == "gone"


@pytest.mark.rule("doolittle", "12.0", "13.5.1")
def test_force_starts_in_port_fueled_as_planned() -> None:
    state = at_sea("")
    assert {one.key for one in ships.ships_afloat(state)} == {
        one.key for one in DATA.ships.fleet.ship if one.force == "TF-18"
    }
    assert sea(state).fueled
    assert sea(state).submarines["thresher"].area == "japan"
    assert sea(state).submarines["tuna"].area == ""
    state.squad["b01"].fate = "ashore"
    at = table(state)
    general_quarters.sail(at)
    assert log_text(at, "12.0").endswith("with bombers on her deck: 15.")


@pytest.mark.rule("doolittle", "1.2")
def test_variants_add_submarine_or_drop_enterprise() -> None:
    third = at_sea("", variant="third")
    assert sea(third).submarines["tuna"].area == "influence-west"
    sole = at_sea("", variant="second")
    assert sole.plan is not None
    assert not sole.plan.enterprise


@pytest.mark.rule("doolittle", "DR110")
def test_ships_of_flight_scenarios_sail_home_as_one_force() -> None:
    voyage = setup.homeward_forces(DATA, "defense-east")
    assert voyage.area == "defense-east"
    assert all(not one.group and one.space for one in voyage.ships.values())


@pytest.mark.rule("doolittle", "9.2", "12.1", "DR150")
def test_general_quarters_logs_place_and_asks_submarines_first() -> None:
    state = at_sea("midway", phase="general-quarters")
    at = table(state)
    asked: list[Decision] = []
    run(general_quarters.general_quarters(at), asked=asked)
    assert "10–11 April: the force is at Midway" in log_text(at, "9.2")
    assert [one.rule for one in asked] == ["12.1", "12.1.3", "12.1.1"]
    assert hints(asked[1])["call-thresher"] == pytest.approx(21 / 36)


@pytest.mark.rule("doolittle", "11.0.1")
def test_lost_submarine_returns_its_hazards() -> None:
    state = at_sea("japan")
    join(state)
    marker = hazard(state, "clouds")
    sea(state).submarines["thresher"].contact = True
    sea(state).assigned["thresher"] = [marker]
    at = table(state)
    ships.lose_submarine(at, "thresher", "11.0.1")
    assert log_text(at, "11.0.1") == "The Thresher no longer answers and is lost."
    assert marker in state.cups[marker.cup].contents
    assert not ships.in_contact(state, "thresher")


@pytest.mark.rule("doolittle", "9.5.1", "10.2", "11.0.2")
def test_layout_view_shows_only_force_and_owner_of_recon() -> None:
    state = at_sea(met=True)
    ship(state, "gwin").group, ship(state, "gwin").space = "group-1", "ahead"
    ship(state, "vincennes").space, ship(state, "vincennes").hits = "ahead", 1
    seen = view.voyage_view(state, DATA)
    assert seen is not None
    ahead = next(space for space in seen.layout if space.key == "ahead")
    assert "vincennes" in ahead.ships
    assert "gwin" not in ahead.ships
    flak = {one.key: one.flak for one in seen.ships}
    assert (flak["vincennes"], flak["nashville"]) == (1, 2)
    owners = {recon.key: recon.ship for recon in seen.recon}
    assert (owners["vs6"], owners["ca-18"]) == ("enterprise", "CA")


@pytest.mark.rule("doolittle", "9.5", "11.0.2")
def test_group_with_oiler_centers_no_cruiser() -> None:
    state = at_sea(met=True)
    places = formation.usual_layout(DATA, [ship(state, "vincennes"), ship(state, "cimarron")])
    assert places == {"vincennes": "ahead", "cimarron": "center"}
    ship(state, "cimarron").markers = [hazard(state, "distress")]
    assert formation.usual_layout(DATA, [ship(state, "gwin"), ship(state, "cimarron")])["cimarron"] == "astern-far"


@pytest.mark.rule("doolittle", "10.1", "12.5.3")
@pytest.mark.parametrize(
    ("met", "variant", "force"), [(False, "printed", "TF-18"), (True, "printed", "TF-16"), (True, "second", "TF-18")]
)
def test_force_marker_changes_when_enterprise_joins(*, met: bool, variant: str, force: str) -> None:
    state = at_sea(variant=variant)
    state.sea.met = met
    seen = view.voyage_view(state, DATA)
    assert seen is not None
    assert seen.force == force
