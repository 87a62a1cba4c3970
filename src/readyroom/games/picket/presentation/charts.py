"""The charts of the game: the printed tables, the guns, the compartments and the planes."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart, plain_table
from readyroom.games.picket.figures.data import Data


def charts(data: Data) -> list[Chart]:
    """[1.0] Return all tables by printed number, and charts of guns, compartments and planes."""
    return [*data.tables.all.values(), _guns(data), _rooms(data), _planes(data)]


def _guns(data: Data) -> Chart:
    """[6.8] Return the chart of the guns and their arcs."""
    mounts = data.guns.mounts
    rows = [
        (
            f"{gun.kind} {gun.name}",
            [
                gun.section,
                str(gun.boxes),
                ", ".join(map(str, gun.arc)),
                ", ".join(data.rooms[f].name for f in gun.feeds),
            ],
        )
        for gun in mounts.gun
    ]
    return plain_table(
        "guns", "Guns", "6.8", mounts.source, mounts.origin, ["section", "hits", "bearings", "magazine"], rows
    )


def _rooms(data: Data) -> Chart:
    """[1.1.1, 1.7] Return the chart of the compartments."""
    both = [
        *((room, "primary") for room in data.ship.primary.room),
        *((r, "secondary") for r in data.ship.secondary.room),
    ]
    rows = [(room.name, [kind, room.section, str(room.boxes), "yes" if room.floods else "no"]) for room, kind in both]
    figures = data.ship.primary
    return plain_table(
        "compartments",
        "Compartments",
        "1.1",
        figures.source,
        figures.origin,
        ["kind", "section", "boxes", "floods"],
        rows,
    )


def _planes(data: Data) -> Chart:
    """[2.0.E] Return the chart of the planes."""
    rows = [
        (
            plane.name,
            [
                str(plane.engines),
                str(plane.regular),
                ", ".join(f"{n} {w}" for w, n in plane.special.items()),
                str(plane.aside),
            ],
        )
        for plane in data.planes.plane
    ]
    columns = ["engines", "planes", "special attackers", "set aside"]
    return plain_table("planes", "Planes", "2.0", data.planes.source, data.planes.origin, columns, rows)
