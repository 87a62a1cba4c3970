"""Others observe nothing of what they may not know: not by questions, waiting seats, phases or undo."""

from __future__ import annotations

from random import Random

import pytest
from tests.guessing import Accuracy, Pairs

from readyroom import games
from readyroom.testing import Invariant, check_interference, variants
from readyroom.testing.findings import Case, CheckReport
from readyroom.testing.interference import Policy, comparable, observe, outsiders, pairs
from readyroom.testing.playouts import PlayedAnswer

GAMES = games.game_names()
LEAKING = ["midway", "tora"]
"""The games of which much could be told before a side without a choice was asked too."""
CHANCE = 0.5


@pytest.mark.slow(3)
@pytest.mark.parametrize("name", GAMES)
def test_others_cannot_tell_hidden_answers(name: str) -> None:
    findings = check_interference(games.load(name), options=[{}], playouts=4, splits=2)
    assert findings.ok, str(findings)
    assert findings.checks[Invariant.INTERFERES] > 4


@pytest.mark.torture(120)
@pytest.mark.parametrize("name", GAMES)
def test_others_cannot_tell_hidden_answers_in_many_pairs(name: str) -> None:
    findings = check_interference(games.load(name), playouts=250)
    assert findings.ok, str(findings)
    assert findings.checks[Invariant.INTERFERES] > 1000


def guess(name: str, options: dict[str, str], count: int) -> Accuracy:
    """Return how well a classifier tells hidden answers from what outsiders observe."""
    game, found, number = games.load(name), Pairs(), 0
    scenarios = [variant.scenario for variant in variants(game, options=[options])]
    while len(found.differences) < count:
        case = Case(game, scenarios[number % len(scenarios)], options, f"guess/{number}", CheckReport(name))
        number += 1
        for pair in pairs(case, Random(case.seed), splits=8, cap=400):
            watching = outsiders(pair.matches[0], pair.seat)
            answers = [PlayedAnswer(pair.seat, keys) for keys in pair.answers]
            mine, yours = (
                observe(match, answer, watching, Policy(f"{case.seed} onward"), 12)
                for match, answer in zip(pair.matches, answers, strict=True)
            )
            greater = (len(answers[0].keys), answers[0].keys) > (len(answers[1].keys), answers[1].keys)
            both = [comparable(one.epochs, other.epochs) for one, other in zip(mine, yours, strict=True)]
            sides = [[sign for signs in both for sign in signs[which]] for which in (0, 1)]
            found.add(*(sides if greater else sides[::-1]))
    return found.accuracy()


@pytest.mark.torture(300)
@pytest.mark.parametrize("name", GAMES)
def test_classifier_tells_no_more_than_chance(name: str) -> None:
    accuracy = guess(name, {}, 1000)
    print(f"{name}: {accuracy}")
    assert accuracy.low <= CHANCE <= accuracy.high


@pytest.mark.torture(60)
@pytest.mark.parametrize("name", LEAKING)
def test_classifier_tells_answers_if_questions_are_left_out(name: str) -> None:
    accuracy = guess(name, {"questions": "as-needed"}, 300)
    print(f"{name}: {accuracy}")
    assert accuracy.low > CHANCE
