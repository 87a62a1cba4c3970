"""[doctrine] How the captain flies: with kind winds, to the city that is found most surely, and to China."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.checks import Check
from readyroom.engine.decisions import Decision, Option
from readyroom.games.doolittle.bots.answers import Answer, all_of_them, chance, likeliest, prefer
from readyroom.games.doolittle.flight.view import FlightView
from readyroom.games.doolittle.view import DoolittleView

WEST, STAY = "west", "stay"
SURE = 0.45
"""With less than this chance the wind is not tried."""
SPARE = 2
"""With less fuel than this nothing is tried that may cost some, and the first landing site is looked for."""
LOST_TIME = 0.1
"""What it is worth not to change the target."""
FRESH = 1.4
"""How much a city that no one has bombed is preferred: its guns sleep, and it counts by itself."""
FAR = ("vladivostok", "korea")
"""Landing sites that are no way home."""


def answers() -> dict[str, Answer]:
    """Return the answers to the decisions of the flight, by rule."""
    return {
        "7.1.2": prefer("together"),
        "8.1.1": _moves,
        "8.1.2": _moves,
        "8.1.4": _second,
        "8.2.1": _wind,
        "8.2.2": _wind,
        "2.3.4": prefer("conserve"),
        "8.3.7.E": likeliest,
        "8.3.7.H": _interceptor,
        "15.2": all_of_them,
    }


def _flight(decision: Decision, table: DoolittleView) -> FlightView:
    return next(one for one in table.sky.flights if one.key == decision.piece_key)


def _goals(decision: Decision) -> list[Option]:
    return [one for one in decision.options if one.key.startswith("look-") and one.key[5:] not in FAR]


def _best(options: Sequence[Option], table: DoolittleView) -> Option:
    """[8.1.4] Return the goal that is found most surely; a site also by its landing number."""
    sites = {site.key: site for site in table.sky.sites}

    def good(option: Option) -> float:
        goal = option.key.partition("-")[2]
        if goal in sites:
            return chance(option) * _lands(sites[goal].landing)
        return chance(option) * (FRESH if not table.targets[goal].tally else 1.0)

    return max(options, key=good)


def _lands(number: int) -> float:
    """[14.1.1] Return the value of a landing: one for the crew, and more for a bomber that lands well."""
    return 1 + 2 * float(Check("", "", dice=2, at_least=number).odds())


def _moves(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[8.1.1, 8.1.2] Look for a city over Japan, and for a site over China once fuel is low; else fly on, low."""
    goals, flight = _goals(decision), _flight(decision, table)
    if goals and (WEST not in decision.keys or flight.fuel < SPARE or _last(goals, table)):
        return [_best(goals, table).key]
    return [next(key for key in (WEST, STAY, *decision.keys) if key in decision.keys)]


def _last(goals: Sequence[Option], table: DoolittleView) -> bool:
    """Return whether the best fields are in reach: three of them, or the last."""
    sites = {site.key: site for site in table.sky.sites}
    return len(goals) >= 3 or any(one.key[5:] in sites and sites[one.key[5:]].landing <= 4 for one in goals)


def _wind(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[8.2.1, 8.2.2] Look for a city or a site with a fair chance; fly on with enough fuel."""
    flight = _flight(decision, table)
    if "go" in decision.keys:
        return ["go" if flight.fuel >= SPARE else STAY]
    goals = _goals(decision)
    if goals and (STAY not in decision.keys or chance(_best(goals, table)) >= SURE / 2):
        return [_best(goals, table).key]
    west = next((one for one in decision.options if one.key == WEST), None)
    if west is not None and (STAY not in decision.keys or (chance(west) >= SURE and flight.fuel >= SPARE)):
        return [WEST]
    return [STAY if STAY in decision.keys else decision.keys[0]]


def _second(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[8.1.4] Persist unless another goal is found much more surely; re-roll where that may help."""
    if "keep" in decision.keys:
        return likeliest(decision, table)
    able = [one for one in decision.options if one.key.partition("-")[2] not in FAR]
    return [max(able, key=lambda one: chance(one) + LOST_TIME * (one.key == "persist")).key]


def _interceptor(decision: Decision, table: DoolittleView) -> Sequence[str]:
    """[8.3.7.H] Let a damaged bomber elude; another takes the interceptor."""
    hurt = table.bomber(decision.piece_key or "").hits
    return ["elude" if hurt and "elude" in decision.keys else "take"]
