"""The bot that plays by the book.

It lands whatever can land, keeps a strong CAP up, sends its bombers forward together, attacks as few carriers as it can
be fairly sure to hurt, and leaves just as many decks clear as the next landing needs. It sees only its seat's view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from math import ceil
from random import Random
from typing import Any, NamedTuple

from readyroom.engine.checks import Fire, die_odds, mean_hits
from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, View, ViewFn
from readyroom.games.midway.losses import AGREE
from readyroom.games.midway.state import DIVE, FIGHTER, TORPEDO

CRIPPLE_VALUE = 5.0
SINK_VALUE = 5.0


class Manner(NamedTuple):
    """A way to fight, by side: how many fighter squadrons the CAP wants, and how many bombers go forward together.

    Fighters beyond those of the CAP escort; `mass` is in strength points.
    """

    cap: dict[str, int]
    mass: dict[str, int]


BY_THE_BOOK = Manner({"japan": 12, "usa": 5}, {"japan": 40, "usa": 20})
MANNERS = {
    "guarded": Manner({"japan": 16, "usa": 11}, {"japan": 40, "usa": 35}),
    "doctrine": BY_THE_BOOK,
    "massed": Manner({"japan": 12, "usa": 5}, {"japan": 60, "usa": 50}),
    "eager": Manner({"japan": 6, "usa": 2}, {"japan": 15, "usa": 8}),
}
"""Those who guard their decks, as usual, those of the doctrine, and those who gather everything, or strike at once."""


class Odds(NamedTuple):
    """The figures that the bot reckons an attack with; it takes every bomber for a dive bomber."""

    cripple: int
    sink: int
    guns: Fire
    bombs: Fire


class Staff:
    """One look at the table, as the bot thinks of it."""

    def __init__(self, view: View, manner: Manner = BY_THE_BOOK) -> None:
        self.manner = manner
        table = view["table"]
        sides: dict[str, View] = table["sides"]
        self.name = next(name for name, side in sides.items() if side["own"])
        self.own = sides[self.name]
        self.enemy = next(side for side in sides.values() if not side["own"])
        figures = table["figures"]
        self.deck = int(figures["deck"])
        self.odds = Odds(figures["cripple"], figures["sink"], Fire(**figures["antiaircraft"]), Fire(**figures["dive"]))
        self.boxes: dict[str, Any] = self.own["boxes"]

    def working(self) -> list[View]:
        """The own carriers that can launch and land."""
        return [carrier for carrier in self.own["carriers"] if carrier["status"] == "working"]

    def targets(self, first: str) -> list[View]:
        """The enemy carriers afloat from this one on, in the order in which they are asked for."""
        afloat = [carrier for carrier in self.enemy["carriers"] if carrier["status"] != "sunk"]
        return afloat[[carrier["key"] for carrier in afloat].index(first) :]

    def squadrons(self) -> dict[str, View]:
        """All own squadrons by their keys."""
        boxes = [self.boxes[name] for name in ("moving", "ready", "home", "waiting")]
        decks = [carrier[place] for carrier in self.own["carriers"] for place in ("deck", "hangar")]
        attacking = self.boxes["attacking"].values()
        everywhere = (*boxes, *attacking, *self.own["cap"], *decks)
        return {squadron["key"]: squadron for place in everywhere for squadron in place}

    def patrol(self) -> int:
        """How many fighter squadrons fly CAP and may still attack."""
        return sum(len(ring) for ring in self.own["cap"][:-1])


def points(squadrons: Iterable[View]) -> int:
    """The strength points of several squadrons."""
    return sum(squadron["strength"] for squadron in squadrons)


def bombers(squadrons: Iterable[View]) -> list[View]:
    """Those that are no fighters."""
    return [squadron for squadron in squadrons if squadron["kind"] != FIGHTER]


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """All manners of fighting by name, the usual one first."""
    return {name: partial(doctrine, manner=manner) for name, manner in MANNERS.items()}


def doctrine(seat: str, random: Random, manner: Manner = BY_THE_BOOK) -> Bot:
    """A bot for a seat; `random` only breaks ties."""

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        plan = PLANS.get(decision.rule)
        if plan is None:
            return decision.sample(random)
        return plan(decision, Staff(look(), manner))

    return decide


# -- landing and moving ------------------------------------------------------------------------------------------------


def land(decision: Decision, staff: Staff) -> list[str]:
    """[9] As much as fits; the carrier's own first wave first, so that she may load soon (M4)."""
    waiting = sorted(staff.boxes["waiting"], key=lambda s: not (s["returning"] and s["home"] == decision.piece_key))
    return fill(waiting, staff.deck)


