"""Setup: options, seats, scenarios, and the state before planning."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from readyroom.engine.cups import Cup
from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidData
from readyroom.engine.game import GameOption, Scenario, Seat
from readyroom.engine.state import At
from readyroom.games.tora.figures import JAPAN, UMPIRE, USA, Data, PlanSet, ShipCard, SideName
from readyroom.games.tora.orders import check
from readyroom.games.tora.plan import AmericanPlan, JapanesePlan
from readyroom.games.tora.state import (
    SHARES,
    AirUnit,
    America,
    Battery,
    Card,
    Field,
    Nippon,
    Rulings,
    Ship,
    Tora,
    YardToken,
    Zone,
    seat_key,
    seat_name,
)

BEFORE = "before"
"""The phase before the first one."""

_PLAYERS = {
    "1": "one player for the whole side",
    "2": "two: the north, and the south",
    "3": "three: the north, the south-east, and the south-west",
    "4": "four, one for each quadrant",
}

OPTIONS = (
    GameOption(key="japan_players", title="Japanese players", rule="T21", choices=_PLAYERS, default="1"),
    GameOption(key="usa_players", title="American players", rule="T21", choices=_PLAYERS, default="1"),
    GameOption(
        key="umpire",
        title="Umpire",
        rule="T22",
        choices={"no": "no umpire", "yes": "a seat that sees everything and decides nothing"},
        default="no",
    ),
    GameOption(
        key="preset",
        title="Bomb hits and ship strength",
        rule="T1",
        choices={
            "prose": "bombs score on 5-6; battleships take six hits, two damage them",
            "table": "bombs score on 4-6; battleships take eight hits, four damage them",
            "literal": "bombs score on 4-6; battleships take eight hits, one damages them",
        },
        default="prose",
    ),
    GameOption(
        key="reach",
        title="Zone size",
        rule="T2",
        choices={"quadrant": "one of twelve quadrants", "ring": "a whole ring, for guns and air attacks"},
        default="quadrant",
    ),
    GameOption(
        key="zone_trigger",
        title="When aircraft in a zone alert the defenders",
        rule="T3",
        choices={"start": "if they are there at the start of a turn", "immediate": "as soon as they enter it"},
        default="start",
    ),
    GameOption(
        key="late_patrol",
        title="CAP after a late rise to alert 3",
        rule="T4",
        choices={"no": "no fighters take off", "yes": "three units of each field are airborne"},
        default="no",
    ),
    GameOption(
        key="rearm",
        title="Turns to rearm for the third wave",
        rule="T6",
        choices={"4": "four turns", "6": "six turns", "8": "eight turns"},
        default="6",
    ),
    GameOption(
        key="wrecks",
        title="Sunk hulls",
        rule="T8",
        choices={"shield": "block torpedoes against the inner ship", "clear": "do not block torpedoes"},
        default="shield",
    ),
    GameOption(
        key="diagonal",
        title="Diagonal moves between zones",
        rule="T9",
        choices={"no": "not allowed", "yes": "allowed"},
        default="no",
    ),
    GameOption(
        key="landing",
        title="American fighters in the air",
        rule="T14",
        choices={"no": "cannot land", "yes": "may land at a field of their service"},
        default="yes",
    ),
    GameOption(
        key="battery",
        title="Hits that silence a battery",
        rule="T18",
        choices={"2": "two", "3": "three", "4": "four", "6": "six"},
        default="4",
    ),
    GameOption(
        key="yard_fire",
        title="Fire from the Navy Yard",
        rule="T20",
        choices={"alerted": "once the batteries may react", "always": "from the first bomb"},
        default="alerted",
    ),
    GameOption(
        key="waves_max",
        title="Waves",
        rule="16.6",
        choices={"1": "one", "2": "up to two", "3": "up to three"},
        default="3",
    ),
    GameOption(
        key="luck_from",
        title="Luck cards",
        rule="16.6",
        choices={
            "0": "never",
            "7": "from the end of turn 7",
            "9": "from the end of turn 9",
            "11": "from the end of turn 11",
            "13": "from the end of turn 13",
        },
        default="11",
    ),
    GameOption(
        key="row1_u",
        title="Outcome chart: four undamaged ships, few sunk",
        rule="T23",
        choices={"2": "an American victory up to 40 % yard damage", "3": "an American victory up to 60 % yard damage"},
        default="3",
    ),
    GameOption(
        key="row23_j",
        title="Outcome chart: three or four undamaged ships, yard in ruins",
        rule="T23",
        choices={"0": "a tactical victory", "1": "a Japanese strategic victory above 80 % yard damage"},
        default="1",
    ),
    GameOption(
        key="revise",
        title="Final plan change",
        rule="15.1",
        choices={
            "no": "not allowed",
            "usa": "the Americans may change their plan",
            "both": "both sides may change their plans",
        },
        default="no",
    ),
    GameOption(
        key="cipher",
        title="Intercepted message",
        rule="15.2",
        choices={"no": "no message", "yes": "the Americans receive an enciphered message that names the day"},
        default="no",
    ),
)


def scenarios(data: Data) -> list[Scenario]:
    """Return the scenarios of the data folder, the whole game first."""
    listed = [
        Scenario(key=key, title=opening.title, summary=opening.summary, content=opening)
        for key, opening in data.scenarios.items()
    ]
    return sorted(listed, key=lambda scenario: (scenario.key != "december", scenario.key))


def seats(scenario: Scenario, options: Mapping[str, str]) -> list[Seat]:
    """[16.1] Return one to four seats a side, the commander's first, and the umpire's (T21, T22)."""
    seats = [
        Seat(seat_key(side, share), seat_name(side, share), side)
        for side in (JAPAN, USA)
        for share, _ in SHARES[int(options[f"{side}_players"])]
    ]
    if options["umpire"] == "yes":
        seats.append(Seat(UMPIRE, "Umpire", UMPIRE))
    return seats


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Tora:
    """[3, 4, 6] Set up everything before planning; a scenario may include a side's plan."""
    rulings = msgspec.convert(dict(options), ready(Rulings), strict=False)
    plans: PlanSet = scenario.content
    preset = data.ships.preset[rulings.preset]
    return Tora(
        at=At(0, BEFORE),
        rulings=rulings,
        bomber_hit=preset.bomber_hit,
        damaged_at=preset.damaged_at,
        usa=_usa(data, rulings, plans.usa),
        japan=_japan(data, rulings, plans.japan),
        zones={zone: Zone() for zone in data.places.zone_ids},
        luck=luck_cards(data),
    )


