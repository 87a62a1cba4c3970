"""The strategic war: the tables of A World at War, a calculator, and two games played with them."""

from __future__ import annotations

from readyroom.engine.data import load
from readyroom.engine.game import Game, GameAnalysis, GamePresentation, GameRules
from readyroom.games.strategic import parts, setup
from readyroom.games.strategic.charts import charts
from readyroom.games.strategic.figures import Data, Opening
from readyroom.games.strategic.options import OPTIONS
from readyroom.games.strategic.staff.questions import questions
from readyroom.games.strategic.state import Strategic

GAME: Game[Strategic, Data] = Game(
    key="strategic",
    sort_order=30,
    title="The Strategic War",
    summary="Submarines, bombers and codebreakers over three oceans; and the gamble of Pearl Harbor.",
    players="2, or 1 against a bot",
    length="half an hour to two hours",
    version="1",
    package=__name__,
    data_type=Data,
    data=load(Data, __name__),
    options=OPTIONS,
    rules=GameRules(
        state=Strategic,
        scenario_type=Opening,
        scenarios=setup.scenarios,
        seats=setup.seats,
        setup=setup.set_up,
        phases=parts.PHASES,
        next_phase=parts.next_phase,
        view=parts.view,
        resample=parts.resample,
        validate_scenario=setup.check_opening,
        scenario_phases=setup.played,
    ),
    presentation=GamePresentation(
        charts=charts,
        epilogue=parts.epilogue,
        board=parts.board,
        layout=parts.layout,
        colours={"axis": "japan", "allies": "usa", "japan": "japan", "usa": "usa", "staff": "usa"},
    ),
    analysis=GameAnalysis(
        bots=parts.bots(),
        odds=questions,
        match_stats=parts.counts,
    ),
)
