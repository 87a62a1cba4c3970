"""[PH] The bots of the raid: each plays by a policy. The doctrine goes by the odds, two others by a fixed plan.

A bot sees only its seat's view; everything else it derives from the game's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from math import erf, sqrt
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

from readyroom.engine.game import Bot, MatchView, ViewFn
from readyroom.engine.rules.decisions import Decision
from readyroom.games.strategic.pearl.odds import air_factors, battle, fate, in_factors, losses
from readyroom.games.strategic.pearl.policy import STYLES, AmericanPolicy, JapanesePolicy, Policy
from readyroom.games.strategic.pearl.second import LEAVE, STAY
from readyroom.games.strategic.pearl.state import JAPAN, USA, Condition, Ship
from readyroom.games.strategic.pearl.strike import ARMY, LIGHT, NAVAL
from readyroom.games.strategic.pearl.views import RaidView, ShipView
from readyroom.games.strategic.tables.figures import figures
from readyroom.games.strategic.tables.grids import mean

Values = Sequence[float]
"""The expected score of 0, 1, 2 … squadrons on a target."""

CLOSE = 1e-9


class Position:
    """A view of the table with derived values."""

    def __init__(self, view: MatchView[Any]) -> None:
        self.table: RaidView = view.table
        self.data = figures()
        self.score: Mapping[str, int] = self.table.figures.score
        self.first = not self.table.stays
        surprise = self.table.surprise
        self.disarray = bool(surprise and surprise.level >= surprise.disarray)

    def net(self, *, at_sea: bool = False, second: bool = False) -> int:
        """[20.51] Return the net modifier of an attack on American ships."""
        rulings, nations = self.table.rulings, self.table.figures.nations
        net = 0
        if at_sea:
            net += next(line.value for line in self.data.scope("naval") if line.key == "at-sea")
        elif self.first and not second:
            net += self.data.pearl.surprise.attack * (2 if rulings.surprise_bonus == "twice" else 1)
        if rulings.nationality != "even":
            net += nations["japan_air"] - nations["usa_naval"]
        return net

    def die(self, *, second: bool = False) -> tuple[int, int] | None:
        """[PH.9] Return the critical hit die's lowest hit and its effects, or None."""
        if not (self.disarray and self.first) or second:
            return None
        return int(self.table.rulings.critical), self.data.pearl.critical.effects

    def hulls(self) -> list[ShipView]:
        """Return the named ships afloat in the harbor."""
        port = [ship for force in self.table.forces if force.port for ship in force.carriers]
        return [ship for ship in (*self.table.ships, *port) if ship.condition != Condition.SUNK.value]


class Fight(NamedTuple):
    """An attack on a ship: size, kind and condition, net modifier and critical hit die; and what she scores.

    The points are for a ship per size, sunk and damaged, and for a carrier hit.
    """

    size: int
    carrier: bool
    hit: bool
    net: int
    die: tuple[int, int] | None
    points: tuple[int, int, int]


@lru_cache(maxsize=512)
def ship_values(fight: Fight, most: int) -> Values:
    """Return the expected score of 0, 1, … squadrons on a ship."""
    ship = Ship("", "", fight.size, fight.carrier, Condition.DAMAGED if fight.hit else Condition.AFLOAT)
    sunk, damaged, carrier = fight.points
    values = [0.0]
    for count in range(1, most + 1):
        ends = fate(ship, count, fight.net, figures().naval, fight.die)
        hit = ends.sunk + ends.damaged
        gain = ship.size * (sunk * ends.sunk + damaged * ends.damaged - (damaged * hit if ship.hit else 0))
        values.append(float((0 if ship.hit else carrier * hit) if ship.carrier else gain))
    return values


@lru_cache(maxsize=512)
def other_values(number: int, each: int, net: int, most: int) -> Values:
    """Return how many light ships or aircraft 0, 1, … squadrons are expected to destroy."""
    means = (mean(losses(number, each, count, net, figures().naval), int) for count in range(1, most + 1))
    return [0.0, *map(float, means)]


def _values_of(position: Position, ship: ShipView, net: int, die: tuple[int, int] | None) -> Values:
    hit = ship.condition != Condition.AFLOAT.value
    points = (position.score["sunk"], position.score["damaged"], position.score["carrier"])
    return ship_values(Fight(ship.size, ship.carrier, hit, net, die, points), position.table.figures.most)


