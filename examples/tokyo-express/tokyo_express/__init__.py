"""Tokyo Express: supply runs to Guadalcanal by night. An example of a complete game package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

from readyroom.authoring import (
    At,
    Chart,
    Cup,
    Game,
    GameAnalysis,
    GamePlanning,
    GamePresentation,
    GameRules,
    Scenario,
    Seat,
    load,
    load_options,
)
from tokyo_express.board import board
from tokyo_express.doctrine import doctrine
from tokyo_express.drawing import layout
from tokyo_express.ending import epilogue, headings, losses, match_stats
from tokyo_express.sequence import PHASES, next_phase
from tokyo_express.state import JAPAN, USA, Campaign, Data, Express, Ship
from tokyo_express.view import ExpressView, resample, sheets, view


def scenarios(data: Data) -> Sequence[Scenario]:
    """[1] Return the scenarios, one for each file of `data/scenarios`."""
    return [
        Scenario(key=key, title=campaign.title, summary=campaign.summary, content=campaign)
        for key, campaign in data.scenarios.items()
    ]


def seats(scenario: Scenario, options: Mapping[str, str]) -> Sequence[Seat]:
    """[1] Return the two seats."""
    return [Seat(JAPAN, "Japan", JAPAN), Seat(USA, "United States", USA)]


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Express:
    """[1] Return the starting state: all ships ready, all skies in the cup."""
    campaign: Campaign = scenario.content
    return Express(
        at=At(0, "dawn"),
        nights=campaign.nights,
        sail=campaign.sail,
        squadrons=campaign.boats,
        need=campaign.need[options["radar"]],
        radar=options["radar"] == "yes",
        ready=_ships(campaign.destroyers),
        burnt=[],
        cruisers=_ships(campaign.cruisers),
        torpedoed=[],
        cup=Cup(deepcopy(data.figures.sky)),
        above=[],
        past=[],
        landed=[],
    )


def _ships(named: Mapping[str, str]) -> list[Ship]:
    return [Ship(key, name) for key, name in named.items()]


def charts(data: Data) -> Sequence[Chart]:
    """[4.3] Return the table of fire."""
    return data.charts.chart


GAME: Game[Express, Data] = Game(
    key="express",
    title="Tokyo Express",
    summary="November 1942: destroyers with rice on deck run to Guadalcanal by night, and cruisers wait for them.",
    players="2",
    length="ten minutes",
    version="1",
    package=__name__,
    data_type=Data,
    data=load(Data, __name__),
    options=load_options(__name__),
    rules=GameRules(
        state=Express,
        scenario_type=Campaign,
        scenarios=scenarios,
        seats=seats,
        setup=set_up,
        phases=PHASES,
        next_phase=next_phase,
        view=view,
        view_type=ExpressView,
        resample=resample,
    ),
    presentation=GamePresentation(
        charts=charts,
        board=board,
        layout=layout,
        colours={"japan": "japan", "usa": "usa"},
        epilogue=epilogue,
        losses=losses,
        headings=headings,
    ),
    analysis=GameAnalysis(
        bots={"doctrine": doctrine},
        match_stats=match_stats,
    ),
    planning=GamePlanning(
        sheets=sheets,
    ),
)
