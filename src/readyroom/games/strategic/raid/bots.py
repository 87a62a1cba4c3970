"""[PH] Staffs that play the raid: the doctrine, which goes by the odds, and two others that do not doubt.

A staff sees only its seat's view. What it thinks with (how great a gain, how wide a spread) it works out from the
game's tables, as a player could.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import erf, sqrt
from random import Random
from typing import Any, NamedTuple

from readyroom.engine.data import load
from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, ViewFn
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.raid.odds import (
    air_factors,
    battle,
    fate,
    in_factors,
    losses,
    mean,
)
from readyroom.games.strategic.raid.second import LEAVE, STAY
from readyroom.games.strategic.raid.state import JAPAN, USA, Condition, Ship
from readyroom.games.strategic.raid.strike import ARMY, LIGHT, NAVAL

Shown = dict[str, Any]
Values = Sequence[float]
"""What 0, 1, 2 … squadrons on a target are worth."""

SPREAD, WIDER = 7.0, 3.0
"""How far a second strike's gain usually strays from what is expected, and how much more if carriers may come."""
CLOSE = 1e-9
PARKED = 1.7
"""In the first strike an aircraft on the ground counts for so many: it would fight in the second."""


@lru_cache(maxsize=1)
def figures() -> Data:
    """The game's own tables; a staff knows no others."""
    return load(Data, __name__.rpartition(".raid.")[0])


@dataclass(frozen=True)
class Manner:
    """How a staff plays: whether Japan stays (None: by the odds), whether Americans try to intercept, and its Magic.

    `magic` are the cards that each side plays, as parts of what it has, with the weight of each.
    """

    stays: bool | None
    tries: bool
    patrol: int
    magic: Mapping[str, Sequence[float]]


MANNERS = {
    "doctrine": Manner(None, True, 3, {JAPAN: (0.3, 0.3, 0.4), USA: (0.1, 0.2, 0.3, 0.4)}),
    "cautious": Manner(False, False, 0, {JAPAN: (0.0, 0.0, 1.0), USA: (0.0, 0.0, 0.0, 1.0)}),
    "all-in": Manner(True, True, 0, {JAPAN: (0.0, 0.0, 1.0), USA: (0.0, 0.0, 0.0, 1.0)}),
}
"""The staffs by name: the second always leaves and never seeks battle, the third always strikes again."""


class Staff:
    """One look at the table, as a staff thinks of it."""

    def __init__(self, view: Shown) -> None:
        self.table: Shown = view["table"]
        self.data = figures()
        self.score: Mapping[str, int] = self.table["figures"]["score"]
        self.first = not self.table["stays"]
        surprise = self.table["surprise"]
        self.disarray = bool(surprise and surprise["level"] >= surprise["disarray"])

    def net(self, *, at_sea: bool = False, second: bool = False) -> int:
        """[20.51] What is added to an attack on American ships."""
        rulings, nations = self.table["rulings"], self.table["figures"]["nations"]
        found = 0
        if at_sea:
            found += next(line.value for line in self.data.scope("naval") if line.key == "at-sea")
        elif self.first and not second:
            found += self.data.pearl.surprise.attack * (2 if rulings["surprise_bonus"] == "twice" else 1)
        if rulings["nationality"] != "even":
            found += nations["japan_air"] - nations["usa_naval"]
        return found

    def die(self, *, second: bool = False) -> tuple[int, int] | None:
        """[PH.9] The critical hit die, if it is thrown."""
        if not (self.disarray and self.first) or second:
            return None
        return int(self.table["rulings"]["critical"]), self.data.pearl.critical.effects

    def up(self) -> int:
        """[PH.5] The American air factors in the air."""
        return air_factors(self.table["army"]["up"], self.table["naval"]["up"], self.data)

    def hulls(self) -> list[Shown]:
        """The ships with a name that are in the harbor and afloat."""
        port = [ship for force in self.table["forces"] if force["port"] for ship in force["carriers"]]
        return [ship for ship in (*self.table["ships"], *port) if ship["condition"] != Condition.SUNK.value]


