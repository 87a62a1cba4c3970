"""Tokyo Express: dark nights off Guadalcanal, a game for Ready Room in a package of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

from readyroom.engine.charts import Chart
from readyroom.engine.cups import Cup
from readyroom.engine.data import load
from readyroom.engine.game import Game, Scenario, Seat, load_options
from readyroom.engine.state import At
from tokyo_express.board import board
from tokyo_express.doctrine import doctrine
from tokyo_express.drawing import layout
from tokyo_express.ending import counts, epilogue, headings
from tokyo_express.sequence import PHASES, next_phase
from tokyo_express.state import JAPAN, USA, Campaign, Data, Express, Ship
from tokyo_express.view import resample, sheets, view


def scenarios(data: Data) -> Sequence[Scenario]:
    """[1] One for each file of `data/scenarios`."""
    return [
        Scenario(key=key, title=campaign.title, summary=campaign.summary, content=campaign)
        for key, campaign in data.scenarios.items()
    ]


def seats(scenario: Scenario, options: Mapping[str, str]) -> Sequence[Seat]:
    """[1] Each side is one seat."""
    return [Seat(JAPAN, "Japan", JAPAN), Seat(USA, "United States", USA)]


def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Express:
    """[1] All ships ready, all skies in the cup."""
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
    """[4.3] The table of fire."""
    return data.charts.chart


GAME: Game[Express, Data] = Game(
    key="express",
    title="Tokyo Express",
    summary="November 1942: destroyers with rice on deck run to Guadalcanal by night, and cruisers wait for them.",
    players="2",
    length="ten minutes",
    version="1",
    package=__name__,
    state=Express,
    data_type=Data,
    data=load(Data, __name__),
    options=load_options(__name__),
    scenario_type=Campaign,
    scenarios=scenarios,
    seats=seats,
    setup=set_up,
    phases=PHASES,
    next_phase=next_phase,
    view=view,
    resample=resample,
    bots={"doctrine": doctrine},
    charts=charts,
    board=board,
    layout=layout,
    colours={"japan": "japan", "usa": "usa"},
    planning_sheets=sheets,
    match_stats=counts,
    epilogue=epilogue,
    headings=headings,
)
