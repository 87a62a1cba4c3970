"""Tests of the drawn board and the terminal board of the raid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest
from tests.games.strategic.pearl.helpers import Battle
from tests.games.strategic.pearl.test_files import OWN, SCENARIOS
from tests.games.strategic.sizes import too_small

from readyroom import Match
from readyroom.engine.drawing import Frame
from readyroom.engine.rules.decisions import Decision
from readyroom.games.strategic.pearl import GAME
from readyroom.games.strategic.pearl.board_data import scene
from readyroom.games.strategic.pearl.drawing import PLANE, TALL, Chart, layout
from readyroom.web.board_svg import draw, words
from readyroom.web.playback import RoomMeasure

SEATS = ("japan", "usa", None)


def states(scenario: str, seed: str) -> Iterator[tuple[Any, str, Decision]]:
    """Yield the state at every question of a random match."""
    match, random = Match(GAME, scenario, seed=seed, log=False), Random(seed)
    while match.outcome is None:
        seat = random.choice(list(match.pending))
        yield match, seat, match.pending[seat]
        match.decide(seat, match.pending[seat].sample(random))
    yield match, "japan", next(iter(match.pending.values()), None)  # type: ignore[misc]


def hulls(chart: Chart) -> list[Frame]:
    """Return the areas covered by ships."""
    return [Frame(h.x - h.length / 2, h.y - h.beam / 2, h.length, h.beam) for h in chart.hulls]


def counters(chart: Chart) -> list[Frame]:
    """Return the areas covered by counters of aircraft."""
    return [Frame(token.x, token.y, PLANE, TALL) for token in chart.tokens]


def check(chart: Chart) -> None:
    """Check that everything is on the board, and that pieces of the same kind do not overlap."""
    assert chart.sea is not None
    blocks = [chart.sea.frame, *(frame for _, frame in chart.berths), chart.land, *chart.panels]
    cells = [*(cell.frame for cell in chart.cells), *(frame for _, frame in chart.boxes)]
    planes = counters(chart)
    for frame in (*blocks, *cells, *planes, *hulls(chart), *(frame for *_, frame in chart.chips)):
        assert frame.x >= 6
        assert frame.y >= 6
        assert frame.right <= chart.width - 6
        assert frame.bottom <= chart.height - 6
    lights = [*(frame for _, frame in chart.aprons), chart.light]
    for same in ([*blocks, *cells], planes, [*planes, *hulls(chart)], lights):
        assert all(one.is_clear_of(other) for one, other in combinations(same, 2))
    assert all(frame.is_clear_of(block) for *_, frame in chart.chips for block in blocks)
    ground = [chart.sea.frame, chart.land]
    assert all(any(frame.y >= g.y and frame.bottom <= g.bottom for g in ground) for frame in planes)


def fixed(chart: Chart) -> tuple[object, ...]:
    """Return all positions that must not change during a match."""
    assert chart.sea is not None
    frames = [chart.land, chart.sky, chart.light, chart.sea.frame, *chart.panels]
    frames += [frame for _, frame in chart.aprons] + [frame for _, frame in chart.berths]
    frames += [cell.frame for cell in chart.cells] + [frame for _, frame in chart.boxes]
    ships = {hull.vessel.key: (hull.x, hull.y) for hull in chart.hulls if hull.vessel.side == "japan"}
    return (chart.width, chart.height, chart.basin, chart.island, frames, ships)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_layout_has_no_overlaps(scenario: str) -> None:
    for seed in ("one", "two"):
        for match, _, _ in states(scenario, f"{scenario} {seed}"):
            for seat in SEATS:
                for chart in layout(match.view(seat))["charts"]:
                    check(chart)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_wide_layout_stays_the_same_during_a_match(scenario: str) -> None:
    first: tuple[object, ...] = ()
    places: dict[str, tuple[float, float]] = {}
    for match, _, _ in states(scenario, f"{scenario} steady"):
        for seat in SEATS:
            chart = layout(match.view(seat))["charts"][0]
            first = first or fixed(chart)
            assert first == fixed(chart)
            for token in chart.tokens:
                at = (token.x, token.y)
                assert places.setdefault(token.key, at) == at


def test_chips_say_what_each_choice_does_and_fit_a_pointer() -> None:
    counted = set()
    for match, _, decision in states("air-raid", "chips"):
        for chart in layout(match.view("japan"))["charts"]:
            for key, text, frame in chart.chips:
                kind, _, count = key.partition("-")
                assert decision is None or frame.height >= 43, "36 pixels on a laptop"
                if kind in ("escorts", "patrol"):
                    first, rest = text.split("\n")
                    assert first == f"{count} {kind.removesuffix('s')}"
                    assert re.fullmatch(r"\d+ (attack|strike)", rest)
                    assert frame.width >= 14 + 6 * max(len(first), len(rest))
                    counted.add(kind)
    assert counted == {"escorts", "patrol"}


def test_empty_parts_of_the_narrow_layout_take_no_height() -> None:
    seen = set()
    for match, _, _ in states("air-raid", "empty"):
        shown = layout(match.view("japan"))
        scene, chart = shown["scene"], shown["charts"][-1]
        is_bare = not scene.chips and not scene.result
        assert (chart.land.y < 90) == is_bare
        assert (chart.sky.height < 30) == (not scene.flights)
        seen.add((is_bare, bool(scene.flights)))
    assert {(True, True), (False, False)} <= seen


def test_narrow_layout_stays_the_same_while_a_match_plays() -> None:
    measure, views = RoomMeasure(GAME), [match.view("japan") for match, _, _ in states("air-raid-late", "plays")]
    for view in views:
        measure.add(view)
    assert len({fixed(layout(view)["charts"][-1])[1] for view in views}) > 1
    assert len({str(fixed(layout(view, measure.room())["charts"][-1])) for view in views}) == 1


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pieces_are_large_enough_on_a_small_desktop(scenario: str) -> None:
    for match, seat, decision in states(scenario, f"{scenario} size"):
        assert too_small(match, seat, decision) == [], decision


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_piece_and_place_has_a_key(scenario: str) -> None:
    for match, _, _ in states(scenario, f"{scenario} keys"):
        raid = match.state.raid
        for seat in SEATS:
            for drawn in draw(GAME, match.view(seat)).split('<svg class="board-')[2:]:
                keys, places = (re.findall(rf'{name}="([^"]+)"', drawn) for name in ("data-key", "data-place"))
                assert len(keys) == len(set(keys))
                assert len(places) == len(set(places))
                ships = [ship.key for ship in [*raid.american_ships(), *raid.carriers]]
                assert {*ships, *(force.key for force in raid.forces), "army", "naval", "light"} <= set(keys)
                assert {"harbor", "sky", "fleet", "oahu", "tension", "score-japan", "score-usa"} <= set(places)
                assert {f"berth-{force.key}" for force in raid.forces} <= set(places)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_option_is_clickable_on_both_charts(scenario: str) -> None:
    for match, seat, decision in states(scenario, f"{scenario} taps"):
        if decision is None or decision.only_continues:
            continue
        decision_data = {"options": [{"key": key} for key in decision.keys], "about": decision.piece_key}
        wide, narrow = draw(GAME, match.view(seat), decision_data).split('class="board-narrow')
        for drawn in (wide, narrow):
            keys = set(re.findall(r'class="piece[^"]* can[^"]*" data-key="([^"]+)"', drawn))
            assert keys == set(decision.keys)


def test_risk_is_worded_for_the_side_that_reads_it() -> None:
    battle = Battle().force("tf8", "3").force("tf12", "4")
    texts = {seat: scene(battle.whole(seat)).risk.partition(":")[0] for seat in SEATS}
    if_japan_stays = "risk of interception if Japan stays"
    assert texts == {"japan": "risk of interception if you stay", "usa": if_japan_stays, None: if_japan_stays}


def test_large_scenario_fits_board() -> None:
    ships = ",\n".join(f'{{ key = "bb-{at}", name = "Most Serene Battleship {at}", size = 9 }}' for at in range(16))
    text = re.sub(r"ship = \[.*?\n\]", f"ship = [\n{ships}\n]", OWN, flags=re.DOTALL)
    text = (
        text.replace("army = 4", "army = 40")
        .replace("naval = 3", "naval = 60")
        .replace("squadrons = 5\nmost", "squadrons = 9\nmost")
    )
    own = GAME.own_scenario(text.encode(), "great.toml")
    match, random = Match(GAME, own, seed="great"), Random(5)
    while match.outcome is None:
        for chart in layout(match.view("japan"))["charts"]:
            check(chart)
        seat = next(iter(match.pending))
        match.decide(seat, match.pending[seat].sample(random))


def test_terminal_board_shows_ships_and_forces() -> None:
    match = Match(GAME, "air-raid", seed="words")
    text = words(GAME, match.view("japan"))
    assert "Nevada (3) · Arizona (4)" in text
    assert "★ Pearl Harbor" in text
    assert "Task Force 8 (Enterprise), 5 squadrons: not placed yet" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.rule("pearl", "PH.3")
def test_board_hides_unseen_carriers() -> None:
    for match, _, _ in states("air-raid", "hidden"):
        hidden = [force for force in match.state.raid.forces if not force.seen]
        if hidden and hidden[0].place and not match.state.raid.over:
            drawn = draw(GAME, match.view("japan"))
            assert "location unknown" in drawn
            assert "distance" not in drawn


@pytest.mark.rule("pearl", "PH.5")
def test_layout_shows_only_flights_in_air() -> None:
    battle = Battle().attackers(5, escorts=3)
    battle.raid.army.up = 2
    titles = {token.title for token in layout(battle.whole("japan"))["charts"][0].tokens}
    assert {"army up: 2", "escorts: 3", "attackers: 5"} <= titles
    assert not any(title.startswith("navy up") for title in titles)
    battle.raid.over = True
    scene = layout(battle.whole("japan"))["scene"]
    assert not scene.flights, "nothing remains over the harbor"
    assert "8 returning" in scene.tally
    battle.raid.lost = [next(battle.raid.squadrons())]
    assert "aboard · 1 lost" in layout(battle.whole("japan"))["scene"].tally, "it is not what is cut off"


def test_result_has_two_lines_on_a_phone() -> None:
    *_, (match, _, _) = states("air-raid", "result")
    shown = layout(match.view(None))
    assert shown["charts"][-1].shape == "narrow"
    titles = [label.text for label in shown["charts"][-1].labels if label.kind == "title"]
    assert titles[1:] == shown["scene"].result.split(": ")
    assert len(titles) == 3
