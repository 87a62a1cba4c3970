"""[PH] The air raid as a part of the game."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.engine.game import Phase, Seat
from readyroom.engine.state import At, Outcome
from readyroom.engine.table import Steps
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.part import Part
from readyroom.games.strategic.raid import declare, scoring, second, sequence, strike
from readyroom.games.strategic.raid.board import board
from readyroom.games.strategic.raid.bots import BOTS
from readyroom.games.strategic.raid.drawing import layout
from readyroom.games.strategic.raid.opening import RaidOpening
from readyroom.games.strategic.raid.state import JAPAN, NAMES, USA, Aircraft, Force, Raid, Ship, Squadron
from readyroom.games.strategic.raid.view import resample, view
from readyroom.games.strategic.state import Strategic, T

_RULES: dict[str, Callable[[T], Steps | None]] = {
    sequence.DECLARATION: declare.declare,
    sequence.MAGIC: declare.play_magic,
    sequence.CARRIERS: declare.place_carriers,
    sequence.SURPRISE: declare.surprise,
    sequence.ESCORTS: strike.choose_escorts,
    sequence.BATTLE: strike.air_battle,
    sequence.GUNS: strike.fire,
    sequence.ATTACK: strike.attack,
    sequence.DECISION: second.decide,
    sequence.INTERCEPTION: second.intercept,
    sequence.FLEETS: second.carrier_battle,
    sequence.SCORING: scoring.score_match,
}


def start(data: Data, opening: RaidOpening) -> Raid:
    """[PH] Return the raid before war is declared."""
    striking, size = opening.striking, opening.carriers.size
    return Raid(
        opening=opening,
        ships=[Ship(ship.key, ship.name, ship.size) for ship in opening.harbor.ship],
        forces=[
            Force(
                force.key, force.name, [Ship(one.key, one.name, size, True) for one in force.carrier], force.squadrons
            )
            for force in opening.force
        ],
        carriers=[Ship(one.key, one.name, size, True) for one in striking.carrier],
        army=Aircraft(opening.airfields.army),
        naval=Aircraft(opening.airfields.naval),
        light=opening.harbor.light,
        aboard=[
            Squadron(f"{one.key}-{number}", one.key)
            for one in striking.carrier
            for number in range(1, striking.squadrons + 1)
        ],
    )


def next_phase(state: Strategic) -> At | Outcome:
    """Return the next phase; the scoring phase ends the match."""
    return sequence.after(state.at, state.raid)


RAID = Part(
    seats=(Seat(JAPAN, NAMES[JAPAN], JAPAN), Seat(USA, NAMES[USA], USA)),
    first=sequence.DECLARATION,
    start=start,
    phases=[Phase(name, title, rule, _RULES[name]) for name, (title, rule) in sequence.TITLES.items()],
    next_phase=next_phase,
    view=view,
    resample=resample,
    board=board,
    layout=layout,
    drawing="raid/board.svg.j2",
    bots=BOTS,
    epilogue=scoring.epilogue,
    counts=scoring.counts,
)
