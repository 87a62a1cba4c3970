"""The bots: each plays by a policy and sees only its seat's view.

They land whatever they can, keep a CAP, send their bombers forward together, and attack only as many carriers as they
can probably damage. How strong the CAP is, how many bombers go together and which decks are cleared is the policy's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import accumulate, product
from math import ceil
from random import Random

from readyroom.engine.game import Bot, MatchView, ViewFn
from readyroom.engine.rules.checks import Fire, die_odds, mean_hits
from readyroom.engine.rules.decisions import Decision
from readyroom.games.midway.losses import AGREE
from readyroom.games.midway.policy import STYLES, AmericanPolicy, Policies, Policy
from readyroom.games.midway.state import DIVE, FIGHTER, SIDES, TORPEDO, place_key
from readyroom.games.midway.view import CarrierView, FiguresView, MidwayView, SquadronView

CRIPPLE_VALUE = 5.0
SINK_VALUE = 5.0
TOO_LATE = 2
"""A strike that is not forward this many turns before the last one comes too late."""


class Situation:
    """What the bot knows at one decision; its own side is never hidden from it."""

    def __init__(self, view: MatchView[MidwayView], policies: Policies = STYLES["doctrine"]) -> None:
        self.view, sides = view, view.table.sides
        self.name = next(name for name, side in sides.items() if side.own)
        self.own = sides[self.name]
        self.enemy = next(side for side in sides.values() if not side.own)
        self.policy = policies[self.name]
        self.figures = view.table.figures
        self.moving = self.own.boxes.moving or []
        self.home = self.own.boxes.home or []
        self.waiting = self.own.boxes.waiting or []
        self.cap = self.own.cap or []

    def working(self) -> list[CarrierView]:
        """Return the own carriers that can launch and land."""
        return [carrier for carrier in self.own.carriers if carrier.status == "working"]

    def targets(self, first: str) -> list[CarrierView]:
        """Return the enemy carriers afloat from this one on, in the order of the questions."""
        afloat = [carrier for carrier in self.enemy.carriers if carrier.status != "sunk"]
        return afloat[[carrier.key for carrier in afloat].index(first) :]

    def squadrons(self) -> dict[str, SquadronView]:
        """Return all own squadrons by key."""
        boxes = self.moving, self.own.boxes.ready, self.home, self.waiting
        attacking, aboard = self.own.boxes.attacking.values(), map(on_board, self.own.carriers)
        return {s.key: s for place in (*boxes, *attacking, *self.cap, *aboard) for s in place}

    def patrol(self) -> int:
        """Return how many fighter squadrons fly CAP and may still attack."""
        return sum(len(ring) for ring in self.cap[:-1])

    @property
    def ahead(self) -> bool:
        """[18.2] Whether the side has a lead that wins."""
        score = self.view.table.score
        return 2 * score[self.name] - sum(score.values()) >= self.figures.lead

    def cap_wanted(self) -> int:
        """Return how many fighter squadrons the CAP lacks; less than 0 if it has more than enough."""
        return self.policy.cap(self.view.turn, ahead=self.ahead) - self.patrol()

    def deck(self) -> list[SquadronView]:
        """Return the squadrons on the decks of working carriers."""
        return [squadron for carrier in self.working() for squadron in carrier.deck or ()]

    def new_patrol(self) -> int:
        """[13.2] Return how many launched fighters fly CAP: those it lacks, and those without a bomber to escort."""
        deck = self.deck()
        fighters = len(deck) - len(bombers(deck))
        return max(0, self.cap_wanted(), fighters - len(bombers([*deck, *self.moving])))

    def is_forceful(self, mass: int) -> bool:
        """[10.2] Return whether this many bomber points are enough to go forward, or no others will follow."""
        if mass >= self.policy.mass(self.view.turn, ahead=self.ahead):
            return True
        working, decks = self.working(), self.deck()
        if not self.policy.patient:
            return not points(bombers(decks))
        below = [squadron for carrier in working for squadron in carrier.hangar or ()]
        late = self.view.turn >= self.view.table.rulings.turn_limit - TOO_LATE
        return late or not working or not bombers([*decks, *below, *self.home, *self.waiting])


def on_board(carrier: CarrierView) -> list[SquadronView]:
    """Return the squadrons on an own carrier, those on deck first."""
    return [*(carrier.deck or ()), *(carrier.hangar or ())]


def points(squadrons: Iterable[SquadronView]) -> int:
    """Return the total strength of squadrons."""
    return sum(squadron.strength for squadron in squadrons)


def bombers(squadrons: Iterable[SquadronView]) -> list[SquadronView]:
    """Return the squadrons that are not fighters."""
    return [squadron for squadron in squadrons if squadron.kind != FIGHTER]


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """Return the bots of all styles by name, the default first."""
    return {name: partial(doctrine, policies=policies) for name, policies in STYLES.items()}


def bot_of(policy: Policy, seat: str, random: Random) -> Bot:
    """Return a bot that plays a seat by this policy."""
    return doctrine(seat, random, dict.fromkeys(SIDES, policy))


def doctrine(seat: str, random: Random, policies: Policies = STYLES["doctrine"]) -> Bot:
    """Return a bot for a seat that plays by the policy of its side; `random` only breaks ties."""

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        if decision.only_continues:
            return decision.keys
        plan = PLANS.get(decision.rule)
        keys = plan(decision, Situation(look(), policies)) if plan else None
        return decision.sample(random) if keys is None else keys

    return decide


def orders_of(decision: Decision) -> dict[tuple[str, str], str]:
    """Return the keys of options by the squadron and the place that they assign."""
    return {decision.assigns(value): value.key for value in decision.values} if decision.assigns else {}


def places_of(orders: Iterable[tuple[str, str]]) -> list[str]:
    """Return the places of orders, each once."""
    return list(dict.fromkeys(place for _, place in orders))


def land(decision: Decision, situation: Situation) -> list[str]:
    """[9] Land as much as fits, each carrier's own first wave first so that she can load soon (M4)."""
    orders, waiting, chosen = orders_of(decision), situation.waiting, list[str]()
    here = [carrier.key for carrier in situation.own.carriers if carrier.key in places_of(orders)]
    for carrier in here:
        landed = fill(sorted(waiting, key=lambda s: not (s.returning and s.home == carrier)), situation.figures.deck)
        waiting = [squadron for squadron in waiting if squadron.key not in landed]
        chosen += [orders[key, carrier] for key in landed]
    return chosen


