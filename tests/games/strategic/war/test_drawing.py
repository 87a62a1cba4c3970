"""Tests of the drawn chart and the terminal board: layout, clickable options, secrecy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from readyroom import Match
from readyroom.engine.drawing import Frame
from readyroom.engine.rules.state import At
from readyroom.games.strategic.war import GAME
from readyroom.games.strategic.war.places import CAMPAIGNS
from readyroom.games.strategic.war.presentation.board_data import scene
from readyroom.games.strategic.war.presentation.drawing import TALL, Chart, City, layout, wide
from readyroom.games.strategic.war.presentation.maps import CITIES
from readyroom.web import board_svg, formatting

from ..sizes import too_small
from .helpers import SCENARIOS

SEATS = ("axis", "allies", None)
SHEETS = ("build", "raid", "meet", "to", "cards")
"""Questions about pieces on the chart."""


def random_decisions(scenario: str, seed: str = "drawn") -> Iterator[tuple[Match[Any, Any], str, Any]]:
    """Iterate over the questions of a random match."""
    match, random = Match(GAME, scenario, seed=seed), Random(seed)
    while match.pending:
        for seat, decision in match.pending.items():
            yield match, seat, decision
            match.decide(seat, decision.sample(random))
            break


def counters(chart: Chart) -> list[Frame]:
    """Return the frames of the counters."""
    return [Frame(placed.x, placed.y, placed.width, TALL * placed.scale) for placed in chart.stacks]


def blocks(chart: Chart) -> list[Frame]:
    """Return the frames of all that is next to each other on a chart."""
    assert chart.graph is not None
    frames = [drawn.frame for drawn in chart.maps]
    frames += [panel.frame for panel in chart.panels if not panel.on_map]
    frames += [Frame(sheet.x, sheet.y, sheet.width, sheet.height) for sheet in chart.sheets]
    frames += [Frame(*chart.graph[:4])]
    return [*frames, chart.stay, *(Frame(cell.x, cell.y, cell.width, 22) for cell in chart.cells)]


def is_within(inner: Frame, outer: Frame) -> bool:
    """Return whether a frame is inside another."""
    return (
        outer.x <= inner.x and inner.right <= outer.right + 0.1 and outer.y <= inner.y and inner.bottom <= outer.bottom
    )


def fixed(chart: Chart) -> tuple[object, ...]:
    """Return all positions that must not change during a match."""
    spots = [(placed.x, placed.y, placed.scale) for placed in chart.stacks]
    zones = [(panel.box.key, panel.frame) for panel in chart.panels]
    tracks = [(row.piece.place, row.x, row.y) for sheet in chart.sheets for row in sheet.rows]
    hands = [(row.hand.place, row.frame) for sheet in chart.sheets for row in sheet.hands]
    lanes = [lane.path for lane in chart.lanes]
    return (chart.width, chart.height, chart.legend, lanes, blocks(chart), spots, zones, tracks, hands)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_layout_has_no_overlaps(scenario: str) -> None:
    for at, (match, seat, _) in enumerate(random_decisions(scenario)):
        if at % 9 == 0:
            for chart in layout(match.view(seat))["charts"]:
                frames, placed = blocks(chart), counters(chart)
                sheet = Frame(0, 0, chart.width, chart.height)
                assert all(is_within(frame, sheet) for frame in frames)
                assert all(one.is_clear_of(other) for one, other in combinations(frames, 2))
                assert all(one.is_clear_of(other) for one, other in combinations(placed, 2))
                assert all(any(is_within(frame, drawn.frame) for drawn in chart.maps) for frame in placed)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_layout_stays_the_same_during_a_match(scenario: str) -> None:
    first: dict[str, tuple[object, ...]] = {}
    for at, (match, _, _) in enumerate(random_decisions(scenario, "steady")):
        if at % 9 == 0:
            for seat in SEATS:
                for chart in layout(match.view(seat))["charts"]:
                    assert first.setdefault(chart.shape, fixed(chart)) == fixed(chart)
    match.state.war.hands = {"axis": {}, "allies": {}}
    for chart in layout(match.view(None))["charts"]:
        assert first[chart.shape] == fixed(chart), "cards have their room before they are dealt"


@pytest.mark.parametrize(
    "rounds", [["german-atlantic", "germany"], ["american", "japan"], ["germany", "japan"], ["japan"]]
)
def test_layout_fits_other_sets_of_rounds(rounds: list[str]) -> None:
    match = Match(GAME, "strategic-war", seed="rounds")
    match.state.war.rounds = rounds
    for chart in layout(match.view("axis"))["charts"]:
        frames = blocks(chart)
        assert all(is_within(frame, Frame(0, 0, chart.width, chart.height)) for frame in frames)
        assert all(one.is_clear_of(other) for one, other in combinations(frames, 2))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pieces_are_large_enough_on_a_small_desktop(scenario: str) -> None:
    asked = set[str]()
    for match, seat, decision in random_decisions(scenario, "size"):
        if match.state.at.turn > 2:
            break
        if decision.piece_key not in asked:
            assert too_small(match, seat, decision) == [], decision
            asked.add(decision.piece_key)
    assert len(asked) >= 3


def name_of(city: City) -> Frame:
    """Return about the frame of a city's name."""
    x, y, anchor = city.label
    width = 6.2 * len(city.name)
    return Frame(x - width / 2 if anchor == "middle" else x, y - 9, width, 11)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_areas_of_cities_are_apart(scenario: str) -> None:
    for chart in layout(Match(GAME, scenario, seed="areas").view("axis"))["charts"]:
        areas = [city.frame for city in chart.cities]
        assert all(one.is_clear_of(other) for one, other in combinations([*areas, *counters(chart)], 2))
        assert all(is_within(Frame(city.x, city.y, 0, 0), city.frame) for city in chart.cities)
        assert all(is_within(name_of(city), city.frame) for city in chart.cities), "no frame crosses its name"
        assert all(any(is_within(area, drawn.frame) for drawn in chart.maps) for area in areas)


