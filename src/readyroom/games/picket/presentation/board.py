"""The terminal board: tracks, attackers, guns, damage and crew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.rules.checks import signed
from readyroom.engine.text import capitalize_first
from readyroom.games.picket.figures.common import HEIGHTS, SECTIONS
from readyroom.games.picket.presentation.board_data import (
    by_bearing,
    by_kind,
    days,
    support_text,
    top_lines,
    tracks,
)
from readyroom.games.picket.presentation.hit_map import DIRECTIONS
from readyroom.games.picket.ship.view import MountView, Part, ShipView
from readyroom.games.picket.text import leaning, weapon_name
from readyroom.games.picket.view import CaptainView, CruiseView, PlaneView

ZONES = {"green": ("■", "green"), "yellow": ("▲", "yellow"), "red": ("◆", "bold red")}
"""[2.0.G] The shape and colour of each zone of a track."""
MOST = 80
"""The maximum width of the board."""
LEGEND = (
    "Tracks are ■ green, ▲ yellow, ◆ red. Planes show their hits as •, and flamed ones ✹. A gun in brackets is silent, "
    "one with * is hit, ✈ are its kills, one crossed out with × is destroyed; ! is a director out of action. Rooms "
    "show their hits as ■□."
)
"""How to read the board; shown in the first turn."""


def board(view: CaptainView) -> RenderableType:
    """Return the board as the captain sees it."""
    return Constrain(Group(*_parts(view)), MOST)


def _parts(view: CaptainView) -> Iterator[RenderableType]:
    table = view.table
    yield Text(" · ".join(top_lines(view)), "bold")
    if view.turn <= 1:
        yield Text(LEGEND, "italic")
    if table.campaign:
        yield Text(_date(view))
    if table.ship.fate:
        yield Text(f"{capitalize_first(table.ship.fate)}.", "bold red")
    yield _side_by_side(table)
    yield _rule("The attack")
    yield from _attack(table)
    yield _rule("Guns")
    yield from _guns(table.ship)
    yield _rule("Damage control")
    yield from _hurt(table.ship)
    yield _crew(table.ship)


def _rule(title: str) -> Rule:
    return Rule(Text(title, "bold"), align="left", style="dim")


def _date(view: CaptainView) -> str:
    """[1.6] Return the day of the campaign and the next great raid."""
    table = view.table
    record = days(table)
    today = next(day for day in record if day.now)
    coming = next((day for day in record if day.raid and day.date >= today.date), None)
    day_text = f"Day {max(1, view.turn)} of {table.turns}, score {signed(table.score)}."
    if coming is None:
        return day_text
    if coming is today:
        return f"{day_text} Great raid {today.raid} is on."
    return f"{day_text} Great raid {coming.raid} begins on {coming.date.day} {coming.date:%B}."


def _side_by_side(table: CruiseView) -> Table:
    """[1.2.1] Return the tracks in their colours and shapes, next to the ship's condition and support."""
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    ship = table.ship
    water_lines = "■" * ship.water_lines + "□" * (ship.water_lines_full - ship.water_lines)
    conditions = [
        ", ".join(leaning(ship.heel, ship.trim)).capitalize(),
        f"Morale {signed(ship.morale)}; water lines {water_lines}",
        capitalize_first(support_text(table)),
        f"{table.tally.shot} of {table.tally.planes} planes shot down" if table.tally.planes else "No planes yet",
        "",
    ]
    for track, line in zip(tracks(ship), conditions, strict=True):
        mark, style = ZONES[track.zone]
        cells = mark * track.level + "·" * (track.full - track.level)
        level = Text.assemble(f"{track.name:<11}", (cells, style), f" {track.level:>2} {track.zone}")
        grid.add_row(level, Text(line))
    return grid


