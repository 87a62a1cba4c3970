"""Tests of planning: builds, moves, raids and cards, with rejections and hints."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from tests.games.helpers import Answer

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision
from readyroom.games.strategic.war.hints import chance_of_level
from readyroom.games.strategic.war.places import COUNTRIES, projects
from readyroom.games.strategic.war.planning.building import Build, build, place
from readyroom.games.strategic.war.planning.moving import Move, move_boats, move_ships, shift
from readyroom.games.strategic.war.planning.orders import Plan, commit, send
from readyroom.games.strategic.war.planning.planning import plan, planning
from readyroom.games.strategic.war.state import Orders, WarState

from .helpers import DATA, log_text, run, table, war


def questions(rules: Any, answers: dict[str, Answer] | None = None) -> list[Decision]:
    """Return the questions a rule asks."""
    decisions: list[Decision] = []
    run(rules, answers, decisions)
    return decisions


def building(state: WarState, side: str, nation: str) -> Decision:
    """Return a nation's build question."""
    return questions(build(table(state), side, nation))[0]


def reason(decision: Decision, *keys: str) -> tuple[str, str]:
    """Return the rule and the reason of a rejected answer."""
    with pytest.raises(IllegalChoice) as refusal:
        decision.accept(list(keys))
    return refusal.value.rule, refusal.value.reason


@pytest.mark.rule("war", "SW.4")
def test_nations_build_with_own_resources() -> None:
    state = war()
    german, japanese = building(state, "axis", "germany"), building(state, "axis", "japan")
    assert (german.budget, japanese.budget) == (21, 6)
    assert german.question == "What does Germany build with 21 resources?"
    assert german.instruction().endswith(", within 21 resources")
    assert building(state, "allies", "allies").question == "What do the Allies build with 36 resources?"
    assert set(german.keys) == {
        "submarine-atlantic", "submarine-indian", "bomber-home", "interceptor-home",
        "research-torpedo", "research-air-range", "research-radar", "research-air-defense", "research-bombers",
    }  # fmt: skip
    assert {"submarine-indian", "submarine-pacific", "escort-home", "carrier-home", "merchant-home"} < set(
        japanese.keys
    )
    assert {option.cost for option in german.options} == {3}
    rule, why = reason(japanese, *["escort-home"] * 3)
    assert rule == "SW.4"
    assert "Choose 0 to 2, repeats allowed, within 6 resources; you chose 3" in why
    assert "you chose 3" in reason(japanese, "escort-home", "carrier-home", "merchant-home")[1]


@pytest.mark.rule("war", "SW.4", "SW.10")
def test_pacific_bombers_wait_for_1944() -> None:
    early, late = (building(war(turn), "allies", "allies") for turn in (8, 9))
    assert reason(early, "bomber-pacific") == ("SW.10", "No Pacific base is within bomber range before 1944.")
    assert "bomber-pacific" in late.keys


@pytest.mark.rule("war", "SW.4", "SW.10")
def test_bombers_need_research() -> None:
    state = war()
    del state.war.powers["germany"].levels["bombers"]
    rule, why = reason(building(state, "axis", "germany"), "bomber-home")
    assert (rule, why) == ("SW.4", "Research strategic bombers first.")


@pytest.mark.rule("war", "SW.6", "W4")
def test_research_stops_at_level_three_and_certain_points() -> None:
    state = war()
    power = state.war.powers["allies"]
    power.levels["asw"], power.points["torpedo"], power.points["radar"] = 3, 6, 4
    decision = building(state, "allies", "allies")
    assert reason(decision, "research-asw")[1] == "Research on anti-submarine warfare is at level 3, the highest."
    assert reason(decision, "research-torpedo")[1] == "The next level of torpedoes is already certain."
    assert {option.key: option.limit for option in decision.options}["research-radar"] == 2


@pytest.mark.rule("war", "SW.6")
@pytest.mark.parametrize(
    ("scenario", "nation", "studied"),
    [
        ("atlantic", "germany", {"torpedo", "air-range"}),
        ("atlantic", "allies", {"asw", "air-range"}),
        ("silent-service", "japan", {"torpedo", "asw", "air-range"}),
        ("bomber-offensive", "germany", {"air-range", "radar", "air-defense", "bombers"}),
        ("strategic-war", "japan", {"torpedo", "asw", "air-range", "radar", "air-defense"}),
    ],
)
def test_nations_research_useful_projects(scenario: str, nation: str, studied: set[str]) -> None:
    assert set(projects(war(1, scenario).war, nation)) == studied


