"""The terminal board: tracks, attackers, guns, damage and crew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import MatchView
from readyroom.games.picket.board_data import Mount, Part, Plane, Scene, Track, by_bearing, by_kind, read_scene
from readyroom.games.picket.figures_common import BEARINGS, HEIGHTS
from readyroom.games.picket.hits import DIRECTIONS
from readyroom.games.picket.text import leaning, signed, weapon_name

ZONES = {"green": ("■", "green"), "yellow": ("▲", "yellow"), "red": ("◆", "bold red")}
"""[2.0.G] The colours of a track, and the shapes that say the same."""
MOST = 80
"""The board is no wider than this, however wide the terminal is."""
LEGEND = (
    "Tracks are ■ green, ▲ yellow, ◆ red. Planes show their hits as •, and flamed ones ✹. A gun in brackets is silent, "
    "one with * is hit, ✈ are its kills, one crossed out with × is destroyed; ! is a director out of action. Rooms "
    "show their hits as ■□."
)
"""How to read the board; shown in the first turn."""


def board(view: MatchView[Any]) -> RenderableType:
    """Return the board as the captain sees it."""
    return Constrain(Group(*_parts(read_scene(view), view.turn)), MOST)


def _parts(scene: Scene, turn: int) -> Iterator[RenderableType]:
    yield Text(" · ".join(scene.lines), "bold")
    if turn <= 1:
        yield Text(LEGEND, "italic")
    if scene.days:
        yield Text(_date(scene))
    if scene.fate:
        yield Text(f"{scene.fate[0].upper()}{scene.fate[1:]}.", "bold red")
    yield _side_by_side(scene)
    yield _rule("The attack")
    yield from _attack(scene)
    yield _rule("Guns")
    yield from _guns(scene)
    yield _rule("Damage control")
    yield from _hurt(scene)
    yield _crew(scene)


def _rule(title: str) -> Rule:
    return Rule(Text(title, "bold"), align="left", style="dim")


def _date(scene: Scene) -> str:
    """[1.6] Return the day of the campaign and the next great raid."""
    today = next(day for day in scene.days if day.now)
    coming = next((day for day in scene.days if day.raid and day.date >= today.date), None)
    day_text = f"Day {scene.turn} of {scene.turns}, score {signed(scene.score)}."
    if coming is None:
        return day_text
    if coming is today:
        return f"{day_text} Great raid {today.raid} is on."
    return f"{day_text} Great raid {coming.raid} begins on {coming.date.day} {coming.date:%B}."


# -- tracks ----------------------------------------------------------------------------------------------------------


def _side_by_side(scene: Scene) -> Table:
    """Return a grid of the tracks and of what affects the attack."""
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    lines = [Text(one) for one in _stands(scene)]
    for at in range(max(len(scene.tracks), len(lines))):
        left = _track(scene.tracks[at]) if at < len(scene.tracks) else Text()
        table.add_row(left, lines[at] if at < len(lines) else Text())
    return table


def _track(track: Track) -> Text:
    """[1.2.1] Return a track in its colour and shape."""
    mark, style = ZONES[track.zone]
    cells = mark * track.level + "·" * (track.full - track.level)
    return Text.assemble(f"{track.name:<11}", (cells, style), f" {track.level:>2} {track.zone}")


def _stands(scene: Scene) -> Iterator[str]:
    """Yield list and trim, morale, water lines and support."""
    hurt, full = scene.water_lines
    yield ", ".join(leaning(scene.heel, scene.trim)).capitalize()
    yield f"Morale {signed(scene.morale)}; water lines {'■' * hurt}{'□' * (full - hurt)}"
    yield scene.helpers[0].upper() + scene.helpers[1:]
    yield f"{scene.shot} of {scene.attackers} planes shot down"


# -- the attack ------------------------------------------------------------------------------------------------------


def _attack(scene: Scene) -> Iterator[RenderableType]:
    """[6.6] Yield planes by bearing and height, special attackers, later waves, and the column."""
    if not scene.raided:
        yield Text("No planes in sight.")
    if scene.planes:
        yield _bearings(scene)
    for plane in scene.specials:
        yield Text.assemble("Special attacker: ", _plane(plane), f", {plane.where}")
    for number, planes, specials in scene.to_come:
        names = ", ".join(plane.name for plane in (*planes, *specials))
        yield Text(f"Wave {number} to come: {names}")
    if scene.maneuvered is not None:
        yield Text(f"Emergency maneuvers {'succeeded' if scene.maneuvered else 'failed'}.")
    shifts = ", ".join(f"{name} {signed(value)}" for name, value in scene.sea["shifts"] if value)
    dice = ", ".join(f"{name} {signed(value)}" for name, value in scene.sea["dice"])
    yield Text.assemble(
        ("Attack column ", "bold"),
        (signed(scene.sea["column"]), "bold"),
        f": {shifts or 'no shifts'}{f'; dice: {dice}' if dice else ''}",
    )


def _bearings(scene: Scene) -> Table:
    """[1.1] Return a table of planes: a row for each bearing, a column for each height."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True, header_style="dim")
    table.add_column("Bearing", no_wrap=True)
    for height in HEIGHTS.values():
        table.add_column(height, ratio=1)
    planes = by_bearing(scene.planes)
    for bearing in BEARINGS:
        if planes[bearing]:
            cells = [_flight([one for one in planes[bearing] if one.height == height]) for height in HEIGHTS]
            table.add_row(f"{bearing:03d} {DIRECTIONS[bearing]}", *cells)
    return table


