"""The board as a terminal draws it: the city and its targets or the way there, the bombers, and what Japan knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import MatchView
from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.presentation import board_segments
from readyroom.games.doolittle.presentation.board_data import Scene, scene
from readyroom.games.doolittle.presentation.flight_map import Flight, Goal, Way, Zone
from readyroom.games.doolittle.presentation.squadron import Hazard, Plane
from readyroom.games.doolittle.presentation.target import Area, Box, City

MOST = 80
"""The board is no wider than this, however wide the terminal is."""
LEGEND = (
    "A target has its numbers to approach and to hit, ✹ is blast, ≤ the most new hazards a turn; bombers cannot exit "
    "from an inner area. Bombers: ▲ loaded, △ bombs gone, ! damaged. Hazards in brackets: ? is face down, ✈ shows a "
    "fighter's front, □ the red box; a range is the sum of two dice that hits, A and D add to approach and detonation "
    "checks."
)
"""How to read the board over a target; printed in the first turn."""
WAY_LEGEND = (
    "Zones from east to west. Cities and sites have their numbers to find them by day/night, sites their landing "
    "number; −1 fuel is what finding one from that zone costs. ⛴ is a vessel, ? a hazard face down. Flights: ▲ loaded, "
    "△ bombs gone."
)
"""How to read the flight map."""


def board(view: MatchView[Any]) -> RenderableType:
    """The board of a raid, as a captain sees it."""
    return Constrain(Group(*_parts(scene(view), view.turn)), MOST)


def _parts(scene: Scene, turn: int) -> Iterator[RenderableType]:
    yield Text(" · ".join(scene.lines), "bold")
    if scene.segment == "planning" and scene.blotter is not None:
        yield from board_segments.blotter(scene.blotter)
        yield from board_segments.happened(scene.line)
        return
    yield from _legend(scene, turn)
    yield Text(_security(scene))
    if scene.at_sea and scene.voyage is not None:
        yield from board_segments.voyage(scene.voyage, scene.strike)
        yield from board_segments.happened(scene.line)
    elif scene.ending is not None:
        yield from board_segments.ending(scene.ending, scene.squad)
        yield from board_segments.happened(scene.line)
        return
    elif scene.city is not None:
        yield from _over(scene, scene.city)
    elif scene.way is not None:
        yield from _under_way(scene, scene.way)
    yield _rule("The bombers")
    yield _bombers(scene.mission, {flight.key: flight.short for flight in scene.way.flights} if scene.way else {})


def _legend(scene: Scene, turn: int) -> Iterator[Text]:
    """How to read the board; over a target and on the way in the first turn alone."""
    if scene.at_sea:
        if turn <= 1:
            yield Text(board_segments.LEGEND, "italic")
    elif scene.city is not None:
        if turn <= 1 or (scene.raid is not None and scene.raid.turn <= 1):
            yield Text(LEGEND, "italic")
    elif scene.way is not None and scene.ending is None and min(turn, scene.way.turn) <= 1:
        yield Text(WAY_LEGEND, "italic")


def _rule(title: str) -> Rule:
    return Rule(Text(title, "bold"), align="left", style="dim")


def _security(scene: Scene) -> str:
    """[6.1] The alert, and where secrecy tests are made the risk as well."""
    security = scene.security
    text = f"Alert {security.alert} of {security.most}"
    if scene.way is not None or scene.at_sea:
        text += f", risk {security.risk} against {count(security.value, 'die').replace('dies', 'dice')}"
        text += f", {count(security.failed, 'failed test')}"
    return f"{text}. {count(scene.points, 'point')} so far." if scene.counts else f"{text}."


# -- the city --------------------------------------------------------------------------------------------------------


def _over(scene: Scene, city: City) -> Iterator[RenderableType]:
    """[3.0] What bears on the turn, and the areas of a target map, a row for each."""
    yield Text(f"{city.drawn(scene.security.alert)}{'; the lights are out' if city.dark else ''}.")
    yield Text(f"{scene.skills}. In the cup: {count(city.left[0], 'hazard')}, response {city.left[1]}.")
    flight = next((one for one in scene.way.flights if one.key == _raiding(scene)), None) if scene.way else None
    if flight is not None:
        yield Text(f"{flight.name}: {flight.fuel} fuel.")
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


def _raiding(scene: Scene) -> str:
    return scene.raid.flight if scene.raid else ""


def _area(area: Area) -> Text:
    blast = (f" ✹{area.blast}", "red") if area.blast else ""
    notes = f" ≤{area.limit}{'' if area.perimeter else ' inner'}{'' if area.counted else ', boxes score as area'}"
    return Text.assemble((area.name, "bold"), blast, (notes, "dim"))


def _boxes(boxes: Sequence[Box]) -> Text:
    return Text("\n").join(_box(one) for one in boxes)


def _box(one: Box) -> Text:
    """[3.3] A target, its numbers, its blast, and its contents."""
    blast = (f" ✹{one.blast}", "bold red") if one.blast else ""
    figures = f"{one.approach}/{one.detonation}"
    return Text.assemble((figures, "bold"), blast, f" {one.name}", *(_hazard(each) for each in one.hazards))


def _there(area: Area) -> Text:
    lines = [_plane(plane) for plane in area.planes]
    if area.hazards:
        lines.append(Text.assemble("not assigned:", *(_hazard(one) for one in area.hazards)))
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


def _under_way(scene: Scene, way: Way) -> Iterator[RenderableType]:
    """[5.0] The zones from east to west: winds, hazards drawn, what can be found there, and the flights."""
    if scene.high:
        yield Text(f"{scene.high}.", "red")
    yield Text(f"Guzzle number {scene.ratings['guzzle']}. {scene.skills}.")
    yield _rule(f"The way: {way.description}")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True, header_style="dim")
    table.add_column("Zone", ratio=4)
    table.add_column("Wind", width=10)
    table.add_column("Hazards", ratio=4)
    table.add_column("To find: day/night", ratio=6)
    table.add_column("Flights", ratio=3)
    for zone in way.zones:
        table.add_row(_zone(zone), _wind(way, zone), zone.draws, _goals(way, zone), _flights(way, zone))
    yield table
    for flight in way.flights:
        if flight.landed:
            yield Text(flight.title)


def _zone(zone: Zone) -> Text:
    vessels = f" {len(zone.vessels)}⛴" if zone.vessels else ""
    waiting = f" {len(zone.waiting)}?" if zone.waiting else ""
    return Text.assemble(f"{zone.key[1:]} {zone.name}", (f" {zone.light}", "dim"), (vessels, "red"), waiting)


def _wind(way: Way, zone: Zone) -> str:
    """[5.3] A wind is printed at the first zone that it governs."""
    wind = next(one for one in way.winds if zone.key in one.zones)
    if wind.zones[0] != zone.key:
        return "″"
    return ", ".join(filter(None, [wind.words if wind.wind else "not known", wind.weather]))


def _goals(way: Way, zone: Zone) -> str:
    """[5.4, 5.5] Every city and landing site that can be found from a zone."""
    return "\n".join(_goal(goal, zone.key) for goal in (*way.cities, *way.sites) if zone.key in goal.zones)


def _goal(goal: Goal, zone: str) -> str:
    notes = [f"land {goal.landing}"] if goal.landing else []
    notes += [f"−{goal.cost(zone)} fuel"] if goal.cost(zone) else []
    notes += [f"✹{goal.blast}"] if goal.blast else []
    notes += ["dark"] if goal.dark else []
    notes += [f"beacon {goal.beacon or ''}".strip()] if goal.beacon is not None else []
    notes += [f"{goal.stock} fuel there"] if goal.stock else []
    notes += [count(goal.contact, "contact")] if goal.contact else []
    return ", ".join([f"{goal.name} {goal.numbers}", *notes])


def _flights(way: Way, zone: Zone) -> Text:
    return Text("\n").join(_flight(one) for one in way.flights if one.zone == zone.key and one.flies)


def _flight(flight: Flight) -> Text:
    """[7.1] A flight: its bombers, its fuel, its height, and the hazards that wait to be assigned."""
    planes = "".join("▲" if plane.loaded else "△" for plane in flight.planes if not plane.fate)
    height = "high" if flight.high else "low"
    waiting = f", {len(flight.hazards)}?" if flight.hazards else ""
    return Text.assemble((f"{flight.short} {planes}", "cyan"), f" {flight.fuel} fuel, {height}{waiting}")


# -- bombers ---------------------------------------------------------------------------------------------------------


def _bombers(planes: Sequence[Plane], flights: Mapping[str, str]) -> Table:
    """[2.1, 2.3, 7.1] The bombers with their elite crewmen, their flights, and where they are."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for plane in planes:
        mark = "×" if plane.lost else "▲" if plane.loaded else "△"
        style = "dim" if plane.lost else "red" if plane.hits else ""
        status = _status(plane, flights) + (", damaged" if plane.hits and not plane.fate else "")
        status += f", {count(plane.fumes, 'marker')} of fumes" if plane.fumes else ""
        hung = Text.assemble(*(_hazard(one) for one in plane.hazards))
        table.add_row(
            Text(f"{plane.number:>2} {mark} {plane.pilot}", style), _elite(plane), Text.assemble(status, hung)
        )
    return table


def _elite(plane: Plane) -> str:
    """[2.3] The elite crewman of a bomber, and his benefit."""
    if plane.elite is None:
        return ""
    return f"{plane.elite.role}: {plane.elite.benefit}{' (used)' if plane.elite.used else ''}"


def _status(plane: Plane, flights: Mapping[str, str]) -> str:
    """[7.1] Where a bomber is; in the air that is its flight."""
    flies = not (plane.fate or plane.area or plane.enters) and plane.flight in flights
    if not flies:
        return plane.status
    flight = f"flight {flights[plane.flight]}"
    return flight if plane.status == "in the air" else f"{flight}, {plane.status}"