class Fight(NamedTuple):
    """What an attack on a ship hangs on: her size, kind and condition, what is added, and the critical hit die."""

    size: int
    carrier: bool
    hit: bool
    net: int
    die: tuple[int, int] | None


Price = tuple[int, int, int]
"""What a ship of size one scores sunk and damaged, and a carrier that is hit."""


@lru_cache(maxsize=512)
def ship_values(fight: Fight, price: Price, most: int) -> Values:
    """What 0, 1, … squadrons on a ship are expected to score."""
    ship = Ship("", "", fight.size, fight.carrier, Condition.DAMAGED if fight.hit else Condition.AFLOAT)
    sunk, damaged, carrier = price
    found = [0.0]
    for count in range(1, most + 1):
        ends = fate(ship, count, fight.net, figures().naval, fight.die)
        hit = ends.sunk + ends.damaged
        gain = ship.size * (sunk * ends.sunk + damaged * ends.damaged - (damaged * hit if ship.hit else 0))
        found.append(float((0 if ship.hit else carrier * hit) if ship.carrier else gain))
    return found


@lru_cache(maxsize=512)
def other_values(number: int, each: int, net: int, most: int) -> Values:
    """How many of so many light ships or aircraft 0, 1, … squadrons are expected to destroy."""
    found = (mean(losses(number, each, count, net, figures().naval)) for count in range(1, most + 1))
    return [0.0, *map(float, found)]


def _values_of(staff: Staff, shown: Shown, net: int, die: tuple[int, int] | None) -> Values:
    hit = shown["condition"] != Condition.AFLOAT.value
    price = (staff.score["sunk"], staff.score["damaged"], staff.score["carrier"])
    return ship_values(Fight(shown["size"], shown["carrier"], hit, net, die), price, staff.table["figures"]["most"])


def target_values(staff: Staff, *, second: bool = False) -> dict[str, Values]:
    """What each number of squadrons on each target is worth."""
    net, die, most = staff.net(second=second), staff.die(second=second), staff.table["figures"]["most"]
    found = {shown["key"]: _values_of(staff, shown, net, die) for shown in staff.hulls()}
    others = {LIGHT: (staff.table["light"]["left"], 1, float(staff.score["light"]))}
    if not second:
        grounded, worth = staff.data.pearl.grounded, staff.score["aircraft"] * PARKED
        others[ARMY] = staff.table["army"]["grounded"], grounded.army, worth
        others[NAVAL] = staff.table["naval"]["grounded"], grounded.naval, worth
    for key, (number, each, worth) in others.items():
        if number:
            found[key] = [value * worth for value in other_values(number, each, net, most)]
    return found


def best_shares(values: Mapping[str, Values], squadrons: int) -> tuple[list[float], list[dict[str, int]]]:
    """The best value of 0, 1, … squadrons over all targets, and how they are then shared out."""
    best, shares = [0.0] * (squadrons + 1), [dict[str, int]() for _ in range(squadrons + 1)]
    for key, worth in values.items():
        now, picked = list(best), [0] * (squadrons + 1)
        for total in range(1, squadrons + 1):
            for count in range(1, min(total, len(worth) - 1) + 1):
                value = best[total - count] + worth[count]
                if value > now[total] + CLOSE:
                    now[total], picked[total] = value, count
        shares = [
            {**shares[total - count], key: count} if count else shares[total] for total, count in enumerate(picked)
        ]
        best = now
    return best, shares


@lru_cache(maxsize=2048)
def left_of(escorts: int, attackers: int, up: int) -> Sequence[tuple[int, int, float]]:
    """[19.2] What so many defending factors leave of a strike: attackers, squadrons lost, and the chance."""
    found = battle(escorts, attackers, up, 0, figures()).items()
    return [(left.attackers, left.lost, float(chance)) for left, chance in found]


