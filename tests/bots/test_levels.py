"""Bots by strength: a novice between random and regular, and a veteran that plays the mixes of the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from tests.bots.untested_mix import untested_mix
from tests.toys import hands, mines

from readyroom import bots, games
from readyroom.bots import levels, mixes
from readyroom.bots.levels import Veteran
from readyroom.bots.mixes import Member, Mix, mix_for, mixes_of
from readyroom.bots.turns import returning_bot
from readyroom.engine.errors import UnknownBot
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.study.simulate import simulate

GAME: Game[Any, Any] = replace(hands.GAME, analysis=replace(hands.GAME.analysis, bots={"doctrine": mines.says("rock")}))


def mix(shares: Mapping[str, float], scenario: str = "only", options: dict[str, str] | None = None) -> Mix:
    """Return a mix of hands."""
    members = [Member(name=hand, share=share, settings={"hand": hand}) for hand, share in shares.items()]
    return untested_mix("hands", scenario, {"red": members, "blue": members}, options)


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixes, "mixes", lambda package: [mix({"rock": 0.25, "paper": 0.75, "scissors": 0.0})])


def hand_of(name: str, seed: int) -> str:
    """Return the hand that a bot shows."""
    match: Match[Any, Any] = Match(GAME, seed="hand")
    bot = bots.make_bot(GAME, name, "red", Random(seed))
    return bot(match.pending["red"], match.bot_view("red"))[0]


@pytest.mark.usefixtures("book")
def test_veteran_draws_by_share() -> None:
    drawn = Counter(hand_of("veteran", seed) for seed in range(400))
    assert drawn["scissors"] == 0
    assert 70 <= drawn["rock"] <= 130


@pytest.mark.usefixtures("book")
def test_veteran_with_number_plays_that_policy() -> None:
    assert [hand_of(f"veteran:{number}", 1) for number in (1, 2, 3)] == ["rock", "paper", "scissors"]
    for name in ("veteran:0", "veteran:4", "veteran:x", "veteran:"):
        assert not bots.can_play(GAME, name)
        with pytest.raises(UnknownBot):
            bots.make_bot(GAME, name, "red", Random(1))


@pytest.mark.usefixtures("book")
def test_veteran_keeps_its_policy_when_a_server_loads_the_match_again() -> None:
    match: Match[Any, Any] = Match(GAME, seed="again")
    for seed in range(20):
        made = [returning_bot(match, "veteran", "red", seed) for _ in range(2)]
        assert len({bot(match.pending["red"], match.bot_view("red"))[0] for bot in made}) == 1


@pytest.mark.usefixtures("book")
def test_veteran_needs_bot_view() -> None:
    match: Match[Any, Any] = Match(GAME, seed="view")
    with pytest.raises(TypeError, match="BotView"):
        Veteran(GAME, "red", Random(1))(match.pending["red"], lambda: match.view("red"))


def test_mix_fits_scenario_then_options(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(games.load("midway"), analysis=hands.GAME.analysis)
    here = [
        mix({"rock": 1.0}, "midway"),
        mix({"paper": 1.0}, "daybreak"),
        mix({"scissors": 1.0}, "daybreak", {"cap_rings": "2"}),
    ]
    known = [msgspec.structs.replace(each, game="midway") for each in here]
    monkeypatch.setattr(mixes, "mixes", lambda package: known)

    def found(scenario: str, options: dict[str, str]) -> Mix | None:
        return mix_for(game, scenario, game.resolve(options))

    assert found("midway", {}) == found("midway", {"cap_rings": "4"}) == known[0]
    assert found("daybreak", {}) == found("daybreak", {"cap_rings": "4"}) == known[1]
    assert found("daybreak", {"cap_rings": "2", "turn_limit": "12"}) == known[2]
    assert found("my-own", {}) == known[0]
    assert mix_for(replace(game, key="other"), "midway", {}) is None


def test_regular_is_the_default_bot() -> None:
    assert hand_of("regular", 1) == "rock"
    assert bots.can_play(GAME, "regular")
    assert levels.VETERAN not in bots.bot_names(GAME), "the book has no mix"
    assert bots.is_offered(GAME, "regular")
    assert not bots.is_offered(games.load("midway"), "search:60s"), "visitors cannot set a time limit"


def test_novice_answers_half_like_a_regular() -> None:
    shown = Counter(hand_of("novice", seed) for seed in range(300))
    assert 170 <= shown["rock"] <= 230, "half, and a third of the other half"


def test_every_mix_of_the_book_can_be_played() -> None:
    found = [(games.load(name), each) for name in games.game_names() for each in mixes_of(games.load(name))]
    assert found
    for game, each in found:
        space = game.analysis.policies
        assert space is not None
        assert each.scenario in {scenario.key for scenario in game.rules.scenarios(game.data)}
        assert game.non_default_options(game.resolve(each.options)) == each.options
        for side in each.sides:
            assert sum(member.share for member in side.members) == pytest.approx(1, abs=0.01)
            assert all(test.matches >= 200 for test in (side.reply, *side.tests))
            for settings in [member.settings for member in side.members] + [test.settings for test in side.tests]:
                msgspec.convert(settings, space.type_of(side.side))
        first, *others = each.sides
        assert [len(row) for row in each.payoffs] == [len(others[0].members) if others else 1] * len(first.members)


@pytest.mark.torture(20)
@pytest.mark.parametrize(
    ("game", "stronger", "weaker"),
    [("pearl", "veteran", "regular"), ("midway", "regular", "novice"), ("midway", "novice", "random")],
)
def test_levels_are_in_order(game: str, stronger: str, weaker: str) -> None:
    won = 0
    for side, other in (("japan", "usa"), ("usa", "japan")):
        played = simulate(game, games=400, seed="levels", workers=2, bots={side: stronger, other: weaker})
        won += played.winners[side] - played.winners[other]
    assert won > 40
