"""[24.62.3] The lines of the net modifier in the current state."""

from __future__ import annotations

from collections.abc import Mapping

from readyroom.games.strategic.tables.figures import Data, Modifier
from readyroom.games.strategic.tables.modifiers import counting, net, unset
from readyroom.games.strategic.tables.war_opening import by_name
from readyroom.games.strategic.war.places import Campaign, Country
from readyroom.games.strategic.war.state import Aim, War, WarState

Lines = list[tuple[str, int]]
_WAR_TURN = {1: "first", 2: "second"}


def submarine_lines(state: WarState, data: Data, campaign: Campaign, advantage: str = "neither") -> Lines:
    """[24.62.4, 24.62.5, 24.62.6, 24.62.7, A14] Return what is added to the submarines' roll.

    `advantage` is the side with the advantage in codebreaking: "attacker", "defender" or "neither".
    """
    lines = counting(data.scope("submarines", campaign.scope), campaign.by)
    return net(lines, submarine_inputs(state, data, campaign, advantage), campaign.by)


def submarine_inputs(state: WarState, data: Data, campaign: Campaign, advantage: str = "neither") -> dict[str, str]:
    """Return what all lines of a campaign's net modifier are now, as the calculator's form has them."""
    war, turn = state.war, max(1, state.at.turn)
    navy = data.war.navies.attacker[campaign.by] - by_name(data.war.navies.defender)[campaign.sea]
    inputs: dict[str, str] = {
        "navy": "0" if state.rulings.nationality == "even" else str(navy),
        "air-range": str(war.level(campaign.nation, "air-range") - war.level(campaign.defender, "air-range")),
        "torpedo": str(war.level(campaign.nation, "torpedo")),
        "asw": str(war.level(campaign.defender, "asw")),
        "cve": str(war.oceans[campaign.sea].carriers),
        "us-war-turn": _WAR_TURN.get(turn - war.us_war + 1, "later"),
        campaign.theater: advantage,
        **dict.fromkeys(held(war, turn), "yes"),
    }
    if "us-war" not in inputs:
        del inputs["us-war-turn"]
    lines = data.scope("submarines", campaign.scope)
    own = {line.key for line in counting(lines, campaign.by)}
    return _whole(lines, {key: value for key, value in inputs.items() if key in own})


def held(war: War, turn: int) -> list[str]:
    """[SW.8] Return the lines that count in a turn through bases and the war with America."""
    lines = [base.line for base in war.base if base.first <= turn and (not base.last or turn <= base.last)]
    return [line for line in lines if line != "us-war" or turn >= war.us_war]


def interception_lines(state: WarState, data: Data, country: Country) -> Lines:
    """[24.62.8] Return what is added to the raid's roll in air combat."""
    return _net(data.scope("interception"), bombing_inputs(state, data, country), country.by)


def target_lines(state: WarState, data: Data, country: Country, aim: Aim, advantage: str = "neither") -> Lines:
    """[24.62.9] Return what is added to the bombers' roll; codebreaking is a ruling (W7)."""
    inputs = bombing_inputs(state, data, country, aim)
    lines = _net(counting(data.scope("target"), country.by), inputs, country.by)
    return [*lines, *advantage_lines(data, advantage)]


def bombing_inputs(state: WarState, data: Data, country: Country, aim: Aim | None = None) -> dict[str, str]:
    """Return the lines of the net modifiers of a raid that count now, as the calculator's form has them."""
    war = state.war
    spare = max(0, reach(state, data, country) - aim.distance) if aim is not None else 0
    return {
        "radar": str(war.level(country.defender, "radar")),
        "bomber-research": str(max(0, war.level(country.attacker, "bombers") - data.war.research.buildable)),
        f"excess-{country.by}": str(spare),
        "air-defense": str(war.level(country.defender, "air-defense")),
    }


def advantage_lines(data: Data, advantage: str) -> Lines:
    """[W7] Return what the advantage in codebreaking adds to the bombers' roll."""
    sign = {"attacker": 1, "defender": -1}.get(advantage, 0)
    return [("advantage in codebreaking", sign * data.war.cards.advantage)] if sign else []


def reach(state: WarState, data: Data, country: Country) -> int:
    """[SW.10] Return the range of the bombers that raid a country, in hexes."""
    reaches = data.war.ranges.bombers_europe if country.by == "europe" else data.war.ranges.bombers_pacific
    return reaches[min(state.war.level(country.attacker, "air-range"), len(reaches) - 1)]


def escort_reach(state: WarState, data: Data, country: Country) -> int:
    """[SW.10] Return the range of the escorting interceptors, 0 without any."""
    if country.escorts is None:
        return 0
    reaches = data.war.ranges.interceptors_europe
    return reaches[min(state.war.level(country.attacker, "air-range"), len(reaches) - 1)]


def turned(lines: Lines) -> Lines:
    """[24.62.3] Return the lines for the defender's roll, with the sign reversed."""
    return [(name, -value) for name, value in lines]


def _net(lines: list[Modifier], inputs: Mapping[str, str], by: str) -> Lines:
    return net(lines, _whole(lines, inputs), by)


def _whole(lines: list[Modifier], inputs: Mapping[str, str]) -> dict[str, str]:
    return {line.key: inputs.get(line.key, unset(line)) for line in lines}
