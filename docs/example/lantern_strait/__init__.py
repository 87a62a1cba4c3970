"""Lantern Strait: a game of ten minutes, made up to show how a game is added to Ready Room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

import msgspec

from lantern_strait.bot import steady
from lantern_strait.night import PHASES, next_phase
from lantern_strait.state import GUARD, RUNNER, Data, Strait
from lantern_strait.view import resample, view
from readyroom.engine.cups import Cup
from readyroom.engine.data import load
from readyroom.engine.game import Game, Scenario, Seat, load_options
from readyroom.engine.state import At


class Own(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario file: this game has nothing to say in one but its name."""

    title: str
    summary: str


def scenarios(data: Data) -> Sequence[Scenario]:
    """[1] The only scenario."""
    own = Own("The strait", "Four boats, four skies, one guard.")
    return [Scenario(key="strait", title=own.title, summary=own.summary, content=own)]


def seats(scenario: Scenario, options: Mapping[str, str]) -> Sequence[Seat]:
    """[1] The runner and the guard, each a side of his own."""
    return [Seat(RUNNER, "Runner", RUNNER), Seat(GUARD, "Guard", GUARD)]


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Strait:
    """[1] All boats in harbour, all skies in the cup; copies of the data's own, which must stay as they are."""
    boats, skies = deepcopy(data.figures.boat), deepcopy(data.figures.sky)
    return Strait(At(0, "dawn"), int(options["nights"]), boats, [], [], [], Cup(skies), [])


GAME: Game[Strait, Data] = Game(
    key="strait",
    title="Lantern Strait",
    summary="Boats slip through a strait by night, and a guard listens for oars.",
    players="2",
    length="ten minutes",
    version="1",
    package=__name__,
    state=Strait,
    data_type=Data,
    data=load(Data, __name__),
    options=load_options(__name__),
    scenario_type=Own,
    scenarios=scenarios,
    seats=seats,
    setup=set_up,
    phases=PHASES,
    next_phase=next_phase,
    view=view,
    resample=resample,
    bots={"steady": steady},
)