def fill(squadrons: Iterable[View], room: int) -> list[str]:
    """The keys of as many squadrons, in their order, as there is room for."""
    chosen = []
    for squadron in squadrons:
        if squadron["strength"] <= room:
            room -= squadron["strength"]
            chosen.append(squadron["key"])
    return chosen


def move(decision: Decision, staff: Staff) -> list[str]:
    """[10.2] Everybody comes home; bombers go forward together with their escorts, once they are enough."""
    own = staff.squadrons()
    home = {squadron["key"] for squadron in staff.boxes["home"]}
    mass = points(bombers(staff.boxes["moving"]))
    follow = points(bombers(s for carrier in staff.working() for s in carrier["deck"]))
    go = mass >= staff.manner.mass[staff.name] or not follow
    return [key for key in decision.keys if key in home or (go and (mass or own[key]["kind"] == FIGHTER))]


# -- the air battle ----------------------------------------------------------------------------------------------------


def attack_from_cap(decision: Decision, staff: Staff) -> list[str]:
    """[11.1] Everybody attacks while there are bombers to be shot down."""
    return decision.keys if bombers(staff.enemy["boxes"]["ready"]) else []


def face_escorts(decision: Decision, staff: Staff) -> list[str]:
    """[11.2] The weakest squadrons tie down the escorts."""
    own = staff.squadrons()
    return sorted(decision.keys, key=lambda key: own[key]["strength"])[: decision.at_least]


def divide_hits(decision: Decision, staff: Staff) -> list[str]:
    """[11.4] On torpedo bombers first, as far as they go: their hits come in pairs."""
    limits = {option.key: option.limit for option in decision.options}
    order = sorted(limits, key=lambda key: key != TORPEDO)
    return [key for key in order for _ in range(limits[key])][: decision.at_least]


def bear_losses(decision: Decision, staff: Staff) -> list[str]:
    """[11.3, 12.3] Fighters share the hits, so that many squadrons remain; bombers lose the weakest squadrons.

    Where the owners vote on who chooses, the owner of most may (M22).
    """
    if AGREE.key in decision.keys:
        return [AGREE.key]
    own = staff.squadrons()
    left = {key: own[key]["strength"] for key in decision.keys}
    hits = []
    fighters = all(own[key]["kind"] == FIGHTER for key in left)
    for _ in range(decision.at_least):
        alive = [key for key in left if left[key]]
        key = max(alive, key=lambda k: left[k]) if fighters else min(alive, key=lambda k: left[k])
        left[key] -= 1
        hits.append(key)
    return hits


# -- the strike --------------------------------------------------------------------------------------------------------


def aim(decision: Decision, staff: Staff) -> list[str]:
    """[12.1] The split of the bombers over this carrier and those still to be asked for that promises most."""
    own = staff.squadrons()
    wave = sorted((own[key] for key in decision.keys), key=lambda s: (s["kind"], -s["strength"], s["key"]))
    targets = staff.targets(decision.piece_key)
    shares = best_split(points(wave), targets, staff.odds)
    share = shares.get(decision.piece_key, 0)
    if decision.at_least or len(targets) == 1:
        return [squadron["key"] for squadron in wave]
    chosen: list[str] = []
    aimed = 0
    for squadron in wave:
        if aimed < share:
            aimed += squadron["strength"]
            chosen.append(squadron["key"])
    return chosen


def best_split(force: int, targets: list[View], figures: Odds) -> dict[str, int]:
    """Strength points for each target: all on one, or spread by need over the two or three that promise most."""
    ranked = sorted(targets, key=lambda c: -attack_value(c, force, figures))
    best: tuple[float, dict[str, int]] = (-1.0, {})
    for count in range(1, min(3, len(ranked)) + 1):
        chosen = ranked[:count]
        needs = [need(carrier, figures) for carrier in chosen]
        shares = [round(force * n / sum(needs)) for n in needs]
        value = sum(attack_value(c, share, figures) for c, share in zip(chosen, shares, strict=True))
        if value > best[0]:
            best = value, {c["key"]: share for c, share in zip(chosen, shares, strict=True)}
    return best[1]


def need(carrier: View, figures: Odds) -> float:
    """About how many strength points it takes to sink a carrier: her guns' share, and her remaining damage."""
    guns, damage = int(carrier["antiaircraft"]), int(carrier["damage"])
    shot = guns * float(mean_hits(figures.guns))
    return shot + (figures.sink - damage) / float(mean_hits(figures.bombs))