def _attack(table: CruiseView) -> Iterator[RenderableType]:
    """[6.6] Yield planes by bearing and height, special attackers, later waves, and the column."""
    raid, sea = table.raid, table.sea
    if not (raid.now.everything or raid.to_come):
        yield Text("No planes in sight.")
    if raid.now.planes:
        yield _bearings(raid.now.ordered)
    for plane in raid.now.everything[len(raid.now.ordered) :]:
        yield Text.assemble("Special attacker: ", _plane(plane), f", {plane.where}")
    for number, wave in raid.to_come:
        yield Text(f"Wave {number} to come: {', '.join(plane.name for plane in wave.everything)}")
    if raid.maneuvered is not None:
        yield Text(f"Emergency maneuvers {'succeeded' if raid.maneuvered else 'failed'}.")
    shifts = ", ".join(f"{name} {signed(value)}" for name, value in sea.shifts if value)
    dice = ", ".join(f"{name} {signed(value)}" for name, value in sea.dice)
    yield Text.assemble(
        ("Attack column ", "bold"),
        (signed(sea.column), "bold"),
        f": {shifts or 'no shifts'}{f'; dice: {dice}' if dice else ''}",
    )


def _bearings(planes: Sequence[PlaneView]) -> Table:
    """[1.1] Return a table of planes: a row for each bearing, a column for each height."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True, header_style="dim")
    table.add_column("Bearing", no_wrap=True)
    for height in HEIGHTS.values():
        table.add_column(height, ratio=1)
    for bearing, there in by_bearing(planes).items():
        if there:
            cells = [Text("\n").join(_plane(one) for one in there if one.height == height) for height in HEIGHTS]
            table.add_row(f"{bearing:03d} {DIRECTIONS[bearing]}", *cells)
    return table


def _plane(plane: PlaneView) -> Text:
    """[6.8.K] Return a plane with its hits and fate."""
    armed = f" with {weapon_name(plane.weapon)}" if plane.weapon else ""
    if plane.fate == "destroyed":
        return Text(f"{plane.name}{armed} destroyed", "dim strike")
    style = "yellow" if plane.fate == "flamed" else "bright_red"
    return Text(f"{plane.name}{armed} {'•' * plane.hits}{'✹' if plane.fate == 'flamed' else ''}".rstrip(), style)


def _guns(ship: ShipView) -> Iterator[Text]:
    """[1.1, 6.8] Yield a line of guns for each kind, then damaged directors and radars."""
    for kind, mounts in by_kind(ship.mounts).items():
        yield Text.assemble(f"{kind:<7}", *(_gun(mount) for mount in mounts))
    hurt = [f"{part.name} {'destroyed' if part.destroyed else 'damaged'}" for part in ship.gear if part.hurt]
    if hurt:
        yield Text(f"! {', '.join(hurt)}", "yellow")


def _gun(mount: MountView) -> Text:
    kills = f"✈{mount.kills}" if mount.kills else ""
    if mount.destroyed:
        return Text(f"×{mount.name}{kills}  ", "red")
    if not mount.works:
        return Text(f"({mount.name}){kills}  ", "dim")
    return Text(f"{mount.name}{'*' * mount.hits}{kills}  ", "yellow" if mount.hits else "green")


def _hurt(ship: ShipView) -> Iterator[RenderableType]:
    """[7.3] Yield deck fires and damaged compartments with the men who work there."""
    fires = {section: ship.fires[section] for section in SECTIONS if ship.fires[section]}
    for section, level in fires.items():
        yield Text(f"Fire on the {section} deck {'▲' * level}{'·' * (ship.deck_fires - level)}", "bold red")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    hurt: list[Part] = [part for part in (*ship.rooms, *ship.spaces) if part.hurt]
    for part in hurt:
        hits = part.boxes if part.destroyed else part.hits
        states = ["destroyed"] if part.destroyed else ["fire"] if part.burns else []
        states += ["flooded"] if part.flooded else []
        states += [f"{part.men} at work"] if part.men else []
        name = Text(part.name, "red" if part.destroyed else "yellow")
        table.add_row(name, part.section, "■" * hits + "□" * (part.boxes - hits), ", ".join(states))
    if hurt:
        yield table
    elif not fires:
        yield Text("No damage.")


def _crew(ship: ShipView) -> Text:
    """[1.3] Return free men and officers."""
    parties = ", ".join(f"{section} {ship.men[section]}" for section in SECTIONS)
    names = {room.key: room.short for room in ship.rooms}
    officers = []
    for one in ship.officers:
        state = "killed" if one.dead else f"{signed(one.value)} {names.get(one.place, one.place)}"
        officers.append(f"{one.rank} {state}".rstrip())
    return Text(f"Unassigned men: {parties}.\nOfficers: {'; '.join(officers)}.")
