"""The charts of both games: the printed tables, and summaries calculated from them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from readyroom.engine.rules.charts import Chart, Source, plain_table
from readyroom.engine.rules.checks import signed
from readyroom.games.strategic.tables.figures import NO_LIMIT, Data, Modifier
from readyroom.games.strategic.tables.grids import AUTO, PACIFIC, PEARL
from readyroom.games.strategic.tables.raid_opening import RaidOpening
from readyroom.games.strategic.tables.war_opening import WarOpening

WAR_SCOPES = {
    "submarines": "submarines everywhere",
    "atlantic": "submarines, the Atlantic",
    "indian": "submarines, the Indian Ocean",
    "pacific": "submarines, the Pacific",
    "interception": "bombers, interception",
    "target": "bombers, the target",
    "air": "air combat",
}
RAID_SCOPES = {
    "harbor": "harbor attacks",
    "harbor-submarine": "harbor attacks by submarines",
    "harbor-carrier": "harbor attacks by carriers",
    "naval": "naval attacks",
    "air": "air combat",
}


def war(data: Data) -> list[Chart]:
    """[24.62, 19.2] Return the tables of Strategic War, its modifiers, figures and scenarios."""
    tables = [data.tables["strategic-warfare"], data.tables["air-combat"]]
    figures = _figures("war-figures", "Strategic War: other figures", "SW.1", data.war)
    return [*tables, _modifiers(data, WAR_SCOPES), _strength(data), figures, *_openings(data, WarOpening, "SW.1")]


def raid(data: Data) -> list[Chart]:
    """[51.31, HA, 20.51, 19.2, 24.62] Return the tables of the air raid, its modifiers, odds, figures and scenarios."""
    return [
        *data.tables.chart,
        _modifiers(data, RAID_SCOPES),
        _strength(data),
        *(_pearl(data, edition) for edition in data.surprise),
        _figures("pearl-figures", "Surprise and harbor attacks: other figures", "51.31", data.pearl),
        *_openings(data, RaidOpening, "PH"),
    ]


def _adds(line: Modifier) -> str:
    """Return a description of what a modifier line adds."""
    value = signed(line.value)
    if line.kind == "each":
        return f"{value} each"
    if line.kind == "difference":
        return f"{value} for each"
    if line.kind == "steps":
        limit = "" if line.most == NO_LIMIT else f", {signed(line.value * line.most)} at most"
        return f"{value} for every {line.step}{limit}"
    if line.kind == "advantage":
        return f"{value} for the attacker's, {signed(-line.value)} for the defender's"
    if line.kind == "choice":
        return ", ".join(f"{key} {signed(added)}" for key, added in line.choices.items())
    return value


def _modifiers(data: Data, scopes: Mapping[str, str]) -> Chart:
    """[24.62.3] Return every modifier line of these scopes."""
    rows = [
        (f"{scopes[line.scope]}: {line.title}", [_adds(line), ", ".join(line.only) or "all", line.rule])
        for line in data.modifiers.modifier
        if line.scope in scopes
    ]
    figures = data.modifiers
    return plain_table(
        "modifiers", "Modifiers", "24.62.3", figures.source, figures.origin, ["adds", "for", "rule"], rows
    )


def _strength(data: Data) -> Chart:
    """[24.62.10] Return the parts of a target's strength."""
    rows = [(part.title, [str(part.value)]) for part in data.modifiers.strength]
    origin = "Strategic Warfare Combat Modifiers Table: the row that a bombing target uses"
    return plain_table("target-strength", "The strength of a target", "24.62.10", "rulebook", origin, ["each"], rows)


def _pearl(data: Data, edition: str) -> Chart:
    """[51.31] Return, by column, the odds of a carrier force's place, of surprise and of interception."""
    table, disarray = data.surprise[edition], data.pearl.surprise.disarray

    def share(chance: Fraction) -> str:
        return f"{chance * 36}/36" if chance else "0"

    rows = []
    for at, label in enumerate(table.chart.columns):
        where = table.where(at)
        port, far, auto = (where.get(place, Fraction(0)) for place in (PEARL, PACIFIC, AUTO))
        places = [share(chance) for chance in (port, far, 1 - port - far - auto, auto)]
        levels = [f"{min(level, disarray)}{'+' if level >= disarray else ''}" for level in table.levels(at)]
        depth = ", ".join(f"{level} x{levels.count(level)}" for level in dict.fromkeys(levels))
        meets = f"{float(table.interception(at)):.2f}"
        rows.append((label, [*places, depth, meets]))
    columns = ["in Pearl Harbor", "in the Pacific box", "at sea", "automatic", "surprise levels", "intercepts"]
    origin = f"Calculated exactly from the table: {table.chart.origin}"
    suffix, note = ("", "") if edition == "current" else (f"-{edition}", ", earlier edition")
    title = f"Pearl Harbor by column{note}"
    return plain_table(f"pearl-columns{suffix}", title, "51.31", table.chart.source, origin, columns, rows)


def _openings(data: Data, kind: type, rule: str) -> list[Chart]:
    """[SW.1, PH] Return the setup of each scenario of a kind."""
    return [
        _figures(f"scenario-{key}", f"{opening.title}: setup", rule, opening)
        for key, opening in data.scenarios.items()
        if isinstance(opening, kind)
    ]


OMITTED = ("title", "summary", "order", "kind")
"""Scenario fields shown elsewhere."""


def _figures(id: str, title: str, rule: str, figures: Any) -> Chart:
    """Return all figures of a file with their sources."""
    plain: dict[str, Any] = msgspec.to_builtins(figures)
    source: Source = plain.pop("source", "") or "reconstructed"
    origin = plain.pop("origin", "") or "See each line"
    rows = [line for name, value in plain.items() if name not in OMITTED for line in _lines(name, value)]
    return plain_table(id, title, rule, source, origin, ["value", "source", "origin"], dict(rows).items())


def _lines(name: str, value: Any) -> list[tuple[str, list[str]]]:
    """Return rows for a value: one for a table of figures, one each for a list of them."""
    if isinstance(value, list) and value and isinstance(value[0], dict) and "source" in value[0]:
        return [line for item in value for line in _lines(f"{name} {item.pop('name', '')}", item)]
    sources = [value.pop("source", ""), value.pop("origin", "")] if isinstance(value, dict) else ["", ""]
    return [(name.replace("_", " ").strip(), [_format(value) or "none", *sources])]


def _format(value: Any) -> str:
    """Return figures as one line of names and values."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_format(inner)}".replace("_", " ") for key, inner in value.items() if key != "key")
    if isinstance(value, list):
        return ("; " if value and isinstance(value[0], dict) else ", ").join(map(_format, value))
    return str(value)
