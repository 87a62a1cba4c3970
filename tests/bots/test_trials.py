"""Trying answers out: the same position and dice for each, nothing for what cannot be done, and the best again."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from tests.toys import hands, mines
from tests.toys.tiny import ABC

from readyroom.bots.playing import Unfinished, play_on, random_bot
from readyroom.bots.trials import (
    RANDOM,
    Thought,
    Trials,
    answer_of,
    by_chance,
    changed,
    in_turn,
    makers_of,
    single,
    usual_of,
)
from readyroom.engine.decisions import Choose, Decision
from readyroom.engine.match import Match

NEVER = float("inf")


def letters(kind: Choose = Choose.SOME, least: int = 0, most: int = 3) -> Decision:
    return Decision(kind, "red", "1", "Which?", ABC, least, most)


def at_the_mines() -> tuple[Match[Any, Any], Trials]:
    game = mines.GAME
    return Match(game, seed="trials"), Trials(game, "red", usual_of(game), "red")


def thought(*keys: str) -> Thought:
    return Thought(keys, by_chance)


def test_all_answers_are_tried_in_the_same_position() -> None:
    """Where the one channel is free the other is mined."""
    match, trials = at_the_mines()
    for number in range(30):
        left, right = (trials.worth(thought(way), match.sight("red"), number, NEVER) for way in ("left", "right"))
        assert sorted([left, right], key=str) == [0.0, 1.0]


def test_the_same_answer_and_seed_come_to_the_same() -> None:
    match, trials = at_the_mines()
    for number in range(30):
        first, second = (trials.worth(thought("port"), match.sight("red"), number, NEVER) for _ in range(2))
        assert first == second


def test_an_answer_that_cannot_be_carried_out_comes_to_nothing() -> None:
    match, trials = at_the_mines()
    assert trials.worth(thought("up"), match.sight("red"), 1, NEVER) == 0.0


def test_when_the_time_is_over_nothing_is_said() -> None:
    match, trials = at_the_mines()
    assert trials.worth(thought("left"), match.sight("red"), 1, 0.0) is None
    try:
        play_on(match, {seat.key: random_bot(Random(1)) for seat in match.seats}, 0.0)
    except Unfinished:
        assert match.outcome is None
    else:
        raise AssertionError("there was no time")


def test_a_bot_that_does_not_know_what_to_do_is_helped_by_chance() -> None:
    match, _ = at_the_mines()
    assert play_on(match, {seat.key: mines.says("up")(seat.key, Random(1)) for seat in match.seats}) == match.outcome


def test_the_usual_doctrine_is_the_first_and_chance_where_there_is_none() -> None:
    assert list(makers_of(mines.GAME, "red")) == ["doctrine", "bold", "outlaw", "doubt"]
    assert usual_of(mines.GAME) is mines.BOTS["doctrine"]
    assert list(makers_of(hands.GAME, "red")) == [RANDOM, "plan rock", "plan paper", "plan scissors"]
    assert usual_of(hands.GAME) is by_chance
    assert usual_of(replace(mines.GAME, bots={})) is by_chance


def test_to_choose_nothing_is_an_answer_and_what_is_not_legal_is_none() -> None:
    def look() -> dict[str, Any]:
        return {}

    assert answer_of(letters(), lambda decision, look: [], look) == ()
    assert answer_of(letters(least=1), lambda decision, look: [], look) is None
    assert answer_of(letters(), lambda decision, look: ["z"], look) is None
    assert answer_of(letters(), lambda decision, look: look()["z"], look) is None


def test_single_options_are_thought_of_where_few_are_offered() -> None:
    one = letters(Choose.ONE, 1, 1)
    assert list(single(one, {("a",)}, 3)) == [("b",), ("c",)]
    assert list(single(one, set(), 2)) == list(single(letters(), set(), 3)) == []


def test_small_changes_are_legal_and_each_another() -> None:
    decision, usual = letters(most=2), ("a", "b")
    found = list(changed(decision, usual, {usual}, 4, Random(1)))
    assert 1 < len(found) == len(set(found)) <= 4
    assert usual not in found
    assert all(decision.accept(keys) for keys in found)
    assert list(changed(letters(Choose.ONE, 1, 1), ("a",), set(), 4, Random(1))) == []


def test_everybody_comes_first_and_then_those_that_do_best() -> None:
    thoughts = [thought(str(number)) for number in range(4)]
    assert list(in_turn(thoughts, 0)) == thoughts
    for number, each in enumerate(thoughts):
        for _ in range(3):
            each.learn(float(number))
    best, second, third, last = reversed(thoughts)
    assert [list(in_turn(thoughts, number)) for number in (1, 2)] == [[best, second, last], [best, second, third]]
    assert list(in_turn(thoughts, 3, 4)) == [best, second]


def test_a_thought_promises_more_the_surer_it_is_and_forgets() -> None:
    sure, unsure = thought("a"), thought("b")
    assert sure.promise(0.7, 4.0) == 0.0
    for _ in range(50):
        sure.learn(0.5)
    for _ in range(2):
        unsure.learn(0.5)
    assert sure.promise(0.7, 4.0) > unsure.promise(0.7, 4.0)
    before = sure.promise(0.7, 4.0)
    sure.forget(0.1)
    assert sure.promise(0.7, 4.0) < before
