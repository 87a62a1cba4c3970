"""What the board shows, drawn or in a terminal: the pieces of a view, planned ones too, and their texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from readyroom.engine.game import MatchView
from readyroom.engine.text import count_noun
from readyroom.games.tora.battle.luck import last_turn
from readyroom.games.tora.battle.reaction import describe_zone
from readyroom.games.tora.figures import JAPAN, SIDE_ADJECTIVES, SIDES, USA, builtin_data
from readyroom.games.tora.harbor import torpedo_patches, zone_of
from readyroom.games.tora.plans.data import ORDNANCE_TITLES, AmericanPlan, JapanesePlan, Ordnance, Parked
from readyroom.games.tora.plans.sheets import plan_in_progress
from readyroom.games.tora.view import FieldView, ShipView, ToraView, UnitView, ZoneView

TYPE_LETTERS = {"p40": "P40", "p36": "P36", "p26": "P26", "f4f": "F4F", "f2a": "F2A"}
"""Letters that distinguish American fighters, in addition to their shape."""
LOADS = {Ordnance.NONE: "", Ordnance.GP: "GP", Ordnance.AP: "AP", Ordnance.TORPEDO: "T"}
"""Ordnance in letters."""
UNKNOWN = "?"
KINDS = {
    "CV": "aircraft carrier",
    "BB": "battleship",
    "CL": "light cruiser",
    "AG": "former battleship, now a target ship",
    "AO": "oiler",
    "AV": "seaplane tender",
    "AR": "repair ship",
}


def board_view(view: MatchView[ToraView]) -> MatchView[ToraView]:
    """Return a view as the board shows it: plans in progress replace locked ones, crowds are sorted by type.

    Before the day the planned ships [5.14], parked units [5.10, 5.11] and first wave [7.3] are in their places, as far
    as the seat sees the plans; planned units have no keys. A locked plan without ships or units means the default.
    """
    usa, japan = view.table.usa, view.table.japan
    draft = plan_in_progress(view, USA, AmericanPlan)
    usa = replace(usa, plan=draft or usa.plan)
    japan = replace(japan, plan=plan_in_progress(view, JAPAN, JapanesePlan) or japan.plan)
    if view.table.day:
        zones = {key: ZoneView(_sorted(over.japan), _sorted(over.usa)) for key, over in view.table.zones.items()}
    else:
        first = [group for wave in (japan.plan.wave[:1] if japan.plan else ()) for group in wave.group]
        entering = {
            zone: [_planned_unit(g.type, g.ordnance) for g in first if g.sector == zone for _ in range(g.units)]
            for zone in view.table.zones
        }
        zones = {key: replace(over, japan=tuple(entering[key])) for key, over in view.table.zones.items()}
        if usa.plan is not None:
            data = builtin_data()
            berths = usa.plan.berths or ({} if draft else data.places.anchorage.berths)
            parked = usa.plan.parked or (() if draft else data.planning.deployment.parked)
            fields = (replace(field, stacks=_planned_stacks(parked, field.key)) for field in usa.fields)
            ships = (
                replace(ship, berth=berth, zone=zone_of(data.places.harbor, berth, ship.length))
                if (berth := berths.get(ship.key))
                else ship
                for ship in usa.ships
            )
            usa = replace(usa, ships=tuple(ships), fields=tuple(fields))
    return replace(view, table=replace(view.table, zones=zones, usa=usa, japan=japan))


def _sorted(units: Iterable[UnitView]) -> tuple[UnitView, ...]:
    """Return units by type and ordnance, the strongest first."""
    order = type_order()
    loads = {unit: unit.ordnance.value if unit.ordnance else "" for unit in units}
    return tuple(sorted(units, key=lambda unit: (order[unit.type], loads[unit], -unit.strength)))


def type_order() -> dict[str, int]:
    """Return the place of each type of aircraft in lists."""
    return {each.key: at for at, each in enumerate(builtin_data().air.type)}


def _planned_unit(type_: str, ordnance: Ordnance = Ordnance.NONE) -> UnitView:
    figures = builtin_data().air.types[type_]
    return UnitView(key="", name=figures.name, type=type_, strength=figures.strength, acted=0, ordnance=ordnance)


def _planned_stacks(parked: Iterable[Parked], field: str) -> tuple[tuple[UnitView, ...], ...]:
    return tuple(
        tuple(_planned_unit(type_) for type_ in (entry.under, entry.top) if type_)
        for entry in parked
        if entry.field == field
        for _ in range(entry.places)
    )


def load_letters(unit: UnitView) -> str:
    """Return a unit's ordnance in letters."""
    return UNKNOWN if unit.ordnance is None else LOADS[unit.ordnance]


