"""Tests of the net modifier, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from readyroom.games.strategic.tables.modifiers import total
from readyroom.games.strategic.tables.war_opening import Base
from readyroom.games.strategic.war import GAME
from readyroom.games.strategic.war.hints import odds_now
from readyroom.games.strategic.war.net import (
    escort_reach,
    interception_lines,
    reach,
    submarine_lines,
    target_lines,
    turned,
)
from readyroom.games.strategic.war.places import CAMPAIGNS, COUNTRIES

from .helpers import DATA, table, war


def lines(
    fleet: str, turn: int = 12, advantage: str = "neither", bases: bool = False, **changes: Any
) -> dict[str, int]:
    """Return a campaign's lines with given levels and escort carriers: `germany_torpedo=2`, `carriers=6`."""
    state = war(turn, **{key: value for key, value in changes.items() if key == "nationality"})
    if not bases:
        state.war.base = []
    for power in state.war.powers.values():
        power.levels = {}
    for key, value in changes.items():
        nation, _, project = key.partition("_")
        if key == "carriers":
            state.war.oceans[CAMPAIGNS[fleet].sea].carriers = value
        elif project:
            state.war.powers[nation].levels[project.replace("_", "-")] = value
    return dict(submarine_lines(state, DATA, CAMPAIGNS[fleet], advantage))


@pytest.mark.rule("war", "24.62.4", "SW.8", "ST.1")
@pytest.mark.parametrize("turn", [1, 6, 12])
def test_odds_of_the_position_have_its_forces_and_net_modifier(turn: int) -> None:
    state = war(turn, nationality="suggested")
    state.war.powers["germany"].levels["torpedo"] = 2
    known, fleets = GAME.analysis.odds(DATA), [each for each in CAMPAIGNS.values() if each.fleet in state.war.rounds]
    for campaign, (title, question, inputs) in zip(fleets, odds_now(table(state), None), strict=True):
        assert (title, inputs["escorts"]) == (campaign.title, str(state.war.oceans[campaign.sea].escorts))
        result = known[question].evaluate(inputs, "the odds")
        assert result.total == total(submarine_lines(state, DATA, campaign)), title


@pytest.mark.rule("war", "24.62.4", "SW.8")
def test_research_applies_in_every_ocean() -> None:
    assert lines("german-atlantic") == {}
    assert sum(lines("german-atlantic", germany_torpedo=2).values()) == 2
    assert sum(lines("german-atlantic", germany_torpedo=2, allies_asw=3).values()) == -1
    assert sum(lines("german-atlantic", germany_air_range=1, allies_air_range=3).values()) == -2
    assert sum(lines("american", allies_torpedo=1, japan_asw=2, allies_air_range=1).values()) == 0
    assert sum(lines("japanese-pacific", germany_torpedo=3, japan_torpedo=1).values()) == 1


@pytest.mark.rule("war", "24.62.5", "24.62.6", "24.62.7", "A12")
@pytest.mark.parametrize(
    ("fleet", "carriers", "net"),
    [
        ("german-atlantic", 5, 0),
        ("german-atlantic", 6, -1),
        ("german-atlantic", 23, -3),
        ("german-atlantic", 60, -4),
        ("german-indian", 3, -1),
        ("japanese-indian", 12, -4),
        ("japanese-pacific", 8, -2),
        ("american", 3, -1),
    ],
)
def test_escort_carriers_by_ocean(fleet: str, carriers: int, net: int) -> None:
    assert sum(lines(fleet, carriers=carriers).values()) == net


@pytest.mark.rule("war", "24.62.5", "SW.1")
@pytest.mark.parametrize(("turn", "net"), [(1, 5), (2, 4), (3, 3), (9, 3), (10, 1), (12, 1)])
def test_us_war_and_french_ports_by_turn(turn: int, net: int) -> None:
    assert sum(lines("german-atlantic", turn, bases=True).values()) == net


@pytest.mark.rule("war", "24.62.5")
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_no_us_war_adds_nothing(turn: int) -> None:
    assert lines("german-atlantic", turn, bases=False) == {}


@pytest.mark.rule("war", "24.62.5", "SW.1")
@pytest.mark.parametrize(("turn", "net"), [(2, 2), (3, 5), (4, 4), (5, 3)])
def test_late_us_war_counts_from_turn(turn: int, net: int) -> None:
    state = war(turn)
    state.war.base, state.war.us_war = [Base(line="us-war"), Base(line="french-ports")], 3
    for power in state.war.powers.values():
        power.levels = {}
    assert total(submarine_lines(state, DATA, CAMPAIGNS["german-atlantic"])) == net