@lru_cache(maxsize=512)
def shot_down(escorts: int, up: int) -> float:
    """[19.2] How many defending factors so many squadrons of escorts are expected to shoot down."""
    odds = figures().air.odds(in_factors(escorts, figures()), 0)
    return float(sum(min(up, found.first) * chance for found, chance in odds.items()))


@lru_cache(maxsize=64)
def gun_losses(strength: int) -> tuple[float, float]:
    """[PH.6] How many squadrons the guns are expected to shoot down, and to turn back."""
    odds = figures().strategic.odds(strength, 0).items() if strength else ()
    down, back = (sum(pair[at] * chance for pair, chance in odds) for at in (0, 1))
    return float(down), float(back)


# -- Japan -------------------------------------------------------------------------------------------------------------


def play_magic(decision: Decision, staff: Staff, manner: Manner, random: Random) -> list[str]:
    """[PH.2] As many cards as the manner has it, by its weights."""
    weights = [*manner.magic[decision.seat]]
    keys = decision.keys
    weights = weights[: len(keys)] + [weights[-1]] * (len(keys) - len(weights))
    return random.choices(keys, weights if any(weights) else None)


def escort(decision: Decision, staff: Staff, manner: Manner, random: Random) -> list[str]:
    """[PH.4] The number of escorts that leaves the most to be expected."""
    counts = {option.key: int(option.value) for option in decision.values}
    flying = sum(staff.table["squadrons"]["aboard"].values())
    best, _ = best_shares(target_values(staff, second=not staff.first), flying)
    return [max(counts, key=lambda key: _promise(staff, counts[key], flying, best))]


def _promise(staff: Staff, escorts: int, flying: int, best: Sequence[float]) -> float:
    """What a strike with so many escorts is expected to add, before the guns have fired."""
    up, aircraft = staff.up(), staff.score["aircraft"]
    left = left_of(escorts, flying - escorts, up)
    value = sum(chance * (best[attackers] - aircraft * lost) for attackers, lost, chance in left)
    return value + aircraft * shot_down(escorts, up)


def aim(decision: Decision, staff: Staff, manner: Manner, random: Random) -> list[str]:
    """[PH.7] The shares of the squadrons that promise most."""
    amount = decision.at_least
    _, shares = best_shares(target_values(staff, second=not staff.first), amount)
    chosen = [key for key, count in shares[amount].items() for _ in range(count)]
    for key, limit in {target.key: decision.max_repeats(target) for target in decision.values}.items():
        chosen += [key] * min(limit - chosen.count(key), amount - len(chosen))
    return chosen


def stay(decision: Decision, staff: Staff, manner: Manner, random: Random) -> list[str]:
    """[PH.10] Leave when that wins; otherwise stay if a second strike makes winning likelier, defeat less so."""
    if manner.stays is not None:
        return [STAY if manner.stays else LEAVE]
    now = staff.table["margin"] - expected_kept(staff)
    leave = now + staff.score["unseen"]
    gain, spread = second_gain(staff, manner)
    return [STAY if _favour(staff, now + gain, spread) > _favour(staff, leave, WIDER) else LEAVE]


def expected_kept(staff: Staff) -> float:
    """[PH.2] What the enemy's cards are expected to be worth at the end, less the own."""
    magic = staff.table["magic"]
    own = magic["limits"][JAPAN] - (magic["played"][JAPAN] or 0)
    return float(magic["kept"] * (magic["limits"][USA] / 3 - own))


def second_gain(staff: Staff, manner: Manner) -> tuple[float, float]:
    """[PH.12] What a second strike is expected to add to the difference, and how far it may stray."""
    flying = sum(staff.table["squadrons"]["aboard"].values())
    patrol = min(manner.patrol, flying) if staff.table["risk"] else 0
    striking = flying - patrol
    best, _ = best_shares(target_values(staff, second=True), striking)
    defence = air_factors(staff.table["army"]["ready"], staff.table["naval"]["ready"], staff.data)
    each = staff.data.pearl.rows.squadrons_a_factor
    options = range(0, striking + 1, each)
    value = max(_second_promise(staff, escorts, striking, defence, best) for escorts in options)
    risk = float(staff.table["risk"])
    return value - risk * staff.score["carrier"] / 2, sqrt(SPREAD**2 + (WIDER * 2 * risk) ** 2)