def test_cards_of_a_kind_are_one_piece() -> None:
    match = Match(GAME, "strategic-war", seed="cards")
    match.state.war.hands["axis"]["ultra"] = ["submarine", "tactical", "submarine"]
    for seat, expected in (("axis", ["tactical", "submarine"]), ("allies", ["hidden"])):
        drawn = str(board_svg.draw(GAME, match.view(seat), shape="wide"))
        assert re.findall(r'data-key="hand-axis-ultra-(\w+)"', drawn) == expected
        count = "2" if seat == "axis" else "3"
        assert f">×{count}</text>" in drawn


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_piece_and_place_has_a_key(scenario: str) -> None:
    match = Match(GAME, scenario, seed="keys")
    war = match.state.war
    for seat in SEATS:
        drawn = str(board_svg.draw(GAME, match.view(seat)))
        for chart in drawn.split('<svg class="board-')[2:]:
            keys, places = (re.findall(rf'{name}="([^"]+)"', chart) for name in ("data-key", "data-place"))
            assert len(keys) == len(set(keys))
            assert len(places) == len(set(places))
            fleets = [key for key in CAMPAIGNS if key in war.rounds]
            seas = {CAMPAIGNS[key].sea for key in fleets}
            assert {*fleets, *(f"{kind}s-{sea}" for sea in seas for kind in ("merchant", "escort", "carrier"))} <= set(
                keys
            )
            assert {*seas, *(f"lane-{sea}" for sea in seas), "graph", "turn-1", "score-axis", "score-allies"} <= set(
                places
            )
            aims = [aim.key for aim in war.targets if aim.area in war.rounds]
            assert set(aims) <= set(keys)
            assert {f"city-{key}" for key in aims} <= set(places)


def test_cities_are_on_land_of_their_map() -> None:
    europe = next(one for one in layout(Match(GAME, "bomber-offensive").view(None))["charts"][0].maps)
    x, y = europe.place(CITIES["berlin"])
    assert is_within(Frame(x, y, 0, 0), europe.frame)
    assert europe.place(CITIES["london"])[0] < europe.place(CITIES["ruhr"])[0] < x


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_drawing_is_svg_with_clickable_options(scenario: str) -> None:
    clicked = 0
    for at, (match, seat, decision) in enumerate(random_decisions(scenario)):
        if at % 5:
            continue
        drawn = board_svg.draw(GAME, match.view(seat), formatting.decision(decision))
        page = ElementTree.fromstring(f"<x>{drawn}</x>".replace("&nbsp;", " "))
        assert len(page.findall("./div/*[@viewBox]")) == 2
        keys = set(re.findall(r'data-key="([^"]+)"', drawn))
        if decision.piece_key.partition("-")[0] in SHEETS:
            offered = set(decision.keys) - {"stay"}
            assert offered <= keys, decision
            clicked += len(offered)
    assert clicked


def test_clickable_keys_are_unique() -> None:
    for at, (match, seat, decision) in enumerate(random_decisions("strategic-war", "twice")):
        if at % 7 == 0:
            drawn = str(board_svg.draw(GAME, match.view(seat), formatting.decision(decision)))
            wide = drawn.partition('class="board-narrow')[0]
            keys = re.findall(r'data-key="([^"]+)"', wide)
            assert len(keys) == len(set(keys)), decision


def test_drawing_hides_enemy_secrets() -> None:
    match = Match(GAME, "strategic-war", seed="secret")
    match.state.war.hands["axis"]["ultra"] = ["submarine", "strategic"]
    match.state.war.powers["germany"].points = {"radar": 2}
    theirs = str(board_svg.draw(GAME, match.view("allies")))
    mine = str(board_svg.draw(GAME, match.view("axis")))
    assert "+2</text>" in mine
    assert "+2</text>" not in theirs
    assert ">sub</text>" in mine
    assert "hand-axis-ultra-submarine" not in theirs
    assert "2 points under way" not in theirs