def fill(squadrons: Iterable[SquadronView], room: int) -> list[str]:
    """Return the keys of squadrons, in order, as far as they fit."""
    chosen = []
    for squadron in squadrons:
        if squadron.strength <= room:
            room -= squadron.strength
            chosen.append(squadron.key)
    return chosen


def move(decision: Decision, situation: Situation) -> list[str]:
    """[10.2] Bring all squadrons home; send bombers and escorts forward together once they are enough."""
    own = situation.squadrons()
    home = {squadron.key for squadron in situation.home}
    mass = points(bombers(situation.moving))
    go = situation.is_forceful(mass)
    return [key for key in decision.keys if key in home or (go and (mass or own[key].kind == FIGHTER))]


def attack_from_cap(decision: Decision, situation: Situation) -> list[str]:
    """[11.1] Attack with all squadrons while there are enemy bombers."""
    return decision.keys if bombers(situation.enemy.boxes.ready) else []


def face_escorts(decision: Decision, situation: Situation) -> list[str]:
    """[11.2] Tie down the escorts with the weakest squadrons."""
    own = situation.squadrons()
    return sorted(decision.keys, key=lambda key: own[key].strength)[: decision.at_least]


def divide_hits(decision: Decision, situation: Situation) -> list[str]:
    """[11.4] Hit torpedo bombers first: their hits come in pairs."""
    limits = {option.key: option.limit for option in decision.options}
    order = sorted(limits, key=lambda key: key != TORPEDO)
    return [key for key in order for _ in range(limits[key])][: decision.at_least]


