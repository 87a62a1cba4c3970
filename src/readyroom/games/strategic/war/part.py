"""The strategic war as a part of the game."""

from __future__ import annotations

from readyroom.engine.game import Seat
from readyroom.games.strategic.part import Part
from readyroom.games.strategic.war.board import board
from readyroom.games.strategic.war.doctrine import bots
from readyroom.games.strategic.war.drawing import layout
from readyroom.games.strategic.war.sequence import PHASES, next_phase
from readyroom.games.strategic.war.setup import start
from readyroom.games.strategic.war.summary import counts, epilogue
from readyroom.games.strategic.war.view import resample, view

WAR = Part(
    seats=(Seat("axis", "Germany and Japan", "axis"), Seat("allies", "the Allies", "allies")),
    first=PHASES[0].name,
    start=start,
    phases=PHASES,
    next_phase=next_phase,
    view=view,
    resample=resample,
    board=board,
    layout=layout,
    drawing="war/board.svg.j2",
    bots=bots(),
    epilogue=epilogue,
    counts=counts,
)
