"""The epilogue and the statistics of a finished war."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readyroom.engine.facts import FactValue
from readyroom.engine.game import Scenario
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.war.places import POWERS, hunted, in_sea, quarter
from readyroom.games.strategic.war.planning.building import PROJECTS
from readyroom.games.strategic.war.state import War, WarState
from readyroom.games.strategic.war.submarines import factors


def epilogue(state: WarState, data: Data) -> Sequence[str]:
    """Return sentences on each nation's losses and the worst quarter at sea."""
    war = state.war
    sentences = [*(_describe_losses(war, nation) for nation in POWERS), _describe_crisis(war)]
    return [sentence for sentence in sentences if sentence]


def _describe_losses(war: War, nation: str) -> str:
    losses = war.powers[nation].losses
    counts = {
        "merchant": losses.merchants,
        "escort": losses.escorts,
        "submarine": losses.submarines,
        "bomber": losses.bombers,
        "interceptor": losses.interceptors,
    }
    lost = ", ".join(factors(count, kind) for kind, count in counts.items() if count)
    hit = losses.steps or losses.points
    bombed = f"; bombing cost {losses.steps} steps and {losses.points} resources" if hit else ""
    return f"{capitalize_first(POWERS[nation])} lost {lost or 'no factors'}{bombed}." if lost or bombed else ""


def _describe_crisis(war: War) -> str:
    """Return the worst quarter of the ocean with the most merchant ships sunk."""
    seas = [sea for nation in POWERS for sea in hunted(war, nation)]
    totals = {sea: sum(mark.sunk.get(sea, 0) for mark in war.history) for sea in seas}
    worst = max(totals, key=lambda sea: totals[sea], default=None)
    if worst is None or not totals[worst]:
        return ""
    sunk = [mark.sunk.get(worst, 0) for mark in war.history]
    at = sunk.index(max(sunk))
    left = factors(war.history[-1].merchants[worst], "merchant")
    where, date = in_sea(worst), quarter(war, at + 1)
    return f"The worst quarter {where} was {date}, with {sunk[at]} merchant factors sunk; {left} remained at the end."


def counts(state: WarState, data: Data) -> Mapping[str, float]:
    """Return the statistics of a finished war, by title with the unit and the side that wants more."""
    powers = state.war.powers
    allies, germany, japan = powers["allies"].losses, powers["germany"].losses, powers["japan"].losses
    return {
        "Allied merchant factors sunk (more is better for the Axis)": allies.merchants,
        "Japanese merchant factors sunk (more is better for the Allies)": japan.merchants,
        "Axis submarine factors lost (more is better for the Allies)": germany.submarines + japan.submarines,
        "American submarine factors lost (more is better for the Axis)": allies.submarines,
        "Target steps bombed in Germany and Japan (more is better for the Allies)": germany.steps + japan.steps,
        "Resources lost by the Axis (more is better for the Allies)": sum(
            each.points + each.excess for each in (germany, japan)
        ),
        "Resources lost by the Allies (more is better for the Axis)": allies.points + allies.excess,
        "Allied bomber factors lost (more is better for the Axis)": allies.bombers,
    }


def facts(state: WarState, data: Data, scenario: Scenario) -> dict[str, FactValue]:
    """[SW.1, SW.6, SW.13] Return what is left in each ocean, submarines, levels, money and losses at the end."""
    war = state.war
    facts: dict[str, FactValue] = {}
    for sea, ocean in war.oceans.items():
        facts |= {
            f"escorts {sea}": ocean.escorts,
            f"carriers {sea}": ocean.carriers,
            f"merchants {sea}": ocean.merchants,
        }
    facts |= {f"submarines {fleet}": stack.whole for fleet, stack in war.submarines.items()}
    facts |= {f"bombers {area}": stack.whole for area, stack in war.bombers.items()}
    facts |= {f"interceptors {area}": left for area, left in war.interceptors.items()}
    for nation, power in war.powers.items():
        facts |= {f"level {nation} {project}": war.level(nation, project) for project in PROJECTS}
        facts |= {f"points {nation} {project}": power.points.get(project, 0) for project in PROJECTS}
        facts |= {f"money {nation}": power.money, f"merchants lost {nation}": power.losses.merchants}
        facts |= {f"submarines lost {nation}": power.losses.submarines, f"steps lost {nation}": power.losses.steps}
    return facts
