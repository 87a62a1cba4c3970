"""Tests of the drawn boards of planning, voyage and denouement: everything fits and is in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec import structs
from tests.games.doolittle.helpers import DATA, raiders
from tests.games.doolittle.test_board import drawn, seen
from tests.games.doolittle.test_campaign import history
from tests.games.doolittle.test_drawing import apart, charts, drawn_keys, within

from readyroom import Match, bots
from readyroom.engine.drawing import Frame, text_width
from readyroom.engine.rules.state import Outcome
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.figures.common import MONTHS
from readyroom.games.doolittle.pieces import Crew
from readyroom.games.doolittle.presentation.drawing import Chart, layout
from readyroom.games.doolittle.presentation.drawing.blotter import OPEN
from readyroom.games.doolittle.presentation.drawing.cells import Panel, fold_text
from readyroom.games.doolittle.presentation.drawing.force import HULL
from readyroom.games.doolittle.presentation.drawing.ocean import ocean
from readyroom.games.doolittle.presentation.drawing.roads import MARK, PLACES, UPRIGHT
from readyroom.games.doolittle.presentation.drawing.shapes import FULL, NARROW, POINTED, WIDE
from readyroom.games.doolittle.presentation.drawing.timeline import timeline
from readyroom.games.doolittle.state import CAPTAIN
from readyroom.games.doolittle.voyage.state import Strike
from readyroom.web import board_svg
from readyroom.web.playback import RoomMeasure

LEAST = 0.5
"""Minimum scale of anything drawn."""


def boards(
    scenario: str, seed: str, every: int = 5, **options: str
) -> Iterator[tuple[Match[Any, Any], Sequence[Chart]]]:
    """Yield the boards of a match on the ground or at sea, played by the captain with some random answers."""
    match, random = Match(GAME, scenario, options=options, seed=seed), Random(seed)
    player = bots.make_bot(GAME, "doctrine", CAPTAIN, random)
    for at in range(2000):
        if match.outcome is not None:
            break
        decision = match.pending[CAPTAIN]
        if at % every == 0 and match.state.segment not in ("flight", "attack"):
            yield match, layout(match.view(CAPTAIN))["charts"]
        at_random = at % 3 == 0
        match.decide(CAPTAIN, decision.sample(random) if at_random else player(decision, lambda: match.view(CAPTAIN)))
    yield match, layout(match.view(CAPTAIN))["charts"]


def check(chart: Chart) -> None:
    """Check that papers do not overlap, and that their contents and the maps' fit."""
    board = Frame(0, 0, chart.width, chart.height)
    assert apart([panel.frame for panel in chart.panels])
    for panel in chart.panels:
        assert within(panel.frame, board), panel.title
        _panel(panel)
    if chart.ocean:
        for area in chart.ocean.areas:
            assert within(area.frame, chart.ocean.frame)
            tokens = [one.frame for one in area.tokens]
            assert apart(tokens), area.key
            assert all(within(one, area.frame) for one in tokens), area.key
            assert min((one.scale for one in area.tokens), default=1) >= LEAST, area.key
    if chart.force:
        _force(chart)
    if chart.roads:
        _roads(chart)


def _panel(panel: Panel) -> None:
    cells = [cell.frame for cell in panel.cells]
    assert apart(cells), panel.title
    assert all(within(frame, panel.frame) for frame in cells), panel.title
    for cell in panel.cells:
        for text in cell.texts:
            assert text.y <= cell.frame.height + 1, (panel.title, text)


def _force(chart: Chart) -> None:
    assert chart.force is not None
    assert apart([space.frame for space in chart.force.spaces])
    for space in chart.force.spaces:
        assert within(space.frame, chart.force.frame), space.key
        hulls = [Frame(one.x, one.y, HULL[0] * one.scale, HULL[1] * one.scale) for one in space.ships]
        assert apart(hulls), space.key
        assert all(within(one, space.frame) for one in hulls), space.key