def _second_promise(staff: Staff, escorts: int, striking: int, defence: int, best: Sequence[float]) -> float:
    """What a second strike with so many escorts is expected to add, guns and fighters taken off."""
    guns = staff.table["guns"]["strength"] if staff.table["rulings"]["guns"] != "none" else 0
    (shot, back), aircraft = gun_losses(guns), staff.score["aircraft"]
    value = aircraft * shot_down(escorts, defence)
    for attackers, lost, chance in left_of(escorts, striking - escorts, defence):
        value += chance * (best[max(0, round(attackers - shot - back))] - aircraft * (lost + shot))
    return value


def _favour(staff: Staff, expected: float, spread: float) -> float:
    """The chance to win less the chance to lose, if the difference strays as usual from what is expected."""
    win = staff.table["win"]
    return _above(win[JAPAN] - 0.5, expected, spread) - (1 - _above(win[USA] + 0.5, expected, spread))


def _above(limit: float, expected: float, spread: float) -> float:
    return (1 + erf((expected - limit) / (spread * sqrt(2)))) / 2


def keep(decision: Decision, staff: Staff, manner: Manner, random: Random) -> list[str]:
    """[PH.10] The patrol that the manner keeps, none where nobody can come."""
    wanted = manner.patrol if staff.table["risk"] else 0
    counts = {option.key: int(option.value) for option in decision.values}
    return [min(counts, key=lambda key: abs(counts[key] - wanted))]


def strike_carriers(decision: Decision, staff: Staff, manner: Manner, random: Random) -> list[str]:
    """[PH.11] As many squadrons at each American carrier as promise more there than over the harbor."""
    net = staff.net(at_sea=True)
    values = target_values(staff, second=True)
    for force in staff.table["forces"]:
        for shown in force["carriers"]:
            if shown["key"] in decision.keys:
                values[shown["key"]] = _values_of(staff, shown, net, None)
    amount = decision.at_most
    _, shares = best_shares(values, amount)
    return [key for key, count in shares[amount].items() if key in decision.keys for _ in range(count)]


# -- the United States -------------------------------------------------------------------------------------------------


def try_to_find(decision: Decision, staff: Staff, manner: Manner, random: Random) -> list[str]:
    """[51.31.3] Every force tries, unless the manner is to keep away."""
    if decision.keys == ["quiet"]:
        return ["quiet"]
    return decision.keys if manner.tries else []


def strike_back(decision: Decision, staff: Staff, manner: Manner, random: Random) -> list[str]:
    """[PH.11] All squadrons at one carrier, a whole one first."""
    carriers = {ship["key"]: ship for ship in staff.table["carriers"]}
    whole = [key for key in decision.keys if carriers[key.partition(":")[2]]["condition"] == Condition.AFLOAT.value]
    return [random.choice(whole or decision.keys)] * decision.at_most


PLANS: dict[str, Callable[[Decision, Staff, Manner, Random], list[str]]] = {
    "magic": play_magic,
    "escorts": escort,
    "targets": aim,
    "stay": stay,
    "patrol": keep,
    "carrier-battle": strike_carriers,
    "intercept": try_to_find,
}


def staff_of(name: str, seat: str, random: Random) -> Bot:
    """A staff of this manner for a seat."""
    manner = MANNERS[name]

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        plan = PLANS.get(decision.piece_key.partition(":")[0], strike_back)
        return plan(decision, Staff(look()), manner, random)

    return decide


BOTS: dict[str, Callable[[str, Random], Bot]] = {name: partial(staff_of, name) for name in MANNERS}
"""The bots of the raid."""
