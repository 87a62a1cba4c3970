"""History in, history out: what each link of the Long War makes of a chapter's facts, and of the next set-up."""

from __future__ import annotations

from typing import Any

import pytest
from tests.campaign.helpers import finish, set_up, war_at

from readyroom.campaign.format import ChapterEnd
from readyroom.campaign.library import load_campaign
from readyroom.campaign.war import Setup
from readyroom.engine.game import load_game

SHORT, LONG = "three-battles", "long-war"
BOTH = pytest.mark.parametrize("name", [SHORT, LONG])
STRATEGIC = ["American strategic victory", "Japanese tactical victory, strategic defeat", "Japanese strategic victory"]


def cards(setup: Setup) -> dict[str, Any]:
    """Return the carriers of a set-up by key."""
    return {card.key: card for card in setup.scenario.content.carrier}


def bombers(setup: Setup) -> dict[str, int]:
    """Return how many dive and torpedo bomber squadrons each carrier lacks compared with the printed ones."""
    printed = {card.key: card for card in load_game("midway").scenario("midway").content.carrier}
    return {
        key: lacks
        for key, card in cards(setup).items()
        if key in printed
        and (
            lacks := printed[key].dive_bombers + printed[key].torpedo_bombers - card.dive_bombers - card.torpedo_bombers
        )
    }


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize(("title", "spring"), [(title, at) for at, title in enumerate(STRATEGIC)])
def test_link_1_result_at_pearl_harbor_moves_spring_and_tide(name: str, title: str, spring: int) -> None:
    played = finish(war_at(name, "pearl"), title=title, yard_hits=0, lost_japan=0)
    assert (played.ledger["spring"], played.ledger["tide"]) == (spring, spring - 1)


@BOTH
def test_link_2_spring_takes_squadrons(name: str) -> None:
    assert bombers(set_up(name, "midway", spring=2)) == {"enterprise": 1, "hornet": 1, "yorktown": 2}
    assert bombers(set_up(name, "midway", spring=0)) == {"soryu": 1, "hiryu": 1}


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize(("hits", "band"), [(0, 0), (12, 0), (13, 1), (24, 1), (25, 2), (37, 3), (49, 4), (60, 4)])
def test_link_3_yard_hits_are_bands(name: str, hits: int, band: int) -> None:
    played = finish(war_at(name, "pearl"), title=STRATEGIC[1], yard_hits=hits, lost_japan=0)
    assert played.ledger["yard"] == band
    lacks = {3: 1, 4: 2}.get(band, 0)
    expected = {"hornet": lacks, "yorktown": lacks} if lacks else {}
    assert bombers(set_up(name, "midway", yard=band)) == expected


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize(("lost", "missing"), [(59, 0), (60, 1), (75, 2), (90, 3), (104, 3), (105, 4)])
def test_link_4_aircraft_lost_are_missing_squadrons(name: str, lost: int, missing: int) -> None:
    played = finish(war_at(name, "pearl"), title=STRATEGIC[1], yard_hits=0, lost_japan=lost)
    assert played.ledger["missing"] == missing
    lacking = dict.fromkeys(("soryu", "hiryu", "akagi", "kaga")[:missing], 1)
    assert bombers(set_up(name, "midway", missing=missing)) == lacking


@pytest.mark.sample(2)
@pytest.mark.parametrize(("fate", "month"), [("whole", 0), ("hit", 1), ("damaged", 5), ("sunk", 99)])
def test_link_5_carriers_hit_in_port_are_late(fate: str, month: int) -> None:
    played = finish(war_at(LONG, "pearl"), title=STRATEGIC[1], yard_hits=0, lost_japan=0, fate_lexington=fate)
    assert played.ledger["ship.lexington"] == month


def test_link_6_without_enterprise_hornet_sails_alone() -> None:
    assert set_up(LONG, "tokyo", ship__enterprise=5).options["variant"] == "second"
    assert set_up(LONG, "tokyo", ship__enterprise=4).options["variant"] == "printed"


