"""[doctrine] How the captain brings crews home, by air if the fuel may last, else on foot; and meets airstrikes."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Decision, Option
from readyroom.games.doolittle.bots.answers import Answer, chance_of, choose_all, choose_first, spare
from readyroom.games.doolittle.view import DoolittleView

SURE = 0.35
"""With less than this chance to come to Chungking no one flies on."""
STRAIGHT = 0.75
"""With this chance no one lands on the way."""
GOAL, ENOUGH, WAIT, DAMAGE = "to-chungking", "enough", "wait", "-damage"
DOOLITTLE = ("taken-b01", "man-e01")
"""[14.4.4] Who is given up last."""


def answers() -> dict[str, Answer]:
    """Return the answers to the decisions of the denouement and of airstrikes, by rule."""
    return {
        "2.3": choose_first,
        "2.3.2": _prefer_repairs,
        "11.0.2": choose_first,
        "11.1.1": choose_all,
        "11.2": _launch_in_reach,
        "11.3": lambda decision, table: ["high-cap"],
        "11.4.1": choose_first,
        "11.4.3": _spare_carriers,
        "14.3.2": _spare_carriers,
        "14.4.1": _act_at_field,
        "14.4.2": _send_group,
        "14.4.3": _choose_route,
        "14.4.4": spare(*DOOLITTLE),
    }


def _prefer_repairs(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[2.3.2] Repair damage before all else."""
    damage = [key for key in decision.keys if key.endswith(DAMAGE)]
    return [*damage, *(key for key in decision.keys if key != WAIT)][:1]


def _launch_in_reach(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[11.2] Launch the bombers if Japan is in reach."""
    return ["launch" if table.strike and table.strike.reach else "stay"]


def _spare_carriers(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[11.4.3, 14.3.2] Spare the carriers; sink a damaged ship, and damage one that is whole."""
    sinks = decision.rule == "14.3.2" and decision.at_least == 1

    def cost(option: Option) -> tuple[bool, bool]:
        note = option.info.note if option.info else ""
        return note.startswith("CV"), ("damaged" in note) != sinks

    return [option.key for option in sorted(decision.options, key=cost)][: decision.at_least]


def _act_at_field(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[14.4.1] Choose repairs, passengers and fuel."""
    first = decision.keys[0]
    if first.startswith("mend-"):
        return decision.keys[: decision.at_most]
    if first.startswith("fuel-"):
        return [_take_fuel(decision)]
    active = {one.key for one in table.squad if one.fate == "landed"}
    with_ = [key for key in decision.keys if key != ENOUGH]
    if ENOUGH not in decision.keys:
        own = f"with-{decision.piece_key}"
        return [own if own in with_ else with_[0]]
    walking = [key for key in with_ if key.removeprefix("with-") not in active]
    return walking[:1] or [ENOUGH]


def _take_fuel(decision: Decision) -> str:
    """[14.4.1] Take what is surely enough to the goal; else all there is."""
    sure = [option.key for option in decision.options if chance_of(option) == 1]
    return sure[0] if sure and "Chungking" in decision.question else decision.keys[-1]


def _send_group(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[14.4.2] Let crews with a fair chance fly first; then all those on foot together."""
    if decision.keys[0].startswith("go-"):
        return decision.keys
    if decision.keys[0].startswith("mend-"):
        return decision.keys[:1]
    flying = [option for option in decision.options if option.key.startswith("fly-")]
    best = max(flying, key=chance_of, default=None)
    if best is not None and chance_of(best) >= SURE:
        return [best.key]
    walking = [key for key in decision.keys if not key.startswith("fly-")]
    return walking[:1] or [decision.keys[0]]


def _choose_route(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[14.4.3] Go straight to the goal if that is likely; by air to a field with fuel, on foot the surest way."""
    options = {option.key: option for option in decision.options}
    if GOAL in options and chance_of(options[GOAL]) >= STRAIGHT:
        return [GOAL]
    if decision.piece_key:
        stocked = {f"to-{site.key}" for site in table.sky.sites if site.stock}
        likely = [option for key, option in options.items() if key in stocked]
        return [max(likely, key=chance_of).key if likely else GOAL]
    best = max(map(chance_of, options.values()))
    return [[key for key, option in options.items() if chance_of(option) == best][-1]]
