"""The dice of the battle, and its exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, partial

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.checks import Cascade, Check, Fire, mean_hits, percent, volley_odds
from readyroom.engine.rules.decisions import OptionInfo
from readyroom.engine.rules.forms import FormField, OddsQuery, OddsResult
from readyroom.engine.text import agree, capitalize_first
from readyroom.games.tora.figures import PRESETS, Category, Data
from readyroom.games.tora.plans.data import ORDNANCE_TITLES, Ordnance
from readyroom.games.tora.state import Tora

BLACK = 2
"""[13.2] The most black cards in the deck."""
MOST = 60
"""More dice than any roll has."""


@lru_cache(maxsize=32)
def scoring(at_least: int) -> Fire:
    """Return dice that score on this number or more."""
    return Fire(at_least=at_least)


@lru_cache(maxsize=32)
def piercing(at_least: int, again: int) -> Fire:
    """[11.5] Return dice that score on this number or more, with a re-roll on their highest face (T1)."""
    return Cascade(at_least=at_least, again=again, best=1, further=1, further_at=at_least)


def in_the_air(data: Data, type: str) -> Fire:
    """[3.3, 9.1] Return the fire of each aircraft of a type in a dogfight."""
    return scoring(data.air.types[type].hit)


def from_the_air(data: Data, bomber_hit: int, ordnance: Ordnance) -> Fire:
    """[9.1, 9.2, 9.3, 11.1] Return the fire of each aircraft at a target below, by ordnance (T1)."""
    if ordnance is Ordnance.NONE:
        return scoring(data.combat.strafing.hit)
    return piercing(bomber_hit, data.combat.piercing.again) if ordnance is Ordnance.AP else scoring(bomber_hit)


def gun_dice(state: Tora, data: Data, category: Category) -> int:
    """[5.6, 5.7] Return the dice that a ship or battery rolls by its alert level."""
    return data.planning.readiness.aaa_dice[state.usa.alert(category) - 1]


def yard_dice(state: Tora, data: Data) -> int:
    """[12.2] Return the dice that a yard token rolls by the batteries' alert level."""
    return data.planning.readiness.yard_dice[state.usa.alert("aaa") - 1]


def radar_test(data: Data) -> Check:
    """[5.8] Return the check whether the radar works on the day."""
    return Check("5.8", "radar", at_least=data.planning.search.radar_fails_to + 1)


def expected(dice: int, fire: Fire) -> float:
    """Return the expected hits of some dice."""
    return float(dice * mean_hits(fire))


def chance(dice: int, fire: Fire, hits: int) -> Fraction:
    """Return the exact chance of at least this many hits."""
    return Fraction(1) if hits <= 0 else volley_odds(dice, fire, hits)[-1]


def strike_hint(dice: int, fire: Fire, left: int, end: str) -> OptionInfo:
    """Describe the odds against a target that has `left` hits left: its end, and any hit at all."""
    hits, ends = expected(dice, fire), percent(chance(dice, fire, left))
    note = f"{dice} dice, {hits:.1f} expected hits; {end} by {left} more: {ends}; any hit"
    return OptionInfo(note, float(chance(dice, fire, 1)))


LOADS = {load.value: capitalize_first(title) for load, title in ORDNANCE_TITLES.items()}
"""Ordnance choices; Zeros without any strafe."""


def questions(data: Data) -> Mapping[str, OddsQuery]:
    """Return the questions of `readyroom odds tora`."""
    dice, alert = (0, MOST), data.planning.alert
    presets = {preset: preset.title() for preset in PRESETS}
    types = {key: each.title for key, each in data.air.types.items()}
    level = FormField("Alert level", str(alert.base), whole=(alert.base, alert.top))
    planes = FormField("Aircraft strength points", "4", whole=dice)
    return {
        "bombing": OddsQuery(
            "Bombing and strafing",
            {
                "ordnance": FormField("Ordnance", "ap", LOADS),
                "planes": planes,
                "preset": FormField("Hit numbers and strengths", "prose", presets),
                "hits": FormField("Hits needed", "2", whole=dice),
            },
            partial(_bombing, data),
        ),
        "dogfight": OddsQuery(
            "Dogfight", {"type": FormField("Aircraft", "zero", types), "planes": planes}, partial(_dogfight, data)
        ),
        "guns": OddsQuery(
            "Anti-aircraft fire",
            {"alert": level, "guns": FormField("Ships and batteries firing", "1", whole=dice)},
            partial(_guns, data),
        ),
        "yard": OddsQuery("Small-arms fire from the yard", {"alert": level}, partial(_yard, data)),
        "radar": OddsQuery("Radar test", {}, partial(_radar, data)),
        "luck": OddsQuery(
            "Luck cards",
            {
                "cards": FormField("Cards drawn", "5", whole=(0, _red(data) + BLACK)),
                "black": FormField("Black cards in the deck", "2", whole=(0, BLACK)),
                "drawn": FormField("Red cards drawn before", "0", whole=(0, _red(data))),
            },
            partial(_luck, data),
        ),
    }


