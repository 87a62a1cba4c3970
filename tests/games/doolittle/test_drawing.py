"""Tests of the drawn board: layout, and every option is on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.games.doolittle.helpers import DATA, raiders
from tests.games.doolittle.test_board import seen

from readyroom import Match
from readyroom.engine.drawing import Frame
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.presentation.drawing import Chart, layout
from readyroom.games.doolittle.presentation.drawing.cities import PLANS, SHEET, Point
from readyroom.games.doolittle.presentation.drawing.shapes import NARROW, POINTED, WIDE, Shape
from readyroom.games.doolittle.presentation.drawing.target import CELL, NAMES, room
from readyroom.games.doolittle.state import CAPTAIN, Doolittle, Raid
from readyroom.web import board_svg, formatting

SCENARIOS = [scenario.key for scenario in GAME.rules.scenarios(DATA)]


def inside(point: Point, outline: Sequence[Point]) -> bool:
    """Return whether a point is in a polygon."""
    x, y = point
    found = False
    for (left, above), (right, below) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (above > y) != (below > y) and x < (right - left) * (y - above) / (below - above) + left:
            found = not found
    return found


def apart(result: Sequence[Frame]) -> bool:
    """Return whether no two frames overlap."""
    return all(one.is_clear_of(other) for one, other in combinations(result, 2))


def within(one: Frame, outer: Frame) -> bool:
    """Return whether a frame is inside another."""
    slack = 0.5
    return (
        one.x >= outer.x - slack
        and one.y >= outer.y - slack
        and one.right <= outer.right + slack
        and one.bottom <= outer.bottom + slack
    )


# -- the mosaics -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("city", DATA.targets.maps)
def test_areas_adjoin_as_on_the_map(city: str) -> None:
    plan, maps = PLANS[city], DATA.targets.maps[city]
    assert set(plan.rings) == set(plan.rooms) == set(maps.areas)
    for key, card in maps.areas.items():
        sides = {area for arc in plan.rings[key] for area in plan.owners(arc.removeprefix("-"))}
        assert sides - {key} == set(card.adjacent), key


@pytest.mark.parametrize("city", DATA.targets.maps)
def test_edge_areas_reach_the_edge(city: str) -> None:
    plan = PLANS[city]
    for key, card in DATA.targets.maps[city].areas.items():
        on_edge = [x in (0, SHEET[0]) or y in (0, SHEET[1]) for x, y in plan.outline(key)]
        assert any(on_edge) == card.perimeter, key


@pytest.mark.parametrize("city", DATA.targets.maps)
def test_areas_fill_the_sheet(city: str) -> None:
    def surface(outline: Sequence[Point]) -> float:
        turns = zip(outline, [*outline[1:], outline[0]], strict=True)
        return abs(sum(x * below - right * y for (x, y), (right, below) in turns)) / 2

    plan = PLANS[city]
    assert sum(surface(plan.outline(area)) for area in plan.rings) == pytest.approx(SHEET[0] * SHEET[1])


@pytest.mark.parametrize("city", DATA.targets.maps)
def test_area_contains_its_room(city: str) -> None:
    plan, parts = PLANS[city], 16
    for key, frame in plan.rooms.items():
        outline = plan.outline(key)
        for at in range(parts + 1):
            x, y = frame.x + frame.width * at / parts, frame.y + frame.height * at / parts
            for point in ((x, frame.y), (x, frame.bottom), (frame.x, y), (frame.right, y)):
                assert inside(point, outline), (key, point)


def test_short_names_belong_to_existing_boxes() -> None:
    boxes = {box for maps in DATA.targets.maps.values() for box in maps.boxes}
    assert set(NAMES) <= boxes


STRIP = 5.0
"""How much is seen at least of a flight under another in a crowded zone."""


# -- a board ---------------------------------------------------------------------------------------------------------


def charts(state: Doolittle) -> Sequence[Chart]:
    """Return both boards of a state."""
    charts: Sequence[Chart] = layout(seen(state))["charts"]
    return charts


def check(chart: Chart) -> None:
    """Check that nothing overlaps, and that everything is on the board."""
    board = Frame(0, 0, chart.width, chart.height)
    panels = [frame for frame in (chart.bombers, chart.sheet, chart.spare, chart.met) if frame]
    cards = [card.frame for card in (*chart.cards, *(card for column in chart.columns for card in column.cards))]
    assert apart(cards)
    assert apart([*panels, *(column.frame for column in chart.columns)])
    steps = [step.frame for step in (*chart.turns, *chart.detonations)]
    assert all(within(frame, board) for frame in (*panels, *cards, *steps))
    if chart.target:
        _check_target(chart)
    if chart.way:
        places = [place.frame for place in chart.way.places]
        marks = [mark.frame for mark in chart.way.marks]
        assert apart(places)
        assert all(mark.is_clear_of(place) for mark in marks for place in places)
        assert all(abs(one.x - other.x) + abs(one.y - other.y) >= STRIP for one, other in combinations(marks, 2))
        assert all(within(frame, chart.way.frame) for frame in (*places, *marks))


def _check_target(chart: Chart) -> None:
    assert chart.target is not None
    for tile in chart.target.tiles:
        spots = [spot.frame for spot in tile.spots]
        counters = [counter.frame for counter in tile.counters]
        assert apart(spots), tile.area.key
        if not any(counter.is_tight for counter in tile.counters):
            assert apart([*spots, *counters]), tile.area.key
        assert all(abs(one.x - other.x) + abs(one.y - other.y) >= STRIP for one, other in combinations(counters, 2))
        assert all(within(frame, tile.frame) for frame in counters), tile.area.key
        assert all(within(frame, tile.frame) for frame in spots), tile.area.key


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_board_is_consistent_at_any_time(scenario: str) -> None:
    match, random = Match(GAME, scenario, seed=f"drawn {scenario}"), Random(2)
    for at in range(120):
        for seat, decision in match.pending.items():
            if at % 4 == 0:
                for chart in layout(match.view(CAPTAIN))["charts"]:
                    check(chart)
            match.decide(seat, decision.sample(random))
        if not match.pending:
            break


@pytest.mark.parametrize("area", [area for maps in DATA.targets.maps.values() for area in maps.areas])
@pytest.mark.parametrize("count", [1, 4, 13])
def test_board_fits_all_bombers(area: str, count: int) -> None:
    for chart in charts(_over(area, count)):
        check(chart)
        assert chart.target is not None
        counters = [counter for tile in chart.target.tiles for counter in tile.counters]
        assert len(counters) == count
        assert min(counter.scale for counter in counters) * CELL[0] > 16


def _over(area: str, count: int) -> Doolittle:
    """Return an attack with this many bombers over an area."""
    city = next(key for key, maps in DATA.targets.maps.items() if area in maps.areas)
    state = raiders("thirteen", "evade")
    state.targets[city] = state.targets.pop("tokyo") if city == "tokyo" else _map(city)
    state.raid = Raid(city, "day", turn=3)
    for bomber in state.squad.values():
        bomber.enters = 0
    for bomber in list(state.squad.values())[:count]:
        bomber.area = area
    return state


@pytest.mark.parametrize("area", [area for maps in DATA.targets.maps.values() for area in maps.areas])
def test_two_bombers_of_an_area_are_large_enough_to_be_pointed_at(area: str) -> None:
    chart = charts(_over(area, 2))[0]
    assert chart.target is not None
    tile = next(tile for tile in chart.target.tiles if tile.counters)
    one, other = (counter.frame for counter in tile.counters)
    assert min(counter.scale for counter in tile.counters) * 26 >= POINTED - 0.1
    assert max(abs(one.x - other.x), abs(one.y - other.y)) > POINTED / 2
    assert all(
        min(spot.frame.bottom, frame.bottom) - max(spot.frame.y, frame.y) <= 8 or spot.frame.right <= frame.x
        for spot in tile.spots
        for frame in (one, other)
    )


def _map(city: str) -> Any:
    return raiders({"nagoya": "nagoya", "osaka-kobe": "kobe"}[city]).targets[city]


@pytest.mark.parametrize("shape", [WIDE, NARROW], ids=lambda shape: shape.name)
def test_area_fits_its_title_and_boxes(shape: Shape) -> None:
    for plan in PLANS.values():
        for area in plan.rings:
            frame = room(shape.city, plan, area)
            assert frame.width > 55, area
            assert frame.height > 80, area


def test_zone_fits_sixteen_bombers() -> None:
    state = raiders("early")
    for zone in DATA.flight.order:
        for flight in state.sky.flights:
            flight.zone = zone
        for chart in charts(state):
            check(chart)


# -- what can be chosen ----------------------------------------------------------------------------------------------


def drawn_keys(match: Match[Any, Any]) -> tuple[set[str], set[str]]:
    """Return the option keys on both boards: of pieces, or of where pieces can go."""
    decision = formatting.decision(next(iter(match.pending.values())))
    page = str(board_svg.draw(GAME, match.view(CAPTAIN), decision))
    wide, _, narrow = page.partition('class="board-narrow')
    return _keys_of(wide), _keys_of(narrow)


def _keys_of(chart: str) -> set[str]:
    found = set[str]()
    for key, ways in re.findall(
        r'<g class="[^"]*\bcan\b[^"]*" data-key="([^"]+)"(?: data-(?:among|sweep)="([^"]+)")?', chart
    ):
        found |= set(ways.split()) or {key}
    return found


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_options_are_highlighted_on_both_boards(scenario: str) -> None:
    match, random = Match(GAME, scenario, seed=f"glows {scenario}"), Random(1)
    for _ in range(130):
        if not match.pending:
            break
        seat, decision = next(iter(match.pending.items()))
        for keys in drawn_keys(match):
            assert keys == set(decision.keys), decision.rule
        match.decide(seat, decision.sample(random))


def test_land_lies_above_its_shallows_and_has_relief() -> None:
    match = Match(GAME, "thirteen", seed="relief")
    drawn = str(board_svg.draw(GAME, match.view(CAPTAIN), shape="wide"))
    assert drawn.rindex("dl-area dl-water") < drawn.index('class="dl-outer"') < drawn.index("dl-area dl-land")
    assert "url(#pc-dl-blocks)" in drawn
    assert "url(#pc-dl-hills)" in drawn


def test_piece_has_a_title_for_screen_readers() -> None:
    match = Match(GAME, "thirteen", seed="told")
    page = str(board_svg.draw(GAME, match.view(CAPTAIN), formatting.decision(match.pending[CAPTAIN])))
    pieces = page.count('<g class="piece')
    assert pieces
    assert len(re.findall(r'<g class="piece[^>]*><title>', page)) == pieces
    assert 'role="group" aria-label="Thirteen for Tokyo, Tokyo by day' in page


def test_titles_of_bombers_begin_with_number_and_pilot() -> None:
    """The playback takes their names from there."""
    match = Match(GAME, "thirteen", seed="titles")
    page = str(board_svg.draw(GAME, match.view(CAPTAIN), formatting.decision(match.pending[CAPTAIN])))
    titles = re.findall(r'<g class="piece dl-(?:counter|card)\b[^>]*><title>([^<]*)', page)
    assert titles
    assert all(re.match(r"Bomber \d+, [^,;:]+;", title) for title in titles)
