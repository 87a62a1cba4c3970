"""[1.3, 1.9] Tests of the campaign debriefing: facts, views, checks, result."""

from __future__ import annotations

from typing import Any

import pytest
from tests.games.doolittle.helpers import DATA, log_text, raiders, table
from tests.games.doolittle.voyage_helpers import at_sea

from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import MatchFinished, Table
from readyroom.games.doolittle.bombers import destroy
from readyroom.games.doolittle.denouement.state import DenouementState
from readyroom.games.doolittle.ending import campaign, debriefing, facts
from readyroom.games.doolittle.ending.story_builder import build_tale
from readyroom.games.doolittle.pieces import Crew, EliteMan
from readyroom.games.doolittle.planning.state import Blotter
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.state import Launch, Ship, Voyage

TAKEN, DEAD, SIBERIA = ("b06", "b16"), "b03", "b08"
"""Fates of the crews that did not reach Chungking in 1942."""


def raid(**options: Any) -> Doolittle:
    """Return sixteen bombers that have flown, before the debriefing."""
    state = raiders("early", "debriefing", **options)
    state.at, state.segment = At(40, "debriefing"), "denouement"
    state.ending = DenouementState()
    return state


def history() -> Doolittle:
    """Return the historical raid: three cities, one carrier, no bomber saved, two crews captured, one in Siberia."""
    state = raid()
    for bomber in state.squad.values():
        at = bomber.key
        fate = "captured" if at in TAKEN else "killed" if at == DEAD else "chungking"
        site = "vladivostok" if at == SIBERIA else ""
        bomber.fate, bomber.where = ("landed", site) if site else ("ditched", "Z10")
        state.crews.append(Crew(key=at, where=site or "trekking", fate="released" if site else fate))  # type: ignore[arg-type]
        state.add_to_story("landed" if site else "on-foot", at, site)
    state.squad["b01"].elite = None
    state.crews[0].elites.append(EliteMan(key=facts.DOOLITTLE))
    state.talks.granted.append("stilwell")
    state.targets["tokyo"].areas["tokyo-north"].boxes["tokyo-arsenal"].blast = 12
    nagoya, osaka = state.targets["nagoya"], state.targets["osaka-kobe"]
    next(iter(nagoya.boxes))[1].blast = 2
    next(iter(osaka.boxes))[1].blast = 4
    next(iter(nagoya.areas.values())).blast = 5
    state.targets["tokyo"].tally, nagoya.tally, osaka.tally = 12, 2, 1
    return state


def stayed(state: Doolittle) -> Doolittle:
    """Return a state in which the force sailed home with its bombers on deck."""
    state.voyage, state.launched = Voyage(), Launch("", "none", 10, 0)
    state.sky.flights = []
    for bomber in state.squad.values():
        bomber.fate = "home"
    return state


def notes(**given: Any) -> Blotter:
    """Return a blotter."""
    return Blotter(hangar={}, men=Cup([]), **given)


def call_off(state: Doolittle) -> Doolittle:
    """Return a state in which an incident has ended the raid."""
    state.blotter, state.segment = notes(), "planning"
    state.call_off()
    state.add_to_story("called-off", "15.1.2.H")
    return state


def end(at: Table[Doolittle, Any]) -> Outcome:
    """Return the outcome of a debriefing."""
    with pytest.raises(MatchFinished) as finished:
        list(debriefing.debrief(at))
    return finished.value.outcome


# -- facts -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "1.3", "1.9")
def test_raid_of_1942_counts_match_history() -> None:
    state = history()
    assert state.ending is not None
    state.ending.checks["reprisal"] = 3
    known = facts.all_facts(state, DATA)
    unlike = {"carriers-hit", "navy", "army"}  # the Ryuho's marker stays in its cup
    want = {name: value for name, value in DATA.history.campaign.facts.items() if name not in unlike}
    assert {name: known[name] for name in want} == want


@pytest.mark.rule("doolittle", "1.3")
def test_facts_used_by_a_view_are_counted_from_the_first_turn() -> None:
    for scenario in ("early", "close-in"):
        known = facts.all_facts(raiders(scenario), DATA)
        for view in DATA.debriefing.perspectives.values():
            assert {term.of for term in view.term} <= set(known)
        for score in (DATA.debriefing.raid, DATA.debriefing.naval):
            assert {term.of for term in score.term} <= set(known)


