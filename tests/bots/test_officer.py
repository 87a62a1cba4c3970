"""The staff officer finds the right answer where that is known, says how sure it is, and knows what its seat knows."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.toys import mines, straits
from tests.toys.tiny import ABC, T, tiny

from readyroom import bots, games
from readyroom.bots.officer import FEW, Advice, Inquiry, advise, in_words
from readyroom.bots.search import Limit
from readyroom.engine.decisions import Choose, Decision, Option
from readyroom.engine.errors import MatchOver, NotYourDecision, UnknownSeat
from readyroom.engine.match import Match
from readyroom.engine.state import Outcome
from readyroom.engine.table import Steps

NEVER = float("inf")
STRAITS = replace(straits.GAME)
STRAITS.__dict__["rulebook"] = mines.GAME.rulebook


def rounds(count: int) -> Limit:
    """So many rounds of trials, however long they take."""
    return Limit(NEVER, count)


def told(match: Match[Any, Any], seat: str, count: int, seed: int = 7) -> Advice:
    return advise(match, seat, rounds(count), Random(seed))


def at_the_mines(seed: str = "mines") -> Match[Any, Any]:
    return Match(mines.GAME, seed=seed)


def test_the_right_answer_is_found_where_it_is_known() -> None:
    advice = told(at_the_mines(), "red", 600)
    assert [judged.keys for judged in advice.judged] == [("left",), ("port",), ("right",)]
    for judged in advice.judged:
        assert abs(judged.worth - mines.CHANCES[judged.keys[0]]) < judged.error < 0.08
    best, usual, _ = advice.judged
    assert (best.words, best.doctrine, usual.doctrine) == ("the left channel", "", "doctrine")
    assert usual.gain == usual.doubt == 0
    assert best.gain > best.doubt
    assert advice.chances
    assert (advice.seat, advice.rule, advice.question) == ("red", "2", "Which way?")
    assert advice.trials == sum(judged.trials for judged in advice.judged)
    assert advice.why.startswith("Played on 600 times from here, it wins 6")
    assert "“stay in port” wins" in advice.why
    assert advice.why.endswith(". [2]")


def test_what_a_doctrine_may_not_answer_is_left_out() -> None:
    names = {judged.doctrine for judged in told(at_the_mines(), "red", 2).judged}
    assert names == {"doctrine", "bold", ""}, "the outlaw's answer is not legal, and doubt has none"


def test_errors_shrink_with_trials() -> None:
    few, many = (told(at_the_mines(), "red", count).judged[0].error for count in (20, 320))
    assert many < few / 3


def test_what_is_hidden_makes_no_difference() -> None:
    """In one match the mine lies to the left, in the other to the right."""
    by_mine = {match.state.notes[0]: match for match in map(at_the_mines, "abcdefgh")}
    left, right = (told(by_mine[side], "red", 30) for side in ("left", "right"))
    assert left == right


def test_what_others_plan_in_secret_makes_no_difference() -> None:
    found = []
    for seed in range(2):
        match, random = Match[Any, Any](STRAITS, seed="straits"), Random(seed)
        while "blue" in match.pending and "red" in match.pending and match.position < 3:
            match.decide("blue", match.pending["blue"].sample(random))
        found.append(told(match, "red", 10))
    assert found[0] == found[1]
    assert max(judged.trials for judged in found[0].judged) == 10


def test_the_officer_plans_in_secret_with_whoever_plans_pearl_harbor() -> None:
    match = Match[Any, Any](games.load("tora"), "sunday", seed="planning")
    before = match.digest(), match.record()
    seat = next(iter(match.pending))
    advice = told(match, seat, 1)
    assert {"doctrine", "historical"} & {judged.doctrine for judged in advice.judged}
    for judged in advice.judged:
        assert match.pending[seat].accept(judged.keys)
    assert (match.digest(), match.record()) == before


def test_the_same_question_is_answered_the_same_way_twice() -> None:
    match = at_the_mines()
    assert advise(match, "red", rounds(40)) == advise(match, "red", rounds(40))


def test_too_few_trials_put_nothing_before_the_usual_answer() -> None:
    for seed in range(10):
        advice = told(at_the_mines(), "red", FEW - 1, seed)
        assert advice.judged[0].doctrine == "doctrine"
        assert advice.why.startswith("There was time for only 7 trials of it, too few to tell answers apart; ")
    assert "one trial of it, too few" in told(at_the_mines(), "red", 1).why


def test_without_time_the_usual_answer_is_told_and_nothing_is_claimed() -> None:
    advice = advise(at_the_mines(), "red", Limit(0.0), Random(1))
    assert [(judged.keys, judged.trials, judged.error) for judged in advice.judged] == [(("port",), 0, 0.5)]
    assert advice.why == "There was no time to try anything out; this is what the usual doctrine does. [2]"


def test_an_inquiry_may_be_ended_at_any_trial_and_tells_what_is_known() -> None:
    inquiry = Inquiry(at_the_mines(), "red", Random(3))
    assert inquiry.advice().trials == 0
    counts = [count for count, _ in zip(inquiry.think(rounds(100)), range(50), strict=False)]
    assert counts == list(range(1, 51))
    assert inquiry.advice().trials >= 50


def test_answers_that_do_alike_are_called_so() -> None:
    same = replace(mines.GAME, worth=lambda outcome, side: 0.5)
    why = told(Match(mines.ruled(same), seed="same"), "red", 30).why
    assert " does just as well. [2]" in why


def test_a_difference_that_chance_may_make_is_called_so() -> None:
    whys = [told(at_the_mines(), "red", 12, seed).why for seed in range(12)]
    assert any(why.endswith("chance alone may make the difference. [2]") for why in whys)


def test_what_made_the_difference_is_told_in_the_games_own_counts() -> None:
    def won(state: Any, data: Any) -> dict[str, float]:
        return {"Noise": 1.0, "Ships at sea": 3.0 if "sailed" in state.notes else 0.0}

    def sail(table: T) -> Steps:
        way = (yield from table.choose("red", "2", "Which way?", mines.WAYS)).key
        table.state.notes += ["sailed"] if way == "left" else []
        table.finish(Outcome("red" if way == "left" else "blue", "over", "It is over."))

    game = replace(tiny(sail), bots={"doctrine": mines.says("port")}, counts=won)
    why = told(Match(mines.ruled(game), seed="why"), "red", 30).why
    assert "wins 0 %: Ships at sea 3.0 against 0.0. [2]" in why


def test_one_who_plays_alone_is_told_points_and_not_chances() -> None:
    alone = replace(tiny(mines.lay, mines.sail, seats=("red",)), bots=mines.BOTS, resample=mines.GAME.resample)
    advice = told(Match(mines.ruled(alone), seed="alone"), "red", 60)
    assert not advice.chances
    assert re.search(r" comes to \d+ of 100, give or take \d+", advice.why)
    assert "%" not in advice.why


def test_a_game_without_doctrines_is_played_on_by_chance() -> None:
    advice = told(Match(mines.ruled(replace(mines.GAME, bots={})), seed="chance"), "red", 3)
    assert {judged.doctrine for judged in advice.judged} == {bots.RANDOM, ""}
    assert "this one was drawn by chance" in advice.why


def test_where_only_one_answer_is_legal_nothing_is_tried() -> None:
    def only(table: T) -> Steps:
        yield Decision(Choose.ONE, "red", "1", "Which letter?", ABC[:1], 1, 1)

    advice = told(Match(mines.ruled(tiny(only)), seed="forced"), "red", 50)
    assert (advice.trials, advice.judged[0].keys) == (0, ("a",))
    assert advice.why == "It is the only answer that is legal here. [1]"


def test_only_who_is_asked_is_advised() -> None:
    match = at_the_mines()
    with pytest.raises(NotYourDecision):
        advise(match, "blue")
    with pytest.raises(UnknownSeat):
        advise(match, "green")
    match.decide("red", "port")
    with pytest.raises(MatchOver):
        advise(match, "red")


def test_answers_are_told_in_words() -> None:
    options = [Option(f"o{n}", f"ship {n}") for n in range(7)]
    decision = Decision(Choose.SOME, "red", "1", "Which?", options, 0, 9, limit=lambda option: 3)
    assert in_words(decision, []) == "none"
    assert in_words(decision, decision.keys) == "all"
    assert in_words(decision, ["o1", "o2", "o1"]) == "2 × ship 1, ship 2"
    assert in_words(decision, decision.keys[:6]) == "ship 0, ship 1, ship 2, ship 3 and 2 more"
    usual = decision.keys[:5]
    assert in_words(decision, [*usual[1:], "o6", "o6"], usual) == "as usual, without ship 0, with 2 × ship 6"
    assert in_words(decision, usual[1:], usual) == "as usual, without ship 0"
    assert in_words(decision, usual, usual) == "ship 0, ship 1, ship 2, ship 3 and 1 more"
    assert in_words(decision, [], usual) == "none"
