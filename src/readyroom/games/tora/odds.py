"""What the dice of the battle do, and its exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from readyroom.engine.checks import Cascade, Check, Fire, mean_hits, percent, volley_odds
from readyroom.engine.decisions import Hint
from readyroom.engine.errors import BadQuestion, UnknownOption
from readyroom.engine.game import OddsAnswer, OddsQuestion
from readyroom.games.tora.figures import PRESETS, Category, Data
from readyroom.games.tora.plan import Ordnance
from readyroom.games.tora.state import Tora

MOST = 100
"""More dice than anybody throws at once."""


@lru_cache(maxsize=32)
def scoring(at_least: int) -> Fire:
    """Dice that score on so much or more."""
    return Fire(at_least=at_least)


@lru_cache(maxsize=32)
def piercing(at_least: int, again: int) -> Fire:
    """[11.5] Dice that score on so much or more, and are thrown again on their highest face (T1)."""
    return Cascade(at_least=at_least, again=again, best=1, further=1, further_at=at_least)


def in_the_air(data: Data, type: str) -> Fire:
    """[3.3, 9.1] What each aircraft of a type does in a fight in the air."""
    return scoring(data.air.types[type].hit)


def from_the_air(data: Data, bomber_hit: int, ordnance: Ordnance) -> Fire:
    """[9.1, 9.2, 9.3, 11.1] What each aircraft does to what is below it, by its ordnance (T1)."""
    if ordnance is Ordnance.NONE:
        return scoring(data.combat.strafing.hit)
    return piercing(bomber_hit, data.combat.piercing.again) if ordnance is Ordnance.AP else scoring(bomber_hit)


def gun_dice(state: Tora, data: Data, category: Category) -> int:
    """[5.6, 5.7] The dice that a ship or battery throws by its alert."""
    levels = state.usa.levels
    assert levels is not None
    return data.planning.readiness.aaa_dice[levels.of(category) - 1]


def yard_dice(state: Tora, data: Data) -> int:
    """[12.2] The dice that a yard token throws by the batteries' alert."""
    levels = state.usa.levels
    assert levels is not None
    return data.planning.readiness.yard_dice[levels.aaa - 1]


def expected(dice: int, fire: Fire) -> float:
    """The expected hits of some dice."""
    return float(dice * mean_hits(fire))


def chance(dice: int, fire: Fire, hits: int) -> Fraction:
    """The exact chance that some dice score so many hits or more."""
    return Fraction(1) if hits <= 0 else volley_odds(dice, fire, hits)[-1]


def strike_hint(dice: int, fire: Fire, left: int, end: str) -> Hint:
    """What so many dice may do to a target that stands so many hits more: its end, and any hit at all."""
    hits, ends = expected(dice, fire), percent(chance(dice, fire, left))
    note = f"{dice} dice, {hits:.1f} hits expected; {end} by {left} more: {ends}; any hit"
    return Hint(note, float(chance(dice, fire, 1)))


def questions(data: Data) -> Mapping[str, OddsQuestion]:
    """The questions that `readyroom odds tora` answers."""
    return {
        "bombing": OddsQuestion(
            "Aircraft against what is below them",
            {"ordnance": "ap", "planes": "4", "preset": "prose", "hits": "2"},
            lambda asked: _bombing(data, asked),
        ),
        "dogfight": OddsQuestion(
            "A unit in the air", {"type": "zero", "planes": "4"}, lambda asked: _dogfight(data, asked)
        ),
        "guns": OddsQuestion(
            "Guns of ships and batteries", {"alert": "1", "guns": "1"}, lambda asked: _guns(data, asked)
        ),
        "yard": OddsQuestion("Fire from the yard", {"alert": "1"}, lambda asked: _yard(data, asked)),
        "radar": OddsQuestion("The radar works", {}, lambda asked: _radar(data)),
        "luck": OddsQuestion("Cards of luck", {"cards": "5", "black": "2"}, lambda asked: _luck(data, asked)),
    }


