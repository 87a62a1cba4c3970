"""[doctrine] How the captain flies: with kind winds, to the city that is found most surely, and to China."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from readyroom.engine.rules.checks import Check
from readyroom.engine.rules.decisions import Decision, Option
from readyroom.games.doolittle.bots.answers import Answer, chance_of, choose_all, choose_likeliest, prefer
from readyroom.games.doolittle.bots.policy import Policy
from readyroom.games.doolittle.flight.view import FlightView
from readyroom.games.doolittle.view import DoolittleView

WEST, STAY = "west", "stay"
LOST_TIME = 0.1
"""What it is worth not to change the target."""
FAR = ("vladivostok", "korea")
"""Landing sites that are no way home."""


def answers(policy: Policy) -> dict[str, Answer]:
    """Return the answers to the decisions of the flight, by rule."""
    return {
        "7.1.2": prefer("together"),
        "8.1.1": partial(_choose_move, policy),
        "8.1.2": partial(_choose_move, policy),
        "8.1.4": _choose_second_attempt,
        "8.2.1": partial(_act_in_wind, policy),
        "8.2.2": partial(_act_in_wind, policy),
        "2.3.4": prefer("conserve"),
        "8.3.7.E": choose_likeliest,
        "8.3.7.H": _meet_interceptor,
        "15.2": choose_all,
    }


def _flight_of(decision: Decision, table: DoolittleView) -> FlightView:
    return next(one for one in table.sky.flights if one.key == decision.piece_key)


def _goal_views(decision: Decision) -> list[Option]:
    return [one for one in decision.options if one.key.startswith("look-") and one.key[5:] not in FAR]


def _best_goal(policy: Policy, options: Sequence[Option], table: DoolittleView) -> Option:
    """[8.1.4] Return the goal that is found most surely; a site also by its landing number."""
    sites = {site.key: site for site in table.sky.sites}

    def good(option: Option) -> float:
        goal = option.key.partition("-")[2]
        if goal in sites:
            return chance_of(option) * _landing_value(sites[goal].landing)
        return chance_of(option) * (policy.fresh if not table.targets[goal].tally else 1.0)

    return max(options, key=good)


def _landing_value(number: int) -> float:
    """[14.1.1] Return the value of a landing: one for the crew, and more for a bomber that lands well."""
    return 1 + 2 * float(Check("", "", dice=2, at_least=number).odds())


def _choose_move(policy: Policy, decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[8.1.1, 8.1.2] Look for a city over Japan, and for a site over China once fuel is low; else fly on, low."""
    goals, flight = _goal_views(decision), _flight_of(decision, table)
    if goals and (WEST not in decision.keys or flight.fuel < policy.spare or _is_near_best_fields(goals, table)):
        return [_best_goal(policy, goals, table).key]
    return [next(key for key in (WEST, STAY, *decision.keys) if key in decision.keys)]


def _is_near_best_fields(goals: Sequence[Option], table: DoolittleView) -> bool:
    """Return whether the best fields are in reach: three of them, or the last."""
    sites = {site.key: site for site in table.sky.sites}
    return len(goals) >= 3 or any(one.key[5:] in sites and sites[one.key[5:]].landing <= 4 for one in goals)


def _act_in_wind(policy: Policy, decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[8.2.1, 8.2.2] Look for a city or a site with a fair chance; fly on with enough fuel."""
    flight = _flight_of(decision, table)
    if "go" in decision.keys:
        return ["go" if flight.fuel >= policy.spare else STAY]
    goals = _goal_views(decision)
    if goals and (STAY not in decision.keys or chance_of(_best_goal(policy, goals, table)) >= policy.sure / 2):
        return [_best_goal(policy, goals, table).key]
    west, able = next((one for one in decision.options if one.key == WEST), None), flight.fuel >= policy.spare
    if west is not None and (STAY not in decision.keys or (able and chance_of(west) >= policy.sure)):
        return [WEST]
    return [STAY if STAY in decision.keys else decision.keys[0]]


def _choose_second_attempt(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[8.1.4] Persist unless another goal is found much more surely; re-roll where that may help."""
    if "keep" in decision.keys:
        return choose_likeliest(decision, table)
    able = [one for one in decision.options if one.key.partition("-")[2] not in FAR]
    return [max(able, key=lambda one: chance_of(one) + LOST_TIME * (one.key == "persist")).key]


def _meet_interceptor(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[8.3.7.H] Let a damaged bomber elude; another takes the interceptor."""
    hurt = table.bomber(decision.piece_key or "").hits
    return ["elude" if hurt and "elude" in decision.keys else "take"]
