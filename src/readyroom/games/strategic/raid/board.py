"""The board of an air raid as a terminal draws it."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import View
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.raid.board_data import Column, Scene, Vessel, scene
from readyroom.games.strategic.raid.state import JAPAN, USA

STYLES = {JAPAN: "bright_red", USA: "bright_blue"}
MARKS = {JAPAN: "●", USA: "★"}
STATES = {"whole": "", "damaged": "bold", "sunk": "dim strike"}


def board(view: View) -> RenderableType:
    """The board of a match as the seat of this view sees it."""
    shown = scene(view)
    return Group(
        Text(" · ".join([shown.title, *shown.lines]), "bold"),
        Text(f"{shown.tension}. {shown.magic}."),
        _heading("Pearl Harbor", USA),
        _ships([*shown.ships, *shown.in_port]),
        Text(shown.light),
        *(Text(f"{field.name}: {field.told}") for field in shown.fields),
        Text(shown.guns),
        Text(_flights(shown)),
        _heading("The striking force", JAPAN),
        _ships(shown.carriers),
        Text(shown.tally),
        *_forces(shown),
        Rule(style="dim"),
        _columns(shown.columns),
        *([Text(capitalize_first(shown.risk))] if shown.risk else []),
        Text(shown.scores[JAPAN], STYLES[JAPAN]),
        Text(shown.scores[USA], STYLES[USA]),
        Text(shown.margin),
    )


def _heading(title: str, side: str) -> Rule:
    return Rule(Text(f"{MARKS[side]} {title}", f"bold {STYLES[side]}"), align="left", style=STYLES[side])


def _ships(ships: Iterable[Vessel]) -> Text:
    """Ships by name, with their sizes, what has become of them, and squadrons aboard."""
    told = Text()
    for at, ship in enumerate(ships):
        aboard = f", {ship.aboard} aboard" if ship.side == JAPAN else ""
        state = "" if ship.state == "whole" else f", {ship.state}"
        told.append(" · " if at else "")
        told.append(f"{ship.name} ({ship.size}{state}{aboard})", STATES[ship.state])
    return told


def _flights(shown: Scene) -> str:
    flights = ", ".join(f"{flight.what} {flight.count}" for flight in shown.flights)
    return f"In the air: {flights}" if flights else "Nothing is in the air over the harbor."


def _forces(shown: Scene) -> list[RenderableType]:
    if not shown.forces:
        return []
    return [_heading("American carriers", USA), *(Text(force.title) for force in shown.forces)]


def _columns(columns: Iterable[Column]) -> Table:
    """The columns of the Surprise Table with their odds; those that are possible have their chance below."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("tension", no_wrap=True)
    found = list(columns)
    for column in found:
        table.add_column(column.label, justify="right", no_wrap=True)
    table.add_row("in port", *(column.port for column in found))
    table.add_row("intercepts", *(column.intercepts for column in found))
    table.add_row("surprise", *(column.surprise for column in found))
    table.add_row("likely", *(Text(column.told, "bold") for column in found))
    return table