@pytest.mark.rule("doolittle", "1.3", "10.1.1")
def test_ships_hit_are_counted_as_carriers_or_others() -> None:
    state = raid()
    names = {"hornet": 1, "enterprise": 2, "gwin": 2, "nashville": 1, "cimarron": 0}
    state.voyage = Voyage(ships={key: Ship(key=key, hits=hits) for key, hits in names.items()})
    known = facts.count_facts(state, DATA)
    counted = [known[name] for name in ("carriers-sunk", "carriers-damaged", "ships-sunk", "ships-damaged")]
    assert counted == [1, 1, 1, 1]


@pytest.mark.rule("doolittle", "1.3", "12.0.1")
@pytest.mark.parametrize(
    ("launch", "area", "kind", "launched"),
    [
        (Launch("japan", "planned", 8, 1), 4, 1, 16),
        (Launch("influence-west", "airstrike", 6, 2), 0, 0, 16),
    ],
)
def test_launch_counts_where_and_how_bombers_launched(launch: Launch, area: int, kind: int, launched: int) -> None:
    state = raid()
    state.voyage, state.launched = Voyage(), launch
    known = facts.all_facts(state, DATA)
    assert (known["launch-area"], known["launch"], known["launched"]) == (area, kind, launched)
    assert known["rendezvous"] == 0


@pytest.mark.rule("doolittle", "1.3", "12.0.1", "12.7")
def test_force_that_turned_back_launched_no_one() -> None:
    known = facts.all_facts(stayed(raid()), DATA)
    assert (known["launch-area"], known["launch"], known["launched"], known["bombers-lost"]) == (-4, -1, 0, 0)


@pytest.mark.rule("doolittle", "1.3", "DR110")
def test_scenario_starting_in_the_air_counts_as_launched_from_its_sea_area() -> None:
    known = facts.all_facts(raid(), DATA)
    assert (known["launch-area"], known["launch"], known["rendezvous"], known["launched"]) == (1, 0, 1, 16)


@pytest.mark.rule("doolittle", "1.3", "14.4.2", "14.6")
@pytest.mark.parametrize(
    ("fate", "where", "saved", "captured"),
    [
        ("saved", "chungking", 1, 0),
        ("interned", "vladivostok", 0, 0),
        ("seized", "korea", 0, 1),
        ("ditched", "Z9", 0, 0),
    ],
)
def test_bombers_are_saved_at_chungking_and_lost_in_foreign_hands(
    fate: str, where: str, saved: int, captured: int
) -> None:
    state = raid()
    state.squad = {"b01": state.squad["b01"]}
    state.squad["b01"].fate, state.squad["b01"].where = fate, where  # type: ignore[assignment]
    known = facts.all_facts(state, DATA)
    assert (known["bombers-saved"], known["bombers-lost"], known["bombers-captured"]) == (saved, 1 - saved, captured)


@pytest.mark.rule("doolittle", "1.3")
@pytest.mark.parametrize(("fate", "value"), [("chungking", 1), ("rescued", 1), ("captured", -1), ("missing", -1)])
def test_doolittle_who_flew_is_home_or_lost_with_his_crew(fate: str, value: int) -> None:
    state = raid()
    state.crews = [Crew(key="b05", where="", fate=fate, elites=[EliteMan(key=facts.DOOLITTLE)])]  # type: ignore[arg-type]
    assert facts.all_facts(state, DATA)["doolittle"] == value


@pytest.mark.rule("doolittle", "1.3", "13.5.3")
def test_doolittle_not_aboard_stayed_at_home() -> None:
    assert facts.doolittle_fate(raid()) == ("stayed", "")