def attack_value(carrier: View, force: int, figures: Odds) -> float:
    """What an attack with so many strength points promises."""
    odds = hits_at_least(carrier["antiaircraft"], force, figures)
    damage = int(carrier["damage"])
    sunk = odds[figures.sink - damage]
    if carrier["status"] == "crippled":
        return SINK_VALUE * sunk
    return CRIPPLE_VALUE * odds[figures.cripple - damage] + SINK_VALUE * sunk


@lru_cache(maxsize=8192)
def hits_at_least(guns: int, force: int, figures: Odds) -> tuple[float, ...]:
    """The rough chance of at least 0, 1, … hits, up to those that sink, by so many points against so many guns."""
    chances = [0.0] * (figures.sink + 1)
    for shot, chance in enumerate(_spread(guns, figures.guns, max(guns, 1))):
        for hits, share in enumerate(_spread(max(0, force - shot), figures.bombs, figures.sink)):
            chances[hits] += chance * share
    return tuple(sum(chances[hits:]) for hits in range(figures.sink + 1))


@lru_cache(maxsize=4096)
def _spread(dice: int, fire: Fire, most: int) -> tuple[float, ...]:
    """The chances of 0, 1, … hits by so many dice, the last entry that of `most` or more; in quick arithmetic."""
    if dice == 0:
        return (1.0, *[0.0] * most)
    die = [float(chance) for chance in die_odds(fire, most)]
    before = _spread(dice - 1, fire, most)
    chances = [0.0] * (most + 1)
    for hits, chance in enumerate(before):
        for more, share in enumerate(die):
            chances[min(most, hits + more)] += chance * share
    return tuple(chances)


# -- decks -------------------------------------------------------------------------------------------------------------


def launch(decision: Decision, staff: Staff) -> list[str]:
    """[13.1] Everything that is on deck."""
    return decision.keys


def fly_cap(decision: Decision, staff: Staff) -> list[str]:
    """[13.2] As many as the CAP still wants; the others escort."""
    return decision.keys[: max(0, staff.manner.cap[staff.name] - staff.patrol())]


def load(decision: Decision, staff: Staff) -> list[str]:
    """[14.1] As many decks clear as are needed to land; on the others fighters for the CAP, then a strike."""
    carriers = staff.working()
    to_land = ceil(points(staff.boxes["waiting"]) / staff.deck)
    emptiest = sorted(carriers, key=lambda c: (points(c["deck"]) + points(c["hangar"]), c["key"]))
    clear = [carrier["key"] for carrier in emptiest[:to_land]]
    offered = set(decision.keys)
    decks: dict[str, list[View]] = {carrier["key"]: carrier["deck"] for carrier in carriers}
    planned: list[str] = []
    for carrier in carriers:
        aboard = [squadron for squadron in (*carrier["deck"], *carrier["hangar"]) if squadron["key"] in offered]
        if aboard:
            patrol = sum(s["kind"] == FIGHTER for key, deck in decks.items() if key != carrier["key"] for s in deck)
            wanted = staff.manner.cap[staff.name] - staff.patrol() - patrol
            keys = [] if carrier["key"] in clear else deck_load(aboard, wanted, staff.deck)
            decks[carrier["key"]] = [squadron for squadron in aboard if squadron["key"] in keys]
            planned += keys
    return planned


def deck_load(aboard: list[View], wanted: int, room: int) -> list[str]:
    """Fighters that the CAP still wants (one at least, as an escort), then bombers, then more fighters."""
    strongest = sorted(aboard, key=lambda squadron: -squadron["strength"])
    fighters = [squadron for squadron in strongest if squadron["kind"] == FIGHTER]
    first = max(1, wanted)
    return fill([*fighters[:first], *bombers(strongest), *fighters[first:]], room)


PLANS: dict[str, Callable[[Decision, Staff], list[str]]] = {
    "9.2": land,
    "10.2": move,
    "11.1": attack_from_cap,
    "11.2": face_escorts,
    "11.3": bear_losses,
    "11.4": lambda decision, staff: (
        divide_hits(decision, staff)
        if TORPEDO in decision.keys or DIVE in decision.keys
        else bear_losses(decision, staff)
    ),
    "12.1": aim,
    "12.3": bear_losses,
    "13.1": launch,
    "13.2": fly_cap,
    "14.1": load,
}
