"""Exact odds of the game's attacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.checks import Check, Volley, percent, volley_odds
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.forms import FilledQuery, FormField, OddsQuery, OddsResult
from readyroom.engine.text import count_noun
from readyroom.games.midway.orders import Order
from readyroom.games.midway.state import (
    DIVE,
    FIGHTER,
    Carrier,
    CarrierCard,
    Combat,
    Data,
    Midway,
    Side,
    Squadron,
    T,
    known_carriers,
    total,
)

MOST = 100
"""More strength points than any side has."""
OTHER = "other"
"""A carrier that is in no scenario of the game."""


def strike_odds(combat: Combat, guns: int, dive: int, torpedo: int, cap: int) -> tuple[Fraction, ...]:
    """[12] Return the exact chances of 0, 1, … hits by a wave; the last entry is for `cap` hits or more.

    Args:
        combat: the figures of the attacks.
        guns: the carrier's anti-aircraft dice.
        dive: dive-bomber strength points in the wave.
        torpedo: torpedo-bomber strength points in the wave; losses are taken from these first.
        cap: the number of hits beyond which more make no difference.
    """
    ways, whole = _strike_ways(combat, guns, dive, torpedo, cap)
    return tuple(Fraction(way, whole) for way in ways)


# Chances are whole numbers of equally likely ways, because fractions are slow to add.


@lru_cache(maxsize=4096)
def _strike_ways(combat: Combat, guns: int, dive: int, torpedo: int, cap: int) -> tuple[list[int], int]:
    """[12] Return the ways to score 0, 1, … hits, and all ways."""
    shots, shot_whole = _weights(volley_odds(guns, combat.antiaircraft.fire, dive + torpedo))
    attacks = [
        _attack_ways(combat, max(0, dive - max(0, shot - torpedo)), max(0, torpedo - shot), cap)
        for shot in range(len(shots))
    ]
    whole = lcm(*(attack_whole for _, attack_whole in attacks))
    ways = [0] * (cap + 1)
    for shot_ways, (attack_ways, attack_whole) in zip(shots, attacks, strict=True):
        scale = shot_ways * (whole // attack_whole)
        for hits, way in enumerate(attack_ways):
            ways[hits] += scale * way
    return ways, shot_whole * whole


@lru_cache(maxsize=4096)
def _attack_ways(combat: Combat, dive: int, torpedo: int, cap: int) -> tuple[list[int], int]:
    """[12.4, 12.5] Return the ways to score hits by the points that flak has left, and all ways."""
    bombs, bomb_whole = _weights(volley_odds(dive, combat.dive.fire, cap))
    drops, drop_whole = _weights(volley_odds(torpedo, combat.torpedo.fire, cap))
    ways = [0] * (cap + 1)
    for (one, bomb_ways), (two, drop_ways) in product(enumerate(bombs), enumerate(drops)):
        ways[min(cap, one + two)] += bomb_ways * drop_ways
    return ways, bomb_whole * drop_whole


def _weights(odds: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return chances as whole numbers, and the number that stands for certainty."""
    whole = lcm(*(chance.denominator for chance in odds))
    return [chance.numerator * (whole // chance.denominator) for chance in odds], whole


@lru_cache(maxsize=8192)
def _chance_of(combat: Combat, guns: int, dive: int, torpedo: int, cap: int, hits: int) -> Fraction:
    """[16] Return the chance that a wave scores this many hits or more."""
    ways, whole = _strike_ways(combat, guns, dive, torpedo, cap)
    return Fraction(sum(ways[hits:]), whole)


def expected_hits(combat: Combat, guns: int, dive: int, torpedo: int) -> Fraction:
    """[12] Return the exact expected hits of a wave; losses are taken from torpedo bombers first."""
    mean = Fraction(0)
    for shot, chance in enumerate(volley_odds(guns, combat.antiaircraft.fire, dive + torpedo)):
        lost = min(shot, torpedo)
        bombs = Volley("12.4", "dive bombing", max(0, dive - (shot - lost)), combat.dive.fire)
        drops = Volley("12.5", "torpedo attack", torpedo - lost, combat.torpedo.fire)
        mean += chance * (bombs.mean() + drops.mean())
    return mean


def chances(data: Data, state: Midway, target: Carrier, bombers: Sequence[Squadron]) -> tuple[Fraction, Fraction]:
    """[16] Return the chances that a wave cripples or sinks the target, and that it sinks her."""
    dive = total(squadron for squadron in bombers if squadron.kind == DIVE)
    wave = data.combat, target.antiaircraft, dive, total(bombers) - dive, data.combat.damage.sink
    cripple, sink = max(0, state.cripple - target.damage), state.sink - target.damage
    return _chance_of(*wave, cripple), _chance_of(*wave, sink)


def by_number(data: Data, state: Midway, target: Carrier, bombers: Sequence[Squadron]) -> str:
    """[16] Describe the odds of the strongest third and two thirds of these bombers, then of all.

    The sentence ends where the chance follows that all of them put her out of action (or sink her, if crippled).
    """
    crippled = target.damage >= state.cripple
    strongest = sorted(bombers, key=lambda squadron: -squadron.strength)
    count = len(bombers)
    which = "the strongest " if strongest[0].strength > strongest[-1].strength else ""
    shares: list[str] = []
    for number in sorted({-(-count // 3), -(-2 * count // 3)} - {count}):
        hurt, sunk = chances(data, state, target, strongest[:number])
        named = f" squadron{'' if number == 1 else 's'}" if not shares else ""
        shares.append(f"by {which}{number}{named}: {percent(sunk if crippled else hurt)}")
    few = f"{'sunk' if crippled else 'crippled or sunk'} {', '.join(shares)}; " if shares else ""
    all_of_them = "this one" if count == 1 else "both" if count == 2 else f"all {count}"
    if crippled:
        return f"{few}with {all_of_them}: sunk"
    sunk = chances(data, state, target, bombers)[1]
    return f"{few}with {all_of_them}: sunk {percent(sunk)}, crippled or sunk"


def questions(data: Data) -> Mapping[str, OddsQuery]:
    """Return the questions of `readyroom odds midway`."""
    cards = known_carriers(data)

    def strike(inputs: Mapping[str, str]) -> OddsResult:
        return _strike_answer(data.combat, cards.get(inputs["carrier"]), inputs)

    def dogfight(inputs: Mapping[str, str]) -> OddsResult:
        dice = int(inputs["dice"])
        volley = Volley("11.3", "dogfight", dice, data.combat.dogfight.fire)
        return OddsResult(f"{dice} strength points in a dogfight", "11.3", _hits(volley, dice), volley.mean())

    def repair(inputs: Mapping[str, str]) -> OddsResult:
        ship = cards[inputs["carrier"]]
        check = Check("15", "repair", at_least=ship.repair)
        return OddsResult(f"{ship.name} repairs one point", "15", [("repaired", check.odds())])

    carriers, points = {key: card.name for key, card in cards.items()}, (0, MOST)
    named = {**carriers, OTHER: "another carrier"}
    return {
        "strike": OddsQuery(
            "Strike on a carrier",
            {
                "carrier": FormField("Carrier", "akagi", named),
                "dive": FormField("Dive-bomber strength points", whole=points),
                "torpedo": FormField("Torpedo-bomber strength points", whole=points),
                "damage": FormField("Existing damage", "0", whole=points),
                "guns": FormField("Anti-aircraft dice; empty: hers", whole=points),
            },
            strike,
            example={"dive": str(data.combat.deck.points), "torpedo": "0"},
        ),
        "dogfight": OddsQuery(
            "Fighter hits", {"dice": FormField("Fighter strength points", "10", whole=points)}, dogfight
        ),
        "repair": OddsQuery("Carrier repair", {"carrier": FormField("Carrier", "yorktown", carriers)}, repair),
    }


def _hits(volley: Volley, most: int) -> list[tuple[str, Fraction]]:
    return [(count_noun(hits, "hit"), chance) for hits, chance in enumerate(volley.odds(most))]


def _strike_answer(combat: Combat, target: CarrierCard | None, inputs: Mapping[str, str]) -> OddsResult:
    """[12] Answer for a wave against a carrier; without points it is a full deck of dive bombers."""
    dive, torpedo, damage = (int(inputs[name] or 0) for name in ("dive", "torpedo", "damage"))
    if not inputs["dive"] and not inputs["torpedo"]:
        dive = combat.deck.points
    cripple, sink = combat.damage.cripple, combat.damage.sink
    if damage >= sink:
        raise InvalidQuery(f"A carrier with damage {sink} has sunk. Enter a damage from 0 to {sink - 1}.")
    if not inputs["guns"] and target is None:
        raise InvalidQuery("Enter the anti-aircraft dice of this carrier, for example guns=6.")
    guns = int(inputs["guns"]) if inputs["guns"] or target is None else target.antiaircraft
    odds = strike_odds(combat, guns, dive, torpedo, sink)
    rows = [(f"{hits} or more hits", sum(odds[hits:], Fraction(0))) for hits in range(1, sink - damage + 1)]
    if damage < cripple:
        rows.append(("crippled or sunk", sum(odds[cripple - damage :], Fraction(0))))
    rows.append(("sunk", sum(odds[sink - damage :], Fraction(0))))
    hurt = f" with damage {damage}" if damage else ""
    title = f"{dive} dive and {torpedo} torpedo points against {target.name if target else 'a carrier'}{hurt}"
    note = "flak losses are taken from torpedo bombers first"
    flak = Volley("12.2", f"Anti-aircraft fire with {guns} dice", guns, combat.antiaircraft.fire)
    parts = [OddsResult(flak.name, "12.2", _hits(flak, min(guns, dive + torpedo)), flak.mean())] if guns else []
    return OddsResult(title, "12", rows, expected_hits(combat, guns, dive, torpedo), note, parts=parts)


def waves(decision: Decision, chosen: Sequence[Squadron | Order]) -> Mapping[str, list[Squadron]]:
    """[12.1] Return the squadrons that attack each carrier, by her key."""
    waves: dict[str, list[Squadron]] = {}
    for one in chosen:
        place, squadron = (one.place, one.squadron) if isinstance(one, Order) else (decision.piece_key, one)
        waves.setdefault(place, []).append(squadron)
    return waves


def odds_now(table: T, decision: Decision | None) -> list[FilledQuery]:
    """[11.3, 12, 17.2] Return the odds of an attack by all bombers, of a dogfight with all fighters, or of a search."""
    if decision is None:
        return []
    if decision.rule == "12.1":
        return [_strike_now(table, key, wave) for key, wave in waves(decision, decision.values).items()]
    if decision.rule == "12.3":
        return _attack_now(table, decision)
    if decision.rule == "14.1":
        return _repairs_now(table, decision)
    if decision.rule in ("11.1", "11.2"):
        return _dogfight_now(table, decision)
    return [FilledQuery("Search", "search", {})] if decision.rule == "17.1" else []


def _strike_now(table: T, key: str, wave: Sequence[Squadron], hits: int = 0) -> FilledQuery:
    """[12] Return a wave's attack; after `hits` by flak that of the rest, with losses of torpedo bombers first."""
    sides = table.state.japan, table.state.usa
    target = next(carrier for side in sides for carrier in side.carriers if carrier.key == key)
    dive = total(squadron for squadron in wave if squadron.kind == DIVE)
    torpedo = total(wave) - dive
    inputs = {
        "dive": dive - max(0, hits - torpedo),
        "torpedo": max(0, torpedo - hits),
        "damage": target.damage,
        "guns": 0 if hits else target.antiaircraft,
    }
    carrier = key if key in known_carriers(table.data) else OTHER
    return FilledQuery(target.name, "strike", {"carrier": carrier, **{name: str(n) for name, n in inputs.items()}})


def _attack_now(table: T, decision: Decision) -> list[FilledQuery]:
    """[12.3] Return the attack after these losses."""
    side, struck = _side_of(table, decision), decision.values
    waves = [(key, wave) for key, wave in side.attacking.items() if struck and struck[0] in wave]
    return [_strike_now(table, key, wave, decision.at_least) for key, wave in waves]


def _repairs_now(table: T, decision: Decision) -> list[FilledQuery]:
    """[15] Return the repairs that follow."""
    known = known_carriers(table.data)
    return [
        FilledQuery(f"Repair of {carrier.name}", "repair", {"carrier": carrier.key})
        for carrier in table.state.afloat(_side_of(table, decision))
        if carrier.damage and carrier.key in known and known[carrier.key].repair == carrier.repair
    ]


def _side_of(table: T, decision: Decision) -> Side:
    return next(side for side in (table.state.japan, table.state.usa) if decision.seat in side.seats)


def _dogfight_now(table: T, decision: Decision) -> list[FilledQuery]:
    ready = table.state.enemy(_side_of(table, decision)).ready
    escorts = [squadron for squadron in ready if squadron.kind == FIGHTER]
    fighters = {"Your CAP": decision.values, "Escorts": escorts}
    return [FilledQuery(who, "dogfight", {"dice": str(total(some))}) for who, some in fighters.items() if some]