def tab_letters(unit: UnitView) -> str:
    """Return the letters on a unit's tab: the type of an American fighter, or the ordnance."""
    return TYPE_LETTERS.get(unit.type) or load_letters(unit)


def has_acted(unit: UnitView, turn: int) -> bool:
    """Return whether a unit has acted this turn."""
    return 0 < turn == unit.acted


def unit_title(unit: UnitView, where: str, turn: int) -> str:
    """Describe a unit: type, strength, ordnance and place; only the type of a planned one."""
    if not unit.key:
        return unit.name
    figures = builtin_data().air.types[unit.type]
    parts = [f"{unit.name}: {figures.name}, strength {unit.strength} of {figures.strength}"]
    if figures.ordnance:
        parts.append(ORDNANCE_TITLES[unit.ordnance] if unit.ordnance else "ordnance unknown")
    return ", ".join([*parts, where, *(["has acted this turn"] if has_acted(unit, turn) else [])])


def count_by_type(units: Iterable[UnitView]) -> str:
    """Return the number of units of each type: "8 Kate units, 11 Val units"."""
    counts = Counter(unit.type for unit in units)
    types = builtin_data().air.types
    return (
        ", ".join(count_noun(counts[key], f"{each.title} unit") for key, each in types.items() if counts[key]) or "none"
    )


def zone_title(table: ToraView, key: str) -> str:
    """Describe a zone: where it is, and the aircraft over it or about to enter."""
    over, name = table.zones[key], f"Zone {key}, {describe_zone(key)}"
    if over.japan and not table.day:
        return f"{name}; {len(over.japan)} units enter here with wave 1 (planned)"
    parts = [
        f"{SIDE_ADJECTIVES[side]}: {count_noun(len(units), 'unit')}, {sum(unit.strength for unit in units)} aircraft"
        for side in SIDES
        if (units := over.of(side))
    ]
    return "; ".join([name, *(parts or ["no aircraft"])])


def parked_planned(table: ToraView) -> bool:
    """Return whether the parked units are only planned."""
    return not table.day and any(field.stacks for field in table.usa.fields)


def field_title(table: ToraView, field: FieldView) -> str:
    """Describe an airfield."""
    service = builtin_data().places.fields[field.key].service
    units = count_noun(len(field.units), "unit")
    text = f"{field.name}, {service} airfield in {field.zone}: {units} in {field.places} places"
    return f"{text} (planned)" if parked_planned(table) else text


def absent_title(table: ToraView) -> str:
    """Return why a ship has no berth on the board."""
    return "At sea" if table.day else "No berth yet" if table.usa.own or table.sees_all else "Berth hidden"


def ship_title(table: ToraView, ship: ShipView) -> str:
    """Describe a ship: kind, damage and place."""
    parts = [f"{ship.name}: {KINDS.get(ship.kind, ship.kind)}"]
    parts.append(f"{ship.hits} of {ship.strength} hits" if ship.hits else f"strength {ship.strength}")
    parts += [ship.state] if ship.state in ("damaged", "sunk") else []
    if ship.berth is None:
        parts.append(absent_title(table).lower())
    elif ship.berth.dock:
        parts.append("in dry dock, where torpedoes cannot reach her")
    else:
        parts.append(f"in {ship.zone}" if table.day else "planned berth")
    return ", ".join(parts)


