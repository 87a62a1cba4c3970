"""The three parts by what their scenarios are made of and by what is played; and what a match asks of its own part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from readyroom.engine.decisions import Decision
from readyroom.engine.game import Bot, View, ViewFn
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
"""The parts by the content of a scenario."""
_PLAYED: Mapping[type, Part] = {War: WAR, Raid: RAID, Staff: STAFF}
_NAMED: Mapping[str, Part] = {"war": WAR, "raid": RAID, "staff": STAFF}
PHASES = [phase for part in PARTS.values() for phase in part.phases]
DOCTRINE = "doctrine"


def _of(state: Strategic) -> Part:
    return _PLAYED[type(state.played)]


def next_phase(state: Strategic) -> At | Outcome:
    """The phase that follows in what is played."""
    part = _of(state)
    return At(1, part.first) if state.at.turn == 0 else part.next_phase(state)


def view(state: Strategic, data: Data, seat: str | None) -> View:
    """What a seat may see: which part is played, and what that part shows."""
    name = next(name for name, part in _NAMED.items() if part is _of(state))
    return {"part": name, **_of(state).view(state, data, seat)}


def resample(state: Strategic, data: Data, seat: str, random: Random) -> Strategic:
    """Another state that the seat could not tell from this one. The state given is changed."""
    return _of(state).resample(state, data, seat, random)


def _spread(view: View) -> View:
    """What a match shows, and with it what its part shows, on one level."""
    return {**view, **view["table"]}


def board(view: View) -> RenderableType:
    """The board as a terminal shows it."""
    return _NAMED[view["table"]["part"]].board(_spread(view))


def layout(view: View) -> Mapping[str, Any]:
    """Where everything lies on the drawn board, and which template draws it."""
    part = _NAMED[view["table"]["part"]]
    return {"drawing": part.drawing, **part.layout(_spread(view))}


def epilogue(state: Strategic, data: Data) -> Sequence[str]:
    """What a finished match comes to."""
    return _of(state).epilogue(state, data)


def counts(state: Strategic, data: Data) -> Mapping[str, float]:
    """Figures of a finished match, for studies."""
    return _of(state).counts(state, data)


def bots() -> dict[str, Callable[[str, Random], Bot]]:
    """All bots by name. One that a part does not know plays there by its doctrine."""
    names = dict.fromkeys([DOCTRINE, *(name for part in PARTS.values() for name in part.bots)])
    return {name: _bot(name) for name in names}


def _bot(name: str) -> Callable[[str, Random], Bot]:
    def made(seat: str, random: Random) -> Bot:
        brains: dict[str, Bot] = {}

        def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
            played = look()["table"]["part"] if not brains else next(iter(brains))
            if played not in brains:
                known = _NAMED[played].bots
                brains[played] = known.get(name, known[DOCTRINE])(seat, random)
            return brains[played](decision, look)

        return answer

    return made
