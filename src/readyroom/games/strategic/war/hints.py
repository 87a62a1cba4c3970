"""Option notes: exact means and probabilities in the current state.

Sheets have little room: `+0.8 ships` means that on average 0.8 more would be sunk in a turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.decisions import Decision, Option, OptionInfo
from readyroom.engine.rules.forms import FilledQuery
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import SIDES
from readyroom.games.strategic.tables.modifiers import total
from readyroom.games.strategic.war.expected import Fought, Mean, Struck, bombing_mean, fight_mean, mean
from readyroom.games.strategic.war.intelligence import known_advantage
from readyroom.games.strategic.war.net import bombing_inputs, interception_lines, reach, submarine_inputs, target_lines
from readyroom.games.strategic.war.pieces import city_place
from readyroom.games.strategic.war.places import CAMPAIGNS, COUNTRIES, Campaign, Country
from readyroom.games.strategic.war.results import air_strengths
from readyroom.games.strategic.war.state import Aim, Raid, T, WarState
from readyroom.games.strategic.war.submarines import heavy

LEAST = 0.05
"""Smaller means are not shown."""


def submarine(state: WarState, data: Data, fleet: str) -> OptionInfo:
    """Return what one more submarine factor would sink in a round."""
    now, then = (mean(state, data, CAMPAIGNS[fleet], boats=boats) for boats in (0, 1))
    return OptionInfo(f"{more_of(then.merchants - now.merchants)} ships")


def escort(state: WarState, data: Data, nation: str, sea: str) -> OptionInfo:
    """Return what one more escort would do to the submarines there."""
    campaigns = [each for each in _against(state, nation, sea) if state.war.submarines[each.fleet].ready]
    if not campaigns:
        return OptionInfo("no enemy")
    now, then = (_sums(state, data, campaigns, escorts) for escorts in (0, 1))
    return OptionInfo(f"{more_of(then.lost - now.lost)} subs")


def carrier(state: WarState, data: Data, nation: str, sea: str) -> OptionInfo:
    """Return how many more escort carriers improve the net modifier."""
    campaign = next(each for each in CAMPAIGNS.values() if each.sea == sea and each.defender == nation)
    line = next(line for line in data.scope(campaign.scope) if line.key == "cve")
    have = state.war.oceans[sea].carriers
    if have >= line.step * line.most:
        return OptionInfo("no further effect")
    return OptionInfo(f"{line.step - have % line.step} more make the net −1")


def merchant(state: WarState, data: Data, nation: str, sea: str) -> OptionInfo:
    """Return how many merchant ships there are, and how many are sunk a turn."""
    sunk = _sums(state, data, _against(state, nation, sea)).merchants
    there = state.war.oceans[sea].merchants
    return OptionInfo(f"{there}, −{sunk:.1f} a turn" if sunk >= LEAST else f"{there} there")


def research(state: WarState, data: Data, nation: str, project: str) -> OptionInfo:
    """Return the probability of the next level with one more point."""
    power = state.war.powers[nation]
    chance = chance_of_level(data, power.points.get(project, 0) + 1)
    level = power.levels.get(project, 0) + 1
    return OptionInfo(f"to level {level}:", float(chance))


def bomber(state: WarState, data: Data, country: Country) -> OptionInfo:
    """Return what one more bomber factor would score over the best target, if unopposed."""
    ready = state.war.bombers[country.area].ready
    now, then = (_best(state, data, country, count) for count in (ready, ready + 1))
    return OptionInfo(f"{more_of(then - now)} points" if then else "no target")


def _best(state: WarState, data: Data, country: Country, bombers: int) -> float:
    """Return the best mean score of this many bombers over one target in range."""
    far, victory = reach(state, data, country), state.war.victory
    best = 0.0
    for aim in state.war.targets:
        if aim.area == country.area and aim.distance <= far:
            means = _bombs(state, data, country, aim, bombers)
            best = max(best, victory.step * means.steps + victory.point * means.points)
    return best


def interceptor(state: WarState, data: Data, area: str) -> OptionInfo | None:
    """Return how many more bombers would be stopped, if all interceptors met all ready bombers."""
    if area not in state.war.rounds:
        return None
    country, bombers = COUNTRIES[area], state.war.bombers[area].ready
    if not bombers:
        return OptionInfo("no enemy")
    net, have = total(interception_lines(state, data, country)), state.war.interceptors[area]
    now, then = (fight_mean(data.air, min(count, bombers), count, net, bombers, 0, count) for count in (have, have + 1))
    return OptionInfo(f"{more_of(then.bombers + then.turned - now.bombers - now.turned)} stopped")


def chance_of_level(data: Data, points: int) -> Fraction:
    """[SW.6] Return the probability that a project with this many points reaches its level this turn."""
    needed = data.war.research.at_least - points
    return Fraction(min(SIDES, max(0, SIDES + 1 - needed)), SIDES) if points else Fraction(0)


def bombing(state: WarState, data: Data, country: Country, aim: Aim, bombers: int) -> OptionInfo:
    """Return what all bombers together would do to a target if unopposed."""
    means = _bombs(state, data, country, aim, bombers)
    cost = f"{means.points:.1f} resources"
    done = f"{means.steps:.1f} steps and {cost}" if means.steps else cost
    return OptionInfo(f"all {bombers} unopposed: {done} on average, {means.lost:.1f} lost, {means.turned:.1f} damaged")


def _bombs(state: WarState, data: Data, country: Country, aim: Aim, bombers: int) -> Struck:
    net = total(target_lines(state, data, country, aim))
    return bombing_mean(heavy(state, data), bombers, aim.strength, aim.steps, net, state.rulings.bombing_results)


def meeting(state: WarState, data: Data, country: Country, raid: Raid, free: int) -> OptionInfo:
    """Return what all interceptors together would do to a raid."""
    means = _met(state, data, country, raid, free)
    stopped = f"{means.bombers:.1f} bombers shot down and {means.turned:.1f} turned back"
    return OptionInfo(f"all {free}: {stopped} on average, {means.interceptors:.1f} interceptors lost")


def escorting(state: WarState, data: Data, country: Country, raid: Raid, most: int) -> OptionInfo:
    """Return what all interceptors of a country would do to a raid with these escorts."""
    met = state.war.interceptors[country.area]
    means = _met(state, data, country, replace(raid, escorts=most), met)
    stopped = f"{means.bombers:.1f} bombers shot down and {means.turned:.1f} turned back"
    lost = f"{means.escorts:.1f} escorts and {means.interceptors:.1f} interceptors lost"
    return OptionInfo(f"all {most}, if all {met} interceptors meet it: {stopped} on average, {lost}")


def _met(state: WarState, data: Data, country: Country, raid: Raid, met: int) -> Fought:
    net = total(interception_lines(state, data, country))
    attacker, defender, _ = air_strengths(raid.bombers, 0, raid.escorts, 0, met, 0)
    return fight_mean(data.air, attacker, defender, net, raid.bombers, raid.escorts, met)


def selection_odds(table: T, decision: Decision, chosen: Sequence[Option]) -> Mapping[str, str]:
    """Describe what the factors and points chosen for each option do, by the keys of its places on the chart."""
    words = dict[str, str]()
    for option in {one.key: one for one in chosen}.values():
        count = sum(one.key == option.key for one in chosen)
        text = _chosen(table.state, table.data, decision.piece_key or "", option.value, count)
        if text:
            places = [city_place(option.key.rpartition("-")[2])] if isinstance(option.value, Aim | Raid) else []
            words |= dict.fromkeys([option.key, *places], text)
    return words


def _chosen(state: WarState, data: Data, asked: str, value: Any, count: int) -> str:
    """Return the mean result of this many factors or points; empty where nothing is rolled for them."""
    what, _, where = asked.partition("-")
    if what == "raid":
        means = _bombs(state, data, COUNTRIES[where], value, count)
        done = f"{means.steps:.1f} steps, {means.points:.1f} resources"
        return f"unopposed: {done}; {means.lost:.1f} lost, {means.turned:.1f} damaged"
    if what == "meet":
        fought = _met(state, data, COUNTRIES[where], value, count)
        return f"{fought.bombers:.1f} shot down, {fought.turned:.1f} turned back, {fought.interceptors:.1f} own lost"
    if what == "escort":
        country = COUNTRIES[where]
        fought = _met(state, data, country, replace(value, escorts=count), state.war.interceptors[where])
        return f"if met by all: {fought.bombers:.1f} shot down, {fought.turned:.1f} turned back"
    if what != "build":
        return ""
    if value.fleet is not None:
        now, then = (mean(state, data, CAMPAIGNS[value.fleet], boats=boats) for boats in (0, count))
        return (
            f"{count} more: {more_of(then.merchants - now.merchants)} ships sunk, {more_of(then.lost - now.lost)} lost"
        )
    if value.item == "research":
        power = state.war.powers[value.nation]
        chance = chance_of_level(data, power.points.get(value.project, 0) + count)
        return f"level {power.levels.get(value.project, 0) + 1}: {percent(chance)}"
    campaigns = _against(state, value.nation, value.sea) if value.item == "escort" else []
    if not campaigns:
        return ""
    now, then = (_sums(state, data, campaigns, escorts) for escorts in (0, count))
    return f"{count} more: {more_of(then.lost - now.lost)} submarines sunk"


def odds_now(table: T, decision: Decision | None) -> list[FilledQuery]:
    """Return the odds of the raids that a decision is about, and of the submarine campaigns under way, as they are."""
    raids = _raids_now(table, decision) if decision is not None else []
    return [*raids, *_campaigns_now(table.state, table.data)]


def _raids_now(table: T, decision: Decision) -> list[FilledQuery]:
    """[SW.10] Return the odds of raids: by all bombers and unopposed, with all escorts, or met by all interceptors."""
    what, _, area = (decision.piece_key or "").partition("-")
    if what not in ("raid", "escort", "meet") or not decision.at_most:
        return []
    country, war, most, advantage = COUNTRIES[area], table.state.war, decision.at_most, "neither"
    if what == "raid":
        raids = [(Raid(option.value.key, most), 0) for option in decision.values]
    elif what == "escort":
        raids = [(replace(option.value, escorts=most), war.interceptors[area]) for option in decision.values]
    else:
        raids = [(option.value, most) for option in decision.values]
        advantage = known_advantage(table.state, area)
    return [_raid_now(table.state, table.data, country, each, defenders, advantage) for each, defenders in raids]


def _raid_now(state: WarState, data: Data, country: Country, raid: Raid, defenders: int, advantage: str) -> FilledQuery:
    aim = state.war.aim(raid.target)
    counts = {"bombers": raid.bombers, "escorts": raid.escorts, "defenders": defenders, "steps": aim.left}
    parts = {part.key: aim.parts.get(part.title, 0) for part in data.modifiers.strength}
    inputs = {
        "theater": country.by,
        **{key: str(count) for key, count in {**counts, **parts}.items()},
        **bombing_inputs(state, data, country, aim),
        "codebreaking": advantage,
        **_rulings(state, "bombing_results", "heavy"),
    }
    return FilledQuery(capitalize_first(aim.name), "bombing", inputs)


def _rulings(state: WarState, *keys: str) -> dict[str, str]:
    return {key: str(getattr(state.rulings, key)) for key in keys}


def _campaigns_now(state: WarState, data: Data) -> list[FilledQuery]:
    rulings = _rulings(state, "submarine_results", "excess", "heavy")
    return [
        FilledQuery(
            campaign.title,
            campaign.scope,
            {
                "by": campaign.by,
                "submarines": str(state.war.submarines[fleet].ready),
                "escorts": str(state.war.oceans[campaign.sea].escorts),
                "merchants": str(state.war.oceans[campaign.sea].merchants),
                **submarine_inputs(state, data, campaign),
                **rulings,
            },
        )
        for fleet, campaign in CAMPAIGNS.items()
        if fleet in state.war.rounds
    ]


def more_of(change: float) -> str:
    """Return a change with its sign.

    >>> more_of(0.84), more_of(0.0), more_of(-0.3)
    ('+0.8', '+0.0', '−0.3')
    """
    return f"{change:+.1f}".replace("-", "−")


def _against(state: WarState, nation: str, sea: str) -> list[Campaign]:
    rounds = state.war.rounds
    return [each for each in CAMPAIGNS.values() if each.sea == sea and each.defender == nation and each.fleet in rounds]


def _sums(state: WarState, data: Data, campaigns: list[Campaign], escorts: int = 0) -> Mean:
    means = [mean(state, data, each, escorts=escorts) for each in campaigns]
    return Mean(*(sum(column) for column in zip(*means, strict=True))) if means else Mean(0, 0, 0, 0, 0)