@pytest.mark.rule("doolittle", "1.3", "13.5.3", "12.0.1")
@pytest.mark.parametrize(("fate", "what", "value"), [("home", "aboard", 0), ("overboard", "aboard", 0)])
def test_doolittle_who_never_flew_was_aboard(fate: str, what: str, value: int) -> None:
    state = stayed(raid())
    state.squad["b01"].elite = EliteMan(key=facts.DOOLITTLE)
    state.squad["b01"].fate = fate  # type: ignore[assignment]
    assert facts.doolittle_fate(state) == (what, "b01")
    assert facts.all_facts(state, DATA)["doolittle"] == value
    assert campaign.paragraphs(state, DATA)["doolittle"] == DATA.debriefing.words.text["doolittle-aboard"]


@pytest.mark.rule("doolittle", "1.3", "12.4", "DR126")
def test_flight_to_midway_is_no_raid() -> None:
    state = raid()
    state.sky.flights = []
    for key, bomber in state.squad.items():
        bomber.fate, bomber.where = "ashore", "midway"
        state.add_to_story("ashore", key, "midway")
        state.crews.append(Crew(key=key, where="midway", fate="home"))
    state.crews[0].elites.append(EliteMan(key=facts.DOOLITTLE))
    known = facts.all_facts(state, DATA)
    assert (known["launched"], known["bombers-saved"], known["bombers-lost"]) == (16, 0, 0)
    assert (known["doolittle"], facts.doolittle_fate(state)) == (0, ("aboard", "b01"))
    assert state.ending is not None
    state.ending.checks["alliances"] = 1
    assert campaign.overall_result(state, DATA)[0] < campaign.WON
    assert "china" not in campaign.paragraphs(state, DATA)
    assert "Another quiet day at sea" in " ".join(one.text for one in build_tale(state, DATA).sentences)


@pytest.mark.rule("doolittle", "1.3", "12.3.2", "DR121")
def test_crew_killed_on_deck_is_dead_and_not_launched() -> None:
    state = raid()
    state.segment = "naval"
    state.squad["b01"].elite = EliteMan(key=facts.DOOLITTLE)
    state.sky.flights[0].members = [key for key in state.sky.flights[0].members if key not in ("b01", "b02")]
    state.add_to_story("botched", "b01", "crash")
    destroy(table(state), state.squad["b01"], "12.3.2", "a crash on the deck")
    state.squad["b02"].fate = "overboard"
    known = facts.all_facts(state, DATA)
    assert (known["launched"], known["crews-killed"], known["crews-lost"]) == (14, 1, 1)
    assert known["bombers-lost"] == 16
    assert facts.doolittle_fate(state) == ("lost", "b01")


@pytest.mark.rule("doolittle", "1.3", "12.3.2", "14.2.1")
def test_bomber_with_a_bad_takeoff_lost_over_japan_counts_as_launched() -> None:
    state = raid()
    state.segment = "naval"
    state.add_to_story("botched", "b01", "damaged")
    assert facts.circumstances(state, DATA)["nobody-down-in-japan"] == 1
    state.segment = "flight"
    state.flight("flight-1").zone = "Z6"
    destroy(table(state), state.squad["b01"], "8.3.7", "fighters")
    known = facts.all_facts(state, DATA)
    assert (known["launched"], known["crews-killed"], state.squad["b01"].where) == (16, 1, "Z6")
    assert facts.circumstances(state, DATA)["nobody-down-in-japan"] == 0


@pytest.mark.rule("doolittle", "1.3", "13.5.3")
def test_doolittle_is_searched_aboard_and_in_every_crew() -> None:
    state = raid()
    state.squad["b02"].elite, state.squad["b05"].elite = EliteMan(key="e02"), EliteMan(key=facts.DOOLITTLE)
    assert facts.doolittle_fate(state) == ("home", "b05")
    state.squad["b05"].elite = None
    state.crews = [
        Crew(key="b02", where="", fate="chungking", elites=[EliteMan(key="e02")]),
        Crew(key="b07", where="", fate="missing", elites=[EliteMan(key=facts.DOOLITTLE)]),
    ]
    assert facts.doolittle_fate(state) == ("lost", "b07")


@pytest.mark.rule("doolittle", "1.3", "8.1.4", "13.2.4")
def test_beacons_left_and_fields_lost_are_counted() -> None:
    state = raid()
    state.sky.beacons, state.sky.taken = {"lishui": 4, "kian": 5}, ["yushan"]
    known = facts.all_facts(state, DATA)
    assert (known["beacons-left"], known["sites-attacked"]) == (2, 1)


