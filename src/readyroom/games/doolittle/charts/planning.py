"""The cards of the planning (P): the calendar, the blotter's tracks, April's rolls, and the chits of incidents."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle.figures.common import MONTHS
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import ModificationCard, TransitMarker
from readyroom.games.doolittle.planning.blotter import liberty_risk
from readyroom.games.doolittle.planning.training import level_words
from readyroom.games.doolittle.planning.view import effects


def planning_charts(data: Data) -> list[Chart]:
    """[13.1 to 13.5, 15.1] Return what the blotter is printed with."""
    figures, april = data.planning, data.embarkation
    return [
        _calendar(data),
        _sites(data),
        figures.event_chart,
        figures.location_chart,
        _modifications(data),
        _morale(data),
        _measures(data),
        _training(data),
        _short_take_off(data),
        april.transit_chart,
        _transit_cup(data),
        april.crane_chart,
        april.delay_chart,
        april.risk_chart,
        _chits(data),
    ]


def _calendar(data: Data) -> Chart:
    """[13.1.1, 13.2.1, 13.5.6] Return the sums of the talks by month, what is added, and the risk of each column."""
    figures, talks = data.planning.calendar, data.planning.diplomacy
    rows = [
        (f"{row.name}: {row.asks}", [str(row.needs[month]) if month in row.needs else "-" for month in MONTHS])
        for row in figures.row.values()
    ]
    rows.append(("risk of a diplomat informed then", [f"+{figures.risk[month]}" for month in MONTHS]))
    added = {
        "for each who was briefed": talks.briefed,
        "for each urgent marker": talks.urgent,
        "Doolittle in January's box": talks.doolittle,
        **{f"{row.leader} has refused": row.denied for row in figures.row.values() if row.denied},
    }
    rows += [(text, [signed(value)] * len(MONTHS)) for text, value in added.items()]
    marker = data.embarkation.risk.marker
    costs = {"risk of each who is briefed, or urgent": marker, "risk of a leader who is briefed": 2 * marker}
    rows += [(text, [signed(value)] * len(MONTHS)) for text, value in costs.items()]
    return figures.as_chart("P1", "The calendar", "13.2.1", [month.capitalize() for month in MONTHS], rows)


def _sites(data: Data) -> Chart:
    """[13.2.3] Return what may be sent to China, and the sum that makes each site ready."""
    figures = data.planning.sites
    rows = [(site.name, [str(site.stockpile)]) for site in data.flight.sites.site if site.stockpile]
    sent = {
        "groundcrews a month": figures.groundcrews,
        "fuel a month": figures.fuel,
        "fuel a month, with Stilwell and Chiang briefed": figures.fuel_briefed,
        "fuel in all": figures.fuel_total,
    }
    rows += [(text, [str(value)]) for text, value in sent.items()]
    return figures.as_chart("P2", "Landing sites in China", "13.2.3", ["stockpile, or number"], rows)


def _modifications(data: Data) -> Chart:
    """[13.3.3] Return the modifications by their boxes, and what each changes."""
    figures = data.modifications.modifications
    rows = [(card.title, [card.box, effects(card), _also(data, card)]) for card in figures.modification]
    columns = ["box", "changes", "also"]
    return figures.as_chart("P5-modifications", "Modifications", "13.3.3", columns, rows)


def _also(data: Data, card: ModificationCard) -> str:
    """[13.3.3] Return what else a modification sets, and what it needs or rules out."""
    cards = data.modifications.cards
    parts = [f"destroyed by hit {len(getattr(data.bombers.armour, card.armour))}"] if card.armour else []
    parts += [f"needs {cards[card.needs].title}"] if card.needs else []
    return ", ".join([*parts, *(f"not with {cards[key].title}" for key in card.excludes)])


def _morale(data: Data) -> Chart:
    """[13.4.3] Return the morale track."""
    figures = data.training.morale
    rows = [(box.title, [str(box.elites), str(box.training)]) for box in figures.box]
    return figures.as_chart("P-morale", "Morale", "13.4.3", ["elite crewmen", "training points"], rows)


def _measures(data: Data) -> Chart:
    """[13.4.1, 13.4.2] Return fields and measures: dice of secrecy, morale, training points."""
    sites, figures = data.training.sites, data.training.measures
    morale, risk = data.training.morale, data.embarkation.risk
    rows = [(site.title, [str(site.secrecy), "0", str(site.training), ""]) for site in sites.site.values()]
    rows.append(("Liberty", ["0", signed(sites.liberty_morale), "0", f"{liberty_risk(data)}, by P5"]))
    rows += [(one.title, [str(one.secrecy), signed(one.morale), "0", ""]) for one in figures.measure.values()]
    rows.append(("The squadron briefed", ["0", signed(morale.briefed), "0", signed(risk.squadron_briefed)]))
    rows.append(("Doolittle in March's box", ["0", signed(morale.doolittle), "0", ""]))
    columns = ["dice of secrecy", "morale", "training points", "risk"]
    return figures.as_chart("P-security", "Fields and security measures", "13.4.2", columns, rows)


def _training(data: Data) -> Chart:
    """[13.4.4 to 13.4.8] Return the costs and effects of each level of each category."""
    figures = data.training.training
    most = max(len(track.level) for track in figures.track.values())
    rows = []
    for track in figures.track.values():
        costs = [f"{level.cost} TP: {level_words(track, level)}" for level in track.level]
        rows.append((track.title, [*costs, *["-"] * (most - len(costs))]))
    columns = [f"level {number}" for number in range(1, most + 1)]
    return figures.as_chart("P-training", "Training points for each level", "13.4.4", columns, rows)


def _short_take_off(data: Data) -> Chart:
    """[13.4.9] Return the track of the short take-off: d damages a bomber, c wrecks one."""
    figures = data.training.short_take_off
    rows = [(str(one.space), [one.mishaps or "-", str(one.capacity)]) for one in figures.space]
    return figures.as_chart("P-take-off", "Short take-off", "13.4.9", ["mishap", "aboard"], rows)


def _transit_cup(data: Data) -> Chart:
    """[13.5.2, DR85] Return the contents of the cup of transit hazards."""
    figures = data.embarkation.cup
    rows = [(one.title, [str(one.count), " ".join(filter(None, [one.text, _figure(one)]))]) for one in figures.marker]
    return figures.as_chart("P4-cup", "Transit hazards in the cup", "13.5.2", ["number", "effect"], rows)


def _figure(one: TransitMarker) -> str:
    named = (("guzzle number", one.guzzle), ("gunnery", one.gunnery), ("risk", one.risk))
    return ", ".join(f"{name} {signed(value)}" for name, value in named if value).capitalize()


def _chits(data: Data) -> Chart:
    """[15.1, 15.1.2] Return the chits by the month in which they go into the cup."""
    figures = data.incidents.chits
    rows = [
        (kind.title, [*(str(figures.months[month].get(key, "-")) for month in MONTHS), kind.text])
        for key, kind in figures.kind.items()
    ]
    columns = [*(month.capitalize() for month in MONTHS), "what it does"]
    return figures.as_chart("P-incidents", "Incidents", "15.1", columns, rows)
