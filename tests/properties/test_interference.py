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
CHANCE = 0.5
ONWARD = 16
"""The number of decisions that are observed."""


@pytest.mark.sample(1)
@pytest.mark.slow(3)
@pytest.mark.parametrize("name", GAMES)
def test_others_cannot_infer_hidden_answers(name: str) -> None:
    findings = check_interference(games.load(name), options=[{}], playouts=4, splits=2)
    assert findings.ok, str(findings)
    assert findings.checks[Invariant.INTERFERES] > 4


@pytest.mark.torture(60)
@pytest.mark.parametrize("name", GAMES)
def test_others_cannot_infer_hidden_answers_in_many_pairs(name: str) -> None:
    findings = check_interference(games.load(name), playouts=40)
    assert findings.ok, str(findings)
    assert findings.checks[Invariant.INTERFERES] > 200


def guess(name: str, options: dict[str, str], count: int, rule: str = "") -> Accuracy:
    """Return how well a classifier infers hidden answers, of one rule if it is given, from what outsiders observe.

    It must find out in which match of a pair the seat has chosen more.
    """
    game, found, number = games.load(name), Pairs(), 0
    scenarios = [variant.scenario for variant in variants(game, options=[options])]
    while len(found.differences) < count:
        case = Case(game, scenarios[number % len(scenarios)], options, f"guess/{number}", CheckReport(name))
        number += 1
        for pair in pairs(case, Random(case.seed), splits=400 if rule else 8, cap=400):
            if len(pair.answers[0]) == len(pair.answers[1]) or rule not in (
                "",
                pair.matches[0].pending[pair.seat].rule,
            ):
                continue
            watching = outsiders(pair.matches[0], pair.seat)
            mine, yours = (
                observe(match, PlayedAnswer(pair.seat, keys), watching, Policy(f"{case.seed} onward"), ONWARD)
                for match, keys in zip(pair.matches, pair.answers, strict=True)
            )
            both = [comparable(one.epochs, other.epochs) for one, other in zip(mine, yours, strict=True)]
            seen = [[sign for signs in both for sign in signs[which]] for which in (0, 1)]
            found.add(*(seen if len(pair.answers[0]) > len(pair.answers[1]) else seen[::-1]))
    return found.accuracy()


@pytest.mark.torture(60)
@pytest.mark.parametrize("name", GAMES)
def test_classifier_is_right_no_more_often_than_chance(name: str) -> None:
    accuracy = guess(name, {}, 1000)
    print(f"{name}: {accuracy}")
    assert accuracy.low <= CHANCE <= accuracy.high


@pytest.mark.torture(100)
@pytest.mark.parametrize(("questions", "finds"), [("as-needed", True), ("always", False)])
def test_classifier_finds_empty_decks_only_if_questions_are_left_out(questions: str, finds: bool) -> None:
    accuracy = guess("midway", {"questions": questions}, 1000, rule="14.1")
    print(f"midway, {questions}: {accuracy}")
    assert (accuracy.low > CHANCE) is finds
