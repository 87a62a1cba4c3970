"""The search bot finds known best answers and respects its limits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.toys import mines, straits

from readyroom import bots, games
from readyroom.bots import policies, search
from readyroom.bots.book import Book, Entry
from readyroom.bots.playing import random_bot
from readyroom.bots.policies import SidePolicy
from readyroom.bots.rollouts import Candidate, Differences
from readyroom.bots.search import Limit, Memory, Searcher, confirmed
from readyroom.engine.errors import UnknownBot
from readyroom.engine.match import Match


def answered(match: Match[Any, Any], trials: int, seed: int = 5) -> list[str]:
    """Return the answer of Red's search bot with this number of rollouts."""
    bot = Searcher(match.game, "red", Random(seed), Limit(float("inf"), trials))
    return list(bot(match.pending["red"], match.bot_view("red")))


def test_search_finds_answer_outside_policies() -> None:
    assert answered(Match(mines.GAME, seed="mines"), 400) == ["left"]


def test_search_with_few_rollouts_keeps_baseline() -> None:
    assert answered(Match(mines.GAME, seed="mines"), 1) == ["port"]


def test_policies_worse_in_book_are_omitted(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match[Any, Any](mines.GAME, seed="book")
    about = {"game": mines.GAME.key, "scenario": match.scenario.key, "side": "red", "matches": 10}
    entries = [Entry(**about, name="bold", gain=-0.1), Entry(**about, name="doubt", gain=0.0)]  # type: ignore[arg-type]
    monkeypatch.setattr(policies, "book", lambda package: Book(entries))
    bot = Searcher(mines.GAME, "red", Random(1), Limit(float("inf"), 1))
    bot(match.pending["red"], match.bot_view("red"))
    assert [known.name for known in bot.policies] == ["doctrine", "outlaw", "doubt"]


def test_rollout_limit_is_repeatable() -> None:
    for seed in range(5):
        first, second = (answered(Match(mines.GAME, seed="again"), 30, seed) for _ in range(2))
        assert first == second


def test_hidden_information_does_not_change_search() -> None:
    matches = {match.state.notes[0]: match for match in (Match(mines.GAME, seed=seed) for seed in "abcdefgh")}
    for seed in range(5):
        assert answered(matches["left"], 20, seed) == answered(matches["right"], 20, seed)


def test_search_needs_bot_view() -> None:
    match = Match[Any, Any](mines.GAME, seed="view")
    bot = bots.make_bot(mines.GAME, "search:1", "red", Random(1))
    with pytest.raises(TypeError, match="BotView"):
        bot(match.pending["red"], lambda: match.view("red"))


def test_search_name_sets_limit() -> None:
    for name, limit in (("search", Limit()), ("search:0.5s", Limit(0.5)), ("search:40", Limit(float("inf"), 40))):
        bot = bots.make_bot(mines.GAME, name, "red", Random(1))
        assert isinstance(bot, Searcher)
        assert bot.limit == limit
        assert bots.can_play(mines.GAME, name)
    for wrong in ("search:", "search:0", "search:0s", "search:1.5", "search:long", "search:5m"):
        assert not bots.can_play(mines.GAME, wrong)
        with pytest.raises(UnknownBot):
            bots.make_bot(mines.GAME, wrong, "red", Random(1))
    with pytest.raises(UnknownBot):
        bots.make_bot(straits.GAME, "search", "red", Random(1))


def candidate(*halves: list[float], name: str = "") -> Candidate:
    """Return a candidate with these differences in the half that chooses and in the one that tests."""
    made = Candidate((name,), mines.says("port"), name)
    for number, differences in enumerate(halves):
        for difference in differences:
            made.add_sample(difference, number)
    return made


def test_choice_must_be_confirmed_by_the_other_half() -> None:
    lucky, steady, poor = candidate([1.0] * 9, [0.0] * 9), candidate([0.5] * 9, [0.5] * 9), candidate([-1.0], [1.0])
    assert confirmed([]) is None
    assert confirmed([poor]) is None
    assert confirmed([lucky]) is lucky, "the best of both halves: taken together"
    assert confirmed([steady, poor]) is steady
    assert confirmed([candidate([1.0] * 9, [-1.0] * 9), candidate([-1.0] * 9, [1.0] * 9)]) is None
    assert confirmed([candidate([1.0] * 12, [0.2] * 12), candidate([0.1] * 12, [1.0] * 12)]) is not None


def test_few_rollouts_confirm_nothing() -> None:
    assert confirmed([candidate([1.0, 1.0], [1.0, 1.0])]) is None
    assert confirmed([candidate([1.0, 1.0, 1.0], [1.0, 1.0])]) is not None


def test_confirmed_policy_becomes_the_bots_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "side_policies", lambda game, view, place: LEFT)
    match = Match[Any, Any](mines.GAME, seed="mines")
    bot = Searcher(mines.GAME, "red", Random(5), Limit(float("inf"), 300))
    assert bot(match.pending["red"], match.bot_view("red")) == ("left",)
    assert bot.own.name == "left"
    old = bot.policies[1]
    assert old.name == "port"
    assert old.choosing.gain < 0.0 < old.choosing.weight
    memory = bot.memory()
    again = Searcher(mines.GAME, "red", Random(6), Limit(float("inf"), 1))
    again.recall(match.bot_view("red"), memory)
    assert again.memory() == memory
    assert again(match.pending["red"], match.bot_view("red")) == ("left",)