@pytest.mark.rule("doolittle", "1.3", "14.5")
@pytest.mark.parametrize(("site", "granted", "counted"), [("vladivostok", 0, 1), ("vladivostok", 1, 0), ("", 0, 0)])
def test_landing_at_vladivostok_without_agreement_is_counted(site: str, granted: int, counted: int) -> None:
    state = raid()
    state.talks.granted = ["thompson"] * granted
    if site:
        state.add_to_story("landed", "b08", site)
    assert facts.all_facts(state, DATA)["landed-without-agreement"] == counted


@pytest.mark.rule("doolittle", "5.5", "14.1", "14.4")
def test_crews_reach_china_by_landing_crashing_or_walking() -> None:
    state = raid()
    assert facts.circumstances(state, DATA)["china-without-success"] == 0
    for what, who, where in (
        *(("landed", "b01", "kian"), ("crashed", "b02", "lishui"), ("on-foot", "b03", "Z10")),
        *(("landed", "b04", "korea"), ("found", "b05", "kian"), ("took-off", "b06", "Z1")),
    ):
        state.add_to_story(what, who, where)
    assert facts.bombers_landed_in(state, DATA, "china") == {"b01", "b02"}
    assert facts.crews_in_china(state, DATA) == ["b01", "b02", "b03"]
    assert facts.circumstances(state, DATA)["china-without-success"] == 1


@pytest.mark.rule("doolittle", "1.3", "14.2.1")
@pytest.mark.parametrize(("where", "missing"), [("Z6", 0), ("tokyo-north", 0), ("Z5", 1), ("Z9", 1), ("", 1)])
def test_crew_is_down_in_japan_where_a_bomber_fell(where: str, missing: int) -> None:
    state = raid()
    state.squad["b01"].fate, state.squad["b01"].where = "destroyed", where
    assert facts.circumstances(state, DATA)["nobody-down-in-japan"] == missing


@pytest.mark.rule("doolittle", "10.1.1")
def test_ship_sunk_at_once_is_lost_without_a_hit() -> None:
    state = raid()
    state.voyage = Voyage(ships={"gwin": Ship(key="gwin", sunk=True), "hornet": Ship(key="hornet", hits=1)})
    assert facts.sunk_ships(state, DATA) == ["gwin"]


@pytest.mark.rule("doolittle", "1.3", "12.3")
def test_force_still_at_sea_has_not_launched() -> None:
    state = at_sea()
    assert facts.launch_kind(state, DATA) == "none"
    assert facts.all_facts(state, DATA)["launch"] == -1


@pytest.mark.rule("doolittle", "1.3", "13.2.3")
def test_china_has_refused_or_was_not_asked_or_not_visited() -> None:
    state = history()
    known = DATA.debriefing.words.text
    assert campaign.paragraphs(state, DATA)["china"] == known["china-granted"]
    state.talks.granted, state.talks.denied = [], ["stilwell"]
    assert campaign.paragraphs(state, DATA)["china"] == known["china-refused"]
    state.talks.denied = []
    assert campaign.paragraphs(state, DATA)["china"] == known["china-denied"]
    assert "china" not in campaign.paragraphs(stayed(raid()), DATA)


# -- views -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "1.3")
def test_views_of_1942_match_history() -> None:
    known = dict(DATA.history.campaign.facts)
    grades = {key: view.at(view.points(known)) for key, view in DATA.debriefing.perspectives.items()}
    assert grades["navy"][1].title == "Well sailed"
    assert grades["joint-chiefs"][1].title == "Two ranks at once"
    assert grades["white-house"][1].title == "Shangri-La"
    assert grades["japan"][1].title == "Midway"
    assert sum(grade for grade, _ in grades.values()) + DATA.debriefing.checks["alliances"].grades[1] == 13