@pytest.mark.rule("war", "SW.6")
def test_research_hint_shows_chance() -> None:
    assert [chance_of_level(DATA, points) for points in (0, 1, 3, 6, 9)] == [0, Fraction(1, 6), Fraction(1, 2), 1, 1]
    state = war()
    state.war.powers["allies"].points["asw"] = 1
    hint = next(o.info for o in building(state, "allies", "allies").options if o.key == "research-asw")
    assert hint is not None
    assert hint.note == "to level 1:"
    assert hint.chance == pytest.approx(1 / 3)


@pytest.mark.rule("war", "SW.4", "SW.6")
def test_rows_of_the_building_sheet_say_what_they_are_for() -> None:
    options = [*building(war(), "axis", "germany").options, *building(war(), "allies", "allies").options]
    rows = {option.key: option.cell[0] for option in options if option.cell}
    assert len(rows) > 10
    assert all(": " in row for row in rows.values()), rows
    assert rows["research-asw"] == "Anti-sub: worse rolls of enemy submarines"


@pytest.mark.rule("war", "SW.4")
def test_build_hints_show_exact_means() -> None:
    options = {option.key: option for option in building(war(12), "axis", "germany").options}
    hint = options["submarine-atlantic"].info
    assert hint is not None
    assert hint.note == "+0.9 ships"
    allied = {option.key: option.info for option in building(war(12), "allies", "allies").options}
    notes = {key: hint.note for key, hint in allied.items() if hint is not None}
    assert notes["bomber-home"].endswith(" points")
    assert notes["interceptor-home"].endswith(" stopped")
    assert notes["carrier-atlantic"] == "6 more make the net −1"
    assert notes["merchant-atlantic"].startswith("42, −")
    assert notes["escort-atlantic"].endswith(" subs")


@pytest.mark.rule("war", "SW.4", "SW.5", "SW.14", "W1")
def test_builds_are_public_and_research_secret() -> None:
    state = war()
    at = table(state)
    answers: dict[str, Answer] = {
        "build-germany": ["submarine-atlantic"] * 4 + ["research-radar"] * 2,
        "build-allies": ["escort-atlantic", "carrier-pacific", "merchant-indian", "interceptor-home", "bomber-home"],
        "build-japan": ["escort-home", "interceptor-home"],
    }
    run(planning(at), answers)
    played = state.war
    assert played.submarines["german-atlantic"].ready == 9
    oceans = played.oceans
    assert (oceans["atlantic"].escorts, oceans["pacific"].carriers, oceans["indian"].merchants) == (13, 1, 13)
    assert (played.bombers["germany"].ready, played.interceptors) == (7, {"germany": 5, "japan": 3, "britain": 4})
    assert [power.money for power in played.powers.values()] == [3, 0, 36 - 15]
    assert played.powers["germany"].points == {"radar": 2}
    assert "Germany builds 4 submarine factors in the Atlantic (12 resources)." in log_text(at, "allies")
    (built,) = [line for line in log_text(at, "axis").splitlines() if line.startswith("The Allies build")]
    assert built.startswith("The Allies build 1 escort factor in the Atlantic, 1 escort carrier factor in the Pacific")
    assert built.endswith("(15 resources).")
    assert "radar" not in log_text(at, "allies")
    assert "research points on radar" in log_text(at, "axis")


@pytest.mark.rule("war", "SW.6", "SW.14")
@pytest.mark.parametrize(("count", "points"), [(1, "1 research point"), (2, "2 research points")])
def test_research_points_are_logged_for_own_side(count: int, points: str) -> None:
    at = table(war())
    place(at, "germany", Counter({Build("research", "germany", project="radar"): count}))
    assert log_text(at, "axis") == f"Germany spends {points} on radar: {count} so far, and a die must bring them to 7."
    assert log_text(at, "allies") == ""


@pytest.mark.rule("war", "SW.4")
@pytest.mark.parametrize(("money", "asked"), [(2, 0), (3, 1)])
def test_nation_without_resources_is_not_asked(money: int, asked: int) -> None:
    state = war()
    state.war.powers["japan"].money = money
    assert len(questions(build(table(state), "axis", "japan"))) == asked


@pytest.mark.rule("war", "SW.5", "W1")
def test_moves_are_public() -> None:
    state = war()
    at = table(state)
    run(planning(at), {"move": ["move-german-atlantic-indian"] * 2})
    fleets = state.war.submarines
    assert (fleets["german-atlantic"].ready, fleets["german-indian"].ready) == (3, 2)
    assert "The Axis moves 2 submarine factors" in log_text(at, "allies")


