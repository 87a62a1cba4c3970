"""Tests of the calculator for planning, voyage and denouement, against the rulebook's examples."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from tests.games.doolittle.figures_helpers import changed
from tests.games.doolittle.helpers import DATA, table
from tests.games.doolittle.plan_helpers import planner
from tests.games.doolittle.test_questions import ask, odds

from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.planning.diplomacy import talk_check
from readyroom.games.doolittle.planning.state import Turn
from readyroom.games.doolittle.presentation.questions_campaign import campaign_questions, trek


def test_campaign_questions_give_valid_chances() -> None:
    for name in campaign_questions(DATA):
        answer = GAME.question(name).evaluate({}, name)
        assert answer.rows, name
        assert all(0 <= chance <= 1 for _, chance in answer.rows), name
    for name in ("launch", "siberia", "trek"):
        assert sum(chance for _, chance in GAME.question(name).evaluate({}, name).rows) == 1, name


@pytest.mark.rule("doolittle", "13.2.1")
def test_talk_question_for_thompson_matches_chart() -> None:
    assert odds("talk", diplomat="thompson", month="march", briefed="yes")["agrees"] == Fraction(6, 36)
    result = ask("talk", diplomat="thompson", month="april", briefed="yes", leader="yes", urgent="1", refused="yes")
    assert dict(result.rows)["agrees"] == Fraction(3, 36)
    assert result.total == 1


@pytest.mark.rule("doolittle", "13.1.3", "13.2.5")
def test_talk_question_for_nimitz_in_january_is_zero() -> None:
    assert odds("talk", diplomat="nimitz", month="january")["agrees"] == 0


@pytest.mark.rule("doolittle", "13.2.1", "15.1.2.F", "15.1.2.I")
def test_talk_question_battles_match_rules() -> None:
    battles: dict[Turn, int] = {"rabaul-battle": -3, "wake-after-blast": -3, "wake-lost": -5}
    for turn, value in battles.items():
        state = planner("april", "talks", incidents="yes")
        state.notes.turns = [turn]
        played = talk_check(table(state), "nimitz")
        odds = ask("talk", diplomat="nimitz", month="april", **{turn: "yes"})
        assert list(played.modifiers) == odds.net == [(odds.effects[0].what, value)]
        assert dict(odds.rows)["agrees"] == played.odds()
        assert ask("talk", diplomat="stilwell", month="april", **{turn: "yes"}).net == []


@pytest.mark.rule("doolittle", "12.5.1", "12.5.2")
def test_underway_question_matches_table() -> None:
    assert odds("underway", area="midway")["moves"] == Fraction(30, 36)
    west = odds("underway", area="influence-west", weather="gusty")
    assert west["moves"] == Fraction(26, 36)
    assert west["and makes a raid move in the same weather"] == Fraction(26, 36) ** 2
    assert len(odds("underway", area="port")) == 1


@pytest.mark.rule("doolittle", "12.5.3")
def test_rendezvous_question_matches_example() -> None:
    result = ask("rendezvous", area="140w", turn="yes", recon="1")
    assert result.total == 4
    assert dict(result.rows)["they meet"] == Fraction(10, 36)
    planned = odds("rendezvous", area="hawaii", point="yes", turn="yes", recon="1", submarines="1", storm="yes")
    assert planned["with silence broken by up to 2"] > planned["they meet"]


@pytest.mark.rule("doolittle", "12.3.1", "12.3.2")
def test_launch_question_depends_on_weather_and_haste() -> None:
    assert odds("launch", weather="gusty")["all take off"] == Fraction(26, 36)
    assert odds("launch", how="emergency", weather="storm")["all take off"] == Fraction(6, 36)


@pytest.mark.rule("doolittle", "12.7.2")
def test_refuel_question_depends_on_weather() -> None:
    assert odds("refuel")["refuels"] == Fraction(21, 36)
    assert odds("refuel", weather="storm")["refuels"] == Fraction(6, 36)


@pytest.mark.rule("doolittle", "14.3.1")
def test_homeward_question_matches_example() -> None:
    odds = ask("homeward", empty="yes", slow="yes")
    assert odds.total == 6 + 6 - 4 - 1
    assert dict(odds.rows)["home without incident"] == Fraction(21, 36)


@pytest.mark.rule("doolittle", "14.4.3", "14.4.4")
def test_trek_question_for_two_wounded_crews_matches_chart() -> None:
    chances = odds("trek", way="kian-kweilin", alert="3", crews="2", wounded="yes")
    assert chances["gets there"] == Fraction(26, 36)
    assert chances["searched for, 1 captured"] == Fraction(10, 36) * Fraction(2, 6)
    assert "searched for, all captured" in odds("trek", crews="9", wounded="yes")


@pytest.mark.rule("doolittle", "14.5.1", "14.5.2")
def test_siberia_question_matches_chart() -> None:
    chances = odds("siberia", talks="no-attempt", blast="21", bombers="7")
    assert chances["released at once"] == Fraction(1, 36)
    assert chances["interned, released in time"] == Fraction(35, 36) * Fraction(10, 36)
    assert "alliances" in ask("siberia", talks="denied").note


@pytest.mark.rule("doolittle", "13.2.1")
def test_talk_question_names_briefed_leader() -> None:
    assert ask("talk", diplomat="thompson", leader="yes").net == [("Stalin briefed", 1)]
    assert ask("talk", diplomat="nimitz", leader="yes").net == []


@pytest.mark.rule("doolittle", "12.5.2")
def test_underway_question_raid_move_starts_west_of_date_line() -> None:
    twice = "and makes a raid move in the same weather"
    assert [area for area in DATA.sea.order if twice in odds("underway", area=area)] == DATA.sea.order[5:]


@pytest.mark.rule("doolittle", "12.5.3")
def test_rendezvous_question_at_planned_point_rolls_three_dice() -> None:
    assert odds("rendezvous", area="midway")["they meet"] == Fraction(3, 36)
    assert odds("rendezvous", area="midway", point="yes")["they meet"] == Fraction(108, 216)


@pytest.mark.rule("doolittle", "12.3.2")
def test_launch_question_lists_only_relevant_modifiers() -> None:
    assert ask("launch").net == []
    assert ask("launch", pilot="yes", damaged="yes").net == [("elite pilot", 1), ("damage", -1)]


@pytest.mark.rule("doolittle", "14.4.4")
def test_trek_question_finds_column_in_any_order() -> None:
    def turned(tables: dict[str, Any]) -> None:
        for cells in (tables["D4"]["columns"], *tables["D4"]["rows"].values()):
            cells.reverse()

    other = changed("denouement.toml", turned)
    for crews in ("1", "2", "3", "4", "5", "16"):
        values = {**GAME.question("trek").parameters, "crews": crews}
        assert trek(other, values).rows == trek(DATA, values).rows
    assert odds("trek", crews="4") == odds("trek", crews="3")