def _bombing(data: Data, inputs: Mapping[str, str]) -> OddsResult:
    """[11.1, 11.5, 11.7] Return the hits of bombers or strafing Zeros on one target."""
    planes, hits = int(inputs["planes"]), int(inputs["hits"])
    fire = from_the_air(data, data.ships.preset[inputs["preset"]].bomber_hit, Ordnance(inputs["ordnance"]))
    rows = _hits(planes, fire, max(hits, 1))
    return OddsResult(f"{planes} aircraft: {LOADS[inputs['ordnance']]}", "11.1", rows, planes * mean_hits(fire))


def _dogfight(data: Data, inputs: Mapping[str, str]) -> OddsResult:
    """[10.3] Return the hits of a unit in a dogfight."""
    planes, fire, title = int(inputs["planes"]), in_the_air(data, inputs["type"]), data.air.types[inputs["type"]].title
    rows = _hits(planes, fire, max(planes, 1))
    return OddsResult(f"{planes} aircraft: {title}", "10.3", rows, planes * mean_hits(fire))


def _guns(data: Data, inputs: Mapping[str, str]) -> OddsResult:
    """[12.1] Return the hits of guns on one unit."""
    dice = data.planning.readiness.aaa_dice[int(inputs["alert"]) - 1] * int(inputs["guns"])
    fire = scoring(data.combat.guns.hit)
    rows = _hits(dice, fire, 4)
    return OddsResult(f"{inputs['guns']} guns at alert {inputs['alert']}", "12.1", rows, dice * mean_hits(fire))


def _yard(data: Data, inputs: Mapping[str, str]) -> OddsResult:
    """[12.2] Return the chance that a yard token hits one of its attackers."""
    dice = data.planning.readiness.yard_dice[int(inputs["alert"]) - 1]
    hit = chance(dice, scoring(data.combat.yard.hit), 1)
    return OddsResult(f"The yard at alert {inputs['alert']}", "12.2", [("1 hit", hit)], hit)


def _radar(data: Data, inputs: Mapping[str, str]) -> OddsResult:
    return OddsResult("The radar works on the day", "5.8", [("works", radar_test(data).odds())])


def _luck(data: Data, inputs: Mapping[str, str]) -> OddsResult:
    """[13.2, 13.3] Return the chance that no black card is drawn."""
    cards, black = int(inputs["cards"]), int(inputs["black"])
    red = _red(data) - int(inputs["drawn"])
    if cards > red + black:
        raise InvalidQuery(f"Enter at most {red + black} cards; the deck has no more.")
    safe = red_cards(cards, red, black)
    return OddsResult(f"{cards} cards, {black} of the deck black", "13.3", [("all red", safe)])


def _red(data: Data) -> int:
    """[13.2] Return the number of red cards in the deck."""
    return len(data.combat.luck.red_suits) * len(data.combat.luck.red_ranks)


def red_cards(cards: int, red: int, black: int) -> Fraction:
    """[13.3] Return the chance that all cards drawn are red."""
    safe = Fraction(1)
    for drawn in range(cards):
        safe *= Fraction(max(0, red - drawn), max(1, red + black - drawn))
    return safe


def _hits(dice: int, fire: Fire, most: int) -> list[tuple[str, Fraction]]:
    """Return the chances of at least 1, 2, … hits."""
    odds = volley_odds(dice, fire, most)
    counts = range(1, most + 1)
    return [(f"{count} or more {agree(count, 'hit', 'hits')}", sum(odds[count:], Fraction(0))) for count in counts]