def _roads(chart: Chart) -> None:
    assert chart.roads is not None
    assert apart([spot.frame for spot in chart.roads.spots])
    for spot in chart.roads.spots:
        assert within(spot.frame, chart.roads.frame), spot.key
        marks = [Frame(one.x, one.y, MARK[0] * one.scale, MARK[1] * one.scale) for one in spot.marks]
        assert apart(marks)
        assert all(within(one, spot.frame) for one in marks), spot.key


def test_boards_keep_their_height_from_planning_to_the_sea() -> None:
    view = Match(GAME, "campaign", seed="papers").view(CAPTAIN)
    line = [*view.table.line, *(("January", f"{day} January", "something happens") for day in range(1, 4))]
    risky = structs.replace(view.table.blotter, risk=[(f"for a long reason, the {number}th", 1) for number in range(9)])
    views = [
        structs.replace(view, table=structs.replace(view.table, line=line)),
        structs.replace(view, table=structs.replace(view.table, blotter=risky)),
        Match(GAME, "carrier", seed="papers").view(CAPTAIN),
    ]
    measure = RoomMeasure(GAME)
    for one in views:
        measure.add(one)
    room = measure.room()
    for charts_of_shape in zip(*(layout(one, room)["charts"] for one in views), strict=True):
        assert len({chart.height for chart in charts_of_shape}) == 1, charts_of_shape[0].shape


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "seed"), [("campaign", "one"), ("campaign", "two"), ("carrier", "one"), ("early", "one")]
)
def test_boards_are_consistent_from_january_to_june(scenario: str, seed: str) -> None:
    for _, drawn_charts in boards(scenario, f"papers {seed}", ending="told", incidents="yes"):
        for chart in drawn_charts:
            check(chart)


@pytest.mark.parametrize("width", [60, 80])
def test_terminal_fits_the_board(width: int) -> None:
    for match, _ in boards("campaign", "words", 12, ending="told"):
        lines = drawn(match.view(CAPTAIN), width)
        assert max(map(len, lines)) <= min(width, 80), "\n".join(lines)


# -- the blotter -----------------------------------------------------------------------------------------------------


def _papers(chart: Chart) -> dict[str, Panel]:
    return {panel.title: panel for panel in chart.panels}


def _blotter_in(month: str) -> Any:
    """Return a captain's view of the blotter in a month, with incidents."""
    view = Match(GAME, "campaign", seed="papers", options={"incidents": "yes"}).view(CAPTAIN)
    return structs.replace(
        view, table=structs.replace(view.table, blotter=structs.replace(view.table.blotter, month=month))
    )


def test_blotter_has_a_paper_for_everything() -> None:
    _, narrow = layout(_blotter_in("january"))["charts"]
    papers = _papers(narrow)
    assert len(papers["The workshop"].cells) == len(DATA.modifications.cards)
    assert len(papers["The squadron"].cells) == len(DATA.bombers.roster.bomber)
    assert len(papers["Fields in China"].cells) == len(PLACES) - 2
    assert len(papers["The naval plan"].cells) == len(DATA.sea.order) + len(DATA.sea.turns.turn)
    titles = {cell.title for cell in papers["The talks"].cells}
    assert "Thompson, March: 11 or more" in titles
    assert "Nimitz, January: no talks" in titles


@pytest.mark.parametrize("month", MONTHS)
def test_wide_blotter_opens_the_months_papers_and_closes_the_others(month: str) -> None:
    wide, narrow = layout(_blotter_in(month))["charts"]
    foot = wide.panels[-1]
    opened = {panel.title for panel in wide.panels[:-1]}
    closed = {cell.texts[0].words for cell in foot.cells}
    assert opened | closed == {panel.title for panel in narrow.panels}
    assert not opened & closed
    assert opened == {title for column in OPEN[month] for title in column} & {panel.title for panel in narrow.panels}
    assert wide.height == FULL


