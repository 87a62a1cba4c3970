"""What a seat remembers: its views, folded decision by decision, wherever the match comes from."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.toys.tiny import ask, tiny

from readyroom import games
from readyroom.engine.game import MatchView
from readyroom.engine.match import Match
from readyroom.engine.match.resume import resume

Views = tuple[Any, ...]


def add_view(memory: Views | None, view: MatchView[Any]) -> Views:
    """Remember all different views, by the scores and the aircraft over both fleets."""
    shown = view.turn, tuple(view.table.score.values()), *(len(each.boxes.ready) for each in view.table.sides.values())
    return memory if memory and memory[-1] == shown else (*(memory or ()), shown)


def played(seed: str, decisions: int) -> tuple[Match[Any, Any], dict[str, Views]]:
    """Play some random decisions; return the match, and what each seat remembers of it."""
    match, random = Match[Any, Any](games.load("midway"), seed=seed), Random(seed)
    memories = {seat.key: add_view(None, match.view(seat.key)) for seat in match.seats}
    for _ in range(decisions):
        for seat, decision in match.pending.items():
            match.decide(seat, decision.sample(random))
        memories = {seat: add_view(memory, match.view(seat)) for seat, memory in memories.items()}
    return match, memories


def test_memory_is_that_of_all_views() -> None:
    match, memories = played("memory", 60)
    assert any(len(memory) > 10 for memory in memories.values())
    assert {seat: match.recall(seat, add_view) for seat in memories} == memories


def test_memory_follows_match_and_undo() -> None:
    match, memories = played("memory", 40)
    assert match.recall("usa", add_view) == memories["usa"]
    while True:
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, decision.sample(Random(1)))
        for each in memories:
            assert match.recall(each, add_view) == resume(match.saved()).recall(each, add_view)
        if match.can_undo(seat):
            break
    match.undo(seat)
    for each in memories:
        assert match.recall(each, add_view) == resume(match.saved()).recall(each, add_view)


@pytest.mark.parametrize("seat", ["japan", "usa"])
def test_resumed_and_imagined_matches_have_the_same_memory(seat: str) -> None:
    match, memories = played("memory", 50)
    assert resume(match.saved()).recall(seat, add_view) == memories[seat]
    assert match.fork().recall(seat, add_view) == memories[seat]
    deciding = next(iter(match.pending))
    imagined = match.imagine(deciding, Random(1))
    assert imagined.recall(deciding, add_view) == memories[deciding]
    assert match.bot_view(seat).recall(add_view) == memories[seat]


def test_decision_that_cannot_be_repeated_leaves_the_present_view() -> None:
    """As after rules have changed: what came before is not known, but nothing fails."""

    def count(memory: int | None, view: MatchView[Any]) -> int:
        return (memory or 0) + 1

    match = Match[Any, Any](tiny(ask("red"), turns=4), seed="old")
    for _ in range(2):
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, decision.sample(Random(1)))
    assert match.recall("red", count) == 4
    match.decisions_since(0)[0].chose = ("gone",)
    match.recall("blue", count)
    assert match.recall("blue", count) == 1
