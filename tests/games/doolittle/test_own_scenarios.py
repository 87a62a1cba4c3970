"""[1.2] Tests of custom scenarios: a custom file takes precedence over a built-in one of the same name."""

from __future__ import annotations

from importlib.resources import files
from random import Random

import pytest
from tests.games.doolittle.helpers import DATA

from readyroom.engine.match import Match
from readyroom.engine.match.resume import resume
from readyroom.engine.record.replay import replay
from readyroom.engine.report import report
from readyroom.games.doolittle import GAME

SCENARIOS = sorted(DATA.scenarios)
FOLDER = files("readyroom.games.doolittle").joinpath("data", "scenarios")


def play(scenario: object, seed: str) -> Match:  # type: ignore[type-arg]
    match, random = Match(GAME, scenario, seed=seed), Random(1)  # type: ignore[arg-type]
    bots = {seat.key: GAME.analysis.bots["doctrine"](seat.key, random) for seat in match.seats}
    while match.outcome is None:
        for seat, decision in dict(match.pending).items():
            match.view(seat)
            match.decide(seat, bots[seat](decision, match.bot_view(seat)))
    return match


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.rule("doolittle", "1.2")
@pytest.mark.parametrize("name", SCENARIOS)
def test_copy_of_scenario_plays_like_the_original(name: str) -> None:
    text = FOLDER.joinpath(f"{name}.toml").read_bytes()
    original = play(name, "copy")
    copy = play(GAME.own_scenario(text, "my-own.toml"), "copy")
    assert copy.outcome == original.outcome
    assert [line.text for line in copy.full_log] == [line.text for line in original.full_log]
    assert replay(copy.record()).outcome == copy.outcome
    for match in (Match(GAME, copy.scenario, seed="copy"), copy):
        view = match.view(match.seats[0].key)
        assert GAME.presentation.board is not None
        assert GAME.presentation.board(view)
        assert GAME.presentation.layout is not None
        assert GAME.presentation.layout(view)
    assert report(copy)


@pytest.mark.rule("doolittle", "1.2")
def test_own_scenario_survives_save_and_resume() -> None:
    name = next(name for name in SCENARIOS if DATA.scenarios[name].entry)
    text = FOLDER.joinpath(f"{name}.toml").read_bytes()
    match = Match(GAME, GAME.own_scenario(text, "mine.toml"), seed="resume")
    resumed = resume(match.saved(), GAME)
    assert resumed.state.own == match.state.own