@pytest.mark.rule("doolittle", "1.3")
def test_grades_of_all_views_add_up() -> None:
    state = history()
    views = campaign.views(state, DATA)
    assert [view.key for view in views] == list(DATA.debriefing.perspectives)
    assert campaign.grades(state, DATA) == sum(view.grade for view in views)
    assert state.ending is not None
    state.ending.checks["alliances"] = 3
    assert campaign.grades(state, DATA) == sum(view.grade for view in views) + 4


# -- checks ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "1.3")
def test_trial_and_reprisal_without_crews_are_not_due() -> None:
    assert campaign.checks_due(raid(), DATA) == ["alliances"]
    assert campaign.checks_due(history(), DATA) == ["prisoners", "reprisal", "alliances"]


@pytest.mark.rule("doolittle", "1.3")
def test_trial_modifiers_count_crews_in_japan_and_blast() -> None:
    state = history()
    assert campaign.debriefing_check(state, DATA, "prisoners").modifiers == [("no one down in Japan", -1)]
    state.squad["b06"].where, state.squad["b06"].fate = "Z6", "captured"
    assert campaign.debriefing_check(state, DATA, "prisoners").modifiers == []
    next(iter(state.targets["tokyo"].areas.values())).blast = 20
    names = [name for name, _ in campaign.debriefing_check(state, DATA, "prisoners").modifiers]
    assert names == ["blast away from targets", "all the blast"]


@pytest.mark.rule("doolittle", "1.3")
def test_search_in_china_grows_with_crews_and_alert() -> None:
    state = history()
    state.security.alert = 3
    assert campaign.debriefing_check(state, DATA, "reprisal").modifiers == [("crews in China", 4), ("alert", 3)]


@pytest.mark.rule("doolittle", "1.3", "14.5.2")
def test_alliances_check_counts_refusals_landings_and_devastation() -> None:
    state = history()
    assert state.ending is not None
    state.ending.checks["reprisal"] = 3
    state.talks.denied.append("thompson")
    state.blotter = notes(chits=["quit-india"])
    counts = dict(campaign.debriefing_check(state, DATA, "alliances").modifiers)
    assert counts == {
        "leaders who refused": -1,
        "Vladivostok, without leave": -2,
        "devastation": -1,
        "three cities hit": 1,
        "turmoil in India": -1,
    }
    state.talks.granted.clear()
    assert dict(campaign.debriefing_check(state, DATA, "alliances").modifiers)["China, without leave"] == -2


@pytest.mark.rule("doolittle", "1.3", "1.9", "14.5.2")
def test_checks_are_rolled_in_order_and_logged_with_their_dice() -> None:
    state = history()
    at = table(state, 5, 6, 5, 4)
    outcome = end(at)
    assert state.ending is not None
    assert state.ending.checks == {"prisoners": 2, "reprisal": 2, "alliances": 1}
    text = log_text(at, "1.3")
    assert text.index("The trial of the prisoners: for life.") < text.index("The search in China: an offensive.")
    assert "The health of the alliances: correct." in log_text(at, "14.5.2")
    rolls = [roll.result for line in at.log or [] for roll in line.rolls]
    assert rolls[0] == "1d6 − 1 no one down in Japan: 4, for life"
    assert debriefing.points(state, DATA) == campaign.grades(state, DATA)
    state.at = At(state.at.turn, "landing")
    known = facts.count_facts(state, DATA)
    assert debriefing.points(state, DATA) == sum(one.points(known) for one in debriefing.scores(state, DATA))
    assert (outcome.winner, outcome.title) == ("usa", "Worth it")
    assert outcome.scores["usa"] == campaign.grades(state, DATA)


@pytest.mark.rule("doolittle", "1.3")
def test_one_condemned_crew_in_three_is_shot_and_costs_the_white_house() -> None:
    state = history()
    before = {view.key: view.points for view in campaign.views(state, DATA)}
    assert state.ending is not None
    state.ending.checks["prisoners"] = 3
    after = {view.key: view.points for view in campaign.views(state, DATA)}
    assert campaign.count_executed(state, DATA) == 1
    assert after.pop("white-house") == before.pop("white-house") - 2
    assert after == before


