"""Setup: options, seats, scenarios, and the state before planning."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidData
from readyroom.engine.game import Scenario, Seat, as_rulings
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.state import At
from readyroom.games.tora.figures import JAPAN, UMPIRE, USA, Data, PlanSet, SideName
from readyroom.games.tora.plans.data import QUADRANTS
from readyroom.games.tora.plans.validation import check
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
    """[3, 4, 6] Set up everything before planning; a scenario may include a side's plan.

    The luck deck has the ace to ten of both red suits, and the two black aces [13.2].
    """
    rulings = msgspec.convert(as_rulings(options), ready(Rulings), strict=False)
    plans: PlanSet = scenario.content
    preset, luck = data.ships.preset[rulings.preset], data.combat.luck
    red = [f"{rank}-of-{suit}" for suit in luck.red_suits for rank in luck.red_ranks]
    return Tora(
        at=At(0, BEFORE),
        rulings=rulings,
        bomber_hit=preset.bomber_hit,
        damaged_at=preset.damaged_at,
        usa=_usa(data, rulings, plans),
        japan=Nippon(*_commands(JAPAN, rulings.japan_players), carriers=air_units(data, JAPAN), plan=plans.japan),
        zones={zone: Zone() for zone in data.places.zone_ids},
        luck=Cup([Card(key) for key in (*red, luck.always, luck.carriers_at_sea)]),
    )


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


def _usa(data: Data, rulings: Rulings, plans: PlanSet) -> America:
    """[3, 4, 18.3, T37] Set up ships, batteries, yard and fields, and squadrons without a field."""
    hurt = plans.hurt or {}
    places, yard, strength = data.places, data.places.yard, data.ships.preset[rulings.preset].strength
    return America(
        *_commands(USA, rulings.usa_players),
        ships=[
            Ship(
                card.key,
                card.name,
                card.kind,
                card.capital,
                card.length,
                strength=strength[card.kind],
                hits=min(hurt.get(card.key, 0), strength[card.kind] - 1),
            )
            for card in data.ships.ship
        ],
        batteries=[Battery(card.key, card.name, card.zone, rulings.battery) for card in places.battery],
        yard=[YardToken(f"yard-{number}", yard.hits) for number in range(1, yard.tokens + 1)],
        fields=[Field(card.key, card.name, card.zone, card.places) for card in places.field],
        pool=air_units(data, USA),
        plan=plans.usa,
    )


def scenario_choices(data: Data) -> Mapping[str, Mapping[str, str]]:
    """Return what the fields of a scenario may be, as the form of scenarios offers them."""
    quadrants = {"": "None", **{key: key for key in QUADRANTS}}
    sectors = {sector: sector for sector in data.places.sectors}
    american = {each.key: each.title for each in data.air.of(USA)}
    fields = {card.key: card.name for card in data.places.field}
    ships = {card.key: card.name for card in data.ships.ship}
    return {
        "usa/radar": quadrants,
        "usa/patrol": quadrants,
        "usa/in_port": {key: key.title() for key in data.planning.carriers.missions},
        "usa/parked/field": fields,
        "usa/parked/top": american,
        "usa/parked/under": {"": "None", **american},
        "usa/berths": ships,
        "japan/wave/group/sector": sectors,
        "japan/wave/group/type": {each.key: each.title for each in data.air.of(JAPAN)},
        "hurt": ships,
    }


def check_opening(data: Data, scenario: Scenario) -> None:
    """[5, 7] Reject a scenario whose plans are not legal, with place and rule."""
    plans: PlanSet = scenario.content
    where = scenario.file or f"scenarios/{scenario.key}.toml"
    for key, hits in (plans.hurt or {}).items():
        if key not in (card.key for card in data.ships.ship) or hits < 0:
            raise InvalidData(where, f"hurt.{key}", "the hits of a ship, by her key", f"{key} = {hits}")
    for side, plan in ((USA, plans.usa), (JAPAN, plans.japan)):
        for fault in check(plan, data) if plan is not None else ():
            path = ".".join(str(part) for part in (side, *fault.where))
            raise InvalidData(where, path, "a legal plan", f"{fault.reason} [{fault.rule}]")
