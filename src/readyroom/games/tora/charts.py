"""The charts of the game, made from its figures."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart, plain_table
from readyroom.games.tora.battle.outcome import TITLES
from readyroom.games.tora.figures import CATEGORIES, CATEGORY_TITLES, PRESETS, SIDE_TITLES, Data
from readyroom.games.tora.plans.data import ORDNANCE_TITLES, Ordnance

SETS = ("usual", "by the outcome table", "by the word of the rules")
"""The presets of the option "Bomb hits and ship strength", in the order of `PRESETS`."""
KEY = ", ".join(f"{letter}: {title}" for letter, title in TITLES.items())


def charts(data: Data) -> list[Chart]:
    """[3, 5, 9, 17] Aircraft, ships, alert, reaction, and the outcome."""
    return [_aircraft(data), _ships(data), _alert(data), _reaction(data), _outcome(data)]


def _on(least: int) -> str:
    return f"{least}-6" if least < 6 else "6"


def _aircraft(data: Data) -> Chart:
    """[3.1, 3.3, 6, 9] The types of both sides."""
    columns = ["side", "units", "aircraft", "strength", "scores in the air on", "fields or ordnance"]
    rows = []
    for each in data.air.type:
        numbers = [str(number) for number in (each.units, each.planes, each.strength)]
        scores = _on(each.hit) if each.role == "fighter" else "-"
        loads = [ORDNANCE_TITLES[Ordnance(load)] for load in each.ordnance]
        details = [data.places.fields[field].name for field in each.fields] or loads
        rows.append((each.name, [SIDE_TITLES[each.side], *numbers, scores, ", ".join(details) or "guns only"]))
    return plain_table("aircraft", "Aircraft", "9", "rulebook", "US Forces, IJN Forces", columns, rows)


def _ships(data: Data) -> Chart:
    """[3.2, 14.2] The hits that sink each ship, by preset (T1, T5)."""
    columns = ["hull", "length", *(f"hits to sink her, {name}" for name in SETS)]
    presets = [data.ships.preset[name] for name in PRESETS]
    rows = [
        (card.name, [card.hull, str(card.length), *(str(preset.strength[card.kind]) for preset in presets)])
        for card in data.ships.ship
    ]
    rows.append(("hits that damage any ship", ["", "", *(str(preset.damaged_at) for preset in presets)]))
    rows.append(("bombs score on", ["", "", *(_on(preset.bomber_hit) for preset in presets)]))
    origin = "Names and hulls: US Forces. Strengths and lengths are reconstructed (T1, T5)"
    return plain_table("ships", "Ships", "3.2", "reconstructed", origin, columns, rows)


def _alert(data: Data) -> Chart:
    """[5.5, 5.6, 5.7, 12.2] What each alert level lets the Americans do."""
    ready, zebra, titles = data.planning.readiness, data.ships.condition.zebra, data.planning.alert.titles
    columns = [*(CATEGORY_TITLES[category] for category in CATEGORIES)]
    columns += ["airborne a field", "launches a field and turn", "ship and battery dice", "yard dice", "ship strength"]
    rows = []
    for level in range(data.planning.alert.top):
        figures = (ready.patrols, ready.launches, ready.aaa_dice, ready.yard_dice)
        cells = [*(titles[category][level] for category in CATEGORIES), *(str(each[level]) for each in figures)]
        rows.append((str(level + 1), [*cells, f"+{zebra[level]}" if zebra[level] else "as printed"]))
    return plain_table("alert", "Alert levels", "5.1", ready.source, ready.origin, columns, rows)


def _reaction(data: Data) -> Chart:
    """[5.2, 5.3] The first turn on which each alert level may act, and the ring that wakes it."""
    sums, alert = data.planning.reaction, data.planning.alert
    rows = [
        (str(level), [f"turn {sums.sum - level}", f"turn {sums.detected_sum - level}", f"ring {level}"])
        for level in range(alert.base, alert.top + 1)
    ]
    columns = ["undetected", "detected", "or Japanese aircraft in"]
    return plain_table("reaction", "When the Americans may act", "5.2", sums.source, sums.origin, columns, rows)


def _outcome(data: Data) -> Chart:
    """[17.1, 17.2] The outcome chart as it is without options (T23)."""
    bands = data.places.yard.bands
    columns = [f"yard {low}-{high}" for low, high in zip([0, *(band + 1 for band in bands)], bands, strict=False)]
    rows: list[tuple[str, list[str]]] = [
        (f"{_span(row.ok)} undamaged, {_span(row.damaged)} damaged, {_span(row.sunk)} sunk", [*row.cells])
        for row in data.outcome.row
    ]
    origin = f"{KEY}. {data.outcome.results.origin}"
    return plain_table("outcome", "The outcome chart", "17.1", data.outcome.results.source, origin, columns, rows)


def _span(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
