"""[2] Tora! Tora! Tora!: the attack on Pearl Harbor, planned for ten days and fought in a morning."""

from __future__ import annotations

from readyroom.engine.game import (
    Game,
    GameAnalysis,
    GamePlanning,
    GamePresentation,
    GameRules,
    PolicySpace,
    PreviousVersion,
    load_options,
)
from readyroom.games.tora import odds, setup
from readyroom.games.tora.battle.bombing import aim_odds
from readyroom.games.tora.battle.casualties import facts, losses
from readyroom.games.tora.battle.luck import last_turn
from readyroom.games.tora.battle.odds_now import odds_now
from readyroom.games.tora.battle.outcome import epilogue, scale, standing
from readyroom.games.tora.board import board
from readyroom.games.tora.bots.doctrine import bots
from readyroom.games.tora.bots.policy import CHALLENGERS, STYLES, bot_of
from readyroom.games.tora.charts import charts
from readyroom.games.tora.drawing import layout, room
from readyroom.games.tora.figures import Data, PlanSet, builtin_data
from readyroom.games.tora.plans.builtin import counts, plans
from readyroom.games.tora.plans.codebreaking import tools
from readyroom.games.tora.plans.reading import prove
from readyroom.games.tora.plans.sheets import sheets
from readyroom.games.tora.plans.upload import PLAN_FILES
from readyroom.games.tora.resample import resample
from readyroom.games.tora.sequence import PHASES, next_phase
from readyroom.games.tora.state import Tora
from readyroom.games.tora.view import ToraView, view

GAME: Game[Tora, Data] = Game(
    key="tora",
    sort_order=20,
    title="Tora! Tora! Tora!",
    summary="Pearl Harbor, December 1941: ten days of planning in secret, then the attack.",
    players="2, or teams of up to four and an umpire",
    length="two to four hours",
    lengths={"sunday": "half an hour to an hour"},
    version="3",
    previous={
        "1": PreviousVersion("21f1092ffc2b1801", {"questions": "as-needed"}),
        "2": PreviousVersion("94d59f009b96fdfc", {"questions": "as-needed"}),
    },
    package=__name__,
    data_type=Data,
    data=builtin_data(),
    options=load_options(__name__),
    facts=facts,
    rules=GameRules(
        state=Tora,
        scenario_type=PlanSet,
        scenarios=setup.scenarios,
        seats=setup.seats,
        setup=setup.set_up,
        phases=PHASES,
        next_phase=next_phase,
        view=view,
        view_type=ToraView,
        resample=resample,
        hides_seats=True,
        integrity_checks=prove,
        validate_scenario=setup.check_opening,
    ),
    presentation=GamePresentation(
        charts=charts,
        scenario_choices=setup.scenario_choices,
        tools=tools,
        epilogue=epilogue,
        losses=losses,
        scale=scale,
        standing=standing,
        standing_name=lambda state, data: "damage to capital ships",
        board=board,
        layout=layout,
        room=room,
        last_turn=lambda state, data: last_turn(data, state.rulings.luck_from),
        selection_odds=aim_odds,
        colours={"japan": "japan", "usa": "usa"},
        aims={
            "japan": "Sink and damage capital ships and the Navy Yard, and bring most of your aircraft home.",
            "usa": "Keep capital ships undamaged and the Navy Yard at work, and shoot aircraft down.",
        },
    ),
    analysis=GameAnalysis(
        bots=bots(),
        weaker=("yard",),
        odds=odds.questions,
        odds_now=odds_now,
        match_stats=counts,
        policies=PolicySpace(bot=bot_of, styles=STYLES, challengers=CHALLENGERS),
    ),
    planning=GamePlanning(sheets=sheets, plans=plans, files=PLAN_FILES),
)
