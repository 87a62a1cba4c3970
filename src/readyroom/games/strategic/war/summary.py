"""What a finished war comes to, in sentences and in figures for studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.state import Strategic
from readyroom.games.strategic.war.places import POWERS, SEAS, hunted, quarter
from readyroom.games.strategic.war.state import War
from readyroom.games.strategic.war.submarines import factors


def epilogue(state: Strategic, data: Data) -> Sequence[str]:
    """A few sentences on what each nation lost, and on the worst quarter at sea."""
    war = state.war
    told = [_lost(war, nation) for nation in POWERS]
    return [line for line in (*told, _crisis(war)) if line]


def _lost(war: War, nation: str) -> str:
    losses = war.powers[nation].losses
    found = [
        (losses.merchants, "merchant ships"),
        (losses.escorts, "escorts"),
        (losses.submarines, "submarines"),
        (losses.bombers, "bombers"),
        (losses.interceptors, "interceptors"),
    ]
    words = [f"{factors(count)} of {what}" for count, what in found if count]
    bombed = (
        f"; {losses.steps} steps and {losses.points} resource points were bombed"
        if losses.steps or losses.points
        else ""
    )
    return (
        f"{capitalize_first(POWERS[nation])} lost {', '.join(words) or 'no factors'}{bombed}."
        if words or bombed
        else ""
    )


def _crisis(war: War) -> str:
    """The quarter in which the most merchant ships were sunk in the ocean in which the most were."""
    seas = [sea for nation in POWERS for sea in hunted(war, nation)]
    totals = {sea: sum(mark.sunk.get(sea, 0) for mark in war.history) for sea in seas}
    worst = max(totals, key=lambda sea: totals[sea], default=None)
    if worst is None or not totals[worst]:
        return ""
    sunk = [mark.sunk.get(worst, 0) for mark in war.history]
    at = sunk.index(max(sunk))
    worst_of = f"The worst quarter in the {SEAS[worst]} was {quarter(war, at + 1)}, with {factors(sunk[at])} sunk"
    return f"{worst_of}; {factors(war.history[-1].merchants[worst])} of merchant ships were left at the end."


def counts(state: Strategic, data: Data) -> Mapping[str, float]:
    """Figures of a finished war, by title."""
    powers = state.war.powers
    allies, germany, japan = powers["allies"].losses, powers["germany"].losses, powers["japan"].losses
    return {
        "Allied merchant ships lost": allies.merchants,
        "Japanese merchant ships lost": japan.merchants,
        "Axis submarines lost": germany.submarines + japan.submarines,
        "American submarines lost": allies.submarines,
        "Steps bombed in Germany and Japan": germany.steps + japan.steps,
        "Resource points lost by the Axis": sum(each.points + each.excess for each in (germany, japan)),
        "Resource points lost by the Allies": allies.points + allies.excess,
        "Allied bombers lost": allies.bombers,
    }
