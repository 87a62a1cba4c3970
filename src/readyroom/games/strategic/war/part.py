"""The air war as a part of the game."""

from __future__ import annotations

from rich.text import Text

from readyroom.engine.game import Phase, Seat
from readyroom.engine.state import Outcome
from readyroom.games.strategic.part import Part
from readyroom.games.strategic.state import T
from readyroom.games.strategic.war.state import War


def _nothing(table: T) -> None:
    table.finish(Outcome(None, "nothing", "Nothing happened."))


WAR = Part(
    seats=(Seat("japan", "Japan", "japan"), Seat("usa", "United States", "usa")),
    first="war",
    start=lambda data, opening: War(),
    phases=[Phase("war", "the war", "PH", _nothing)],
    next_phase=lambda state: Outcome(None, "nothing", "Nothing happened."),
    view=lambda state, data, seat: {},
    resample=lambda state, data, seat, random: state,
    board=lambda view: Text(""),
    layout=lambda view: {},
    drawing="war/board.svg.j2",
    bots={"doctrine": lambda seat, random: lambda decision, look: decision.sample(random)},
)
