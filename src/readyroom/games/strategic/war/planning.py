"""[SW.4, SW.5, SW.7] Planning: both sides at once, each blind to what the other writes down."""

from __future__ import annotations

from collections import Counter

from readyroom.engine.table import Choice, Steps
from readyroom.games.strategic.state import T
from readyroom.games.strategic.war.building import build, place
from readyroom.games.strategic.war.moving import move_boats, move_ships, shift
from readyroom.games.strategic.war.orders import Plan, commit, send
from readyroom.games.strategic.war.places import bombing, nations
from readyroom.games.strategic.war.state import SEATS, Orders


def planning(table: T) -> Steps:
    """[SW.4, SW.5, SW.7] Both sides plan in secret; then what is built and moved is laid open, and the rest waits."""
    plans = yield from table.choose_in_secret({side: plan(table, side) for side in SEATS})
    for side, told in plans.items():
        for built, count in told.builds.items():
            place(table, built, count)
        for move, count in told.moves.items():
            shift(table, side, move, count)
        table.state.war.orders[side] = told.orders


def plan(table: T, side: str) -> Choice[Plan]:
    """A side's plan: building for each of its nations, moves, raids, and cards."""
    told = Plan(Counter(), Counter(), Orders())
    for nation in nations(table.state.war, side):
        told.builds += Counter((yield from build(table, side, nation)))
    told.moves += Counter((yield from (move_boats(table) if side == "axis" else move_ships(table))))
    for nation in nations(table.state.war, side):
        for country in bombing(table.state.war, nation):
            raids = yield from send(table, side, country, told)
            if raids:
                told.orders.raids[country.area] = raids
    told.orders.cards = yield from commit(table, side, told)
    return told
