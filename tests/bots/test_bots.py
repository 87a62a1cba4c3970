"""Every bot of every game answers legally to the end; those that play by the book beat chance."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from readyroom import Match, bots, games
from readyroom.engine.errors import UnknownBot, UnknownSeat
from readyroom.study.simulate import simulate

PLAYERS = [(name, bot) for name in games.names() for bot in bots.names(games.load(name))]


@pytest.mark.parametrize(("name", "bot"), PLAYERS)
def test_a_bot_plays_every_scenario_and_option_to_the_end(name: str, bot: str) -> None:
    """The first bot and the random one play under every option; the others under the usual ones."""
    game = games.load(name)
    first = bot in (bots.RANDOM, next(iter(game.bots), ""))
    choices = [{option.key: choice} for option in game.options for choice in option.choices if choice != option.default]
    settings = [{}, *(choices if first else ())]
    for scenario in game.scenarios(game.data):
        for number, options in enumerate(settings):
            match: Match[Any, Any] = Match(game, scenario, options, seed=f"{scenario.key} {number}", log=False)
            random = Random(number)
            bots.play_out(match, {seat.key: bots.make(game, bot, seat.key, random) for seat in match.seats})
            assert match.outcome is not None


def test_a_bot_sees_only_its_own_view() -> None:
    """What it is handed to look with shows what its seat may know, and nothing else."""
    match: Match[Any, Any] = Match(games.load("midway"), seed="eyes")
    looked: list[dict[str, Any]] = []

    def watcher(decision: Any, look: Any) -> Any:
        looked.append(look())
        return decision.sample(Random(1))

    bots.play_out(match, {"japan": watcher, "usa": bots.random_bot(Random(2))})
    assert {view["seat"] for view in looked} == {"japan"}
    assert all(view["table"]["sides"]["usa"]["boxes"]["moving"] is None for view in looked)


def test_seats_are_assigned_by_seat_before_side() -> None:
    seats = games.load("midway").seats(games.load("midway").first_scenario, {"seats": "groups"})
    named = bots.assign(seats, {"japan": "doctrine", "kaga": "random"}, "human")
    assert (named["akagi"], named["kaga"], named["hornet"]) == ("doctrine", "random", "human")
    with pytest.raises(UnknownSeat):
        bots.assign(seats, {"shokaku": "random"})


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(UnknownBot, match="doctrine"):
        bots.make(games.load("midway"), "nimitz", "usa", Random())


@pytest.mark.slow
@pytest.mark.parametrize(("japan", "usa"), [("doctrine", "random"), ("random", "doctrine")])
def test_doctrine_beats_chance_at_midway(japan: str, usa: str) -> None:
    result = simulate("midway", games=300, seed="book", workers=2, bots={"japan": japan, "usa": usa})
    assert result.winners["japan" if japan == "doctrine" else "usa"] >= 0.97 * 300


@pytest.mark.slow
def test_doctrine_against_itself_at_midway_is_open() -> None:
    result = simulate("midway", games=300, seed="book", workers=2, bots={"japan": "doctrine", "usa": "doctrine"})
    assert 0.25 * 300 <= result.winners["japan"] <= 0.75 * 300
    assert 0.25 * 300 <= result.winners["usa"] <= 0.75 * 300
