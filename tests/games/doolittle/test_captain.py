"""Tests of the doctrine captain over a city: careful answers, and scores far above random play."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.doolittle.raid_helpers import DATA, bomber, marker, over, play, play_phase, table
from tests.views import view_of

from readyroom import bots
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.bots.prospects import Prospects
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.view import view

ATTACKS = [key for key, card in DATA.scenarios.items() if card.map]


def _answers(state: Doolittle) -> dict[str, list[str]]:
    """Return its answer to each question of a phase."""
    captain, answers = bots.make_bot(GAME, "doctrine", state.seats[0], Random(1)), dict[str, list[str]]()

    def answer(decision: Decision) -> list[str]:
        answers[decision.rule] = list(captain(decision, lambda: view_of(GAME, state, None)))
        return answers[decision.rule]

    rules = ("2.3.5", "2.3.7", "4.1", "4.3", "4.4.1", "4.5", "4.6.1", "4.7", "4.8", "4.9.1")
    play_phase(table(state, *[6] * 40), dict.fromkeys(rules, answer))
    return answers


def test_captain_moves_to_targets() -> None:
    state = over(phase="airspeed")
    bomber(state, "b01", "kisarazu")
    assert _answers(state)["4.1"] != ["to-chiba"]


def test_captain_leaves_once_his_bombs_are_gone() -> None:
    state = over(phase="exit")
    for key in ("b01", "b02"):
        bomber(state, key, "tokyo-east", loaded=False)
    assert _answers(state)["4.7"] == ["exit-b01", "exit-b02"]


def test_captain_evades_the_worst_known_hazard() -> None:
    state = over(phase="evade")
    bomber(state, "b01", "tokyo-east").assigned = [
        marker(state, "haze", revealed=True),
        marker(state, "flak", revealed=True),
    ]
    assert _answers(state)["4.4.1"] == ["evade-2"]


@pytest.mark.parametrize(("turn", "drops"), [(3, []), (9, ["drop-b01"])])
def test_captain_keeps_his_bombs_while_there_is_time_for_better(turn: int, drops: list[str]) -> None:
    state = over(phase="bombs-away", turn=turn)
    bomber(state, "b01", "tokyo-east")
    assert _answers(state)["4.9.1"] == drops


def test_captain_values_a_found_carrier_above_other_targets() -> None:
    state = over()
    first = bomber(state, "b01", "tokyo-bay-south")
    state.city.areas["tokyo-bay-south"].boxes["bay-shipping"].markers = [marker(state, "ryuho", revealed=True)]
    data = view(state, DATA, None)
    value = Prospects(data, data.bomber(first.key))
    assert max(value.boxes, key=value.bomb) == "bay-shipping"


def _flown(scenario: str, number: int) -> int:
    """Return its score in a match."""
    match = Match(GAME, scenario, seed=f"captain {number}")
    captain = bots.make_bot(GAME, "doctrine", "captain", Random(number))
    while match.outcome is None:
        match.decide("captain", captain(match.pending["captain"], lambda: match.view("captain")))
    return match.outcome.scores["usa"]


def _by_chance(scenario: str, number: int) -> int:
    outcome = play(scenario, seed=f"chance {number}").outcome
    assert outcome is not None
    return outcome.scores["usa"]


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("scenario", ATTACKS)
def test_captain_scores_far_above_random(scenario: str) -> None:
    mine, yours = (sum(flown(scenario, number) for number in range(12)) for flown in (_flown, _by_chance))
    assert mine > 1.3 * yours
