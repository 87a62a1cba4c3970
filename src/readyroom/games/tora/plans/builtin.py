"""[5, 7] Named plans, six for each side, and the bots that use them.

Each is a file that the planning sheets can load, so that a player can start from one. A list gives their titles, and
the doctrine by which the bot fights afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from importlib.resources import files
from random import Random

import msgspec

from readyroom.engine.data import convert, parse
from readyroom.engine.game import Bot, NamedPlan, ViewFn
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora.battle.outcome import final_counts
from readyroom.games.tora.bots import doctrine
from readyroom.games.tora.figures import SIDES, Data, SideName, builtin_data
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.phase import answer
from readyroom.games.tora.plans.reading import read
from readyroom.games.tora.state import Tora

INDEX = "plans.toml"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named plan: file, side, title, summary, and the doctrine by which its bot fights."""

    key: str
    side: SideName
    title: str
    summary: str
    doctrine: str = msgspec.field(name="staff", default=doctrine.DEFAULT)


class Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The list of named plans."""

    plan: list[Entry]


@lru_cache(maxsize=1)
def index() -> Index:
    """Return the list of named plans."""
    return convert(parse(_file(INDEX), INDEX), Index, INDEX)


def _file(name: str) -> bytes:
    return files("readyroom.games.tora").joinpath("data", name).read_bytes()


@lru_cache(maxsize=64)
def named(key: str) -> Plan:
    """Return a named plan; an illegal one raises `BadPlan`."""
    name = f"plans/{key}.toml"
    return read(_file(name), name, builtin_data())


def plans() -> dict[str, dict[str, NamedPlan]]:
    """Return all named plans by side."""
    return {
        side: {
            each.key: NamedPlan(each.title, each.summary, partial(planner, each))
            for each in index().plan
            if each.side == side
        }
        for side in SIDES
    }


def planner(entry: Entry, seat: str, random: Random) -> Bot:
    """Return a bot that plans as written and fights by the entry's doctrine."""
    plan, fight, data = named(entry.key), doctrine.doctrine(entry.doctrine, seat, random), builtin_data()

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        planned = answer(plan, decision, data)
        return fight(decision, look) if planned is None else planned

    return decide


def counts(state: Tora, data: Data) -> dict[str, float]:
    """[14.2] Return the statistics of a finished battle by title."""
    result = final_counts(state, data)
    battleships = [ship for ship in state.usa.ships if ship.battleship]
    return {
        "Battleships hit": sum(ship.hits > 0 for ship in battleships),
        "Battleships damaged or sunk": sum(ship.sunk or state.damaged(ship) for ship in battleships),
        "Battleships sunk": sum(ship.sunk for ship in battleships),
        "Capital ships sunk": result.sunk,
        "Capital ships damaged": result.damaged,
        "Hits on the Navy Yard": result.yard,
        "Japanese aircraft lost": result.japanese,
        "American aircraft lost": result.american,
    }