def test_workshop_and_naval_plan_are_readable_to_the_end() -> None:
    for month in ("february", "april"):
        for chart in layout(_blotter_in(month))["charts"]:
            papers = _papers(chart)
            cells = [
                cell for title in ("The workshop", "The naval plan") if title in papers for cell in papers[title].cells
            ]
            assert not [text.words for cell in cells for text in cell.texts if text.words.endswith("…")]


def test_narrow_board_puts_the_months_papers_on_top() -> None:
    _, narrow = layout(_blotter_in("january"))["charts"]
    assert [panel.title for panel in narrow.panels[:3]] == ["The talks", "Doolittle", "The squadron"]


# -- the sea ---------------------------------------------------------------------------------------------------------


def _sailing() -> Match[Any, Any]:
    return Match(GAME, "carrier", seed="papers")


def test_ocean_runs_east_to_west_and_downwards_on_a_narrow_board() -> None:
    wide, narrow = layout(_sailing().view(CAPTAIN))["charts"]
    assert wide.ocean is not None
    assert narrow.ocean is not None
    keys = ["port", *DATA.sea.order]
    assert [area.key for area in wide.ocean.areas] == keys
    xs = [area.frame.x for area in wide.ocean.areas]
    assert xs == sorted(xs, reverse=True)
    ys = [area.frame.y for area in narrow.ocean.areas]
    assert ys == sorted(ys)


def test_ships_lie_in_their_space_and_port_is_below_with_bow_left() -> None:
    match = _sailing()
    for chart in layout(match.view(CAPTAIN))["charts"]:
        assert chart.force is not None
        spaces = {space.key: space for space in chart.force.spaces}
        assert set(spaces) == set(DATA.ships.layout.spaces)
        assert spaces["port"].frame.y > spaces["center"].frame.bottom - 1
        assert spaces["ahead"].frame.right < spaces["center"].frame.x + 1
        there = {hull.ship.key for space in spaces.values() for hull in space.ships}
        assert there == {key for key, card in DATA.ships.cards.items() if card.force == "TF-18"}


def test_attack_shows_the_arrows_of_planes_with_their_faces() -> None:
    match = _sailing()
    state = match.state
    assert all(not chart.force.arrows for chart in charts(state) if chart.force)
    state.strike = Strike("task-force", waves=[["torpedo", "dive"], ["dive"]])
    for chart in charts(state):
        assert chart.force is not None
        faces = {(arrow.kind, arrow.face) for arrow in chart.force.arrows}
        assert faces == {("torpedo", face) for face in DATA.ships.layout.torpedo} | {
            ("dive", face) for face in DATA.ships.layout.dive
        }
        assert "Airstrike" in _papers(chart)


def test_planned_points_are_marked_on_the_map() -> None:
    for chart in layout(_sailing().view(CAPTAIN))["charts"]:
        assert chart.ocean is not None
        marked = {area.key: (area.meet, area.launch) for area in chart.ocean.areas if area.meet or area.launch}
        assert marked == {"midway": (True, False), "defense-west": (False, True)}


# -- China -----------------------------------------------------------------------------------------------------------


def test_board_fits_all_crews_at_any_place() -> None:
    for place in PLACES:
        state = history()
        for crew in state.crews:
            crew.where, crew.fate = place, ""
        for chart in charts(state):
            check(chart)
            assert chart.roads is not None
            spot = next(one for one in chart.roads.spots if one.key == place)
            assert len(spot.marks) == len(state.crews)
            assert min(mark.scale for mark in spot.marks) >= LEAST


def test_road_connects_the_edges_of_its_places() -> None:
    state = history()
    state.crews = [Crew(key="b01", where="kian")]
    for chart in charts(state):
        assert chart.roads is not None
        assert len(chart.roads.roads) == len(DATA.denouement.routes.route)
        used = [road for road in chart.roads.roads if road.used]
        assert {road.words for road in used} == {"1 fuel, 3+", "3 fuel, 6+"}


def test_places_are_the_same_on_both_boards() -> None:
    china = {site.key for site in DATA.flight.sites.site if site.country == "china"}
    assert set(PLACES) == set(UPRIGHT) == china | {DATA.denouement.routes.goal, DATA.denouement.routes.on_foot}


