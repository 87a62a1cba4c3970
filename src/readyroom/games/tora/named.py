"""[5, 7] The plans that have names: six for each side, and the staffs that carry them out.

Each is a file that the planning sheets read as well, so that a player can begin with one and change it. A list beside
them says what they are called, and by which doctrine a staff fights once its plan is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from importlib.resources import files
from random import Random

import msgspec

from readyroom.engine.data import convert, parse
from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, NamedPlan, ViewFn
from readyroom.games.tora import doctrine
from readyroom.games.tora.figures import SIDES, Data, SideName
from readyroom.games.tora.outcome import tally
from readyroom.games.tora.planning import answer
from readyroom.games.tora.plans import read
from readyroom.games.tora.seal import Plan
from readyroom.games.tora.state import Tora

INDEX = "plans.toml"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the list: the plan's file, whose it is, what it is called, what it is, and who fights it."""

    key: str
    side: SideName
    title: str
    summary: str
    staff: str = doctrine.DEFAULT


class Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The list of named plans."""

    plan: list[Entry]


@lru_cache(maxsize=1)
def index() -> Index:
    """The list of named plans, in its order."""
    return convert(parse(_file(INDEX), INDEX), Index, INDEX)


def _file(name: str) -> bytes:
    return files(__name__.rpartition(".")[0]).joinpath("data", name).read_bytes()


@lru_cache(maxsize=64)
def named(key: str) -> Plan:
    """The plan of this name; one that is not legal raises `BadPlan`."""
    name = f"plans/{key}.toml"
    return read(_file(name), name, doctrine.figures())


def plans() -> dict[str, dict[str, NamedPlan]]:
    """All named plans by side."""
    return {
        side: {
            each.key: NamedPlan(each.title, each.summary, partial(planner, each))
            for each in index().plan
            if each.side == side
        }
        for side in SIDES
    }


def planner(entry: Entry, seat: str, random: Random) -> Bot:
    """A bot that plans as written and fights by the doctrine of its staff."""
    plan, staff, data = named(entry.key), doctrine.doctrine(entry.staff, seat, random), doctrine.figures()

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        planned = answer(plan, decision, data)
        return staff(decision, look) if planned is None else planned

    return decide


def counts(state: Tora, data: Data) -> dict[str, float]:
    """[14.2] What is counted when a battle is over, by title."""
    found = tally(state, data)
    battleships = [ship for ship in state.usa.ships if ship.battleship]
    return {
        "Battleships hit": sum(ship.hits > 0 for ship in battleships),
        "Battleships damaged or sunk": sum(ship.sunk or state.damaged(ship) for ship in battleships),
        "Battleships sunk": sum(ship.sunk for ship in battleships),
        "Capital ships sunk": found.sunk,
        "Capital ships damaged": found.damaged,
        "Hits on the Navy Yard": found.yard,
        "Japanese aircraft lost": found.japanese,
        "American aircraft lost": found.american,
    }
