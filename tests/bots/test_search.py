"""The search bot finds known best answers and respects its limits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.toys import mines, straits

from readyroom import bots, games
from readyroom.bots import search
from readyroom.bots.book import Book, Entry
from readyroom.bots.search import Limit, Searcher
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
    monkeypatch.setattr(search, "book", lambda package: Book(entries))
    bot = Searcher(mines.GAME, "red", Random(1), Limit(float("inf"), 1))
    bot(match.pending["red"], match.bot_view("red"))
    assert [known.name for known in bot.known] == ["doctrine", "outlaw", "doubt"]


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


def test_search_answers_legally_at_midway() -> None:
    match = Match[Any, Any](games.load("midway"), options={"turn_limit": "8"}, seed="by trials", log=False)
    for seat, decision in list(match.pending.items()):
        keys = bots.make_bot(match.game, "search:1", seat, Random(2))(decision, match.bot_view(seat))
        assert decision.accept(list(keys))