def bear_losses(decision: Decision, situation: Situation) -> list[str]:
    """[11.3, 12.3] Spread hits over fighters; take losses of bombers from the weakest squadrons.

    In a vote, let the owner of the most squadrons choose (M22).
    """
    if AGREE.key in decision.keys:
        return [AGREE.key]
    own = situation.squadrons()
    left = {key: own[key].strength for key in decision.keys}
    hits = []
    fighters = all(own[key].kind == FIGHTER for key in left)
    for _ in range(decision.at_least):
        alive = [key for key in left if left[key]]
        key = max(alive, key=lambda k: left[k]) if fighters else min(alive, key=lambda k: left[k])
        left[key] -= 1
        hits.append(key)
    return hits


def aim(decision: Decision, situation: Situation) -> list[str]:
    """[12.1] Choose the best split of the bombers over all carriers, or over this one and the later ones."""
    if decision.at_least:
        return decision.keys
    own, orders, chosen = situation.squadrons(), orders_of(decision), list[str]()
    wave = sorted(
        (own[key] for key in {squadron for squadron, _ in orders}), key=lambda s: (s.kind, -s.strength, s.key)
    )
    targets = situation.targets(decision.piece_key or next(iter(places_of(orders))))
    for at, target in enumerate(targets if not decision.piece_key else targets[:1]):
        aimed = first_points(wave, best_split(points(wave), targets[at:], situation.figures).get(target.key, 0))
        if at == len(targets) - 1:
            aimed = wave
        chosen += [orders[squadron.key, target.key] for squadron in aimed]
        wave = wave[len(aimed) :]
    return chosen


def first_points(squadrons: Sequence[SquadronView], share: int) -> Sequence[SquadronView]:
    """Return as many of the first squadrons as have this many points together."""
    before = accumulate((squadron.strength for squadron in squadrons), initial=0)
    return [squadron for squadron, others in zip(squadrons, before, strict=False) if others < share]


def best_split(force: int, targets: list[CarrierView], figures: FiguresView) -> dict[str, int]:
    """Return strength points by target: all on one, or spread by need over the best two or three."""
    ranked = sorted(targets, key=lambda c: -attack_value(c, force, figures))
    best: tuple[float, dict[str, int]] = (-1.0, {})
    for count in range(1, min(3, len(ranked)) + 1):
        chosen = ranked[:count]
        needs = [need(carrier, figures) for carrier in chosen]
        shares = [round(force * n / sum(needs)) for n in needs]
        value = sum(attack_value(c, share, figures) for c, share in zip(chosen, shares, strict=True))
        if value > best[0]:
            best = value, {c.key: share for c, share in zip(chosen, shares, strict=True)}
    return best[1]


def need(carrier: CarrierView, figures: FiguresView) -> float:
    """Return roughly how many strength points it takes to sink a carrier, losses to flak included."""
    shot = carrier.antiaircraft * float(mean_hits(figures.antiaircraft))
    return shot + (figures.sink - carrier.damage) / float(mean_hits(figures.dive))


def attack_value(carrier: CarrierView, force: int, figures: FiguresView) -> float:
    """Return the estimated value of an attack; every strength point counts as a dive bomber's."""
    odds = hits_at_least(carrier.antiaircraft, force, figures)
    sunk = odds[figures.sink - carrier.damage]
    if carrier.status == "crippled":
        return SINK_VALUE * sunk
    return CRIPPLE_VALUE * odds[figures.cripple - carrier.damage] + SINK_VALUE * sunk


@lru_cache(maxsize=8192)
def hits_at_least(guns: int, force: int, figures: FiguresView) -> tuple[float, ...]:
    """Return the approximate chances of at least 0, 1, … hits, up to those that sink."""
    chances = [0.0] * (figures.sink + 1)
    for shot, chance in enumerate(_spread(guns, figures.antiaircraft, max(guns, 1))):
        for hits, share in enumerate(_spread(max(0, force - shot), figures.dive, figures.sink)):
            chances[hits] += chance * share
    return tuple(sum(chances[hits:]) for hits in range(figures.sink + 1))


@lru_cache(maxsize=4096)
def _spread(dice: int, fire: Fire, most: int) -> tuple[float, ...]:
    """Return the chances of 0, 1, … hits in floating point; the last entry is for `most` or more."""
    if dice == 0:
        return (1.0, *[0.0] * most)
    die = [float(chance) for chance in die_odds(fire, most)]
    chances = [0.0] * (most + 1)
    for (hits, chance), (more, share) in product(enumerate(_spread(dice - 1, fire, most)), enumerate(die)):
        chances[min(most, hits + more)] += chance * share
    return tuple(chances)


