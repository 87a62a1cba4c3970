"""The board in a terminal: a table of boxes, and the sheets of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import MatchView
from readyroom.games.strategic.war.presentation.board_data import Box, Curve, Scene, Sheet, Stack, scene
from readyroom.games.strategic.war.views import WarView

STYLES: Mapping[str, str] = {"axis": "bright_red", "allies": "bright_blue"}
MARKS: Mapping[str, str] = {"axis": "●", "allies": "★"}
SHORT = {
    "submarine": "subs",
    "escort": "escorts",
    "carrier": "carriers",
    "merchant": "ships",
    "bomber": "bombers",
    "interceptor": "fighters",
}
BARS = "▁▂▃▄▅▆▇█"
LEGEND = (
    "Carriers are escort carriers. 6+2 means 6 ready factors and 2 that miss the turn. ■ is a step of a target. Net is "
    "added to the dice of submarines and bombers, and subtracted from the enemy's."
)
"""How to read the board; shown in the first turn."""


def board(view: MatchView[WarView]) -> RenderableType:
    """Return the terminal board of a view."""
    return Group(*_parts(scene(view), view))


def _parts(data: Scene, view: MatchView[WarView]) -> Iterator[RenderableType]:
    yield Text(" · ".join([f"Turn {max(1, view.turn)} of {view.table.turns}", *data.lines]), "bold")
    if view.turn <= 1:
        yield Text(LEGEND, "italic")
    yield _boxes(list(data.boxes.values()))
    for sheet in data.sheets:
        yield from _sheet(sheet)
    yield from _curves(data.curves)
    for line in data.news:
        yield Text(line, "dim")


def _boxes(boxes: Sequence[Box]) -> Table:
    table = Table(box=box.SIMPLE, padding=(0, 1), pad_edge=False, header_style="dim")
    for heading in ("Box", "Contents", "Modifier, averages, targets"):
        table.add_column(heading)
    for each in boxes:
        contents = Text("  ").join([_stack(stack) for row in each.rows for stack in row])
        aims = [f"{aim.name} {'□' * aim.out}{'■' * (aim.steps - aim.out)} {aim.figures}" for aim in each.targets]
        figures = "; ".join(text for text in (each.figure, *each.notes, *aims) if text)
        table.add_row(Text(each.title, STYLES[each.side]), contents, figures)
    return table


def _stack(stack: Stack) -> Text:
    """Return factors of one kind with the mark of their side."""
    out = f"+{stack.out}" if stack.out else ""
    return Text(f"{MARKS[stack.side]} {SHORT[stack.kind]} {stack.count}{out}", STYLES[stack.side])


def _sheet(sheet: Sheet) -> Iterator[Text]:
    """Return a side: its nations, cards and orders."""
    style = STYLES[sheet.side]
    yield Text(f"{MARKS[sheet.side]} {sheet.title} · {sheet.score}", f"bold {style}")
    for nation in sheet.nations:
        levels = [f"{t.name.lower()} {t.level}" + (f" (+{t.points})" if t.points else "") for t in nation.tracks]
        yield Text(f"{nation.title}: {nation.money}. Research: {', '.join(levels)}.")
    if sheet.hands:
        yield Text(". ".join(hand.description for hand in sheet.hands) + ".")
    if sheet.orders:
        yield Text(f"Orders: {sheet.orders}.")


def _curves(curves: Sequence[Curve]) -> Iterator[Text]:
    """Return the graph, a row of bars for each curve."""
    most = max((value for curve in curves for value in curve.values), default=0)
    for curve in curves:
        if curve.values and most:
            bars = "".join(BARS[min(len(BARS) - 1, value * len(BARS) // (most + 1))] for value in curve.values)
            yield Text(f"{curve.name:>14} {bars} {curve.values[-1]}", STYLES.get(curve.side, "dim"))
