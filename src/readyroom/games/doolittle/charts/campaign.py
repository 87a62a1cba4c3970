"""The charts of the voyage (N) and of the debriefing (E)."""

from __future__ import annotations

from msgspec.structs import astuple

from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.charts.attack_modifiers import cup_rows
from readyroom.games.doolittle.figures.common import WEATHERS
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.naval import SeaHazardMarker
from readyroom.games.doolittle.names import icon_text
from readyroom.games.doolittle.voyage.view import draw_words


def naval_charts(data: Data) -> list[Chart]:
    """[9.0, 10.0, 12.0] Return sea areas, weather and moves, ships, sea hazards, the launch."""
    sea, naval = data.sea, data.naval
    areas = [
        (area.name, [str(area.rendezvous), area.table, draw_words([astuple(draw) for draw in area.draw])])
        for area in sea.areas.area
    ]
    moves = [(name, [str(each.move[weather]) for weather in WEATHERS]) for name, each in sea.moves.items()]
    return [
        sea.areas.as_chart("N1", "Sea areas", "9.1", ["rendezvous", "weather", "hazards drawn"], areas),
        sea.weather,
        sea.moves["east"].as_chart("N3", "Getting under way", "12.5.1", list(WEATHERS), moves),
        *_ship_charts(data),
        *_hazard_charts(data),
        naval.launch_chart,
        naval.botched_chart,
    ]


def _ship_charts(data: Data) -> list[Chart]:
    """[10.1, 10.2, 9.5.1] Return ships, recon, and the spaces of the layout."""
    ships, layout = data.ships, data.ships.layout
    fleet = []
    for ship in ships.fleet.ship:
        cells = [ship.type, ship.force, f"{ship.flak} / {ship.flak_damaged}"]
        cells += map(str, (ship.reaction, ship.hull, ship.refuel or "", ship.size))
        fleet.append((f"{ship.name} ({ship.hull_number})", cells))
    scouts = [
        (one.name, [str(one.boat_dice), *("yes" if has else "" for has in (one.strikes, one.escorts, one.patrols))])
        for one in ships.recon.marker
    ]
    spaces = []
    for space in layout.space:
        only = ", ".join(space.only) or ("slow ships" if space.only_slow else "")
        excluded = f"no {', '.join(space.no)}" if space.no else ""
        near = ", ".join(layout.spaces[key].name for key in space.adjacent)
        spaces.append((space.name, [str(space.room or "endless"), ", ".join(filter(None, [only, excluded])), near]))
    columns = ["type", "force", "flak / damaged", "reaction", "hull", "refueling", "size"]
    return [
        ships.fleet.as_chart("N4", "Ships", "10.1", columns, fleet),
        ships.recon.as_chart("N5", "Recon", "10.2", ["dice against boats", "strikes", "escorts", "CAP"], scouts),
        layout.as_chart("N6", "Spaces of the layout", "9.5.1", ["room", "for", "next to"], spaces),
    ]


def _hazard_charts(data: Data) -> list[Chart]:
    """[12.6.1, 12.6.6] Return the cups of sea hazards, and what each kind does."""
    figures = data.sea_hazards

    def label(marker: SeaHazardMarker) -> str:
        more = icon_text(data, marker.icon) or (f"recovery {marker.recovery}+" if marker.recovery else "")
        return figures.kinds.kind[marker.kind].title + (f" ({more})" if more else "")

    rows = cup_rows([cup.marker for cup in figures.cups.values()], label)
    kinds = [(kind.title, [kind.rule, kind.text]) for kind in figures.kinds.kind.values()]
    return [
        figures.cups["east"].as_chart("N8", "Cups of sea hazards", "12.6.1", list(figures.cups), rows),
        figures.kinds.as_chart("N9", "Sea hazards", "12.6.6", ["rule", "what it does"], kinds),
    ]


def debriefing_charts(data: Data) -> list[Chart]:
    """[1.3] Return the seven views with their bands, and the checks of the debriefing."""
    figures = data.debriefing
    rows = [
        (f"{view.title}, {band.points}", [band.title, band.text])
        for view in figures.perspectives.values()
        for band in view.band
    ]
    checks = [
        (f"{check.title}, {band.points}", [band.title, band.text])
        for check in (*figures.checks.values(), figures.verdict)
        for band in check.band
    ]
    first = next(iter(figures.perspectives.values()))
    return [
        first.as_chart("E1", "Views of the raid", "1.3", ["what they call it", "what they say"], rows),
        figures.verdict.as_chart("E2", "Checks and result", "1.3", ["outcome", "result"], checks),
    ]
