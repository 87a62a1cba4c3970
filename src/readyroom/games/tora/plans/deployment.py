"""[5.10, 5.11, 5.14, 5.15] Deployment of squadrons and ships: the sheets, and the map on the day."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial

from readyroom.engine.rules.decisions import Option, Unavailable
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import agree
from readyroom.games.tora.figures import USA, AirType, Data, FieldCard, ShipCard
from readyroom.games.tora.harbor import BATTLESHIP, CARRIER, DOCK, NEST, STREAM, Hull, ShipAtBerth, mooring_of, moorings
from readyroom.games.tora.plans.data import AmericanPlan, Berth, Parked
from readyroom.games.tora.plans.sheets import Note, forget
from readyroom.games.tora.plans.validation import field_error
from readyroom.games.tora.state import AirUnit, T, Tora

FIELD, UNDER, OVER = "field", "under", "over"
ANCHORAGE, MOORING, BERTH, COLUMN = "anchorage", "mooring", "berth", "column"
"""Piece keys of the questions; all but `anchorage` are followed by a key, as in `berth:nevada`."""
TO_COLUMN, TO_BERTH = "to-column", "to-berth"
"""Piece keys of questions about the berth of a moving ship."""
DEFAULT, OWN, LATER = "default", "own", "later"
MANY = 40
"""With more berths than this, the column and then the row is asked for."""

Stationed = dict[str, Counter[str]]
"""The units of each type at each field."""


def plan_fields(table: T, seat: str, note: Note = forget) -> Choice[tuple[Parked, ...]]:
    """[5.10, 5.11] Station every squadron at a field of its service; where a field is full, stack units."""
    data = table.data
    stationed: Stationed = {field.key: Counter() for field in data.places.field}
    for each in data.air.of(USA):
        fields = [data.places.fields[key] for key in each.fields]
        spread = yield from table.allocate(
            seat,
            "5.10",
            f"At which fields do you station the {each.units} {each.title} units?",
            each.units,
            [Option(field.key, field.name) for field in fields],
            limit=lambda option, each=each: min(each.units, _room(data, stationed, option.key)),  # type: ignore[misc]
            unavailable=partial(_closed_fields, data, each),
            piece_key=f"{FIELD}:{each.key}",
        )
        for option in spread:
            stationed[option.key][each.key] += 1
        note(parked=tuple(_unstacked(stationed)))
    parked: list[Parked] = []
    for field in data.places.field:
        parked += yield from _plan_stacks(table, seat, field, stationed.pop(field.key))
        note(parked=(*parked, *_unstacked(stationed)))
    return tuple(parked)


def _unstacked(stationed: Stationed) -> Iterator[Parked]:
    """Yield the stationed units, not stacked yet."""
    for field, here in stationed.items():
        yield from (Parked(field, type_, "", count) for type_, count in here.items())


def _room(data: Data, stationed: Stationed, field: str) -> int:
    """[4.2] Return the room left at a field: its places, each for a stack (T35)."""
    return data.places.fields[field].places * data.places.stack.height - stationed[field].total()


def _closed_fields(data: Data, each: AirType) -> Iterator[Unavailable]:
    for field in data.places.field:
        if field.key not in each.fields:
            yield Unavailable(field.key, field.name, "5.10", field_error(each, field.name, data))


def _plan_stacks(table: T, seat: str, field: FieldCard, here: Counter[str]) -> Choice[list[Parked]]:
    """[5.11] Choose the units of each stack a field needs (T35): first the lower ones, then the upper ones."""
    excess = here.total() - field.places
    below = yield from _plan_layer(table, seat, field, UNDER, here, count=excess)
    under = sorted(below, key=list(here).index)
    over = yield from _plan_layer(table, seat, field, OVER, here - Counter(under), count=excess)
    stacks = Counter(zip(over, under, strict=True))
    single = here - Counter(under) - Counter(over)
    return [
        *(Parked(field.key, top, "", count) for top, count in single.items()),
        *(Parked(field.key, top, below, count) for (top, below), count in stacks.items()),
    ]


def _plan_layer(
    table: T, seat: str, field: FieldCard, layer: str, here: Counter[str], *, count: int
) -> Choice[list[str]]:
    types = table.data.air.types
    which = agree(count, "which unit is parked", f"which {count} units are parked")
    under, over = ("underneath another", "on top of it") if count == 1 else ("underneath others", "on top of those")
    chosen = yield from table.allocate(
        seat,
        "5.11",
        f"{field.name} has {field.places} places: {which} {under if layer == UNDER else over}?",
        count,
        [Option(key, types[key].title) for key in here],
        limit=lambda option: here[option.key],
        piece_key=f"{layer}:{field.key}",
    )
    return [option.key for option in chosen]


def plan_anchorage(table: T, seat: str, note: Note = forget) -> Choice[dict[str, Berth]]:
    """[5.14, 5.15] Use the default anchorage, or place ship by ship, carriers and battleships first."""
    chosen = yield from table.choose(
        seat,
        "5.14",
        "Where do the ships anchor?",
        [Option(DEFAULT, "default: Battleship Row and the dry dock"), Option(OWN, "choose ship by ship")],
        piece_key=ANCHORAGE,
    )
    if chosen.key == DEFAULT:
        return dict(table.data.places.anchorage.berths)
    placed: list[ShipAtBerth] = []
    late: list[ShipCard] = []
    cards = table.data.ships.ship
    others = {card.kind for card in cards} - {CARRIER, BATTLESHIP}
    for kinds in ({CARRIER}, {BATTLESHIP}, others):
        group = [*(card for card in cards if card.kind in kinds), *late]
        late = yield from _anchor_group(table, seat, group, placed, note, is_last=kinds == others)
    berths = {ship.hull.key: ship.berth for ship in placed}
    return {card.key: berths[card.key] for card in cards}


def _anchor_group(
    table: T, seat: str, group: list[ShipCard], placed: list[ShipAtBerth], note: Note, *, is_last: bool
) -> Choice[list[ShipCard]]:
    """[5.14] Place the ships in turn; each may wait once, to nest outside a later one.

    Battleships may also wait for the next group; they are returned.
    """
    queue, waited, late = list(group), set[str](), list[ShipCard]()
    while queue:
        card = queue.pop(0)
        is_first = bool(queue) and card.key not in waited
        may_wait = card.kind != CARRIER and (is_first or not is_last)
        berth = yield from _anchor(table, seat, card, placed, may_wait)
        if berth is None and is_first:
            waited.add(card.key)
            queue.append(card)
        elif berth is None:
            late.append(card)
        else:
            placed.append(ShipAtBerth(card, berth))
            note(berths={ship.hull.key: ship.berth for ship in placed})
    return late


def _anchor(table: T, seat: str, card: ShipCard, placed: list[ShipAtBerth], may_wait: bool) -> Choice[Berth | None]:
    available = moorings(table.data.places, card, placed)
    options = [Option(name, mooring_title(table.data, name), berths) for name, berths in available.items()]
    later = [Option(LATER, "later, after the others")] if may_wait else []
    place = yield from table.choose(
        seat,
        "5.14",
        f"Where does {card.name} anchor?",
        [*options, *later],
        unavailable=partial(_no_mooring, table.data, card, set(available), list(placed)),
        piece_key=f"{MOORING}:{card.key}",
    )
    return None if place.key == LATER else (yield from choose_berth(table, seat, card, place.value))


def choose_berth(table: T, seat: str, ship: Hull, berths: list[Berth], moving: bool = False) -> Choice[Berth]:
    """[5.14, 8.5] Choose a berth; on the move, or if there are many, first its column."""
    rule, column, row = ("8.5", TO_COLUMN, TO_BERTH) if moving else ("5.14", COLUMN, BERTH)
    if moving or len(berths) > MANY:
        chosen = yield from table.choose(
            seat,
            rule,
            f"How many inches from the western shore does {ship.name} anchor?",
            [Option(f"x-{x}", f"{x} inches", x) for x in sorted({each.x for each in berths})],
            piece_key=f"{column}:{ship.key}",
        )
        berths = [each for each in berths if each.x == chosen.value]
    chosen = yield from table.choose(
        seat,
        rule,
        f"At which berth does {ship.name} anchor?",
        [Option(each.key, berth_title(each), each) for each in berths],
        piece_key=f"{row}:{ship.key}",
    )
    berth: Berth = chosen.value
    return berth


def berth_title(berth: Berth) -> str:
    """Describe a berth."""
    way = "east to west" if berth.lie == "h" else "north to south"
    return f"{berth.x} inches from the west and {berth.y} from the north, {way}"


def mooring_title(data: Data, name: str) -> str:
    """Describe a mooring."""
    if name == DOCK:
        return "in dry dock"
    kind, _, rest = name.partition("-")
    if kind == NEST:
        return f"alongside {next(card.name for card in data.ships.ship if card.key == rest)}"
    if kind == "island":
        return f"the {rest} side of Ford Island"
    zone, _, lie = rest.partition("-")
    if kind == STREAM:
        return f"open water of {zone}, {'east to west' if lie == 'h' else 'north to south'}"
    return f"the Navy Yard, {'the southern shore' if rest == 'h' else 'the eastern shore'}"


def _no_mooring(data: Data, card: ShipCard, available: set[str], placed: list[ShipAtBerth]) -> Iterator[Unavailable]:
    """[5.14, 5.15] Yield the moorings that this ship cannot use, with the reasons."""
    places = (
        *(f"island-{side}" for side in ("north", "south", "west", "east")),
        *("yard-v", "yard-h", DOCK),
        *(f"{STREAM}-1{quadrant}-{lie}" for quadrant in ("NW", "NE", "SE", "SW") for lie in ("h", "v")),
        *(f"{NEST}-{ship.hull.key}" for ship in placed),
    )
    for name in places:
        if name not in available:
            rule, reason = "5.14", f"There is no room for {card.name}."
            if name.startswith(NEST):
                rule = "5.15"
                reason = f"{card.name} cannot nest there: at most two ships may nest, and carriers may not."
            elif card.kind == BATTLESHIP and name.startswith(STREAM):
                reason = f"{card.name} is a battleship and must anchor next to Ford Island or along the Navy Yard."
            yield Unavailable(name, mooring_title(data, name), rule, reason)


def deployment_answer(plan: AmericanPlan, data: Data, about: str) -> list[str] | None:
    """Return a complete plan's answer about fields, stacks or berths as keys, None for other questions."""
    kind, _, key = about.partition(":")
    if kind == FIELD:
        counts = [(entry, entry.places * [entry.top, entry.under].count(key)) for entry in plan.parked]
        return [entry.field for entry, count in counts for _ in range(count)]
    if kind in (UNDER, OVER):
        types = list(data.air.types)
        stacks = [entry for entry in plan.parked if entry.field == key and entry.under]
        stacks.sort(key=lambda entry: types.index(entry.under))
        return [entry.under if kind == UNDER else entry.top for entry in stacks for _ in range(entry.places)]
    if kind == ANCHORAGE:
        return [DEFAULT if plan.berths == data.places.anchorage.berths else OWN]
    if kind == COLUMN:
        return [f"x-{plan.berths[key].x}"]
    return [plan.berths[key].key] if kind == BERTH else None


