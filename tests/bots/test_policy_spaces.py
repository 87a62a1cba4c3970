"""Every policy that a search may try plays legally, and parameters change what bots do."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from readyroom import Match, games
from readyroom.bots import play_to_end
from readyroom.bots.parameters import Settings, parameters_of, random_settings
from readyroom.engine.game import Bot, ViewFn
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.bots.policy import JapanesePolicy, japanese_plan
from readyroom.study.matches import match_setup
from readyroom.study.policies.policy_matches import Bout, play_bouts

SHORT = {"midway": "daybreak", "tora": "sunday", "war": "atlantic", "picket": "first-watch", "doolittle": "bay"}
"""A short scenario; "sunday" has the plans of the scenario, so "december" is played as well."""
LONG = [
    ("tora", "december"),
    ("war", "strategic-war"),
    ("doolittle", "campaign"),
    ("picket", "evans"),
    ("pearl", "air-raid"),
]


def played(name: str, scenario: str | None, count: int, seed: str) -> int:
    """Play matches between random policies; return how many came to an end."""
    game, random = games.load(name), Random(seed)
    space = game.analysis.policies
    assert space is not None
    drawn = [
        {side: random_settings(parameters_of(space.type_of(side)), random) for side in space.styles}
        for _ in range(count)
    ]
    bouts = [Bout(policies, f"{seed}/{number}") for number, policies in enumerate(drawn)]
    return len(play_bouts(match_setup(game, scenario=scenario), bouts))


@pytest.mark.parametrize("name", games.game_names())
def test_random_policies_play_to_the_end(name: str) -> None:
    assert played(name, SHORT.get(name), 2, "random") == 2


@pytest.mark.torture(60)
@pytest.mark.parametrize(("name", "scenario"), LONG)
def test_many_random_policies_play_to_the_end(name: str, scenario: str) -> None:
    assert played(name, scenario, 30, "many") == 30


def answers(name: str, side: str, changed: Settings, scenario: str | None = None) -> list[tuple[str, ...]]:
    """Return all answers of a side's first style with some parameters changed, in one match."""
    game = games.load(name)
    space = game.analysis.policies
    assert space is not None
    match: Match[Any, Any] = Match(game, scenario, seed="answers", log=False)
    given: list[tuple[str, ...]] = []

    def noted(bot: Bot) -> Bot:
        def decide(decision: Decision, view: ViewFn) -> tuple[str, ...]:
            given.append(tuple(bot(decision, view)))
            return given[-1]

        return decide

    players = {}
    for seat in match.seats:
        policy = next(iter(space.styles[seat.side].values()))
        changes = changed if seat.side == side else {}
        bot = space.bot(msgspec.structs.replace(policy, **changes), seat.key, Random(seat.key))
        players[seat.key] = noted(bot) if seat.side == side else bot
    play_to_end(match, players)
    return given


@pytest.mark.parametrize(
    ("name", "side", "changed"),
    [
        ("pearl", "japan", {"stays": "always"}),
        ("pearl", "japan", {"parked": 0.0}),
        ("pearl", "usa", {"magic_0": 1.0, "magic_1": 0.0, "magic_2": 0.0, "magic_3": 0.0}),
        ("war", "axis", {"atlantic": 0, "pacific": 8}),
        ("war", "allies", {"cards": 0.0}),
        ("war", "allies", {"guard": 3.0}),
        ("picket", "usa", {"fire": "expected"}),
        ("doolittle", "usa", {"risk": 1.0, "risk_hurt": 2.0, "patience": 0.5}),
    ],
)
def test_parameter_changes_answers(name: str, side: str, changed: Settings) -> None:
    scenario = {"picket": "evans", "doolittle": "capital", "war": "atlantic"}.get(name)
    assert answers(name, side, changed, scenario) != answers(name, side, {}, scenario)


def test_turned_plan_approaches_from_another_quadrant() -> None:
    def sectors(turned: int) -> set[str]:
        plan = japanese_plan(JapanesePolicy(plan="first-day", day=3, turned=turned))
        assert plan.day == 3
        return {group.sector for wave in plan.wave for group in wave.group}

    assert {len(sectors(turned)) for turned in range(4)} == {len(sectors(0))}
    assert sectors(0).isdisjoint(sectors(2))
    assert all(sector[0] == "3" for sector in sectors(1))
