"""Bots finish every game with legal answers, and doctrine bots beat random play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from readyroom import Match, bots, games
from readyroom.engine.errors import IllegalChoice, UnknownBot, UnknownSeat
from readyroom.engine.game import MatchView
from readyroom.study.simulate import simulate

PLAYERS = [
    (name, bot) for name in games.game_names() for bot in bots.bot_names(games.load(name)) if bots.limit_of(bot) is None
]
AHEAD = [
    ("midway", "daybreak"),
    ("tora", "sunday"),
    ("pearl", "air-raid"),
    ("war", "silent-service"),
    ("picket", "first-watch"),
    ("doolittle", "bay"),
]


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "bot"), PLAYERS)
def test_bots_finish_every_scenario_and_option(name: str, bot: str) -> None:
    """Random bots play all variants, the first bot each option in one scenario, others the default options."""
    game = games.load(name)
    first = bot in (bots.RANDOM, next(iter(game.analysis.bots), ""))
    scenarios = game.rules.scenarios(game.data)
    choices = [{option.key: choice} for option in game.options for choice in option.choices if choice != option.default]
    settings = [{}, *(choices if first else ())]
    for at, scenario in enumerate(scenarios):
        for number, options in enumerate(settings):
            if number and bot != bots.RANDOM and (number - at) % len(scenarios):
                continue
            match: Match[Any, Any] = Match(game, scenario, options, seed=f"{scenario.key} {number}", log=False)
            random = Random(number)
            bots.play_to_end(match, {seat.key: bots.make_bot(game, bot, seat.key, random) for seat in match.seats})
            assert match.outcome is not None


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "scenario"), AHEAD)
def test_search_bot_finishes_every_game(name: str, scenario: str) -> None:
    game = games.load(name)
    match: Match[Any, Any] = Match(game, scenario, seed="ahead", log=False)
    default = bots.default_bot(game)
    others = {seat.key: bots.make_bot(game, default, seat.key, Random(1)) for seat in match.seats}
    first = next(iter(others))
    bots.play_to_end(match, others | {first: bots.make_bot(game, "search:0.002s", first, Random(2))})
    assert match.outcome is not None


def test_illegal_answer_names_seat_of_bot() -> None:
    match: Match[Any, Any] = Match(games.load("midway"), seed="illegal")
    with pytest.raises(IllegalChoice, match=r"^The bot of japan gave an illegal answer: 'x' is not among"):
        bots.play_to_end(match, {"japan": lambda *_: ["x"], "usa": bots.random_bot(Random(1))})


def test_search_bot_with_rollout_limit_is_repeatable() -> None:
    ends = set()
    for _ in range(2):
        match: Match[Any, Any] = Match(games.load("picket"), "first-watch", seed="again", log=False)
        bots.play_to_end(match, {"captain": bots.make_bot(match.game, "search:2", "captain", Random(3))})
        ends.add(match.digest())
    assert len(ends) == 1


@pytest.mark.parametrize("name", ["search:", "search:fast", "search:0", "search:0s", "searching"])
def test_invalid_limit_is_rejected(name: str) -> None:
    with pytest.raises(UnknownBot):
        bots.make_bot(games.load("midway"), name, "usa", Random())


def test_bot_sees_only_own_view() -> None:
    match: Match[Any, Any] = Match(games.load("midway"), seed="eyes")
    looked: list[MatchView[Any]] = []

    def watcher(decision: Any, look: Any) -> Any:
        looked.append(look())
        return decision.sample(Random(1))

    bots.play_to_end(match, {"japan": watcher, "usa": bots.random_bot(Random(2))})
    assert {view.seat for view in looked} == {"japan"}
    assert all(view.table.sides["usa"].boxes.moving is None for view in looked)


def test_assign_prefers_seat_to_side() -> None:
    seats = games.load("midway").rules.seats(games.load("midway").first_scenario, {"seats": "groups"})
    named = bots.assign_seats(seats, {"japan": "doctrine", "kaga": "random"}, "human")
    assert (named["akagi"], named["kaga"], named["hornet"]) == ("doctrine", "random", "human")
    with pytest.raises(UnknownSeat):
        bots.assign_seats(seats, {"shokaku": "random"})


def test_unknown_bot_raises() -> None:
    with pytest.raises(UnknownBot, match="doctrine"):
        bots.make_bot(games.load("midway"), "nimitz", "usa", Random())


@pytest.mark.torture(2)
@pytest.mark.parametrize(("japan", "usa"), [("doctrine", "random"), ("random", "doctrine")])
def test_midway_doctrine_beats_random(japan: str, usa: str) -> None:
    result = simulate("midway", games=300, seed="book", workers=2, bots={"japan": japan, "usa": usa})
    assert result.winners["japan" if japan == "doctrine" else "usa"] >= 0.97 * 300


@pytest.mark.torture(3)
def test_midway_doctrine_against_itself_is_balanced() -> None:
    result = simulate("midway", games=300, seed="book", workers=2, bots={"japan": "doctrine", "usa": "doctrine"})
    assert 0.25 * 300 <= result.winners["japan"] <= 0.75 * 300
    assert 0.25 * 300 <= result.winners["usa"] <= 0.75 * 300
