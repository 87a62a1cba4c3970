"""The charts of the game: the printed tables, the guns, the compartments and the planes."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart, plain_table
from readyroom.games.picket.figures.data import Data


def charts(data: Data) -> list[Chart]:
    """[1.0] Return all tables by printed number, and charts of guns, compartments and planes."""
    return [*data.tables.all.values(), _guns(data), _rooms(data), _planes(data)]


def _guns(data: Data) -> Chart:
    """[6.8] Return the chart of the guns and their arcs."""
    mounts, rows = data.guns.mounts, []
    for gun in mounts.gun:
        magazines = ", ".join(data.rooms[room].name for room in gun.feeds)
        cells = [gun.section, str(gun.boxes), ", ".join(map(str, gun.arc)), magazines]
        rows.append((f"{gun.kind} {gun.name}", cells))
    columns = ["section", "hits", "bearings", "magazine"]
    return plain_table("guns", "Guns", "6.8", mounts.source, mounts.origin, columns, rows)


def _rooms(data: Data) -> Chart:
    """[1.1.1, 1.7] Return the chart of the compartments."""
    primary, secondary = data.ship.primary, data.ship.secondary
    rows = [
        (room.name, [kind, room.section, str(room.boxes), "yes" if room.floods else "no"])
        for kind, rooms in (("primary", primary.room), ("secondary", secondary.room))
        for room in rooms
    ]
    columns = ["kind", "section", "boxes", "floods"]
    return plain_table("compartments", "Compartments", "1.1", primary.source, primary.origin, columns, rows)


def _planes(data: Data) -> Chart:
    """[2.0.E] Return the chart of the planes."""
    rows = []
    for plane in data.planes.plane:
        special = ", ".join(f"{count} {weapon}" for weapon, count in plane.special.items())
        rows.append((plane.name, [str(plane.engines), str(plane.regular), special, str(plane.aside)]))
    columns = ["engines", "planes", "special attackers", "set aside"]
    return plain_table("planes", "Planes", "2.0", data.planes.source, data.planes.origin, columns, rows)
