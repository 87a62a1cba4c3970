"""Questions that send squadrons to places on the board, all of them at once (M27)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter

import msgspec

from readyroom.engine.rules.decisions import BudgetGroup, OptionInfo, UnavailableOptions
from readyroom.engine.rules.table import Choice
from readyroom.games.midway.state import Squadron, T


class Order(msgspec.Struct, frozen=True, gc=False):
    """A squadron and a place: the key of a ship or box on the board, and its name."""

    squadron: Squadron
    place: str
    name: str

    @property
    def key(self) -> str:
        """The keys of both, such as `hiryu-db-2@hornet`."""
        return f"{self.squadron.key}@{self.place}"

    @property
    def assigns(self) -> tuple[str, str]:
        """The keys of both."""
        return self.squadron.key, self.place

    @property
    def cell(self) -> tuple[str, str]:
        """The row and the column in a table of all orders."""
        return str(self.squadron), self.name

    def __str__(self) -> str:
        return f"{self.squadron} → {self.name}"


_strength: Callable[[Order], int] = attrgetter("squadron.strength")


def give_orders(
    table: T,
    seat: str,
    rule: str,
    question: str,
    orders: Sequence[Order],
    *,
    info: Callable[[Order], OptionInfo | None] | None = None,
    unavailable: UnavailableOptions | None = None,
    capacity: int = 0,
    select_all_default: bool = False,
) -> Choice[dict[str, list[Squadron]]]:
    """Ask once where squadrons go; return those sent to each place.

    Args:
        table: the table.
        seat: the seat that decides.
        rule: the rule of the question.
        question: its text.
        orders: what is possible; a squadron can get one order, or none.
        info: the info of an order.
        unavailable: squadrons that get no order, and why.
        capacity: the strength points that each place can take; 0: any number.
        select_all_default: most players give every squadron its first order.
    """
    places = {order.place: order.name for order in orders}
    by_place = {place: [order for order in orders if order.place == place] for place in places} if capacity else {}
    chosen = yield from table.choose_some(
        seat,
        rule,
        question,
        orders,
        at_most=len({order.squadron.key for order in orders}),
        cost=_strength if capacity else None,
        budget=capacity,
        budget_groups=[BudgetGroup(place, places[place], group) for place, group in by_place.items()],
        info=info,
        unavailable=unavailable,
        select_all_default=select_all_default,
        assigns=attrgetter("assigns"),
    )
    sent: dict[str, list[Squadron]] = {place: [] for place in places}
    for order in chosen:
        sent[order.place].append(order.squadron)
    return sent


def each_to_each(squadrons: Iterable[Squadron], places: Mapping[str, str]) -> list[Order]:
    """Return the orders of all squadrons to all places, which are keys and names."""
    return [Order(squadron, place, name) for squadron in squadrons for place, name in places.items()]


def to_place(place: str) -> Callable[[Squadron], tuple[str, str]]:
    """Return what `choose_some` needs where squadrons can only go to one place: it lets them be dragged there."""
    return partial(_assigned, place)


def _assigned(place: str, squadron: Squadron) -> tuple[str, str]:
    return squadron.key, place