@pytest.mark.rule("doolittle", "14.5.2", "1.3")
@pytest.mark.parametrize(
    ("dice", "soviet", "fate"),
    [((1, 1), "starred", "interned"), ((6, 6), "starred", "released"), ((1, 1), "released", "released")],
)
def test_strained_alliances_revoke_a_release_that_depends_on_them(
    dice: tuple[int, int], soviet: str, fate: str
) -> None:
    state = history()
    assert state.ending is not None
    state.ending.soviet = soviet  # type: ignore[assignment]
    end(table(state, 3, 3, *dice))
    crew = facts.crew_of(state, SIBERIA)
    assert crew is not None
    assert crew.fate == fate


@pytest.mark.rule("doolittle", "1.3", "14.5.2")
def test_alliances_cite_the_siberia_rule_and_trial_the_debriefing_rule() -> None:
    state = history()
    rules = [campaign.debriefing_check(state, DATA, name).rule for name in ("prisoners", "reprisal", "alliances")]
    assert rules == ["1.3", "1.3", "14.5.2"]


@pytest.mark.rule("doolittle", "1.3")
def test_execution_needs_a_trial() -> None:
    state = history()
    state.ending = None
    assert campaign.count_executed(state, DATA) == 0


@pytest.mark.rule("doolittle", "1.3", "14.0")
def test_campaign_without_a_denouement_is_debriefed() -> None:
    state = stayed(raid())
    state.ending, state.blotter = None, notes()
    assert end(table(state, 3, 4)).title == "No raid"
    assert state.denouement.checks == {"alliances": 1}


# -- words and end ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "1.3", "15.1.2", "15.1.2.A")
def test_camps_are_reported_unless_the_order_was_in_a_cup_and_not_drawn() -> None:
    assert "order-9066" in campaign.paragraphs(history(), DATA)
    state = history()
    state.rulings = raiders("early", incidents="yes").rulings
    assert "order-9066" not in campaign.paragraphs(state, DATA)
    state.blotter = notes(chits=["9066"])
    assert "order-9066" in campaign.paragraphs(state, DATA)


@pytest.mark.rule("doolittle", "1.3", "15.1.2")
def test_raid_called_off_is_not_graded() -> None:
    state = call_off(raiders("early"))
    at = table(state)
    outcome = end(at)
    assert (outcome.winner, outcome.title, outcome.text) == (
        None,
        "Called off",
        DATA.debriefing.words.text["cancelled"],
    )
    assert not at.log


@pytest.mark.rule("doolittle", "1.3")
def test_campaign_debriefing_needs_a_played_denouement() -> None:
    assert not campaign.is_due(raiders("early"))
    assert campaign.is_due(raid())


@pytest.mark.rule("doolittle", "1.3", "15.1.2")
def test_raid_called_off_reports_nothing_else() -> None:
    assert campaign.paragraphs(call_off(raiders("early")), DATA) == {
        "cancelled": DATA.debriefing.words.text["cancelled"]
    }


@pytest.mark.rule("doolittle", "1.3", "14.5")
def test_siberia_report_depends_on_arrivals_and_outcome() -> None:
    text, state = DATA.debriefing.words.text, history()
    assert campaign.paragraphs(state, DATA)["ussr"] == text["ussr-released"]
    crew = facts.crew_of(state, SIBERIA)
    assert crew is not None
    crew.fate = "interned"
    assert campaign.paragraphs(state, DATA)["ussr"] == text["ussr-interned"]
    crew.fate = "killed"
    assert "ussr" not in campaign.paragraphs(state, DATA)
    state.talks.granted.append("thompson")
    assert campaign.paragraphs(state, DATA)["ussr"] == text["ussr-agreed"]
    assert campaign.paragraphs(raid(), DATA)["ussr"] == text["ussr-none"]


@pytest.mark.rule("doolittle", "15.1.2.B")
@pytest.mark.parametrize(("turn", "text"), [("macarthur-escaped", "home"), ("macarthur-captured", "grounded")])
def test_doolittle_stays_home_if_macarthur_was_captured(turn: str, text: str) -> None:
    state = history()
    state.blotter = notes(turns=[turn])
    assert campaign.paragraphs(state, DATA)["doolittle"] == DATA.debriefing.words.text[f"doolittle-{text}"]
