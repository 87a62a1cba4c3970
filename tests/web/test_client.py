"""A program's way to a table: the questions as it gets them."""

from __future__ import annotations

import gc
from random import Random

import pytest

from readyroom import Match, games
from readyroom.web import formatting
from readyroom.web.client import RemoteSeat, decision_of


def test_a_question_is_the_same_for_a_program() -> None:
    match, random, purses = Match(games.load("midway"), seed="a program"), Random(7), 0
    while match.outcome is None and match.decision_count < 120:
        for seat, asked in match.pending.items():
            told = decision_of(formatting.decision(asked))
            assert told.keys == asked.keys
            assert [purse.name for purse in told.budget_groups] == [purse.name for purse in asked.budget_groups]
            purses += len(told.budget_groups)
            match.decide(seat, list(told.sample(random)))
    assert purses


@pytest.mark.slow
def test_a_place_that_nobody_holds_lets_its_connections_go() -> None:
    place = RemoteSeat("http://127.0.0.1:9")
    line = place._http
    assert not line.is_closed
    del place
    gc.collect()
    assert line.is_closed
