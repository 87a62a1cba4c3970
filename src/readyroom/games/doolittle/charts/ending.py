"""The cards of the denouement (D) and of the airstrike (X), by their labels."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Diplomacy

TALKS = {"agreed": "landing agreed", "no-attempt": "never asked", "denied": "landing denied"}


def ending_charts(data: Data) -> list[Chart]:
    """[14.1 to 14.5] Return what becomes of bombers, crews and ships."""
    figures = data.denouement
    return [
        figures.poor_landing,
        figures.ditched,
        _homeward(data),
        figures.incident,
        _routes(data),
        figures.capture,
        figures.close_call,
        _diplomacy("D5-internment", "Internment in the Soviet Union", "14.5.1", figures.internment),
        _diplomacy("D5-passage", "Passage out of the Soviet Union", "14.5.2", figures.passage),
    ]


def strike_charts(data: Data) -> list[Chart]:
    """[11.1 to 11.5] Return the airstrike, step by step."""
    figures = data.airstrike
    return [figures.navy, figures.army, figures.force, figures.flak, figures.ordnance, figures.counterstrike]


def _homeward(data: Data) -> Chart:
    """[14.3.1] Return the sum that ships need from each sea area, and what is added."""
    figures = data.denouement.homeward
    rows = [(data.sea.area[key].name, [str(number)]) for key, number in figures.number.items()]
    added = {
        "for each undamaged destroyer": figures.destroyer,
        "for each undamaged carrier": figures.carrier,
        "the task force low on fuel": figures.low_fuel,
        "the task force, for each alert level at the launch": figures.alert,
        "a task force without slow ships": figures.fast,
    }
    rows += [(text, [signed(value)]) for text, value in added.items()]
    return figures.as_chart("D3-return", "Return to port", "14.3.1", ["to reach, or added"], rows)


def _routes(data: Data) -> Chart:
    """[14.4.3] Return the transport table."""
    figures = data.denouement.routes
    names = {key: site.name for key, site in data.flight.site.items()} | {figures.on_foot: "the hills"}
    rows = []
    for one in figures.route:
        end = names.get(one.end, one.end.capitalize())
        rows.append((f"{names[one.start]} to {end}", [str(one.fuel) if one.fuel is not None else "", str(one.trek)]))
    return figures.as_chart("D4-routes", "To Chungking", "14.4.3", ["fuel of a bomber", "on foot"], rows)


def _diplomacy(id: str, title: str, rule: str, figures: Diplomacy) -> Chart:
    """[14.5.1, 14.5.2] Return numbers by the talks; a star is a release that the alliances may undo."""
    rows = []
    for talks, numbers in figures.rows.items():
        star = "*" if talks in figures.starred else ""
        rows.append((TALKS[talks], [f"{number}{star}" for number in numbers]))
    return figures.as_chart(id, title, rule, list(figures.columns), rows)
