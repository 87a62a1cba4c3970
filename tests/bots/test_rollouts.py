"""Rollouts of candidate answers: shared positions and dice, illegal answers, and the order of candidates."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from tests.toys import hands, mines
from tests.toys.tiny import ABC

from readyroom import games
from readyroom.bots.playing import Unfinished, play_on, random_bot
from readyroom.bots.rollouts import (
    RANDOM,
    Candidate,
    Differences,
    Rollouts,
    answer_of,
    baseline_policy,
    groups,
    mutations,
    next_candidate,
    policies_for,
    random_policy,
    single_options,
)
from readyroom.engine.game import MatchView
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option

NEVER = float("inf")


def letters(kind: DecisionKind = DecisionKind.SOME, least: int = 0, most: int = 3) -> Decision:
    return Decision(kind, "red", "1", "Which?", ABC, least, most)


def at_the_mines() -> tuple[Match[Any, Any], Rollouts]:
    game = mines.GAME
    return Match(game, seed="trials"), Rollouts(game, "red", baseline_policy(game), "red")


def thought(*keys: str) -> Candidate:
    return Candidate(keys, random_policy)


def test_answers_share_position() -> None:
    """Exactly one channel is mined."""
    match, trials = at_the_mines()
    for number in range(30):
        left, right = (trials.utility(thought(way), match.bot_view("red"), number, NEVER) for way in ("left", "right"))
        assert sorted([left, right], key=str) == [0.0, 1.0]


def test_rollout_is_deterministic() -> None:
    match, trials = at_the_mines()
    for number in range(30):
        first, second = (trials.utility(thought("port"), match.bot_view("red"), number, NEVER) for _ in range(2))
        assert first == second


def test_impossible_answer_has_utility_zero() -> None:
    match, trials = at_the_mines()
    assert trials.utility(thought("up"), match.bot_view("red"), 1, NEVER) == 0.0


def test_rollout_after_time_limit_returns_none() -> None:
    match, trials = at_the_mines()
    assert trials.utility(thought("left"), match.bot_view("red"), 1, 0.0) is None
    try:
        play_on(match, {seat.key: random_bot(Random(1)) for seat in match.seats}, 0.0)
    except Unfinished:
        assert match.outcome is None
    else:
        raise AssertionError("the time limit has passed")


def test_illegal_bot_answer_is_replaced_by_random() -> None:
    match, _ = at_the_mines()
    assert play_on(match, {seat.key: mines.says("up")(seat.key, Random(1)) for seat in match.seats}) == match.outcome


def test_failing_bot_is_replaced_by_random() -> None:
    def failing(decision: Decision, look: object) -> list[str]:
        return [decision.values[0].nothing]

    match, _ = at_the_mines()
    assert play_on(match, {seat.key: failing for seat in match.seats}) == match.outcome


def test_baseline_is_first_bot_or_random() -> None:
    assert list(policies_for(mines.GAME, "red")) == ["doctrine", "bold", "outlaw", "doubt"]
    assert baseline_policy(mines.GAME) is mines.BOTS["doctrine"]
    assert list(policies_for(hands.GAME, "red")) == [RANDOM, "plan rock", "plan paper", "plan scissors"]
    assert baseline_policy(hands.GAME) is random_policy
    assert baseline_policy(replace(mines.GAME, analysis=replace(mines.GAME.analysis, bots={}))) is random_policy


def test_answer_of_returns_none_if_illegal() -> None:
    def view() -> MatchView[dict[str, str]]:
        return MatchView("", "", None, 0, "", None, {}, {})

    assert answer_of(letters(), lambda decision, view: [], view) == ()
    assert answer_of(letters(least=1), lambda decision, view: [], view) is None
    assert answer_of(letters(), lambda decision, view: ["z"], view) is None
    assert answer_of(letters(), lambda decision, view: view().table["z"], view) is None


def test_single_options_if_few() -> None:
    one = letters(DecisionKind.ONE, 1, 1)
    assert list(single_options(one, {("a",)}, 3)) == [("b",), ("c",)]
    assert list(single_options(one, set(), 2)) == list(single_options(letters(), set(), 3)) == []


def test_mutations_are_legal_and_distinct() -> None:
    decision, usual = letters(most=2), ("a", "b")
    pairs = list(mutations(decision, usual, {usual}, 4, Random(1)))
    assert 1 < len(pairs) == len(set(pairs)) <= 4
    assert usual not in pairs
    assert all(decision.accept(keys) for keys in pairs)
    assert list(mutations(letters(DecisionKind.ONE, 1, 1), ("a",), set(), 4, Random(1))) == []


def test_next_candidate_order() -> None:
    thoughts = [thought(str(number)) for number in range(4)]
    assert list(next_candidate(thoughts, 0)) == thoughts
    for number, each in enumerate(thoughts):
        for _ in range(3):
            each.add_sample(float(number))
    best, second, third, last = reversed(thoughts)
    assert [list(next_candidate(thoughts, number)) for number in (1, 2)] == [
        [best, second, last],
        [best, second, third],
    ]
    assert list(next_candidate(thoughts, 3, 4)) == [best, second]


def test_lower_bound_grows_with_certainty_and_decays() -> None:
    sure, unsure = thought("a"), thought("b")
    assert sure.lower_bound(0.7, 4.0) == 0.0
    for _ in range(50):
        sure.add_sample(0.5)
    for _ in range(2):
        unsure.add_sample(0.5)
    assert sure.lower_bound(0.7, 4.0) > unsure.lower_bound(0.7, 4.0)
    assert sure.choosing.scaled(0.1).lower_bound(0.7, 4.0) < sure.lower_bound(0.7, 4.0)


def test_every_second_sample_tests_the_choice() -> None:
    candidate = thought("a")
    for number, difference in enumerate((1.0, 0.5, 1.0, -0.5)):
        candidate.add_sample(difference, number)
    assert (candidate.choosing, candidate.testing) == (Differences(2, 2.0, 2.0), Differences(2, 0.0, 0.5))
    assert candidate.choosing + candidate.testing == Differences(4, 2.0, 2.5)


def test_groups_are_options_with_a_word_in_common() -> None:
    keys = ["hiryu-f-1", "hiryu-db-2", "soryu-f-3", "soryu-db-4"]
    decision = Decision(DecisionKind.SOME, "red", "1", "Which?", [Option(key, key) for key in keys], 0, 4)
    known: set[tuple[str, ...]] = {("hiryu-f-1",)}
    found = [sorted(answer) for answer in groups(decision, ("hiryu-f-1",), known, 20, Random(1))]
    assert found[:2] == [sorted(keys), []]
    assert ["hiryu-f-1", "soryu-f-3"] in found
    assert ["hiryu-db-2", "hiryu-f-1", "soryu-db-4"] in found
    assert len(found) == len({tuple(answer) for answer in found}) == len(known) - 1
    assert len(list(groups(decision, ("hiryu-f-1",), set(), 3, Random(1)))) == 3
    narrow = Decision(DecisionKind.SOME, "red", "1", "Which?", [Option(key, key) for key in keys], 1, 1)
    assert all(len(answer) == 1 for answer in groups(narrow, (), set(), 20, Random(1)))
    assert not list(groups(letters(DecisionKind.ONE, 1, 1), ("a",), set(), 20, Random(1)))


class FixedValues:
    """Values that are the same everywhere, and the turns in which they were needed."""

    def __init__(self) -> None:
        self.turns: list[int] = []

    def of_match(self, match: Match[Any, Any]) -> dict[str, float]:
        self.turns.append(match.state.at.turn)
        return {"japan": 0.25, "usa": 0.75}


def test_rollouts_are_cut_at_values() -> None:
    game, values = games.load("midway"), FixedValues()
    match = Match[Any, Any](game, seed="cut")
    seat = next(iter(match.pending))
    candidate = Candidate(match.pending[seat].sample(Random(1)), baseline_policy(game))
    cut = Rollouts(game, seat, baseline_policy(game), "usa", values, 2)  # type: ignore[arg-type]
    assert cut.utility(candidate, match.bot_view(seat), 1.0, NEVER) == 0.75
    assert values.turns == [match.state.at.turn + 3]
    whole = replace(cut, turns=0)
    assert whole.utility(candidate, match.bot_view(seat), 1.0, NEVER) in (0.0, 0.5, 1.0)
    assert cut.utility(Candidate(("nothing",), random_policy), match.bot_view(seat), 1.0, NEVER) == 0.0
    assert len(values.turns) == 1
