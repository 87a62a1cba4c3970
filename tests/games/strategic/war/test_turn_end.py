"""Tests of the end of a turn, and the end of the war."""

from __future__ import annotations

import pytest

from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import MatchFinished
from readyroom.games.strategic.war.places import quarter
from readyroom.games.strategic.war.presentation.summary import epilogue
from readyroom.games.strategic.war.sequence import PHASES, next_phase
from readyroom.games.strategic.war.state import Report, WarState
from readyroom.games.strategic.war.turn_end import end_turn, final, scores

from .helpers import DATA, log_text, table, war


def ended(state: WarState) -> Outcome | None:
    """Return the outcome at the end of the turn, if any."""
    try:
        end_turn(table(state))
    except MatchFinished as finished:
        return finished.outcome
    return None


@pytest.mark.rule("war", "SW.6")
@pytest.mark.parametrize(("die", "level"), [(4, 0), (5, 1)])
def test_research_rolls_for_level(die: int, level: int) -> None:
    state = war()
    state.war.free = []
    state.war.powers["allies"].points = {"asw": 2}
    at = table(state, die)
    end_turn(at)
    power = state.war.powers["allies"]
    assert power.levels.get("asw", 0) == level
    assert power.points["asw"] == (0 if level else 2)
    assert ("The Allies reach level 1 of anti-submarine warfare" in log_text(at, "axis")) == bool(level)
    assert "research on anti-submarine warfare" not in log_text(at, "axis")
    result = "succeeds" if level else "fails; its 2 points are kept"
    assert f"The Allies' research on anti-submarine warfare {result}." in log_text(at, "allies")


@pytest.mark.rule("war", "SW.6")
def test_research_that_cannot_fail_says_so() -> None:
    state = war()
    state.war.free = []
    state.war.powers["allies"].points = {"asw": 6}
    at = table(state, 1)
    end_turn(at)
    text = "The Allies' research on anti-submarine warfare succeeds: 6 research points are enough without a roll."
    assert text in log_text(at, "allies")


@pytest.mark.rule("war", "SW.12")
def test_unplayed_cards_are_discarded_in_the_log() -> None:
    state = war()
    state.war.free = []
    state.war.hands = {"axis": {"ultra": ["tactical", "submarine"]}, "allies": {"ultra": []}}
    at = table(state)
    end_turn(at)
    assert "The Axis discards 2 cards for Ultra: unplayed cards are not kept." in log_text(at, "allies")
    assert "The Allies discard" not in log_text(at, "allies")
    assert state.war.hands == {"axis": {"ultra": []}, "allies": {"ultra": []}}


@pytest.mark.rule("war", "SW.6")
def test_free_torpedo_points_stop_at_level_two() -> None:
    state = war()
    at = table(state, 6)
    end_turn(at)
    assert state.war.powers["germany"].levels["torpedo"] == 1
    assert "Germany gains 1 point of research for free." in log_text(at, "allies")
    state.war.powers["germany"].levels["torpedo"] = 2
    end_turn(table(state, 6))
    assert state.war.powers["germany"].points["torpedo"] == 0


@pytest.mark.rule("war", "SW.12", "SW.11", "A1", "A2")
def test_turned_factors_miss_one_turn() -> None:
    state = war()
    boats, aim = state.war.submarines["american"], state.war.aim("ruhr")
    boats.ready, boats.turned, boats.resting, aim.out = 5, 2, 1, 3
    at = table(state)
    end_turn(at)
    assert (boats.ready, boats.turned, boats.resting, aim.out) == (6, 0, 2, 0)
    assert "The Ruhr is repaired.\nPacific, American: 1 submarine factor is ready again." in log_text(at)
    end_turn(at)
    assert (boats.ready, boats.turned, boats.resting) == (8, 0, 0)
    assert log_text(at).count("is repaired.") == 1


@pytest.mark.rule("war", "SW.12")
def test_income_follows_year_minus_losses() -> None:
    state = war(4)
    germany = state.war.powers["germany"]
    germany.money, germany.owes = 2, 5
    state.war.powers["japan"].owes = 40
    at = table(state)
    end_turn(at)
    assert [line.text for line in at.log or [] if line.rule == "SW.12"] == [
        "Germany receives 10 resources (5 of 15 lost).",
        "Japan receives 0 resources (6 of 6 lost).",
        "The Allies receive 52 resources.",
    ]
    assert (germany.money, germany.owes) == (2 + 15 - 5, 0)
    assert state.war.powers["japan"].money == 6
    assert state.war.powers["allies"].money == 36 + 52


@pytest.mark.rule("war", "SW.12")
def test_nation_without_income_logs_nothing() -> None:
    state = war(1, "atlantic")
    state.war.powers["japan"].owes = 3
    at = table(state)
    end_turn(at)
    assert state.war.powers["japan"].owes == 0
    assert "Japan" not in log_text(at)


