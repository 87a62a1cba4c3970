"""The board as a terminal draws it: the city and its targets or the way there, the bombers, and what Japan knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import View
from readyroom.games.doolittle import board_segments
from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.scene import Scene, scene
from readyroom.games.doolittle.scene_squad import Hazard, Plane, signed
from readyroom.games.doolittle.scene_target import Area, Box, City
from readyroom.games.doolittle.scene_way import Flight, Way, Zone

MOST = 80
"""The board is no wider than this, however wide the terminal is."""
LEGEND = (
    "A target has its numbers to approach and to hit, ✹ is blast. Bombers: ▲ loaded, △ bombs gone, ! damaged. Hazards "
    "in brackets: ? is face down, ✈ shows a fighter's front, □ the red box; a range is the sum of two dice that hits, "
    "A and D add to approach and detonation checks."
)
"""How to read the board; it is told in the first turn."""


def board(view: View) -> RenderableType:
    """The board of a raid, as a captain sees it."""
    return Constrain(Group(*_parts(scene(view), view["turn"])), MOST)


def _parts(shown: Scene, turn: int) -> Iterator[RenderableType]:
    yield Text(" · ".join(shown.lines), "bold")
    if shown.segment == "planning" and shown.blotter is not None:
        yield from board_segments.blotter(shown.blotter)
        yield from board_segments.happened(shown.line)
        return
    if turn <= 1:
        yield Text(LEGEND, "italic")
    yield Text(_security(shown))
    if shown.at_sea and shown.voyage is not None:
        yield from board_segments.voyage(shown.voyage, shown.strike)
        yield from board_segments.happened(shown.line)
    elif shown.ending is not None:
        yield from board_segments.ending(shown.ending, shown.squad)
        yield from board_segments.happened(shown.line)
        return
    elif shown.city is not None:
        yield from _over(shown, shown.city)
    elif shown.way is not None:
        yield from _under_way(shown.way)
    yield _rule("The bombers")
    yield _bombers(shown.mission)


def _rule(title: str) -> Rule:
    return Rule(Text(title, "bold"), align="left", style="dim")


def _security(shown: Scene) -> str:
    """[6.1] The alert, and on the way the risk as well."""
    security = shown.security
    told = f"Alert {security.alert} of {security.most}"
    if shown.way is not None:
        told += f", risk {security.risk} against {count(security.value, 'die').replace('dies', 'dice')}"
        told += f", {count(security.failed, 'failed test')}"
    return f"{told}. {count(shown.points, 'point')} so far." if shown.counts else f"{told}."


# -- the city --------------------------------------------------------------------------------------------------------


def _over(shown: Scene, city: City) -> Iterator[RenderableType]:
    """[3.0] The areas of a target map, a row for each, and the tally."""
    alert = signed(city.each_alert * shown.security.alert)
    told = f"{city.tally} released. Hazards in each area: {city.each_bomber} per bomber, {alert} for the alert, "
    told += f"{signed(city.adds)} for detonations"
    yield Text(f"{told}; the lights are out." if city.dark else f"{told}.")
    yield _rule(city.title)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True, header_style="dim")
    table.add_column("Area", ratio=3)
    table.add_column("Approach/hit, target", ratio=5)
    table.add_column("Bombers and hazards", ratio=5)
    for area in city.areas:
        table.add_row(_area(area), _boxes(area.boxes), _there(area))
    yield table
    if city.met:
        yield Text(f"Turned over so far: {', '.join(city.met)}.", "dim")


def _area(area: Area) -> Text:
    blast = (f" ✹{area.blast}", "red") if area.blast else ""
    return Text.assemble((area.name, "bold"), blast, (f" ≤{area.limit}{'' if area.perimeter else ' inner'}", "dim"))


def _boxes(boxes: Sequence[Box]) -> Text:
    return Text("\n").join(_box(one) for one in boxes)


def _box(one: Box) -> Text:
    """[3.3] A target, its numbers, its blast, and what lies in it."""
    blast = (f" ✹{one.blast}", "bold red") if one.blast else ""
    figures = f"{one.approach}/{one.detonation}"
    return Text.assemble((figures, "bold"), blast, f" {one.name}", *(_hazard(each) for each in one.hazards))


def _there(area: Area) -> Text:
    lines = [_plane(plane) for plane in area.planes]
    if area.hazards:
        lines.append(Text.assemble("nobody's:", *(_hazard(one) for one in area.hazards)))
    return Text("\n").join(lines)


def _plane(plane: Plane) -> Text:
    """[2.1] A bomber over the city, with its hazards."""
    mark = "▲" if plane.loaded else "△"
    hit = ("!", "bold red") if plane.hits else ""
    inside = (" in the box", "dim") if plane.box else ""
    return Text.assemble((f"{mark} {plane.pilot}", "cyan"), hit, inside, *(_hazard(one) for one in plane.hazards))


def _hazard(one: Hazard) -> Text:
    mark = f"{'✈' if one.fighter else ''}{'□' if one.box and one.hidden else ''}"
    return Text(f" [{mark}{one.short}]", "dim" if one.hidden else "yellow")


# -- the way ---------------------------------------------------------------------------------------------------------


def _under_way(way: Way) -> Iterator[RenderableType]:
    """[5.0] The zones from east to west, with their winds, what can be found there, and the flights."""
    yield _rule(f"The way: {way.told}")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True, header_style="dim")
    table.add_column("Zone", ratio=4)
    table.add_column("Wind", ratio=3)
    table.add_column("To find: day / night", ratio=4)
    table.add_column("Flights", ratio=4)
    for zone in way.zones:
        table.add_row(_zone(zone), _wind(way, zone), _goals(way, zone), _flights(way, zone))
    yield table
    for flight in way.flights:
        if flight.landed:
            yield Text(flight.title)
        else:
            pilots = ", ".join(plane.pilot for plane in flight.planes if not plane.fate)
            yield Text.assemble((f"{flight.name}: ", "bold"), pilots)


def _zone(zone: Zone) -> Text:
    vessels = f" {len(zone.vessels)}⛴" if zone.vessels else ""
    waiting = f" {zone.waiting}?" if zone.waiting else ""
    name = Text.assemble(f"{zone.key[1:]} {zone.name}", (f" {zone.light}", "dim"), (f"{vessels}{waiting}", "red"))
    return Text("\n").join([name, Text(f"draws {zone.draws}", "dim")])


def _wind(way: Way, zone: Zone) -> str:
    """[5.3] A wind is told at the first zone that it governs."""
    wind = next(one for one in way.winds if zone.key in one.zones)
    if wind.zones[0] != zone.key:
        return "″"
    return ", ".join(filter(None, [wind.words if wind.wind else "not known", wind.weather]))


def _goals(way: Way, zone: Zone) -> str:
    found = [goal for goal in (*way.cities, *way.sites) if zone.key in goal.zones]
    lines = []
    for goal in found:
        notes = [f"land {goal.landing}+"] if goal.landing else []
        notes += ["−1 fuel"] if zone.key in goal.fuel_from else []
        notes += [f"✹{goal.blast}"] if goal.blast else []
        notes += ["dark"] if goal.dark else []
        notes += [f"beacon {goal.beacon or ''}".strip()] if goal.beacon is not None else []
        lines.append(" ".join([goal.name, goal.numbers, *notes]))
    return "\n".join(lines)


def _flights(way: Way, zone: Zone) -> Text:
    return Text("\n").join(_flight(one) for one in way.flights if one.zone == zone.key and one.flies)


def _flight(flight: Flight) -> Text:
    """[7.1] A flight: its bombers, its fuel, its height."""
    planes = "".join("▲" if plane.loaded else "△" for plane in flight.planes if not plane.fate)
    height = "high" if flight.high else "low"
    return Text.assemble((f"{flight.short} {planes}", "cyan"), f" {flight.fuel} fuel, {height}")


# -- bombers ---------------------------------------------------------------------------------------------------------


def _bombers(planes: Sequence[Plane]) -> Table:
    """[2.1, 2.3] The bombers with their elite crewmen, and where they are."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for plane in planes:
        mark = "×" if plane.lost else "▲" if plane.loaded else "△"
        style = "dim" if plane.lost else "red" if plane.hits else ""
        elite = plane.elite.role + (" (used)" if plane.elite.used else "") if plane.elite else ""
        status = plane.status + (", damaged" if plane.hits and not plane.fate else "")
        status += f", {count(plane.fumes, 'marker')} of fumes" if plane.fumes else ""
        hung = Text.assemble(*(_hazard(one) for one in plane.hazards))
        table.add_row(Text(f"{plane.number:>2} {mark} {plane.pilot}", style), elite, Text.assemble(status, hung))
    return table
