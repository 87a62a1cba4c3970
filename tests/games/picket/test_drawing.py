"""Tests of the drawn board: layout, and every option of a question is on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.games.picket.helpers import attacked, picket, plane, run, table
from tests.views import view_of

from readyroom import Match
from readyroom.engine.drawing import Frame
from readyroom.engine.rules.table import LoggedEvent
from readyroom.games.picket import GAME
from readyroom.games.picket.combat.strike import regular_strikes
from readyroom.games.picket.figures.common import BEARINGS, HEIGHTS, SECTIONS
from readyroom.games.picket.presentation.drawing import Chart, layout
from readyroom.games.picket.presentation.drawing.battle import CARD, PLACES, STEPS, frames, pack, span
from readyroom.games.picket.presentation.drawing.plate import GEAR, ROOMS
from readyroom.games.picket.presentation.drawing.shapes import NARROW, PACKED, POINTED, WIDE, Shape
from readyroom.games.picket.state import CAPTAIN, Counter, Struck, Wave
from readyroom.testing import playout
from readyroom.web import board_svg, formatting


def charts(match: Match[Any, Any]) -> Sequence[Chart]:
    """Return both boards of a match."""
    result: Sequence[Chart] = layout(match.view(CAPTAIN))["charts"]
    return result


def apart(result: Sequence[Frame]) -> bool:
    """Return whether no two frames overlap."""
    return all(one.is_clear_of(other) for one, other in combinations(result, 2))


def inside(one: Frame, outer: Frame) -> bool:
    """Return whether a frame is inside another."""
    slack = 0.2
    return (
        one.x >= outer.x - slack
        and one.y >= outer.y - slack
        and one.right <= outer.right + slack
        and one.bottom <= outer.bottom + slack
    )


def check(chart: Chart) -> None:
    """Check that nothing overlaps, and that everything is on the board."""
    board = Frame(0, 0, chart.width, chart.height)
    cards = [card.frame for area in chart.battle.areas for card in area.cards]
    rooms = [spot.frame for spot in (*chart.plate.rooms, *chart.plate.gear, *chart.plate.spaces)]
    panels = [chart.panels.specials, chart.panels.coming, chart.panels.staff, chart.panels.sheet, chart.battle.frame]
    assert apart(cards)
    assert apart(rooms)
    assert apart(panels)
    assert all(inside(frame, board) for frame in (*cards, *rooms, *panels))
    for area in chart.battle.areas:
        assert all(inside(card.frame, area.frame) for card in area.cards), area.bearing
    assert all(inside(Frame(mini.x, mini.y, 18, 18), chart.panels.coming) for mini in chart.panels.minis)
    assert max(panel.bottom for panel in panels) <= min(frame.y for frame in rooms)
    lines = [line.y for line in chart.panels.lines]
    assert all(chart.panels.sheet.y < y < chart.panels.sheet.bottom for y in lines)


@pytest.mark.parametrize("shape", [WIDE, PACKED, NARROW], ids=["wide", "packed", "narrow"])
def test_bearing_areas_surround_ship(shape: Shape) -> None:
    results = frames(shape)
    assert set(results) == set(BEARINGS)
    assert apart(list(results.values()))
    x, y = shape.sea.middle
    for bearing, frame in results.items():
        right, down = shape.toward(bearing)
        at, over = frame.middle
        assert (at - x) * right + (over - y) * down > 0, bearing
    length, beam = (shape.beam, shape.length) if shape.upright else (shape.length, shape.beam)
    hull = Frame(x - length / 2, y - beam / 2, length, beam)
    assert all(frame.is_clear_of(hull) for frame in results.values())


@pytest.mark.parametrize("count", range(1, 19))
def test_all_planes_fit_in_area(count: int) -> None:
    frame = Frame(0, 0, 233, 99)
    scale, columns = pack(count, frame.width, frame.height)
    rows = -(-count // columns)
    assert columns * CARD[0] * scale <= frame.width + 0.5
    assert rows * (CARD[1] + max(STEPS.values())) * scale <= frame.height + 0.5


@pytest.mark.parametrize(
    ("arc", "ends"), [([270, 315, 0, 45, 90], (247.5, 472.5)), ([135, 180, 225], (112.5, 247.5)), ([90], (67.5, 112.5))]
)
def test_gun_arc_is_one_wedge(arc: list[int], ends: tuple[float, float]) -> None:
    assert span(arc) == ends


def test_every_mount_and_room_is_drawn() -> None:
    data = GAME.data
    assert set(PLACES) == set(data.mounts)
    assert set(ROOMS) == set(data.rooms)
    assert set(GEAR) == {*data.directors, *data.radars}
    assert apart([*ROOMS.values(), *GEAR.values()])
    for card in data.mounts.values():
        along, _ = PLACES[card.key]
        assert {"forward": along > 0.6, "midship": 0.35 < along < 0.65, "aft": along < 0.35}[card.section], card.key


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["first-watch", "evans", "okinawa", "kyushu", "lingayen"])
def test_board_draws_in_any_state(scenario: str) -> None:
    match, random = Match(GAME, scenario, seed=f"drawn {scenario}"), Random(2)
    for at in range(160):
        for seat, decision in match.pending.items():
            if at % 4 == 0:
                for chart in charts(match):
                    check(chart)
            match.decide(seat, decision.sample(random))
        if not match.pending:
            break


def test_board_fits_18_planes_and_two_waves() -> None:
    match = Match(GAME, "evans", seed="many")
    heights = list(HEIGHTS)

    def wave(bearing: int) -> Wave:
        return Wave(
            [
                Counter(key=f"zero-{bearing}-{at}", plane="zero", bearing=bearing, height=heights[at % 3])
                for at in range(6)
            ],
            [Counter(key=f"betty-{bearing}-{at}", plane="betty", weapon="ohka") for at in range(2)],
        )

    for bearing in BEARINGS:
        match.state.raid.waves = [wave(bearing), wave(0), wave(180)]
        for chart in charts(match):
            check(chart)


def drawn_keys(match: Match[Any, Any]) -> tuple[set[str], set[str]]:
    """Return the option keys on both boards; guns and planes carry the keys of all their shots."""
    decision = formatting.decision(next(iter(match.pending.values())))
    page = str(board_svg.draw(GAME, match.view(CAPTAIN), decision))
    wide, _, narrow = page.partition('class="board-narrow')
    pattern = re.compile(r'<g class="[^"]*\bcan\b[^"]*" data-key="([^"]+)"(?: data-(?:among|sweep)="([^"]+)")?')
    return _standing_for(pattern.findall(wide)), _standing_for(pattern.findall(narrow))


def _standing_for(pairs: list[tuple[str, str]]) -> set[str]:
    return {key for one, several in pairs for key in (several.split() if several else [one])}


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["first-watch", "evans", "kyushu"])
@pytest.mark.parametrize("seed", ["6", "4"])
def test_options_highlight_on_both_boards(scenario: str, seed: str) -> None:
    match, bot = Match(GAME, scenario, seed=seed), GAME.analysis.bots["doctrine"](CAPTAIN, Random(1))
    while match.pending:
        decision = match.pending[CAPTAIN]
        for keys in drawn_keys(match):
            assert keys == set(decision.keys), decision.rule
        match.decide(CAPTAIN, bot(decision, lambda: match.view(CAPTAIN)))


def test_compartment_highlights_each_flood_option() -> None:
    state = picket(game="advanced")
    state.ship.tilt["port"], state.ship.tilt["bow"] = 2, 1
    keys = ["crew-quarters-1-starboard", "crew-quarters-1-stern"]
    view = view_of(GAME, state, CAPTAIN)
    page = str(board_svg.draw(GAME, view, {"options": [{"key": key} for key in keys]}))
    for key in keys:
        assert page.count(f'data-key="{key}"') == 2


def test_gun_and_plane_select_all_shots() -> None:
    match, bot = Match(GAME, "evans", seed="6"), GAME.analysis.bots["doctrine"](CAPTAIN, Random(1))
    while match.pending[CAPTAIN].rule != "6.8":
        match.decide(CAPTAIN, bot(match.pending[CAPTAIN], lambda: match.view(CAPTAIN)))
    decision = match.pending[CAPTAIN]
    page = str(board_svg.draw(GAME, match.view(CAPTAIN), formatting.decision(decision)))
    for group in decision.budget_groups:
        (drawn,) = set(re.findall(rf'data-key="{group.key}" data-among="([^"]+)"', page))
        assert set(drawn.split()) == {option.key for option in group.options}


def test_hit_map_places_hits_without_overlap() -> None:
    match = Match(GAME, "evans", seed="map")
    hits = [(270, "L", False), (45, "H", False), (45, "M", False), (135, "M", True), (180, "H", False)]
    match.state.tally.hits = [Struck(1, "morning", "zero", at, height, ["galley"], near) for at, height, near in hits]
    match.state.tally.kills = {"gun-1": 5, "gun-a": 1}
    for drawn in layout(match.view(CAPTAIN))["maps"]:
        assert len({(round(star.x), round(star.y)) for star in drawn.stars}) == len(hits)
        assert all(inside(Frame(star.x, star.y, 0, 0), drawn.frame) for star in drawn.stars)
        assert [(kill.planes, kill.ace) for kill in drawn.kills] == [(5, True), (1, False)]
    page = str(board_svg.summary_image(GAME, match.view(CAPTAIN)))
    assert page.count("5★") == 2
    assert page.count("a Zero alongside, from 135 M, starboard quarter: Galley</title>") == 2


def test_plane_shows_guns_that_bear() -> None:
    match, bot = Match(GAME, "first-watch", seed="24"), GAME.analysis.bots["doctrine"](CAPTAIN, Random(1))
    while match.pending[CAPTAIN].rule != "6.8":
        match.decide(CAPTAIN, bot(match.pending[CAPTAIN], lambda: match.view(CAPTAIN)))
    page = str(board_svg.draw(GAME, match.view(CAPTAIN), formatting.decision(match.pending[CAPTAIN])))
    ends = {name: re.findall(f'data-{name}="([^"]*)"', page) for name in ("among", "sweep")}
    for key in match.pending[CAPTAIN].keys:
        assert [sum(key in keys.split() for keys in found) for found in ends.values()] == [2, 2], key
    for chart in charts(match):
        shots = {key for keys in chart.battle.shots.values() for key in keys}
        assert set(match.pending[CAPTAIN].keys) <= shots


def test_guns_can_be_pointed_at_and_apart() -> None:
    match = Match(GAME, "first-watch", seed="24")
    reaches = [
        turret.reach._replace(x=turret.x + turret.reach.x, y=turret.y + turret.reach.y)
        for turret in charts(match)[0].battle.turrets
    ]
    assert all(reach.width >= POINTED <= reach.height for reach in reaches)
    assert apart(reaches)


def test_special_hit_drawn_in_section() -> None:
    """In this playout a special attacker strikes the ship; its hit has a section and is drawn."""
    match = playout(GAME, "little", {"game": "advanced"}, "conform/1", upto=15)
    struck = next(hit for hit in match.state.tally.hits if hit.bearing < 0)
    assert struck.height in SECTIONS
    assert all(chart.stars for chart in layout(match.view(None))["maps"])


def test_plane_that_strikes_is_marked_before_its_damage_is_determined() -> None:
    state, marks = attacked(picket(phase="morning-strike-1"), plane("135M")), []

    def note(logged: LoggedEvent) -> None:
        charts: Sequence[Chart] = layout(view_of(GAME, state, CAPTAIN))["charts"]
        marks.append((logged.line.rule, [len(chart.battle.bursts) for chart in charts]))

    at = table(state, 6, 6, 9, 3, 9, 3)
    at.listener = note
    run(regular_strikes(at))
    assert marks[0] == ("7.1", [1, 1])
    assert {tuple(counts) for _, counts in marks} == {(1, 1)}
    assert len(state.tally.hits) == 1
    svg = board_svg.drawing(GAME, view_of(GAME, state, CAPTAIN), None, "wide", {}).svg  # type: ignore[union-attr]
    assert 'data-struck="aft"' in svg, "there the film marks what is hit"


def test_near_miss_of_a_special_attacker_is_on_the_side_of_its_card() -> None:
    near = Struck(1, "morning", "zero bomb", -1, "aft", [], near=True)
    state = picket()
    for number in (1, 2):
        state.tally.hits = [near] * number
        charts: Sequence[Chart] = layout(view_of(GAME, state, CAPTAIN))["charts"]
        battle = charts[0].battle
        assert all(burst.y > battle.middle[1] for burst in battle.bursts), "below the ship"


@pytest.mark.parametrize("shape", [WIDE, PACKED], ids=["wide", "packed"])
def test_answers_lie_where_no_planes_are_and_below_the_name_of_the_bearing(shape: Shape) -> None:
    match = Match(
        GAME, "first-watch" if shape is WIDE else "okinawa", {} if shape is WIDE else {"game": "advanced"}, seed="1"
    )
    chart = charts(match)[0]
    areas = [area.frame for area in chart.battle.areas if not area.cards]
    first = chart.answers[0]
    assert first.height >= POINTED
    assert any(inside(first, area) and first.y >= area.y + 20 for area in areas)
