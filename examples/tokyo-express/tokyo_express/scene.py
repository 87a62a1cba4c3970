"""What both boards show: each place with the ships that are known to be there."""

from __future__ import annotations

from dataclasses import dataclass

from readyroom.authoring import MatchView
from tokyo_express.state import HARBOUR, JAPAN, USA
from tokyo_express.view import ExpressView, OrdersView

SHORTLAND = "shortland"


@dataclass(frozen=True)
class Counter:
    """A ship or a squadron of boats; the key may be an option's, `status` is what is known of it."""

    key: str
    name: str
    side: str
    status: str = ""


@dataclass(frozen=True)
class Place:
    """A harbour or a passage: its key, which is an option's too, and the counters there."""

    key: str
    name: str
    counters: list[Counter]


@dataclass(frozen=True)
class Scene:
    """A title, a line below it, and the places from north-west to south-east."""

    title: str
    line: str
    places: list[Place]


def scene(view: MatchView[ExpressView]) -> Scene:
    """Return the night as the seat of this view knows it."""
    table = view.table
    title = f"Night {min(table.night, table.nights) or 1} of {table.nights}: {table.sky or 'dusk'}"
    line = f"Japan has {table.points} of {table.need} points; {sum(table.landed)} drums landed"
    names = {SHORTLAND: "Shortland", **table.passages, HARBOUR: "Tulagi"}
    orders = table.tonight or view.sheets.get(JAPAN) or OrdersView()
    counters = [*_destroyers(table, orders), *_patrols(table)]
    return Scene(title, line, [Place(key, name, [c for at, c in counters if at == key]) for key, name in names.items()])


def _destroyers(table: ExpressView, orders: OrdersView) -> list[tuple[str, Counter]]:
    """Return each destroyer with its known place: Shortland unless it was seen elsewhere."""
    loaded, sailing = orders.loaded or (), orders.sailing or ()
    escort = "escort" if orders.loaded is not None else ""
    pairs = []
    for key, name in table.ready.items():
        at = orders.passage or SHORTLAND if key in sailing else SHORTLAND
        status = "drums" if key in loaded else escort if key in sailing else ""
        pairs.append((at, Counter(key, name, JAPAN, status)))
    return pairs + [(SHORTLAND, Counter(key, name, JAPAN, "burnt")) for key, name in table.burnt.items()]


def _patrols(table: ExpressView) -> list[tuple[str, Counter]]:
    """Return cruisers and boats with their known places: the harbour unless they were seen elsewhere."""
    orders = table.tonight or OrdersView()
    cruisers, boats = orders.cruisers or HARBOUR, orders.boats or HARBOUR
    pairs = [(cruisers, Counter(key, name, USA)) for key, name in table.cruisers.items()]
    pairs += [(HARBOUR, Counter(key, name, USA, "torpedoed")) for key, name in table.torpedoed.items()]
    return pairs + [(boats, Counter(f"boats-{n + 1}", f"boats {n + 1}", USA)) for n in range(table.squadrons)]
