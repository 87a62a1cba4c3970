"""[2.0] Set-up: scenarios, ship, crew, and the pool of planes."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidData
from readyroom.engine.game import Scenario, Seat
from readyroom.engine.rules.checks import signed
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.state import At, KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.picket.custom import design, ships
from readyroom.games.picket.ending.victory import needs
from readyroom.games.picket.figures.check import check
from readyroom.games.picket.figures.common import SECTIONS
from readyroom.games.picket.figures.data import Cruise, Data, date
from readyroom.games.picket.rolls import draw_chits
from readyroom.games.picket.ship.damage import ENGINES
from readyroom.games.picket.state import (
    CAPTAIN,
    NAMES,
    OFFICERS,
    SIDES,
    START,
    Counter,
    Gear,
    Mount,
    Officer,
    Picket,
    Plan,
    Pool,
    PrimaryCompartment,
    Raid,
    Rulings,
    Sea,
    SecondaryCompartment,
    Ship,
    ShipLog,
    T,
    Yard,
    last_turn,
    title_of,
)

BEFORE = "before"
"""The name of the phase before the first one."""


def scenarios(data: Data) -> list[Scenario]:
    """[12] Return the scenarios and campaigns in their files' order (P50)."""
    ordered = sorted(data.scenarios.items(), key=lambda one: (one[1].order, one[0]))
    return [Scenario(key=key, title=each.title, summary=each.summary, content=each) for key, each in ordered]


def seats(scenario: Scenario, options: Mapping[str, str]) -> tuple[Seat, ...]:
    """[1.3.1] Return the only seat, the captain."""
    return (Seat(CAPTAIN, "Captain", "usa"),)


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Picket:
    """[2.0, 2.0.G] Return the state before the crew is drawn."""
    cruise: Cruise = scenario.content
    rulings = msgspec.convert(dict(options), ready(Rulings))
    game = cruise.game if rulings.game == "scenario" else rulings.game
    plan = Plan(
        title=cruise.title,
        advanced=game == "advanced",
        first=cruise.first,
        last=cruise.last or cruise.first,
        station=cruise.station,
        raids=cruise.raids,
        armament=cruise.armament,
        levels=cruise.levels,
        marginal=cruise.marginal or data.victory.scenario.marginal,
        decisive=cruise.decisive or data.victory.scenario.decisive,
        withdrawal_limits=cruise.withdrawal_limits,
        fixed_team=cruise.team,
        fixed_surface=cruise.surface,
        named=cruise.ship,
        design=cruise.design,
        officers=cruise.officers,
        great_raids=cruise.great_raids,
    )
    with_ends = cruise.attack_ends if rulings.attack_ends == "scenario" else rulings.attack_ends == "in"
    return Picket(
        at=At(0, BEFORE),
        rulings=rulings,
        plan=plan,
        ship=_hull(data, plan, plan.named or data.names.ship[0]),
        sea=Sea(land_radars=_radars(data, plan)),
        raid=Raid(),
        pool=_pool(data, with_ends=with_ends),
        tally=ShipLog(),
        yard=_yard(data, plan),
    )


def _radars(data: Data, plan: Plan) -> list[str]:
    """[5.3.C] Return the land radars set up before the first day."""
    since = [radar.name for radar in data.calendar.land_radar if date(radar.since) < date(plan.first)]
    return since if plan.advanced else []


def _hull(data: Data, plan: Plan, name: str) -> Ship:
    """[2.0.G] Return an undamaged ship with full tracks and no crew."""
    full = data.ship.tracks.full
    return Ship(
        name=name,
        rooms={room.key: PrimaryCompartment(key=room.key) for room in data.ship.primary.room},
        spaces={room.key: SecondaryCompartment(key=room.key) for room in data.ship.secondary.room},
        mounts={gun.key: Mount(key=gun.key) for gun in data.mounted(plan.armament)},
        gear=_gear(data, plan),
        officers={key: Officer(key=key, value=0, place=START.get(key, "")) for key in NAMES},
        men=dict(data.ship.crew.men),
        ammunition=full,
        fuel=full,
        hull=full,
        maneuver=full,
        flood=full,
        fires=dict.fromkeys(SECTIONS, 0),
        tilt=dict.fromkeys(SIDES, 0),
    )


def _gear(data: Data, plan: Plan) -> dict[str, Gear]:
    """[7.3.M, 12.1] Return the directors of the ship's guns, and her radars."""
    carried = {gun.key for gun in data.mounted(plan.armament)}
    directors = [key for key, one in data.directors.items() if carried.intersection(one.serves)]
    return {key: Gear(key=key) for key in (*directors, *data.radars)}


def _yard(data: Data, plan: Plan) -> Yard:
    """[12.1] Return the guns and directors that a custom ship does not carry."""
    if not plan.design:
        return Yard()
    carried = {gun.key for gun in data.mounted(plan.armament)}
    gear = _gear(data, plan)
    mounts = [Mount(key=key) for key in data.mounts if key not in carried]
    return Yard(mounts, [Gear(key=key) for key in data.directors if key not in gear])


def _pool(data: Data, *, with_ends: bool) -> Pool:
    """[2.0.E, 11.3] Return the pool of counters; special attackers of some types are set aside (P48)."""
    counters, aside = list[Counter](), list[Counter]()
    for plane in data.planes.plane:
        regular = [Counter(key=f"{plane.key}-{number}", plane=plane.key) for number in range(1, plane.regular + 1)]
        special = [
            Counter(key=f"{plane.key}-{weapon}-{number}", plane=plane.key, weapon=weapon)
            for weapon, count in plane.special.items()
            for number in range(1, count + 1)
        ]
        counters += regular + special[plane.aside :]
        aside += special[: plane.aside]
    if with_ends:
        counters += [Counter(key=f"attack-ends-{number}") for number in range(1, data.planes.attack_ends + 1)]
    return Pool(Cup(counters), aside)


