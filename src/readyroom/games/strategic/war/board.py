"""The board as a terminal draws it: a table of the oceans, one of the countries, and the sheets of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import View
from readyroom.games.strategic.war.board_data import Box, Curve, Scene, Sheet, Stack, scene

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
    "Carriers are escort carriers; 6+2 are six factors that are ready and two that miss the turn. ■ are steps of a "
    "target. Net is what submarines, or bombers over a target, add to their dice, and what their enemy loses."
)
"""How to read the board; it is told in the first turn."""


def board(view: View) -> RenderableType:
    """The board of a match as the seat of this view sees it."""
    shown = scene(view)
    return Group(*_parts(shown, view))


def _parts(shown: Scene, view: Mapping[str, Any]) -> Iterator[RenderableType]:
    yield Text(" · ".join([f"Turn {max(1, view['turn'])} of {view['turns']}", *shown.lines]), "bold")
    if view["turn"] <= 1:
        yield Text(LEGEND, "italic")
    yield _boxes(list(shown.boxes.values()))
    for sheet in shown.sheets:
        yield from _sheet(sheet)
    yield from _curves(shown.curves)
    for line in shown.news:
        yield Text(line, "dim")


def _boxes(boxes: Sequence[Box]) -> Table:
    table = Table(box=box.SIMPLE, padding=(0, 1), pad_edge=False, header_style="dim")
    for heading in ("Box", "what lies there", "modifier, means, targets"):
        table.add_column(heading)
    for each in boxes:
        told = Text("  ").join([_stack(stack) for row in each.rows for stack in row])
        aims = [f"{aim.name} {'□' * aim.out}{'■' * (aim.steps - aim.out)} {aim.figures}" for aim in each.targets]
        figures = "; ".join(words for words in (each.figure, *each.notes, *aims) if words)
        table.add_row(Text(each.title, STYLES[each.side]), told, figures)
    return table


def _stack(stack: Stack) -> Text:
    """Factors of one kind, with the mark of their side."""
    out = f"+{stack.out}" if stack.out else ""
    return Text(f"{MARKS[stack.side]} {SHORT[stack.kind]} {stack.count}{out}", STYLES[stack.side])


def _sheet(sheet: Sheet) -> Iterator[Text]:
    """A side: what each of its nations has and knows, its cards and its orders."""
    style = STYLES[sheet.side]
    yield Text(f"{MARKS[sheet.side]} {sheet.title} · {sheet.score}", f"bold {style}")
    for purse in sheet.purses:
        levels = [f"{t.name.lower()} {t.level}" + (f" (+{t.points})" if t.points else "") for t in purse.tracks]
        yield Text(f"{purse.title}: {purse.money}. Research: {', '.join(levels)}.")
    if sheet.hands:
        yield Text(". ".join(hand.told for hand in sheet.hands) + ".")
    if sheet.orders:
        yield Text(f"Orders: {'; '.join(sheet.orders)}.")


def _curves(curves: Sequence[Curve]) -> Iterator[Text]:
    """The graph, a line of bars for each of its lines."""
    most = max((value for curve in curves for value in curve.values), default=0)
    for curve in curves:
        if curve.values and most:
            bars = "".join(BARS[min(len(BARS) - 1, value * len(BARS) // (most + 1))] for value in curve.values)
            yield Text(f"{curve.name:>14} {bars} {curve.values[-1]}", STYLES.get(curve.side, "dim"))
