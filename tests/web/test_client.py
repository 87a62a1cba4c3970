"""Tests of the Python client."""

from __future__ import annotations

import gc
from random import Random

import pytest

from readyroom import Match, games
from readyroom.web import formatting
from readyroom.web.client import RemoteSeat, decision_of


def test_client_decision_equals_the_servers() -> None:
    match, random, groups = Match(games.load("midway"), seed="a program"), Random(7), 0
    while match.outcome is None and match.decision_count < 120:
        for seat, asked in match.pending.items():
            decision = decision_of(formatting.decision(asked))
            assert decision.keys == asked.keys
            assert [group.name for group in decision.budget_groups] == [group.name for group in asked.budget_groups]
            groups += len(decision.budget_groups)
            match.decide(seat, list(decision.sample(random)))
    assert groups


@pytest.mark.torture(2)
def test_collected_seat_closes_its_connections() -> None:
    place = RemoteSeat("http://127.0.0.1:9")
    line = place._http
    assert not line.is_closed
    del place
    gc.collect()
    assert line.is_closed
