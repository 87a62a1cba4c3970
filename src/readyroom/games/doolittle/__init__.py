"""[1.0, 1.7] The Doolittle Raid: sixteen bombers from a carrier's deck to Japan, and on to China."""

from __future__ import annotations

from readyroom.engine.data import load
from readyroom.engine.game import (
    Game,
    GameAnalysis,
    GamePresentation,
    GameRules,
    PolicySpace,
    PreviousVersion,
    load_options,
)
from readyroom.games.doolittle import sequence, setup
from readyroom.games.doolittle.bots import captain
from readyroom.games.doolittle.bots.policy import STYLES
from readyroom.games.doolittle.charts.attack import charts
from readyroom.games.doolittle.ending.casualties import losses
from readyroom.games.doolittle.ending.debriefing import ending_value, scale, standing, standing_name
from readyroom.games.doolittle.ending.report import epilogue, facts, study_counts
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Scenario
from readyroom.games.doolittle.presentation.board import board
from readyroom.games.doolittle.presentation.drawing import layout, room
from readyroom.games.doolittle.presentation.odds_now import odds_now
from readyroom.games.doolittle.presentation.questions import questions
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.view import DoolittleView, resample, view

GAME: Game[Doolittle, Data] = Game(
    key="doolittle",
    sort_order=50,
    title="The Doolittle Raid",
    summary="18 April 1942: bombers rise from a carrier's deck, strike Japan, and fly on to China.",
    players="1 to 3, cooperative",
    length="half an hour to an evening",
    version="2",
    previous={"1": PreviousVersion("f72580326cd649c7", {"lead": "first"})},
    package=__name__,
    data_type=Data,
    data=load(Data, __name__),
    options=load_options(__name__),
    facts=facts,
    rules=GameRules(
        state=Doolittle,
        scenario_type=Scenario,
        scenarios=setup.scenarios,
        seats=setup.seats,
        setup=setup.set_up,
        phases=sequence.PHASES,
        next_phase=sequence.next_phase,
        scenario_phases=sequence.scenario_phases,
        view=view,
        view_type=DoolittleView,
        resample=resample,
        validate_scenario=setup.check_opening,
    ),
    presentation=GamePresentation(
        charts=charts,
        scenario_choices=setup.scenario_choices,
        epilogue=epilogue,
        losses=losses,
        scale=scale,
        standing=standing,
        standing_name=standing_name,
        board=board,
        layout=layout,
        room=room,
        colours={"usa": "usa", "japan": "japan"},
        aims={
            "usa": "Hit your targets, set them on fire, and get your bombers out again.",
        },
    ),
    analysis=GameAnalysis(
        bots=captain.bots(),
        odds=questions,
        odds_now=odds_now,
        match_stats=study_counts,
        utility=ending_value,
        policies=PolicySpace(bot=captain.bot_of, styles={"usa": STYLES}),
    ),
)