@pytest.mark.sample(2)
@pytest.mark.parametrize(("points", "tide"), [(9, 1), (10, 0), (24, 0), (25, -1), (64, -1), (65, -2)])
def test_link_7_raid_on_tokyo_raises_the_alarm(points: int, tide: int) -> None:
    played = finish(war_at(LONG, "tokyo"), view_japan=points)
    assert (played.ledger["alarm"], played.ledger["tide"]) == (points, tide)


def test_link_8_carriers_hurt_off_tokyo_miss_midway() -> None:
    played = finish(war_at(LONG, "tokyo"), view_japan=40, fate_enterprise="hurt", fate_hornet="sunk")
    assert (played.ledger["ship.enterprise"], played.ledger["ship.hornet"]) == (7, 99)


def test_link_9_alarm_moves_midway() -> None:
    july = cards(set_up(LONG, "midway", alarm=24))
    assert {"saratoga", "zuikaku"} <= july.keys()
    june = set_up(LONG, "midway", alarm=44)
    assert june.scenario.text is None
    assert bombers(set_up(LONG, "midway", alarm=45)) == {"akagi": 1, "soryu": 1}
    assert cards(set_up(LONG, "midway", alarm=64))["kaga"].fighters == 6
    assert cards(set_up(LONG, "midway", alarm=65))["kaga"].fighters == 5


def test_link_10_unhindered_japan_takes_port_moresby() -> None:
    war = war_at(LONG, "coral-sea", spring=2, tide=0)
    assert war.begin() is None
    assert (war.played[-1].how, war.ledger["tide"]) == ("passed over", 1)
    checked = cards(set_up(LONG, "coral-sea", spring=0))
    assert (checked["shokaku"].dive_bombers, checked["zuikaku"].dive_bombers) == (3, 3)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("damage", "month"), [(0, 0), (1, 6), (3, 6), (4, 7), (7, 8), (9, 8), (10, 99)])
def test_link_11_damage_puts_carriers_in_dock(damage: int, month: int) -> None:
    played = finish(war_at(LONG, "coral-sea"), lead=0, sunk_usa=0, damage_shokaku=damage)
    assert played.ledger["ship.shokaku"] == month


def test_link_11_half_of_the_aircraft_lost_keeps_a_carrier_home() -> None:
    for share, month in ((49, 0), (50, 7)):
        played = finish(war_at(LONG, "coral-sea"), lead=0, sunk_usa=0, lost_share_zuikaku=share)
        assert played.ledger["ship.zuikaku"] == month


@pytest.mark.sample(2)
@pytest.mark.parametrize(("yard", "month"), [(0, 6), (1, 6), (2, 7)])
def test_link_12_yard_at_pearl_harbor_hurries_repairs(yard: int, month: int) -> None:
    played = finish(war_at(LONG, "coral-sea", yard=yard), lead=0, sunk_usa=0, damage_yorktown=4)
    assert played.ledger["ship.yorktown"] == month


def test_link_12_only_ready_carriers_sail() -> None:
    without = cards(set_up(LONG, "midway", ship__yorktown=7))
    assert {key for key, card in without.items() if card.side == "usa"} == {"enterprise", "hornet", "ranger"}
    alone = cards(set_up(LONG, "santa-cruz", ship__shokaku=11, ship__zuikaku=99, ship__akagi=99, ship__kaga=99))
    assert {key for key, card in alone.items() if card.side == "japan"} == {"junyo", "zuiho"}


def test_carriers_beyond_the_number_are_worth_a_point_each() -> None:
    war = war_at(LONG, "midway", tide=0, ship__zuikaku=0, ship__shokaku=0)
    setup = war.begin()
    assert setup is not None
    assert len([card for card in cards(setup).values() if card.side == "japan"]) == 4
    assert war.tide == 2


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize(("lead", "tide"), [(-10, -4), (-9, -2), (-4, -2), (-3, 0), (3, 0), (4, 2), (9, 2), (10, 4)])
def test_link_13_lead_at_midway_moves_the_tide(name: str, lead: int, tide: int) -> None:
    war = war_at(name, "midway", tide=0)
    assert finish(war, lead=lead, sunk_usa=0, strength_lost_japan=0).ledger["tide"] == tide