def _bombing(data: Data, asked: Mapping[str, str]) -> OddsAnswer:
    """[11.1, 11.5, 11.7] A unit, or several, against one target."""
    loads = {load.value: load for load in Ordnance}
    if asked["ordnance"] not in loads:
        raise UnknownOption(asked["ordnance"], loads, where="ordnance=")
    if asked["preset"] not in PRESETS:
        raise UnknownOption(asked["preset"], PRESETS, where="preset=")
    planes, hits = number(asked, "planes"), number(asked, "hits")
    fire = from_the_air(data, data.ships.preset[asked["preset"]].bomber_hit, loads[asked["ordnance"]])
    rows = [(_or_more(count), chance(planes, fire, count)) for count in range(1, max(hits, 1) + 1)]
    return OddsAnswer(f"{planes} aircraft, {asked['ordnance']}", "11.1", rows, planes * mean_hits(fire))


def _dogfight(data: Data, asked: Mapping[str, str]) -> OddsAnswer:
    """[10.3] The hits of a unit in a dogfight."""
    if asked["type"] not in data.air.types:
        raise UnknownOption(asked["type"], data.air.types, where="type=")
    planes, fire = number(asked, "planes"), in_the_air(data, asked["type"])
    rows = [(_or_more(count), chance(planes, fire, count)) for count in range(1, planes + 1)]
    title = data.air.types[asked["type"]].title
    return OddsAnswer(f"{planes} aircraft: {title}", "10.3", rows, planes * mean_hits(fire))


def _guns(data: Data, asked: Mapping[str, str]) -> OddsAnswer:
    """[12.1] Some guns at one unit."""
    dice = data.planning.readiness.aaa_dice[_alert(data, asked) - 1] * number(asked, "guns")
    fire = scoring(data.combat.guns.hit)
    rows = [(_or_more(count), chance(dice, fire, count)) for count in range(1, 5)]
    return OddsAnswer(f"{asked['guns']} guns at alert {asked['alert']}", "12.1", rows, dice * mean_hits(fire))


def _yard(data: Data, asked: Mapping[str, str]) -> OddsAnswer:
    """[12.2] A yard token at one of its attackers: a hit or none."""
    dice = data.planning.readiness.yard_dice[_alert(data, asked) - 1]
    hit = chance(dice, scoring(data.combat.yard.hit), 1)
    return OddsAnswer(f"The yard at alert {asked['alert']}", "12.2", [("1 hit", hit)], hit)


def _radar(data: Data) -> OddsAnswer:
    works = Check("5.8", "radar", at_least=data.planning.search.radar_fails_to + 1)
    return OddsAnswer("The radar works on the day", "5.8", [("works", works.odds())])


def _luck(data: Data, asked: Mapping[str, str]) -> OddsAnswer:
    """[13.2, 13.3] The chance that no black card is among so many."""
    cards, black = number(asked, "cards"), number(asked, "black")
    safe = red_cards(cards, len(data.combat.luck.red_suits) * len(data.combat.luck.red_ranks), black)
    return OddsAnswer(f"{cards} cards, {black} of the deck black", "13.3", [("all red", safe)])


def red_cards(cards: int, red: int, black: int) -> Fraction:
    """[13.3] The chance that so many cards of a deck are all red."""
    safe = Fraction(1)
    for drawn in range(cards):
        safe *= Fraction(max(0, red - drawn), max(1, red + black - drawn))
    return safe


def _or_more(count: int) -> str:
    return f"{count} or more hit{'' if count == 1 else 's'}"


def _alert(data: Data, asked: Mapping[str, str]) -> int:
    alert = number(asked, "alert")
    if not data.planning.alert.base <= alert <= data.planning.alert.top:
        raise BadQuestion(f"alert goes from {data.planning.alert.base} to {data.planning.alert.top}, not {alert}.")
    return alert


def number(asked: Mapping[str, str], name: str) -> int:
    """A whole number from 0 to 100; `BadQuestion` otherwise."""
    if not asked[name].isdecimal() or int(asked[name]) > MOST:
        raise BadQuestion(f"{name} is a whole number from 0 to {MOST}, not {asked[name]!r}.")
    return int(asked[name])
