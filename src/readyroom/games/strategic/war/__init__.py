"""[SW] Strategic War: submarines, escorts and bombers, research and codebreaking, in turns of a quarter."""

from __future__ import annotations

from functools import partial

from readyroom.engine.game import (
    Game,
    GameAnalysis,
    GamePlanning,
    GamePresentation,
    GameRules,
    PolicySpace,
    PreviousVersion,
    Seat,
)
from readyroom.games.strategic.tables import charts, plain
from readyroom.games.strategic.tables.calculator import with_calculator
from readyroom.games.strategic.tables.figures import PACKAGE, Data, figures
from readyroom.games.strategic.tables.options import AIR_RAID, STRATEGIC_WAR
from readyroom.games.strategic.tables.setup import scenarios
from readyroom.games.strategic.tables.war_opening import WarOpening
from readyroom.games.strategic.war import hints, submarine_odds
from readyroom.games.strategic.war.bombing_odds import BOMBING
from readyroom.games.strategic.war.bots.doctrine import DoctrineBot, bots
from readyroom.games.strategic.war.bots.policy import CHALLENGERS, STYLES
from readyroom.games.strategic.war.presentation.board import board
from readyroom.games.strategic.war.presentation.captions import caption
from readyroom.games.strategic.war.presentation.drawing import layout
from readyroom.games.strategic.war.presentation.ending import losses, scale, standing
from readyroom.games.strategic.war.presentation.summary import counts, epilogue, facts
from readyroom.games.strategic.war.sequence import PHASES, next_phase
from readyroom.games.strategic.war.setup import set_up
from readyroom.games.strategic.war.state import WarState
from readyroom.games.strategic.war.view import resample, sheets, view
from readyroom.games.strategic.war.views import WarView

SEATS = (Seat("axis", "the Axis", "axis"), Seat("allies", "the Allies", "allies"))
ACTIONS = {**submarine_odds.actions(), "bombing": BOMBING, **plain.actions("warfare", "air")}
"""The calculator's actions."""

GAME: Game[WarState, Data] = with_calculator(
    Game(
        key="war",
        formerly=("strategic",),
        sort_order=30,
        title="Strategic War",
        summary="Submarines, bombers and codebreakers over three oceans, in quarterly turns.",
        players="2",
        length="one to two hours",
        version="2",
        previous={"1": PreviousVersion("d78f56535318dcb6", {"questions": "as-needed"})},
        package=__name__,
        data_package=PACKAGE,
        data_type=Data,
        data=figures(),
        options=STRATEGIC_WAR,
        facts=facts,
        former_options=[option.key for option in AIR_RAID],
        rules=GameRules(
            state=WarState,
            scenario_type=WarOpening,
            scenarios=partial(scenarios, WarOpening),
            seats=lambda scenario, options: SEATS,
            setup=set_up,
            phases=PHASES,
            next_phase=next_phase,
            view=view,
            view_type=WarView,
            resample=resample,
        ),
        presentation=GamePresentation(
            charts=charts.war,
            epilogue=epilogue,
            losses=losses,
            standing=standing,
            scale=scale,
            board=board,
            layout=layout,
            caption=caption,
            colours={"axis": "japan", "allies": "usa"},
            aims={
                "axis": "Score more than the Allies: sink their ships, and protect your own.",
                "allies": "Score more than the Axis: sink its ships, bomb its industry, and protect your convoys.",
            },
            selection_odds=hints.selection_odds,
        ),
        planning=GamePlanning(sheets=sheets),
        analysis=GameAnalysis(
            bots=bots(),
            weaker=("fortress",),
            odds_now=hints.odds_now,
            match_stats=counts,
            policies=PolicySpace(
                bot=DoctrineBot,
                styles={side: {name: styles[side] for name, styles in STYLES.items()} for side in ("axis", "allies")},
                challengers=CHALLENGERS,
                lead=20.0,
            ),
        ),
    ),
    ACTIONS,
)
