"""Tests of submarine rounds, raids and cards, with fixed dice."""

from __future__ import annotations

from typing import Any

import pytest

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import Table
from readyroom.games.strategic.war.intelligence import intelligence
from readyroom.games.strategic.war.raids import idle, raid
from readyroom.games.strategic.war.sequence import allied_bombing, axis_submarines
from readyroom.games.strategic.war.state import Raid, WarState
from readyroom.games.strategic.war.submarines import campaign

from .helpers import log_text, run, table, war


def bare(turn: int = 12, **options: object) -> WarState:
    """Return the main scenario without bases and levels, so that net modifiers are zero."""
    state = war(turn, "strategic-war", "war-planning", **options)
    state.war.base = []
    for power in state.war.powers.values():
        power.levels = {"bombers": 1, "air-range": 1}
    return state


@pytest.mark.rule("war", "SW.8", "24.62", "24.62.1")
@pytest.mark.rule("pearl", "24.62", "24.62.1")
def test_submarine_round_applies_losses() -> None:
    state = bare()
    atlantic, boats = state.war.oceans["atlantic"], state.war.submarines["german-atlantic"]
    atlantic.escorts, atlantic.merchants, boats.ready = 16, 40, 12
    at = table(state, 3, 4, 5, 5)
    campaign(at, "german-atlantic")
    assert (atlantic.escorts, atlantic.merchants) == (14, 33)  # row 12, 7: 2/7
    assert (boats.ready, boats.turned) == (12 - 4 - 4, 4)  # row 16, 10: 4/8
    assert "12 submarine factors sink 7 merchant and 2 escort factors (result 2/7)." in log_text(at)
    assert "16 escort factors (both sides fire at once) sink 4 submarine factors" in log_text(at)
    losses = state.war.powers
    assert (losses["allies"].losses.merchants, losses["germany"].losses.submarines) == (7, 4)
    (report,) = state.war.reports
    assert report.lost == {"merchants": 7, "escorts": 2, "submarines": 4, "turned": 4}
    attack, defence = (roll.result for line in at.log or [] for roll in line.rolls)
    assert "; 7 sinks 7 merchant and 2 escort factors; 12 sinks 8 merchant and 3 escort factors: 2/7" in attack
    assert ", a sum of 2 sinks 2 submarine factors and sends 4 back to port for a turn; 7 " in defence


@pytest.mark.rule("war", "SW.8", "24.62.3", "A5")
@pytest.mark.rule("pearl", "24.62.3", "A5")
def test_net_modifier_is_reversed_for_escorts() -> None:
    state = war(1)
    atlantic, boats = state.war.oceans["atlantic"], state.war.submarines["german-atlantic"]
    atlantic.escorts, boats.ready = 16, 12
    campaign(table(state, 1, 2, 6, 6), "german-atlantic")  # 3 + 5 = 8 and 12 − 5 = 7
    assert state.war.reports[0].net == 5
    assert (atlantic.escorts, boats.ready, boats.turned) == (14, 12 - 3 - 4, 4)


@pytest.mark.rule("war", "SW.8")
def test_no_submarines_skips_round() -> None:
    state = bare()
    state.war.submarines["german-atlantic"].ready = 0
    state.war.hands["axis"]["ultra"] = ["submarine"]
    state.war.orders["axis"].cards = ["german-atlantic"]
    campaign(table(state), "german-atlantic")
    assert state.war.reports == []
    assert state.war.hands["axis"]["ultra"] == ["submarine"]


@pytest.mark.rule("war", "SW.2", "SW.8", "SW.10")
def test_excluded_round_is_skipped() -> None:
    state = bare()
    state.war.rounds = []
    state.war.orders["allies"].raids["germany"] = [Raid("ruhr", 4)]
    at = table(state)
    campaign(at, "german-atlantic")
    run(raid(at, "germany"))
    assert (state.war.reports, log_text(at)) == ([], "")


