"""Tests of scenario files: built-in and custom."""

from __future__ import annotations

from importlib.resources import files
from random import Random

import pytest

from readyroom import Match
from readyroom.engine.errors import InvalidData
from readyroom.games.strategic.pearl import GAME
from readyroom.games.strategic.tables.raid_opening import RaidOpening

SCENARIOS = [scenario.key for scenario in GAME.rules.scenarios(GAME.data) if isinstance(scenario.content, RaidOpening)]
OWN = files("readyroom.games.strategic.tables").joinpath("data/scenarios/air-raid.toml").read_text()


def test_builtin_scenarios_differ() -> None:
    assert SCENARIOS[0] == "air-raid"
    assert len(SCENARIOS) >= 4
    contents = [GAME.scenario(key).content for key in SCENARIOS]
    assert len(
        {(each.edition, each.tension.level, len(each.force), len(each.harbor.ship)) for each in contents}
    ) == len(contents)


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ("level = 35", "level = -3", "tension.level", "at least 0"),
        ("level = 35", "level = 90", "tension.level", "at most 60"),
        ("light = 6", "light = -1", "harbor.light", "at least 0"),
        ("army = 4", 'army = "four"', "airfields.army", "a whole number"),
        ("japan = 53", "japan = 40", "win", "both sides win at once"),
        ('key = "arizona"', 'key = "nevada"', "", "'nevada' is used twice"),
        ('key = "arizona"', 'key = "light"', "", "'light' is used twice"),
        ('key = "arizona"', 'key = "Ari zona"', "harbor.ship[1].key", "a text of the form"),
        ("flak = 2", "flak = 2, balloons = 1", "harbor", "balloons"),
        ("most = 8", "most = 0", "striking.most", "at least 1"),
        ('title = "Air Raid Pearl Harbor"', 'title = "x"\nedition = "third"', "edition", "third"),
    ],
)
def test_invalid_scenario_names_file_key_and_reason(old: str, new: str, key: str, reason: str) -> None:
    assert old in OWN
    with pytest.raises(InvalidData) as error:
        GAME.own_scenario(OWN.replace(old, new, 1).encode(), "mine.toml")
    assert error.value.file == "mine.toml"
    assert error.value.key == key
    assert reason in f"{error.value.expected} {error.value.actual}"


def test_scenario_without_ships_is_rejected() -> None:
    head, _, rest = OWN.partition("ship = [\n")
    _, _, tail = rest.partition("\n]\n")
    with pytest.raises(InvalidData, match=r"harbor\.ship"):
        GAME.own_scenario(f"{head}ship = []\n{tail}".encode(), "mine.toml")


def test_scenario_without_american_carriers_finishes() -> None:
    head, _, rest = OWN.partition("[[force]]")
    tail = rest[rest.index("[striking]") :]
    text = head.replace("order = 10\n", "order = 10\nforce = []\n", 1) + tail
    own = GAME.own_scenario(text.encode(), "mine.toml")
    match, random = Match(GAME, own, seed="alone"), Random(3)
    while match.outcome is None:
        seat = next(iter(match.pending))
        match.decide(seat, match.pending[seat].sample(random))
    assert match.outcome.scores