# -- moving ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("war", "SW.5", "W3")
def test_submarines_move_between_oceans() -> None:
    state = war()
    (decision,) = questions(move_boats(table(state)))
    assert set(decision.keys) == {
        "move-german-atlantic-indian", "move-japanese-indian-pacific", "move-japanese-pacific-indian",
    }  # fmt: skip
    assert decision.at_most == 6
    moves = run(move_boats(table(state)), {"move": ["move-german-atlantic-indian"] * 3})
    at = table(state)
    shift(at, "axis", moves[0], 3)
    assert log_text(at, "allies") == "The Axis moves 3 submarine factors from the Atlantic to the Indian Ocean."
    fleets = state.war.submarines
    assert (fleets["german-atlantic"].ready, fleets["german-indian"].ready) == (2, 3)


@pytest.mark.rule("war", "SW.5", "W3")
def test_allies_reinforce_one_place() -> None:
    state = war()
    decisions = questions(move_ships(table(state)), {"to": ["to-indian"]})
    assert [each.piece_key for each in decisions] == ["to", "move"]
    assert {option.key: option.limit for option in decisions[1].options} == {
        "move-escort-atlantic": 6, "move-merchant-atlantic": 6, "move-escort-pacific": 4, "move-merchant-pacific": 6,
    }  # fmt: skip
    goals = questions(move_ships(table(state)))[0]
    assert goals.keys == ["stay", "to-atlantic", "to-indian", "to-pacific"]
    assert goals.options[2].text == "to the Indian Ocean"
    assert decisions[1].question == "What do they send to the Indian Ocean?"
    at = table(state)
    for move, count in Counter(
        run(move_ships(at), {"to": ["to-indian"], "move": ["move-escort-atlantic"] * 2})
    ).items():
        shift(at, "allies", move, count)
    assert (state.war.oceans["atlantic"].escorts, state.war.oceans["indian"].escorts) == (10, 5)
    assert "The Allies move 2 escort factors from the Atlantic to the Indian Ocean." in log_text(at)


@pytest.mark.rule("war", "SW.5")
def test_no_possible_move_asks_nothing() -> None:
    at = table(war(9, "bomber-offensive"))
    assert run(move_ships(at)) == []
    assert log_text(at, "allies") == ""


@pytest.mark.rule("war", "SW.5", "SW.10")
def test_bombers_move_to_pacific_from_1944() -> None:
    late = war(9)
    assert "move-bomber-germany" in questions(move_ships(table(late)), {"to": ["to-pacific"]})[1].keys
    late.war.bombers["japan"].ready = 1
    back = questions(move_ships(table(late)), {"to": ["to-britain"]})
    assert back[0].options[-1].text == "bombers to Britain"
    assert (back[1].question, back[1].keys) == ("What do they send to Britain?", ["move-bomber-japan"])
    early = questions(move_ships(table(war(8))), {"to": ["to-pacific"]})[1]
    assert "move-bomber-germany" not in early.keys


# -- raids and cards -------------------------------------------------------------------------------------------------


@pytest.mark.rule("war", "SW.7", "SW.10", "SW.10.1")
def test_raids_are_limited_to_range() -> None:
    state = war()
    plan_ = Plan(Counter(), Counter(), Orders())
    decisions: list[Decision] = []
    answers: dict[str, Answer] = {"raid-germany": ["ruhr"] * 4 + ["berlin"] * 2, "escort-germany": ["escort-ruhr"] * 2}
    raids = run(send(table(state), "allies", COUNTRIES["germany"], plan_), answers, decisions)
    assert [(each.target, each.bombers, each.escorts) for each in raids] == [("ruhr", 4, 2), ("berlin", 2, 0)]
    assert decisions[0].keys == ["ruhr", "hamburg", "berlin"]
    assert decisions[1].keys == ["escort-ruhr", "escort-berlin"]
    rule, why = reason(decisions[0], "ploesti")
    assert (rule, why) == ("SW.10", "Ploesti is 14 hexes away; bombers reach 8. Research air range.")
    note = decisions[0].options[0].info
    assert note is not None
    assert note.note.startswith("all 6 unopposed: ")


@pytest.mark.rule("war", "SW.5")
def test_moved_bombers_arrive_at_once() -> None:
    state = war(9)
    before = {area: stack.ready for area, stack in state.war.bombers.items()}
    at = table(state)
    shift(at, "allies", Move("bomber", "germany", "japan"), 2)
    after = {area: stack.ready for area, stack in state.war.bombers.items()}
    assert after == before | {"germany": before["germany"] - 2, "japan": before["japan"] + 2}
    assert log_text(at, "axis") == "The Allies move 2 bomber factors from Britain to the Pacific."