@pytest.mark.rule("war", "24.62.7")
def test_manila_helps_american_submarines_only() -> None:
    assert sum(lines("american", 10, bases=True).values()) == 0
    assert sum(lines("american", 11, bases=True).values()) == 2
    assert sum(lines("japanese-pacific", 11, bases=True).values()) == 0


@pytest.mark.rule("war", "24.62.6")
def test_bases_apply_to_own_submarines_only() -> None:
    state = war(5)
    state.war.base = [Base(line="colombo"), Base(line="southern-ports")]
    nets = {fleet: dict(submarine_lines(state, DATA, campaign)) for fleet, campaign in CAMPAIGNS.items()}
    colombo, ports = (
        "Japan controls Colombo",
        "Japan controls Townsville, Noumea, Suva or a port in the Hawaiian Islands",
    )
    assert [fleet for fleet, lines_ in nets.items() if colombo in lines_] == ["japanese-indian"]
    assert [fleet for fleet, lines_ in nets.items() if ports in lines_] == ["japanese-pacific"]


@pytest.mark.rule("war", "24.62.5", "24.62.6", "24.62.7", "A13")
@pytest.mark.parametrize("fleet", list(CAMPAIGNS))
def test_codebreaking_advantage_moves_net(fleet: str) -> None:
    assert sum(lines(fleet, advantage="attacker").values()) == 1
    assert sum(lines(fleet, advantage="defender").values()) == -1


@pytest.mark.rule("war", "24.62.4", "A14")
@pytest.mark.rule("pearl", "A14")
@pytest.mark.parametrize(
    ("fleet", "net"),
    [("german-atlantic", -1), ("german-indian", -1), ("japanese-indian", 0), ("japanese-pacific", 1), ("american", -1)],
)
def test_suggested_nationality_by_fleet(fleet: str, net: int) -> None:
    assert sum(lines(fleet, nationality="suggested").values()) == net


@pytest.mark.rule("war", "24.62.8")
def test_radar_helps_defender() -> None:
    state = war()
    state.war.powers["germany"].levels["radar"] = 2
    assert total(interception_lines(state, DATA, COUNTRIES["germany"])) == -2
    assert total(turned(interception_lines(state, DATA, COUNTRIES["germany"]))) == 2


@pytest.mark.rule("war", "24.62.9", "SW.10", "W7")
def test_target_lines_add_up() -> None:
    state = war()
    ruhr, berlin = state.war.aim("ruhr"), state.war.aim("berlin")
    levels = state.war.powers["allies"].levels
    assert total(target_lines(state, DATA, COUNTRIES["germany"], ruhr)) == 0
    levels["bombers"] = 3
    assert total(target_lines(state, DATA, COUNTRIES["germany"], ruhr)) == 2
    levels["air-range"] = 2
    assert total(target_lines(state, DATA, COUNTRIES["germany"], ruhr)) == 3
    levels["air-range"] = 3
    assert total(target_lines(state, DATA, COUNTRIES["germany"], berlin)) == 4
    state.war.powers["germany"].levels["air-defense"] = 3
    assert total(target_lines(state, DATA, COUNTRIES["germany"], berlin)) == 1
    assert total(target_lines(state, DATA, COUNTRIES["germany"], berlin, "defender")) == 0


@pytest.mark.rule("war", "24.62.9", "SW.10")
def test_ranges_by_level_and_theater() -> None:
    state = war()
    ranges = []
    for level in range(4):
        state.war.powers["allies"].levels["air-range"] = level
        ranges.append((reach(state, DATA, COUNTRIES["germany"]), reach(state, DATA, COUNTRIES["japan"])))
    assert ranges == [(4, 3), (8, 6), (16, 12), (24, 18)]
    assert escort_reach(state, DATA, COUNTRIES["germany"]) == 12
    assert escort_reach(state, DATA, COUNTRIES["japan"]) == 0
    tokyo = state.war.aim("tokyo")
    assert total(target_lines(state, DATA, COUNTRIES["japan"], tokyo)) == 3


@pytest.mark.rule("war", "24.62.10")
@pytest.mark.rule("pearl", "24.62.10")
def test_target_strength_sums_parts() -> None:
    strengths = {aim.key: aim.strength for aim in war().war.targets}
    assert strengths == {"ruhr": 7, "hamburg": 6, "berlin": 8, "ploesti": 5, "tokyo": 6, "london": 8, "midlands": 6}