def _flight(planes: Sequence[Plane]) -> Text:
    return Text("\n").join(_plane(plane) for plane in planes)


def _plane(plane: Plane) -> Text:
    """[6.8.K] Return a plane with its hits and fate."""
    armed = f" with {weapon_name(plane.weapon)}" if plane.weapon else ""
    if plane.fate == "destroyed":
        return Text(f"{plane.name}{armed} destroyed", "dim strike")
    style = "yellow" if plane.fate == "flamed" else "bright_red"
    return Text(f"{plane.name}{armed} {'•' * plane.hits}{'✹' if plane.fate == 'flamed' else ''}".rstrip(), style)


# -- guns ------------------------------------------------------------------------------------------------------------


def _guns(scene: Scene) -> Iterator[Text]:
    """[1.1, 6.8] Yield a line of guns for each kind, then damaged directors and radars."""
    for kind, mounts in by_kind(scene.mounts).items():
        yield Text.assemble(f"{kind:<7}", *(_gun(mount) for mount in mounts))
    hurt = [part for part in scene.gear if part.hurt]
    if hurt:
        states = ", ".join(f"{part.name} {'destroyed' if part.destroyed else 'damaged'}" for part in hurt)
        yield Text(f"! {states}", "yellow")


def _gun(mount: Mount) -> Text:
    name, kills = mount.part.short, f"✈{mount.kills}" if mount.kills else ""
    if mount.part.destroyed:
        return Text(f"×{name}{kills}  ", "red")
    if not mount.works:
        return Text(f"({name}){kills}  ", "dim")
    return Text(f"{name}{'*' * mount.part.hits}{kills}  ", "yellow" if mount.part.hits else "green")


# -- damage ----------------------------------------------------------------------------------------------------------


def _hurt(scene: Scene) -> Iterator[RenderableType]:
    """[7.3] Yield deck fires and damaged compartments with the men who work there."""
    fires = [party for party in scene.parties.values() if party.fires]
    for party in fires:
        cells = "▲" * party.fires + "·" * (scene.most_fires - party.fires)
        yield Text(f"Fire on the {party.section} deck {cells}", "bold red")
    hurt = [part for part in (*scene.rooms.values(), *scene.spaces) if part.hurt]
    if hurt:
        yield _rooms(hurt)
    elif not fires:
        yield Text("No damage.")


def _rooms(parts: Sequence[Part]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for part in parts:
        cells = "■" * min(part.hits, part.boxes) + "□" * max(0, part.boxes - part.hits)
        style = "red" if part.destroyed else "yellow"
        table.add_row(Text(part.name, style), part.section, cells, _states(part))
    return table


def _states(part: Part) -> str:
    """Return a compartment's damage and crew."""
    states = ["destroyed"] if part.destroyed else ["fire"] if part.burns else []
    states += ["flooded"] if part.flooded else []
    states += [f"{part.men} at work"] if part.men else []
    return ", ".join(states)


def _crew(scene: Scene) -> Text:
    """[1.3] Return free men and officers."""
    parties = ", ".join(f"{section} {party.free}" for section, party in scene.parties.items())
    names = {key: room.short for key, room in scene.rooms.items()}
    officers = "; ".join(
        f"{one.rank} killed"
        if one.dead
        else f"{one.rank} {signed(one.value)} {names.get(one.place, one.place)}".rstrip()
        for one in scene.officers
    )
    return Text(f"Men without work: {parties}.\nOfficers: {officers}.")
