"""Tests of scenarios: setup, and errors in custom files."""

from __future__ import annotations

from importlib.resources import files

import pytest

from readyroom.engine.errors import InvalidData
from readyroom.games.strategic.war import GAME

from .helpers import SCENARIOS, war

OWN = files("readyroom.games.strategic.tables").joinpath("data/scenarios/atlantic.toml").read_text(encoding="utf-8")


@pytest.mark.rule("war", "SW.1")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_starts(scenario: str) -> None:
    state = war(1, scenario)
    content = GAME.scenario(scenario).content
    assert state.war.turns == content.turns
    assert set(state.war.rounds) == set(content.rounds)
    assert all(power.money == power.income[0] for power in state.war.powers.values() if power.income)


def test_custom_scenario_is_read() -> None:
    own = GAME.own_scenario(OWN.encode(), "mine.toml")
    assert own.title == "The Battle of the Atlantic"


@pytest.mark.rule("war", "SW.1")
@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ("turns = 6", "turns = 0", "", "turns = 0 must be from 1 to 40"),
        ("turns = 6", 'turns = "six"', "turns", "a whole number"),
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
        ("us_war = 1", "us_war = 41", "", "us-war = 41 must be from -40 to 40"),
        ('rounds = ["german-atlantic"]', 'rounds = ["german-atlantic", "german-atlantic"]', "", "and each once"),
        ("allies = [30, 36]", "allies = [-1, 36]", "", "income.allies = -1 must be from 0 to 999"),
        ("allies = [30, 36]", "allies = [30, 1000]", "", "income.allies = 1000 must be from 0 to 999"),
        ("[levels]", "[bombers]\nbritain = 100\n[levels]", "", "bombers.britain = 100 must be from 0 to 99"),
        ("[levels]", "[interceptors]\njapan = 100\n[levels]", "", "interceptors.japan = 100 must be from 0 to 99"),
        ("points = 1\n", "points = 100\n", "free", "points = 100 must be from 0 to 99"),
        ("until = 2", "until = -1", "free", "until = -1 must be from 0 to 99"),
        ('line = "us-war"', 'line = "us-war"\nfirst = -41', "base", "first = -41 must be from -40 to 40"),
        ('line = "us-war"', 'line = "us-war"\nlast = -1', "base", "last = -1 must be from 0 to 40"),
        ("merchant = 3", "merchant = 100", "victory", "merchant = 100 must be from 0 to 99"),
        ("margin = 2", "margin = 101", "victory", "margin = 101 must be from 0 to 100"),
        ("allies = 81", "allies = 1000", "victory", "handicap.allies = 1000 must be from 0 to 999"),
        ("below = 5", "below = 0", "victory", "below = 0 must be from 1 to 99"),
        ("starved", "ruin = { merchants = 100, bombing = 1 }\nstarved", "victory", "merchants = 100 must be from 0"),
        ("starved", "ruin = { merchants = 1, bombing = 1000 }\nstarved", "victory", "bombing = 1000 must be from 0"),
    ],
)
def test_invalid_scenario_is_rejected(old: str, new: str, key: str, reason: str) -> None:
    assert old in OWN
    with pytest.raises(InvalidData) as refusal:
        GAME.own_scenario(OWN.replace(old, new).encode(), "mine.toml")
    message = str(refusal.value)
    assert "mine.toml" in message
    assert key in message
    assert reason in message


WORKS = """
[[target]]
key = "ball-bearings"
name = "Ball bearings"
area = "germany"
distance = 8
steps = 4
parts = { flak = 2 }
"""


@pytest.mark.rule("war", "SW.11")
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("distance = 8", "distance = 100", "distance = 100 must be from 0 to 99"),
        ("flak = 2", "flak = 100", "flak = 100 must be from 0 to 99"),
        ("steps = 4", "steps = 0", "steps = 0 must be from 1 to 99"),
        ('"ball-bearings"', '"Ball-bearings"', "a key of small letters and a name"),
        ('"ball-bearings"', '"ball bearings"', "a key of small letters and a name"),
        ('"Ball bearings"', '""', "a key of small letters and a name"),
        ('"Ball bearings"', f'"{"Ball" * 16}"', "a key of small letters and a name"),
        (WORKS, WORKS * 2, "two targets have the same key among ball-bearings, ball-bearings"),
    ],
)
def test_invalid_target_is_rejected(old: str, new: str, reason: str) -> None:
    assert GAME.own_scenario(f"{OWN}{WORKS}".encode(), "mine.toml").title
    with pytest.raises(InvalidData, match=reason):
        GAME.own_scenario(f"{OWN}{WORKS.replace(old, new)}".encode(), "mine.toml")
