"""Scenario fields with which a match can begin where another one ended."""

from __future__ import annotations

from typing import Any

import pytest

from readyroom.campaign.config import content_of
from readyroom.engine.errors import InvalidData
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.engine.toml import write_toml


def changed(game: str, scenario: str, **fields: Any) -> Match[Any, Any]:
    """Return a match of a scenario with other fields, at its start."""
    loaded = load_game(game)
    tables = content_of(loaded.scenario(scenario)) | fields
    return Match(loaded, loaded.own_scenario(write_toml(tables).encode(), "own.toml"), seed="fields")


@pytest.mark.rule("war", "W11")
def test_war_begins_with_money_and_research_of_another() -> None:
    printed, war = (changed("war", "silent-service", **own).state.war for own in ({}, MEANS))
    assert war.powers["japan"].money - printed.powers["japan"].money == 30 - 12
    assert war.powers["allies"].points == {"radar": 2}
    with pytest.raises(InvalidData, match=r"money\.japan = 1000"):
        changed("war", "silent-service", money={"japan": 1000})


MEANS = {"money": {"japan": 30}, "research": {"allies": {"radar": 2}}}


@pytest.mark.rule("tora", "T37")
def test_ships_begin_with_hits() -> None:
    ships = {ship.key: ship for ship in changed("tora", "december", hurt={"nevada": 2, "arizona": 99}).state.usa.ships}
    assert (ships["nevada"].hits, ships["arizona"].hits) == (2, ships["arizona"].strength - 1)
    with pytest.raises(InvalidData, match=r"hurt\.titanic"):
        changed("tora", "december", hurt={"titanic": 1})


@pytest.mark.rule("picket", "P59")
def test_great_raids_come_on_other_days() -> None:
    own = changed("picket", "april", great_raids=[["04-02", "04-03"]])
    calendar = own.view("captain").table.calendar
    assert calendar.kikusui == [(1, "04-02", "04-03")]
    assert len(changed("picket", "april").view("captain").table.calendar.kikusui) > 1
    with pytest.raises(InvalidData, match="a first and a last day"):
        changed("picket", "april", great_raids=[["04-03", "04-02"]])


@pytest.mark.parametrize(
    ("game", "fingerprint"),
    [
        ("midway", "7df69b5aa6e2bc15"),
        ("tora", "94d59f009b96fdfc"),
        ("picket", "70ac02e3b1385d1b"),
        ("doolittle", "e880876ddb46d188"),
        ("war", "d78f56535318dcb6"),
    ],
)
def test_new_fields_leave_the_data_as_it_was(game: str, fingerprint: str) -> None:
    assert load_game(game).data_fingerprint == fingerprint