def launch(decision: Decision, situation: Situation) -> list[str]:
    """[13.1] Launch everything on deck; fighters fill up the CAP or escort a bomber each."""
    orders = orders_of(decision)
    over = place_key(situation.name, "cap")
    able = [key for key, place in orders if place == over]
    patrol = set(able[: situation.new_patrol()])
    return [key for (squadron, place), key in orders.items() if (squadron in patrol) == (place == over)]


def fly_cap(decision: Decision, situation: Situation) -> list[str]:
    """[13.2] Fill up the CAP; the others escort a bomber each."""
    return decision.keys[: situation.new_patrol()]


def load(decision: Decision, situation: Situation) -> list[str]:
    """[14.1] Clear the decks needed to land; load fighters for the CAP on the others, then a strike."""
    carriers, policy, room = situation.working(), situation.policy, situation.figures.deck
    offered = set(decision.keys)
    loads = {one.key: [squadron for squadron in on_board(one) if squadron.key in offered] for one in carriers}
    if policy.load_all and all(points(aboard) <= room for aboard in loads.values()):
        return [squadron.key for aboard in loads.values() for squadron in aboard]
    to_land = policy.land_weight * points(situation.waiting) + policy.land_soon * points(situation.home)
    emptiest = sorted(carriers, key=lambda c: (points(on_board(c)), c.key))
    clear = [carrier.key for carrier in emptiest[: ceil(to_land / room)]]
    decks = {carrier.key: carrier.deck or [] for carrier in carriers}
    cap, planned = situation.cap_wanted(), list[str]()
    for carrier, aboard in loads.items():
        if aboard:
            patrol = sum(s.kind == FIGHTER for key, deck in decks.items() if key != carrier for s in deck)
            keys = [] if carrier in clear else deck_load(aboard, max(policy.deck_fighters, cap - patrol), room, policy)
            decks[carrier] = [squadron for squadron in aboard if squadron.key in keys]
            planned += keys
    return planned


def deck_load(aboard: list[SquadronView], first: int, room: int, policy: Policy) -> list[str]:
    """Return as many fighters as come first, then bombers in the policy's order, then more fighters."""
    preferred = BOMBERS_FIRST.get(policy.bombers)
    strongest = sorted(aboard, key=lambda squadron: (squadron.kind != preferred, -squadron.strength))
    fighters = [squadron for squadron in strongest if squadron.kind == FIGHTER]
    return fill([*fighters[:first], *bombers(strongest), *fighters[first:]], room)


BOMBERS_FIRST = {"dive": DIVE, "torpedo": TORPEDO}


def divide_search(decision: Decision, situation: Situation) -> list[str] | None:
    """[17.1] Divide the search evenly, or send the weakest squadrons alone and the others together.

    Where each group is asked for, an even one is drawn at random.
    """
    policy, own = situation.policy, situation.squadrons()
    if not (isinstance(policy, AmericanPolicy) and policy.groups == "spearhead"):
        return [] if decision.assigns else None
    orders = orders_of(decision)
    if not orders:
        return sorted(decision.keys, key=lambda key: own[key].strength)[:1]
    groups = places_of(orders)
    weakest = sorted({squadron for squadron, _ in orders}, key=lambda key: (own[key].strength, key))
    sent = zip(weakest, groups + groups[-1:] * len(weakest), strict=False)
    return [orders[squadron, group] for squadron, group in sent]


PLANS: dict[str, Callable[[Decision, Situation], list[str] | None]] = {
    "9.2": land,
    "10.2": move,
    "11.1": attack_from_cap,
    "11.2": face_escorts,
    "11.3": bear_losses,
    "11.4": lambda decision, situation: (
        divide_hits(decision, situation)
        if TORPEDO in decision.keys or DIVE in decision.keys
        else bear_losses(decision, situation)
    ),
    "12.1": aim,
    "12.3": bear_losses,
    "13.1": launch,
    "13.2": fly_cap,
    "14.1": load,
    "17.1": divide_search,
}
