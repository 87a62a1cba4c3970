"""[doctrine] How the captain plans: a small squadron, tanks and a good sight, all talks in time, and few words."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.games.doolittle.bots.answers import Answer, chance_of, choose_any_of, choose_first
from readyroom.games.doolittle.view import DoolittleView

MONTHS = {"nimitz": "march", "stilwell": "february", "thompson": "never"}
"""When each diplomat is informed."""
BOMBERS = 18
"""The largest number of bombers that counts as a small squadron."""
FIT = ("radio-removed", "mark-twain", "propellers", "top-turret-improved", "fake-guns", "more-tanks")
"""What is done to the bombers, and below, to their lower turret."""
FIT_BELOW = "ventral-turret-removed"
MEASURES = ("quarantine", "no-wives")
LEVELS = {"hedgehopping": 1, "navigation": 2, "night-flying": 0, "thirty-caliber": 1, "fifty-caliber": 1}
EXTRA = ("extra-hedgehopping", "extra-navigation")
PLAN = {"rendezvous": "rendezvous-midway", "turn": "turn-5", "launch": "launch-defense-east"}
SUBMARINES = ("submarine-japan", "submarine-defense-west", "submarine-influence-west")
ENOUGH, GOOD = 14, 0.9
"""Enough bombers aboard, and enough certainty for a talk without another word."""
DILIGENCE = 4
RISK_WORTH = 0.04
"""What a point of risk is worth in chances of a talk."""


def answers() -> dict[str, Answer]:
    """Return the answers to the decisions of the planning, by rule."""
    return {
        "13.1.1": _fill_calendar,
        "13.1.2": lambda decision, table: decision.keys[:BOMBERS],
        "13.2": choose_first,
        "13.2.1": _choose_talk,
        "13.2.3": _supply_sites,
        "13.3.2": choose_any_of(*FIT, FIT_BELOW),
        "13.4.1": lambda decision, table: ["eglin"],
        "13.4.2": choose_any_of(*MEASURES),
        "13.4.3": _keep_morale,
        "13.4.4": lambda decision, table: [next((key for key in decision.keys if key in EXTRA), decision.keys[-1])],
        **dict.fromkeys(("13.4.5", "13.4.6", "13.4.7", "13.4.8"), _choose_level),
        "13.4.9": _train_short_deck,
        "13.5.1": _plan_as_in_1942,
        "13.5.2": _spare_bombers,
        "13.5.3": _use_crane,
        "13.5.5": _brief_last,
    }


def _fill_calendar(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.1.1] Send each diplomat in his month; put Doolittle on the telephone."""
    wanted = [f"{diplomat}-{month}" for diplomat, month in MONTHS.items()]
    return [next((key for key in decision.keys if key in (*wanted, "box-february")), decision.keys[0])]


def _choose_talk(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.2.1] Choose the surest talk, if each briefing is worth its risk."""

    def worth(option: Option) -> float:
        count = option.key.count("-") - 1 + ("stalin" in option.key or "chiang" in option.key)
        return chance_of(option) - RISK_WORTH * count

    return [max(decision.options, key=worth).key]


def _supply_sites(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.2.3] Prepare all sites; stock those with good landings, but not one alone."""
    sites = {site.key: site for site in table.sky.sites}
    if decision.keys[0].startswith("prepare-"):
        return decision.keys[:1]

    def good(key: str) -> tuple[int, int]:
        site = sites.get(key.partition("-")[2])
        return (site.landing, -len(site.zones or ())) if site else (99, 0)

    best = sorted(decision.keys, key=good)
    if decision.kind is DecisionKind.SOME:
        best = best[:2]
        return [best[number % len(best)] for number in range(decision.at_most)]
    crews = {site.key: site.groundcrew for site in table.notes.china}
    return [min(best, key=lambda key: crews.get(key.partition("-")[2], 9))]


def _keep_morale(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.4.3] Inform no one; take elite crewmen as they come."""
    if decision.kind is DecisionKind.SOME:
        return decision.keys[: decision.at_least]
    return ["keep" if "keep" in decision.keys else decision.keys[-1]]


def _choose_level(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.4.5 to 13.4.8] Train a little of everything."""
    number = LEVELS[decision.keys[0].rpartition("-")[0]]
    return [decision.keys[min(number, len(decision.keys) - 1)]]


def _train_short_deck(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.4.9] Train; add a die where few would come aboard; wreck and damage as few as possible."""
    if "train" in decision.keys:
        return ["train"]
    if "adjust" in decision.keys:
        return ["adjust" if table.notes.deck.capacity < ENOUGH else "enough"]
    return _spare_bombers(decision, table)


def _spare_bombers(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.4.9, 13.5.2, 13.5.3] Wreck damaged bombers first; damage those that are whole."""
    squad = {one.key: one for one in table.squad}
    sign = -1 if decision.keys[0].startswith("wrecked-") else 1

    def spared(key: str) -> tuple[int, int]:
        bomber = key.partition("-")[2]
        return sign * squad[bomber].hits, -list(squad).index(bomber)

    return sorted(decision.keys, key=spared)[: decision.at_least]


def _plan_as_in_1942(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.5.1] Plan as it was in 1942."""
    if decision.kind is DecisionKind.ALLOCATE:
        return [SUBMARINES[number % len(SUBMARINES)] for number in range(decision.at_least)]
    if decision.kind is DecisionKind.SOME:
        return decision.keys[-decision.at_least :]
    wanted = PLAN[decision.keys[0].partition("-")[0]]
    return [wanted if wanted in decision.keys else decision.keys[0]]


def _use_crane(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.5.3] Take some care; load whole bombers, each elite crewman on his own; repair the damaged ones."""
    offered = decision.keys[0]
    if offered.startswith("diligence-"):
        return [f"diligence-{DILIGENCE}"]
    if offered.startswith("aboard-"):
        sound = [key for key in decision.keys if not table.bomber(key.removeprefix("aboard-")).hits]
        return [*sound, *(key for key in decision.keys if key not in sound)][: decision.at_most]
    if offered.startswith("mend-"):
        return decision.keys[: decision.at_most]
    if "home" in decision.keys:
        return ["home"]
    return _spare_bombers(decision, table)


def _brief_last(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[13.5.5] Brief Nimitz if the force would otherwise be late."""
    wait = next(option for option in decision.options if option.key == "wait")
    return ["wait" if chance_of(wait) >= GOOD else "brief"]
