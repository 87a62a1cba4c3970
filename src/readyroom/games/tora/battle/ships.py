"""[8.5, 8.6] Ship movement: in the harbor, down the channel, and at sea, where ships stay on the map (T17)."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.rules.decisions import Option, Unavailable
from readyroom.engine.rules.table import Steps
from readyroom.games.tora.battle.reach import other_ships, ships_at_berths
from readyroom.games.tora.battle.reaction import may_react
from readyroom.games.tora.figures import USA
from readyroom.games.tora.harbor import No, ShipAtBerth, courses, headings, shut_in, why_not_sail, zone_of
from readyroom.games.tora.plans.deployment import choose_berth
from readyroom.games.tora.state import Ship, T, ring, seat_of

LIE, SEA, OTHER = "lie", "sea", "other"


def sail(table: T, number: int) -> Steps:
    """[8.5, 5.15] Ask each seat which ships of a ring move, then for each ship's course.

    The inner ship of a nest may follow once the outer one has moved.
    """
    if not may_react(table, "ship"):
        return
    offered: set[str] = set()
    while able := [ship for ship, no in _ships(table, number) if no is None and ship.key not in offered]:
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


def _ships(table: T, number: int) -> Iterator[tuple[Ship, No | None]]:
    """[8.5, 5.15] Yield the ships of a ring that have not moved this turn, with the reason why they cannot move."""
    turn, lying = table.state.at.turn, ships_at_berths(table.state)
    ships = (ship for ship in table.state.usa.ships if ship.berth is not None)
    for ship, one in zip(ships, lying, strict=True):
        if ship.moved != turn and ring(_zone(table, ship)) == number:
            yield ship, why_not_sail(table.data.places.harbor, one, other_ships(ship, lying))


def _kept(table: T, number: int, seat: str) -> Iterator[Unavailable]:
    """Yield the other ships of a seat, with the reason why they cannot move."""
    for ship, no in _ships(table, number):
        if no is not None and _seat(table, ship) == seat:
            yield Unavailable(ship.key, str(ship), no.rule, no.reason)


def _steer(table: T, ship: Ship) -> Steps:
    """[8.5] Choose one of eight directions, the way out, or any other berth in reach (T25); then move the ship.

    She may still fire this turn (T13).
    """
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
        table.log_line("8.6", "A wreck blocks the channel.", audience=table.state.readers(USA), target=ship)
    before, seat = _zone(table, ship), _seat(table, ship)
    chosen = yield from table.choose(
        seat,
        "8.5",
        f"Which course does {ship} take?",
        [Option(LIE, "stay at her berth"), *ahead, *elsewhere],
        piece_key=f"course:{ship.key}",
    )
    if chosen.key == LIE:
        return
    berth = chosen.value
    if chosen.key == OTHER:
        berths = sorted(courses(places, one, others), key=lambda berth: (berth.x, berth.y, berth.lie))
        berth = yield from choose_berth(table, seat, ship, berths, moving=True)
    ship.berth, ship.moved = berth, table.state.at.turn
    after = _zone(table, ship)
    way = f"within {after}" if after == before else f"from {before} to {after}"
    table.log_line("8.5", "{} moves {}.", ship, way, target=after)