# -- the time line ---------------------------------------------------------------------------------------------------


def test_timeline_shows_the_latest_of_a_month_and_counts_the_rest() -> None:
    line = [("April", "", f"Something happened, number {at}.") for at in range(30)]
    for shape in (WIDE, NARROW):
        panel = timeline(line, "April", shape)
        april = next(cell for cell in panel.cells if cell.texts[0].words == "April")
        assert april.texts[-1].words.endswith("number 29.")
        assert re.match(r"… \d+ before", april.texts[1].words)
        assert "dl-now" in april.style


def test_folded_lines_fit_their_width() -> None:
    lines = fold_text("The crews came down in the hills and walked for a week to the nearest field", 120, 12)
    assert all(text_width(line, 12) <= 120 for line in lines)


# -- the end ---------------------------------------------------------------------------------------------------------


def test_ending_is_next_to_the_board_only_at_the_end() -> None:
    state = history()
    view = seen(state)
    assert "dl-masthead" not in str(board_svg.summary_image(GAME, view))
    page = str(board_svg.summary_image(GAME, structs.replace(view, outcome=Outcome(None, "x", ""))))
    assert "The Harbor Gazette" in page
    assert "Three cities of Japan bombed" in page
    assert page.count("<article") == 4
    assert "April 1942</h3>" in page


def test_attack_over_a_city_has_no_front_page() -> None:
    assert "article" not in str(
        board_svg.summary_image(
            GAME, structs.replace(seen(raiders("capital", "debriefing")), outcome=Outcome(None, "x", ""))
        )
    )


@pytest.mark.torture(2)
def test_options_are_the_same_on_both_boards_throughout() -> None:
    held = set()
    for match, _ in boards("campaign", "both", 4, ending="told"):
        if match.pending:
            wide, narrow = drawn_keys(match)
            assert wide == narrow
            assert wide <= set(match.pending[CAPTAIN].keys)
            held |= {match.pending[CAPTAIN].rule} if wide else set()
    assert len(held) > 8


@pytest.mark.parametrize("zone", DATA.flight.order)
def test_flights_of_a_crowded_zone_are_large_enough_to_be_pointed_at(zone: str) -> None:
    state = raiders("early", "crowd")
    for flight in state.sky.flights:
        flight.zone = zone
    way = charts(state)[0].way
    assert way is not None
    assert len(way.marks) >= 4
    assert min(mark.frame.height for mark in way.marks) >= POINTED - 0.1


def test_markers_of_a_crowded_sea_area_are_large_and_apart() -> None:
    voyage = _sailing().view(CAPTAIN).table.sea
    crowd = [structs.replace(voyage.recon[0], area="midway", place="gone out") for _ in range(5)]
    for shape in (WIDE, NARROW):
        result = ocean(structs.replace(voyage, area="midway", recon=crowd), (), shape, 0)
        tokens = next(area.tokens for area in result.areas if area.key == "midway")
        assert len(tokens) == 1 + len(crowd)
        assert apart([token.frame for token in tokens])
        assert min(token.scale for token in tokens) > (0.95 if shape is WIDE else 0.8)


def test_names_and_signs_of_small_places_are_side_by_side() -> None:
    state = history()
    state.crews = []
    state.sky.stock, state.sky.groundcrews = {"kweilin": 15}, {"kweilin": 1}
    for chart in charts(state):
        assert chart.roads is not None
        spot = next(one for one in chart.roads.spots if one.key == "kweilin")
        assert spot.frame.width > text_width(spot.name, 13) + 50


def test_card_text_ends_before_its_hazards() -> None:
    state = raiders("early", "cards")
    for chart in charts(state):
        for column in chart.columns:
            for card in column.cards:
                right = min([card.frame.right, *(chip.x for chip in card.chips)])
                assert card.frame.x + (5 if card.is_small else 35) + card.letters * 5 <= right
                assert all(chip.x >= card.frame.x for chip in card.chips)