@pytest.mark.rule("war", "SW.9", "A21")
def test_empty_ocean_costs_resources() -> None:
    state = bare()
    japan, boats = state.war.oceans["japan"], state.war.submarines["american"]
    japan.merchants, japan.escorts, boats.ready = 2, 4, 12
    campaign(table(state, 3, 4, 1, 1), "american")  # 2/7, and 0
    assert (japan.merchants, japan.escorts) == (0, 2)
    assert state.war.powers["japan"].owes == 6
    assert state.war.powers["japan"].losses.excess == 6
    assert boats.ready == 12


@pytest.mark.rule("war", "A1", "A21")
def test_submarine_result_option_shipping() -> None:
    state = bare(submarine_results="shipping", excess="all")
    japan, boats = state.war.oceans["japan"], state.war.submarines["american"]
    japan.merchants, japan.escorts, boats.ready = 2, 4, 12
    campaign(table(state, 3, 4, 1, 1), "american")
    assert (japan.merchants, japan.escorts, state.war.powers["japan"].owes) == (0, 4, 27)


@pytest.mark.rule("war", "24.62.2", "A4")
@pytest.mark.rule("pearl", "24.62.2")
@pytest.mark.parametrize(("heavy", "merchants"), [("repeat", 99 - 13 - 13 - 5), ("twice", 99 - 13 - 13)])
def test_over_sixty_factors_by_option(heavy: str, merchants: int) -> None:
    state = bare(heavy=heavy)
    atlantic, boats = state.war.oceans["atlantic"], state.war.submarines["german-atlantic"]
    atlantic.escorts, atlantic.merchants, boats.ready = 90, 99, 70
    campaign(table(state, 3, 4, 1, 1), "german-atlantic")
    assert atlantic.merchants == merchants


@pytest.mark.rule("war", "SW.3", "A13")
@pytest.mark.parametrize(
    ("axis", "allies", "net"), [(True, False, 1), (False, True, -1), (True, True, 0), (False, False, 0)]
)
def test_only_card_gives_advantage(axis: bool, allies: bool, net: int) -> None:
    state = bare()
    for side, plays in (("axis", axis), ("allies", allies)):
        state.war.hands[side]["ultra"] = ["submarine", "tactical"]
        state.war.orders[side].cards = ["german-atlantic"] if plays else []
    at = table(state)
    campaign(at, "german-atlantic")
    assert state.war.reports[0].net == net
    for side, plays in (("axis", axis), ("allies", allies)):
        assert state.war.hands[side]["ultra"] == (["tactical"] if plays else ["submarine", "tactical"])
    assert ("The Axis plays a submarine card" in log_text(at)) == axis


@pytest.mark.rule("war", "A13")
def test_option_count_compares_hands() -> None:
    state = bare(codebreaking="count")
    state.war.hands["axis"]["ultra"] = ["submarine"]
    state.war.hands["allies"]["ultra"] = ["submarine", "submarine"]
    campaign(table(state), "german-atlantic")
    assert state.war.reports[0].net == -1
    assert state.war.hands["allies"]["ultra"] == ["submarine", "submarine"]


@pytest.mark.rule("war", "SW.3")
def test_intelligence_draws_secret_cards() -> None:
    state = war()
    at = table(state, 6, 3, 4, 6, 1, 3, 5, 2, 2)
    intelligence(at)
    assert state.war.hands == {
        "axis": {"ultra": ["submarine", "tactical", "strategic"], "magic": ["tactical"]},
        "allies": {"ultra": [], "magic": ["submarine"]},
    }
    assert "The Axis draws 3 cards for Ultra." in log_text(at, "allies")
    assert "strategic" not in log_text(at, "allies")
    assert "You hold these Ultra cards: submarine, tactical, strategic." in log_text(at, "axis")
    rolls = [roll.result for line in at.log or [] for roll in line.rolls if line.rule == "SW.3"]
    assert rolls[:2] == [
        "1d6, a card for every 2 pips: 3 cards",
        "3d6, submarine on 1–3, tactical on 4–5, strategic on 6: submarine, tactical, strategic",
    ]