def target_values(position: Position, policy: JapanesePolicy, *, second: bool = False) -> dict[str, Values]:
    """Return the expected score of each number of squadrons on each target."""
    net, die, most = position.net(second=second), position.die(second=second), position.table.figures.most
    values = {ship.key: _values_of(position, ship, net, die) for ship in position.hulls()}
    others = {LIGHT: (position.table.light.left, 1, float(position.score["light"]))}
    if not second:
        grounded, points = position.data.pearl.grounded, position.score["aircraft"] * policy.parked
        others[ARMY] = position.table.army.grounded, grounded.army, points
        others[NAVAL] = position.table.naval.grounded, grounded.naval, points
    for key, (number, each, points) in others.items():
        if number:
            values[key] = [value * points for value in other_values(number, each, net, most)]
    return values


def best_shares(values: Mapping[str, Values], squadrons: int) -> tuple[list[float], list[dict[str, int]]]:
    """Return the best value of 0, 1, … squadrons over all targets, and their allocation."""
    best, shares = [0.0] * (squadrons + 1), [dict[str, int]() for _ in range(squadrons + 1)]
    for key, gains in values.items():
        now, picked = list(best), [0] * (squadrons + 1)
        for total in range(1, squadrons + 1):
            for count in range(1, min(total, len(gains) - 1) + 1):
                value = best[total - count] + gains[count]
                if value > now[total] + CLOSE:
                    now[total], picked[total] = value, count
        shares = [
            {**shares[total - count], key: count} if count else shares[total] for total, count in enumerate(picked)
        ]
        best = now
    return best, shares


@lru_cache(maxsize=2048)
def left_of(escorts: int, attackers: int, up: int) -> Sequence[tuple[int, int, float]]:
    """[19.2] Return attackers left, squadrons lost and the probability, for each result of the air battle."""
    outcomes = battle(escorts, attackers, up, 0, figures()).items()
    return [(left.attackers, left.lost, float(chance)) for left, chance in outcomes]


@lru_cache(maxsize=512)
def shot_down(escorts: int, up: int) -> float:
    """[19.2] Return how many defending factors this many escorts are expected to shoot down."""
    odds = figures().air.odds(in_factors(escorts, figures()), 0)
    return float(mean(odds, lambda result: min(up, result.first)))


@lru_cache(maxsize=64)
def gun_losses(strength: int) -> tuple[float, float]:
    """[PH.6] Return how many squadrons the guns are expected to shoot down and to turn back."""
    odds = figures().strategic.odds(strength, 0) if strength else {}
    down, back = (mean(odds, itemgetter(at)) for at in (0, 1))
    return float(down), float(back)


# -- both sides ------------------------------------------------------------------------------------------------------


def play_magic(decision: Decision, policy: Policy, random: Random) -> list[str]:
    """[PH.2] Play a random number of cards by the policy's weights."""
    keys, weights = decision.keys, [*policy.magic]
    weights = weights[: len(keys)] + [weights[-1]] * (len(keys) - len(weights))
    return random.choices(keys, weights if any(weights) else None)


# -- Japan -------------------------------------------------------------------------------------------------------------


def escort(decision: Decision, position: Position, policy: JapanesePolicy) -> list[str]:
    """[PH.4] Choose the number of escorts with the highest expected score."""
    counts = {option.key: int(option.value) for option in decision.values}
    flying = sum(position.table.squadrons.aboard.values())
    best, _ = best_shares(target_values(position, policy, second=not position.first), flying)
    army, naval, aircraft = position.table.army, position.table.naval, position.score["aircraft"]
    up, own = air_factors(army.up, naval.up, position.data), aircraft * policy.own_losses

    def expected_gain(escorts: int) -> float:
        """Return the expected gain of a strike with this many escorts, without the guns."""
        left = left_of(escorts, flying - escorts, up)
        value = sum(chance * (best[attackers] - own * lost) for attackers, lost, chance in left)
        return value + aircraft * shot_down(escorts, up)

    return [max(counts, key=lambda key: expected_gain(counts[key]))]


def aim(decision: Decision, position: Position, policy: JapanesePolicy) -> list[str]:
    """[PH.7] Allocate squadrons for the highest expected score."""
    amount = decision.at_least
    _, shares = best_shares(target_values(position, policy, second=not position.first), amount)
    chosen = [key for key, count in shares[amount].items() for _ in range(count)]
    for key, limit in {target.key: decision.max_repeats(target) for target in decision.values}.items():
        chosen += [key] * min(limit - chosen.count(key), amount - len(chosen))
    return chosen


def stay(decision: Decision, position: Position, policy: JapanesePolicy) -> list[str]:
    """[PH.10] Stay if that improves the probability of winning minus that of losing by the policy's margin.

    Of the American cards, which score if kept [PH.2], a third is expected to be kept.
    """
    if policy.stays != "odds":
        return [STAY if policy.stays == "always" else LEAVE]
    magic = position.table.magic
    own_kept = magic.limits[JAPAN] - (magic.played[JAPAN] or 0)
    now = position.table.margin - float(magic.kept * (magic.limits[USA] / 3 - own_kept))
    leave = now + position.score["unseen"]
    gain, spread = second_gain(position, policy)
    better = _win_margin(position, now + gain, spread) - _win_margin(position, leave, policy.wider)
    return [STAY if better > policy.stay_margin else LEAVE]


