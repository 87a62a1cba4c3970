"""The board as a terminal draws it: the city and its targets or the way there, the bombers, and the security track."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import MatchView
from readyroom.games.doolittle.attack.view import AreaView, BoxView, TargetView
from readyroom.games.doolittle.flight.view import AirView, GoalView, ZoneView, draw_words
from readyroom.games.doolittle.names import count_text
from readyroom.games.doolittle.piece_views import MarkerView
from readyroom.games.doolittle.presentation import board_segments
from readyroom.games.doolittle.presentation.scene import Flight, Plane, Scene, dice_text, scene
from readyroom.games.doolittle.view import DoolittleView

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


def board(view: MatchView[DoolittleView]) -> RenderableType:
    """Return the board of a raid, as a captain sees it."""
    return Constrain(Group(*_board_lines(scene(view), view.turn)), MOST)


def _board_lines(scene: Scene, turn: int) -> Iterator[RenderableType]:
    table = scene.table
    yield Text(" · ".join(scene.lines), "bold")
    if table.segment == "planning" and table.blotter is not None:
        yield from board_segments.blotter_lines(table.blotter)
        yield from board_segments.latest_events(table.line)
        return
    yield from _legend_lines(scene, turn)
    yield Text(_security_text(scene))
    if scene.at_sea is not None:
        yield from board_segments.voyage_lines(scene.at_sea, table.strike)
        yield from board_segments.latest_events(table.line)
    elif table.ending is not None:
        yield from board_segments.denouement_lines(table.ending, scene.squad)
        yield from board_segments.latest_events(table.line)
        return
    elif scene.city is not None:
        yield from _target_lines(scene, scene.city)
    elif table.air is not None:
        yield from _flight_map_lines(scene, table.air)
    yield _rule("The bombers")
    yield _bomber_lines(scene.mission, {flight.key: flight.short for flight in scene.flights})


def _legend_lines(scene: Scene, turn: int) -> Iterator[Text]:
    """Yield how to read the board; over a target and on the way in the first turn alone."""
    air = scene.table.air
    if scene.at_sea is not None:
        if turn <= 1:
            yield Text(board_segments.LEGEND, "italic")
    elif scene.city is not None:
        if turn <= 1 or (scene.raid is not None and scene.raid.turn <= 1):
            yield Text(LEGEND, "italic")
    elif air is not None and scene.table.ending is None and min(turn, air.turn) <= 1:
        yield Text(WAY_LEGEND, "italic")


def _rule(title: str) -> Rule:
    return Rule(Text(title, "bold"), align="left", style="dim")


def _security_text(scene: Scene) -> str:
    """[6.1] Return the alert, and where secrecy tests are made the risk as well."""
    security = scene.table.security
    text = f"Alert {security.alert} of {security.alert_max}"
    if scene.table.air is not None or scene.at_sea is not None:
        failed = count_text(security.failed, "failed test")
        text += f", risk {security.risk} against {dice_text(security.value)}, {failed}"
    return f"{text}. {count_text(scene.table.points, 'point')} so far." if scene.counts else f"{text}."


# -- the city --------------------------------------------------------------------------------------------------------


def _target_lines(scene: Scene, city: TargetView) -> Iterator[RenderableType]:
    """[3.0] Yield what affects the turn, and the areas of a target map, a row for each."""
    yield Text(f"{city.drawn(scene.table.security.alert)}{'; the lights are out' if city.dark else ''}.")
    yield Text(f"{scene.skills}. In the cup: {count_text(city.cup, 'hazard')}, response {city.reserve}.")
    if scene.raiders is not None:
        yield Text(f"{scene.raiders.name}: {scene.raiders.fuel} fuel.")
    yield _rule(city.title)
    table = board_segments.ratio_table(("Area", 3), ("Approach/hit, target", 5), ("Bombers and hazards", 5))
    for area in city.areas:
        planes = [plane for plane in scene.squad if plane.area == area.key]
        boxes = Text("\n").join(_box_text(one) for one in area.boxes)
        table.add_row(_area_text(area), boxes, _contents_text(area, planes))
    yield table
    if city.met:
        yield Text(f"Turned over so far: {', '.join(city.turned_over)}.", "dim")


def _area_text(area: AreaView) -> Text:
    blast = (f" ✹{area.blast}", "red") if area.blast else ""
    notes = f" ≤{area.limit}{'' if area.perimeter else ' inner'}{'' if area.counted else ', boxes score as area'}"
    return Text.assemble((area.name, "bold"), blast, (notes, "dim"))


def _box_text(one: BoxView) -> Text:
    """[3.3] Return a target, its numbers, its blast, and its contents."""
    blast = (f" ✹{one.blast}", "bold red") if one.blast else ""
    figures = f"{one.approach}/{one.detonation}"
    return Text.assemble((figures, "bold"), blast, f" {one.name}", *(_hazard_text(each) for each in one.markers))


def _contents_text(area: AreaView, planes: Sequence[Plane]) -> Text:
    lines = [_plane_text(plane) for plane in planes]
    if area.markers:
        lines.append(Text.assemble("not assigned:", *(_hazard_text(one) for one in area.markers)))
    return Text("\n").join(lines)


def _plane_text(plane: Plane) -> Text:
    """[2.1] Return a bomber over the city, with its hazards."""
    mark = "▲" if plane.loaded else "△"
    hit = ("!", "bold red") if plane.hits else ""
    inside = (" in the box", "dim") if plane.box else ""
    return Text.assemble((f"{mark} {plane.pilot}", "cyan"), hit, inside, *(_hazard_text(one) for one in plane.hazards))


def _hazard_text(one: MarkerView) -> Text:
    mark = f"{'✈' if one.fighter else ''}{'□' if one.box and one.hidden else ''}"
    return Text(f" [{mark}{one.short}]", "dim" if one.hidden else "yellow")


# -- the way ---------------------------------------------------------------------------------------------------------


def _flight_map_lines(scene: Scene, air: AirView) -> Iterator[RenderableType]:
    """[5.0] Yield the zones from east to west: winds, hazards drawn, what can be found there, and the flights."""
    if scene.high:
        yield Text(f"{scene.high}.", "red")
    yield Text(f"Guzzle number {scene.table.ratings.guzzle}. {scene.skills}.")
    yield _rule(f"The way: {air.description}")
    columns = (("Zone", 4), ("Wind", None), ("Hazards", 4), ("To find: day/night", 6), ("Flights", 3))
    table = board_segments.ratio_table(*columns)
    table.columns[1].width = 10
    for zone in air.zones:
        goals = "\n".join(_goal_text(goal, zone.key) for goal in air.goals(zone.key))
        flights = [_flight_text(one) for one in scene.flights if one.zone == zone.key and one.flies]
        table.add_row(_zone_text(zone), _wind_text(air, zone), draw_words(zone.draws), goals, Text("\n").join(flights))
    yield table
    for flight in scene.flights:
        if flight.landed:
            yield Text(flight.title)


def _zone_text(zone: ZoneView) -> Text:
    vessels = f" {len(zone.vessels)}⛴" if zone.vessels else ""
    waiting = f" {len(zone.waiting)}?" if zone.waiting else ""
    return Text.assemble(f"{zone.key[1:]} {zone.name}", (f" {zone.light}", "dim"), (vessels, "red"), waiting)


def _wind_text(air: AirView, zone: ZoneView) -> str:
    """[5.3] Return a wind, which is printed at the first zone that it governs."""
    wind = next(one for one in air.winds if zone.key in one.zones)
    if wind.zones[0] != zone.key:
        return "″"
    return ", ".join(filter(None, [wind.label if wind.wind else "not known", wind.weather]))


def _goal_text(goal: GoalView, zone: str) -> str:
    """[5.4, 5.5] Return a city or a landing site as it can be found from a zone."""
    notes = [f"land {goal.landing}"] if goal.landing else []
    notes += [f"−{goal.cost(zone)} fuel"] if goal.cost(zone) else []
    notes += [f"✹{goal.blast}"] if goal.blast else []
    notes += ["dark"] if goal.dark else []
    notes += [f"beacon {goal.beacon or ''}".strip()] if goal.has_beacon else []
    notes += [f"{goal.stock} fuel there"] if goal.stock else []
    notes += [count_text(goal.contact, "contact")] if goal.contact else []
    return ", ".join([f"{goal.name} {goal.numbers}", *notes])


def _flight_text(flight: Flight) -> Text:
    """[7.1] Return a flight: its bombers, its fuel, its height, and the hazards that wait to be assigned."""
    planes = "".join("▲" if plane.loaded else "△" for plane in flight.flying)
    waiting = f", {len(flight.assigned)}?" if flight.assigned else ""
    return Text.assemble((f"{flight.short} {planes}", "cyan"), f" {flight.fuel} fuel, {flight.height}{waiting}")


# -- bombers ---------------------------------------------------------------------------------------------------------


def _bomber_lines(planes: Sequence[Plane], flights: Mapping[str, str]) -> Table:
    """[2.1, 2.3, 7.1] Return the bombers with their elite crewmen, their flights, and where they are."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    for plane in planes:
        mark = "×" if plane.lost else "▲" if plane.loaded else "△"
        style = "dim" if plane.lost else "red" if plane.hits else ""
        status = _status_text(plane, flights) + (", damaged" if plane.hits and not plane.fate else "")
        status += f", {count_text(plane.fumes, 'marker')} of fumes" if plane.fumes else ""
        hung = Text.assemble(*(_hazard_text(one) for one in plane.hazards))
        table.add_row(
            Text(f"{plane.number:>2} {mark} {plane.pilot}", style), _elite_text(plane), Text.assemble(status, hung)
        )
    return table


def _elite_text(plane: Plane) -> str:
    """[2.3] Return the elite crewman of a bomber, and his benefit."""
    if plane.elite is None:
        return ""
    return f"{plane.elite.role}: {plane.elite.benefit.lower()}{' (used)' if plane.elite.used else ''}"


def _status_text(plane: Plane, flights: Mapping[str, str]) -> str:
    """[7.1] Return where a bomber is; in the air that is its flight."""
    flies = not (plane.fate or plane.area or plane.enters) and plane.flight in flights
    if not flies:
        return plane.status
    flight = f"flight {flights[plane.flight]}"
    return flight if plane.status == "in the air" else f"{flight}, {plane.status}"