# -- raids -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("war", "SW.11", "24.62.9", "A2")
def test_bombs_and_flak_apply_losses() -> None:
    state = bare()
    state.war.bombers["germany"].ready = 15
    state.war.interceptors["germany"] = 0
    state.war.orders["allies"].raids["germany"] = [Raid("ruhr", 15)]
    at = table(state, 3, 4, 3, 4)
    run(raid(at, "germany"))
    ruhr, germany = state.war.aim("ruhr"), state.war.powers["germany"]
    assert ruhr.out == 3  # row 15, 7: 3/8
    assert (germany.losses.steps, germany.losses.points, germany.owes) == (3, 8, 11)
    stack = state.war.bombers["germany"]
    assert (stack.ready, stack.turned) == (15 - 1 - 4, 4)  # row 7, 7: 1/4
    assert (
        "15 bomber factors bomb the Ruhr: 3 of its 3 steps knocked out, 11 resources lost (8 and 3 for the steps)"
        in log_text(at)
    )
    assert state.war.reports[0].lost == {"steps": 3, "points": 8, "bombers": 1, "turned": 4}


@pytest.mark.rule("war", "A2")
def test_bombing_option_points() -> None:
    state = bare(bombing_results="points")
    state.war.bombers["germany"].ready = 15
    state.war.interceptors["germany"] = 0
    state.war.orders["allies"].raids["germany"] = [Raid("ruhr", 15)]
    run(raid(table(state, 3, 4, 3, 4), "germany"))
    assert (state.war.aim("ruhr").out, state.war.powers["germany"].owes) == (0, 14)


@pytest.mark.rule("war", "SW.10.2", "SW.10.3", "19.2", "A24")
@pytest.mark.rule("pearl", "19.2")
def test_interceptors_meet_revealed_raid() -> None:
    state = bare()
    state.war.bombers["germany"].ready = 12
    state.war.interceptors["germany"], state.war.interceptors["britain"] = 5, 6
    state.war.orders["allies"].raids["germany"] = [Raid("ruhr", 12, 2)]
    decisions: list[Decision] = []
    at = table(state, 3, 4, 3, 4, 1, 1, 1, 1)
    run(raid(at, "germany"), {"meet-germany": ["meet-ruhr"] * 5}, decisions)
    (decision,) = decisions
    assert (decision.seat, decision.at_most) == ("axis", 5)
    hint = decision.options[0].info
    assert hint is not None
    assert "bombers shot down" in hint.note
    # row 5 against row 5, both 7: 2/3; two escorts are lost, three bombers turn back
    assert state.war.interceptors == {"germany": 3, "britain": 4, "japan": 2}
    assert idle(at, "britain") == 4, "no escorts are left to be away"
    assert (state.war.reports[0].lost["interceptors"], state.war.reports[0].lost["escorts"]) == (2, 2)
    assert log_text(at, "axis").startswith("12 bomber factors with 2 interceptor factors raid the Ruhr.")
    assert "The raid shoots down 2 interceptor factors (result 2/3)." in log_text(at)
    assert "9 bomber factors bomb the Ruhr" in log_text(at)
    assert [state.war.powers[nation].losses.interceptors for nation in ("allies", "germany")] == [2, 2]


@pytest.mark.rule("war", "SW.10.3", "SW.13")
def test_shot_down_bombers_are_lost_turned_ones_not(monkeypatch: pytest.MonkeyPatch) -> None:
    state, flying, log_line = bare(), list[int](), Table.log_line

    def note(at: Table[Any, Any], *line: Any, **more: Any) -> None:
        log_line(at, *line, **more)
        flying.extend(each.bombers for each in state.war.raids)

    monkeypatch.setattr(Table, "log_line", note)
    state.war.bombers["germany"].ready, state.war.interceptors["germany"] = 12, 5
    state.war.orders["allies"].raids["germany"] = [Raid("ruhr", 12)]
    at = table(state, 1, 1, 3, 4, 1, 1, 1, 1)
    run(raid(at, "germany"), {"meet-germany": ["meet-ruhr"] * 5})
    assert "5 interceptor factors shoot down 2 bomber factors and turn back 3 bomber factors" in log_text(at)
    assert "bomb the Ruhr: 1 of its 3 steps knocked out, 2 resources lost (1 and 1 for the step)" in log_text(at)
    assert "Flak shoots down 1 bomber factor and damages 1 (result 1/1)." in log_text(at)
    assert (state.war.powers["allies"].losses.bombers, state.war.bombers["germany"].whole) == (2 + 1, 12 - 2 - 1)
    assert flying == [12, 12 - 2 - 3, 7, 7, 7 - 1 - 1], "the raid has as many as the lines say"
    assert state.war.reports[0].lost == {"interceptors": 1, "steps": 1, "points": 1, "bombers": 2 + 1, "turned": 1}