@pytest.mark.sample(2)
@pytest.mark.parametrize(("lead", "tide"), [(-10, -2), (-4, -1), (3, 0), (4, 1), (10, 2)])
def test_link_13_smaller_battles_count_half(lead: int, tide: int) -> None:
    assert finish(war_at(LONG, "coral-sea", tide=0), lead=lead, sunk_usa=0).ledger["tide"] == tide


def test_link_14_carriers_sunk_leave_fewer_ships_off_okinawa() -> None:
    seen = {n: set_up(SHORT, "okinawa", carriers=n).scenario.content for n in range(4)}
    assert [(seen[n].surface, seen[n].team) for n in range(4)] == [(3, True), (3, True), (2, True), (1, False)]
    late = {n: set_up(LONG, "okinawa", carriers=n).scenario.content for n in (3, 4, 5)}
    assert [(late[n].surface, late[n].team) for n in (3, 4, 5)] == [(3, True), (2, True), (1, False)]


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize(("crews", "planes"), [(99, "9"), (100, "7"), (199, "7"), (200, "5"), (265, "5")])
def test_link_15_crews_of_1942_are_planes_of_1945(name: str, crews: int, planes: str) -> None:
    raids = set_up(name, "okinawa", crews=crews, tide=0).scenario.content.raids
    assert (raids[0][1], raids[6][1]) == (planes, planes)


@BOTH
def test_link_16_losing_japan_sends_more_planes(name: str) -> None:
    for tide, planes in ((-3, "8"), (-2, "5")):
        assert set_up(name, "okinawa", crews=265, tide=tide).scenario.content.raids[0][1] == planes


def test_link_17_japan_takes_the_southern_ports() -> None:
    for lead, ports in ((9, 0), (10, 1)):
        war = war_at(LONG, "midway", spring=1)
        assert finish(war, lead=lead, sunk_usa=0, strength_lost_japan=0).ledger["ports"] == ports
    lines = set_up(LONG, "submarines-1943", ports=1).scenario.content.base
    assert [(one.line, one.last) for one in lines] == [("manila", 0), ("southern-ports", 2)]


def test_link_18_stocks_and_levels_go_on() -> None:
    war = war_at(LONG, "submarines-1943")
    facts = {"merchants_japan": 20, "merchants_pacific": 2, "submarines_american": 9, "level_allies_torpedo": 2}
    assert finish(war, lead=36, **facts).ledger["tide"] == 2
    setup = war.begin()
    assert setup is not None
    content = setup.scenario.content
    assert (content.oceans["japan"].merchants, content.oceans["pacific"].merchants) == (20, 10)
    assert (content.submarines["american"], content.levels["allies"]["torpedo"]) == (9, 2)
    assert (content.year, content.turns) == (1944, 4)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("tide", "turn"), [(-5, 2), (-4, 3), (0, 3), (4, 3), (5, 4)])
def test_link_19_tide_decides_when_manila_is_free(tide: int, turn: int) -> None:
    assert set_up(LONG, "submarines-1944", tide=tide).scenario.content.base[0].first == turn


@pytest.mark.sample(2)
@pytest.mark.parametrize(("oil", "raids"), [(0, 6), (4, 6), (5, 8), (9, 8), (10, 10), (15, 10), (16, 12), (26, 12)])
def test_link_20_oil_decides_how_many_great_raids_come(oil: int, raids: int) -> None:
    content = set_up(LONG, "okinawa", oil=oil).scenario.content
    assert sum(watch == "kikusui" for day in content.raids for watch in day) == raids
    played = finish(war_at(LONG, "submarines-1944", tide=0), lead=-60, merchants_japan=oil)
    assert played.ledger["oil"] == oil
    assert played.ledger["tide"] == -2


