"""[14.2] Ditched crews: captured, missing, picked up by a submarine, or on foot in China."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.decisions import Option
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.aftermath.crews import comes_down, ends, health, looked_up, name
from readyroom.games.doolittle.names import number
from readyroom.games.doolittle.pieces import Crew
from readyroom.games.doolittle.state import T

MISSING, CAPTURED, MAYBE = "missing", "captured", "missing unless submarine"
HILLS = {"china wounded": False, "china fit": True}
"""[14.2.1] The results that put a crew on foot in China, and whether it is fit."""
HOPED = ("china fit",)
RESULT_TEXT = {
    MISSING: "it is missing",
    CAPTURED: "it is captured",
    MAYBE: "it drifts at sea",
    "china wounded": "it is on foot in China, and some of its men are hurt",
    "china fit": "it is on foot in China",
}


def ditching(table: T) -> Steps:
    """[14.2, 14.0.1, 4.0.1] Each crew that ditched is checked; who came down over a target was taken there."""
    waiting = list[Crew]()
    for bomber in table.state.squad.values():
        if bomber.fate == "captured":
            ends(table, comes_down(table, bomber, bomber.where), CAPTURED)
        elif bomber.fate == "ditched":
            crew = comes_down(table, bomber, bomber.where)
            if bomber.where in table.data.flight.order:
                waiting.append(crew)
            else:
                table.log_line("14.2", "The ships pick up {}.", name(table, crew))
                ends(table, crew, "home")
    while waiting:
        crew = yield from _next_crew(table, waiting)
        waiting.remove(crew)
        yield from ditched_check(table, crew, crew.where)


def _next_crew(table: T, waiting: Sequence[Crew]) -> Choice[Crew]:
    """[14.2.1, DR149] Which crew is checked next; the order matters where submarines cannot take all of them aboard."""
    adrift = [crew for crew in waiting if _may_drift(table, crew)]
    if not 0 < _boats(table) < len(adrift):
        return waiting[0]
    options = [Option(f"check-{crew.key}", name(table, crew), crew, health(table, crew)) for crew in waiting]
    question = f"Which ditched crew is checked next? Submarines can rescue {number(_boats(table))}."
    chosen = yield from table.choose(table.state.captain, "14.2.1", question, options)
    return chosen.value  # type: ignore[no-any-return]


def _may_drift(table: T, crew: Crew) -> bool:
    """[14.2.1] Whether a submarine could rescue a crew, by where it came down."""
    chart = table.data.denouement.ditched
    dice, sides = chart.dice_pool()
    cells = [chart.cell(total, column(table, crew.where)) for total in range(dice, dice * sides + 1)]
    return MAYBE in cells


def column(table: T, zone: str) -> str:
    """[14.2.1, DR49] The column of a zone: east of Japan, Japan, or west of it."""
    order, columns = table.data.flight.order, table.data.denouement.ditched.columns
    japan = order.index(table.data.flight.zones.japan)
    at = order.index(zone)
    return columns[(at >= japan) + (at > japan)]


def ditched_check(table: T, crew: Crew, zone: str) -> Steps:
    """[14.2.1, 2.3.7] One die for a crew, by where it came down; an elite pilot aboard may re-roll it."""
    chart = table.data.denouement.ditched
    good = (*HOPED, *((MAYBE,) if _boats(table) else ()))
    roll = yield from looked_up(table, chart, column(table, zone), crew.key, [crew], good, tuple(HILLS))
    table.log_line("14.2.1", "{} ditched: {}.", name(table, crew), RESULT_TEXT[roll.cell], roll)
    if roll.cell in HILLS:
        crew.fit, crew.where = HILLS[roll.cell], table.data.denouement.routes.on_foot
        table.state.add_to_story("on-foot", crew.key, zone)
    elif roll.cell == MAYBE and _boats(table):
        table.log_line("14.2.1", "A submarine off Japan takes {} aboard.", name(table, crew))
        ends(table, crew, "rescued")
    else:
        ends(table, crew, CAPTURED if roll.cell == CAPTURED else MISSING)


def _boats(table: T) -> int:
    """[14.2.1] How many crews submarines in contact off Japan can still take aboard."""
    rescued = sum(crew.fate == "rescued" for crew in table.state.crews)
    return table.state.sky.submarines * table.data.ships.submarines.rescues - rescued
