"""The board in a terminal: zones, fields, harbor with ships, and both sides' panels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.drawing import run_length_text
from readyroom.engine.game import MatchView
from readyroom.engine.text import count_noun
from readyroom.games.tora.board_data import (
    Target,
    absent_title,
    batteries,
    board_view,
    heading,
    load_letters,
    luck_deck,
    parked_planned,
    torpedo_runs,
    type_order,
    yard_tokens,
)
from readyroom.games.tora.figures import JAPAN, SIDES, USA, SideName, builtin_data
from readyroom.games.tora.plans.data import QUADRANTS
from readyroom.games.tora.side_panels import Panel, side_panels
from readyroom.games.tora.view import FieldView, ShipView, ToraView, UnitView, ZoneView

STYLES = {JAPAN: "bright_red", USA: "bright_blue"}
MARKS = {JAPAN: "●", USA: "★"}
STATES = {"whole": ("", ""), "hurt": ("", ""), "damaged": ("damaged", "bold yellow"), "sunk": ("sunk", "bold red")}
WIDE = 76
"""From this many columns ships are drawn in two columns and zones in four; otherwise only zones with aircraft."""
LEGEND = (
    "10 Kates T 8×4,3,2 are ten Kate units with torpedoes: eight of strength 4, one of 3 and one of 2; units without "
    "figures are at full strength. AP are armor-piercing bombs, GP general-purpose bombs, ? unknown ordnance. "
    "■ is a hit, □ a hit that is left; t marks a ship that torpedoes can reach."
)
"""Explanation of the board, data before the second turn."""


def board(view: MatchView[ToraView]) -> RenderableType:
    """Return the board of a match as the seat of this view sees it."""
    return _Board(view)


class _Board:
    """The drawing, which needs the terminal's width."""

    def __init__(self, view: MatchView[ToraView]) -> None:
        self.view = board_view(view)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table, width = self.view.table, options.max_width
        yield Text(" · ".join([self.view.scenario, *heading(self.view)]), "bold")
        if self.view.turn <= 1:
            yield Text(LEGEND, "italic")
        yield _zones(table) if width >= WIDE else _zone_list(table)
        yield _rule("Airfields", USA)
        yield _fields(table)
        yield _rule("Pearl Harbor", USA)
        yield _harbor(table, 2 if width >= WIDE else 1)
        yield Text.assemble("Batteries: ", *_targets(batteries(table)))
        yield Text.assemble("Navy Yard: ", *_targets(yard_tokens(table)))
        yield Text(f"{luck_deck(table).title}.")
        for panel in side_panels(self.view):
            yield from _panel(panel)


def _rule(title: str, side: SideName) -> Rule:
    return Rule(Text(title, f"bold {STYLES[side]}"), align="left", style=STYLES[side])


def _zones(view: ToraView) -> Table:
    """Draw the rings from the sea inwards, in four columns by quadrant."""
    table = Table(box=box.ROUNDED, expand=True, padding=(0, 1), show_header=False, show_lines=True)
    for _ in QUADRANTS:
        table.add_column(ratio=1)
    for ring in sorted({key[0] for key in view.zones}, reverse=True):
        table.add_row(*(_zone(view, f"{ring}{quadrant}") for quadrant in QUADRANTS))
    return table


def _zone(view: ToraView, key: str) -> Text:
    over = view.zones[key]
    planned = over.japan and not view.day
    return Text("\n").join([Text(f"{key}, planned" if planned else key, "bold"), *_over(over)])


def _zone_list(view: ToraView) -> Group:
    """List only the zones with aircraft over them."""
    zones = [(key, over) for key, over in view.zones.items() if over.japan or over.usa]
    if not zones:
        return Group(Text("No aircraft are in the air.", "dim"))
    return Group(*(Text.assemble((f"{key} ", "bold"), Text("  ").join(_over(over))) for key, over in zones))


