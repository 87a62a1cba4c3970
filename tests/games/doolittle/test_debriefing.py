"""Tests of the debriefing of attack scenarios: points and grades."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.doolittle.helpers import aloft, raiders
from tests.games.doolittle.raid_helpers import DATA, bomber, log_text, marker, over, play, table

from readyroom import Match
from readyroom.bots import make_bot, play_to_end
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import MatchFinished
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.ending import campaign, debriefing, endings, facts
from readyroom.games.doolittle.state import Doolittle, Flight

ATTACKS = ["capital", "nagoya", "bay", "kobe", "night", "thirteen"]


def _outcome(state: Doolittle) -> Outcome:
    with pytest.raises(MatchFinished) as finished:
        list(debriefing.debrief(table(state)))
    return finished.value.outcome


def _points(state: Doolittle) -> int:
    return _outcome(state).scores["usa"]


@pytest.mark.rule("doolittle", "1.2")
def test_score_of_nothing_done_and_nothing_lost_is_zero() -> None:
    assert _points(over()) == 0


@pytest.mark.rule("doolittle", "1.2", "1.3")
def test_score_outside_the_campaign_is_that_of_the_scenario() -> None:
    state = over(phase="debriefing")
    state.city.areas["tokyo-east"].blast = 2
    assert _points(state) == 2


@pytest.mark.rule("doolittle", "1.2", "1.3")
@pytest.mark.parametrize("scenario", ["capital", "close-in", "campaign"])
def test_points_are_counted_all_along(scenario: str) -> None:
    match = Match(GAME, scenario, seed="points")
    before = debriefing.standing(match.state, DATA)["usa"]
    play_to_end(match, {seat.key: make_bot(GAME, "doctrine", seat.key, Random(1)) for seat in match.seats})
    assert match.outcome is not None
    assert debriefing.standing(match.state, DATA) == match.outcome.scores
    assert before != match.outcome.scores["usa"]
    assert debriefing.standing_name(match.state, DATA) == ("grades" if scenario == "campaign" else "points")


@pytest.mark.rule("doolittle", "1.2")
@pytest.mark.parametrize(("blast", "winner"), [(0, None), (30, "usa")])
def test_raid_with_enough_points_is_won(blast: int, winner: str | None) -> None:
    state = over()
    state.city.areas["tokyo-east"].blast = blast
    assert _outcome(state).winner == winner


@pytest.mark.rule("doolittle", "1.2", "14.1")
def test_bomber_that_found_a_field_lands_before_scoring() -> None:
    state = raiders(phase="debriefing")
    aloft(state, "b01", zone="Z12").site = "kweilin"
    with pytest.raises(MatchFinished):
        list(debriefing.debrief(table(state, 6, 6)))
    assert (state.squad["b01"].fate, state.squad["b01"].where) == ("landed", "kweilin")


@pytest.mark.rule("doolittle", "1.2", "4.9.4", "4.9.5")
def test_blast_at_targets_counts_double_and_once_more_per_target() -> None:
    state = over()
    area = state.city.areas["tokyo-east"]
    area.blast = 2
    assert _points(state) == 2
    area.boxes["nippon-electric"].blast = 2
    assert _points(state) == 2 + 4 + 1
    area.boxes["nippon-electric"].blast = 4
    assert _points(state) == 2 + 8 + 1


@pytest.mark.rule("doolittle", "4.6.3.K")
def test_carrier_counts_only_if_found_and_hit() -> None:
    state = over()
    box = state.city.areas["tokyo-bay-south"].boxes["bay-shipping"]
    box.markers = [marker(state, "ryuho", revealed=True)]
    assert _points(state) == 0
    box.blast = 2
    assert _points(state) == 4 + 1 + 4


@pytest.mark.rule("doolittle", "2.1", "2.1.3")
@pytest.mark.parametrize(("fate", "hits", "points"), [("destroyed", 1, -3), ("home", 1, -1), ("home", 0, 0)])
def test_bombers_lost_or_damaged_cost_points(fate: str, hits: int, points: int) -> None:
    state = over()
    bomber(state, "b01", hits=hits, fate=fate)
    assert _points(state) == points


@pytest.mark.rule("doolittle", "1.2")
def test_shore_alone_counts_fully_across_the_bay() -> None:
    state = GAME.rules.setup(DATA, GAME.scenario("bay"), GAME.resolve({}))
    state.squad.clear()
    state.city.areas["yokosuka"].boxes["yokosuka-dockyard"].blast = 2
    assert _points(state) == 5
    state.city.areas["tokyo-north"].boxes["tokyo-arsenal"].blast = 2
    assert _points(state) == 5 + 2


@pytest.mark.rule("doolittle", "1.2")
@pytest.mark.parametrize("scenario", ATTACKS)
def test_scenario_has_five_grades_of_which_three_are_won(scenario: str) -> None:
    card, grades = DATA.scenarios[scenario], DATA.debriefing.attack_grades
    assert list(card.bands.values()) == list(grades.title)
    state = GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve({}))
    won = [debriefing.is_good(DATA, state, grade) for grade in card.bands.values()]
    assert won == [False, False, True, True, True]


@pytest.mark.rule("doolittle", "1.2")
def test_grade_follows_the_points_and_is_logged_with_its_reasons() -> None:
    state = over()
    state.city.areas["tokyo-east"].boxes["nippon-electric"].blast = 2
    at = table(state)
    with pytest.raises(MatchFinished) as finished:
        list(debriefing.debrief(at))
    assert debriefing.points_by_name(state, DATA) == {"Blast at targets": 4, "Targets hit": 1}
    outcome = finished.value.outcome
    card = DATA.scenarios["capital"]
    assert outcome.title == DATA.debriefing.attack_grades.title[card.grade(outcome.scores["usa"])]
    assert log_text(at) == (
        "Blast at targets: 2, +4 points. Targets hit: 1, +1 point. "
        "Result bands: Stray up to 11, Meagre 12–14, Solid 15–19, Strong 20–22, Brilliant from 23. "
        '5 points: result 1 of 5, "Stray"; 7 more for "Meagre".'
    )
    assert (outcome.winner, outcome.title) == (None, "Stray")


@pytest.mark.rule("doolittle", "1.2", "4.0.2")
@pytest.mark.parametrize("scenario", ATTACKS)
def test_scenario_ends_with_a_grade(scenario: str) -> None:
    outcome = play(scenario).outcome
    assert outcome is not None
    assert outcome.title in {*DATA.debriefing.attack_grades.title.values(), "None came back"}


@pytest.mark.rule("doolittle", "1.2", "1.3")
@pytest.mark.parametrize(
    ("fates", "blast", "names"),
    [
        ({}, 0, ["grounded"]),
        (dict.fromkeys(("b01", "b02"), ("ashore", "midway")), 0, ["ashore"]),
        (dict.fromkeys(("b01", "b02"), ("destroyed", "Z6")), 1, ["lost"]),
        (dict.fromkeys(("b01", "b02"), ("ditched", "Z3")), 1, ["no-china"]),
        (dict.fromkeys(("b01", "b02"), ("ditched", "Z10")), 0, ["untouched"]),
        ({"b01": ("landed", "kian"), "b02": ("destroyed", "Z6")}, 1, []),
    ],
)
def test_ending_reports_what_points_omit(fates: dict[str, tuple[str, str]], blast: int, names: list[str]) -> None:
    state = GAME.rules.setup(DATA, GAME.scenario("carrier"), GAME.resolve({}))
    state.targets["tokyo"].areas["tokyo-east"].blast = blast
    for key in list(state.squad):
        if fates and key not in fates:
            del state.squad[key]
    for key, (fate, where) in fates.items():
        state.squad[key].fate, state.squad[key].where = fate, where  # type: ignore[assignment]
        if fate == "ashore":
            state.add_to_story("ashore", key, where)
        else:
            state.sky.flights.append(Flight(f"flight-{key}", [key], "Z6", 4))
    if not fates:
        for one in state.squad.values():
            one.fate = "home"
    assert list(endings.find_endings(state, DATA)) == names


@pytest.mark.rule("doolittle", "1.3")
def test_ending_replaces_title_and_contradicting_text() -> None:
    state = GAME.rules.setup(DATA, GAME.scenario("carrier"), GAME.resolve({}))
    for one in state.squad.values():
        one.fate = "home"
    assert endings.describe(state, DATA, "Brave", "It was dear.") == ("No raid", "No bomber took off.")
    assert {view.band.title for view in campaign.views(state, DATA)} == {
        figures.unflown.title for figures in DATA.debriefing.perspectives.values()
    }


@pytest.mark.rule("doolittle", "DR49", "1.2")
@pytest.mark.parametrize(("zone", "china", "elsewhere"), [("Z5", 0, 1), ("Z6", 0, 1), ("Z8", 0, 1), ("Z9", 1, 0)])
def test_crew_ditched_is_counted_safe_only_in_the_zones_of_china(zone: str, china: int, elsewhere: int) -> None:
    state = GAME.rules.setup(DATA, GAME.scenario("early"), GAME.resolve({}))
    state.squad["b01"].fate, state.squad["b01"].where = "ditched", zone
    counts = facts.count_facts(state, DATA)
    assert (counts["crews-china"], counts["crews-ditched-elsewhere"]) == (china, elsewhere)


@pytest.mark.rule("doolittle", "DR48", "4.7")
def test_bomber_that_left_a_target_is_back_with_its_flight() -> None:
    state = GAME.rules.setup(DATA, GAME.scenario("early"), GAME.resolve({}))
    state.squad["b01"].loaded = False
    assert state.find_flight("b01") is state.flight("flight-1")


@pytest.mark.rule("doolittle", "DR49", "1.2", "5.5")
@pytest.mark.parametrize(
    ("fate", "where", "hits", "good", "china", "elsewhere", "siberia"),
    [
        ("landed", "kian", 0, 1, 1, 0, 0),
        ("landed", "kian", 1, 1, 1, 0, 0),
        ("crashed", "lishui", 0, 0, 1, 0, 0),
        ("ditched", "Z10", 0, 0, 1, 0, 0),
        ("destroyed", "Z10", 0, 0, 0, 0, 0),
        ("landed", "korea", 0, 0, 0, 1, 0),
        ("landed", "vladivostok", 0, 0, 0, 0, 1),
        ("captured", "Z6", 0, 0, 0, 1, 0),
        ("home", "", 0, 0, 0, 0, 0),
    ],
)
def test_bomber_lost_is_counted_once_by_place_and_cause(
    fate: str, where: str, hits: int, good: int, china: int, elsewhere: int, siberia: int
) -> None:
    state = GAME.rules.setup(DATA, GAME.scenario("early"), GAME.resolve({}))
    one = state.squad["b01"]
    one.fate, one.where, one.hits, one.well = fate, where, hits, fate == "landed"  # type: ignore[assignment]
    counts = facts.count_facts(state, DATA)
    named = ("good-landings-china", "crews-china", "crews-ditched-elsewhere", "landed-vladivostok")
    assert tuple(counts[name] for name in named) == (good, china, elsewhere, siberia)
