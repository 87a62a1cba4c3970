"""[8.5, 8.6] Ship movement: in the harbor, down the channel, and at sea, where ships stay on the map (T17)."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.rules.decisions import Option, Unavailable
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.tora.deployment import choose_berth
from readyroom.games.tora.figures import USA
from readyroom.games.tora.harbor import ShipAtBerth, courses, headings, shut_in, why_not_sail, zone_of
from readyroom.games.tora.plans.data import Berth
from readyroom.games.tora.reach import other_ships, ships_at_berths
from readyroom.games.tora.reaction import may_react
from readyroom.games.tora.state import Ship, T, ring, seat_of

LIE, SEA, OTHER = "lie", "sea", "other"


def sail(table: T, number: int) -> Steps:
    """[8.5, 5.15] Ask each seat which ships of a ring move, then for each ship's course.

    The inner ship of a nest may follow once the outer one has moved.
    """
    if not may_react(table, "ship"):
        return
    offered: set[str] = set()
    while able := _able(table, number, offered):
        offered |= {ship.key for ship in able}
        moving: list[Ship] = []
        for seat in table.state.usa.seats:
            moving += yield from table.choose_some(
                seat,
                "8.5",
                "Which ships get under way?",
                [ship for ship in able if _seat(table, ship) == seat],
                text=lambda ship: f"{ship}, {_zone(table, ship)}",
                unavailable=lambda seat=seat: _kept(table, number, seat),  # type: ignore[misc]
                piece_key=f"sail:{number}",
            )
        if not moving:
            return
        for ship in moving:
            yield from _steer(table, ship)


def _zone(table: T, ship: Ship) -> str:
    assert ship.berth is not None
    return zone_of(table.data.places.harbor, ship.berth, ship.length)


def _seat(table: T, ship: Ship) -> str:
    return seat_of(table.state.usa, _zone(table, ship))


def _here(table: T, number: int) -> list[tuple[Ship, ShipAtBerth]]:
    """Return the ships of a ring that have not moved this turn."""
    turn, lying = table.state.at.turn, ships_at_berths(table.state)
    ships = zip((ship for ship in table.state.usa.ships if ship.berth is not None), lying, strict=True)
    return [(ship, one) for ship, one in ships if ship.moved != turn and ring(_zone(table, ship)) == number]


def _able(table: T, number: int, offered: set[str]) -> list[Ship]:
    """[8.5, 5.15] Return the ships of a ring that may move and have not been offered yet."""
    harbor, lying = table.data.places.harbor, ships_at_berths(table.state)
    return [
        ship
        for ship, one in _here(table, number)
        if ship.key not in offered and why_not_sail(harbor, one, other_ships(ship, lying)) is None
    ]


def _kept(table: T, number: int, seat: str) -> Iterator[Unavailable]:
    """Yield the other ships of a seat, with the reason why they cannot move."""
    harbor, lying = table.data.places.harbor, ships_at_berths(table.state)
    for ship, one in _here(table, number):
        no = why_not_sail(harbor, one, other_ships(ship, lying))
        if no is not None and _seat(table, ship) == seat:
            yield Unavailable(ship.key, str(ship), no.rule, no.reason)


def _steer(table: T, ship: Ship) -> Steps:
    """[8.5] Choose one of eight directions, the way out, or any other berth in reach; then move the ship."""
    assert ship.berth is not None
    places, lying = table.data.places, ships_at_berths(table.state)
    one, others = ShipAtBerth(ship, ship.berth), other_ships(ship, lying)
    reachable = headings(places, one, others)
    ahead = [
        Option(name, "to sea" if name == SEA else f"to the {name.replace('-', '')}", berth)
        for name, berth in reachable.items()
    ]
    elsewhere = [Option(OTHER, "to another berth in reach")] if ahead or courses(places, one, others) else []
    if shut_in(places.harbor, one, others):
        table.log_line("8.6", "A wreck blocks the channel.", audience=table.state.readers(USA))
    before = _zone(table, ship)
    chosen = yield from table.choose(
        seat_of(table.state.usa, before),
        "8.5",
        f"Which course does {ship} take?",
        [Option(LIE, "stay at her berth"), *ahead, *elsewhere],
        piece_key=f"course:{ship.key}",
    )
    if chosen.key == LIE:
        return
    berth = (yield from _any_berth(table, ship, one, others)) if chosen.key == OTHER else chosen.value
    _moor(table, ship, berth)


def _any_berth(table: T, ship: Ship, one: ShipAtBerth, others: list[ShipAtBerth]) -> Choice[Berth]:
    """[8.5] Choose any reachable berth (T25)."""
    berths = sorted(courses(table.data.places, one, others), key=lambda berth: (berth.x, berth.y, berth.lie))
    return (yield from choose_berth(table, seat_of(table.state.usa, _zone(table, ship)), ship, berths, moving=True))


def _moor(table: T, ship: Ship, berth: Berth) -> None:
    """[8.5] Move the ship to a berth; she may still fire this turn (T13)."""
    before = _zone(table, ship)
    ship.berth, ship.moved = berth, table.state.at.turn
    after = _zone(table, ship)
    table.log_line("8.5", "{} moves {}.", ship, f"within {after}" if after == before else f"from {before} to {after}")
