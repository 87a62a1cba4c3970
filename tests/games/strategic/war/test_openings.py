"""Scenarios: what they begin with, and what is refused in a file of one's own."""

from __future__ import annotations

from importlib.resources import files

import pytest

from readyroom.engine.errors import DataMisfit
from readyroom.games.strategic import GAME

from .helpers import SCENARIOS, war

OWN = files("readyroom.games.strategic").joinpath("data/scenarios/atlantic.toml").read_text(encoding="utf-8")


@pytest.mark.rule("strategic", "SW.1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_begins(scenario: str) -> None:
    state = war(1, scenario)
    content = GAME.scenario(scenario).content
    assert state.war.turns == content.turns
    assert set(state.war.rounds) == set(content.rounds)
    assert all(power.money == power.income[0] for power in state.war.powers.values() if power.income)


def test_an_own_scenario_is_read() -> None:
    own = GAME.own_scenario(OWN.encode(), "mine.toml")
    assert own.title == "The Battle of the Atlantic"


@pytest.mark.rule("strategic", "SW.1")
@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ("turns = 6", "turns = 0", "", "turns = 0 must be from 1 to 40"),
        ("turns = 6", 'turns = "six"', "turns", "str"),
        ('rounds = ["german-atlantic"]', "rounds = []", "", "must name at least one round"),
        ('rounds = ["german-atlantic"]', 'rounds = ["germany"]', "", "there is no target there"),
        ('rounds = ["german-atlantic"]', 'rounds = ["baltic"]', "rounds", "baltic"),
        ("escorts = 12", "escorts = -1", "oceans", "escorts = -1 must be from 0 to 99"),
        ("german-atlantic = 5", "german-atlantic = 500", "", "submarines.german-atlantic = 500"),
        ("german-atlantic = 5", "german-baltic = 5", "submarines", "german-baltic"),
        ("allies = [30, 36]", "allies = []", "", "income.allies must have a figure"),
        ("germany = { air-range = 1 }", "germany = { air-range = 4 }", "", "levels.germany.air-range = 4"),
        ('line = "french-ports"', 'line = "paris"', "base", "paris"),
        (
            "merchant = 3\npoint = 1\nstep = 0\nsubmarine = 2",
            "merchant = 0\npoint = 0\nstep = 0",
            "victory",
            "nothing scores",
        ),
        ("year = 1942", "year = 1815", "", "year = 1815 must be from 1939 to 1949"),
        ("us_war = 1", "us_war = 1\nweather = 3", "", "weather"),
    ],
)
def test_a_senseless_scenario_is_refused(old: str, new: str, key: str, reason: str) -> None:
    assert old in OWN
    with pytest.raises(DataMisfit) as refusal:
        GAME.own_scenario(OWN.replace(old, new).encode(), "mine.toml")
    told = str(refusal.value)
    assert "mine.toml" in told
    assert key in told
    assert reason in told
