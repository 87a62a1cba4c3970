"""The board in a terminal: zones, fields, harbor with ships, and both sides' panels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.drawing import run_length_text
from readyroom.engine.game import MatchView
from readyroom.engine.text import count_noun
from readyroom.games.tora.board_data import Art, Field, Panel, Scene, Ship, Target, Unit, Zone, printed, scene
from readyroom.games.tora.figures import JAPAN, SIDES, USA, SideName
from readyroom.games.tora.plan import QUADRANTS

STYLES = {JAPAN: "bright_red", USA: "bright_blue"}
MARKS = {JAPAN: "●", USA: "★"}
STATES = {"whole": ("", ""), "hurt": ("", ""), "damaged": ("damaged", "bold yellow"), "sunk": ("sunk", "bold red")}
TWO = 76
"""From this many columns ships are drawn in two columns."""
FOUR = 76
"""From this many columns zones are drawn in four columns; otherwise only those with aircraft."""
LEGEND = (
    "10 Kates T 8×4,3,2 are ten Kate units with torpedoes: eight of strength 4, one of 3 and one of 2; units without "
    "figures are at full strength. AP are armor-piercing bombs, GP general-purpose bombs, ? unknown ordnance. "
    "■ is a hit, □ a hit that is left; t marks a ship that torpedoes can reach."
)
"""Explanation of the board, data before the second turn."""


def board(view: MatchView[Any]) -> RenderableType:
    """Return the board of a match as the seat of this view sees it."""
    return _Board(view)


class _Board:
    """The drawing, which needs the terminal's width."""

    def __init__(self, view: MatchView[Any]) -> None:
        self.scene, self.turn = scene(view), view.turn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        data, wide = self.scene, options.max_width
        yield Text(" · ".join([data.title, *data.lines]), "bold")
        if self.turn <= 1:
            yield Text(LEGEND, "italic")
        yield _zones(data) if wide >= FOUR else _zone_list(data)
        yield _rule("Airfields", USA)
        yield _fields(data)
        yield _rule("Pearl Harbor", USA)
        yield _harbor(data, 2 if wide >= TWO else 1)
        yield Text.assemble("Batteries: ", *_targets(data.batteries))
        yield Text.assemble("Navy Yard: ", *_targets(data.yard))
        yield Text(f"{data.luck.title}.")
        for panel in data.panels:
            yield _panel(panel)


def _rule(title: str, side: SideName) -> Rule:
    return Rule(Text(title, f"bold {STYLES[side]}"), align="left", style=STYLES[side])


# -- in the air --------------------------------------------------------------------------------------------------------


def _zones(data: Scene) -> Table:
    """Draw the rings from the sea inwards, in four columns by quadrant."""
    table = Table(box=box.ROUNDED, expand=True, padding=(0, 1), show_header=False, show_lines=True)
    for _ in QUADRANTS:
        table.add_column(ratio=1)
    rings = sorted({key[0] for key in data.zones}, reverse=True)
    for ring in rings:
        table.add_row(*(_zone(data, data.zones[f"{ring}{quadrant}"]) for quadrant in QUADRANTS))
    return table


def _zone(data: Scene, zone: Zone) -> Text:
    planned = any(not unit.key for units in zone.units.values() for unit in units)
    return Text("\n").join([Text(f"{zone.key}, planned" if planned else zone.key, "bold"), *_over(data, zone)])


def _zone_list(data: Scene) -> Group:
    """List only the zones with aircraft over them."""
    zones = [zone for zone in data.zones.values() if zone.count]
    if not zones:
        return Group(Text("No aircraft are in the air.", "dim"))
    return Group(*(Text.assemble((f"{zone.key} ", "bold"), Text("  ").join(_over(data, zone))) for zone in zones))


def _over(data: Scene, zone: Zone) -> Iterator[Text]:
    """Yield a line for each type and ordnance of each side."""
    for side in SIDES:
        for line in crowd(zone.units[side], data.arts):
            yield Text(f"{MARKS[side]} {line}", STYLES[side])


