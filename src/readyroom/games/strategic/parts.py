"""The three parts of the game, and the functions that delegate to the part played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, MatchView, View, ViewFn
from readyroom.engine.state import At, Outcome
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.part import Part
from readyroom.games.strategic.raid.opening import RaidOpening
from readyroom.games.strategic.raid.part import RAID
from readyroom.games.strategic.raid.state import Raid
from readyroom.games.strategic.staff.opening import StaffOpening
from readyroom.games.strategic.staff.part import STAFF
from readyroom.games.strategic.staff.state import Staff
from readyroom.games.strategic.state import Strategic
from readyroom.games.strategic.war.opening import WarOpening
from readyroom.games.strategic.war.part import WAR
from readyroom.games.strategic.war.state import War

if TYPE_CHECKING:
    from rich.console import RenderableType

PARTS: Mapping[type, Part] = {WarOpening: WAR, RaidOpening: RAID, StaffOpening: STAFF}
"""The parts by type of scenario."""
_PLAYED: Mapping[type, Part] = {War: WAR, Raid: RAID, Staff: STAFF}
_NAMED: Mapping[str, Part] = {"war": WAR, "raid": RAID, "staff": STAFF}
PHASES = [phase for part in PARTS.values() for phase in part.phases]
DOCTRINE = "doctrine"


def _part(state: Strategic) -> Part:
    return _PLAYED[type(state.played)]


def next_phase(state: Strategic) -> At | Outcome:
    """Return the next phase of the part played."""
    part = _part(state)
    return At(1, part.first) if state.at.turn == 0 else part.next_phase(state)


def view(state: Strategic, data: Data, seat: str | None) -> View:
    """Return what a seat sees of the part played, and the part's name."""
    name = next(name for name, part in _NAMED.items() if part is _part(state))
    return {"part": name, **_part(state).view(state, data, seat)}


def resample(state: Strategic, data: Data, seat: str, random: Random) -> Strategic:
    """Return a state the seat cannot distinguish from this one; change `state`."""
    return _part(state).resample(state, data, seat, random)


def board(view: MatchView[Any]) -> RenderableType:
    """Return the terminal board."""
    return _NAMED[view.table["part"]].board(view)


def layout(view: MatchView[Any]) -> Mapping[str, Any]:
    """Return the layout of the drawn board, and its template."""
    part = _NAMED[view.table["part"]]
    return {"drawing": part.drawing, **part.layout(view)}


def epilogue(state: Strategic, data: Data) -> Sequence[str]:
    """Return the epilogue of a finished match."""
    return _part(state).epilogue(state, data)


def counts(state: Strategic, data: Data) -> Mapping[str, float]:
    """Return the statistics of a finished match."""
    return _part(state).counts(state, data)


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """Return all bots by name; a part that lacks one uses its "doctrine"."""
    names = dict.fromkeys([DOCTRINE, *(name for part in PARTS.values() for name in part.bots)])
    return {name: _bot(name) for name in names}


def _bot(name: str) -> Callable[[str, Random], Bot]:
    def make(seat: str, random: Random) -> Bot:
        bots: dict[str, Bot] = {}

        def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
            played = look().table["part"] if not bots else next(iter(bots))
            if played not in bots:
                known = _NAMED[played].bots
                bots[played] = known.get(name, known[DOCTRINE])(seat, random)
            return bots[played](decision, look)

        return answer

    return make
