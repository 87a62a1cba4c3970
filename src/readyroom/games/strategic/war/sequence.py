"""[SW.2] The sequence of play of a turn."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from readyroom.engine.game import Phase
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import Steps
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.war.intelligence import intelligence
from readyroom.games.strategic.war.pieces import turn_place
from readyroom.games.strategic.war.places import quarter, year
from readyroom.games.strategic.war.planning.planning import planning
from readyroom.games.strategic.war.raids import raid
from readyroom.games.strategic.war.state import T, War, WarState
from readyroom.games.strategic.war.submarines import campaign
from readyroom.games.strategic.war.turn_end import end_turn, scores

AXIS_FLEETS: tuple[str, ...] = ("german-atlantic", "german-indian", "japanese-indian", "japanese-pacific")


def begin(table: T) -> None:
    """[SW.3] Begin a turn with its date and intelligence."""
    war = table.state.war
    war.last, war.reports = war.reports, []
    turn = table.state.at.turn
    moment, points = _last_year(war, turn), scores(war)
    score = f" The Axis has {points['axis']} points, the Allies have {points['allies']}."
    standing = f"{score} The match ends after {quarter(war, war.turns)}, and points decide." if moment else ""
    table.log_line("SW.1", "{} begins.{}", quarter(war, turn), standing, target=turn_place(turn), moment=moment)
    intelligence(table)


def _last_year(war: War, turn: int) -> str:
    """Return the moment at which the last of several years begins."""
    last = year(war, war.turns)
    return f"{last}: the last year of the match" if year(war, turn - 1) < year(war, turn) == last else ""


def axis_submarines(table: T) -> None:
    """[SW.8, W9] Play the Axis submarine rounds, German and Japanese ones separately."""
    for fleet in AXIS_FLEETS:
        campaign(table, fleet)


def allied_bombing(table: T) -> Steps:
    """[SW.10] Play the raids on Germany, then on Japan."""
    yield from raid(table, "germany")
    yield from raid(table, "japan")


PHASES: tuple[Phase[WarState, Data], ...] = (
    Phase("war-intelligence", "intelligence", "SW.3", begin),
    Phase("war-planning", "planning", "SW.4", planning),
    Phase("war-axis-submarines", "Axis submarines", "SW.8", axis_submarines),
    Phase("war-allied-submarines", "Allied submarines", "SW.9", partial(campaign, fleet="american")),
    Phase("war-allied-bombing", "Allied bombing", "SW.10", allied_bombing),
    Phase("war-axis-bombing", "Axis bombing", "SW.10", partial(raid, area="britain")),
    Phase("war-reckon", "end of turn", "SW.12", end_turn),
)
_NEXT = {first.name: second.name for first, second in pairwise(PHASES)}


def next_phase(state: WarState) -> At | Outcome:
    """[SW.2] Return the next phase; the end of a turn may end the match."""
    phase = _NEXT.get(state.at.phase)
    return At(state.at.turn, phase) if phase else At(state.at.turn + 1, PHASES[0].name)