@pytest.mark.rule("war", "SW.10.1", "W6")
def test_escorting_interceptors_do_not_defend() -> None:
    state = bare()
    state.war.interceptors["britain"] = 6
    state.war.bombers["germany"].ready = 10
    state.war.orders["allies"].raids["germany"] = [Raid("ruhr", 10, 4)]
    at = table(state)
    assert idle(at, "britain") == 2
    run(raid(at, "germany"))
    assert idle(at, "britain") == 2


@pytest.mark.rule("war", "SW.3", "W7")
def test_strategic_card_helps_raid() -> None:
    state = bare()
    state.war.bombers["germany"].ready = 10
    state.war.hands["allies"]["ultra"] = ["strategic"]
    state.war.orders["allies"].cards = ["germany"]
    state.war.orders["allies"].raids["germany"] = [Raid("ruhr", 10)]
    run(raid(table(state), "germany"))
    assert state.war.reports[0].lines == [("advantage in codebreaking", 1)]


@pytest.mark.rule("war", "SW.2", "SW.10")
def test_germany_is_bombed_before_japan() -> None:
    state = bare()
    for area, target in (("japan", "tokyo"), ("germany", "ruhr")):
        state.war.bombers[area].ready = 3
        state.war.orders["allies"].raids[area] = [Raid(target, 3)]
    run(allied_bombing(table(state)))
    assert [report.target for report in state.war.reports] == ["ruhr", "tokyo"]


@pytest.mark.rule("war", "SW.3", "SW.10")
def test_no_raid_plays_no_card() -> None:
    state = bare()
    state.war.hands["axis"]["ultra"], state.war.orders["axis"].cards = ["strategic"], ["germany"]
    at = table(state)
    run(raid(at, "germany"))
    assert (state.war.hands["axis"]["ultra"], log_text(at)) == (["strategic"], "")


@pytest.mark.rule("war", "SW.10", "SW.2")
def test_britain_raid_is_met_by_allies() -> None:
    state = bare()
    state.war.bombers["britain"].ready = 4
    state.war.orders["axis"].raids["britain"] = [Raid("london", 4)]
    decisions: list[Decision] = []
    run(raid(table(state), "britain"), {}, decisions)
    assert [(each.seat, each.piece_key) for each in decisions] == [("allies", "meet-britain")]
    assert state.war.reports[0].round == "britain"


@pytest.mark.rule("war", "SW.2", "SW.8", "W9")
def test_axis_fleets_have_separate_rounds() -> None:
    state = bare()
    state.war.submarines["german-indian"].ready = 2
    axis_submarines(table(state))
    assert [report.round for report in state.war.reports] == [
        "german-atlantic", "german-indian", "japanese-indian", "japanese-pacific",
    ]  # fmt: skip


@pytest.mark.rule("war", "SW.9", "24.62.7")
def test_japanese_carriers_guard_only_japans_waters() -> None:
    state = bare()
    state.war.oceans["japan"].carriers = 3
    campaign(table(state), "american")
    campaign(table(state), "japanese-pacific")
    assert [report.net for report in state.war.reports] == [-1, 0]


@pytest.mark.rule("war", "SW.10.2", "W10")
@pytest.mark.parametrize(("questions", "asked"), [("always", [True]), ("as-needed", [])])
def test_defender_whose_interceptors_will_all_escort_is_asked(questions: str, asked: list[bool]) -> None:
    state = war(20, "bomber-offensive", "war-allied-bombing", questions=questions)
    state.war.interceptors["germany"], state.war.interceptors["britain"] = 3, 0
    state.war.orders["allies"].raids["germany"] = [Raid("ruhr", 5)]
    state.war.orders["axis"].raids["britain"] = [Raid("london", 2, 3)]
    decisions: list[Decision] = []
    run(raid(table(state), "germany"), {"": ["continue"]}, decisions)
    assert [decision.only_continues for decision in decisions] == asked
