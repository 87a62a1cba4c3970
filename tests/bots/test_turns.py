"""The turns of bots that another process plays from a saved match."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.toys import mines, straits
from tests.toys.tiny import T as TinyTable
from tests.toys.tiny import ask, both, tiny

from readyroom.bots.search import Memory, Searcher
from readyroom.bots.turns import MOST_ANSWERS, BotTurn, PlayedTurn, play_turn, returning_bot
from readyroom.engine.game import Bot, Game, ViewFn, load_game
from readyroom.engine.match import Match
from readyroom.engine.match.resume import resume
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import Steps


def turn_of(match: Match[Any, Any], bots: dict[str, str], memory: dict[str, Memory] | None = None) -> BotTurn:
    """Return a turn as another process gets it."""
    turn = BotTurn("a-match", match.game.key, match.saved(), bots, 7, memory or {})
    again: BotTurn = pickle.loads(pickle.dumps(turn))
    return again


def played(match: Match[Any, Any], bots: dict[str, str], seconds: float = 5.0, **more: Any) -> PlayedTurn:
    """Play a turn and apply it."""
    result = play_turn(turn_of(match, bots), seconds, game=match.game, **more)
    for seat, keys in result.answers:
        match.decide(seat, keys)
    return result


@pytest.mark.parametrize("name", ["midway", "tora", "pearl", "war", "picket", "doolittle"])
def test_turn_ends_with_the_match(name: str) -> None:
    match: Match[Any, Any] = Match(load_game(name), seed="turn")
    bots = {seat.key: "doctrine" for seat in match.seats}
    while match.outcome is None:
        before = match.revision
        played(match, bots)
        assert before < match.revision <= before + MOST_ANSWERS


def test_turn_ends_where_a_player_must_decide() -> None:
    match: Match[Any, Any] = Match(load_game("midway"), seed="turn")
    while match.outcome is None:
        played(match, {"japan": "doctrine"})
        assert set(match.pending) <= {"usa"}
        for seat, decision in match.pending.items():
            match.decide(seat, decision.sample(Random(1)))


def test_turn_starts_where_the_match_was_saved() -> None:
    match: Match[Any, Any] = Match(load_game("tora"), seed="turn")
    turn = turn_of(match, {seat.key: "doctrine" for seat in match.seats})
    result = play_turn(turn, 0.02)
    other = resume(turn.saved, match.game)
    for seat, keys in result.answers:
        match.decide(seat, keys)
        other.decide(seat, keys)
    assert result.answers
    assert match.digest() == other.digest()


def test_turn_stops_after_its_time() -> None:
    def slow(seat: str, random: Random) -> Bot:
        def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
            sum(range(300_000))
            return decision.sample(random)

        return answer

    game = with_bot(straits.GAME, slow)
    match = Match(game, seed="turn")
    assert len(played(match, {"red": "bot", "blue": "bot"}, 0.001).answers) <= 2


def rollouts_in(memory: Memory) -> float:
    """Return how many rollouts a bot remembers."""
    return sum(differences.weight for both in memory.differences.values() for differences in both)


def with_bot(game: Game[Any, Any], maker: Any) -> Game[Any, Any]:
    return replace(game, analysis=replace(game.analysis, bots={"bot": maker}))


def test_bot_keeps_its_plan_between_turns() -> None:
    drawn, rolled = set[float](), set[float]()

    def planner(seat: str, random: Random) -> Bot:
        plan = random.random()

        def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
            drawn.add(plan)
            rolled.add(random.random())
            return decision.sample(random)

        return answer

    match = Match(with_bot(straits.GAME, planner), seed="turn")
    turns = 0
    while match.outcome is None:
        played(match, {"red": "bot"})
        turns += 1
        if "blue" in match.pending:
            match.decide("blue", match.pending["blue"].sample(Random(turns)))
    assert turns > 2
    assert len(drawn) == 1
    assert len(rolled) > 2  # the numbers after it are new in each turn


def test_search_continues_with_what_it_has_learned() -> None:
    match = Match(mines.GAME, seed="mines")
    bot = returning_bot(match, "search:20", "red", 7)
    assert isinstance(bot, Searcher)
    bot(match.pending["red"], match.bot_view("red"))
    memory = bot.memory()
    assert rollouts_in(memory) >= 5
    again = returning_bot(match, "search:20", "red", 7, memory)
    assert isinstance(again, Searcher)
    assert again.memory() == memory
    result = play_turn(turn_of(match, {"red": "search:20"}, {"red": memory}), game=match.game)
    assert rollouts_in(result.memory["red"]) > rollouts_in(memory)


def test_failing_bot_is_replaced_by_a_random_one() -> None:
    def failing(seat: str, random: Random) -> Bot:
        def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
            raise LookupError("planted")

        return answer

    match = Match(with_bot(straits.GAME, failing), seed="turn")
    assert played(match, {"red": "bot", "blue": "bot"}).answers
    assert match.outcome is not None


def test_turn_at_random_is_one_answer() -> None:
    match: Match[Any, Any] = Match(load_game("tora"), seed="turn")
    assert len(played(match, {seat.key: "search" for seat in match.seats}, at_random=True).answers) == 1


def test_turn_without_answers_if_a_rule_fails() -> None:
    def fails(table: TinyTable) -> Steps:
        raise KeyError("planted")

    match = Match(tiny(both(ask("red"), fails)), seed="turn")
    assert play_turn(turn_of(match, {"red": "random"}), game=match.game).answers == []
