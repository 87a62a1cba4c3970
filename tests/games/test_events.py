"""Tests of the events that boards play: what they name is drawn, their drawings have one layout, and nothing leaks."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from random import Random

import pytest
from tests.games.events import batches, check, resampled

from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.engine.rules.table import LoggedEvent
from readyroom.testing.playouts import play_on

QUICK = [("picket", "little"), ("doolittle", "capital")]
GAMES = ["picket", "doolittle"]


@pytest.mark.sample(1)
@pytest.mark.slow(seconds=4)
@pytest.mark.parametrize(("name", "scenario"), QUICK)
def test_keys_of_events_are_drawn_and_boards_keep_their_size(name: str, scenario: str) -> None:
    faults = [fault for batch in batches(load_game(name), scenario, "events") for fault in check(batch)]
    assert not faults, "\n".join(sorted(set(faults)))


@pytest.mark.parametrize("name", GAMES)
def test_effects_cover_every_rule_that_logs_about_the_board(name: str) -> None:
    game = load_game(name)
    known = tomllib.loads(files(game.package).joinpath("effects.toml").read_text())
    missing = set[str]()
    for scenario in game.rules.scenarios(game.data):
        match = Match(game, scenario.key, seed="effects")

        def note(logged: LoggedEvent) -> None:
            if logged.target and logged.line.rule not in known:
                missing.add(logged.line.rule)

        for _ in play_on(match, Random("effects"), upto=400):
            match.listen(note)
    assert not missing


@pytest.mark.slow(seconds=4)
@pytest.mark.parametrize("scenario", ["capital"])
def test_what_the_captain_cannot_know_changes_no_event(scenario: str) -> None:
    equal, faults = resampled(load_game("doolittle"), scenario, "hidden", 30)
    assert not faults, "\n".join(faults)
    assert equal


@pytest.mark.torture(seconds=600)
def test_what_the_captain_cannot_know_changes_no_event_of_many_matches() -> None:
    game = load_game("doolittle")
    scenarios = [scenario.key for scenario in game.rules.scenarios(game.data)]
    faults = [
        fault
        for number in range(100)
        for fault in resampled(game, scenarios[number % len(scenarios)], f"hidden {number}", 12)[1]
    ]
    assert not faults, "\n".join(faults)