def second_gain(position: Position, policy: JapanesePolicy) -> tuple[float, float]:
    """[PH.12] Return the expected gain of a second strike and its standard deviation."""
    flying = sum(position.table.squadrons.aboard.values())
    patrol = min(policy.patrol, flying) if position.table.risk else 0
    striking = flying - patrol
    best, _ = best_shares(target_values(position, policy, second=True), striking)
    defence = air_factors(position.table.army.ready, position.table.naval.ready, position.data)
    each = position.data.pearl.rows.squadrons_a_factor
    guns = position.table.guns.strength if position.table.rulings.guns != "none" else 0
    (shot, back), aircraft = gun_losses(guns), position.score["aircraft"]

    def expected_gain(escorts: int) -> float:
        """Return the expected gain with this many escorts, net of guns and fighters."""
        value = aircraft * shot_down(escorts, defence)
        for attackers, lost, chance in left_of(escorts, striking - escorts, defence):
            value += chance * (best[max(0, round(attackers - shot - back))] - aircraft * (lost + shot))
        return value

    value = max(map(expected_gain, range(0, striking + 1, each)))
    risk = float(position.table.risk)
    return value - risk * position.score["carrier"] / 2, sqrt(policy.spread**2 + (policy.wider * 2 * risk) ** 2)


def _win_margin(position: Position, expected: float, spread: float) -> float:
    """Return the probability of winning minus that of losing, for a normal distribution."""
    win = position.table.win

    def above(limit: float) -> float:
        return (1 + erf((expected - limit) / (spread * sqrt(2)))) / 2

    return above(win[JAPAN] - 0.5) - (1 - above(win[USA] + 0.5))


def keep(decision: Decision, position: Position, policy: JapanesePolicy) -> list[str]:
    """[PH.10] Keep the policy's patrol, or none if interception is impossible."""
    wanted = policy.patrol if position.table.risk else 0
    counts = {option.key: int(option.value) for option in decision.values}
    return [min(counts, key=lambda key: abs(counts[key] - wanted))]


def strike_carriers(decision: Decision, position: Position, policy: JapanesePolicy) -> list[str]:
    """[PH.11] Send squadrons at American carriers where they score more than over the harbor."""
    net = position.net(at_sea=True)
    values = target_values(position, policy, second=True)
    for force in position.table.forces:
        for ship in force.carriers:
            if ship.key in decision.keys:
                values[ship.key] = _values_of(position, ship, net, None)
    amount = decision.at_most
    _, shares = best_shares(values, amount)
    return [key for key, count in shares[amount].items() if key in decision.keys for _ in range(count)]


JAPANESE: dict[str, Callable[[Decision, Position, JapanesePolicy], list[str]]] = {
    "escorts": escort,
    "targets": aim,
    "stay": stay,
    "patrol": keep,
    "carrier-battle": strike_carriers,
}
"""The answers of Japan, by the piece that a question is about."""


# -- the United States -------------------------------------------------------------------------------------------------


def try_to_find(decision: Decision, policy: AmericanPolicy) -> list[str]:
    """[51.31.3] Try with every force, unless the policy avoids battle."""
    return decision.keys if policy.tries or decision.keys == ["quiet"] else []


def strike_back(decision: Decision, position: Position, random: Random) -> list[str]:
    """[PH.11] Send all squadrons at one carrier, preferably an undamaged one."""
    carriers = {ship.key: ship for ship in position.table.carriers}
    undamaged = [key for key in decision.keys if carriers[key.partition(":")[2]].condition == Condition.AFLOAT.value]
    return [random.choice(undamaged or decision.keys)] * decision.at_most


def bot_of(policy: Policy, seat: str, random: Random) -> Bot:
    """Return a bot that plays a seat by this policy."""

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        about, position = decision.piece_key.partition(":")[0], Position(look())
        if about == "magic":
            return play_magic(decision, policy, random)
        if isinstance(policy, JapanesePolicy):
            return JAPANESE[about](decision, position, policy)
        if about == "intercept":
            return try_to_find(decision, policy)
        return strike_back(decision, position, random)

    return decide


def make_bot(name: str, seat: str, random: Random) -> Bot:
    """Return a bot of this style for a seat; the seat of the calculator has no policy of its own."""
    styles = STYLES[name]
    return bot_of(styles.get(seat, styles[JAPAN]), seat, random)


BOTS: dict[str, Callable[[str, Random], Bot]] = {name: partial(make_bot, name) for name in STYLES}
"""The bots of the raid."""
