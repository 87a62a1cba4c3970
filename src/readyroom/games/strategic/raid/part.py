"""The air raid as a part of the game."""

from __future__ import annotations

from rich.text import Text

from readyroom.engine.game import Phase, Seat
from readyroom.engine.state import Outcome
from readyroom.games.strategic.part import Part
from readyroom.games.strategic.raid.state import Raid
from readyroom.games.strategic.state import T


def _nothing(table: T) -> None:
    table.finish(Outcome(None, "nothing", "Nothing happened."))


RAID = Part(
    seats=(Seat("japan", "Japan", "japan"), Seat("usa", "United States", "usa")),
    first="raid",
    start=lambda data, opening: Raid(),
    phases=[Phase("raid", "the raid", "PH", _nothing)],
    next_phase=lambda state: Outcome(None, "nothing", "Nothing happened."),
    view=lambda state, data, seat: {},
    resample=lambda state, data, seat, random: state,
    board=lambda view: Text(""),
    layout=lambda view: {},
    drawing="raid/board.svg.j2",
    bots={"doctrine": lambda seat, random: lambda decision, look: decision.sample(random)},
)