@pytest.mark.sample(2)
@pytest.mark.parametrize(("radar", "guns"), [(0, "six-barrel"), (1, ""), (2, ""), (3, "june-1945")])
def test_link_21_radar_decides_the_guns(radar: int, guns: str) -> None:
    assert set_up(LONG, "okinawa", research__radar=radar).scenario.content.armament == guns


def test_link_22_ship_of_lingayen_comes_to_okinawa_if_she_floats() -> None:
    for afloat, ship in ((1, "Bache (DD-470)"), (0, "")):
        war = war_at(LONG, "lingayen")
        finish(war, title="draw", ship="Bache (DD-470)", afloat=afloat)
        setup = war.begin()
        assert setup is not None
        assert setup.scenario.content.ship == ship


@pytest.mark.sample(2)
@BOTH
@pytest.mark.parametrize(
    ("title", "tide"), [("American decisive victory", -5), ("American marginal victory", -3), ("draw", 0)]
)
def test_link_23_okinawa_moves_the_tide(name: str, title: str, tide: int) -> None:
    assert finish(war_at(name, "okinawa", tide=0), title=title).ledger["tide"] == tide


def test_link_24_new_carriers_take_the_names_of_sunk_ones() -> None:
    war = war_at(LONG, "santa-cruz", ship__lexington=99, ship__yorktown=0, ship__hornet=4)
    played = finish(war, lead=0, sunk_usa=1, damage_hornet=10)
    assert played.ledger["names.new"] == ["Lexington, begun as Cabot", "Hornet, begun as Kearsarge"]


# -- history ---------------------------------------------------------------------------------------------------------


def test_short_war_as_in_history_ends_in_september_1945() -> None:
    war = war_at(SHORT, "pearl")
    finish(war, title=STRATEGIC[1], yard_hits=0, lost_japan=29)
    setup = war.preview()
    assert setup is not None
    assert setup.scenario.text is None, "the printed scenario to the letter"
    finish(war, lead=-30, sunk_usa=1, strength_lost_japan=265)
    setup = war.preview()
    assert setup is not None
    assert setup.scenario.content.raids[0] == ("kikusui", "8", "none")
    assert (setup.scenario.content.surface, setup.scenario.content.team) == (3, True)
    finish(war, title="American marginal victory")
    assert war.closed is not None
    assert (war.tide, war.closed.ending) == (-7, "Tokyo Bay, September 1945")


def test_full_war_as_in_history_prints_midway_and_ends_in_september_1945() -> None:
    war = war_at(LONG, "pearl")
    fleets = {}
    while (chapter := war.next_chapter) is not None:
        setup = war.begin()
        assert setup is not None
        if chapter.game == "midway":
            fleets[chapter.key] = (setup.scenario.text is None, list(cards(setup)))
        tide, facts = war.tide, chapter.history
        war.restore_finish(_line_of(chapter.key, facts))
        assert abs(war.tide - tide) <= 5
    assert fleets["coral-sea"][1] == ["lexington", "yorktown", "shokaku", "zuikaku"]
    assert fleets["midway"] == (True, ["enterprise", "hornet", "yorktown", "hiryu", "soryu", "akagi", "kaga"])
    assert fleets["santa-cruz"][1] == ["enterprise", "hornet", "shokaku", "zuikaku"]
    assert war.closed is not None
    assert war.tide in (-13, -14)
    assert war.closed.ending == "Tokyo Bay, September 1945"


def _line_of(key: str, facts: Any) -> Any:
    """Return the line after a chapter with these facts."""
    return ChapterEnd(finished=key, how="played", record="", facts=facts, losses=[], ledger={})


@BOTH
def test_every_link_that_readers_see_names_its_ground(name: str) -> None:
    for chapter in load_campaign(name).chapter:
        for row in (*chapter.before, *chapter.after):
            assert bool(row.why) <= bool(row.source) or row.how in ("drop", "join"), row
