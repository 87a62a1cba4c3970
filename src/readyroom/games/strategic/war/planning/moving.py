"""[SW.5] Redeployment: moving a few factors from one box to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import msgspec

from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.table import Choice
from readyroom.games.strategic.tables.named import Named
from readyroom.games.strategic.war.pieces import counter
from readyroom.games.strategic.war.places import CAMPAIGNS, POWERS, SEAS, fleets, hunted, nations, year
from readyroom.games.strategic.war.planning.building import AFLOAT, COLUMNS, ITEMS, KINDS
from readyroom.games.strategic.war.state import T
from readyroom.games.strategic.war.submarines import factors

AIRFIELDS = {"germany": "Britain", "japan": "the Pacific"}
"""The base of the Allied bombers against a country."""


class Move(msgspec.Struct, frozen=True):
    """A move of a factor from one box to another."""

    item: str
    origin: str
    goal: str

    def counter(self, place: str) -> str:
        """Return the key of the counter at its origin or goal."""
        return place if self.item == "submarine" else counter(self.item, place)


def move_boats(table: T) -> Choice[list[Move]]:
    """[SW.5] Ask which Axis submarines change oceans."""
    war = table.state.war
    options = []
    for nation in nations(war, "axis"):
        for origin, goal in permutations(fleets(war, nation), 2):
            if war.submarines[origin.fleet].ready:
                move = Move("submarine", origin.fleet, goal.fleet)
                text = f"1 submarine factor of {POWERS[nation]}, {SEAS[origin.sea]} to {SEAS[goal.sea]}"
                cell = (POWERS[nation], f"{COLUMNS[origin.sea]} to {COLUMNS[goal.sea]}")
                options.append(Option(f"move-{origin.fleet}-{goal.sea}", text, move, cell=cell))
    return (yield from _choose_moves(table, "axis", "Which submarines move to another ocean?", options))


def move_ships(table: T) -> Choice[list[Move]]:
    """[SW.5, W3] Ask which ocean or bomber front the Allies reinforce, and from where."""
    war = table.state.war
    goals = [Option("stay", "none: move nothing")]
    goals += [
        Option(f"to-{goal}", f"to the {SEAS[goal]}" if goal in SEAS else "bombers to Britain", goal)
        for goal in [*hunted(war, "allies"), "britain"]
        if list(_reinforcements(table, goal))
    ]
    if len(goals) == 1:
        return []
    goal = yield from table.choose("allies", "SW.5", "Where do the Allies send reinforcements?", goals, piece_key="to")
    if goal.value is None:
        return []
    question = f"What do they send {goal.text.removeprefix('bombers ')}?"
    return (yield from _choose_moves(table, "allies", question, list(_reinforcements(table, goal.value))))


def _reinforcements(table: T, goal: str) -> Iterator[Option]:
    """Return what can be sent to a place."""
    war = table.state.war
    for origin in hunted(war, "allies"):
        for item in AFLOAT if origin != goal and goal in SEAS else ():
            if _available(table, item, origin):
                text, move = f"{factors(1, KINDS[item])} from the {SEAS[origin]}", Move(item, origin, goal)
                yield Option(f"move-{item}-{origin}", text, move, cell=(ITEMS[item], COLUMNS[origin]))
    areas = {"pacific": ("germany", "japan"), "britain": ("japan", "germany")}
    if goal in areas and war.fought("germany") and war.fought("japan"):
        origin, target = areas[goal]
        late = year(war, table.state.at.turn) >= table.data.war.ranges.pacific_from
        if war.bombers[origin].ready and late:
            text, where = f"1 bomber factor from {AIRFIELDS[origin]}", AIRFIELDS[origin]
            yield Option(f"move-bomber-{origin}", text, Move("bomber", origin, target), cell=("Bombers", where))


def _choose_moves(table: T, side: str, question: str, options: Sequence[Option]) -> Choice[list[Move]]:
    most = table.data.war.moving.factors
    chosen = yield from table.choose_some(
        side,
        "SW.5",
        question,
        options,
        at_most=most,
        limit=lambda option: min(most, _available(table, option.value.item, option.value.origin)),
        piece_key="move",
    )
    return [option.value for option in chosen]


def _available(table: T, item: str, origin: str) -> int:
    """Return how many factors can move from a box."""
    war = table.state.war
    if item == "submarine":
        return war.submarines[origin].ready
    return war.bombers[origin].ready if item == "bomber" else war.oceans[origin].count(item)


def shift(table: T, side: str, move: Move, count: int) -> None:
    """[SW.5] Move factors at once and publicly."""
    war, names = table.state.war, list[Named]()
    for place, change in ((move.origin, -count), (move.goal, count)):
        key = move.counter(place)
        if move.item == "submarine":
            war.submarines[place].ready += change
            names.append(Named(key, f"the {SEAS[CAMPAIGNS[place].sea]}"))
        elif move.item == "bomber":
            war.bombers[place].ready += change
            names.append(Named(key, AIRFIELDS[place]))
        else:
            war.oceans[place].add(move.item, change)
            names.append(Named(key, f"the {SEAS[place]}"))
    who, moment = "The Axis moves" if side == "axis" else "The Allies move", ""
    if move.origin == "german-atlantic" and not war.submarines[move.origin].whole:
        moment = "U-boats withdrawn from the Atlantic"
    moved = factors(count, KINDS[move.item])
    table.log_line("SW.5", "{} {} from {} to {}.", who, moved, *names, target=names[1], moment=moment)