LEFT = [SidePolicy("port", mines.says("port")), SidePolicy("left", mines.says("left"), -0.1)]


def test_evidence_of_earlier_turns_counts_less(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match[Any, Any](mines.GAME, seed="mines")
    bot = Searcher(mines.GAME, "red", Random(5), Limit(float("inf"), 10))
    differences = Differences(10.0, 1.0, 3.0), Differences(8.0, 1.0, 2.0)
    turn = match.view("red").turn
    bot.recall(match.bot_view("red"), Memory("doctrine", turn - 1, {"bold": differences}))
    bot.limit = Limit(0.0)
    bot(match.pending["red"], match.bot_view("red"))
    kept = bot.memory()
    assert kept.turn == turn
    assert kept.differences["bold"][0].weight == pytest.approx(10 * search.KEPT)


def test_bot_that_joins_in_mid_match_answers_legally() -> None:
    game = games.load("midway")
    match = Match[Any, Any](game, seed="joins", log=False)
    random = Random(1)
    for number in range(40):
        for seat, decision in list(match.pending.items()):
            bot = bots.make_bot(game, "search:2", seat, random) if number % 10 == 0 else random_bot(random)
            match.decide(seat, bot(decision, match.bot_view(seat)))


def test_clock_counts_processor_time_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = [10.0, 100.0]
    monkeypatch.setattr(search, "thread_time", lambda: spent[0])
    monkeypatch.setattr(search, "perf_counter", lambda: spent[1])
    clock = Limit(2.0).start()
    assert (clock.used, clock.until) == (0.0, 12.0)
    spent[1] += 4.0  # others use the machine
    spent[0] += 1.0
    assert clock.used == 0.5
    spent[1] += 4.0
    assert clock.used == 1.0, "after four times the seconds it is over"
    assert Limit(0.0).start().used == 1.0
    assert Limit(float("inf"), 3).start().used == 0.0


def test_best_is_a_level_that_players_may_choose() -> None:
    game = games.load("midway")
    assert bots.BEST in bots.bot_names(game)
    assert bots.is_offered(game, bots.BEST)
    bot = bots.make_bot(game, bots.BEST, "usa", Random(1))
    assert isinstance(bot, Searcher)
    assert bot.limit == Limit(0.5)
    assert not bots.is_quick(bot)
    assert bots.needs_checkpoints([bots.BEST])
    assert not bots.can_play(game, "best:2s"), "search:2s has its own time"
    assert not bots.can_play(straits.GAME, bots.BEST)


def test_search_answers_legally_at_midway() -> None:
    match = Match[Any, Any](games.load("midway"), options={"turn_limit": "8"}, seed="by trials", log=False)
    for seat, decision in list(match.pending.items()):
        keys = bots.make_bot(match.game, "search:1", seat, Random(2))(decision, match.bot_view(seat))
        assert decision.accept(list(keys))