@pytest.mark.rule("war", "SW.12", "SW.13")
def test_history_is_recorded_each_turn() -> None:
    state = war()
    state.war.reports = [Report("german-atlantic", 0, lost={"merchants": 4})]
    end_turn(table(state))
    (mark,) = state.war.history
    assert (mark.sunk, mark.scores) == ({"atlantic": 4}, scores(state.war))
    assert mark.merchants["atlantic"] == state.war.oceans["atlantic"].merchants


@pytest.mark.rule("war", "SW.12")
def test_last_turn_pays_no_income() -> None:
    state = war(12)
    before = [power.money for power in state.war.powers.values()]
    assert ended(state) is not None
    assert [power.money for power in state.war.powers.values()] == before


@pytest.mark.rule("war", "SW.3", "W2")
def test_cards_and_orders_expire() -> None:
    state = war()
    state.war.hands["axis"]["ultra"] = ["submarine"]
    state.war.orders["axis"].cards = ["german-atlantic"]
    end_turn(table(state))
    assert state.war.hands["axis"] == {"ultra": [], "magic": []}
    assert state.war.orders["axis"].cards == []


@pytest.mark.rule("war", "SW.13")
def test_britain_starves_after_two_thin_turns() -> None:
    state = war()
    state.war.oceans["atlantic"].merchants = 4
    assert ended(state) is None
    state.at = At(2, "war-reckon")
    outcome = ended(state)
    assert outcome is not None
    assert (outcome.winner, outcome.title) == ("axis", "Britain starves")
    other = war()
    other.war.oceans["atlantic"].merchants = 4
    assert ended(other) is None
    other.war.oceans["atlantic"].merchants = 5
    assert ended(other) is None
    assert other.war.thin == 0


@pytest.mark.rule("war", "SW.13")
@pytest.mark.parametrize(("merchants", "points", "wins"), [(0, 150, True), (1, 150, False), (0, 149, False)])
def test_axis_ruin_ends_match(merchants: int, points: int, wins: bool) -> None:
    state = war()
    state.war.oceans["japan"].merchants = merchants
    state.war.powers["germany"].losses.points = points - 30
    state.war.powers["germany"].losses.steps = 10
    outcome = ended(state)
    assert (outcome is not None and outcome.winner == "allies") == wins


@pytest.mark.rule("war", "SW.13")
@pytest.mark.parametrize(("axis", "winner"), [(106, "axis"), (105, None), (100, None), (95, None), (94, "allies")])
def test_points_decide_last_turn(axis: int, winner: str | None) -> None:
    state = war(12)
    state.war.powers["allies"].losses.points = axis
    state.war.powers["japan"].losses.merchants = 30
    state.war.powers["germany"].losses.steps = 2
    state.war.powers["germany"].losses.points = 4
    assert scores(state.war) == {"axis": axis, "allies": 100}
    assert final(state.war).winner == winner
    titles = {"axis": "The Axis wins the war of attrition", "allies": "The Allies win the war of attrition"}
    assert final(state.war).title == titles.get(winner or "", "Even")
    outcome = ended(state)
    assert outcome is not None
    assert outcome.scores == {"axis": axis, "allies": 100}


@pytest.mark.rule("war", "SW.13")
def test_victory_weights_and_handicaps_apply() -> None:
    state = war(1, "atlantic")
    state.war.powers["germany"].losses.submarines = 3
    assert scores(state.war) == {"axis": 0, "allies": 81 + 6}
    assert scores(war(1, "bomber-offensive").war) == {"axis": 179, "allies": 0}


@pytest.mark.rule("war", "SW.1", "SW.2")
def test_next_phase_follows_sequence() -> None:
    state = war()
    assert [quarter(state.war, turn) for turn in (1, 4, 5, 12)] == [
        "Spring 1942", "Winter 1942", "Spring 1943", "Winter 1944",
    ]  # fmt: skip
    state.at = At(3, PHASES[-1].name)
    assert next_phase(state) == At(4, PHASES[0].name)
    state.at = At(4, PHASES[0].name)
    assert next_phase(state) == At(4, PHASES[1].name)


@pytest.mark.rule("war", "SW.13")
def test_epilogue_lists_losses_of_each_nation() -> None:
    state = war()
    losses = state.war.powers["germany"].losses
    losses.steps, losses.points = 3, 8
    assert list(epilogue(state, DATA)) == ["Germany lost no factors; bombing cost 3 steps and 8 resources."]
    losses.interceptors = 1
    assert list(epilogue(state, DATA)) == ["Germany lost 1 interceptor factor; bombing cost 3 steps and 8 resources."]