@pytest.mark.parametrize("shape", ["wide", "narrow"])
def test_nothing_but_its_name_is_in_the_first_line_of_a_sea(shape: str) -> None:
    match = Match(GAME, "strategic-war", seed="names")
    drawn = str(board_svg.draw(GAME, match.view("axis"), shape=shape))
    zones = re.findall(r'<g class="sw-zone.*?</g>', drawn, re.DOTALL)
    assert len(zones) == 4
    for zone in zones:
        (name,), net = (
            [float(y) for y in re.findall(rf'class="{kind}" x="[^"]+" y="([^"]+)"', zone)]
            for kind in ("sw-sea", "sw-net")
        )
        assert len(net) == 2
        assert min(net) > name + 14, "the net is not next to a long name"


def test_the_graph_says_what_it_shows_and_of_which_years() -> None:
    drawn = str(board_svg.draw(GAME, Match(GAME, "strategic-war", seed="years").view(None), shape="wide"))
    graph = drawn.partition('class="sw-graph"')[2]
    assert "Atlantic by quarter" in graph
    assert re.findall(r'class="sw-scale sw-from"[^>]*>(\d+)<', graph) == ["1942", "1943", "1944"]
    assert ">Research levels<" in drawn
    assert "level 0 of 3, worse rolls of enemy submarines" in drawn


def test_graph_and_sheet_say_what_is_there_now_and_next() -> None:
    match = Match(GAME, "atlantic", seed="now")
    state = match.state
    state.war.oceans["atlantic"].merchants = 24
    data = scene(match.view(None))
    assert [(curve.name, list(curve.values)) for curve in data.curves] == [
        ("merchant ships", [24]),
        ("submarines", [5]),
        ("ships sunk", []),
    ]
    assert data.sheets[0].nations[0].money.endswith("18 next turn")
    state.at = At(4, state.at.phase)
    later = scene(match.view(None))
    assert ", 15 next turn (1943)" in later.sheets[0].nations[0].money


def test_counters_of_a_single_sea_are_named() -> None:
    drawn = str(board_svg.draw(GAME, Match(GAME, "atlantic", seed="names").view(None), shape="wide"))
    names = re.findall(r'class="sw-small" x="[^"]+" y="[^"]+">([^<]*?) *<', drawn)
    assert {"submarines", "ships", "escorts", "carriers", "sunk a turn on average:"} <= set(names)


def test_statistics_say_their_unit_and_for_whom_more_is_better() -> None:
    match = Match(GAME, "atlantic", seed="counts")
    counts = GAME.analysis.match_stats(match.state, GAME.data)
    assert all(
        re.search(r"(factors|steps|[Rr]esources) .*\(more is better for the (Axis|Allies)\)", title) for title in counts
    )


# -- the terminal ----------------------------------------------------------------------------------------------------


def lines(match: Match[Any, Any], seat: str | None, width: int) -> list[str]:
    """Return the lines of the terminal board."""
    console = Console(width=width, color_system=None, legacy_windows=False)
    assert GAME.presentation.board is not None
    with console.capture() as capture:
        console.print(GAME.presentation.board(match.view(seat)))
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_terminal_board_fits_width(width: int, scenario: str) -> None:
    for at, (match, _, _) in enumerate(random_decisions(scenario, f"width {width}")):
        if at % 20 == 0:
            for seat in SEATS:
                assert max(map(len, lines(match, seat, width))) <= width


def test_terminal_board_shows_state() -> None:
    match = Match(GAME, "strategic-war", seed="told")
    text = "\n".join(lines(match, "allies", 120))
    assert "Turn 1 of 12 · Spring 1942 · Axis 0 points, Allies 0" in text
    assert "★ ships 42" in text
    assert "● subs 5" in text
    assert "The Ruhr ■■■" in text
    assert "★ The Allies (you)" in text
    assert "Carriers are escort carriers" in text
    assert "CVE" not in text


@pytest.mark.parametrize("scenario", ["strategic-war", "atlantic", "bomber-offensive"])
def test_graph_is_next_to_the_map_and_above_the_sheets(scenario: str) -> None:
    data = scene(Match(GAME, scenario, seed="graph").view(None))
    chart = wide(data)
    assert chart.graph is not None
    assert all(chart.graph.y + chart.graph.height < sheet.y for sheet in chart.sheets)
    assert chart.graph.height >= 71


def test_labels_of_the_graph_are_not_cut() -> None:
    wide = set[str]()
    for match, seat, _ in random_decisions("bomber-offensive"):
        drawn = board_svg.drawing(GAME, match.view(seat), shape="wide")
        assert drawn is not None
        wide |= set(re.findall(r'class="sw-label"[^>]*>([^<]*)<', drawn.svg))
    assert any(label.endswith("Allied") for label in wide)
    assert all(len(label) <= len("100 Allied") for label in wide), wide
