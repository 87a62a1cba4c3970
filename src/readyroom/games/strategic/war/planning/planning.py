"""[SW.4, SW.5, SW.7] Planning: both sides at once, in secret."""

from __future__ import annotations

from collections import Counter

from readyroom.engine.rules.table import Choice, Steps, with_sheet
from readyroom.games.strategic.war.places import bombing, nations
from readyroom.games.strategic.war.planning.building import build, place
from readyroom.games.strategic.war.planning.moving import move_boats, move_ships, shift
from readyroom.games.strategic.war.planning.orders import Plan, commit, send
from readyroom.games.strategic.war.state import SEATS, Orders, T

NO_PLAN = "There is nothing to plan this turn."


def planning(table: T) -> Steps:
    """[SW.4, SW.5, SW.7] Let both sides plan in secret, then carry out builds and moves publicly."""
    drafts = {side: Plan(Counter(), Counter(), Orders()) for side in SEATS}
    steps = {side: plan(table, side, draft) for side, draft in drafts.items()}
    if table.state.rulings.questions == "always":
        steps = {side: table.always_asks(side, "SW.4", NO_PLAN, each) for side, each in steps.items()}
    plans = yield from table.choose_in_secret({side: with_sheet(each, drafts[side]) for side, each in steps.items()})
    for side, chosen in plans.items():
        for nation in nations(table.state.war, side):
            place(table, nation, chosen.builds)
        for move in list(chosen.moves):
            shift(table, side, move, chosen.moves.pop(move))
        table.state.war.orders[side] = chosen.orders


def plan(table: T, side: str, draft: Plan) -> Choice[Plan]:
    """Ask a side for its plan, kept in a draft: builds of each nation, moves, raids and cards."""
    for nation in nations(table.state.war, side):
        draft.builds += Counter((yield from build(table, side, nation)))
    draft.moves += Counter((yield from (move_boats(table) if side == "axis" else move_ships(table))))
    for nation in nations(table.state.war, side):
        for country in bombing(table.state.war, nation):
            raids = yield from send(table, side, country, draft)
            if raids:
                draft.orders.raids[country.area] = raids
    draft.orders.cards = yield from commit(table, side, draft)
    return draft
