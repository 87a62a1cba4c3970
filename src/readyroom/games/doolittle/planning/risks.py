"""[13.5.6] What liberty and a refusal cost: the risk that the printed card hides behind dice and markers."""

from __future__ import annotations

from readyroom.engine.checks import Modifiers, nonzero_modifiers, signed
from readyroom.games.doolittle.figures.common import covering
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import Diplomat
from readyroom.games.doolittle.planning import blotter
from readyroom.games.doolittle.state import Doolittle

LIBERTY = "liberty"


def by_number(state: Doolittle, rows: dict[str, int]) -> tuple[str, int]:
    """[13.5.6] The modifier for the number of bombers selected."""
    number = state.notes.selected
    names = covering(rows, number)
    return f"{number} bombers", rows[names[0]] if names else 0


def liberty_adds(state: Doolittle, data: Data, site: str, *, fbi: bool) -> Modifiers:
    """[13.5.6] The modifiers of liberty's risk: the field, the number of bombers, and the F.B.I."""
    figures, card = data.embarkation.variable, data.training.sites.site.get(site)
    return [
        (card.title if card else "", figures.liberty_site.get(site, 0)),
        by_number(state, figures.liberty_bombers),
        ("F.B.I.", figures.liberty_fbi * fbi),
    ]


def liberty_risk(data: Data) -> str:
    """[13.5.6] The risk that liberty adds, from the least number of its column to the most."""
    chart = data.embarkation.risk_chart
    result = [int(cells[chart.columns.index(LIBERTY)]) for cells in chart.rows.values()]
    return f"+{min(result)} to +{max(result)}"


def liberty_words(state: Doolittle, data: Data, site: str, *, settled: bool = False) -> str:
    """[13.5.6] The risk that liberty adds in April: its reach and its average, and with the F.B.I. if that may come."""
    watched = blotter.FBI in state.notes.measures
    text = _risk(state, data, site, fbi=watched)
    if watched or settled:
        return text
    return f"{text} (with the F.B.I. {_risk(state, data, site, fbi=True)})"


def _risk(state: Doolittle, data: Data, site: str, *, fbi: bool) -> str:
    chances = data.embarkation.risk_chart.odds(LIBERTY, nonzero_modifiers(liberty_adds(state, data, site, fbi=fbi)))
    values = sorted(int(cell) for cell, chance in chances.items() if chance)
    mean = float(sum(int(cell) * chance for cell, chance in chances.items()))
    return f"risk +{values[0]} to +{values[-1]}, {mean:.1f} on average"


def refusal_words(state: Doolittle, data: Data, diplomat: Diplomat, briefed: tuple[str, ...] = ()) -> str:
    """[13.2.2, 13.2.3, 13.5.6] The cost of a first refusal: the leader's marker with its risk, and later talks."""
    row = data.planning.calendar.row[diplomat]
    leader = row.leader.lower()
    if not leader or diplomat in state.talks.denied:
        return ""
    fresh = leader not in state.talks.leaders and leader not in briefed
    risk = f"risk +{data.embarkation.risk.marker}, " if fresh else ""
    return f"refused: {risk}{row.leader} {signed(row.denied)} in later talks"