def luck_cards(data: Data) -> Cup[Card]:
    """[13.2] Return the ace to ten of both red suits, and the two black aces."""
    luck = data.combat.luck
    red = [f"{rank}-of-{suit}" for suit in luck.red_suits for rank in luck.red_ranks]
    return Cup([Card(key) for key in (*red, luck.always, luck.carriers_at_sea)])


def _commands(side: SideName, players: int) -> tuple[tuple[str, ...], dict[str, str]]:
    shares = SHARES[players]
    commands = {quadrant: seat_key(side, share) for share, quadrants in shares for quadrant in quadrants}
    return tuple(seat_key(side, share) for share, _ in shares), commands


def air_units(data: Data, side: SideName) -> list[AirUnit]:
    """[3.1, 6] Return all air units of a side, fresh."""
    return [
        AirUnit(f"{each.key}-{number}", each.strength)
        for each in data.air.of(side)
        for number in range(1, each.units + 1)
    ]


def _usa(data: Data, rulings: Rulings, plan: AmericanPlan | None) -> America:
    """[3, 4, 18.3] Set up ships, batteries, yard and fields, and squadrons without a field."""
    places, yard = data.places, data.places.yard
    seats, commands = _commands(USA, rulings.usa_players)
    return America(
        seats,
        commands,
        ships=[_ship(card, data, rulings) for card in data.ships.ship],
        batteries=[Battery(card.key, card.name, card.zone, rulings.battery) for card in places.battery],
        yard=[YardToken(f"yard-{number}", yard.hits) for number in range(1, yard.tokens + 1)],
        fields=[Field(card.key, card.name, card.zone, card.places) for card in places.field],
        pool=air_units(data, USA),
        plan=plan,
    )


def _ship(card: ShipCard, data: Data, rulings: Rulings) -> Ship:
    strength = data.ships.preset[rulings.preset].strength[card.kind]
    return Ship(card.key, card.name, card.kind, card.capital, card.length, strength=strength)


def _japan(data: Data, rulings: Rulings, plan: JapanesePlan | None) -> Nippon:
    seats, commands = _commands(JAPAN, rulings.japan_players)
    return Nippon(seats, commands, carriers=air_units(data, JAPAN), plan=plan)


def check_opening(data: Data, scenario: Scenario) -> None:
    """[5, 7] Reject a scenario whose plans are not legal, with place and rule."""
    plans: PlanSet = scenario.content
    where = scenario.file or f"scenarios/{scenario.key}.toml"
    for side, plan in ((USA, plans.usa), (JAPAN, plans.japan)):
        for fault in check(plan, data) if plan is not None else ():
            path = ".".join(str(part) for part in (side, *fault.where))
            raise InvalidData(where, path, "a legal plan", f"{fault.reason} [{fault.rule}]")