def torpedo_runs(table: ToraView) -> dict[str, list[list[tuple[int, int]]]]:
    """[11.4] Return the patches of open water from which torpedoes reach each ship, by her key."""
    if not table.day:
        return {}
    ships, harbor, shield = table.usa.ships_at_berths, builtin_data().places.harbor, table.rulings.wrecks == "shield"
    return {ship.hull.key: torpedo_patches(harbor, ship, ships, shield) for ship in ships if not ship.sunk}


class Target(NamedTuple):
    """A battery, or a token of the yard, and the hits on it."""

    key: str
    name: str
    title: str
    hits: int
    strength: int

    @property
    def destroyed(self) -> bool:
        """Whether it is out of the battle."""
        return self.hits >= self.strength


def batteries(table: ToraView) -> Iterator[Target]:
    """Yield the shore batteries."""
    for each in table.usa.batteries:
        state = "silenced" if each.hits >= each.strength else f"{each.hits} of {each.strength} hits"
        title = f"{each.name}, shore battery in {each.zone}: {state}"
        yield Target(each.key, each.name, title, each.hits, each.strength)


def yard_tokens(table: ToraView) -> Iterator[Target]:
    """Yield the tokens of the Navy Yard."""
    for each in table.usa.yard:
        number = each.key.removeprefix("yard-")
        state = "destroyed" if each.hits >= each.capacity else f"{each.hits} of {each.capacity} hits"
        yield Target(each.key, number, f"Navy Yard {number}, in 2SE: {state}", each.hits, each.capacity)


def heading(view: MatchView[ToraView]) -> list[str]:
    """Return the lines under the title: the day, and the turn or outcome."""
    calendar, day = builtin_data().planning.calendar, view.table.day
    when = f"{day} {calendar.month} {calendar.year}" if day else f"{calendar.month} {calendar.year}"
    stage = f"turn {view.turn}" if view.turn else "before the attack" if day else "planning in secret"
    return [when, view.outcome.title if view.outcome else stage]


class Turn(NamedTuple):
    """A box of the turn track: what happens in the turn, as far as the viewer may know; `wave` is 0 for none."""

    turn: int
    now: bool
    past: bool
    rise: bool
    luck: bool
    wave: int


def turn_track(view: MatchView[ToraView]) -> list[Turn]:
    """Return the turn track up to the last possible turn; waves only where the plan is visible."""
    luck, plan, rises = view.table.rulings.luck_from, view.table.japan.plan, builtin_data().planning.reaction.rises
    waves = {wave.turn: number for number, wave in enumerate(plan.wave, start=1)} if plan else {}
    last, now = max(last_turn(builtin_data(), luck), view.turn), view.turn
    return [
        Turn(turn, turn == now, turn < now, turn in rises, 0 < luck <= turn, waves.get(turn, 0))
        for turn in range(1, last + 1)
    ]


class LuckDeck(NamedTuple):
    """[13.2] The luck deck: cards left and drawn, and rank and suit of the last card drawn."""

    left: int
    drawn: int
    rank: str
    suit: str
    title: str


def luck_deck(table: ToraView) -> LuckDeck:
    """Return the luck deck."""
    left, drawn = table.luck.left, table.luck.drawn
    text = f"Luck deck: {count_noun(left, 'card')} left"
    if not drawn:
        return LuckDeck(left, 0, "", "", f"{text}, none drawn")
    rank, _, suit = drawn[-1].partition("-of-")
    title = f"{text}, {len(drawn)} drawn, the last one the {rank} of {suit}"
    return LuckDeck(left, len(drawn), "A" if rank == "ace" else rank, suit, title)
