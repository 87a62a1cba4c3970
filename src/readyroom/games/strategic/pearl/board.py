"""The board of an air raid as a terminal draws it."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import MatchView
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.pearl.board_data import Column, Vessel, scene
from readyroom.games.strategic.pearl.state import JAPAN, USA
from readyroom.games.strategic.pearl.views import RaidView

STYLES = {JAPAN: "bright_red", USA: "bright_blue"}
MARKS = {JAPAN: "●", USA: "★"}
STATES = {"whole": "", "damaged": "bold", "sunk": "dim strike"}


def board(view: MatchView[RaidView]) -> RenderableType:
    """Return the terminal board of a view."""
    data = scene(view)
    at_sea = [force for force in data.forces if not force.in_port]
    flights = ", ".join(f"{flight.what} {flight.number}" for flight in data.flights)
    return Group(
        Text(" · ".join([data.title, *data.lines]), "bold"),
        Text(f"{data.tension}. {data.magic}."),
        _heading("Pearl Harbor", USA),
        _ships([*data.ships, *data.in_port]),
        Text(data.light),
        *(Text(f"{field.name}: {field.status}") for field in data.fields),
        Text(data.guns),
        Text(f"In the air: {flights}" if flights else "No aircraft are over the harbor."),
        _heading("The striking force", JAPAN),
        _ships(data.carriers),
        Text(data.tally),
        *([_heading("American carriers", USA)] if at_sea else []),
        *(Text(force.title) for force in at_sea),
        Rule(style="dim"),
        _columns(data.columns),
        *([Text(capitalize_first(data.risk))] if data.risk else []),
        Text(data.scores[JAPAN], STYLES[JAPAN]),
        Text(data.scores[USA], STYLES[USA]),
        Text(data.margin),
    )


def _heading(title: str, side: str) -> Rule:
    return Rule(Text(f"{MARKS[side]} {title}", f"bold {STYLES[side]}"), align="left", style=STYLES[side])


def _ships(ships: Iterable[Vessel]) -> Text:
    """Return ships with size, condition and squadrons aboard."""
    text = Text()
    for at, ship in enumerate(ships):
        aboard = f", {ship.aboard} aboard" if ship.side == JAPAN else ""
        state = "" if ship.state == "whole" else f", {ship.state}"
        text.append(" · " if at else "")
        text.append(f"{ship.name} ({ship.size}{state}{aboard})", STATES[ship.state])
    return text


def _columns(columns: Iterable[Column]) -> Table:
    """Return the columns of the Surprise Table with their odds, and the probability of each."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("tension", no_wrap=True)
    columns = list(columns)
    for column in columns:
        table.add_column(column.label, justify="right", no_wrap=True)
    table.add_row("in port", *(column.port for column in columns))
    table.add_row("intercepts", *(column.intercepts for column in columns))
    table.add_row("surprise", *(column.surprise for column in columns))
    table.add_row("likely", *(Text(column.probability, "bold") for column in columns))
    return table
