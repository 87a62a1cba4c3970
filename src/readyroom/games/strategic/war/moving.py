"""[SW.5] Redeployment: a few factors go from one box to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from readyroom.engine.decisions import Option
from readyroom.engine.table import Choice
from readyroom.games.strategic.state import T
from readyroom.games.strategic.war.building import AFLOAT, COLUMNS, ITEMS, ONE, PLURAL
from readyroom.games.strategic.war.places import CAMPAIGNS, POWERS, SEAS, fleets, hunted, nations, year
from readyroom.games.strategic.war.submarines import factors

AIRFIELDS = {"germany": "Britain", "japan": "the Pacific"}
"""Where the Allied bombers are that raid a country."""


class Move(msgspec.Struct, frozen=True):
    """A factor that may be sent from one box to another."""

    item: str
    origin: str
    goal: str


def move_boats(table: T) -> Choice[list[Move]]:
    """[SW.5] The Axis sends submarines from one ocean to the other, a few factors a turn."""
    war = table.state.war
    options = []
    for nation in nations(war, "axis"):
        pair = fleets(war, nation)
        for origin, goal in [(a, b) for a in pair for b in pair if a is not b]:
            if war.submarines[origin.fleet].ready:
                told = Move("submarine", origin.fleet, goal.fleet)
                key = f"move-{origin.fleet}-{goal.sea}"
                text = f"a factor of {POWERS[nation]}'s submarines, {SEAS[origin.sea]} to {SEAS[goal.sea]}"
                options.append(
                    Option(key, text, told, cell=(POWERS[nation], f"{COLUMNS[origin.sea]} to {COLUMNS[goal.sea]}"))
                )
    return (yield from _moved(table, "axis", "Which submarines change oceans?", options))


def move_ships(table: T) -> Choice[list[Move]]:
    """[SW.5, W3] The Allies reinforce one place from the others: an ocean, or the bombers of the one or other front."""
    war = table.state.war
    goals = [Option("stay", "nowhere: everything stays where it is")]
    goals += [
        Option(f"to-{goal}", f"to the {SEAS[goal]}" if goal in SEAS else "bombers to Britain", goal)
        for goal in [*hunted(war, "allies"), "britain"]
        if list(_towards(table, goal))
    ]
    if len(goals) == 1:
        return []
    goal = yield from table.choose(
        "allies", "SW.5", "Where do the Allies send forces from elsewhere?", goals, piece_key="to"
    )
    if goal.value is None:
        return []
    question = f"What do they send {goal.text.removeprefix('bombers ')}?"
    return (yield from _moved(table, "allies", question, list(_towards(table, goal.value))))


def _towards(table: T, goal: str) -> Iterator[Option]:
    """What can be sent to a place."""
    war = table.state.war
    for origin in hunted(war, "allies"):
        for item in AFLOAT if origin != goal and goal in SEAS else ():
            if _lying(table, item, origin):
                text = f"{ONE[item]} from the {SEAS[origin]}"
                yield Option(
                    f"move-{item}-{origin}", text, Move(item, origin, goal), cell=(ITEMS[item], COLUMNS[origin])
                )
    areas = {"pacific": ("germany", "japan"), "britain": ("japan", "germany")}
    if goal in areas and war.fought("germany") and war.fought("japan"):
        origin_area, goal_area = areas[goal]
        late = year(war, table.state.at.turn) >= table.data.war.ranges.pacific_from
        if war.bombers[origin_area].ready and late:
            where = AIRFIELDS[origin_area]
            told = Move("bomber", origin_area, goal_area)
            yield Option(
                f"move-bomber-{origin_area}", f"a factor of bombers from {where}", told, cell=("Bombers", where)
            )


def _moved(table: T, side: str, question: str, options: Sequence[Option]) -> Choice[list[Move]]:
    most = table.data.war.moving.factors
    moved = yield from table.choose_some(
        side,
        "SW.5",
        question,
        options,
        at_most=most,
        limit=lambda option: min(most, _lying(table, option.value.item, option.value.origin)),
        piece_key="move",
    )
    return [option.value for option in moved]


def _lying(table: T, item: str, origin: str) -> int:
    """How many factors lie somewhere."""
    war = table.state.war
    if item == "submarine":
        return war.submarines[origin].ready
    return war.bombers[origin].ready if item == "bomber" else war.oceans[origin].count(item)


def shift(table: T, side: str, told: Move, count: int) -> None:
    """[SW.5] What is sent is there at once, and everybody sees it."""
    war = table.state.war
    for place, change in ((told.origin, -count), (told.goal, count)):
        if told.item == "submarine":
            war.submarines[place].ready += change
        elif told.item == "bomber":
            war.bombers[place].ready += change
        else:
            war.oceans[place].add(told.item, change)
    who = "The Axis sends" if side == "axis" else "The Allies send"
    names = [_named(told.item, place) for place in (told.origin, told.goal)]
    table.log_line("SW.5", "{} {} of {} from {} to {}.", who, factors(count), PLURAL[told.item], *names)


def _named(item: str, place: str) -> str:
    if item == "submarine":
        return f"the {SEAS[CAMPAIGNS[place].sea]}"
    return AIRFIELDS[place] if item == "bomber" else f"the {SEAS[place]}"