def crowd(units: Sequence[Unit], arts: Mapping[str, Art]) -> list[str]:
    """Return units by type and ordnance, with strengths unless full: `10 Kates T 8×4,3,2`."""
    looks = [arts[unit.art] for unit in units]
    lines = []
    for (type_, letters), run in groupby(looks, key=lambda art: (art.type, art.letters)):
        strengths = sorted((art.strength for art in run), reverse=True)
        arms = "" if type_ in _fighters() else f" {letters}" if letters else ""
        figures = printed().air.types[type_]
        worn = f" {','.join(run_length_text(strengths))}" if strengths[-1] < figures.strength else ""
        lines.append(f"{count_noun(len(strengths), figures.title)}{arms}{worn}")
    return lines


def _fighters() -> set[str]:
    return {each.key for each in printed().air.type if each.role == "fighter"}


# -- on the ground -----------------------------------------------------------------------------------------------------


def _fields(data: Scene) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for _ in range(4):
        table.add_column()
    for each in data.fields:
        table.add_row(each.name, each.zone, f"{each.count}/{each.places}", _parked(each, data.arts))
    return table


def _parked(field: Field, arts: Mapping[str, Art]) -> Text:
    """Describe the units on a field, upper ones first."""
    order = {each.key: at for at, each in enumerate(printed().air.type)}
    layers = [[stack[-1] for stack in field.stacks], [unit for stack in field.stacks for unit in stack[:-1]]]
    parts = [
        ", ".join(crowd(sorted(layer, key=lambda unit: order[arts[unit.art].type]), arts)) for layer in layers if layer
    ]
    text = "; underneath ".join(parts) or "empty"
    return Text(f"planned: {text}" if field.planned and parts else text, "" if parts else "dim")


def _targets(targets: Sequence[Target]) -> Iterator[Text]:
    """Yield batteries or tokens, damaged ones with their tracks."""
    for at, target in enumerate(targets):
        track = f" {'■' * target.hits}{'□' * (target.strength - target.hits)}" if target.hits else ""
        style = "bold red" if target.gone else ""
        yield Text.assemble(" · " if at else "", (f"{target.name}{track}", style))


# -- ships -------------------------------------------------------------------------------------------------------------


def _harbor(data: Scene, columns: int) -> Table:
    """Draw the ships from the north-west on, those without a berth last."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_header=False, expand=columns > 1)
    for _ in range(columns):
        for fixed in (True, True, True, False):
            table.add_column(no_wrap=fixed)
    ships = sorted(data.ships, key=_from_the_north)
    rows = -(-len(ships) // columns)
    for at in range(rows):
        row = [_ship(ship, data) for ship in ships[at::rows]]
        table.add_row(*(cell for cells in row for cell in cells))
    return table


def _from_the_north(ship: Ship) -> tuple[bool, int, int]:
    return (False, ship.berth.y, ship.berth.x) if ship.berth else (True, 0, 0)


def _ship(ship: Ship, data: Scene) -> tuple[Text | str, Text | str, Text | str, Text | str]:
    """Return a ship's name, damage track, place and state."""
    state, style = STATES[ship.state]
    name = Text.assemble((ship.name, style), (" t" if ship.runs else "", "dim"))
    track = "■" * min(ship.hits, ship.strength) + "□" * (ship.strength - ship.hits)
    where = "dry dock" if ship.berth and ship.berth.dock else ship.zone if ship.berth else data.adrift_title.lower()
    return name, track, Text(where, "dim"), Text(state, style)


# -- side panels ------------------------------------------------------------------------------------------------------


def _panel(panel: Panel) -> Group:
    parts: list[RenderableType] = [_rule(f"{MARKS[panel.side]} {panel.heading}", panel.side)]
    parts += [Text(line) for line in panel.lines]
    if panel.alerts:
        parts.append(Text("Alert: " + ", ".join(f"{title.lower()} {level}" for title, level in panel.alerts) + "."))
    if panel.days:
        parts.append(_calendar(panel))
    return Group(*parts)


def _calendar(panel: Panel) -> Table:
    """Draw the American calendar, a column a day."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(printed().planning.calendar.month)
    for day in panel.days:
        table.add_column(str(day.day), justify="center")
    for at, title in enumerate(panel.rows):
        table.add_row(title, *(day.cells[at] or "·" for day in panel.days))
    return table
