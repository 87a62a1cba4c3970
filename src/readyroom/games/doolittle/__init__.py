"""[1.0, 1.7] The Doolittle Raid: sixteen bombers from a carrier's deck to Japan, and on to China."""

from __future__ import annotations

from readyroom.engine.data import load
from readyroom.engine.game import Game, PreviousVersion
from readyroom.games.doolittle import sequence, setup
from readyroom.games.doolittle.bots import captain
from readyroom.games.doolittle.charts.attack import charts
from readyroom.games.doolittle.ending.debriefing import worth
from readyroom.games.doolittle.ending.report import counts, epilogue
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Scenario
from readyroom.games.doolittle.presentation.board import board
from readyroom.games.doolittle.presentation.drawing import layout
from readyroom.games.doolittle.presentation.questions import questions
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.view import DoolittleView, resample, view

GAME: Game[Doolittle, Data] = Game(
    key="doolittle",
    sort_order=50,
    title="The Doolittle Raid",
    summary="18 April 1942: bombers rise from a carrier's deck, strike Japan, and fly on to China.",
    players="1, or 2 to 3 together",
    length="half an hour to an evening",
    version="2",
    previous={"1": PreviousVersion("f72580326cd649c7", {"lead": "first"})},
    package=__name__,
    state=Doolittle,
    data_type=Data,
    data=load(Data, __name__),
    options=setup.OPTIONS,
    scenario_type=Scenario,
    scenarios=setup.scenarios,
    seats=setup.seats,
    setup=setup.set_up,
    phases=sequence.PHASES,
    next_phase=sequence.next_phase,
    scenario_phases=sequence.played,
    view=view,
    view_type=DoolittleView,
    resample=resample,
    bots=captain.bots(),
    charts=charts,
    odds=questions,
    epilogue=epilogue,
    match_stats=counts,
    utility=worth,
    board=board,
    layout=layout,
    colours={"usa": "usa", "japan": "japan"},
    validate_scenario=setup.check_opening,
)