def crew(table: T) -> Steps:
    """[2.0.A, 2.0.K, 12.1] Design a custom cruise, name the ship and draw her crew."""
    state = table.state
    if state.plan.design:
        yield from design(table)
        state.ship, state.yard = _hull(table.data, state.plan, state.plan.named), _yard(table.data, state.plan)
        state.sea.land_radars = _radars(table.data, state.plan)
    if not state.plan.named:
        state.ship.name = yield from _choose_name(table, ask=not state.plan.design)
    table.log_line("10", "{}", needs(state.plan, table.data))
    _draw_crew(table)
    yield from posts(table)


def _draw_crew(table: T) -> None:
    """[2.0.A, 11.6.B, P15] Draw all chits together (P49); a green gunnery officer ignores the chit."""
    ship = table.state.ship
    everybody = list(ship.officers)
    for officer, value in zip(everybody, draw_chits(table, "2.0.A", everybody), strict=True):
        ship.officers[officer].value, ship.officers[officer].dead = value, False
    if table.state.rulings.green_gunnery != "no":
        ship.officers["gunnery"].value = int(table.state.rulings.green_gunnery)
    table.block_undo("the crew was drawn")
    values = ", ".join(f"{title_of(table.state.plan, key)} ({signed(ship.officers[key].value)})" for key in everybody)
    table.log_line("2.0.A", "{} puts to sea with {}.", ship.name, KeyedText(values, *everybody), target="ship")


def posts(table: T) -> Steps:
    """[2.0.B, 2.0.C] Ask where the engineering officer and the chief petty officer start."""
    rooms, officers = table.data.rooms, table.state.ship.officers
    engines = [key for key in rooms if key in ENGINES]
    anywhere = [START["chief"], *(key for key in rooms if key != START["chief"])]
    for officer, able, rule in (("engineer", engines, "2.0.B"), ("chief", anywhere, "2.0.C")):
        person = officers[officer]
        question = f"Where does the {OFFICERS[officer].lower()} ({signed(person.value)}) start?"
        options = [Option(f"{officer}-{key}", f"{rooms[key].name}, {rooms[key].section}", key) for key in able]
        chosen = yield from table.choose(CAPTAIN, rule, question, options)
        person.place = person.post = chosen.value


def _choose_name(table: T, but: str = "", *, ask: bool = True) -> Choice[str]:
    """[2.0.K] Return a ship name chosen by the captain or at random."""
    if ask:
        options = list(ships(table.data, but))
        chosen = yield from table.choose(
            CAPTAIN, "2.0.K", "Which ship do you command? Only their names differ.", options
        )
        if chosen.value:
            return str(chosen.value)
    names = [name for name in table.data.names.ship if name != but]
    return names[table.roll_dice("2.0.K", "name", 1, len(names))[0] - 1]


def commission(table: T, days: int) -> Steps:
    """[9.E] Commission a new ship and crew after some days; one that comes too late is named at random."""
    state = table.state
    name = yield from _choose_name(table, state.ship.name, ask=state.at.turn + days < last_turn(state))
    state.ship = _hull(table.data, state.plan, name)
    _draw_crew(table)


def refit(table: T) -> None:
    """[9.C, 9.I, 11.5.D] Repair the ship, fill her tracks and replace the dead."""
    state, old = table.state, table.state.ship
    state.ship = _hull(table.data, state.plan, old.name)
    state.ship.morale = old.morale
    lines = list[tuple[str, int]]()
    dead = [key for key, officer in old.officers.items() if officer.dead]
    values = {key: officer.value for key, officer in old.officers.items()}
    for key, value in zip(dead, draw_chits(table, "9.C", dead), strict=True):
        values[key] = value
        lines.append((key, value))
    for key, officer in state.ship.officers.items():
        officer.value, officer.post = values[key], old.officers[key].post
        officer.place = officer.post or officer.place
    for key, mount in state.ship.mounts.items():
        mount.kills = 0 if old.mounts[key].hits else old.mounts[key].kills
    for key, value in lines:
        table.log_line("9.C", "The new {} has value {}.", title_of(state.plan, key), signed(value), target=key)


def scenario_choices(data: Data) -> Mapping[str, Mapping[str, str]]:
    """Return what the fields of a scenario may be, as the form of scenarios offers them."""
    armaments = {key: key.replace("-", " ").capitalize() for key in data.guns.armaments}
    return {"armament": {"": "As the calendar has it", **armaments}, "officers": NAMES}


def check_opening(data: Data, scenario: Scenario) -> None:
    """Raise `InvalidData` if figures and scenario do not fit together."""
    check(data)
    cruise: Cruise = scenario.content
    if cruise.armament and cruise.armament not in data.guns.armaments:
        known = ", ".join(data.guns.armaments)
        raise InvalidData("scenario", "armament", f"one of {known}", repr(cruise.armament))
    for key in cruise.officers:
        if key not in NAMES:
            raise InvalidData("scenario", f"officers.{key}", f"one of {', '.join(NAMES)}", key)
    if cruise.station and str(cruise.station) not in data.duty.dice.stations:
        raise InvalidData("scenario", "station", f"one of {', '.join(data.duty.dice.stations)}", str(cruise.station))
