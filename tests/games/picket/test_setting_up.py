"""Tests of setup: values, posts, the pool, tracks, options and scenarios."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.games.picket.helpers import CHIT, DATA, picket, play, run, table

from readyroom.engine.errors import InvalidData
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.games.picket import GAME, setup
from readyroom.games.picket.setup import check_opening
from readyroom.games.picket.state import CHIEFS, OFFICERS, WATCHES, title_of


@pytest.mark.rule("picket", "2.0", "2.0.A", "1.3", "1.3.1", "1.3.2", "1.4", "2.0.K", "P49")
def test_crew_values_drawn_without_replacement() -> None:
    state = picket()
    at = table(state, 5, *[CHIT[-2]] * 2, 1, 1, 1, 1, 1, 1, 1)
    run(setup.crew(at))
    assert state.ship.name == DATA.names.ship[4]
    assert [officer.value for officer in state.ship.officers.values()] == [-2, -2, -1, -1, -1, -1, 0, 0, 0]
    assert list(state.ship.officers) == [*OFFICERS, *CHIEFS.values()]
    assert state.ship.men == {"forward": 14, "midship": 10, "aft": 13}
    assert DATA.ship.chits.count == {"-2": 2, "-1": 4, "0": 6, "1": 4, "2": 2}


@pytest.mark.rule("picket", "2.0.K")
def test_captain_names_ship_or_rolls() -> None:
    state = picket()
    asked: list[Decision] = []
    at = table(state, *[1] * 9)
    run(setup.crew(at), {"2.0.K": "ship-evans"}, asked)
    assert [barrier.cause for barrier in at.take_causes()] == ["the crew was drawn"]
    assert state.ship.name == "Evans (DD-552)"
    assert asked[0].keys[0] == "ship-tables"


@pytest.mark.rule("picket", "2.0.K", "12")
def test_named_ship_asks_nothing() -> None:
    evans, asked = GAME.scenario("evans"), list[Decision]()
    named = replace(evans, content=replace(evans.content, ship="Evans (DD-552)"))
    state = GAME.rules.setup(DATA, named, GAME.resolve({}))
    assert state.ship.name == "Evans (DD-552)"
    run(setup.crew(table(state, *[1] * 9)), {}, asked)
    assert (state.ship.name, [one.rule for one in asked]) == ("Evans (DD-552)", ["2.0.B", "2.0.C"])


@pytest.mark.rule("picket", "11.6.B", "2.0.A")
def test_green_gunnery_officer_has_fixed_value() -> None:
    green, result = picket(green_gunnery="-2"), picket()
    for state in (green, result):
        run(setup.crew(table(state, *[5] * 10)))
    values = {key: officer.value for key, officer in green.ship.officers.items()}
    assert values == {key: officer.value for key, officer in result.ship.officers.items()} | {"gunnery": -2}
    assert result.ship.officers["gunnery"].value != -2


@pytest.mark.rule("picket", "2.0.B", "2.0.C")
def test_captain_places_engineer_and_chief() -> None:
    state = picket()
    asked = list[Decision]()
    run(setup.posts(table(state)), {"2.0.B": "engineer-aft-engine-room", "2.0.C": "chief-rudder"}, asked)
    assert asked[1].keys[0] == "chief-radio"
    assert sorted(option.key for option in asked[1].options) == sorted(f"chief-{key}" for key in DATA.rooms)
    places = {key: officer.place for key, officer in state.ship.officers.items()}
    assert places["engineer"] == "aft-engine-room"
    assert places["chief"] == "rudder"
    assert places["captain"] == places["executive"] == "bridge"
    assert places["gunnery"] == places["damage-control"] == "cic"


@pytest.mark.rule("picket", "2.0.B", "2.0.C")
def test_post_options_by_officer() -> None:
    match = Match(GAME, "first-watch", seed="posts")
    match.decide("captain", ["ship-tables"])
    assert match.pending["captain"].keys == ["engineer-forward-engine-room", "engineer-aft-engine-room"]
    match.decide("captain", ["engineer-aft-engine-room"])
    assert len(match.pending["captain"].keys) == len(DATA.rooms)


@pytest.mark.rule("picket", "2.0.E", "1.0", "P48")
def test_pool_sets_aside_special_attackers() -> None:
    pool = picket().pool
    aside = {counter.plane for counter in pool.aside}
    assert aside == {"sally", "betty", "peggy", "jill", "grace", "judy", "kate", "myrt", "val", "zero"}
    assert all(counter.weapon for counter in pool.aside)
    assert sum(not counter.ends and not counter.weapon for counter in pool.cup.contents) == 118
    assert sum(bool(counter.weapon) for counter in pool.cup.contents) == 24
    assert sum(counter.ends for counter in pool.cup.contents) == 8
    assert len(DATA.cards) == 35


@pytest.mark.rule("picket", "2.0.G", "2.0.H", "2.0.I", "1.2", "1.2.1", "1.2.2")
def test_tracks_start_full_on_even_keel() -> None:
    ship = picket().ship
    assert (ship.ammunition, ship.fuel, ship.hull, ship.maneuver, ship.flood) == (10,) * 5
    assert (ship.heel, ship.trim, ship.morale) == (0, 0, 0)
    assert picket().sea.land_radars == []


@pytest.mark.rule("picket", "1.1", "1.1.1", "1.7")
def test_ship_guns_and_sections() -> None:
    kinds = [gun.kind for gun in DATA.mounted("")]
    assert [kinds.count(kind) for kind in ("5-inch", "40mm", "20mm")] == [5, 5, 7]
    assert len(DATA.rooms) == 24
    assert len(DATA.secondary) == 30
    assert {room.boxes for room in DATA.secondary.values()} == {2}
    midship = [gun for gun in DATA.mounted("") if gun.section == "midship"]
    assert {feed for gun in midship for feed in gun.feeds} == {"aft-40mm-magazine", "aft-20mm-magazine"}


@pytest.mark.rule("picket", "11", "11.3", "12")
def test_attack_ends_counters_by_scenario_and_option() -> None:
    def ends(scenario: str, **options: Any) -> int:
        return sum(one.ends for one in picket(scenario, **options).pool.cup.contents)

    assert ends("okinawa") == ends("april") == ends("evans", attack_ends="in") == 8
    assert ends("evans") == ends("okinawa", attack_ends="out") == 0


@pytest.mark.rule("picket", "12.1", "P50")
def test_late_scenarios_have_other_armament() -> None:
    lingayen, kyushu = picket("lingayen"), picket("kyushu")
    assert "gun-a" not in lingayen.ship.mounts
    assert {"gun-m", "gun-n", "gun-o"} <= set(lingayen.ship.mounts)
    assert "director-a" not in lingayen.ship.gear
    assert "director-c" in lingayen.ship.gear
    assert "gun-k" not in kyushu.ship.mounts
    assert len(kyushu.ship.mounts) == 16
    assert not lingayen.yard.mounts, "only a custom ship has a yard"


@pytest.mark.rule("picket", "3.0", "3.0.A", "3.0.B", "3.0.C", "6.0", "1.6")
def test_day_has_three_phases_and_upkeep() -> None:
    match = play("first-watch", seed="a day")
    seen = list(dict.fromkeys(line.phase for line in match.log("captain")))
    watches = [phase.partition("-")[0] for phase in seen if phase.partition("-")[0] in WATCHES]
    assert list(dict.fromkeys(watches)) == sorted(set(watches), key=WATCHES.index)
    names = [phase.name for phase in GAME.rules.phases]
    assert names.index("morning-end") < names.index("midday-weather") < names.index("night-end") < names.index("upkeep")
    assert names.index("morning-fire-1") < names.index("morning-strike-1") < names.index("morning-control-1")


@pytest.mark.rule("picket", "12", "10", "10.A")
def test_every_scenario_plays_to_end() -> None:
    campaigns = [key for key, cruise in DATA.scenarios.items() if not cruise.raids]
    own = [key for key, cruise in DATA.scenarios.items() if cruise.design]
    assert (len(DATA.scenarios), sorted(campaigns), own) == (11, ["april", "okinawa"], ["your-own"])
    for key, cruise in DATA.scenarios.items():
        if cruise.raids:
            assert play(key).outcome is not None


@pytest.mark.rule("picket", "2.0.K")
def test_scenario_may_name_officers() -> None:
    scenario = GAME.scenario("okinawa")
    named = replace(scenario, content=replace(scenario.content, officers={"captain": "Hale"}))
    state = GAME.rules.setup(DATA, named, GAME.resolve({}))
    assert title_of(state.plan, "captain") == "captain Hale"
    assert title_of(state.plan, "executive") == "executive officer"
    with pytest.raises(InvalidData, match=r"officers\.cook"):
        check_opening(DATA, replace(scenario, content=replace(scenario.content, officers={"cook": "Hale"})))


@pytest.mark.rule("picket", "9.C")
def test_log_names_replacements_at_anchorage() -> None:
    state = picket()
    state.ship.officers["gunnery"].dead = True
    setup.refit(at := table(state, CHIT[2]))
    assert [line.text for line in at.log or [] if line.rule == "9.C"] == ["The new gunnery officer has value +2."]
