"""[PH] Air Raid Pearl Harbor: how deep the surprise is, where to strike, and whether to strike again."""

from __future__ import annotations

from functools import partial

from readyroom.engine.game import Game, GameAnalysis, GamePresentation, GameRules, PolicySpace, Seat
from readyroom.games.strategic.pearl import ending, harbor_odds, pearl_odds, scoring, strike
from readyroom.games.strategic.pearl.board import board
from readyroom.games.strategic.pearl.bots import BOTS, bot_of
from readyroom.games.strategic.pearl.drawing import layout, room
from readyroom.games.strategic.pearl.odds_now import odds_now
from readyroom.games.strategic.pearl.policy import CHALLENGERS, STYLES
from readyroom.games.strategic.pearl.sequence import PHASES, next_phase
from readyroom.games.strategic.pearl.setup import set_up
from readyroom.games.strategic.pearl.state import JAPAN, NAMES, USA, RaidState
from readyroom.games.strategic.pearl.view import open_view, resample, view
from readyroom.games.strategic.pearl.views import RaidView
from readyroom.games.strategic.tables import charts, plain
from readyroom.games.strategic.tables.calculator import with_calculator
from readyroom.games.strategic.tables.figures import PACKAGE, Data, figures
from readyroom.games.strategic.tables.options import AIR_RAID, STRATEGIC_WAR
from readyroom.games.strategic.tables.raid_opening import RaidOpening
from readyroom.games.strategic.tables.setup import scenarios

SEATS = (Seat(JAPAN, NAMES[JAPAN], JAPAN), Seat(USA, NAMES[USA], USA))
ACTIONS = {
    "surprise": pearl_odds.SURPRISE,
    "first-strike": pearl_odds.FIRST,
    "second-strike": pearl_odds.SECOND,
    "harbor-submarine": harbor_odds.SUBMARINE,
    "harbor-carrier": harbor_odds.CARRIER,
    **plain.actions("warfare", "naval", "air"),
}
"""The calculator's actions."""

GAME: Game[RaidState, Data] = with_calculator(
    Game(
        key="pearl",
        formerly=("strategic",),
        sort_order=31,
        title="Air Raid Pearl Harbor",
        summary="Strike at the Pacific Fleet, and decide whether to strike again.",
        players="2",
        length="half an hour",
        lengths=dict.fromkeys(("air-raid-classic", "air-raid-late", "air-raid-carriers-in"), "half an hour"),
        version="1",
        package=__name__,
        data_package=PACKAGE,
        data_type=Data,
        data=figures(),
        options=AIR_RAID,
        facts=scoring.facts,
        former_options=[option.key for option in STRATEGIC_WAR],
        rules=GameRules(
            state=RaidState,
            scenario_type=RaidOpening,
            scenarios=partial(scenarios, RaidOpening),
            seats=lambda scenario, options: SEATS,
            setup=set_up,
            phases=PHASES,
            next_phase=next_phase,
            view=view,
            open_view=open_view,
            view_type=RaidView,
            resample=resample,
        ),
        presentation=GamePresentation(
            charts=charts.raid,
            epilogue=scoring.epilogue,
            losses=ending.losses,
            standing=ending.standing,
            scale=ending.scale,
            board=board,
            layout=layout,
            room=room,
            selection_odds=strike.target_odds,
            colours={JAPAN: JAPAN, USA: USA},
            aims={
                JAPAN: "Sink ships and destroy aircraft: Japan needs a large lead in points to win.",
                USA: "Save your ships and shoot attackers down: you win if Japan's lead in points stays small.",
            },
        ),
        analysis=GameAnalysis(
            bots=BOTS,
            odds_now=odds_now,
            match_stats=scoring.counts,
            policies=PolicySpace(
                bot=bot_of,
                styles={side: {name: styles[side] for name, styles in STYLES.items()} for side in (JAPAN, USA)},
                challengers=CHALLENGERS,
                lead=12.0,
            ),
            ratings={
                "all-in": (1066, 1029, 1092),
                "doctrine": (1061, 1036, 1083),
                "veteran": (1060, 1034, 1081),
                "cautious": (1019, 987, 1043),
                "random": (793, 760, 844),
            },
        ),
    ),
    ACTIONS,
)
