"""The board in a terminal: two fleets, each with its carriers, CAP and circuit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.drawing import run_length_text
from readyroom.engine.game import MatchView
from readyroom.games.midway.board_data import describe_turn
from readyroom.games.midway.sequence import PHASES
from readyroom.games.midway.state import JAPAN, KINDS, USA, SideName, repairs_on
from readyroom.games.midway.view import BoxesView, CarrierView, FiguresView, MidwayView, SideView, SquadronView

STYLES = {JAPAN: "bright_red", USA: "bright_blue"}
MARKS = {JAPAN: "●", USA: "★"}
STATUS = {"working": ("", ""), "crippled": (" crippled", "bold"), "sunk": (" sunk", "bold")}
CIRCUIT = ("Moving →", "Ready →", "Attacking →", "Home →", "Waiting")
"""The headings of the boxes, in the order in which aircraft pass through them."""
WIDE = 150
"""From this many columns the fleets are drawn side by side."""
ROOMY = 2
"""Up to this many carriers under attack get one line per type of squadron."""
LEGEND = (
    "F are fighters, TB torpedo bombers, DB dive bombers; 6×5 is six squadrons of strength 5. AA are anti-aircraft "
    "dice, repair the rolls that repair a hit; the bar in the damage track precedes the hit that cripples. CAP is the "
    "combat air patrol over a fleet."
)
"""Explanation of the board, shown in the first turn."""
TITLES: dict[str, str] = {phase.name: phase.title for phase in PHASES}


def board(view: MatchView[MidwayView]) -> RenderableType:
    """Return the board of a match as the seat of this view sees it."""
    return _Board(view)


@dataclass(frozen=True)
class _Board:
    """The drawing, which needs the terminal's width: in a wide one the fleets are side by side."""

    view: MatchView[MidwayView]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = self.view.table
        sides = sorted(table.sides.items(), key=lambda item: item[1].own)
        ships = {carrier.key: carrier.name for _, side in sides for carrier in side.carriers}
        fleets = [_fleet(name, side, table, ships, is_own=side.own and self.view.is_own) for name, side in sides]
        phase = TITLES.get(self.view.phase, self.view.phase)
        heading = [describe_turn(self.view.turn, table.rulings.turn_limit), phase]
        if table.found is False:
            heading.append("Japanese fleet not found yet")
        yield Text(" · ".join(heading), "bold")
        if self.view.turn <= 1:
            yield Text(LEGEND, "italic")
        if options.max_width < WIDE:
            yield from fleets
            return
        both = Table.grid(expand=True, padding=(0, 2))
        for _ in fleets:
            both.add_column(ratio=1)
        both.add_row(*fleets)
        yield both


def _fleet(name: SideName, side: SideView, table: MidwayView, ships: Mapping[str, str], *, is_own: bool) -> Group:
    style = STYLES[name]
    whose = " (you)" if is_own else ""
    title = Text(f"{MARKS[name]} {side.title}{whose} · {table.score[name]} points", f"bold {style}")
    homes = [squadron.home for squadron in side.boxes.waiting or [] if squadron.returning]
    shares = [f"{carrier.name} {homes.count(carrier.key)}" for carrier in side.carriers if carrier.key in homes]
    first_wave = [Text(f"First wave still to land: {', '.join(shares)} squadrons")] if shares else []
    return Group(
        Rule(title, align="left", style=style),
        _carriers(side.carriers, table.figures, style),
        _patrol(side.cap),
        *first_wave,
        _circuit(side.boxes, ships, style),
    )


def _carriers(carriers: Sequence[CarrierView], figures: FiguresView, style: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for heading in ("Carrier", "AA", "repair", "damage", "on deck", "below"):
        table.add_column(heading, no_wrap=heading not in ("on deck", "below"))
    first = figures.cripple - 1  # a bar precedes the cell that cripples
    for carrier in carriers:
        afloat = carrier.status != "sunk"
        cells = "■" * carrier.damage + "□" * (figures.sink - carrier.damage)
        table.add_row(
            Text(carrier.name, style),
            f"{carrier.antiaircraft:>2}",
            repairs_on(carrier.repair),
            Text.assemble(f"{cells[:first]}|{cells[first:]}", STATUS[carrier.status]),
            counters(carrier.deck, "clear") if afloat else "",
            counters(carrier.hangar) if afloat else "",
        )
    return table


def counters(squadrons: Sequence[SquadronView] | None, empty: str = "–", between: str = " ") -> Text:
    """Return squadrons by type with their strengths (`F 5,4 DB 8×5`), or "hidden" for None."""
    if squadrons is None:
        return Text("hidden", "dim italic")
    if not squadrons:
        return Text(empty, "dim")
    strengths = {kind: sorted((s.strength for s in squadrons if s.kind == kind), reverse=True) for kind in KINDS}
    return Text(between.join(f"{kind} {','.join(run_length_text(held))}" for kind, held in strengths.items() if held))


def _patrol(rings: Sequence[Sequence[SquadronView]] | None) -> Text:
    """Return the CAP ring by ring from the centre; fighters in the last ring land next move."""
    if rings is None:
        return Text.assemble("CAP: ", counters(None))
    last = len(rings) - 1
    names = {0: "center", last: "last ring"}
    line = Text("CAP: ")
    for at, ring in enumerate(rings):
        line.append(f"{' → ' if at else ''}{names.get(at, f'ring {at + 1}')} ")
        line.append_text(counters(ring))
    return line.append(" → Waiting")


def _circuit(boxes: BoxesView, ships: Mapping[str, str], style: str) -> Table:
    """Return the boxes with their counters, a line per type; attackers by target."""
    table = Table(box=box.ROUNDED, expand=True, padding=(0, 1), border_style=style, header_style="dim")
    for title in CIRCUIT:
        table.add_column(title, ratio=1)
    gap = "\n" if len(boxes.attacking) <= ROOMY else " "
    waves = [Text.assemble(f"{ships[key]}{gap}", counters(wave, between=gap)) for key, wave in boxes.attacking.items()]
    moving, ready, home, waiting = (
        counters(squadrons, between="\n") for squadrons in (boxes.moving, boxes.ready, boxes.home, boxes.waiting)
    )
    table.add_row(moving, ready, Text("\n").join(waves) if waves else counters([]), home, waiting)
    return table
