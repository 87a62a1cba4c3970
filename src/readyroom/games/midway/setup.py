"""Setting up: sections 1 to 7, the scenario files and the options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidData
from readyroom.engine.game import Scenario, Seat, as_rulings, load_options
from readyroom.engine.rules.charts import Chart, HasSource, plain_table
from readyroom.engine.rules.state import At
from readyroom.games.midway.sequence import BEFORE
from readyroom.games.midway.state import (
    DIE,
    DIVE,
    FIGHTER,
    SIDE_TITLES,
    SIDES,
    TORPEDO,
    Carrier,
    CarrierCard,
    Combat,
    Data,
    FireFigures,
    Kind,
    Midway,
    OrderOfBattle,
    Rulings,
    Side,
    SideName,
    Squadron,
    repairs_on,
)

OPTIONS = load_options(__package__)


def scenarios(data: Data) -> list[Scenario]:
    """Return the scenarios of the data folder, the historical one first."""
    ordered = sorted(data.scenarios.items(), key=lambda one: (one[0] != "midway", one[0]))
    return [Scenario(key=key, title=each.title, summary=each.summary, content=each) for key, each in ordered]


_ONE_A_SIDE = tuple(Seat(name, SIDE_TITLES[name], name) for name in SIDES)


def seats(scenario: Scenario, options: Mapping[str, str]) -> Sequence[Seat]:
    """[M18] Return one seat a side, or one for each carrier."""
    if options["seats"] == "two":
        return _ONE_A_SIDE
    order: OrderOfBattle = scenario.content
    return [Seat(card.key, card.name, name) for name in SIDES for card in order.carrier if card.side == name]


_KEY = re.compile(r"[a-z]+(-[a-z]+)*")
MOST_CARRIERS, LONGEST_NAME = 32, 40
"""Limits on carriers and name lengths: more cannot be drawn or played."""


def check_order(data: Data, scenario: Scenario) -> None:
    """[6] Reject an order of battle that cannot be played, with the reason."""
    order: OrderOfBattle = scenario.content
    where = scenario.file or f"scenarios/{scenario.key}.toml"
    keys = [card.key for card in order.carrier]
    sink, strength = data.combat.damage.sink, data.combat.squadron.strength
    for name in SIDES:
        if all(card.side != name for card in order.carrier):
            raise InvalidData(where, "carrier", f"at least one carrier of side {name}", "none")
    if len(keys) > MOST_CARRIERS:
        raise InvalidData(where, "carrier", f"at most {MOST_CARRIERS} carriers", str(len(keys)))
    for at, card in enumerate(order.carrier):
        place = f"carrier[{at}]"
        fits = len(card.key) <= LONGEST_NAME and _KEY.fullmatch(card.key)
        if keys.count(card.key) > 1 or not fits or card.key in SIDES:
            expected = "a key of small letters and single hyphens that no other carrier or side has"
            raise InvalidData(where, f"{place}.key", expected, repr(card.key[: LONGEST_NAME + 1]))
        if not (card.name.strip() and card.name.isprintable() and len(card.name) <= LONGEST_NAME):
            expected = f"a name of at most {LONGEST_NAME} letters"
            raise InvalidData(where, f"{place}.name", expected, repr(card.name[: LONGEST_NAME + 1]))
        _check_card(where, place, card)
        if scenario.file:  # a printed one follows figures that a study changes
            _check_limits(where, place, card, (("damage", 0, sink - 1), ("strength", 0, strength)))
    if order.last_turn < 0:
        raise InvalidData(where, "last_turn", "a turn, or 0", str(order.last_turn))


def _check_limits(where: str, place: str, card: CarrierCard, limits: Iterable[tuple[str, int, int]]) -> None:
    for name, low, high in limits:
        if not low <= getattr(card, name) <= high:
            raise InvalidData(where, f"{place}.{name}", f"a number from {low} to {high}", str(getattr(card, name)))


def _check_card(where: str, place: str, card: CarrierCard) -> None:
    _check_limits(where, place, card, (("antiaircraft", 0, 60), ("repair", 1, DIE + 1)))
    for name in ("fighters", "torpedo_bombers", "dive_bombers"):
        have, away = getattr(card, name), getattr(card.returning, name)
        if not 0 <= have <= 30:
            raise InvalidData(where, f"{place}.{name}", "a number from 0 to 30", str(have))
        if not 0 <= away <= have:
            raise InvalidData(where, f"{place}.returning.{name}", f"a number from 0 to {have}", str(away))


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Midway:
    """[7, M1] The first wave waits to land; everything else is below decks, and every deck is clear."""
    rulings = msgspec.convert(as_rulings(options), ready(Rulings), strict=False)
    order: OrderOfBattle = scenario.content
    if order.last_turn:  # M28
        rulings = replace(rulings, turn_limit=min(rulings.turn_limit, order.last_turn))
    damage = data.combat.damage
    japan, usa = (_side(name, order, rulings, data.combat) for name in SIDES)
    return Midway(At(0, BEFORE), rulings, damage.sink, damage.cripple, japan, usa, order.found)


def _side(name: SideName, order: OrderOfBattle, rulings: Rulings, combat: Combat) -> Side:
    cards = [card for card in order.carrier if card.side == name]
    two = rulings.seats == "two"
    side = Side(name, (name,) if two else tuple(card.key for card in cards), [], [[] for _ in range(rulings.cap_rings)])
    enterprise = "enterprise", next(option.default for option in OPTIONS if option.key == "enterprise_aa")
    for card in cards:
        # M1: the option changes the Enterprise of the ship data; a scenario's own figure is kept
        printed = (card.key, str(card.antiaircraft)) == enterprise
        guns, seat = rulings.enterprise_aa if printed else card.antiaircraft, name if two else card.key
        strength = min(card.strength or combat.squadron.strength, combat.squadron.strength)
        damage = min(card.damage, combat.damage.sink - 1)
        squadrons = _squadrons(card, strength)
        below = [squadron for squadron in squadrons if not squadron.returning]
        side.carriers.append(Carrier(card.key, card.name, guns, card.repair, seat, damage=damage, hangar=below))
        side.waiting = [*side.waiting, *(squadron for squadron in squadrons if squadron.returning)]
    side.lands_early = rulings.questions == "always" and bool(side.waiting)
    return side


def _squadrons(card: CarrierCard, strength: int) -> list[Squadron]:
    """[4, 5] One counter a squadron, in the colour of its carrier."""
    counts: Sequence[tuple[Kind, int, int]] = (
        (FIGHTER, card.fighters, card.returning.fighters),
        (TORPEDO, card.torpedo_bombers, card.returning.torpedo_bombers),
        (DIVE, card.dive_bombers, card.returning.dive_bombers),
    )
    return [
        Squadron(f"{card.key}-{kind.lower()}-{number}", kind, strength, returning=number <= away)
        for kind, count, away in counts
        for number in range(1, count + 1)
    ]


def charts(data: Data) -> list[Chart]:
    """Return the charts: ship data of the historical scenario, attack dice, other figures, and the search."""
    return [_ship_data(data), _attacks(data.combat), _figures(data.combat), *data.charts.chart]


def _ship_data(data: Data) -> Chart:
    order = data.scenarios["midway"]
    columns = ["side", "anti-aircraft dice", "repairs on", "fighters", "torpedo bombers", "dive bombers", "returning"]
    rows = []
    for card in order.carrier:
        away = card.returning.fighters + card.returning.torpedo_bombers + card.returning.dive_bombers
        squadrons = map(str, (card.fighters, card.torpedo_bombers, card.dive_bombers, away))
        rows.append((card.name, [SIDE_TITLES[card.side], str(card.antiaircraft), repairs_on(card.repair), *squadrons]))
    return plain_table("ship-data", "Ship data", "6", order.source, order.origin, columns, rows)


def _attacks(combat: Combat) -> Chart:
    figures: list[tuple[str, FireFigures]] = [
        ("dogfight", combat.dogfight),
        ("anti-aircraft", combat.antiaircraft),
        ("dive bombing", combat.dive),
        ("torpedo attack", combat.torpedo),
    ]
    columns = ["hits on", "hits", "re-rolled on", "hits of such a die", "each re-roll", "source"]
    rows = []
    for name, figure in figures:
        fire = figure.fire
        again = [str(fire.again), str(fire.best), str(fire.further)] if fire.again else ["-", "-", "-"]
        rows.append((name, [f"{fire.at_least}+", str(fire.hits), *again, figure.origin]))
    origin = "Carrier attacks and CAP attacks"
    return plain_table("attacks", "What each die does", "12", combat.dive.source, origin, columns, rows)


def _figures(combat: Combat) -> Chart:
    squadron, deck, damage, victory = combat.squadron, combat.deck, combat.damage, combat.victory
    figures: list[tuple[str, int, HasSource]] = [
        ("strength points of a squadron", squadron.strength, squadron),
        ("points a carrier can land or spot on deck", deck.points, deck),
        ("damage that cripples", damage.cripple, damage),
        ("damage that sinks", damage.sink, damage),
        ("points for a carrier sunk", victory.sunk, victory),
        ("points for a carrier crippled", victory.crippled, victory),
        ("lead that wins", victory.lead, victory),
    ]
    rows = [(name, [str(value), origin.source, origin.origin]) for name, value, origin in figures]
    columns, each = ["figure", "source", "from"], "each row names its own"
    return plain_table("figures", "Other figures", "18.2", victory.source, each, columns, rows)