def mooring_answer(plan: AmericanPlan, data: Data, key: str, offered: list[str]) -> list[str]:
    """Return a plan's answer to where a ship anchors, or later if her neighbour is not there yet."""
    cards = {card.key: card for card in data.ships.ship}
    ship = ShipAtBerth(cards[key], plan.berths[key])
    others = [ShipAtBerth(cards[other], berth) for other, berth in plan.berths.items() if other != key]
    present = [other for other in others if f"{NEST}-{other.hull.key}" in offered]
    name = mooring_of(data.places, ship, present)
    return [name if name in offered else LATER]


def deploy(state: Tora, plan: AmericanPlan, data: Data) -> None:
    """[8.1, 5.10, 5.11] Move squadrons from the pool to their fields."""
    pool = defaultdict[str, list[AirUnit]](list)
    for unit in reversed(state.usa.pool):
        pool[unit.type].append(unit)
    state.usa.pool = []
    for entry in plan.parked:
        field = state.usa.field(entry.field)
        for _ in range(entry.places):
            lower = [pool[entry.under].pop()] if entry.under else []
            field.stacks.append([*lower, pool[entry.top].pop()])


def anchor(state: Tora, plan: AmericanPlan) -> None:
    """[8.1, 5.13, 5.14] Moor ships at their berths; carriers only on their day in port."""
    for ship in state.usa.ships:
        at_sea = ship.carrier and plan.in_port[ship.key] != state.day
        ship.berth = None if at_sea else plan.berths[ship.key]
