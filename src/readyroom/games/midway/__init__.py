"""[1] A Terrible Resolve: the Battle of Midway, carrier against carrier. Rules by Matt Fritz."""

from __future__ import annotations

from readyroom.engine.data import load
from readyroom.engine.game import (
    Game,
    GameAnalysis,
    GamePresentation,
    GameRules,
    HiddenFacts,
    PolicySpace,
    PositionFeatures,
    PreviousVersion,
)
from readyroom.games.midway import doctrine, features, hidden, odds, setup
from readyroom.games.midway.board import board
from readyroom.games.midway.captions import caption
from readyroom.games.midway.drawing import layout, room
from readyroom.games.midway.ending import facts, losses, scale, standing
from readyroom.games.midway.policy import CHALLENGERS, STYLES
from readyroom.games.midway.sequence import PHASES, epilogue, last_turn, next_phase
from readyroom.games.midway.state import SIDES, Data, Midway, OrderOfBattle, copy_state
from readyroom.games.midway.strike import wave_odds
from readyroom.games.midway.view import MidwayView, open_view, resample, view

GAME: Game[Midway, Data] = Game(
    key="midway",
    sort_order=10,
    title="A Terrible Resolve",
    summary="The Battle of Midway: four Japanese carriers against three American ones, strike and counterstrike.",
    players="2, or one per carrier",
    length="half an hour to two hours",
    version="5",
    previous={
        "1": PreviousVersion("0cb2eca81a98cd53", {"questions": "as-needed", "orders": "separate"}),
        "2": PreviousVersion("0cb2eca81a98cd53", {"questions": "as-needed", "orders": "separate"}),
        "3": PreviousVersion("0cb2eca81a98cd53", {"orders": "separate"}),
        "4": PreviousVersion("0cb2eca81a98cd53"),
    },
    package=__name__,
    data_type=Data,
    data=load(Data, __name__),
    options=setup.OPTIONS,
    facts=facts,
    rules=GameRules(
        state=Midway,
        scenario_type=OrderOfBattle,
        scenarios=setup.scenarios,
        seats=setup.seats,
        setup=setup.set_up,
        phases=PHASES,
        next_phase=next_phase,
        view=view,
        open_view=open_view,
        view_type=MidwayView,
        resample=resample,
        validate_scenario=setup.check_order,
        copy_state=copy_state,
        immutable_facts=True,
        hides_seats=True,
    ),
    presentation=GamePresentation(
        charts=setup.charts,
        epilogue=epilogue,
        losses=losses,
        standing=standing,
        scale=scale,
        board=board,
        layout=layout,
        room=room,
        last_turn=last_turn,
        selection_odds=wave_odds,
        colours={"japan": "japan", "usa": "usa"},
        caption=caption,
        aims={
            "japan": "Sink American carriers (10 points) or cripple them (4). A lead of 4 points wins.",
            "usa": "Sink Japanese carriers (10 points) or cripple them (4). A lead of 4 points wins.",
        },
    ),
    analysis=GameAnalysis(
        bots=doctrine.bots(),
        odds=odds.questions,
        odds_now=odds.odds_now,
        policies=PolicySpace(
            bot=doctrine.bot_of,
            styles={side: {name: policies[side] for name, policies in STYLES.items()} for side in SIDES},
            challengers=CHALLENGERS,
            lead=8.0,
        ),
        features=PositionFeatures(state=features.of_state, seat=features.of_seat, remember=features.remember),
        hidden=HiddenFacts(quantities=hidden.QUANTITIES, count=hidden.count, deal=hidden.deal, seen=hidden.seen),
        weaker=("doctrine", "eager", "massed"),
        ratings={
            "veteran": (1360, 1256, 1380),
            "guarded": (1159, 1089, 1176),
            "eager": (1067, 1005, 1091),
            "massed": (1066, 1001, 1087),
            "doctrine": (1041, 984, 1059),
            "random": (307, 303, 586),
        },
    ),
)
