"""The charts of the game: the tables as they are printed, and what can be reckoned from them at a glance."""

from __future__ import annotations

from fractions import Fraction

from readyroom.engine.charts import Chart, roster
from readyroom.engine.checks import signed
from readyroom.games.strategic.figures import NO_LIMIT, Data, Modifier
from readyroom.games.strategic.staff.pearl import interception
from readyroom.games.strategic.tables import AUTO, PACIFIC, PEARL

SCOPES = {
    "submarines": "submarines everywhere",
    "atlantic": "submarines, the Atlantic",
    "indian": "submarines, the Indian Ocean",
    "pacific": "submarines, the Pacific",
    "interception": "bombers, the fight on the way",
    "target": "bombers, the target",
    "harbor": "harbor attacks",
    "harbor-submarine": "harbor attacks by submarines",
    "harbor-carrier": "harbor attacks by carriers",
    "naval": "naval attacks",
    "air": "air combat",
}


def charts(data: Data) -> list[Chart]:
    """[24.62, 51.31, HA, 20.51, 19.2] All tables, their modifiers, and the odds of the Surprise Table by column."""
    return [
        *data.tables.chart,
        _modifiers(data),
        _strength(data),
        *(_pearl(data, edition) for edition in data.surprise),
    ]


def _adds(line: Modifier) -> str:
    """What a line of the modifiers adds, in words."""
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


def _modifiers(data: Data) -> Chart:
    """[24.62.3] Every line of the tables of modifiers."""
    rows = [
        (
            f"{SCOPES[line.scope]}: {line.title}",
            [_adds(line), ", ".join(line.only) or "all", line.rule],
        )
        for line in data.modifiers.modifier
    ]
    figures = data.modifiers
    return roster("modifiers", "Modifiers", "24.62.3", figures.source, figures.origin, ["adds", "for", "rule"], rows)


def _strength(data: Data) -> Chart:
    """[24.62.10] What a target's strength is made of."""
    rows = [(part.title, [str(part.value)]) for part in data.modifiers.strength]
    origin = "Strategic Warfare Combat Modifiers Table: the row that a bombing target uses"
    return roster("target-strength", "The strength of a target", "24.62.10", "rulebook", origin, ["each"], rows)


def _share(chance: Fraction, of: int = 36) -> str:
    return f"{chance * of}/{of}" if chance else "0"


def _pearl(data: Data, edition: str) -> Chart:
    """[51.31] By column: where a carrier force is, how deep the surprise, and whether it meets a second strike."""
    table, disarray = data.surprise[edition], data.pearl.surprise.disarray
    rows = []
    for at, label in enumerate(table.chart.columns):
        where = table.where(at)
        sea = sum((p for place, p in where.items() if place not in (PEARL, PACIFIC, AUTO)), Fraction(0))
        places = [_share(chance) for chance in (where.get(PEARL, Fraction(0)), where.get(PACIFIC, Fraction(0)), sea)]
        levels = [f"{min(level, disarray)}{'+' if level >= disarray else ''}" for level in table.levels(at)]
        deep = ", ".join(f"{level} x{levels.count(level)}" for level in dict.fromkeys(levels))
        meets = f"{float(interception(table, at)):.2f}"
        rows.append((label, [*places, _share(where.get(AUTO, Fraction(0))), deep, meets]))
    columns = ["in Pearl Harbor", "in the Pacific box", "at sea", "automatic", "surprise by the die", "intercepts"]
    source = table.chart.source
    origin = f"Reckoned exactly from the table: {table.chart.origin}"
    suffix = "" if edition == "current" else f"-{edition}"
    title = "Pearl Harbor by column" + ("" if edition == "current" else ", earlier edition")
    return roster(f"pearl-columns{suffix}", title, "51.31", source, origin, columns, rows)
