"""[doctrine] How the captain brings crews home, by air if the fuel may do, else on foot; and how to meet planes."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.decisions import Decision, Option
from readyroom.games.doolittle.bots.answers import Answer, all_of_them, chance, first
from readyroom.games.doolittle.view import DoolittleView

SURE = 0.35
"""With less than this chance to come to Chungking no one flies on."""
STRAIGHT = 0.75
"""With this chance no one lands on the way."""
GOAL, ENOUGH, WAIT, DAMAGE = "to-chungking", "enough", "wait", "-damage"
DOOLITTLE = ("taken-b01", "man-e01")
"""Who is given up last."""


def answers() -> dict[str, Answer]:
    """Return the answers to the decisions of the denouement and of airstrikes, by rule."""
    return {
        "2.3": first,
        "2.3.2": _repairs,
        "11.0.2": first,
        "11.1.1": all_of_them,
        "11.2": _launches,
        "11.3": lambda decision, table: ["high-cap"],
        "11.4.1": first,
        "11.4.3": _hit,
        "14.3.2": _hit,
        "14.4.1": _at_a_field,
        "14.4.2": _sets_out,
        "14.4.3": _where,
        "14.4.4": _given_up,
    }


def _repairs(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[2.3.2] Repair damage before all else."""
    damage = [key for key in decision.keys if key.endswith(DAMAGE)]
    return [*damage, *(key for key in decision.keys if key != WAIT)][:1]


def _launches(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[11.2] Launch the bombers if Japan is in reach."""
    return ["launch" if table.strike and table.strike.reach else "stay"]


def _hit(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[11.4.3, 14.3.2] Spare the carriers; sink a damaged ship, and damage one that is whole."""
    sinks = decision.rule == "14.3.2" and decision.at_least == 1

    def cost(option: Option) -> tuple[bool, bool]:
        note = option.info.note if option.info else ""
        return note.startswith("CV"), ("damaged" in note) != sinks

    return [option.key for option in sorted(decision.options, key=cost)][: decision.at_least]


def _at_a_field(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[14.4.1] Choose repairs, passengers and fuel."""
    first = decision.keys[0]
    if first.startswith("mend-"):
        return decision.keys[: decision.at_most]
    if first.startswith("fuel-"):
        return [_fuel(decision)]
    active = {one.key for one in table.squad if one.fate == "landed"}
    with_ = [key for key in decision.keys if key != ENOUGH]
    if ENOUGH not in decision.keys:
        own = f"with-{decision.piece_key}"
        return [own if own in with_ else with_[0]]
    walking = [key for key in with_ if key.removeprefix("with-") not in active]
    return walking[:1] or [ENOUGH]


def _fuel(decision: Decision) -> str:
    """[14.4.1] Take what is surely enough to the goal; else all there is."""
    sure = [option.key for option in decision.options if chance(option) == 1]
    return sure[0] if sure and "Chungking" in decision.question else decision.keys[-1]


def _sets_out(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[14.4.2] Let crews with a fair chance fly first; then all those on foot together."""
    if decision.keys[0].startswith("go-"):
        return decision.keys
    if decision.keys[0].startswith("mend-"):
        return decision.keys[:1]
    flying = [option for option in decision.options if option.key.startswith("fly-")]
    best = max(flying, key=chance, default=None)
    if best is not None and chance(best) >= SURE:
        return [best.key]
    walking = [key for key in decision.keys if not key.startswith("fly-")]
    return walking[:1] or [decision.keys[0]]


def _where(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[14.4.3] Go straight to the goal if that is likely; by air to a field with fuel, on foot the surest way."""
    options = {option.key: option for option in decision.options}
    if GOAL in options and chance(options[GOAL]) >= STRAIGHT:
        return [GOAL]
    if decision.piece_key:
        stocked = {f"to-{site.key}" for site in table.sky.sites if site.stock}
        likely = [option for key, option in options.items() if key in stocked]
        return [max(likely, key=chance).key if likely else GOAL]
    best = max(map(chance, options.values()))
    return [[key for key, option in options.items() if chance(option) == best][-1]]


def _given_up(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[14.4.4] Give up anyone before Doolittle."""
    return sorted(decision.keys, key=lambda key: key in DOOLITTLE)[: decision.at_least]
