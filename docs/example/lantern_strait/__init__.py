"""Lantern Strait: a ten-minute game that shows how to add a game to Ready Room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

import msgspec

from lantern_strait.bot import steady
from lantern_strait.night import PHASES, next_phase
from lantern_strait.state import GUARD, RUNNER, Data, Strait
from lantern_strait.view import StraitView, resample, view
from readyroom.authoring import At, Cup, Game, GameAnalysis, GameRules, Scenario, Seat, load, load_options


class OwnScenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario file, which has only a title and a summary."""

    title: str
    summary: str


def scenarios(data: Data) -> Sequence[Scenario]:
    """[1] Return the only scenario."""
    own = OwnScenario("The strait", "Four boats, four skies, one guard.")
    return [Scenario(key="strait", title=own.title, summary=own.summary, content=own)]


def seats(scenario: Scenario, options: Mapping[str, str]) -> Sequence[Seat]:
    """[1] Return the two seats, each its own side."""
    return [Seat(RUNNER, "Runner", RUNNER), Seat(GUARD, "Guard", GUARD)]


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Strait:
    """[1] Return the starting state: all boats in harbour, all skies in the cup. Pieces are copied from the data."""
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
    data_type=Data,
    data=load(Data, __name__),
    options=load_options(__name__),
    rules=GameRules(
        state=Strait,
        scenario_type=OwnScenario,
        scenarios=scenarios,
        seats=seats,
        setup=set_up,
        phases=PHASES,
        next_phase=next_phase,
        view=view,
        view_type=StraitView,
        resample=resample,
    ),
    analysis=GameAnalysis(
        bots={"steady": steady},
    ),
)