def _over(zone: ZoneView) -> Iterator[Text]:
    """Yield a line for each type and ordnance of each side."""
    for side in SIDES:
        for line in _crowd(zone.of(side)):
            yield Text(f"{MARKS[side]} {line}", STYLES[side])


def _crowd(units: Sequence[UnitView]) -> Iterator[str]:
    """Yield units by type and ordnance, with strengths unless full: `10 Kates T 8×4,3,2`."""
    for (type_, load), run in groupby(units, key=lambda unit: (unit.type, load_letters(unit))):
        strengths = sorted((unit.strength for unit in run), reverse=True)
        figures = builtin_data().air.types[type_]
        worn = f" {','.join(run_length_text(strengths))}" if strengths[-1] < figures.strength else ""
        yield f"{count_noun(len(strengths), figures.title)}{f' {load}' if load else ''}{worn}"


def _fields(view: ToraView) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for _ in range(4):
        table.add_column()
    for field in view.usa.fields:
        parked = _parked(field)
        text = Text(f"planned: {parked}" if parked_planned(view) else parked) if parked else Text("empty", "dim")
        table.add_row(field.name, field.zone, f"{len(field.units)}/{field.places}", text)
    return table


def _parked(field: FieldView) -> str:
    """Describe the units on a field, upper ones first."""
    order = type_order()
    layers = [[stack[-1] for stack in field.stacks], [unit for stack in field.stacks for unit in stack[:-1]]]
    ordered = [sorted(layer, key=lambda unit: order[unit.type]) for layer in layers if layer]
    return "; underneath ".join(", ".join(_crowd(layer)) for layer in ordered)


def _targets(targets: Iterator[Target]) -> Iterator[Text]:
    """Yield batteries or tokens, damaged ones with their tracks."""
    for at, target in enumerate(targets):
        track = f" {'■' * target.hits}{'□' * (target.strength - target.hits)}" if target.hits else ""
        style = "bold red" if target.destroyed else ""
        yield Text.assemble(" · " if at else "", (f"{target.name}{track}", style))


def _harbor(view: ToraView, columns: int) -> Table:
    """Draw the ships from the north-west on, those without a berth last."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_header=False, expand=columns > 1)
    for _ in range(columns):
        for fixed in (True, True, True, False):
            table.add_column(no_wrap=fixed)
    ships = sorted(view.usa.ships, key=lambda ship: (0, ship.berth.y, ship.berth.x) if ship.berth else (1, 0, 0))
    exposed = {key for key, runs in torpedo_runs(view).items() if runs}
    rows = -(-len(ships) // columns)
    for at in range(rows):
        row = [_ship(ship, absent_title(view), ship.key in exposed) for ship in ships[at::rows]]
        table.add_row(*(cell for cells in row for cell in cells))
    return table


def _ship(ship: ShipView, absent: str, exposed: bool) -> tuple[Text, str, Text, Text]:
    """Return a ship's name, damage track, place and state."""
    state, style = STATES[ship.state]
    name = Text.assemble((ship.name, style), (" t" if exposed else "", "dim"))
    track = "■" * min(ship.hits, ship.strength) + "□" * (ship.strength - ship.hits)
    where = "dry dock" if ship.berth and ship.berth.dock else ship.zone or absent.lower()
    return name, track, Text(where, "dim"), Text(state, style)


def _panel(panel: Panel) -> Iterator[RenderableType]:
    yield _rule(f"{MARKS[panel.side]} {panel.heading}", panel.side)
    yield from map(Text, panel.lines)
    if panel.alerts:
        yield Text("Alert: " + ", ".join(f"{title.lower()} {level}" for title, level in panel.alerts) + ".")
    if panel.days:
        yield _calendar(panel)


def _calendar(panel: Panel) -> Table:
    """Draw the American calendar, a column a day."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(builtin_data().planning.calendar.month)
    for day in panel.days:
        table.add_column(str(day.day), justify="center")
    for at, title in enumerate(panel.rows):
        table.add_row(title, *(day.cells[at] or "·" for day in panel.days))
    return table