@pytest.mark.rule("war", "SW.5", "SW.7")
@pytest.mark.parametrize(("area", "change"), [("germany", -2), ("japan", 2)])
def test_moved_bombers_raid_from_new_front(area: str, change: int) -> None:
    state = war(9)
    state.war.bombers["japan"].ready = 3
    moves = Counter({Move("bomber", "germany", "japan"): 2, Move("escort", "atlantic", "pacific"): 3})
    decision = questions(send(table(state), "allies", COUNTRIES[area], Plan(Counter(), moves, Orders())))[0]
    assert decision.at_most == state.war.bombers[area].ready + change


@pytest.mark.rule("war", "SW.10", "SW.10.1")
def test_escorts_are_limited_to_range() -> None:
    state = war()
    state.war.powers["allies"].levels["air-range"] = 2
    answers: dict[str, Answer] = {"raid-germany": ["ruhr", "ploesti"]}
    decisions = questions(
        send(table(state), "allies", COUNTRIES["germany"], Plan(Counter(), Counter(), Orders())), answers
    )
    assert decisions[1].keys == ["escort-ruhr"]


@pytest.mark.rule("war", "SW.7", "SW.10")
@pytest.mark.parametrize(("area", "bombers"), [("germany", 0), ("japan", 3)])
def test_no_bombers_or_targets_asks_nothing(area: str, bombers: int) -> None:
    state = war(9)
    state.war.bombers[area].ready = bombers
    state.war.targets = [aim for aim in state.war.targets if aim.area == "germany"]
    assert questions(send(table(state), "allies", COUNTRIES[area], Plan(Counter(), Counter(), Orders()))) == []


@pytest.mark.rule("war", "SW.4", "SW.10.1")
def test_new_interceptors_can_escort_at_once() -> None:
    state = war()
    state.war.bombers["britain"].ready, state.war.interceptors["germany"] = 4, 2
    builds = Counter(
        {Build("interceptor", "germany", area="germany"): 1, Build("interceptor", "japan", area="japan"): 3}
    )
    decisions = questions(
        send(table(state), "axis", COUNTRIES["britain"], Plan(builds, Counter(), Orders())),
        {"raid-britain": ["london"]},
    )
    assert [each.at_most for each in decisions] == [4, 2 + 1]


@pytest.mark.rule("war", "SW.3")
@pytest.mark.parametrize(
    ("hand", "missing"), [(["submarine"], ["card-germany", "card-britain"]), (["submarine", "strategic"], [])]
)
def test_rejected_card_names_rounds_of_theater(hand: list[str], missing: list[str]) -> None:
    state = war()
    state.war.hands["axis"] = {"ultra": hand, "magic": []}
    decision = questions(commit(table(state), "axis", Plan(Counter(), Counter(), Orders())))[0]
    assert [each.key for each in decision.unavailable] == missing


@pytest.mark.rule("war", "SW.3", "SW.7")
def test_cards_serve_kind_and_theater() -> None:
    state = war()
    state.war.hands["axis"] = {"ultra": ["submarine", "tactical"], "magic": ["strategic"]}
    decisions: list[Decision] = []
    run(commit(table(state), "axis", Plan(Counter(), Counter(), Orders())), {}, decisions)
    assert [each.piece_key for each in decisions] == ["cards-ultra-submarine", "cards-magic-strategic"]
    assert decisions[0].keys == ["card-german-atlantic", "card-german-indian"]
    assert decisions[0].at_most == 1
    assert decisions[1].keys == ["card-japan"]
    assert reason(decisions[0], "card-germany") == ("SW.3", "This round needs a strategic card; you hold none.")
    assert reason(decisions[0], "card-tactical") == ("SW.3", "Tactical cards have no effect in this game.")


@pytest.mark.rule("war", "A13")
def test_option_count_commits_no_cards() -> None:
    state = war(codebreaking="count")
    state.war.hands["axis"]["ultra"] = ["submarine"]
    assert questions(commit(table(state), "axis", Plan(Counter(), Counter(), Orders()))) == []


@pytest.mark.rule("war", "SW.7")
@pytest.mark.parametrize("side", ["axis", "allies"])
def test_turn_has_few_questions(side: str) -> None:
    state = war(9)
    state.war.hands[side] = {"ultra": ["submarine"], "magic": ["submarine"]}
    state.war.bombers["japan"].ready = 3
    assert (
        4 <= len(questions(plan(table(state), side, Plan(Counter(), Counter(), Orders())), {"to": ["to-pacific"]})) <= 8
    )
