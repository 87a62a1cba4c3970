"""The policies of a side among which a search bot chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from tests.bots.test_levels import GAME, mix
from tests.toys import hands, mines

from readyroom import games
from readyroom.bots import mixes, policies
from readyroom.bots.book import Book, Entry
from readyroom.bots.mixes import Measured, Mix, mixes_of
from readyroom.bots.policies import side_policies
from readyroom.engine.match import Match


def measured(*rows: list[float]) -> list[list[Measured]]:
    return [[Measured(cell, cell, cell) for cell in row] for row in rows]


def with_payoffs(shares: Mapping[str, float], payoffs: list[list[Measured]]) -> Mix:
    return msgspec.structs.replace(mix(shares), payoffs=payoffs)


def names_at(seat: str, place: float) -> list[str]:
    match: Match[Any, Any] = Match(GAME, seed="hand")
    return [each.name for each in side_policies(GAME, match.bot_view(seat), place)]


def test_first_policy_is_drawn_from_the_mix(monkeypatch: pytest.MonkeyPatch) -> None:
    payoffs = measured([0.5, 0.2], [0.8, 0.5])
    monkeypatch.setattr(mixes, "mixes", lambda package: [with_payoffs({"rock": 0.25, "paper": 0.75}, payoffs)])
    match: Match[Any, Any] = Match(GAME, seed="hand")
    assert names_at("red", 0.1)[:2] == ["rock", "paper"]
    assert names_at("red", 0.9)[:2] == ["paper", "rock"]
    assert names_at("red", 0.1)[2:] == ["hand=scissors"], "no policy twice"
    red = side_policies(GAME, match.bot_view("red"), 0.1)
    assert [each.gain for each in red[:2]] == pytest.approx([0.0, 0.3])
    blue = side_policies(GAME, match.bot_view("blue"), 0.1)
    assert [each.gain for each in blue[:2]] == pytest.approx([0.0, 0.3])


def test_without_a_mix_the_best_of_the_book_is_first(monkeypatch: pytest.MonkeyPatch) -> None:
    match: Match[Any, Any] = Match(mines.GAME, seed="book")
    about = {"game": mines.GAME.key, "scenario": match.scenario.key, "side": "red", "matches": 10}
    entries = [Entry(**about, name="bold", gain=0.3), Entry(**about, name="doubt", gain=-0.1)]  # type: ignore[arg-type]
    monkeypatch.setattr(policies, "book", lambda package: Book(entries))
    found = side_policies(mines.GAME, match.bot_view("red"), 0.5)
    assert [(each.name, each.gain) for each in found] == [("bold", 0.0), ("doctrine", -0.3), ("outlaw", -0.3)]


def test_plans_of_a_game_without_bots_are_policies() -> None:
    match: Match[Any, Any] = Match(hands.GAME, seed="plans")
    assert next(each.name for each in side_policies(hands.GAME, match.bot_view("red"), 0.5)) == "random"


@pytest.mark.parametrize("name", games.game_names())
def test_every_policy_of_a_side_can_be_made(name: str) -> None:
    game = games.load(name)
    match: Match[Any, Any] = Match(game, seed="policies")
    for seat in match.seats:
        found = side_policies(game, match.bot_view(seat.key), 0.3)
        assert len({each.name for each in found}) == len(found) > 1
        assert found[0].gain == 0.0
        if mixes_of(game):
            assert all(-1.0 <= each.gain <= 1.0 for each in found)


def test_scenario_without_policies_has_the_default_bot() -> None:
    game = games.load("pearl")
    staff = next((each for each in game.rules.scenarios(game.data) if each.key == "staff"), None)
    if staff is not None:
        match: Match[Any, Any] = Match(game, staff, seed="staff")
        seat = match.seats[0].key
        assert side_policies(game, match.bot_view(seat), 0.5)[0].name == next(iter(game.analysis.bots))


def test_sides_that_are_not_in_the_space_have_no_mix(monkeypatch: pytest.MonkeyPatch) -> None:
    space = GAME.analysis.policies
    assert space is not None
    narrow = replace(space, styles={"blue": space.styles["blue"]})
    game = replace(GAME, analysis=replace(GAME.analysis, policies=narrow))
    monkeypatch.setattr(mixes, "mixes", lambda package: [mix({"rock": 1.0})])
    match: Match[Any, Any] = Match(game, seed="hand")
    assert next(each.name for each in side_policies(game, match.bot_view("red"), 0.5)) == "doctrine"
