"""[1.0] Picket Duty: one destroyer of the Fletcher class against the kamikazes off Okinawa, for one captain."""

from __future__ import annotations

from readyroom.engine.data import load
from readyroom.engine.game import (
    Game,
    GameAnalysis,
    GamePresentation,
    GameRules,
    PolicySpace,
    PreviousVersion,
    QuickStart,
    load_options,
)
from readyroom.games.picket import bots, sequence, setup
from readyroom.games.picket.combat.odds import selection_odds
from readyroom.games.picket.custom import BY_TABLE
from readyroom.games.picket.ending.casualties import losses
from readyroom.games.picket.ending.report import counts, epilogue, facts, sketch
from readyroom.games.picket.ending.victory import scale, standing, standing_name, utility
from readyroom.games.picket.figures.data import Cruise, Data
from readyroom.games.picket.presentation.board import board
from readyroom.games.picket.presentation.captions import caption
from readyroom.games.picket.presentation.charts import charts
from readyroom.games.picket.presentation.drawing import layout, room
from readyroom.games.picket.presentation.odds_now import odds_now
from readyroom.games.picket.presentation.questions import questions
from readyroom.games.picket.state import Picket
from readyroom.games.picket.view import CruiseView, resample, view

GAME: Game[Picket, Data] = Game(
    key="picket",
    sort_order=40,
    title="Picket Duty",
    summary="Okinawa, spring 1945: one destroyer on the radar picket line, and the kamikazes.",
    players="1",
    length="half an hour to several evenings",
    version="2",
    previous={"1": PreviousVersion("d46dc1420fcfecbc")},
    package=__name__,
    data_type=Data,
    data=load(Data, __name__),
    options=load_options(__name__),
    facts=facts,
    rules=GameRules(
        state=Picket,
        scenario_type=Cruise,
        scenarios=setup.scenarios,
        seats=setup.seats,
        setup=setup.set_up,
        phases=sequence.PHASES,
        next_phase=sequence.next_phase,
        view=view,
        view_type=CruiseView,
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
        text_diagram=sketch,
        headings=sequence.headings,
        quick_start=QuickStart("2.0.K", f"ship-{BY_TABLE}", "Choose a ship"),
        board=board,
        layout=layout,
        caption=caption,
        room=room,
        colours={"usa": "usa", "japan": "japan"},
        aims={
            "usa": "Shoot planes down, and keep your ship afloat with a sound hull.",
        },
        selection_odds=selection_odds,
    ),
    analysis=GameAnalysis(
        bots=bots.bots(),
        weaker=("one-target",),
        unranked=("your-own",),
        odds=questions,
        odds_now=odds_now,
        match_stats=counts,
        utility=utility,
        policies=PolicySpace(bot=bots.bot_of, styles={"usa": bots.STYLES}),
        ladder_scenario="evans",
    ),
)
